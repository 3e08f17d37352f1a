"""The types of a game file. `checks.py` refuses contradictory content."""

import hashlib
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import msgspec

from puntobanco.rules.arguments import check_argument
from puntobanco.rules.condition import When
from puntobanco.rules.html import html_table
from puntobanco.rules.money import Odds, Rate, write_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.plain_data import ParagraphId, Words, Written
from puntobanco.rules.procedures import Authorities, Insurance, Irregularities, LateBets, Limits, Round, Squeeze, Tie
from puntobanco.rules.refusal import Reason, Refused

# ---- decks, layouts and terminals --------------------------------------------------------------------------------


class Decks(Written, frozen=True, rename={"least": "from", "most": "to"}):
    least: int
    most: int
    rule: ParagraphId

    def check(self, decks: int) -> int:
        if not self.least <= decks <= self.most:
            raise Refused(Reason.DECKS_OUT_OF_RANGE, self.rule, decks=decks, least=self.least, most=self.most)
        return decks


FEW = msgspec.Meta(max_length=50)
"""The most bets, lines or layouts of a game: more than any felt has. It limits the checks, which compare every bet on
every layout."""


class Boxes(Written, frozen=True, rename={"least": "from", "most": "to"}):
    """How many betting boxes a table of the layout may have."""

    least: int
    most: int


class Layout(Written, frozen=True):
    """One approved drawing of the felt: its betting boxes, and the bets that it carries.

    Without named bets it carries all.
    """

    key: str
    title: Words
    rule: ParagraphId
    boxes: int | Boxes
    bets: Annotated[tuple[str, ...], FEW] = ()

    def __repr__(self) -> str:
        return f"<Layout {self.key}>"

    @property
    def fewest_boxes(self) -> int:
        return self.boxes if isinstance(self.boxes, int) else self.boxes.least

    @property
    def most_boxes(self) -> int:
        return self.boxes if isinstance(self.boxes, int) else self.boxes.most

    def check_boxes(self, boxes: int) -> int:
        """Check the number of boxes of a table with this layout."""
        check_argument("check_boxes", "boxes", boxes, int)
        if not 1 <= boxes <= self.most_boxes:
            least, most = 1, self.most_boxes
            raise Refused(Reason.BOXES_OUT_OF_RANGE, self.rule, layout=self.key, boxes=boxes, least=least, most=most)
        return boxes

    def check_box(self, box: int, boxes: int | None = None) -> int:
        """Check a box of a table with this layout. `boxes` is the number of boxes of that table. Default: the most
        allowed."""
        check_argument("check_box", "box", box, int)
        most = self.most_boxes if boxes is None else self.check_boxes(boxes)
        if not 1 <= box <= most:
            raise Refused(Reason.BOX_OUT_OF_RANGE, self.rule, box=box, boxes=most, layout=self.key)
        return box


class TableRules(Written, frozen=True):
    """The paragraphs that allow only the document's layouts, and that say how boxes and areas are marked."""

    layouts: ParagraphId
    boxes: ParagraphId
    areas: ParagraphId | None = None


class Terminal(Written, frozen=True):
    """An electronic table: player terminals instead of a felt with boxes."""

    rule: ParagraphId
    device: ParagraphId


# ---- bets --------------------------------------------------------------------------------------------------------


class Commission(Written, frozen=True):
    rate: Rate
    rule: ParagraphId


class PayLine(Written, frozen=True):
    """One line of a pay table: what a bet pays when the condition holds.

    `pays` is what the player keeps, after commission. `rule` is the paragraph of the pay table; `defined` is another
    one that says the same.
    """

    when: When
    pays: Odds
    rule: ParagraphId
    defined: ParagraphId | None = None
    commission: Commission | None = None
    layouts: Annotated[tuple[str, ...], FEW] = ()

    def on(self, layout: Layout | str | None) -> bool:
        return not self.layouts or (layout.key if isinstance(layout, Layout) else layout) in self.layouts


class Bet(Written, frozen=True):
    """A bet of the menu. The first line that holds decides; if none holds, the bet loses.

    `rule` defines the bet. `loses` is cited when it loses; default: `rule`. An insurance bet has no lines: its odds are
    the rows of the insurance table.
    """

    key: str
    title: Words
    rule: ParagraphId
    loses: ParagraphId | None = None
    original: bool = False
    insures: Side | None = None
    lines: Annotated[tuple[PayLine, ...], FEW] = ()

    def __repr__(self) -> str:
        return f"<Bet {self.key}>"

    @property
    def losing_rule(self) -> ParagraphId:
        return self.loses or self.rule


# ---- the game ----------------------------------------------------------------------------------------------------


