"""Money: the caller's own wallet, and all accounts for those who handle them."""

import msgspec

from puntobanco.house.house import House
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import commission_of, drop_of, float_of, purse_at, tray, wallet
from puntobanco.protocol.administrative_commands import GuestProof
from puntobanco.protocol.money import Account, FloatCard, Moved, TillReport, Wallet
from puntobanco.protocol.posts import PIT, Post
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import Posting
from puntobanco.table.authority import Confirmation
from puntobanco.web.http.operations import ANYONE, operation
from puntobanco.web.services import Call

LATEST = 35
"""Movements in a statement."""
ACCOUNTANTS = PIT | {Post.CASHIER, Post.AUDITOR}


class Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which accounts to list."""

    begins: str = ""
    """A prefix of account names: `wallet:`, `float:`, `purse:<table>:` and so on."""


@operation("GET", "/wallet", "Get your wallet, your purses at the tables, and recent movements", who=ANYONE,
           gives=Wallet)  # fmt: skip
async def own_wallet(asked: Call) -> Wallet:
    """Money at tables that do not run is included."""
    return await _wallet(asked, asked.person)


@operation("GET", "/people/{person}/wallet", "Get the wallet of a player", who=ACCOUNTANTS, gives=Wallet)
async def players_wallet(asked: Call) -> Wallet:
    """What the player sees of their own wallet."""
    if asked.path["person"] not in asked.services.house.journal.people:
        raise Refused(Reason.NOT_ADMITTED, person=asked.path["person"])
    return await _wallet(asked, asked.path["person"])


@operation("GET", "/accounts", "List account balances", who=ACCOUNTANTS, gives=list[Account], query=Named)
async def accounts(asked: Call) -> list[Account]:
    """In order of name. `begins` selects accounts by the beginning of their name."""
    held = await asked.services.house.store.balances()
    wanted = sorted(name for name in held if name.startswith(asked.query.begins))
    return [Account(account=name, held=held[name]) for name in wanted]


@operation("GET", "/floats", "List the floats of the tables and their last counts", who=ACCOUNTANTS,
           gives=list[FloatCard], anywhere=True)  # fmt: skip
async def floats(asked: Call) -> list[FloatCard]:
    """Of the tables whose money the caller may see, retired tables included."""
    house = asked.services.house
    held, purses = await house.store.balances(), dict[str, int]()
    for name, amount in held.items():
        kind, _, rest = name.partition(":")
        if kind == "purse":
            table = rest.partition(":")[0]
            purses[table] = purses.get(table, 0) + amount
    found = []
    for entry in house.journal.tables.values():
        if house.post(asked.person, entry.name) not in ACCOUNTANTS:
            continue
        table, count = entry.name, house.journal.counts.get(entry.name)
        card = FloatCard(
            table=table, game=entry.game, held=held.get(float_of(table), 0), stakes=held.get(f"stakes:{table}", 0),
            purses=purses.get(table, 0), drop=held.get(drop_of(table), 0),
            commission=held.get(commission_of(table), 0), tray=tray(held, table),
            retired=entry.retired,
        )  # fmt: skip
        if count is not None:
            card = msgspec.structs.replace(
                card, counted=count.counted, booked=count.booked, counted_at=count.by.at, counted_by=count.by.person
            )
        found.append(card)
    return found


@operation("GET", "/tills", "List what each cashier has moved since their last balancing; cashiers see their own",
           who=ACCOUNTANTS, gives=list[TillReport])  # fmt: skip
async def tills(asked: Call) -> list[TillReport]:
    """A cashier is listed from the first movement until they are balanced."""
    everybody = asked.services.house.post(asked.person) is not Post.CASHIER
    return [
        TillReport(person=person, since=till.since, sums=till.sums, guests=till.guests)
        for person, till in asked.services.house.journal.tills.items()
        if everybody or person == asked.person
    ]


# ---- a guest's own word ------------------------------------------------------------------------------------------


@operation("POST", "/proof", "Set your PIN or card, which confirms what staff do with your money",
           who=frozenset({Post.PLAYER}), takes=GuestProof, example={"pin": "2580"})  # fmt: skip
async def set_proof(asked: Call) -> None:
    """The journal entry follows the change: until then, whoever entered the previous proof still cannot use it."""
    async with asked.services.identity.guest_confirmation.setting:
        await asked.services.identity.guest_confirmation.set(asked.person, asked.body)
        await _note_proof(asked, asked.person)


@operation("POST", "/people/{person}/proof", "Set the first PIN or card of a guest, keyed in by the guest at the cage",
           who=frozenset({Post.CASHIER}), takes=GuestProof, example={"pin": "2580"})  # fmt: skip
async def give_proof(asked: Call) -> None:
    """Allowed only while the guest has no money here: whoever knows the PIN can confirm withdrawals."""
    house, person = asked.services.house, asked.path["person"]
    found = house.journal.people.get(person)
    if found is None:
        raise Refused(Reason.NOT_ADMITTED, person=person)
    async with asked.services.identity.guest_confirmation.setting:
        had = set(await asked.services.identity.guest_confirmation.held(person)) - {Confirmation.SESSION}
        if found.posts != {Post.PLAYER} or had or await holds_money(house, person):
            await house.denied(asked.person, f"PIN of {person}", asked.address)
            raise Refused(Reason.PIN_NOT_YOURS)
        await _note_proof(asked, person)  # before it counts: who entered it cannot use it
        await asked.services.identity.guest_confirmation.set(person, asked.body)


async def _note_proof(asked: Call, person: str) -> None:
    by, given = asked.by, asked.services.identity.guest_confirmation.given(asked.body)
    await asked.services.house.journal_writer.note(*(b.ProofSet(by=by, person=person, how=how) for how in given))


async def _wallet(asked: Call, person: str) -> Wallet:
    """Read from the store, because tables that do not run hold money too."""
    house, name = asked.services.house, wallet(person)
    at = {table: purse_at(table, person) for table in house.journal.tables}
    held = await house.store.balances([name, *at.values()])
    purses = {table: held[account] for table, account in at.items() if held.get(account)}
    return Wallet(
        person=person,
        held=held.get(name, 0),
        purses=purses,
        stopped=tuple(table for table in purses if table not in house.tables or table in house.failed),
        latest=_moved(name, await house.store.statement(name, LATEST)),
        sums=house.journal.guests.get(person, {}),
        confirms=await house.guest_confirmation.held(person) if house.guest_confirmation else (),
    )


async def holds_money(house: House, person: str) -> bool:
    """Whether the person has money in the wallet, in a purse or on a layout."""
    purses = [purse_at(table, person) for table in house.journal.tables]
    staked = any(one.state.in_play and one.state.stakes_of(person) for one in house.tables.values())
    return staked or any((await house.store.balances([wallet(person), *purses])).values())


def _moved(account: str, postings: tuple[Posting, ...]) -> tuple[Moved, ...]:
    return tuple(
        Moved(id=one.id, kind=one.kind, other=one.source, amount=one.amount, at=one.at)
        if one.target == account
        else Moved(id=one.id, kind=one.kind, other=one.target, amount=-one.amount, at=one.at)
        for one in postings
    )
