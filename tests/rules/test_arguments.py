"""Whatever a public function is called with, it answers or refuses with a sentence; it never fails in the middle."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import puntobanco as pb
from puntobanco.rules.arguments import check_fields, checked
from tests.public_calls import OF_RULES, OFFER, WU_SONG, public, try_it, try_wrong

COUP = pb.deal("K 2 4 A 7 7")


@pytest.mark.parametrize("called", public(pb))
@settings(max_examples=150)
@given(data=st.data())
def test_whatever_it_is_called_with_it_answers_or_refuses_with_a_sentence(
    called: Callable[..., object], data: st.DataObject
) -> None:
    try_it(called, data, OF_RULES)


@pytest.mark.parametrize("called", public(pb))
@settings(max_examples=5)
@given(data=st.data())
def test_one_wrong_argument_is_refused_with_a_sentence(called: Callable[..., object], data: st.DataObject) -> None:
    try_wrong(called, data, OF_RULES)


def test_the_sentence_names_the_public_function_the_argument_and_what_it_should_be() -> None:
    with pytest.raises(pb.Refused) as caught:
        pb.money(3)  # type: ignore[arg-type]
    assert pb.say(caught.value) == "The argument text of money() must be str, not int."


def test_unions_lists_mappings_and_functions_are_looked_into() -> None:
    @checked
    def asked(
        either: str | None, many: Sequence[int], by: Mapping[str, float], then: Callable[[], int] | None, what: Any = 1
    ) -> int:
        return len([either, many, by, then, what])

    well: tuple[Any, ...] = ("x", [1], {"x": 1}, lambda: 1)
    assert asked(*well) == asked(None, (), {}, None, what=object()) == 5
    for place, bad in enumerate((1, ["x"], {"x": "y"}, 1)):
        arguments = [*well[:place], bad, *well[place + 1 :]]
        with pytest.raises(pb.Refused) as caught:
            asked(*arguments)
        assert caught.value.reason is pb.Reason.ARGUMENT_TYPE
    with pytest.raises(pb.Refused, match="expected=str or None"):
        asked(1, [], {}, None)  # type: ignore[arg-type]
    with pytest.raises(pb.Refused, match="expected=Sequence"):
        asked("x", "x", {}, None)  # type: ignore[arg-type]


def test_the_fields_of_what_people_make_are_looked_at() -> None:
    check_fields(OFFER.row)
    with pytest.raises(pb.Refused, match="argument=window"):
        check_fields(replace(OFFER.row, window=3))
    for wrong in ("1", 1.0, None):
        with pytest.raises(pb.Refused, match="argument=minimum, expected=Cents"):
            pb.TableLimits(minimum=wrong, differential=pb.Cents(2))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: pb.Card(9), "The argument rank of Card() must be Rank, not int."),  # type: ignore[arg-type]
        (lambda: COUP.hand("player"), "The argument side of hand() must be Side, not str."),  # type: ignore[arg-type]
        (
            lambda: pb.BoxBet(person="ann", side="player", amount=pb.CHIP),  # type: ignore[arg-type]
            "The argument side of BoxBet() must be Side, not str.",
        ),
        (
            lambda: pb.settle(WU_SONG, COUP, {"tie": "7.50"}),  # type: ignore[dict-item]
            "The argument stakes['tie'] of settle() must be Cents, not str.",
        ),
        (
            lambda: pb.standings(WU_SONG, {1: 5}),  # type: ignore[dict-item]
            "The argument exposed[1] of standings() must be Rank, not int.",
        ),
        (
            lambda: pb.deal([pb.Card(pb.Rank.ACE), "9"]),  # type: ignore[list-item]
            "The argument cards[1] of deal() must be Card, not str.",
        ),
        (lambda: pb.show(10**100), "The argument cents of show() must be int of at most 100 digits, not more."),
        (lambda: pb.Odds(1, on=0), "The argument on of Odds() must be int above 0, not 0."),
        (lambda: pb.insurance_cap(OFFER, pb.CHIP, unit=pb.Cents(0)), "0 cannot be paid exactly in whole cents"),
    ],
)
def test_what_people_get_wrong_is_named_where_it_is(wrong: Callable[[], object], sentence: str) -> None:
    with pytest.raises(pb.Refused) as caught:
        wrong()
    assert pb.say(caught.value).startswith(sentence)


def test_what_takes_a_layout_takes_its_key() -> None:
    felt = WU_SONG.layout("E")
    assert WU_SONG.check_box("E", 3) == WU_SONG.check_box(felt, 3) == WU_SONG.check_box(None, 3) == 3
    lines = {line for bet in WU_SONG.bets for line in bet.lines}
    assert [line.on("E") for line in lines] == [line.on(felt) for line in lines]
    assert not all(line.on("E") for line in lines)
    assert WU_SONG.layout(felt) is felt
    assert WU_SONG.menu("e") == WU_SONG.menu(felt)
    assert WU_SONG.bet("wu_dalang", "E") == WU_SONG.bet("wu_dalang", felt)
    with pytest.raises(pb.Refused) as caught:
        WU_SONG.bet("wu_song", "E")
    assert caught.value.reason is pb.Reason.BET_NOT_ON_LAYOUT


def test_values_are_short_on_a_prompt_and_tables_in_a_notebook() -> None:
    slip = pb.settle(WU_SONG, COUP, {"banker": pb.money("100")})
    assert repr(COUP) == "<Coup K 2 4 A 7 7>"
    assert repr(pb.deal("")) == "<Coup without cards>"
    assert repr(slip) == "<SettledSlip banker lose: profit −100>"
    assert (repr(WU_SONG.bet("tie")), repr(WU_SONG.layouts[0])) == ("<Bet tie>", "<Layout A>")
    assert repr(WU_SONG) == f"<Game wu-song, version 3, {WU_SONG.fingerprint[:12]}>"
    for value in (COUP, slip, WU_SONG):
        assert value._repr_html_().startswith("<table><caption>")
    assert "Wu Dalang" not in slip._repr_html_()
    assert "3.13" in slip._repr_html_()
