"""What must hold while the house runs, and what is kept of it for when the history can be read."""

import re
from array import array
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.house.tables.writer import Stopped
from puntobanco.protocol.posts import Post
from tests.fuzz.house import PEOPLE
from tests.fuzz.script import Step
from tests.fuzz.wire import Told
from tests.web.canary import FACE, OUTSIDERS

INSIDE = frozenset(
    {"question", "faults", "acting", "preview", "undecided", "settled", "seats", "purses", "squeezes", "shoe", "owed",
     "waiver_asked", "waiver_to_agree", "next", "low", "absent", "at_terminals", "cards_left", "unconfirmed"}
)  # fmt: skip
"""What of a table only staff and the auditor see."""
BENIGN = frozenset({"too_fast", "house_draining"})
_WAITING = re.compile("/waiting/([0-9]+)/(confirm|decline)")
REFUSED, WAITS = -1, -2
EXPECTED = frozenset({"ASGI callable returned without completing handshake."})
"""What the web server says where a connection was gone before its handshake was answered."""
STOPPED_AS = f"{Stopped.__module__}.{Stopped.__qualname__}"
"""How a log says that a table had stopped before, for a reason it then gives."""
NUMBERED = ("/office", "/commands", "/cards", "/chips")
"""Requests that carry a number of the sender's own."""
STOPPED, UNKNOWN, REUSED = "table_stopped", "unknown_table", "request_reused"
FAULTS = frozenset({"failed", "incident", "store_failed"})
"""What is said where the fault is the house's."""


class Seen:
    """A table as one screen follows it."""

    def __init__(self) -> None:
        self.version = 0
        self.shown: dict[str, Any] = {}
        """The parts of its whole view, by name."""
        self.private: dict[str, Any] | None = None

    def whole(self, told: dict[str, Any]) -> str | None:
        """What is wrong with what was followed so far, if anything; from now on this is what is shown."""
        parts = {"public": told["public"], "setup": told.get("setup")}
        parts |= {name: told.get(name, []) for name in ("results", "told")}
        wrong = None
        if self.shown and self.version == told["version"] and self.shown != parts:
            wrong = next(f"{name}: {self.shown[name]!s:.300} is {parts[name]!s:.300}" for name in parts
                         if self.shown[name] != parts[name])  # fmt: skip
        self.version, self.shown, self.private = told["version"], parts, told.get("private")
        return wrong

    def public(self, told: dict[str, Any]) -> bool:
        """Whether it could be followed; one that missed something asks for the whole."""
        if told["after"] > self.version or not self.shown:
            return False
        if told["version"] >= self.version:
            self.version = told["version"]
            self.shown |= {"public": told["view"], "told": told.get("told", [])}
            for name in ("results", "setup"):
                if told.get(name) is not None:
                    self.shown[name] = told[name]
        return True