class Game(Written, frozen=True, dict=True, rename={"layouts": "layout", "bets": "bet"}):
    """A game as its approved document defines it. Equal content gives an equal fingerprint."""

    key: str
    title: Words
    version: int
    document: str
    approved: ParagraphId
    decks: Decks
    round: Round
    tie: Tie
    bets: Annotated[tuple[Bet, ...], FEW]
    rulebook: str | None = None
    effective: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    pit_employees: ParagraphId | None = None
    layouts: Annotated[tuple[Layout, ...], FEW] = ()
    tables: TableRules | None = None
    terminal: Terminal | None = None
    late_bets: LateBets | None = None
    squeeze: Squeeze | None = None
    limits: Limits | None = None
    insurance: Insurance | None = None
    irregularities: Irregularities = Irregularities()
    authority: Authorities = Authorities()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical content. Comments, spacing and the order of fields do not count."""
        return hashlib.sha256(self.canonical()).hexdigest()

    def __repr__(self) -> str:
        return f"<Game {self.key}, version {self.version}, {self.short_fingerprint}>"

    def _repr_html_(self) -> str:
        rows = [
            (
                bet.title.en,
                ", ".join(f"{name} {value}" for name, value in line.when.given().items()),
                line.pays,
                line.rule,
            )
            for bet in self.menu()
            for line in bet.lines
        ]
        return html_table(f"{self.title.en}, version {self.version}", ("Bet", "When", "Pays", "Paragraph"), rows)

    @property
    def short_fingerprint(self) -> str:
        """Its beginning, enough to tell games apart in a list."""
        return self.fingerprint[:12]

    def canonical(self) -> bytes:
        """Rules, odds and rates as their text, sets of numbers as sorted lists."""
        return msgspec.json.encode(self, enc_hook=str, order="sorted")

    def layout(self, key: Layout | str | None = None) -> Layout | None:
        """The layout with that name, or itself. Default: the first, or None on an electronic table."""
        if isinstance(key, Layout):
            key = key.key
        elif key is not None:
            check_argument("layout", "key", key, str)
        if self.terminal is not None:
            if key is not None:
                raise Refused(Reason.NO_LAYOUTS, self.terminal.rule, game=self.key, layout=key)
            return None
        if key is None:
            return self.layouts[0]
        for layout in self.layouts:
            if layout.key == key.upper():
                return layout
        known = ", ".join(layout.key for layout in self.layouts)
        rule = self.tables.layouts if self.tables else None
        raise Refused(Reason.UNKNOWN_LAYOUT, rule, game=self.key, layout=key, known=known)

    def menu(self, layout: Layout | str | None = None) -> tuple[Bet, ...]:
        """The bets of a layout with its pay lines, in the order of the file. Default: the first layout."""
        layout = self.layout(layout)
        carried = layout.bets if layout is not None else ()
        return tuple(
            msgspec.structs.replace(bet, lines=tuple(line for line in bet.lines if line.on(layout)))
            for bet in self.bets
            if not carried or bet.key in carried
        )

    def bet(self, key: str, layout: Layout | str | None = None) -> Bet:
        """The bet with that name and the pay lines of that layout."""
        check_argument("bet", "key", key, str)
        for bet in self.menu(layout):
            if bet.key == key:
                return bet
        if layout is not None and any(bet.key == key for bet in self.bets):
            felt = self.layout(layout)
            raise Refused(Reason.BET_NOT_ON_LAYOUT, self.round.menu, bet=key, layout=felt.key if felt else None)
        known = ", ".join(bet.key for bet in self.menu(layout))
        raise Refused(Reason.UNKNOWN_BET, self.round.menu, bet=key, game=self.key, known=known)

    def check_unit(self, unit: int) -> int:
        """Check that every line of the game pays this chip unit in whole cents."""
        check_argument("check_unit", "unit", unit, int)
        shares: list[Fraction] = [line.pays for bet in self.bets for line in bet.lines]
        shares += [line.commission.rate for bet in self.bets for line in bet.lines if line.commission]
        shares += [row.odds for row in self.insurance.rows] if self.insurance else []
        if unit <= 0 or any((share * unit).denominator != 1 for share in shares):
            raise Refused(Reason.UNIT_NOT_PAYABLE, amount=write_money(unit), game=self.key)
        return unit

    def check_box(self, layout: Layout | str | None, box: int) -> int:
        """Check a box of that layout. An electronic table has none."""
        felt = self.layout(layout)
        if felt is None:
            raise Refused(Reason.NO_BOXES, self.terminal.rule if self.terminal else None, game=self.key)
        return felt.check_box(box)

    @property
    def stake_rule(self) -> ParagraphId | None:
        """The paragraph by which players must keep to the limits."""
        return self.limits.duty if self.limits else None
