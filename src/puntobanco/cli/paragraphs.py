"""The paragraphs of a game: what each says, whether the system enforces it, and which tests prove that."""

from collections.abc import Mapping

from puntobanco.cli.show import console, print_json, styled, titled
from puntobanco.rules import library
from puntobanco.rules.checks import citations
from puntobanco.rules.game import Game
from puntobanco.rules.library import Enforcement, Paragraph, ParagraphMode, Rulebook, Sentences


def show_rules(game: Game, journal: Rulebook, wanted: str | None, said: Sentences, *, json: bool) -> None:
    shown = {wanted: journal[wanted]} if wanted else journal
    tested = _tested(game, journal)
    cited: dict[str, list[str]] = {}
    for path, citing in citations(game):
        cited.setdefault(citing, []).append(path)
    if json:
        return print_json(
            {
                rule: {
                    "summary": paragraph.said(said.language),
                    "kind": paragraph.kind,
                    "mode": paragraph.mode,
                    "enforced": _enforced(game, paragraph),
                    "cited_by": cited.get(rule, []),
                    "code": tested[rule].code if rule in tested else [],
                    "tests": tested[rule].tests if rule in tested else [],
                }
                for rule, paragraph in shown.items()
            }
        )
    if wanted:
        return _one_paragraph(game, journal[wanted], wanted, cited.get(wanted, []), tested.get(wanted), said)
    table = titled(said, "rule", "summary", "kind", "mode", "tests")
    for rule, paragraph in shown.items():
        table.add_row(
            rule,
            paragraph.said(said.language),
            ", ".join(said.table["word"][kind] for kind in paragraph.kind),
            ", ".join(_modes(game, paragraph, said)),
            str(len(tested[rule].tests)) if rule in tested else "",
        )
    console().print(table)
    return None


def _one_paragraph(
    game: Game, paragraph: Paragraph, rule: str, cited: list[str], tested: Enforcement | None, said: Sentences
) -> None:
    label, word = said.table["label"], said.table["word"]
    out = console()
    out.print(styled((f"{game.title.said(said.language)} {rule}", "bold")))
    out.print(paragraph.said(said.language))
    for name, values in (
        ("kind", [word[kind] for kind in paragraph.kind]),
        ("mode", _modes(game, paragraph, said)),
        ("cited", cited),
        ("code", list(tested.code) if tested else []),
        ("tests", list(tested.tests) if tested else []),
    ):
        out.print(styled((f"{label[name]}: ", "dim"), ", ".join(values) or label["none"]), soft_wrap=True)


def _tested(game: Game, journal: Rulebook) -> Mapping[str, Enforcement]:
    """The tests of each paragraph that the game has from a built-in document. Of a paragraph of its own nobody knows
    any."""
    ours = library.rulebook_of(game) or {}
    tested = library.enforcement(game.rulebook or game.key)
    return {rule: tests for rule, tests in tested.items() if journal.get(rule) is ours.get(rule)}


def _enforced(game: Game, paragraph: Paragraph) -> bool:
    """Whether tests prove that the system enforces the paragraph. The tests play the built-in games only: a file may
    change what the paragraph is cited for."""
    return ParagraphMode.MACHINE in paragraph.mode and game.key in library.GAMES


def _modes(game: Game, paragraph: Paragraph, said: Sentences) -> list[str]:
    word = said.table["word"]
    if not _enforced(game, paragraph):
        word = {**word, ParagraphMode.MACHINE: said.say("label", "declared")}
    return [word[mode] for mode in paragraph.mode]