class Witness:
    """Sees every sending, every answer and every message. `wrong`: what must not have been."""

    def __init__(self, log: Path) -> None:
        self.wrong: list[str] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        """By kind and reason; an accepted one has none."""
        self.phases: Counter[tuple[str, str]] = Counter()
        """By game and phase, in what was shown."""
        self.noted: Counter[str] = Counter()
        self.outcome = array("q")
        """By request: the version it was accepted at, or how else it was answered."""
        self.lost: set[str] = set()
        """Requests of which some answer never came: sent again after a refusal they may have happened."""
        self.others: set[int] = set()
        """Requests under whose number another body came first and took effect."""
        self.kinds: list[str] = []
        self.seconded: dict[int, int] = {}
        """Numbers that waited for a second person, and the version at which they happened, or that they did not."""
        self.faces: dict[tuple[str, int, int, str], int] = {}
        """Table, round, index and face: the first version in which anybody saw it."""
        self.squeezed: set[tuple[str, int, str, int]] = set()
        """Table, index and person of a face sent to somebody alone, and the version in which it was."""
        self.seen: dict[tuple[str, str], Seen] = defaultdict(Seen)
        self._log, self._read = log, 0
        self._kinds: dict[str, str] = {}

    def begun(self, step: Step) -> int:
        """The number of a new request."""
        self.outcome.append(0)
        kind = step.kind
        self.kinds.append(self._kinds.setdefault(kind, kind))
        return len(self.outcome) - 1

    # ---- answers -------------------------------------------------------------------------------------------------

    def answered(self, step: Step, told: Told, *, same: bool | None = True) -> None:
        """`same`: whether it asks for what its request asked for first; unknown where only the house could tell."""
        self.counts[step.kind, told.reason] += 1
        if told.lost:
            self.lost.add(step.request)
            return
        spare = step.table.startswith("spare-")
        if told.status >= 500 and not (spare and told.reason == STOPPED):
            self.wrong.append(f"{step.kind}: status {told.status}, {told.reason}")
        elif told.reason in FAULTS or (told.reason == STOPPED and not spare):
            self.wrong.append(f"{step.kind}: {told.reason}")
        if found := _WAITING.fullmatch(step.path):
            if not told.reason:
                self.seconded[int(found[1])] = told.version if found[2] == "confirm" else REFUSED
        elif step.request.startswith("f") and step.request[1:].isdigit():
            self._outcome(step, int(step.request[1:]), told, same)

    def _outcome(self, step: Step, number: int, told: Told, same: bool | None) -> None:
        if number >= len(self.outcome) or (step.path and not step.path.endswith(NUMBERED)):
            return  # nothing of it is in a history under this number
        before = self.outcome[number]
        if told.reason:
            if before == 0 and same and told.reason not in (*BENIGN, REUSED):
                self.outcome[number] = REFUSED
            gone = step.table.startswith("spare-") and told.reason in (STOPPED, UNKNOWN)
            if told.reason == REUSED and number in self.others:
                return
            if before > 0 and same and told.reason not in BENIGN and not gone:
                self.wrong.append(f"{step.kind}: accepted as {before} and then refused: {told.reason}")
            return
        if same is False and before > 0:
            self.wrong.append(f"{step.kind}: a request that took effect was accepted again with another body")
        if same is not True and before <= 0:
            self.others.add(number)
        if told.waits is not None:
            self.outcome[number] = WAITS
        elif before > 0 and before != told.version:
            self.wrong.append(f"{step.kind}: accepted as {before} and as {told.version}")
        elif told.version:
            self.outcome[number] = told.version

    # ---- messages ------------------------------------------------------------------------------------------------

    def heard(self, person: str, told: dict[str, Any], content: bytes) -> bool:
        """Whether the screen could follow."""
        kind = told["type"]
        if kind not in ("Public", "Whole", "Private"):
            return True
        self.noted[kind] += 1
        post, seen = PEOPLE.get(person), self.seen[person, told["table"]]
        if kind == "Private":
            seen.private = told["view"]
            self._own(person, told, told["view"])
            return True
        follows = True
        if kind == "Whole":
            view = told["public"]
            if (wrong := seen.whole(told)) is not None:
                self.wrong.append(f"{person} at {told['table']} followed to {told['version']}, but {wrong}")
            self.noted["wholes compared"] += 1
            if told.get("private") is not None:
                self._own(person, told, told["private"])
        else:
            view, follows = told["view"], seen.public(told)
        if view is not None:
            self._view(person, post, told, view, content)
        return follows

    def _own(self, person: str, told: dict[str, Any], own: dict[str, Any]) -> None:
        """Whether the faces in it were theirs to see is held against the history."""
        if own["person"] != person:
            self.wrong.append(f"{person} is shown the own view of {own['person']}")
        for index in own["faces"]:
            self.noted["faces squeezed"] += 1
            self.squeezed.add((told["table"], int(index), person, told["version"]))
        rest = {name: held for name, held in own.items() if name != "faces"}
        if FACE.search(msgspec.json.encode(rest).decode()):
            self.wrong.append(f"{person} is shown a face where none belongs: {own!s:.300}")

    def _view(self, person: str, post: Post | None, told: dict[str, Any], view: dict[str, Any], content: bytes) -> None:
        table, round = told["table"], view["round"]
        self.phases[view["game"], view["phase"]] += 1
        for card in view["cards"]:
            if card["face"] is not None:
                key = (table, round, card["index"], card["face"])
                if told["version"] < self.faces.get(key, told["version"] + 1):
                    self.faces[key] = told["version"]
            else:
                self.noted["face down"] += 1
        if post in OUTSIDERS:
            if found := INSIDE & view.keys():
                self.wrong.append(f"{person} ({post}) is shown {', '.join(sorted(found))} of {table}")
            if self.noted["Public"] % 8 == 0:
                rest = {name: held for name, held in view.items() if name not in ("cards", "waiting")}
                if FACE.search(msgspec.json.encode(rest).decode()):
                    self.wrong.append(f"{person} ({post}) is shown a face where none belongs: {content[:300]!r}")

    # ---- the log -------------------------------------------------------------------------------------------------

    def read_log(self) -> None:
        """What the house said about itself since the last look."""
        if not self._log.exists():
            return
        with self._log.open("rb") as log:
            log.seek(self._read)
            content = log.read()
        lines = content.split(b"\n")
        self._read += len(content) - len(lines[-1])
        for line in lines[:-1]:
            if line:
                self._line(line)

    def _line(self, line: bytes) -> None:
        try:
            told = msgspec.json.decode(line)
        except msgspec.MsgspecError:
            self.wrong.append(f"log: {line[:300]!r}")
            return
        self.noted[f"log {told.get('level')}"] += 1
        if told.get("level") in ("error", "critical") or "exception" in told:
            if told.get("event") in EXPECTED:
                return
            raised = (told.get("exception") or [told.get("why", "")])[-1]
            self.wrong.insert(0, f"log: {raised or told.get('event')}".replace(f"{STOPPED_AS}: ", ""))


def signature(wrong: str) -> str:
    """What is the same each time it fails: no numbers, no names of tables."""
    wrong = re.sub(r"\b(?:auto|spare|commission|non-commission|super-six|insurance|wu-song)-[a-z0-9-]+", "TABLE", wrong)
    return re.sub(r"0x[0-9a-f]+|[0-9]+", "#", wrong)[:200]
