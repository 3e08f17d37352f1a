"""The dealer's own correction of the card keyed in last: only while nothing has followed from it but the result."""

import pytest
from msgspec import json

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import dealing
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.decide import Accepted
from puntobanco.table.events import AlertRaised, AnyEvent, CardCorrected, InsuranceOpened
from puntobanco.table.explain import RunningAccount
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase
from puntobanco.table.views import BOARD, public_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph


def correct(pit: Pit, card: str, index: int | None = None) -> c.CorrectCard:
    return c.CorrectCard(round=1, index=pit.state.keyed if index is None else index, card=read_card(card))


def corrected(pit: Pit, card: str) -> CardCorrected:
    told = pit.staff(pit.dealer, correct(pit, card))[0]
    assert isinstance(told, CardCorrected)
    return told


def at(pit: Pit) -> Phase:
    return pit.phase


def alerts(pit: Pit) -> list[tuple[str, Role]]:
    return [(one.kind, one.to) for one in pit.told(AlertRaised)]


def may_correct(pit: Pit, role: Role = DEALER) -> bool:
    return "CorrectCard" in public_view(pit.felt, pit.state, role).allowed


@rulings("DSP-5")
@rulebook({"commission": ["5.14"], "wu-song": ["5.15"]}, by=dealing.correct_card)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.14"), ("wu-song", "5.15"), ("super-six", None)])
def test_the_dealer_alone_corrects_the_card_keyed_in_last(key: str, rule: str | None) -> None:
    pit = in_play(key, "9S 2H")
    assert may_correct(pit)
    told = corrected(pit, "3H")
    assert (paragraph(told), str(told.was), str(told.card), told.by.person) == (rule, "2♥", "3♥", "dora")
    assert pit.hands == {"player": "9♠", "banker": "3♥"}
    assert pit.state.seen == {"9♠": 1, "3♥": 1}
    assert alerts(pit) == []
    assert at(pit) is Phase.DEALING
    pit.deal("KS KH")
    assert at(pit) is Phase.RESULT


@rulings("DSP-5")
def test_it_may_be_corrected_again_and_is_counted_for_each_dealer() -> None:
    pit = in_play("commission", "9S 2H")
    corrected(pit, "3H")
    corrected(pit, "2H")
    pit.staff(SUPERVISOR, correct(pit, "4"))
    assert pit.state.seen == {"9♠": 1, "4": 1}
    corrected(pit, "5")
    assert pit.state.corrections == {"dora": 3, "sue": 1}
    assert public_view(pit.felt, pit.state, SUPERVISOR).corrections == {"dora": 3, "sue": 1}
    assert public_view(pit.felt, pit.state, BOARD).corrections == {}
    pit.deal("KS KH")
    pit.settle()
    pit.open()
    assert pit.state.corrections == {"dora": 3, "sue": 1}


def test_it_is_told_in_both_languages_and_stored() -> None:
    pit = in_play("commission", "9S 2H")
    before = pit.state
    told = corrected(pit, "3H")
    assert json.decode(json.encode(told), type=AnyEvent) == told
    (said,) = RunningAccount(pit.game, before).tell(told)
    for language in library.LANGUAGES:
        sentence = library.sentences(language).say(said.section, said.code, **said.parameters)
        assert all(word in sentence for word in ("dora", "2♥", "3♥"))


# ---- what is refused ---------------------------------------------------------------------------------------------


def test_only_the_last_card_and_only_into_another() -> None:
    pit = in_play("commission", "9S 2H")
    late = (Reason.NOT_CORRECTABLE, "5.14")
    assert pit.refused(DEALER, correct(pit, "3H", index=1)) == late
    assert pit.refused(DEALER, correct(pit, "3H", index=3)) == late
    assert pit.refused(DEALER, correct(pit, "3H", index=0)) == late
    assert pit.refused(DEALER, correct(pit, "2H")) == (Reason.CARD_UNCHANGED, "5.14")
    assert pit.refused("ann", correct(pit, "3H"))[0] is Reason.NOT_AUTHORISED
    assert pit.refused(SHIFT, correct(pit, "3H"))[0] is Reason.NOT_AUTHORISED
    stale = c.CorrectCard(round=2, index=2, card=read_card("3H"))
    assert pit.refused(DEALER, stale)[0] is Reason.STALE_ROUND


def test_before_a_card_and_after_the_settlement_there_is_none() -> None:
    pit = in_play("commission")
    assert not may_correct(pit)
    assert pit.refused(DEALER, correct(pit, "3H", index=0))[0] is Reason.NOT_CORRECTABLE
    pit.deal("9 9 K K")
    assert may_correct(pit)
    pit.settle()
    assert not may_correct(pit)
    assert pit.refused(DEALER, correct(pit, "8", index=4))[0] is Reason.NOT_HEARD_NOW
    assert pit.state.keyed == 0


def test_a_card_drawn_face_down_ends_it_and_so_does_the_next_card_exposed() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2)
    pit.turn({1: "9S"})
    corrected(pit, "8S")
    pit.turn({2: "7H"})
    assert pit.refused(DEALER, correct(pit, "9S", index=1))[0] is Reason.NOT_CORRECTABLE
    corrected(pit, "6H")
    pit.hides(3)
    assert pit.refused(DEALER, correct(pit, "7H", index=2))[0] is Reason.NOT_CORRECTABLE
    assert pit.hands == {"player": "8♠ ?", "banker": "6♥"}


def test_an_insurance_window_follows_from_the_card() -> None:
    pit = in_play("insurance", "2 2 2")
    corrected(pit, "3")
    corrected(pit, "2")
    pit.deal("3")
    assert at(pit) is Phase.INSURANCE
    assert not may_correct(pit)
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    assert pit.refused(DEALER, correct(pit, "4", index=4))[0] is Reason.NOT_CORRECTABLE


