"""A round by each document, from the announcement to the money."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.state import Phase
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit


@pytest.mark.parametrize("key", library.GAMES)
def test_a_full_round_is_opened_bet_closed_dealt_and_paid(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}, "bob": {"banker": 200}}, "9 7 K 10")
    assert pit.phase is Phase.SETTLED
    assert (pit.purse("ann"), pit.purse("bob")) == (100_100, 99_800)


def test_commission_is_taken_from_a_winning_banker() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"banker": 100}}, "2 4 3 4")
    assert pit.purse("ann") == 100_095


def test_unnoticed_excess_plays_pro_rata_and_the_rest_comes_back() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "banker", 8_000)
    pit.bet("bob", "banker", 4_000)
    pit.bet("cat", "banker", 2_000)
    assert pit.refused(DEALER, c.CloseBetting(round=1)) == (Reason.EXCESS_UNACKNOWLEDGED, "5.1")
    pit.close(over_excess=True)
    pit.deal("2 4 3 4")
    pit.settle()
    won = [pit.state.purses[who] - 100_000_00 for who in ("ann", "bob", "cat")]
    assert won == [5_428_30, 2_714_15, 1_357_55]


def test_noticed_excess_is_rejected_standing_first() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    for who, dollars in (("ann", 8_000), ("bob", 4_000), ("cat", 2_000)):
        pit.bet(who, "banker", dollars)
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert {one.owner: one.amount // 100 for one in pit.state.stakes.values()} == {"ann": 8_000, "bob": 2_000}
    pit.close()


def test_insurance_opens_is_capped_closes_and_pays() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.deal("2 2 2 3")
    assert pit.phase is Phase.INSURANCE
    four = pit.state.window
    assert four is not None
    over = c.Insure(round=1, window=four.window, amount=501_00, box=1)
    assert pit.refused("ann", over) == (Reason.OVER_CAP, "3.5.2")
    assert pit.refused("bob", over) == (Reason.NOTHING_TO_INSURE, "4.1.4")
    pit.player("ann", c.Insure(round=1, window=four.window, amount=500_00, box=1))
    pit.staff(DEALER, c.CloseInsurance(round=1, window=four.window))
    pit.deal("4 A")
    pit.settle()
    assert pit.purse("ann") == 100_000


def test_after_a_tie_a_stake_that_may_be_withdrawn_is_taken_left_or_goes_back() -> None:
    pit = Pit("super-six")
    pit.round({"ann": {"player": 100}, "bob": {"banker": 200}, "cat": {"banker": 300}}, "2 3 4 3")
    assert [pit.purse(who) for who in ("ann", "bob", "cat")] == [99_900, 99_800, 99_700]
    pit.player("ann", c.ChooseAfterTie(round=1, box=1, bet="player", leave=False))
    pit.player("bob", c.ChooseAfterTie(round=1, box=1, bet="banker", leave=True))
    pit.open()
    assert [pit.purse(who) for who in ("ann", "bob", "cat")] == [100_000, 99_800, 100_000]
    assert [one.owner for one in pit.state.stakes.values()] == ["bob"]


def test_late_bets_are_refused_by_the_paragraph_of_the_document() -> None:
    for key, paragraph in (
        ("commission", "5.6"),
        ("super-six", "5.2"),
        ("wu-song", "5.7"),
        ("non-commission-etg", "3.2"),
    ):
        pit = Pit(key)
        pit.open()
        pit.close()
        line = c.Line(bet="player", amount=100_00, box=0 if pit.game.terminal else 1)
        assert pit.refused("ann", c.PlaceBets(round=1, lines=(line,))) == (Reason.BETS_LATE, paragraph)


def test_authority_is_by_rank() -> None:
    pit = Pit("commission")
    assert pit.refused("ann", c.OpenBetting())[0] is Reason.NOT_AUTHORISED
    assert pit.refused(SHIFT, c.OpenBetting())[0] is Reason.NOT_AUTHORISED
    assert pit.refused(DEALER, c.ChangeSetup(setup=pit.state.setup))[0] is Reason.NOT_AUTHORISED  # type: ignore[arg-type]
    pit.staff(MANAGER, c.ChangeSetup(setup=pit.state.setup))  # type: ignore[arg-type]
    pit.staff(SUPERVISOR, c.OpenBetting())


def test_face_down_a_card_has_no_face_until_it_is_exposed() -> None:
    pit = Pit("commission", face_down=True)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "player", 200)
    pit.close()
    assert pit.refused("bob", c.RequestSqueeze(round=1, index=1)) == (Reason.SQUEEZE_NOT_ENTITLED, "3.9")
    pit.player("ann", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    for index in range(1, 5):
        pit.staff(DEALER, c.DrawCard(round=1, index=index))
    assert pit.state.seen_in_order == {}
    assert pit.refused(DEALER, c.DrawCard(round=1, index=5))[0] is Reason.EXPOSE_FIRST
