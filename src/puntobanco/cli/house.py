"""`puntobanco serve` and `puntobanco house ...`: run a house, and look after one."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from msgspec.structs import replace

if TYPE_CHECKING:
    from puntobanco.house.people import Post
    from puntobanco.house.settings import Settings
    from puntobanco.store.verify import Proof
    from puntobanco.web.desk import Desk

T = TypeVar("T")
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", help="The settings file; without it PUNTOBANCO_SETTINGS, and else the defaults."),
]

house = typer.Typer(help="Look after a house: people, tables, accounts, backups, proof.", no_args_is_help=True)


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
    from puntobanco.web.serve import serve as serve_house

    found = _demo_settings(_settings(settings), place) if demo else _settings(settings)
    start_log(found.log)
    started = _demo_started if demo else _first_started
    return _run(lambda: serve_house(found, started=started))


def _settings(path: Path | None) -> "Settings":
    from puntobanco.house.settings import Settings

    return Settings.load(path, os.environ)


def _demo_settings(found: "Settings", place: Path) -> "Settings":
    """Never reachable from outside, never beside real money: the settings refuse it."""
    from puntobanco.house.settings_reading import checked

    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return checked(
        replace(
            found,
            log=replace(found.log, file=found.log.file or str(place / "house.log")),
            house=replace(found.house, name="puntobanco demo", play_money=True, demo=True),
            store=replace(found.store, place=str(place / "house.db")),
            web=replace(found.web, secure_cookies=False),
            people=replace(found.people, staff_second_factor=False),
        )
    )


def _run(work: Callable[[], Awaitable[T]]) -> T:
    """With the fast loop the server wants; the errors of the store in one line."""
    import uvloop

    from puntobanco.rules.refusal import Reason, Refused
    from puntobanco.store.records import Failed, StoreFailed

    async def whole() -> T:
        return await work()

    try:
        return uvloop.run(whole())
    except StoreFailed as failed:
        if failed.why is Failed.IN_USE:
            raise Refused(Reason.HOUSE_RUNS) from None
        raise Refused(Reason.STORE_FAILED, why=str(failed)) from None


async def _first_started(desk: "Desk", url: str) -> None:
    """A house without anybody gets one administrator, with a password that is good once."""
    from puntobanco.house.founding import founded

    typer.echo(f"The house is open at {url}", err=True)
    if (first := await founded(desk.house, desk.credentials)) is not None:
        _tell_password(*first)


async def _demo_started(desk: "Desk", url: str) -> None:
    from puntobanco.web.demo import PEOPLE, furnish, links

    await furnish(desk.house)
    typer.echo(f"\n  DEMONSTRATION: play money, on this machine only.\n\n  {url}/\n")
    for name, link in (await links(desk, url)).items():
        title, post = PEOPLE[name]
        typer.echo(f"  {title:<6} {post.replace('_', ' '):<16} {link}")
    typer.echo(
        "\n  Each link signs one person in, once, in a tab of its own."
        "\n  Ctrl-C finishes the rounds and stops; twice stops at once.\n"
    )


def _tell_password(name: str, password: str) -> None:
    typer.echo(f"Administrator: {name}\nOne-time password: {password}\nIt must be changed at the first sign-in.")


# ---- looking after a house that is not running -------------------------------------------------------------------


def _at_rest(path: Path | None, work: Callable[["Desk"], Awaitable[T]]) -> T:
    """With the house to oneself: one that is running is looked after from its own screens."""
    from puntobanco.web.serve import opened

    async def whole() -> T:
        async with opened(_settings(path), at_rest=True) as desk:
            return await work(desk)

    return _run(whole)


def _errand(path: Path | None, *errands: object) -> None:
    """Done as by an administrator at this machine, and in the book as that."""
    from puntobanco.house.book import Who
    from puntobanco.house.people import Post
    from puntobanco.rules.refusal import Refused

    async def work(desk: "Desk") -> None:
        for one in errands:
            by = Who("house", Post.ADMINISTRATOR, desk.house.clock(), "console")
            done = await desk.house.office.do(one, by)  # type: ignore[arg-type]
            if done.refusal is not None:
                raise Refused(done.refusal.reason, done.refusal.paragraph, **done.refusal.parameters)

    _at_rest(path, work)


@house.command()
def init(settings: SettingsFile = None) -> None:
    """Create the store, and one administrator with a password that is good once."""
    from puntobanco.house.founding import founded
    from puntobanco.rules.refusal import Reason, Refused

    async def work(desk: "Desk") -> tuple[str, str]:
        first = await founded(desk.house, desk.credentials)
        if first is None:
            raise Refused(Reason.HOUSE_FOUNDED)
        return first

    _tell_password(*_at_rest(settings, work))


user = typer.Typer(help="People of a house at rest.", no_args_is_help=True)
table = typer.Typer(help="Tables of a house at rest.", no_args_is_help=True)
account = typer.Typer(help="What accounts hold.", no_args_is_help=True)
house.add_typer(user, name="user")
house.add_typer(table, name="table")
house.add_typer(account, name="account")
Name = Annotated[str, typer.Argument(help="The name they sign in with.")]
TableName = Annotated[str, typer.Argument(help="The name of the table.")]


@user.command("add")
def add_user(
    name: Name,
    title: Annotated[str, typer.Option(help="How they are called.")],
    post: Annotated[str, typer.Option(help="player, cashier, dealer, pit_supervisor, ... administrator.")] = "player",
    at: Annotated[str, typer.Option("--table", help="Only at this table.")] = "*",
    settings: SettingsFile = None,
) -> None:
    """Admit somebody, and print a password that is good once."""
    from puntobanco.house.errands import Admit

    _errand(settings, Admit(person=name, title=title, post=_post(post), scope=at))
    password(name, settings)


def _post(name: str) -> "Post":
    from puntobanco.house.people import Post
    from puntobanco.rules.refusal import Reason, Refused

    if name not in tuple(Post):
        raise Refused(Reason.UNKNOWN_POST, post=name, known=", ".join(Post))
    return Post(name)


@user.command("list")
def list_users(settings: SettingsFile = None) -> None:
    """Everybody, and what they are where."""

    async def work(desk: "Desk") -> list[str]:
        return [
            f"{one.name}\t{one.title}\t{', '.join(f'{post} at {scope}' for scope, post in one.roles.items())}"
            + ("" if one.active else "\tdisabled")
            for one in desk.house.book.people.values()
        ]

    typer.echo("\n".join(_at_rest(settings, work)))


@user.command("password")
def password(name: Name, settings: SettingsFile = None) -> None:
    """Give a new password that is good once; the old one is worth nothing any more."""
    from puntobanco.house import book as b
    from puntobanco.rules.refusal import Reason, Refused

    async def work(desk: "Desk") -> str:
        if name not in desk.house.book.people:
            raise Refused(Reason.UNKNOWN_PERSON, person=name)
        given = await desk.credentials.issue(name)
        await desk.factors.remove(name)
        await desk.sessions.end_all(name)
        await desk.house.office.note(b.PasswordSet(by=desk.house.itself(), person=name, once=True))
        return given

    typer.echo(f"One-time password of {name}: {_at_rest(settings, work)}")


@user.command("role")
def give_role(
    name: Name,
    post: Annotated[str, typer.Argument(help="The post.")],
    at: Annotated[str, typer.Option("--table", help="Only at this table.")] = "*",
    settings: SettingsFile = None,
) -> None:
    """Give somebody a role in the house, or at one table."""
    from puntobanco.house.errands import GiveRole

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
    from puntobanco.house.errands import AddGame, AddTable, AnyOfficeCommand
    from puntobanco.rules import library

    errands: list[AnyOfficeCommand] = []
    if game not in library.GAMES and Path(game).is_file():
        found, _ = library.read_game(Path(game))
        errands.append(AddGame(content=Path(game).read_text(encoding="utf-8")))
        game = found.key
    _errand(settings, *errands, AddTable(table=name, game=game, automatic=automatic))


@table.command("list")
def list_tables(settings: SettingsFile = None) -> None:
    """Every table, its game, and where it stands."""

    async def work(desk: "Desk") -> list[str]:
        return [
            f"{one.name}\t{one.game}\t{desk.house.tables[one.name].state.phase}"
            if one.name in desk.house.tables
            else f"{one.name}\t{one.game}\t{'retired' if one.retired else 'stopped'}"
            for one in desk.house.book.tables.values()
        ]

    typer.echo("\n".join(_at_rest(settings, work)))


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

    async def work(desk: "Desk") -> dict[str, int]:
        return dict(await desk.house.store.balances())

    for name, held in sorted(_at_rest(settings, work).items()):
        if name.startswith(begins):
            typer.echo(f"{show_money(held):>20}  {name}")


# ---- backups and proof -------------------------------------------------------------------------------------------


@house.command()
def backup(
    to: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")], settings: SettingsFile = None
) -> None:
    """Copy the store while the house runs."""
    from puntobanco.rules.refusal import Reason, Refused
    from puntobanco.store import open_store
    from puntobanco.store.sqlite import SqliteStore

    store = open_store(_settings(settings).store.place)
    if not isinstance(store, SqliteStore):
        raise Refused(Reason.STORE_FAILED, why="a PostgreSQL store is backed up with pg_dump")
    if not Path(store.path).is_file():
        raise Refused(Reason.STORE_FAILED, why=f"there is no store at {store.path}")
    _run(lambda: store.backup(to))
    typer.echo(f"{to}: written.")


@house.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="A backup.")],
    to: Annotated[Path, typer.Argument(help="Where the store shall be; nothing may be there.")],
) -> int:
    """Bring a backup back, once it is proven."""
    from puntobanco.house.proof import house_readers
    from puntobanco.store.restore import restore as bring_back

    return _say_proof(_run(lambda: bring_back(backup, to, house_readers())))


@house.command()
def verify(
    place: Annotated[str | None, typer.Argument(help="A backup, or a store at rest; without it the settings'.")] = None,
    settings: SettingsFile = None,
) -> int:
    """Prove a store: every hash, posting, round and snapshot. Exit code 1 if something is wrong."""
    from puntobanco.house.proof import prove_house
    from puntobanco.store import open_store

    async def work() -> "Proof":
        store = open_store(place or _settings(settings).store.place)
        await store.open()
        try:
            return await prove_house(store)
        finally:
            await store.close()

    return _say_proof(_run(work))


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
    for stream, head in proof.heads.items():
        typer.echo(f"  {stream}: {head}")
    if proof.fault is None:
        typer.echo("Everything is as it was written.")
        return 0
    typer.echo(f"WRONG: {proof.fault}", err=True)
    return 1
