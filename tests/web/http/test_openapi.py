"""The document is what the house does: made-up requests are answered as it says, and it says everything (S15)."""

import asyncio
import json
import warnings
from typing import Any

import msgspec
import uvloop
from jsonschema_rs import Draft202012Validator

from puntobanco.rules import library
from puntobanco.web.http import asyncapi, openapi
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
    assert "/asyncapi.json" in document["info"]["description"]


def test_every_example_fits_its_schema() -> None:
    document = json.loads(openapi.written())
    bodies = answers = 0
    for name, told in _operations():
        if "requestBody" in told:
            content = told["requestBody"]["content"]["application/json"]
            assert "example" in content, name
            _fits(document, content["example"], content["schema"])
            bodies += 1
        content = told["responses"]["200"]["content"]["application/json"]
        for one in content.get("examples", {}).values():
            assert one["summary"], name
            _fits(document, one["value"], content["schema"])
            answers += 1
    assert bodies == sum(one.takes is not None for one in OPERATIONS)
    assert answers >= 25


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
