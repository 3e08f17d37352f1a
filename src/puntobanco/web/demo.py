"""A demonstration house: play money, all five games open, a person for every post, and a sign-in link for each.

It runs on loopback only, in its own store, and every screen says that it is a demonstration.
"""

from msgspec.structs import replace

from puntobanco.house.house import House, opening_setup
from puntobanco.house.secrets.secret_store import HOUR
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import float_of
from puntobanco.protocol.administrative_commands import AddTable, GuestProof
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import Confirmation
from puntobanco.table.setup import InterruptionFinding, Policy, Setup, Timing
from puntobanco.table.state import Phase
from puntobanco.web.services import Services

PEOPLE: dict[str, tuple[str, Post]] = {
    "ann": ("Ann", Post.PLAYER),
    "bao": ("Bao", Post.PLAYER),
    "chen": ("Chen", Post.PLAYER),
    "dora": ("Dora", Post.DEALER),
    "sue": ("Sue", Post.PIT_SUPERVISOR),
    "max": ("Max", Post.PIT_MANAGER),
    "tom": ("Tom", Post.SHIFT_MANAGER),
    "cal": ("Cal", Post.CASHIER),
    "ada": ("Ada", Post.AUDITOR),
    "root": ("Rosa", Post.ADMINISTRATOR),
    "board": ("Board", Post.BOARD),
}
TABLES: dict[str, tuple[str, bool]] = {
    "baccarat-1": ("commission", True),
    "electronic-1": ("non-commission-etg", True),
    "super-six-1": ("super-six", True),
    "insurance-1": ("insurance", True),
    "wu-song-1": ("wu-song", True),
    "baccarat-2": ("commission", False),
}
"""Tables by name: the game, and whether it deals by itself. The last waits for a dealer."""
FACE_DOWN = "wu-song-1"
"""Dealt face down: there whoever has the highest bet may squeeze, at a box or behind it."""
MONEY = Cents(10_000_00)
FLOAT = Cents(1_000_000_00)
PIN = "2580"
"""The PIN of every player, so that a dealer's table and the cage can be tried without the players' screens."""
LINK_LASTS = 24 * HOUR
"""How long a sign-in link is valid."""


async def create_demo(house: House) -> None:
    """Create what the demonstration lacks; what an earlier run left stays as it is.

    Refuses a store that belongs to another house.
    """
    if house.journal.people and next(iter(house.journal.people)) != next(iter(PEOPLE)):
        raise Refused(Reason.HOUSE_FOUNDED)
    itself = house.itself()
    for name, (title, post) in PEOPLE.items():
        if name not in house.journal.people:
            money = [b.Deposited(by=itself, person=name, amount=MONEY)] if post is Post.PLAYER else []
            await house.journal_writer.note(
                b.PersonAdmitted(by=itself, person=name, title=title),
                b.RoleGiven(by=itself, person=name, post=post, scope=HOUSE),
                *money,
            )
    await _give_pins(house)
    for name, (game, automatic) in TABLES.items():
        if name not in house.journal.tables:
            await house.manage("root", AddTable(table=name, game=game, automatic=automatic))
        if float_of(name) not in await house.store.balances([float_of(name)]):
            await house.journal_writer.note(b.FloatFilled(by=itself, table=name, amount=FLOAT))
        running = house.tables.get(name)
        if running is not None and running.state.phase is Phase.CLOSED:
            await house.do("tom", name, c.OpenTable(setup=demo_setup(game, face_down=name == FACE_DOWN)))


async def _give_pins(house: House) -> None:
    if house.guest_confirmation is None or Confirmation.PIN not in house.guest_confirmation.accepted:
        return
    for name, (_, post) in PEOPLE.items():
        if post is Post.PLAYER and Confirmation.PIN not in await house.guest_confirmation.held(name):
            await house.guest_confirmation.set(name, GuestProof(pin=PIN))


def demo_setup(game: str, *, face_down: bool = False) -> Setup:
    """Low limits, a fast pace, and rounds that continue by themselves after a restart."""
    return replace(
        opening_setup(library.game(game)),
        timing=Timing(betting=20_000, insurance=12_000, squeeze=30_000),
        policy=Policy(interruption_finding=InterruptionFinding.AUTOMATIC),
        minimum=Cents(10_00),
        differential=Cents(5_000_00),
        face_down=face_down,
    )


async def links(services: Services, url: str) -> dict[str, str]:
    """A link for each person, valid once and for `LINK_LASTS`. The secret follows the `#` and is never sent to a server
    log.

    Links of an earlier start are no longer valid.
    """
    found = {}
    for slot, name in enumerate(PEOPLE, start=1):
        await services.identity.tickets.revoke_all(name)
        ticket = await services.identity.tickets.issue(name, LINK_LASTS)
        found[name] = f"{url}/u/{slot}/#ticket={ticket}"
    return found
