"""Placing and closing bets, at the edges: the last chip, the very moment, another box, another round."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import GREATEST_STAKE, Cents
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted, Refusal
from puntobanco.table.explain import RunningAccount
from puntobanco.table.setup import ExcessAtPlacement, Policy, Setup, Source
from puntobanco.table.state import Phase
from tests.marks import rulings
from tests.table.pit import DEALER, MANAGER, SUPERVISOR, Pit, paragraph
from tests.table.test_overlay import cause, overlay

LONG = ["commission", "wu-song"]
SHORT = ["super-six", "insurance"]
REFUSE = Policy(excess_at_placement=ExcessAtPlacement.REFUSE)


def slip(pit: Pit, *bets: tuple[str, int], box: int = 1) -> c.PlaceBets:
    """Several lines in one box."""
    box = 0 if pit.game.terminal else box
    return c.PlaceBets(
        round=pit.state.round, lines=tuple(c.Line(bet=bet, amount=dollars * 100, box=box) for bet, dollars in bets)
    )


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def answer_of(pit: Pit, person: str, command: c.Command) -> Refusal:
    answer = pit.tell(command, By(person, Role.PLAYER, pit.now))
    assert isinstance(answer, Refusal)
    return answer


def refused_lines(pit: Pit, person: str, command: c.Command) -> list[tuple[int, Reason]]:
    answer = pit.tell(command, By(person, Role.PLAYER, pit.now))
    assert isinstance(answer, Accepted)
    return [(place, one.reason) for place, one in answer.refusals]


def lying(pit: Pit) -> dict[str, int]:
    return {key: stake.amount // 100 for key, stake in pit.state.stakes.items()}


# ---- the announcement --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", library.GAMES)
def test_no_round_opens_without_a_shoe_in_service_or_with_one_that_was_not_shuffled(key: str) -> None:
    pit = Pit(key)
    pit.staff(Role.SHIFT_MANAGER, c.WithdrawShoe(reason="worn"))
    assert pit.refused(pit.dealer, c.OpenBetting()) == (Reason.NO_SHOE, None)
    pit = Pit(key)
    unshuffled = c.LoadShoe(shoe="two", decks=8, shuffled=False, source=Source.KEYBOARD, reason="worn")
    pit.staff(Role.SHIFT_MANAGER, unshuffled)
    rules = pit.game.irregularities.unshuffled
    assert pit.refused(pit.dealer, c.OpenBetting()) == (Reason.SHOE_UNSHUFFLED, rules.rule if rules else None)


@pytest.mark.parametrize("key", SHORT)
def test_after_a_tie_what_is_left_lies_first_and_only_what_is_not_left_goes_back(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}, "bob": {"banker": 200}, "cat": {"player": 300}}, "9 9 K K")
    for person, bet, leave in (("cat", "player", True), ("bob", "banker", False), ("ann", "player", True)):
        pit.player(person, c.ChooseAfterTie(round=1, bet=bet, leave=leave, box=1))
    pit.open()
    opened = pit.told(e.BettingOpened)[-1]
    assert [stake.owner for stake in opened.returned] == []
    assert [(stake.owner, stake.order) for stake in opened.left_lying] == [("ann", 1), ("cat", 2)]
    pit.bet("bob", "player", 100)
    assert [stake.order for stake in pit.state.stakes.values()] == [1, 2, 3], "placed after what was left"


def test_a_round_tells_by_which_regulation_beside_the_document_it_is_played() -> None:
    pit = Pit("super-six")
    carried = overlay(cause("technical"))
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), overlay=carried)))
    pit.open()
    (opened,) = pit.told(e.BettingOpened)
    assert opened.overlay == carried.fingerprint != ""


def test_who_may_not_open_on_a_seen_card_is_told_the_cards_in_sight_and_no_other() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.EXCESS, cards=(None, *read_cards("9 5")))
    answer = pit.tell(c.OpenBetting(), By("dora", DEALER, pit.now))
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.parameters["card"]) == (Reason.EXPOSED_CARD_WAITS, "9 5")


@pytest.mark.parametrize("key", SHORT)
def test_a_stake_held_since_a_tie_goes_back_when_the_set_up_changes(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 9 K K")
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), minimum=Cents(200_00))))
    assert (pit.state.held, pit.purse("ann")) == ({}, 100_000)
    pit.open()
    assert (lying(pit), pit.purse("ann")) == ({}, 100_000)


@pytest.mark.parametrize("key", SHORT)
def test_a_stake_the_house_lowered_below_the_minimum_does_not_lie_on_after_a_tie(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "player", 100)
    pit.close()
    terms = c.BetTerms(owner="ann", bet="player", terms=c.Terms.AT_STAKE, amount=50_00, box=1)
    decision = c.DecideUnprovided(round=1, decision="a chip was half hers", reason="on the camera", bets=(terms,))
    pit.staff(Role.SHIFT_MANAGER, decision)
    pit.deal("9 9 K K")
    pit.settle()
    for person in ("ann", "bob"):
        pit.player(person, c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    pit.open()
    assert (lying(pit), pit.purse("ann")) == ({"1/player/bob": 100}, 100_000)


# ---- money -------------------------------------------------------------------------------------------------------


def test_a_slip_is_paid_from_the_purse_line_by_line() -> None:
    pit = Pit("commission", people={"ann": 1_000_00})
    pit.open()
    assert refused_lines(pit, "ann", slip(pit, ("player", 600), ("tie", 500), ("banker_pair", 400))) == [
        (1, Reason.NOT_ENOUGH_MONEY)
    ]
    assert (lying(pit), pit.purse("ann")) == ({"1/player/ann": 600, "1/banker_pair/ann": 400}, 0)
    assert refused_lines(pit, "ann", slip(pit, ("player", 100), ("tie", 501), ("player_pair", 500))) == [
        (1, Reason.NOT_ENOUGH_MONEY)
    ], "what is taken away pays for what follows"
    assert pit.purse("ann") == 0


def test_the_last_chip_may_be_staked_and_a_raise_costs_only_the_difference() -> None:
    pit = Pit("commission", people={"ann": 1_000_00})
    pit.open()
    pit.bet("ann", "player", 600)
    assert answer_of(pit, "ann", slip(pit, ("player", 1_001))).parameters == {"stake": "401.00", "purse": "400.00"}
    pit.bet("ann", "player", 1_000)
    assert pit.purse("ann") == 0


def test_the_greatest_stake_is_a_stake() -> None:
    pit = Pit("commission")
    pit.open()
    line = c.Line(bet="player", amount=GREATEST_STAKE, box=1)
    assert pit.refused("ann", c.PlaceBets(round=1, lines=(line,))) == (Reason.NOT_ENOUGH_MONEY, None)
    thirty = Pit("commission")
    other = replace(setup_of(thirty), unit=Cents(30_00), minimum=Cents(300_00), differential=Cents(9_000_00))
    thirty.staff(MANAGER, c.ChangeSetup(setup=other))
    thirty.open()
    assert thirty.refused("ann", c.PlaceBets(round=1, lines=(line,)))[0] is Reason.STAKE_NOT_IN_UNITS


def test_what_is_taken_away_and_placed_anew_in_one_slip_is_placed_now() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "banker", 6_000)
    pit.bet("bob", "banker", 6_000)
    pit.player("ann", slip(pit, ("banker", 0), ("banker", 5_000)))
    anew = pit.state.stakes["1/banker/ann"]
    assert (anew.order, anew.raises) == (pit.state.orders, ())
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert lying(pit) == {"1/banker/ann": 4_000, "1/banker/bob": 6_000}


def test_a_bet_tells_who_placed_it_last() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    asked = c.PlaceBets(round=1, lines=slip(pit, ("player", 200)).lines, owner="ann", requested=True)
    pit.staff(DEALER, asked)
    assert pit.state.stakes["1/player/ann"].placer == "dora"
    pit.bet("ann", "player", 300)
    assert pit.state.stakes["1/player/ann"].placer == "ann"


def test_of_a_raise_that_is_taken_back_all_but_a_cent_the_cent_stays() -> None:
    stake = e.Stake(owner="ann", box=1, bet="player", amount=100_00, placer="ann", order=1).at(200_00, 2)
    assert stake.at(100_01, 0).raises == ((2, 1),)


def test_what_a_chip_reader_reads_the_player_has_placed() -> None:
    pit = Pit("commission")
    pit.open()
    for dollars in (100, 200):
        read = c.PlaceBets(round=1, lines=slip(pit, ("player", dollars)).lines, owner="ann")
        answer = pit.tell(read, By("mat-1", DEALER, pit.now, device=True))
        assert isinstance(answer, Accepted), answer
        assert pit.state.stakes["1/player/ann"].placer == "ann"


# ---- boxes -------------------------------------------------------------------------------------------------------


def test_a_bet_lies_in_a_box_of_the_table_and_at_a_terminal_in_none() -> None:
    pit = Pit("commission")
    pit.open()
    last = setup_of(pit).boxes
    for box in (0, -1, last + 1):
        assert answer_of(pit, "ann", slip(pit, ("player", 100), box=box)).reason is Reason.BOX_OUT_OF_RANGE
    for box in (1, last):
        pit.player("ann", slip(pit, ("player", 100), box=box))
    etg = Pit("non-commission-etg")
    etg.open()
    line = c.Line(bet="player", amount=100_00, box=1)
    assert etg.refused("ann", c.PlaceBets(round=1, lines=(line,)))[0] is Reason.NO_BOXES


@rulings("LIM-3")
def test_each_box_has_its_limit_for_itself_also_in_one_slip() -> None:
    pit = Pit("super-six")
    pit.open()
    lines = tuple(c.Line(bet="banker", amount=8_000_00, box=box) for box in (2, 1))
    assert refused_lines(pit, "ann", c.PlaceBets(round=1, lines=lines)) == []
    pit.player("bob", slip(pit, ("player", 3_000)))
    pit.player("cat", slip(pit, ("banker", 5_000)))
    assert sum(lying(pit).values()) == 24_000


def test_the_lines_of_a_slip_are_limited_together() -> None:
    pit = Pit("super-six")
    pit.open()
    assert refused_lines(pit, "ann", slip(pit, ("banker", 8_000), ("banker", 11_000))) == [
        (1, Reason.OVER_DIFFERENTIAL)
    ]
    assert lying(pit) == {"1/banker/ann": 8_000}
    assert answer_of(pit, "ann", slip(pit, ("banker", 10_100))).reason is Reason.OVER_DIFFERENTIAL, "a part of it"


# ---- the Differential --------------------------------------------------------------------------------------------


def over_by_a_withdrawal(key: str, **options: object) -> Pit:
    """Ann has 15,000 on Banker, since Cat's 5,000 on Player are gone."""
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("cat", "player", 5_000)
    pit.bet("ann", "banker", 15_000)
    pit.bet("cat", "player", 0)
    return pit


