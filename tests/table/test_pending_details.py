"""Which cards belong to a round and to which hand, with some of them face down; and for whom a value was worked out."""

import pytest

from puntobanco.rules.cards import Card, read_card, read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Fault
from puntobanco.table.decide import Refusal
from puntobanco.table.felt import Edition, Felt
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
        ("K A K K 5 ? ?", (*FOUR, P, B)),
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
    pit.player("ann", c.RequestWaiver(round=1))
    pit.staff(DEALER, c.AnswerWaiver(round=1, consent=True))
    pit.hides(6)
    assert pit.hands == {"player": "K K ?", "banker": "A K ?"}
    assert pit.refused(DEALER, c.DrawCard(round=1, index=7)) == (Reason.EXPOSE_FIRST, None)


def test_a_command_for_another_round_is_refused() -> None:
    pit = in_play("commission")
    for number in (0, 2):
        stale = c.DrawCard(round=number, index=1, card=read_card("5"))
        assert pit.refused(DEALER, stale) == (Reason.STALE_ROUND, None)


def test_the_house_that_deals_refuses_what_is_over_the_limit_since_the_second_reading() -> None:
    pit = Pit("commission", automatic=True, differential=500_00)
    pit.felt = Felt(pit.game, pit.felt.layout, Edition.SECOND_READING)
    pit.open()
    line = c.Line(bet="player", amount=600_00, box=1)
    assert pit.refused("ann", c.PlaceBets(round=1, lines=(line,))) == (Reason.OVER_DIFFERENTIAL, "5.1")
    pit.felt = Felt(pit.game, pit.felt.layout, Edition.GUESTS_CONFIRM)
    pit.bet("ann", "player", 600)


def test_boxes_that_wait_to_be_paid_are_named_in_order() -> None:
    pit = Pit("commission")
    pit.open()
    for box in (8, 1):
        pit.bet("ann", "player", 100, box=box)
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    answer = pit.tell(c.CashOut(person="ann", amount=99_900_00), By("ann", Role.PLAYER, pit.now))
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.parameters["boxes"]) == (Reason.BOX_UNPAID, "1, 8")


@pytest.mark.parametrize("seen", ["Q", "K"])
def test_a_value_that_was_worked_out_on_other_cards_is_left_out(seen: str) -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.EXCESS, cards=read_cards("Q"))
    worth = c.Worth(cards=read_cards(seen), returns={"player": 300_018})
    pit.staff(DEALER, c.OpenBetting(acknowledge=True, worth=worth))
    (alert,) = [one for one in pit.told(e.AlertRaised) if one.kind == Alert.EXPOSED_CARD_CARRIED_OVER]
    assert alert.worth == ({"player": 300_018} if seen == "Q" else {})
