"""The rules pinned by exact integers: move one cell of the Table of Play or one pay line and a number here moves."""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.rules import library
from puntobanco.rules.condition import Numbers, When
from puntobanco.rules.game import Bet, Game, Layout, PayLine
from puntobanco.rules.money import Odds
from puntobanco.rules.outcome import Winner, reachable
from puntobanco.rules.tableau import DRAWS, NATURAL, STANDS, TABLE_OF_PLAY, TableOfPlay
from tests.golden import exact

FIGURES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "figures.toml").read_text())
EIGHT = exact.distribution(8)


NETS: dict[str, list[int]] = tomllib.loads((Path(__file__).parent / "nets.toml").read_text())["net"]


def felts(game: Game) -> tuple[Layout | None, ...]:
    return game.layouts or (None,)


def winners(counts: exact.Distribution) -> dict[Winner, int]:
    return {winner: sum(ways for one, ways in counts.items() if one.winner is winner) for winner in Winner}


@pytest.mark.parametrize("decks", [6, 8, 10])
def test_wins_and_ties_are_the_published_integers(decks: int) -> None:
    figures, counts = FIGURES["counts"][str(decks)], exact.distribution(decks)
    assert sum(counts.values()) == exact.total(decks) == figures.get("total", exact.total(decks))
    for winner, ways in winners(counts).items():
        assert ways == figures[winner]


def test_banker_wins_and_ties_by_points_are_the_published_integers() -> None:
    def on(winner: Winner, points: int) -> int:
        return sum(ways for one, ways in EIGHT.items() if one.winner is winner and one.banker_points == points)

    figures = FIGURES["counts"]["8"]
    assert [on(Winner.BANKER, points) for points in range(10)] == figures["banker_wins_on"]
    assert [on(Winner.TIE, points) for points in range(10)] == figures["ties_on"]
    three_card_7 = When(winner=Winner.BANKER, points=Numbers([7]), cards=Numbers([3]))
    assert sum(EIGHT[one] for one in three_card_7.outcomes()) == figures["banker_three_card_7"]
    ten_decks = exact.distribution(10)
    on_6 = When(winner=Winner.BANKER, points=Numbers([6])).outcomes()
    assert sum(ten_decks[one] for one in on_6) == FIGURES["counts"]["10"]["banker_wins_on_6"]


def test_the_reachable_outcomes_are_exactly_those_that_deals_lead_to() -> None:
    assert set(reachable()) == {outcome for outcome, ways in EIGHT.items() if ways}


@pytest.mark.parametrize(
    ("decks", "name", "percent"),
    [(int(decks), name, percent) for decks, edges in FIGURES["edge"].items() for name, percent in edges.items()],
)
def test_house_edges_are_the_published_ones(decks: int, name: str, percent: str) -> None:
    key, layout, bet = name.split("/")
    game = library.game(key)
    edge = exact.house_edge(game.bet(bet, game.layout(layout or None)), decks)
    places = len(percent.partition(".")[2])
    assert f"{float(edge * 100):.{places}f}" == percent


def test_banker_insurance_at_six_against_five_favours_the_bettor_by_the_published_figure() -> None:
    rows = exact.six_cards(8)
    won = lost = every = 0
    for (player, _, banker, _), ways in rows.items():
        if (player, banker) != (5, 6):
            continue
        for fifth, row in enumerate(ways):
            for sixth, count in enumerate(row):
                final = (banker + sixth) % 10 if TABLE_OF_PLAY.banker_draws(player, banker, fifth) else banker
                every += count
                won += count * ((player + fifth) % 10 > final)
                lost += count * ((player + fifth) % 10 < final)
    assert f"{float(Fraction(3 * won - lost, every) * 100):.4f}" == "8.4397"


# ---- perturbations ---------------------------------------------------------------------------------------------


def _with_player(total: int, does: str) -> TableOfPlay:
    return TableOfPlay(tuple(does if at == total else was for at, was in enumerate(TABLE_OF_PLAY.player)), _banker())


