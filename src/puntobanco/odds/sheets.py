"""Figures as tables for people. The same sheet is printed in the terminal and set in a report."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from puntobanco.odds.files import fraction
from puntobanco.odds.insurance import Cell, cells
from puntobanco.odds.json_values import PERCENTILES
from puntobanco.odds.pricing import Prices
from puntobanco.odds.protection import Protection, best_count
from puntobanco.odds.sessions import SessionForecast
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.simulate import Simulation, SimulationMode
from puntobanco.odds.tables import Floats
from puntobanco.rules.cards import Rank
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.library import Sentences
from puntobanco.rules.money import show_money, write_money


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The first `words` columns say what a row is about, the others are figures. `notes` follow below."""

    heading: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    words: int = 1
    notes: tuple[str, ...] = ()


def title(game: Game, layout: Layout | None, said: Sentences, *, on: int | Shoe | None = None) -> str:
    """`Wu Song, layout A, 8 decks`."""
    parts = [game.title.said(said.language)]
    if layout is not None:
        parts.append(said.say("odds", "layout", layout=layout.key))
    if on is not None:
        parts.append(said.say("odds", "decks", decks=on) if isinstance(on, int) else said.say("odds", "shoe", shoe=on))
    return said.say("odds", "comma").join(parts)


def identity(game: Game, said: Sentences) -> str:
    """Which content of which game it is: `Wu Song, version 3. Fingerprint: 0420...`."""
    label = said.table["label"]
    name = f"{game.title.said(said.language)}, {label['version']} {game.version} ({game.document})"
    return f"{name}. {label['fingerprint']}: {game.fingerprint}."


def paytable(priced: Prices, said: Sentences) -> Sheet:
    label = said.table["label"]
    return Sheet(
        heading=label["pay_table"],
        columns=(said.say("odds", "bet"), label["when"], label["pays"], label["rule"]),
        rows=tuple(
            (bet.title.said(said.language), said.condition(line.when), str(line.pays), line.rule)
            for bet in priced.game.menu(priced.layout)
            for line in bet.lines
        ),
        words=4,
    )


def fractions(priced: Prices, said: Sentences) -> Sheet:
    """What every bet comes to, exactly."""
    return Sheet(
        heading=said.say("odds", "exact_fractions"),
        columns=_columns(said, ("bet", "house_edge", "win", "push")),
        rows=tuple(
            (one.bet.title.said(said.language), *map(fraction, (one.house_edge, one.win, one.push)))
            for one in priced.bets.values()
        ),
    )


def exact_insurance(priced: Prices, said: Sentences) -> Iterator[Sheet]:
    """What every cell of the pay table is worth, exactly, and its paragraph."""
    if priced.game.insurance is not None:
        word, label = said.table["word"], said.table["label"]
        columns = _columns(said, ("window", "insures", "player", "banker", "pays", "ev"))
        yield Sheet(
            heading=said.say("odds", "exact_insurance"),
            columns=(*columns, label["rule"]),
            rows=tuple(
                (
                    word[cell.window], word[cell.insures], str(cell.player), str(cell.banker), str(cell.row.odds),
                    fraction(cell.ev), cell.row.rule,
                )
                for cell in cells(priced.game, priced.law.shoe)
            ),
            words=2,
            notes=(said.say("odds", "ev_note"),),
        )  # fmt: skip


def prices(priced: Prices, said: Sentences) -> Iterator[Sheet]:
    columns = ["bet", "house_edge", "resolved", "return", "win", "push", "lose", "spread"]
    short = priced.law.void > 0
    if short:
        columns.insert(7, "void")
    yield Sheet(
        columns=_columns(said, columns),
        rows=tuple(
            (
                one.bet.title.said(said.language),
                *(_percent(it) for it in (one.house_edge, one.house_edge_resolved, one.return_to_player)),
                *(_percent(it) for it in (one.win, one.push, one.lose, *((one.void,) if short else ()))),
                f"{one.stdev:.4f}",
            )
            for one in priced.bets.values()
        ),
        notes=(said.say("odds", "edge_note"),),
    )
    if priced.game.insurance is not None:
        found = cells(priced.game, priced.law.shoe)
        yield _insurance(found, said, heading=said.say("odds", "insurance"))


