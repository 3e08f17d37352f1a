"""Staff at the table: what they do for a player, what they never own, and what an electronic table does itself."""

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting, options
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.events import Elected
from puntobanco.table.setup import Timing
from puntobanco.table.state import Phase
from puntobanco.table.views import AUDITOR, BOARD, private_view, public_view
from tests.marks import rulebook, rulings
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
    assert paragraph(placed) == rule
    (stake,) = pit.state.stakes.values()
    assert (stake.owner, stake.placer) == ("ann", "dora")
    assert pit.refused(SHIFT, c.PlaceBets(round=1, lines=(LINE,), owner="bob", requested=True))[0] is (
        Reason.NOT_AUTHORISED
    )


@rulebook({"commission": ["5.16"], "wu-song": ["5.17"]}, by=betting.place_bets)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.16"), ("wu-song", "5.17")])
def test_nobody_who_is_assigned_owns_a_bet(key: str, rule: str) -> None:
    pit = Pit(key)
    pit.player("eve", c.BuyIn(person="eve", amount=1_000_00))
    pit.staff(SUPERVISOR, c.Assign(person="eve", role=StaffRank.DEALER))
    pit.open()
    for_eve = c.PlaceBets(round=1, lines=(LINE,), owner="eve", requested=True)
    assert pit.refused(DEALER, for_eve) == (Reason.NOT_A_PLAYER, rule)
    assert pit.refused("ann", for_eve) == (Reason.NOT_YOURS, None)
    assert pit.refused(DEALER, c.PlaceBets(round=1, lines=(LINE,), owner="nobody", requested=True)) == (
        Reason.UNKNOWN_PERSON,
        None,
    )


# ---- the electronic table ----------------------------------------------------------------------------------------


@rulings("BET-11")
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


@rulings("OPT-10")
@rulebook({"commission": ["5.12"], "wu-song": ["5.13"]}, by=options.elect)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.12.3"), ("wu-song", "5.13.3")])
def test_nobody_of_the_house_changes_what_somebody_chose_in_person(key: str, rule: str) -> None:
    pit = options_open(key)
    question = pit.state.questions
    pit.player("ann", c.Elect(question=question, election=Election.RETURN))
    changed = c.Elect(question=question, election=Election.CONTINUE, person="ann")
    assert pit.refused(DEALER, changed) == (Reason.CHOSEN_IN_PERSON, rule)
    recorded = c.Elect(question=question, election=Election.CONTINUE, person="bob", present=True)
    pit.staff(DEALER, recorded)
    pit.staff(DEALER, c.Elect(question=question, election=Election.RETURN, person="bob", present=True))
    pit.player("bob", c.Elect(question=question, election=Election.CONTINUE))
    assert pit.refused(DEALER, recorded) == (Reason.CHOSEN_IN_PERSON, rule)
    assert pit.refused("bob", changed) == (Reason.NOT_YOURS, None)


@rulings("AUT-9")
@rulebook({"commission": ["1.11", "5.12"], "wu-song": ["1.15", "5.13"]}, by=(options.elect, options.close_options))
@pytest.mark.parametrize(("key", "rule"), [("commission", "1.11"), ("wu-song", "1.15")])
def test_any_pit_employee_records_choices_and_closes_the_options(key: str, rule: str) -> None:
    for who in (DEALER, SUPERVISOR, MANAGER):
        pit = options_open(key)
        question = pit.state.questions
        for person in ("ann", "bob"):
            pit.staff(who, c.Elect(question=question, election=Election.CONTINUE, person=person, present=True))
        assert "CloseOptions" in public_view(pit.felt, pit.state, who).allowed
        pit.staff(who, c.CloseOptions(question=question))
        assert pit.phase is Phase.DEALING
    pit = options_open(key)
    said = c.Elect(question=pit.state.questions, election=Election.CONTINUE, person="ann", present=True)
    for other in (SHIFT, Role.SYSTEM):
        assert pit.refused(other, said) == (Reason.NOT_AUTHORISED, rule)
        pit.now += 31_000
        assert pit.refused(other, c.CloseOptions(question=pit.state.questions)) == (Reason.NOT_AUTHORISED, rule)
        assert not {"Elect", "CloseOptions"} & set(public_view(pit.felt, pit.state, other).allowed)


