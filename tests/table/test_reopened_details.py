"""A table that was closed after a round and opened with another set-up: what is to come goes by the new one, and the
last round is judged by the one it was played under. And what else the command table says of commands."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.command_table import TABLE
from puntobanco.table.commands import Choice, Fault, Tender
from puntobanco.table.felt import CURRENT, Edition, Felt
from puntobanco.table.setup import GapCause, Policy, Setup, Source, Timing
from puntobanco.table.state import Phase
from puntobanco.table.views import private_view, public_view
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SUPERVISOR, Pit


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def reopen(pit: Pit, **changes: object) -> None:
    pit.staff(MANAGER, AT_ONCE)
    pit.staff(MANAGER, c.OpenTable(setup=replace(setup_of(pit), **changes)))


def reopened(played_under: Policy | None = None, **changes: object) -> Pit:
    """One round, and then the table as changed."""
    pit = Pit("commission", policy=played_under)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    reopen(pit, **changes)
    assert pit.phase is Phase.SETTLED
    return pit


def test_the_next_round_has_the_time_of_the_new_set_up() -> None:
    pit = reopened(timing=Timing(betting=7_000))
    pit.open()
    assert pit.state.deadline == pit.now + 7_000


@pytest.mark.parametrize(
    ("edition", "minutes"), [(Edition.SECOND_READING, 30), (Edition.CURRENT_NOTICE, 5), (CURRENT, 5)]
)
def test_the_notice_of_a_closing_is_that_of_the_new_set_up(edition: Edition, minutes: int) -> None:
    pit = reopened(Policy(closing_notice=30), policy=Policy(closing_notice=5))
    pit.felt = Felt.of(pit.game, setup_of(pit), edition)
    pit.staff(MANAGER, c.AnnounceClosing(reason="quiet night"))
    assert pit.told(e.ClosingAnnounced)[-1].until == pit.now + minutes * 60_000


def test_seats_are_those_of_the_new_set_up() -> None:
    pit = reopened(boxes=2)
    assert pit.refused("ann", c.TakeSeat(box=3))[0] is Reason.BOX_OUT_OF_RANGE
    pit.player("ann", c.TakeSeat(box=2))


def test_while_the_last_round_is_settled_again_the_table_is_the_one_it_was_played_at() -> None:
    pit = reopened(boxes=2)
    pit.report(Fault.MISPAYMENT, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.RESETTLE)
    assert pit.phase is Phase.RESULT
    pit.player("ann", c.TakeSeat(box=3))


def test_a_shoe_has_the_decks_of_the_new_set_up() -> None:
    pit = reopened(decks=6)
    eight, six = (c.LoadShoe(shoe="two", decks=decks, shuffled=True, source=Source.KEYBOARD) for decks in (8, 6))
    assert pit.refused(DEALER, eight)[0] is Reason.DECKS_NOT_AS_SET
    pit.staff(DEALER, six)


def test_nobody_buys_in_once_the_table_deals_cards_only() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.round({"ann": {"player": 100}}, "7 9 10 K")
    assert pit.purse("ann") == 0
    reopen(pit, cards_only=True)
    assert pit.refused("ann", c.BuyIn(person="ann", amount=100_00)) == (Reason.CARDS_ONLY, None)
    guest = c.BuyInAtTable(name="Lee", amount=100_00, tender=Tender.CASH)
    assert pit.refused(DEALER, guest) == (Reason.CARDS_ONLY, None)


def test_a_card_that_waits_stays_while_the_table_deals_as_it_does_now() -> None:
    pit = reopened(face_down=True)
    pit.report(Fault.EXCESS, cards=(None,))
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), minimum=Cents(200_00))))
    reopen(pit, minimum=Cents(300_00))
    assert (pit.state.front, pit.told(e.CarryOverDiscarded)) == ((None,), [])
    assert (
        pit.refused(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), face_down=False)))[0] is Reason.STAKES_IN_PLAY
    )


def test_however_often_the_table_is_opened_again_the_last_round_keeps_its_set_up() -> None:
    pit = reopened(Policy(gap_void=(GapCause.SHOE_EMPTY,)), policy=Policy(gap_void=None))
    reopen(pit, boxes=2)
    pit.report(Fault.SHOE_EMPTY, who=SUPERVISOR)
    assert pit.phase is Phase.DECISION


@pytest.mark.parametrize("then", [(GapCause.SHOE_EMPTY,), None])
def test_the_last_round_is_void_by_the_policy_it_was_played_under(then: tuple[GapCause, ...] | None) -> None:
    now = None if then else (GapCause.SHOE_EMPTY,)
    pit = reopened(Policy(gap_void=then), policy=Policy(gap_void=now))
    pit.report(Fault.SHOE_EMPTY, who=SUPERVISOR)
    assert (pit.phase is Phase.DECISION) is (then is not None)


# ---- what else is known of commands ------------------------------------------------------------------------------


def test_while_a_table_deals_by_itself_nobody_else_names_its_cards_or_their_order() -> None:
    named = {c.LoadShoe, c.DrawCard, c.ExposeCard, c.CorrectCard}
    assert {command for command, entry in TABLE.items() if entry.deals} == named


def test_a_table_of_cards_only_offers_nothing_about_money_or_bets() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.round({"ann": {"player": 100}}, "7 9 10 K")
    reopen(pit, cards_only=True)
    offered = {name for role in Role for name in public_view(pit.felt, pit.state, role).allowed}
    offered |= set(private_view(pit.felt, pit.state, "ann").allowed)
    assert not offered & {"BuyIn", "BuyInAtTable", "PlaceBets", "AttestBet", "NoteLateBet"}
    assert {"CashOut", "OpenBetting", "Report"} <= offered


@pytest.mark.parametrize("command", [c.OpenBetting, c.CloseTable, c.Report])
def test_the_phases_a_command_leads_on_from_are_always_listed_in_the_same_order(command: type[c.Command]) -> None:
    listed = [phase for phase in TABLE[command].leads if phase is not Phase.DECISION]
    assert listed == sorted(listed)


def test_a_bet_without_a_box_is_made_at_a_terminal() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    pit.player("ann", c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00),)))
    assert list(pit.state.stakes) == ["0/player/ann"]


def test_a_late_chip_was_placed_unless_it_is_said_that_it_was_taken_away() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.staff(DEALER, c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=100_00))
    assert (pit.told(e.LateBetNoted)[0].withdrawn, pit.state.missing) == (False, {})
