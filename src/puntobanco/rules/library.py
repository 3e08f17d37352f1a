"""The library: the only module of the core that reads files. Game files and overlays are checked as they are read."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec

from puntobanco.rules import parsing
from puntobanco.rules.checks import check, check_rulebook
from puntobanco.rules.checks import faults as check_faults
from puntobanco.rules.condition import When
from puntobanco.rules.explanation import conditions
from puntobanco.rules.game import Game
from puntobanco.rules.locating import LocatedFault, locate, locate_unparsed
from puntobanco.rules.money import read_money, show_money
from puntobanco.rules.overlay import Overlay
from puntobanco.rules.parsing import convert, decode
from puntobanco.rules.plain_data import Phrase, plain
from puntobanco.rules.refusal import Expected, Reason, Refusal, Refused
from puntobanco.rules.text import check_text, printable
from puntobanco.rules.traditional import in_language
from puntobanco.rules.tried_pay import NewPay, repay

_HERE = Path(__file__).parent
_LARGEST = 1_000_000
"""The largest file that is text, in bytes."""
_MOST_DOTS = 16
"""The most dots in one line, outside strings and comments, because parsing a key takes time quadratic in its parts."""
_TEXT = re.compile(
    r"""#[^\n]*"""
    r'''|"{3}(?:[^\\]|\\.)*?"{3,5}|"(?:[^"\\\n]|\\.)*"'''
    r"""|'{3}.*?'{3,5}|'[^'\n]*'"""
    r"""|["'].*""",
    re.DOTALL,
)
"""A comment or a string, or a quote that is never closed with all that follows it, because no parser reads past it."""

GAMES = ("commission", "non-commission-etg", "super-six", "insurance", "wu-song")
LANGUAGES = ("en", "zh", "zh-Hant")


# ---- paragraphs --------------------------------------------------------------------------------------------------


class ParagraphKind(StrEnum):
    DEFINITION = "definition"
    DATA = "data"
    PROCEDURE = "procedure"
    SETTLEMENT = "settlement"
    IRREGULARITY = "irregularity"
    AUTHORITY = "authority"
    HEADING = "heading"


class ParagraphMode(StrEnum):
    """Whether the system enforces the paragraph, a person decides and it is recorded, or it only informs."""

    MACHINE = "machine"
    HUMAN = "human"
    INFORMATIONAL = "informational"


class Paragraph(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One paragraph of a rule document, summarised."""

    kind: Annotated[tuple[ParagraphKind, ...], msgspec.Meta(min_length=1)]
    mode: tuple[ParagraphMode, ...]
    en: str
    zh: str

    def said(self, language: str) -> str:
        return in_language(language, en=self.en, zh=self.zh)


Rulebook = Mapping[str, Paragraph]


class Enforcement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code that a paragraph's tests exercise, and those tests. Generated from the marks on the tests."""

    code: tuple[str, ...]
    tests: tuple[str, ...]


@cache
def rulebook(key: str) -> Rulebook:
    """The paragraphs of a built-in document, in order."""
    if key not in GAMES:
        raise Refused(Reason.UNKNOWN_GAME, game=key, known=", ".join(GAMES))
    path = _HERE / "paragraphs" / f"{key}.toml"
    return _paragraphs(read_toml(path)["paragraph"], path.name)


@cache
def enforcement(key: str) -> Mapping[str, Enforcement]:
    """Code and tests by paragraph, as last generated."""
    path = _HERE / "paragraphs" / "enforced.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, Enforcement]]).get(key, {})


_PARAGRAPH_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9. -]{0,31}")


def _paragraphs(written: object, file: str) -> Rulebook:
    if not isinstance(written, dict):
        raise Refused(Reason.FIELD_WRONG, file=file, place="game", field="paragraph", expected=Expected.PARAGRAPH_ID)
    book: dict[str, Paragraph] = {}
    for rule, one in written.items():
        if not _PARAGRAPH_ID.fullmatch(rule):
            raise Refused(
                Reason.KEY_MALFORMED, file=file, place="paragraph", field="id", value=rule,
                expected=Expected.PARAGRAPH_ID,
            )  # fmt: skip
        book[rule] = convert(one, Paragraph, file, one, within=f'paragraph "{rule}"')
        check_text(book[rule], file, f'paragraph "{rule}"')
    return book


# ---- games -------------------------------------------------------------------------------------------------------


@cache
def game(key: str) -> Game:
    """One of the five games.

    >>> game("wu-song").decks.most
    10
    """
    return _read(_parsed(source(key)), f"{key}.toml")[0]


def read_game(path: Path) -> tuple[Game, Rulebook]:
    """Read a user's game file with its paragraphs: those of a built-in document, its own, or both. Its own win."""
    return _own(read_toml(path), path.name)


def own_game_from(content: str, file: str) -> tuple[Game, Rulebook]:
    """Read the text of a user's game file as `read_game` would."""
    return _own(_parsed(content, file), file)


