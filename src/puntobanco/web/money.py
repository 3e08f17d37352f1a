"""Money: one's own wallet, and for those who work with it every account."""

import msgspec

from puntobanco.house.accounts import wallet
from puntobanco.house.people import PIT, Post
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import Posting
from puntobanco.web.api import ANYONE, Asked, operation
from puntobanco.web.wire import Account, Moved, Wallet

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


async def _wallet(asked: Asked, person: str) -> Wallet:
    house, name = asked.desk.house, wallet(person)
    purses = {table.name: table.state.purses[person] for table in house.tables.values() if person in table.state.purses}
    return Wallet(
        person=person,
        held=(await house.store.balances([name])).get(name, 0),
        purses=purses,
        latest=_moved(name, await house.store.statement(name, LATEST)),
    )


def _moved(account: str, postings: tuple[Posting, ...]) -> tuple[Moved, ...]:
    return tuple(
        Moved(id=one.id, kind=one.kind, other=one.source, amount=one.amount)
        if one.target == account
        else Moved(id=one.id, kind=one.kind, other=one.target, amount=-one.amount)
        for one in postings
    )
