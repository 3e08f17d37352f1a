"""Money: one's own wallet, and for those who work with it every account."""

import msgspec

from puntobanco.house.accounts import commission_of, float_of, purse_at, tray, wallet
from puntobanco.house.people import PIT, Post
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import Posting
from puntobanco.web.api import ANYONE, Asked, operation
from puntobanco.web.wire.money import Account, FloatCard, Moved, Wallet

LATEST = 35
"""How many movements a statement shows."""
ACCOUNTANTS = PIT | {Post.CASHIER, Post.AUDITOR}


class Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    begins: str = ""
    """Only accounts whose names begin so: `wallet:`, `float:`, `purse:<table>:` and the like."""


@operation("GET", "/wallet", "One's own wallet, the purses at the tables, and what moved lately", who=ANYONE,
           gives=Wallet)  # fmt: skip
async def own_wallet(asked: Asked) -> Wallet:
    return await _wallet(asked, asked.person)


@operation("GET", "/people/{person}/wallet", "A player's wallet", who=ACCOUNTANTS, gives=Wallet)
async def players_wallet(asked: Asked) -> Wallet:
    if asked.path["person"] not in asked.desk.house.book.people:
        raise Refused(Reason.NOT_ADMITTED, person=asked.path["person"])
    return await _wallet(asked, asked.path["person"])


@operation("GET", "/accounts", "What every account holds", who=ACCOUNTANTS, gives=list[Account], query=Named)
async def accounts(asked: Asked) -> list[Account]:
    held = await asked.desk.house.store.balances()
    wanted = sorted(name for name in held if name.startswith(asked.query.begins))
    return [Account(account=name, held=held[name]) for name in wanted]


@operation("GET", "/floats", "What each table pays from, and how it was last counted", who=ACCOUNTANTS,
           gives=list[FloatCard], anywhere=True)  # fmt: skip
async def floats(asked: Asked) -> list[FloatCard]:
    house = asked.desk.house
    held, purses = await house.store.balances(), dict[str, int]()
    for name, amount in held.items():
        kind, _, rest = name.partition(":")
        if kind == "purse":
            table = rest.partition(":")[0]
            purses[table] = purses.get(table, 0) + amount
    found = []
    for entry in house.book.tables.values():
        if house.post(asked.person, entry.name) not in ACCOUNTANTS:
            continue
        table, count = entry.name, house.book.counts.get(entry.name)
        card = FloatCard(
            table=table, game=entry.game, held=held.get(float_of(table), 0), stakes=held.get(f"stakes:{table}", 0),
            purses=purses.get(table, 0), commission=held.get(commission_of(table), 0), tray=tray(held, table),
            retired=entry.retired,
        )  # fmt: skip
        if count is not None:
            card = msgspec.structs.replace(
                card, counted=count.counted, booked=count.booked, counted_at=count.by.at, counted_by=count.by.person
            )
        found.append(card)
    return found


async def _wallet(asked: Asked, person: str) -> Wallet:
    """As the store has it: money is also at tables that do not run."""
    house, name = asked.desk.house, wallet(person)
    at = {table: purse_at(table, person) for table in house.book.tables}
    held = await house.store.balances([name, *at.values()])
    purses = {table: held[account] for table, account in at.items() if held.get(account)}
    return Wallet(
        person=person,
        held=held.get(name, 0),
        purses=purses,
        stopped=tuple(table for table in purses if table not in house.tables or table in house.failed),
        latest=_moved(name, await house.store.statement(name, LATEST)),
    )


def _moved(account: str, postings: tuple[Posting, ...]) -> tuple[Moved, ...]:
    return tuple(
        Moved(id=one.id, kind=one.kind, other=one.source, amount=one.amount, at=one.at)
        if one.target == account
        else Moved(id=one.id, kind=one.kind, other=one.target, amount=-one.amount, at=one.at)
        for one in postings
    )
