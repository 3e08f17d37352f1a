"""What a Pit Employee records for a player without a terminal: whose it is and who recorded it, and no paragraph."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest
from msgspec import json
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.procedures import StaffRank, Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, Refusal
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import RunningAccount
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.views import public_view
from tests.marks import rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, STAFF, SUPERVISOR, Pit, paragraph

PIT_EMPLOYEES = [DEALER, SUPERVISOR, MANAGER]


def offered(pit: Pit, role: Role = DEALER) -> set[str]:
    return set(public_view(pit.felt, pit.state, role).allowed)


def bet(pit: Pit, owner: str = "ann", dollars: int = 100) -> c.PlaceBets:
    line = c.Line(bet="banker", amount=dollars * 100, box=1)
    return c.PlaceBets(round=pit.state.round, lines=(line,), owner=owner, requested=True)


def facing_down(key: str = "commission") -> Pit:
    """Ann sits and has the highest bet; no card is drawn."""
    pit = Pit(key, face_down=True)
    pit.open()
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("ann", "banker", 500)
    pit.bet("bob", "player", 100)
    pit.close()
    return pit


def waivable() -> Pit:
    """Both third cards are due and lie face down."""
    pit = facing_down("insurance")
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "2", 2: "K", 3: "3", 4: "2"})
    return pit


def insurable() -> Pit:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.deal("2 2 2 3")
    return pit


def tied(key: str = "super-six") -> Pit:
    pit = Pit(key)
    pit.round({"ann": {"banker": 300}, "bob": {"player": 200}}, "9 9 K K")
    return pit


SEAT = c.TakeSeat(box=2, person="ann")
SQUEEZE = c.RequestSqueeze(round=1, index=1, person="ann")
WAIVER = c.RequestWaiver(round=1, person="ann")
INSURE = c.Insure(round=1, window=Window.FOUR, amount=100_00, box=1, person="ann")
TAKE = c.ChooseAfterTie(round=1, bet="banker", leave=False, box=1, person="ann")
LEAVE = replace(TAKE, leave=True)


def test_staff_take_a_stake_back_for_a_player_who_has_cashed_out_and_leave_none() -> None:
    pit = tied()
    pit.player("ann", c.CashOut(person="ann", amount=99_700_00))
    assert pit.refused(DEALER, LEAVE)[0] is Reason.PURSE_NOT_CONFIRMED
    pit.staff(DEALER, TAKE)
    assert pit.purse("ann") == 300


class Case(NamedTuple):
    pit: Callable[[], Pit]
    command: c.Command
    rule: str
    """What the player's own doing cites."""


