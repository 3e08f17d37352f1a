"""The `puntobanco` command. Invalid input prints one line on stderr and exits with code 2."""

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import puntobanco
from puntobanco.cli import designing, house, odds, show
from puntobanco.cli.arguments import (
    AsJson,
    Box,
    Decks,
    GameName,
    Language,
    LayoutName,
    Unit,
    complete_bet,
    complete_paragraph,
    find,
    number,
    read_stakes,
    spoken,
)  # fmt: skip
from puntobanco.cli.paragraphs import show_rules
from puntobanco.extras import explained
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
    help="Baccarat by the rules: five approved games, and any game you define.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command. A refusal prints one line on stderr and exits with code 2."""
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
    except ModuleNotFoundError as missing:
        code = _complain(str(explained(missing)))
    except OSError as error:
        code = _complain(": ".join(str(said) for said in (error.filename, error.strerror) if said) + ".")
        os._exit(code)  # flushing at exit would fail again
    sys.exit(code if isinstance(code, int) else 0)


def _read_enough() -> int:
    """Discard the rest of the output: the reader has closed the pipe, which is not an error."""
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
    """List the games with their layouts and fingerprints."""
    show.games([library.game(key) for key in library.GAMES], sentences(lang), json=json)


@app.command()
def paytable(game: GameName, layout: LayoutName = None, lang: Language = "en", json: AsJson = False) -> None:
    """Print the pay table of a layout with the paragraph for each line."""
    found, _ = find(game)
    show.paytable(found, found.layout(layout), sentences(lang), json=json)


@app.command()
def settle(
    game: GameName,
    cards: Annotated[str, typer.Option("--cards", help='The cards in draw order: "K 2 4 A 7 7".')],
    bet: Annotated[
        list[str],
        typer.Option(
            "--bet",
            help="A stake such as player=100 or banker_insurance@four=50; repeatable.",
            autocompletion=complete_bet,
        ),
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
    """Settle bets on a finished hand, to the cent and with paragraphs."""
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
    """Print the rules of a game by paragraph, with the code and tests that enforce each.

    What a game file says is declared: the tests play the built-in games only.
    """
    found, journal = find(game)
    if paragraph is not None and paragraph not in journal:
        raise Refused(Reason.UNKNOWN_PARAGRAPH, game=found.key, paragraph_id=paragraph)
    show_rules(found, journal, paragraph, sentences(lang), json=json)


@app.command()
def roads(
    results: Annotated[
        str, typer.Argument(help='The results of a shoe, such as "BBPbnT"; b and p mark pairs, n a natural.')
    ],
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """Draw the scoreboards of a shoe: bead plate, Big Road and the three derived roads. For information only."""
    from puntobanco.cli.roads import show_roads
    from puntobanco.roads import Roads, read_marks

    show_roads(Roads(read_marks(results)), sentences(lang), json=json)


@app.command()
def scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files (TOML).")],
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """Run scenario files and report expectations that do not hold.

    Prints a verdict for each file. Exit code 1: an expectation did not hold. Exit code 2: a file is invalid.
    """
    many = show.verdicts((_verdict(file) for file in files), sentences(lang), json=json)
    if many["unplayable"] or many["missed"]:
        raise typer.Exit(2 if many["unplayable"] else 1)


def _verdict(file: Path) -> "tuple[str, str, ScenarioOutcome | Refused]":
    """Return the file name and the scenario's title with its outcome, or the refusal if the file is invalid."""
    try:
        return file.name, *_played(file)
    except Refused as refused:
        return file.name, "", refused


def _played(file: Path) -> "tuple[str, ScenarioOutcome]":
    """Return the title and the outcome of a scenario."""
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
    """Narrate a scenario step by step, with paragraphs and refusals."""
    from puntobanco.table.guests import shown

    show.account(_played(file)[1].told, sentences(lang).calling(shown), json=json)


@app.command()
def play(
    game: GameName = "wu-song",
    layout: LayoutName = None,
    decks: Decks = None,
    balance: Annotated[str, typer.Option("--balance", help="The initial balance in play money.")] = "1000",
    minimum: Annotated[str, typer.Option("--minimum", help="The table minimum for each bet.")] = "5",
    differential: Annotated[str, typer.Option("--differential", help="The table's maximum Differential.")] = "10000",
    unit: Unit = "1",
    fast: Annotated[bool, typer.Option("--fast", help="Do not pause between cards.")] = False,
    lang: Language = "en",
) -> None:
    """Play in the terminal against an automatic dealer with play money."""
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


for command in (designing.new, designing.check, odds.odds, odds.simulate, odds.protect, odds.session):
    app.command()(command)
app.command()(house.serve)
app.add_typer(house.house, name="house")
