"""The shoe: who loads and replaces it, what becomes of the cards in front of it, and when it goes out of service."""

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import (
    AlertRaised,
    BettingOpened,
    CarryOverDiscarded,
    CutCardShown,
    ShoeLoaded,
    ShoeWithdrawn,
)
from puntobanco.table.evolve import replay
from puntobanco.table.explain import account
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.setup import InterruptionFinding, Policy, Setup, Source, Timing
from puntobanco.table.shoe import load_shoe
from puntobanco.table.state import Phase
from puntobanco.table.views import public_view
from tests.marks import rulebook, rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, STAFF, SUPERVISOR, YEAR_2026, Pit, in_play, paragraph

LONG = ["commission", "wu-song"]
REPLACES = {"commission": "5.10.2", "wu-song": "5.11.2"}
UNPROVIDED = {"commission": "5.17", "wu-song": "5.18"}


def load(name: str = "two", *, shuffled: bool = True, decks: int = 8, reason: str = "") -> c.LoadShoe:
    return c.LoadShoe(shoe=name, decks=decks, shuffled=shuffled, source=Source.KEYBOARD, reason=reason)


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def drawn_together(key: str) -> Pit:
    pit = in_play(key)
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5S KS"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    pit.everyone()
    return pit


@rulings("REC-18")
@rulebook({"commission": ["5.10.2"], "wu-song": ["5.11.2"]}, by=load_shoe)
@pytest.mark.parametrize("key", LONG)
def test_the_right_to_replace_the_shoe_after_cards_came_together_lasts_until_the_next_announcement(key: str) -> None:
    pit = drawn_together(key)
    pit.hides(1, 2)
    pit.deal("9S 3S")
    pit.settle()
    assert pit.refused(DEALER, load()) == (Reason.NOT_AUTHORISED, REPLACES[key])
    (withdrawn,) = pit.staff(SUPERVISOR, c.WithdrawShoe(reason="they stick"))
    assert paragraph(withdrawn) == REPLACES[key]
    pit.staff(MANAGER, AT_ONCE)
    pit.staff(MANAGER, c.OpenTable(setup=setup_of(pit)))
    pit.staff(DEALER, load())
    (loaded,) = pit.staff(SUPERVISOR, load())
    assert paragraph(loaded) == REPLACES[key], "also after the table was closed"
    pit.open()
    assert not pit.state.replaceable


@pytest.mark.parametrize("key", LONG)
def test_in_an_earlier_edition_the_right_ended_with_the_round(key: str) -> None:
    pit = drawn_together(key)
    pit.hides(1, 2)
    pit.deal("9S 3S")
    pit.settle()
    felt = Felt.of(pit.game, setup_of(pit), Edition.GUESTS_CONFIRM)
    answer = decide(felt, pit.state, c.WithdrawShoe(reason="they stick"), By("sue", SUPERVISOR, pit.now))
    assert isinstance(answer, Accepted)
    assert paragraph(answer.events[-1]) is None


@rulings("REC-16")
@rulebook({"commission": ["5.10.2"], "wu-song": ["5.11.2"]}, by=load_shoe)
@pytest.mark.parametrize("key", LONG)
def test_after_cards_came_together_the_shoe_is_replaced_and_they_keep_their_places(key: str) -> None:
    pit = drawn_together(key)
    assert pit.refused(DEALER, load()) == (Reason.NOT_AUTHORISED, REPLACES[key])
    (loaded,) = pit.staff(SUPERVISOR, load())
    assert isinstance(loaded, ShoeLoaded)
    assert (paragraph(loaded), pit.state.front) == (REPLACES[key], read_cards("KS 5S"))
    pit.hides(1, 2)
    assert pit.hands == {"player": "K♠", "banker": "5♠"}


