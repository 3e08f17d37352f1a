"""The commands `odds`, `simulate`, `protect`, `session`.

Everything that computes is imported by the command that needs it: the other commands start without it.
"""

import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from puntobanco.cli.arguments import (
    AsJson,
    Decks,
    GameName,
    Language,
    LayoutName,
    complete_bet,
    find,
    number,
    read_stakes,
)  # fmt: skip
from puntobanco.cli.show import console, print_json, styled
from puntobanco.rules.cards import check_copies, read_cards
from puntobanco.rules.coup import deal
from puntobanco.rules.game import Game
from puntobanco.rules.library import Sentences, sentences
from puntobanco.rules.money import read_money
from puntobanco.rules.refusal import Reason, Refused

if TYPE_CHECKING:
    from rich.table import Table

    from puntobanco.odds.files import Rows
    from puntobanco.odds.report import OddsReport
    from puntobanco.odds.sheets import Sheet

INTERRUPTED = 130
"""Exit code of a run stopped with Ctrl-C. Its output is partial and says so."""
DEFAULT_CUT_CARD = 14
DEFAULT_SHOES = 200

ShoeText = Annotated[str | None, typer.Option("--shoe", help='Cards left in the shoe: "A=32,2=31,...,K=32".')]
ReportFile = Annotated[Path | None, typer.Option("--report", help="Write charts: all of them (.html) or one (.png).")]
OutFile = Annotated[Path | None, typer.Option("--out", help="Write a table: .parquet, .csv, .json or .jsonl.")]
Seed = Annotated[str | None, typer.Option("--seed", help="The same seed gives the same result. Default: 1.")]
Burn = Annotated[str | None, typer.Option("--burn", help="Cards burnt from a new shoe. Default: 0.")]
CutCard = Annotated[
    str | None,
    typer.Option("--cut-card", help=f"Cards behind the cut card. Default: {DEFAULT_CUT_CARD}."),
]


# ---- commands ----------------------------------------------------------------------------------------------------


def odds(
    game: GameName,
    layout: LayoutName = None,
    decks: Decks = None,
    shoe: ShoeText = None,
    cards: Annotated[str | None, typer.Option("--cards", help='Price insurance on these cards: "2 2 2 3".')] = None,
    all_decks: Annotated[
        bool, typer.Option("--all-decks", help="Price every number of decks that the rules allow.")
    ] = False,
    json: AsJson = False,
    lang: Language = "en",
    report: ReportFile = None,
    out: OutFile = None,
) -> None:
    """Compute exact odds: probabilities, house edge, return and insurance on any shoe."""
    _only_one(shoe=shoe, decks=decks, all_decks=all_decks or None)
    found, _ = find(game)
    felt, said = found.layout(layout), sentences(lang)
    if cards is not None and found.insurance is None:
        raise Refused(Reason.NO_INSURANCE, game=found.key)
    if cards is not None and all_decks:
        raise Refused(Reason.OPTIONS_CLASH, option="--cards", other="--all-decks")
    many = _decks(found, decks) if shoe is None else None
    to = _Outputs(report, out)

    from puntobanco.odds import files, json_values, sheets
    from puntobanco.odds.insurance import on_the_table
    from puntobanco.odds.pricing import price
    from puntobanco.odds.shoe import Shoe, read_shoe

    given = Shoe.of(many) if many is not None else read_shoe(shoe or "")
    permitted = range(found.decks.least, found.decks.most + 1)
    priced = price(found, given, felt)
    by_decks = {count: price(found, Shoe.of(count), felt) for count in permitted} if all_decks or report else {}
    shown: list[Sheet] = [sheets.by_decks(by_decks, said)] if all_decks else list(sheets.prices(priced, said))
    value = json_values.prices(priced, many)
    if all_decks:
        told = [json_values.prices(one, count) for count, one in by_decks.items()]
        value = {**json_values.named(found, felt), "by_decks": told}
    if cards is not None:
        drawn = read_cards(cards)
        if not drawn:
            raise Refused(Reason.UNKNOWN_CARD, card=cards)
        check_copies(drawn, found.decks.most if many is None else many, found.decks.rule)
        now = on_the_table(found, given, deal(drawn))
        shown.append(sheets.insurance_now(now, cards, said))
        value["insurance_now"] = json_values.insurance_now(now)
    title = sheets.title(found, felt, said, on=given if many is None else many)

    def reported() -> "OddsReport":
        from puntobanco.odds import report as pictures

        return pictures.OddsReport(
            title=title,
            priced=priced,
            language=lang,
            caption=said.say("odds", "edge_picture"),
            picture=pictures.edges(by_decks, said),
            sheets=[*sheets.prices(priced, said), sheets.by_decks(by_decks, said), sheets.correlations(priced, said)],
        )

    def rows() -> "Rows":
        return [row for one in (by_decks.values() if all_decks else (priced,)) for row in files.price_rows(one)]

    heading = found.title.said(lang) if all_decks else title
    to.write(reported, rows, lambda: _show(heading, shown, value, json=json))


