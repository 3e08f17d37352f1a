"""A chip taken away after the close: the bet is settled as it lay, and the chip is open until it is collected."""

import pytest

from puntobanco.rules.refusal import Reason
from puntobanco.table import betting
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.money import transfers
from puntobanco.table.state import MissingChip, Phase
from puntobanco.table.views import BOARD, public_view
from tests.marks import rulebook, rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, SUPERVISOR, in_play, paragraph

BY_HAND = ("commission", "wu-song", "super-six", "insurance")
LATE = {"commission": "5.6", "wu-song": "5.7", "super-six": "5.3", "insurance": "5.3"}


def taken(person: str, bet: str, dollars: int, number: int = 1) -> c.NoteLateBet:
    return c.NoteLateBet(round=number, person=person, box=1, bet=bet, amount=dollars * 100, withdrawn=True)


@rulings("BET-13")
@pytest.mark.parametrize("key", BY_HAND)
@rulebook(
    {"commission": ["5.6", "5.13"], "wu-song": ["5.7", "5.14"], "super-six": ["5.3"], "insurance": ["5.3"]},
    by=betting.note_late_bet,
)
def test_the_bet_is_settled_and_not_debited_again_and_the_chip_is_to_be_collected(key: str) -> None:
    pit = in_play(key)
    (noted,) = pit.staff(DEALER, taken("ann", "player", 100))
    pit.staff(DEALER, taken("bob", "banker", 150))
    assert (paragraph(noted), transfers(noted)) == (LATE[key], ())
    pit.deal("9 2 K 5")
    pit.settle()
    assert (pit.purse("ann"), pit.purse("bob")) == (100_100, 99_800), "won: the win is paid"
    assert pit.state.missing == {
        1: MissingChip(round=1, person="ann", box=1, bet="player", amount=100_00),
        2: MissingChip(round=1, person="bob", box=1, bet="banker", amount=150_00),
    }
    (collected,) = pit.staff(DEALER, c.CollectChip(missing=1))
    assert (transfers(collected), set(pit.state.missing)) == ((), {2})
    pit.open()
    assert set(pit.state.missing) == {2}, "until it is collected or written off"


@rulings("BET-14")
@pytest.mark.parametrize("key", BY_HAND)
def test_a_chip_is_written_off_with_a_reason_by_a_pit_manager_or_above(key: str) -> None:
    pit = in_play(key)
    pit.staff(DEALER, taken("ann", "player", 100))
    for role in (DEALER, SUPERVISOR):
        assert pit.refused(role, c.WriteOffChip(missing=1, reason="gone")) == (Reason.NOT_AUTHORISED, None)
    for reason in ("", "  "):
        assert pit.refused(MANAGER, c.WriteOffChip(missing=1, reason=reason)) == (Reason.REASON_MISSING, None)
    (written_off,) = pit.staff(SHIFT, c.WriteOffChip(missing=1, reason="gone"))
    assert (transfers(written_off), pit.state.missing) == ((), {})
    for command in (c.CollectChip(missing=1), c.WriteOffChip(missing=1, reason="gone")):
        assert pit.refused(MANAGER, command) == (Reason.NOT_MISSING, None)


@rulings("BET-14")
def test_whoever_may_refuse_late_bets_collects() -> None:
    pit = in_play("commission")
    pit.staff(DEALER, taken("ann", "player", 100))
    assert pit.refused("ann", c.CollectChip(missing=1)) == (Reason.NOT_AUTHORISED, "5.6")
    assert pit.refused(SHIFT, c.CollectChip(missing=1)) == (Reason.NOT_AUTHORISED, "5.6")
    pit.staff(SUPERVISOR, c.CollectChip(missing=1))


@rulings("BET-13")
def test_no_more_is_missing_than_lay_there() -> None:
    pit = in_play("commission")
    assert pit.refused(DEALER, taken("ann", "player", 101)) == (Reason.MORE_THAN_LIES, None)
    pit.staff(DEALER, taken("bob", "banker", 150))
    assert pit.refused(DEALER, taken("bob", "banker", 51)) == (Reason.MORE_THAN_LIES, None)
    pit.staff(DEALER, taken("bob", "banker", 50))
    pit.staff(DEALER, c.CollectChip(missing=1))
    pit.staff(DEALER, taken("bob", "banker", 150))
    assert list(pit.state.missing) == [2, 3], "a chip that was put back may be taken again"


def test_a_chip_is_still_missing_when_the_round_is_void_or_the_table_closed() -> None:
    pit = in_play("commission", "9 2")
    pit.staff(DEALER, taken("ann", "player", 100))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.purse("ann"), set(pit.state.missing)) == (100_000, {1}), (
        "the stake is back in the purse: the chip is not"
    )
    pit.staff(MANAGER, AT_ONCE)
    assert pit.phase is Phase.CLOSED
    pit.staff(DEALER, c.CollectChip(missing=1))
    assert pit.state.missing == {}


def test_staff_see_what_is_missing_and_what_they_may_do_about_it() -> None:
    pit = in_play("commission")
    assert "CollectChip" not in public_view(pit.felt, pit.state, DEALER).allowed
    pit.staff(DEALER, taken("ann", "player", 100))
    for audience, sees in ((DEALER, True), (MANAGER, True), (Role.PLAYER, False), (BOARD, False)):
        assert bool(public_view(pit.felt, pit.state, audience).missing) is sees
    assert "CollectChip" in public_view(pit.felt, pit.state, DEALER).allowed
    assert "WriteOffChip" not in public_view(pit.felt, pit.state, DEALER).allowed
    assert "WriteOffChip" in public_view(pit.felt, pit.state, MANAGER).allowed


def test_a_chip_placed_late_is_not_missing_and_terminals_have_no_chips() -> None:
    pit = in_play("commission")
    pit.staff(DEALER, c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=100_00))
    assert pit.state.missing == {}
    pit = in_play("non-commission-etg")
    noted = c.NoteLateBet(round=1, person="ann", box=0, bet="player", amount=500_00, withdrawn=True)
    pit.staff(Role.SYSTEM, noted)
    assert pit.state.missing == {}


def test_insurance_taken_away_after_its_window_is_missing_from_the_bet() -> None:
    pit = in_play("insurance", "2 2 2 3")
    assert pit.state.window is not None
    window = pit.state.window.window
    pit.player("bob", c.Insure(round=1, window=window, amount=50_00, box=1))
    pit.staff(DEALER, c.CloseInsurance(round=1, window=window))
    pit.staff(DEALER, taken("bob", "banker_insurance", 50))
    assert pit.state.missing[1].bet == "banker_insurance"
    assert pit.refused(DEALER, taken("bob", "banker_insurance", 1)) == (Reason.MORE_THAN_LIES, None)


def test_in_an_earlier_edition_a_chip_that_was_taken_away_was_only_noted() -> None:
    pit = in_play("commission")
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    (noted,) = pit.staff(DEALER, taken("ann", "player", 500))
    assert isinstance(noted, e.LateBetNoted)
    assert (noted.missing, pit.state.missing) == (0, {})
