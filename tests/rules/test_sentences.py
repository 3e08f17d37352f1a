"""What people read: the same in every language, complete, and safe to print whatever was typed."""

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import Any, get_args, get_type_hints

import pytest

import puntobanco
from puntobanco import cli
from puntobanco.cli.play import TerminalTable
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.condition import Numbers, When
from puntobanco.rules.coup import deal
from puntobanco.rules.established import Standing
from puntobanco.rules.explanation import ExplanationStep, conditions, explain
from puntobanco.rules.library import LANGUAGES, ParagraphKind, ParagraphMode, sentences
from puntobanco.rules.limits import TableLimits
from puntobanco.rules.money import read_money
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.procedures import Action, StaffRank, Window
from puntobanco.rules.refusal import Expected, Reason, Refused, TypeName
from puntobanco.rules.settlement import Result
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, ClosingCause, Election, Fault, Tender
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase

ENGLISH = sentences("en").table
SAID = [(section, key) for section, table in ENGLISH.items() for key in table]
WORDS: tuple[type[StrEnum], ...] = (
    Side, Winner, Window, Result, Standing, ParagraphKind, ParagraphMode, Role, StaffRank,
    Phase, Action, Fault, Choice, Election,
    Source, Tender, ClosingCause, Alert, Expected, TypeName,
)  # fmt: skip


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


# ---- the languages agree -----------------------------------------------------------------------------------------


def test_every_language_that_is_offered_has_sentences() -> None:
    for language in LANGUAGES:
        assert sentences(language).language == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sections_and_keys_in_the_same_order(language: str) -> None:
    assert [(section, key) for section, table in sentences(language).table.items() for key in table] == SAID


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("section", "key"), SAID)
def test_a_sentence_has_the_same_placeholders_in_every_language(language: str, section: str, key: str) -> None:
    assert placeholders(sentences(language).table[section][key]) == placeholders(ENGLISH[section][key])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("section", "key"), SAID)
def test_no_sentence_is_empty_and_each_can_be_said_on_one_line(language: str, section: str, key: str) -> None:
    said = sentences(language).say(section, key, **dict.fromkeys(placeholders(ENGLISH[section][key]), "7"))
    assert said.strip()
    assert said.isprintable()
    assert not {"{", "}"} & set(said)


