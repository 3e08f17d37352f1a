"""Staff at the table: what they do for a player, what they never own, and what an electronic table does itself."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.procedures import Rank
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting, options
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.state import Phase
from puntobanco.table.views import AUDITOR, BOARD, private_view, public_view
from tests.marks import rulebook
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph

LONG = ["commission", "wu-song"]
LINE = c.Line(bet="player", amount=100_00, box=1)


# ---- bets for a player -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "rule"), [("commission", "5.16"), ("wu-song", "5.17"), ("super-six", None)])
def test_staff_record_a_bet_for_a_player_who_asked(key: str, rule: str | None) -> None:
    pit = Pit(key)
    pit.open()
    unasked = c.PlaceBets(round=1, lines=(LINE,), owner="ann")
    assert pit.refused(DEALER, unasked) == (Reason.NOT_REQUESTED, rule)
    (placed,) = pit.staff(DEALER, c.PlaceBets(round=1, lines=(LINE,), owner="ann", requested=True))
    assert paragraph(placed) == (rule or pit.game.round.menu)
    (stake,) = pit.state.stakes.values()
    assert (stake.owner, stake.placer) == ("ann", "dora")
    assert pit.refused(SHIFT, c.PlaceBets(round=1, lines=(LINE,), owner="bob", requested=True))[0] is (
        Reason.NOT_AUTHORISED
    )


@rulebook({"commission": ["5.16"], "wu-song": ["5.17"]}, by=betting.place_bets)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.16"), ("wu-song", "5.17")])
def test_nobody_who_is_assigned_owns_a_bet(key: str, rule: str) -> None:
    pit = Pit(key)
    pit.staff(DEALER, c.BuyIn(person="eve", amount=1_000_00))
    pit.staff(SUPERVISOR, c.Assign(person="eve", role=Rank.DEALER))
    pit.open()
    for_eve = c.PlaceBets(round=1, lines=(LINE,), owner="eve", requested=True)
    assert pit.refused(DEALER, for_eve) == (Reason.NOT_A_PLAYER, rule)
    assert pit.refused("ann", for_eve) == (Reason.NOT_YOURS, None)
    assert pit.refused(DEALER, c.PlaceBets(round=1, lines=(LINE,), owner="nobody", requested=True)) == (
        Reason.UNKNOWN_PERSON,
        None,
    )


# ---- the electronic table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [DEALER, SUPERVISOR, MANAGER, SHIFT])
def test_nobody_of_the_house_opens_bets_closes_or_deals_at_an_electronic_table(who: Role) -> None:
    pit = Pit("non-commission-etg")
    assert pit.refused(who, c.OpenBetting())[0] is Reason.NOT_AUTHORISED
    pit.open()
    line = c.Line(bet="player", amount=100_00)
    bet = c.PlaceBets(round=1, lines=(line,), owner="ann", requested=True)
    assert pit.refused(who, bet)[0] is Reason.NOT_AUTHORISED
    assert pit.refused(who, c.AnnounceClose(round=1))[0] is Reason.NOT_AUTHORISED
    pit.close()
    assert pit.refused(who, c.DrawCard(round=1, index=1, card=read_card("9")))[0] is Reason.NOT_AUTHORISED
    pit.deal("9 7 K 10")
    assert pit.refused(who, c.Settle(round=1))[0] is Reason.NOT_AUTHORISED
    pit.settle()
    allowed = public_view(pit.felt, pit.state, who).allowed
    assert not {"OpenBetting", "PlaceBets", "DrawCard"} & set(allowed)


@pytest.mark.parametrize("key", [key for key in library.GAMES if key != "non-commission-etg"])
def test_a_machine_does_nothing_by_itself_at_a_table_with_a_dealer(key: str) -> None:
    pit = Pit(key)
    assert pit.refused(Role.SYSTEM, c.OpenBetting())[0] is Reason.NOT_AUTHORISED


# ---- options -----------------------------------------------------------------------------------------------------


def options_open(key: str = "commission") -> Pit:
    pit = in_play(key, "5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.OPTIONS
    return pit


@rulebook({"commission": ["5.12"], "wu-song": ["5.13"]}, by=options.elect)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.12.3"), ("wu-song", "5.13.3")])
def test_nobody_of_the_house_changes_what_somebody_chose_in_person(key: str, rule: str) -> None:
    pit = options_open(key)
    question = pit.state.questions
    pit.player("ann", c.Elect(question=question, election=Election.RETURN))
    changed = c.Elect(question=question, election=Election.CONTINUE, person="ann")
    assert pit.refused(DEALER, changed) == (Reason.CHOSEN_IN_PERSON, rule)
    recorded = c.Elect(question=question, election=Election.CONTINUE, person="bob")
    pit.staff(DEALER, recorded)
    pit.staff(DEALER, c.Elect(question=question, election=Election.RETURN, person="bob"))
    pit.player("bob", c.Elect(question=question, election=Election.CONTINUE))
    assert pit.refused(DEALER, recorded) == (Reason.CHOSEN_IN_PERSON, rule)
    assert pit.refused("bob", changed) == (Reason.NOT_YOURS, None)
    assert pit.refused(MANAGER, recorded)[0] is Reason.NOT_AUTHORISED


@pytest.mark.parametrize(("key", "rule"), [("commission", "5.12.3"), ("wu-song", "5.13.3")])
def test_nobody_of_the_house_sends_somebody_away_from_his_options(key: str, rule: str) -> None:
    pit = options_open(key)
    assert pit.refused(DEALER, c.WalkAway(person="ann")) == (Reason.OPTIONS_RUNNING, rule)
    assert pit.refused(DEALER, c.CloseOptions(question=pit.state.questions))[0] is Reason.OPTIONS_RUNNING
    pit.staff(DEALER, c.WalkAway(person="cat"))
    for person in ("ann", "bob"):
        pit.player(person, c.WalkAway(person=person))
    pit.staff(DEALER, c.CloseOptions(question=pit.state.questions))
    assert pit.phase is Phase.DEALING


@pytest.mark.parametrize("how", ["bets", "elects", "insures"])
def test_who_walked_away_and_acts_again_is_back(how: str) -> None:
    pit = Pit("insurance" if how == "insures" else "commission")
    pit.open()
    pit.bet("cat", "banker", 1_000)
    if how == "bets":
        pit.player("cat", c.WalkAway(person="cat"))
        assert pit.state.absent == {"cat"}
        pit.bet("cat", "banker", 500)
    pit.close()
    if how == "elects":
        pit.deal("5")
        pit.report(Fault.OTHER_DEALING_ERROR)
        pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
        pit.player("cat", c.WalkAway(person="cat"))
        pit.player("cat", c.Elect(question=pit.state.questions, election=Election.CONTINUE))
    if how == "insures":
        pit.deal("2 2 2 3")
        pit.player("cat", c.WalkAway(person="cat"))
        assert pit.state.window is not None
        pit.player("cat", c.Insure(round=1, window=pit.state.window.window, amount=100_00, box=1))
    assert pit.state.absent == frozenset()


def test_who_walked_away_and_bets_again_is_waited_for() -> None:
    pit = Pit("commission")
    pit.player("cat", c.WalkAway(person="cat"))
    pit.open()
    pit.bet("cat", "player", 100)
    pit.close()
    pit.report(Fault.EXPOSED, cards=read_cards("2"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.refused(DEALER, c.CloseOptions(question=pit.state.questions))[0] is Reason.OPTIONS_RUNNING


def test_a_bet_recorded_by_staff_brings_nobody_back() -> None:
    pit = Pit("commission")
    pit.player("cat", c.WalkAway(person="cat"))
    pit.open()
    pit.staff(DEALER, c.PlaceBets(round=1, lines=(LINE,), owner="cat", requested=True))
    assert pit.state.absent == {"cat"}


# ---- what each may see -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("audience", ["standing", "terminal", "seated", "", "dealer ", BOARD])
def test_whoever_the_house_does_not_know_sees_what_the_public_sees(audience: str) -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.FOREIGN_CARD)
    view = public_view(pit.felt, pit.state, audience)
    assert all(box.stakes == () for box in view.boxes)
    assert (view.question, view.faults, view.cards_left, view.allowed) == (None, (), None, ())
    known = public_view(pit.felt, pit.state, AUDITOR)
    assert known.boxes[0].stakes
    assert known.question is not None


def test_the_options_and_the_choice_after_a_tie_are_on_the_screens_of_those_they_concern() -> None:
    pit = options_open()
    views = {person: private_view(pit.felt, pit.state, person) for person in ("ann", "bob", "cat")}
    assert [person for person, view in views.items() if "Elect" in view.allowed] == ["ann", "bob"]
    tie = Pit("insurance")
    tie.round({"ann": {"player": 100}, "bob": {"tie": 100}}, "9 9 K K")
    allowed = {person: private_view(tie.felt, tie.state, person).allowed for person in ("ann", "bob")}
    assert ["ChooseAfterTie" in allowed[person] for person in ("ann", "bob")] == [True, False]
