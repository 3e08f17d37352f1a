"""Previews: what a report or a ruling would lead to on the current state of a table. Nothing is changed.

Before reporting, staff see who will be asked and what; before deciding, they see where each answer leads.
"""

from puntobanco.house.journal.dual_control import table_command_needs_second
from puntobanco.protocol.posts import AT_THE_TABLE, STAFF
from puntobanco.protocol.tables import FaultCard, Foresee, Foreseen
from puntobanco.rules.refusal import Refused
from puntobanco.table.authority import By
from puntobanco.table.decide import Refusal, decide
from puntobanco.table.explain import RunningAccount
from puntobanco.table.irregularities import decided_by, paragraph_of
from puntobanco.table.report_forms import REPORT_FORMS
from puntobanco.table.views import preview
from puntobanco.web.handlers.tables import sentences
from puntobanco.web.http.operations import operation
from puntobanco.web.services import Call


@operation("GET", "/tables/{table}/faults", "List irregularities that can be reported, with paragraph and who decides",
           who=STAFF, gives=list[FaultCard])  # fmt: skip
async def faults(asked: Call) -> list[FaultCard]:
    """`needs` and `may` say what a report of each has to name, and may name."""
    running = asked.table
    felt, state = running.felt, running.state
    overlay = state.plays_under.overlay if state.plays_under is not None else None
    return [
        FaultCard(
            fault=fault,
            paragraph=_plain(paragraph_of(felt, fault)),
            asked_of=decided_by(felt, fault, overlay.of(fault, settled=state.in_gap) if overlay is not None else None),
            needs=form.needs,
            may=form.may,
        )
        for fault, form in REPORT_FORMS.items()
    ]


@operation(
    "POST", "/tables/{table}/foresee", "Preview a report or a ruling without carrying it out", who=STAFF,
    takes=Foresee, gives=Foreseen, example={"command": {"type": "Report", "round": 1, "fault": "foreign_card"}},
)  # fmt: skip
async def foresee(asked: Call) -> Foreseen:
    """Decided on a copy of the table. Nothing is changed."""
    house, command = asked.services.house, asked.body.command
    running = asked.table
    post = house.post(asked.person, running.name)
    assert post is not None, "the operation asks for staff"
    house.check_possible(running, command)
    found = decide(running.felt, running.state, command, By(asked.person, AT_THE_TABLE[post], house.clock()))
    if isinstance(found, Refusal):
        raise Refused.of(found)
    assert found.state is not None, "what was decided leads somewhere"
    telling = RunningAccount(running.game, running.state)
    return Foreseen(
        phase=found.state.phase,
        told=tuple(line for event in found.events for line in sentences(telling.tell(event), asked.said)),
        question=found.state.question,
        preview=preview(found.state),
        choosing=found.state.options.people if found.state.options else (),
        second=table_command_needs_second(running.state, command, post),
    )


def _plain(paragraph: str | None) -> str | None:
    """The paragraph as text, whatever its type in the game file."""
    return str(paragraph) if paragraph is not None else None
