"""The descriptions of types and properties: from docstrings, and from the glossary of field names."""

import re
from enum import StrEnum
from typing import Any

import msgspec
import pytest

from puntobanco.ledger.accounts import TransferKind
from puntobanco.protocol import live
from puntobanco.protocol.answers import Problem
from puntobanco.protocol.incidents import Stage
from puntobanco.rules.refusal import Reason, Refusal
from puntobanco.table import events as e
from puntobanco.table.commands import AnyCommand, Choice, Fault, Terms
from puntobanco.table.next_step import Awaited, StepCode
from puntobanco.table.state import Phase
from puntobanco.web import routes
from puntobanco.web.http import asyncapi, openapi
from puntobanco.web.http.operations import OPERATIONS
from puntobanco.web.http.schemas import description, flowing, glossary, schemas_of, types_in

DOCUMENTS = {"openapi": openapi.document, "asyncapi": asyncapi.document}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_every_schema_and_every_property_has_a_description(document: Any) -> None:
    assert routes.PARTS, "the operations are declared"
    schemas = document()["components"]["schemas"]
    assert not [name for name, schema in schemas.items() if not schema.get("description")]
    properties = [
        (name, field, told) for name, schema in schemas.items() for field, told in schema.get("properties", {}).items()
    ]
    assert len(properties) > 300
    assert not [f"{name}.{field}" for name, field, told in properties if not told.get("description")]


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_every_description_is_a_sentence_on_one_line(document: Any) -> None:
    for name, schema in document()["components"]["schemas"].items():
        for told in (schema, *schema.get("properties", {}).values()):
            assert told["description"][-1] in ".`", (name, told["description"])
            assert "\n " not in told["description"], name


UNITS = re.compile(
    r"cents|milliseconds|[Ss]econds|[Mm]inutes|[Nn]umber|[Vv]ersion|[Hh]ow (many|often)|[Pp]lace|points|share|stake|"
    r"chance"
)
"""What a number may count or number."""


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_number_says_what_it_counts(document: Any) -> None:
    for name, schema in document()["components"]["schemas"].items():
        for field, told in schema.get("properties", {}).items():
            types = str({key: value for key, value in told.items() if key != "description"})
            if "'integer'" in types or "'number'" in types:
                assert UNITS.search(told["description"]), f"{name}.{field}: {told['description']}"


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_description_says_what_it_is_and_speaks_no_python(document: Any) -> None:
    for name, schema in document()["components"]["schemas"].items():
        assert not schema["description"].startswith("`"), name
        for told in (schema, *schema.get("properties", {}).values()):
            assert not re.search(r"\bNone\b|\bby tag\b", told["description"]), (name, told["description"])


def test_the_values_of_an_enumeration_are_in_the_order_that_its_description_refers_to() -> None:
    _, components = schemas_of([Phase, Fault])
    assert components["Phase"]["enum"] == list(Phase)
    assert components["Fault"]["enum"] == list(Fault)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_no_schema_is_named_by_a_path_of_the_program(document: Any) -> None:
    """msgspec names two types of one name by their modules."""
    names = list(document()["components"]["schemas"])
    assert not [name for name in names if not name.isalnum()]
    assert len({name.lower() for name in names}) == len(names)


def test_a_field_is_described_by_its_own_docstring_before_the_glossary() -> None:
    kind = types_in([live.Watch])[live.Watch]
    assert isinstance(kind, msgspec.inspect.StructType)
    fields = {field.name: description(live.Watch, field) for field in kind.fields}
    assert fields["version"].startswith("The version that the screen shows.")
    assert fields["table"] == glossary()["table"]


def test_a_field_that_is_inherited_keeps_its_docstring() -> None:
    _, components = schemas_of([Problem])
    _, above = schemas_of([Refusal])
    said = above["Refusal"]["properties"]["parameters"]["description"]
    assert components["Problem"]["properties"]["parameters"]["description"] == said
    assert components["Problem"]["properties"]["detail"]["description"].startswith("The sentence of the refusal")


def test_the_tag_and_the_values_of_an_enumeration_are_described() -> None:
    _, components = schemas_of([e.CardDrawn, Choice])
    assert components["CardDrawn"]["properties"]["type"]["description"] == "The tag of this type: always `CardDrawn`."
    assert "- `by_hand`: Deal the remaining cards in order by hand." in components["Choice"]["description"]


@pytest.mark.parametrize("kind", [Awaited, Choice, Fault, Reason, Stage, StepCode, Terms, TransferKind])
def test_every_value_that_its_name_does_not_explain_is_described(kind: type[StrEnum]) -> None:
    _, components = schemas_of([kind])
    described = re.findall(r"(?m)^- `(\w+)`: \S", components[kind.__name__]["description"])
    assert described == list(kind)


def test_the_glossary_names_only_fields_that_need_it() -> None:
    """A name that every type describes for itself has no entry, so that no meaning is written down unread."""
    queries = [one.query for one in OPERATIONS if one.query is not None]
    kinds = [*openapi.definitions(live.FromScreen, live.FromHouse), AnyCommand, *queries]
    _, components = schemas_of(kinds)
    said = {
        (field, told["description"])
        for schema in components.values()
        for field, told in schema.get("properties", {}).items()
    }
    in_paths = {part[1:-1] for one in OPERATIONS for part in one.path.split("/") if part.startswith("{")}
    assert not [name for name, meaning in glossary().items() if (name, meaning) not in said and name not in in_paths]


def test_a_type_without_a_word_about_it_has_no_description() -> None:
    class Bare(StrEnum):
        ONE = "one"

    class Silent(msgspec.Struct):
        unheard_of: Bare

    _, components = schemas_of([Silent])
    assert "description" not in components["Silent"]
    assert "description" not in components["Bare"]
    assert "description" not in components["Silent"]["properties"]["unheard_of"]


def test_a_docstring_loses_the_line_breaks_of_the_source_and_keeps_its_paragraphs() -> None:
    assert flowing("One\n    line.\n\n    Another.\n    ") == "One line.\n\nAnother."
