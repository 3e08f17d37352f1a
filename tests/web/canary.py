"""What may not be seen is looked for in every byte that leaves the house while it plays (S12).

The order and the salts of every shoe are read from the store; people of every audience watch every table and ask for
everything there is; and whatever reaches them is held against what was exposed by then. The long run:
`python -m tests.web.canary --rounds 1000`
"""

import argparse
import asyncio
import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import uvloop
from websockets.asyncio.client import ClientConnection

from puntobanco.house.house import Watcher
from puntobanco.house.shoes.seal import Sealed
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.protocol.posts import Post
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from tests.web.house import NAMES, Premises, Visitor, heard, open_house

OUTSIDERS = (Post.PLAYER, Post.CASHIER, Post.ADMINISTRATOR, Post.DEVICE, Post.BOARD)
"""Who sees no stake of others."""
PATIENCE = 60
"""Seconds, and one more for each round, after which a house that plays so slowly is not waited for."""
STAKE, ANNS = 137_500, 20_000
"""What Bao stakes, again and again; nobody else's money can be the same number, since all of it is whole tens."""
FACE = re.compile('"(?:10|[2-9AJQKT])[SHDC♠♥♦♣]"')
HEX, BASE = re.compile(r"[0-9a-fA-F]{32,}"), re.compile(r"[A-Za-z0-9+/_-]{22,}")


class Truth(Watcher):
    """Hears of everything first, as it becomes durable, and knows what nobody may know yet."""

    def __init__(self) -> None:
        self.exposed: dict[str, dict[tuple[int, int], tuple[str, int]]] = defaultdict(dict)
        """By table: round and index of a card, its face, and the version at which it was exposed."""
        self.secret: dict[str, tuple[str, int]] = {}
        """Every salt in every form, with the shoe and the place it is of."""
        self.shown: dict[str, set[int]] = defaultdict(set)
        self.over: set[str] = set()
        self.shoe: dict[str, str] = {}
        self.orders: dict[str, Sealed] = {}
        self._next: dict[str, int] = {}
        self._places: dict[str, dict[int, int]] = defaultdict(dict)
        self.squeezed: dict[str, dict[tuple[int, int], tuple[str, str, int]]] = defaultdict(dict)
        """By table: round and index of a card, whoever squeezes it, its face, and the version at which it was drawn."""
        self._granted: dict[tuple[str, int, int], str] = {}

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        for version, event in enumerate(events, start=table.state.version - len(events) + 1):
            self._take(table.name, event, version)

    def _take(self, table: str, event: AnyEvent, version: int) -> None:
        match event:
            case e.ShoeLoaded():
                if table in self.shoe:
                    self.over.add(self.shoe[table])
                self.shoe[table], self._next[table] = event.shoe, event.burned
            case e.CardDrawn():
                place = self._places[table][event.index] = self._next[table]
                self._next[table] += 1
                if (person := self._granted.get((table, event.round, event.index))) is not None:
                    face = str(self.orders[self.shoe[table]].cards[place])
                    self.squeezed[table][event.round, event.index] = (person, face, version)
            case e.SqueezeAnswered() if event.permitted:
                self._granted[table, event.round, event.index] = event.person
            case e.CardExposed():
                self.exposed[table][event.round, event.index] = (str(event.card), version)
                assert str(self.orders[self.shoe[table]].cards[self._places[table][event.index]]) == str(event.card)
            case e.RoundSettled() | e.RoundVoided() | e.RoundEndedWithoutBets():
                self.shown[self.shoe[table]] |= set(self._places[table].values())
                self._places[table] = {}

    def sealed(self, name: str, content: bytes) -> None:
        """Told when the store seals a shoe, before anybody can know of it."""
        order = self.orders[name] = Sealed.decode(content)
        for place, salt in enumerate(order.salts):
            for form in (salt.hex(), b64encode(salt).decode()[:22], urlsafe_b64encode(salt).decode()[:22]):
                self.secret[form] = (name, place)

    def salts(self, text: str) -> Iterator[tuple[str, int]]:
        """Which salts are in it, in whatever form."""
        for form, length in ((HEX, 32), (BASE, 22)):
            for run in form.findall(text):
                for at in range(min(len(run) - length, 200) + 1):
                    piece = run[at : at + length]
                    if (found := self.secret.get(piece.lower() if form is HEX else piece)) is not None:
                        yield found


