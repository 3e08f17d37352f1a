"""Corners of reading and of a table that few ways lead to."""

from typing import Annotated

import msgspec
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.parsing import _meant
from puntobanco.rules.tried_pay import NewPay
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Fault
from puntobanco.table.events import Reported
from puntobanco.table.evolve import _later
from puntobanco.table.felt import Felt
from puntobanco.table.irregularities import _goes_on
from puntobanco.table.pending import PendingEvents
from puntobanco.table.reading import read_command
from puntobanco.table.state import Phase, State


def test_a_kind_with_a_description_is_the_kind_itself() -> None:
    described = msgspec.inspect.type_info(Annotated[int, msgspec.Meta(description="a figure")])
    assert [type(one).__name__ for one in _meant(described)] == ["IntType"]


def test_a_pay_line_may_be_tried_with_another_commission() -> None:
    game, _ = library.game_from(library.source("commission"), [NewPay(bet="banker", line=1, pays="0.96:1", rate="4%")])
    line = next(line for line in game.bet("banker", game.layout()).lines if line.commission is not None)
    assert str(line.pays) == "0.96:1"
    assert line.commission is not None
    assert line.commission.rate * 100 == 4


def test_a_command_with_other_letters_is_read_figure_by_figure_too() -> None:
    written = '{"type": "Report", "round": 7, "fault": "display", "note": "牌", "cards": [null], "to_person": true}'
    command = read_command(msgspec.json.decode(written))
    assert (command.round, command.note) == (7, "牌")  # type: ignore[attr-defined]


def test_what_waits_already_is_given_its_time_when_it_resumes_and_not_twice() -> None:
    waiting = State(phase=Phase.SUSPENDED, interrupted=Phase.BETTING, deadline=5_000)
    assert _later(waiting, 1_000) == waiting


def test_one_finding_answers_for_its_own_report_and_leaves_others_open() -> None:
    game = library.game("commission")
    first = Reported(number=1, round=1, fault=Fault.TECHNICAL, seen_in=Phase.BETTING)
    other = replace(first, number=2, fault=Fault.MISPAYMENT)
    story = PendingEvents(
        Felt(game, game.layout()), State(round=1, faults=(first, other)), By("sue", Role.PIT_SUPERVISOR, 0)
    )
    _goes_on(story, first, None)
    assert story.state.faults == (other,)
