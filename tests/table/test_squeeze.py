"""Squeezing: a request for each card, answered once, with its time from the moment the card is drawn."""

import pytest

from puntobanco.rules.cards import read_card
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import dealing
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import CardDrawn
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.setup import HighestBet, Policy
from puntobanco.table.views import private_view, public_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, SUPERVISOR, Pit, in_play

NINE = read_card("9")


def equals() -> Pit:
    pit = Pit("wu-song", face_down=True)
    pit.open()
    pit.bet("ann", "player", 500)
    pit.bet("bob", "banker", 500)
    pit.close()
    return pit


def ask(index: int) -> c.RequestSqueeze:
    return c.RequestSqueeze(round=1, index=index)


def permit(pit: Pit, index: int, *, yes: bool = True) -> None:
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=index, permit=yes))


@rulebook({"wu-song": ["3.9"]}, by=(dealing.request_squeeze, dealing.answer_squeeze))
def test_each_card_has_a_squeeze_of_its_own() -> None:
    pit = equals()
    pit.player("ann", ask(1))
    permit(pit, 1)
    pit.hides(1)
    pit.player("bob", ask(2))
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=1, card=NINE)) == (Reason.SQUEEZE_GOES_ON, "3.9")
    pit.player("ann", c.FinishSqueeze(round=1, index=1))
    pit.turn({1: "9"})
    permit(pit, 2)
    pit.hides(2)
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=2, card=NINE))[0] is Reason.SQUEEZE_GOES_ON


@rulings("SQZ-3")
def test_two_cards_of_one_hand_may_be_squeezed() -> None:
    pit = equals()
    for index in (1, 3):
        pit.player("ann", ask(index))
        permit(pit, index)
    pit.hides(1, 2, 3)
    assert public_view(pit.felt, pit.state, DEALER).squeezing == (1, 3)
    assert private_view(pit.felt, pit.state, "ann").squeezing == (1, 3)
    for index in (1, 3):
        assert pit.refused(DEALER, c.ExposeCard(round=1, index=index, card=NINE))[0] is Reason.SQUEEZE_GOES_ON


@rulings("SQZ-3")
def test_a_card_is_squeezed_by_one_person() -> None:
    pit = equals()
    pit.player("ann", ask(1))
    assert pit.refused("bob", ask(1)) == (Reason.SQUEEZE_TAKEN, "3.9")
    permit(pit, 1, yes=False)
    pit.player("bob", ask(1))
    assert pit.state.squeezes[1].person == "bob"
    permit(pit, 1)
    assert pit.refused(DEALER, c.AnswerSqueeze(round=1, index=1, permit=False)) == (Reason.NO_SQUEEZE_ASKED, "3.9")
    assert pit.refused(DEALER, c.AnswerSqueeze(round=1, index=2, permit=True)) == (Reason.NO_SQUEEZE_ASKED, "3.9")
    assert pit.refused("bob", c.FinishSqueeze(round=1, index=2)) == (Reason.NO_SQUEEZE_ASKED, None)


def test_the_time_for_a_squeeze_begins_when_the_card_is_drawn() -> None:
    pit = equals()
    pit.player("ann", ask(1))
    permit(pit, 1)
    pit.now += 60_000
    pit.hides(1)
    assert pit.state.squeezes[1].deadline == pit.now + 20_000
    pit.now += 19_999
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=1, card=NINE))[0] is Reason.SQUEEZE_GOES_ON
    pit.now += 1
    pit.turn({1: "9"})


def test_where_a_dealer_deals_each_squeeze_has_the_whole_time() -> None:
    pit = equals()
    for index in (1, 2):
        pit.player("ann", ask(index))
        permit(pit, index)
    pit.hides(1)
    pit.now += 5_000
    pit.hides(2)
    assert [one.deadline - pit.now for one in pit.state.squeezes.values()] == [15_000, 20_000]


def test_in_an_earlier_edition_each_squeeze_had_the_whole_time_where_the_house_deals_too() -> None:
    pit = Pit("wu-song", face_down=True, automatic=True)
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    pit.open()
    pit.bet("ann", "player", 500)
    pit.close()
    for index in (1, 2):
        pit.player("ann", ask(index))
        permit(pit, index)
        pit.hides(index)
        pit.now += 5_000
        pit.player("ann", c.FinishSqueeze(round=1, index=index))
    assert [one.squeeze_until - one.by.at for one in pit.told(CardDrawn)] == [20_000, 20_000]


