"""Cards exposed before a round takes bets: what they decide is not offered, and several need somebody of rank."""

import pytest
from msgspec.structs import replace

from puntobanco.rules import established
from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import reachable
from puntobanco.rules.refusal import Reason
from puntobanco.rules.settlement import Result, result_of
from puntobanco.table import betting
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.explain import account
from puntobanco.table.felt import CURRENT, Edition, Felt
from puntobanco.table.redeciding import Contradiction
from puntobanco.table.state import Phase
from puntobanco.table.views import public_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph
from tests.table.test_redeciding import decided_again

LONG = {"commission": "5.17", "wu-song": "5.18"}
SHORT = ["non-commission-etg", "super-six", "insurance"]
GAMES = [*LONG, *SHORT]


def waiting(key: str, cards: str, **options: object) -> Pit:
    """A settled round, after which these cards wait in front of the shoe."""
    pit = in_play(key, "9 7 K 10", **options)
    if key in LONG:
        pit.settle()
        pit.report(Fault.EXCESS, cards=read_cards(cards))
    else:
        pit.report(Fault.WRONG_NUMBER_OF_CARDS)
        pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards(f"9 7 K 10 {cards}"))
        pit.settle()
    assert pit.state.front == read_cards(cards)
    return pit


def slip(pit: Pit, bet: str, dollars: int = 100) -> c.PlaceBets:
    line = c.Line(bet=bet, amount=dollars * 100, box=0 if pit.game.terminal else 1)
    return c.PlaceBets(round=pit.state.round, lines=(line,))


def alerts(pit: Pit) -> list[str]:
    return [one.kind for one in pit.told(e.AlertRaised)]


# ---- bets that are decided before they are placed ----------------------------------------------------------------


@rulings("REC-20")
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("cards", ["9", "K K", "9 5 9", "9 5 K", "9 5 8", "4 K 2", "2 3 4 3", "5 5 K 7 2"])
def test_decided_is_a_bet_that_no_outcome_to_come_loses_or_none_wins(key: str, cards: str) -> None:
    pit = Pit(key)
    known = {place: card.rank for place, card in enumerate(read_cards(cards), start=1)}
    to_come = established.possible_outcomes(known)
    assert to_come <= set(reachable())
    bets = [bet for bet in pit.felt.bets.values() if bet.insures is None]
    results = {bet.key: {result_of(bet, outcome) for outcome in to_come} for bet in bets}
    decided = [key for key, those in results.items() if Result.WIN not in those or Result.LOSE not in those]
    assert list(pit.felt.available.decided(established.possible(known))) == decided


@rulings("REC-20")
@rulebook({"commission": ["5.7", "5.17"], "wu-song": ["5.8", "5.18"]}, by=(betting.open_betting, betting.place_bets))
@pytest.mark.parametrize("key", GAMES)
def test_a_bet_that_can_no_longer_lose_or_win_is_not_offered(key: str) -> None:
    pit = waiting(key, "9 5 K")
    pit.staff(SUPERVISOR, c.PermitOpening())
    pit.open(acknowledge=True)
    opened = pit.told(e.BettingOpened)[-1]
    assert {"player", "banker", "player_pair"} <= set(opened.not_offered), "a natural 9 can only win or tie"
    assert not {"tie", "banker_pair"} & set(opened.not_offered)
    for bet in pit.felt.bets.values():
        if bet.insures is None and bet.key in opened.not_offered:
            assert pit.refused("ann", slip(pit, bet.key)) == (Reason.BET_DECIDED, LONG.get(key))
    for audience in (Role.PLAYER, DEALER, SHIFT, "board"):
        assert public_view(pit.felt, pit.state, audience).not_offered == opened.not_offered
    named = [line for line in account(pit.events, pit.game) if line.code == "not_offered"]
    assert [line.rule.paragraph if line.rule else None for line in named] == [LONG.get(key)]
    pit.bet("ann", "tie", 100)
    pit.close()
    for index in (1, 2, 3):
        pit.staff(pit.dealer, c.DrawCard(round=2, index=index))
    pit.deal("2")
    pit.settle()
    pit.open()
    assert pit.state.not_offered == ()
    pit.bet("ann", "player", 100)


@pytest.mark.parametrize("key", GAMES)
def test_one_card_leaves_every_bet_open_and_a_dealer_opens_on_it(key: str) -> None:
    pit = waiting(key, "9")
    pit.open(acknowledge=True)
    assert (pit.state.not_offered, alerts(pit)) == ((), ["exposed_card_carried_over"])
    pit.bet("ann", "player", 100)


