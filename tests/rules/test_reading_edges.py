"""Reading: which field, which place, which words are named; and how what was read is shown."""

from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.rules import library
from puntobanco.rules.condition import Numbers
from puntobanco.rules.overlay import Overlay, OverlayCause, OverlayVoid
from puntobanco.rules.parsing import convert
from puntobanco.rules.plain_data import Phrase, Words
from puntobanco.rules.procedures import StaffRank, VoidCause
from puntobanco.rules.refusal import Expected, Reason, Refusal, Refused
from puntobanco.rules.suggestion import nearest
from puntobanco.rules.text import check_text

WU_SONG = (Path(library.__file__).parent / "games" / "wu-song.toml").read_text(encoding="utf-8")
BETS = len(library.game("wu-song").bets)


def refusal(old: str, new: str) -> Refused:
    assert old in WU_SONG
    with pytest.raises(Refused) as refused:
        library.game_from(WU_SONG.replace(old, new, 1))
    return refused.value


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('rule = "4.1.8"', 'rule = ""', Expected.PARAGRAPH),
        ('rule = "4.1.8"', "rule = 4.1", Expected.PARAGRAPH),
        ('pays = "50:1"', 'pays = "x"', Expected.ODDS),
        ("points = 6,", "points = true,", Expected.NUMBERS),
    ],
)
def test_what_was_expected_is_a_word_of_its_own(old: str, new: str, expected: Expected) -> None:
    refused = refusal(old, new)
    assert (refused.reason, refused.parameters["expected"]) == (Reason.FIELD_WRONG, {"word": expected.value})


def test_a_list_that_is_too_long_is_named_as_a_list() -> None:
    bets = ", ".join(f'"b{number}"' for number in range(51))
    refused = refusal('"player", "banker", "tie",', f"{bets},")
    assert refused.reason is Reason.FIELD_LENGTH
    assert (refused.parameters["wanted"], refused.parameters["bound"]) == ({"any": [{"word": "type_array"}]}, "<= 50")


@pytest.mark.parametrize(
    ("old", "new", "known"),
    [
        ('mode = "returned"', 'mode = "kept"', "returned, may_be_withdrawn"),
        ('right = "highest"', 'right = "lowest"', "highest_seated, highest, consent"),
        ('from = "dealer", to', 'from = "waiter", to', "dealer, pit_supervisor, pit_manager, shift_manager"),
    ],
)
def test_a_word_that_is_not_known_is_answered_with_those_of_its_own_field(old: str, new: str, known: str) -> None:
    refused = refusal(old, new)
    assert (refused.reason, refused.parameters["known"]) == (Reason.FIELD_CHOICE, known)


@pytest.mark.parametrize("path", [f"$.bet[{BETS}]", "$.bet[999999999]", "$.bet.key", "$[0]", "$.key[0]", "$.no.no"])
def test_a_key_that_looks_like_the_path_of_a_fault_is_an_unknown_field(path: str) -> None:
    refused = refusal("version = 3", f'version = 3\n"x` - at `{path}" = 1')
    assert refused.reason in (Reason.FIELD_UNKNOWN, Reason.FIELD_WRONG)
    assert library.sentences("en").refusal(refused)


class Colour(StrEnum):
    RED = "red"
    BLACK = "black"


class Held(msgspec.Struct):
    colour: Colour = Colour.RED
    colours: dict[str, Colour] = {}
    named: dict[str, list[int]] = {}
    parts: dict[str, "Held"] = {}


@pytest.mark.parametrize(
    ("written", "place", "field", "known"),
    [
        ({"colour": "green"}, "scenario", "colour", "red, black"),
        ({"colours": {"x": "green"}}, "scenario", "colours", "red, black"),
        ({"parts": {"x": {"colour": "green"}}}, "parts", "colour", "red, black"),
        ({"named": {"x": [1, "two"]}}, "named", "2", None),
    ],
)
def test_a_fault_within_named_things_is_placed_by_what_is_known_of_it(
    written: dict[str, Any], place: str, field: str, known: str | None
) -> None:
    with pytest.raises(Refused) as refused:
        convert(written, Held, "file", written, within="scenario")
    parameters = refused.value.parameters
    assert (parameters["place"], parameters["field"], parameters.get("known")) == (place, field, known)


@pytest.mark.parametrize("within", ["overlay", "body"])
def test_other_places_are_named_from_what_they_are_within(within: str) -> None:
    written = {"parts": {"x": {"colour": "green"}}}
    with pytest.raises(Refused) as refused:
        convert(written, Held, "file", written, within=within)
    assert refused.value.parameters["place"] == f"{within}, parts"


def test_many_known_words_begin_with_those_that_are_most_alike() -> None:
    words = [f"word_{letter}" for letter in "abcdefghijklmnopqrst"]
    assert nearest("word_t", words) == ", ".join(words)
    assert len(words) == 20
    assert nearest("word_t", [*words, "word_u"]).startswith("word_t, ")
    assert sorted(nearest("word_t", [*words, "word_u"]).split(", ")) == [*words, "word_u"]