@pytest.mark.parametrize("key", ["super-six", "non-commission-etg"])
def test_without_a_paragraph_on_it_nobody_squeezes_even_if_cards_are_dealt_face_down(key: str) -> None:
    pit = in_play(key, face_down=True)
    assert pit.refused("ann", ask(1)) == (Reason.SQUEEZE_NOT_HERE, None)


def test_there_is_no_seventh_card_to_squeeze() -> None:
    pit = equals()
    assert pit.refused("ann", ask(7)) == (Reason.SQUEEZE_TOO_LATE, "3.9")
    pit.player("ann", ask(6))


def test_a_request_that_nobody_answered_in_time_is_void() -> None:
    pit = equals()
    pit.player("ann", ask(1))
    pit.hides(1)
    assert (pit.told(CardDrawn)[0].squeeze_until, pit.state.squeezes) == (0, {})
    pit.turn({1: "9"})


def test_a_squeeze_has_its_time_back_after_an_interruption() -> None:
    pit = equals()
    pit.player("ann", ask(1))
    pit.player("ann", ask(2))
    permit(pit, 1)
    pit.hides(1)
    pit.report(Fault.TECHNICAL)
    pit.now += 60_000
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=1, card=NINE))[0] is Reason.SQUEEZE_GOES_ON
    assert (pit.state.squeezes[1].deadline, pit.state.squeezes[2].deadline) == (pit.now + 20_000, 0)


def test_only_whoever_squeezes_a_card_finishes_the_squeeze() -> None:
    pit = equals()
    pit.player("ann", ask(1))
    permit(pit, 1)
    pit.hides(1)
    assert pit.refused("bob", c.FinishSqueeze(round=1, index=1)) == (Reason.NOT_YOURS, None)
    assert "FinishSqueeze" in private_view(pit.felt, pit.state, "ann").allowed
    assert "FinishSqueeze" not in private_view(pit.felt, pit.state, "bob").allowed
    pit.player("ann", c.FinishSqueeze(round=1, index=1))
    assert private_view(pit.felt, pit.state, "ann").squeezing == ()


@pytest.mark.parametrize(
    ("key", "entitled"), [("wu-song", ["bob"]), ("insurance", ["ann", "bob"]), ("super-six", []), ("commission", [])]
)
def test_the_squeeze_is_offered_on_the_screens_of_those_who_may_ask(key: str, entitled: list[str]) -> None:
    pit = in_play(key, face_down=True)  # everyone stands: where only the seated may ask, nobody may
    views = {person: private_view(pit.felt, pit.state, person) for person in ("ann", "bob", "cat")}
    assert [person for person, view in views.items() if view.may_squeeze] == entitled
    assert [person for person, view in views.items() if "RequestSqueeze" in view.allowed] == entitled
    for person in views.keys() - set(entitled):
        assert pit.refused(person, ask(1))[0] in (Reason.SQUEEZE_NOT_ENTITLED, Reason.SQUEEZE_NOT_HERE)


def test_who_sits_down_before_the_card_may_ask_where_the_seated_may() -> None:
    pit = Pit("commission", face_down=True)
    pit.open()
    pit.bet("ann", "banker", 6_000, box=2)
    pit.player("ann", c.TakeSeat(box=2))
    pit.close()
    pit.player("ann", ask(1))
    assert pit.state.squeezes[1].person == "ann"


def seated(bets: dict[str, tuple[int, int, int | None]]) -> Pit:
    """Bets on Banker by person: the dollars, the box they lie in, and the box the person sits at, if any."""
    pit = Pit("commission", face_down=True)
    pit.open()
    for person, (dollars, box, seat) in bets.items():
        if seat is not None:
            pit.player(person, c.TakeSeat(box=seat))
        pit.bet(person, "banker", dollars, box=box)
    pit.close()
    return pit


@rulings("SQZ-6")
@pytest.mark.parametrize(
    ("bets", "entitled"),
    [
        pytest.param({"ann": (100, 1, 1), "bob": (500, 2, 2), "cat": (900, 2, None)}, ["bob"], id="of the seated"),
        pytest.param({"ann": (900, 2, 1), "bob": (500, 2, 2)}, ["ann"], id="in another's box"),
        pytest.param({"ann": (900, 5, 1), "bob": (500, 2, 2)}, ["ann"], id="in a box where nobody sits"),
        pytest.param({"ann": (500, 2, 1), "bob": (500, 2, 2)}, ["ann", "bob"], id="equals"),
        pytest.param({"ann": (900, 2, None), "bob": (500, 1, None)}, [], id="all of them stand"),
    ],
)
@rulebook({"commission": ["1.17", "3.9"]}, by=(dealing.entitled_to_squeeze, dealing.request_squeeze))
def test_of_those_seated_the_highest_bet_may_squeeze_wherever_it_lies(
    bets: dict[str, tuple[int, int, int | None]], entitled: list[str]
) -> None:
    pit = seated(bets)
    for person in {"ann", "bob", "cat"} - set(entitled):
        assert pit.refused(person, ask(1)) == (Reason.SQUEEZE_NOT_ENTITLED, "3.9")
    for index, person in enumerate(entitled, start=1):
        pit.player(person, ask(index))
        assert pit.state.squeezes[index].person == person


