"""Whatever a public function is called with, it answers or refuses with a sentence; it never fails in the middle."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

import puntobanco as pb
from puntobanco.rules.arguments import check_fields, checked
from puntobanco.rules.cards import Rank

WU_SONG = pb.game("wu-song")
COUP = pb.deal("K 2 4 A 7 7")
(OFFER,) = pb.insurance_offers(pb.game("insurance"), pb.deal("2 2 2 3"))
LIMITS = pb.TableLimits(minimum=pb.Cents(100_00), differential=pb.Cents(1_000_00))
BETS = (pb.BoxBet(person="ann", side=pb.Side.PLAYER, amount=pb.Cents(200_00)),)
WELL: dict[str, tuple[Any, ...]] = {
    "game": ("wu-song",), "read_game": ("nowhere.toml",), "deal": ("K 2 4 A 7 7",), "money": ("7.50",), "show": (750,),
    "settle": (WU_SONG, COUP, {"banker": 100_00}), "standings": (WU_SONG, {1: Rank.FIVE}),
    "is_established": (WU_SONG, {1: Rank.FIVE}), "insurance_offers": (WU_SONG, COUP), "insurance_cap": (OFFER, 100_00),
    "explain": (WU_SONG, COUP), "pro_rata": (BETS, LIMITS), "reject_excess": (BETS, LIMITS),
    "say": (pb.Refused(pb.Reason.NOT_AN_AMOUNT, amount="x"),),
}  # fmt: skip
BAD: tuple[Any, ...] = (
    None,
    True,
    3.5,
    -1,
    "x",
    b"x",
    object(),
    [],
    [None],
    {},
    {None: None},
    {"banker": "x"},
    {"x": 1},
)


def _refused_or_answered(call: Callable[..., object], *arguments: object, **named: object) -> None:
    try:
        call(*arguments, **named)
    except pb.Refused as caught:
        refused = caught
    else:
        return
    assert pb.say(refused)
    assert pb.say(refused, "zh")


def test_every_public_function_is_called_here() -> None:
    functions = {name for name in pb.__all__ if callable(getattr(pb, name)) and not isinstance(getattr(pb, name), type)}
    assert functions - {"games", "Cents"} == set(WELL)


@pytest.mark.parametrize("name", WELL)
def test_a_wrong_argument_is_refused_with_a_sentence(name: str) -> None:
    function, well = getattr(pb, name), WELL[name]
    for place in range(len(well)):
        for bad in BAD:
            _refused_or_answered(function, *well[:place], bad, *well[place + 1 :])


@pytest.mark.parametrize(
    ("name", "named"), [("settle", "layout"), ("settle", "decks"), ("settle", "unit"), ("standings", "layout")]
)
def test_so_is_a_wrong_option(name: str, named: str) -> None:
    for bad in BAD:
        _refused_or_answered(getattr(pb, name), *WELL[name], **{named: bad})


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
        with pytest.raises(pb.Refused, match="not_an_amount"):
            pb.TableLimits(minimum=wrong, differential=pb.Cents(2))  # type: ignore[arg-type]


def test_what_takes_a_layout_takes_its_key() -> None:
    felt = WU_SONG.layout("E")
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
    assert repr(WU_SONG) == f"<Game wu-song, version 3, {WU_SONG.fingerprint[:12]}>"
    for value in (COUP, slip, WU_SONG):
        assert value._repr_html_().startswith("<table><caption>")
    assert "Wu Dalang" not in slip._repr_html_()
    assert "3.13" in slip._repr_html_()
