"""What the short documents say about a table over time, as data: each capability cites its own paragraph, and nothing
that only the long documents provide for is borrowed.
"""

import msgspec
import pytest

from puntobanco.rules.checks import citations
from puntobanco.rules.library import game, rulebook
from puntobanco.rules.plain_data import ParagraphId
from puntobanco.rules.procedures import (
    Action,
    Announcer,
    Discretion,
    Irregularities,
    LateBetMode,
    LateBets,
    SqueezeRight,
    StaffRank,
    VoidCause,
)
from tests.marks import rulings

SHORT = ("non-commission-etg", "super-six", "insurance")

ONLY_IN_LONG_DOCUMENTS = (
    "over_differential",
    "under_minimum",
    "walked_away",
    "interruption",
    "deck_count",
    "unshuffled",
    "excess_or_exposed",
    "misdirected",
    "face_up",
    "simultaneous",
    "noticed_late",
    "options",
    "positions_at_close",
    "display",
    "void",
    "reconstruction",
)

CITED = {
    "non-commission-etg": {
        Action.DECIDE_RECONSTRUCTION: "5.1.2",
        Action.DECLARE_VOID: "5.1",
        Action.REVERSE_SETTLEMENT: None,
        Action.CHANGE_TABLE: "2.2.1",
    },
    "super-six": {
        Action.OPEN_BETTING: "3.1",
        Action.CLOSE_BETTING: "3.2",
        Action.DEAL: "3.4",
        Action.REFUSE_LATE_BETS: "5.2",
        Action.DECIDE_RECONSTRUCTION: "5.1.2",
        Action.DECLARE_VOID: "5.1",
        Action.REVERSE_SETTLEMENT: None,
        Action.CHANGE_TABLE: "2.1.1",
    },
    "insurance": {
        Action.OPEN_BETTING: "3.1",
        Action.CLOSE_BETTING: "3.2",
        Action.DEAL: "3.4",
        Action.PERMIT_SQUEEZE: "4.1.5",
        Action.CONSENT_TO_WAIVER: "4.1.5",
        Action.REFUSE_LATE_BETS: "5.2",
        Action.DECIDE_RECONSTRUCTION: "5.1.2",
        Action.DECLARE_VOID: "5.1",
        Action.REVERSE_SETTLEMENT: None,
        Action.CHANGE_TABLE: "2.1.1",
    },
}

ACTS_OF_LONG_DOCUMENTS = (
    Action.REJECT_EXCESS,
    Action.ADVISE_MINIMUM,
    Action.FIND_INTERRUPTION,
    Action.ORDER_SIMULTANEOUS_CARDS,
    Action.REPLACE_SHOE,
    Action.RECORD_ELECTION,
)


@pytest.mark.parametrize(
    ("key", "announcer"),
    [
        ("non-commission-etg", Announcer.TERMINAL),
        ("super-six", Announcer.DEALER),
        ("insurance", Announcer.DEALER),
    ],
)
def test_3_1_and_3_2_say_who_opens_and_closes_the_betting(key: str, announcer: Announcer) -> None:
    played = game(key).round
    assert (played.announced_by, played.opens, played.closes) == (announcer, "3.1", "3.2")
    assert played.begins_and_ends is None


@pytest.mark.parametrize("key", SHORT)
def test_5_1_lists_three_causes_of_a_void_round_and_the_document_provides_for_nothing_else(key: str) -> None:
    assert game(key).irregularities == Irregularities(
        void_causes=ParagraphId("5.1"),
        foreign_card=VoidCause(ParagraphId("5.1.1")),
        wrong_number_of_cards=VoidCause(ParagraphId("5.1.2"), settled_too=True),
        shoe_empty=VoidCause(ParagraphId("5.1.3")),
        earlier_rounds_stand=ParagraphId("5.1.1"),
    )


@rulings("IRR-1", "REJ-11")
@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize("irregularity", ONLY_IN_LONG_DOCUMENTS)
def test_what_only_a_long_document_provides_for_is_not_provided_for(key: str, irregularity: str) -> None:
    assert getattr(game(key).irregularities, irregularity) is None
    assert getattr(game("commission").irregularities, irregularity) is not None


