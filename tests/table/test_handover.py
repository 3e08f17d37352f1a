"""Another process of the house takes a table over in the middle of a round: soon enough, nothing is interrupted."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import management
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.setup import Policy
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph

KEYS = ["commission", "non-commission-etg", "super-six", "insurance", "wu-song"]
LONG = ["commission", "wu-song"]
GAP = 4_000


def handed_over(pit: Pit, away: int = GAP) -> None:
    """The table stands still for that long, and another process goes on with it."""
    pit.now += away
    pit.staff(Role.SYSTEM, c.TakeOver(round=pit.state.round, away=away))


@rulings("TEC-13")
@rulebook({"commission": ["5.4"], "wu-song": ["5.4"]}, by=management.take_over)
@pytest.mark.parametrize("key", KEYS)
def test_within_the_grace_it_is_recorded_and_nothing_is_interrupted(key: str) -> None:
    pit = Pit(key)
    pit.open()
    left = pit.state.deadline - pit.now
    handed_over(pit)
    (told,) = pit.told(e.TableTakenOver)
    assert (told.away, paragraph(told)) == (GAP, "5.4" if key in LONG else None)
    assert (pit.phase, pit.state.deadline - pit.now) == (Phase.BETTING, left), "nobody lost any time"
    assert (pit.told(e.RoundSuspended), pit.told(e.IrregularityReported)) == ([], [])


@rulings("TEC-13")
@rulebook({"commission": ["5.4"], "wu-song": ["5.4"]}, by=management.take_over)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("grace", "away"), [(10, 10_001), (10, -1), (0, 0), (0, 500), (3, 3_001)])
def test_longer_than_the_grace_is_an_interruption(key: str, grace: int, away: int) -> None:
    pit = Pit(key, policy=Policy(handover_grace=grace))
    pit.open()
    rule = "5.4" if key in LONG else None
    assert pit.refused(Role.SYSTEM, c.TakeOver(round=1, away=away)) == (Reason.HANDOVER_TOO_LONG, rule)
    if grace:
        pit.staff(Role.SYSTEM, c.TakeOver(round=1, away=grace * 1_000))


def test_only_the_house_itself_says_so_and_only_in_a_round() -> None:
    pit = Pit("commission")
    assert pit.refused(Role.SYSTEM, c.TakeOver(round=0, away=0))[0] is Reason.NOT_HEARD_NOW
    pit.open()
    for who in ("ann", DEALER, MANAGER, SHIFT):
        assert pit.refused(who, c.TakeOver(round=1, away=0)) == (Reason.ACCESS_DENIED, None)
    assert pit.refused(Role.SYSTEM, c.TakeOver(round=2, away=0))[0] is Reason.STALE_ROUND


def test_an_insurance_window_is_open_for_as_long_as_it_was() -> None:
    pit = in_play("insurance", "7 2 10 2")
    assert pit.phase is Phase.INSURANCE
    left = pit.state.deadline - pit.now
    handed_over(pit)
    assert pit.state.window is not None
    assert pit.state.window.deadline == pit.state.deadline == pit.now + left


@pytest.mark.parametrize("key", LONG)
def test_options_are_open_for_as_long_as_they_were(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    left = pit.state.deadline - pit.now
    handed_over(pit)
    assert pit.state.options is not None
    assert pit.state.options.deadline == pit.state.deadline == pit.now + left


@pytest.mark.parametrize("automatic", [True, False])
def test_whoever_squeezes_has_the_time_there_was(*, automatic: bool) -> None:
    pit = Pit("wu-song", face_down=True, automatic=automatic)
    pit.open()
    pit.bet("ann", "player", 500)
    pit.close()
    pit.player("ann", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1)
    pit.player("ann", c.RequestSqueeze(round=1, index=2))
    left = pit.state.squeezes[1].deadline - pit.now
    handed_over(pit)
    assert (pit.state.squeezes[1].deadline - pit.now, pit.state.squeezes[2].deadline) == (left, 0)


def test_others_have_the_time_there_was_to_agree_to_a_waiver() -> None:
    pit = Pit("insurance", face_down=True, automatic=True)
    pit.open()
    pit.bet("ann", "player", 1_000)
    pit.bet("bob", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "A", 2: "K", 3: "3", 4: "2"})
    pit.player("ann", c.RequestWaiver(round=1))
    left = pit.state.waiver_until - pit.now
    handed_over(pit)
    assert pit.state.waiver_until - pit.now == left
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    pit.now += 60_000
    pit.rule(SHIFT, Choice.CONTINUE)
    assert pit.state.waiver_until - pit.now == left


def test_a_table_that_closes_its_bets_still_waits_for_what_is_on_its_way() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    pit.staff(Role.SYSTEM, c.AnnounceClose(round=1))
    handed_over(pit)
    assert pit.refused(Role.SYSTEM, c.CloseBetting(round=1))[0] is Reason.TOO_EARLY
    pit.bet("ann", "player", 100)


def test_the_gap_is_in_whole_milliseconds_of_the_table_and_not_of_the_round() -> None:
    pit = in_play("commission", "5 5")
    before = pit.state
    handed_over(pit)
    assert replace(pit.state, version=before.version) == before, "while no time runs nothing changes"