@rulings("REC-20")
@rulebook({"super-six": ["3.8"], "insurance": ["3.9"]}, by=betting.open_betting)
@pytest.mark.parametrize("key", ["super-six", "insurance"])
def test_a_stake_left_after_a_tie_goes_back_if_its_bet_is_not_offered(key: str) -> None:
    pit = Pit(key)
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
    assert (pit.state.stakes, pit.purse("ann")) == ({}, 100_000)
    lines = {line.code for line in account(pit.events, pit.game)}
    assert {"stake_left_decided", "stake_silent"} <= lines


# ---- several exposed cards ---------------------------------------------------------------------------------------


@rulings("REC-21")
@rulebook({"commission": ["5.17"], "wu-song": ["5.18"]}, by=(betting.open_betting, betting.permit_opening))
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("automatic", [False, True])
def test_several_exposed_cards_need_a_supervisor_before_a_round_opens(key: str, automatic: bool) -> None:
    pit = waiting(key, "K 6", automatic=automatic)
    assert alerts(pit) == ["opening_waits"]
    (alert,) = pit.told(e.AlertRaised)
    assert (alert.to, paragraph(alert)) == (SUPERVISOR, LONG.get(key))
    opening = c.OpenBetting(acknowledge=True)
    assert pit.refused(pit.dealer, opening) == (Reason.OPENING_NOT_PERMITTED, LONG.get(key))
    for role in (DEALER, Role.SYSTEM, Role.CASHIER):
        assert pit.refused(role, c.PermitOpening())[0] in (Reason.NOT_AUTHORISED, Reason.ACCESS_DENIED)
    assert pit.refused("ann", c.PermitOpening()) == (Reason.NOT_AUTHORISED, LONG.get(key))
    may = {role: public_view(pit.felt, pit.state, role).allowed for role in (DEALER, SUPERVISOR, MANAGER, SHIFT)}
    assert ["PermitOpening" in allowed for allowed in may.values()] == [False, True, True, True]
    assert "OpenBetting" not in may[DEALER]
    assert ("OpenBetting" in may[SUPERVISOR]) == (pit.game.terminal is None)
    (permitted,) = pit.staff(SHIFT, c.PermitOpening())
    assert isinstance(permitted, e.OpeningPermitted)
    assert (permitted.cards, paragraph(permitted)) == (read_cards("K 6"), LONG.get(key))
    assert pit.refused(SHIFT, c.PermitOpening()) == (Reason.NOTHING_TO_PERMIT, LONG.get(key))
    pit.open(acknowledge=True)
    assert (pit.state.round, pit.phase) == (2, Phase.BETTING)


@pytest.mark.parametrize("key", ["commission", "super-six"])
def test_a_supervisor_who_opens_has_permitted_it(key: str) -> None:
    pit = waiting(key, "K 6")
    pit.staff(SUPERVISOR, c.OpenBetting(acknowledge=True))
    assert (pit.phase, pit.told(e.OpeningPermitted)) == (Phase.BETTING, [])


@pytest.mark.parametrize("edition", [Edition.SECOND_READING, CURRENT])
def test_since_the_second_reading_a_dealer_does_not_open_on_several_exposed_cards(edition: Edition) -> None:
    pit = waiting("commission", "K 6")
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, edition)
    assert pit.refused(DEALER, c.OpenBetting(acknowledge=True)) == (Reason.OPENING_NOT_PERMITTED, "5.17")


@rulings("REC-21")
def test_a_permission_is_for_those_very_cards_and_for_one_round() -> None:
    pit = waiting("commission", "K 6")
    pit.staff(SUPERVISOR, c.PermitOpening())
    pit.report(Fault.EXPOSED, cards=read_cards("2"))
    assert pit.refused(DEALER, c.OpenBetting(acknowledge=True))[0] is Reason.OPENING_NOT_PERMITTED
    pit.staff(SUPERVISOR, c.PermitOpening())
    pit.open(acknowledge=True)
    pit.report(Fault.UNPROVIDED, note="the lights went out")
    pit.rule(SHIFT, Choice.RETURN_BETS)
    assert (pit.phase, pit.state.front) == (Phase.VOIDED, read_cards("K 6 2"))
    assert pit.refused(DEALER, c.OpenBetting(acknowledge=True))[0] is Reason.OPENING_NOT_PERMITTED


def test_cards_that_nobody_has_seen_need_no_permission() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.EXCESS, cards=(None, *read_cards("9"), None))
    assert (pit.state.known_first, pit.state.waits_for_permission) == ({2: 9}, False)
    assert pit.refused(SUPERVISOR, c.PermitOpening()) == (Reason.NOTHING_TO_PERMIT, "5.17")
    pit.open(acknowledge=True)


# ---- what bets are worth -----------------------------------------------------------------------------------------


