"""A run: people at a house, each with their lines, sending what chance gives them until so many commands were sent."""

import asyncio
import random
from collections import deque
from contextlib import suppress
from itertools import cycle
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from puntobanco.protocol.live import FromScreen
from puntobanco.protocol.posts import Post
from puntobanco.rules import library
from puntobanco.rules.refusal import Refused
from puntobanco.table.reading import read_command
from puntobanco.web.http.operations import read_json
from tests.fuzz import crew, office, play, script
from tests.fuzz.chance import Chance, Table, mutated
from tests.fuzz.house import BY_NAME, CREW, FELTS, PEOPLE, PLAYERS, Felt, Server
from tests.fuzz.script import Step, in_path, resolved
from tests.fuzz.wire import LOST, PATIENCE, Http, Line, Told, told_of
from tests.fuzz.witness import NUMBERED, Witness

LINES = 2
"""Live connections each person has, made when they are first used."""
PASSWORD = "nine herons over the quiet river"
EYE = CREW[Post.AUDITOR][0]
KEPT_WAITING = 10
LOOKS, CATCHES_UP, CLERKS, SECONDS = 0.25, 1.0, 12, 6
UNHURRIED = frozenset({"PlaceBets", "BuyIn", "CashOut", "TakeSeat", "LeaveSeat", "WalkAway", "Object", "AdviseMinimum",
                       "ReturnBet", "RejectExcess", "NoteLateBet", "Insure", "Elect", "ChooseAfterTie"})  # fmt: skip
"""What screens are told a little later; nothing waits for that."""


class Somebody:
    """A person's session, as many live connections as they use, and one for requests."""

    def __init__(self, run: "Run", name: str) -> None:
        self.run, self.name = run, name
        self.token, self.address = run.server.tokens[name], run.server.url.removeprefix("http://")
        self.http = Http(self.token, self.address)
        self.lines: list[Line | None] = [None] * LINES
        self.watched: dict[int, list[str]] = {number: [] for number in range(LINES)}
        self.out = False
        """Their session is over."""
        self._turns = [asyncio.Lock() for _ in range(LINES)]

    async def line(self, number: int) -> Line | None:
        """Open again if it was lost; none for somebody who is let in no more."""
        async with self._turns[number]:
            line = self.lines[number]
            if line is not None and line.up:
                return line
            host, _, port = self.address.rpartition(":")
            loop = asyncio.get_running_loop()
            try:
                _, line = await loop.create_connection(
                    lambda: Line(self.name, self.token, self.address, self.run.heard), host, int(port)
                )
            except OSError:
                return None
            status = await line.open
            self.out = status == 401
            if status != 101:
                return None
            self.lines[number] = line
            for table in self.watched[number]:
                line.watch(table, board=PEOPLE[self.name] is Post.BOARD)
            return line

    async def watch(self, number: int, table: str) -> None:
        self.watched[number].append(table)
        line = await self.line(number)
        if line is not None and table not in line.watching:
            line.watch(table, board=PEOPLE[self.name] is Post.BOARD)

    def close(self) -> None:
        self.http.close()
        for line in self.lines:
            if line is not None:
                line.drop()