@rulings("REC-15")
@pytest.mark.parametrize("key", LONG)
def test_in_the_middle_of_any_other_round_a_new_shoe_is_the_shift_managers(key: str) -> None:
    pit = in_play(key, "5")
    for who in (DEALER, SUPERVISOR, MANAGER):
        assert pit.refused(who, load(reason="stuck")) == (Reason.NOT_AUTHORISED, UNPROVIDED[key])
        assert pit.refused(who, c.WithdrawShoe(reason="stuck")) == (Reason.NOT_AUTHORISED, UNPROVIDED[key])
    if key == "wu-song":
        assert pit.refused(SHIFT, load()) == (Reason.REASON_MISSING, "5.18")
    pit.staff(SHIFT, c.WithdrawShoe(reason="stuck"))
    draw = c.DrawCard(round=1, index=2, card=read_card("K"))
    assert pit.refused(DEALER, draw) == (Reason.NO_SHOE, None)
    pit.staff(SHIFT, load(reason="stuck"))
    pit.deal("7")
    assert pit.hands == {"player": "5", "banker": "7"}


@rulings("REC-15")
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.5.5"), ("wu-song", "5.5.5"), ("super-six", None)])
def test_no_unshuffled_cards_come_into_a_round(key: str, rule: str | None) -> None:
    pit = in_play(key, "5")
    raw = load(shuffled=False, reason="stuck")
    assert pit.refused(SHIFT, raw) == (Reason.SHOE_UNSHUFFLED, rule)


@rulings("REC-15")
@pytest.mark.parametrize("key", LONG)
def test_between_rounds_a_shoe_in_use_is_replaced_by_the_rank_that_may(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert pit.refused(DEALER, load()) == (Reason.NOT_AUTHORISED, REPLACES[key])
    assert pit.refused("ann", load())[0] is Reason.NOT_AUTHORISED
    pit.staff(SUPERVISOR, load())
    assert paragraph(pit.events[-1]) == "2.2.1", "no cards came together: only the decks are cited"
    pit.staff(SUPERVISOR, c.WithdrawShoe(reason="worn"))
    assert pit.refused("ann", load()) == (Reason.NOT_AUTHORISED, None)
    pit.staff(DEALER, load("three"))
    assert pit.state.shoe is not None
    assert pit.state.shoe.name == "three"


@pytest.mark.parametrize("withdrawn", [False, True])
def test_a_new_shoe_between_rounds_discards_the_card_in_front_of_the_old(withdrawn: bool) -> None:
    pit = in_play("commission", "2 3 4 3")
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.settle()
    assert pit.refused(DEALER, load())[0] is Reason.NOT_AUTHORISED, "a card waits"
    if withdrawn:
        pit.staff(SUPERVISOR, c.WithdrawShoe(reason="worn"))
        pit.staff(DEALER, load())
    else:
        pit.staff(SUPERVISOR, load())
    assert (pit.state.front, len(pit.told(CarryOverDiscarded))) == ((), 1)
    pit.open()
    assert pit.phase is Phase.BETTING


@rulings("REC-23")
def test_a_void_by_interruption_discards_the_cards_that_waited() -> None:
    pit = drawn_together("commission")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert (pit.phase, pit.state.front) == (Phase.VOIDED, ())


@pytest.mark.parametrize("key", LONG)
def test_a_round_returned_by_the_house_leaves_a_card_that_was_seen_for_the_next(key: str) -> None:
    pit = in_play(key, "2 3 4 3")
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.report(Fault.UNPROVIDED)
    pit.rule(SHIFT, Choice.RETURN_BETS)
    assert (pit.phase, pit.state.front, pit.purse("ann")) == (Phase.VOIDED, read_cards("9"), 100_000)


# ---- used up -----------------------------------------------------------------------------------------------------


@rulings("CRD-9")
def test_after_the_cut_card_one_more_round_is_dealt_from_the_shoe() -> None:
    pit = Pit("commission")
    pit.open()
    pit.staff(DEALER, c.ShowCutCard())
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert [event.last_of_shoe for event in pit.told(BettingOpened)] == [False, True]
    assert pit.refused(DEALER, c.OpenBetting()) == (Reason.SHOE_FINISHED, None)
    pit.staff(DEALER, load())
    pit.open()
    assert pit.phase is Phase.BETTING


@pytest.mark.parametrize("key", ["commission", "super-six"])
def test_a_shoe_that_ran_out_goes_out_of_service(key: str) -> None:
    pit = in_play(key, "2", decks=4)
    pit.report(Fault.SHOE_EMPTY)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert [event.reason for event in pit.told(ShoeWithdrawn)] == ["shoe_empty"]
    assert pit.refused(DEALER, c.OpenBetting()) == (Reason.NO_SHOE, None)
    pit.staff(DEALER, load(decks=4))
    pit.open()
    ran_out = in_play(key, "2", decks=4)
    assert ran_out.state.shoe is not None
    last = replace(ran_out.state, shoe=replace(ran_out.state.shoe, left=0, last_round=True))
    draw = c.DrawCard(round=1, index=2, card=read_card("3"))
    answer = decide(ran_out.felt, last, draw, By(STAFF[DEALER], DEALER, ran_out.now))
    assert isinstance(answer, Accepted)
    assert answer.state is not None
    assert answer.state.shoe is not None
    assert (answer.state.phase, answer.state.shoe.in_service, answer.state.shoe.left) == (Phase.VOIDED, False, 0)


def test_the_cut_card_shows_by_itself_when_so_many_cards_are_left() -> None:
    pit = Pit("commission", decks=4)
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), cut_card=206)))
    pit.open()
    pit.close()
    pit.deal("2")
    assert pit.told(CutCardShown) == []
    for card in ("3", "4"):
        pit.deal(card)
        assert len(pit.told(CutCardShown)) == 1


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("burn", -1, Reason.SHOE_SET_WRONGLY),
        ("burn", 53, Reason.SHOE_SET_WRONGLY),
        ("cut_card", -5, Reason.SHOE_SET_WRONGLY),
        ("cut_card", 416, Reason.SHOE_SET_WRONGLY),
        ("timing", Timing(squeeze=-1), Reason.TIME_NEGATIVE),
    ],
)
def test_no_table_is_set_up_with_a_shoe_or_times_that_cannot_be(field: str, value: object, reason: Reason) -> None:
    pit = Pit("commission")
    setup = replace(setup_of(pit), **{field: value})
    assert pit.refused(MANAGER, c.ChangeSetup(setup=setup)) == (reason, None)
    pit.staff(MANAGER, AT_ONCE)
    assert pit.refused(MANAGER, c.OpenTable(setup=setup)) == (reason, None)


