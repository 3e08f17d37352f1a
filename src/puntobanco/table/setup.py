"""How a table is set up: its game, layout, limits, timing, and every policy that an operator may choose."""

from enum import StrEnum

import msgspec

from puntobanco.rules.limits import ProRata, TableLimits
from puntobanco.rules.money import CHIP, Cents
from puntobanco.rules.overlay import Overlay


class Source(StrEnum):
    """Where the cards come from. No command or event reveals the order of cards that are not dealt."""

    ELECTRONIC = "electronic"
    SCANNER = "scanner"
    KEYBOARD = "keyboard"


class ExcessAtPlacement(StrEnum):
    """What happens when a bet exceeds the Differential while betting is open: a flag for the dealer, or a refusal."""

    FLAG = "flag"
    REFUSE = "refuse"


class InterruptionFinding(StrEnum):
    """Who finds whether an interruption affects the round: a Pit Supervisor, or the system."""

    PIT_SUPERVISOR = "pit_supervisor"
    AUTOMATIC = "automatic"


class HighestBet(StrEnum):
    """Which bet gives the right to squeeze: the largest Original Bet, or the largest of all bets."""

    LARGEST_ORIGINAL = "largest_original"
    LARGEST_ANY = "largest_any"


class SimultaneousOptions(StrEnum):
    """When cards drawn together give players options: always, or only if their order is not known."""

    ALWAYS = "always"
    ORDER_UNKNOWN = "order_unknown"


class TieSilence(StrEnum):
    """What happens to a stake after a tie if its owner says nothing: it goes back, or stays for the next round."""

    RETURN = "return"
    LEAVE = "leave"


class GapCause(StrEnum):
    """Causes that may void a settled round until the next one is announced."""

    FOREIGN_CARD = "foreign_card"
    DECK_COUNT = "deck_count"
    UNSHUFFLED = "unshuffled"
    SHOE_EMPTY = "shoe_empty"
    WRONG_NUMBER_OF_CARDS = "wrong_number_of_cards"


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Interpretations that an operator may choose between. docs/rulings.md gives the reasons for each default."""

    pro_rata: ProRata = ProRata.ALL_PRO_RATA
    """Whose bets are cut after the close."""
    excess_at_placement: ExcessAtPlacement = ExcessAtPlacement.FLAG
    """What happens when a bet exceeds the Differential while betting is open. It applies where a dealer deals."""
    interruption_finding: InterruptionFinding = InterruptionFinding.PIT_SUPERVISOR
    """Who finds whether an interruption affects the round."""
    highest_bet: HighestBet = HighestBet.LARGEST_ORIGINAL
    """Which bet gives the right to squeeze."""
    simultaneous_options: SimultaneousOptions = SimultaneousOptions.ALWAYS
    """When cards drawn together give players options."""
    tie_silence: TieSilence = TieSilence.RETURN
    """What happens to a stake after a tie if its owner says nothing."""
    count_exclusive: bool = True
    """Whether the limit on the sum of insurance payouts includes insurance that can never be paid together with an
    earlier one."""
    gap_void: tuple[GapCause, ...] | None = None
    """Causes that void a settled round besides those of the document. A document without a paragraph on interpretation
    allows none."""
    closing_notice: int = 20
    """Minutes after the announcement of its closing when a table may close without another round."""
    handover_grace: int = 10
    """Seconds in which another process may continue a round without an interruption; 0: never."""


LEAST_OPTIONS = 5_000
"""The least time to choose after a dealing error, in milliseconds."""


LONGEST_TIME = 24 * 3_600_000
"""The most time that people get for anything, in milliseconds."""


class Timing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time that people get, in milliseconds. After a deadline the dealer may continue."""

    betting: int = 30_000
    """The time to bet, in milliseconds."""
    drain: int = 1_000
    """The time in which bets may still arrive after the close was announced, in milliseconds."""
    squeeze: int = 20_000
    """The time to squeeze the cards of a round, in milliseconds."""
    insurance: int = 15_000
    """The time to insure, in milliseconds."""
    options: int = 30_000
    """The time to choose an option, in milliseconds."""


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The set-up of a table: everything that stays from one round to the next and may change only between rounds."""

    game: str
    fingerprint: str
    layout: str | None
    boxes: int
    """How many betting boxes the table has; 0 for electronic tables."""
    decks: int
    minimum: Cents
    differential: Cents
    unit: Cents = CHIP
    """The smallest chip, in cents: every stake is a multiple of it."""
    maximum: Cents | None = None
    """The most on one side bet, in cents; null where none is displayed."""
    minimums: dict[str, Cents] = {}
    """The minimum of each bet that has its own, in cents."""
    face_down: bool = False
    """The table deals face down, so players may squeeze."""
    cards_only: bool = False
    """The table deals and shows cards only. The dealer handles the chips, and the system has no bets."""
    source: Source = Source.KEYBOARD
    burn: int = 0
    """How many cards of a new shoe are burnt."""
    cut_card: int = 14
    """The number of cards left when the cut card shows: one more round, then a new shoe."""
    policy: Policy = Policy()
    """The interpretations that the operator chose."""
    timing: Timing = Timing()
    """The time that people get."""
    overlay: Overlay | None = None
    """A regulation that binds the House where the document is silent, if the table has one."""

    def least(self, bet: str) -> Cents:
        """The minimum of that bet."""
        return self.minimums.get(bet, self.minimum)

    @property
    def limits(self) -> TableLimits:
        return TableLimits(minimum=self.minimum, differential=self.differential, unit=self.unit)
