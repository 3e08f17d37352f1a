"""Verify the electronic shoes of a history: each order matches the commitment published before the first bet, and every
card dealt is the card at its place."""

from collections import Counter

import msgspec

from puntobanco.house.secrets.secret_store import NoKey, SecretStore, Unreadable
from puntobanco.house.shoes.at_table import claims_to_be_sealed, place_of, sealed_names
from puntobanco.house.shoes.seal import Proven, Unproven
from puntobanco.store.verify import Wrong
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from puntobanco.table.reconstruction import cards_out
from puntobanco.table.setup import Source
from puntobanco.table.state import State

OF_CARDS = frozenset({e.ShoeLoaded, e.CardExposed, e.CardCorrected, e.CardsOutOfTurn, e.CardsReconstructed})
"""Events that say which cards left a shoe, or which shoe it is."""


class Tally(msgspec.Struct):
    """What was verified, and what could not be for lack of a key."""

    shoes: int = 0
    cards: int = 0
    unopened: dict[str, int] = {}
    """Shoes whose order is encrypted with a missing key, by key id."""
    lost: set[str] = set()
    """Keys declared lost in the journal."""

    @property
    def missing(self) -> int:
        """Shoes not verified although their key was not declared lost."""
        return sum(many for id, many in self.unopened.items() if id not in self.lost)


class ShoeProver:
    """Verifies the shoes of one table."""

    def __init__(self, table: str, secret_store: SecretStore, tally: Tally) -> None:
        self._table, self._secret_store, self._tally = table, secret_store, tally
        self._loaded: e.ShoeLoaded | None = None
        self._orders: dict[str, Proven] = {}
        """The orders of shoes whose first card may come next."""
        self._used = set[str]()
        self._shoe: Proven | None = None

    def wants(self, loaded: e.ShoeLoaded) -> bool:
        """Whether the order must be looked up before the next event, because the shoe is electronic."""
        if claims_to_be_sealed(loaded):
            self._loaded = loaded
        return self._loaded is not None

    async def look_up(self) -> None:
        """Load the order of the shoe that was just loaded."""
        loaded, self._loaded = self._loaded, None
        assert loaded is not None, "a shoe was loaded"
        if loaded.source is not Source.ELECTRONIC or not loaded.shoe.startswith(sealed_names(self._table)):
            raise Wrong(f"shoe {loaded.shoe}: it claims to be sealed, but is not an electronic shoe of this table")
        if loaded.shoe in self._used:
            raise Wrong(f"shoe {loaded.shoe}: it was loaded before, so its order is known")
        self._used.add(loaded.shoe)
        try:
            content = await self._secret_store.sealed(loaded.shoe)
            self._orders[loaded.shoe] = Proven.of(loaded.shoe, loaded.commitment, loaded.decks, content)
        except NoKey as missing:
            self._tally.unopened[missing.id] = self._tally.unopened.get(missing.id, 0) + 1
        except (Unproven, Unreadable) as wrong:
            raise Wrong(f"shoe {loaded.shoe}: {wrong}") from None
        else:
            self._tally.shoes += 1

    def take(self, before: State, event: AnyEvent, after: State) -> None:
        match event:
            case e.ShoeLoaded():
                self._shoe = self._orders.pop(event.shoe, None)
            case e.CardExposed() if self._shoe is not None and event.index > before.old:
                self._is(self._shoe, before, event)
            case e.CardsOutOfTurn() | e.CardsReconstructed() | e.CardCorrected() if self._shoe is not None:
                self._among(self._shoe, after)
            case _:
                return

    def _is(self, shoe: Proven, before: State, event: e.CardExposed) -> None:
        try:
            place = place_of(shoe.order.cards, before, event.index)
        except IndexError:
            raise Wrong(f"shoe {shoe.name}: a card was turned that had not left it face down") from None
        if event.card != shoe.order.cards[place]:
            raise Wrong(f"shoe {shoe.name}, place {place}: {event.card} was dealt, but the commitment has another card")
        self._tally.cards += 1

    def _among(self, shoe: Proven, after: State) -> None:
        """Check that named cards are among those that had left the shoe."""
        assert after.shoe is not None, "it was loaded"
        out = cards_out(after)[after.old :]
        first = 52 * after.shoe.decks - after.shoe.left - len(out)
        if Counter(filter(None, out)) - Counter(shoe.order.cards[first : first + len(out)]):
            raise Wrong(f"shoe {shoe.name}: cards were named that had not left the shoe")