@rulings("CRD-9")
def test_burned_cards_are_not_in_the_shoe() -> None:
    pit = Pit("commission", decks=4)
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), burn=10)))
    pit.staff(SUPERVISOR, load(decks=4))
    assert pit.state.shoe is not None
    assert pit.state.shoe.left == 198


def test_the_shoe_holds_as_many_decks_as_the_table_was_set_up_for() -> None:
    pit = Pit("commission")
    assert pit.refused(SUPERVISOR, load(decks=6)) == (Reason.DECKS_NOT_AS_SET, "2.2.1")
    assert pit.refused(SUPERVISOR, load(decks=9)) == (Reason.DECKS_OUT_OF_RANGE, "2.2.1")


@rulings("FIN-11")
@pytest.mark.parametrize("waits", [False, True])
def test_another_number_of_decks_takes_the_shoe_out_of_service(waits: bool) -> None:
    pit = in_play("commission", "2 3 4 3")
    if waits:
        pit.report(Fault.EXCESS, cards=read_cards("9"))
        pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.settle()
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), decks=4)))
    assert [event.reason for event in pit.told(ShoeWithdrawn)] == ["decks_not_as_set"]
    assert (pit.state.front, len(pit.told(CarryOverDiscarded))) == ((), int(waits))
    assert pit.refused(DEALER, c.OpenBetting()) == (Reason.NO_SHOE, None)
    pit.staff(DEALER, load(decks=4))
    pit.open()


def test_a_table_without_a_shoe_has_none_to_withdraw_or_to_show_a_cut_card_of() -> None:
    pit = Pit("commission")
    empty = replay(pit.events[:1])  # the opening of the table alone
    for role, command in ((SUPERVISOR, c.WithdrawShoe(reason="worn")), (DEALER, c.ShowCutCard())):
        answer = decide(pit.felt, empty, command, By(STAFF[role], role, YEAR_2026))
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.paragraph) == (Reason.NO_SHOE, None)
    opening = decide(pit.felt, empty, c.OpenBetting(), By(STAFF[DEALER], DEALER, YEAR_2026))
    assert isinstance(opening, Refusal)
    assert opening.reason is Reason.NO_SHOE


