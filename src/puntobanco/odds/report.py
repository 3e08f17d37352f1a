"""Charts of the figures: one PNG, or one self-contained HTML page with tables.

Colours are distinguishable with colour blindness, and nothing is expressed by colour alone.
"""

import io
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from functools import cache
from html import escape
from math import ceil, log10, sqrt
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import matplotlib
import msgspec
import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, PercentFormatter

import puntobanco
from puntobanco.odds.files import write_bytes
from puntobanco.odds.pricing import Prices, price
from puntobanco.odds.sessions import SessionForecast
from puntobanco.odds.sheets import Sheet, exact_insurance, fractions, identity, paytable, staked, title
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.simulate import Simulation, first_looks
from puntobanco.odds.tables import Floats, Ints
from puntobanco.rules.cards import Rank
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.library import Sentences, sentences
from puntobanco.rules.money import show_money, write_money

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
_CHINESE = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "SimHei",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Noto Sans CJK JP", "Arial Unicode MS",
)  # fmt: skip
_STYLE = {
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "svg.fonttype": "path",
    "svg.hashsalt": "puntobanco",
    "text.parse_math": False,
}


class OddsReport(msgspec.Struct, frozen=True, kw_only=True):
    """A title, a chart with its caption, and the tables behind it. `priced`: the game that it is about, on its shoe."""

    title: str
    priced: Prices
    language: str
    caption: str
    picture: Figure
    sheets: Sequence[Sheet]
    facts: Sequence[str] = ()


def write_report(report: OddsReport, path: Path) -> None:
    """A page for `.html`; the chart for `.png`."""
    is_picture = path.suffix.lower() == ".png"
    write_bytes(_drawn(report.picture, "png") if is_picture else page(report).encode(), path)


# ---- pictures ----------------------------------------------------------------------------------------------------


def edges(priced: Mapping[int, Prices], said: Sentences) -> Figure:
    """A small chart for each bet: its edge by number of decks, each on its own scale."""
    first = next(iter(priced.values()))
    with _style():
        figure, panels = _panels(len(first.bets), _title(first.game, first.layout, said, "edge_picture"))
        for axes, (key, one) in zip(panels, first.bets.items(), strict=False):
            values = [float(each[key].house_edge) for each in priced.values()]
            axes.plot(list(priced), values, color=BLUE, marker="o", markersize=4)
            axes.set_title(one.bet.title.said(_pictured(said).language))
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
            axes.margins(x=0.08, y=0.2)
            _widen(axes, values)
            _percents(axes)
            axes.set_xlabel(_pictured(said).say("odds", "axis_decks"))
        return figure


def removal(priced: Prices, effects: Mapping[str, Floats], said: Sentences, *, on: int | Shoe) -> Figure:
    """A heat map, bets by ranks. Colours are relative to each bet's largest effect; the figures are absolute."""
    titles = {key: one.bet.title.said(_pictured(said).language) for key, one in priced.bets.items()}
    table = np.array([effects[key] for key in effects])
    peaks = np.abs(table).max(axis=1, keepdims=True)
    with _style():
        figure = Figure(figsize=(10.5, 1.9 + 0.36 * len(table)), layout="constrained")
        figure.suptitle(_title(priced.game, priced.layout, said, "removal_picture", on=on), fontsize=12)
        axes = figure.add_subplot()
        relative = table / np.where(peaks, peaks, 1.0)
        shown = axes.pcolormesh(relative, cmap="PuOr", vmin=-1, vmax=1, edgecolors="white", linewidth=0.8)
        for row, column in np.ndindex(table.shape):
            value = table[row, column]
            red, green, blue, _ = shown.to_rgba(relative[row, column])
            dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
            axes.text(
                column + 0.5, row + 0.5, f"{value * 10_000:+.2f}" if value else "0",
                ha="center", va="center", fontsize=7.5, color="white" if dark else "black",
            )  # fmt: skip
        axes.set_xticks(np.arange(13) + 0.5, [rank.sign for rank in Rank])
        axes.set_yticks(np.arange(len(table)) + 0.5, [titles[key] for key in effects])
        axes.set_xlabel(_pictured(said).say("odds", "axis_rank"))
        axes.invert_yaxis()
        axes.grid(visible=False)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        bar = figure.colorbar(shown, ax=axes, pad=0.015, aspect=30, ticks=[-1, -0.5, 0, 0.5, 1])
        bar.outline.set_visible(False)
        bar.set_label(_pictured(said).say("odds", "removal_scale"))
        return figure


