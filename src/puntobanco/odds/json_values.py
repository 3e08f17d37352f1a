"""Figures as plain values for `--json`. Fractions are text in lowest terms, with decimals."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

import msgspec

from puntobanco.odds.files import fraction
from puntobanco.odds.insurance import Cell, cells
from puntobanco.odds.pricing import Price, Prices
from puntobanco.odds.protection import Protection, best_count
from puntobanco.odds.sessions import SessionForecast
from puntobanco.odds.simulate import Simulation
from puntobanco.odds.tables import Floats
from puntobanco.rules.cards import Rank
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.money import write_money
from puntobanco.rules.outcome import reachable
from puntobanco.rules.procedures import InsuranceRow

Plain = dict[str, object]

PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


def prices(priced: Prices, decks: int | None) -> Plain:
    """Every bet on one shoe. `decks` is None if the shoe was given card by card."""
    keys = list(priced.bets)
    told = _on(priced, decks)
    told["bets"] = {key: _price(one) for key, one in priced.bets.items()}
    told["correlation"] = {
        key: dict(zip(keys, row, strict=True)) for key, row in zip(keys, priced.correlation.tolist(), strict=True)
    }
    if priced.game.insurance is not None:
        told["insurance"] = list(_insurance(priced))
    return told


def named(game: Game, layout: Layout | None) -> Plain:
    return {"game": game.key, "layout": layout.key if layout else None}


def _on(priced: Prices, decks: int | None) -> Plain:
    """The game, and the shoe: card by card unless it is full."""
    told = named(priced.game, priced.layout) | {"decks": decks}
    return told if decks is not None else told | {"shoe": str(priced.law.shoe)}


def _price(one: Price) -> Plain:
    exact = {
        "house_edge": one.house_edge,
        "house_edge_resolved": one.house_edge_resolved,
        "return_to_player": one.return_to_player,
    }
    chances = {"win": one.win, "push": one.push, "lose": one.lose, "void": one.void}
    return {
        **_texts(exact),
        "probability": _texts(chances),
        "stdev": one.stdev,
        "decimal": {name: float(value) for name, value in (exact | chances).items()},
    }


def _texts(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: fraction(value) for name, value in values.items()}


def _insurance(priced: Prices) -> Iterator[Plain]:
    """Every cell of the pay table. A cell that this shoe cannot lead to has no value."""
    assert priced.game.insurance is not None, "asked only of a game with insurance"
    found = {(cell.row, cell.player, cell.banker): cell for cell in cells(priced.game, priced.law.shoe)}
    for row in priced.game.insurance.rows:
        for player, banker in product(sorted(row.player), sorted(row.banker)):
            cell = found.get((row, player, banker))
            reached = fraction(cell.reached) if cell is not None else "0/1"
            yield _cell(row, player, banker, cell) | {"reached": reached}


def _cell(row: InsuranceRow, player: int, banker: int, cell: Cell | None) -> Plain:
    chances = None if cell is None else {"win": cell.win, "push": cell.push, "lose": cell.lose}
    return {
        "window": row.window,
        "insures": row.insures,
        "player": player,
        "banker": banker,
        "odds": str(row.odds),
        "rule": row.rule,
        "ev": None if cell is None else fraction(cell.ev),
        "ev_decimal": None if cell is None else float(cell.ev),
        "probability": None if chances is None else _texts(chances),
    }


def insurance_now(cell: Cell | None) -> Plain | None:
    """The window open on the given cards."""
    return None if cell is None else _cell(cell.row, cell.player, cell.banker, cell)


def simulation(run: Simulation, game: Game, layout: Layout | None) -> Plain:
    plan = run.plan
    return {
        **named(game, layout),
        "decks": plan.decks,
        "mode": plan.mode,
        "seed": plan.seed,
        "burn": plan.burn,
        "cut_card": plan.cut_card,
        "requested": plan.rounds,
        "rounds": run.rounds,
        "complete": run.complete,
        "void": run.void,
        "seconds": run.seconds,
        "rounds_per_second": run.rounds_per_second,
        "chi_square": msgspec.structs.asdict(run.chi_square),
        "bets": {
            key: {
                "house_edge": one.house_edge,
                "stderr": one.stderr,
                "exact": float(one.exact),
                "exact_fraction": fraction(one.exact),
                "z": one.z,
            }
            for key, one in run.bets(game, layout).items()
        },
        "outcomes": [
            {"winner": outcome.winner, **msgspec.structs.asdict(outcome), "rounds": rounds}
            for outcome, rounds in zip(reachable(), run.tally[:-1].tolist(), strict=True)
        ],
    }


def protection(
    priced: Prices, effects: Mapping[str, Floats], found: Protection | None, decks: int | None = None
) -> Plain:
    """Effects of removal and counts for each bet, and with `found` the result of perfect play."""
    bets: dict[str, Plain] = {}
    for key, one in priced.bets.items():
        count = best_count(effects[key], ranks=priced.law.shoe.ranks)
        bets[key] = {
            "house_edge": fraction(one.house_edge),
            "return": -float(one.house_edge),
            "favourable": one.house_edge < 0,
            "removal": _by_rank(effects[key].tolist()),
            "count": {"tags": _by_rank(count.tags), "correlation": count.correlation},
        }
        if found is not None:
            bets[key]["perfect_play"] = msgspec.structs.asdict(found.bets[key])
    favourable = [key for key, one in priced.bets.items() if one.house_edge < 0]
    return _on(priced, decks) | {"favourable": favourable, "bets": bets}


def _by_rank(values: list[float] | tuple[int, ...]) -> Plain:
    return {rank.sign: value for rank, value in zip(Rank, values, strict=True)}


def session(played: SessionForecast, game: Game, layout: Layout | None, decks: int) -> Plain:
    dollars = played.theoretical_loss / 100
    return {
        **named(game, layout),
        "decks": decks,
        "stakes": {key: write_money(stake) for key, stake in played.stakes.items()},
        "rounds": played.rounds,
        "bankroll": None if played.bankroll is None else write_money(played.bankroll),
        "theoretical_loss": fraction(dollars),
        "theoretical_loss_decimal": float(dollars),
        "mean": played.mean / 100,
        "stdev": played.stdev / 100,
        "ahead": played.ahead,
        "ruin": played.ruin,
        "expected_rounds": played.expected_rounds,
        "percentiles": {str(share): write_money(played.percentile(share / 100)) for share in PERCENTILES},
    }
