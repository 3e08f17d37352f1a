"""How game files are written: paragraph numbers, names in every language, and nothing unknown."""

from typing import Any

import msgspec


class Rule(str):
    """The id of a paragraph of the game's document, such as 5.1.1. Only game files hold these."""

    __slots__ = ()


class Words(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A name in each language, and as it is printed on the felt where that differs."""

    en: str
    zh: str
    felt: str | None = None

    def said(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


class Phrase(msgspec.Struct, frozen=True):
    """Part of a sentence that is a sentence of its own: the section and key that say it, and its parameters.

    `means` is what it stands for in data, where that is not the key.
    """

    section: str
    key: str
    parameters: dict[str, Any] = {}
    means: str = ""

    def __str__(self) -> str:
        return self.means or self.key


class Written(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is written in a game file: frozen, and nothing unknown in it."""
