"""Options and how play resumes, at the edges: whose choice, until when, and to what the round goes back."""

from typing import Any

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.felt import CURRENT, Edition, Felt
from puntobanco.table.setup import Setup, Timing
from puntobanco.table.state import Phase
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play, paragraph


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def options_open(edition: Edition = CURRENT, choose: int = 30_000) -> Pit:
    pit = in_play("commission", "5")
    timed = replace(setup_of(pit), timing=Timing(options=choose))
    pit.state = pit.replayed = replace(pit.state, setup=timed)
    pit.felt = Felt.of(pit.game, timed, edition)
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.OPTIONS
    return pit


def interrupted(pit: Pit, waits: int = 7_000) -> list[e.AnyEvent]:
    """A fault that does not affect the round, found some seconds later."""
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    pit.now += waits
    return pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)


# ---- resuming ----------------------------------------------------------------------------------------------------


def test_a_round_that_goes_on_has_the_time_it_had_and_none_where_it_had_none() -> None:
    betting = Pit("commission")
    betting.open()
    until = betting.state.deadline
    (*_, resumed) = interrupted(betting)
    assert isinstance(resumed, e.RoundResumed)
    assert (resumed.to, resumed.deadline, betting.told(e.AlertRaised)) == (Phase.BETTING, until + 7_000, [])
    dealing = in_play("commission", "9")
    interrupted(dealing)
    assert dealing.told(e.RoundResumed)[-1].deadline == 0
    assert (dealing.phase, dealing.state.deadline) == (Phase.DEALING, 0)


def test_a_result_that_stands_is_not_found_again() -> None:
    pit = in_play("commission", "9 7 K 10")
    interrupted(pit)
    assert (pit.phase, pit.told(e.RoundResumed)[-1].to) == (Phase.RESULT, Phase.RESULT)
    assert len(pit.told(e.HandsCompleted)) == 1
    pit.report(Fault.DISPLAY)
    assert (pit.phase, len(pit.told(e.RoundResumed))) == (Phase.RESULT, 1)


def window_open(cards: str = "2 2 2 3") -> Pit:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.bet("bob", "player", 1_000)
    pit.close()
    pit.deal(cards)
    assert pit.phase is Phase.INSURANCE
    return pit


def answered(pit: Pit, choice: Choice, **facts: Any) -> None:
    pit.now += 7_000
    pit.rule(SHIFT, choice, **facts)


def test_a_window_stays_open_for_its_time_unless_the_cards_no_longer_open_it() -> None:
    pit = window_open()
    until = pit.state.deadline
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    answered(pit, Choice.CONTINUE)
    assert (pit.phase, pit.state.deadline) == (Phase.INSURANCE, until + 7_000)
    pit.report(Fault.MISKEYED, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2 2 2 K"))
    assert (pit.told(e.RoundResumed)[-1].to, pit.told(e.RoundResumed)[-1].deadline) == (Phase.DEALING, 0)


def test_the_window_before_the_sixth_card_stays_open_while_five_lie_there() -> None:
    pit = window_open("2 2 2 3")
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    pit.deal("4")
    assert pit.state.window is not None
    assert pit.state.window.window is Window.FIVE
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    answered(pit, Choice.CONTINUE)
    assert (pit.phase, [closed.window for closed in pit.told(e.InsuranceClosed)]) == (Phase.INSURANCE, [Window.FOUR])


# ---- choosing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_since_the_second_reading_the_time_to_choose_has_a_least_also_at_a_table_set_up_before(
    edition: Edition,
) -> None:
    pit = options_open(edition, choose=1_000)
    assert pit.state.options is not None
    least = 5_000 if edition >= Edition.SECOND_READING else 1_000
    assert pit.state.options.deadline == pit.now + least


def test_who_chose_in_person_may_choose_again_in_person() -> None:
    pit = options_open()
    question = pit.state.questions
    for election in (Election.RETURN, Election.CONTINUE):
        pit.player("ann", c.Elect(question=question, election=election))
    assert pit.state.options is not None
    assert pit.state.options.elections == {"ann": Election.CONTINUE}


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_since_the_second_reading_staff_record_what_a_player_who_is_there_has_said(edition: Edition) -> None:
    pit = options_open(edition)
    silent = c.Elect(question=pit.state.questions, election=Election.CONTINUE, person="ann")
    if edition < Edition.SECOND_READING:
        (recorded,) = pit.staff(SUPERVISOR, silent)
        assert isinstance(recorded, e.Elected)
        assert recorded.present is False, "nobody asked whether she was there"
    else:
        assert pit.refused(SUPERVISOR, silent) == (Reason.NOT_SAID_PRESENT, "5.12")
        assert pit.refused(SHIFT, replace(silent, present=True)) == (Reason.NOT_AUTHORISED, "1.11")
        (recorded,) = pit.staff(SUPERVISOR, replace(silent, present=True))
        assert isinstance(recorded, e.Elected)
        assert recorded.present is True


def test_who_continues_on_hands_left_as_they_lie_does_so_by_that_paragraph() -> None:
    pit = in_play("commission", "5 K 4 3")
    rules = pit.game.irregularities.options
    assert rules is not None
    pit.report(Fault.MISDIRECTED, lies={1: Side.BANKER, 2: Side.PLAYER})
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert pit.state.options is not None
    assert pit.state.as_lying
    said = c.Elect(question=pit.state.options.question, election=Election.CONTINUE)
    (elected,) = pit.player("ann", said)
    assert paragraph(elected) == rules.as_lying != rules.reconstructed
    (elected,) = pit.player("bob", replace(said, election=Election.RETURN))
    assert paragraph(elected) == rules.returned


def test_a_round_that_everybody_leaves_ends_by_the_paragraph_of_the_option() -> None:
    pit = options_open()
    (*_, closed, ended, carried) = pit.everyone(Election.RETURN)
    assert isinstance(closed, e.OptionsClosed)
    assert isinstance(ended, e.RoundEndedWithoutBets)
    assert isinstance(carried, e.CardsCarriedOver)
    assert pit.game.irregularities.options is not None
    assert paragraph(ended) == pit.game.irregularities.options.returned


def test_whoever_has_no_bet_left_when_the_options_close_and_took_none_back_ends_no_round() -> None:
    pit = options_open()
    gone = [
        c.BetTerms(owner=owner, bet=bet, terms=c.Terms.RETURN, box=1)
        for owner, bet in (("ann", "player"), ("bob", "banker"))
    ]
    pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="torn felt", reason="seen on the camera", bets=tuple(gone)))
    assert pit.state.stakes == {}
    pit.everyone(Election.CONTINUE)
    assert (pit.phase, pit.told(e.RoundEndedWithoutBets)) == (Phase.DEALING, [])


def test_a_round_whose_betting_a_card_closed_ends_once_when_everybody_leaves_it() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone(Election.RETURN)
    assert len(pit.told(e.RoundEndedWithoutBets)) == 1


def test_the_window_before_the_sixth_card_closes_once_six_lie_there() -> None:
    pit = window_open()
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    pit.deal("7")
    assert pit.state.window is not None
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("2 2 2 3 7 4"))
    assert [closed.window for closed in pit.told(e.InsuranceClosed)] == [Window.FOUR, Window.FIVE]