def _banker() -> tuple[tuple[bool, ...], ...]:
    stands = (False,) * 11
    return (*TABLE_OF_PLAY.banker, stands, stands)


def perturbed_tables() -> Iterator[tuple[str, TableOfPlay]]:
    """Every cell of the Table of Play changed to everything else it could say, one at a time."""
    for total, was in enumerate(TABLE_OF_PLAY.player):
        for does in (one for one in (DRAWS, STANDS, NATURAL) if one != was):
            yield f"player {total} {does}", _with_player(total, does)
    for total, row in enumerate(TABLE_OF_PLAY.banker):
        for column, draws in enumerate(row):
            changed = tuple(not draws if at == column else cell for at, cell in enumerate(row))
            banker = tuple(changed if at == total else other for at, other in enumerate(TABLE_OF_PLAY.banker))
            yield f"banker {total} column {column}", TableOfPlay(TABLE_OF_PLAY.player, banker)


@pytest.mark.parametrize("table", [pytest.param(table, id=name) for name, table in perturbed_tables()])
def test_every_cell_of_the_table_of_play_moves_a_golden_integer(table: TableOfPlay) -> None:
    figures = FIGURES["counts"]["8"]
    assert winners(exact.distribution(8, table)) != {winner: figures[winner] for winner in Winner}


def perturbed_lines(bet: Bet) -> Iterator[tuple[str, Bet]]:
    """Every pay line with other odds, left out, or with one field of its condition changed."""
    for place, line in enumerate(bet.lines):
        others = [msgspec.structs.replace(line, pays=Odds(line.pays + 1))]
        for name, value in line.when.given().items():
            others += [_changed(line, name, other) for other in _other_values(value)]
        for number, other in enumerate(others):
            lines = (*bet.lines[:place], other, *bet.lines[place + 1 :])
            yield f"{bet.key} line {place + 1} change {number}", exact.with_lines(bet, lines)
        yield f"{bet.key} line {place + 1} left out", exact.with_lines(bet, bet.lines[:place] + bet.lines[place + 1 :])


def _changed(line: PayLine, name: str, value: object) -> PayLine:
    when = msgspec.structs.replace(line.when, **{name: value})
    return msgspec.structs.replace(line, when=when)


def _other_values(value: Winner | Numbers | bool) -> list[Winner | Numbers | bool]:
    if isinstance(value, Winner):
        return [winner for winner in Winner if winner is not value]
    if isinstance(value, Numbers):
        narrower = [Numbers(value - {number}) for number in value]
        return [*narrower, *(Numbers(value | {number}) for number in range(10) if number not in value)]
    return [not value]


def named_bets() -> Iterator[tuple[str, Bet]]:
    for key in library.GAMES:
        game = library.game(key)
        for layout in felts(game):
            for bet in game.menu(layout):
                if not bet.insures:
                    yield f"{key}/{layout.key if layout else ''}/{bet.key}", bet


def test_every_bet_of_every_game_and_layout_has_its_golden_numbers() -> None:
    assert {name: exact.golden(bet, EIGHT) for name, bet in named_bets()} == NETS


@pytest.mark.parametrize("key", library.GAMES)
def test_every_pay_line_moves_a_golden_number(key: str) -> None:
    seen = set()
    for name, bet in named_bets():
        if not name.startswith(f"{key}/") or bet in seen:
            continue
        seen.add(bet)
        for change, other in perturbed_lines(bet):
            if not _same_everywhere(bet, other):
                assert exact.golden(other, EIGHT) != NETS[name], f"{name} {change}"


def _same_everywhere(bet: Bet, other: Bet) -> bool:
    """Adding a value that can never occur changes nothing: cards 5, or a Banker win on 0."""
    added = [line.when.outcomes() for line in other.lines] == [line.when.outcomes() for line in bet.lines]
    return added and [line.pays for line in other.lines] == [line.pays for line in bet.lines]
