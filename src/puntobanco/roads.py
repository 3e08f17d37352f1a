"""The scoreboards ("roads"): five drawings of the results of one shoe. For information only.

A void round is not added, a correction rebuilds the roads, and a new shoe starts empty.

>>> roads = Roads(read_marks("BBBPPBPPPBB"))
>>> [road.colours for road in roads.derived]
['rbbbrbr', 'brbbb', 'rrrr']
>>> roads.ask(Winner.BANKER).cockroach_pig
<Colour.BLUE: 'b'>
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import product
from typing import Generic, NamedTuple, TypeVar

import msgspec

from puntobanco.rules.game import Bet
from puntobanco.rules.outcome import Outcome, Winner
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, result_of

ROWS = 6

Place = tuple[int, int]
"""Column and row, from 0."""

T = TypeVar("T")


class Colour(StrEnum):
    """On the Big Road, red is the Banker. On the derived roads, red is a pattern kept and blue a pattern broken."""

    RED = "r"
    BLUE = "b"


class Turn(StrEnum):
    """Whether a run that has turned right goes down again where there is room.

    Ruling DSP-2, a setting of the house.
    """

    STAY_ON_ROW = "stay_on_row"
    DROP_WHEN_FREE = "drop_when_free"


# the loops below need it: a module name is found several times faster than a class member
RED, BLUE, BANKER, TIE = Colour.RED, Colour.BLUE, Winner.BANKER, Winner.TIE


# ---- marks -------------------------------------------------------------------------------------------------------


class Mark(msgspec.Struct, frozen=True, gc=False):
    """What the boards record of a round."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    bets: tuple[str, ...] = ()
    """The keys of other bets that won, such as `big_tiger`."""

    @classmethod
    def of(cls, outcome: Outcome, bets: tuple[str, ...] = ()) -> "Mark":
        return cls(outcome.winner, outcome.player_pair, outcome.banker_pair, outcome.natural, bets)

    @property
    def letter(self) -> str:
        return self.winner[0].upper()

    def __str__(self) -> str:
        """The mark as `read_marks` reads it."""
        flags = "b" * self.banker_pair + "p" * self.player_pair + "n" * self.natural
        return self.letter + flags + "".join(f"+{bet}" for bet in self.bets)


SHOWN_BY_FLAGS = frozenset({"tie", "player_pair", "banker_pair"})


def side_bets_won(menu: Iterable[Bet], outcome: Outcome) -> tuple[str, ...]:
    """The side bets that win on the outcome, without those that the winner and the flags of a mark already show.

    Insurance is not among them: the outcome alone does not say whether it was offered.
    """
    return tuple(
        bet.key
        for bet in menu
        if not bet.original
        and bet.insures is None
        and bet.key not in SHOWN_BY_FLAGS
        and result_of(bet, outcome) is Result.WIN
    )


_WINNERS = {winner[0].upper(): winner for winner in Winner}
_ROUND = re.compile(r"(?P<winner>[BPT])(?P<flags>[bpn]*)(?P<bets>(?:\+[a-z][a-z0-9_]*)*)|[\s,]+|(?P<wrong>.)")
_RESULTS_ALONE = re.compile(r"[bpt\s,]*")


def read_marks(text: str) -> tuple[Mark, ...]:
    """Rounds in order: `B`, `P` or `T`, then `b` or `p` for a pair in that hand and `n` for a natural.

    `+` and a key follow for every other bet that won. Results alone may be typed in lower case.

    >>> [str(mark) for mark in read_marks("BPbnT, B+big_tiger")]
    ['B', 'Pbn', 'T', 'B+big_tiger']
    >>> read_marks("bpt") == read_marks("BPT")
    True
    """
    rounds = _ROUND.finditer(text.upper() if _RESULTS_ALONE.fullmatch(text) else text)
    return tuple(_mark(found) for found in rounds if found.lastgroup)


def _mark(found: re.Match[str]) -> Mark:
    flags = found["flags"] or ""
    bets = tuple((found["bets"] or "").split("+")[1:])
    if found["wrong"] or len(set(flags)) < len(flags) or len(set(bets)) < len(bets):
        raise Refused(Reason.UNKNOWN_RESULT, result=found[0])
    return Mark(_WINNERS[found["winner"]], "p" in flags, "b" in flags, "n" in flags, bets)


# ---- one road ----------------------------------------------------------------------------------------------------