# ---- overlays ----------------------------------------------------------------------------------------------------


def overlay(*voids: dict[str, object], key: str = "mine", document: str = "A regulation") -> Overlay:
    written = {"key": key, "title": {"en": "Mine", "zh": "我的"}, "document": document, "void": list(voids)}
    read: Overlay = convert(written, Overlay, "mine.toml", written, within="overlay")
    return read


def cause(name: str = "unshuffled", citation: str = "7", **when: bool) -> dict[str, object]:
    return {"cause": name, "citation": citation, "declared_by": "pit_manager", **when}


@pytest.mark.parametrize("length", [1, 200])
def test_a_citation_is_of_one_to_two_hundred_characters(length: int) -> None:
    assert overlay(cause(citation="7" * length), document="R" * length)
    for wrong in ("", "7" * 201):
        with pytest.raises(Refused) as refused:
            overlay(cause(citation=wrong))
        assert refused.value.reason is Reason.FIELD_LENGTH


def test_the_key_of_an_overlay_is_of_at_most_64_characters() -> None:
    assert overlay(cause(), key="k" * 64).key == "k" * 64
    with pytest.raises(Refused) as refused:
        overlay(cause(), key="k" * 65)
    assert refused.value.reason is Reason.FIELD_LENGTH


@pytest.mark.parametrize(
    ("voids", "expected"),
    [
        ([cause(in_round=False)], Expected.OVERLAY_WHEN),  # never
        ([cause("technical", settled=True)], Expected.OVERLAY_WHEN),
        ([cause("technical", settled=True, in_round=False)], Expected.OVERLAY_WHEN),
        ([cause("technical")], None),
        ([cause(settled=True, in_round=False)], None),
        ([cause(), cause()], Expected.OVERLAY_ONCE),
        ([cause(settled=True), cause(settled=True, in_round=False)], Expected.OVERLAY_ONCE),
        ([cause(), cause(settled=True, in_round=False)], None),
        ([cause(), cause("technical")], None),
    ],
)
def test_an_overlay_names_each_cause_once_for_each_time_it_applies(
    voids: list[dict[str, object]], expected: Expected | None
) -> None:
    if expected is None:
        assert len(overlay(*voids).voids) == len(voids)
        return
    with pytest.raises(Refused) as refused:
        overlay(*voids)
    assert refused.value.parameters["expected"] == {"word": expected.value}


def test_a_cause_applies_while_the_round_runs_unless_it_says_otherwise() -> None:
    written = OverlayVoid(cause=OverlayCause.UNSHUFFLED, citation="7", declared_by=StaffRank.DEALER)
    assert (written.in_round, written.settled) == (True, False)
    irregularities = library.game("insurance").irregularities
    assert irregularities.foreign_card == VoidCause(irregularities.foreign_card.rule, False)  # type: ignore[union-attr]
    assert irregularities.wrong_number_of_cards.settled_too  # type: ignore[union-attr]


# ---- shown -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [([6], "6"), ([7, 6], "6/7"), ([0, 1, 2], "0-2"), ([5, 4, 3, 2], "2-5"), ([8, 0, 4], "0/4/8"), ([1, 8], "1/8")],
)
def test_numbers_are_shown_in_order_and_three_or_more_in_a_row_as_a_range(numbers: list[int], shown: str) -> None:
    assert str(Numbers(numbers)) == shown


def test_typed_text_is_shown_up_to_three_hundred_characters() -> None:
    shown = library.sentences("en").shown
    for length, kept in ((300, "x" * 300), (301, "x" * 299 + "…"), (5_000, "x" * 299 + "…")):
        assert shown({"it": Words(en="x" * length, zh="")}) == {"it": kept}


def test_a_phrase_stands_in_data_for_what_it_means_or_else_for_its_key() -> None:
    assert str(Phrase("word", "key")) == "key"
    assert str(Phrase("word", "key", means="this")) == "this"


def test_a_refusal_prints_its_sentence_or_its_reason_and_what_it_was_about() -> None:
    assert str(Refusal(Reason.NO_BOXES)) == "no_boxes"
    assert str(Refusal(Reason.NO_BOXES, "2.1", {"game": "x"})) == "no_boxes (game=x)"
    assert str(Refusal(Reason.NO_BOXES, "2.1", {"game": "x"}, "It has none.")) == "It has none. (2.1)"
    assert str(Refusal(Reason.NO_BOXES, sentence="It has none.")) == "It has none."


def test_text_may_be_just_as_long_as_is_allowed() -> None:
    check_text({"note": "x" * 10}, "command", "place", most=10)
    with pytest.raises(Refused) as refused:
        check_text({"note": "x" * 11}, "command", "place", most=10)
    assert refused.value.reason is Reason.TEXT_TOO_LONG
