"""Commands for those who write games: start a game file, check it."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from puntobanco.cli import show
from puntobanco.cli.arguments import AsJson, Language, complete_game
from puntobanco.rules import library
from puntobanco.rules.checks import check_key
from puntobanco.rules.library import Sentences, sentences
from puntobanco.rules.locating import LocatedFault
from puntobanco.rules.overlay import Overlay
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.scaffold import scaffold


def new(
    file: Annotated[Path, typer.Argument(help="The file to write, such as my-game.toml. Its name becomes the key.")],
    like: Annotated[
        str, typer.Option("--like", help="The built-in game to start from.", autocompletion=complete_game)
    ] = "commission",
    title: Annotated[str | None, typer.Option("--title", help="The English title. Default: the file name.")] = None,
    title_zh: Annotated[
        str | None, typer.Option("--title-zh", help="The Chinese title. Default: the English title.")
    ] = None,
    lang: Language = "en",
) -> None:
    """Start a game file that plays like a built-in game. Never overwrites a file."""
    if file.suffix != ".toml":
        raise Refused(Reason.OUTPUT_KIND, file=file.name, known=".toml")
    check_key("game", file.stem, file.name)
    content = scaffold(file.stem, like, title, title_zh)
    library.own_game_from(content, file.name)
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(content)
    except FileExistsError:
        raise Refused(Reason.OUTPUT_EXISTS, file=file) from None
    except OSError as error:
        raise Refused(Reason.OUTPUT_UNWRITABLE, file=file, why=error.strerror) from None
    print(sentences(lang).say("label", "is_new", file=shlex.quote(str(file)), like=like))


def check(
    file: Annotated[Path, typer.Argument(help="A game file or an overlay (TOML).")],
    lang: Language = "en",
    json: AsJson = False,
) -> None:
    """Validate a game file or an overlay.

    Prints every error on a line of its own, with line and column, in the order of the file.
    """
    text, said = library.read_text(file), sentences(lang)
    try:
        read = library.own_file_from(text, file.name)
    except Refused:
        _report(library.located_faults(text, file.name), file.name, said, json=json)
        raise typer.Exit(2) from None
    if isinstance(read, Overlay):
        show.checked_overlay(read, file.name, said, json=json)
    else:
        show.checked(read, file.name, said, json=json)


def _report(faults: Sequence[LocatedFault], file: str, said: Sentences, *, json: bool) -> None:
    if json:
        return show.print_json([_data(fault, file, said) for fault in faults])
    for fault in faults:
        print(f"puntobanco: {said.refusal(fault.refused)}", file=sys.stderr)
    return None


def _data(fault: LocatedFault, file: str, said: Sentences) -> dict[str, object]:
    line, column = fault.position or (None, None)
    where = {name: fault.refused.parameters.get(name) for name in ("place", "field")}
    sentence = said.refusal(fault.refused)
    return {"file": file, "line": line, "column": column, "reason": fault.refused.reason, **where, "sentence": sentence}
