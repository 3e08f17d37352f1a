"""What the account says, and which paragraph each line cites: of the shoe, of stakes after a tie, of reports and of
decisions."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import BetTerms, Choice, Election, Fault, Terms
from puntobanco.table.explain import account
from puntobanco.table.felt import CURRENT, Edition, Felt
from puntobanco.table.narration_words import NarratedLine, bet_name, place, who
from puntobanco.table.setup import Policy, Setup, Source
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def lines(pit: Pit) -> list[NarratedLine]:
    """The account of the events as they are stored."""
    stored = [msgspec.json.decode(msgspec.json.encode(event), type=e.AnyEvent) for event in pit.events]
    return list(account(stored, pit.game))


def codes(pit: Pit) -> list[str]:
    return [one.code for one in lines(pit)]


def last(pit: Pit, code: str) -> NarratedLine:
    return [one for one in lines(pit) if one.code == code][-1]


def cited(pit: Pit, code: str) -> list[str | None]:
    return [one.rule.paragraph if one.rule else None for one in lines(pit) if one.code == code]


def load(*, shuffled: bool = True) -> c.LoadShoe:
    return c.LoadShoe(shoe="two", decks=8, shuffled=shuffled, source=Source.KEYBOARD, reason="worn")


def test_a_line_has_the_names_amounts_and_numbers_of_its_event_and_who_acted() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.player("ann", c.CashOut(person="ann", amount=50_00))
    assert last(pit, "cashed_out").parameters == {"person": "ann", "amount": "50.00", "who": "ann"}
    assert last(pit, "table_opened").parameters.keys() == {"game", "decks", "minimum", "differential", "who"}


# ---- the table and its shoe --------------------------------------------------------------------------------------


def test_how_long_a_table_was_without_a_process_is_told_to_a_tenth_of_a_second() -> None:
    pit = Pit("commission", policy=Policy(handover_grace=600))
    pit.open()
    pit.staff(Role.SYSTEM, c.TakeOver(round=1, away=599_960))
    assert last(pit, "table_taken_over").parameters["seconds"] == "600.0"


def test_a_shoe_is_told_with_what_it_lacks_and_why_it_leaves() -> None:
    pit = Pit("commission")
    pit.staff(SHIFT, load(shuffled=False))
    assert codes(pit).count("shoe_loaded_unshuffled") == 1
    pit.staff(SHIFT, c.WithdrawShoe(reason="a torn card"))
    assert last(pit, "shoe_withdrawn").parameters["reason"] == "a torn card"
    pit.staff(SHIFT, load())
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), decks=6)))
    assert str(last(pit, "shoe_withdrawn").parameters["reason"].key) == "other_decks"
    void = in_play("commission", "5")
    void.report(Fault.FOREIGN_CARD)
    void.rule(SUPERVISOR, Choice.VOID)
    assert last(void, "shoe_withdrawn").parameters["reason"] is Fault.FOREIGN_CARD
    sealed = Pit("commission")
    sealed.staff(Role.SYSTEM, c.WithdrawShoe(reason=""))
    assert codes(sealed)[-2:] == ["shoe_withdrawn_plain", "alert_raised"]
    named = Pit("commission")
    named.staff(Role.SYSTEM, c.WithdrawShoe(reason="the seal"))
    assert last(named, "shoe_withdrawn").parameters["reason"] is Alert.SHOE_UNPROVEN


# ---- betting -----------------------------------------------------------------------------------------------------


def test_stakes_left_after_a_tie_say_why_they_come_back() -> None:
    """Only where a bet is not offered, the paragraph of the tie is not the reason. No paragraph interprets here."""
    pit = Pit("super-six")
    pit.open()
    for person, bet in (("ann", "player"), ("bob", "player")):
        pit.bet(person, bet, 100)
    pit.close()
    pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="half was hers", reason="on the camera", bets=(
        BetTerms(owner="ann", bet="player", terms=Terms.AT_STAKE, amount=50_00, box=1),
    )))  # fmt: skip
    pit.deal("9 9 K K")
    pit.settle()
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    pit.open()
    assert (cited(pit, "stake_left_low"), cited(pit, "stake_silent")) == ([pit.game.tie.rule], [pit.game.tie.rule])


@pytest.mark.parametrize("own", [False, True])
def test_a_stake_whose_bet_is_not_offered_comes_back_for_that_and_a_silent_one_by_the_tie(*, own: bool) -> None:
    """Also where a game file of one's own leaves open who interprets."""
    game = library.game("super-six")
    silent = replace(game, key="my-own", authority=replace(game.authority, decide_unprovided=None))
    pit = Pit(game.key, game=silent if own else game)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "banker", 100)
    pit.close()
    pit.deal("9 7 K 2")
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("9 7 K 2 9 5 K"))
    pit.settle()
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    pit.staff(SUPERVISOR, c.OpenBetting(acknowledge=True))
    assert {"player", "banker"} <= set(pit.state.not_offered)
    assert (cited(pit, "stake_left_decided"), cited(pit, "stake_silent")) == ([None], [pit.game.tie.rule])
    assert cited(pit, "not_offered") == [None]


