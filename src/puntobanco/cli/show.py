"""Output of the commands: a table, or one JSON object with `--json`."""

import json as _json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import asdict

from puntobanco.rules.condition import Numbers, When
from puntobanco.rules.coup import Coup
from puntobanco.rules.explanation import explain
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.library import Sentences
from puntobanco.rules.money import PUSH, show_money, write_money
from puntobanco.rules.overlay import Overlay
from puntobanco.rules.plain_data import Phrase, Words
from puntobanco.rules.refusal import Refused
from puntobanco.rules.settlement import Settled
from puntobanco.rules.slip import SettledSlip, read_bet

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from puntobanco.table.explain import NarratedLine
    from puntobanco.table.scenario import ScenarioOutcome


WIDE = 80
"""A terminal with fewer columns gets a list where a table would break words."""


def console() -> "Console":
    """As wide as the terminal; a file or another program gets whole lines."""
    from rich.console import Console

    whole = not (sys.stdout.isatty() or "COLUMNS" in os.environ)
    return Console(highlight=False, markup=False, width=1_000 if whole else None)


def styled(*parts: "str | Text | tuple[str, str]") -> "Text":
    """Join parts, each plain or styled. Text from game files is never parsed as markup."""
    from rich.text import Text

    return Text.assemble(*parts)


def print_json(value: Mapping[str, object] | list[Any]) -> None:
    print(_json.dumps(value, ensure_ascii=False, indent=2))


def games(found: Sequence[Game], said: Sentences, *, json: bool) -> None:
    if json:
        return print_json([_identity(game) for game in found])
    out, table = console(), titled(said, "title", "effective", "decks", "layouts", "fingerprint")
    for game in found:
        title = f"{game.key}\n{game.title.said(said.language)}, {said.say('label', 'version')} {game.version}"
        facts = (
            f"{game.effective:%Y-%m-%d %H:%M}" if game.effective else said.say("label", "no_date"),
            f"{game.decks.least}-{game.decks.most}",
            " ".join(layout.key for layout in game.layouts) or said.say("label", "terminals"),
            game.short_fingerprint,
        )
        if out.width >= WIDE:
            table.add_row(title, *facts)
            continue
        out.print(title)
        for column, fact in zip(table.columns[1:], facts, strict=True):
            out.print(f"  {column.header}: {fact}")
    if table.rows:
        out.print(table)
    return None


def paytable(game: Game, layout: Layout | None, said: Sentences, *, json: bool) -> None:
    menu = game.menu(layout)
    if json:
        rows = game.insurance.rows if game.insurance else ()
        return print_json(
            {
                "game": game.key,
                "layout": layout.key if layout else None,
                "bets": {
                    bet.key: [
                        {
                            "when": _builtins(line.when),
                            "text": said.condition(line.when),
                            "pays": str(line.pays),
                            "rule": line.rule,
                        }
                        for line in bet.lines
                    ]
                    for bet in menu
                    if not bet.insures
                },
                "insurance": [
                    {
                        "window": row.window,
                        "insures": row.insures,
                        "player": sorted(row.player),
                        "banker": sorted(row.banker),
                        "odds": str(row.odds),
                        "pays_on": row.paid_on,
                        "rule": row.rule,
                    }
                    for row in rows
                ],
            }
        )
    out = console()
    out.print(styled((game.title.said(said.language), "bold"), "  ", _felt(layout, said)))
    table = titled(said, "bet", "when", "pays", "rule")
    for bet in menu:
        for number, line in enumerate(bet.lines):
            name = styled(bet.title.said(said.language), (f" {bet.key}", "dim")) if number == 0 else ""
            pays = said.table["word"]["push"] if line.pays == PUSH else str(line.pays)
            table.add_row(name, said.condition(line.when), pays, line.rule)
    out.print(table)
    if game.insurance is not None:
        _insurance_table(game, menu, said, out)
    return None