def simulate(
    game: GameName,
    rounds: Annotated[str, typer.Option("--rounds", help="Number of rounds: 1000000, 1_000_000 or 1e9.")],
    layout: LayoutName = None,
    mode: Annotated[
        str, typer.Option("--mode", help="fresh: a full shoe for every round; shoe: whole shoes to the cut card.")
    ] = "fresh",
    decks: Decks = None,
    seed: Seed = None,
    burn: Burn = None,
    cut_card: CutCard = None,
    workers: Annotated[str | None, typer.Option("--workers", help="Threads or processes. Default: all cores.")] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="A Dask scheduler, tcp://host:8786, or local for local processes.")
    ] = None,
    json: AsJson = False,
    lang: Language = "en",
    report: ReportFile = None,
    out: OutFile = None,
) -> None:
    """Simulate rounds and compare every bet with its exact value. Ctrl-C prints the rounds played so far."""
    found, _ = find(game)
    felt, said = found.layout(layout), sentences(lang)
    if mode not in ("fresh", "shoe"):
        raise Refused(Reason.UNKNOWN_MODE, mode=mode)
    for option, given in (("--burn", burn), ("--cut-card", cut_card)):
        if given is not None and mode == "fresh":
            raise Refused(Reason.OPTION_NEEDS, option=option, other="--mode shoe")
    if workers is not None and cluster not in (None, "local"):
        raise Refused(Reason.OPTIONS_CLASH, option="--workers", other=f"--cluster {cluster}")
    many, hands = _decks(found, decks), None if workers is None else number(workers)
    wanted, stream = _rounds(rounds), _seed(seed)
    to = _Outputs(report, out)

    from puntobanco.odds import files, json_values, sheets
    from puntobanco.odds.pricing import price
    from puntobanco.odds.shoe import Shoe
    from puntobanco.odds.simulate import Plan, Simulation, SimulationMode
    from puntobanco.odds.simulate import simulate as play

    plan = Plan(
        rounds=wanted,
        decks=many,
        mode=SimulationMode(mode),
        seed=stream,
        burn=0 if burn is None else number(burn),
        cut_card=DEFAULT_CUT_CARD if cut_card is None else number(cut_card),
    )
    with _bar(plan.rounds, said, unit="progress", rate="rate", scale=1e-6) as advance:

        def progress(so_far: Simulation) -> None:
            advance(so_far.rounds)

        if cluster is None:
            run = play(plan, workers=hands, progress=progress)
        else:
            from puntobanco.odds.cluster import simulate_on

            run = simulate_on(cluster, plan, workers=hands, progress=progress)
    title = sheets.title(found, felt, said, on=plan.decks)
    sheet = sheets.simulation(run, found, felt, said)

    def reported() -> "OddsReport":
        from puntobanco.odds import report as pictures

        return pictures.OddsReport(
            title=title,
            priced=price(found, Shoe.of(plan.decks), felt),
            language=lang,
            facts=() if run.complete else sheet.notes[:1],
            caption=said.say("odds", "convergence_picture"),
            picture=pictures.convergence(run, found, felt, said),
            sheets=[sheet],
        )

    def shown() -> None:
        _show(title, [sheet], json_values.simulation(run, found, felt) if json else {}, json=json)

    to.write(reported, lambda: files.tally_rows(run), shown)
    if not run.complete:
        raise typer.Exit(INTERRUPTED)