def insurance_now(cell: Cell | None, cards: str, said: Sentences) -> Sheet:
    heading = said.say("odds", "insurance_now", cards=cards)
    if cell is None:
        return Sheet(heading=heading, notes=(said.say("odds", "no_window"),))
    return _insurance([cell], said, heading=heading)


def _insurance(found: Sequence[Cell], said: Sentences, *, heading: str) -> Sheet:
    word = said.table["word"]
    columns = ("window", "insures", "player", "banker", "pays", "win", "push", "lose", "ev")
    return Sheet(
        heading=heading,
        columns=_columns(said, columns),
        rows=tuple(
            (
                word[cell.window],
                word[cell.insures],
                str(cell.player),
                str(cell.banker),
                str(cell.row.odds),
                *(_percent(it) for it in (cell.win, cell.push, cell.lose)),
                _percent(cell.ev, signed=True),
            )
            for cell in found
        ),
        words=4,
        notes=(said.say("odds", "ev_note"),),
    )


def by_decks(priced: Mapping[int, Prices], said: Sentences) -> Sheet:
    """The house edge of every bet by number of decks."""
    first = next(iter(priced.values()))
    return Sheet(
        heading=said.say("odds", "edge_by_decks"),
        columns=(said.say("odds", "bet"), *(str(decks) for decks in priced)),
        rows=tuple(
            (one.bet.title.said(said.language), *(_percent(each[key].house_edge) for each in priced.values()))
            for key, one in first.bets.items()
        ),
    )


def correlations(priced: Prices, said: Sentences) -> Sheet:
    titles = [one.bet.title.said(said.language) for one in priced.bets.values()]
    return Sheet(
        heading=said.say("odds", "correlation"),
        columns=("", *titles),
        rows=tuple(
            (name, *(f"{one:+.3f}" for one in row))
            for name, row in zip(titles, priced.correlation.tolist(), strict=True)
        ),
    )


def simulation(run: Simulation, game: Game, layout: Layout | None, said: Sentences) -> Sheet:
    titles = _titles(game, layout, said)
    fit = run.chi_square
    notes = [
        said.say(
            "odds", "speed",
            rounds=f"{run.rounds:,}", seconds=f"{run.seconds:.1f}", rate=f"{run.rounds_per_second:,.0f}",
        ),
        said.say("odds", "chi_square", value=f"{fit.value:.1f}", freedom=fit.freedom, p=f"{fit.p:.3f}")
        if fit.freedom
        else said.say("odds", "too_few"),
        said.say("odds", "seed", seed=run.plan.seed),
    ]  # fmt: skip
    if run.plan.mode is SimulationMode.SHOE:
        notes.append(said.say("odds", "shoe_note", burn=run.plan.burn, cut_card=run.plan.cut_card))
    if not run.complete:
        notes.insert(0, said.say("odds", "interrupted", rounds=f"{run.rounds:,}", requested=f"{run.plan.rounds:,}"))
    return Sheet(
        columns=_columns(said, ("bet", "simulated", "stderr", "exact", "z")),
        rows=tuple(
            (titles[key], _percent(one.house_edge, 5), _percent(one.stderr, 5), _percent(one.exact, 5), f"{one.z:+.2f}")
            for key, one in run.bets(game, layout).items()
        ),
        notes=tuple(notes),
    )


def removal(priced: Prices, effects: Mapping[str, Floats], said: Sentences) -> Sheet:
    """Effects of removal in hundredths of a percent of the stake, because the figures are small."""
    return Sheet(
        heading=said.say("odds", "removal"),
        columns=(said.say("odds", "bet"), *(rank.sign for rank in Rank)),
        rows=tuple(
            (one.bet.title.said(said.language), *(_effect(it) for it in effects[key].tolist()))
            for key, one in priced.bets.items()
        ),
        notes=(said.say("odds", "removal_note"),),
    )


