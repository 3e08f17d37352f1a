"""Cards put back in order, at the edges: cards nobody has seen, a shoe that is nearly empty, and claims of players."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.explain import RunningAccount
from puntobanco.table.state import Phase
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play

LONG = ["commission", "wu-song"]
SWAPPED = {1: Side.BANKER, 2: Side.PLAYER}


def ruling(pit: Pit, choice: Choice, cards: str) -> c.Rule:
    """An answer to the open question. `?` is a card that lies face down."""
    faces = tuple(None if card == "?" else read_cards(card)[0] for card in cards.split())
    return c.Rule(question=pit.state.questions, choice=choice, reason="seen on the camera", cards=faces)


# ---- cards face up by mistake ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_5_11_cards_between_those_face_up_stay_face_down(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1, 2, 3)
    first, last = read_cards("7 3")
    pit.report(Fault.FACE_UP, index=1, cards=(first, None, last))
    assert pit.hands == {"player": "7 3", "banker": "?"}


@pytest.mark.parametrize(("index", "told"), [(None, ["seen_cards"]), (2, ["seen_face", "seen_face"])])
def test_a_report_of_an_earlier_round_says_where_cards_lay_only_if_somebody_said_so(
    index: int | None, told: list[str]
) -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.open()
    late = c.Report(round=1, fault=Fault.FACE_UP, index=index, cards=read_cards("7 3"))
    reported = pit.staff(SUPERVISOR, late)[0]
    (said,) = RunningAccount(pit.game, pit.state).tell(reported)
    assert [detail.key for detail in said.parameters["details"]] == told


# ---- the cards of a ruling ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_5_5_3_cards_missing_from_the_hands_are_added_with_their_faces(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1, 2)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    assert pit.refused(SUPERVISOR, ruling(pit, Choice.RECONSTRUCT, "? ? ?"))[0] is Reason.CARDS_DIFFER
    pit.staff(SUPERVISOR, ruling(pit, Choice.RECONSTRUCT, "? ? 5"))
    assert pit.hands == {"player": "? 5", "banker": "?"}


@pytest.mark.parametrize("key", LONG)
def test_5_5_3_what_a_player_claims_to_have_seen_is_not_in_the_shoe_any_more(key: str) -> None:
    pit = in_play(key, "9 7", decks=4)
    pit.report(Fault.EXCESS, cards=(None,) * 203)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone()
    pit.claim("bob", Fault.WRONG_NUMBER_OF_CARDS, cards=read_cards("K"))
    assert pit.state.shoe is not None
    assert pit.state.shoe.left == 3
    cards = " ".join(["9 7", *["?"] * 203, "K"])
    assert pit.refused(SUPERVISOR, ruling(pit, Choice.RECONSTRUCT, f"{cards} 5 5 5"))[0] is Reason.CARDS_DIFFER
    pit.staff(SUPERVISOR, ruling(pit, Choice.RECONSTRUCT, f"{cards} 5 5"))
    assert pit.state.shoe.left == 0


@pytest.mark.parametrize("key", LONG)
def test_a_record_is_corrected_beside_cards_that_lie_face_down(key: str) -> None:
    """What everybody sees on the table is named, and nothing that everybody sees is said to lie face down."""
    pit = in_play(key, face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "9", 4: "2"})
    pit.report(Fault.MISKEYED)
    assert pit.refused(SUPERVISOR, ruling(pit, Choice.CORRECT, "8 ?"))[0] is Reason.CARDS_MISSING
    assert pit.refused(SUPERVISOR, ruling(pit, Choice.CORRECT, "8 ? ? ?"))[0] is Reason.CARDS_DIFFER
    pit.staff(SUPERVISOR, ruling(pit, Choice.CORRECT, "8 ? ? 2"))
    assert pit.hands == {"player": "8 ?", "banker": "? 2"}


@pytest.mark.parametrize("key", LONG)
def test_a_record_may_be_corrected_to_fewer_cards_if_all_lie_face_up(key: str) -> None:
    pit = in_play(key, "9 7 K")
    pit.report(Fault.MISKEYED)
    pit.staff(SUPERVISOR, ruling(pit, Choice.CORRECT, "9 7"))
    assert pit.hands == {"player": "9", "banker": "7"}


@pytest.mark.parametrize(("front", "cards", "closes"), [("", "K", True), ("K", "K ?", False), ("K", "K 7", True)])
def test_5_7_a_face_that_a_ruling_names_while_betting_is_open_closes_it(front: str, cards: str, closes: bool) -> None:
    """A card that everybody knew before does not."""
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    if front:
        pit.report(Fault.EXCESS, cards=read_cards(front))
    pit.open(acknowledge=bool(front))
    pit.bet("ann", "player", 100)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=(None,))
    pit.staff(SUPERVISOR, ruling(pit, Choice.RECONSTRUCT, cards))
    assert [closed.by_card for closed in pit.told(e.BettingClosed)[1:]] == [True] * closes


# ---- as they lie -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_a_record_of_hands_left_as_they_lie_is_corrected_to_what_can_lie_there(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    pit.everyone()
    pit.deal("4 8 2")
    pit.report(Fault.MISKEYED)
    assert pit.hands == {"player": "K 4 2", "banker": "5 8"}
    assert pit.refused(SUPERVISOR, ruling(pit, Choice.CORRECT, "5 K 4"))[0] is Reason.CARDS_MISSING
    natural = ruling(pit, Choice.CORRECT, "5 9 9 8 2")
    assert pit.refused(SUPERVISOR, natural)[0] is Reason.LIES_IMPOSSIBLY
    pit.staff(SUPERVISOR, ruling(pit, Choice.CORRECT, "6 K 4 8 2"))
    assert pit.hands == {"player": "K 4 2", "banker": "6 8"}


@pytest.mark.parametrize("key", LONG)
def test_5_5_3_a_hand_with_another_number_of_cards_voids_the_round_even_if_it_could_have_been_dealt_so(
    key: str,
) -> None:
    pit = in_play(key, "K K 2 3 4")
    pit.report(Fault.MISDIRECTED, lies={1: Side.BANKER})
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert pit.told(e.RoundVoided)[0].cause is Fault.WRONG_NUMBER_OF_CARDS


@pytest.mark.parametrize("key", LONG)
def test_hands_with_a_third_card_are_left_as_they_lie_if_they_could_have_been_dealt_so(key: str) -> None:
    pit = in_play(key, "A 2 2 3 4")
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (pit.state.as_lying, pit.hands) == (True, {"player": "2 2 4", "banker": "A 3"})


OTHER_TWO = {3: Side.BANKER, 4: Side.PLAYER}


@pytest.mark.parametrize("key", LONG)
def test_a_claim_of_cards_misdirected_is_ruled_on_by_itself(key: str) -> None:
    claimed_last = in_play(key, "5 K 4 3")
    claimed_last.report(Fault.MISDIRECTED, lies=SWAPPED)
    claimed_last.claim("bob", Fault.MISDIRECTED, lies=OTHER_TWO)
    claimed_first = in_play(key, "5 K 4 3")
    claimed_first.claim("bob", Fault.MISDIRECTED, lies=SWAPPED)
    claimed_first.report(Fault.MISDIRECTED, lies=OTHER_TWO)
    for pit in (claimed_last, claimed_first):
        pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
        assert (pit.hands, [one.number for one in pit.state.faults]) == ({"player": "K 4", "banker": "5 3"}, [2])
        pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
        assert (pit.hands, pit.state.faults) == ({"player": "K 3", "banker": "5 4"}, ())


@pytest.mark.parametrize("key", LONG)
def test_two_other_errors_are_each_ruled_on(key: str) -> None:
    pit = in_play(key, "5 K 4 3")
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert [one.number for one in pit.state.faults] == [2, 3]
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert [one.number for one in pit.state.faults] == [3]


# ---- the Banker's third card first -------------------------------------------------------------------------------


def waived() -> Pit:
    """Player has 0 and Banker 1, and both third cards lie face down."""
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn(dict(enumerate(["K", "A", "K", "K"], start=1)))
    if pit.phase is Phase.INSURANCE:
        pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    pit.player("ann", c.RequestWaiver(round=1))
    pit.staff(DEALER, c.AnswerWaiver(round=1, consent=True))
    pit.hides(5, 6)
    pit.turn({6: "9"})
    return pit


@pytest.mark.parametrize(("cards", "stays"), [("K 2 K K ? 5", True), ("K 5 K K ? 5", False)])
def test_4_1_5_the_bankers_third_card_stays_first_while_it_is_due_whatever_the_players_is(
    cards: str, stays: bool
) -> None:
    pit = waived()
    pit.report(Fault.MISKEYED)
    pit.staff(SUPERVISOR, ruling(pit, Choice.CORRECT, cards))
    assert (pit.state.waived, len(pit.state.drawn)) == (stays, 6 if stays else 5)


def test_4_1_5_it_stays_so_when_the_players_is_open_too() -> None:
    pit = waived()
    pit.turn({5: "8"})
    pit.report(Fault.MISKEYED)
    pit.staff(SUPERVISOR, ruling(pit, Choice.CORRECT, "K A K K 7 9"))
    assert (pit.state.waived, pit.phase) == (True, Phase.RESULT)


def test_4_1_5_a_card_face_down_among_the_first_four_ends_it() -> None:
    pit = waived()
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.staff(SHIFT, ruling(pit, Choice.RECONSTRUCT, "K A ? K K 9"))
    assert (pit.state.waived, pit.hands) == (False, {"player": "K ?", "banker": "A K"})


def test_4_1_5_nobody_waives_by_a_ruling() -> None:
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "K", 2: "7", 3: "K"})
    pit.report(Fault.MISKEYED)
    pit.staff(SUPERVISOR, ruling(pit, Choice.CORRECT, "K A K ?"))
    pit.turn({4: "K"})
    pit.report(Fault.MISKEYED)
    pit.staff(SUPERVISOR, ruling(pit, Choice.CORRECT, "K 2 K K"))
    assert [put.waived for put in pit.told(e.CardsReconstructed)] == [False, False]
