"""The procedure of a round: announcements, late bets, squeeze, absence, staff bets, positions, display."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting, dealing, irregularities, management
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import BettingClosed, BettingOpened, DisplayCorrected, LateBetNoted
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SUPERVISOR, Pit

OPENS = {"commission": "3.3", "non-commission-etg": "3.1", "super-six": "3.1", "insurance": "3.1", "wu-song": "3.3"}
CLOSES = {"commission": "3.8", "non-commission-etg": "3.2", "super-six": "3.2", "insurance": "3.2", "wu-song": "3.8"}
LONG = ["commission", "wu-song"]


def line(pit: Pit, bet: str = "player", dollars: int = 100) -> c.Line:
    return c.Line(bet=bet, amount=dollars * 100, box=0 if pit.game.terminal else 1)


@rulebook({key: [rule] for key, rule in OPENS.items()}, by=betting.open_betting)
@pytest.mark.parametrize("key", library.GAMES)
def test_no_bet_is_taken_before_the_opening_is_announced(key: str) -> None:
    pit = Pit(key)
    assert pit.refused("ann", c.PlaceBets(round=0, lines=(line(pit),)))[0] is Reason.NOT_HEARD_NOW
    pit.open()
    opened = pit.events[-1]
    assert isinstance(opened, BettingOpened)
    assert opened.rule is not None
    assert opened.rule.paragraph == OPENS[key]
    pit.bet("ann", "player", 100)
    assert pit.refused("ann", c.PlaceBets(round=2, lines=(line(pit),)))[0] is Reason.STALE_ROUND


@rulebook({key: [rule] for key, rule in CLOSES.items()}, by=betting.close_betting)
@pytest.mark.parametrize("key", library.GAMES)
def test_the_close_ends_betting_by_its_paragraph(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    closed = pit.events[-1]
    assert isinstance(closed, BettingClosed)
    assert closed.rule is not None
    assert closed.rule.paragraph == CLOSES[key]
    assert pit.phase is Phase.DEALING


@rulings("BET-4")
@rulebook({"non-commission-etg": ["3.2"]}, by=(betting.announce_close, betting.place_bets))
def test_3_2_a_bet_made_before_the_display_closed_is_honoured_while_it_arrives() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    pit.staff(pit.dealer, c.AnnounceClose(round=1))
    pit.now += 500
    pit.bet("ann", "player", 100)
    assert pit.refused(pit.dealer, c.CloseBetting(round=1)) == (Reason.TOO_EARLY, "3.2")
    pit.now += 501
    assert pit.refused("bob", c.PlaceBets(round=1, lines=(line(pit),))) == (Reason.BETS_LATE, "3.2")
    pit.staff(pit.dealer, c.CloseBetting(round=1))


@rulebook(
    {"commission": ["5.6"], "wu-song": ["5.7"], "super-six": ["5.2", "5.3"], "insurance": ["5.2", "5.3"]},
    by=(betting.place_bets, betting.note_late_bet),
)
@pytest.mark.parametrize(
    ("key", "placed", "withdrawn"),
    [
        ("commission", "5.6", "5.6"),
        ("wu-song", "5.7", "5.7"),
        ("super-six", "5.2", "5.3"),
        ("insurance", "5.2", "5.3"),
    ],
)
def test_after_the_close_nothing_is_placed_raised_or_withdrawn(key: str, placed: str, withdrawn: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    assert pit.refused("ann", c.PlaceBets(round=1, lines=(line(pit, dollars=200),))) == (Reason.BETS_LATE, placed)
    assert pit.refused("ann", c.PlaceBets(round=1, lines=(line(pit, dollars=0),))) == (Reason.BETS_LATE, withdrawn)
    for away, rule in ((False, placed), (True, withdrawn)):
        note = c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=100_00, withdrawn=away)
        (event,) = pit.staff(DEALER, note)
        assert isinstance(event, LateBetNoted)
        assert event.rule is not None
        assert event.rule.paragraph == rule
    pit.deal("9 7 K 10")
    pit.settle()
    assert pit.purse("ann") == 100_100, "the positions at the close are settled"


@rulings("BET-8", "IRR-2")
@rulebook({"commission": ["5.3"], "wu-song": ["5.3"]}, by=management.walk_away)
@pytest.mark.parametrize("key", library.GAMES)
def test_who_walks_away_is_settled_all_the_same(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.player("ann", c.WalkAway(person="ann"))
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    assert pit.purse("ann") == 100_100


@rulings("SQZ-2", "SQZ-7")
@rulebook({"commission": ["3.9"], "wu-song": ["3.9"]}, by=(dealing.entitled_to_squeeze, dealing.request_squeeze))
def test_3_9_the_highest_seated_may_ask_in_one_document_and_the_highest_of_all_in_the_other() -> None:
    for key, entitled, other in (("commission", "ann", "bob"), ("wu-song", "bob", "ann")):
        pit = Pit(key, face_down=True)
        pit.player("ann", c.TakeSeat(box=1))
        pit.open()
        pit.bet("ann", "player", 100)
        pit.bet("bob", "player", 200)
        pit.close()
        ask = c.RequestSqueeze(round=1, index=1)
        assert pit.refused(other, ask) == (Reason.SQUEEZE_NOT_ENTITLED, "3.9")
        pit.player(entitled, ask)
        pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
        pit.staff(DEALER, c.DrawCard(round=1, index=1))
        assert pit.refused(entitled, ask) == (Reason.SQUEEZE_TOO_LATE, "3.9")
        expose = c.ExposeCard(round=1, index=1, card=read_cards("7")[0])
        assert pit.refused(DEALER, expose) == (Reason.SQUEEZE_GOES_ON, "3.9")
        pit.player(entitled, c.FinishSqueeze(round=1, index=1))
        pit.staff(DEALER, expose)
    face_up = Pit("commission")
    face_up.round({"ann": {"player": 100}}, "9 7 K 10")
    face_up.open()
    face_up.close()
    assert face_up.refused("ann", c.RequestSqueeze(round=2, index=1)) == (Reason.SQUEEZE_NOT_HERE, "3.9")


@rulebook({"commission": ["5.5.5"], "wu-song": ["5.5.5"]}, by=(betting.open_betting, irregularities.rule))
@pytest.mark.parametrize("key", LONG)
def test_5_5_5_unshuffled_cards_keep_a_round_from_opening_and_void_one_that_runs(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.staff(SUPERVISOR, c.LoadShoe(shoe="raw", decks=8, shuffled=False, source=Source.KEYBOARD))
    assert pit.refused(DEALER, c.OpenBetting()) == (Reason.SHOE_UNSHUFFLED, "5.5.5")
    pit.staff(DEALER, c.LoadShoe(shoe="said to be shuffled", decks=8, shuffled=True, source=Source.KEYBOARD))
    pit.open()
    pit.bet("bob", "banker", 100)
    pit.close()
    pit.deal("5 K 5 3")
    pit.report(Fault.UNSHUFFLED)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.purse("ann"), pit.purse("bob")) == (100_100, 100_000), "earlier rounds stand"


@rulings("BET-2")
@rulebook({"commission": ["5.13"], "wu-song": ["5.14"]}, by=(dealing.settle_round, betting.attest_bet))
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.13"), ("wu-song", "5.14")])
def test_the_positions_at_the_close_decide(key: str, rule: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 100)
    pit.close()
    late = c.AttestBet(round=1, owner="bob", line=line(pit), attested=False)
    assert pit.refused(DEALER, late)[0] is Reason.NOT_ATTESTED
    (attested,) = pit.staff(DEALER, c.AttestBet(round=1, owner="bob", line=line(pit), attested=True))
    assert attested.rule is not None
    assert attested.rule.paragraph == rule
    pit.deal("9 7 K 10")
    pit.settle()
    assert (pit.purse("ann"), pit.purse("bob")) == (99_900, 100_100)


@rulings("IRR-2", "DSP-1")
@rulebook({"commission": ["5.14"], "wu-song": ["5.15"]}, by=management.correct_display)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.14"), ("wu-song", "5.15"), ("super-six", None)])
def test_a_wrong_display_is_corrected_and_changes_no_money(key: str, rule: str | None) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.DISPLAY)
    (event,) = pit.staff(DEALER, c.CorrectDisplay(round=1, shown="Banker", correct="Player"))
    assert isinstance(event, DisplayCorrected)
    assert (event.rule.paragraph if event.rule else None) == rule
    assert pit.purse("ann") == 100_100


@rulings("AUT-17")
@rulebook({"commission": ["5.16"], "wu-song": ["5.17"]}, by=betting.place_bets)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.16"), ("wu-song", "5.17")])
def test_staff_bet_for_a_player_who_asks_and_own_no_bets(key: str, rule: str) -> None:
    pit = Pit(key)
    pit.open()
    for role in (DEALER, SUPERVISOR, MANAGER):
        assert pit.refused(role, c.PlaceBets(round=1, lines=(line(pit),)))[0] is Reason.NOT_A_PLAYER
    unasked = c.PlaceBets(round=1, lines=(line(pit),), owner="ann")
    assert pit.refused(DEALER, unasked) == (Reason.NOT_REQUESTED, rule)
    (placed,) = pit.staff(DEALER, c.PlaceBets(round=1, lines=(line(pit),), owner="ann", requested=True))
    assert placed.rule is not None
    assert placed.rule.paragraph == rule
    (stake,) = pit.state.stakes.values()
    assert (stake.owner, stake.placer) == ("ann", "dora")


def test_a_slip_is_answered_line_by_line() -> None:
    pit = Pit("wu-song", "E")
    pit.open()
    lines = (line(pit), line(pit, "wu_song"), line(pit, "tie", 10**9), line(pit, "tie", 100))
    answer = pit.tell(c.PlaceBets(round=1, lines=lines), pit.events[1].by)  # the first person who bought in
    assert [place for place, _ in answer.refusals] == [1, 2]  # type: ignore[union-attr]
    assert len(pit.state.stakes) == 2


@rulebook({"commission": ["3.6"], "wu-song": ["3.6"]}, by=betting.object_to)
@pytest.mark.parametrize("key", LONG)
def test_3_6_an_objection_to_a_standing_bet_within_the_limit_is_refused(key: str) -> None:
    pit = Pit(key)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "player", 100)
    (event,) = pit.player("ann", c.Object(round=1, box=1, against="bob"))
    assert event.rule is not None
    assert event.rule.paragraph == "3.6"
    assert len(pit.state.stakes) == 2


@rulebook({"commission": ["5.2"], "wu-song": ["5.2"]}, by=(betting.advise_minimum, betting.return_bet))
@pytest.mark.parametrize("key", LONG)
def test_5_2_a_noticed_bet_under_the_minimum_is_advised_and_may_be_handed_back(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 50)
    back = c.ReturnBet(round=1, box=1, bet="player", person="ann")
    assert pit.refused(DEALER, back)[0] is Reason.NOT_ADVISED
    pit.staff(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))
    pit.staff(DEALER, back)
    assert pit.purse("ann") == 100_000
    assert pit.refused(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))[0] is Reason.NOT_UNDER_MINIMUM


@pytest.mark.parametrize("key", library.GAMES)
def test_who_deals_is_recorded_at_the_announcement_and_holds_for_the_round(key: str) -> None:
    pit = Pit(key, automatic=True)
    pit.open()
    assert pit.state.house_deals
    if pit.dealer is DEALER:
        pit.automatic = False  # a dealer takes the table over
        pit.close()
        assert pit.state.house_deals
        pit.deal("9 8 K K")
        pit.staff(DEALER, c.Settle(round=1))
        pit.open()
        assert not pit.state.house_deals


def test_a_card_the_house_dealt_was_keyed_by_nobody() -> None:
    pit = Pit("commission", automatic=True)
    pit.open()
    pit.close()
    pit.staff(DEALER, c.DrawCard(round=1, index=1, card=read_card("9")))
    correct = c.CorrectCard(round=1, index=1, card=read_card("8"))
    assert pit.refused(DEALER, correct)[0] is Reason.NOT_CORRECTABLE
