"""The house that is fuzzed: a table of every layout, people of every post, and a server process that is given them.

It is furnished once, before its doors open; each run serves a copy of that, so that a replay begins where the run did.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from puntobanco.house.house import opening_setup
from puntobanco.house.identity.sessions import SessionKind
from puntobanco.house.operations import settings as s
from puntobanco.house.operations.log import start_log, stop_log
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import AddTable, GuestProof
from puntobanco.protocol.posts import HOUSE, TRUSTED, Post
from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.setup import ExcessAtPlacement, InterruptionFinding, Policy, Setup, Source, Timing
from puntobanco.web.serve import opened
from puntobanco.web.services import Services

CHIPS, FLOAT, WALLET = 50_000_00, Cents(10_000_000_00), Cents(1_000_000_000_00)
MINIMUM, DIFFERENTIAL, MAXIMUM = Cents(50_00), Cents(5_000_00), Cents(1_000_00)
TIMING = Timing(betting=120, drain=0, squeeze=10, insurance=40, options=5_000)
"""Milliseconds: short, so that nothing waits long for anybody."""
PATIENCE = 60.0

PIN = "2580"
"""Of every player."""
PLAYERS = tuple(f"p{number}" for number in range(1, 9))
STAFF: dict[Post, tuple[str, ...]] = {
    Post.DEALER: ("dora", "dirk"),
    Post.PIT_SUPERVISOR: ("sue", "sid"),
    Post.PIT_MANAGER: ("max", "mia"),
    Post.SHIFT_MANAGER: ("tom", "tia"),
}
OFFICE: dict[Post, tuple[str, ...]] = {
    Post.CASHIER: ("cal", "cleo"),
    Post.ADMINISTRATOR: ("root", "rosa"),
    Post.AUDITOR: ("ada",),
    Post.DEVICE: ("scan",),
    Post.BOARD: ("wall",),
}
RELIEF: dict[Post, tuple[str, ...]] = {Post.DEALER: ("eve",), Post.PIT_SUPERVISOR: ("eli",), Post.PIT_MANAGER: ("ena",)}
"""Staff who are assigned, relieved, disabled and given other roles while the others work."""
CREW: dict[Post, tuple[str, ...]] = {
    Post.DEALER: ("crew-dealer",),
    Post.PIT_MANAGER: ("crew-manager",),
    Post.SHIFT_MANAGER: ("crew-shift", "crew-second"),
    Post.AUDITOR: ("crew-eye",),
    Post.ADMINISTRATOR: ("crew-root",),
}
"""Who watches throughout and brings every round to its end when the others are done. Nobody changes their rights."""
PEOPLE: dict[str, Post] = {
    **dict.fromkeys(PLAYERS, Post.PLAYER),
    **{name: post for part in (STAFF, OFFICE, RELIEF, CREW) for post, names in part.items() for name in names},
}


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the house: its game and how it is dealt."""

    name: str
    game: str
    layout: str | None
    automatic: bool = False
    face_down: bool = False

    @property
    def bets(self) -> tuple[str, ...]:
        game = library.game(self.game)
        layout = game.layout(self.layout)
        own = layout.bets if layout is not None and layout.bets else tuple(bet.key for bet in game.bets)
        return tuple(key for key in own if next(bet for bet in game.bets if bet.key == key).insures is None)

    @property
    def boxes(self) -> int:
        layout = library.game(self.game).layout(self.layout)
        return layout.most_boxes if layout is not None else 0


def _felts() -> tuple[Felt, ...]:
    found = []
    for key in library.GAMES:
        game = library.game(key)
        for place, layout in enumerate(game.layouts):
            name = f"{key}-{layout.key}".lower()
            found.append(Felt(name=name, game=key, layout=layout.key, face_down=bool(place % 2)))
        first = game.layout()
        layout_key = first.key if first is not None else None
        found.append(Felt(name=f"auto-{key}", game=key, layout=layout_key, automatic=True))
    found.append(Felt(name="auto-down", game="super-six", layout="A", automatic=True, face_down=True))
    found.append(Felt(name="auto-squeeze", game="wu-song", layout="A", automatic=True, face_down=True))
    return tuple(found)


FELTS = _felts()
BY_NAME = {felt.name: felt for felt in FELTS}


def setup_of(game: Game, layout: str | None, *, face_down: bool, place: int = 0) -> Setup:
    """`place`: every other table refuses an excess at once, and every third leaves an interruption to nobody."""
    chosen = game.layout(layout)
    return replace(
        opening_setup(game),
        layout=layout,
        boxes=chosen.most_boxes if chosen is not None else 0,
        minimum=MINIMUM,
        differential=DIFFERENTIAL,
        maximum=MAXIMUM,
        face_down=face_down,
        timing=TIMING,
        policy=Policy(
            excess_at_placement=ExcessAtPlacement.REFUSE if place % 2 else ExcessAtPlacement.FLAG,
            interruption_finding=InterruptionFinding.PIT_SUPERVISOR if place % 3 else InterruptionFinding.AUTOMATIC,
        ),
    )


# ---- before the doors open ---------------------------------------------------------------------------------------


class Furnished(msgspec.Struct, frozen=True):
    """A folder with a store that nobody uses, and everybody's session in it."""

    folder: Path
    place: str
    tokens: dict[str, str]


