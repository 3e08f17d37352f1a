"""Where money goes, to the cent: commission, what a purse cannot pay, and which account each transfer leaves."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.commands import BetTerms, Choice, Election, Fault, Terms
from puntobanco.table.events import AnyEvent
from puntobanco.table.money import transfers
from tests.table.pit import MANAGER, SHIFT, SUPERVISOR, Pit, in_play

Moved = tuple[str, str, str, int]


def moved(events: list[AnyEvent]) -> list[Moved]:
    return [(one.kind.value, one.source, one.target, one.amount) for event in events for one in transfers(event)]


def decide(*bets: BetTerms) -> c.DecideUnprovided:
    return c.DecideUnprovided(round=1, decision="so be it", reason="seen on the camera", bets=bets)


def at_stake(owner: str, bet: str, cents: int) -> BetTerms:
    return BetTerms(owner=owner, bet=bet, terms=Terms.AT_STAKE, amount=cents, box=1)


def banker_won(unit: int = 5_00) -> Pit:
    """Bob's 200 on Banker won and paid a commission of 10."""
    pit = Pit("commission", people={"ann": 1_000_00, "bob": 1_000_00})
    assert pit.state.setup is not None
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, unit=Cents(unit))))
    pit.round({"ann": {"player": 100}, "bob": {"banker": 200}}, "7 9 10 K")
    assert (pit.held["commission"], pit.purse("bob")) == (10_00, 1_190)
    return pit


@pytest.mark.parametrize(("cents", "commission"), [(400_00, 20_00), (200_20, 10_01), (199_80, 9_99), (100_00, 5_00)])
def test_a_bet_decided_at_another_stake_pays_the_commission_of_that_stake(cents: int, commission: int) -> None:
    pit = banker_won(unit=20)
    events = pit.staff(SHIFT, decide(at_stake("bob", "banker", cents)))
    won, more = cents - 200_00 - (commission - 10_00), commission - 10_00
    assert moved(events) == [
        ("decision", "house", "purse:bob", won) if won > 0 else ("decision", "purse:bob", "house", -won),
        ("decision", "house", "commission", more) if more > 0 else ("decision", "commission", "house", -more),
    ]
    assert pit.held["commission"] == commission


def test_a_settlement_moves_the_stake_the_win_and_the_commission_and_nothing_that_is_nothing() -> None:
    pit = in_play("commission", "7 9 10 K")
    assert moved(pit.settle()) == [
        ("loss", "stakes", "house", 100_00),
        ("stake", "stakes", "purse:bob", 200_00),
        ("win", "house", "purse:bob", 200_00),
        ("commission", "purse:bob", "commission", 10_00),
    ]
    tie = in_play("commission", "9 9 K K")
    assert moved(tie.settle()) == [("push", "stakes", "purse:ann", 100_00), ("push", "stakes", "purse:bob", 200_00)]


def test_what_does_not_play_goes_back_with_the_settlement() -> None:
    pit = Pit("commission", differential=1_000_00)
    pit.open()
    pit.bet("ann", "player", 1_500)
    pit.close(over_excess=True)
    pit.deal("9 7 K 10")
    assert moved(pit.settle()) == [
        ("return_unplayed", "stakes", "purse:ann", 500_00),
        ("stake", "stakes", "purse:ann", 1_000_00),
        ("win", "house", "purse:ann", 1_000_00),
    ]


def test_of_several_bets_the_purse_pays_what_it_holds_and_the_rest_is_owed_once() -> None:
    """The purse holds 250 of the 400 that two bets of hers take."""
    pit = Pit("commission", people={"ann": 450_00, "bob": 1_000_00})
    pit.round({"ann": {"player": 100, "banker_pair": 100}}, "7 9 10 K")
    assert pit.purse("ann") == 250
    events = pit.staff(SHIFT, decide(at_stake("ann", "player", 200_00), at_stake("ann", "banker_pair", 400_00)))
    assert moved(events) == [
        ("decision", "receivable:ann", "house", 100_00),
        ("decision", "purse:ann", "house", 250_00),
        ("decision", "receivable:ann", "house", 50_00),
    ]
    assert (pit.purse("ann"), pit.state.owed) == (0, {"ann": 150_00})


def test_who_can_pay_everything_owes_nothing_and_nobody_else_pays() -> None:
    pit = Pit("commission", people={"ann": 450_00, "bob": 1_000_00})
    pit.round({"ann": {"player": 100, "banker_pair": 100}, "bob": {"player": 100}}, "7 9 10 K")
    changed = (at_stake("ann", "player", 200_00), at_stake("ann", "banker_pair", 250_00))
    assert moved(pit.staff(SHIFT, decide(*changed))) == [
        ("decision", "purse:ann", "house", 100_00), ("decision", "purse:ann", "house", 150_00),
    ]  # fmt: skip
    assert (pit.purse("ann"), pit.state.owed) == (0, {})


def test_a_reversal_takes_from_the_purse_what_it_holds_and_owes_the_rest_once() -> None:
    pit = Pit("commission", people={"ann": 200_00, "bob": 1_000_00})
    pit.round({"ann": {"tie": 100, "player": 100}, "bob": {"banker": 100}}, "9 7 K 10")
    pit.player("ann", c.CashOut(person="ann", amount=150_00))
    assert pit.purse("ann") == 50
    pit.report(Fault.MISPAYMENT)
    reversed_ = moved(pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("9 7 K 10")))
    assert sorted(one for one in reversed_ if "ann" in one[1]) == [
        ("reversal", "purse:ann", "house", 50_00), ("reversal", "receivable:ann", "house", 50_00),
        ("reversal", "receivable:ann", "stakes", 100_00),
    ]  # fmt: skip
    assert (pit.purse("ann"), pit.state.owed) == (0, {"ann": 150_00})


def test_each_return_of_a_bet_says_why() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert moved(pit.everyone(Election.RETURN)) == [
        ("return_option", "stakes", "purse:ann", 100_00), ("return_option", "stakes", "purse:bob", 200_00),
    ]  # fmt: skip
    void = in_play("commission", "5")
    void.report(Fault.FOREIGN_CARD)
    assert moved(void.rule(SUPERVISOR, Choice.VOID)) == [
        ("void_refund", "stakes", "purse:ann", 100_00), ("void_refund", "stakes", "purse:bob", 200_00),
    ]  # fmt: skip
