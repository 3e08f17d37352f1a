"""A house for browsers: everyone of the demonstration, every game at a table that deals by itself when it is told to go
on, and one table that waits for a dealer. It runs in a process of its own and can be killed and started again.

Run as a program it serves and answers in lines of JSON: where it is, and for every line on its input what is asked.
"""

import asyncio
import json
import secrets
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from puntobanco.house.integrity import Integrity
from puntobanco.house.operations.build_digest import BuildDigest
from puntobanco.house.operations.installed_files import Installation
from puntobanco.house.operations.log import start_log
from puntobanco.house.operations.settings import Settings
from puntobanco.house.operations.settings_loading import checked, load
from puntobanco.house.shoes.seal import SALT, Sealed, new_shoe
from puntobanco.house.shoes.shuffle import cards_of, shuffled
from puntobanco.house.tables.dealer import DEALER
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import AddTable
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules import library
from puntobanco.rules.cards import Card
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.authority import Confirmation, Role
from puntobanco.table.setup import Policy, Timing
from puntobanco.table.state import Phase
from puntobanco.web.demo import FLOAT, MONEY, PEOPLE, TABLES, demo_setup
from puntobanco.web.serve import Shoes, serve
from puntobanco.web.services import Services

LONG = 600_000
PACE = {"card": 60, "result": 250, "between": LONG, "betting": LONG, "insurance": LONG}
"""Milliseconds: tables that go on when the test says so."""
SLOTS = {name: slot for slot, name in enumerate(PEOPLE, start=1)}


class Furniture(NamedTuple):
    pace: dict[str, int]
    stack: str
    face_down: bool
    attended: bool
    by_hand: bool
    confirms: str
    decision_alert: int


class Served:
    """The house in its own process, as a test holds it."""

    def __init__(
        self,
        place: Path,
        *,
        stack: str = "",
        face_down: bool = False,
        attended: bool = False,
        by_hand: bool = False,
        confirms: str = "",
        decision_alert: int = 60,
        **pace: int,
    ) -> None:
        """`stack`: the cards of every round at tables that deal by themselves, by rank, until a rank has run out;
        `decks` for one deck after another. `attended`: after a crash somebody of the pit finds what it changed.
        `by_hand`: every table that has a dealer waits for one. `confirms`: the one way in which guests
        confirm what staff do. `decision_alert`: the setting of that name."""
        self._place = place
        self._furniture = Furniture(PACE | pace, stack, face_down, attended, by_hand, confirms, decision_alert)
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def open(self) -> "Served":
        """Where it was before, if it was open before."""
        port = int(self.url.rpartition(":")[2]) if self.url else 0
        program = [sys.executable, "-m", "tests.browser.house", str(self._place), str(port)]
        program.append(json.dumps(self._furniture))
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = str(self._heard()["url"])
        return self

    def ticket(self, name: str) -> str:
        return str(self._asked("ticket", name)["ticket"])

    def go_on(self, table: str) -> None:
        """Time is up at a table that deals by itself: bets or insurance close, or the next round opens."""
        self._asked("go_on", table)

    def bring(self, table: str, phase: str) -> int:
        """Time is up there as often as it takes to that phase; the round it is in."""
        return int(self._asked("bring", table, phase)["round"])

    def change_program(self, path: str) -> None:
        """The house finds that it has loaded a file that nothing declares, and from now on holds its tables for it."""
        self._asked("change_program", path)

    def overtake(self, table: str) -> None:
        """Another owner claims the table: whatever it decides next cannot be written, and it fails."""
        with closing(sqlite3.connect(self._place / "house.db", timeout=30)) as store:
            store.execute("UPDATE streams SET epoch = epoch + 1 WHERE stream = ?", (table,))
            store.commit()

    def link(self, name: str, path: str = "") -> str:
        """Signs in as that person and opens that screen."""
        return f"{self.url}/u/{SLOTS[name]}/{path}#ticket={self.ticket(name)}"

    def log(self, lines: int = 60) -> str:
        """The end of its log."""
        place = self._place / "house.log"
        return "\n".join(place.read_text().splitlines()[-lines:]) if place.exists() else ""

    def written(self) -> str:
        """Everything in its folder as text: the store with what it has not yet merged, and the log."""
        return "\n".join(path.read_bytes().decode(errors="replace") for path in self._place.iterdir() if path.is_file())

    def freeze(self) -> None:
        """It neither hears nor says anything, and no connection is closed, as behind a cable that was pulled."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """As a power cut would."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _asked(self, *words: str) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def _heard(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the house did not open"
        heard: dict[str, Any] = json.loads(line)
        return heard


# ---- the program -------------------------------------------------------------------------------------------------


def settings(place: Path, port: int, furniture: Furniture) -> Settings:
    pace = furniture.pace
    accepted = tuple(one for one in Confirmation if furniture.confirms in ("", one))
    plain = load(None, {})
    return checked(
        replace(
            plain,
            log=replace(plain.log, file=str(place / "house.log")),
            house=replace(plain.house, demo=True, decision_alert=furniture.decision_alert),
            store=replace(plain.store, place=str(place / "house.db")),
            web=replace(plain.web, port=port, secure_cookies=False),
            money=replace(plain.money, confirmations=accepted),
            people=replace(plain.people, staff_second_factor=False),
            tables=replace(
                plain.tables, pace_card=pace["card"], pace_result=pace["result"], pace_between=pace["between"]
            ),
        )
    )


