"""The automatic dealer: what a table that runs by itself does next, and when. It acts through commands like anyone."""

from collections.abc import Callable

import msgspec

from puntobanco.house.shoes import Sealed, new_shoe
from puntobanco.house.table import Hosted
from puntobanco.rules.cards import Card
from puntobanco.rules.refusal import Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.floor import is_used_up
from puntobanco.table.reconstruction import cards_out
from puntobanco.table.setup import Source
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State
from puntobanco.table.story import due


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """Milliseconds between the steps of a round."""

    card: int = 1_000
    result: int = 2_000
    between: int = 3_000
    round: int = 0
    """At the least from the opening of one round to that of the next."""

    @staticmethod
    def most(rounds_per_hour: int) -> int:
        """The pace of a round, so that there are no more of them in an hour; 0 for no limit."""
        return -(-3_600_000 // rounds_per_hour) if rounds_per_hour else 0


LOOKS_AGAIN = 500
"""Milliseconds between two looks at a table that waits for people or the clock."""
REFUSED = 1_000
"""Milliseconds before it tries again what the table refused."""


class AutomaticDealer:
    """Deals one table from an electronic shoe that is sealed in the store before its first bet."""

    def __init__(self, table: Hosted, pace: Pace | None = None, shoes: Callable[[int], Sealed] = new_shoe) -> None:
        self.table, self.pace, self._new_shoe = table, pace or Pace(), shoes
        self.role = Role.SYSTEM if table.game.terminal else Role.DEALER
        self._shoe: tuple[str, Sealed] | None = None
        self._seen, self._not_before = 0, 0
        """The last round this dealer has seen, and when the next may be opened: after a restart it counts anew."""

    async def step(self) -> int:
        """Do what is due; returns the milliseconds until the next look."""
        state, now = self.table.state, self.table.clock()
        if state.round > self._seen:
            self._seen, self._not_before = state.round, now + self.pace.round
        if state.phase in BETWEEN_ROUNDS:
            return await self._between(state, now)
        match state.phase:
            case Phase.BETTING | Phase.CLOSING if now < state.deadline:
                return min(state.deadline - now, LOOKS_AGAIN)
            case Phase.BETTING if self.table.felt.close_is_displayed:
                return await self._send(c.AnnounceClose(round=state.round))
            case Phase.BETTING | Phase.CLOSING:
                closed = c.CloseBetting(round=state.round, over_excess=True)
                return await self._send(closed, lambda: self.pace.card)
            case Phase.DEALING:
                return await self._deal(state)
            case Phase.INSURANCE if state.window is not None:
                if now < state.window.deadline:
                    return min(state.window.deadline - now, LOOKS_AGAIN)
                return await self._send(c.CloseInsurance(round=state.round, window=state.window.window))
            case Phase.RESULT:
                return await self._send(c.Settle(round=state.round), lambda: self.pace.between)
            case Phase.OPTIONS if state.options is not None and now >= state.options.deadline:
                return await self._send(c.CloseOptions(question=state.options.question))
        return LOOKS_AGAIN

    async def _between(self, state: State, now: int) -> int:
        if is_used_up(state):
            return await self._load()
        if await self._sealed() is None:
            return LOOKS_AGAIN  # cards of somebody else's are in the shoe: theirs to deal, or the pit's to withdraw
        if now < self._not_before:
            return self._not_before - now
        return await self._send(c.OpenBetting(acknowledge=any(state.front)))

    async def _deal(self, state: State) -> int:
        shoe = await self._sealed()
        if shoe is None:
            return LOOKS_AGAIN
        hidden = [index for index, one in enumerate(state.drawn, start=1) if one.card is None]
        try:
            side = due(state)
        except Refused:
            side = None
        if side is not None and _can_draw(state):
            index, known = len(state.drawn) + 1, bool(state.front) and state.front[0] is not None
            face_up = state.setup is not None and not state.setup.face_down
            card = _card(shoe, state, index) if face_up and not known else None
            return await self._send(c.DrawCard(round=state.round, index=index, card=card), self._after_card)
        if hidden:
            first = hidden[-1] if state.waived and len(state.drawn) == 6 else hidden[0]
            card = _card(shoe, state, first)
            return await self._send(c.ExposeCard(round=state.round, index=first, card=card), self._after_card)
        return LOOKS_AGAIN

    async def _load(self) -> int:
        """Sealed first, published second: the commitment is in the event, the order nowhere but in the store."""
        setup = self.table.state.setup
        assert setup is not None, "the table is open"
        shoe = self._new_shoe(setup.decks)
        name = f"{sealed_names(self.table.name)}{shoe.commitment[:16]}"
        await self.table.store.seal(name, shoe.encode())
        load = c.LoadShoe(
            shoe=name, decks=setup.decks, shuffled=True, source=Source.ELECTRONIC, commitment=shoe.commitment
        )
        return await self._send(load)

    async def _sealed(self) -> Sealed | None:
        """The order of the shoe in use, from the store after a restart; none if it is not one of ours."""
        shoe = self.table.state.shoe
        if shoe is None or not shoe.name.startswith(sealed_names(self.table.name)):
            return None
        if self._shoe is None or self._shoe[0] != shoe.name:
            content = await self.table.store.sealed(shoe.name)
            if content is None:
                return None
            self._shoe = shoe.name, Sealed.decode(content)
        return self._shoe[1]

    def _after_card(self) -> int:
        return self.pace.result if self.table.state.phase is Phase.RESULT else self.pace.card

    async def _send(self, command: c.Command, then: Callable[[], int] = lambda: 0) -> int:
        """When to look next, as the table then is: what was refused is not tried again at once."""
        answered = await self.table.send(command, "dealer", self.role)
        return then() if answered.refusal is None else REFUSED


SEALED = "/"
"""What only the names of sealed shoes have."""


def sealed_names(table: str) -> str:
    """How the names of that table's own shoes begin; nobody else may give such a name."""
    return f"{table}{SEALED}"


def _can_draw(state: State) -> bool:
    """A shoe that was withdrawn in the middle of the round gives no more; what has left it is still dealt."""
    return bool(state.front) or (state.shoe is not None and state.shoe.in_service)


def _card(shoe: Sealed, state: State, index: int) -> Card:
    """The card of that draw in the order of the shoe. Where cards were put in another order, those face down are the
    ones that nobody has seen. An empty shoe voids the round, whatever card is named."""
    assert state.shoe is not None, "a round is dealt from a shoe"
    out = cards_out(state)
    first = 52 * state.shoe.decks - state.shoe.left - len(out)
    if index > len(out):
        return shoe.cards[min(first + index - 1, len(shoe.cards) - 1)]
    came = [(card, shoe.cards[place]) for place, card in enumerate(out, start=first) if place >= 0]
    moved = [card for card, own in came if card not in (None, own)]
    unseen = [own for card, own in came if card != own]
    for card in moved:
        if card in unseen:
            unseen.remove(card)
    return unseen[out[: index - 1].count(None)]
