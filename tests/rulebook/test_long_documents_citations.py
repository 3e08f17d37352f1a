"""What the two long documents order for a table over time: each capability cites its own paragraph, and no other does.

From 5.6 on the numbers of Wu Song are those of Commission Baccarat plus one.
"""

import pytest

import puntobanco as pb
from puntobanco.rules import library
from puntobanco.rules.checks import citations
from puntobanco.rules.procedures import Action, Announcer, Authority, Discretion, LateBetMode, SqueezeRight
from puntobanco.rules.procedures import StaffRank as HouseRank
from puntobanco.rules.settlement import Result
from tests.marks import rulings

LONG = ("commission", "wu-song")

CITED: dict[str, tuple[str | None, str]] = {
    # capability: Commission Baccarat, Wu Song
    "round.opens": ("3.3", "3.3"),
    "round.closes": ("3.8", "3.8"),
    "squeeze.rule": ("3.9", "3.9"),
    "irregularities.over_differential.rule": ("5.1", "5.1"),
    "irregularities.over_differential.pro_rata": ("5.1.1", "5.1.1"),
    "irregularities.over_differential.under_minimum": ("5.1.2", "5.1.2"),
    "irregularities.under_minimum.rule": ("5.2", "5.2"),
    "irregularities.under_minimum.unnoticed": ("5.2.1", "5.2.1"),
    "irregularities.walked_away": ("5.3", "5.3"),
    "irregularities.interruption.rule": ("5.4", "5.4"),
    "irregularities.interruption.established": ("5.4.1", "5.4.1"),
    "irregularities.interruption.not_established": ("5.4.2", "5.4.2"),
    "irregularities.void_causes": ("5.5", "5.5"),
    "irregularities.foreign_card.rule": ("5.5.1", "5.5.1"),
    "irregularities.deck_count.rule": ("5.5.2", "5.5.2"),
    "irregularities.wrong_number_of_cards.rule": ("5.5.3", "5.5.3"),
    "irregularities.shoe_empty.rule": ("5.5.4", "5.5.4"),
    "irregularities.unshuffled.rule": ("5.5.5", "5.5.5"),
    "irregularities.earlier_rounds_stand": ("5.5", "5.6"),
    "late_bets.placed": ("5.6", "5.7"),
    "late_bets.withdrawn": ("5.6", "5.7"),
    "irregularities.excess_or_exposed.rule": ("5.7", "5.8"),
    "irregularities.excess_or_exposed.options": ("5.7.1", "5.8.1"),
    "irregularities.misdirected.rule": ("5.8", "5.9"),
    "irregularities.misdirected.options": ("5.8", "5.9"),
    "irregularities.misdirected.area": ("5.8.1", "5.9.1"),
    "irregularities.misdirected.person": ("5.8.2", "5.9.2"),
    "irregularities.face_up.rule": ("5.9", "5.10"),
    "irregularities.face_up.options": ("5.9", "5.10"),
    "irregularities.simultaneous.rule": ("5.10", "5.11"),
    "irregularities.simultaneous.options": ("5.10.1", "5.11.1"),
    "irregularities.simultaneous.replace_shoe": ("5.10.2", "5.11.2"),
    "irregularities.noticed_late": ("5.11", "5.12"),
    "irregularities.options.rule": ("5.12", "5.13"),
    "irregularities.options.as_lying": ("5.12.1", "5.13.1"),
    "irregularities.options.reconstructed": ("5.12.2", "5.13.2"),
    "irregularities.options.returned": ("5.12.3", "5.13.3"),
    "irregularities.positions_at_close": ("5.13", "5.14"),
    "irregularities.display": ("5.14", "5.15"),
    "irregularities.void": ("5.15", "5.16"),
    "authority.assign.rule": ("1.11", "1.15"),
    "authority.deal.rule": ("1.4", "1.7"),
    "authority.open_betting.rule": ("3.3", "3.3"),
    "authority.close_betting.rule": ("3.8", "3.8"),
    "authority.change_table.rule": ("3.4", "3.4"),
    "authority.permit_squeeze.rule": ("3.9", "3.9"),
    "authority.reject_excess.rule": ("5.1", "5.1"),
    "authority.advise_minimum.rule": ("5.2", "5.2"),
    "authority.find_interruption.rule": ("5.4", "5.4"),
    "authority.declare_void.rule": ("5.5", "5.5"),
    "authority.reverse_settlement.rule": (None, "5.6"),
    "authority.refuse_late_bets.rule": ("5.6", "5.7"),
    "authority.decide_reconstruction.rule": ("5.7", "5.8"),
    "authority.order_simultaneous_cards.rule": ("5.10", "5.11"),
    "authority.replace_shoe.rule": ("5.10.2", "5.11.2"),
    "authority.record_election.rule": ("5.12", "5.13"),
    "authority.correct_display.rule": ("5.14", "5.15"),
    "authority.bet_for_player.rule": ("5.16", "5.17"),
    "authority.decide_unprovided.rule": ("5.17", "5.18"),
}


