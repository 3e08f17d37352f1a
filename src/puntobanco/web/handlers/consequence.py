"""What a request that waits for a second person would lead to: computed on a copy of the table or of the books.

The second person sees the round before and after, and what every account would hold, before they confirm.
"""

from collections.abc import Iterable

import msgspec

from puntobanco.house.audit.round_bets import placed_bet, settled_bet
from puntobanco.house.house import House
from puntobanco.house.journal.journal import PendingConfirmation, moved
from puntobanco.ledger.accounts import Transfer, balances
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol.account_names import house_transfers, purse_at, receivable_at, wallet
from puntobanco.protocol.administration import AccountChange, Consequence, RoundStatus, Unforeseen
from puntobanco.protocol.answers import Sentence
from puntobanco.protocol.posts import AT_THE_TABLE, TRUSTED, Post
from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.table.authority import By, Confirmation
from puntobanco.table.decide import decide
from puntobanco.table.explain import RunningAccount
from puntobanco.table.reading import KINDS
from puntobanco.table.state import State
from puntobanco.web.handlers.tables import sentences
from puntobanco.web.http.operations import operation
from puntobanco.web.live.waiting import waiting_for
from puntobanco.web.services import Call


@operation("GET", "/waiting/{number}", "Preview what a request that waits would lead to, before and after",
           who=TRUSTED | {Post.PLAYER}, gives=Consequence, anywhere=True)  # fmt: skip
async def consequence(asked: Call) -> Consequence:
    """Computed on a copy of the table or of the books. Nothing is changed."""
    house, number = asked.services.house, asked.number("number")
    card = next((one for one in waiting_for(house, asked.person) if one.number == number), None)
    if card is None:
        raise Refused(Reason.NOTHING_WAITS, number=number)
    waiting = house.journal.waiting[number]
    try:
        found = await (_at_table if waiting.table else _in_the_books)(asked, waiting)
    except Refused as refused:
        return Consequence(number=number, refused=_sentence(refused.refusal, asked.said))
    return _of_guest(found, asked.person, waiting.table) if card.guest == asked.person else found


async def _at_table(asked: Call, waiting: PendingConfirmation) -> Consequence:
    house, first, number = asked.services.house, waiting.by, waiting.number
    running = house.tables.get(waiting.table)
    if running is None or running.failed is not None or first.post is None:
        return Consequence(number=number, unforeseen=Unforeseen.TABLE_STOPPED)
    state = running.state
    command = msgspec.convert(waiting.command, KINDS[waiting.command["type"]], str_keys=True)
    by = By(
        first.person, AT_THE_TABLE[first.post], house.clock(), second=asked.person, confirmed=Confirmation.SESSION,
        device=first.post is Post.DEVICE,
    )  # fmt: skip
    found = decide(running.felt, state, command, by)
    if isinstance(found, Refusal):
        raise Refused.of(found)
    assert found.state is not None, "what was decided leads somewhere"
    account = RunningAccount(running.game, state)
    money = await _changes(house, (one for event in found.events for one in house_transfers(running.name, event)))
    return Consequence(
        number=number,
        told=tuple(line for event in found.events for line in sentences(account.tell(event), asked.said)),
        before=_standing(state),
        after=_standing(found.state),
        money=money,
        unforeseen=_unforeseen(found.state, money),
    )


async def _in_the_books(asked: Call, waiting: PendingConfirmation) -> Consequence:
    house = asked.services.house
    command = msgspec.convert(waiting.command, a.AnyAdministrativeCommand)
    by = msgspec.structs.replace(waiting.by, second=asked.person, confirmed=Confirmation.SESSION)
    entries = await house.journal_writer.decided(command, by)
    money = await _changes(house, (one for entry in entries for one in moved(entry)))
    differs = house.journal.differs
    return Consequence(
        number=waiting.number,
        money=money,
        unforeseen=None if money else Unforeseen.NO_MONEY,
        files=tuple(sorted(differs.files)) if isinstance(command, a.ReleaseProgram) and differs is not None else (),
    )


async def _changes(house: House, transfers: Iterable[Transfer]) -> tuple[AccountChange, ...]:
    """What each account holds before and after; those that end as they began are left out."""
    net = {account: amount for account, amount in balances(transfers).items() if amount}
    held = await house.store.balances(list(net)) if net else {}
    return tuple(
        AccountChange(account=account, before=held.get(account, 0), after=held.get(account, 0) + amount)
        for account, amount in sorted(net.items())
    )


def _standing(state: State) -> RoundStatus:
    """Stakes stay in the state after the settlement; there, what it made of them counts."""
    settled = {one.key: one for one in (*(ended.settled for ended in state.ended), *state.settled)}
    done = {key: settled_bet(one) for key, one in settled.items() if key not in state.held}
    lying = {key: placed_bet(one) for key, one in (state.stakes | state.held).items()}
    bets = tuple(sorted((lying | done).values(), key=lambda one: (one.box, one.owner, one.bet)))
    return RoundStatus(phase=state.phase, round=state.round, outcome=state.outcome, bets=bets)


def _unforeseen(after: State, money: tuple[AccountChange, ...]) -> Unforeseen | None:
    if after.stakes and not after.is_posted:
        return Unforeseen.CARDS_TO_COME
    return None if money else Unforeseen.NO_MONEY


def _of_guest(found: Consequence, person: str, table: str) -> Consequence:
    """A guest sees their own accounts, and nothing of anybody else."""
    own = {wallet(person), purse_at(table, person), receivable_at(table, person)}
    money = tuple(one for one in found.money if one.account in own)
    return Consequence(number=found.number, money=money, refused=found.refused)


def _sentence(refusal: Refusal, said: Sentences) -> Sentence:
    return Sentence(text=said.refusal(refusal), paragraph=refusal.paragraph)