def located_faults(content: str, file: str) -> list[LocatedFault]:
    """Everything for which `own_file_from` would refuse the text, in the order of the file."""
    try:
        written = _parsed(content, file)
    except Refused as refused:
        return [locate_unparsed(refused, content)]
    found = _overlay_faults(written, file) if "void" in written else _every_fault(written, file)
    return locate(found, content, written, file)


def _overlay_faults(written: dict[str, Any], file: str) -> list[Refused]:
    found = parsing.faults(written, Overlay, file, "overlay")
    try:
        _overlay(written, file)
    except Refused as refused:
        return found or [refused]
    return []


def _every_fault(written: dict[str, Any], file: str) -> list[Refused]:
    """Everything for which `read_game` would refuse the content of a file. The form comes first: what a field means
    is checked when every field can be read."""
    own = written.get("paragraph", {})
    game_part = {name: held for name, held in written.items() if name != "paragraph"}
    found = parsing.faults(game_part, Game, file)
    for rule, one in own.items() if isinstance(own, dict) else ():
        found += parsing.faults(one, Paragraph, file, f'paragraph "{rule}"')
    try:
        read, paragraphs = _read(written | {}, file, check=lambda *_: None)
    except Refused as refused:
        return found or [refused]
    taken = [_taken(read, file)] if read.key in GAMES else []
    return [*taken, *check_faults(read, paragraphs, file)]


def _own(written: dict[str, Any], file: str) -> tuple[Game, Rulebook]:
    read, paragraphs = _read(written, file)
    if read.key in GAMES:
        raise _taken(read, file)
    return read, paragraphs


def _taken(read: Game, file: str) -> Refused:
    return Refused(Reason.KEY_BUILT_IN, file=file, place="game", field="key", value=read.key)


def own_file_from(content: str, file: str) -> Game | Overlay:
    """Read the text of a user's file: an overlay has void causes, every other file is a game."""
    written = _parsed(content, file)
    return _overlay(written, file) if "void" in written else _own(written, file)[0]


def _overlay(written: dict[str, Any], file: str) -> Overlay:
    read: Overlay = convert(written, Overlay, file, written, within="overlay")
    check_text(read, file, "overlay")
    return read


def game_from(content: str, pays: Iterable[NewPay] = ()) -> tuple[Game, Rulebook]:
    """Read a game from text. `pays`: read it as if these pay lines had been written."""
    if changes := tuple(pays):
        read = game_from(content)[0]
        written = _parsed(content)
        for new in changes:
            repay(read, written, new)
        return _read(written, "game")
    return _read(_parsed(content), "game")


def source(key: str) -> str:
    """The source of a built-in game file."""
    if key not in GAMES:
        raise Refused(Reason.UNKNOWN_GAME, game=key, known=", ".join(GAMES))
    return (_HERE / "games" / f"{key}.toml").read_text(encoding="utf-8")