def convergence(run: Simulation, game: Game, layout: Layout | None, said: Sentences) -> Figure:
    """For each bet, the simulated edge by rounds played, with the exact edge and the band around it."""
    priced = price(game, Shoe.of(run.plan.decks), layout)
    path = (
        *first_looks(msgspec.structs.replace(run.plan, rounds=run.rounds)),
        *(run.path or ((run.rounds, run.tally),)),
    )
    rounds = np.array([n for n, _ in path], np.float64)
    band = np.geomspace(max(1.0, rounds[0] / 3), max(rounds[-1] * 1.2, 2.0), 200)
    heard = _pictured(said)
    with _style():
        title = _title(game, layout, said, "convergence_picture", on=run.plan.decks)
        if not run.complete:
            told = {"rounds": f"{run.rounds:,}", "requested": f"{run.plan.rounds:,}"}
            title += "\n" + heard.say("odds", "interrupted", **told)
        figure, panels = _panels(len(priced.bets), title, legend=True)
        for axes, (key, one) in zip(panels, priced.bets.items(), strict=False):
            edge, place = float(one.house_edge), priced.menu.at[key]
            spread = 1.96 * one.stdev / np.sqrt(band)
            axes.fill_between(band, edge - spread, edge + spread, color=BLUE, alpha=0.18, linewidth=0)
            axes.axhline(edge, color=BLUE, linewidth=1.2)
            gains = priced.menu.returns[place]
            seen = [-float(_mean(gains, tally)) for _, tally in path]
            axes.plot(rounds, seen, color=ORANGE, marker="o", markersize=3, linewidth=1.2)
            axes.set_xscale("log")
            powers_alone = band[-1] / band[0] >= 100
            axes.xaxis.set_major_locator(LogLocator(subs=(1.0,) if powers_alone else (1.0, 2.0, 5.0), numticks=6))
            axes.xaxis.set_major_formatter(FuncFormatter(_short))
            axes.xaxis.set_minor_formatter(NullFormatter())
            axes.set_title(one.bet.title.said(heard.language))
            _percents(axes)
            axes.set_xlabel(heard.say("odds", "axis_rounds"))
        first = panels[0]
        figure.legend(
            [first.lines[1], first.lines[0], first.collections[0]],
            [heard.say("odds", "simulated_line"), heard.say("odds", "exact_line"), heard.say("odds", "band")],
            loc="outside lower center", ncols=3, frameon=False,
        )  # fmt: skip
        return figure


def _mean(gains: Floats, tally: Ints) -> float:
    return float(gains @ tally[:-1]) / float(tally.sum())


