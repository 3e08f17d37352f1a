"""Set-up changes and closings that wait for the end of the round."""

from puntobanco.protocol.answers import Answer
from puntobanco.protocol.posts import PIT, Post
from puntobanco.protocol.tables import QueuedCard, QueueRequest
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import check_text
from puntobanco.table import commands as c
from puntobanco.table.reading import LONGEST_TEXT
from puntobanco.table.tags import tag_of
from puntobanco.web.http.operations import operation
from puntobanco.web.http.refusals import accepted
from puntobanco.web.services import Call

CHANGES_TABLES = frozenset({Post.PIT_MANAGER, Post.SHIFT_MANAGER})


@operation("GET", "/tables/{table}/queued", "List changes that wait for the end of the round", who=PIT,
           gives=list[QueuedCard])  # fmt: skip
async def queued(asked: Call) -> list[QueuedCard]:
    """A restart of the server discards them."""
    return [
        QueuedCard(
            number=one.number, command=one.command, person=one.person, at=one.at,
            refused=asked.said.refusal(one.refused) if one.refused is not None else "",
        )
        for one in asked.services.house.queued.at(asked.table.name)
    ]  # fmt: skip


@operation(
    "POST", "/tables/{table}/queue", "Change the set-up or close at the first moment between rounds",
    who=CHANGES_TABLES,
    takes=QueueRequest, gives=Answer, example={"command": {"type": "CloseTable", "reason": "few guests"}},
)  # fmt: skip
async def queue(asked: Call) -> Answer:
    """A closing that needs notice announces it now. What the table would refuse anyway is refused at once. A restart of
    the server discards what waits."""
    command: c.Command = asked.body.command
    check_text(command, "command", tag_of(type(command)), most=LONGEST_TEXT)
    given = await asked.services.house.queue(asked.person, asked.table.name, asked.body.command, asked.address)
    return accepted(given, asked.said)


@operation("POST", "/tables/{table}/queue/{number}/cancel", "Cancel a change that waits for the end of the round",
           who=CHANGES_TABLES, gives=Answer)  # fmt: skip
async def unqueue(asked: Call) -> Answer:
    """A change that has taken effect cannot be cancelled."""
    number = asked.number("number")
    if not asked.services.house.queued.cancel(asked.table.name, number):
        raise Refused(Reason.NOTHING_WAITS, number=number)
    return Answer(asked.table.state.version)