def stacked(ranks: str) -> Shoes:
    """The same hand again and again, as long as the decks last; the rest comes as it comes."""

    def shoe(decks: int) -> Sealed:
        left = shuffled(cards_of(decks))
        order = []
        while all(ranks.split().count(rank) <= sum(_rank(card) == rank for card in left) for rank in ranks.split()):
            for rank in ranks.split():
                order.append(left.pop(next(at for at, card in enumerate(left) if _rank(card) == rank)))
        return Sealed((*order, *left), tuple(secrets.token_bytes(SALT) for _ in range(52 * decks)))

    return shoe


def deck_by_deck(decks: int) -> Sealed:
    """No card comes twice among the first 52."""
    order = [card for _ in range(decks) for card in shuffled(cards_of(1))]
    return Sealed(tuple(order), tuple(secrets.token_bytes(SALT) for _ in order))


def _rank(card: Card) -> str:
    return str(card)[:-1]


async def furnish(services: Services, furniture: Furniture) -> None:
    pace = furniture.pace
    timing = Timing(betting=pace["betting"], insurance=pace["insurance"], squeeze=LONG, options=LONG)
    house, itself = services.house, services.house.itself()
    for name, (title, post) in PEOPLE.items():
        if name not in house.journal.people:
            await house.journal_writer.note(
                b.PersonAdmitted(by=itself, person=name, title=title),
                b.RoleGiven(by=itself, person=name, post=post, scope=HOUSE),
            )
            if post is Post.PLAYER:
                await house.journal_writer.note(b.Deposited(by=itself, person=name, amount=MONEY))
    for name, (game, itself_deals) in TABLES.items():
        automatic = itself_deals and not (furniture.by_hand and library.game(game).terminal is None)
        if name not in house.journal.tables:
            await house.manage("root", AddTable(table=name, game=game, automatic=automatic))
            await house.journal_writer.note(b.FloatFilled(by=itself, table=name, amount=Cents(FLOAT)))
        if house.tables[name].state.phase is Phase.CLOSED:
            setup = replace(demo_setup(game), timing=timing, face_down=furniture.face_down and automatic)
            if furniture.attended:
                setup = replace(setup, policy=Policy())
            await house.do("tom", name, c.OpenTable(setup=setup))


async def main(place: Path, port: int, furniture: Furniture) -> int:
    answering: list[asyncio.Task[None]] = []

    async def started(services: Services, url: str) -> None:
        await furnish(services, furniture)
        say({"url": url})
        answering.append(asyncio.create_task(answer(services)))

    found = settings(place, port, furniture)
    start_log(found.log)
    stack = furniture.stack
    shoes = deck_by_deck if stack == "decks" else stacked(stack) if stack else new_shoe
    integrity = Integrity(
        enforced=False,
        installation=Installation([], lambda: LOADED),
        files=lambda **_: BuildDigest(version="0", files={}),  # run from their source folder, they would all differ
    )
    return await serve(found, started=started, shoes=shoes, integrity=integrity)


LOADED: list[str] = []
"""Files that count as loaded: the tests themselves are of no distribution."""


async def answer(services: Services) -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        match line.decode().split():
            case ["ticket", name]:
                say({"ticket": await services.identity.tickets.issue(name, 3_600_000)})
            case ["go_on", table]:
                await go_on(services.house.tables[table])
                say({"round": services.house.tables[table].state.round})
            case ["change_program", path] if services.house.integrity is not None:
                LOADED.append(path)
                services.house.integrity.enforced = True
                say({"changed": path})
            case ["bring", table, phase]:
                say({"round": await bring(services.house.tables[table], Phase(phase))})


async def bring(table: RunningTable, phase: Phase) -> int:
    while table.state.phase is not phase:
        await go_on(table)
        await asyncio.sleep(0.02)
    return table.state.round


async def go_on(table: RunningTable) -> None:
    """What its dealer does when the clock allows it; the rest its dealer does without a clock."""
    state = table.state
    match state.phase:
        case Phase.BETTING if table.felt.close_is_displayed:
            command: c.Command = c.AnnounceClose(round=state.round)
        case Phase.BETTING:
            command = c.CloseBetting(round=state.round, over_excess=True)
        case Phase.INSURANCE if state.window is not None:
            command = c.CloseInsurance(round=state.round, window=state.window.window)
        case Phase.PAYING:
            command = c.ConfirmBox(round=state.round, box=state.unpaid[0])
        case Phase.SETTLED | Phase.VOIDED | Phase.WITHOUT_BETS:
            command = c.OpenBetting(acknowledge=any(state.front))
        case _:
            return
    await table.send(command, DEALER, Role.SYSTEM if table.game.terminal else Role.DEALER, house=True)


def say(told: dict[str, str | int]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    import uvloop

    sys.exit(uvloop.run(main(Path(sys.argv[1]), int(sys.argv[2]), Furniture(*json.loads(sys.argv[3])))))
