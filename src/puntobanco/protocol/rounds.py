"""Rounds that were played: records, search, steps, and the proof of their shoe."""

import msgspec

from puntobanco.ledger.accounts import Transfer
from puntobanco.protocol.answers import Sentence, Wire
from puntobanco.rules.outcome import Outcome
from puntobanco.rules.settlement import Result
from puntobanco.table.authority import Role
from puntobanco.table.events import AnyEvent, Stake
from puntobanco.table.state import Phase
from puntobanco.table.views import CardView


class RoundLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One round in a list: when it was opened, where in the stream, and how it ended so far."""

    round: int
    at: int
    version: int
    outcome: Outcome | None = None
    ended: str = ""
    """`settled`, `void`, `without_bets`, `decided`, or nothing while it runs."""


class AlertLine(msgspec.Struct, frozen=True, kw_only=True):
    """An alert, by the version of its event."""

    version: int
    at: int
    kind: str
    to: Role
    round: int
    worth: dict[str, int] = {}
    stakes: tuple[Stake, ...] = ()


class RoundBet(Wire, frozen=True):
    """A bet of a round and what became of it."""

    owner: str
    box: int
    bet: str
    stake: int
    result: Result | None = None
    """None: it lies on the layout, or was returned."""
    back: int = 0
    """What its owner gets, stake included."""
    profit: int = 0
    pays: str = ""
    """The odds of a bet that won."""
    rule: str | None = None


class RoundRecord(Wire, frozen=True):
    """A round as the reader may see it: for a player their own bets and everything public; for staff all of it."""

    table: str
    line: RoundLine
    game: str
    cards: tuple[CardView, ...] = ()
    account: tuple[Sentence, ...] = ()
    events: tuple[AnyEvent, ...] = ()
    own: tuple[RoundBet, ...] = ()
    """For a player: their bets that were settled or returned."""


class RoundPage(Wire, frozen=True):
    rounds: tuple[RoundLine, ...]


class FoundRound(Wire, frozen=True):
    """A round found by a search, with the bets that match it."""

    table: str
    game: str
    line: RoundLine
    stakes: tuple[RoundBet, ...] = ()


class FoundRounds(Wire, frozen=True):
    found: tuple[FoundRound, ...]
    before: int | None = None
    """Ask again for what lies before this moment; nothing more if there is none."""


class RoundStep(Wire, frozen=True):
    """One event of a round: its sentence and paragraph, the money it moved, and the bets on the table after it."""

    version: int
    hash: str
    event: AnyEvent
    account: tuple[Sentence, ...]
    moved: tuple[Transfer, ...]
    cards: tuple[CardView, ...]
    waiting: tuple[str | None, ...]
    """Cards in front of the shoe."""
    phase: Phase
    in_play: int


class RoundSteps(Wire, frozen=True):
    """A round event by event. `seal`: the seal of its exported file."""

    table: str
    line: RoundLine
    game: str
    fingerprint: str
    own_game: bool
    """Whether the house has the game's rules as they were then."""
    before_hash: str
    steps: tuple[RoundStep, ...]
    seal: str
    shoe: str = ""
    """The electronic shoe it was dealt from."""


class CardProof(Wire, frozen=True):
    """The proof of one card of an electronic shoe against its commitment; bytes as hexadecimal digits."""

    place: int
    card: str
    salt: str
    path: tuple[str, ...]


class ShoeProof(Wire, frozen=True):
    shoe: str
    commitment: str
    in_service: bool
    cards: tuple[CardProof, ...]