class Road:
    """Colours laid out in six rows: a new column at each change, then down, and right where there is no room below.

    Later runs lie above earlier ones, so only the topmost occupied row of a column to the right matters.
    """

    def __init__(self, turn: Turn = Turn.STAY_ON_ROW) -> None:
        self.colours = ""
        self.places: list[Place] = []
        self._drops = turn is Turn.DROP_WHEN_FREE
        self._tops: dict[int, int] = {}
        # the colour of the latest run, the column it began in, and the row it may not go down to
        self._run: tuple[Colour | None, int, int] = (None, -1, 0)

    def extend(self, colours: Sequence[Colour]) -> None:
        places, tops, drops = self.places, self._tops, self._drops
        lay = places.append
        latest, start, floor = self._run
        column, row = places[-1] if places else (0, 0)
        for colour in colours:
            if colour is not latest:
                latest, start = colour, start + 1
                while not (floor := tops.get(start, ROWS)):
                    start += 1
                column, row = start, 0
            elif row + 1 < floor:
                row += 1
            else:
                column += 1
                floor = tops.get(column, ROWS) if drops else 0
                tops[column] = row
            lay((column, row))
        self._run = latest, start, floor
        self.colours += "".join(colours)


# ---- all five ----------------------------------------------------------------------------------------------------


class RoadCell(msgspec.Struct, frozen=True, gc=False):
    """A mark in its place, with the number of ties counted on it."""

    place: Place
    mark: Mark
    ties: int = 0


class Derived(NamedTuple, Generic[T]):
    """A value for each derived road. They compare a run with the first, second and third run before it."""

    big_eye_boy: T
    small_road: T
    cockroach_pig: T


class Roads:
    """The roads of one shoe, extended round by round."""

    def __init__(self, marks: Iterable[Mark] = (), turn: Turn = Turn.STAY_ON_ROW) -> None:
        self.marks: list[Mark] = []
        self.derived = Derived(Road(turn), Road(turn), Road(turn))
        self._big_road = Road(turn)
        self._results: list[Mark] = []
        self._ties = [0]
        # who won last, the length of that run, and the lengths of the three runs before it, 0 where there are none
        self._runs: tuple[Winner | None, int, int, int, int] = (None, 0, 0, 0, 0)
        self.extend(marks)

    def add(self, mark: Mark) -> None:
        self.extend((mark,))

    def extend(self, marks: Iterable[Mark]) -> None:
        results, ties = self._results, self._ties
        laid: tuple[list[Colour], ...] = ([], [], [], [])
        lay, eye, small, pig = (road.append for road in laid)
        won, tied = results.append, ties.append
        latest, length, first, second, third = self._runs
        self.marks += (marks := tuple(marks))
        for mark in marks:
            winner = mark.winner
            if winner is TIE:
                ties[-1] += 1
                continue
            equal, unequal = (BLUE, RED) if winner is latest else (RED, BLUE)
            if first:
                eye(equal if length == first else unequal)
            if second:
                small(equal if length == second else unequal)
            if third:
                pig(equal if length == third else unequal)
            if results:  # ties before the first result wait for it
                tied(0)
            if winner is latest:
                length += 1
            else:
                latest, length, first, second, third = winner, 1, length, first, second
            won(mark)
            lay(RED if winner is BANKER else BLUE)
        self._runs = latest, length, first, second, third
        for road, colours in zip((self._big_road, *self.derived), laid, strict=True):
            road.extend(colours)

    @property
    def bead_plate(self) -> list[RoadCell]:
        columns = range(1 + len(self.marks) // ROWS)
        return list(map(RoadCell, product(columns, range(ROWS)), self.marks))

    @property
    def big_road(self) -> list[RoadCell]:
        return list(map(RoadCell, self._big_road.places, self._results, self._ties))

    @property
    def ties_waiting(self) -> int:
        """Ties before the first result, which have no cell yet."""
        return 0 if self._results else self._ties[0]

    def ask(self, winner: Winner) -> Derived[Colour | None]:
        """What each derived road would show if the next result were this.

        If the latest run is as long as the earlier one, ending it keeps the pattern and continuing breaks it; otherwise
        the reverse. The answers for Banker and Player are therefore opposite, or there is nothing to compare with.
        """
        latest, length, *earlier = self._runs
        if winner is TIE:
            return Derived(None, None, None)
        equal, unequal = (BLUE, RED) if winner is latest else (RED, BLUE)
        return Derived(*(None if not run else equal if length == run else unequal for run in earlier))
