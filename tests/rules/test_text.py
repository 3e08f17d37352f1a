"""Text that people write is one printable line, wherever it stands."""

import pytest

from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import check_text, is_line, printable


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "a\x00", "right\u202eto left", "too long"])
def test_what_is_no_line_is_found(text: str) -> None:
    assert not is_line(text, most=7)


@pytest.mark.parametrize("text", ["a note", "记录一行", " a line"])
def test_a_line_may_have_blanks_and_any_script(text: str) -> None:
    assert is_line(text, most=7)


def test_what_a_terminal_would_obey_is_replaced() -> None:
    assert printable("a\x1b[2Jb\n记") == "a?[2Jb?记"


@pytest.mark.parametrize(
    ("value", "reason", "field"),
    [
        ({"lines": [{"bet": "a\nb"}]}, Reason.TEXT_UNREADABLE, "lines.bet"),
        ({"notes": ["fine", "x" * 11]}, Reason.TEXT_TOO_LONG, "notes"),
        ({"note": "", "amount": 5}, None, ""),
    ],
)
def test_text_is_checked_anywhere_within_a_command(value: object, reason: Reason | None, field: str) -> None:
    if reason is None:
        check_text(value, "command", "place", most=10)
        return
    with pytest.raises(Refused) as refused:
        check_text(value, "command", "place", most=10)
    assert (refused.value.reason, refused.value.parameters["field"]) == (reason, field)