def test_a_seated_player_counts_with_the_highest_of_several_bets() -> None:
    pit = Pit("commission", face_down=True)
    pit.open()
    pit.player("ann", c.TakeSeat(box=1))
    pit.player("bob", c.TakeSeat(box=2))
    for box, dollars in ((1, 300), (3, 400)):
        pit.bet("ann", "banker", dollars, box=box)
    pit.bet("bob", "player", 600, box=2)
    pit.close()
    assert pit.refused("ann", ask(1)) == (Reason.SQUEEZE_NOT_ENTITLED, "3.9")
    pit.player("bob", ask(1))


@pytest.mark.parametrize(
    ("edition", "entitled", "other"), [(Edition.GUESTS_CONFIRM, "bob", "ann"), (Edition.SECOND_READING, "ann", "bob")]
)
def test_before_the_second_reading_only_bets_in_the_own_box_counted(
    edition: Edition, entitled: str, other: str
) -> None:
    pit = seated({"ann": (900, 2, 1), "bob": (500, 2, 2)})
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, edition)
    assert pit.refused(other, ask(1)) == (Reason.SQUEEZE_NOT_ENTITLED, "3.9")
    pit.player(entitled, ask(1))


@rulings("SQZ-1")
@pytest.mark.parametrize(
    ("highest", "entitled"), [(HighestBet.LARGEST_ORIGINAL, "ann"), (HighestBet.LARGEST_ANY, "bob")]
)
def test_which_bet_is_the_highest_is_the_houses_policy(highest: HighestBet, entitled: str) -> None:
    pit = Pit("wu-song", face_down=True, policy=Policy(highest_bet=highest))
    pit.open()
    pit.bet("ann", "player", 500)
    pit.bet("bob", "tie", 600)
    pit.close()
    pit.player(entitled, ask(1))
    assert pit.state.squeezes[1].person == entitled


def test_every_view_says_which_cards_may_be_squeezed() -> None:
    pit = equals()
    seen = []
    for index in range(1, 5):
        seen.append(public_view(pit.felt, pit.state, DEALER).squeezable)
        pit.hides(index)
    hands = {1: Side.PLAYER, 2: Side.BANKER, 3: Side.PLAYER, 4: Side.BANKER}
    assert seen == [dict(list(hands.items())[drawn:]) for drawn in range(4)]
    assert public_view(pit.felt, pit.state, Role.PLAYER).squeezable == {5: None}, "nobody knows yet whose it will be"
    pit.turn({1: "2♠", 2: "2♥", 3: "3♠", 4: "3♥"})
    assert public_view(pit.felt, pit.state, Role.PLAYER).squeezable == {5: Side.PLAYER}
    pit.player("ann", ask(5))
    assert public_view(pit.felt, pit.state, Role.PLAYER).squeezable == {}
    assert public_view(Felt(pit.game, pit.felt.layout), Pit("wu-song").state, Role.PLAYER).squeezable == {}


def test_whoever_asked_sees_whether_they_have_an_answer_and_how_long_they_may_squeeze() -> None:
    pit = equals()

    def own(person: str) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        view = private_view(pit.felt, pit.state, person)
        return view.squeeze_asked, view.squeezing, view.squeeze_until

    pit.player("ann", ask(1))
    assert (own("ann"), own("bob")) == (((1,), (), 0), ((), (), 0))
    permit(pit, 1)
    assert own("ann") == ((), (1,), 0), "its time begins with the card"
    pit.hides(1)
    assert (own("ann"), own("bob")) == (((), (1,), pit.now + 20_000), ((), (), 0))
    pit.player("bob", ask(2))
    permit(pit, 2, yes=False)
    assert own("bob") == ((), (), 0)


def test_a_player_who_walked_away_and_asks_in_person_is_back() -> None:
    pit = equals()
    pit.player("ann", c.WalkAway(person="ann"))
    pit.player("ann", ask(1))
    assert pit.state.squeezes[1].person == "ann"
