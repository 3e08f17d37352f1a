"""Insurance that is declined: nobody waits for a player who has answered."""

from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import dealing
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Refusal
from puntobanco.table.events import InsuranceDeclined
from puntobanco.table.state import Phase
from puntobanco.table.views import private_view, public_view
from tests.marks import rulebook
from tests.table.pit import DEALER, Pit

DECLINE = c.DeclineInsurance(round=1, window=Window.FOUR, box=1)


def offered() -> Pit:
    """Ann and Bob have bets on Banker, who leads 5 to 4: both may insure after four cards."""
    pit = Pit("insurance", people={"ann": 1_000_00, "bob": 1_000_00, "cho": 1_000_00})
    pit.open()
    pit.bet("ann", "banker", 400)
    pit.bet("bob", "banker", 300)
    pit.bet("cho", "player", 300)
    pit.close()
    pit.deal("2 2 2 3")
    assert pit.phase is Phase.INSURANCE
    return pit


@rulebook({"insurance": ["3.5"]}, by=dealing.decline_insurance)
def test_3_5_whoever_declines_has_answered_and_nothing_moves() -> None:
    pit = offered()
    before = pit.purse("ann")
    pit.player("ann", DECLINE)
    assert pit.purse("ann") == before
    assert private_view(pit.felt, pit.state, "ann").answered == (1,)
    assert private_view(pit.felt, pit.state, "bob").answered == ()
    assert pit.state.window is not None
    assert not pit.state.window.is_answered
    pit.player("bob", c.Insure(round=1, window=Window.FOUR, amount=50_00, box=1))
    assert pit.state.window.is_answered


def test_a_player_may_still_insure_after_declining() -> None:
    pit = offered()
    pit.player("ann", DECLINE)
    pit.player("ann", c.Insure(round=1, window=Window.FOUR, amount=50_00, box=1))
    assert pit.state.stakes["1/banker_insurance@four/ann"].amount == 50_00


def test_insurance_is_declined_once_and_only_where_it_was_offered() -> None:
    pit = offered()
    pit.player("ann", DECLINE)
    pit.player("bob", c.Insure(round=1, window=Window.FOUR, amount=50_00, box=1))
    for person, stake in (("ann", "0.00"), ("bob", "50.00")):
        answer = pit.tell(DECLINE, By(person, Role.PLAYER, pit.now))
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.parameters["stake"]) == (Reason.BET_UNCHANGED, stake)
    assert pit.refused("cho", DECLINE)[0] is Reason.NOTHING_TO_INSURE
    late = c.DeclineInsurance(round=1, window=Window.FIVE, box=1)
    assert pit.refused("ann", late) == (Reason.STALE_WINDOW, None)
    assert pit.refused("ann", c.DeclineInsurance(round=2, window=Window.FOUR, box=1))[0] is Reason.STALE_ROUND


def test_staff_record_what_a_player_without_a_terminal_says() -> None:
    pit = offered()
    pit.staff(DEALER, c.DeclineInsurance(round=1, window=Window.FOUR, box=1, person="ann"))
    (declined,) = pit.told(InsuranceDeclined)
    assert (declined.person, declined.by.person, declined.rule) == ("ann", "dora", None)


def test_the_dealer_closes_without_waiting_once_everybody_has_answered() -> None:
    pit = offered()
    for person in ("ann", "bob"):
        waits = public_view(pit.felt, pit.state, Role.DEALER).next
        assert waits is not None
        assert waits.deadline > 0
        pit.player(person, DECLINE)
    ready = public_view(pit.felt, pit.state, Role.DEALER).next
    assert ready is not None
    assert ready.deadline == 0
    assert ready.command == c.CloseInsurance(round=1, window=Window.FOUR)


def test_the_view_says_on_which_result_insurance_is_paid() -> None:
    pit = offered()
    assert public_view(pit.felt, pit.state, Role.PLAYER).insurance_wins_on == "player"
    for person in ("ann", "bob"):
        pit.player(person, DECLINE)
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    assert public_view(pit.felt, pit.state, Role.PLAYER).insurance_wins_on is None
    pit.deal("5")
    assert pit.phase is Phase.INSURANCE, "the Player's third card makes nine: the hand is insured against a tie"
    assert public_view(pit.felt, pit.state, Role.PLAYER).insurance_wins_on == "tie"


def test_who_has_answered_is_for_staff_only() -> None:
    pit = offered()
    pit.player("ann", DECLINE)
    seen = {who: public_view(pit.felt, pit.state, who).window for who in (Role.DEALER, Role.PLAYER, "board")}
    assert {who: bool(window and window.answered) for who, window in seen.items()} == {
        Role.DEALER: True,
        Role.PLAYER: False,
        "board": False,
    }