def session(played: SessionForecast, game: Game, layout: Layout | None, said: Sentences) -> Figure:
    """The distribution of results as bars, with percentiles, the expected result and the share that stopped early."""
    heard = _pictured(said)
    low, high = (played.percentile(share) / 100 for share in (0.001, 0.999))
    edges_, heights, stopped = _bars(played, low, high)
    with _style():
        figure = Figure(figsize=(9.5, 4.8), layout="constrained")
        figure.suptitle(f"{game.title.said(heard.language)}\n{staked(played, game, layout, heard)}", fontsize=12)
        axes = figure.add_subplot()
        axes.bar(edges_[:-1], heights, np.diff(edges_), align="edge", color=BLUE, alpha=0.75, linewidth=0)
        if stopped.any():
            axes.bar(
                edges_[:-1], stopped, np.diff(edges_), align="edge", color=ORANGE, linewidth=0,
                hatch="////", edgecolor="white", label=heard.say("odds", "stopped"),
            )  # fmt: skip
        axes.margins(y=0.02)
        for step, share in enumerate((5, 25, 50, 75, 95)):
            amount = played.percentile(share / 100)
            axes.axvline(amount / 100, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
            axes.annotate(  # above the chart, where no line runs through it
                heard.say("odds", "of_sessions", share=share, amount=write_money(amount)),
                (amount / 100, 1.015 + 0.045 * (step % 3)), xycoords=("data", "axes fraction"), ha="center",
                fontsize=8, annotation_clip=False,
            )  # fmt: skip
        axes.axvline(
            played.mean / 100, color=GREEN, linewidth=1.8,
            label=heard.say("odds", "expected_line", amount=write_money(round(played.mean))),
        )  # fmt: skip
        axes.set_xlabel(heard.say("odds", "axis_result"))
        axes.set_ylabel(heard.say("odds", "axis_chance"))
        _percents(axes)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: show_money(round(value * 100))))
        axes.grid(visible=False, axis="x")
        figure.legend(loc="outside lower center", ncols=2, frameon=False)
        return figure


def _bars(played: SessionForecast, low: float, high: float) -> tuple[Floats, Floats, Floats]:
    """At most 60 bars from the 0.1 to the 99.9 percentile; the outermost bars hold the rest.

    Results cluster about a stake apart. Bars are whole stakes wide where possible; otherwise some would hold more
    clusters than others and show waves that are not there.
    """
    dollars = played.results / 100
    steps = np.diff(dollars)
    step = float(steps.min()) if steps.size else 1.0
    staked_ = sum(played.stakes.values()) / 100
    unit = staked_ if (high - low) / staked_ >= 15 else step
    width = unit * max(1, ceil((high - low) / unit / 60))
    edges_ = np.arange(low - step / 2, high + width, width)
    inside = np.clip(dollars, edges_[0], np.nextafter(edges_[-1], -np.inf))
    heights, _ = np.histogram(inside, edges_, weights=played.chance)
    poor = np.zeros(len(dollars), np.bool_)
    if played.bankroll is not None:
        poor = played.results + played.bankroll < sum(played.stakes.values())
    stopped, _ = np.histogram(inside, edges_, weights=played.chance * poor)
    return edges_, np.asarray(heights, np.float64), np.asarray(stopped, np.float64)


# ---- what pictures share -----------------------------------------------------------------------------------------


def _style() -> AbstractContextManager[None]:
    family = [_font(), "DejaVu Sans"] if _font() else ["DejaVu Sans"]
    return matplotlib.rc_context(_STYLE | {"font.family": family})  # type: ignore[arg-type]


@cache
def _font() -> str | None:
    """An installed font with Chinese characters, if there is one."""
    known = set(fontManager.get_font_names())
    return next((name for name in _CHINESE if name in known), None)


def _pictured(said: Sentences) -> Sentences:
    """The language of the charts: English if no font has Chinese."""
    return said if said.language == "en" or _font() else sentences("en")


def _title(game: Game, layout: Layout | None, said: Sentences, key: str, *, on: int | Shoe | None = None) -> str:
    heard = _pictured(said)
    return fill(title(game, layout, heard, on=on), 90) + "\n" + heard.say("odds", key)


def _panels(many: int, title: str, *, legend: bool = False) -> tuple[Figure, list["Axes"]]:
    columns = min(4, max(2, ceil(sqrt(many))))
    rows = ceil(many / columns)
    figure = Figure(figsize=(3.1 * columns, 0.9 + 2.15 * rows + 0.3 * legend), layout="constrained")
    figure.suptitle(title, fontsize=12)
    grid = figure.subplots(rows, columns, squeeze=False)
    for spare in grid.flat[many:]:
        spare.set_visible(False)
    return figure, list(grid.flat)