def _insurance_table(game: Game, menu: Sequence[Bet], said: Sentences, out: "Console") -> None:
    assert game.insurance is not None, "asked only of a game with insurance"
    word = said.table["word"]
    table = titled(said, "insurance", "window")
    table.add_column(word["player"])
    table.add_column(word["banker"])
    for heading in ("when", "pays", "rule"):
        table.add_column(said.say("label", heading))
    for row in game.insurance.rows:
        bet = next(bet for bet in menu if bet.insures is row.insures)
        table.add_row(
            bet.title.said(said.language),
            word[row.window],
            str(row.player),
            str(row.banker),
            said.say("condition", f"winner_{row.paid_on}"),
            str(row.odds),
            row.rule,
        )
    out.print(table)


def settled(
    game: Game,
    layout: Layout | None,
    coup: Coup,
    slip: SettledSlip,
    said: Sentences,
    *,
    box: int | None,
    waived: bool,
    json: bool,
) -> None:
    if json:
        at = {} if box is None else {"box": box}
        return print_json(
            {
                "game": game.key,
                "layout": layout.key if layout else None,
                **at,
                "outcome": {"winner": slip.outcome.winner, **asdict(slip.outcome)},
                "bets": {name: _settled(one) for name, one in slip.bets.items()},
            }
        )
    out = console()
    for line in story(game, coup, said, waived=waived):
        out.print(line)
    if slip.bets:
        out.print(settlement_table(game, layout, slip, said))
    return None


def story(game: Game, coup: Coup, said: Sentences, *, waived: bool = False) -> Iterator["Text"]:
    """Print the steps of a coup with their paragraphs."""
    for it in explain(game, coup, waived=waived):
        yield styled(said.say("step", it.step, **it.parameters), (f" ({it.rule})", "dim"))


def settlement_table(game: Game, layout: Layout | None, slip: SettledSlip, said: Sentences) -> "Table":
    table = titled(said, "bet", "stake", "result", "pays", "profit", "commission", "returned", "rule")
    for name, one in slip.bets.items():
        bet, window = read_bet(game, layout, name)
        title = bet.title.said(said.language) + (f", {said.table['word'][window]}" if window else "")
        table.add_row(
            title,
            show_money(one.stake),
            said.table["word"][one.result],
            "" if one.pays == "push" else one.pays,
            show_money(one.profit),
            show_money(one.commission) if one.commission else "",
            show_money(one.returned),
            ", ".join(filter(None, (one.rule, one.commission_rule))),
        )
    table.add_section()
    table.add_row(said.say("label", "total"), "", "", "", show_money(slip.profit))
    return table


def account(told: "Iterable[NarratedLine]", said: Sentences, *, json: bool) -> None:
    """Print the narration line by line, or as JSON with codes, parameters and paragraphs."""
    lines = [(one, said.say(one.section, one.code, **one.parameters)) for one in told]
    if json:
        return print_json(
            [
                {
                    "code": one.code,
                    "text": text,
                    "ruleset": one.rule.ruleset if one.rule else None,
                    "paragraph": one.rule.paragraph if one.rule else None,
                    "parameters": {name: _data(value) for name, value in one.parameters.items()},
                }
                for one, text in lines
            ]
        )
    out = console()
    for one, text in lines:
        out.print(styled(text, (f" ({one.rule.paragraph})" if one.rule else "", "dim")), soft_wrap=True)
    return None


def verdicts(
    found: "Iterable[tuple[str, str, ScenarioOutcome | Refused]]", said: Sentences, *, json: bool
) -> Counter[str]:
    """Print a verdict for each scenario and then the totals. Without `--json`, an invalid file is a line on stderr."""
    files: list[dict[str, object]] = []
    many = Counter(held=0, missed=0, unplayable=0)
    for file, title, led in found:
        if isinstance(led, Refused):
            verdict, why = "unplayable", said.refusal(led) + (f" ({led.paragraph})" if led.paragraph else "")
            data: dict[str, object] = {"reason": led.reason, "why": why}
            lines = [f"puntobanco: {why}"]
        else:
            verdict, misses = "missed" if led.misses else "held", [asdict(miss) for miss in led.misses]
            data = {"title": title, "checked": led.checked, "misses": misses}
            lines = [said.say("scenario", "missed", file=file, **miss) for miss in misses]
            lines = lines or [said.say("scenario", "held", file=file, title=title, checked=led.checked)]
        many[verdict] += 1
        files.append({"file": file, "verdict": verdict, **data})
        if not json:
            print("\n".join(lines), file=sys.stderr if verdict == "unplayable" else sys.stdout, flush=True)
    if json:
        print_json({"files": files, **many})
    elif len(files) > 1:
        print(said.say("scenario", "summary", files=len(files), **many))
    return many