CASES = {
    "seat": Case(partial(Pit, "commission"), SEAT, "1.17"),
    "squeeze": Case(facing_down, SQUEEZE, "3.9"),
    "waiver": Case(waivable, WAIVER, "4.1.5"),
    "insurance": Case(insurable, INSURE, "3.5"),
    "taken after a tie": Case(tied, TAKE, "3.8"),
    "left after a tie": Case(partial(tied, "insurance"), LEAVE, "3.9"),
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def owner_of(event: AnyEvent) -> str:
    if isinstance(event, e.InsuranceTaken | e.TieChoiceMade):
        return event.stake.owner
    assert isinstance(event, e.SeatTaken | e.SqueezeRequested | e.WaiverRequested)
    return event.person


@rulings("AUT-19")
@cases
@pytest.mark.parametrize("role", PIT_EMPLOYEES)
def test_owner_and_recorder_are_in_the_event_and_no_paragraph_is_cited(case: Case, role: Role) -> None:
    pit = case.pit()
    assert type(case.command).__name__ in offered(pit, role)
    told = pit.staff(role, case.command)[-1]
    assert (owner_of(told), told.by.person, told.by.role) == ("ann", STAFF[role], role)
    assert paragraph(told) is None


@rulings("AUT-10")
@cases
def test_what_a_player_does_in_person_cites_the_paragraph(case: Case) -> None:
    told = case.pit().player("ann", replace(case.command, person=None))[-1]
    assert (owner_of(told), told.by.person, paragraph(told)) == ("ann", "ann", case.rule)


@cases
def test_it_is_recorded_by_a_pit_employee_for_a_player_at_the_table(case: Case) -> None:
    pit, command = case.pit(), case.command
    assert pit.refused(SHIFT, command)[0] is Reason.NOT_AUTHORISED
    assert pit.refused("bob", command)[0] is Reason.NOT_YOURS
    assert pit.refused(DEALER, replace(command, person=None))[0] is Reason.NOT_A_PLAYER
    assert pit.refused(DEALER, replace(command, person="dora"))[0] is Reason.NOT_A_PLAYER
    assert pit.refused(DEALER, replace(command, person="ghost"))[0] is Reason.UNKNOWN_PERSON
    pit.player("eve", c.BuyIn(person="eve", amount=1_000_00))
    pit.staff(SUPERVISOR, c.Assign(person="eve", role=StaffRank.DEALER))
    assert pit.refused(DEALER, replace(command, person="eve"))[0] is Reason.NOT_A_PLAYER


@cases
def test_the_account_names_both_in_both_languages(case: Case) -> None:
    pit = case.pit()
    before = pit.state
    (said,) = RunningAccount(pit.game, before).tell(pit.staff(DEALER, case.command)[-1])
    assert said.code.endswith("_recorded")
    for language in library.LANGUAGES:
        sentence = library.sentences(language).say(said.section, said.code, **said.parameters)
        assert "ann" in sentence
        assert "dora" in sentence


@rulings("AUT-19")
@pytest.mark.parametrize("name", sorted(CASES.keys() - {"seat"}))
def test_nothing_is_recorded_for_somebody_who_walked_away(name: str) -> None:
    pit = CASES[name].pit()
    pit.staff(DEALER, c.WalkAway(person="ann"))
    reason = Reason.PURSE_NOT_CONFIRMED if name == "insurance" else Reason.PLAYER_ABSENT
    assert pit.refused(DEALER, CASES[name].command)[0] is reason


@pytest.mark.parametrize("name", sorted(CASES))
def test_whoever_buys_in_is_there_again(name: str) -> None:
    pit = CASES[name].pit()
    pit.player("ann", c.WalkAway(person="ann"))
    (bought,) = pit.player("ann", c.BuyIn(person="ann", amount=100_00))
    assert isinstance(bought, e.BoughtIn)
    assert (bought.back, pit.state.absent) == (True, frozenset())
    if name not in ("seat", "squeeze"):  # the seat is lost, and the right to squeeze with it
        pit.staff(DEALER, CASES[name].command)


def test_a_guest_without_an_account_is_there_again_with_the_next_cash_or_chips() -> None:
    pit = Pit("commission")
    buy = c.BuyInAtTable(name="Lee", amount=500_00, tender=c.Tender.CASH)
    (first,) = pit.staff(DEALER, buy)
    pit.staff(DEALER, c.WalkAway(person="~Lee"))
    assert pit.state.absent == {"~Lee"}
    (again,) = pit.staff(DEALER, replace(buy, again=True))
    assert isinstance(first, e.GuestBoughtIn)
    assert isinstance(again, e.GuestBoughtIn)
    assert (first.back, again.back, pit.state.absent) == (False, True, frozenset())


def test_before_that_edition_a_buy_in_brought_nobody_back() -> None:
    pit = Pit("commission")
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    pit.player("ann", c.WalkAway(person="ann"))
    pit.player("ann", c.BuyIn(person="ann", amount=100_00))
    assert pit.state.absent == {"ann"}


def test_a_stake_is_left_lying_for_somebody_only_as_long_as_their_confirmation_lasts() -> None:
    pit = tied()
    pit.player("ann", c.CashOut(person="ann", amount=1_00))
    assert pit.refused(DEALER, LEAVE)[0] is Reason.PURSE_NOT_CONFIRMED
    pit.staff(DEALER, TAKE)  # their own money, back in their purse


def test_a_player_who_moves_is_told_to_leave_the_one_seat_and_take_the_other() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    account = RunningAccount(pit.game, pit.state)
    told = [line.code for event in pit.staff(DEALER, SEAT) for line in account.tell(event)]
    assert told == ["seat_left", "seat_taken_recorded"]


def test_nobody_bets_without_a_purse() -> None:
    pit = Pit("commission")
    pit.open()
    line = c.Line(bet="player", amount=100_00, box=1)
    assert pit.refused("ghost", c.PlaceBets(round=1, lines=(line,))) == (Reason.UNKNOWN_PERSON, None)


def test_whoever_comes_back_is_seated() -> None:
    pit = Pit("commission")
    pit.staff(DEALER, c.WalkAway(person="ann"))
    pit.staff(DEALER, SEAT)
    assert pit.state.seats == {2: "ann"}
    assert pit.state.absent == frozenset()


@rulings("AUT-20")
@pytest.mark.parametrize(("key", "rule"), [("super-six", None), ("insurance", None), ("commission", "5.16")])
def test_only_where_a_paragraph_is_on_bets_placed_by_staff_is_one_cited(key: str, rule: str | None) -> None:
    pit = Pit(key)
    pit.open()
    before = pit.state
    (placed,) = pit.staff(DEALER, bet(pit))
    assert isinstance(placed, e.BetsPlaced)
    assert paragraph(placed) == rule
    assert (placed.stakes[0].owner, placed.stakes[0].placer, placed.by.person) == ("ann", "dora", "dora")
    (said,) = RunningAccount(pit.game, before).tell(placed)
    assert said.code == ("bets_placed_for" if rule else "bets_placed_recorded")
    assert pit.refused(DEALER, replace(bet(pit), requested=False)) == (Reason.NOT_REQUESTED, rule)


# ---- the end of a squeeze ----------------------------------------------------------------------------------------


@rulings("AUT-19")
def test_the_end_of_a_squeeze_is_recorded_where_the_request_was() -> None:
    pit = facing_down()
    pit.staff(DEALER, SQUEEZE)
    assert "FinishSqueeze" not in offered(pit)
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1)
    finish = c.FinishSqueeze(round=1, index=1, person="ann")
    assert "FinishSqueeze" in offered(pit)
    assert pit.refused(DEALER, replace(finish, person="bob"))[0] is Reason.NOT_YOURS
    pit.staff(DEALER, finish)
    pit.turn({1: "9"})


