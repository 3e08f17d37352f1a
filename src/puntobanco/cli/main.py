"""`puntobanco`: the commands. Bad input of any kind gives one line and exit code 2."""

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import puntobanco
from puntobanco.cli import house, odds
from puntobanco.cli.arguments import (
    AsJson,
    Box,
    Decks,
    GameName,
    Language,
    LayoutName,
    Unit,
    complete_bet,
    complete_game,
    complete_paragraph,
    find,
    number,
    read_stakes,
    spoken,
)  # fmt: skip
from puntobanco.rules import library
from puntobanco.rules.cards import check_copies, read_cards
from puntobanco.rules.coup import deal
from puntobanco.rules.library import sentences
from puntobanco.rules.money import read_money
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.slip import settle_slip

if TYPE_CHECKING:
    from puntobanco.table.scenario import ScenarioOutcome

app = typer.Typer(
    name="puntobanco",
    help="Baccarat by the letter of the rules: five approved games, and any you write.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command; every refusal is one readable line on stderr and exit code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except Refused as refused:
        code = _complain(spoken().refusal(refused), refused.paragraph)
    except typer.TyperException as wrong:
        code = _complain(" ".join(wrong.format_message().split()))
    except (KeyboardInterrupt, EOFError, typer.Abort):
        code = 130
    except BrokenPipeError:
        code = _read_enough()
    except SystemExit as left:
        if not isinstance(left.__context__, BrokenPipeError):
            raise
        code = _read_enough()
    except OSError as error:
        code = _complain(f"{error.strerror}.")
        os._exit(code)  # what could not be written cannot be written while leaving either
    sys.exit(code if isinstance(code, int) else 0)


def _read_enough() -> int:
    """Whoever read our output has closed it, which is no error; what is left goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _complain(sentence: str, paragraph: str | None = None) -> int:
    print(f"puntobanco: {sentence}" + (f" ({paragraph})" if paragraph else ""), file=sys.stderr)
    return 2


# ---- commands ----------------------------------------------------------------------------------------------------


@app.callback(invoke_without_command=True)
def _options(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"puntobanco {puntobanco.__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


@app.command()
def games(lang: Language = "en", json: AsJson = False) -> None:
    """The games, their layouts and fingerprints."""
    from puntobanco.cli import show

    show.games([library.game(key) for key in library.GAMES], sentences(lang), json=json)


@app.command()
def paytable(game: GameName, layout: LayoutName = None, lang: Language = "en", json: AsJson = False) -> None:
    """What every bet of a layout pays, and the paragraph that says so."""
    from puntobanco.cli import show

    found, _ = find(game)
    show.paytable(found, found.layout(layout), sentences(lang), json=json)


@app.command()
def settle(
    game: GameName,
    cards: Annotated[str, typer.Option("--cards", help='In draw order: "K 2 4 A 7 7".')],
    bet: Annotated[
        list[str],
        typer.Option("--bet", help="player=100, banker_insurance@four=50; repeat.", autocompletion=complete_bet),
    ] = [],  # noqa: B006
    layout: LayoutName = None,
    box: Box = None,
    decks: Decks = None,
    unit: Unit = "1",
    waived: Annotated[
        bool, typer.Option("--waived", help="Insurance after the Player's third card was waived.")
    ] = False,
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """Settle bets on a finished hand, to the cent and by the paragraph."""
    from puntobanco.cli import show

    found, _ = find(game)
    felt = found.layout(layout)
    at = found.check_box(felt, number(box)) if box is not None else None
    drawn = read_cards(cards)
    coup = deal(drawn)
    check_copies(drawn, found.decks.check(number(decks)) if decks is not None else found.decks.most, found.decks.rule)
    slip = settle_slip(found, felt, coup, read_stakes(bet), read_money(unit), waived=waived)
    show.settled(found, felt, coup, slip, sentences(lang), box=at, waived=waived, json=json)


@app.command()
def rules(
    game: GameName,
    paragraph: Annotated[
        str | None, typer.Argument(help="One paragraph, such as 5.1.1.", autocompletion=complete_paragraph)
    ] = None,
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """The paragraphs of a game's rules in our own words, and the code and tests that enforce each."""
    from puntobanco.cli import show

    found, journal = find(game)
    if paragraph is not None and paragraph not in journal:
        raise Refused(Reason.UNKNOWN_PARAGRAPH, game=found.key, paragraph_id=paragraph)
    show.rules(found, journal, paragraph, sentences(lang), json=json)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A game file or an overlay (TOML).")],
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """Check a game file or an overlay of your own: say what is wrong, or what it is."""
    from puntobanco.cli import show

    if library.is_overlay(file):
        show.checked_overlay(library.read_overlay(file), file.name, sentences(lang), json=json)
        return
    read, _ = library.read_game(file)
    show.checked(read, file.name, sentences(lang), json=json)


@app.command()
def roads(
    results: Annotated[
        str, typer.Argument(help='The rounds of a shoe: "BBPbnT"; b or p after one is a pair, n a natural.')
    ],
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """The scoreboards of a shoe: bead plate, Big Road and the three roads derived from it. For information only."""
    from puntobanco.cli.roads import show_roads
    from puntobanco.roads import Roads, read_marks

    show_roads(Roads(read_marks(results)), sentences(lang), json=json)


@app.command()
def scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files (TOML).")],
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """Play incidents written down as files and say where the rules make something else of them.

    Each file has a verdict of its own. Exit code 1: an expectation did not hold; 2: a file cannot be played.
    """
    from puntobanco.cli import show

    many = show.verdicts((_verdict(file) for file in files), sentences(lang), json=json)
    if many["unplayable"] or many["missed"]:
        raise typer.Exit(2 if many["unplayable"] else 1)


def _verdict(file: Path) -> "tuple[str, str, ScenarioOutcome | Refused]":
    """The file's name and the scenario's title with what came of it, or why it cannot be played."""
    try:
        return file.name, *_played(file)
    except Refused as refused:
        return file.name, "", refused


def _played(file: Path) -> "tuple[str, ScenarioOutcome]":
    """A scenario's title and what came of it."""
    from puntobanco.table import scenario as scenarios

    read = scenarios.read_scenario(library.read_toml(file), file.name)
    try:
        game, paragraphs = find(read.game)
    except Refused as refused:
        scenarios.Place(file.name, "scenario").wrong("game", refused)
    scenarios.check(read, game, paragraphs, file.name)
    return read.title, scenarios.run(read, game, file.name)


@app.command()
def explain(
    file: Annotated[Path, typer.Argument(help="A scenario file (TOML).")], lang: Language = "en", json: AsJson = False
) -> None:
    """The account of a scenario in plain words, in order, with paragraphs, and with what was refused to whom."""
    from puntobanco.cli import show

    show.account(_played(file)[1].told, sentences(lang), json=json)


@app.command()
def play(
    game: Annotated[
        str, typer.Argument(help="One of the five games, or a game file.", autocompletion=complete_game)
    ] = "wu-song",
    layout: LayoutName = None,
    decks: Decks = None,
    balance: Annotated[str, typer.Option("--balance", help="Play money to start with.")] = "1000",
    minimum: Annotated[str, typer.Option("--minimum", help="The table's minimum for each bet.")] = "5",
    differential: Annotated[str, typer.Option("--differential", help="The table's maximum Differential.")] = "10000",
    unit: Unit = "1",
    fast: Annotated[bool, typer.Option("--fast", help="Do not pause between cards.")] = False,
    lang: Language = "en",
) -> None:
    """Play at a terminal table against an automatic dealer, with a shuffled shoe and play money."""
    from puntobanco.cli.play import TerminalTable
    from puntobanco.rules.limits import TableLimits

    found, _ = find(game)
    TerminalTable(
        found,
        found.layout(layout),
        decks=found.decks.check(number(decks)) if decks is not None else min(8, found.decks.most),
        purse=read_money(balance),
        limits=TableLimits(minimum=read_money(minimum), differential=read_money(differential), unit=read_money(unit)),
        said=sentences(lang),
        pause=0.0 if fast or not sys.stdin.isatty() else 0.6,
    ).run()


for command in (odds.odds, odds.simulate, odds.protect, odds.session):
    app.command()(command)
app.command()(house.serve)
app.add_typer(house.house, name="house")