def _data(value: object) -> object:
    """A parameter for JSON, independent of language: codes, keys and amounts as text, and lists of them."""
    if isinstance(value, list | tuple):
        return [_data(one) for one in value]
    if isinstance(value, Phrase) and value.parameters and not value.means:
        return {"code": value.key} | {name: _data(one) for name, one in value.parameters.items()}
    if isinstance(value, Words):
        return value.en
    return value if isinstance(value, bool) else str(value)


def checked(game: Game, file: str, said: Sentences, *, json: bool) -> None:
    if json:
        return print_json(_identity(game))
    out = console()
    label = said.table["label"]
    out.print(said.say("label", "is_good", file=file))
    out.print(f"{label['title']}: {game.title.said(said.language)}")
    out.print(f"{label['version']}: {game.version}")
    out.print(f"{label['layouts']}: {' '.join(one.key for one in game.layouts) or label['terminals']}")
    out.print(f"{label['bets']}: {', '.join(bet.key for bet in game.bets)}")
    out.print(f"{label['fingerprint']}: {game.fingerprint}")
    return None


def checked_overlay(overlay: Overlay, file: str, said: Sentences, *, json: bool) -> None:
    """Print an overlay. With `--json`: its content as in a table set-up, with its fingerprint."""
    if json:
        return print_json(msgspec.to_builtins(overlay) | {"fingerprint": overlay.fingerprint})
    out = console()
    label, word = said.table["label"], said.table["word"]
    out.print(said.say("label", "is_good_overlay", file=file))
    out.print(f"{label['title']}: {overlay.title.said(said.language)} ({overlay.document})")
    for one in overlay.voids:
        moments = (one.in_round, label["in_round"]), (one.settled, label["once_settled"])
        when = " / ".join(name for holds, name in moments if holds)
        out.print(f"{word[one.cause]}: {one.citation}, {word[one.declared_by]}, {when}")
    out.print(f"{label['fingerprint']}: {overlay.fingerprint}")
    return None


def _builtins(when: When) -> dict[str, object]:
    """A condition for JSON."""
    return {name: sorted(value) if isinstance(value, Numbers) else value for name, value in when.given().items()}


def _settled(one: Settled) -> dict[str, str]:
    return {
        "result": one.result,
        "stake": write_money(one.stake),
        "profit": write_money(one.profit),
        "commission": write_money(one.commission),
        "returned": write_money(one.returned),
        "rule": one.rule,
    }


def _identity(game: Game) -> dict[str, object]:
    return {
        "game": game.key,
        "title": game.title.en,
        "version": game.version,
        "effective": game.effective.isoformat(timespec="minutes") if game.effective else None,
        "document": game.document,
        "decks": [game.decks.least, game.decks.most],
        "layouts": {one.key: {"boxes": [one.fewest_boxes, one.most_boxes]} for one in game.layouts},
        "bets": [bet.key for bet in game.bets],
        "fingerprint": game.fingerprint,
    }


def _felt(layout: Layout | None, said: Sentences) -> str:
    if layout is None:
        return said.say("label", "terminals")
    boxes = str(layout.boxes) if isinstance(layout.boxes, int) else f"{layout.fewest_boxes}-{layout.most_boxes}"
    return f"{said.say('label', 'layout')} {layout.key}: {layout.title.said(said.language)}, {boxes} " + said.say(
        "label", "boxes"
    )


def titled(said: Sentences, *headings: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        right = heading in ("stake", "profit", "commission", "returned", "pays")
        whole = heading in ("rule", "effective", "layouts", "fingerprint")
        name = said.say("label", heading)
        table.add_column(name, justify="right" if right else "left", no_wrap=whole, overflow="fold")
    return table
