"""Insurance in two windows of one round, beside chips keyed in late, and with a card that lies face down in front."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.procedures import Window
from puntobanco.table import commands as c
from puntobanco.table import reconstruction
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import InsuranceOpened
from puntobanco.table.state import Phase
from tests.marks import rulebook
from tests.table.pit import DEALER, SUPERVISOR, Pit

BANKER_5_AGAINST_4 = "2 2 2 3"
"""Insured at 2:1."""
BANKER_5_AGAINST_1 = "7"
"""The Player's third card: insured at 7:1."""


def four_cards(**options: object) -> Pit:
    """Ann has 1,000 on Banker and Bob 400; the window after four cards is open."""
    pit = Pit("insurance", **options)  # type: ignore[arg-type]
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.bet("bob", "banker", 400)
    pit.close()
    pit.deal(BANKER_5_AGAINST_4)
    return pit


def insure(pit: Pit, person: str, dollars: int, window: Window = Window.FOUR) -> None:
    pit.player(person, c.Insure(round=1, window=window, amount=dollars * 100, box=1))


def offered(pit: Pit) -> dict[str, int]:
    assert pit.state.window is not None
    return {one.owner: one.most // 100 for one in pit.state.window.offers}


def fifth_card(pit: Pit) -> None:
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    pit.deal(BANKER_5_AGAINST_1)


@pytest.mark.parametrize(
    ("taken", "left"),
    [({}, {"ann": 142, "bob": 57}), ({"ann": 250}, {"ann": 71, "bob": 57}), ({"bob": 200}, {"ann": 142})],
)
def test_3_5_2_what_was_insured_after_four_cards_leaves_less_to_insure_after_five(
    taken: dict[str, int], left: dict[str, int]
) -> None:
    pit = four_cards()
    for person, dollars in taken.items():
        insure(pit, person, dollars)
    fifth_card(pit)
    assert (pit.phase, offered(pit)) == (Phase.INSURANCE, left)


def test_3_5_2_no_window_opens_once_everything_is_insured() -> None:
    pit = four_cards()
    insure(pit, "ann", 500)
    insure(pit, "bob", 200)
    fifth_card(pit)
    assert pit.phase is Phase.DEALING
    assert [event.window for event in pit.told(InsuranceOpened)] == [Window.FOUR]


def test_chips_keyed_in_while_a_window_is_open_leave_the_offers_of_others_as_they_were() -> None:
    pit = four_cards()
    insure(pit, "ann", 300)
    line = c.Line(bet="banker", amount=600_00, box=1)
    pit.staff(SUPERVISOR, c.AttestBet(round=1, owner="cat", line=line, attested=True, reason="on the camera"))
    assert offered(pit) == {"ann": 500, "bob": 200, "cat": 300}, "what Ann has taken is the insurance she is offered"


def test_a_window_opens_although_a_card_lies_face_down_in_front_of_the_shoe() -> None:
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=(None,))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.phase, pit.state.front) == (Phase.DEALING, (None,))
    pit.turn(dict(enumerate(BANKER_5_AGAINST_4.split(), start=1)))
    assert (pit.phase, offered(pit)) == (Phase.INSURANCE, {"ann": 500})


@rulebook({"insurance": ["3.5"]}, by=reconstruction.insurance_put_right)
def test_insurance_taken_on_wrong_points_goes_back_and_a_window_open_on_the_right_ones_stays() -> None:
    pit = four_cards()
    insure(pit, "bob", 100)
    fifth_card(pit)
    insure(pit, "ann", 100, Window.FIVE)
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2 2 3 3 6"))
    assert [event.window for event in pit.told(InsuranceOpened)] == [Window.FOUR, Window.FIVE], "it opens only once"
    assert [key for key in pit.state.stakes if "@" in key] == ["1/banker_insurance@five/ann"]
