"""The running house: its book, its tables, and everybody's way to them.

Whoever sends something is a person of the book; as what they act, and when, is the house's to say. One table's failure
stops that table alone.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from puntobanco.house import book as b
from puntobanco.house import errands as o
from puntobanco.house.book import STREAM, AnyEntry, Book, Who
from puntobanco.house.dealer import AutomaticDealer, Pace
from puntobanco.house.errands import AnyOfficeCommand
from puntobanco.house.office import Done, Office
from puntobanco.house.people import AT_THE_TABLE, COMMANDS, HOUSE, Person, Post
from puntobanco.house.runner import Runner
from puntobanco.house.seconds import SECONDED_BY, needs_second
from puntobanco.house.shoes import Sealed, new_shoe
from puntobanco.house.table import Answered, Clock, Hosted, Stopped
from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import Store, StoreFailed
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Refusal, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import BETWEEN_ROUNDS, Phase
from puntobanco.table.wire import KINDS

STARTED_AT_ONCE = 16
DEAD_AFTER = 60_000
"""Milliseconds without a beat after which a dealer that should run is called dead."""


class Watcher:
    """Who wants to know what happened, after it is durable. Each method may be overridden."""

    def at_table(self, table: Hosted, events: tuple[AnyEvent, ...]) -> None: ...

    def in_book(self, entry: AnyEntry) -> None: ...

    def fault(self, where: str, error: BaseException) -> None: ...


class House:
    """Tables and an office over one store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        pace: Pace | None = None,
        shoes: Callable[[int], Sealed] = new_shoe,
        program: tuple[str, str] = ("", ""),
    ) -> None:
        self.store, self.clock, self.pace, self._shoes, self._program = store, clock, pace or Pace(), shoes, program
        self.office = Office(store, self._in_book)
        self.tables: dict[str, Hosted] = {}
        self.games: dict[str, Game] = {}
        self.runners: dict[str, Runner] = {}
        self.broken: dict[str, str] = {}
        """Tables that could not be started, and why."""
        self.draining = False
        self._dealing = True
        self.watchers: list[Watcher] = []

    @property
    def book(self) -> Book:
        return self.office.book

    # ---- life ----------------------------------------------------------------------------------------------------

    async def open(self, *, dealing: bool = True) -> None:
        """Replay the book and every table. What was interrupted is dealt with by each table itself."""
        self._dealing = dealing
        await self.office.start()
        await self.office.note(b.HouseOpened(by=self.itself(), program=self._program[0], digest=self._program[1]))
        turn = asyncio.Semaphore(STARTED_AT_ONCE)

        async def start(entry: b.TableEntry) -> None:
            async with turn:
                await self._host(entry)

        await asyncio.gather(*(start(entry) for entry in self.book.tables.values() if not entry.retired))

    async def _host(self, entry: b.TableEntry) -> None:
        """Start one table; if it cannot be, the others do not feel it."""
        self.broken.pop(entry.name, None)
        try:
            game = await self._game(entry)
            table = Hosted(entry.name, game, opening_setup(game), self.store, self.clock, self._at_table)
            await table.start()
        except Exception as error:
            self.broken[entry.name] = f"{type(error).__name__}: {error}"
            self._fault(entry.name, error)
            return
        self.tables[entry.name] = table
        self._set_dealing(entry.name)

    async def _game(self, entry: b.TableEntry) -> Game:
        """The game as it was when the table was added, whatever the program brings today."""
        if entry.game in library.GAMES and library.game(entry.game).fingerprint == entry.fingerprint:
            return library.game(entry.game)
        content = await self.store.game(entry.fingerprint)
        if content is None:
            raise Refused(Reason.UNKNOWN_GAME, game=entry.game, known=", ".join((*library.GAMES, *self.book.games)))
        return library.from_canonical(content)

    async def restart(self, table: str) -> None:
        """Bring a table that failed back from its history."""
        old = self.tables.pop(table, None)
        await self._stop_dealing(table)
        if old is not None:
            await old.stop()
        await self._host(self.book.tables[table])

    async def drain(self, seconds: float) -> tuple[str, ...]:
        """Finish rounds and open none. Returns the tables that were still in one when the time was up."""
        self.draining = True
        finishing = [asyncio.create_task(runner.finish()) for runner in self.runners.values()]
        until = asyncio.get_running_loop().time() + seconds
        while self.in_round and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.05)
        for task in finishing:
            task.cancel()
        await asyncio.gather(*finishing, return_exceptions=True)
        return self.in_round

    async def close(self) -> None:
        """Stop every table as it is; the store stays open for whoever opened it."""
        self.draining = True
        await asyncio.gather(*(runner.stop() for runner in self.runners.values()))
        in_round = self.in_round
        for table in self.tables.values():
            try:
                await table.stop()
            except StoreFailed as error:
                self._fault(table.name, error)
        if self.office.failed is None:
            try:
                await self.office.note(b.HouseClosed(by=self.itself(), in_round=in_round))
            except StoreFailed as error:
                self._fault(STREAM, error)

    @property
    def in_round(self) -> tuple[str, ...]:
        done = {*BETWEEN_ROUNDS, Phase.CLOSED}
        return tuple(name for name, one in self.tables.items() if one.failed is None and one.state.phase not in done)

    @property
    def dead(self) -> tuple[str, ...]:
        """Dealers that should be running and have not been heard of for too long."""
        now = self.clock()
        return tuple(
            name
            for name, runner in self.runners.items()
            if not runner.finishing and (not runner.alive or now - runner.last_beat > DEAD_AFTER)
        )

    @property
    def failed(self) -> dict[str, str]:
        """What does not work, and why: tables, or the book itself."""
        stopped = {name: table.failed for name, table in self.tables.items() if table.failed is not None}
        return self.broken | stopped | ({STREAM: self.office.failed} if self.office.failed else {})

    # ---- who is who ----------------------------------------------------------------------------------------------

    def itself(self, request: str = "") -> Who:
        return Who("house", None, self.clock(), request=request)

    def person(self, name: str) -> Person:
        person = self.book.people.get(name)
        if person is None or not person.active:
            raise Refused(Reason.ACCESS_DENIED, what=name)
        return person

    def post(self, name: str, table: str = HOUSE) -> Post | None:
        """What that person is at the table: assigned there by the pit, or by the book."""
        person = self.person(name)
        hosted = self.tables.get(table)
        acting = hosted.state.acting.get(name) if hosted is not None else None
        return Post(acting.value) if acting is not None else person.post_at(table)

    def table(self, name: str) -> Hosted:
        table = self.tables.get(name)
        if table is None:
            entry = self.book.tables.get(name)
            known = entry is not None and not entry.retired
            raise Refused(Reason.TABLE_STOPPED if known else Reason.UNKNOWN_TABLE, table=name)
        return table

    # ---- at a table ----------------------------------------------------------------------------------------------

    async def do(self, name: str, table: str, command: c.Command, request: str = "", address: str = "") -> Answered:
        """A command of a person at a table; refused, held for a second person, or decided by the table."""
        hosted = self.table(table)
        try:
            post = self.post(name, table)
            self._check_heard(post, command)
            self._check_cards(hosted, command)
        except Refused as refused:
            await self.denied(name, f"{type(command).__name__} at {table}", address)
            return Answered(hosted.state.version, Refusal.of(refused))
        if self.draining and isinstance(command, c.OpenBetting):
            return Answered(hosted.state.version, Refusal(Reason.HOUSE_DRAINING, None, {}))
        assert post is not None, "nothing is heard from nobody"
        role = AT_THE_TABLE[post]
        if isinstance(command, c.BuyIn) and (refusal := self._no_player(command.person)) is not None:
            return Answered(hosted.state.version, refusal)
        if needs_second(hosted.state, command):
            return await self._ask_second(hosted, command, Who(name, post, self.clock(), address, request), role)
        try:
            return await hosted.send(command, name, role, request)
        except Stopped:
            return Answered(hosted.state.version, Refusal(Reason.TABLE_STOPPED, None, {"table": table}))

    def _check_heard(self, post: Post | None, command: c.Command) -> None:
        if post is None or type(command) not in COMMANDS.get(post, frozenset()):
            raise Refused(Reason.ACCESS_DENIED, what=type(command).__name__)

    def _check_cards(self, hosted: Hosted, command: c.Command) -> None:
        """An electronic shoe is the house's own: nobody else loads one, names one like it, or says what came out of it.
        Otherwise an order that is known already could be dealt again, or shown while it is dealt elsewhere."""
        itself = self.book.tables[hosted.name].automatic and isinstance(command, c.LoadShoe | c.DrawCard | c.ExposeCard)
        alike = isinstance(command, c.LoadShoe) and (command.source is Source.ELECTRONIC or "/" in command.shoe)
        if itself or alike:
            raise Refused(Reason.ACCESS_DENIED, what=type(command).__name__)

    def _no_player(self, name: str) -> Refusal | None:
        person = self.book.people.get(name)
        if person is None or Post.PLAYER not in person.posts:
            return Refusal(Reason.UNKNOWN_PERSON, None, {"person": name})
        return None

    async def _ask_second(self, hosted: Hosted, command: c.Command, by: Who, role: Role) -> Answered:
        """What would be refused anyway is refused at once; the rest waits for somebody else."""
        found = decide(hosted.felt, hosted.state, command, By(by.person, role, by.at, by.request))
        if isinstance(found, Refusal):
            return Answered(hosted.state.version, found)
        asked: dict[str, Any] = msgspec.to_builtins(command, str_keys=True)
        for number, waiting in self.book.waiting.items():
            if (waiting.table, waiting.command, waiting.by.person) == (hosted.name, asked, by.person):
                return Answered(hosted.state.version, waits=number)
        return Answered(hosted.state.version, waits=await self.office.ask_second(hosted.name, asked, by))

    # ---- in the office -------------------------------------------------------------------------------------------

    async def manage(self, name: str, command: AnyOfficeCommand, request: str = "", address: str = "") -> Done:
        """A command of a person to the office."""
        try:
            post = self._office_post(name, command)
            o.check_heard(command, post)
        except Refused as refused:
            await self.denied(name, type(command).__name__, address)
            return Done(self.book.version, Refusal.of(refused))
        return await self._manage(command, Who(name, post, self.clock(), address, request))

    def _office_post(self, name: str, command: AnyOfficeCommand) -> Post | None:
        person = self.person(name)
        return person.post_at(getattr(command, "table", HOUSE))

    async def _manage(self, command: AnyOfficeCommand, by: Who) -> Done:
        if isinstance(command, o.RetireTable):
            table = self.tables.get(command.table)
            if table is not None and table.state.phase is not Phase.CLOSED:
                return Done(self.book.version, Refusal(Reason.TABLE_IN_USE, None, {"table": command.table}))
        if isinstance(command, o.AddGame):
            game, _ = library.game_from(command.content)
            await self.store.keep_game(game.fingerprint, game.canonical())
            await self.store.keep_game(f"source:{game.fingerprint}", command.content.encode())
        done = await self.office.do(command, by)
        if done.refusal is None and done.waits is None:
            await self._take_effect(command)
        return done

    async def _take_effect(self, command: AnyOfficeCommand) -> None:
        match command:
            case o.AddTable() if command.table not in self.tables:
                await self._host(self.book.tables[command.table])
            case o.SetDealing() if command.automatic:
                self._set_dealing(command.table)
            case o.SetDealing():
                await self._stop_dealing(command.table)
            case o.RetireTable():
                await self._stop_dealing(command.table)
                if (table := self.tables.pop(command.table, None)) is not None:
                    await table.stop()
            case _:
                return

    # ---- second persons ------------------------------------------------------------------------------------------

    async def confirm(self, name: str, number: int, address: str = "") -> Answered | Done:
        """The second person agrees: it is decided now, as the first one's, with both names on it."""
        try:
            waiting = self._waiting(name, number)
        except Refused as refused:
            if refused.reason is Reason.ACCESS_DENIED:
                await self.denied(name, f"confirm {number}", address)
            return Done(self.book.version, Refusal.of(refused))
        by = Who(name, self.post(name, waiting.table or HOUSE), self.clock(), address)
        if not waiting.table:
            command = msgspec.convert(waiting.command, AnyOfficeCommand)
            first = msgspec.structs.replace(waiting.by, at=by.at, request=f"second:{number}", second=name)
            done = await self._manage(command, first)
            await self.office.note(b.SecondGiven(by=by, number=number, refused=_why(done.refusal)))
            return done
        hosted = self.table(waiting.table)
        kind = KINDS[waiting.command["type"]]
        sent = msgspec.convert(waiting.command, kind, str_keys=True)
        assert waiting.by.post is not None, "it was heard from somebody"
        role = AT_THE_TABLE[waiting.by.post]
        try:
            answered = await hosted.send(sent, waiting.by.person, role, f"second:{number}", name)
        except Stopped:
            return Answered(hosted.state.version, Refusal(Reason.TABLE_STOPPED, None, {"table": waiting.table}))
        await self.office.note(b.SecondGiven(by=by, number=number, refused=_why(answered.refusal)))
        return answered

    async def decline(self, name: str, number: int, reason: str, address: str = "") -> Done:
        """The second person says no, or the first takes it back."""
        try:
            waiting = self.book.waiting.get(number)
            if waiting is None or waiting.by.person != name:
                waiting = self._waiting(name, number)
            if not reason.strip():
                raise Refused(Reason.REASON_WANTED)
        except Refused as refused:
            return Done(self.book.version, Refusal.of(refused))
        by = Who(name, self.post(name, waiting.table or HOUSE), self.clock(), address)
        await self.office.note(b.SecondDeclined(by=by, number=number, reason=reason))
        return Done(self.book.version)

    def may_second(self, name: str, waiting: b.Waiting) -> bool:
        """Whether that person could be the second for it."""
        if waiting.by.person == name:
            return False
        if waiting.table:
            return self.post(name, waiting.table) in SECONDED_BY
        command = msgspec.convert(waiting.command, AnyOfficeCommand)
        post = self._office_post(name, command)
        unlike = not isinstance(command, o.Fill | o.Credit) or (post is Post.CASHIER) != (
            waiting.by.post is Post.CASHIER
        )
        return post in o.SECONDED_BY[type(command)] and unlike

    def _waiting(self, name: str, number: int) -> b.Waiting:
        waiting = self.book.waiting.get(number)
        if waiting is None:
            raise Refused(Reason.NOTHING_WAITS, number=number)
        if waiting.by.person == name:
            raise Refused(Reason.SECOND_IS_FIRST)
        if not self.may_second(name, waiting):
            raise Refused(Reason.ACCESS_DENIED, what=f"confirm {number}")
        return waiting

    # ---- what is told --------------------------------------------------------------------------------------------

    async def denied(self, name: str, what: str, address: str = "") -> None:
        """Every refusal of access is in the book."""
        person = self.book.people.get(name)
        by = Who(name, person.post_at() if person else None, self.clock(), address)
        await self.office.note(b.AccessDenied(by=by, what=what))

    def _at_table(self, table: Hosted, events: tuple[AnyEvent, ...]) -> None:
        for watcher in self.watchers:
            watcher.at_table(table, events)

    def _in_book(self, entry: AnyEntry) -> None:
        for watcher in self.watchers:
            watcher.in_book(entry)

    def _fault(self, where: str, error: BaseException) -> None:
        for watcher in self.watchers:
            watcher.fault(where, error)

    # ---- dealing by itself ---------------------------------------------------------------------------------------

    def _set_dealing(self, table: str) -> None:
        if not self.book.tables[table].automatic or self.draining or not self._dealing or table in self.runners:
            return
        dealer = AutomaticDealer(self.tables[table], self.pace, self._shoes)
        self.runners[table] = Runner(dealer, self.clock, self._fault)
        self.runners[table].start()

    async def _stop_dealing(self, table: str) -> None:
        """At once: the round stays where it is, for whoever deals on."""
        if (runner := self.runners.pop(table, None)) is not None:
            await runner.stop()


def _why(refusal: Refusal | None) -> str:
    return str(refusal.reason) if refusal is not None else ""


def opening_setup(game: Game) -> Setup:
    """A table of that game as it is offered to whoever opens it."""
    layout = game.layout()
    return Setup(
        game=game.key,
        fingerprint=game.fingerprint,
        layout=layout.key if layout else None,
        boxes=layout.most_boxes if layout else 0,
        decks=8,
        minimum=o.DEFAULT_MINIMUM,
        differential=o.DEFAULT_DIFFERENTIAL,
    )
