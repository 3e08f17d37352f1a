"""Answers cross every boundary unchanged: into the store and back, and over the wire in the reader's language."""

import msgspec
import pytest

from puntobanco.house.stream import answer_again, kept_answer, read_answer
from puntobanco.protocol.answers import Answer, LineRefused, Problem
from puntobanco.protocol.live import Answered, FromHouse, Misheard
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.store.records import StoredAnswer
from puntobanco.web.http.refusals import answer, problem, told
from tests.house.every_refusal import EVERY

LINES = tuple(LineRefused(place, one.refusal) for place, one in enumerate(EVERY))
ANSWERS = [Answer(3), Answer(3, waits=2), Answer(3, None, LINES), *(Answer(3, one.refusal) for one in EVERY)]


def test_every_answer_is_read_from_the_store_as_it_was_given() -> None:
    for one in ANSWERS:
        assert read_answer(kept_answer("ann", "r1", b"asked", one)) == one


def test_a_number_used_for_something_else_is_refused() -> None:
    kept = kept_answer("ann", "r1", b"asked", Answer(3))
    assert answer_again(kept, b"asked", 7) == Answer(3)
    assert answer_again(kept, b"other", 7) == Answer(7, Refusal(Reason.REQUEST_REUSED, None, {"request": "r1"}))


@pytest.mark.parametrize(
    ("written", "given"),
    [
        (b'{"version":7,"refusal":null,"lines":[],"waits":null}', Answer(7)),
        (b'{"version":7,"waits":3}', Answer(7, waits=3)),
        (
            b'{"version":7,"refusal":null,"lines":[[1,{"reason":"slip_empty","paragraph":"5.1","parameters":{"a":1}}]],'
            b'"waits":null}',
            Answer(7, None, (LineRefused(1, Refusal(Reason.SLIP_EMPTY, "5.1", {"a": 1})),)),
        ),
    ],
)
def test_answers_of_earlier_versions_are_read(written: bytes, given: Answer) -> None:
    assert read_answer(StoredAnswer("ann", "r1", b"", written)) == given


@pytest.mark.parametrize("language", library.LANGUAGES)
def test_every_answer_and_refusal_comes_over_the_wire_as_it_was_told(language: str) -> None:
    for one in ANSWERS:
        said = Answered(request="r1", answer=answer(one, library.sentences(language)))
        assert msgspec.json.decode(msgspec.json.encode(said), type=FromHouse) == said
    for refused in EVERY:
        misheard = Misheard(why=told(refused.refusal, library.sentences(language)))
        assert misheard.why.sentence
        assert msgspec.json.decode(msgspec.json.encode(misheard), type=FromHouse) == misheard
        document = problem(refused, library.sentences(language))
        again = msgspec.json.decode(msgspec.json.encode(document), type=Problem)
        assert again == document
        assert Refused.of(again).sentence == misheard.why.sentence
        assert (again.reason, again.paragraph) == (refused.reason, refused.paragraph)


def test_a_problem_document_has_the_fields_of_rfc_9457() -> None:
    document = msgspec.to_builtins(problem(Refused(Reason.UNKNOWN_TABLE, "5.1", table="x"), library.sentences("en")))
    assert document == {
        "title": "unknown table",
        "status": 404,
        "reason": "unknown_table",
        "detail": library.sentences("en").say("refusal", "unknown_table", table="x"),
        "paragraph": "5.1",
        "parameters": {"table": "x"},
    }
