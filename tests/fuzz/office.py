"""What the office is asked for while the tables play: people, tables, games and money, one maker for every errand."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puntobanco.protocol.administrative_commands import HEARD_FROM, KINDS
from puntobanco.protocol.posts import Post
from puntobanco.rules import library
from puntobanco.web import routes  # noqa: F401 (declares the operations)
from puntobanco.web.http.operations import OPERATIONS
from tests.fuzz import chance
from tests.fuzz.chance import TEXTS, Chance, Table, mutated
from tests.fuzz.house import FELTS, OFFICE, PLAYERS, RELIEF, STAFF
from tests.fuzz.script import Step
from tests.web import nasty

EXAMPLES = tuple(
    path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parents[2].glob("examples/games/*.toml"))
)
NEWCOMERS = tuple(f"new-{number}" for number in range(12))
SPARE = tuple(f"spare-{number}" for number in range(40))
"""Tables that are added and retired."""
SWITCHED = ("auto-down", "commission-d")
"""Tables whose dealing is switched while they play."""
COSTLY = ("edges", "shoe-now", "simulations")
"""What takes seconds of a processor each time: measured and tested elsewhere."""
READ = tuple(one.path for one in OPERATIONS if one.method == "GET" and not any(part in one.path for part in COSTLY))
"""What is read meanwhile, by those who may and those who may not: every operation that changes nothing."""
QUERIES = ("", "", "", "", "?most=5", "?before=0", "?most=x", "?most=-1", "?nothing=1", "?begins=wallet:", "?table=%00")
BODIES = (
    "/office",
    "/tables/{table}/commands",
    "/tables/{table}/foresee",
    "/tables/{table}/chips",
    "/sign-in",
    "/ticket",
)
"""Where bodies are sent that are none."""

Maker = Callable[[random.Random], dict[str, Any]]
MAKERS: dict[str, Maker] = {}


def maker(make: Maker) -> Maker:
    MAKERS["".join(word.title() for word in make.__name__.split("_"))] = make
    return make


def _table(rng: random.Random) -> str:
    return str(rng.choice([rng.choice(FELTS).name, rng.choice(SPARE), "nowhere"]))


def _somebody(rng: random.Random) -> str:
    relief = [name for names in RELIEF.values() for name in names]
    return str(rng.choice([*NEWCOMERS, *NEWCOMERS, *relief, "nobody"]))


def _amount(rng: random.Random) -> int:
    return int(rng.choice([100_00, 1_000_00, 5_000_00, 20_000_00, 50, 0, -100_00, 10**13, 10**15]))


def _reason(rng: random.Random) -> str:
    return str(rng.choice(["counted twice", "補帳", "", "x" * 1_001, "two\nlines", "as asked"]))


@maker
def admit(rng: random.Random) -> dict[str, Any]:
    made = {
        "person": rng.choice([*NEWCOMERS, "Bad Name", "p1", "system"]),
        "title": rng.choice(["New", "新人", "", "\n"]),
    }
    return made | rng.choice([{}, {}, {"post": rng.choice(list(Post))}, {"post": "dealer", "scope": _table(rng)}])


@maker
def give_role(rng: random.Random) -> dict[str, Any]:
    made: dict[str, Any] = {"person": _somebody(rng), "post": rng.choice([Post.PLAYER, Post.DEALER, *Post])}
    return made | rng.choice([{}, {"scope": _table(rng)}, {"scope": "*"}])


@maker
def take_role(rng: random.Random) -> dict[str, Any]:
    return {"person": _somebody(rng), "scope": rng.choice(["*", _table(rng)])}


@maker
def disable(rng: random.Random) -> dict[str, Any]:
    return {"person": _somebody(rng), "reason": _reason(rng)}


@maker
def enable(rng: random.Random) -> dict[str, Any]:
    return {"person": _somebody(rng)}


@maker
def add_game(rng: random.Random) -> dict[str, Any]:
    """A file of the examples, as it is, under another name, or with something wrong in it."""
    content = rng.choice(EXAMPLES)
    key = content.partition('key = "')[2].partition('"')[0]
    match rng.randrange(4):
        case 0:
            return {"content": content.replace(f'key = "{key}"', f'key = "{key}-{rng.randrange(100)}"', 1)}
        case 1:
            at = rng.randrange(len(content))
            return {"content": content[:at] + str(rng.choice(["\x00", "[[", '"', "=", "莊", ""])) + content[at + 1 :]}
        case 2:
            return {"content": str(rng.choice(TEXTS))}
        case _:
            return {"content": content}


@maker
def add_table(rng: random.Random) -> dict[str, Any]:
    game = rng.choice([*library.GAMES, "ez-baccarat", "lucky-six", "dragon-bonus", "nothing"])
    return {"table": rng.choice([*SPARE, "p1", "Bad/Name"]), "game": game, "automatic": rng.random() < 0.3}


@maker
def set_dealing(rng: random.Random) -> dict[str, Any]:
    """A few tables are switched to and fro; the others go on as they are."""
    felt = rng.choice(FELTS)
    if rng.random() < 0.5:
        return {"table": felt.name, "automatic": felt.automatic} if felt.name not in SWITCHED else {
            "table": felt.name, "automatic": rng.random() < 0.7}  # fmt: skip
    return {"table": rng.choice([*SWITCHED, *SPARE, "nowhere"]), "automatic": rng.random() < 0.7}


@maker
def restart_table(rng: random.Random) -> dict[str, Any]:
    return {"table": _table(rng)}


@maker
def retire_table(rng: random.Random) -> dict[str, Any]:
    return {"table": rng.choice([*SPARE, *SPARE, rng.choice(FELTS).name, "nowhere"])}


@maker
def acknowledge(rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.6:
        return {"table": "$alerted", "version": "$alert"}
    return {"table": rng.choice(FELTS).name, "version": rng.choice(["$alert", 1, 0, -5, 10**9])}


@maker
def deposit(rng: random.Random) -> dict[str, Any]:
    return {"person": rng.choice([*PLAYERS, _somebody(rng)]), "amount": _amount(rng)}


@maker
def withdraw(rng: random.Random) -> dict[str, Any]:
    return {"person": rng.choice([*PLAYERS, _somebody(rng)]), "amount": _amount(rng)}


@maker
def fill(rng: random.Random) -> dict[str, Any]:
    return {"table": _table(rng), "amount": _amount(rng)}


@maker
def credit(rng: random.Random) -> dict[str, Any]:
    return {"table": _table(rng), "amount": _amount(rng)}


@maker
def count_float(rng: random.Random) -> dict[str, Any]:
    return {"table": _table(rng), "counted": rng.choice([0, 10_000_000_00, _amount(rng)])}


@maker
def collect_drop(rng: random.Random) -> dict[str, Any]:
    """Mostly what two other people at the table might have counted; `booked` is guessed, since nobody shows it here."""
    booked = rng.choice([0, 1_000_00, 5_000_00, _amount(rng)])
    return {"table": _table(rng), "booked": booked, "counted": rng.choice([booked, booked, _amount(rng)])}


@maker
def release_program(rng: random.Random) -> dict[str, Any]:
    return {"digest": rng.choice(["", "00" * 32, "x" * 1_001]), "reason": _reason(rng)}


@maker
def adjust_wallet(rng: random.Random) -> dict[str, Any]:
    return {"person": rng.choice([*PLAYERS, _somebody(rng)]), "amount": _amount(rng), "reason": _reason(rng)}


@maker
def adjust_float(rng: random.Random) -> dict[str, Any]:
    return {"table": _table(rng), "amount": _amount(rng), "reason": _reason(rng)}


EVERYBODY = {post: names for part in (STAFF, OFFICE) for post, names in part.items()} | {Post.PLAYER: PLAYERS}


def errand(rng: random.Random, kind: str = "") -> Step:
    """By somebody it is heard from, or now and then by anybody."""
    kind = kind or rng.choice(list(MAKERS))
    post = rng.choice(sorted(HEARD_FROM[KINDS[kind]]) if rng.random() < 0.93 else sorted(EVERYBODY))
    made = MAKERS[kind](rng)
    command: dict[str, Any] = {"type": kind, **(mutated(rng, made) if rng.random() < 0.08 else made)}
    return Step(who=rng.choice(EVERYBODY[post]), path="/office", body={"command": command},
                table=command["table"] if isinstance(command.get("table"), str) else "")  # fmt: skip


def reading(rng: random.Random) -> Step:
    template = rng.choice(READ)
    path = _filled(rng, template) + rng.choice(QUERIES)
    who = rng.choice([name for names in EVERYBODY.values() for name in names])
    return Step(who=who, method="GET", path=path, table=_place(path))


def nonsense(rng: random.Random) -> Step:
    """A body that is none, to an operation that takes one."""
    path = _filled(rng, rng.choice(BODIES))
    raw = rng.choice(nasty.WHOLES).decode("utf-8", "replace")[:60_000]
    return Step(who=rng.choice(["tom", "root", "dora", "p1"]), path=path, raw=raw, table=_place(path))


def shown_out(rng: random.Random) -> Step:
    """Somebody is signed out by force, or a newcomer leaves."""
    if rng.random() < 0.5:
        return Step(who=rng.choice(NEWCOMERS), path="/sign-out")
    return Step(who=rng.choice(["tom", "root", "dora"]), path=f"/people/{_somebody(rng)}/sign-out")


def foreseen(rng: random.Random, table: Table) -> Step:
    """What would come of a report or a ruling; nothing happens."""
    kind = rng.choice(["Report", "Rule"])
    command = {"type": kind, **chance.MAKERS[kind](Chance(rng, table))}
    name = table.felt.name
    return Step(who=rng.choice(["tom", "max", "dora"]), path=f"/tables/{name}/foresee", body={"command": command},
                table=name)  # fmt: skip


def _filled(rng: random.Random, template: str) -> str:
    """With names that are there, mostly."""
    odd = rng.random() < 0.1
    return template.format(
        table="nowhere" if odd else rng.choice(FELTS).name,
        game="%E8%8E%8A" if odd else rng.choice(library.GAMES),
        person="nobody" if odd else rng.choice([*PLAYERS, *NEWCOMERS]),
        round=rng.choice(["999999999999999999", "-1", "x", "1e3"]) if odd else rng.choice(["$round", "1"]),
        shoe="none" if odd else "one",
        number=rng.randrange(100),
    )


def _place(path: str) -> str:
    return path.split("/")[2].partition("?")[0] if path.startswith("/tables/") else ""


def second(rng: random.Random, number: Any, table: str = "") -> Step:
    """Confirm or decline what waits, by somebody who mostly may."""
    who = rng.choice(["tom", "tia", "tom", "tia", "max", "sue", "cal", "cleo", rng.choice(PLAYERS)])
    if rng.random() < 0.8:
        return Step(who=who, path=f"/waiting/{number}/confirm", table=table)
    return Step(who=who, path=f"/waiting/{number}/decline", body={"reason": _reason(rng)}, table=table)
