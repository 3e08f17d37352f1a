"""What is decided again, at the edges: slips that name a bet more than once, and where a contradiction is."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.settlement import Result
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import BetTerms, Terms
from puntobanco.table.events import AnyEvent
from puntobanco.table.redeciding import Contradiction, redecided
from puntobanco.table.state import State
from tests.table.pit import DEALER, SHIFT, Pit, in_play
from tests.table.test_redeciding import decided_again

LONG = ["commission", "wu-song"]


def stepped(pit: Pit, person: str, *amounts: int, bet: str = "player") -> list[AnyEvent]:
    """One slip that names the bet once for each amount."""
    lines = tuple(c.Line(bet=bet, amount=dollars * 100, box=1) for dollars in amounts)
    return pit.player(person, c.PlaceBets(round=pit.state.round, lines=lines))


def contradicted(pit: Pit, *events: AnyEvent) -> tuple[int, str]:
    """Where these events contradict the rules after the history of the table, and how."""
    with pytest.raises(Contradiction) as found:
        decided_again(pit.game, [*pit.events, *events], since=len(pit.events))
    return found.value.place - len(pit.events), str(found.value)


def taken_back(pit: Pit, kind: type[AnyEvent]) -> list[AnyEvent]:
    """The events from the last of that kind on, taken out of the history."""
    place = max(place for place, event in enumerate(pit.events) if isinstance(event, kind))
    gone, pit.events = pit.events[place:], pit.events[:place]
    return gone


# ---- slips that name a bet more than once ------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_5_1_others_give_way_to_a_seated_player_who_names_a_bet_twice_where_the_house_deals(key: str) -> None:
    pit = Pit(key, automatic=True, differential=1_000_00)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("bob", "player", 800)
    placed, back = stepped(pit, "ann", 500, 600)
    assert isinstance(placed, e.BetsPlaced)
    assert isinstance(back, e.ExcessRejected)
    pit.events = pit.events[:-2]
    assert contradicted(pit, placed, replace(back, gives_way_to=""))[0] == 0


@pytest.mark.parametrize("key", LONG)
def test_5_1_nobody_gives_way_at_a_dealers_table(key: str) -> None:
    pit = Pit(key, differential=1_000_00)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("bob", "player", 800)
    assert [type(event) for event in stepped(pit, "ann", 500, 600)] == [e.BetsPlaced]


def test_a_slip_that_names_a_bet_once_is_held_to_the_differential() -> None:
    pit = Pit("super-six", differential=1_000_00)
    pit.open()
    pit.bet("ann", "player", 900)
    (placed,) = taken_back(pit, e.BetsPlaced)
    assert isinstance(placed, e.BetsPlaced)
    over = replace(placed, stakes=(replace(placed.stakes[0], amount=1_100_00),))
    assert contradicted(pit, over) == (0, "BetsPlaced, round 1: the rules refuse it: over_differential")


@pytest.mark.parametrize("amounts", [(300, 500, 200), (100, 200, 300), (500, 0, 600), (0, 400, 0, 500)])
def test_what_a_slip_left_is_right_in_every_amount(amounts: tuple[int, ...]) -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 400)
    pit.bet("bob", "player", 100)
    (placed,) = stepped(pit, "ann", *amounts)
    assert isinstance(placed, e.BetsPlaced)
    pit.events = pit.events[:-1]
    stake = placed.stakes[0]
    for forged in (
        replace(placed, was=(500_00,)),
        replace(placed, was=()),
        replace(placed, rule=None),
        replace(placed, stakes=(replace(stake, placer="bob"),)),
        replace(placed, stakes=(replace(stake, raises=((1, 100_00),)),)),
    ):
        assert contradicted(pit, forged)[0] == 0


# ---- where a contradiction is ------------------------------------------------------------------------------------


def test_a_history_that_does_not_begin_with_the_opening_is_wrong_at_once() -> None:
    pit = Pit("commission")
    with pytest.raises(Contradiction, match="the table was never opened") as found:
        redecided(pit._on, State(), pit.events[1:2])
    assert found.value.place == 0


def test_events_that_follow_from_nothing_are_wrong_at_once() -> None:
    pit = in_play("commission", "9 7 K 10")
    assert contradicted(pit, pit.events[-1]) == (0, "no command leads to HandsCompleted here")


@pytest.mark.parametrize("key", LONG)
def test_the_first_event_of_a_command_that_is_not_what_the_rules_give_is_named(key: str) -> None:
    pit = in_play(key, "9 7 K 10")
    drawn, exposed, completed = taken_back(pit, e.CardDrawn)
    assert isinstance(exposed, e.CardExposed)
    assert isinstance(completed, e.HandsCompleted)
    uncounted = replace(exposed, counted=True)
    assert contradicted(pit, drawn, uncounted, completed) == (
        1, "CardExposed, round 1: counted true was written, the rules give false"
    )  # fmt: skip
    assert contradicted(pit, drawn, exposed) == (
        1, "CardExposed, round 1: the rules give HandsCompleted after it, which is missing"
    )  # fmt: skip
    other = replace(completed, rule=None)
    assert contradicted(pit, drawn, exposed, other)[0] == 2


def test_of_several_commands_that_do_not_fit_the_one_that_goes_furthest_is_named() -> None:
    """A card that was dealt face up is not said to be refused for want of a face."""
    pit = in_play("commission", "9 7 K 10")
    drawn, exposed, completed = taken_back(pit, e.CardDrawn)
    assert isinstance(completed, e.HandsCompleted)
    forged = replace(completed, outcome=replace(completed.outcome, player_cards=3))
    place, what = contradicted(pit, drawn, exposed, forged)
    assert (place, what.partition(":")[0]) == (2, "HandsCompleted, round 1")


# ---- what a contradiction says -----------------------------------------------------------------------------------


def test_a_refusal_is_named_with_its_paragraph() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    (placed,) = taken_back(pit, e.BetsPlaced)
    assert isinstance(placed, e.BetsPlaced)
    early = replace(placed, by=replace(placed.by, role=Role.DEALER, person="dora"))
    other = replace(early, stakes=(replace(placed.stakes[0], owner="ann", placer="dora"),))
    pit.events.append(placed)
    pit.close()
    assert contradicted(pit, other) == (0, "BetsPlaced, round 1: the rules refuse it: bets_late (5.6)")


def test_a_part_that_is_refused_is_named_with_its_place() -> None:
    pit = Pit("super-six")
    pit.open()
    lines = (c.Line(bet="player", amount=400_00, box=1), c.Line(bet="tie", amount=100_00, box=1))
    pit.player("ann", c.PlaceBets(round=1, lines=lines))
    (placed,) = taken_back(pit, e.BetsPlaced)
    assert isinstance(placed, e.BetsPlaced)
    player, tie = placed.stakes
    small = replace(placed, stakes=(player, replace(tie, amount=50_00)))
    assert contradicted(pit, small) == (0, "BetsPlaced, round 1: the rules refuse a part of it: under_minimum")


def test_chips_of_an_earlier_slip_keep_their_place_in_the_order() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "player", 100)
    (placed,) = stepped(pit, "ann", 200, 300)
    assert isinstance(placed, e.BetsPlaced)
    pit.events = pit.events[:-1]
    later = replace(placed, stakes=(replace(placed.stakes[0], order=2),))
    assert contradicted(pit, later)[0] == 0


def test_the_settlement_of_another_person_is_not_taken_for_another_settlement() -> None:
    pit = in_play("commission", "9 7 K 10")
    settled = pit.staff(DEALER, c.Settle(round=1))[0]
    assert isinstance(settled, e.RoundSettled)
    pit.events = pit.events[:-1]
    ann, bob = settled.stakes
    assert contradicted(pit, replace(settled, stakes=(replace(ann, owner="cat"), bob))) == (
        0, 'RoundSettled, round 1: stakes of cat, box 1, player: owner "cat" was written, the rules give "ann"'
    )  # fmt: skip


def test_another_result_is_named_once() -> None:
    pit = in_play("commission", "9 7 K 10")
    settled = pit.staff(DEALER, c.Settle(round=1))[0]
    assert isinstance(settled, e.RoundSettled)
    pit.events = pit.events[:-1]
    ann, bob = settled.stakes
    lost = replace(ann, result=Result.LOSE, rule="9.9")
    assert contradicted(pit, replace(settled, stakes=(lost, bob))) == (
        0,
        "RoundSettled, round 1: stakes of ann, box 1, player: lose with 200 back by 9.9 was written, the rules give "
        "win with 200 back by 4.1.2",
    )


def test_a_bet_decided_with_a_settlement_and_one_without_are_told_apart() -> None:
    pit = in_play("super-six")
    returned = BetTerms(owner="ann", bet="player", box=1, terms=Terms.RETURN)
    stands = BetTerms(owner="bob", bet="banker", box=1, terms=Terms.AS_RECORDED)
    decision = c.DecideUnprovided(round=1, decision="as said", reason="seen", bets=(returned, stands))
    said, decided = pit.staff(SHIFT, decision)
    assert isinstance(decided, e.BetsDecided)
    pit.events = pit.events[:-2]
    ann, bob = decided.bets
    none = replace(decided, bets=(replace(ann, settled=None), bob))
    both = replace(decided, bets=(ann, replace(bob, settled=ann.settled)))
    settled = "BetsDecided, round 1: bets of settled "
    place, what = contradicted(pit, said, none)
    assert (place, what.startswith(f"{settled}null was written, the rules give {{")) == (1, True)
    place, what = contradicted(pit, said, both)
    assert (place, what.startswith(f"{settled}{{"), what.endswith("the rules give null")) == (1, True, True)
