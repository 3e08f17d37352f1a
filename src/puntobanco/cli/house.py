"""`puntobanco serve` and `puntobanco house ...`: run a house, and look after one.

Everything heavy is imported inside the commands: settling a hand must not wait for a web server.
"""

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer
from msgspec.structs import replace

from puntobanco.cli.arguments import spoken
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
    typer.Option("--settings", help="The settings file; without it PUNTOBANCO_SETTINGS, and else the defaults."),
]
LINE_EVERY = 5.0
"""Seconds between two lines of progress where there is no terminal."""
FOUND = "import importlib.util, sys; sys.exit(importlib.util.find_spec('puntobanco') is None)"
"""Ends with 0 if Python finds the package."""

house = typer.Typer(help="Look after a house: people, tables, accounts, backups, proof.", no_args_is_help=True)


# ---- running -----------------------------------------------------------------------------------------------------


def serve(
    settings: SettingsFile = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="A demonstration on loopback: play money, five games, a person per post.")
    ] = False,
    place: Annotated[Path, typer.Option(help="The folder in which the demonstration keeps its store and log.")] = Path(
        "demo"
    ),
) -> int:
    """Open the house and serve it until it is told to stop."""
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
        return 1  # nothing was asked for wrongly: the machine may do better the next time
    if code:
        typer.echo("puntobanco: the store failed and the house has stopped; the log says why.", err=True)
    return code


def _isolate() -> NoReturn:
    """Execute the same command again in Python's isolated mode (`-I`), as the same process: PYTHONPATH, packages of the
    user and modules of the current folder have no effect."""
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    flags = {"-B": sys.dont_write_bytecode, "-u": unbuffered, "-Xutf8": bool(sys.flags.utf8_mode)}
    kept = [flag for flag, given in flags.items() if given]
    if subprocess.run([sys.executable, "-I", "-c", FOUND], check=False).returncode:
        raise Refused(Reason.NOT_INSTALLED)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-I", *kept, "-m", "puntobanco", *sys.argv[1:]])


def _settings(path: Path | None) -> "Settings":
    from puntobanco.house.operations.settings import Settings

    return Settings.load(path, os.environ)


