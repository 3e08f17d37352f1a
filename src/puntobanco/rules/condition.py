"""Conditions on the Outcome: values that print, compare and serialise. All given fields must hold together."""

import re
from functools import cache

import msgspec

from puntobanco.rules.outcome import Outcome, Winner, reachable
from puntobanco.rules.refusal import Expected


class Numbers(frozenset[int]):
    """The numbers a condition accepts: written `6`, `[6, 7]` or `"0-5"`."""

    def __str__(self) -> str:
        held = sorted(self)
        if len(held) > 2 and held == list(range(held[0], held[-1] + 1)):
            return f"{held[0]}-{held[-1]}"
        return "/".join(map(str, held))


_RANGE = re.compile(r"([0-9])-([0-9])")


def read_numbers(written: object) -> Numbers:
    """Read the numbers of a condition. A ValueError names what was expected."""
    if isinstance(written, str) and (found := _RANGE.fullmatch(written)):
        return read_numbers(list(range(int(found[1]), int(found[2]) + 1)))
    listed = written if isinstance(written, list) else [written]
    numbers = [number for number in listed if type(number) is int and 0 <= number <= 9]
    if not numbers or len(numbers) < len(listed):
        raise ValueError(Expected.NUMBERS)
    return Numbers(numbers)


class When(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A condition of a pay line.

    `points` and `cards` are those of the winning hand. On a tie, `points` is the total that both hands have.
    """

    winner: Winner | None = None
    points: Numbers | None = None
    cards: Numbers | None = None
    margin: Numbers | None = None
    player_points: Numbers | None = None
    banker_points: Numbers | None = None
    player_cards: Numbers | None = None
    banker_cards: Numbers | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    natural: bool | None = None

    def holds(self, outcome: Outcome) -> bool:
        facts = _facts(outcome)
        return all(_meets(facts[name], wanted) for name, wanted in self.given().items())

    def outcomes(self) -> frozenset[Outcome]:
        """Every reachable Outcome for which the condition holds."""
        return _outcomes(self)

    def given(self) -> dict[str, Winner | Numbers | bool]:
        """The fields that were written."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in fields.items() if value is not None}


@cache
def _outcomes(when: When) -> frozenset[Outcome]:
    held = frozenset(reachable())
    for name, wanted in when.given().items():
        held &= frozenset().union(*(those for fact, those in _by_fact(name).items() if _meets(fact, wanted)))
    return held


Fact = Winner | int | bool


def _meets(fact: Fact, wanted: Winner | Numbers | bool) -> bool:
    return fact in wanted if isinstance(wanted, Numbers) else fact == wanted


@cache
def _facts(outcome: Outcome) -> dict[str, Fact]:
    """The facts of an Outcome that a condition can test, under the names of its fields."""
    winner = outcome.winner
    banker_won = winner is Winner.BANKER
    return {
        "winner": winner,
        "points": outcome.banker_points if banker_won else outcome.player_points,
        "cards": outcome.banker_cards if banker_won else outcome.player_cards,
        "margin": outcome.margin,
        "player_points": outcome.player_points,
        "banker_points": outcome.banker_points,
        "player_cards": outcome.player_cards,
        "banker_cards": outcome.banker_cards,
        "player_pair": outcome.player_pair,
        "banker_pair": outcome.banker_pair,
        "natural": outcome.natural,
    }


@cache
def _by_fact(name: str) -> dict[Fact, frozenset[Outcome]]:
    """The reachable Outcomes, grouped by one fact."""
    parts: dict[Fact, set[Outcome]] = {}
    for outcome in reachable():
        parts.setdefault(_facts(outcome)[name], set()).add(outcome)
    return {fact: frozenset(those) for fact, those in parts.items()}
