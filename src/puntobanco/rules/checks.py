"""Checks of a game file beyond its form. The first fault is refused by name; no game is loaded partially."""

import re
from collections.abc import Collection, Iterator, Sequence

import msgspec

from puntobanco.rules.condition import Numbers, When
from puntobanco.rules.game import Bet, Game, Layout, PayLine
from puntobanco.rules.money import PUSH
from puntobanco.rules.outcome import Outcome, Side, Winner, finishes, reachable
from puntobanco.rules.plain_data import ParagraphId
from puntobanco.rules.procedures import InsuranceRow, StaffRank, Window
from puntobanco.rules.refusal import Expected, Reason, Refused
from puntobanco.rules.suggestion import meant
from puntobanco.rules.tableau import TABLE_OF_PLAY
from puntobanco.rules.text import within

MOST_DECKS = 100
MOST_BOXES = 100
MOST_VERSIONS = 1_000_000

_KEYS = {
    "game": (re.compile(r"[a-z0-9][a-z0-9-]{0,39}"), Expected.GAME_KEY),
    "layout": (re.compile(r"[A-Z0-9][A-Z0-9-]{0,15}"), Expected.LAYOUT_KEY),
    "bet": (re.compile(r"[a-z][a-z0-9_]{0,39}"), Expected.BET_KEY),
}


def check_rulebook(named: str | None, known: Collection[str], file: str) -> None:
    """Refuse a file whose `rulebook` is none of the documents."""
    if named is not None and named not in known:
        raise Refused(
            Reason.RULEBOOK_WRONG, file=file, place="game", field="rulebook", known=", ".join(known), got=named,
            meant=meant(named, known),
        )  # fmt: skip


def check(game: Game, paragraphs: Collection[str], file: str) -> None:
    """Refuse the game if its content contradicts itself or it cites a paragraph that is not given."""
    for fault in faults(game, paragraphs, file):
        raise fault


def check_key(what: str, key: str, file: str) -> None:
    """Refuse a word that cannot be the key of a game, a layout or a bet."""
    for fault in _malformed(what, key):
        raise Refused(fault.reason, **fault.parameters, file=file)


def faults(game: Game, paragraphs: Collection[str], file: str) -> Iterator[Refused]:
    """Everything for which `check` would refuse the game. While keys are wrong, nothing else can be said of a bet."""
    keyed = list(_keys(game))
    for fault in keyed or _faults(game, paragraphs):
        yield Refused(fault.reason, **fault.parameters, file=file)


def _faults(game: Game, paragraphs: Collection[str]) -> Iterator[Refused]:
    yield from _ranges(game)
    yield from _layouts(game)
    for bet in game.bets:
        yield from _bet(bet, game)
    yield from _originals(game)
    if game.insurance is not None:
        yield from _insurance(game.insurance.rows)
    yield from _insurance_bets(game)
    for path, rule in citations(game):
        if rule not in paragraphs:
            *steps, field = path.split(".")
            yield _fault(Reason.PARAGRAPH_UNKNOWN_IN_FILE, spoken(steps), field, paragraph_id=rule)


def citations(value: object, path: str = "") -> Iterator[tuple[str, ParagraphId]]:
    """Every paragraph a game cites, with the field that cites it."""
    if isinstance(value, ParagraphId):
        yield path, value
    for name, held in within(value):
        yield from citations(held, f"{path}.{name}" if path else name)


_COUNTED = {"bet": "bet", "layout": "layout", "lines": "line", "row": "row", "values": "value", "void": "void"}


def spoken(steps: Sequence[str]) -> str:
    """A place in a file: `bet`, `big_tiger`, `lines`, `1` as `bet big_tiger, line 1`."""
    said: list[str] = []
    for before, step in zip(("", *steps), steps, strict=False):
        if before in _COUNTED:
            said[-1] = f"{_COUNTED[before]} {step}"
        else:
            said.append(step)
    return ", ".join(said) or "game"


def _fault(reason: Reason, place: str, field: str, **parameters: object) -> Refused:
    return Refused(reason, place=place, field=field, **parameters)