def counts(priced: Prices, effects: Mapping[str, Floats], said: Sentences) -> Sheet:
    best = {key: best_count(effects[key], ranks=priced.law.shoe.ranks) for key in priced.bets}
    return Sheet(
        heading=said.say("odds", "counts"),
        columns=_columns(said, ("bet", "count", "follows")),
        rows=tuple(
            (
                one.bet.title.said(said.language),
                str(best[key]) or said.say("odds", "nothing"),
                f"{best[key].correlation:.3f}",
            )
            for key, one in priced.bets.items()
        ),
        words=2,
        notes=(said.say("odds", "counts_note"),),
    )


def perfect_play(found: Protection, game: Game, layout: Layout | None, said: Sentences, *, requested: int) -> Sheet:
    titles = _titles(game, layout, said)
    notes = [
        said.say("odds", "perfect_note", shoes=f"{found.shoes:,}", rounds=f"{found.rounds:,}", cut_card=found.cut_card)
    ]
    if found.shoes < requested:
        notes.insert(0, said.say("odds", "interrupted_shoes", shoes=f"{found.shoes:,}", requested=f"{requested:,}"))
    return Sheet(
        heading=said.say("odds", "perfect_play"),
        columns=_columns(said, ("bet", "often", "gain", "per_shoe", "stderr", "linear")),
        rows=tuple(
            (
                titles[key],
                _percent(one.often, 3),
                _percent(one.gain, 3),
                f"{one.per_shoe:.5f}",
                f"{one.stderr:.5f}",
                f"{round(one.linear, 3) + 0.0:.3f}",
            )
            for key, one in found.bets.items()
        ),
        notes=tuple(notes),
    )


def right_now(priced: Prices, said: Sentences) -> Sheet:
    """The bets on a live shoe, the best for the player first."""
    best = sorted(priced.bets.values(), key=lambda one: one.house_edge)
    return Sheet(
        heading=said.say("odds", "right_now"),
        columns=_columns(said, ("bet", "favours", "house_edge")),
        rows=tuple(
            (
                one.bet.title.said(said.language),
                said.say("odds", "player" if one.house_edge < 0 else "house" if one.house_edge > 0 else "nobody"),
                _percent(one.house_edge),
            )
            for one in best
        ),
        words=2,
    )


def session(played: SessionForecast, said: Sentences) -> Iterator[Sheet]:
    yield Sheet(
        columns=_columns(said, ("percentile", "result")),
        rows=tuple((f"{share} %", show_money(played.percentile(share / 100))) for share in PERCENTILES),
    )
    facts = [
        ("theoretical_loss", show_money(round(played.theoretical_loss))),
        ("mean", show_money(round(played.mean))),
        ("stdev", show_money(round(played.stdev))),
        ("ahead", _percent(played.ahead, 2)),
    ]
    if played.bankroll is not None:
        facts += [("ruin", _percent(played.ruin, 2)), ("expected_rounds", f"{played.expected_rounds:.1f}")]
    yield Sheet(
        columns=("", ""),
        rows=tuple((said.say("odds", name), value) for name, value in facts),
        notes=(said.say("odds", "session_note"),),
    )


def staked(played: SessionForecast, game: Game, layout: Layout | None, said: Sentences) -> str:
    """`100 rounds, Banker 100, bankroll 5,000`."""
    parts = [said.say("odds", "rounds", rounds=f"{played.rounds:,}")]
    parts += [
        f"{game.bet(key, layout).title.said(said.language)} {show_money(stake)}" for key, stake in played.stakes.items()
    ]
    if played.bankroll is not None:
        parts.append(said.say("odds", "bankroll", bankroll=write_money(played.bankroll)))
    return said.say("odds", "comma").join(parts)


def _titles(game: Game, layout: Layout | None, said: Sentences) -> dict[str, str]:
    return {bet.key: bet.title.said(said.language) for bet in game.menu(layout)}


def _columns(said: Sentences, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(said.say("odds", name) for name in names)


def _percent(value: object, places: int = 4, *, signed: bool = False) -> str:
    number = float(value)  # type: ignore[arg-type]
    return f"{number:{'+' if signed else ''}.{places}%}"


def _effect(value: float) -> str:
    return f"{value * 10_000:+.2f}" if value else "0"
