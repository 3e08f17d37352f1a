"""Disclose shoes for checking: the commitment published before the first bet, and proofs of the cards played.

A shoe out of service is disclosed completely; of the shoe in use, only cards that everyone has seen.
"""

import msgspec

from puntobanco.house.secrets.secret_store import SecretStore, Unreadable
from puntobanco.house.shoes.exposure import ShoeExposure
from puntobanco.house.shoes.seal import Proven, Revealed, Unproven
from puntobanco.rules.refusal import Reason, Refused


class DisclosedShoe(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe, its published commitment, and the cards that may be disclosed."""

    shoe: str
    commitment: str
    in_service: bool
    cards: tuple[Revealed, ...]


async def disclosed(secret_store: SecretStore, shoes: ShoeExposure, shoe: str | None) -> DisclosedShoe:
    """The named shoe of the table, or the one in use."""
    line = shoes.find(shoe)
    if line is None:
        raise Refused(Reason.NO_SHOE)
    content = await _sealed(secret_store, line.shoe) if line.electronic and line.commitment is not None else None
    if content is None or line.commitment is None:
        raise Refused(Reason.NO_COMMITMENT)
    try:
        order, whole = Proven.of(line.shoe, line.commitment, None, content).order, line.shoe in shoes.whole
    except Unproven:
        raise Refused(Reason.ORDER_UNREADABLE, shoe=line.shoe) from None
    shown = shoes.shown if line is shoes.lines[-1] else {}
    places = range(len(order.cards)) if whole else [at for at, card in sorted(shown.items()) if order.cards[at] == card]
    return DisclosedShoe(
        shoe=line.shoe, commitment=line.commitment, in_service=not whole, cards=tuple(order.reveal_all(places))
    )


async def _sealed(secret_store: SecretStore, shoe: str) -> bytes | None:
    try:
        return await secret_store.sealed(shoe)
    except Unreadable:
        raise Refused(Reason.ORDER_UNREADABLE, shoe=shoe) from None
