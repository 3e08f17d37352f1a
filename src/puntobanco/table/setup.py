"""How a table is set up: its game and felt, its limits, its timing, and every policy an operator may choose."""

from enum import StrEnum

import msgspec

from puntobanco.rules.limits import ProRata, TableLimits
from puntobanco.rules.money import CHIP, Cents
from puntobanco.rules.overlay import Overlay


class Source(StrEnum):
    """Where cards come from; the undealt order is known to none of the table's words."""

    ELECTRONIC = "electronic"
    SCANNER = "scanner"
    KEYBOARD = "keyboard"


class ExcessAtPlacement(StrEnum):
    FLAG = "flag"
    REFUSE = "refuse"


class InterruptionFinding(StrEnum):
    PIT_SUPERVISOR = "pit_supervisor"
    AUTOMATIC = "automatic"


class HighestBet(StrEnum):
    LARGEST_ORIGINAL = "largest_original"
    LARGEST_ANY = "largest_any"


class SimultaneousOptions(StrEnum):
    ALWAYS = "always"
    ORDER_UNKNOWN = "order_unknown"


class TieSilence(StrEnum):
    RETURN = "return"
    LEAVE = "leave"


class GapCause(StrEnum):
    """What may void a round that is settled, until the next is announced."""

    FOREIGN_CARD = "foreign_card"
    DECK_COUNT = "deck_count"
    UNSHUFFLED = "unshuffled"
    SHOE_EMPTY = "shoe_empty"
    WRONG_NUMBER_OF_CARDS = "wrong_number_of_cards"


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Readings an operator may choose between; docs/rulings.md gives the reasons for each default."""

    pro_rata: ProRata = ProRata.ALL_PRO_RATA
    excess_at_placement: ExcessAtPlacement = ExcessAtPlacement.FLAG
    interruption_finding: InterruptionFinding = InterruptionFinding.PIT_SUPERVISOR
    highest_bet: HighestBet = HighestBet.LARGEST_ORIGINAL
    simultaneous_options: SimultaneousOptions = SimultaneousOptions.ALWAYS
    tie_silence: TieSilence = TieSilence.RETURN
    count_exclusive: bool = True
    gap_void: tuple[GapCause, ...] | None = None
    """Causes that void a settled round besides those of the document; a short document has no room for any."""
    closing_notice: int = 20
    """Minutes from the announcement of its closing after which a table closes without a further round."""
    handover_grace: int = 10
    """Seconds in which another process may go on with a round without an interruption; 0: never."""


LEAST_OPTIONS = 5_000
"""Milliseconds to choose after a dealing error, at the least."""


class Timing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Milliseconds people are given. After a deadline the dealer may go on."""

    betting: int = 30_000
    drain: int = 1_000
    squeeze: int = 20_000
    insurance: int = 15_000
    options: int = 30_000


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that holds from one round to the next and may change only between rounds."""

    game: str
    fingerprint: str
    layout: str | None
    boxes: int
    decks: int
    minimum: Cents
    differential: Cents
    unit: Cents = CHIP
    maximum: Cents | None = None
    """The most on one side bet, where displayed."""
    minimums: dict[str, Cents] = {}
    """The least on a bet that has a figure of its own."""
    face_down: bool = False
    cards_only: bool = False
    """The table deals and shows; chips are the dealer's alone and no bet is in the system."""
    source: Source = Source.KEYBOARD
    burn: int = 0
    cut_card: int = 14
    """With so many cards left the cut card shows: one more round, then a new shoe."""
    policy: Policy = Policy()
    timing: Timing = Timing()
    overlay: Overlay | None = None
    """A regulation that binds the House where the document is silent; none unless the table carries one."""

    def least(self, bet: str) -> Cents:
        """The minimum of that kind of bet."""
        return self.minimums.get(bet, self.minimum)

    @property
    def limits(self) -> TableLimits:
        return TableLimits(minimum=self.minimum, differential=self.differential, unit=self.unit)
