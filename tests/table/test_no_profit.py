"""Nobody profits from the procedure: what was found, what would be noticed, and how far random play gets."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting, irregularities
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.state import Phase, State
from tests.marks import rulebook
from tests.table.no_profit import NoProfit, Profit
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play
from tests.table.test_random_commands import FELTS, conclude, play, table

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]


# ---- how far random play gets ------------------------------------------------------------------------------------


def dangers(events: list[AnyEvent]) -> Iterator[str]:  # noqa: PLR0912, PLR0915 (one arm an event)
    """The places in a history where somebody might gain by the procedure."""
    state, taken_back, last = State(), False, None
    for event in events:
        before, state = state, evolve(state, event)
        betting_open = before.reached in (Phase.BETTING, Phase.CLOSING)
        match event:
            case e.BettingOpened():
                taken_back = False
                if any(before.front):
                    yield "a round is announced on a known card"
                if event.left_lying:
                    yield "a stake lies on after a tie"
            case e.BettingClosed() if event.by_card:
                by_house = isinstance(last, e.Ruled) and last.choice is Choice.CONTINUE
                yield "the House plays on with a card seen while betting" if by_house else "a card seen closes betting"
            case e.CardsSetAside() if betting_open:
                yield "a card seen while betting is set aside"
            case e.RoundResumed() if event.to in (Phase.BETTING, Phase.CLOSING):
                yield "betting goes on where it was"
            case e.FaultClosed() if event.unfounded_claim:
                yield "a claim is unfounded"
            case e.FaultClosed() if event.put_back:
                yield "a card goes back into the shoe"
            case e.BetAttested():
                known = "on a known card" if before.card_known else "on no known card"
                yield f"chips are attested by the {event.by.role.value.replace('_', ' ')} {known}"
            case e.LateBetNoted():
                yield "a late bet is noted"
            case e.SettlementReversed():
                taken_back = True
                yield "what was paid is taken back"
            case e.IrregularityReported() if taken_back and before.reached in (Phase.RESULT, Phase.DEALING):
                yield "an error is reported before the new settlement"
            case e.OptionsOffered():
                yield "options with a known result" if event.result_known else "options"
            case e.Elected() if event.by.person != event.person:
                yield f"the dealer records that somebody chose {event.election}"
            case e.OptionsClosed() if event.returned:
                yield "bets come back by option"
            case e.TieChoiceMade():
                yield "a stake is left after a tie" if event.leave else "a stake is taken after a tie"
            case e.WalkedAway() if before.stakes_of(event.person):
                yield "somebody walks away from bets"
            case e.CardCorrected():
                yield "the dealer corrects a card"
            case e.InsuranceTaken():
                yield "insurance"
            case e.InsuranceReturned() if event.stakes:
                yield "insurance goes back"
            case e.CardDrawn() if event.squeeze_until:
                yield "a card is squeezed"
            case e.RoundVoided():
                yield "a settled round is void" if before.paid else "a round is void"
            case _:
                pass
        last = event if isinstance(event, e.Ruled) else last


EVERYWHERE = {
    "a card is squeezed",
    "a card goes back into the shoe",
    "a card seen closes betting",
    "a card seen while betting is set aside",
    "a claim is unfounded",
    "a late bet is noted",
    "a round is announced on a known card",
    "a settled round is void",
    "a stake is left after a tie",
    "a stake is taken after a tie",
    "a stake lies on after a tie",
    "an error is reported before the new settlement",
    "bets come back by option",
    "betting goes on where it was",
    "chips are attested by the dealer on no known card",
    "chips are attested by the pit supervisor on a known card",
    "insurance",
    "options with a known result",
    "somebody walks away from bets",
    "the House plays on with a card seen while betting",
    "the dealer corrects a card",
    "the dealer records that somebody chose return",
    "what was paid is taken back",
}


def test_random_play_gets_wherever_somebody_might_gain() -> None:
    reached: set[str] = set()
    for seed in range(3 * len(FELTS)):
        rng = random.Random(seed)
        pit = table(FELTS[seed % len(FELTS)], face_down=bool(seed // len(FELTS) % 2))
        play(pit, rng, 500)
        conclude(pit, rng)
        reached |= set(dangers(pit.events))
        if reached >= EVERYWHERE:
            return
    assert reached >= EVERYWHERE, EVERYWHERE - reached


@pytest.mark.parametrize("key", [*LONG, *SHORT])
def test_random_play_would_have_found_what_the_edition_before_allowed(key: str) -> None:
    for seed in range(20):
        pit = earlier(table((key, None), face_down=bool(seed % 2)))
        play(pit, random.Random(seed), 300)
        try:
            watch(pit)
        except Profit:
            return
    raise AssertionError("nothing was noticed")


def earlier(pit: Pit) -> Pit:
    """The same table as the edition before decided, which nobody watches."""
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    return pit


def watch(pit: Pit, *more: AnyEvent) -> None:
    """Let the history be watched, and what is said to have happened then."""
    watching = NoProfit(lambda setup: Felt.of(pit.game, setup))
    for event in (*pit.events, *more):
        watching.watch(event)


# ---- a card that is seen while betting is open -------------------------------------------------------------------


@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize("fault", [Fault.EXPOSED, Fault.EXCESS, Fault.SIMULTANEOUS])
def test_a_house_that_plays_on_with_a_card_everybody_has_seen_closes_the_bets(key: str, fault: Fault) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    cards = read_cards("9 5" if fault is Fault.SIMULTANEOUS else "9")
    pit.report(fault, cards=cards)
    assert not pit.told(e.BettingClosed), "held, until the House has decided"
    pit.rule(SHIFT, Choice.CONTINUE)
    (closed,) = pit.told(e.BettingClosed)
    assert (closed.by_card, pit.phase, pit.state.front) == (True, Phase.DEALING, cards)
    assert not pit.told(e.OptionsOffered)
    line = c.Line(bet="player", amount=200_00, box=0 if pit.game.terminal else 1)
    assert pit.refused("ann", c.PlaceBets(round=1, lines=(line,)))[0] is Reason.BETS_LATE


@pytest.mark.parametrize("key", SHORT)
def test_with_nobody_having_bet_the_round_ends_and_the_card_waits(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SHIFT, Choice.CONTINUE)
    assert (pit.phase, pit.state.front) == (Phase.WITHOUT_BETS, read_cards("9"))


@pytest.mark.parametrize("key", [*LONG, *SHORT])
def test_a_card_that_a_ruling_turns_up_while_betting_is_open_closes_it(key: str) -> None:
    pit = Pit(key, face_down=key != "non-commission-etg")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=(None,))
    assert not pit.told(e.BettingClosed)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("9"))
    assert [one.by_card for one in pit.told(e.BettingClosed)] == [True]


# ---- a card in a player's hands ----------------------------------------------------------------------------------


@rulebook({"commission": ["3.9", "5.13"], "wu-song": ["3.9", "5.14"]}, by=betting.attest_bet)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("finished", [False, True])
def test_while_somebody_knows_a_card_chips_are_attested_by_a_pit_supervisor(key: str, finished: bool) -> None:
    pit = squeezed(Pit(key, face_down=True), finished=finished)
    late = c.AttestBet(round=1, owner="ann", line=c.Line(bet="banker", amount=100_00, box=1), attested=True, reason="x")
    reconstruction = "5.7" if key == "commission" else "5.8"
    assert pit.refused(DEALER, late) == (Reason.NOT_AUTHORISED, reconstruction)
    pit.staff(SUPERVISOR, late)
    assert [alert.kind for alert in pit.told(e.AlertRaised)] == ["attested_late"]


def squeezed(pit: Pit, *, finished: bool) -> Pit:
    """Ann squeezes the first card, or has just done so."""
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.player("ann", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1)
    if finished:
        pit.player("ann", c.FinishSqueeze(round=1, index=1))
    return pit


# ---- after the boxes were paid -----------------------------------------------------------------------------------


@rulebook({"commission": ["5.10.1", "5.12"], "wu-song": ["5.11.1", "5.13"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_a_settlement_taken_back_opens_no_options(key: str) -> None:
    pit = taken_back(key)
    pit.report(Fault.SIMULTANEOUS, index=1, order_known=True)
    assert (pit.phase, pit.told(e.OptionsOffered)) == (Phase.RESULT, [])
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.phase, pit.told(e.OptionsOffered)) == (Phase.RESULT, [])
    pit.settle()


def taken_back(key: str) -> Pit:
    """Bob lost 200, and the settlement is taken back for another reason."""
    pit = in_play(key, "9 2 K K")
    pit.settle()
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE)
    return pit


@rulebook({"commission": ["5.10"], "wu-song": ["5.11"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_a_dealer_alone_takes_no_settlement_back(key: str) -> None:
    pit = in_play(key, "9 2 K K")
    pit.settle()
    pit.report(Fault.SIMULTANEOUS, index=1, order_known=True)
    assert (pit.phase, pit.told(e.SettlementReversed)) == (Phase.SETTLED, [])
    assert pit.state.replaceable, "the cards were drawn at once all the same"


# ---- what would be noticed: rules as they were -------------------------------------------------------------------


@pytest.mark.parametrize(("key", "choice"), [("commission", Choice.RECONSTRUCT), ("super-six", Choice.CONTINUE)])
def test_it_notices_a_bet_on_a_card_everybody_has_seen(key: str, choice: Choice) -> None:
    pit = earlier(Pit(key))
    pit.open()
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SHIFT, choice)
    pit.bet("ann", "player", 100)
    with pytest.raises(Profit, match="placed or raised after a card was seen"):
        watch(pit)


def test_it_notices_a_bet_withdrawn_from_a_card_everybody_has_seen() -> None:
    pit = earlier(Pit("super-six"))
    pit.open()
    pit.bet("ann", "banker", 100)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SHIFT, Choice.CONTINUE)
    pit.bet("ann", "banker", 0)
    with pytest.raises(Profit, match="lowered or withdrawn"):
        watch(pit)


def test_it_notices_chips_the_dealer_attests_for_whoever_knows_a_card() -> None:
    pit = squeezed(earlier(Pit("wu-song", face_down=True)), finished=True)
    line = c.Line(bet="player", amount=500_00, box=1)
    pit.staff(DEALER, c.AttestBet(round=1, owner="ann", line=line, attested=True))
    with pytest.raises(Profit, match="while somebody knows a card"):
        watch(pit)


def test_it_notices_a_settlement_that_a_dealer_takes_back_alone() -> None:
    pit = earlier(in_play("commission", "9 2 K K"))
    pit.settle()
    pit.report(Fault.SIMULTANEOUS, index=1, order_known=True)
    with pytest.raises(Profit, match="by nobody above the dealer"):
        watch(pit)


def test_it_notices_a_bet_taken_back_after_its_box_was_paid() -> None:
    pit = earlier(taken_back("commission"))
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone(Election.RETURN)
    with pytest.raises(Profit, match="after its box was paid"):
        watch(pit)


# ---- what would be noticed: histories that no rule gives ---------------------------------------------------------


def by(role: Role, person: str = "dora") -> By:
    return By(person, role, 0)


def stake(bet: str, dollars: int = 100, owner: str = "ann") -> e.Stake:
    return e.Stake(owner=owner, box=1, bet=bet, amount=dollars * 100, placer=owner, order=9)


def placed(bet: str, dollars: int = 100, was: int = 0, who: By | None = None) -> e.BetsPlaced:
    return e.BetsPlaced(by=who or by(Role.PLAYER, "ann"), round=1, stakes=(stake(bet, dollars),), was=(was * 100,))


@pytest.mark.parametrize("who", [by(Role.PLAYER, "ann"), by(Role.DEALER), by(Role.SHIFT_MANAGER)])
def test_it_notices_a_bet_after_the_close_whoever_records_it(who: By) -> None:
    with pytest.raises(Profit, match="placed or raised after the close"):
        watch(in_play("commission"), placed("tie", who=who))
    with pytest.raises(Profit, match="lowered or withdrawn"):
        watch(in_play("commission"), placed("player", 50, was=100, who=who))


def test_it_notices_chips_attested_by_a_dealer_once_a_card_is_open() -> None:
    attested = e.BetAttested(by=by(Role.DEALER), round=1, stake=stake("tie"))
    watch(in_play("commission"), attested)
    with pytest.raises(Profit, match="after a card was seen"):
        watch(in_play("commission", "9"), attested)
    watch(in_play("commission", "9"), replace(attested, by=by(Role.PIT_SUPERVISOR)))
    watch(in_play("commission", "9"), replace(attested, by=By("dora", Role.DEALER, 0, second="sue")))


def test_it_notices_that_more_of_a_stake_plays_than_did() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "banker", 15_000)
    pit.close(over_excess=True)
    pit.deal("9")
    more = e.BetAttested(by=by(Role.DEALER), round=1, stake=stake("tie", owner="bob"), cut=())
    with pytest.raises(Profit, match="1/banker/ann is placed or raised after a card was seen"):
        watch(pit, more)


@pytest.mark.parametrize(("cards", "bet"), [("9 9 K K", "tie"), ("9 2 K K", "player"), ("9 2 9", "player_pair")])
def test_it_notices_a_bet_that_can_no_longer_lose(cards: str, bet: str) -> None:
    pit = Pit("commission")
    pit.open()
    waiting = e.CardsOutOfTurn(by=by(Role.DEALER), round=1, cards=read_cards(cards))
    watching = NoProfit(lambda setup: Felt.of(pit.game, setup))
    for event in (*pit.events, waiting):
        watching.watch(event)
    watching.seen = []  # as if the cards had been there before
    with pytest.raises(Profit, match="can no longer lose"):
        watching.watch(placed(bet))


def test_it_notices_insurance_outside_its_window_or_with_nothing_to_lose() -> None:
    pit = insured()
    taken = pit.told(e.InsuranceTaken)[-1]
    more = replace(taken, stake=replace(taken.stake, amount=taken.stake.amount + 100), was=taken.stake.amount)
    watch(pit, more)
    closed = e.InsuranceClosed(by=by(Role.DEALER), round=1, window=taken.window)
    with pytest.raises(Profit, match="outside a window"):
        watch(pit, closed, more)
    known = e.CardsOutOfTurn(by=by(Role.DEALER), round=1, cards=read_cards("4"))
    with pytest.raises(Profit, match="can no longer lose"):
        watch(pit, known, more)


def insured() -> Pit:
    """Ann has insured 1,000 on the Player, 7 against 4."""
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "player", 1_000)
    pit.close()
    pit.deal("K 4 7 K")
    assert pit.state.window is not None
    pit.player("ann", c.Insure(round=1, window=pit.state.window.window, amount=100_00, box=1))
    return pit


def test_it_notices_options_that_nothing_gave_or_nobody_chose() -> None:
    pit = in_play("commission", "5")
    back = tuple(pit.state.stakes.values())[:1]
    gone = e.OptionsClosed(by=by(Role.DEALER), round=1, question=9, silent=(), returned=back)
    with pytest.raises(Profit, match="options that nothing gave"):
        watch(pit, gone)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    with pytest.raises(Profit, match="who did not choose so"):
        watch(pit, gone)
    recorded = e.Elected(by=by(Role.DEALER), question=2, person="ann", election=Election.RETURN)
    with pytest.raises(Profit, match="who did not choose so"):
        watch(pit, recorded, gone)
    watch(pit, replace(recorded, present=True), gone)


@pytest.mark.parametrize("cause", [Fault.FOREIGN_CARD, Fault.EXPOSED])
def test_it_notices_a_round_that_a_dealer_voids_alone(cause: Fault) -> None:
    pit = in_play("commission", "5")
    void = e.RoundVoided(by=by(Role.DEALER), round=1, cause=cause, refunds=tuple(pit.state.stakes.values()))
    with pytest.raises(Profit, match="nobody above the dealer"):
        watch(pit, void)
    watch(pit, replace(void, by=by(Role.PIT_SUPERVISOR)))
    watch(pit, replace(void, cause=Fault.SHOE_EMPTY))


def test_it_notices_a_bet_that_comes_back_after_its_box_was_paid() -> None:
    pit = in_play("super-six", "9 2 K K")
    lost = tuple(pit.state.stakes.values())[1]
    pit.settle()
    for event in (
        e.BetReturned(by=by(Role.DEALER), round=1, stake=lost),
        e.RoundVoided(by=by(Role.SYSTEM, "house"), round=1, cause=Fault.TECHNICAL, refunds=(lost,)),
    ):
        with pytest.raises(Profit, match="after its box was paid"):
            watch(pit, event)
    for after_a_tie in (
        e.TieChoiceMade(by=by(Role.PLAYER, "bob"), round=1, stake=lost, leave=False),
        e.StakesReturned(by=by(Role.DEALER), round=1, stakes=(lost,)),
        e.BettingOpened(by=by(Role.DEALER), round=2, deadline=0, returned=(lost,)),
    ):
        with pytest.raises(Profit, match="was not held"):
            watch(pit, after_a_tie)