@pytest.mark.parametrize(("key", "policy"), [("commission", REFUSE), ("super-six", Policy())])
def test_what_is_over_the_limit_may_be_lowered_and_is_not_raised(key: str, policy: Policy) -> None:
    pit = over_by_a_withdrawal(key, policy=policy)
    answer = answer_of(pit, "ann", slip(pit, ("banker", 16_000)))
    assert (answer.reason, answer.parameters["most"]) == (Reason.OVER_DIFFERENTIAL, "15000.00"), "as it lies"
    pit.bet("ann", "banker", 14_000)
    pit.bet("ann", "tie", 100)
    assert lying(pit) == {"1/banker/ann": 14_000, "1/tie/ann": 100}


@pytest.mark.parametrize("seated", [True, False])
def test_a_refusal_says_the_most_beside_what_lies_on_both_hands(seated: bool) -> None:
    pit = Pit("super-six")
    if seated:
        pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("bob", "banker", 6_000)
    pit.bet("cat", "player", 3_000)
    most = answer_of(pit, "ann", slip(pit, ("banker", 14_000))).parameters["most"]
    assert most == ("13000.00" if seated else "7000.00"), "standing chips give way to a seated player"


def test_the_room_that_is_left_is_offered_down_to_the_minimum() -> None:
    pit = Pit("super-six")
    pit.open()
    pit.bet("ann", "banker", 9_900)
    assert answer_of(pit, "bob", slip(pit, ("banker", 200))).parameters["most"] == "100.00"
    pit.bet("bob", "banker", 100)


