"""What a void takes back, which set of cards goes with it, and what a purse no longer holds."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.commands import BetTerms, Choice, Fault, Terms
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase, State
from tests.table.pit import AT_ONCE, MANAGER, SHIFT, SUPERVISOR, Pit, in_play

LONG = ["commission", "wu-song"]


def load(shoe: str) -> c.LoadShoe:
    return c.LoadShoe(shoe=shoe, decks=8, shuffled=True, source=Source.KEYBOARD, reason="worn")


def withdrawn(pit: Pit) -> list[str]:
    return [event.reason for event in pit.told(e.ShoeWithdrawn)]


def alerts(pit: Pit) -> list[str]:
    return [event.kind for event in pit.told(e.AlertRaised)]


# ---- the set of cards --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shoe", ["", "one"])
@pytest.mark.parametrize("key", LONG)
def test_5_5_1_a_claim_that_is_confirmed_takes_the_set_out_of_service(key: str, shoe: str) -> None:
    pit = in_play(key, "5")
    pit.claim("ann", Fault.FOREIGN_CARD, shoe=shoe)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert withdrawn(pit) == ["foreign_card"]
    for never in (e.SetWithdrawn, e.SettlementReversed, e.CarryOverDiscarded):
        assert pit.told(never) == []


@pytest.mark.parametrize("key", LONG)
def test_5_5_3_a_claim_nobody_has_ruled_on_leaves_the_set_in_use(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.claim("ann", Fault.DECK_COUNT)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert [event.cause for event in pit.told(e.RoundVoided)] == [Fault.WRONG_NUMBER_OF_CARDS]
    assert withdrawn(pit) == []


@pytest.mark.parametrize("key", LONG)
def test_5_5_the_shoe_goes_for_what_voids_the_round_or_else_for_what_was_reported_first(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.UNSHUFFLED)
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert withdrawn(pit) == ["foreign_card"]
    other = in_play(key, "5")
    other.report(Fault.WRONG_NUMBER_OF_CARDS)
    other.claim("ann", Fault.EXCESS, cards=read_cards("K"))
    other.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert withdrawn(other) == []


@pytest.mark.parametrize("key", LONG)
def test_5_5_2_a_fifth_ace_takes_the_set_with_it_whatever_voids_the_round(key: str) -> None:
    pit = in_play(key, "AS AS AS AS", decks=4)
    pit.claim("ann", Fault.EXCESS, cards=read_cards("AS"))
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert [event.cause for event in pit.told(e.RoundVoided)] == [Fault.WRONG_NUMBER_OF_CARDS]
    assert withdrawn(pit) == ["deck_count"]


def test_the_house_returns_the_bets_of_a_round_from_an_unshuffled_set_and_the_set_goes() -> None:
    pit = in_play("super-six", "5")
    pit.report(Fault.UNSHUFFLED)
    pit.rule(SHIFT, Choice.RETURN_BETS)
    assert withdrawn(pit) == ["unshuffled"]


@pytest.mark.parametrize("key", LONG)
def test_5_5_1_a_set_that_was_replaced_in_the_round_goes_and_the_shoe_stays(key: str) -> None:
    pit = in_play(key, "5")
    pit.staff(SHIFT, c.WithdrawShoe(reason="stuck"))
    pit.staff(SHIFT, load("two"))
    pit.report(Fault.FOREIGN_CARD, shoe="one")
    pit.rule(SUPERVISOR, Choice.VOID)
    assert [(event.shoe, event.reason) for event in pit.told(e.SetWithdrawn)] == [("one", "foreign_card")]
    assert withdrawn(pit) == ["stuck"]


def test_before_the_first_shoe_a_set_is_taken_out_of_service_by_its_name() -> None:
    pit = Pit("commission")
    setup = pit.state.setup
    assert setup is not None
    pit.events, pit.state, pit.replayed, pit.checked, pit.held = [], State(), State(), 0, {}
    pit.staff(MANAGER, c.OpenTable(setup=setup))
    pit.report(Fault.FOREIGN_CARD, shoe="two")
    assert [event.shoe for event in pit.told(e.SetWithdrawn)] == ["two"]


# ---- cards without a place ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_5_10_cards_drawn_together_that_have_no_place_yet_are_set_aside(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("K 7"))
    pit.report(Fault.FOREIGN_CARD, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.VOID)
    assert [event.cards for event in pit.told(e.CardsSetAside)] == [read_cards("K 7")]


def test_cards_drawn_together_are_set_aside_if_the_house_returns_the_bets() -> None:
    pit = in_play("super-six", "5")
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("K 7"))
    pit.rule(SHIFT, Choice.RETURN_BETS)
    assert [event.cards for event in pit.told(e.CardsSetAside)] == [read_cards("K 7")]


@pytest.mark.parametrize("key", LONG)
def test_5_10_cards_drawn_together_that_lie_in_the_hands_are_not_set_aside(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.SIMULTANEOUS, index=1)
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert pit.told(e.CardsSetAside) == []


@pytest.mark.parametrize("key", LONG)
def test_5_10_cards_that_a_player_says_came_together_are_not_set_aside(key: str) -> None:
    pit = in_play(key, "5")
    pit.claim("ann", Fault.SIMULTANEOUS, cards=read_cards("K 7"))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert pit.told(e.CardsSetAside) == []


@pytest.mark.parametrize("key", LONG)
def test_5_7_cards_in_front_of_the_shoe_go_with_a_set_in_doubt_and_are_not_set_aside(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.EXCESS, cards=read_cards("K"))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.told(e.CardsSetAside), len(pit.told(e.CarryOverDiscarded))) == ([], 1)


@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(
    ("fault", "choice", "role", "kept"),
    [
        (Fault.UNPROVIDED, Choice.VOID, SHIFT, True),
        (Fault.WRONG_NUMBER_OF_CARDS, Choice.CANNOT_RECONSTRUCT, SUPERVISOR, False),
        (Fault.TECHNICAL, Choice.AFFECTS, SUPERVISOR, False),
    ],
)
def test_5_5_a_card_that_waits_is_kept_for_the_next_round_unless_the_cards_are_in_doubt(
    key: str, fault: Fault, choice: Choice, role: Role, kept: bool
) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.EXCESS, cards=(None, None))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("5")
    pit.report(fault, SUPERVISOR)
    pit.rule(role, choice)
    assert pit.phase is Phase.VOIDED
    carried = [event.cards for event in pit.told(e.CardsCarriedOver)[1:]]
    assert (carried, len(pit.told(e.CarryOverDiscarded))) == (([(None,)], 0) if kept else ([], 1))


# ---- what a purse no longer holds --------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "owed"), [(0, {}), (1, {"ann": 100}), (500, {"ann": 500_00})])
def test_what_a_decision_paid_is_owed_if_the_round_is_void_and_the_purse_has_less(
    left: int, owed: dict[str, int]
) -> None:
    """The purse holds as many dollars less than was paid."""
    pit = in_play("commission", "5", people={"ann": 100_00, "bob": 200_00})
    paid = BetTerms(owner="ann", bet="player", box=1, terms=Terms.PAY, amount=500_00)
    pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="as said", reason="seen", bets=(paid,)))
    if left:
        pit.staff(MANAGER, c.CashOut(person="ann", amount=left * 100))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert pit.told(e.RoundVoided)[0].owed == owed
    assert (Alert.RECEIVABLE in alerts(pit)) is bool(owed)


@pytest.mark.parametrize("key", LONG)
def test_5_3_what_several_bets_paid_is_owed_and_set_off_together(key: str) -> None:
    pit = Pit(key, people={"ann": 300_00}, automatic=True)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("ann", "player", 200, box=2)
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    pit.player("ann", c.CashOut(person="ann", amount=500_00))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE)
    assert [event.owed for event in pit.told(e.SettlementReversed)] == [{"ann": 500_00}]
    pit.settle()
    assert [(event.person, event.amount) for event in pit.told(e.DebtSetOff)] == [("ann", 500_00)]


def test_3_8_a_stake_taken_back_since_the_tie_is_not_held_any_more_when_the_settlement_is_reversed() -> None:
    pit = Pit("super-six")
    pit.round({"ann": {"player": 100, "tie": 100}, "bob": {"banker": 100}}, "9 9 K K")
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=False, box=1))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SHIFT, Choice.RESETTLE)
    (back,) = pit.told(e.SettlementReversed)
    assert (back.owed, Alert.RECEIVABLE in alerts(pit)) == ({}, False)
    assert {one.key: one.held for one in back.stakes} == {
        "1/player/ann": False,
        "1/tie/ann": False,
        "1/banker/bob": True,
    }
    assert (pit.purse("ann"), pit.purse("bob")) == (99_800, 99_900)


@pytest.mark.parametrize(("cards", "back"), [("9 9 K K", [{"1/player/ann"}]), ("9 7 K 10", [])])
def test_3_8_a_stake_held_since_a_tie_goes_back_when_the_table_closes(cards: str, back: list[set[str]]) -> None:
    pit = Pit("super-six")
    pit.round({"ann": {"player": 100}}, cards)
    pit.staff(MANAGER, AT_ONCE)
    assert [{stake.key for stake in event.stakes} for event in pit.told(e.StakesReturned)] == back


def test_what_somebody_gets_is_set_off_against_their_own_debt_only() -> None:
    pit = Pit("commission", people={"ann": 100_00, "bob": 300_00}, automatic=True)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.player("ann", c.CashOut(person="ann", amount=200_00))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("7 9 K 10"))
    pit.settle()
    assert (pit.state.owed, pit.told(e.DebtSetOff)) == ({"ann": 200_00}, [])
    pit.round({"bob": {"player": 100}}, "9 7 K 10")
    assert pit.told(e.DebtSetOff) == []
    pit.player("ann", c.BuyIn(person="ann", amount=100_00))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("9 9 K 10")
    pit.settle()
    assert [(event.person, event.amount) for event in pit.told(e.DebtSetOff)] == [("ann", 100_00)]
