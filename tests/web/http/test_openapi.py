"""The document is what the house does: made-up requests are answered as it says, and it says everything (S15)."""

import asyncio
import json
import warnings
from typing import Any

import msgspec
import pytest
import uvloop
from jsonschema_rs import Draft202012Validator

from puntobanco.house.audit import export
from puntobanco.house.shoes.seal import Revealed
from puntobanco.odds import json_values
from puntobanco.odds.pricing import price
from puntobanco.odds.protection import live
from puntobanco.odds.shoe import Shoe, read_shoe
from puntobanco.protocol.export import Exported
from puntobanco.protocol.figures import Figures, InSight, ShoeNow
from puntobanco.protocol.rounds import RoundSteps, ShoeProof
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.web.http import asyncapi, examples, openapi
from puntobanco.web.http.operations import OPERATIONS
from puntobanco.web.http.refusals import problem
from tests.web.house import Premises, in_a_house

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis

    from tests.web import schemathesis_run


def test_s15_made_up_requests_are_answered_as_the_document_says_and_never_by_a_fault() -> None:
    told = uvloop.run(schemathesis_run.run(cases=290))
    assert sum(count for name, count in told.items() if name.isdigit()) >= 200
    assert not [name for name in told if name.isdigit() and int(name) >= 500]
    assert {"200", "400", "403", "404"} <= set(told)


@in_a_house()
async def test_the_document_that_is_served_names_every_operation(premises: Premises) -> None:
    served = (await premises.stranger().client.get("/openapi.json")).json()
    named = {(method.upper(), path) for path, methods in served["paths"].items() for method in methods}
    assert named == {(one.method, openapi.PREFIX + one.path) for one in OPERATIONS}
    made = json.loads(msgspec.json.encode(openapi.document()))
    for path, methods in made["paths"].items():
        for method, told in methods.items():
            assert served["paths"][path][method] == told
    assert served == made
    for one in OPERATIONS:
        told = served["paths"][openapi.PREFIX + one.path][one.method.lower()]
        assert bool(told["security"]) == (one.who is not None)
        assert ("requestBody" in told) == (one.takes is not None)


@in_a_house()
async def test_a_document_is_generated_once_however_many_ask_for_it(premises: Premises) -> None:
    for path, written in (("/openapi.json", openapi.written), ("/asyncapi.json", asyncapi.written)):
        written.cache_clear()
        client = premises.stranger().client
        answers = await asyncio.gather(*(client.get(path) for _ in range(4)))
        assert {answer.content for answer in answers} == {written()}
        assert written.cache_info().misses == 1
        assert {answer.headers["content-type"] for answer in answers} == {"application/json"}


def test_the_document_is_valid_openapi() -> None:
    schemathesis.openapi.from_dict(json.loads(openapi.written())).validate()


def _operations() -> list[tuple[str, dict[str, Any]]]:
    paths = openapi.document()["paths"]
    return [(f"{method} {path}", told) for path, methods in paths.items() for method, told in methods.items()]


def test_every_operation_parameter_and_answer_has_a_description() -> None:
    document = openapi.document()
    for name, told in _operations():
        assert told["summary"], name
        assert told["description"], name
        assert told["responses"]["200"]["description"], name
        assert told.get("requestBody", {"description": "none"})["description"], name
        assert not [one["name"] for one in told["parameters"] if not one.get("description")], name
    assert all(one["description"] for one in document["components"]["responses"].values())
    assert {one["name"] for one in document["tags"]} == {tag for _, told in _operations() for tag in told["tags"]}
    assert all(one["description"] for one in document["tags"])
    assert document["servers"][0]["url"] == "/"
    assert document["info"]["license"] == {"name": "MIT", "identifier": "MIT"}
    assert "/asyncapi.json" in document["info"]["description"]


def test_every_example_fits_its_schema() -> None:
    document = json.loads(openapi.written())
    bodies = 0
    for name, told in _operations():
        if "requestBody" in told:
            content = told["requestBody"]["content"]["application/json"]
            assert "example" in content, name
            _fits(document, content["example"], content["schema"])
            bodies += 1
        content = told["responses"]["200"]["content"]["application/json"]
        if content["schema"] != {"type": "null"}:
            assert content["examples"], name
        for one in content.get("examples", {}).values():
            assert one["summary"], name
            _fits(document, one["value"], content["schema"])
    assert bodies == sum(one.takes is not None for one in OPERATIONS)


def _example(kind: Any) -> Any:
    ((_, value),) = examples.of_answers()[kind].values()
    return value


def test_the_exported_round_of_the_examples_passes_its_check_and_the_card_of_the_shoe_its_proof() -> None:
    file: Exported = _example(Exported)
    checked = export.check(file.written(), file.seal)
    assert (checked.wrong, checked.bets) == ((), 1)
    (step,) = _example(RoundSteps).steps
    assert (step.version, step.hash) == (file.rows[-1].version, checked.head)
    shoe: ShoeProof = _example(ShoeProof)
    (card,) = shoe.cards
    path = tuple(map(bytes.fromhex, card.path))
    assert Revealed(card.place, read_card(card.card), bytes.fromhex(card.salt), path).proves(shoe.commitment)


def test_the_figures_of_the_examples_are_those_of_the_game() -> None:
    game = library.game("wu-song")
    figures = json.loads(json.dumps(json_values.prices(price(game, Shoe.of(8)), 8)))
    shown = _example(Figures).figures
    assert {name: figures[name] for name in shown if name != "bets"} == {k: v for k, v in shown.items() if k != "bets"}
    assert figures["bets"]["player"] == shown["bets"]["player"]
    now: ShoeNow = _example(ShoeNow)
    found = live(game, read_shoe(now.shoe), game.layouts[0])
    assert {bet: found.returns[bet] for bet in now.returns} == pytest.approx(now.returns)
    assert (set(found.favourable), read_shoe(now.shoe).cards) == (set(now.favourable), now.cards)
    sight: InSight = _example(InSight)
    first = read_card(sight.cards[0] or "").rank
    seen = live(game, Shoe.of(8).without([first]), game.layouts[0], {1: first})
    assert sight.worth == {bet: round(seen.returns[bet] * 1_000_000) for bet in sight.worth or ()}


def test_the_example_of_each_refusal_has_the_status_that_it_is_listed_under() -> None:
    document = json.loads(openapi.written())
    for status, (_, refused) in openapi.PROBLEMS.items():
        (content,) = document["components"]["responses"][openapi.response_name(status)]["content"].values()
        _fits(document, content["example"], content["schema"])
        assert content["example"]["status"] == status
        assert problem(refused, library.sentences("en")).status == status or status == 413  # too large: by the server
        assert "{" not in content["example"]["detail"]


def _fits(document: dict[str, Any], example: Any, schema: Any) -> None:
    Draft202012Validator({**schema, "components": document["components"]}).validate(
        json.loads(msgspec.json.encode(example))
    )
