"""A page for each of the five games: what it is, where each bet is offered, what it pays, and its exact house edge."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from docs.site.tables import link, markdown_table
from puntobanco.odds import Shoe
from puntobanco.odds.insurance import Cell, cells
from puntobanco.odds.pricing import price
from puntobanco.rules import library
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.library import sentences

DECKS = 8


def pages() -> Iterator[tuple[str, str]]:
    for key in library.GAMES:
        yield f"rules/{key}.md", page(library.game(key))


def page(game: Game) -> str:
    decks = f"{game.decks.least} to {game.decks.most}"
    effective = f"{game.effective:%-d %B %Y, %H:%M} Singapore time" if game.effective else "not stated"
    lines = [
        f"# {game.title.en}",
        "",
        f"{game.title.zh}",
        "",
        markdown_table(
            ("", ""),
            [
                ("key", f"`{game.key}`"),
                ("document", game.document),
                ("in force from", effective),
                ("decks", f"{decks} (paragraph {game.decks.rule})"),
                ("fingerprint", f"`{game.fingerprint}`"),
            ],
        ),
        "",
        f"[Every paragraph of this document](../traceability/{game.key}.md), with its tests. "
        "Everything on this page is generated from the game file that settles the bets.",
        "",
        "## Where it is played",
        "",
        *_layouts(game),
        "",
        "## What bets pay",
        "",
    ]
    for menu, layouts in _by_menu(game):
        of = ", ".join(one.key for one in layouts if one)
        if of:
            lines += [f"### Layout {of}", ""]
        lines += [_pay_table(menu), "", *_edges(game, layouts[0])]
    if game.insurance is not None:
        lines += ["## Insurance", "", *_insurance(game)]
    return "\n".join([*lines, ""])


def _layouts(game: Game) -> Iterator[str]:
    if not game.layouts:
        yield "At terminals. There are no boxes: every player has every bet."
        return
    rows = []
    for one in game.layouts:
        least, most = (one.boxes, one.boxes) if isinstance(one.boxes, int) else (one.boxes.least, one.boxes.most)
        rows.append(
            (one.key, one.title.en, one.title.zh, str(most) if least == most else f"{least} to {most}", one.rule)
        )
    yield markdown_table(("layout", "name", "in Chinese", "boxes", "paragraph"), rows)


def _by_menu(game: Game) -> Iterator[tuple[tuple[Bet, ...], list[Layout | None]]]:
    """Layouts that offer the same at the same pay, together."""
    layouts: list[Layout | None] = list(game.layouts) or [None]
    offered = [(tuple(game.menu(one)), one) for one in layouts]
    order = list(dict.fromkeys(menu for menu, _ in offered))
    for menu, same in groupby(sorted(offered, key=lambda one: order.index(one[0])), key=lambda one: one[0]):
        yield menu, [one for _, one in same]


def _pay_table(menu: tuple[Bet, ...]) -> str:
    said = sentences("en")
    return markdown_table(
        ("bet", "in Chinese", "pays when", "pays", "paragraph"),
        [
            (
                bet.title.en if number == 0 else "",
                bet.title.zh if number == 0 else "",
                said.condition(line.when),
                "returned" if line.pays == 0 else str(line.pays),
                line.rule,
            )
            for bet in menu
            if not bet.insures
            for number, line in enumerate(bet.lines)
        ],
    )


def _edges(game: Game, layout: Layout | None) -> Iterator[str]:
    """The house edge, exact and as a percentage, from the rational numbers that the odds report shows."""
    yield f"Exact figures with {DECKS} decks, for each unit staked:"
    yield ""
    yield markdown_table(
        ("bet", "key", "wins", "house edge", "exact house edge"),
        [
            (one.bet.title.en, f"`{key}`", percent(one.win), percent(one.house_edge), f"`{one.house_edge}`")
            for key, one in price(game, Shoe.of(DECKS), layout).bets.items()
        ],
    )
    yield ""


def _insurance(game: Game) -> Iterator[str]:
    yield (
        f"What each cell of the pay table is worth with {DECKS} decks, for each unit staked. A positive worth favours "
        f"the bettor (ruling {link('INS-13', '../rulings.md#INS-13')})."
    )
    yield ""
    yield markdown_table(
        ("after", "insures", "Player", "Banker", "pays", "worth to the bettor", "exact worth", "paragraph"),
        [_cell(one) for one in cells(game, Shoe.of(DECKS))],
    )


def _cell(one: Cell) -> tuple[str, ...]:
    worth = one.ev
    after = "four cards" if one.window == "four" else "the Player's third card"
    return (
        after, str(one.insures), str(one.player), str(one.banker), str(one.row.odds), percent(worth), f"`{worth}`",
        one.row.rule,
    )  # fmt: skip


def percent(share: Fraction) -> str:
    """Four decimal places, rounded half to even from the exact value."""
    return f"{float(round(share * 100, 4)):.4f} %"
