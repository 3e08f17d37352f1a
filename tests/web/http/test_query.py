"""A query is read by the kinds its operation declares."""

import pytest

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
