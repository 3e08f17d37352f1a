"""The first version of a user's game file, made from a built-in game."""

import json
import re

from puntobanco.rules import library
from puntobanco.rules.text import printable

_HEAD = """\
# {title}. It starts as a copy of the game {like}.
# Change next: the title and document below, then decks, layouts and bets. Lines of a bet are read from the top.
# Paragraph numbers are those of {like}; `puntobanco rules {key}.toml` lists them.
# CONTRIBUTING explains every field. `puntobanco check {key}.toml` names what is wrong.

key = {key_text}
title = {{ en = {en}, zh = {zh} }}
version = 1
document = {document}
rulebook = "{like}"
"""
_OWN = re.compile(r"(?:key|title|version|document|effective) = .*\n")
"""What belongs to the built-in game and to no copy: who it is, and from when it is in force."""


def scaffold(key: str, like: str, title: str | None = None, title_zh: str | None = None) -> str:
    """The text of a game file with that key that plays like a built-in game.

    >>> print(scaffold("ten-seven", "super-six").splitlines()[5])
    key = "ten-seven"
    """
    source = library.source(like)
    head, decks, rest = source.partition("\ndecks = ")
    kept = _OWN.sub("", head[head.index("\nkey = ") + 1 :])
    en = title if title is not None else key.replace("-", " ").title()
    first = _HEAD.format(
        key=key,
        key_text=_quoted(key),
        like=like,
        title=printable(" ".join(en.split())),
        en=_quoted(en),
        zh=_quoted(title_zh if title_zh is not None else en),
        document=_quoted(f"{en}, draft rules"),
    )
    return first + kept + decks + rest


def _quoted(text: str) -> str:
    """A TOML string: JSON escapes the same characters, apart from one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