def protect(
    game: GameName,
    layout: LayoutName = None,
    decks: Decks = None,
    shoe: ShoeText = None,
    shoes: Annotated[
        str | None, typer.Option("--shoes", help=f"Number of shoes to deal. Default: {DEFAULT_SHOES}.")
    ] = None,
    seed: Seed = None,
    burn: Burn = None,
    cut_card: CutCard = None,
    json: AsJson = False,
    lang: Language = "en",
    report: ReportFile = None,
    out: OutFile = None,
) -> None:
    """Compute what a card counter gains on each bet; with --shoe, which bets favour the player now."""
    for option, given in (("--shoes", shoes), ("--seed", seed), ("--burn", burn), ("--cut-card", cut_card)):
        if shoe is not None and given is not None:
            raise Refused(Reason.OPTIONS_CLASH, option=option, other="--shoe")
    _only_one(shoe=shoe, decks=decks)
    found, _ = find(game)
    felt, said = found.layout(layout), sentences(lang)
    many = _decks(found, decks) if shoe is None else None
    wanted, stream = DEFAULT_SHOES if shoes is None else number(shoes), _seed(seed)
    behind, burnt = DEFAULT_CUT_CARD if cut_card is None else number(cut_card), 0 if burn is None else number(burn)
    to = _Outputs(report, out)

    from puntobanco.odds import files, json_values, sheets
    from puntobanco.odds.pricing import price
    from puntobanco.odds.protection import protection, removal_effects
    from puntobanco.odds.shoe import Shoe, read_shoe

    given_shoe = Shoe.of(many) if many is not None else read_shoe(shoe or "")
    priced, effects = price(found, given_shoe, felt), removal_effects(found, given_shoe, felt)
    dealt = None
    if many is not None:
        with _bar(wanted, said, unit="progress_shoes", rate="rate_shoes", scale=1) as advance:
            dealt = protection(
                found, layout=felt, decks=many, cut_card=behind, burn=burnt, shoes=wanted, seed=stream,
                progress=lambda done, _all: advance(done),
            )  # fmt: skip
    value = json_values.protection(priced, effects, dealt, many)
    tables = [sheets.removal(priced, effects, said), sheets.counts(priced, effects, said)]
    if dealt is None:
        tables.insert(0, sheets.right_now(priced, said))
    else:
        tables.append(sheets.perfect_play(dealt, found, felt, said, requested=wanted))
        value |= {
            "cut_card": behind, "burn": burnt, "seed": stream, "requested": wanted, "shoes": dealt.shoes,
            "rounds": dealt.rounds, "complete": dealt.shoes == wanted,
        }  # fmt: skip
    title = sheets.title(found, felt, said, on=given_shoe if many is None else many)

    def reported() -> "OddsReport":
        from puntobanco.odds import report as pictures

        return pictures.OddsReport(
            title=title,
            priced=priced,
            language=lang,
            caption=said.say("odds", "removal_picture"),
            picture=pictures.removal(priced, effects, said, on=given_shoe if many is None else many),
            sheets=tables,
        )

    exposed = None if dealt is None else dealt.bets
    to.write(
        reported,
        lambda: files.protection_rows(priced, effects, exposed),
        lambda: _show(title, tables, value, json=json),
    )
    if dealt is not None and dealt.shoes < wanted:
        raise typer.Exit(INTERRUPTED)


def session(
    game: GameName,
    rounds: Annotated[str, typer.Option("--rounds", help="Number of rounds.")],
    bet: Annotated[
        list[str],
        typer.Option(
            "--bet", help="A stake on every round, such as player=100; repeatable.", autocompletion=complete_bet
        ),
    ] = [],  # noqa: B006
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", help="The player's bankroll. Default: unlimited.")
    ] = None,
    layout: LayoutName = None,
    decks: Decks = None,
    json: AsJson = False,
    lang: Language = "en",
    report: ReportFile = None,
    out: OutFile = None,
) -> None:
    """Compute the result of a session: percentiles, chance of ruin, theoretical loss."""
    found, _ = find(game)
    felt, said = found.layout(layout), sentences(lang)
    many, stakes = _decks(found, decks), read_stakes(bet)
    purse = None if bankroll is None else read_money(bankroll)
    wanted = _rounds(rounds)
    to = _Outputs(report, out)

    from puntobanco.odds import files, json_values, sheets
    from puntobanco.odds.pricing import price
    from puntobanco.odds.sessions import session as work_out
    from puntobanco.odds.shoe import Shoe

    played = work_out(found, stakes, wanted, layout=felt, decks=many, bankroll=purse)
    title = sheets.title(found, felt, said, on=many)
    facts = sheets.staked(played, found, felt, said)
    tables = list(sheets.session(played, said))

    def reported() -> "OddsReport":
        from puntobanco.odds import report as pictures

        return pictures.OddsReport(
            title=title,
            priced=price(found, Shoe.of(many), felt),
            language=lang,
            facts=[facts],
            caption=f"{title}: {facts}",
            picture=pictures.session(played, found, felt, said),
            sheets=tables,
        )

    def shown() -> None:
        _show(title, tables, json_values.session(played, found, felt, many), json=json, facts=facts)

    to.write(reported, lambda: files.session_rows(played), shown)


# ---- what the options mean ---------------------------------------------------------------------------------------


def _only_one(**options: object) -> None:
    """Refuse options that contradict each other about the shoe."""
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise Refused(Reason.OPTIONS_CLASH, option=given[0], other=given[1])


def _decks(game: Game, text: str | None) -> int:
    """Check the number of decks against the rules. Default: the allowed number nearest to eight."""
    if text is None:
        return max(game.decks.least, min(8, game.decks.most))
    return game.decks.check(number(text))


