"""What somebody owes after a reversal: it is set off, and never cashed out."""

import pytest

from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.events import AlertRaised, DebtSetOff
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase
from tests.marks import rulings
from tests.table.pit import DEALER, SUPERVISOR, Pit


def gone_with_the_winnings(*, automatic: bool = False) -> Pit:
    """Ann won 1,000 on 1,000, cashed everything out, and the settlement is taken back."""
    pit = Pit("commission", people={"ann": 1_000_00, "bob": 1_000_00}, automatic=automatic)
    pit.round({"ann": {"player": 1_000}}, "9 2 K K")
    pit.player("ann", c.CashOut(person="ann", amount=2_000_00))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE)
    assert (pit.phase, pit.state.owed, pit.purse("ann")) == (Phase.RESULT, {"ann": 2_000_00}, 0)
    assert [alert.kind for alert in pit.told(AlertRaised)] == ["receivable"]
    return pit


def cash(dollars: int) -> c.CashOut:
    return c.CashOut(person="ann", amount=dollars * 100)


@rulings("FIN-8")
@pytest.mark.parametrize("automatic", [False, True])
def test_a_settlement_made_anew_goes_against_the_debt_first(automatic: bool) -> None:
    pit = gone_with_the_winnings(automatic=automatic)
    pit.settle()
    assert [(event.person, event.amount) for event in pit.told(DebtSetOff)] == [("ann", 2_000_00)]
    assert (pit.state.owed["ann"], pit.purse("ann")) == (0, 0)
    assert pit.refused("ann", cash(1)) == (Reason.NOT_ENOUGH_MONEY, None), "nothing is paid twice"


def test_a_void_goes_against_the_debt_first() -> None:
    pit = gone_with_the_winnings()
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.phase, pit.state.owed["ann"], pit.purse("ann")) == (Phase.VOIDED, 1_000_00, 0)


def test_bets_taken_back_go_against_the_debt_first() -> None:
    pit = gone_with_the_winnings()
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    pit.player("ann", c.BuyIn(person="ann", amount=1_000_00))
    pit.staff(DEALER, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD))
    pit.open()
    pit.bet("ann", "player", 600)
    pit.close()
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone(Election.RETURN)
    assert (pit.state.owed["ann"], pit.purse("ann")) == (400_00, 400)


def test_a_void_of_the_gap_itself_is_set_off() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.player("ann", c.CashOut(person="ann", amount=150_00))
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (pit.state.owed["ann"], pit.purse("ann")) == (50_00, 0), "150 were owed and 100 came back"


@rulings("FIN-8")
@pytest.mark.parametrize(("dollars", "reason"), [(3_001, Reason.OWED), (3_000, None)])
def test_nobody_cashes_out_what_he_owes(dollars: int, reason: Reason | None) -> None:
    pit = gone_with_the_winnings()
    pit.player("ann", c.BuyIn(person="ann", amount=5_000_00))
    if reason is None:
        pit.player("ann", cash(dollars))
    else:
        assert pit.refused("ann", cash(dollars)) == (reason, None)


def test_somebody_who_owes_nothing_is_left_alone() -> None:
    pit = gone_with_the_winnings()
    pit.settle()
    pit.round({"bob": {"player": 100}}, "9 2 K K")
    assert (len(pit.told(DebtSetOff)), pit.purse("bob")) == (1, 1_100)
