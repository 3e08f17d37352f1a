"""One table in the house: the only writer of its stream.

Commands wait in one queue. What has queued up is decided one after the other on the state so far, written in one
transaction, and only then acknowledged and published. If it cannot be written, nothing of it happened and the table
stops: one that has failed hears nothing until it is started again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

import msgspec

from puntobanco.house.accounts import house_transfers
from puntobanco.rules.game import Game
from puntobanco.rules.money import show_money
from puntobanco.rules.refusal import Reason
from puntobanco.store import codec
from puntobanco.store.records import Answer, Append, Fact, Failed, Snapshot, Store, StoreFailed
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Setup
from puntobanco.table.state import State
from puntobanco.table.wire import reused

MOST_AT_ONCE = 256
REMEMBERED = 20_000
"""Requests whose answers are kept at hand; older ones are in the store."""

Clock = Callable[[], int]
Publish = Callable[["Hosted", tuple[AnyEvent, ...]], None]


class Answered(msgspec.Struct, frozen=True):
    """What a sender is told: at which version it happened, or why it did not; and which lines of a slip did not."""

    version: int
    refusal: Refusal | None = None
    lines: tuple[tuple[int, Refusal], ...] = ()


class Stopped(Exception):
    """The table has failed or was stopped and hears nothing."""


class _Waiting(msgspec.Struct):
    command: c.Command
    by: By
    asked: bytes
    answer: "asyncio.Future[Answered]"


class Hosted:
    """A table that lives in the house."""

    def __init__(
        self, name: str, game: Game, setup: Setup, store: Store, clock: Clock, publish: Publish | None = None
    ) -> None:
        self.name, self.game, self.store, self.clock, self.publish = name, game, store, clock, publish
        self.felt = Felt.of(game, setup)
        self.state = State()
        self.failed: str | None = None
        self._epoch = 0
        self._snapshot_at = 0
        self._queue: asyncio.Queue[_Waiting | None] = asyncio.Queue()
        self._answers: OrderedDict[tuple[str, str], tuple[bytes, Answered]] = OrderedDict()
        self._task: asyncio.Task[None] | None = None

    # ---- life ----------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Become the owner, come to the state of the history, and deal with what was interrupted."""
        await self.store.keep_game(self.game.fingerprint, self.game.canonical())
        self._epoch = await self.store.claim(self.name)
        self.state = await self._recalled()
        self._snapshot_at = self.state.version
        if self.state.setup is not None:
            self.felt = Felt.of(self.game, self.state.setup)
        self._task = asyncio.create_task(self._run(), name=f"table {self.name}")
        await self._recover()

    async def _recalled(self) -> State:
        """The snapshot, if it is of this schema, and every event since."""
        kept = await self.store.snapshot(self.name)
        state = State()
        if kept is not None and kept.schema == codec.STATE_SCHEMA:
            state = codec.decode_state(kept.body)
        async for row in self.store.read(self.name, after=state.version):
            state = evolve(state, codec.decode(row.kind, row.body))
        return state

    async def _recover(self) -> None:
        """A round that was running when the house stopped: the table is suspended until the finding.

        Where the document has no word on it, it is a pause that goes on by itself.
        """
        if not self.state.in_round or self.state.interrupted is not None:
            return
        report = c.Report(round=self.state.round, fault=c.Fault.TECHNICAL, note="the house was restarted")
        await self.send(report, "house", Role.SYSTEM)
        question = self.state.question
        if self.game.irregularities.interruption is None and question is not None:
            go_on = c.Rule(question=question.number, choice=c.Choice.CONTINUE, reason="the house is back")
            await self.send(go_on, "house", Role.SYSTEM)

    async def stop(self) -> None:
        """What is in the queue is still decided; then the table is silent."""
        if self._task is not None:
            self._queue.put_nowait(None)
            await self._task
        if self.failed is None and self.state.version > self._snapshot_at:
            await self._snapshot()

    # ---- commands ------------------------------------------------------------------------------------------------

    async def send(self, command: c.Command, person: str, role: Role, request: str = "") -> Answered:
        """Time and role are the house's to say. The answer comes when what happened is durable."""
        if self.failed is not None:
            raise Stopped(self.failed)
        asked = sha256(msgspec.json.encode(command)).digest() if request else b""
        waiting = _Waiting(command, By(person, role, self.clock(), request), asked, asyncio.Future())
        self._queue.put_nowait(waiting)
        return await waiting.answer

    async def _run(self) -> None:
        while True:
            first = await self._queue.get()
            if first is None:
                return
            batch, last = [first], False
            while not self._queue.empty() and len(batch) < MOST_AT_ONCE:
                more = self._queue.get_nowait()
                if more is None:
                    last = True
                    break
                batch.append(more)
            await self._decide(batch)
            if last or self.failed is not None:
                self._refuse_the_rest()
                return

    def _refuse_the_rest(self) -> None:
        while not self._queue.empty():
            waiting = self._queue.get_nowait()
            if waiting is not None:
                waiting.answer.set_exception(Stopped(self.failed or "stopped"))

    async def _decide(self, batch: list[_Waiting]) -> None:
        """Crossing to a wallet is written alone, since only the store knows what the wallet holds."""
        together: list[_Waiting] = []
        for waiting in batch:
            if isinstance(waiting.command, c.BuyIn):
                await self._write(together)
                together = []
                await self._write([waiting])
            else:
                together.append(waiting)
        await self._write(together)

    async def _write(self, batch: list[_Waiting]) -> None:
        if not batch or self.failed is not None:
            for waiting in batch:
                waiting.answer.set_exception(Stopped(self.failed or "stopped"))
            return
        state, told = self.state, list[AnyEvent]()
        answers: list[tuple[_Waiting, Answered]] = []
        kept: list[Answer] = []
        for waiting in batch:
            before = self._remembered(waiting)
            if before is not None:
                answers.append((waiting, before))
                continue
            answer = decide(self.felt, state, waiting.command, waiting.by)
            if isinstance(answer, Refusal):
                answers.append((waiting, Answered(state.version, answer)))
                continue
            assert answer.state is not None, "an accepted command leads to a state"
            state = answer.state
            told += answer.events
            answers.append((waiting, _accepted(state, answer)))
            if waiting.by.request:
                body = msgspec.json.encode(answers[-1][1])
                kept.append(Answer(waiting.by.person, waiting.by.request, waiting.asked, body))
        if told:
            try:
                await self.store.append(self._append(state, told, kept))
            except StoreFailed as failed:
                await self._not_written(batch, failed)
                return
        self._take(state, told)
        for waiting, given in answers:
            self._remember(waiting, given)
            waiting.answer.set_result(given)

    def _append(self, state: State, told: list[AnyEvent], kept: list[Answer]) -> Append:
        return Append(
            stream=self.name,
            expected=self.state.version,
            epoch=self._epoch,
            facts=[self._fact(event) for event in told],
            answers=kept,
            in_play=state.in_play,
        )

    def _fact(self, event: AnyEvent) -> Fact:
        moved = tuple(house_transfers(self.name, event))
        return Fact(codec.kind_of(event), event.by.at, codec.encode(event), moved)

    async def _not_written(self, batch: list[_Waiting], failed: StoreFailed) -> None:
        """Nothing of the batch happened. A wallet without money, or a request answered before a restart, is an answer;
        anything else stops the table."""
        alone = len(batch) == 1
        if failed.why is Failed.REQUEST_TAKEN and not alone:
            for waiting in batch:
                await self._write([waiting])
        elif failed.why is Failed.REQUEST_TAKEN:
            await self._answered_before(batch[0])
        elif failed.why is Failed.INVARIANT and alone and isinstance(batch[0].command, c.BuyIn):
            asked = show_money(batch[0].command.amount)
            refusal = Refusal(Reason.WALLET_EMPTY, None, {"amount": asked})
            batch[0].answer.set_result(Answered(self.state.version, refusal))
        else:
            self.failed = str(failed)
            for waiting in batch:
                waiting.answer.set_exception(Stopped(self.failed))

    async def _answered_before(self, waiting: _Waiting) -> None:
        kept = await self.store.answered(waiting.by.person, waiting.by.request)
        assert kept is not None, "the store said so"
        given = msgspec.json.decode(kept.answer, type=Answered)
        if kept.asked != waiting.asked:
            given = Answered(self.state.version, reused(waiting.by))
        waiting.answer.set_result(given)

    def _remembered(self, waiting: _Waiting) -> Answered | None:
        found = self._answers.get((waiting.by.person, waiting.by.request)) if waiting.by.request else None
        if found is None:
            return None
        asked, given = found
        return given if asked == waiting.asked else Answered(self.state.version, reused(waiting.by))

    def _remember(self, waiting: _Waiting, given: Answered) -> None:
        name = (waiting.by.person, waiting.by.request)
        if waiting.by.request and name not in self._answers:
            self._answers[name] = (waiting.asked, given)
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)

    def _take(self, state: State, told: list[AnyEvent]) -> None:
        changed = state.setup is not self.state.setup and state.setup is not None
        self.state = state
        if changed and state.setup is not None:
            self.felt = Felt.of(self.game, state.setup)
        if told and self.publish is not None:
            self.publish(self, tuple(told))

    async def _snapshot(self) -> None:
        kept = Snapshot(self.state.version, codec.STATE_SCHEMA, codec.encode_state(self.state))
        await self.store.keep_snapshot(self.name, kept)
        self._snapshot_at = self.state.version


def _accepted(state: State, answer: Accepted) -> Answered:
    return Answered(state.version, None, answer.refusals)