def _keys(game: Game) -> Iterator[Refused]:
    named = [("game", game.key)]
    named += [("layout", layout.key) for layout in game.layouts]
    named += [("bet", bet.key) for bet in game.bets]
    seen = set()
    for what, key in named:
        yield from _malformed(what, key)
        if (what, key) in seen:
            yield _fault(Reason.KEY_TWICE, f"{what} {key}", "key", value=key)
        seen.add((what, key))
    for layout in game.layouts:
        for key in layout.bets:
            if layout.bets.count(key) > 1:
                yield _fault(Reason.KEY_TWICE, f"layout {layout.key}", "bets", value=key)


def _malformed(what: str, key: str) -> Iterator[Refused]:
    form, expected = _KEYS[what]
    if not form.fullmatch(key):
        yield _fault(Reason.KEY_MALFORMED, what, "key", value=key, expected=expected)


def _ranges(game: Game) -> Iterator[Refused]:
    ranges = [
        ("game", "version", 1, game.version, MOST_VERSIONS),
        ("game", "decks", game.decks.least, game.decks.most, MOST_DECKS),
    ]
    ranges += [("layout " + one.key, "boxes", one.fewest_boxes, one.most_boxes, MOST_BOXES) for one in game.layouts]
    for place, field, least, most, limit in ranges:
        if not 1 <= least <= most <= limit:
            yield _fault(Reason.RANGE_EMPTY, place, field, least=least, most=most, limit=limit)
    ranks = list(StaffRank)
    for action, who in game.authority.provided().items():
        if ranks.index(who.least) > ranks.index(who.most):
            yield _fault(Reason.AUTHORITY_EMPTY, "authority", action.value)


def _layouts(game: Game) -> Iterator[Refused]:
    if bool(game.layouts) == bool(game.terminal):
        yield _fault(Reason.LAYOUTS_OR_TERMINAL, "game", "layout")
    bets = {bet.key for bet in game.bets}
    for layout in game.layouts:
        for key in layout.bets:
            if key not in bets:
                yield _fault(
                    Reason.BET_UNKNOWN_IN_FILE, f"layout {layout.key}", "bets", value=key, meant=meant(key, bets)
                )
        always = {bet.key for bet in game.bets if bet.original or bet.insures}
        if layout.bets and not always <= set(layout.bets):
            missing = ", ".join(sorted(always - set(layout.bets)))
            yield _fault(Reason.BET_NOT_CARRIED, f"layout {layout.key}", "bets", missing=missing)
    for bet in game.bets:
        carriers = {layout.key for layout in game.layouts if not layout.bets or bet.key in layout.bets}
        if game.layouts and not carriers:
            yield _fault(Reason.BET_ON_NO_LAYOUT, f"bet {bet.key}", "key")
        for place, line in _lines(bet):
            for key in line.layouts:
                if key not in carriers:
                    yield _fault(Reason.LAYOUT_UNKNOWN_IN_FILE, place, "layouts", value=key, meant=meant(key, carriers))


def _lines(bet: Bet) -> Iterator[tuple[str, PayLine]]:
    return ((f"bet {bet.key}, line {number}", line) for number, line in enumerate(bet.lines, start=1))


def _bet(bet: Bet, game: Game) -> Iterator[Refused]:
    for place, line in _lines(bet):
        yield from _condition(line.when, place)
        if line.commission and line.pays == PUSH:
            yield _fault(Reason.COMMISSION_ON_PUSH, place, "commission")
        elif line.commission and (line.pays + line.commission.rate).denominator != 1:
            yield _fault(Reason.COMMISSION_MISMATCH, place, "commission")
    felts: tuple[Layout | None, ...] = game.layouts or (None,)
    for layout in felts:
        if layout is None or not layout.bets or bet.key in layout.bets:
            yield from _together(game.bet(bet.key, layout), layout)


def _condition(when: When, place: str) -> Iterator[Refused]:
    if when.points and when.winner is None:
        yield _fault(Reason.CONDITION_NEEDS_WINNER, place, "when.points")
    if when.cards and when.winner not in (Winner.PLAYER, Winner.BANKER):
        yield _fault(Reason.CONDITION_NEEDS_WINNER, place, "when.cards")
    if not when.given():
        yield _fault(Reason.CONDITION_EMPTY, place, "when")
    if not when.outcomes():
        yield _fault(Reason.LINE_NEVER_WINS, place, "when")
        return
    for name, numbers in when.given().items():
        for number in sorted(numbers) if isinstance(numbers, Numbers) else ():
            if not msgspec.structs.replace(when, **{name: Numbers([number])}).outcomes():
                yield _fault(Reason.VALUE_NEVER_MATTERS, place, f"when.{name}", value=number)


