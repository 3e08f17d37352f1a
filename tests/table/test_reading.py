"""Commands as they arrive."""

import msgspec
import pytest

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.reading import KINDS, read_command


def read(content: bytes | str) -> c.Command:
    return read_command(msgspec.json.decode(content))


@pytest.mark.parametrize(
    ("content", "reason", "named"),
    [
        ("[]", Reason.FIELD_MISSING, "type"),
        ("{}", Reason.FIELD_MISSING, "type"),
        ('{"type": 3}', Reason.UNKNOWN_COMMAND, "3"),
        ('{"type": {"word": "no such"}}', Reason.UNKNOWN_COMMAND, '{"word":"no such"}'),
        ('{"type": "Dance"}', Reason.UNKNOWN_COMMAND, "Dance"),
        ('{"type": "CloseBetting"}', Reason.FIELD_MISSING, "round"),
        ('{"type": "CloseBetting", "round": "1"}', Reason.FIELD_TYPE, "round"),
        ('{"type": "CloseBetting", "round": true}', Reason.FIELD_TYPE, "round"),
        ('{"type": "CloseBetting", "round": 1, "rounds": 2}', Reason.FIELD_UNKNOWN, "rounds"),
        ('{"type": "PlaceBets", "round": 1, "lines": [{"bet": "tie"}]}', Reason.FIELD_MISSING, "amount"),
        ('{"type": "PlaceBets", "round": 1, "lines": [{"bet": "tie", "amount": 1.5}]}', Reason.FIELD_TYPE, "amount"),
        ('{"type": "Report", "round": 1, "fault": "bad"}', Reason.FIELD_CHOICE, "fault"),
        ('{"type": "Report", "round": 1, "fault": "x\' - at `$.cards[9]`", "cards": []}', Reason.FIELD_CHOICE, "fault"),
        ('{"type": "PlaceBets", "round": 1, "lines": [], "x` - at `$.lines[9]": 1}', Reason.FIELD_UNKNOWN, "x"),
        ('{"type": "Report", "round": 1, "fault": "misdirected", "lies": {"1": "left"}}', Reason.FIELD_CHOICE, "lies"),
        ('{"type": "Report", "round": 1, "fault": "display", "note": "a\\nb"}', Reason.TEXT_UNREADABLE, "note"),
        ('{"type": "DrawCard", "round": 1, "index": 1, "card": {"rank": 14}}', Reason.FIELD_CHOICE, "rank"),
    ],
)
def test_what_is_no_command_is_refused_by_the_name_of_the_field(
    content: bytes | str, reason: Reason, named: str
) -> None:
    with pytest.raises(Refused) as refused:
        read(content)
    assert refused.value.reason is reason
    for language in library.LANGUAGES:
        assert named in library.sentences(language).refusal(refused.value)


def test_a_kind_of_command_that_is_not_known_is_named_as_it_was_sent() -> None:
    with pytest.raises(Refused) as refused:
        read('{"type": "Dance"}')
    assert refused.value.parameters["command"] == "Dance"


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        read(msgspec.json.encode(c.WithdrawShoe(reason="x" * 1_001)))
    assert (refused.value.reason, refused.value.parameters["most"]) == (Reason.TEXT_TOO_LONG, 1_000)


def test_nested_lines_and_places_of_cards_are_read() -> None:
    slip = c.PlaceBets(round=3, lines=(c.Line(bet="tie", amount=100_00, box=2),))
    assert read(msgspec.json.encode(slip)) == slip
    report = read('{"type": "Report", "round": 1, "fault": "misdirected", "lies": {"1": "banker"}}')
    assert isinstance(report, c.Report)
    assert report.lies == {1: "banker"}


def test_every_command_can_be_sent() -> None:
    assert set(KINDS.values()) == {kind for kind in c.Command.__subclasses__() if kind.__module__ == c.__name__}


@pytest.mark.parametrize(
    "written",
    [
        '{"type": "BuyIn", "person": "ann", "amount": 100}',
        b'{"amount":100,"person":"ann","type":"BuyIn"}',
        '{"type": "BuyIn", "person": "\\u0061nn", "amount": 100}',
        '{\n"type": "BuyIn", "person": "ann", "amount": 100}',
        '{"type": "BuyIn", "person": "ann", "amount": 100' + " " * 1_000 + "}",
    ],
)
def test_a_command_is_the_same_however_it_is_written(written: str | bytes) -> None:
    assert read(written) == c.BuyIn(person="ann", amount=100)


@pytest.mark.parametrize("hidden", ["\\u0000", "\\n", "\x7f", "\\u202e", "\u202e"])
def test_what_cannot_be_printed_is_found_however_it_is_written(hidden: str) -> None:
    with pytest.raises(Refused) as refused:
        read(f'{{"type": "BuyIn", "person": "ann{hidden}", "amount": 100}}')
    assert refused.value.reason is Reason.TEXT_UNREADABLE


def test_what_cannot_be_printed_is_found_in_a_line_of_a_slip() -> None:
    with pytest.raises(Refused) as refused:
        read('{"type": "PlaceBets", "round": 1, "lines": [{"bet": "ti\\u0000e", "amount": 100}]}')
    assert refused.value.reason is Reason.TEXT_UNREADABLE


def test_a_text_may_have_the_greatest_length_and_a_command_may_be_longer() -> None:
    longest = c.WithdrawShoe(reason="x" * 1_000)
    assert read(msgspec.json.encode(longest)) == longest
