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
    """When the round was opened, in milliseconds UTC."""
    version: int
    """The version of the event that opened the round."""
    outcome: Outcome | None = None
    ended: str = ""
    """How it ended: `settled`, `void`, `without_bets` or `decided`; empty while it runs."""


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
    """The amount of the stake, in cents."""
    plays: int | None = None
    """How much of the stake played, in cents; null unless it was settled."""
    unplayed_rule: str | None = None
    result: Result | None = None
    """Whether it won, lost or was pushed; null if it lies on the layout, or was returned."""
    back: int = 0
    """What its owner gets, stake included, in cents."""
    profit: int = 0
    commission: int = 0
    commission_rule: str | None = None
    pays: str = ""
    """The odds of a bet that won, such as `1:1`; empty for any other."""
    rule: str | None = None


class RoundRecord(Wire, frozen=True):
    """A round as the reader may see it: for a player their own bets and everything public; for staff all of it."""

    table: str
    line: RoundLine
    game: str
    cards: tuple[CardView, ...] = ()
    """The cards of the round, in the order of drawing."""
    account: tuple[Sentence, ...] = ()
    """The account of the round in sentences."""
    events: tuple[AnyEvent, ...] = ()
    """The events of the round, for those who may see all of it."""
    own: tuple[RoundBet, ...] = ()
    """For a player: their bets that were settled or returned."""


class RoundPage(Wire, frozen=True):
    """A page of the rounds of a table."""

    rounds: tuple[RoundLine, ...]
    """The rounds, newest first."""


class FoundRound(Wire, frozen=True):
    """A round found by a search, with the bets that match it."""

    table: str
    game: str
    line: RoundLine
    stakes: tuple[RoundBet, ...] = ()
    """The bets that match the search."""


class FoundRounds(Wire, frozen=True):
    """The rounds that a search found."""

    found: tuple[FoundRound, ...]
    """The rounds, newest first."""
    before: int | None = None
    """Ask again with this `before`, in milliseconds UTC, for earlier rounds; null if there are none."""


class RoundStep(Wire, frozen=True):
    """One event of a round: its sentence and paragraph, the money it moved, and the bets on the table after it."""

    version: int
    """The version of the event."""
    hash: str
    event: AnyEvent
    """The event."""
    account: tuple[Sentence, ...]
    """The event in sentences."""
    moved: tuple[Transfer, ...]
    """The money that the event moved."""
    cards: tuple[CardView, ...]
    """The cards dealt so far, in the order of drawing."""
    waiting: tuple[str | None, ...]
    """The cards in front of the shoe after the event; null for a card whose face is not known."""
    phase: Phase
    in_play: int
    """The money on the layout after the event, in cents."""


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
    """The events of the round in order."""
    seal: str
    shoe: str = ""
    """The electronic shoe that the round was dealt from; empty for any other."""


class CardProof(Wire, frozen=True):
    """The proof of one card of an electronic shoe against its commitment; bytes as hexadecimal digits.

    The hash of a card is the SHA-256 over a byte 0, its place in two bytes, the card in UTF-8 and the salt; that of two
    hashes the SHA-256 over a byte 1 and both, the one at the even place first. Each hash of `path` doubles the cards
    covered, and the last result is the commitment.
    """

    place: int
    """The place of the card in the shoe, from 0."""
    card: str
    """The rank and the suit, such as `9♠` or `10♥`."""
    salt: str
    """The random bytes that were hashed with the card."""
    path: tuple[str, ...]
    """The hash beside the card's, then the hash beside each one above it, up to the commitment."""


class ShoeProof(Wire, frozen=True):
    """The commitment of an electronic shoe, with proofs of its cards."""

    shoe: str
    commitment: str
    in_service: bool
    """Whether the shoe is in use: only cards that everyone has seen are proven then."""
    cards: tuple[CardProof, ...]
    """The proofs, one for each card that may be disclosed."""