def _seed(text: str | None) -> int:
    """The range is checked where the seed is used."""
    return 1 if text is None else number(text)


_ROUNDS = re.compile(r"(?P<digits>[0-9][0-9_]{0,40})(?P<part>\.[0-9]{1,40})?([eE]\+?(?P<tens>[0-9]{1,2}))?")


def _rounds(text: str) -> int:
    """Parse `1000000`, `1_000_000`, `1e9` or `2.5e9`. The range is checked where they are played."""
    found = _ROUNDS.fullmatch(text) if text.isascii() else None
    if found is None:
        raise Refused(Reason.NOT_A_NUMBER_OF_ROUNDS, rounds=text)
    many = Fraction(found["digits"].replace("_", "") + (found["part"] or "")) * 10 ** int(found["tens"] or 0)
    if many.denominator != 1:
        raise Refused(Reason.NOT_A_NUMBER_OF_ROUNDS, rounds=text)
    return int(many)


# ---- what comes out ----------------------------------------------------------------------------------------------


class _Outputs:
    """The output files. They are checked before work starts and written before results are shown."""

    def __init__(self, report: Path | None, out: Path | None) -> None:
        self.report, self.out = report, out
        if report is not None or out is not None:
            from puntobanco.odds.files import REPORTS, TABLES, check_path

            if report is not None:
                check_path(report, REPORTS)
            if out is not None:
                check_path(out, TABLES)

    def write(self, report: Callable[[], "OddsReport"], rows: Callable[[], "Rows"], show: Callable[[], None]) -> None:
        """Show the results even if a file cannot be written: they may have taken hours."""
        try:
            if self.out is not None:
                from puntobanco.odds.files import write_table

                write_table(rows(), self.out)
            if self.report is not None:
                from puntobanco.odds.report import write_report

                write_report(report(), self.report)
        finally:
            show()


def _show(title: str, tables: Sequence["Sheet"], value: dict[str, Any], *, json: bool, facts: str = "") -> None:
    if json:
        print_json(value)
        return
    out = console()
    out.print(styled((title, "bold")))
    if facts:
        out.print(facts)
    for place, sheet in enumerate(tables):
        if place or sheet.heading:
            out.print()
        if sheet.heading:
            out.print(styled((sheet.heading, "bold")))
        if sheet.rows:
            for columns in _fitting(sheet, out.width):
                out.print(_table_of(sheet, columns))
        for note in sheet.notes:
            out.print(styled((note, "dim")))


def _fitting(sheet: "Sheet", width: int) -> Iterator[list[int]]:
    """Split columns into groups that fit the width of the terminal."""
    widths = [2 + _least_width(sheet, column) for column in range(len(sheet.columns))]
    words = list(range(sheet.words))
    row, used = [*words], sum(widths[: sheet.words])
    for column in range(sheet.words, len(sheet.columns)):
        if len(row) > len(words) and used + widths[column] > width:
            yield row
            row, used = [*words], sum(widths[: sheet.words])
        row.append(column)
        used += widths[column]
    yield row


def _least_width(sheet: "Sheet", column: int) -> int:
    """The least width of a cell: figures are never wrapped, words may be."""
    from rich.cells import cell_len

    cells = [row[column] for row in sheet.rows]
    if column == 0:
        cells = [word for cell in cells for word in cell.split()]
    return max(map(cell_len, [*cells, *sheet.columns[column].split()]), default=0)


def _table_of(sheet: "Sheet", columns: list[int]) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim", show_header=any(sheet.columns))
    for column in columns:
        side: Literal["left", "right"] = "left" if column < sheet.words else "right"
        table.add_column(sheet.columns[column], justify=side, overflow="fold", min_width=_least_width(sheet, column))
    for row in sheet.rows:
        table.add_row(*(row[column] for column in columns))
    return table


@contextmanager
def _one_interruption() -> Iterator[None]:
    """The first Ctrl-C stops the work; later ones are ignored, so that partial results are shown and written."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, stop)
    yield
    if signal.getsignal(signal.SIGINT) is stop:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(total: int, said: Sentences, *, unit: str, rate: str, scale: float) -> Iterator[Callable[[int], None]]:
    """Show progress, rate and remaining time. On a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed or 0.0
            return Text(said.say("odds", rate, rate=f"{speed * scale:.1f}"))

    class Done(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{int(task.completed):,} {said.say('odds', unit)}")

    screen = Console(stderr=True)
    columns = (BarColumn(20), TaskProgressColumn(), Done(), Rate(), TimeRemainingColumn(compact=True))
    bar = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
    with _one_interruption(), bar as progress:
        task = progress.add_task("", total=total)
        yield lambda done: progress.update(task, completed=done)