def test_a_waiver_follows_from_the_cards_once_it_is_granted() -> None:
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "2", 2: "K", 3: "3", 4: "2"})
    for consent in (False, True):
        pit.player("ann", c.RequestWaiver(round=1))
        assert may_correct(pit)
        pit.staff(DEALER, c.AnswerWaiver(round=1, consent=consent))
        assert may_correct(pit) is not consent


@pytest.mark.parametrize("choice", [Choice.DOES_NOT_AFFECT, Choice.STANDS])
def test_what_play_waited_for_follows_from_the_card(choice: Choice) -> None:
    pit = in_play("commission", "9S 2H")
    fault = Fault.TECHNICAL if choice is Choice.DOES_NOT_AFFECT else Fault.FOREIGN_CARD
    pit.report(fault)
    assert not may_correct(pit)
    pit.rule(SUPERVISOR, choice)
    assert at(pit) is Phase.DEALING
    assert pit.refused(DEALER, correct(pit, "3H", index=2))[0] is Reason.NOT_CORRECTABLE


def test_what_is_only_noted_takes_the_correction_from_nobody() -> None:
    pit = in_play("commission", "9S 2H")
    pit.claim("cat", Fault.FOREIGN_CARD)  # without a bet in the round
    assert at(pit) is Phase.DEALING
    corrected(pit, "3H")


def test_a_card_turned_over_by_mistake_was_reported_and_not_keyed() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3)
    pit.turn({1: "9S"})
    pit.report(Fault.FACE_UP, cards=read_cards("KS"), index=3)
    assert at(pit) is Phase.DEALING
    assert not may_correct(pit)


def test_a_card_known_before_it_was_drawn_is_not_the_dealers_to_change() -> None:
    pit = in_play("commission", "2S 3H 6C")
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5D 9S"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    pit.everyone()
    pit.staff(DEALER, c.DrawCard(round=1, index=4))
    assert pit.state.keyed == 0


@rulings("DSP-5")
def test_not_what_a_scanner_read_or_the_house_dealt() -> None:
    pit = in_play("commission", "9S")
    scan = c.DrawCard(round=1, index=2, card=read_card("2H"))
    assert isinstance(pit.tell(scan, By("scan", DEALER, pit.now, device=True)), Accepted)
    assert pit.refused(DEALER, correct(pit, "3H", index=2))[0] is Reason.NOT_CORRECTABLE
    electronic = Pit("non-commission-etg")
    electronic.round({"ann": {"player": 100}}, "9 9 K K")
    electronic.open()
    electronic.bet("ann", "player", 100)
    electronic.close()
    electronic.deal("9")
    command = c.CorrectCard(round=2, index=1, card=read_card("3H"))
    assert electronic.refused(Role.SYSTEM, command)[0] is Reason.NOT_CORRECTABLE


def test_a_card_of_a_set_that_was_replaced_stays_as_it_is() -> None:
    pit = in_play("commission", "9S 2H")
    load = c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD, reason="torn")
    pit.staff(SHIFT, load)
    assert pit.refused(DEALER, correct(pit, "3H", index=2))[0] is Reason.NOT_CORRECTABLE


# ---- what follows from it ----------------------------------------------------------------------------------------


@rulings("DSP-5")
def test_a_result_that_was_shown_and_changes_what_bets_get_alerts_the_pit() -> None:
    pit = in_play("commission", "9 8 K K")
    assert pit.state.outcome is not None
    corrected(pit, "A")
    assert pit.state.outcome is not None
    assert alerts(pit) == [("card_corrected", SUPERVISOR)]
    pit.settle()
    assert pit.purse("ann") == 100_000  # 9 against 9


def test_a_result_that_is_the_same_for_every_bet_alerts_nobody() -> None:
    pit = in_play("commission", "9 8 K K")
    corrected(pit, "Q")
    assert at(pit) is Phase.RESULT
    assert alerts(pit) == []


def test_a_pair_that_somebody_bet_on_is_something_else_to_get() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "banker_pair", 100)
    pit.close()
    pit.deal("9 K K K")
    corrected(pit, "Q")
    assert alerts(pit) == [("card_corrected", SUPERVISOR)]


def test_without_bets_nobody_gets_anything_else() -> None:
    pit = Pit("commission")
    pit.open()
    pit.close()
    pit.deal("9 8 K K")
    corrected(pit, "5")
    assert alerts(pit) == []


def test_hands_that_are_no_longer_complete_are_dealt_on() -> None:
    pit = in_play("insurance", "2 2 2 6")
    assert at(pit) is Phase.RESULT
    corrected(pit, "3")
    assert at(pit) is Phase.INSURANCE
    assert pit.state.outcome is None
    assert pit.told(InsuranceOpened)
    assert alerts(pit) == [("card_corrected", SUPERVISOR)]


def test_hands_that_are_complete_now_have_their_result() -> None:
    pit = in_play("commission", "2 2 2 3")
    assert at(pit) is Phase.DEALING
    corrected(pit, "6")
    assert at(pit) is Phase.RESULT
    assert alerts(pit) == []  # none was shown before


def test_a_card_the_decks_cannot_hold_is_reported_by_the_machine() -> None:
    pit = in_play("commission", "KS KS KS KS 5D", decks=4)
    assert at(pit) is Phase.DEALING
    corrected(pit, "KS")
    assert at(pit) is Phase.DECISION
    assert [one.fault for one in pit.state.faults] == [Fault.DECK_COUNT]


def test_a_pit_manager_who_acts_as_dealer_may_too() -> None:
    pit = in_play("commission", "9S 2H")
    assert may_correct(pit, MANAGER)
    pit.staff(MANAGER, correct(pit, "3H"))
