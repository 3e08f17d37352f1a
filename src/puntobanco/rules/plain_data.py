"""Types of values in game files: paragraph numbers, names in every language, strict structs."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from puntobanco.rules.traditional import in_language


class ParagraphId(str):
    """The id of a paragraph of the game's document, such as 5.1.1. Only game files contain these."""

    __slots__ = ()


class Words(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A name in each language, and as printed on the felt where that differs."""

    en: str
    zh: str
    felt: str | None = None
    """As printed on the felt, where that differs."""

    def said(self, language: str) -> str:
        return in_language(language, en=self.en, zh=self.zh)


class Phrase(msgspec.Struct, frozen=True):
    """Part of a sentence that has a sentence of its own: its section, key and parameters.

    `means` is its value in data, if that is not the key.
    """

    section: str
    key: str
    parameters: dict[str, Any] = {}
    means: str = ""

    def __str__(self) -> str:
        return self.means or self.key


def plain(value: object) -> Any:
    """A parameter of a sentence as JSON stores it. Reading it back gives the same value and the same sentence.

    Text, numbers, true, false and null stay as they are. A name becomes `{"en": ..., "zh": ...}`, a word of the
    vocabulary `{"word": code}`, a phrase `{"section": ..., "key": ..., "parameters": {...}}`, alternatives
    `{"any": [...]}`, and a list stays a list. Anything else becomes its text.

    >>> plain(Words(en="Player", zh="闲")), plain([ParagraphId("5.1"), 3])
    ({'en': 'Player', 'zh': '闲'}, ['5.1', 3])
    """
    match value:
        case StrEnum():
            return {"word": value.value}
        case str():
            return str(value).encode("utf-8", "backslashreplace").decode()
        case bool() | None:
            return value
        case int():
            return int(value)
        case Words(en=en, zh=zh) | {"en": str(en), "zh": str(zh)}:
            return {"en": plain(str(en)), "zh": plain(str(zh))}
        case {"word": str(code)}:
            return {"word": plain(str(code))}
        case Phrase(section, key, parameters) | {"section": section, "key": key, "parameters": dict(parameters)}:
            return {"section": str(section), "key": str(key), "parameters": plain_parameters(parameters)}
        case tuple(ones) | {"any": list(ones)}:
            return {"any": [plain(one) for one in ones]}
        case list():
            return [plain(one) for one in value]
        case _:
            return plain(str(value))


def plain_parameters(parameters: Mapping[str, object]) -> dict[str, Any]:
    return {name: plain(value) for name, value in parameters.items()}


class Written(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A struct of a game file: frozen, without unknown fields."""
