"""Requests made up from the OpenAPI document, valid and not, sent to a real house by people of several posts (S15).

No answer may be a fault of ours, and each must be what the document says it is. The long run:
`python -m tests.web.schemathesis_run --cases 10000`
"""

import argparse
import asyncio
import json
import random
from collections import Counter
from typing import Any

import requests
import schemathesis
import uvloop
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from puntobanco.protocol.posts import Post
from puntobanco.web.http import openapi
from puntobanco.web.http.operations import OPERATIONS, Operation
from tests.web.house import HERE, NAMES, PLAYERS, Premises, Visitor, open_house

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
KNOWN: dict[str, tuple[Any, ...]] = {
    "person": PLAYERS, "owner": PLAYERS, "table": (HERE, "there", "auto", "down"), "game": ("commission", "wu-song"),
    "scope": ("*", HERE), "number": (1, 2, 3), "round": (0, 1, 2, 3), "box": (0, 1, 2), "amount": (1000, 5000, -1000),
    "bet": ("player", "banker", "tie"), "index": (1, 2, 3), "question": (0, 1), "counted": (0, 1000),
}  # fmt: skip
"""Words that mean something here, put in where the document only asks for a text or a number."""
TABLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("auto", "non-commission-etg", {}),
    ("down", "insurance", {"face_down": True}),
)


WEIGHTS = {"send": 12, "errand": 12, "chips": 3, "scan": 3, "sign_in": 2, "decline": 2, "rounds": 2, "journal": 2}
"""What takes more than a name deserves more tries."""


class Callers:
    """People of several posts, signed in again whenever a case signed them out."""

    def __init__(self, premises: Premises, loop: asyncio.AbstractEventLoop) -> None:
        self._premises, self._loop = premises, loop
        self._at = [*(NAMES[post] for post in Post), ""]
        self._visitors: dict[str, Visitor] = {}
        self._turn = 0

    def next(self, one: Operation) -> Visitor:
        """Mostly somebody who may, now and then anybody."""
        self._turn += 1
        may = [NAMES[post] for post in Post if one.who is None or post in one.who]
        name = may[self._turn % len(may)] if self._turn % 4 else self._at[self._turn // 4 % len(self._at)]
        found = self._visitors.get(name)
        if found is None or (name and self._premises.services.identity.sessions.find(found.token) is None):
            found = self._visitors[name] = self._premises.stranger() if not name else self._run(name)
        return found

    def _run(self, name: str) -> Visitor:
        slot = 2 + self._at.index(name)
        return asyncio.run_coroutine_threadsafe(self._premises.visitor(name, slot), self._loop).result(30)


def meant(case: Case[Any], chance: random.Random, slot: int) -> None:
    """As it was made up, but mostly by a slot somebody is signed in at, and often about what there is."""
    if chance.random() < 0.95:
        case.path_parameters["slot"] = slot
    _known(case.path_parameters, chance)
    if isinstance(case.body, dict):
        _known(case.body, chance)
        if chance.random() < 0.8 and "request" in case.body:
            case.body["request"] = f"r{chance.randrange(10**9)}"


def _known(at: Any, chance: random.Random) -> None:
    if isinstance(at, list):
        for held in at:
            _known(held, chance)
    if isinstance(at, dict):
        for name, held in at.items():
            if name in KNOWN and isinstance(held, str | int) and chance.random() < 0.6:
                at[name] = chance.choice(KNOWN[name])
            else:
                _known(held, chance)


def send(premises: Premises, callers: Callers, cases: int, start: int) -> Counter[str]:
    """In a thread of its own; what was answered how often."""
    schema = schemathesis.openapi.from_dict(json.loads(openapi.written()))
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) == len(OPERATIONS), "the document can be read"
    told: Counter[str] = Counter()
    chance, session = random.Random(start), requests.Session()
    session.trust_env = False
    declared = {one.name: one for one in OPERATIONS}
    share = {one.name: WEIGHTS.get(one.name, 1) for one in OPERATIONS}

    def heard(case: Case[Any]) -> None:
        visitor = callers.next(declared[case.operation.definition.raw["operationId"]])
        meant(case, chance, visitor.slot)
        answer = case.call(base_url=premises.url, headers=visitor.cookie, session=session, timeout=120)
        told[str(answer.status_code)] += 1
        told[f"{case.operation.method} {case.operation.path}".upper()] += 1
        case.validate_response(answer, checks=CHECKS)

    for operation in operations:
        each = max(1, cases * share[operation.definition.raw["operationId"]] // (2 * sum(share.values())))
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                made = operation.as_strategy(generation_mode=mode)
                limits = settings(
                    max_examples=each, deadline=None, database=None, phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )  # fmt: skip
                seed(start)(limits(given(made)(heard)))()
            except schemathesis.errors.SchemathesisError as error:
                if mode is GenerationMode.POSITIVE:
                    raise
                told[f"nothing negative: {type(error).__name__}"] += 1
    session.close()
    return told


async def run(cases: int, start: int = 1) -> Counter[str]:
    async with open_house(tables=TABLES) as premises:
        callers = Callers(premises, asyncio.get_running_loop())
        told = await asyncio.to_thread(send, premises, callers, cases, start)
        assert not premises.services.house.failed, premises.services.house.failed
        faults = [line for line in premises.lines() if line["level"] == "error"]
        assert not faults, faults[:3]
        return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given_ = parser.parse_args()
    told = uvloop.run(run(given_.cases, given_.seed))
    statuses = {name: count for name, count in sorted(told.items()) if name.isdigit()}
    print(f"cases {sum(statuses.values()):,}: {statuses}")
    for name, count in sorted(told.items()):
        if not name.isdigit():
            print(f"  {count:6,}  {name}")


if __name__ == "__main__":
    main()
