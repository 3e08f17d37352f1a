"""Chips that lay on the layout at the close and were keyed in afterwards."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.events import AlertRaised, BetAttested
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.redeciding import Contradiction
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play
from tests.table.test_redeciding import decided_again

LONG = ["commission", "wu-song"]
POSITIONS = {"commission": "5.13", "wu-song": "5.14"}


def attest(owner: str, bet: str, dollars: int, *, attested: bool = True, reason: str = "", box: int = 1) -> c.AttestBet:
    line = c.Line(bet=bet, amount=dollars * 100, box=box)
    return c.AttestBet(round=1, owner=owner, line=line, attested=attested, reason=reason)


def playing(pit: Pit) -> dict[str, int]:
    return {key: pit.state.playing(key) // 100 for key in pit.state.stakes}


def closed(key: str, bets: dict[str, tuple[str, int]], *, over_excess: bool = False) -> Pit:
    pit = Pit(key)
    pit.open()
    for person, (bet, dollars) in bets.items():
        pit.bet(person, bet, dollars)
    pit.close(over_excess=over_excess)
    return pit


@rulings("BET-9")
@rulebook({"commission": ["5.1.1", "5.13"], "wu-song": ["5.1.1", "5.14"]}, by=betting.attest_bet)
@pytest.mark.parametrize("key", LONG)
def test_chips_attested_over_the_differential_play_pro_rata_with_the_box(key: str) -> None:
    pit = closed(key, {"ann": ("banker", 10_000)})
    pit.staff(DEALER, attest("bob", "banker", 20_000))
    assert playing(pit) == {"1/banker/ann": 3_333, "1/banker/bob": 6_667}
    (event,) = pit.told(BetAttested)
    assert [one.rule and one.rule.paragraph for one in event.cut] == ["5.1.1", "5.1.1"]
    assert (event.rule and event.rule.paragraph) == POSITIONS[key]


@pytest.mark.parametrize("key", LONG)
def test_chips_attested_on_the_lighter_hand_give_the_heavier_its_play_back(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 15_000)
    pit.bet("bob", "player", 20_000, box=2)
    pit.close(over_excess=True)
    assert playing(pit) == {"1/banker/ann": 10_000, "2/player/bob": 10_000}
    pit.staff(DEALER, attest("bob", "player", 5_000))
    assert playing(pit) == {"1/banker/ann": 15_000, "1/player/bob": 5_000, "2/player/bob": 10_000}


@rulings("BET-9")
def test_a_stake_keyed_in_part_is_completed_and_never_lowered() -> None:
    pit = closed("commission", {"ann": ("banker", 1_000)})
    pit.staff(DEALER, attest("ann", "banker", 1_500))
    assert (pit.purse("ann"), playing(pit)) == (98_500, {"1/banker/ann": 1_500})
    assert pit.refused(DEALER, attest("ann", "banker", 500)) == (Reason.BETS_LATE, "5.6")
    assert pit.refused(DEALER, attest("ann", "banker", 1_500)) == (Reason.BET_UNCHANGED, None)


def test_chips_are_attested_for_a_player_and_never_for_staff() -> None:
    pit = closed("commission", {"ann": ("banker", 1_000)})
    for name in ("dora", "eve"):
        pit.player(name, c.BuyIn(person=name, amount=1_000_00))
    assert pit.refused(DEALER, attest("dora", "tie", 100)) == (Reason.NOT_A_PLAYER, "5.16")
    pit.staff(SUPERVISOR, c.Assign(person="eve", role=StaffRank.DEALER))
    assert pit.refused(DEALER, attest("eve", "tie", 100)) == (Reason.NOT_A_PLAYER, "5.16")
    assert pit.refused(DEALER, attest("dan", "tie", 100)) == (Reason.UNKNOWN_PERSON, None)
    assert pit.refused("ann", attest("ann", "tie", 100))[0] is Reason.NOT_AUTHORISED
    assert pit.refused(DEALER, attest("bob", "tie", 100, attested=False)) == (Reason.NOT_ATTESTED, "5.6")


@rulings("BET-9")
@pytest.mark.parametrize("who", [DEALER, MANAGER, SHIFT])
def test_no_terminal_has_chips_to_attest(who: Role) -> None:
    pit = in_play("non-commission-etg")
    late = attest("ann", "player", 100, box=0)
    assert pit.refused(who, late) == (Reason.BETS_LATE, "3.2"), "bets are made at the terminals"
    assert pit.refused("ann", late) == (Reason.BETS_LATE, "3.2")
    assert pit.refused("ann", c.PlaceBets(round=1, lines=(late.line,))) == (Reason.BETS_LATE, "3.2")


@rulings("BET-9")
@pytest.mark.parametrize("key", LONG)
def test_once_a_card_is_open_chips_are_attested_by_a_pit_supervisor_and_the_shift_manager_is_told(key: str) -> None:
    pit = in_play(key, "9 7")
    reconstruction = "5.7" if key == "commission" else "5.8"
    late = attest("cat", "player", 100, reason="on the camera")
    assert pit.refused(DEALER, late) == (Reason.NOT_AUTHORISED, reconstruction)
    if key == "wu-song":
        assert pit.refused(SUPERVISOR, attest("cat", "player", 100))[0] is Reason.REASON_MISSING
    pit.staff(SUPERVISOR, late)
    assert [(alert.kind, alert.to) for alert in pit.told(AlertRaised)] == [("attested_late", SHIFT)]
    assert pit.state.bettors == ("ann", "bob", "cat")


def test_cards_face_down_are_not_open() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2)
    pit.staff(DEALER, attest("cat", "player", 100))
    assert pit.told(AlertRaised) == []


@rulings("BET-9")
@rulebook({"commission": ["5.12.3"], "wu-song": ["5.13.3"]}, by=betting.attest_bet)
@pytest.mark.parametrize(("key", "late"), [("commission", "5.6"), ("wu-song", "5.7")])
def test_nobody_who_took_everything_back_comes_in_again_by_an_attested_chip(key: str, late: str) -> None:
    pit = in_play(key, "2")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    question = pit.state.questions
    pit.player("ann", c.Elect(question=question, election=Election.RETURN))
    pit.player("bob", c.Elect(question=question, election=Election.CONTINUE))
    pit.staff(DEALER, c.CloseOptions(question=question))
    again = attest("ann", "banker", 100, reason="on the camera")
    assert pit.refused(SUPERVISOR, again) == (Reason.TOOK_BACK, late)
    pit.staff(SUPERVISOR, attest("bob", "tie", 100, reason="on the camera"))
    assert pit.phase is Phase.DEALING


@rulings("LIM-27")
def test_chips_that_went_back_by_an_option_lay_there_at_the_close_and_count_in_the_pro_rata() -> None:
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
    assert playing(pit) == {"1/banker/bob": 2_381, "1/banker/cat": 476}, "10,000 of the 21,000 at the close"


# ---- what a bet attested late is worth ---------------------------------------------------------------------------


@rulings("REC-24")
@pytest.mark.parametrize("key", LONG)
def test_the_alert_names_the_bet_and_its_worth_on_the_cards_that_everyone_has_seen(key: str) -> None:
    pit = closed(key, {"ann": ("banker", 1_000)})
    pit.deal("9 K")
    for cards, expected in (("9 K", {"player": 350_000}), ("9", {})):
        worth = c.Worth(cards=read_cards(cards), returns={"player": 350_000, "banker": -300_000})
        pit.staff(SUPERVISOR, replace(attest("bob", "player", 500, reason="seen by camera"), worth=worth))
        alert = pit.told(AlertRaised)[-1]
        assert (alert.kind, alert.worth) == ("attested_late", expected)
        assert [(one.owner, one.bet, one.amount) for one in alert.stakes] == [("bob", "player", 500_00)]
        assert decided_again(pit.game, pit.events) == pit.state
        pit = closed(key, {"ann": ("banker", 1_000)})
        pit.deal("9 K")


def test_an_alert_without_the_bet_it_is_about_contradicts_the_rules() -> None:
    pit = closed("commission", {"ann": ("banker", 1_000)})
    pit.deal("9 K")
    worth = c.Worth(cards=read_cards("9 K"), returns={"player": 350_000})
    pit.staff(SUPERVISOR, replace(attest("bob", "player", 500, reason="seen by camera"), worth=worth))
    with pytest.raises(Contradiction):
        decided_again(pit.game, pit.events[:-1])


def test_an_earlier_edition_names_no_bet() -> None:
    pit = closed("commission", {"ann": ("banker", 1_000)})
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.SECOND_READING)
    pit.deal("9 K")
    pit.staff(SUPERVISOR, attest("bob", "player", 500, reason="seen by camera"))
    assert pit.told(AlertRaised)[-1].stakes == ()


def test_before_the_second_reading_a_dealer_attested_chips_while_a_card_was_squeezed() -> None:
    pit = in_play("wu-song", face_down=True)
    assert pit.state.setup is not None
    pit.player("bob", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1)
    assert pit.refused(DEALER, attest("cat", "player", 100))[0] is Reason.NOT_AUTHORISED
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    pit.staff(DEALER, attest("cat", "player", 100))
