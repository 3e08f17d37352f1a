"""A game as it would be if a pay line said something else: read from its text, refused by name."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.library import NewPay
from puntobanco.rules.refusal import Reason, Refused


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


def test_a_text_with_too_many_dots_in_a_line_is_not_even_read() -> None:
    with pytest.raises(Refused) as refused:
        library.game_from("a" + ".a" * 10_000 + " = 1")
    assert refused.value.reason is Reason.FILE_MALFORMED