def _demo_settings(found: "Settings", place: Path) -> "Settings":
    """Never reachable from outside, never beside real money: the settings refuse it."""
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
    """With the fast loop the server wants. What is written is its owner's alone, and a store that cannot be used is
    told in one line."""
    import uvloop

    from puntobanco.store.records import Failed, StoreFailed

    async def whole() -> T:
        return await work()

    os.umask(0o077)
    try:
        return uvloop.run(whole())
    except StoreFailed as failed:
        if failed.why is Failed.IN_USE:
            raise Refused(Reason.HOUSE_RUNS) from None
        raise _unusable(failed.detail) from None
    except OSError as error:
        raise _unusable(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None


def _unusable(why: str) -> Refused:
    return Refused(Reason.STORE_FAILED, why=why)


async def _first_started(services: "Services", url: str) -> None:
    """A house without anybody gets one administrator, with a password that is good once."""
    from puntobanco.house.first_start import create_administrator

    typer.echo(f"The house is open at {url}", err=True)
    first = await create_administrator(services.house.journal_writer, services.credentials, services.house.itself())
    if first is not None:
        _tell_password(*first)


async def _demo_started(services: "Services", url: str) -> None:
    from puntobanco.web.demo import PEOPLE, PIN, furnish, links

    await furnish(services.house)
    typer.echo(f"\n  DEMONSTRATION: play money, on this machine only.\n\n  {url}/\n")
    for name, link in (await links(services, url)).items():
        title, post = PEOPLE[name]
        typer.echo(f"  {title}, {post.replace('_', ' ')}:\n  {link}")
    typer.echo(
        "\n  Each link signs one person in, once, in a tab of its own."
        f"\n  The PIN of every player is {PIN}: for the dealer's table and the cage."
        "\n  Ctrl-C finishes the rounds and stops; twice stops at once.\n"
    )


def _tell_stopping(seconds: int) -> None:
    typer.echo(f"Rounds are finished, for {seconds} seconds at most; once more stops at once.", err=True)


def _tell_password(name: str, password: str) -> None:
    typer.echo(f"Administrator: {name}\nOne-time password: {password}\nIt must be changed at the first sign-in.")


# ---- looking after a house that is not running -------------------------------------------------------------------


def _at_rest(
    path: Path | None, work: Callable[["OfflineHouse"], Awaitable[T]], *, new: bool = False, key_lost: bool = False
) -> T:
    """With the house to oneself: one that is running is looked after from its own screens."""
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


def _errand(path: Path | None, *errands: "AnyAdministrativeCommand") -> None:
    _at_rest(path, lambda house: house.do(*errands))


def _print(rows: Iterable[Sequence[str]]) -> None:
    """In columns."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


@house.command()
def init(settings: SettingsFile = None) -> None:
    """Create the store, and one administrator with a password that is good once."""
    _tell_password(*_at_rest(settings, lambda house: house.found(), new=True))


user = typer.Typer(help="People of a house at rest.", no_args_is_help=True)
table = typer.Typer(help="Tables of a house at rest.", no_args_is_help=True)
account = typer.Typer(help="What accounts hold.", no_args_is_help=True)
key = typer.Typer(help="The key that sealed shoes and second factors are encrypted with.", no_args_is_help=True)
house.add_typer(user, name="user")
house.add_typer(table, name="table")
house.add_typer(account, name="account")
house.add_typer(key, name="key")
Name = Annotated[str, typer.Argument(help="The name they sign in with.")]
TableName = Annotated[str, typer.Argument(help="The name of the table.")]
At = Annotated[str, typer.Option("--table", help="Only at this table.")]


@user.command("add")
def add_user(
    name: Name,
    title: Annotated[str, typer.Option(help="How they are called.")],
    post: Annotated[str, typer.Option(help="player, cashier, dealer, pit_supervisor, ... administrator.")] = "player",
    at: At = "*",
    settings: SettingsFile = None,
) -> None:
    """Admit somebody, and print a password that is good once."""
    from puntobanco.protocol.administrative_commands import Admit

    errand = Admit(person=name, title=title, post=_post(post), scope=at)

    async def work(house: "OfflineHouse") -> str:
        await house.do(errand)
        return await house.give_password(name)

    typer.echo(f"One-time password of {name}: {_at_rest(settings, work)}")


def _post(name: str) -> "Post":
    from puntobanco.protocol.posts import Post

    if name not in tuple(Post):
        raise Refused(Reason.UNKNOWN_POST, post=name, known=", ".join(Post))
    return Post(name)


@user.command("list")
def list_users(settings: SettingsFile = None) -> None:
    """Everybody, and what they are where."""

    async def work(house: "OfflineHouse") -> list[tuple[str, ...]]:
        return [
            (
                one.name,
                one.title,
                ", ".join(post if scope == "*" else f"{post} at {scope}" for scope, post in one.roles.items()),
                "" if one.active else "disabled",
            )
            for one in house.journal.people.values()
        ]

    _print(_at_rest(settings, work))


@user.command("password")
def password(name: Name, settings: SettingsFile = None) -> None:
    """Give a new password that is good once; the old one and the second factor are worth nothing any more."""
    given = _at_rest(settings, lambda house: house.give_password(name))
    typer.echo(f"One-time password of {name}: {given}")


@user.command("role")
def give_role(
    name: Name,
    post: Annotated[str, typer.Argument(help="The post; `none` takes the role away.")],
    at: At = "*",
    settings: SettingsFile = None,
) -> None:
    """Give somebody a role in the house or at one table, or take it away."""
    from puntobanco.protocol.administrative_commands import GiveRole, TakeRole

    if post == "none":
        _errand(settings, TakeRole(person=name, scope=at))
    else:
        _errand(settings, GiveRole(person=name, post=_post(post), scope=at))


@user.command("disable")
def disable(name: Name, reason: Annotated[str, typer.Option(help="Why.")], settings: SettingsFile = None) -> None:
    """Let somebody in no more."""
    from puntobanco.protocol.administrative_commands import Disable

    _errand(settings, Disable(person=name, reason=reason))


@user.command("enable")
def enable(name: Name, settings: SettingsFile = None) -> None:
    """Let somebody in again."""
    from puntobanco.protocol.administrative_commands import Enable

    _errand(settings, Enable(person=name))


@table.command("add")
def add_table(
    name: TableName,
    game: Annotated[str, typer.Argument(help="One of the five games, or the path of a game file.")],
    automatic: Annotated[bool, typer.Option("--automatic", help="It deals by itself from an electronic shoe.")] = False,
    settings: SettingsFile = None,
) -> None:
    """Add a table; a game file is taken up with it."""
    from puntobanco.protocol.administrative_commands import AddGame, AddTable
    from puntobanco.rules import library

    errands: list[AnyAdministrativeCommand] = []
    if game not in library.GAMES and Path(game).is_file():
        found, _ = library.read_game(Path(game))
        errands.append(AddGame(content=Path(game).read_text(encoding="utf-8")))
        game = found.key
    _errand(settings, *errands, AddTable(table=name, game=game, automatic=automatic))


@table.command("list")
def list_tables(settings: SettingsFile = None) -> None:
    """Every table, its game, and where it was left."""

    async def work(house: "OfflineHouse") -> list[tuple[str, ...]]:
        return [
            (
                one.name,
                one.game,
                "deals by itself" if one.automatic else "",
                "retired" if one.retired else str((await house.left(one.name)).phase),
            )
            for one in house.journal.tables.values()
        ]

    _print(_at_rest(settings, work))


@table.command("retire")
def retire(name: TableName, settings: SettingsFile = None) -> None:
    """Take a closed table out of the house; its history stays."""
    from puntobanco.protocol.administrative_commands import RetireTable

    _errand(settings, RetireTable(table=name))


@account.command("list")
def list_accounts(
    begins: Annotated[str, typer.Argument(help="Only names that begin so: wallet:, float:, purse:.")] = "",
    settings: SettingsFile = None,
) -> None:
    """What every account holds; together they hold nothing."""
    from puntobanco.rules.money import show_money

    async def work(house: "OfflineHouse") -> dict[str, int]:
        return dict(await house.store.balances())

    for name, held in sorted(_at_rest(settings, work).items()):
        if name.startswith(begins):
            typer.echo(f"{show_money(held):>20}  {name}")


# ---- the key of what is sealed ----------------------------------------------------------------------------------


@key.command("rotate")
def rotate_key(settings: SettingsFile = None) -> None:
    """Encrypt sealed shoes and second factors with a new key, and forget the old one."""

    async def work(house: "OfflineHouse") -> str:
        await house.rotate_key()
        return house.secret_store.ring.place

    typer.echo(
        f"{_at_rest(settings, work)}: a new key. Copy it apart from the backups; earlier backups need the earlier key."
    )


@key.command("lost")
def lose_key(settings: SettingsFile = None) -> None:
    """Declare the key lost: the house starts again under a new one. Undealt shoes and second factors are lost with it.

    A house whose key is there is left as it is.
    """

    async def work(house: "OfflineHouse") -> str:
        return house.secret_store.ring.place

    place = _at_rest(settings, work, key_lost=True)
    typer.echo(f"{place}: a new key. Second factors are set up again at the next sign-in.")
    typer.echo("Shoes in use are taken out of service when the house starts; the pit decides on their rounds.")


# ---- backups and proof -------------------------------------------------------------------------------------------


@house.command()
def backup(
    to: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")], settings: SettingsFile = None
) -> None:
    """Copy the store, also while the house runs."""
    from puntobanco.store.places import find, is_url
    from puntobanco.store.sqlite import SqliteStore

    place = _settings(settings).store.place
    if is_url(place):
        raise _unusable("on PostgreSQL a backup is made with pg_dump")

    async def work() -> None:
        await find(place)
        await SqliteStore(place).backup(to)

    _run(work)
    typer.echo(f"{to}: written.")


@house.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="A backup.")],
    to: Annotated[str, typer.Argument(help="Where the store shall be; nothing may be there.")],
    settings: SettingsFile = None,
) -> int:
    """Bring a backup back, once it is proven. One that is faulty is not brought back.

    A backup does not have the key: put it beside the store, or where the settings say.
    """
    from puntobanco.house.audit.proof import prove_house
    from puntobanco.house.secrets.keyring import found, path_of
    from puntobanco.house.shoes.proof import Tally
    from puntobanco.store.places import find, is_url
    from puntobanco.store.restore import restore as bring_back

    if is_url(to):
        raise _unusable("on PostgreSQL a backup is brought back with pg_restore")

    usual = _settings(settings).store
    told, tally = replace(usual, place=to), Tally()
    ring = found(told)
    known = ring or found(usual)

    async def work() -> "Verification":
        await find(backup)
        return await bring_back(backup, Path(to), lambda store: prove_house(store, known, tally))

    _say_proof(_run(work), tally)
    if ring is None or tally.missing:
        typer.echo(
            f"A backup does not hold the key. To start the house, put the key it was made under at {path_of(told)}."
        )
    return 0


@house.command()
def verify(
    place: Annotated[
        str | None, typer.Argument(help="A backup or a store; without it the one of the settings.")
    ] = None,
    settings: SettingsFile = None,
) -> int:
    """Prove a store: every hash, event, payout, posting and snapshot. Exit code 1 if something is wrong.

    Every event is decided again by the rules of its game. A file is proven by a copy of what is committed, also while
    the house runs; it stays as it is. Ctrl-C stops it, removes the copy and exits with 130.
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


@house.command()
def incident(
    number: Annotated[int, typer.Argument(help="The number, as the refusal, the log and the pit screen give it.")],
    place: Annotated[
        str | None, typer.Argument(help="A backup or a store; without it the one of the settings.")
    ] = None,
    settings: SettingsFile = None,
) -> int:
    """Send the command of an incident again to the state it was decided on. Exit code 1 if it still fails.

    It works on a copy of what is committed, also while the house runs; nothing is written.
    """
    from puntobanco.house.audit.reenact import reenacted_at
    from puntobanco.house.secrets.keyring import found as found_key

    told_store = _settings(settings).store
    where, ring = place or told_store.place, found_key(told_store)
    found = _run(lambda: reenacted_at(where, number, ring))
    told = found.raised.incident
    typer.echo(f"Incident {number} at {told.table}, version {told.version}, while {told.stage}: {told.error}")
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
    file: Annotated[Path, typer.Argument(help="A round as the dispute desk exports it.")],
    seal: Annotated[str | None, typer.Option(help="The seal as the house told it, on paper or on its screens.")] = None,
) -> int:
    """Check an exported round: hashes, events, and every bet settled again. Exit code 1 if something is wrong."""
    from puntobanco.house.audit.export import check as check_export
    from puntobanco.rules.refusal import Reason, Refused

    try:
        content = file.read_bytes()
    except OSError as error:
        raise Refused(Reason.FILE_UNREADABLE, file=file.name, why=error.strerror) from None
    found = check_export(content, seal)
    typer.echo(f"{found.table}, round {found.round}: {found.events} events, {found.bets} bets settled again")
    typer.echo(f"Last hash: {found.head}\nSeal: {found.seal}")
    for wrong in found.wrong:
        typer.echo(f"WRONG: {wrong}", err=True)
    return 1 if found.wrong else 0


@contextmanager
def _progress() -> Iterator["Watch"]:
    """How far a proof has come and how fast it goes: a bar on a terminal, elsewhere a line every few seconds."""
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
    dealt = f"{tally.cards} cards from {tally.shoes} electronic shoes"
    typer.echo(f"{proof.streams} streams, {proof.events} events, {proof.postings} postings, {dealt}")
    _print((f"  {stream}", head) for stream, head in proof.heads.items())
    if proof.fault is not None:
        typer.echo(f"WRONG: {proof.fault}", err=True)
        return 1
    if unopened := sum(tally.unopened.values()):
        ids = ", ".join(sorted(tally.unopened))
        typer.echo(f"NOT CHECKED: {unopened} shoes are sealed with a key that is not here ({ids}).", err=True)
    if tally.missing:
        return 1
    typer.echo("Everything is as it was written.")
    return 0