def test_where_the_house_deals_a_seated_players_own_chips_do_not_give_way() -> None:
    pit = Pit("commission", automatic=True)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.player("ann", slip(pit, ("player", 5_000)))
    pit.player("ann", slip(pit, ("banker", 15_000), ("player", 0)))
    assert (lying(pit), pit.told(e.ExcessRejected)) == ({"1/banker/ann": 15_000}, []), "a bet may still balance it"
    pit.close()
    assert lying(pit) == {"1/banker/ann": 10_000}


def test_a_box_at_the_very_limit_is_not_over_it_and_those_over_it_are_named_in_order() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("bob", "player", 100)
    pit.bet("ann", "banker", 10_100)
    assert pit.refused(DEALER, c.RejectExcess(round=1, box=1)) == (Reason.NO_EXCESS, None)
    for box in (3, 2):
        pit.bet("ann", "banker", 10_001, box=box)
    answer = pit.tell(c.CloseBetting(round=1), By("dora", DEALER, pit.now))
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.paragraph) == (Reason.EXCESS_UNACKNOWLEDGED, "5.1")
    assert answer.parameters["boxes"] == "2, 3"


@pytest.mark.parametrize(("key", "rule"), [("commission", "3.6"), ("wu-song", "3.6"), ("super-six", None)])
def test_an_objection_is_refused_by_the_paragraph_on_limits_if_there_is_one(key: str, rule: str | None) -> None:
    pit = Pit(key)
    pit.open()
    (event,) = pit.player("ann", c.Object(round=1, box=1, against="bob"))
    assert (type(event), paragraph(event)) == (e.ObjectionRefused, rule)


