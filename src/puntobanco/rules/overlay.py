"""An overlay: void causes that a regulation adds where the game's document is silent.

A table may have one. Like a game, it is read from a file, and equal content has an equal fingerprint. It never changes
what the document says: a table whose overlay contradicts the document cannot be opened.
"""

import hashlib
from enum import StrEnum
from functools import cached_property
from typing import Annotated

import msgspec

from puntobanco.rules.plain_data import Words, Written
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Expected

TEXT = msgspec.Meta(min_length=1, max_length=200)
KEY = msgspec.Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)


class OverlayCause(StrEnum):
    """The faults that an overlay may make a void cause."""

    FOREIGN_CARD = "foreign_card"
    DECK_COUNT = "deck_count"
    UNSHUFFLED = "unshuffled"
    SHOE_EMPTY = "shoe_empty"
    WRONG_NUMBER_OF_CARDS = "wrong_number_of_cards"
    TECHNICAL = "technical"


class OverlayVoid(Written, frozen=True, kw_only=True):
    """A cause, its citation in the regulation, and the lowest rank that may declare the round void for it."""

    cause: OverlayCause
    """The fault that may void a round."""
    citation: Annotated[str, TEXT]
    """The place in the regulation, as it is cited."""
    declared_by: StaffRank
    """The lowest rank that may declare the round void."""
    in_round: bool = True
    """Whether it may be declared while the round runs."""
    settled: bool = False
    """Whether it may be declared after settlement, until the next round is announced."""

    def __post_init__(self) -> None:
        if not (self.in_round or self.settled) or (self.settled and self.cause is OverlayCause.TECHNICAL):
            raise ValueError(Expected.OVERLAY_WHEN)


class Overlay(Written, frozen=True, kw_only=True, dict=True, rename={"voids": "void"}):
    """An overlay. `document`: the regulation, as it is cited."""

    key: Annotated[str, KEY]
    title: Words
    """The name of the regulation in each language."""
    document: Annotated[str, TEXT]
    """The regulation, as it is cited."""
    voids: Annotated[tuple[OverlayVoid, ...], msgspec.Meta(min_length=1, max_length=12)]
    """The faults that the regulation makes void causes."""

    def __post_init__(self) -> None:
        named = [(one.cause, when) for one in self.voids for when in ("in_round", "settled") if getattr(one, when)]
        if len(named) != len(set(named)):
            raise ValueError(Expected.OVERLAY_ONCE)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical content. Comments, spacing and the order of fields do not count."""
        return hashlib.sha256(self.canonical()).hexdigest()

    def canonical(self) -> bytes:
        return msgspec.json.encode(self, order="sorted")

    def of(self, cause: str, *, settled: bool) -> OverlayVoid | None:
        """The overlay's provision for that cause, in the round or after settlement."""
        for one in self.voids:
            if one.cause == cause and (one.settled if settled else one.in_round):
                return one
        return None
