"""A game as it would be if a pay line said something else: read from its text, refused by name."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.refusal import Expected, Reason, Refused
from puntobanco.rules.tried_pay import NewPay


def test_a_line_pays_what_is_tried_and_the_game_is_another() -> None:
    text = library.source("commission")
    plain, _ = library.game_from(text)
    tried, _ = library.game_from(text, [NewPay(bet="tie", line=1, pays="9:1")])
    assert plain == library.game("commission")
    assert tried.fingerprint != plain.fingerprint
    assert [one.key for one, was in zip(tried.bets, plain.bets, strict=True) if one != was] == ["tie"]


def test_a_commission_is_tried_where_there_is_one_and_nowhere_else() -> None:
    text = library.source("commission")
    kept, _ = library.game_from(text, [NewPay(bet="banker", line=1, pays="0.95:1")])
    less, _ = library.game_from(text, [NewPay(bet="banker", line=1, pays="0.96:1", rate="4%")])
    assert kept == library.game("commission")
    assert less.fingerprint != kept.fingerprint
    free, _ = library.game_from(text, [NewPay(bet="player", line=1, pays="1:1", rate="4%")])
    assert free == kept


def test_a_commission_tried_alone_changes_what_the_line_pays() -> None:
    text = library.source("commission")
    both, _ = library.game_from(text, [NewPay(bet="banker", line=1, pays="0.96:1", rate="4%")])
    alone, _ = library.game_from(text, [NewPay(bet="banker", line=1, rate="4%")])
    assert alone == both
    with pytest.raises(Refused) as refused:
        library.game_from(text, [NewPay(bet="banker", line=1, rate="four")])
    assert (refused.value.reason, refused.value.refusal.parameters["field"]) == (Reason.FIELD_WRONG, "rate")


@pytest.mark.parametrize(
    ("tried", "reason"),
    [
        (NewPay(bet="dragon", line=1, pays="1:1"), Reason.UNKNOWN_BET),
        (NewPay(bet="tie", line=0, pays="1:1"), Reason.FIELD_WRONG),
        (NewPay(bet="tie", line=9, pays="1:1"), Reason.FIELD_WRONG),
    ],
)
def test_a_line_that_is_not_there_is_refused(tried: NewPay, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        library.game_from(library.source("commission"), [tried])
    assert refused.value.reason is reason


def test_only_the_five_have_a_file_here() -> None:
    with pytest.raises(Refused) as refused:
        library.source("dragon")
    assert refused.value.reason is Reason.UNKNOWN_GAME


PARTS = ".".join(["a"] * 9_000)


@pytest.mark.parametrize(
    "written",
    [
        f"{PARTS} = 1", f"[{PARTS}]", f"[[{PARTS}]]", f"x = {{ {PARTS} = 1 }}", PARTS.replace("a", '"a"') + " = 1",
        PARTS.replace(".", " . ") + " = 1", f"{PARTS} = 1 # ' ",
        # Quotes that close elsewhere than they seem to, so that the key looks like part of a string.
        f"x = [''' '' '''', {{ {PARTS} = 1 }}, \" ' \"]", f'x = ["""\\"\"" """, {{ {PARTS} = 1 }}, " \' "]',
        f'x = [""" x" \' y" """, {{ {PARTS} = 1 }}, " \' "]', f"x = ['\\', {{ {PARTS} = 1 }}, \" ' \"]",
        f'x = ["\\\\", {{ {PARTS} = 1 }}, " \' "]', f'x = 1 # "\n{PARTS} = 1 # "',
    ],
    ids=range(13),
)  # fmt: skip
def test_a_key_of_very_many_parts_is_not_even_read(written: str) -> None:
    """It would take the square of their number: a hundred kilobytes a minute."""
    with pytest.raises(Refused) as refused:
        library.game_from(written)
    assert refused.value.parameters["why"] == {"word": Expected.FEW_DOTS}


@pytest.mark.parametrize("quotes", [('"', '"'), ("'", "'"), ('"""', '"""'), ("'''", "'''"), ("1 # ", "")])
def test_dots_in_strings_and_comments_are_only_text(quotes: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        library.game_from(f"x = {quotes[0]}{'. ' * 1_000}{quotes[1]}")
    assert refused.value.reason is Reason.FIELD_UNKNOWN


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("a = " + "[" * 100_000, Reason.FILE_MALFORMED), ("a = " + "{a=" * 100_000, Reason.FILE_MALFORMED),
        ("a = " + "9" * 100_000, Reason.FILE_MALFORMED), ("#" * 1_000_001, Reason.FILE_MALFORMED),
        ('a = """' + '\\"""' * 200_000, Reason.FILE_MALFORMED), ('a = "' + '\\"' * 400_000, Reason.FILE_MALFORMED),
        ('"""\\' * 200_000, Reason.FILE_MALFORMED), ("\n".join(f"[t{i}]" for i in range(9_999)), Reason.FIELD_UNKNOWN),
    ],
    ids=range(8),
)  # fmt: skip
def test_a_text_made_to_be_slow_is_refused(written: str, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        library.game_from(written)
    assert refused.value.reason is reason


def test_a_game_has_no_more_bets_than_can_be_checked_against_each_other() -> None:
    bet = """
        [[bet]]
        key = "x%d"
        title = { en = "X", zh = "X" }
        rule = "1.5"
        lines = [{ when = { winner = "banker" }, pays = "1:1", rule = "4.1.1" }]
    """
    with pytest.raises(Refused) as refused:
        library.game_from(library.source("commission") + "".join(bet % nth for nth in range(50)))
    assert (refused.value.reason, refused.value.parameters["field"]) == (Reason.FIELD_LENGTH, "bet")
