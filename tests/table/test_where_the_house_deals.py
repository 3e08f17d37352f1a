"""Where the house deals: nothing beyond the limits is placed, and what no longer fits gives way at once."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Fault
from puntobanco.table.decide import Refusal
from puntobanco.table.events import AnyEvent
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.redeciding import Contradiction, redecided
from puntobanco.table.setup import ExcessAtPlacement, Policy
from puntobanco.table.views import private_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, SUPERVISOR, Pit, paragraph

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]
WITH_BOXES = [*LONG, "super-six", "insurance"]
FLAG, REFUSE = (Policy(excess_at_placement=policy) for policy in ExcessAtPlacement)


def house_deals(key: str, **options: object) -> Pit:
    pit = Pit(key, automatic=True, **options)  # type: ignore[arg-type]
    pit.open()
    assert pit.state.house_deals
    return pit


def rule_of(key: str, paragraph: str) -> str | None:
    return paragraph if key in LONG else None


def slip(pit: Pit, *bets: tuple[str, int]) -> c.PlaceBets:
    box = 0 if pit.game.terminal else 1
    lines = tuple(c.Line(bet=bet, amount=dollars * 100, box=box) for bet, dollars in bets)
    return c.PlaceBets(round=pit.state.round, lines=lines)


def over(pit: Pit, person: str, bet: str, dollars: int) -> str:
    """The most the refusal of that bet says is possible."""
    answer = pit.tell(slip(pit, (bet, dollars)), By(person, Role.PLAYER, pit.now))
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.paragraph) == (Reason.OVER_DIFFERENTIAL, rule_of(pit.game.key, "5.1"))
    return str(answer.parameters["most"])


def lying(pit: Pit) -> dict[str, int]:
    return {key: stake.amount // 100 for key, stake in pit.state.stakes.items()}


@rulings("LIM-28")
@rulebook({"commission": ["5.2"], "wu-song": ["5.2"]}, by=betting.place_bets)
@pytest.mark.parametrize("policy", [FLAG, REFUSE])
@pytest.mark.parametrize("key", [*LONG, *SHORT])
def test_nothing_under_the_minimum_is_placed_or_left(key: str, policy: Policy) -> None:
    pit = house_deals(key, policy=policy)
    pit.bet("ann", "tie", 100)
    for bet in ("tie", "player"):
        answer = pit.tell(slip(pit, (bet, 99)), By("ann", Role.PLAYER, pit.now))
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.paragraph) == (Reason.UNDER_MINIMUM, rule_of(key, "5.2"))
        assert answer.parameters["minimum"] == "100.00"
    pit.player("ann", slip(pit, ("tie", 0)))
    pit.close()
    assert pit.told(e.BettingClosed)[0].under_minimum == ()


@rulings("LIM-28")
@rulebook({"commission": ["3.6", "5.1"], "wu-song": ["3.6", "5.1"]}, by=betting.place_bets)
@pytest.mark.parametrize("policy", [FLAG, REFUSE])
@pytest.mark.parametrize("key", WITH_BOXES)
def test_nothing_beyond_the_differential_is_placed_and_the_refusal_says_what_is_possible(
    key: str, policy: Policy
) -> None:
    pit = house_deals(key, policy=policy)
    assert over(pit, "ann", "banker", 10_001) == "10000.00"
    pit.bet("ann", "banker", 7_000)
    assert over(pit, "bob", "banker", 4_000) == "3000.00"
    pit.bet("bob", "banker", 2_950)
    assert over(pit, "cat", "banker", 100) == "0.00", "the 50 that are left are under the minimum"
    assert over(pit, "bob", "banker", 3_001) == "3000.00"
    pit.bet("cat", "player", 5_000)
    assert over(pit, "ann", "banker", 20_000) == "12050.00"
    assert pit.told(e.ExcessRejected) == []


@pytest.mark.parametrize("key", ["non-commission-etg"])
def test_a_terminal_is_refused_what_its_own_bets_exceed(key: str) -> None:
    pit = house_deals(key)
    pit.bet("bob", "banker", 10_000)
    pit.bet("ann", "player", 4_000)
    assert over(pit, "ann", "banker", 14_001) == "14000.00"


@rulings("LIM-28")
@rulebook({"commission": ["1.17", "5.1"], "wu-song": ["1.23", "5.1"]}, by=betting.give_way)
@pytest.mark.parametrize("policy", [FLAG, REFUSE])
@pytest.mark.parametrize("key", WITH_BOXES)
def test_standing_chips_give_way_to_a_seated_bet_and_their_owner_is_told_at_once(key: str, policy: Policy) -> None:
    pit = house_deals(key, policy=policy)
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("bob", "banker", 6_000)
    pit.bet("cat", "banker", 4_000)
    pit.bet("ann", "banker", 5_000)
    (back,) = pit.told(e.ExcessRejected)
    assert (paragraph(back), back.gives_way_to, back.by.person) == (rule_of(key, "5.1"), "ann", "ann")
    assert lying(pit) == {"1/banker/bob": 5_000, "1/banker/ann": 5_000}, "the last placed goes first"
    assert private_view(pit.felt, pit.state, "bob").handed_back == {"1/banker/bob": 1_000_00}
    assert private_view(pit.felt, pit.state, "cat").handed_back == {"1/banker/cat": 4_000_00}
    assert private_view(pit.felt, pit.state, "ann").handed_back == {}
    assert (pit.purse("bob"), pit.purse("cat")) == (95_000, 100_000)
    pit.bet("ann", "banker", 9_950)
    assert lying(pit) == {"1/banker/ann": 9_950}, "nothing is left below the minimum"
    assert over(pit, "ann", "banker", 10_001) == "10000.00"
    pit.close()
    assert pit.told(e.BettingClosed)[0].cut == ()
    assert pit.state.handed_back["1/banker/bob"] == 6_000_00
    pit.deal("9 7 K 10")
    pit.settle()
    assert pit.state.handed_back == {}


def test_nobody_gives_way_to_what_is_lowered_or_balances_the_box() -> None:
    pit = house_deals("commission")
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("cat", "player", 5_000)
    pit.bet("bob", "banker", 12_000)
    pit.bet("ann", "banker", 2_000)
    pit.bet("cat", "player", 0)
    pit.bet("ann", "banker", 1_000)
    pit.bet("ann", "player", 1_000)
    assert pit.told(e.ExcessRejected) == [], "an excess that a withdrawal left waits for the close"
    pit.bet("ann", "banker", 1_100)
    assert lying(pit) == {"1/banker/bob": 9_900, "1/banker/ann": 1_100, "1/player/ann": 1_000}


@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=betting.close_as_it_lies)
@pytest.mark.parametrize("key", [*LONG, "super-six", "insurance"])
@pytest.mark.parametrize("confirmed", [True, False])
def test_what_a_withdrawal_leaves_over_the_limit_goes_back_at_the_close_and_nothing_plays_pro_rata(
    key: str, *, confirmed: bool
) -> None:
    pit = house_deals(key)
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("cat", "player", 8_000)
    pit.bet("ann", "banker", 9_000)
    pit.bet("bob", "banker", 9_000)
    pit.player("cat", slip(pit, ("player", 0)))
    assert lying(pit) == {"1/banker/ann": 9_000, "1/banker/bob": 9_000}
    pit.close(over_excess=confirmed)
    (back,) = pit.told(e.ExcessRejected)
    assert (paragraph(back), back.gives_way_to) == (rule_of(key, "5.1"), "")
    assert lying(pit) == {"1/banker/ann": 9_000, "1/banker/bob": 1_000}
    assert pit.told(e.BettingClosed)[0].cut == ()
    assert pit.purse("bob") == 99_000


@rulebook({"commission": ["5.1", "5.7"], "wu-song": ["5.1", "5.8"]}, by=betting.close_as_it_lies)
@pytest.mark.parametrize("key", LONG)
def test_a_card_that_is_seen_closes_betting_without_pro_rata(key: str) -> None:
    pit = house_deals(key)
    pit.bet("cat", "player", 5_000)
    pit.bet("ann", "banker", 8_000)
    pit.bet("bob", "banker", 7_000)
    pit.player("cat", slip(pit, ("player", 0)))
    pit.report(Fault.EXPOSED, who=SUPERVISOR, cards=read_cards("9"))
    assert lying(pit) == {"1/banker/ann": 8_000, "1/banker/bob": 2_000}
    (closed,) = pit.told(e.BettingClosed)
    assert (closed.by_card, closed.cut) == (True, ())


def test_who_deals_is_who_opened_the_round() -> None:
    pit = house_deals("commission")
    pit.automatic = False
    pit.bet("ann", "player", 5_000)
    pit.bet("bob", "banker", 15_000)
    pit.player("ann", slip(pit, ("player", 0)))
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert lying(pit) == {"1/banker/bob": 10_000}, "whoever takes the table over may act on it before the close"
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    pit.open()
    pit.bet("ann", "player", 50)
    pit.bet("ann", "banker", 15_000)
    pit.close(over_excess=True)
    assert [one.key for one in pit.told(e.BettingClosed)[-1].cut] == ["1/banker/ann"], "a dealer may miss it"


@pytest.mark.parametrize("key", LONG)
def test_chips_are_not_attested_beyond_the_limits_where_nothing_plays_pro_rata(key: str) -> None:
    pit = house_deals(key)
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("bob", "banker", 8_000)
    pit.close()
    for dollars, reason, rule in ((99, Reason.UNDER_MINIMUM, "5.2"), (3_000, Reason.OVER_DIFFERENTIAL, "5.1")):
        line = c.Line(bet="banker", amount=dollars * 100, box=1)
        attest = c.AttestBet(round=1, owner="ann", line=line, attested=True)
        answer = pit.tell(attest, By("dora", DEALER, pit.now))
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.paragraph) == (reason, rule)
        assert answer.parameters.get("most") in (None, "2000.00"), "after the close nobody gives way"
    line = c.Line(bet="banker", amount=2_000_00, box=1)
    pit.staff(DEALER, c.AttestBet(round=1, owner="ann", line=line, attested=True))
    assert pit.state.plays == {}


# ---- told again --------------------------------------------------------------------------------------------------


def by_steps(pit: Pit) -> tuple[e.BetsPlaced, e.ExcessRejected]:
    """A slip that takes the player's seated bet down and up again, so that others give way."""
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("ann", "banker", 2_000)
    pit.bet("bob", "banker", 8_000)
    placed, back = pit.player("ann", slip(pit, ("banker", 1_000), ("banker", 4_000)))
    assert isinstance(placed, e.BetsPlaced)
    assert isinstance(back, e.ExcessRejected)
    return placed, back


def test_what_gave_way_to_a_slip_of_several_steps_is_decided_again() -> None:
    pit = house_deals("commission")
    placed, back = by_steps(pit)
    before = house_deals("commission")
    before.player("ann", c.TakeSeat(box=1))
    before.bet("ann", "banker", 2_000)
    before.bet("bob", "banker", 8_000)
    assert redecided(before._on, before.state, [placed, back]) == (2, pit.state)
    forged: tuple[list[AnyEvent], ...] = ([placed], [placed, replace(back, gives_way_to="")])
    for told in forged:
        with pytest.raises(Contradiction):
            redecided(before._on, before.state, told)


def test_an_earlier_edition_is_decided_again_as_it_was() -> None:
    pit = house_deals("commission")
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    pit.bet("ann", "player", 50)
    pit.bet("ann", "banker", 15_000)
    assert pit.refused(DEALER, c.CloseBetting(round=1))[0] is Reason.EXCESS_UNACKNOWLEDGED
    pit.close(over_excess=True)
    assert [one.key for one in pit.told(e.BettingClosed)[0].cut] == ["1/banker/ann"]
