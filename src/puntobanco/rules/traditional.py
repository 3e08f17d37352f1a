"""Traditional Chinese for names and summaries that are written in simplified Chinese only."""

import re

from puntobanco.rules.han import PHRASES, SIMPLIFIED, TRADITIONAL

_CHARACTERS = str.maketrans(SIMPLIFIED, TRADITIONAL)
_PHRASE = re.compile("(" + "|".join(sorted(PHRASES, key=len, reverse=True)) + ")")


def traditional(text: str) -> str:
    """Characters that none of our own texts contains stay as they are.

    >>> traditional("庄家以6点获胜，答复后停止下注")
    '莊家以6點獲勝，答覆後停止下注'
    """
    return "".join(PHRASES.get(piece) or piece.translate(_CHARACTERS) for piece in _PHRASE.split(text))


def in_language(language: str, *, en: str, zh: str) -> str:
    """The English or the Chinese text, the latter in the script that is asked for."""
    match language:
        case "zh":
            return zh
        case "zh-Hant":
            return traditional(zh)
        case _:
            return en
