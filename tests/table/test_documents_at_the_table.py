"""What the long documents define and allow, held at a running table: the round, who stands, side bets, a low bet."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.coup import deal
from puntobanco.rules.limits import ProRata
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason
from puntobanco.rules.slip import settle_slip
from puntobanco.table import betting, dealing
from puntobanco.table import commands as c
from puntobanco.table.events import BetsPlaced, RoundSettled
from puntobanco.table.setup import Policy
from puntobanco.table.state import Phase
from tests.marks import rulebook
from tests.table.pit import DEALER, SUPERVISOR, Pit, paragraph

LONG = ["commission", "wu-song"]


def placed(number: int, dollars: int = 100, bet: str = "player", box: int = 1) -> c.PlaceBets:
    return c.PlaceBets(round=number, lines=(c.Line(bet=bet, amount=dollars * 100, box=box),))


# ---- the round ---------------------------------------------------------------------------------------------------


@rulebook({"commission": ["1.16"], "wu-song": ["1.22"]}, by=(betting.open_betting, dealing.settle_round))
@pytest.mark.parametrize("key", LONG)
def test_1_16_a_round_is_from_its_announcement_to_the_settlement_for_every_player(key: str) -> None:
    pit = Pit(key)
    assert (pit.state.round, pit.state.in_round) == (0, False)
    assert pit.refused("ann", placed(1))[0] is Reason.NOT_HEARD_NOW, "no round to bet on yet"
    pit.open()

    def runs() -> None:
        assert (pit.state.round, pit.state.in_round) == (1, True)
        assert pit.refused(DEALER, c.OpenBetting())[0] is Reason.NOT_HEARD_NOW, "no other begins while it runs"

    runs()
    for box, (person, bet) in enumerate({"ann": "player", "bob": "banker", "cat": "tie"}.items(), start=1):
        pit.bet(person, bet, 100, box)
        runs()
    pit.player("cat", c.WalkAway(person="cat"))
    pit.close()
    for card in ["2", "K", "3", "2", "4", "7"]:
        runs()
        pit.deal(card)
    assert pit.phase is Phase.RESULT
    runs()
    pit.settle()
    (settled,) = pit.told(RoundSettled)
    assert {one.key: one.profit for one in settled.stakes} == {
        "1/player/ann": 0,
        "2/banker/bob": 0,
        "3/tie/cat": 800_00,
    }, "everybody's, in one settlement: of those who left too"
    assert (pit.state.in_round, pit.state.in_play) == (False, 0)
    for late in (placed(1), c.Settle(round=1), c.DrawCard(round=1, index=7, card=read_cards("2")[0])):
        who = "ann" if isinstance(late, c.PlaceBets) else DEALER
        assert pit.refused(who, late)[0] in (Reason.NOT_HEARD_NOW, Reason.STALE_ROUND)
    pit.open()
    assert (pit.state.round, pit.state.in_round) == (2, True)
    assert pit.refused("ann", placed(1))[0] is Reason.STALE_ROUND


# ---- who stands --------------------------------------------------------------------------------------------------


@rulebook({"commission": ["1.18"], "wu-song": ["1.25"]}, by=betting.reject_excess)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("seat", [None, 2])
def test_1_18_whoever_bets_on_the_box_of_a_seated_player_stands_there(key: str, seat: int | None) -> None:
    pit = Pit(key)
    pit.player("ann", c.TakeSeat(box=1))
    if seat:
        pit.player("bob", c.TakeSeat(box=seat))
    pit.open()
    pit.bet("bob", "banker", 7_000)
    pit.bet("ann", "banker", 6_000)
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    lying = {stake.owner: stake.amount for stake in pit.state.stakes.values()}
    assert lying == {"ann": 6_000_00, "bob": 4_000_00}, "cut although placed first, seat elsewhere or not"


@rulebook({"commission": ["1.18"], "wu-song": ["1.25"]}, by=betting.close_betting)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("seat", [None, 2])
def test_1_18_at_the_close_too(key: str, seat: int | None) -> None:
    pit = Pit(key, policy=Policy(pro_rata=ProRata.SEATED_FIRST))
    pit.player("ann", c.TakeSeat(box=1))
    if seat:
        pit.player("bob", c.TakeSeat(box=seat))
    pit.open()
    pit.bet("bob", "banker", 7_000)
    pit.bet("ann", "banker", 6_000)
    pit.close(over_excess=True)
    assert {key: pit.state.playing(key) for key in pit.state.stakes} == {
        "1/banker/bob": 4_000_00,
        "1/banker/ann": 6_000_00,
    }


@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=betting.reject_excess)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(("placed", "kept"), [(150, 100), (149, 0)])
def test_5_1_a_rest_of_exactly_the_minimum_stays(key: str, placed: int, kept: int) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 9_900 if kept else 9_901)
    pit.bet("bob", "banker", placed)
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert sum(stake.amount for stake in pit.state.stakes_of("bob")) == kept * 100


# ---- side bets alone ---------------------------------------------------------------------------------------------


def side_bets(key: str) -> list[str]:
    pit = Pit(key)
    return [bet.key for bet in pit.felt.bets.values() if not bet.original]


ALONE = [(key, bet) for key in LONG for bet in side_bets(key)]


@rulebook({"commission": ["3.7"], "wu-song": ["3.7"]}, by=(betting.place_bets, dealing.settle_round))
@pytest.mark.parametrize(("key", "bet"), ALONE)
def test_3_7_a_side_bet_is_played_to_its_end_without_a_bet_on_a_hand(key: str, bet: str) -> None:
    won = set()
    for cards in ("3 3 3 3", "K 9 K 9", "2 3 6 4", "2 K 3 6 K", "2 K 3 2 K 4", "2 K 3 K A 2", "K K K K A K"):
        coup = deal(read_cards(cards))
        pit = Pit(key)
        pit.round({"ann": {bet: 100}}, cards)
        slip = settle_slip(pit.game, pit.felt.layout, coup, {bet: Cents(100_00)}, Cents(100))
        assert pit.state.purses["ann"] == 100_000_00 + slip.profit
        (placed,) = pit.told(BetsPlaced)
        assert paragraph(placed) == "3.7"
        assert [one.bet for one in placed.stakes] == [bet]
        won.add(slip.profit > 0)
    assert won == {True, False}


@rulebook({"commission": ["3.7"], "wu-song": ["3.7"]}, by=betting.place_bets)
@pytest.mark.parametrize(("key", "bet"), ALONE)
def test_3_7_who_has_only_a_side_bet_has_a_bet_in_the_round(key: str, bet: str) -> None:
    """Whoever has one is asked like everybody else, and may take it back."""
    pit = Pit(key)
    pit.open()
    pit.bet("ann", bet, 100)
    pit.close()
    pit.deal("9")
    pit.report(c.Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, c.Choice.RECONSTRUCT)
    assert pit.state.options is not None
    assert pit.state.options.people == ("ann",)
    pit.everyone(c.Election.RETURN)
    assert pit.purse("ann") == 100_000


# ---- a bet under the minimum -------------------------------------------------------------------------------------


@rulebook({"commission": ["5.2"], "wu-song": ["5.2"]}, by=betting.return_bet)
@pytest.mark.parametrize("key", LONG)
def test_5_2_a_bet_that_meets_the_minimum_by_now_is_not_handed_back(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 50)
    pit.bet("ann", "tie", 50)
    pit.bet("ann", "player", 50, box=2)
    pit.bet("bob", "player", 50)
    pit.staff(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))
    pit.bet("ann", "player", 100)

    def back(person: str, bet: str = "player", box: int = 1) -> c.ReturnBet:
        return c.ReturnBet(round=1, box=box, bet=bet, person=person)

    assert pit.refused(DEALER, back("ann"))[0] is Reason.NOT_ADVISED, "raised to the minimum: it plays"
    assert pit.refused(DEALER, back("ann", box=2))[0] is Reason.NOT_ADVISED, "nobody spoke of that box"
    assert pit.refused(DEALER, back("bob"))[0] is Reason.NOT_ADVISED, "nobody spoke to Bob"
    assert pit.refused(DEALER, back("ann", bet="banker"))[0] is Reason.NO_SUCH_BET_PLACED
    pit.staff(DEALER, back("ann", bet="tie"))
    assert {key: stake.amount for key, stake in pit.state.stakes.items()} == {
        "1/player/ann": 100_00,
        "2/player/ann": 50_00,
        "1/player/bob": 50_00,
    }
    pit.bet("ann", "player", 50)
    pit.staff(DEALER, back("ann"))
    assert pit.purse("ann") == 99_950, "lowered again after the advice, it goes back"