@rulings("REC-6", "REC-22")
def test_the_alert_holds_what_bets_are_worth_on_the_very_cards() -> None:
    pit = waiting("commission", "9")
    worth = {"player": 215_281, "banker": -232_490}
    stale = c.Worth(cards=read_cards("8"), returns=worth)
    for told, expected in ((stale, {}), (replace(stale, cards=read_cards("9")), worth)):
        pit.staff(DEALER, c.OpenBetting(acknowledge=True, worth=told))
        assert pit.told(e.AlertRaised)[-1].worth == expected
        pit.report(Fault.UNPROVIDED, note="again")
        pit.rule(SHIFT, Choice.RETURN_BETS)


# ---- bets that lie on them at the close --------------------------------------------------------------------------


@rulings("REC-24")
@pytest.mark.parametrize("key", [*LONG, "super-six", "insurance"])
def test_bets_that_known_cards_favour_greatly_are_named_at_the_close_with_their_worth(key: str) -> None:
    pit = waiting(key, "9")
    pit.open(acknowledge=True)
    for person, bet in (("ann", "player"), ("bob", "banker"), ("cat", "tie")):
        pit.bet(person, bet, 100)
    returns = {"player": 215_281, "banker": -232_490, "tie": 50_000, "player_pair": 900_000}
    pit.staff(DEALER, c.CloseBetting(round=2, worth=c.Worth(cards=read_cards("9"), returns=returns)))
    alert = pit.told(e.AlertRaised)[-1]
    assert (alert.kind, alert.to) == ("bets_on_known_cards", SHIFT)
    assert [(one.owner, one.bet, one.amount) for one in alert.stakes] == [
        ("ann", "player", 100_00),
        ("cat", "tie", 100_00),
    ]
    assert alert.worth == {"player": 215_281, "tie": 50_000}, "what nobody bet on, or what is no gift, is not named"
    assert (alert.rule and alert.rule.paragraph) == {"commission": "5.7", "wu-song": "5.8"}.get(key)
    assert decided_again(pit.game, pit.events) == pit.state


@pytest.mark.parametrize(
    "worth",
    [
        None,
        c.Worth(cards=read_cards("8"), returns={"player": 900_000}),
        c.Worth(cards=read_cards("9"), returns={"player": 49_999, "tie": 900_000}),
    ],
    ids=["not computed", "of other cards", "no bet lies on it"],
)
def test_nobody_is_alerted_at_the_close_to_bets_that_are_no_gift(worth: c.Worth | None) -> None:
    pit = waiting("commission", "9")
    pit.open(acknowledge=True)
    pit.bet("ann", "player", 100)
    pit.staff(DEALER, c.CloseBetting(round=2, worth=worth))
    assert alerts(pit) == ["exposed_card_carried_over"]
    assert decided_again(pit.game, pit.events) == pit.state


@pytest.mark.parametrize("claimed", [False, True])
@pytest.mark.parametrize("key", LONG)
def test_bets_on_known_cards_are_named_if_another_card_closes_betting(key: str, claimed: bool) -> None:
    pit = waiting(key, "9")
    pit.open(acknowledge=True)
    pit.bet("ann", "player", 100)
    pit.bet("bob", "banker", 100)
    worth = c.Worth(cards=read_cards("9"), returns={"player": 215_281, "banker": -232_490})
    seen = c.Report(round=2, fault=Fault.EXPOSED, cards=read_cards("5"), worth=worth)
    if claimed:
        pit.player("ann", seen)
        assert pit.state.question is not None
        rule = c.Rule(question=pit.state.question.number, choice=Choice.RECONSTRUCT, reason="on camera", worth=worth)
        pit.staff(SUPERVISOR, rule)
    else:
        pit.staff(DEALER, seen)
    closed, alert = pit.told(e.BettingClosed)[-1], pit.told(e.AlertRaised)[-1]
    assert closed.by_card
    assert (alert.kind, alert.worth) == ("bets_on_known_cards", {"player": 215_281})
    assert [(one.owner, one.bet) for one in alert.stakes] == [("ann", "player")]
    assert decided_again(pit.game, pit.events) == pit.state


def test_an_alert_at_the_close_that_names_other_bets_than_lie_there_is_found() -> None:
    pit = waiting("commission", "9")
    pit.open(acknowledge=True)
    pit.bet("ann", "player", 100)
    pit.staff(DEALER, c.CloseBetting(round=2, worth=c.Worth(cards=read_cards("9"), returns={"player": 215_281})))
    forged = replace(pit.events[-1], stakes=())
    with pytest.raises(Contradiction):
        decided_again(pit.game, [*pit.events[:-1], forged])


# ---- as earlier editions decided ---------------------------------------------------------------------------------


def test_an_earlier_edition_offers_every_bet_and_asks_nobody() -> None:
    pit = Pit("commission")
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.EXCESS, cards=read_cards("9 5 K"))
    pit.open(acknowledge=True)
    assert (pit.state.not_offered, alerts(pit)) == ((), ["exposed_card_carried_over"])
    pit.bet("ann", "player", 100)
