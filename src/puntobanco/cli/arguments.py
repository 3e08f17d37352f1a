"""Arguments shared by the commands, and their shell completion."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.library import Rulebook, Sentences, sentences
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.slip import read_stake

_language = "en"


def speak(language: str) -> str:
    """Set the language of this run. It is parsed first, so that refusals are in it too."""
    global _language  # noqa: PLW0603
    sentences(language)
    _language = language
    return language


def spoken() -> Sentences:
    return sentences(_language)


def find(name: str) -> tuple[Game, Rulebook]:
    """Find a built-in game or read a game file."""
    if is_file(name):
        return library.read_game(Path(name))
    return library.game(name), library.rulebook(name)


def is_file(name: str) -> bool:
    """Whether this is a game file and not the key of a game."""
    return name.lower().endswith(".toml")


def number(text: str) -> int:
    """Parse a whole number. The range is checked where it is used."""
    if not text.isascii() or not text.isdigit() or len(text) > 39:
        raise Refused(Reason.NOT_A_NUMBER, number=text)
    return int(text)


def read_stakes(written: list[str]) -> dict[str, Cents]:
    """Parse stakes such as `player=100`; each bet at most once."""
    stakes: dict[str, Cents] = {}
    for text in written:
        name, stake = read_stake(text)
        if name in stakes:
            raise Refused(Reason.STAKED_TWICE, bet=name)
        stakes[name] = stake
    return stakes


def complete_game(incomplete: str) -> Iterator[str]:
    return (key for key in library.GAMES if key.startswith(incomplete))


def _complete_language(incomplete: str) -> Iterator[str]:
    return (one for one in library.LANGUAGES if one.startswith(incomplete))


def _complete_layout(ctx: typer.Context, incomplete: str) -> list[str]:
    with contextlib.suppress(Refused):
        return [one.key for one in _typed(ctx)[0].layouts if one.key.startswith(incomplete.upper())]
    return []


def complete_bet(ctx: typer.Context, incomplete: str) -> list[str]:
    with contextlib.suppress(Refused):
        game, _ = _typed(ctx)
        bets = game.menu(game.layout(ctx.params.get("layout")))
        names = [bet.key + at for bet in bets for at in (("@four", "@five") if bet.insures else ("",))]
        return [f"{name}=" for name in names if name.startswith(incomplete)]
    return []


def complete_paragraph(ctx: typer.Context, incomplete: str) -> list[str]:
    with contextlib.suppress(Refused):
        return [one for one in _typed(ctx)[1] if one.startswith(incomplete)]
    return []


def _typed(ctx: typer.Context) -> tuple[Game, Rulebook]:
    """The game typed so far. While an option lacks its value, the game is among the remaining words."""
    loose = [word for word in ctx.args if word in library.GAMES or is_file(word)]
    return find(ctx.params.get("game") or next(iter(loose), library.GAMES[0]))


GameName = Annotated[str, typer.Argument(help="A built-in game or a game file (*.toml).", autocompletion=complete_game)]
LayoutName = Annotated[
    str | None, typer.Option("--layout", help="The layout. Default: the first.", autocompletion=_complete_layout)
]
Language = Annotated[
    str,
    typer.Option(
        "--lang", help="Language: en, zh or zh-Hant.", callback=speak, is_eager=True, autocompletion=_complete_language
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Decks = Annotated[str | None, typer.Option("--decks", help="Number of decks.")]
Box = Annotated[str | None, typer.Option("--box", help="The betting box.")]
Unit = Annotated[str, typer.Option("--unit", help="The table's chip unit.")]