@rulings("OPT-11")
@rulebook({"commission": ["5.3", "5.12"], "wu-song": ["5.3", "5.13"]}, by=options.elect)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.12"), ("wu-song", "5.13")])
@pytest.mark.parametrize("who", [DEALER, SUPERVISOR, MANAGER])
def test_nobody_takes_the_bets_of_an_absent_player_back(who: Role, key: str, rule: str) -> None:
    pit = options_open(key)
    pit.player("ann", c.WalkAway(person="ann"))
    question = pit.state.questions
    for present in (False, True):
        gone = c.Elect(question=question, election=Election.RETURN, person="ann", present=present)
        assert pit.refused(who, gone) == (Reason.PLAYER_ABSENT, "5.3")
    (on,) = pit.staff(who, c.Elect(question=question, election=Election.CONTINUE, person="ann", present=True))
    assert isinstance(on, Elected)
    assert not on.present, "the record does not say of somebody who has left that they are there"
    silent = c.Elect(question=question, election=Election.RETURN, person="bob")
    assert pit.refused(who, silent) == (Reason.NOT_SAID_PRESENT, rule)
    early = c.Elect(question=question, election=Election.CONTINUE, person="bob")
    assert pit.refused(who, early) == (Reason.NOT_SAID_PRESENT, rule), "nor is anybody's time cut short"
    (said,) = pit.staff(who, c.Elect(question=question, election=Election.RETURN, person="bob", present=True))
    assert isinstance(said, Elected)
    assert (said.person, said.present, said.by.role) == ("bob", True, who)
    pit.staff(who, c.CloseOptions(question=question))
    assert (list(pit.state.stakes), pit.purse("bob")) == (["1/player/ann"], 100_000)


@rulebook({"commission": ["5.12"], "wu-song": ["5.13"]}, by=options.options_or_on)
@pytest.mark.parametrize("key", LONG)
def test_there_is_always_time_to_choose(key: str) -> None:
    pit = in_play(key, "5")
    assert pit.state.setup is not None
    for short in (0, 4_999):
        hurried = replace(pit.state.setup, timing=Timing(options=short))
        assert pit.refused(MANAGER, c.ChangeSetup(setup=hurried))[0] is Reason.NOT_HEARD_NOW
        fresh = Pit(key)
        assert fresh.refused(MANAGER, c.ChangeSetup(setup=hurried)) == (Reason.OPTIONS_TOO_SHORT, None)
    least = replace(pit.state.setup, timing=Timing(options=5_000))
    Pit(key).staff(MANAGER, c.ChangeSetup(setup=least))
    pit.state = pit.replayed = replace(pit.state, setup=replace(pit.state.setup, timing=Timing(options=0)))
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    close = c.CloseOptions(question=pit.state.questions)
    pit.now += 4_999
    assert pit.refused(DEALER, close)[0] is Reason.OPTIONS_RUNNING, "at a table that was set up before"
    pit.now += 1
    pit.staff(DEALER, close)
    assert pit.phase is Phase.DEALING


@rulings("OPT-10")
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


def test_no_bet_is_recorded_for_somebody_who_has_left() -> None:
    pit = Pit("commission")
    pit.player("cat", c.BuyIn(person="cat", amount=1_00))
    pit.open()
    pit.player("cat", c.WalkAway(person="cat"))
    bet = c.PlaceBets(round=1, lines=(LINE,), owner="cat", requested=True)
    assert pit.refused(DEALER, bet) == (Reason.PURSE_NOT_CONFIRMED, "5.16")
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