@pytest.mark.parametrize(("section", "key"), SAID)
def test_chinese_sentences_are_in_chinese(section: str, key: str) -> None:
    said = sentences("zh").table[section][key]
    words_of_its_own = re.sub(r"\{\w+(:\w+)?\}|\W", "", said)
    assert not words_of_its_own or re.search("[\u4e00-\u9fff]", said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_names_every_command_as_it_is_typed(language: str) -> None:
    game, hundred = library.game("wu-song"), read_money("100")
    table = TerminalTable(
        game,
        game.layout(),
        decks=8,
        purse=hundred,
        limits=TableLimits(minimum=hundred, differential=hundred),
        said=sentences(language),
    )
    typed = set(re.findall("[a-z]+", sentences(language).say("play", "help")))
    assert {*table.commands, "quit"} <= typed
    assert {"take", "leave"} <= set(re.findall("[a-z]+", sentences(language).say("play", "take_or_leave", rule="")))


# ---- whatever the code can answer has a sentence -----------------------------------------------------------------


def test_every_reason_has_a_sentence_and_every_such_sentence_a_reason() -> None:
    assert set(ENGLISH["refusal"]) == set(Reason)


def test_every_step_has_a_sentence_and_every_such_sentence_a_step() -> None:
    assert set(ENGLISH["step"]) == set(ExplanationStep)


def test_every_word_we_use_as_a_parameter_is_translated_and_no_other() -> None:
    assert set(ENGLISH["word"]) == set(chain.from_iterable(WORDS))


def every_condition() -> Iterator[When]:
    """A condition for each field and each thing it can say."""
    values: dict[object, list[Any]] = {
        Winner: list(Winner),
        Numbers: [Numbers([6]), Numbers([6, 7]), Numbers(range(6))],
        bool: [True, False],
    }
    for name, hint in get_type_hints(When).items():
        if name in When.__struct_fields__:
            for value in values[get_args(hint)[0]]:
                yield When(**{name: value})


def test_every_condition_a_pay_line_can_have_has_a_sentence_and_no_other() -> None:
    codes = {code for when in every_condition() for code, _ in conditions(when)}
    assert set(ENGLISH["condition"]) == codes


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_condition_names_its_numbers(language: str) -> None:
    for when in every_condition():
        for code, numbers in conditions(when):
            said = sentences(language).say("condition", code, numbers=numbers)
            assert numbers is None or str(numbers) in said


COUPS = (
    "9 7 K 10",  # a natural
    "2 K 3 5 4 A",  # both draw; insurance is offered
    "2 3 3 3 9",  # the Banker stands against the Player's third card
    "6 2 K 3 2",  # the Player stands, the Banker draws
    "6 6 K K",  # both stand, a tie
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_an_explanation_can_be_said(language: str) -> None:
    game, said = library.game("insurance"), sentences(language)
    steps = [one for cards in COUPS for one in explain(game, deal(read_cards(cards)))]
    assert {one.step for one in steps} == set(ExplanationStep)
    for one in steps:
        assert said.say("step", one.step, **one.parameters).isprintable()


# ---- whatever the code says exists, and what it does not say is gone ---------------------------------------------

Use = tuple[str, set[str], set[str | None]]
"""A section, the keys that may be meant there, and the names of the parameters that are given."""


def trees(folder: Path) -> Iterator[ast.Module]:
    return (ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py")))


def uses(tree: ast.Module) -> Iterator[Use]:
    """What a module of the command line says: directly, as a heading of a table, or as a label."""
    looped = dict(loops(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="say"), args=[ast.Constant(value=str(section)), key]):
                yield section, keys(key, looped), {one.arg for one in node.keywords}
            case ast.Call(func=ast.Attribute(attr="_say"), args=[key]):
                yield "play", keys(key, looped), {one.arg for one in node.keywords}
            case ast.Call(func=ast.Name(id="titled"), args=[_, *headings]):
                yield "label", set().union(*(keys(one, looped) for one in headings)), set()
            case ast.Subscript(value=ast.Name(id="label" | "word" as section), slice=key):
                yield section, keys(key, looped), set()
            case ast.Subscript(value=ast.Subscript(slice=ast.Constant(value="label" | "word" as section)), slice=key):
                yield section, keys(key, looped), set()


def keys(written: ast.expr, looped: dict[str, set[str]]) -> set[str]:
    match written:
        case ast.Constant(value=str(key)):
            return {key}
        case ast.Name(id=name):
            return looped.get(name, set())
    return set()


def loops(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """Names that run over keys written out: `for heading in ("when", "pays")`, or the first of each tuple."""
    for node in ast.walk(tree):
        match node:
            case ast.For(
                target=ast.Name(id=name) | ast.Tuple(elts=[ast.Name(id=name), *_]), iter=ast.Tuple(elts=those)
            ):
                firsts = [one.elts[0] if isinstance(one, ast.Tuple) else one for one in those]
                yield name, {str(one.value) for one in firsts if isinstance(one, ast.Constant)}


HOUSE = Path(puntobanco.__file__).parent
USES = [use for folder in (Path(cli.__file__).parent, HOUSE / "odds") for tree in trees(folder) for use in uses(tree)]


def test_every_sentence_the_command_line_says_exists_and_gets_its_parameters() -> None:
    assert len(USES) > 30
    for section, named, given in USES:
        for key in named:
            assert key in ENGLISH[section], f"[{section}] {key}"
            assert None in given or placeholders(ENGLISH[section][key]) <= given, f"[{section}] {key}"


@pytest.mark.parametrize("section", ["label", "play"])
def test_no_label_or_sentence_of_the_table_is_left_that_nothing_says(section: str) -> None:
    assert set(ENGLISH[section]) == set().union(*(named for used, named, _ in USES if used == section))


def test_no_sentence_about_odds_is_left_that_nothing_says() -> None:
    """Headings and captions are handed on by their keys, so a key need only be written somewhere."""
    written = {
        node.value
        for folder in (Path(cli.__file__).parent, HOUSE / "odds")
        for tree in trees(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(ENGLISH["odds"]) <= written


def test_every_refusal_gives_what_its_sentence_names() -> None:
    seen = set()
    for tree in trees(Path(puntobanco.__file__).parent):
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Name(id="Refused" | "_fault" as called),
                    args=[ast.Attribute(value=ast.Name(id="Reason"), attr=name), *_],
                ):
                    given = {one.arg for one in node.keywords}
                    given |= {"file", "place", "field"} if called == "_fault" else set()
                    assert placeholders(ENGLISH["refusal"][Reason[name]]) <= given, name
                    seen.add(name)
    assert len(seen) > 40


# ---- what is typed is never trusted ------------------------------------------------------------------------------


def test_a_kept_answer_with_a_word_of_ours_that_is_gone_is_still_told() -> None:
    kept = {"file": {"word": "gone"}, "why": {"section": "gone", "key": "was_said", "parameters": {"section": 1}}}
    said = library.sentences("en").refusal(Refused(Reason.FILE_UNREADABLE, **kept))
    assert said == "Cannot read gone: was_said."


def test_a_key_that_is_missing_is_an_error_of_ours_and_not_passed_over() -> None:
    for section, key in (("refusal", "no_such_reason"), ("no_such_section", "tie")):
        with pytest.raises(KeyError):
            sentences("en").say(section, key)
    with pytest.raises(KeyError):
        sentences("en").say("refusal", "unknown_card")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "typed", ["\x1b[31m\n", "a\r\nb", "\x07\x00\x9b", "\u202egnp\u2066", "\ud800", "\t\v\f", "{0}"]
)
def test_control_characters_are_neutralised(language: str, typed: str) -> None:
    said = sentences(language).say("refusal", "unknown_card", card=f"9{typed}S")
    assert said.isprintable()
    said.encode()
    assert "9" in said
    assert "S" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_too_long_is_cut(language: str) -> None:
    frame = len(sentences(language).say("refusal", "unknown_card", card=""))
    whole = sentences(language).say("refusal", "unknown_card", card="9" * 300)
    cut = sentences(language).say("refusal", "unknown_card", card="9" * 1_000_000)
    assert len(whole) == len(cut) == frame + 300
    assert "…" not in whole
    assert "…" in cut


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_own_words_among_the_parameters_are_translated(language: str) -> None:
    word = sentences(language).table["word"]
    bet = library.game("insurance").bet("banker_insurance", None).title
    said = sentences(language).refusal(Refused(Reason.NOT_OFFERED, bet=bet, window=Window.FOUR))
    assert bet.said(language) in said
    assert word[Window.FOUR] in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_parameters_are_shown_one_by_one_as_the_sentence_says_them(language: str) -> None:
    bet = library.game("insurance").bet("banker_insurance", None).title
    shown = sentences(language).shown({"bet": bet, "window": Window.FOUR, "most": 3, "owner": None, "who": "ann"})
    word = sentences(language).table["word"][Window.FOUR]
    assert shown == {"bet": bet.said(language), "window": word, "most": 3, "owner": None, "who": "ann"}


@pytest.mark.parametrize("language", ["", "EN", "fr", "zh-TW", "../en", "\x1b"])
def test_a_language_we_do_not_have_is_refused(language: str) -> None:
    with pytest.raises(Refused) as caught:
        sentences(language)
    assert caught.value.reason is Reason.UNKNOWN_LANGUAGE
    assert puntobanco.say(caught.value).isprintable()
    with pytest.raises(Refused):
        puntobanco.say(caught.value, language)


# ---- amounts and people ------------------------------------------------------------------------------------------

AMOUNTS = frozenset(
    [
        "amount",
        "stake",
        "minimum",
        "differential",
        "purse",
        "greatest",
        "unit",
        "largest",
        "booked",
        "held",
        "plays",
        "profit",
        "commission",
        "unplayed",
        "back",
        "more",
        "less",
        "was",
        "staked",
        "bankroll",
    ]
)
PEOPLE = frozenset(["person", "owner", "who", "seated", "people", "silent", "against"])
NO_AMOUNTS = {
    ("refusal", "not_an_amount"), ("refusal", "not_a_stake"), ("event", "card_corrected"), ("scenario", "summary"),
    ("scenario", "held"),
}  # fmt: skip
"""Sentences in which such a name stands for something else: what was typed, a card, a number of files."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("section", "key"), SAID)
def test_a_sentence_says_which_of_its_parameters_are_amounts_and_people(language: str, section: str, key: str) -> None:
    for _, name, how, _ in Formatter().parse(sentences(language).table[section][key]):
        if name in PEOPLE:
            assert how == "called", name
        elif name in AMOUNTS and (section, key) not in NO_AMOUNTS:
            assert how == "money", name
        else:
            assert how in ("", "money", None), name


def test_what_stands_in_the_place_of_an_amount_stays_as_it_is() -> None:
    said = sentences("en").refusal(Refused(Reason.WALLET_EMPTY, amount="1/3"))
    assert said == "The wallet holds less than 1/3."
    assert sentences("en").refusal(Refused(Reason.WALLET_EMPTY)) == "The wallet holds less than -."
