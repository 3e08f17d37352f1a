"""The live protocol as a document: complete, well-formed by AsyncAPI 3.0, and true of the messages that are sent."""

import json
import re
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
from jsonschema_rs import Draft7Validator

from puntobanco.protocol.live import FromHouse, FromScreen
from puntobanco.table.commands import AnyCommand
from puntobanco.table.tags import tag_of
from puntobanco.web.http import asyncapi
from tests.web.house import Premises, heard, in_a_house

KINDS = (*get_args(FromScreen), *get_args(FromHouse))


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(asyncapi.written())
    return found


def _references(part: Any) -> list[str]:
    if isinstance(part, list):
        return [found for one in part for found in _references(one)]
    if not isinstance(part, dict):
        return []
    own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
    return own + [found for one in part.values() for found in _references(one)]


def _at(document: dict[str, Any], reference: str) -> Any:
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def _valid(document: dict[str, Any], payload: Any, schema: str) -> None:
    Draft7Validator({"$ref": schema, "components": document["components"]}).validate(payload)


def test_the_document_has_the_form_of_asyncapi_3(document: dict[str, Any]) -> None:
    assert document["asyncapi"] == "3.0.0"
    assert set(document) == {
        "asyncapi",
        "info",
        "defaultContentType",
        "servers",
        "channels",
        "operations",
        "components",
    }
    assert {"title", "version", "description", "license"} == set(document["info"]), (
        "its addresses would have to be absolute"
    )
    assert "/openapi.json" in document["info"]["description"]
    (server,) = document["servers"].values()
    assert server["protocol"] == "wss"
    assert set(re.findall(r"{(\w+)}", server["host"])) == set(server["variables"])
    (channel,) = document["channels"].values()
    assert set(re.findall(r"{(\w+)}", channel["address"])) == set(channel["parameters"])
    assert set(channel["parameters"]["slot"]) <= {"enum", "default", "description", "examples", "location"}
    assert set(channel["bindings"]["ws"]) == {"method", "query", "headers", "bindingVersion"}
    for operation in document["operations"].values():
        assert operation["action"] in ("send", "receive")
        named = [one["$ref"] for one in [*operation["messages"], *operation.get("reply", {}).get("messages", [])]]
        assert all(one.startswith("#/channels/live/messages/") for one in named)


def test_every_reference_leads_somewhere_and_stands_alone(document: dict[str, Any]) -> None:
    for reference in _references(document):
        assert _at(document, reference), reference

    def alone(part: Any) -> None:
        if isinstance(part, dict):
            assert "$ref" not in part or len(part) == 1 or not isinstance(part["$ref"], str)
            assert "prefixItems" not in part
        for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            alone(one)

    alone(document)


def test_every_schema_is_a_json_schema_of_draft_7(document: dict[str, Any]) -> None:
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "http://json-schema.org/draft-07/schema#", **schema})


def test_every_message_is_described_and_belongs_to_an_operation(document: dict[str, Any]) -> None:
    messages = document["components"]["messages"]
    assert set(messages) == {tag_of(kind) for kind in KINDS} == set(document["channels"]["live"]["messages"])
    used = {
        one["$ref"].rpartition("/")[2]
        for operation in document["operations"].values()
        for one in [*operation["messages"], *operation.get("reply", {}).get("messages", [])]
    }
    assert used == set(messages)
    for part in [*messages.values(), *document["operations"].values(), *document["channels"].values()]:
        assert part["description"]
        assert part["title"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_example_of_each_message_is_one(document: dict[str, Any], kind: Any) -> None:
    message = document["components"]["messages"][tag_of(kind)]
    (example,) = message["examples"]
    _valid(document, example["payload"], message["payload"]["$ref"])
    read = msgspec.convert(example["payload"], kind, str_keys=True)
    assert json.loads(msgspec.json.encode(read)) == example["payload"]


def test_a_command_is_one_of_the_commands_of_a_table(document: dict[str, Any]) -> None:
    command = document["components"]["schemas"]["Do"]["properties"]["command"]
    assert len(command["anyOf"]) == len(get_args(AnyCommand))
    wrong = {"type": "Do", "table": "t", "request": "r", "command": {"type": "Nothing"}}
    with pytest.raises(jsonschema_rs.ValidationError, match="anyOf"):
        _valid(document, wrong, "#/components/schemas/Do")


@in_a_house()
async def test_a_real_connection_speaks_as_the_document_says(premises: Premises) -> None:
    document = (await premises.stranger().client.get("/asyncapi.json")).json()
    assert document == json.loads(asyncapi.written())
    visitor = await premises.visitor("ann")
    address = document["channels"]["live"]["address"].replace("{slot}", str(visitor.slot))
    messages, spoken = document["components"]["messages"], set[str]()
    sent: list[dict[str, Any]] = [
        {"type": "Watch", "table": "here"},
        {"type": "Do", "table": "here", "request": "a-1", "command": {"type": "CashOut", "person": "ann", "amount": 1}},
        {"type": "Watch", "table": "nowhere"},
        {"type": "Probe"},
    ]
    async with visitor.live(path=address) as connection:
        for message in sent:
            _valid(document, message, messages[message["type"]]["payload"]["$ref"])
            await connection.send(json.dumps(message))
        while not {"Whole", "Answered", "Misheard", "Beat"} <= spoken:
            answer = heard(await connection.recv())
            _valid(document, answer, messages[answer["type"]]["payload"]["$ref"])
            spoken.add(answer["type"])