def test_an_objection_without_a_name_is_to_every_other_bet_in_the_box() -> None:
    pit = Pit("commission")
    pit.open()
    before = pit.state
    (event,) = pit.player("ann", c.Object(round=1, box=1))
    assert paragraph(event) == "3.6"
    (said,) = RunningAccount(pit.game, before).tell(event)
    assert said.code == "objection_refused_all"


# ---- under the minimum -------------------------------------------------------------------------------------------


def test_5_2_advice_is_about_a_box_and_what_goes_back_after_it_cites_the_paragraph() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("ann", "player", 50, box=2)
    assert pit.refused(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))[0] is Reason.NOT_UNDER_MINIMUM
    pit.staff(DEALER, c.AdviseMinimum(round=1, box=2, person="ann"))
    back = c.ReturnBet(round=1, box=2, bet="player", person="ann")
    assert pit.refused("ann", back)[0] is Reason.NOT_AUTHORISED
    (event,) = pit.staff(DEALER, back)
    assert (paragraph(event), pit.purse("ann")) == ("5.2", 99_900)


# ---- the close ---------------------------------------------------------------------------------------------------


def test_a_bet_made_at_the_very_moment_the_close_ends_still_counts() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    pit.staff(pit.dealer, c.AnnounceClose(round=1))
    pit.now += setup_of(pit).timing.drain
    pit.bet("ann", "player", 100)
    pit.now += 1
    assert pit.refused("ann", slip(pit, ("player", 200))) == (Reason.BETS_LATE, "3.2")


@pytest.mark.parametrize("key", library.GAMES)
def test_bets_are_taken_until_somebody_closes_them(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.now += 2 * setup_of(pit).timing.betting
    pit.bet("ann", "player", 100)
    if pit.game.terminal:
        assert pit.refused(pit.dealer, c.CloseBetting(round=1)) == (Reason.TOO_EARLY, "3.2"), "no terminal shows it"
    assert pit.refused("ann", c.CloseBetting(round=1))[0] is Reason.NOT_AUTHORISED
    pit.close()
    assert pit.phase is Phase.DEALING
    assert [event.by_card for event in pit.told(e.BettingClosed)] == [False]


def test_each_terminal_has_the_limit_for_itself() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    for person in ("ann", "bob", "cat"):
        pit.bet(person, "banker", 8_000)
    pit.close()
    assert (pit.told(e.ExcessRejected), pit.told(e.BettingClosed)[0].cut) == ([], ())
    assert set(lying(pit).values()) == {8_000}


def test_one_seen_card_among_hidden_ones_closes_the_betting() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.report(Fault.EXCESS, cards=(None, *read_cards("9")))
    assert [event.by_card for event in pit.told(e.BettingClosed)] == [True]


# ---- after the close ---------------------------------------------------------------------------------------------


def attest(owner: str, bet: str, dollars: int, box: int = 1) -> c.AttestBet:
    line = c.Line(bet=bet, amount=dollars * 100, box=box)
    return c.AttestBet(round=1, owner=owner, line=line, attested=True, reason="on the camera")


def late(pit: Pit, cents: int, *, withdrawn: bool = False, box: int = 1) -> c.NoteLateBet:
    return c.NoteLateBet(round=pit.state.round, person="ann", box=box, bet="player", amount=cents, withdrawn=withdrawn)


def closed(key: str, **bets: tuple[str, int]) -> Pit:
    pit = Pit(key)
    pit.open()
    for person, (bet, dollars) in bets.items():
        pit.bet(person, bet, dollars)
    pit.close()
    return pit


def test_without_limit_paragraphs_chips_keyed_in_late_play_in_full() -> None:
    pit = closed("super-six", bob=("banker", 10_000), cat=("player", 100))
    terms = c.BetTerms(owner="bob", bet="banker", terms=c.Terms.RETURN, box=1)
    pit.staff(Role.SHIFT_MANAGER, c.DecideUnprovided(round=1, decision="back", reason="on the camera", bets=(terms,)))
    pit.staff(DEALER, attest("ann", "banker", 5_000))
    assert (pit.told(e.BetAttested)[0].cut, pit.state.playing("1/banker/ann")) == ((), 5_000_00)


def test_what_plays_pro_rata_after_chips_were_keyed_in_late_is_told_of_the_bets_that_lie_there() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "banker", 15_000)
    pit.bet("bob", "banker", 5_000)
    pit.close(over_excess=True)
    pit.deal("2")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    question = pit.state.questions
    pit.player("ann", c.Elect(question=question, election=Election.RETURN))
    pit.player("bob", c.Elect(question=question, election=Election.CONTINUE))
    pit.staff(DEALER, c.CloseOptions(question=question))
    pit.staff(SUPERVISOR, attest("cat", "banker", 1_000))
    assert [one.key for one in pit.told(e.BetAttested)[0].cut] == ["1/banker/bob", "1/banker/cat"]


