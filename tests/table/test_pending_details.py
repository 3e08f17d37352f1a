"""Which cards belong to a round and to which hand, with some of them face down; and for whom a value was worked out."""

import pytest

from puntobanco.rules.cards import Card, read_card, read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.commands import Fault
from puntobanco.table.pending import replayed
from tests.table.pit import DEALER, Pit, in_play

P, B = Side.PLAYER, Side.BANKER
FOUR = (P, B, P, B)


def faces(written: str) -> tuple[Card | None, ...]:
    """`?` is a card that lies face down."""
    return tuple(None if card == "?" else read_card(card) for card in written.split())


@pytest.mark.parametrize(
    ("written", "sides"),
    [
        ("", ()),
        ("5 ?", FOUR[:2]),
        ("? 5 5", FOUR[:3]),
        ("5 5 5 ? 5 5", FOUR),
        ("9 K K K", FOUR),
        ("9 K K K 5 5", FOUR),  # a natural
        ("9 K K K ?", FOUR),
        ("9 K K K 5 ?", FOUR),
        ("K K 6 5 5", (*FOUR, B)),  # Player stands on 6
        ("K K 6 5 ? ?", (*FOUR, B)),
        ("K A K K", FOUR),
        ("K A K K 5", (*FOUR, P)),
        ("K A K K ?", (*FOUR, P)),
        ("K A K K ? 5", (*FOUR, P)),
        ("K A K K 5 ?", (*FOUR, P, B)),
        ("K A K K 5 5 5", (*FOUR, P, B)),
        ("K A K K 5 ? ?", (*FOUR, P, B)),
        ("K 7 K K 5 ?", (*FOUR, P)),  # Banker stands on 7
    ],
)
def test_a_card_has_its_place_if_the_faces_before_it_say_so(written: str, sides: tuple[Side, ...]) -> None:
    assert replayed(faces(written)) == (len(sides), sides)


@pytest.mark.parametrize(
    ("written", "sides"),
    [
        ("K A K K ?", (*FOUR, P)),
        ("K A K K ? ?", (*FOUR, P, B)),
        ("K A K K ? 5", (*FOUR, P, B)),
        ("K A K K ? 5 5", (*FOUR, P, B)),
        ("K A K K 5 ?", (*FOUR, P, B)),
    ],
)
def test_4_1_5_both_third_cards_have_their_places_before_either_is_seen(written: str, sides: tuple[Side, ...]) -> None:
    assert replayed(faces(written), waived=True) == (len(sides), sides)


def test_4_1_5_the_bankers_third_card_is_drawn_before_the_players_is_seen_only_after_the_waiver() -> None:
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.hides(1, 2, 3, 4)
    assert pit.refused(DEALER, c.DrawCard(round=1, index=5)) == (Reason.EXPOSE_FIRST, None)
    pit.turn(dict(enumerate(["K", "A", "K", "K"], start=1)))
    pit.hides(5)
    assert pit.refused(DEALER, c.DrawCard(round=1, index=6)) == (Reason.EXPOSE_FIRST, None)


@pytest.mark.parametrize("seen", ["Q", "K"])
def test_a_value_that_was_worked_out_on_other_cards_is_left_out(seen: str) -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.EXCESS, cards=read_cards("Q"))
    worth = c.Worth(cards=read_cards(seen), returns={"player": 300_018})
    pit.staff(DEALER, c.OpenBetting(acknowledge=True, worth=worth))
    (alert,) = [one for one in pit.told(e.AlertRaised) if one.kind == Alert.EXPOSED_CARD_CARRIED_OVER]
    assert alert.worth == ({"player": 300_018} if seen == "Q" else {})
