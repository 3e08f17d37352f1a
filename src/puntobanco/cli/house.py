"""`puntobanco serve` runs the server; `puntobanco house ...` administers, backs up and verifies a house.

Heavy modules are imported inside the commands, so that settling a hand does not load a web server.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer
from msgspec.structs import replace

from puntobanco.cli.arguments import is_file, number, spoken
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused

if TYPE_CHECKING:
    from puntobanco.house.offline import OfflineHouse
    from puntobanco.house.operations.settings import Settings
    from puntobanco.house.shoes.proof import Tally
    from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand
    from puntobanco.protocol.posts import Post
    from puntobanco.store.verify import Verification, Watch
    from puntobanco.web.services import Services

T = TypeVar("T")
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", help="The settings file. Default: PUNTOBANCO_SETTINGS, else built-in defaults."),
]
Place = Annotated[str | None, typer.Argument(help="A backup or a database. Default: the one in the settings.")]
LINE_EVERY = 5.0
"""Seconds between progress lines when stderr is not a terminal."""
FOUND = "import importlib.util, sys; sys.exit(importlib.util.find_spec('puntobanco') is None)"
"""A program that exits with 0 if Python finds the package."""

house = typer.Typer(help="Administer a house: users, tables, accounts, backups, verification.", no_args_is_help=True)


# ---- running -----------------------------------------------------------------------------------------------------


def serve(
    settings: SettingsFile = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Run a demo on loopback: play money, five games, one user per post.")
    ] = False,
    place: Annotated[Path, typer.Option(help="The folder for the database and log of the demo.")] = Path("demo"),
) -> int:
    """Start the server and run until it is told to stop."""
    if not sys.flags.isolated:
        _isolate()
    from puntobanco.house.operations.garbage_collection import freeze
    from puntobanco.house.operations.log import start_log
    from puntobanco.web.serve import serve as serve_house

    found = _demo_settings(_settings(settings), place) if demo else _settings(settings)
    start_log(found.log)
    told = _demo_started if demo else _first_started

    async def started(services: "Services", url: str) -> None:
        await told(services, url)
        freeze()

    try:
        code = _run(lambda: serve_house(found, started=started, stopping=_tell_stopping))
    except Refused as refused:
        if refused.reason not in (Reason.CANNOT_LISTEN, Reason.STORE_FAILED):
            raise
        typer.echo(f"puntobanco: {spoken().refusal(refused)}", err=True)
        return 1  # not a usage error: a retry may succeed
    if code:
        typer.echo("puntobanco: the store failed and the server has stopped. See the log.", err=True)
    return code


def _isolate() -> NoReturn:
    """Re-execute this command in Python's isolated mode (`-I`), which ignores PYTHONPATH, user site-packages and the
    current folder."""
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    flags = {"-B": sys.dont_write_bytecode, "-u": unbuffered, "-Xutf8": bool(sys.flags.utf8_mode)}
    kept = [flag for flag, given in flags.items() if given]
    if subprocess.run([sys.executable, "-I", "-c", FOUND], check=False).returncode:
        raise Refused(Reason.NOT_INSTALLED)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-I", *kept, "-m", "puntobanco", *sys.argv[1:]])


def _settings(path: Path | None) -> "Settings":
    from puntobanco.house.operations.settings_loading import load

    return load(path, os.environ)


def _demo_settings(found: "Settings", place: Path) -> "Settings":
    """The settings of a demo. `checked` rejects a demo that is reachable from outside or uses real money."""
    from puntobanco.house.operations.settings_loading import checked

    told = checked(
        replace(
            found,
            log=replace(found.log, file=found.log.file or str(place / "house.log")),
            house=replace(found.house, name="puntobanco demo", play_money=True, demo=True),
            store=replace(found.store, place=str(place / "house.db")),
            people=replace(found.people, staff_second_factor=False),
        )
    )
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return told


def _run(work: Callable[[], Awaitable[T]]) -> T:
    """Run on uvloop with umask 077, and turn store and file errors into a refusal of one line."""
    import uvloop

    from puntobanco.store.records import Failed, StoreFailed, Unwritable

    async def whole() -> T:
        return await work()

    os.umask(0o077)
    try:
        return uvloop.run(whole())
    except Unwritable as failed:
        raise Refused(Reason.OUTPUT_UNWRITABLE, file=failed.file, why=failed.detail) from None
    except StoreFailed as failed:
        if failed.why is Failed.IN_USE:
            raise Refused(Reason.HOUSE_RUNS) from None
        if failed.why is Failed.EXISTS:
            raise Refused(Reason.OUTPUT_EXISTS, file=failed.detail) from None
        raise _unusable(failed.detail) from None
    except OSError as error:
        raise _unusable(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None


def _unusable(why: str) -> Refused:
    return Refused(Reason.STORE_FAILED, why=re.sub(r"\[Errno -?[0-9]+\] ", "", why))


async def _first_started(services: "Services", url: str) -> None:
    """Print the URL. In a new house, also create the first administrator and print their one-time password."""
    from puntobanco.house.first_start import create_administrator

    typer.echo(f"Listening on {url}", err=True)
    house, passwords = services.house, services.identity.passwords
    first = await create_administrator(house.journal_writer, passwords, house.itself())
    if first is not None:
        _tell_password(*first)


async def _demo_started(services: "Services", url: str) -> None:
    from puntobanco.web.demo import PEOPLE, PIN, create_demo, links

    await create_demo(services.house)
    typer.echo(f"\n  DEMO: play money, on this machine only.\n\n  {url}/\n")
    for name, link in (await links(services, url)).items():
        title, post = PEOPLE[name]
        typer.echo(f"  {title}, {post.replace('_', ' ')}:\n  {link}")
    typer.echo(
        "\n  Each link signs in one user, once. Open each in its own tab."
        f"\n  Every player has the PIN {PIN}, for the dealer's table and the cage."
        "\n  Press Ctrl-C to finish the rounds and stop, twice to stop at once.\n"
    )


def _tell_stopping(seconds: int) -> None:
    typer.echo(f"Finishing rounds for up to {seconds} seconds. A second signal stops at once.", err=True)


def _tell_password(name: str, password: str) -> None:
    typer.echo(f"Administrator: {name}\nOne-time password: {password}\nChange it at the first sign-in.")


# ---- administering a house that is not running -------------------------------------------------------------------


def _offline(
    path: Path | None, work: Callable[["OfflineHouse"], Awaitable[T]], *, new: bool = False, key_lost: bool = False
) -> T:
    """Open the house exclusively and run `work`. Refuses if the server is running."""
    from puntobanco.house.offline import open_offline
    from puntobanco.house.operations.log import start_log, stop_log

    found = _settings(path)

    async def whole() -> T:
        async with open_offline(found, new=new, key_lost=key_lost) as house:
            return await work(house)

    start_log(replace(found.log, file=found.log.file or os.devnull))  # the terminal is for answers
    try:
        return _run(whole)
    finally:
        stop_log()


def _administer(path: Path | None, done: str, *commands: "AnyAdministrativeCommand") -> None:
    """Send commands and say what was done."""
    _offline(path, lambda house: house.do(*commands))
    typer.echo(done)


def _print(rows: Iterable[Sequence[str]]) -> None:
    """Print rows in aligned columns."""
    from rich.cells import cell_len, set_cell_size

    lines = list(rows)
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        typer.echo("  ".join(set_cell_size(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip())


@house.command()
def init(settings: SettingsFile = None) -> None:
    """Create the database and one administrator with a one-time password."""
    _tell_password(*_offline(settings, lambda house: house.found(), new=True))


user = typer.Typer(help="Users, while the server is stopped.", no_args_is_help=True)
table = typer.Typer(help="Tables, while the server is stopped.", no_args_is_help=True)
account = typer.Typer(help="Account balances.", no_args_is_help=True)
key = typer.Typer(help="The key that encrypts sealed shoes and second factors.", no_args_is_help=True)
house.add_typer(user, name="user")
house.add_typer(table, name="table")
house.add_typer(account, name="account")
house.add_typer(key, name="key")
Name = Annotated[str, typer.Argument(help="The sign-in name.")]
TableName = Annotated[str, typer.Argument(help="The name of the table.")]
At = Annotated[str, typer.Option("--table", help="Only at this table.")]


@user.command("add")
def add_user(
    name: Name,
    title: Annotated[str, typer.Option(help="The display name.")],
    post: Annotated[
        str, typer.Option(help="The post: player, cashier, dealer, pit_supervisor, ... administrator.")
    ] = "player",
    at: At = "*",
    settings: SettingsFile = None,
) -> None:
    """Add a user and print a one-time password."""
    from puntobanco.protocol.administrative_commands import Admit

    command = Admit(person=name, title=title, post=_post(post), scope=at)

    async def work(house: "OfflineHouse") -> str:
        await house.do(command)
        return await house.give_password(name)

    given = _offline(settings, work)
    typer.echo(f"Added {name}: {post}{'' if at == '*' else f' at {at}'}.\nOne-time password of {name}: {given}")


def _post(name: str) -> "Post":
    from puntobanco.protocol.posts import Post

    if name not in tuple(Post):
        raise Refused(Reason.UNKNOWN_POST, post=name, known=", ".join(Post))
    return Post(name)


@user.command("list")
def list_users(settings: SettingsFile = None) -> None:
    """List all users and their roles."""

    async def work(house: "OfflineHouse") -> list[tuple[str, ...]]:
        return [
            (
                one.name,
                one.title,
                ", ".join(post if scope == "*" else f"{post} at {scope}" for scope, post in one.roles.items()),
                "active" if one.active else "disabled",
            )
            for one in house.journal.people.values()
        ]

    _print([("NAME", "TITLE", "POSTS", "STATE"), *_offline(settings, work)])


@user.command("password")
def password(name: Name, settings: SettingsFile = None) -> None:
    """Set a new one-time password. The old password and the second factor become invalid."""
    given = _offline(settings, lambda house: house.give_password(name))
    typer.echo(f"One-time password of {name}: {given}")


@user.command("role")
def give_role(
    name: Name,
    post: Annotated[str, typer.Argument(help="The post, or `none` to remove the role.")],
    at: At = "*",
    settings: SettingsFile = None,
) -> None:
    """Give a user a role in the house or at one table, or remove it."""
    from puntobanco.protocol.administrative_commands import GiveRole, TakeRole

    where = "in the house" if at == "*" else f"at {at}"
    if post == "none":
        _administer(settings, f"{name} has no post {where}.", TakeRole(person=name, scope=at))
    else:
        _administer(settings, f"{name} is {post} {where}.", GiveRole(person=name, post=_post(post), scope=at))


@user.command("disable")
def disable(
    name: Name, reason: Annotated[str, typer.Option(help="The reason.")], settings: SettingsFile = None
) -> None:
    """Disable a user."""
    from puntobanco.protocol.administrative_commands import Disable

    _administer(settings, f"Disabled {name}.", Disable(person=name, reason=reason))


@user.command("enable")
def enable(name: Name, settings: SettingsFile = None) -> None:
    """Enable a disabled user."""
    from puntobanco.protocol.administrative_commands import Enable

    _administer(settings, f"Enabled {name}.", Enable(person=name))


@table.command("add")
def add_table(
    name: TableName,
    game: Annotated[str, typer.Argument(help="A built-in game or a game file (*.toml).")],
    automatic: Annotated[bool, typer.Option("--automatic", help="Deal automatically from an electronic shoe.")] = False,
    settings: SettingsFile = None,
) -> None:
    """Add a table. A game file is imported with it."""
    from puntobanco.protocol.administrative_commands import AddGame, AddTable

    commands: list[AnyAdministrativeCommand] = []
    if is_file(game):
        content = library.read_text(Path(game))
        commands.append(AddGame(content=content))
        game = library.own_game_from(content, Path(game).name)[0].key
    commands.append(AddTable(table=name, game=game, automatic=automatic))
    _administer(settings, f"Added table {name}: {game}{', automatic' if automatic else ''}.", *commands)


@table.command("list")
def list_tables(settings: SettingsFile = None) -> None:
    """List all tables, their games and phases."""

    async def work(house: "OfflineHouse") -> list[tuple[str, ...]]:
        return [
            (
                one.name,
                one.game,
                "automatic" if one.automatic else "by a dealer",
                "retired" if one.retired else str((await house.left(one.name)).phase),
            )
            for one in house.journal.tables.values()
        ]

    _print([("NAME", "GAME", "DEALT", "STATE"), *_offline(settings, work)])


@table.command("retire")
def retire(name: TableName, settings: SettingsFile = None) -> None:
    """Retire a closed table. Its history is kept."""
    from puntobanco.protocol.administrative_commands import RetireTable

    _administer(settings, f"Retired table {name}.", RetireTable(table=name))


@account.command("list")
def list_accounts(
    begins: Annotated[str, typer.Argument(help="Only names with this prefix: wallet:, float:, purse:.")] = "",
    settings: SettingsFile = None,
) -> None:
    """List all account balances. They sum to zero."""
    from puntobanco.rules.money import show_money

    held = _offline(settings, lambda house: house.store.balances())
    typer.echo(f"{'BALANCE':>20}  ACCOUNT")
    for name in sorted(name for name in held if name.startswith(begins)):
        typer.echo(f"{show_money(held[name]):>20}  {name}")


# ---- the encryption key --------------------------------------------------------------------------------------------


@key.command("rotate")
def rotate_key(settings: SettingsFile = None) -> None:
    """Re-encrypt sealed shoes and second factors with a new key, and delete the old key."""

    async def work(house: "OfflineHouse") -> str:
        await house.rotate_key()
        return house.secret_store.ring.place

    typer.echo(
        f"{_offline(settings, work)}: new key. Keep a copy apart from the backups. Old backups need the old key."
    )


@key.command("lost")
def lose_key(settings: SettingsFile = None) -> None:
    """Declare the key lost and create a new one. Undealt shoes and second factors become unreadable.

    Does nothing if the key is present.
    """

    async def work(house: "OfflineHouse") -> str:
        return house.secret_store.ring.place

    place = _offline(settings, work, key_lost=True)
    typer.echo(f"{place}: new key. Users set up their second factor again at the next sign-in.")
    typer.echo("The next start takes the shoes in use out of service. The pit decides on their rounds.")


# ---- backups and verification --------------------------------------------------------------------------------------


@house.command()
def backup(
    to: Annotated[Path, typer.Argument(help="The file to write. It must not exist.")], settings: SettingsFile = None
) -> None:
    """Back up the database. The server may be running."""
    from puntobanco.store.places import find, is_url
    from puntobanco.store.sqlite import SqliteStore

    place = _settings(settings).store.place
    if is_url(place):
        raise Refused(Reason.ONLY_SQLITE, program="pg_dump")

    async def work() -> None:
        await find(place)
        await SqliteStore(place).backup(to)

    _run(work)
    typer.echo(f"Wrote {to}.")


@house.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="The backup file.")],
    to: Annotated[str, typer.Argument(help="The database file to create. It must not exist.")],
    settings: SettingsFile = None,
) -> int:
    """Verify a backup and restore it. A backup that fails verification is not restored.

    A backup does not contain the key: put the key next to the database, or where the settings say.
    """
    from puntobanco.house.audit.proof import prove_house
    from puntobanco.house.secrets.keyring import found, path_of
    from puntobanco.house.shoes.proof import Tally
    from puntobanco.store.places import find, is_url
    from puntobanco.store.restore import restore as bring_back

    if is_url(to):
        raise Refused(Reason.ONLY_SQLITE, program="pg_restore")

    usual = _settings(settings).store
    told, tally = replace(usual, place=to), Tally()
    ring = found(told)
    known = ring or found(usual)

    async def work() -> "Verification":
        await find(backup)
        return await bring_back(backup, Path(to), lambda store: prove_house(store, known, tally))

    _say_proof(_run(work), tally)
    if ring is None or tally.missing:
        typer.echo(f"A backup does not contain the key. Before you start the server, put the key at {path_of(told)}.")
    return 0


@house.command()
def verify(
    place: Place = None,
    settings: SettingsFile = None,
) -> int:
    """Verify a database: every hash, event, payout, posting and snapshot. Exit code 1 if verification fails.

    Decides every event again by the rules of its game. A SQLite file is not changed: the command verifies a copy of the
    committed data, so the server may be running. Ctrl-C removes the copy and exits with 130.
    """
    from puntobanco.house.audit.proof import proven_at
    from puntobanco.house.operations.garbage_collection import freeze
    from puntobanco.house.secrets.keyring import found as found_key
    from puntobanco.house.shoes.proof import Tally
    from puntobanco.store.places import Damaged

    told = _settings(settings).store
    where, tally = place or told.place, Tally()
    ring = found_key(replace(told, place=where)) or found_key(told)
    freeze()

    async def work() -> "Verification | Damaged":
        try:
            return await proven_at(where, ring, tally, watch)
        except Damaged as damaged:
            return damaged

    with _progress() as watch:
        found = _run(work)
    if isinstance(found, Damaged):
        typer.echo(f"WRONG: {found.detail}", err=True)
        return 1
    return _say_proof(found, tally)


@house.command("incident")
def reenact(
    incident: Annotated[str, typer.Argument(help="The incident number from the refusal, the log or the pit screen.")],
    place: Place = None,
    settings: SettingsFile = None,
) -> int:
    """Replay the command of an incident on the state it met. Exit code 1 if it still fails.

    Works on a copy of the committed data and changes nothing. The server may be running.
    """
    from puntobanco.house.audit.reenact import reenacted_at
    from puntobanco.house.secrets.keyring import found as found_key

    told_store = _settings(settings).store
    where, ring = place or told_store.place, found_key(told_store)
    found = _run(lambda: reenacted_at(where, number(incident), ring))
    told = found.raised.incident
    typer.echo(f"Incident {incident} at {told.table}, version {told.version}, while {told.stage}: {told.error}")
    for line in told.trace:
        typer.echo(f"  {line}")
    for nth, sent in enumerate(told.sent):
        typer.echo(f"{sent.by.person} ({sent.post or sent.by.role}): {json.dumps(sent.command, ensure_ascii=False)}")
        if nth < len(found.became):
            typer.echo(f"  now: {found.became[nth]}")
    for line in found.became[len(told.sent) :]:
        typer.echo(f"The dealer, now: {line}")
    if found.fault is not None:
        typer.echo("\n  ".join([f"It still fails: {found.fault.error}", *found.fault.trace]), err=True)
        return 1
    recorded = not any(sent.unwritable for sent in told.sent)
    typer.echo("It no longer fails." if recorded else "The command could not be recorded, so it cannot be sent again.")
    return 0


@house.command()
def check(
    file: Annotated[Path, typer.Argument(help="A round exported by the dispute desk.")],
    seal: Annotated[str | None, typer.Option(help="The seal as printed or shown by the house.")] = None,
) -> int:
    """Verify an exported round: hashes and events, and settle every bet again. Exit code 1 if verification fails."""
    from puntobanco.house.audit import export

    found = export.check(library.read_bytes(file, export.LARGEST), seal, file.name)
    typer.echo(f"{found.table}, round {found.round}: {found.events} events, {found.bets} bets settled again")
    typer.echo(f"Last hash: {found.head}\nSeal: {found.seal}")
    for wrong in found.wrong:
        typer.echo(f"WRONG: {wrong}", err=True)
    if not found.wrong:
        typer.echo("Verification passed.")
    return 1 if found.wrong else 0


@contextmanager
def _progress() -> Iterator["Watch"]:
    """Show the progress of a verification: a bar on a terminal, otherwise a line every few seconds."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    screen, began = Console(stderr=True), monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(20), TaskProgressColumn(), TimeRemainingColumn(compact=True))
    bar = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
    task, due = bar.add_task("", total=None), began + LINE_EVERY

    def watch(stream: str, done: int, total: int) -> None:
        nonlocal due
        said = f"{stream}: {done:,} of {total:,} events, {done / (monotonic() - began):,.0f} events/s"
        bar.update(task, description=said, completed=done, total=total)
        if not screen.is_terminal and monotonic() >= due:
            typer.echo(said, err=True)
            due = monotonic() + LINE_EVERY

    with bar:
        yield watch


def _say_proof(proof: "Verification", tally: "Tally") -> int:
    dealt = f"cards: {tally.cards} (electronic shoes: {tally.shoes})"
    typer.echo(f"Streams: {proof.streams}, events: {proof.events}, postings: {proof.postings}, {dealt}")
    _print([("  HISTORY", "LAST HASH"), *((f"  {stream}", head) for stream, head in proof.heads.items())])
    if proof.fault is not None:
        typer.echo(f"WRONG: {proof.fault}", err=True)
        return 1
    if unopened := sum(tally.unopened.values()):
        ids = ", ".join(sorted(tally.unopened))
        typer.echo(f"NOT CHECKED: {unopened} shoes are encrypted with a key that is missing ({ids}).", err=True)
    if tally.missing:
        return 1
    typer.echo("Verification passed.")
    return 0
