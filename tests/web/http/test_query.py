"""A query is read by the kinds its operation declares."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.web.handlers.odds import Edges
from puntobanco.web.http.operations import read_query


def test_a_word_that_may_be_left_out_is_still_a_word() -> None:
    assert read_query([("layout", "A"), ("decks", "6")], Edges) == Edges(layout="A", decks=6)
    assert read_query([], Edges) == Edges()


def test_a_figure_is_written_plainly() -> None:
    with pytest.raises(Refused) as refused:
        read_query([("decks", "6e1")], Edges)
    assert refused.value.reason is Reason.FIELD_WRONG


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([("decks", "many")], ("request: query: decks: expected a whole number.", "request：query：decks：应为整数。")),
        (
            [("decks", "6"), ("decks", "8")],
            ("request: query: decks: expected only once.", "request：query：decks：只能出现一次。"),
        ),
    ],
)
def test_a_wrong_query_is_refused_in_the_readers_language(pairs: list[tuple[str, str]], said: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        read_query(pairs, Edges)
    assert tuple(library.sentences(language).refusal(refused.value.refusal) for language in ("en", "zh")) == said
