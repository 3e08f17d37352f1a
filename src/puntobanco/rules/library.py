"""The library: the only module of the core that reads files. What it hands out has been checked in full."""

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.rules.checks import check, check_text
from puntobanco.rules.condition import Numbers, read_numbers
from puntobanco.rules.game import Game, Rule, Words
from puntobanco.rules.money import Odds, Rate, read_odds, read_rate
from puntobanco.rules.refusal import Expected, Reason, Refused

_HERE = Path(__file__).parent
_LARGEST_FILE = 1_000_000

GAMES = ("commission", "non-commission-etg", "super-six", "insurance", "wu-song")
LANGUAGES = ("en", "zh")


# ---- paragraphs --------------------------------------------------------------------------------------------------


class Kind(StrEnum):
    DEFINITION = "definition"
    DATA = "data"
    PROCEDURE = "procedure"
    SETTLEMENT = "settlement"
    IRREGULARITY = "irregularity"
    AUTHORITY = "authority"
    HEADING = "heading"


class Mode(StrEnum):
    """Whether software enforces the paragraph, a person decides and it is recorded, or it informs."""

    MACHINE = "machine"
    HUMAN = "human"
    INFORMATIONAL = "informational"


class Paragraph(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One paragraph of a rule document in our own words."""

    kind: tuple[Kind, ...]
    mode: tuple[Mode, ...]
    en: str
    zh: str

    def said(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


Rulebook = Mapping[str, Paragraph]


class Enforcement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which code a paragraph's tests exercise, and those tests; generated from the marks on them."""

    code: tuple[str, ...]
    tests: tuple[str, ...]


@cache
def rulebook(key: str) -> Rulebook:
    """The paragraphs of one of our documents, in its order."""
    if key not in GAMES:
        raise Refused(Reason.UNKNOWN_GAME, game=key, known=", ".join(GAMES))
    path = _HERE / "paragraphs" / f"{key}.toml"
    return _paragraphs(_toml(path)["paragraph"], path.name)


@cache
def enforcement(key: str) -> Mapping[str, Enforcement]:
    """Code and tests by paragraph, as last generated."""
    path = _HERE / "paragraphs" / "enforced.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, Enforcement]]).get(key, {})


def _paragraphs(written: object, file: str) -> Rulebook:
    if not isinstance(written, dict):
        raise Refused(Reason.FIELD_TYPE, file=file, place="game", field="paragraph", wanted="object", got="array")
    book: dict[str, Paragraph] = {}
    for rule, one in written.items():
        book[rule] = _convert(one, Paragraph, file, one, within=f'paragraph "{rule}"')
        check_text(book[rule], file, f'paragraph "{rule}"')
    return book


# ---- games -------------------------------------------------------------------------------------------------------


@cache
def game(key: str) -> Game:
    """One of the five games.

    >>> game("wu-song").decks.most
    10
    """
    if key not in GAMES:
        raise Refused(Reason.UNKNOWN_GAME, game=key, known=", ".join(GAMES))
    return read_game(_HERE / "games" / f"{key}.toml")[0]


def read_game(path: Path) -> tuple[Game, Rulebook]:
    """A game file of anyone's, with the paragraphs it cites: its own, or those of one of our documents."""
    written = _toml(path)
    own = written.pop("paragraph", None)
    read = _convert(written, Game, path.name, written)
    paragraphs = _paragraphs(own, path.name) if own is not None else _cited(read, path.name)
    check_text(read, path.name, "game")
    check(read, paragraphs, path.name)
    return read, paragraphs


def from_canonical(content: bytes) -> Game:
    """The game whose `canonical()` this is: how an old round finds the rules it was dealt by."""
    return msgspec.json.decode(content, type=Game, dec_hook=_decode)


def rulebook_of(read: Game) -> Rulebook | None:
    """Our own document a game cites, if it cites one."""
    key = read.rulebook or read.key
    return rulebook(key) if key in GAMES else None


def _cited(read: Game, file: str) -> Rulebook:
    paragraphs = rulebook_of(read)
    if paragraphs is None:
        raise Refused(Reason.FIELD_MISSING, place="game", field="paragraph", file=file)
    return paragraphs


def _decode(kind: type, written: object) -> Any:
    if kind is Rule and isinstance(written, str) and written:
        return Rule(written)
    if kind is Odds:
        return read_odds(written)
    if kind is Rate:
        return read_rate(written)
    if kind is Numbers:
        return read_numbers(written)
    raise ValueError(Expected.PARAGRAPH)


def _toml(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise Refused(Reason.FILE_MALFORMED, file=path.name, why=f"> {_LARGEST_FILE} bytes")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(Reason.FILE_UNREADABLE, file=path.name, why=error.strerror) from None
    except (ValueError, RecursionError) as error:
        raise Refused(Reason.FILE_MALFORMED, file=path.name, why=error) from None


_AT = re.compile(r"(?P<what>.*?)(?: - at `(?:key` in `)?\$(?P<path>.*)`)?", re.DOTALL)
_COMPLAINTS = {
    Reason.FIELD_MISSING: re.compile(r"Object missing required field `(?P<field>.+)`", re.DOTALL),
    Reason.FIELD_UNKNOWN: re.compile(r"Object contains unknown field `(?P<field>.+)`", re.DOTALL),
    Reason.FIELD_TYPE: re.compile(r"Expected `(?P<wanted>.+)`, got `(?P<got>.+)`"),
}


def _convert(written: object, kind: Any, file: str, root: object, within: str = "game") -> Any:
    """Read what is written as that kind, or refuse it by the name of the field and what was expected there."""
    try:
        return msgspec.convert(written, kind, dec_hook=_decode)
    except msgspec.ValidationError as error:
        found = _AT.fullmatch(str(error))
        assert found is not None, "the expression takes any text"
        what, steps = found["what"], [within, *_steps(found["path"] or "", root)]
    for reason, form in _COMPLAINTS.items():
        if said := form.fullmatch(what):
            named = said.groupdict()
            field = named.pop("field", None) or steps.pop()
            raise Refused(reason, file=file, place=_place(steps), field=field, **named)
    field = steps.pop()
    expected = Expected(what) if what in tuple(Expected) else what
    raise Refused(Reason.FIELD_WRONG, file=file, place=_place(steps), field=field, expected=expected)


def _place(steps: list[str]) -> str:
    return ", ".join(steps[1:] if steps[0] == "game" and len(steps) > 1 else steps)


_STEP = re.compile(r"\.?(?P<name>[A-Za-z_]+)?(?:\[(?P<index>[0-9]+|\.\.\.)\])?")


def _steps(path: str, root: Any) -> list[str]:
    """`.bet[2].lines[0].pays` as [`bet big_tiger`, `lines 1`, `pays`]: by name where the file names it."""
    steps = []
    for step in _STEP.finditer(path):
        name, index = step["name"], step["index"]
        root = root.get(name) if name and isinstance(root, dict) else root
        if index and index.isdigit() and isinstance(root, list):
            root = root[int(index)]
            called = root.get("key") if isinstance(root, dict) else None
            steps.append(f"{name} {called if isinstance(called, str) else int(index) + 1}")
        elif name:
            steps.append(name)
    return steps


# ---- sentences ---------------------------------------------------------------------------------------------------


class Sentences(msgspec.Struct, frozen=True):
    """What people read, in one language."""

    language: str
    table: Mapping[str, Mapping[str, str]]

    def say(self, section: str, key: str, **parameters: object) -> str:
        """The sentence under that key, with its parameters filled in; our own words among them are translated.

        >>> sentences("en").say("refusal", "unknown_card", card="1Z")
        '"1Z" is not a card: write 9S, 10D, TD, 9♠ or just 9.'
        """
        shown = {name: self._shown(value) for name, value in parameters.items()}
        return self.table[section][key].format_map(shown)

    def _shown(self, value: object) -> str:
        if isinstance(value, Words):
            return value.said(self.language)
        if isinstance(value, StrEnum):
            return self.table["word"][value]
        return _safe(value)

    def refusal(self, refused: Refused) -> str:
        return self.say("refusal", refused.reason, **refused.parameters)


@cache
def sentences(language: str = "en") -> Sentences:
    if language not in LANGUAGES:
        raise Refused(Reason.UNKNOWN_LANGUAGE, language=language, known=", ".join(LANGUAGES))
    return Sentences(language, _toml(_HERE / "sentences" / f"{language}.toml"))


def _safe(value: object) -> str:
    """Anything a person typed, on one line, without control characters, and not endless."""
    text = "".join(letter if letter.isprintable() else "?" for letter in " ".join(str(value).split()))
    return text if len(text) <= 300 else text[:299] + "…"
