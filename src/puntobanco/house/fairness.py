"""The shoe can be checked: its commitment was published before the first bet, and every card that was played is shown
to have been where it was. A shoe that is out of service is shown whole; of one in use only cards everyone has seen."""

import msgspec

from puntobanco.house.shoes import Revealed, Sealed
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import codec
from puntobanco.store.records import Store
from puntobanco.table import events as e
from puntobanco.table.setup import Source

_KINDS = frozenset(
    kind.__name__
    for kind in (
        e.ShoeLoaded,
        e.ShoeWithdrawn,
        e.CardDrawn,
        e.CardExposed,
        e.RoundSettled,
        e.RoundVoided,
        e.BettingOpened,
    )
)


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe, its published commitment, and what may be shown of it."""

    shoe: str
    commitment: str
    in_service: bool
    cards: tuple[Revealed, ...]


class _Followed:
    """The places of a shoe's cards as they leave it, and which of them everyone has seen."""

    def __init__(self, loaded: e.ShoeLoaded) -> None:
        self.loaded, self.in_service = loaded, True
        self.next = loaded.burned
        self._round: dict[int, int] = {}
        self._seen: set[int] = set()
        self.shown: list[int] = []

    def follow(self, event: e.Event) -> None:
        match event:
            case e.CardDrawn() if not event.carried:
                self._round[event.index] = self.next
                self.next += 1
            case e.CardExposed() if event.index in self._round:
                self._seen.add(self._round[event.index])
            case e.RoundSettled() | e.RoundVoided():
                self.shown += sorted(self._seen)
                self._seen = set()
            case e.BettingOpened():
                self._round = {}
            case e.ShoeWithdrawn():
                self.in_service = False
            case _:
                return


async def opened(store: Store, table: str, shoe: str | None) -> Opened:
    """The shoe of that name at the table, or the one in use."""
    found: _Followed | None = None
    async for row in store.read(table):
        if row.kind.partition(".")[0] not in _KINDS:
            continue
        event = codec.decode(row.kind, row.body)
        if isinstance(event, e.ShoeLoaded):
            if found is not None and shoe is not None and found.loaded.shoe.endswith(f"/{shoe}"):
                found.in_service = False
                break
            found = _Followed(event)
        elif found is not None:
            found.follow(event)
    if found is None or (shoe is not None and not found.loaded.shoe.endswith(f"/{shoe}")):
        raise Refused(Reason.NO_SHOE)
    if found.loaded.source is not Source.ELECTRONIC or found.loaded.commitment is None:
        raise Refused(Reason.NO_COMMITMENT)
    content = await store.sealed(found.loaded.shoe)
    if content is None:
        raise Refused(Reason.NO_COMMITMENT)
    order = Sealed.decode(content)
    places = found.shown if found.in_service else range(len(order.cards))
    return Opened(
        shoe=found.loaded.shoe,
        commitment=found.loaded.commitment,
        in_service=found.in_service,
        cards=tuple(order.reveal_all(places)),
    )