def test_a_new_shoe_counts_its_own_cards_when_those_of_the_old_are_corrected() -> None:
    pit = in_play("commission", "5S")
    pit.staff(SHIFT, load(reason="stuck"))
    assert pit.state.seen == {}
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("6S"))
    assert (pit.state.seen, pit.state.old) == ({}, 1), "the first card is of the old set"
    pit.deal("7S")
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("6S 8S"))
    assert pit.state.seen == {"8♠": 1}


def test_who_is_not_of_the_house_touches_no_shoe() -> None:
    pit = Pit("non-commission-etg")
    assert pit.refused("ann", load()) == (Reason.NOT_AUTHORISED, None)
    assert pit.refused(Role.SYSTEM, load())[0] is Reason.NOT_AUTHORISED, "the shoe is in use"
    pit.staff(SHIFT, load())


# ---- an electronic shoe that does not match its commitment -------------------------------------------------------


def taken_out(pit: Pit) -> None:
    withdrawn, alert = pit.staff(Role.SYSTEM, c.WithdrawShoe(reason="shoe_unproven"))[-2:]
    assert isinstance(withdrawn, ShoeWithdrawn)
    assert withdrawn.unproven
    assert isinstance(alert, AlertRaised)
    assert (alert.kind, alert.to) == ("shoe_unproven", SUPERVISOR)


def interrupted(pit: Pit) -> None:
    taken_out(pit)
    pit.report(Fault.TECHNICAL, Role.SYSTEM, note="shoe_unproven")


def allowed(pit: Pit, role: Role) -> tuple[str, ...]:
    return public_view(pit.felt, pit.state, role).allowed


@rulings("TEC-12")
@pytest.mark.parametrize("key", ["commission", "super-six", "non-commission-etg"])
def test_a_shoe_the_house_took_out_is_followed_by_another_once_the_pit_has_confirmed_it(key: str) -> None:
    pit = Pit(key)
    taken_out(pit)
    again = replace(load(), source=Source.ELECTRONIC)
    for role in (pit.dealer, SHIFT):
        assert pit.refused(role, again) == (Reason.SHOE_UNPROVEN, None)
        assert "LoadShoe" not in allowed(pit, role)
    assert pit.refused(DEALER, c.WithdrawShoe(reason="x"))[0] is Reason.NOT_AUTHORISED
    pit.staff(SHIFT, c.WithdrawShoe(reason="the disk was changed"))
    pit.staff(pit.dealer, again)
    pit.open()


@pytest.mark.parametrize("key", ["super-six", "insurance", "non-commission-etg"])
def test_without_a_paragraph_the_house_decides_and_whoever_deals_cannot_let_play_go_on(key: str) -> None:
    pit = in_play(key, "5")
    interrupted(pit)
    assert pit.phase is Phase.SUSPENDED
    goes_on = c.Rule(question=pit.state.questions, choice=Choice.CONTINUE, reason="x")
    for role in (DEALER, Role.SYSTEM):
        assert pit.refused(role, goes_on)[0] is Reason.NOT_AUTHORISED
        assert "Rule" not in allowed(pit, role)
    pit.rule(SHIFT, Choice.VOID)
    assert pit.phase is not Phase.SUSPENDED


@pytest.mark.parametrize("key", LONG)
def test_unattended_the_round_is_void_unless_its_outcome_is_established(key: str) -> None:
    unattended = Policy(interruption_finding=InterruptionFinding.AUTOMATIC)
    pit = in_play(key, "5", policy=unattended)
    interrupted(pit)
    assert pit.phase is Phase.VOIDED
    pit = in_play(key, face_down=True, policy=unattended)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "9", 2: "K", 3: "K"})
    interrupted(pit)
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.CONCLUDE, Choice.DECIDE_BETS)


def test_the_account_says_why_the_shoe_went_and_play_stands_still() -> None:
    pit = in_play("super-six", "5")
    interrupted(pit)
    for language, why in (("en", "does not match its commitment"), ("zh", "与其承诺值不符")):
        spoken = library.sentences(language)
        said = [spoken.say(one.section, one.code, **one.parameters) for one in account(pit.events, pit.game)]
        assert sum(why in line for line in said) == 4, said
        assert not any("shoe_unproven" in line for line in said)