def _widen(axes: "Axes", values: Sequence[float]) -> None:
    """A scale on which equal edges look equal: never narrower than a fiftieth of the edge."""
    middle, half = (max(values) + min(values)) / 2, (max(values) - min(values)) / 2
    half = max(half * 1.25, abs(middle) / 100, 1e-5)
    axes.set_ylim(middle - half, middle + half)


def _percents(axes: "Axes") -> None:
    """Percent with as many decimals as the scale needs, without an offset."""
    low, high = axes.get_ylim()
    places = MaxNLocator(nbins=4, steps=[1, 2, 5, 10])
    ticks = places.tick_values(low, high)
    step = (ticks[1] - ticks[0]) * 100 if len(ticks) > 1 else 1.0
    axes.yaxis.set_major_locator(places)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=max(0, min(8, ceil(-log10(step) - 1e-9)))))


def _short(value: float, _place: int | None = None) -> str:
    for size, sign in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"


# ---- the page ----------------------------------------------------------------------------------------------------

_CSS = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}img{max-width:100%;height:auto}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #e3e3e3}"
    "th{vertical-align:bottom;font-weight:600}.w{text-align:left}p.note{color:#555}figure{margin:1.5rem 0}"
    ":root{color-scheme:light dark}@media(prefers-color-scheme:dark){body{background:#15181b;color:#e6e6e6}"
    "p.note{color:#a5a5a5}th,td{border-color:#3a3f44}figure{background:#fff;padding:.5rem;border-radius:.5rem}}"
)


def page(report: OddsReport) -> str:
    """One file with everything in it. It loads nothing from elsewhere."""
    said = sentences(report.language)
    caption, picture = escape(report.caption, quote=True), b64encode(_drawn(report.picture, "svg")).decode()
    priced = report.priced
    sheets = (*report.sheets, fractions(priced, said), *exact_insurance(priced, said), paytable(priced, said))
    parts = [
        f"<h1>{escape(report.title)}</h1>",
        f"<p>{escape(identity(priced.game, said))} {date.today():%Y-%m-%d}</p>",
        *(f"<p>{escape(fact)}</p>" for fact in report.facts),
        f'<figure><img alt="{caption}" src="data:image/svg+xml;base64,{picture}"></figure>',
        *map(_table, sheets),
    ]
    made = said.say("odds", "made_by", version=puntobanco.__version__)
    return (
        f'<!doctype html>\n<html lang="{report.language}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width">'
        f"<title>{escape(report.title)}</title>\n<style>{_CSS}</style></head>\n<body>\n"
        + "\n".join(parts)
        + f'\n<p class="note">{escape(made)}</p>\n</body>\n</html>\n'
    )


def _table(sheet: Sheet) -> str:
    def cells(values: Sequence[str], tag: str) -> str:
        return "".join(
            f'<{tag} class="w">{escape(value)}</{tag}>' if place < sheet.words else f"<{tag}>{escape(value)}</{tag}>"
            for place, value in enumerate(values)
        )

    heading = f"<h2>{escape(sheet.heading)}</h2>" if sheet.heading else ""
    head = f"<thead><tr>{cells(sheet.columns, 'th')}</tr></thead>" if any(sheet.columns) else ""
    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in sheet.rows)
    table = f'<div class="wide"><table>{head}<tbody>{body}</tbody></table></div>' if body else ""
    return heading + table + "".join(f'<p class="note">{escape(note)}</p>' for note in sheet.notes)


def _drawn(figure: Figure, kind: str) -> bytes:
    out = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with _style():
        figure.savefig(out, format=kind, dpi=160, metadata=metadata, facecolor="white")
    return out.getvalue()