def _together(bet: Bet, layout: Layout | None) -> Iterator[Refused]:
    """Check the lines of one bet on one layout: at least one line, none hidden by others, none that contradicts
    another. A line decides only what the lines above leave to it: its share. It may overlap the share of a line
    above only if both pay the same, or if it covers that share wholly, as a rule covers its exception."""
    where = f"bet {bet.key}" + (f" on layout {layout.key}" if layout else "")
    if not bet.lines and bet.insures is None:
        yield _fault(Reason.BET_WITHOUT_LINES, where, "lines")
    shares: list[tuple[PayLine, frozenset[Outcome]]] = []
    for number, line in enumerate(bet.lines, start=1):
        held = line.when.outcomes()
        left = held.difference(*(share for _, share in shares))
        if held and not left:
            yield _fault(Reason.LINE_HIDDEN, f"{where}, line {number}", "when")
        for above, (other, share) in enumerate(shares, start=1):
            same = (other.pays, other.commission) == (line.pays, line.commission)
            if held & share and not share <= held and not same:
                yield _fault(Reason.LINES_CONTRADICT, f"{where}, line {number}", "when", other=above)
        shares.append((line, left))


def _originals(game: Game) -> Iterator[Refused]:
    if sorted(bet.key for bet in game.bets if bet.original) != sorted(Side):
        yield _fault(Reason.ORIGINAL_BETS_MISSING, "game", "bet")
    felts: tuple[Layout | None, ...] = game.layouts or (None,)
    for bet in (bet for layout in felts for bet in game.menu(layout) if bet.original):
        pushed: set[Outcome] = set()
        undecided = set(reachable())
        for line in bet.lines:
            decided = line.when.outcomes() & undecided
            undecided -= decided
            pushed |= decided if line.pays == PUSH else set()
        other = next(winner for winner in Winner if winner not in (bet.key, Winner.TIE))
        if not When(winner=Winner.TIE).outcomes() <= pushed:
            yield _fault(Reason.TIE_NOT_PUSHED, f"bet {bet.key}", "lines")
        if not When(winner=other).outcomes() <= undecided:
            yield _fault(Reason.ORIGINAL_NOT_LOST, f"bet {bet.key}", "lines")


def _insurance_bets(game: Game) -> Iterator[Refused]:
    insured = {row.insures for row in game.insurance.rows} if game.insurance else set()
    bets = [bet for bet in game.bets if bet.insures]
    if {bet.insures for bet in bets} != insured or len(bets) > len(insured) or any(bet.lines for bet in bets):
        yield _fault(Reason.INSURANCE_BETS_MISSING, "insurance", "bet")


def _insurance(rows: tuple[InsuranceRow, ...]) -> Iterator[Refused]:
    seen: set[tuple[Window, int, int]] = set()
    for number, row in enumerate(rows, start=1):
        place = f"insurance, row {number}"
        if row.odds == PUSH or row.paid_on is row.lost_on:
            yield _fault(Reason.INSURANCE_PAYS_NOTHING, place, "odds" if row.odds == PUSH else "pays_on")
        for player in sorted(row.player):
            for banker in sorted(row.banker):
                cell = (row.window, player, banker)
                if cell in seen:
                    yield _fault(Reason.INSURANCE_ROWS_OVERLAP, place, "row", player=player, banker=banker)
                seen.add(cell)
                results = _results_from(*cell)
                if not {row.paid_on, row.lost_on} <= results:
                    yield _fault(Reason.INSURANCE_CELL_DEAD, place, "row", player=player, banker=banker)


def _results_from(window: Window, player: int, banker: int) -> set[Winner]:
    """How the round can still end from the points shown in the window."""
    if window is Window.FOUR:
        ends = {(end[0], end[1]) for end in finishes(player, banker)}
    else:
        ends = {
            (player, (banker + sixth) % 10)
            for fifth in range(10)
            for first_two in ((player - fifth) % 10,)
            if TABLE_OF_PLAY.player_draws(first_two, banker) and TABLE_OF_PLAY.banker_draws(first_two, banker, fifth)
            for sixth in range(10)
        }
    return {Outcome(*end, 3, 3, False, False).winner for end in ends}
