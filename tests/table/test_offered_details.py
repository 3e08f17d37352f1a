"""What a screen offers: only what there is something to send about, to those who may send it."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.evolve import replay
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase, State
from puntobanco.table.views import private_view, public_view
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play

STAFF = (DEALER, SUPERVISOR, MANAGER, SHIFT)


def offers(pit: Pit, role: Role, state: State | None = None) -> frozenset[str]:
    return frozenset(public_view(pit.felt, state or pit.state, role).allowed)


def offered_to(pit: Pit, command: str) -> list[Role]:
    """Who of the staff is offered it."""
    return [role for role in STAFF if command in offers(pit, role)]


def own(pit: Pit, person: str) -> frozenset[str]:
    return frozenset(private_view(pit.felt, pit.state, person).allowed)


def before(pit: Pit, kind: type[e.Event]) -> State:
    """The table as it was before the first event of that kind."""
    first = next(place for place, event in enumerate(pit.events) if isinstance(event, kind))
    return replay(pit.events[:first])


def load(*, shuffled: bool = True) -> c.LoadShoe:
    return c.LoadShoe(shoe="two", decks=8, shuffled=shuffled, source=Source.KEYBOARD, reason="worn")


# ---- limits ------------------------------------------------------------------------------------------------------


def test_a_dealer_is_offered_to_advise_once_a_bet_is_low_and_to_hand_it_back_once_that_was_said() -> None:
    def about_low_bets() -> frozenset[str]:
        return offers(pit, DEALER) & {"AdviseMinimum", "ReturnBet"}

    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    assert about_low_bets() == set(), "it is the minimum"
    pit.bet("bob", "player", 50)
    assert about_low_bets() == {"AdviseMinimum"}
    pit.staff(DEALER, c.AdviseMinimum(round=1, box=1, person="bob"))
    assert about_low_bets() == {"AdviseMinimum", "ReturnBet"}
    pit.bet("bob", "player", 100)
    assert about_low_bets() == set()


@pytest.mark.parametrize(("key", "provided"), [("commission", True), ("super-six", False), ("insurance", False)])
def test_an_excess_is_offered_to_be_rejected_where_the_document_has_limits(key: str, provided: bool) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 10_000)
    pit.bet("ann", "player", 20_000)
    assert offered_to(pit, "RejectExcess") == []
    pit.bet("ann", "banker", 0)
    assert bool(offered_to(pit, "RejectExcess")) is provided


# ---- the shoe ----------------------------------------------------------------------------------------------------


def test_a_shoe_in_use_is_offered_to_be_replaced_to_those_who_may_at_that_moment() -> None:
    replaces, above = [SUPERVISOR, MANAGER, SHIFT], [SHIFT]
    pit = Pit("commission")
    assert (offered_to(pit, "LoadShoe"), offered_to(pit, "WithdrawShoe")) == (replaces, replaces)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    assert (offered_to(pit, "LoadShoe"), offered_to(pit, "WithdrawShoe")) == (above, above)
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5S KS"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    pit.everyone()
    assert pit.phase is Phase.DEALING
    assert (offered_to(pit, "LoadShoe"), offered_to(pit, "WithdrawShoe")) == (replaces, replaces), "drawn together"


def test_a_dealer_is_offered_to_load_between_rounds_and_not_after_a_withdrawal_in_the_middle_of_one() -> None:
    pit = Pit("commission")
    pit.staff(SUPERVISOR, c.WithdrawShoe(reason="worn"))
    assert (offered_to(pit, "LoadShoe"), offered_to(pit, "OpenBetting")) == ([*STAFF], [])
    pit = in_play("commission")
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    assert offered_to(pit, "LoadShoe") == [SHIFT]


def test_nobody_is_offered_to_withdraw_a_shoe_that_is_not_there() -> None:
    pit = Pit("commission")
    empty = before(pit, e.ShoeLoaded)
    assert not {"WithdrawShoe", "OpenBetting"} & offers(pit, SUPERVISOR, empty)
    assert "LoadShoe" in offers(pit, DEALER, empty)


def test_a_round_is_offered_on_a_shuffled_shoe_that_is_not_finished() -> None:
    pit = Pit("commission")
    assert "OpenBetting" in offers(pit, DEALER)
    pit.staff(SUPERVISOR, load(shuffled=False))
    assert "OpenBetting" not in offers(pit, DEALER), "not shuffled"
    pit.staff(SUPERVISOR, load())
    pit.staff(DEALER, c.ShowCutCard())
    assert "OpenBetting" in offers(pit, DEALER), "one more round"
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert "OpenBetting" not in offers(pit, DEALER), "finished"


# ---- people ------------------------------------------------------------------------------------------------------


def test_a_seat_is_offered_to_every_player_and_to_staff_once_somebody_is_there() -> None:
    pit = Pit("commission")
    nobody_there = before(pit, e.BoughtIn)
    assert "TakeSeat" in offers(pit, Role.PLAYER, nobody_there)
    assert "TakeSeat" not in offers(pit, DEALER, nobody_there)
    assert "TakeSeat" in offers(pit, DEALER)


@pytest.mark.parametrize("face_down", [False, True])
def test_a_squeeze_is_offered_where_cards_leave_the_shoe_face_down(face_down: bool) -> None:
    pit = Pit("insurance", face_down=face_down)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    assert ("RequestSqueeze" in own(pit, "ann")) is face_down
    assert private_view(pit.felt, pit.state, "ann").may_squeeze is face_down
    assert bool(offered_to(pit, "RequestSqueeze")) is face_down


@pytest.mark.parametrize(("key", "may"), [("insurance", True), ("super-six", False)])
def test_to_see_the_bankers_card_first_is_offered_where_there_is_insurance_to_give_up(key: str, may: bool) -> None:
    pit = Pit(key, face_down=True)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "K", 2: "A", 3: "K", 4: "K"})
    assert ("RequestWaiver" in own(pit, "ann")) is may
    assert "RequestWaiver" not in own(pit, "cat")


# ---- chips keyed in late -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "roles"), [("commission", [DEALER, SUPERVISOR, MANAGER]), ("non-commission-etg", [])])
def test_chips_are_offered_to_be_attested_once_a_card_is_seen_to_those_who_decide_on_cards(
    key: str, roles: list[Role]
) -> None:
    pit = in_play(key)
    assert offered_to(pit, "AttestBet") == roles
    pit.deal("9")
    assert offered_to(pit, "AttestBet") == [role for role in roles if role is not DEALER]
    assert "AttestBet" not in offers(pit, Role.SYSTEM)
