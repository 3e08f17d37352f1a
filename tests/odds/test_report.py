"""Pictures and pages: drawn without a warning, self-contained, and true to the figures."""

import re
from base64 import b64decode
from datetime import date

import numpy as np
import pytest

from puntobanco.odds import Plan, Shoe, Simulation, price, removal_effects, report, session, sheets, simulation
from puntobanco.odds.insurance import cells
from puntobanco.odds.report import OddsReport, page
from puntobanco.rules import library
from puntobanco.rules.library import LANGUAGES, sentences
from puntobanco.rules.money import Cents

ENGLISH = sentences("en")


@pytest.mark.parametrize("key", library.GAMES)
def test_the_edges_of_every_game_are_drawn_as_they_are(key: str) -> None:
    game = library.game(key)
    priced = {decks: price(game, Shoe.of(decks)) for decks in range(game.decks.least, game.decks.most + 1)}
    figure = report.edges(priced, ENGLISH)
    for axes, bet in zip(figure.axes, priced[8].bets, strict=False):
        assert axes.lines[0].get_xdata() == pytest.approx(list(priced))
        assert axes.lines[0].get_ydata() == pytest.approx([float(one[bet].house_edge) for one in priced.values()])


def test_the_heat_map_is_centred_on_nothing_and_every_cell_has_its_figure() -> None:
    game = library.game("wu-song")
    effects = removal_effects(game, Shoe.of(8))
    figure = report.removal(price(game, Shoe.of(8)), effects, ENGLISH, on=8)
    axes = figure.axes[0]
    assert axes.collections[0].get_clim() == (-1, 1)
    assert [text.get_text() for text in axes.texts][:13] == [f"{it * 10_000:+.2f}" for it in effects["player"]]


def test_convergence_ends_at_the_result_and_says_if_it_was_interrupted() -> None:
    game, run = library.game("commission"), simulation(Plan(rounds=50_000, seed=2))
    figure = report.convergence(run, game, game.layout(), ENGLISH)
    for axes, one in zip(figure.axes, run.bets(game).values(), strict=False):
        assert axes.lines[1].get_ydata()[-1] == pytest.approx(one.house_edge)  # type: ignore[index]
        assert axes.lines[0].get_ydata()[0] == pytest.approx(float(one.exact))  # type: ignore[index]
    for rounds in (1, 25, 12_345):
        short = simulation(Plan(rounds=rounds, seed=2), workers=1)
        points = report.convergence(short, game, game.layout(), ENGLISH).axes[0].lines[1].get_xdata()
        assert len(np.unique(points)) >= min(rounds, 20), "a chart with one dot shows no convergence"
        assert np.min(points) >= rounds // 1_000, "the first rounds of a long run would hide the others"
    partial = Simulation(plan=Plan(rounds=10**9, seed=2), tally=run.tally, seconds=1.0)
    assert "INTERRUPTED" in report.convergence(partial, game, game.layout(), ENGLISH).get_suptitle()
    assert "INTERRUPTED" not in figure.get_suptitle()


@pytest.mark.parametrize("bankroll", [None, 300_00])
@pytest.mark.parametrize("rounds", [1, 3, 400])
def test_the_bars_of_a_session_hold_all_of_it(bankroll: int | None, rounds: int) -> None:
    game = library.game("commission")
    purse = None if bankroll is None else Cents(bankroll)
    played = session(game, {"banker": Cents(100_00), "tie": Cents(20_00)}, rounds, bankroll=purse)
    figure = report.session(played, game, game.layout(), ENGLISH)
    heights = np.array([bar.get_height() for bar in figure.axes[0].patches])  # type: ignore[attr-defined]
    stopped = float(played.chance[played.results < 120_00 - bankroll].sum()) if bankroll else 0.0
    assert heights.sum() == pytest.approx(1 + stopped, abs=1e-9)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_needs_nothing_but_itself(language: str) -> None:
    game, said = library.game("insurance"), sentences(language)
    priced = {decks: price(game, Shoe.of(decks)) for decks in (6, 8)}
    text = page(
        OddsReport(
            title="<Insurance>",
            priced=priced[8],
            language=language,
            facts=["a & b"],
            caption="what it shows",
            picture=report.edges(priced, said),
            sheets=[*sheets.prices(priced[8], said), sheets.correlations(priced[8], said)],
        )
    )
    assert "<title>&lt;Insurance&gt;</title>" in text
    assert game.fingerprint in text
    assert game.document in text
    assert f"{date.today():%Y-%m-%d}" in text
    edge = priced[8]["banker"].house_edge
    assert f"<td>{edge.numerator}/{edge.denominator}</td>" in text
    assert said.condition(game.bet("banker").lines[0].when) in text
    assert "a &amp; b" in text
    assert f'<html lang="{language}">' in text
    assert not re.search(r"https?:|//|<script|<link|@import|url\(", re.sub(r"base64,[A-Za-z0-9+/=]+", "", text))
    (picture,) = re.findall(r"base64,([A-Za-z0-9+/=]+)", text)
    assert b"<svg" in b64decode(picture)
    ev = max(cells(game, Shoe.of(8)), key=lambda cell: cell.ev).ev
    assert f"<td>{ev.numerator}/{ev.denominator}</td>" in text
    assert text.count("<table>") == 6