def _parsed(content: str, file: str = "game") -> dict[str, Any]:
    """Parse untrusted TOML in limited time, or refuse it."""
    try:
        if len(content.encode()) > _LARGEST:
            raise Refused(Reason.FILE_MALFORMED, file=file, why=_larger_than(_LARGEST))
        if any(line.count(".") > _MOST_DOTS for line in _TEXT.sub("", content).split("\n")):
            raise Refused(Reason.FILE_MALFORMED, file=file, why=Expected.FEW_DOTS)
        return tomllib.loads(content.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise Refused(Reason.FILE_MALFORMED, file=file, why=error) from None
    except UnicodeError:
        raise Refused(Reason.FILE_MALFORMED, file=file, why=Expected.UTF8) from None
    except ValueError:
        raise Refused(Reason.FILE_MALFORMED, file=file, why=Expected.FEW_DIGITS) from None
    except RecursionError:
        raise Refused(Reason.FILE_MALFORMED, file=file, why=Expected.SHALLOW) from None


def _larger_than(most: int) -> Phrase:
    return Phrase("phrase", "larger_than", {"megabytes": most // 1_000_000})


def _read(
    written: dict[str, Any], file: str, check: Callable[[Game, Rulebook, str], None] = check
) -> tuple[Game, Rulebook]:
    own = written.pop("paragraph", None)
    read = convert(written, Game, file, written)
    check_rulebook(read.rulebook, GAMES, file)
    inherited = rulebook(read.rulebook) if read.rulebook else {}
    paragraphs = {**inherited, **_paragraphs(own, file)} if own is not None else _cited(read, file)
    check_text(read, file, "game")
    check(read, paragraphs, file)
    return read, paragraphs


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file of limited size. Every fault is a refusal."""
    return _parsed(read_text(path), path.name)


def from_canonical(content: bytes) -> Game:
    """The game with this `canonical()` content: the rules that an old round was dealt by."""
    try:
        return msgspec.json.decode(content, type=Game, dec_hook=decode)
    except msgspec.MsgspecError as error:
        raise Refused(Reason.FILE_MALFORMED, file="canonical", why=error) from None


def rulebook_of(read: Game) -> Rulebook | None:
    """The built-in document that a game cites, if any."""
    key = read.rulebook or read.key
    return rulebook(key) if key in GAMES else None


def _cited(read: Game, file: str) -> Rulebook:
    paragraphs = rulebook_of(read)
    if paragraphs is None:
        raise Refused(Reason.FIELD_MISSING, place="game", field="paragraph", file=file)
    return paragraphs


def read_text(path: Path) -> str:
    """Read a text file of limited size. Every fault is a refusal."""
    try:
        return read_bytes(path, _LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(Reason.FILE_MALFORMED, file=path.name, why=Expected.UTF8) from None


def read_bytes(path: Path, most: int) -> bytes:
    """Read a file of at most so many bytes. Every fault is a refusal."""
    try:
        if not path.is_file():
            why = Expected.FILE if path.exists() else Expected.ANY_FILE
            raise Refused(Reason.FILE_UNREADABLE, file=str(path), why=why)
        with path.open("rb") as opened:
            content = opened.read(most + 1)
    except OSError as error:
        raise Refused(Reason.FILE_UNREADABLE, file=str(path), why=error.strerror) from None
    if len(content) > most:
        raise Refused(Reason.FILE_MALFORMED, file=path.name, why=_larger_than(most))
    return content


# ---- sentences ---------------------------------------------------------------------------------------------------


class Sentences(msgspec.Struct, frozen=True):
    """The sentences of one language."""

    language: str
    table: Mapping[str, Mapping[str, str]]
    called: Callable[[str], str] = str
    """How a person is called, by the id that records hold. By default by the id itself."""

    def calling(self, called: Callable[[str], str]) -> "Sentences":
        return msgspec.structs.replace(self, called=called)

    def condition(self, when: When) -> str:
        """The condition of a pay line in words."""
        return ", ".join(self.say("condition", key, numbers=numbers) for key, numbers in conditions(when))

    def say(self, section: str, key: str, /, **parameters: object) -> str:
        """The sentence under that key with its parameters. Words from our vocabulary are translated. `{stake:money}`
        writes an amount, `{person:called}` a person.

        >>> sentences("en").say("refusal", "unknown_card", card="1Z")
        '"1Z" is not a card. Write 9S, 10D, TD, 9♠ or just 9.'
        >>> sentences("en").say("refusal", "under_minimum", stake="1100.50", minimum="2000.00")
        '1,100.50 is below the minimum of 2,000.'
        """
        return self.table[section][key].format_map(self._parts(parameters))

    def _parts(self, parameters: Mapping[str, object]) -> dict[str, "_Part"]:
        return {name: _Part(self, value) for name, value in parameters.items()}

    def _shown(self, value: object, how: str = "") -> str:
        match plain(value):
            case {"en": str(en), "zh": str(zh)}:
                return _safe(in_language(self.language, en=en, zh=zh))
            case {"word": str(code)}:
                return self.table["word"].get(code, _safe(code))  # a stored answer may have a word that is gone
            case {"section": str(section), "key": str(key), "parameters": dict(parameters)}:
                return self.say(section, key, **parameters) if key in self.table.get(section, {}) else _safe(key)
            case {"any": list(ones)}:
                return " / ".join(map(self._shown, ones))
            case list(ones):
                return self.table["phrase"]["and"].join(self._shown(one, how) for one in ones)
            case str(person) if how == "called":
                return _safe(self.called(person))
            case str(amount) if how == "money":
                return _safe(_for_people(amount))
            case text:
                return _safe(text)

    def shown(self, parameters: Mapping[str, object]) -> dict[str, str | int | None]:
        """The parameters of a sentence one by one: our own words translated; numbers, amounts and people unchanged."""
        values = {name: plain(value) for name, value in parameters.items()}
        return {name: self._shown(one) if isinstance(one, dict | list) else one for name, one in values.items()}

    def refusal(self, refused: Refused | Refusal) -> str:
        """The refusal as a sentence. A stored answer may lack parameters that the sentence needs now."""
        parts = defaultdict(lambda: _Part(self, "-"), self._parts(refused.parameters))
        text, other = self.table["refusal"][refused.reason].format_map(parts), self.table["phrase"]["another_player"]
        return text[:1].upper() + text[1:] if text.startswith(other) else text


class _Part(msgspec.Struct, frozen=True):
    """A parameter, written as its place in the sentence asks for."""

    said: Sentences
    value: object

    def __format__(self, how: str) -> str:
        return self.said._shown(self.value, how)


def _for_people(amount: str) -> str:
    """An amount for people. A stored answer may have something else in its place, which stays as it is."""
    try:
        return show_money(read_money(amount))
    except Refused:
        return amount


@cache
def sentences(language: str = "en") -> Sentences:
    if language not in LANGUAGES:
        raise Refused(Reason.UNKNOWN_LANGUAGE, language=language, known=", ".join(LANGUAGES))
    return Sentences(language, read_toml(_HERE / "sentences" / f"{language}.toml"))


def _safe(value: object) -> str:
    """Text from outside on one line, without control characters, truncated."""
    text = printable(" ".join(str(value).split()))
    return text if len(text) <= 300 else text[:299] + "…"
