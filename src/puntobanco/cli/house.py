"""`puntobanco serve` and `puntobanco house ...`: run a house, and look after one.

Everything heavy is imported inside the commands: settling a hand must not wait for a web server.
"""

import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from msgspec.structs import replace

from puntobanco.cli.arguments import spoken
from puntobanco.rules.refusal import Reason, Refused

if TYPE_CHECKING:
    from puntobanco.house.at_rest import AtRest
    from puntobanco.house.errands import AnyOfficeCommand
    from puntobanco.house.people import Post
    from puntobanco.house.settings import Settings
    from puntobanco.store.records import StoreFailed
    from puntobanco.store.verify import Proof
    from puntobanco.web.desk import Desk

T = TypeVar("T")
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", help="The settings file; without it PUNTOBANCO_SETTINGS, and else the defaults."),
]

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
    from puntobanco.house.log import start_log
    from puntobanco.house.memory import settled
    from puntobanco.web.serve import serve as serve_house

    found = _demo_settings(_settings(settings), place) if demo else _settings(settings)
    start_log(found.log)
    told = _demo_started if demo else _first_started

    async def started(desk: "Desk", url: str) -> None:
        await told(desk, url)
        settled()

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


def _settings(path: Path | None) -> "Settings":
    from puntobanco.house.settings import Settings

    return Settings.load(path, os.environ)