def test_nobody_ends_the_squeeze_that_a_player_asked_for_in_person() -> None:
    pit = facing_down()
    pit.player("ann", replace(SQUEEZE, person=None))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1)
    finish = c.FinishSqueeze(round=1, index=1, person="ann")
    assert "FinishSqueeze" not in offered(pit)
    assert pit.refused(DEALER, finish)[0] is Reason.NOT_YOURS
    pit.player("ann", finish)


# ---- devices -----------------------------------------------------------------------------------------------------


READER = "mat-1"


@rulings("AUT-21")
@pytest.mark.parametrize(("key", "menu"), [("commission", "3.7"), ("wu-song", "3.7"), ("super-six", "3.3")])
def test_what_a_chip_reader_reads_the_player_has_placed(key: str, menu: str) -> None:
    pit = Pit(key)
    pit.open()
    reader = By(READER, DEALER, pit.now, device=True)
    before = pit.state
    answer = pit.tell(replace(bet(pit), requested=False), reader)
    assert isinstance(answer, Accepted)
    (placed,) = answer.events
    assert isinstance(placed, e.BetsPlaced)
    assert paragraph(placed) == menu
    assert (placed.stakes[0].owner, placed.stakes[0].placer) == ("ann", "ann")
    assert (placed.by.person, placed.by.device) == (READER, True)
    (said,) = RunningAccount(pit.game, before).tell(placed)
    assert said.code == "bets_placed_read"
    for language in library.LANGUAGES:
        sentence = library.sentences(language).say(said.section, said.code, **said.parameters)
        assert "ann" in sentence
        assert READER in sentence


def test_chips_that_a_reader_finds_late_are_the_players_too() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("bob", "player", 100)
    pit.close()
    line = c.Line(bet="banker", amount=100_00, box=1)
    attest = c.AttestBet(round=1, owner="ann", line=line, attested=True)
    answer = pit.tell(attest, By(READER, DEALER, pit.now, device=True))
    assert isinstance(answer, Accepted)
    assert pit.state.stakes["1/banker/ann"].placer == "ann"


def test_a_refusal_to_a_device_cites_no_paragraph_on_requests() -> None:
    pit = Pit("commission")
    pit.open()
    reader = By(READER, DEALER, pit.now, device=True)
    nobody = pit.tell(replace(bet(pit), owner=None), reader)
    assert isinstance(nobody, Refusal)
    assert (nobody.reason, nobody.paragraph) == (Reason.NOT_A_PLAYER, None)
    pit.staff(DEALER, c.WalkAway(person="ann"))
    gone = pit.tell(bet(pit), reader)
    assert isinstance(gone, Refusal)
    assert (gone.reason, gone.paragraph) == (Reason.PURSE_NOT_CONFIRMED, None)


def test_an_event_of_a_device_from_before_still_reads() -> None:
    pit = Pit("commission")
    pit.open()
    (placed,) = pit.staff(DEALER, bet(pit))
    assert b"device" not in json.encode(placed)
    assert json.decode(json.encode(placed), type=AnyEvent) == placed


# ---- before ------------------------------------------------------------------------------------------------------


def earlier(pit: Pit) -> Pit:
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    return pit


def test_before_the_second_reading_what_staff_did_for_a_guest_cited_the_players_paragraph() -> None:
    lee = c.BuyInAtTable(name="Lee", amount=1_000_00, tender=c.Tender.CASH)
    pit = earlier(Pit("commission"))
    pit.staff(DEALER, lee)
    assert paragraph(pit.staff(SHIFT, c.TakeSeat(box=1, person="~Lee"))[0]) == "1.17"
    pit = earlier(Pit("insurance"))
    pit.staff(DEALER, lee)
    pit.open()
    assert paragraph(pit.staff(DEALER, bet(pit, "~Lee"))[0]) == "3.3"
    pit.close()
    pit.deal("2 2 2 3")
    insure = replace(INSURE, person="~Lee", amount=10_00)
    assert paragraph(pit.staff(DEALER, insure)[0]) == "3.5"


def test_an_insurance_recorded_late_is_late_as_the_players_own_would_be() -> None:
    pit = insurable()
    pit.staff(DEALER, INSURE)
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    assert pit.refused(DEALER, replace(INSURE, amount=200_00)) == (Reason.BETS_LATE, "5.2")
    assert pit.refused(DEALER, replace(INSURE, amount=0)) == (Reason.BETS_LATE, "5.3")
