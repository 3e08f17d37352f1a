"""Price every bet on cards that everyone has seen: before betting closes, or when a bet is keyed in after the close.

The odds process computes this from the unseen cards, with the known cards at their places. The order of a sealed shoe
is never used. A command on such cards waits no longer than `WITHIN`; after that, the alert says that there is no worth.
"""

import asyncio
from typing import Any

from msgspec.structs import replace

from puntobanco.house.house import Watcher
from puntobanco.house.operations.log import logger
from puntobanco.house.pricing.odds_process import ITSELF, OddsService
from puntobanco.house.tables.writer import RunningTable
from puntobanco.rules.cards import Rank, read_card
from puntobanco.rules.refusal import Refused
from puntobanco.table.commands import AttestBet, Command, Fault, Worth
from puntobanco.table.events import AnyEvent
from puntobanco.table.reconstruction import LEFT_THE_SHOE
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State

WITHIN = 1.0
"""Seconds that a command waits."""
BEFORE_THE_CLOSE = BETWEEN_ROUNDS | {Phase.BETTING, Phase.CLOSING}


class Appraisal(Watcher):
    """Asks the odds process as soon as a card waits, so that the answer is ready when the round opens."""

    def __init__(self, odds_service: OddsService) -> None:
        self._odds_service = odds_service
        self._running: set[asyncio.Task[Worth | None]] = set()

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        if events and any((state := in_sight(table.state)).front):
            self._start(table, state)

    async def for_command(self, table: RunningTable, command: Command) -> Worth | None:
        """What the command carries: the worth of the bets on the cards that people knew when they bet. A bet keyed in
        after the close is worth what the cards of its round make of it."""
        if isinstance(command, AttestBet):
            return await self._in_time(table, dealt(table.state))
        return await self._in_time(table, in_sight(replace(table.state, question=None)))

    async def in_time(self, table: RunningTable) -> Worth | None:
        """The worth of the bets on every card in sight."""
        return await self._in_time(table, in_sight(table.state))

    async def _in_time(self, table: RunningTable, state: State) -> Worth | None:
        """The worth of the bets, if a card is known and the answer comes in time. A slower answer is still computed and
        kept for the next request."""
        if not any(state.front):
            return None
        task = self._start(table, state)
        await asyncio.wait([task], timeout=WITHIN)
        return task.result() if task.done() else None

    def _start(self, table: RunningTable, state: State) -> "asyncio.Task[Worth | None]":
        task = asyncio.create_task(self._worth(table, state))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _worth(self, table: RunningTable, state: State) -> Worth | None:
        try:
            found = await self._odds_service.ask(ITSELF, staff=True, do="live", **question(table, state))
        except Refused:
            return None
        except Exception as error:  # nothing but figures is lost by a fault of ours
            logger("house").error("pricing of exposed cards failed", table=table.name, why=repr(error))
            return None
        returns = {bet: round(gain * 1_000_000) for bet, gain in found["returns"].items()}
        return Worth(cards=state.front, returns=returns)


def question(table: RunningTable, state: State) -> dict[str, Any]:
    """Cards that were seen are removed from full decks. Burnt and face-down cards count as unseen."""
    setup, shoe = state.setup, state.shoe
    assert setup is not None, "the table is open"
    assert shoe is not None, "cards come from a shoe"
    left = [4 * shoe.decks] * 13
    for card, many in state.seen.items():
        left[read_card(card).rank - 1] -= many
    unseen = ",".join(f"{rank.sign}={max(0, count)}" for rank, count in zip(Rank, left, strict=True))
    return {
        "content": table.game.canonical().decode(),
        "layout": setup.layout,
        "shoe": unseen,
        "known": {str(place): rank.value for place, rank in state.known_first.items()},
        "most": min(6, shoe.left + len(state.front)),
    }


def in_sight(state: State) -> State:
    """The state with every known card in front of the shoe before the close, including one the House still decides
    about; None once betting is closed."""
    if state.reached not in BEFORE_THE_CLOSE or state.shoe is None:
        return replace(state, front=())
    asked = state.question.report if state.question is not None else 0
    about = [one for one in state.faults if one.number == asked and not one.brought_out]
    cards = [card for one in about if one.fault in (*LEFT_THE_SHOE, Fault.SIMULTANEOUS) for card in one.cards]
    if not cards:
        return state
    seen = dict(state.seen)
    for card in cards:
        if card is not None:
            seen[str(card)] = seen.get(str(card), 0) + 1
    shoe = replace(state.shoe, left=state.shoe.left - len(cards))
    return replace(state, front=(*state.front, *cards), seen=seen, shoe=shoe)


def dealt(state: State) -> State:
    """The state with the cards of the round in front of the shoe, if betting is closed. Cards that stay as they lie are
    in no order of drawing: nothing is computed for them."""
    if state.reached in BEFORE_THE_CLOSE or state.shoe is None or state.as_lying:
        return replace(state, front=())
    return replace(state, front=state.faces)
