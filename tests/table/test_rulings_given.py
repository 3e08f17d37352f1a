"""Rulings and elections: each answers the question that is open, and no other."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table import irregularities
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.scenario import read_scenario, run
from puntobanco.table.state import Phase
from tests.table.pit import DEALER, SUPERVISOR, Pit, in_play

LONG = ["commission", "wu-song"]


@pytest.mark.parametrize("key", LONG)
def test_a_ruling_answers_the_question_that_is_open_and_no_other(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.FOREIGN_CARD)
    for question in (0, pit.state.questions + 1):
        void = c.Rule(question=question, choice=Choice.VOID, reason="seen on the camera")
        assert pit.refused(SUPERVISOR, void) == (Reason.STALE_QUESTION, None)
    assert pit.state.question is not None
    pit.rule(SUPERVISOR, Choice.VOID)
    assert pit.phase is Phase.VOIDED


@pytest.mark.parametrize("key", LONG)
def test_an_election_and_the_end_of_the_options_name_the_question_that_is_open(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.OPTIONS
    stale = pit.state.questions - 1
    assert pit.refused("ann", c.Elect(question=stale, election=Election.RETURN)) == (Reason.STALE_QUESTION, None)
    assert pit.refused(DEALER, c.CloseOptions(question=stale)) == (Reason.STALE_QUESTION, None)
    assert pit.state.options is not None
    assert pit.state.options.elections == {}


@pytest.mark.parametrize(
    ("table", "people", "reason", "rule"),
    [
        ({"decks": 9}, {}, Reason.SCENARIO_VALUE, "2.2.1"),
        ({"boxes": 99}, {}, Reason.SCENARIO_VALUE, "App. A"),
        ({}, {"ann": "0"}, Reason.SCENARIO_VALUE, None),
    ],
)
def test_a_scenario_that_no_table_could_begin_is_refused_by_the_paragraph(
    table: dict[str, object], people: dict[str, str], reason: Reason, rule: str | None
) -> None:
    written: dict[str, object] = {"title": "x", "game": "commission", "table": table, "people": people}
    written["step"] = [{"by": "dealer", "do": "open"}]
    with pytest.raises(Refused) as refused:
        run(read_scenario(written, "mine.toml"), library.game("commission"))
    assert (refused.value.reason, refused.value.paragraph) == (reason, rule)


def test_a_scenario_can_expect_what_somebody_owes_after_a_reversal() -> None:
    steps: list[dict[str, object]] = [
        {"by": "dealer", "do": "open"},
        {"by": "ann", "do": "bet", "bet": "player", "box": 1, "amount": "100"},
        {"by": "dealer", "do": "close"},
        {"by": "dealer", "do": "draw", "cards": "9 7 K 10"},
        {"by": "dealer", "do": "settle", "expect": {"owed": {"ann": "0"}}},
        {"by": "ann", "do": "cash_out", "amount": "150"},
        {"by": "dealer", "do": "report", "fault": "wrong_number_of_cards"},
        {
            "by": "pit_supervisor",
            "do": "rule",
            "choice": "cannot_reconstruct",
            "reason": "no camera",
            "expect": {"owed": {"ann": "50", "bob": "1"}, "purses": {"ann": "0"}},
        },
    ]
    written = {"title": "x", "game": "commission", "people": {"ann": "100", "bob": "100"}, "step": steps}
    played = run(read_scenario(written, "mine.toml"), library.game("commission"))
    assert [(miss.step, miss.field, miss.found) for miss in played.misses] == [(8, "owed", "ann = 50.00")]


@pytest.mark.parametrize("key", library.GAMES)
def test_whoever_reports_a_fault_is_told_beforehand_who_will_decide(key: str) -> None:
    """What the document does not provide for is the Shift Manager's."""
    felt, asked_of = Pit(key).felt, irregularities.decided_by
    for fault in (Fault.FOREIGN_CARD, Fault.SHOE_EMPTY, Fault.MISKEYED, Fault.MISPAYMENT):
        assert asked_of(felt, fault) is Role.PIT_SUPERVISOR
    for fault in (Fault.UNSHUFFLED, Fault.MISDIRECTED, Fault.TECHNICAL):
        assert asked_of(felt, fault) is (Role.PIT_SUPERVISOR if key in LONG else Role.SHIFT_MANAGER)
    assert {asked_of(felt, fault) for fault in (Fault.UNPROVIDED, Fault.DISPLAY)} == {Role.SHIFT_MANAGER}