def of_the_table_over_time(path: str, rule: str) -> bool:
    return path.startswith("authority.") or rule in ("3.3", "3.8", "3.9") or rule.startswith("5.")


@pytest.mark.parametrize(("place", "key"), list(enumerate(LONG)))
def test_each_capability_of_the_table_cites_exactly_its_paragraph(place: int, key: str) -> None:
    found = {path: rule for path, rule in citations(pb.game(key)) if of_the_table_over_time(path, rule)}
    assert found == {path: numbers[place] for path, numbers in CITED.items() if numbers[place]}


@pytest.mark.parametrize(("place", "key"), list(enumerate(LONG)))
def test_no_paragraph_of_section_5_is_left_without_a_capability(place: int, key: str) -> None:
    cited = {numbers[place] for numbers in CITED.values()}
    assert [rule for rule in library.rulebook(key) if rule.startswith("5.") and rule not in cited] == []


def one_later(rule: str) -> str:
    """The number in Wu Song of a paragraph of Commission Baccarat."""
    section, number, *rest = rule.split(".")
    if section != "5" or int(number) < 6:
        return rule
    return ".".join([section, str(int(number) + 1), *rest])


@rulings("IRR-3")
def test_from_5_6_on_wu_song_counts_one_more_than_commission() -> None:
    new_in_wu_song = {"irregularities.earlier_rounds_stand", "authority.reverse_settlement.rule"}
    irregular = {path: rules for path, rules in CITED.items() if rules[1].startswith("5.")}
    moved = {path for path, (old, new) in irregular.items() if old is None or one_later(old) != new}
    assert moved == new_in_wu_song, "only what Wu Song's own 5.6 orders"
    both = [[rule for rule in library.rulebook(key) if rule.startswith("5.")] for key in LONG]
    assert {one_later(rule) for rule in both[0]} | {"5.6"} == set(both[1])


# ---- the choices each document makes -----------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_3_3_and_3_8_the_dealer_announces_opening_and_close(key: str) -> None:
    assert pb.game(key).round.announced_by is Announcer.DEALER


@pytest.mark.parametrize(
    ("key", "right"), [("commission", SqueezeRight.HIGHEST_SEATED), ("wu-song", SqueezeRight.HIGHEST)]
)
def test_3_9_only_commission_keeps_the_squeeze_for_the_seated(key: str, right: SqueezeRight) -> None:
    squeeze = pb.game(key).squeeze
    assert squeeze is not None
    assert squeeze.right is right


@rulings("FIN-2", "FIN-3")
@pytest.mark.parametrize(
    ("key", "reach_back"),
    [
        ("commission", {"wrong_number_of_cards"}),
        ("wu-song", {"foreign_card", "deck_count", "wrong_number_of_cards", "shoe_empty", "unshuffled"}),
    ],
)
def test_5_5_which_void_causes_reach_a_round_already_settled(key: str, reach_back: set[str]) -> None:
    found = pb.game(key).irregularities
    causes = {
        "foreign_card": found.foreign_card,
        "deck_count": found.deck_count,
        "wrong_number_of_cards": found.wrong_number_of_cards,
        "shoe_empty": found.shoe_empty,
        "unshuffled": found.unshuffled,
    }
    assert {name for name, cause in causes.items() if cause is not None and cause.settled_too} == reach_back
    assert None not in causes.values()


@pytest.mark.parametrize("key", LONG)
def test_5_6_late_bets_are_refused(key: str) -> None:
    late = pb.game(key).late_bets
    assert late is not None
    assert late.mode is LateBetMode.REFUSED


