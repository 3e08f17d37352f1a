"""One table in the house: the only writer of its stream.

Commands wait in one queue. Those that have queued up are decided one after the other, written in one transaction, and
only then acknowledged and published; the next ones are decided while the disk writes. If a batch cannot be written,
none of it happened: whatever was decided after it is decided again or refused. A failed write stops the table until it
is restarted. An internal error in handling one command is an incident: it refuses that command, or follows it once it
is durable, and the table continues.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from time import perf_counter

import msgspec

from puntobanco.house.stream import StreamWriter, answer_again, kept_answer
from puntobanco.house.tables import snapshots
from puntobanco.house.tables.idempotency import Deliver, Noted, QueuedCommand, RecentAnswers, digest, to
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
from puntobanco.table.evolve import Draft, replay
from puntobanco.table.felt import CURRENT, Felt
from puntobanco.table.setup import Setup
from puntobanco.table.state import State

MOST_AT_ONCE = 256
"""The most commands in one transaction. As many again are decided while it is written."""
MOST_WAITING = 20_000
"""The most commands of players in the queue: those of a full hall for many seconds while a disk stalls."""
DECIDED_AT_ONCE = 8
"""Commands decided before the event loop runs other tasks: less than a millisecond."""
SNAPSHOT_EVERY = 5_000
"""The number of events between two snapshots."""

RESTARTED = "the house was restarted"

Clock = Callable[[], int]
Publish = Callable[["RunningTable", tuple[AnyEvent, ...]], None]
Appraise = Callable[["RunningTable", c.Command], Awaitable[c.Worth | None]]
"""The worth of the bets on the cards that everyone knows when that command is sent."""
ShowSqueezed = Callable[["RunningTable"], Awaitable[None]]
"""Shows everyone the cards that are being squeezed, if the house knows them."""


class Stopped(Exception):
    """The table has failed or was stopped and accepts no commands."""


class _Step(msgspec.Struct):
    """Commands that were decided together and wait to be written."""

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
    draft: Draft = msgspec.field(default_factory=Draft)

    def take_back(self) -> None:
        """Forget what a command has changed that had no effect after all."""
        self.state, self.draft = replay(self.told, self.before), Draft()


_FELTS: dict[tuple[str, str | None, int], Felt] = {}


def felt_of(game: Game, setup: Setup, edition: int = CURRENT) -> Felt:
    """The felt, shared by all tables of a game and layout, because its established outcomes take a while to compute."""
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


def prepare(
    table: str, game: Game, felt: Felt, state: State, command: c.Command, by: By, draft: Draft | None = None
) -> Ready | Refusal:
    """Decide and encode one command."""
    answer = decide(felt, state, command, by, draft)
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
        self.show_squeezed: ShowSqueezed | None = None
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
        """Why the table has stopped, or None."""
        return self.stream.failed

    @property
    def depth(self) -> int:
        """The number of commands that wait to be decided."""
        return len(self._queue)

    # ---- life ----------------------------------------------------------------------------------------------------

    async def start(self, *, taken_over: int = 0) -> None:
        """Become the owner, load the state and recover an interrupted round. `taken_over`: the time at which another
        process that had the table was last alive."""
        await self.store.keep_game(self.game.fingerprint, self.game.canonical())
        await self.stream.claim()
        self.state, self._snapshot_at = await load_state(self.store, self.name)
        if self.state.setup is not None:
            self.felt = felt_of(self.game, self.state.setup)
        self._task = asyncio.create_task(self._run(), name=f"table {self.name}")
        await self._recover(taken_over)

    async def _recover(self, taken_over: int) -> None:
        """Handle a round that was running when the house stopped. The table is suspended until somebody has ruled, and
        no deadline runs in the meantime. Players who are choosing choose first. If another process takes over soon
        enough, the round continues.

        If the document has no rule for interruptions, the round is only paused and continues by itself, also if the
        house stopped again before it could.
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
        """Whether the round continues although another process has taken over the table."""
        away = max(0, self.clock() - taken_over)
        answer = await self.send(c.TakeOver(round=self.state.round, away=away), "house", Role.SYSTEM)
        return answer.refusal is None

    async def stop(self) -> None:
        """Decide the commands in the queue, then stop."""
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
        """Send a command; the house sets time and role. The answer comes when the result is durable. `confirmed`: how
        the guest whose money it moves confirmed it; `meant`: the original request, if the command was derived from
        it."""
        meant = meant or command
        if isinstance(command, c.APPRAISED):
            worth = await self.appraise(self, command) if self.appraise is not None else None
            command = msgspec.structs.replace(command, worth=worth)
        if (full := self._full(role)) is not None:
            return full
        by = By(person, role, self.clock(), request, second, confirmed, device, house)
        if isinstance(command, c.Report):
            try:
                stops = self._stops_a_squeeze(command, by)
            except Exception as error:
                return self.faulted(command, by, error)
            if stops and self.show_squeezed is not None:
                await self.show_squeezed(self)
                by = msgspec.structs.replace(by, at=self.clock())
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._take_in(command, by, meant, to(answer))
        return await answer

    def bet(self, slip: c.PlaceBets, person: str, role: Role, request: str, deliver: Deliver, *, device: bool) -> None:
        """Like `send`, for a command that waits for nothing before it is queued, without a task and a future."""
        if (full := self._full(role)) is not None:
            deliver(full)
            return
        self._take_in(slip, By(person, role, self.clock(), request, device=device), slip, deliver)

    def _full(self, role: Role) -> Answer | None:
        """The answer to a command that cannot be queued now."""
        if self.failed is not None or self._stopped:
            raise Stopped(self.failed or "the table was stopped")
        if role is Role.PLAYER and len(self._queue) >= MOST_WAITING:
            return Answer(self.state.version, Refusal(Reason.TOO_FAST))
        return None

    def _take_in(self, command: c.Command, by: By, meant: msgspec.Struct, deliver: Deliver) -> None:
        try:
            asked = digest(self.name, meant) if by.request else b""
        except Exception as error:
            deliver(self.faulted(command, by, error))
            return
        self._put(QueuedCommand(command, by, asked, deliver))

    def _stops_a_squeeze(self, report: c.Report, by: By) -> bool:
        """Whether somebody is squeezing a card, and after the report others decide about the round: they see the card
        before, since whoever squeezes it may know it. A claim that is only recorded ends nobody's squeeze, nor does a
        restart after which the round goes on by itself."""
        if not self.state.squeezed or (report.since and self.game.irregularities.interruption is None):
            return False
        found = decide(self.felt, self.state, report, by)
        return not isinstance(found, Refusal) and found.state is not None and found.state.phase is not self.state.phase

    def faulted(self, command: c.Command, by: By, error: Exception) -> Answer:
        """Refuse a command that could not be decided because of an internal error."""
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
        """The next commands of the queue, and whether more will come."""
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
        """Decide these commands while the ones before them are written, then write them."""
        step = await self._decided(batch, self._ahead)
        if not await self._durable():
            step = await self._decided(batch, None)
        self._ahead = step
        self._writing = asyncio.create_task(self._write(step))

    async def _durable(self) -> bool:
        """Wait for the write in progress. Returns whether it succeeded, so that what was decided after it is valid."""
        if self._writing is None:
            return True
        written, self._writing, self._ahead = await self._writing, None, None
        return written

    # ---- deciding ------------------------------------------------------------------------------------------------

    async def _decided(self, batch: list[QueuedCommand], after: _Step | None) -> _Step:
        """Decide commands on the state after another step, or on the durable state. Each sees the effects of those
        before it.

        The event loop runs other tasks in between, so that the write in progress and other tables continue.
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
        """Whatever may fail comes first: an error leaves the step unchanged."""
        changes, ready = step.draft.changes, None
        draft = step.draft if isinstance(waiting.command, c.PlaceBets) else None
        try:
            found = prepare(self.name, self.game, step.felt, step.state, waiting.command, waiting.by, draft)
            if isinstance(found, Refusal):
                return Answer(step.state.version, found)
            kept = [kept_answer(*waiting.name, waiting.asked, found.answer)] if waiting.by.request else []
            ready = found
        finally:
            if ready is None and step.draft.changes > changes:
                step.take_back()
        step.kept += kept
        step.felt, step.state = ready.felt, ready.state
        step.took.append(waiting)
        step.told += ready.events
        step.facts += ready.facts
        return ready.answer

    # ---- writing -------------------------------------------------------------------------------------------------

    async def _write(self, step: _Step) -> bool:
        """Whether the state is now that of the step. In any case every command in it gets an answer."""
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
        """Nothing of the batch happened. An empty wallet, or a request that was answered before a restart, is an
        answer; anything else stops the table."""
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
        """Deliver the answers. A request that is refused now may have taken effect before a restart: it gets its
        original answer."""
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
        """The stored answer to each command, if there is one."""
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
        """Make the state of the step the current one, and record the incidents on the way to it."""
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
        """An internal error stops this table and no other."""
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
        """Store a snapshot. If that fails, the next start replays from an earlier one."""
        try:
            await self.store.keep_snapshot(self.name, snapshots.kept(state))
        except StoreFailed:
            pass  # the store says so itself, to whoever writes next
        except Exception as error:
            self._tell_of(error)
        self._snapshot_at, self._keeping = state.version, None


def _transactions(batch: list[QueuedCommand]) -> Iterator[list[QueuedCommand]]:
    """A buy-in is written alone, because only the store knows the balance of the wallet."""
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