def settings_of(folder: Path, place: str) -> s.Settings:
    """Limits as wide as they go: what is fuzzed here is what is said, not how often."""
    return s.Settings(
        store=s.StoreSettings(place=place, key_file=str(folder / "house.key")),
        web=s.WebSettings(port=0, secure_cookies=False),
        people=s.PeopleSettings(
            argon2_time=2, argon2_memory=19_456, argon2_lanes=1, staff_second_factor=False,
            player_idle=s.DAY, player_absolute=s.DAY, staff_idle=s.DAY, staff_absolute=s.DAY,
        ),
        live=s.LiveSettings(messages_per_second=10_000, per_second=60, slow_limit=60),
        tables=s.TableSettings(pace_card=0, pace_result=0, pace_between=20, drain=0),
        log=s.LogSettings(file=str(folder / "house.log"), level=s.LogLevel.WARNING),
    )  # fmt: skip


async def furnish(folder: Path, place: str | None = None) -> Furnished:
    place = place or str(folder / "house.db")
    settings = settings_of(folder, place)
    start_log(settings.log)
    try:
        async with opened(settings, dealing=False) as services:
            await _staffed(services)
            for number, felt in enumerate(FELTS):
                await _table(services, felt, number)
            tokens = {name: await _session(services, name) for name in PEOPLE}
    finally:
        stop_log()
    Path(settings.log.file).unlink()
    return Furnished(folder, place, tokens)


async def _staffed(services: Services) -> None:
    house, itself = services.house, services.house.itself()
    entries: list[b.AnyEntry] = []
    for name, post in PEOPLE.items():
        entries.append(b.PersonAdmitted(by=itself, person=name, title=name.title()))
        entries.append(b.RoleGiven(by=itself, person=name, post=post, scope=HOUSE))
        if post is Post.PLAYER:
            entries.append(b.Deposited(by=itself, person=name, amount=WALLET))
    await house.journal_writer.note(*entries)
    assert house.guest_confirmation is not None
    for name in PLAYERS:
        await house.guest_confirmation.set(name, GuestProof(pin=PIN))


async def _table(services: Services, felt: Felt, number: int) -> None:
    house = services.house
    added = await house.manage("root", AddTable(table=felt.name, game=felt.game, automatic=felt.automatic))
    assert added.refusal is None, added
    await house.journal_writer.note(b.FloatFilled(by=house.itself(), table=felt.name, amount=FLOAT))
    setup = setup_of(library.game(felt.game), felt.layout, face_down=felt.face_down, place=number)
    first: list[tuple[str, c.Command]] = [("tom", c.OpenTable(setup=setup))]
    if not felt.automatic:
        first.append(("dora", c.LoadShoe(shoe="one", decks=setup.decks, shuffled=True, source=Source.KEYBOARD)))
    first += [(name, c.BuyIn(person=name, amount=CHIPS)) for name in PLAYERS]
    for who, command in first:
        told = await house.do(who, felt.name, command)
        assert told.refusal is None, (felt, command, told)


async def _session(services: Services, name: str) -> str:
    kind = SessionKind.STAFF if PEOPLE[name] in TRUSTED else SessionKind.PLAYER
    return (await services.identity.sessions.start(name, kind)).token


# ---- the process -------------------------------------------------------------------------------------------------


class Server:
    """`puntobanco serve`, as it is started in production, on any free port."""

    def __init__(self, furnished: Furnished, folder: Path, place: str | None = None) -> None:
        """In a folder of its own, on a copy of what was furnished unless `place` says where the store is."""
        self.folder, self.tokens = folder, furnished.tokens
        if place is None:
            place = str(folder / "house.db")
            for part in furnished.folder.glob("house.db*"):
                shutil.copy(part, folder / part.name)
        shutil.copy(furnished.folder / "house.key", folder)
        self.place, self.log = place, folder / "house.log"
        self.settings = folder / "house.toml"
        self.settings.touch(mode=0o600)  # it may hold the password of a database
        self.settings.write_text(_written(settings_of(folder, place)), encoding="utf-8")
        self.said = folder / "said.txt"
        with self.said.open("w") as said:
            self._process = subprocess.Popen(
                [Path(sys.executable).with_name("puntobanco"), "serve", "--settings", str(self.settings)],
                stdout=said, stderr=subprocess.STDOUT, cwd=folder, env=_environment(),
            )  # fmt: skip
        self.url = ""

    async def ready(self) -> "Server":
        async with asyncio.timeout(PATIENCE):
            while "Listening on " not in (told := self.said.read_text()):
                assert self._process.poll() is None, told
                await asyncio.sleep(0.02)
        self.url = told.partition("Listening on ")[2].split()[0]
        return self

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> int:
        """Ask it to stop and wait; the answer is its exit code."""
        if self.running:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def verify(self) -> tuple[int, str]:
        """`puntobanco house verify` of what it left."""
        done = subprocess.run(
            [Path(sys.executable).with_name("puntobanco"), "house", "verify", "--settings", str(self.settings)],
            capture_output=True, text=True, cwd=self.folder, env=_environment(), check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(s.PREFIX)}


def _written(settings: s.Settings) -> str:
    """As a settings file says it; what is as usual is left out."""
    lines = []
    for section in msgspec.structs.fields(settings):
        held = getattr(settings, section.name)
        differs = {
            field.name: value
            for field in msgspec.structs.fields(held)
            if (value := getattr(held, field.name)) != field.default
        }
        if differs:
            lines += [f"[{section.name}]", *(f"{name} = {_toml(value)}" for name, value in differs.items()), ""]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    return msgspec.json.encode(value).decode()
