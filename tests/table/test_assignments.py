"""Roles are acting assignments: whoever is assigned holds the role, whatever the job title."""

import pytest

from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import management
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, Refusal
from puntobanco.table.views import AUDITOR, BOARD, public_view
from tests.marks import rulebook, rulings
from tests.table.pit import Pit

SUPERVISOR, MANAGER, SHIFT = Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER


@rulings("AUT-18")
@rulebook({"commission": ("1.11",), "wu-song": ("1.15",)}, by=management.assign)
@pytest.mark.parametrize(("game", "rule"), [("commission", "1.11"), ("wu-song", "1.15"), ("insurance", None)])
def test_whoever_is_assigned_acts_in_that_role_and_in_no_other(game: str, rule: str | None) -> None:
    pit = Pit(game)
    (event,) = pit.staff(SUPERVISOR, c.Assign(person="dora", role=StaffRank.DEALER))
    assert (event.rule.paragraph if event.rule else None) == rule
    assert pit.state.acting == {"dora": Role.DEALER}
    pit.open()
    for role in (Role.PLAYER, SUPERVISOR):
        answer = pit.tell(c.BuyIn(person="dora", amount=100), By("dora", role, pit.now))
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.paragraph) == (Reason.ACTS_OTHERWISE, rule)
    assert pit.refused(SUPERVISOR, c.Assign(person="dora", role=StaffRank.DEALER)) == (Reason.ALREADY_ACTING, rule)
    pit.staff(SUPERVISOR, c.Relieve(person="dora"))
    assert pit.state.acting == {}
    assert pit.refused(SUPERVISOR, c.Relieve(person="dora")) == (Reason.NOT_ACTING, rule)


@rulings("AUT-18")
@rulebook({"commission": ("1.11",), "wu-song": ("1.15",)}, by=management.assign)
def test_a_role_is_given_by_a_higher_rank() -> None:
    pit = Pit("commission")
    refused = (Reason.NOT_AUTHORISED, "1.11")
    assert pit.refused(Role.DEALER, c.Assign(person="eve", role=StaffRank.DEALER)) == refused
    assert pit.refused("ann", c.Assign(person="ann", role=StaffRank.SHIFT_MANAGER)) == refused
    assert pit.refused(SUPERVISOR, c.Assign(person="eve", role=StaffRank.PIT_SUPERVISOR)) == refused
    assert pit.refused(MANAGER, c.Assign(person="eve", role=StaffRank.SHIFT_MANAGER)) == refused
    pit.staff(MANAGER, c.Assign(person="eve", role=StaffRank.PIT_SUPERVISOR))
    pit.staff(SHIFT, c.Assign(person="eve", role=StaffRank.SHIFT_MANAGER))
    assert pit.state.acting == {"eve": Role.SHIFT_MANAGER}
    assert pit.refused(MANAGER, c.Relieve(person="eve")) == refused


def test_the_house_itself_may_assign_anyone() -> None:
    pit = Pit("super-six")
    answer = pit.tell(c.Assign(person="eve", role=StaffRank.SHIFT_MANAGER), By("house", Role.SYSTEM, pit.now))
    assert isinstance(answer, Accepted)
    assert pit.state.acting == {"eve": Role.SHIFT_MANAGER}


@rulings("AUT-18")
@rulebook({"commission": ("1.11",)}, by=management.assign)
def test_staff_never_own_bets() -> None:
    pit = Pit("commission")
    pit.player("bob", c.TakeSeat(box=2))
    pit.open()
    pit.bet("ann", "player", 100)
    for person in ("ann", "bob"):
        answer = pit.refused(SHIFT, c.Assign(person=person, role=StaffRank.DEALER))
        assert answer == (Reason.PLAYS_HERE, "1.11")
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    assert pit.refused(SHIFT, c.Assign(person="ann", role=StaffRank.DEALER))[0] is Reason.PLAYS_HERE, "not yet final"
    pit.open()
    pit.staff(SHIFT, c.Assign(person="ann", role=StaffRank.DEALER))


def test_a_stake_held_since_a_tie_keeps_its_owner_a_player() -> None:
    pit = Pit("super-six")
    pit.round({"ann": {"banker": 100}}, "7 7 K 10")
    assert pit.refused(SHIFT, c.Assign(person="ann", role=StaffRank.DEALER)) == (Reason.PLAYS_HERE, None)


def test_who_acts_is_shown_to_staff_and_auditor_only() -> None:
    pit = Pit("commission")
    pit.staff(SHIFT, c.Assign(person="dora", role=StaffRank.DEALER))
    assert public_view(pit.felt, pit.state, AUDITOR).acting == {"dora": Role.DEALER}
    for audience in (Role.PLAYER, BOARD):
        assert public_view(pit.felt, pit.state, audience).acting == {}