@rulings("REC-3", "AUT-16")
@pytest.mark.parametrize(
    ("key", "discretion"), [("commission", Discretion.ABSOLUTE), ("wu-song", Discretion.REASONABLE)]
)
def test_5_7_reasonable_discretion_needs_a_reason_absolute_discretion_does_not(
    key: str, discretion: Discretion
) -> None:
    game = pb.game(key)
    assert game.irregularities.discretion is discretion
    needing_a_reason = {action for action, authority in game.authority.provided().items() if authority.reason}
    reasoned = {Action.DECIDE_RECONSTRUCTION, Action.DECIDE_UNPROVIDED}
    assert needing_a_reason == (reasoned if discretion is Discretion.REASONABLE else set())


RANKS = {
    # action: the least rank and the highest
    Action.ASSIGN: (HouseRank.PIT_SUPERVISOR, HouseRank.SHIFT_MANAGER),
    Action.OPEN_BETTING: (HouseRank.DEALER, HouseRank.PIT_MANAGER),
    Action.CLOSE_BETTING: (HouseRank.DEALER, HouseRank.PIT_MANAGER),
    Action.DEAL: (HouseRank.DEALER, HouseRank.PIT_MANAGER),
    Action.BET_FOR_PLAYER: (HouseRank.DEALER, HouseRank.PIT_MANAGER),
    Action.PERMIT_SQUEEZE: (HouseRank.DEALER, HouseRank.SHIFT_MANAGER),
    Action.REJECT_EXCESS: (HouseRank.DEALER, HouseRank.SHIFT_MANAGER),
    Action.ADVISE_MINIMUM: (HouseRank.DEALER, HouseRank.PIT_MANAGER),
    Action.REFUSE_LATE_BETS: (HouseRank.DEALER, HouseRank.PIT_MANAGER),
    Action.FIND_INTERRUPTION: (HouseRank.PIT_SUPERVISOR, HouseRank.SHIFT_MANAGER),
    Action.DECIDE_RECONSTRUCTION: (HouseRank.PIT_SUPERVISOR, HouseRank.SHIFT_MANAGER),
    Action.ORDER_SIMULTANEOUS_CARDS: (HouseRank.PIT_SUPERVISOR, HouseRank.SHIFT_MANAGER),
    Action.REPLACE_SHOE: (HouseRank.PIT_SUPERVISOR, HouseRank.SHIFT_MANAGER),
    Action.DECLARE_VOID: (HouseRank.PIT_SUPERVISOR, HouseRank.SHIFT_MANAGER),
    Action.RECORD_ELECTION: (HouseRank.DEALER, HouseRank.PIT_SUPERVISOR),
    Action.REVERSE_SETTLEMENT: (HouseRank.PIT_SUPERVISOR, HouseRank.SHIFT_MANAGER),
    Action.CORRECT_DISPLAY: (HouseRank.DEALER, HouseRank.SHIFT_MANAGER),
    Action.CHANGE_TABLE: (HouseRank.PIT_MANAGER, HouseRank.SHIFT_MANAGER),
    Action.DECIDE_UNPROVIDED: (HouseRank.SHIFT_MANAGER, HouseRank.SHIFT_MANAGER),
}


@rulings("AUT-1", "AUT-2", "AUT-3", "AUT-4", "AUT-6", "AUT-7", "AUT-8", "AUT-11", "AUT-12", "AUT-13", "AUT-14")
@pytest.mark.parametrize("key", LONG)
def test_5_10_and_5_17_each_act_needs_its_rank(key: str) -> None:
    def ranks(authority: Authority) -> tuple[HouseRank, HouseRank]:
        return authority.least, authority.most

    assert {action: ranks(authority) for action, authority in pb.game(key).authority.provided().items()} == RANKS


@rulings("BET-3")
@pytest.mark.parametrize("key", LONG)
def test_5_13_a_bet_laid_on_the_wrong_hand_is_settled_where_it_lies(key: str) -> None:
    """The player asked for Player, the dealer laid it on Banker: nothing but the slip as it lies is settled."""
    lies = pb.settle(pb.game(key), "9 7 K 10", {"banker": pb.money("100")})
    assert list(lies.bets) == ["banker"]
    assert (lies.bets["banker"].result, lies.profit) == (Result.LOSE, pb.money("-100"))
