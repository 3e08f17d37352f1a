"""The document is what the house does: made-up requests are answered as it says, and it says everything (S15)."""

import json
import warnings

import msgspec
import uvloop

from puntobanco.web.http import openapi
from puntobanco.web.http.operations import OPERATIONS
from tests.web.house import Premises, in_a_house

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
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