def test_what_a_slip_takes_away_is_told_as_taken_back() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    assert [one.key for one in last(pit, "bets_placed").parameters["lines"]] == ["staked"]
    pit.bet("ann", "player", 0)
    assert [one.key for one in last(pit, "bets_placed").parameters["lines"]] == ["taken_back"]


def test_a_card_that_was_seen_closed_the_betting() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    assert "betting_closed_by_card" in codes(pit)
    assert "betting_closed" in codes(in_play("commission"))


def test_a_late_bet_is_told_as_placed_taken_away_or_missing() -> None:
    placed = c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=100_00)
    for late, edition, code in (
        (placed, CURRENT, "late_bet_noted"),
        (replace(placed, withdrawn=True), Edition.GUESTS_CONFIRM, "late_bet_noted_withdrawn"),
        (replace(placed, withdrawn=True), CURRENT, "late_bet_noted_missing"),
    ):
        pit = in_play("commission", "9 7")
        pit.felt = Felt.of(pit.game, setup_of(pit), edition)
        pit.staff(DEALER, late)
        assert codes(pit)[-1] == code


# ---- cards -------------------------------------------------------------------------------------------------------


def steps(pit: Pit) -> list[str]:
    return [one.code for one in lines(pit) if one.section == "step"]


def test_why_a_hand_drew_is_told_again_once_its_cards_are_corrected() -> None:
    pit = in_play("commission", "2 3 3 2")
    told = steps(pit)
    assert told != []
    pit.deal("9")
    assert steps(pit)[: len(told)] == told
    before = steps(pit)
    pit.report(Fault.MISKEYED, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2 3 3 3 9"))
    assert len(steps(pit)) > len(before), "the Banker has six now"


# ---- settlement --------------------------------------------------------------------------------------------------


def test_boxes_are_confirmed_one_by_one_or_at_once() -> None:
    pit = Pit("commission")
    pit.open()
    for box in (1, 2, 3):
        pit.bet("ann", "player", 100, box=box)
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    pit.confirm(1)
    assert codes(pit)[-1] == "boxes_confirmed"
    pit.staff(SUPERVISOR, c.ConfirmRest(round=1))
    assert (codes(pit)[-1], last(pit, "boxes_confirmed_at_once").parameters["boxes"]) == (
        "boxes_confirmed_at_once", "2, 3",
    )  # fmt: skip


def test_what_a_decision_leaves_unplayed_cites_what_settled_the_bet() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    less = BetTerms(owner="ann", bet="player", terms=Terms.AT_STAKE, amount=50_00, box=1)
    pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="half was hers", reason="on the camera", bets=(less,)))
    assert cited(pit, "stake_unplayed") == cited(pit, "stake_win")[-1:] != [None]


@pytest.mark.parametrize(("back", "code"), [(50, "debt_set_off_partly"), (200, "debt_set_off")])
def test_a_debt_is_set_off_in_part_or_in_full(back: int, code: str) -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.player("ann", c.CashOut(person="ann", amount=200_00))
    pit.staff(SHIFT, pays("ann", 0, Terms.RETURN))
    assert pit.state.owed == {"ann": 100_00}
    pit.staff(SHIFT, pays("ann", back * 100))
    assert codes(pit)[-1] == code
    left = last(pit, code).parameters["left"]
    assert left == ("50.00" if back == 50 else "0.00")


def pays(person: str, cents: int, what: Terms = Terms.PAY) -> c.DecideUnprovided:
    terms = BetTerms(owner=person, bet="player", terms=what, amount=cents, box=1)
    return c.DecideUnprovided(round=1, decision="so be it", reason="on the camera", bets=(terms,))


# ---- reports and rulings -----------------------------------------------------------------------------------------


def test_a_card_that_went_to_the_wrong_person_is_told_so() -> None:
    pit = in_play("commission", "9 7")
    pit.report(Fault.MISDIRECTED, lies={1: Side.PLAYER}, to_person=True)
    (detail,) = [one for one in last(pit, "irregularity_reported").parameters["details"] if one.key == "seen_person"]
    assert detail.parameters == {}


