"""The shoe can be checked: its commitment was published before the first bet, and every card that was played is shown
to have been where it was. A shoe that is out of service is shown whole, once the round it was last dealt to is over:
cards of it may still lie face down. Of one in use only cards everyone has seen are shown."""

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
        e.RoundEndedWithoutBets,
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
        self.loaded, self.withdrawn, self.in_round = loaded, False, False
        self.next = loaded.burned
        self._round: dict[int, int] = {}
        self._seen: set[int] = set()
        self.shown: list[int] = []

    @property
    def in_service(self) -> bool:
        return not self.withdrawn or self.in_round

    def follow(self, event: e.Event) -> None:
        match event:
            case e.CardDrawn() if not event.carried and not self.withdrawn:
                self._round[event.index] = self.next
                self.next += 1
                self.in_round = True
            case e.CardExposed() if event.index in self._round:
                self._seen.add(self._round[event.index])
            case e.RoundSettled() | e.RoundVoided() | e.RoundEndedWithoutBets():
                self.shown += sorted(self._seen)
                self._seen, self.in_round = set(), False
            case e.BettingOpened():
                self._round = {}
            case e.ShoeWithdrawn():
                self.withdrawn = True
            case _:
                return


async def opened(store: Store, table: str, loaded_at: int) -> Opened:
    """The shoe that was loaded at that version of the table; nothing before it is read, and nothing after its end."""
    found: _Followed | None = None
    async for row in store.read(table, after=loaded_at - 1):
        if row.kind.partition(".")[0] not in _KINDS:
            continue
        event = codec.decode(row.kind, row.body)
        if found is not None and isinstance(event, e.ShoeLoaded):
            found.withdrawn = True
        elif found is not None:
            found.follow(event)
        elif isinstance(event, e.ShoeLoaded):
            found = _Followed(event)
        if found is None or not found.in_service:
            break
    if found is None:
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