class Witness:
    """Looks at everything that reaches anybody."""

    def __init__(self, truth: Truth) -> None:
        self.truth, self.seen, self.wrong = truth, Counter[str](), list[str]()

    def said(self, who: str, post: Post, text: str) -> None:
        """A live message."""
        self.seen["messages"] += 1
        self.seen["bytes"] += len(text)
        self._no_salt(who, text)
        self._shown(who, heard(text), text)
        self._no_stake(who, post, text)

    def _shown(self, who: str, told: dict[str, Any], text: str) -> None:
        """A live message, or the whole of a table however it was asked for."""
        view = told.get("view") if told["type"] == "Public" else told.get("public")
        if view:
            self._faces(who, told, view)
        own = told.get("view") if told["type"] == "Private" else told.get("private")
        if own:
            self._squeezed(who, told, own)
        others = {"cards", "waiting", "faces"}
        rest = [{name: held for name, held in one.items() if name not in others} for one in (view, own) if one]
        loose = json.dumps(
            [rest, {name: held for name, held in told.items() if name not in ("view", "public", "private")}],
            ensure_ascii=False,
        )
        if FACE.search(loose):
            self.wrong.append(f"{who} is told a face where none belongs: {text[:300]}")

    def _faces(self, who: str, told: dict[str, Any], view: dict[str, Any]) -> None:
        exposed = self.truth.exposed[told["table"]]
        if any(view["waiting"]):
            self.wrong.append(f"{who} sees a card waiting")
        for card in view["cards"]:
            if card["face"] is None:
                self.seen["face down"] += 1
                continue
            self.seen[f"faces seen by {who}"] += 1
            face, version = exposed.get((view["round"], card["index"]), ("", 0))
            if face != card["face"] or version > told["version"]:
                self.wrong.append(f"{who} saw {card} of round {view['round']} too early: {told['version']} < {version}")

    def _squeezed(self, who: str, told: dict[str, Any], own: dict[str, Any]) -> None:
        """Only whoever squeezes a card is sent its face, and not before it is drawn."""
        for index, face in own.get("faces", {}).items():
            self.seen[f"faces squeezed by {who}"] += 1
            drawn = [
                (version, person, its)
                for (_, card), (person, its, version) in self.truth.squeezed[told["table"]].items()
                if card == int(index) and version <= told["version"]
            ]
            if not drawn or max(drawn)[1:] != (own["person"], face) or own["person"] != who:
                self.wrong.append(f"{who} is sent the face of card {index}, which is {drawn[-1:]}: {told!s:.300}")

    def answered(self, who: str, post: Post, path: str, text: str) -> None:
        """An answer of HTTP."""
        self.seen["answers"] += 1
        self.seen["bytes"] += len(text)
        for shoe, place in self.truth.salts(text):
            self.seen["salts shown when they may be"] += 1
            if shoe not in self.truth.over and place not in self.truth.shown[shoe]:
                self.wrong.append(f"{who} {path}: the salt of place {place} of {shoe}")
        self._no_stake(who, post, text)
        if path.count("/") == 2 and path.startswith("/tables/"):
            self._shown(who, json.loads(text), text)
        if "/rounds/" in path or path.endswith("/shoe"):
            told = json.loads(text)
            table = path.split("/")[2]
            for card in told.get("cards", ()):
                if card.get("face") is not None:
                    face, _ = self.truth.exposed[table].get((told["line"]["round"], card["index"]), ("", 0))
                    if face != card["face"]:
                        self.wrong.append(f"{who} {path}: {card}")
                elif "salt" in card and str(self.truth.orders[told["shoe"]].cards[card["place"]]) != card["card"]:
                    self.wrong.append(f"{who} {path}: {card} was not there")

    def line(self, text: str) -> None:
        self.seen["log lines"] += 1
        self._no_salt("the log", text)
        if FACE.search(text):
            self.wrong.append(f"the log tells a face: {text[:300]}")

    def _no_salt(self, who: str, text: str) -> None:
        for shoe, place in self.truth.salts(text):
            self.wrong.append(f"{who} is told the salt of place {place} of {shoe}")

    def _no_stake(self, who: str, post: Post, text: str) -> None:
        mentioned = re.search(rf"\b(?:{STAKE}|{2 * STAKE})\b", text) is not None or '"bao"' in text
        if who != "bao" and post in OUTSIDERS and mentioned:
            self.wrong.append(f"{who} is told what Bao staked: {text[:400]}")
        self.seen["stakes of Bao seen by staff"] += mentioned and post not in OUTSIDERS


TABLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("up", "commission", {}),
    ("down", "super-six", {"face_down": True}),
    ("brief", "commission", {"face_down": True, "cut_card": 400}),
    ("insured", "insurance", {}),
    ("terminal", "non-commission-etg", {}),
    ("heroes", "wu-song", {"face_down": True, "squeeze": 120}),
)
SQUEEZED = "heroes"
"""Where Bao, whose bet is the highest, squeezes every card that he is in time to ask for."""
AUDIENCES = {name: post for post, name in NAMES.items()} | {"bao": Post.PLAYER, "chen": Post.PLAYER}


