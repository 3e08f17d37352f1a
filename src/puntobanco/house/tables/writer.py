"""One table in the house: the only writer of its stream.

Commands wait in one queue. What has queued up is decided one after the other on the state so far, written in one
transaction, and only then acknowledged and published; what queues up meanwhile is decided while the disk works. If
something cannot be written, nothing of it happened, whatever was decided on top of it is decided again or refused, and
the table stops: one that has failed hears nothing until it is started again. A fault of ours in handling one command is
an incident: it refuses that command, or follows on it once it is durable, and the table goes on.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from time import perf_counter

import msgspec

from puntobanco.house.stream import StreamWriter, answer_again, kept_answer
from puntobanco.house.tables import snapshots
from puntobanco.house.tables.idempotency import Noted, QueuedCommand, RecentAnswers, digest
from puntobanco.house.tables.incidents import Raised, incident, refusal
from puntobanco.house.tables.snapshots import load_state
from puntobanco.protocol.account_names import house_transfers
from puntobanco.protocol.answers import Answer, LineRefused
from puntobanco.protocol.incidents import Incident, Stage
from puntobanco.rules.game import Game
from puntobanco.rules.money import write_money
from puntobanco.rules.refusal import Reason, Refusal
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import Fact, Failed, StoredAnswer, StoreFailed
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Confirmation, Role
from puntobanco.table.decide import decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.felt import CURRENT, Felt
from puntobanco.table.setup import Setup
from puntobanco.table.state import State

MOST_AT_ONCE = 256
"""Commands of one transaction at the most; with as many again the next is decided while this one is written."""
MOST_WAITING = 20_000
"""Commands of players that may wait: those of a full hall for many seconds, while a disk stands still."""
DECIDED_AT_ONCE = 8
"""Commands decided before the loop has its turn: less than a millisecond."""
SNAPSHOT_EVERY = 5_000
"""Events after which the state is kept again."""

RESTARTED = "the house was restarted"

Clock = Callable[[], int]
Publish = Callable[["RunningTable", tuple[AnyEvent, ...]], None]
Appraise = Callable[["RunningTable"], Awaitable[c.Worth | None]]
"""What bets are worth on cards in sight, for whoever opens a round on them."""


class Stopped(Exception):
    """The table has failed or was stopped and hears nothing."""


class _Step(msgspec.Struct):
    """What was decided together and waits to be written."""

    batch: list[QueuedCommand]
    felt: Felt
    before: State
    state: State
    took: list[QueuedCommand] = []
    """What of the batch took effect."""
    told: list[AnyEvent] = []
    facts: list[Fact] = []
    answers: list[Answer] = []
    incidents: dict[int, Incident] = {}
    """By their place in the batch, commands that could not be decided."""
    noted: Noted = {}
    """Answers to requests that had none before."""
    kept: list[StoredAnswer] = []


_FELTS: dict[tuple[str, str | None, int], Felt] = {}


def felt_of(game: Game, setup: Setup, edition: int = CURRENT) -> Felt:
    """One for all tables of a game and layout: what is established on it takes a while to compute, once."""
    key = (game.fingerprint, setup.layout, edition)
    if key not in _FELTS:
        _FELTS[key] = Felt.of(game, setup, edition)
    return _FELTS[key]


class Ready(msgspec.Struct):
    """An accepted command, as it is written and answered."""

    felt: Felt
    state: State
    events: tuple[AnyEvent, ...]
    facts: list[Fact]
    answer: Answer


def prepare(table: str, game: Game, felt: Felt, state: State, command: c.Command, by: By) -> Ready | Refusal:
    """Decide and encode one command."""
    answer = decide(felt, state, command, by)
    if isinstance(answer, Refusal):
        return answer
    after = answer.state
    assert after is not None, "an accepted command leads to a state"
    if after.setup is not None and after.setup is not state.setup:
        felt = felt_of(game, after.setup)
    facts = [
        Fact(codec.kind_of(event), event.by.at, codec.encode(event), tuple(house_transfers(table, event)))
        for event in answer.events
    ]
    lines = tuple([LineRefused(line, why) for line, why in answer.refusals])
    return Ready(felt, after, answer.events, facts, Answer(after.version, None, lines))


class RunningTable:
    """A running table: its queue, its state and its stream."""

    def __init__(
        self, name: str, game: Game, setup: Setup, store: Store, clock: Clock, publish: Publish | None = None
    ) -> None:
        self.name, self.game, self.store, self.clock, self.publish = name, game, store, clock, publish
        self.felt = felt_of(game, setup)
        self.state = State()
        self.stream = StreamWriter(store, name)
        self.measured: Callable[[int, float], None] | None = None
        """Told of every append: how many commands became durable by it, and in how many seconds."""
        self.raised: Raised = self._unheard
        """Enters an incident and gives it a number."""
        self.appraise: Appraise | None = None
        self._stopped = False
        self._queue: deque[QueuedCommand | None] = deque()
        self._queued = asyncio.Event()
        self._answers = RecentAnswers()
        self._task: asyncio.Task[None] | None = None
        self._ahead: _Step | None = None
        self._writing: asyncio.Task[bool] | None = None
        self._snapshot_at = 0
        self._keeping: asyncio.Task[None] | None = None

    @property
    def failed(self) -> str | None:
        """Why the table has stopped, if it has."""
        return self.stream.failed

    @property
    def depth(self) -> int:
        """How many commands wait to be decided."""
        return len(self._queue)

    # ---- life ----------------------------------------------------------------------------------------------------

    async def start(self, *, taken_over: int = 0) -> None:
        """Become the owner, come to the state of the history, and deal with what was interrupted. `taken_over`: when
        another process, which had the table, was last there."""
        await self.store.keep_game(self.game.fingerprint, self.game.canonical())
        await self.stream.claim()
        self.state, self._snapshot_at = await load_state(self.store, self.name)
        if self.state.setup is not None:
            self.felt = felt_of(self.game, self.state.setup)
        self._task = asyncio.create_task(self._run(), name=f"table {self.name}")
        await self._recover(taken_over)

    async def _recover(self, taken_over: int) -> None:
        """A round that was running when the house stopped: the table is suspended until the finding, and nobody's time
        has run meanwhile. Players who are choosing choose first. If another process takes it over soon enough, the
        round goes on.

        Where the document has no word on it, it is a pause that goes on by itself, also if the house stopped again
        before it could.
        """
        runs = self.state.in_round and (self.state.interrupted is None or self.state.options is not None)
        if runs and not (taken_over and await self._goes_on(taken_over)):
            since = await self.store.last_moment(self.name)
            report = c.Report(round=self.state.round, fault=c.Fault.TECHNICAL, note=RESTARTED, since=since)
            await self.send(report, "house", Role.SYSTEM)
        question = self.state.question
        ours = {one.number for one in self.state.faults if one.note == RESTARTED and not one.claimed_by}
        if self.game.irregularities.interruption is None and question is not None and question.report in ours:
            go_on = c.Rule(question=question.number, choice=c.Choice.CONTINUE, reason="the house is back")
            await self.send(go_on, "house", Role.SYSTEM)

    async def _goes_on(self, taken_over: int) -> bool:
        """Whether the round goes on although its table has changed hands."""
        away = max(0, self.clock() - taken_over)
        answer = await self.send(c.TakeOver(round=self.state.round, away=away), "house", Role.SYSTEM)
        return answer.refusal is None

    async def stop(self) -> None:
        """Decide what is in the queue, then stop."""
        self._stopped = True
        if self._task is not None:
            self._put(None)
            await self._task
        if self._keeping is not None:
            await self._keeping
        if self.failed is None and self.state.version > self._snapshot_at:
            await self._keep(self.state)

    # ---- commands ------------------------------------------------------------------------------------------------

    async def send(
        self,
        command: c.Command,
        person: str,
        role: Role,
        request: str = "",
        second: str = "",
        *,
        confirmed: Confirmation | None = None,
        device: bool = False,
        house: bool = False,
        meant: msgspec.Struct | None = None,
    ) -> Answer:
        """Time and role are the house's to say. The answer comes when what happened is durable. `confirmed`: how the
        guest whose money it is confirmed it; `meant`: what was asked for, if the command was made of it as the table
        stood."""
        meant = meant or command
        if isinstance(command, c.OpenBetting):
            worth = await self.appraise(self) if self.appraise is not None else None
            command = msgspec.structs.replace(command, worth=worth)
        if self.failed is not None or self._stopped:
            raise Stopped(self.failed or "the table was stopped")
        if role is Role.PLAYER and len(self._queue) >= MOST_WAITING:
            return Answer(self.state.version, Refusal(Reason.TOO_FAST))
        by = By(person, role, self.clock(), request, second, confirmed, device, house)
        try:
            asked = digest(self.name, meant) if request else b""
        except Exception as error:
            return self.faulted(command, by, error)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._put(QueuedCommand(command, by, asked, answer))
        return await answer

    def faulted(self, command: c.Command, by: By, error: Exception) -> Answer:
        """Refuse a command that a fault kept from being decided."""
        found = incident(self.name, self.state, Stage.DECIDING, [(command, by)], error)
        return Answer(self.state.version, refusal(self.raised(found)))

    def _put(self, waiting: QueuedCommand | None) -> None:
        self._queue.append(waiting)
        self._queued.set()

    async def _run(self) -> None:
        going_on, batch = True, list[QueuedCommand]()
        try:
            while going_on and self.failed is None:
                batch, going_on = await self._next()
                for together in _transactions(batch):
                    await self._advance(together)
        except Exception as error:
            await self._durable()
            self._fault(error, batch)
        await self._durable()
        self._refuse([left for left in self._queue if left is not None])
        self._queue.clear()

    async def _next(self) -> tuple[list[QueuedCommand], bool]:
        """What has queued up, and whether more will come."""
        await self._queued.wait()
        batch: list[QueuedCommand] = []
        while self._queue and len(batch) < MOST_AT_ONCE:
            one = self._queue.popleft()
            if one is None:
                return batch, False
            batch.append(one)
        if not self._queue:
            self._queued.clear()
        return batch, True

    async def _advance(self, batch: list[QueuedCommand]) -> None:
        """Decide these while the ones before them are written; then write them."""
        step = await self._decided(batch, self._ahead)
        if not await self._durable():
            step = await self._decided(batch, None)
        self._ahead = step
        self._writing = asyncio.create_task(self._write(step))

    async def _durable(self) -> bool:
        """Whether what is being written was, and so what was decided on it holds."""
        if self._writing is None:
            return True
        written, self._writing, self._ahead = await self._writing, None, None
        return written

    # ---- deciding ------------------------------------------------------------------------------------------------

    async def _decided(self, batch: list[QueuedCommand], after: _Step | None) -> _Step:
        """What becomes of them after another step, or after what is durable. Each sees what those before it did.

        Now and then the loop has its turn, so that what is being written, and other tables, go on meanwhile.
        """
        felt, state = (after.felt, after.state) if after else (self.felt, self.state)
        step = _Step(batch, felt, state, state)
        pending = (after.noted,) if after else ()
        for nth, waiting in enumerate(batch, start=1):
            if nth % DECIDED_AT_ONCE == 0:
                await asyncio.sleep(0)
            given = self._answers.before(waiting, step.state.version, step.noted, *pending)
            if given is None:
                try:
                    given = self._decide(step, waiting)
                except Exception as error:
                    sent = [(waiting.command, waiting.by)]
                    step.incidents[len(step.answers)] = incident(self.name, step.state, Stage.DECIDING, sent, error)
                    given = Answer(step.state.version)  # until the incident has a number
                else:
                    if waiting.by.request:
                        step.noted[waiting.name] = (waiting.asked, given)
            step.answers.append(given)
        return step

    def _decide(self, step: _Step, waiting: QueuedCommand) -> Answer:
        """Whatever may fail comes first: a fault leaves the step as it was."""
        ready = prepare(self.name, self.game, step.felt, step.state, waiting.command, waiting.by)
        if isinstance(ready, Refusal):
            return Answer(step.state.version, ready)
        if waiting.by.request:
            step.kept.append(kept_answer(*waiting.name, waiting.asked, ready.answer))
        step.felt, step.state = ready.felt, ready.state
        step.took.append(waiting)
        step.told += ready.events
        step.facts += ready.facts
        return ready.answer

    # ---- writing -------------------------------------------------------------------------------------------------

    async def _write(self, step: _Step) -> bool:
        """Whether the state is now that of the step; whatever happens, everyone in it gets an answer."""
        try:
            return await self._written(step)
        except Exception as error:
            self._fault(error, step.batch)
            return False

    async def _written(self, step: _Step) -> bool:
        if self.failed is not None:
            self._refuse(step.batch)
            return False
        if step.told:
            try:
                began = perf_counter()
                await self.stream.append(self.state.version, step.facts, step.kept, step.state.in_play)
            except StoreFailed as failed:
                await self._not_written(step.batch, failed)
                return False
            if self.measured is not None:
                self.measured(len(step.batch), perf_counter() - began)
        self._take(step)
        try:
            await self._acknowledge(step)
            if step.told and self.publish is not None:
                self.publish(self, tuple(step.told))
        except StoreFailed:
            raise
        except Exception as error:  # what happened has happened, and everyone is told what was decided
            for waiting, given in zip(step.batch, step.answers, strict=True):
                waiting.give(given)
            sent = [(waiting.command, waiting.by) for waiting in step.took]
            self.raised(incident(self.name, step.before, Stage.PUBLISHING, sent, error))
        return True

    async def _not_written(self, batch: list[QueuedCommand], failed: StoreFailed) -> None:
        """Nothing of the batch happened. A wallet without money, or a request answered before a restart, is an answer;
        anything else stops the table."""
        first = batch[0]
        if failed.why is Failed.REQUEST_TAKEN:
            before = list(zip(batch, await self._before(batch), strict=True))
            rest = [waiting for waiting, given in before if given is None]
            assert len(rest) < len(batch), "the store knows which request was answered"
            for waiting, given in before:
                if given is not None:
                    waiting.give(given)
            if rest:
                await self._write(await self._decided(rest, None))
        elif failed.why is Failed.INVARIANT and len(batch) == 1 and isinstance(first.command, c.BuyIn):
            refusal = Refusal(Reason.WALLET_EMPTY, None, {"amount": write_money(first.command.amount)})
            first.give(Answer(self.state.version, refusal))
        else:
            self.stream.give_up(str(failed))
            self._refuse(batch)

    async def _acknowledge(self, step: _Step) -> None:
        """A request refused now may have taken effect before a restart: then it has the answer it had."""
        doubtful: list[tuple[QueuedCommand, Answer]] = []
        for waiting, given in zip(step.batch, step.answers, strict=True):
            if given.refusal is not None and waiting.by.request:
                doubtful.append((waiting, given))
            else:
                waiting.give(given)
        if doubtful:
            before = await self._before([waiting for waiting, _ in doubtful])
            for (waiting, given), kept_before in zip(doubtful, before, strict=True):
                waiting.give(kept_before or given)

    async def _before(self, batch: list[QueuedCommand]) -> list[Answer | None]:
        """How the store says that each was answered."""
        found = await self.store.answered_among([waiting.name for waiting in batch])
        before: list[Answer | None] = []
        for waiting in batch:
            kept_before = found.get(waiting.name)
            if kept_before is None:
                before.append(None)
                continue
            self._answers.forget(waiting)
            try:
                before.append(answer_again(kept_before, waiting.asked, self.state.version))
            except Exception as error:
                before.append(self.faulted(waiting.command, waiting.by, error))
        return before

    def _take(self, step: _Step) -> None:
        """The state is that of the step now, and what could not be decided on the way to it is on record."""
        self.state, self.felt = step.state, step.felt
        for place, found in step.incidents.items():
            waiting, given = step.batch[place], Answer(found.version, refusal(self.raised(found)))
            step.answers[place] = given
            if waiting.by.request:
                step.noted[waiting.name] = (waiting.asked, given)
        self._answers.note(step.noted)
        if self.state.version >= self._snapshot_at + SNAPSHOT_EVERY and self._keeping is None:
            self._keeping = asyncio.create_task(self._keep(self.state))

    # ---- what goes wrong -----------------------------------------------------------------------------------------

    def _fault(self, error: Exception, batch: list[QueuedCommand]) -> None:
        """A fault of ours stops this table and no other."""
        self.stream.give_up(f"{type(error).__name__}: {error}")
        self._refuse(batch)
        self._tell_of(error)

    def _tell_of(self, error: Exception) -> None:
        told = {"message": f"table {self.name}: {error}", "exception": error}
        asyncio.get_running_loop().call_exception_handler(told)

    def _unheard(self, found: Incident) -> int:
        told = {"message": f"table {self.name}: {found.error}"}
        asyncio.get_running_loop().call_exception_handler(told)
        return 0

    def _refuse(self, batch: list[QueuedCommand]) -> None:
        for waiting in batch:
            waiting.give(Stopped(self.failed or "the table was stopped"))

    # ---- snapshots -----------------------------------------------------------------------------------------------

    async def _keep(self, state: State) -> None:
        """Beside the writing: a table that cannot keep a snapshot is replayed from an earlier one."""
        try:
            await self.store.keep_snapshot(self.name, snapshots.kept(state))
        except StoreFailed:
            pass  # the store says so itself, to whoever writes next
        except Exception as error:
            self._tell_of(error)
        self._snapshot_at, self._keeping = state.version, None


def _transactions(batch: list[QueuedCommand]) -> Iterator[list[QueuedCommand]]:
    """Crossing to a wallet is written alone, since only the store knows what the wallet holds."""
    together: list[QueuedCommand] = []
    for waiting in batch:
        if isinstance(waiting.command, c.BuyIn):
            if together:
                yield together
            yield [waiting]
            together = []
        else:
            together.append(waiting)
    if together:
        yield together