class Run:
    """Everything one run holds. `record`: where steps are written as they are sent."""

    def __init__(self, server: Server, seed: int, commands: int = 0, record: BinaryIO | None = None) -> None:
        self.server, self.seed, self.left, self._record = server, seed, commands, record
        self.witness = Witness(server.log)
        self.people = {name: Somebody(self, name) for name in PEOPLE}
        self.tables = {felt.name: Table(felt) for felt in FELTS}
        self.sent = 0
        self._recent: deque[tuple[Step, Any]] = deque(maxlen=400)
        """What was sent lately, as it was resolved, to be sent again."""

    @property
    def going(self) -> bool:
        return self.left > 0 and not self.witness.wrong and self.server.running

    async def open(self) -> None:
        """Somebody looks at every table; people of every audience look at some."""
        for name in self.tables:
            await self.people[EYE].watch(0, name)
        names = list(BY_NAME)
        for number, person in enumerate((*PLAYERS, "wall", "dora", "tom")):
            for offset in range(3):
                await self.people[person].watch(0, names[(3 * number + offset) % len(names)])
        async with asyncio.timeout(PATIENCE):
            while not all(table.version for table in self.tables.values()):
                await asyncio.sleep(0.02)

    def close(self) -> None:
        for person in self.people.values():
            person.close()

    def heard(self, line: Line, told: dict[str, Any], content: bytes) -> None:
        if not self.witness.heard(line.person, told, content):
            line.watch(told["table"])
        if line.person == EYE and told["type"] in ("Public", "Whole"):
            table = self.tables.get(told["table"])
            view = told.get("view") or told.get("public")
            if table is not None and view is not None:
                table.view, table.version = view, told["version"]
                table.setup = told.get("setup") or table.setup
                table.changed.set()

    # ---- one sending ---------------------------------------------------------------------------------------------

    async def send(self, step: Step, *, same: bool | None = True) -> Told:
        """As the table stands now; recorded as it was meant. `same`: see `Witness.answered`."""
        self.left -= 1
        self.sent += 1
        first = not step.request
        if first:
            step = replace(step, request=f"f{self.witness.begun(step)}")
        table = self.tables.get(step.table)
        names = table.names if table is not None else {"round": 1, "waits": 0}
        names |= {"alerted": self._alert[0], "alert": self._alert[1]}
        try:
            told = await self._sent(step, names, first=first)
        except TimeoutError:
            self.witness.read_log()
            self.witness.wrong.append(f"{step.kind} of {step.who} has no answer after {PATIENCE:.0f} seconds")
            return LOST
        finally:
            if self._record is not None:  # in the order of the answers, which is that of the effects
                self._record.write(script.encoded(step))
        if told.waits is not None and table is not None:
            table.waits.append(told.waits)
        self.witness.answered(step, told, same=same)
        return told

    _alert = ("nowhere", 1)
    """The table and version of the last alert somebody saw."""

    async def _sent(self, step: Step, names: dict[str, Any], *, first: bool) -> Told:
        person = self.people.get(step.who)
        if person is None:
            return LOST
        if step.drop:
            line = person.lines[step.line]
            if line is not None:
                line.drop()
            return Told()
        request = step.request.removeprefix("!")
        if step.path:
            content = None
            if step.body is not None:
                body = resolved(step.body, names)
                if step.path.endswith(NUMBERED):
                    body = {"request": request, **body}
                    self._keep(step, body, first=first)
                content = msgspec.json.encode(body)
            if step.raw is not None:
                content = step.raw.encode()
            return told_of(*await person.http.ask(step.method, in_path(step.path, names), content))
        line = await person.line(step.line)  # which may take a while: others send on it meanwhile
        if line is None or (not first and line.waits_for(request)):
            return LOST
        if step.raw is not None:
            return await line.do("", step.raw.encode())
        command = resolved(step.command, names)
        self._keep(step, command, first=first)
        content = msgspec.json.encode({"type": "Do", "table": step.table, "request": request, "command": command})
        return await line.do(request[:64] if _readable(content) else "", content)

    def _keep(self, step: Step, body: Any, *, first: bool) -> None:
        if first:
            self._recent.append((step, body))

    async def caught_up(self, table: Table, version: int) -> None:
        """Until the table is shown as it was told to be, for a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CATCHES_UP):
                while table.version < version and not self.witness.wrong:
                    table.changed.clear()
                    await table.changed.wait()

    # ---- everybody at once ---------------------------------------------------------------------------------------

    async def fuzz(self) -> None:
        """Until so many commands were sent or something is wrong."""
        async with asyncio.TaskGroup() as group:
            looking = group.create_task(self._look())
            work = [group.create_task(self._at_table(table)) for table in self.tables.values()]
            work += [group.create_task(self._in_office(group, clerk)) for clerk in range(CLERKS)]
            await asyncio.wait(work)
            looking.cancel()

    async def serially(self) -> None:
        """The same, one sending after the other."""
        rng = random.Random(self.seed)
        while self.going:
            table = rng.choice(list(self.tables.values()))
            for step in play.batch(rng, table) or [office.errand(rng)]:
                if self.going:
                    await self._one(rng, table, step)
            self.witness.read_log()

    async def _look(self) -> None:
        while self.going:
            self.witness.read_log()
            await asyncio.sleep(LOOKS)

    async def _at_table(self, table: Table, batches: int = 0) -> None:
        rng = random.Random(f"{self.seed} {table.felt.name}")
        done = 0
        while self.going and (not batches or done < batches):
            done += 1
            steps = play.batch(rng, table)
            if steps:
                await asyncio.gather(*(self._one(rng, table, step) for step in steps))
            if not steps or table.felt.automatic:
                await asyncio.sleep(0.02)
            if rng.random() < 0.02:
                await self._look_again(rng, table)

    async def _one(self, rng: random.Random, table: Table, step: Step) -> None:
        chance = rng.random()
        if chance < 0.03 and self._recent:
            await self._again(rng)
        told = await self.send(step)
        if chance > 0.97 and not told.lost and step.command is not None and not told.waits:
            await self.send(replace(step, request=""))
        if told.waits is not None and rng.random() < 0.95:
            told = await self._seconded(rng, told.waits, step.table)
        if not told.reason and told.version and step.kind not in UNHURRIED and not step.path.startswith("/office"):
            await self.caught_up(table, told.version)

    async def _seconded(self, rng: random.Random, number: int, table: str) -> Told:
        """Somebody confirms or declines it, if need be the next one."""
        told = LOST
        for _ in range(SECONDS):
            told = await self.send(office.second(rng, number, table))
            if not told.reason or told.reason == "nothing_waits" or not self.going:
                break
        return told

    async def _again(self, rng: random.Random) -> None:
        """Something sent lately once more: on another line, or the old number with another body."""
        step, body = rng.choice(self._recent)
        if not step.request.startswith("f"):
            return
        other = body if rng.random() < 0.7 else mutated(rng, body)
        if step.path:
            step = replace(step, body={name: held for name, held in other.items() if name != "request"})
        else:
            step = replace(step, command=other, line=rng.randrange(LINES))
        await self.send(step, same=_same(body, other))

    async def _look_again(self, rng: random.Random, table: Table) -> None:
        """Ask for the whole of what is followed: it must be the same."""
        watching = [(name, number) for name, one in self.people.items() for number, held in one.watched.items()
                    if table.felt.name in held]  # fmt: skip
        name, number = rng.choice(watching)
        line = await self.people[name].line(number)
        if line is not None:
            line.watch(table.felt.name, board=PEOPLE[name] is Post.BOARD)

    # ---- the office ----------------------------------------------------------------------------------------------

    async def _in_office(self, group: asyncio.TaskGroup, clerk: int) -> None:
        rng = random.Random(f"{self.seed} office {clerk}")
        waits: deque[int] = deque(maxlen=20)
        order = list(office.MAKERS)
        first = len(order) * clerk // CLERKS  # so that every errand is asked for early in a run
        kinds = cycle(order[first:] + order[:first])
        while self.going:
            chance = rng.random()
            if chance < 0.25:
                told = await self.send(office.reading(rng))
                self._learn(told)
                continue
            if chance < 0.27:
                table = self.tables[rng.choice(FELTS).name]
                await self.send(rng.choice([office.nonsense(rng), office.shown_out(rng), office.foreseen(rng, table)]))
                continue
            if chance < 0.3:
                out = [name for name, one in self.people.items() if one.out]
                await self._enter(rng.choice(out or office.NEWCOMERS))
                continue
            if chance < 0.32:
                await self._swept(rng.choice(["tom", "tia", "max", "mia", "cal", "cleo"]))
                continue
            if chance < 0.37:
                await self.send(office.second(rng, rng.choice(waits) if waits else rng.randrange(50)))
                continue
            step = office.errand(rng, next(kinds))
            told = await self.send(step)
            if told.waits is not None:
                waits.append(told.waits)
                await self._seconded(rng, told.waits, step.table)
            if step.kind == "AddTable" and not told.reason and step.body["command"].get("game") in library.GAMES:
                group.create_task(self._spare(rng, step.body["command"]))

    async def _swept(self, who: str) -> None:
        """Somebody declines or takes back what has waited long, so that the list stays as short as in any house."""
        told = await self.send(Step(who=who, method="GET", path="/waiting"))
        waiting = told.body if isinstance(told.body, list) else []
        for card in waiting[:-KEPT_WAITING]:
            body = {"reason": "nobody came"}
            await self.send(Step(who=who, path=f"/waiting/{card['number']}/decline", body=body))

    async def _enter(self, name: str) -> None:
        """Somebody is let in, again or for the first time: the office gives a password, which is changed at once."""
        given = await self.send(Step(who="root", path=f"/people/{name}/password"))
        if given.reason or not isinstance(given.body, dict):
            return
        door = Http("", self.server.url.removeprefix("http://"))
        sign_in = {"name": name, "password": given.body["password"], "new_password": f"{PASSWORD} {name}"}
        told = told_of(*await door.ask("POST", "/sign-in", msgspec.json.encode(sign_in)))
        door.close()
        self.witness.answered(Step(who=name, path="/sign-in"), told)
        if not told.reason and not told.lost:
            self.server.tokens[name] = door.token
            before = self.people.get(name)
            self.people[name] = Somebody(self, name)
            if before is not None:
                before.close()

    def _learn(self, told: Told) -> None:
        """The version of an alert, so that it can be acknowledged."""
        if isinstance(told.body, list) and told.body and isinstance(told.body[0], dict) and "kind" in told.body[0]:
            unseen = [one for one in told.body if not one.get("seen_by")]
            self._alert = next(((one["table"], one["version"]) for one in unseen), self._alert)

    async def _spare(self, rng: random.Random, command: dict[str, Any]) -> None:
        """A table that was added is played at for a while, then closed and retired."""
        game = library.game(command["game"])
        layout = game.layout()
        felt = Felt(name=command["table"], game=game.key, layout=layout.key if layout else None,
                    automatic=bool(command.get("automatic")))  # fmt: skip
        if felt.name in self.tables:
            return
        table = self.tables[felt.name] = Table(felt)
        await self.people[EYE].watch(0, felt.name)
        luck = Chance(rng, table)
        for name in PLAYERS[:3]:
            await self.send(play.sent(luck, "OpenTable", "tom"))
            buy = {"type": "BuyIn", "person": name, "amount": 5_000_00}
            await self.send(Step(who=name, table=felt.name, command=buy))
        await self._at_table(table, batches=40)
        if self.going:
            await crew.cleared(self, table)


def _readable(content: bytes) -> bool:
    """Whether the house can read which request a message is; what it cannot is answered without a name."""
    try:
        msgspec.convert(read_json(content), FromScreen)
    except (msgspec.MsgspecError, ValueError, Refused):
        return False
    return True


def _same(one: Any, other: Any) -> bool | None:
    """Whether two bodies ask for the same; unknown where only the house could tell."""
    if msgspec.json.encode(one) == msgspec.json.encode(other):
        return True
    try:
        return read_command(one) == read_command(other)
    except Refused:
        return None