async def play(premises: Premises, rounds: int, witness: Witness) -> None:
    house = premises.services.house
    for name in ("ann", "bao"):
        await house.journal_writer.note(b.Deposited(by=house.itself(), person=name, amount=10**11))
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        tasks = []
        for slot, (name, post) in enumerate(AUDIENCES.items()):
            visitor = await premises.visitor(name, slot)
            connection = await stack.enter_async_context(visitor.live())
            if name in ("ann", "bao"):
                for table, *_ in TABLES:
                    bought = {"type": "BuyIn", "person": name, "amount": 10**10}
                    await _do(connection, table, f"buy-{table}", bought)
            for table, *_ in TABLES:
                await connection.send(json.dumps({"type": "Watch", "table": table}))
            tasks.append(group.create_task(_watch(connection, name, post, witness)))
            if post is not Post.DEVICE:
                tasks.append(group.create_task(_ask(visitor, post, premises, witness)))
        until = asyncio.get_running_loop().time() + PATIENCE + rounds
        while not witness.wrong and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.05)
            witness.seen["shoes over"] = len(witness.truth.over)
            if sum(house.tables[table].state.round for table, *_ in TABLES) >= rounds and not lacking(witness.seen):
                break
        for task in tasks:
            task.cancel()


async def _watch(connection: ClientConnection, name: str, post: Post, witness: Witness) -> None:
    """Read everything; those who play bet as soon as a round is open."""
    bet: set[tuple[str, int]] = set()
    asked: set[tuple[int, str]] = set()
    async for text in connection:
        assert isinstance(text, str)
        witness.said(name, post, text)
        told = heard(text)
        if told["type"] == "Beat":
            await connection.send('{"type":"Here"}')
        if told["type"] == "Answered":
            refusal = told["answer"].get("refusal")
            witness.seen[f"bets of {name} {refusal['reason'] if refusal else 'taken'}"] += 1
        view = told.get("view") if told["type"] == "Public" else None
        if name in ("ann", "bao") and view and view["phase"] == "betting":
            place = (told["table"], view["round"])
            if place not in bet:
                bet.add(place)
                line = {"bet": "player" if name == "ann" else "banker", "amount": ANNS if name == "ann" else STAKE}
                box = 0 if told["table"] == "terminal" else 1 if name == "ann" else 2
                slip = {"type": "PlaceBets", "round": view["round"], "lines": [line | {"box": box}]}
                await _do(connection, told["table"], f"{told['table']}-{view['round']}", slip)
        if name == "bao" and view and told["table"] == SQUEEZED:
            for index in view.get("squeezable", ()):
                if (view["round"], index) not in asked:
                    asked.add((view["round"], index))
                    ask = {"type": "RequestSqueeze", "round": view["round"], "index": int(index)}
                    await _do(connection, SQUEEZED, f"squeeze-{view['round']}-{index}", ask)


async def _do(connection: ClientConnection, table: str, request: str, command: dict[str, Any]) -> None:
    await connection.send(json.dumps({"type": "Do", "table": table, "request": request, "command": command}))


async def _ask(visitor: Visitor, post: Post, premises: Premises, witness: Witness) -> None:
    """Everything there is to read about a table, again and again."""
    while True:
        for table, *_ in TABLES:
            last = premises.services.house.tables[table].state.round
            shoe = premises.services.house.tables[table].state.shoe
            name = shoe.name.partition("/")[2] if shoe else "none"
            for path in (
                f"/tables/{table}", f"/tables/{table}/rounds", f"/tables/{table}/rounds/{last}",
                f"/tables/{table}/rounds/{max(1, last - 1)}", f"/tables/{table}/shoe", f"/tables/{table}/shoes/{name}",
                "/tables", "/wallet", f"/tables/{table}/nothing",
            ):  # fmt: skip
                answer = await visitor.get(path)
                witness.answered(visitor.name, post, path, answer.text)
                await asyncio.sleep(0.1)
        figures = await visitor.client.get("/metrics", headers=visitor.cookie)
        witness.answered(visitor.name, post, "/metrics", figures.text)


async def run(rounds: int) -> Counter[str]:
    async with open_house() as premises:
        house, truth = premises.services.house, Truth()
        house.watchers.insert(0, truth)
        seal = house.secret_store.seal

        async def sealing(name: str, content: bytes) -> None:
            if "/" in name:
                truth.sealed(name, content)
            await seal(name, content)

        house.secret_store.seal = sealing  # type: ignore[method-assign]
        witness = Witness(truth)
        await premises.add(TABLES, betting=200)
        await play(premises, rounds, witness)
        for line in premises.log.read_text().splitlines():
            witness.line(line)
        assert not witness.wrong, "\n".join(witness.wrong[:5])
        told = witness.seen
        told["rounds"] = sum(house.tables[table].state.round for table, *_ in TABLES)
        told["salts kept"] = len(truth.secret) // 3
        assert not lacking(told), lacking(told)
        return told


def lacking(told: Counter[str]) -> list[str]:
    """A witness who saw nothing proves nothing."""
    wanted = [f"faces seen by {name}" for name in AUDIENCES]
    wanted += [
        "face down",
        "faces squeezed by bao",
        "bets of bao taken",
        "stakes of Bao seen by staff",
        "salts shown when they may be",
    ]
    return [name for name in (*wanted, "shoes over") if not told[name]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000)
    for name, count in sorted(uvloop.run(run(parser.parse_args().rounds)).items()):
        print(f"{count:12,}  {name}")


if __name__ == "__main__":
    main()
