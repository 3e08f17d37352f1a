"""A table may deal cards only, without money in the system; and a cashier moves money and nothing else."""

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Confirmation, Role
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import Phase
from puntobanco.table.views import BOARD, private_view, public_view
from tests.table.pit import AT_ONCE, DEALER, MANAGER, Pit

CASHIER = Role.CASHIER


def setup_of(pit: Pit, *, cards_only: bool) -> Setup:
    assert pit.state.setup is not None
    return replace(pit.state.setup, cards_only=cards_only)


def emptied(key: str = "commission") -> Pit:
    """A table that deals cards only: everybody has cashed out."""
    pit = Pit(key)
    for person, cents in dict(pit.state.purses).items():
        pit.player(person, c.CashOut(person=person, amount=cents))
    pit.staff(MANAGER, c.ChangeSetup(setup=setup_of(pit, cards_only=True)))
    return pit


@pytest.mark.parametrize("key", library.GAMES)
def test_cards_are_dealt_and_the_result_is_shown_without_a_bet(key: str) -> None:
    pit = emptied(key)
    for _ in range(3):
        pit.round({}, "9 8 K K")
    assert pit.phase is Phase.SETTLED
    shown = public_view(pit.felt, pit.state, BOARD)
    assert shown.cards_only
    assert shown.outcome is not None
    assert (shown.outcome.player_points, shown.outcome.banker_points) == (9, 8)
    assert [card.face for card in shown.cards] == ["9", "8", "K", "K"]


def test_no_money_comes_to_it_from_anyone() -> None:
    pit = emptied()
    buy_in = c.BuyIn(person="ann", amount=100_00)
    for who in ("ann", DEALER, CASHIER):
        assert pit.refused(who, buy_in)[0] is Reason.CARDS_ONLY
    pit.open()
    line = c.Line(bet="player", amount=100_00, box=1)
    slip = c.PlaceBets(round=1, lines=(line,))
    assert pit.refused("ann", slip)[0] is Reason.CARDS_ONLY
    for_ann = c.PlaceBets(round=1, lines=(line,), owner="ann", requested=True)
    assert pit.refused(DEALER, for_ann)[0] is Reason.CARDS_ONLY
    pit.close()
    attest = c.AttestBet(round=1, owner="ann", line=line, attested=True)
    assert pit.refused(DEALER, attest)[0] is Reason.CARDS_ONLY


def test_no_view_offers_what_it_would_refuse() -> None:
    pit = emptied()
    pit.open()
    money = {"BuyIn", "PlaceBets", "AttestBet", "NoteLateBet"}
    for closed in (False, True):
        if closed:
            pit.close()
        for audience in Role:
            assert money.isdisjoint(public_view(pit.felt, pit.state, audience).allowed)
        assert money.isdisjoint(private_view(pit.felt, pit.state, "ann").allowed)
    assert "DrawCard" in public_view(pit.felt, pit.state, DEALER).allowed


def test_it_is_not_switched_to_while_money_is_at_it_and_back_at_any_time() -> None:
    pit = Pit("commission", people={"ann": 100_00, "bob": 50_00})
    change = c.ChangeSetup(setup=setup_of(pit, cards_only=True))
    assert pit.refused(MANAGER, change)[0] is Reason.PURSES_NOT_EMPTY
    pit.player("ann", c.CashOut(person="ann", amount=100_00))
    pit.player("bob", c.CashOut(person="bob", amount=49_99))
    assert pit.refused(MANAGER, change)[0] is Reason.PURSES_NOT_EMPTY
    pit.player("bob", c.CashOut(person="bob", amount=1))
    pit.staff(MANAGER, change)
    pit.staff(MANAGER, c.ChangeSetup(setup=setup_of(pit, cards_only=False)))
    pit.player("ann", c.BuyIn(person="ann", amount=100_00))


def test_a_closed_table_is_not_opened_for_cards_only_over_money() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.staff(MANAGER, AT_ONCE)
    opened = c.OpenTable(setup=setup_of(pit, cards_only=True))
    assert pit.refused(MANAGER, opened)[0] is Reason.PURSES_NOT_EMPTY
    pit.staff(CASHIER, c.CashOut(person="ann", amount=100_00))
    pit.staff(MANAGER, opened)


def test_stakes_held_since_a_tie_are_money_at_the_table_too() -> None:
    pit = Pit("insurance", people={"ann": 100_00})
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("8 8 K K")
    pit.settle()
    assert pit.state.held
    assert pit.state.purses["ann"] == 0
    change = c.ChangeSetup(setup=setup_of(pit, cards_only=True))
    assert pit.refused(MANAGER, change)[0] is Reason.PURSES_NOT_EMPTY


# ---- the cashier -------------------------------------------------------------------------------------------------


def test_a_cashier_moves_anybodys_money_and_does_nothing_else() -> None:
    pit = Pit("commission")
    pit.staff(CASHIER, c.BuyIn(person="ann", amount=500_00), Confirmation.SESSION)
    pit.staff(CASHIER, c.CashOut(person="ann", amount=500_00))
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "player", 100)
    line = c.Line(bet="banker", amount=100_00, box=1)
    bets: tuple[c.Command, ...] = (
        c.PlaceBets(round=1, lines=(line,), owner="ann", requested=True), c.PlaceBets(round=1, lines=(line,)),
        c.CloseBetting(round=1), c.TakeSeat(box=2), c.LeaveSeat(box=1), c.WalkAway(person="ann"),
        c.Assign(person="cal", role=StaffRank.DEALER), c.ShowCutCard(), c.WithdrawShoe(reason="x"),
        c.AdviseMinimum(round=1, box=1, person="ann"), c.RejectExcess(round=1, box=1),
        c.DecideUnprovided(round=1, decision="x", reason="y"), c.Object(round=1, box=1, against="ann"),
        c.CorrectDisplay(round=1, shown="x", correct="y"),
        c.Report(round=1, fault=c.Fault.DISPLAY),
    )  # fmt: skip
    for command in bets:
        assert pit.refused(CASHIER, command)[0] is Reason.ACCESS_DENIED
    pit.close()
    cards: tuple[c.Command, ...] = (
        c.DrawCard(round=1, index=1), c.AttestBet(round=1, owner="ann", line=line, attested=True),
        c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=100_00), c.RequestSqueeze(round=1, index=1),
        c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD),
    )  # fmt: skip
    for command in cards:
        assert pit.refused(CASHIER, command)[0] is Reason.ACCESS_DENIED


def test_a_cashier_sees_what_everybody_sees_and_is_offered_what_he_may_do() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    cashiers, boards = (public_view(pit.felt, pit.state, who) for who in (CASHIER, BOARD))
    assert set(cashiers.allowed) == {"BuyIn", "CashOut"}
    assert replace(cashiers, allowed=()) == boards
    assert all(not box.stakes for box in cashiers.boxes)
    assert not By("cal", CASHIER, 0).is_staff


def test_a_game_is_read_from_its_text_as_from_its_file() -> None:
    text = (library._HERE / "games" / "super-six.toml").read_text()
    read, paragraphs = library.game_from("\ufeff" + text)
    assert read == library.game("super-six")
    assert paragraphs == library.rulebook("super-six")
    for bad in ("\ud800", "#" * 1_000_001, "x = [", "x = " + "[" * 100_000):
        with pytest.raises(Refused) as caught:
            library.game_from(bad)
        assert caught.value.reason is Reason.FILE_MALFORMED