def _demo_settings(found: "Settings", place: Path) -> "Settings":
    """Never reachable from outside, never beside real money: the settings refuse it."""
    from puntobanco.house.settings_reading import checked

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
        raise _unusable(_detail(failed)) from None
    except OSError as error:
        raise _unusable(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None


def _detail(failed: "StoreFailed") -> str:
    return str(failed).removeprefix(f"{failed.why}: ")


def _unusable(why: str) -> Refused:
    return Refused(Reason.STORE_FAILED, why=why)


async def _first_started(desk: "Desk", url: str) -> None:
    """A house without anybody gets one administrator, with a password that is good once."""
    from puntobanco.house.founding import founded

    typer.echo(f"The house is open at {url}", err=True)
    first = await founded(desk.house.office, desk.credentials, desk.house.itself())
    if first is not None:
        _tell_password(*first)


async def _demo_started(desk: "Desk", url: str) -> None:
    from puntobanco.web.demo import PEOPLE, furnish, links

    await furnish(desk.house)
    typer.echo(f"\n  DEMONSTRATION: play money, on this machine only.\n\n  {url}/\n")
    for name, link in (await links(desk, url)).items():
        title, post = PEOPLE[name]
        typer.echo(f"  {title}, {post.replace('_', ' ')}:\n  {link}")
    typer.echo(
        "\n  Each link signs one person in, once, in a tab of its own."
        "\n  Ctrl-C finishes the rounds and stops; twice stops at once.\n"
    )


def _tell_stopping(seconds: int) -> None:
    typer.echo(f"Rounds are finished, for {seconds} seconds at most; once more stops at once.", err=True)


def _tell_password(name: str, password: str) -> None:
    typer.echo(f"Administrator: {name}\nOne-time password: {password}\nIt must be changed at the first sign-in.")


# ---- looking after a house that is not running -------------------------------------------------------------------


def _at_rest(path: Path | None, work: Callable[["AtRest"], Awaitable[T]], *, new: bool = False) -> T:
    """With the house to oneself: one that is running is looked after from its own screens."""
    from puntobanco.house.at_rest import at_rest
    from puntobanco.house.log import start_log, stop_log

    found = _settings(path)

    async def whole() -> T:
        async with at_rest(found, new=new) as house:
            return await work(house)

    start_log(replace(found.log, file=found.log.file or os.devnull))  # the terminal is for answers
    try:
        return _run(whole)
    finally:
        stop_log()


def _errand(path: Path | None, *errands: "AnyOfficeCommand") -> None:
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
house.add_typer(user, name="user")
house.add_typer(table, name="table")
house.add_typer(account, name="account")
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
    from puntobanco.house.errands import Admit

    errand = Admit(person=name, title=title, post=_post(post), scope=at)

    async def work(house: "AtRest") -> str:
        await house.do(errand)
        return await house.give_password(name)

    typer.echo(f"One-time password of {name}: {_at_rest(settings, work)}")


def _post(name: str) -> "Post":
    from puntobanco.house.people import Post

    if name not in tuple(Post):
        raise Refused(Reason.UNKNOWN_POST, post=name, known=", ".join(Post))
    return Post(name)


@user.command("list")
def list_users(settings: SettingsFile = None) -> None:
    """Everybody, and what they are where."""

    async def work(house: "AtRest") -> list[tuple[str, ...]]:
        return [
            (
                one.name,
                one.title,
                ", ".join(post if scope == "*" else f"{post} at {scope}" for scope, post in one.roles.items()),
                "" if one.active else "disabled",
            )
            for one in house.book.people.values()
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
    from puntobanco.house.errands import GiveRole, TakeRole

    if post == "none":
        _errand(settings, TakeRole(person=name, scope=at))
    else:
        _errand(settings, GiveRole(person=name, post=_post(post), scope=at))


@user.command("disable")
def disable(name: Name, reason: Annotated[str, typer.Option(help="Why.")], settings: SettingsFile = None) -> None:
    """Let somebody in no more."""
    from puntobanco.house.errands import Disable

    _errand(settings, Disable(person=name, reason=reason))


@user.command("enable")
def enable(name: Name, settings: SettingsFile = None) -> None:
    """Let somebody in again."""
    from puntobanco.house.errands import Enable

    _errand(settings, Enable(person=name))


@table.command("add")
def add_table(
    name: TableName,
    game: Annotated[str, typer.Argument(help="One of the five games, or the path of a game file.")],
    automatic: Annotated[bool, typer.Option("--automatic", help="It deals by itself from an electronic shoe.")] = False,
    settings: SettingsFile = None,
) -> None:
    """Add a table; a game file is taken up with it."""
    from puntobanco.house.errands import AddGame, AddTable
    from puntobanco.rules import library

    errands: list[AnyOfficeCommand] = []
    if game not in library.GAMES and Path(game).is_file():
        found, _ = library.read_game(Path(game))
        errands.append(AddGame(content=Path(game).read_text(encoding="utf-8")))
        game = found.key
    _errand(settings, *errands, AddTable(table=name, game=game, automatic=automatic))


@table.command("list")
def list_tables(settings: SettingsFile = None) -> None:
    """Every table, its game, and where it was left."""

    async def work(house: "AtRest") -> list[tuple[str, ...]]:
        return [
            (
                one.name,
                one.game,
                "deals by itself" if one.automatic else "",
                "retired" if one.retired else str((await house.left(one.name)).phase),
            )
            for one in house.book.tables.values()
        ]

    _print(_at_rest(settings, work))


@table.command("retire")
def retire(name: TableName, settings: SettingsFile = None) -> None:
    """Take a closed table out of the house; its history stays."""
    from puntobanco.house.errands import RetireTable

    _errand(settings, RetireTable(table=name))


@account.command("list")
def list_accounts(
    begins: Annotated[str, typer.Argument(help="Only names that begin so: wallet:, float:, purse:.")] = "",
    settings: SettingsFile = None,
) -> None:
    """What every account holds; together they hold nothing."""
    from puntobanco.rules.money import show_money

    async def work(house: "AtRest") -> dict[str, int]:
        return dict(await house.store.balances())

    for name, held in sorted(_at_rest(settings, work).items()):
        if name.startswith(begins):
            typer.echo(f"{show_money(held):>20}  {name}")


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
) -> int:
    """Bring a backup back, once it is proven. One that is faulty is not brought back."""
    from puntobanco.house.proof import house_readers
    from puntobanco.store.places import find, is_url
    from puntobanco.store.restore import restore as bring_back

    if is_url(to):
        raise _unusable("on PostgreSQL a backup is brought back with pg_restore")

    async def work() -> "Proof":
        await find(backup)
        return await bring_back(backup, Path(to), house_readers())

    return _say_proof(_run(work))


@house.command()
def verify(
    place: Annotated[
        str | None, typer.Argument(help="A backup or a store; without it the one of the settings.")
    ] = None,
    settings: SettingsFile = None,
) -> int:
    """Prove a store: every hash, posting, round and snapshot. Exit code 1 if something is wrong.

    A file is proven by a copy of what is committed, also while the house runs; it stays as it is.
    """
    from puntobanco.house.proof import proven_at
    from puntobanco.store.places import Damaged

    where = place or _settings(settings).store.place

    async def work() -> "Proof | Damaged":
        try:
            return await proven_at(where)
        except Damaged as damaged:
            return damaged

    found = _run(work)
    if isinstance(found, Damaged):
        typer.echo(f"WRONG: {_detail(found)}", err=True)
        return 1
    return _say_proof(found)


@house.command()
def check(
    file: Annotated[Path, typer.Argument(help="A round as the dispute desk exports it.")],
    seal: Annotated[str | None, typer.Option(help="The seal as the house told it, on paper or on its screens.")] = None,
) -> int:
    """Check an exported round: hashes, events, and every bet settled again. Exit code 1 if something is wrong."""
    from puntobanco.house.exports import check as check_export
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


def _say_proof(proof: "Proof") -> int:
    typer.echo(f"{proof.streams} streams, {proof.events} events, {proof.postings} postings")
    _print((f"  {stream}", head) for stream, head in proof.heads.items())
    if proof.fault is None:
        typer.echo("Everything is as it was written.")
        return 0
    typer.echo(f"WRONG: {proof.fault}", err=True)
    return 1