def test_a_decision_that_ends_a_round_tells_each_bet_once() -> None:
    """Named at another stake it is told with the bets, named otherwise with the round, and settled only as it lies."""
    pit = Pit("commission")
    pit.open()
    for person in ("ann", "bob", "cat"):
        pit.bet(person, "player_pair", 100)
    pit.close()
    pit.deal("5 K 5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    named = [("ann", Terms.AT_STAKE, 50_00), ("bob", Terms.AS_RECORDED, 0), ("cat", Terms.PAY, 30_00)]
    bets = tuple(
        BetTerms(owner=owner, bet="player_pair", terms=terms, amount=cents, box=1) for owner, terms, cents in named
    )
    pit.rule(SHIFT, Choice.DECIDE_BETS, bets=bets)
    told = codes(pit)
    assert [told.count(f"bet_{terms}") for _, terms, _ in named] == [1, 1, 1]
    assert [one.parameters["owner"] for one in lines(pit) if one.code == "stake_win"] == ["ann", "bob"]


def test_a_single_cent_that_a_decision_pays_is_more() -> None:
    """The Banker won with six, which pays half."""
    pit = Pit("super-six")
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), unit=Cents(2))))
    pit.round({"ann": {"banker": 100}}, "2 3 3 3 K")
    more = BetTerms(owner="ann", bet="banker", terms=Terms.AT_STAKE, amount=100_02, box=1)
    pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="so be it", reason="on the camera", bets=(more,)))
    assert last(pit, "bet_more").parameters["more"] == "0.01"
    assert "bet_less" not in codes(pit)


def ending(pit: Pit) -> str:
    return [code for code in codes(pit) if code.startswith("fault_closed")][-1].removeprefix("fault_closed_")


def test_a_report_proved_unfounded_while_the_dealer_pays_leaves_the_settlement() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert ending(pit) == "settlement_stands"


SWAPPED, THEN = {1: Side.BANKER, 2: Side.PLAYER}, {3: Side.BANKER, 4: Side.PLAYER}


def test_misdirected_cards_share_one_ruling() -> None:
    pit = in_play("super-six", "5 K 4 3")
    for lies in (SWAPPED, THEN):
        pit.report(Fault.MISDIRECTED, lies=lies)
    pit.rule(SHIFT, Choice.AS_LYING)
    assert [code for code in codes(pit) if code.startswith("fault_closed")] == ["fault_closed_house"] * 2


def test_a_report_that_comes_too_late_is_told_so_whatever_was_ruled_before() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.open()
    pit.staff(DEALER, c.Report(round=1, fault=Fault.MISDIRECTED, lies=SWAPPED))
    assert ending(pit) == "late"


def test_only_a_report_about_the_set_of_cards_is_about_another_set() -> None:
    for fault, end in ((Fault.FOREIGN_CARD, "another_set"), (Fault.OTHER_DEALING_ERROR, "noted")):
        pit = in_play("commission", "9 7")
        pit.claim("cat", fault, shoe="a set of last week") if end == "noted" else pit.report(
            fault, shoe="a set of last week"
        )
        assert ending(pit) == end


def test_whose_choice_was_recorded_is_told_with_whether_they_were_there() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.state.options is not None
    elect = c.Elect(question=pit.state.options.question, election=Election.CONTINUE)
    pit.player("ann", elect)
    assert codes(pit)[-1] == "elected_continue"
    pit.staff(DEALER, replace(elect, person="bob", present=True))
    assert codes(pit)[-1] == "elected_continue_present"
    pit.player("bob", c.WalkAway(person="bob"))
    pit.staff(DEALER, replace(elect, person="bob"))
    assert codes(pit)[-1] == "elected_continue_recorded"


# ---- the words of a line -----------------------------------------------------------------------------------------


def test_who_acts_is_named_as_a_player_a_device_or_a_role() -> None:
    assert who(By("ann", Role.PLAYER, 0)) == "ann"
    assert who(By("dealer", DEALER, 0)) is DEALER
    named = {by.person: who(by) for by in (By("mat-1", DEALER, 0, device=True), By("dora", DEALER, 0))}
    assert [getattr(one, "key", None) for one in named.values()] == ["device", "acting"]


def test_a_bet_is_named_with_its_window_and_box_where_it_has_them() -> None:
    game = Pit("insurance").game
    named = [
        bet_name(game, bet, box) for bet in ("player", f"banker_insurance@{Window.FOUR}", "player@x") for box in (0, 1)
    ]
    assert [one.key for one in named] == [
        "bet_alone", "bet_in_box", "insurance_alone", "insurance_in_box", "bet_alone", "bet_in_box",
    ]  # fmt: skip
    assert [place(box).key for box in (0, 1)] == ["terminal", "box"]
