"""A sealed shoe at its table: how it is named, and which place in its order a draw takes."""

from collections.abc import Sequence

from puntobanco.house.secrets.secret_store import SEALED
from puntobanco.rules.cards import Card
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.reconstruction import cards_out
from puntobanco.table.setup import Source
from puntobanco.table.state import State


def sealed_names(table: str) -> str:
    """How the names of that table's own shoes begin; nobody else may give such a name."""
    return f"{table}{SEALED}"


def claims_to_be_sealed(loaded: c.LoadShoe | e.ShoeLoaded) -> bool:
    """Whether it claims to be a shoe that only the house itself can have sealed, here or at another table."""
    return SEALED in loaded.shoe or loaded.source is Source.ELECTRONIC or loaded.commitment is not None


def place_of(order: Sequence[Card], state: State, index: int) -> int:
    """The place of that draw in the order of the shoe. Where cards were put in another order, those face down are the
    ones that nobody has seen. An empty shoe voids the round, whatever card is named."""
    assert state.shoe is not None, "a round is dealt from a shoe"
    out, index = cards_out(state)[state.old :], index - state.old
    first = len(order) - state.shoe.left - len(out)
    if index > len(out):
        return min(first + index - 1, len(order) - 1)
    came = list(enumerate(out, start=first))
    unseen = [place for place, card in came if card != order[place]]
    for place, card in came:
        if card is not None and card != order[place]:
            taken = next((other for other in unseen if order[other] == card), None)
            unseen = [other for other in unseen if other != taken]
    return unseen[out[: index - 1].count(None)]