@pytest.mark.parametrize(("bet", "windows"), [("player", 1), ("tie", 1), ("banker", 2)])
def test_insurance_is_offered_again_only_to_chips_on_the_insured_hand(bet: str, windows: int) -> None:
    pit = closed("insurance", ann=("banker", 1_000))
    pit.deal("2 2 2 3")
    pit.staff(SUPERVISOR, attest("bob", bet, 400))
    assert len(pit.told(e.InsuranceOpened)) == windows


@pytest.mark.parametrize(
    ("key", "placed", "taken"), [("commission", "5.6", "5.6"), ("super-six", "5.2", "5.3"), ("insurance", "5.2", "5.3")]
)
def test_a_chip_that_moved_late_is_noted_by_the_paragraph_of_what_was_done(key: str, placed: str, taken: str) -> None:
    pit = closed(key, ann=("player", 100))
    for cents in (-1, 0):
        assert pit.refused(DEALER, late(pit, cents))[0] is Reason.STAKE_NOT_POSITIVE
    assert [paragraph(one) for one in pit.staff(DEALER, late(pit, 1))] == [placed]
    assert pit.refused(DEALER, late(pit, 100_00, withdrawn=True, box=2))[0] is Reason.NO_SUCH_BET_PLACED
    assert [paragraph(one) for one in pit.staff(DEALER, late(pit, 100_00, withdrawn=True))] == [taken]


# ---- another round -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stale:
    """A command about round 0, who sends it, and where it would be heard."""

    command: c.Command
    who: Role | str
    phase: Phase


LINE = c.Line(bet="player", amount=100_00, box=1)
STALE = [
    Stale(c.PlaceBets(round=0, lines=(LINE,)), "ann", Phase.BETTING),
    Stale(c.Object(round=0, box=1, against="bob"), "ann", Phase.BETTING),
    Stale(c.RejectExcess(round=0, box=1), DEALER, Phase.BETTING),
    Stale(c.AdviseMinimum(round=0, box=1, person="bob"), DEALER, Phase.BETTING),
    Stale(c.ReturnBet(round=0, box=1, bet="player", person="bob"), DEALER, Phase.BETTING),
    Stale(c.CloseBetting(round=0), DEALER, Phase.BETTING),
    Stale(c.AttestBet(round=0, owner="cat", line=LINE, attested=True), DEALER, Phase.DEALING),
    Stale(c.NoteLateBet(round=0, person="cat", bet="player", amount=100_00, box=1), DEALER, Phase.DEALING),
    Stale(c.DrawCard(round=0, index=1, card=read_cards("9")[0]), DEALER, Phase.DEALING),
    Stale(c.Settle(round=0), DEALER, Phase.RESULT),
    Stale(c.ConfirmBox(round=0, box=1), DEALER, Phase.PAYING),
    Stale(c.ConfirmRest(round=0), SUPERVISOR, Phase.PAYING),
]


@pytest.mark.parametrize("one", STALE, ids=lambda one: type(one.command).__name__)
def test_what_is_sent_about_another_round_is_stale(one: Stale) -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("bob", "player", 50)
    pit.bet("ann", "banker", 10_100)
    if isinstance(one.command, c.ReturnBet):
        pit.staff(DEALER, c.AdviseMinimum(round=1, box=1, person="bob"))
    if one.phase is not Phase.BETTING:
        pit.close(over_excess=True)
    if one.phase in (Phase.RESULT, Phase.PAYING):
        pit.deal("9 7 K 10")
    if one.phase is Phase.PAYING:
        pit.staff(DEALER, c.Settle(round=1))
    assert pit.phase is one.phase
    assert pit.refused(one.who, one.command) == (Reason.STALE_ROUND, None)


def test_the_close_of_another_round_is_not_displayed() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    assert pit.refused(pit.dealer, c.AnnounceClose(round=0)) == (Reason.STALE_ROUND, None)
