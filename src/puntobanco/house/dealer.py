"""The automatic dealer: what a table that runs by itself does next, and when. It acts through commands like anyone."""

from collections.abc import Callable

import msgspec

from puntobanco.house.shoes import Sealed, new_shoe
from puntobanco.house.table import Hosted
from puntobanco.rules.refusal import Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.setup import Source
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State
from puntobanco.table.story import due


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """Milliseconds between the steps of a round."""

    card: int = 1_000
    result: int = 2_000
    between: int = 3_000


class AutomaticDealer:
    """Deals one table from an electronic shoe that is sealed in the store before its first bet."""

    def __init__(self, table: Hosted, pace: Pace | None = None, shoes: Callable[[int], Sealed] = new_shoe) -> None:
        self.table, self.pace, self._new_shoe = table, pace or Pace(), shoes
        self.role = Role.SYSTEM if table.game.terminal else Role.DEALER
        self._shoe: Sealed | None = None

    async def step(self) -> int:
        """Do what is due; returns the milliseconds until the next look."""
        state, now = self.table.state, self.table.clock()
        if state.phase in BETWEEN_ROUNDS:
            if _needs_shoe(state):
                await self._load()
                return 0
            await self._send(c.OpenBetting(acknowledge=any(state.front)))
            return 0
        match state.phase:
            case Phase.BETTING | Phase.CLOSING if now < state.deadline:
                return state.deadline - now
            case Phase.BETTING if self.table.felt.close_is_displayed:
                await self._send(c.AnnounceClose(round=state.round))
                return 0
            case Phase.BETTING | Phase.CLOSING:
                await self._send(c.CloseBetting(round=state.round, over_excess=True))
                return self.pace.card
            case Phase.DEALING:
                return await self._deal(state)
            case Phase.INSURANCE if state.window is not None:
                if now < state.window.deadline:
                    return state.window.deadline - now
                await self._send(c.CloseInsurance(round=state.round, window=state.window.window))
                return 0
            case Phase.RESULT:
                await self._send(c.Settle(round=state.round))
                return self.pace.between
            case Phase.OPTIONS if state.options is not None and now >= state.options.deadline:
                await self._send(c.CloseOptions(question=state.options.question))
        return 500

    async def _deal(self, state: State) -> int:
        hidden = [index for index, one in enumerate(state.drawn, start=1) if one.card is None]
        try:
            side = due(state)
        except Refused:
            side = None
        if side is None and hidden:
            shoe = await self._sealed()
            place = self._place(state) - len(state.drawn) + hidden[0] - 1
            await self._send(c.ExposeCard(round=state.round, index=hidden[0], card=shoe.cards[place]))
        elif side is not None:
            index, waiting = len(state.drawn) + 1, bool(state.front)
            face_up = state.setup is not None and not state.setup.face_down
            card = (await self._sealed()).cards[self._place(state)] if face_up and not waiting else None
            await self._send(c.DrawCard(round=state.round, index=index, card=card))
        return self.pace.card

    @staticmethod
    def _place(state: State) -> int:
        """Where in the order of the shoe the next card is."""
        assert state.shoe is not None, "a round is dealt from a shoe"
        return 52 * state.shoe.decks - state.shoe.left

    async def _load(self) -> None:
        """Sealed first, published second: the commitment is in the event, the order nowhere but in the store."""
        setup = self.table.state.setup
        assert setup is not None, "the table is open"
        shoe = self._new_shoe(setup.decks)
        name = f"{self.table.name}/{shoe.commitment[:16]}"
        await self.table.store.seal(name, shoe.encode())
        load = c.LoadShoe(
            shoe=name, decks=setup.decks, shuffled=True, source=Source.ELECTRONIC, commitment=shoe.commitment
        )
        await self._send(load)
        self._shoe = shoe

    async def _sealed(self) -> Sealed:
        """The shoe in use, from the store after a restart."""
        state = self.table.state
        assert state.shoe is not None, "a round is dealt from a shoe"
        if self._shoe is None:
            content = await self.table.store.sealed(state.shoe.name)
            assert content is not None, "a shoe is sealed before it is used"
            self._shoe = Sealed.decode(content)
        return self._shoe

    async def _send(self, command: c.Command) -> None:
        await self.table.send(command, "dealer", self.role)


def _needs_shoe(state: State) -> bool:
    shoe = state.shoe
    return shoe is None or not shoe.in_service or shoe.finished or not shoe.shuffled