def test_every_irregularity_is_either_in_5_1_or_among_those_only_long_documents_have() -> None:
    provided = {"void_causes", "foreign_card", "wrong_number_of_cards", "shoe_empty", "earlier_rounds_stand"}
    fields = {field.name for field in msgspec.structs.fields(Irregularities)}
    assert fields == provided | set(ONLY_IN_LONG_DOCUMENTS) | {"discretion"}


@pytest.mark.parametrize("key", SHORT)
def test_no_discretion_limits_seats_or_pit_ranks_come_from_elsewhere(key: str) -> None:
    found = game(key)
    assert found.irregularities.discretion is Discretion.UNSTATED
    assert found.limits is None
    assert found.stake_rule is None
    assert found.pit_employees is None


@pytest.mark.parametrize(
    ("key", "late"),
    [
        ("non-commission-etg", LateBets(LateBetMode.DISPLAY, ParagraphId("3.2"))),
        ("super-six", LateBets(LateBetMode.NOT_HONOURED, ParagraphId("5.2"), ParagraphId("5.3"))),
        ("insurance", LateBets(LateBetMode.NOT_HONOURED, ParagraphId("5.2"), ParagraphId("5.3"))),
    ],
)
def test_5_2_and_5_3_late_bets_are_not_honoured_and_on_terminals_the_display_closes(key: str, late: LateBets) -> None:
    assert game(key).late_bets == late


@rulings("SQZ-7")
def test_4_1_5_alone_mentions_a_squeeze_and_only_with_consent() -> None:
    assert game("non-commission-etg").squeeze is None
    assert game("super-six").squeeze is None
    squeeze = game("insurance").squeeze
    assert squeeze is not None
    assert (squeeze.right, squeeze.rule) == (SqueezeRight.CONSENT, "4.1.5")


@pytest.mark.parametrize("key", SHORT)
def test_what_people_do_at_the_table_cites_the_paragraph_of_this_document(key: str) -> None:
    authority = game(key).authority.provided()
    assert {action: authority[action].rule for action in CITED[key]} == CITED[key]
    assert not set(ACTS_OF_LONG_DOCUMENTS) & set(authority)


def test_dealers_record_bets_at_a_table_by_no_paragraph_and_never_at_a_terminal() -> None:
    for key in ("super-six", "insurance"):
        recorded = game(key).authority.provided()[Action.BET_FOR_PLAYER]
        assert (recorded.least, recorded.most, recorded.rule) == (StaffRank.DEALER, StaffRank.PIT_MANAGER, None)
    assert Action.BET_FOR_PLAYER not in game("non-commission-etg").authority.provided()


def test_terminals_open_deal_and_close_by_themselves_so_nobody_is_named_for_it() -> None:
    automatic = {Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.DEAL, Action.REFUSE_LATE_BETS}
    assert not automatic & set(game("non-commission-etg").authority.provided())


@rulings("AUT-15")
@pytest.mark.parametrize("key", SHORT)
def test_a_case_without_a_paragraph_goes_to_the_shift_manager_with_a_reason(key: str) -> None:
    unprovided = game(key).authority.provided()[Action.DECIDE_UNPROVIDED]
    assert (unprovided.least, unprovided.rule, unprovided.reason) == (StaffRank.SHIFT_MANAGER, None, True)


@rulings("AUT-6", "AUT-8", "AUT-11")
@pytest.mark.parametrize("key", SHORT)
def test_voids_reconstruction_and_reversal_need_a_pit_supervisor(key: str) -> None:
    authority = game(key).authority.provided()
    for action in (Action.DECLARE_VOID, Action.DECIDE_RECONSTRUCTION, Action.REVERSE_SETTLEMENT):
        assert authority[action].least is StaffRank.PIT_SUPERVISOR


@pytest.mark.parametrize("key", SHORT)
def test_every_paragraph_cited_is_one_of_this_document(key: str) -> None:
    assert {rule for _, rule in citations(game(key))} <= set(rulebook(key))
