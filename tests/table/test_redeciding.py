"""Every history a table can have is what the rules make of it, and a change to any field of it is found."""

import random
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.game import Game
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import MOST_RAISES, AnyEvent, Cited
from puntobanco.table.evolve import replay
from puntobanco.table.felt import Felt
from puntobanco.table.redeciding import Contradiction, redecided
from puntobanco.table.scenario import read_scenario, run
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import Phase, State
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, Pit, in_play
from tests.table.test_random_commands import FELTS, conclude, play, table
from tests.table.test_scenarios import FILES

FELT: dict[tuple[str, str | None], Felt] = {}


def decided_again(game: Game, events: Sequence[AnyEvent], since: int = 0) -> State:
    """The whole history, or from a command on; `Contradiction` names the place in it."""
    state, done = replay(events[:since]), since

    def felt(setup: Setup) -> Felt:
        return FELT.setdefault((game.fingerprint, setup.layout), Felt.of(game, setup))

    while done < len(events):
        until = done
        while until < len(events) and events[until].by == events[done].by:
            until += 1
        try:
            many, state = redecided(felt, state, events[done:until])
        except Contradiction as found:
            raise Contradiction(done + found.place, str(found)) from None
        done += many
    return state


# ---- what happened is what the rules give ------------------------------------------------------------------------


def test_what_bets_were_worth_at_the_opening_is_not_mixed_with_a_card_reported_in_the_same_moment() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.EXCESS, cards=read_cards("Q"))
    worth = c.Worth(cards=pit.state.front, returns={"player": 300_018})
    pit.staff(DEALER, c.OpenBetting(acknowledge=True, worth=worth))
    pit.report(Fault.EXPOSED, cards=read_cards("5"))
    assert pit.phase is Phase.WITHOUT_BETS
    assert decided_again(pit.game, pit.events) == pit.state


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_scenario_is_what_the_rules_give(path: Path) -> None:
    scenario = read_scenario(library.read_toml(path), path.name)
    game = library.game(scenario.game)
    played = run(scenario, game, path.name)
    assert decided_again(game, played.events) == played.state


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), felt=st.sampled_from(FELTS), face_down=st.booleans())
def test_every_random_history_is_what_the_rules_give(seed: int, felt: tuple[str, str | None], face_down: bool) -> None:
    rng = random.Random(seed)
    pit = table(felt, face_down=face_down)
    play(pit, rng, 150)
    conclude(pit, rng)
    assert decided_again(pit.game, pit.events) == pit.state


Slip = list[tuple[str, int]]


@settings(max_examples=60, deadline=None)
@given(
    slips=st.lists(
        st.lists(
            st.tuples(st.sampled_from(["player", "banker", "tie"]), st.sampled_from([0, 100, 300, 5_000, 11_000])),
            min_size=1, max_size=6,
        ),
        min_size=1, max_size=6,
    ),
    key=st.sampled_from(["commission", "non-commission-etg", "super-six"]),
)  # fmt: skip
def test_a_slip_may_name_a_bet_again_and_again(slips: list[Slip], key: str) -> None:
    pit = Pit(key)
    pit.open()
    for slip in slips:
        for person in ("ann", "bob"):
            lines = tuple(
                c.Line(bet=bet, amount=dollars * 100, box=0 if pit.game.terminal else 1) for bet, dollars in slip
            )
            pit.tell(c.PlaceBets(round=1, lines=lines), By(person, Role.PLAYER, pit.now))
    assert decided_again(pit.game, pit.events) == pit.state


def test_a_bet_raised_more_often_than_is_told_apart() -> None:
    pit = Pit("commission")
    pit.open()
    for nth in range(MOST_RAISES + 3):
        pit.bet("ann", "player", 100 + nth)
    assert len(pit.state.stakes["1/player/ann"].raises) == 64
    for amounts in ((300_00, 100_00, 400_00), (0, 100_00, 0)):
        lines = tuple(c.Line(bet="player", amount=amount, box=1) for amount in amounts)
        pit.player("ann", c.PlaceBets(round=1, lines=lines))
    assert decided_again(pit.game, pit.events) == pit.state


# ---- what is forged is found -------------------------------------------------------------------------------------

INPUTS: dict[type[AnyEvent], set[str]] = {
    e.TableOpened: {"setup"},
    e.SetupChanged: {"setup"},
    e.ClosingAnnounced: {"reason"},
    e.TableClosed: {"cause", "reason"},
    e.TableTakenOver: {"away"},
    e.BoughtIn: {"amount"},
    e.CashedOut: {"amount"},
    e.GuestBoughtIn: {"person", "amount", "tender"},
    e.RoleAssigned: {"person"},
    e.ShoeLoaded: {"shoe", "shuffled", "source"},
    e.BetsPlaced: {"stakes.amount", "stakes.order"},
    e.BetAttested: {"stake.amount"},
    e.LateBetNoted: {"amount", "withdrawn"},
    e.CardExposed: {"card"},
    e.CardCorrected: {"card"},
    e.SqueezeAnswered: {"permitted"},
    e.WaiverAgreed: {"agrees"},
    e.WaiverAnswered: {"consent"},
    e.InsuranceTaken: {"stake.amount"},
    e.BoxesConfirmed: {"boxes"},
    e.ChipWrittenOff: {"reason"},
    e.TieChoiceMade: {"leave"},
    e.IrregularityReported: {"report.cards", "report.note", "report.shoe", "report.order_known", "report.to_person"},
    e.Ruled: {"choice", "reason"},
    e.DisplayCorrected: {"shown", "correct"},
    e.AlertRaised: {"worth"},
    e.HouseDecided: {"decision", "reason"},
    e.BetsDecided: {"bets.terms.amount"},
}
"""What somebody brought in: another value is another history, and contradicts at most what follows from it."""

NAMED = {(e.BetsDecided, "bets")}
"""What somebody listed: fewer of them are another history. Each of them is still looked at."""


def forgeries(value: Any) -> Iterator[tuple[str, Any]]:
    """The value with one thing in it changed, and which."""
    match value:
        case bool():
            yield "", not value
        case Enum():
            members = list(type(value))
            yield "", members[(members.index(value) + 1) % len(members)]
        case int():
            yield "", value + 100
        case str():
            yield "", f"{value}x"
        case Card():
            yield "", Card(Rank(value.rank % 13 + 1), value.suit)
        case tuple() if value:
            yield "", value[:-1]
            for path, forged in forgeries(value[0]):
                yield path, (forged, *value[1:])
        case dict() if value:
            yield "", dict(list(value.items())[1:])
        case msgspec.Struct():
            for field in value.__struct_fields__:
                for path, forged in forgeries(getattr(value, field)) if field != "by" else ():
                    yield f"{field}.{path}".rstrip("."), replace(value, **{field: forged})
        case _:
            return


def scenarios() -> Iterator[tuple[Game, tuple[AnyEvent, ...]]]:
    for path in FILES:
        scenario = read_scenario(library.read_toml(path), path.name)
        game = library.game(scenario.game)
        yield game, run(scenario, game, path.name).events


def moved_about() -> Pit:
    """Seats are changed and left, a stake held since a tie goes back when the table changes, shoes come and go."""
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    pit.player("ann", c.TakeSeat(box=9))
    pit.player("bob", c.TakeSeat(box=3))
    pit.player("bob", c.LeaveSeat(box=3))
    pit.round({"ann": {"player": 100}}, "K K 9 9")
    assert pit.state.setup is not None
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, boxes=8)))
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    pit.staff(DEALER, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD))
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn too"))
    pit.staff(DEALER, c.LoadShoe(shoe="three", decks=8, shuffled=True, source=Source.KEYBOARD))
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, boxes=8, decks=6)))
    pit.staff(MANAGER, AT_ONCE)
    return pit


def set_aside() -> Pit:
    """A document without a word on excess cards: the House sets one aside. After the tie the table closes."""
    pit = in_play("super-six", "2")
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.rule(SHIFT, Choice.SET_ASIDE)
    pit.deal("2 7 7")
    pit.settle()
    pit.staff(MANAGER, AT_ONCE)
    return pit


def resettled() -> Pit:
    """A settlement on the wrong cards is made anew on the right ones."""
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.MISPAYMENT)
    pit.rule(SHIFT, Choice.RESETTLE, cards=read_cards("6 9 K 10"))
    pit.settle()
    return pit


def without_an_account() -> Pit:
    """A guest buys in with cash, then with chips, and leaves with chips."""
    pit = Pit("commission")
    pit.staff(DEALER, c.BuyInAtTable(name="Lee", amount=500_00, tender=c.Tender.CASH))
    pit.staff(DEALER, c.BuyInAtTable(name="Lee", amount=500_00, tender=c.Tender.CHIPS, again=True))
    pit.staff(DEALER, c.LeaveTable(person="~Lee"))
    return pit


OTHERS = (moved_about, set_aside, resettled, without_an_account)


def test_tables_that_move_about_are_what_the_rules_give() -> None:
    for play_at in OTHERS:
        pit = play_at()
        assert decided_again(pit.game, pit.events) == pit.state


def kinds_played() -> dict[type[AnyEvent], list[tuple[Game, tuple[AnyEvent, ...], int]]]:
    """Where in the scenarios events of each kind are to be found, the first two of them."""
    found: dict[type[AnyEvent], list[tuple[Game, tuple[AnyEvent, ...], int]]] = {}
    for game, events in (*scenarios(), *((pit.game, tuple(pit.events)) for pit in (one() for one in OTHERS))):
        for place, event in enumerate(events):
            places = found.setdefault(type(event), [])
            if len(places) < 2:
                places.append((game, events, place))
    return found


def test_every_field_that_nobody_brought_in_is_found_when_it_is_forged() -> None:
    """The chain and the postings can be written anew; what the rules give cannot."""
    played, forged_fields = kinds_played(), 0
    assert set(played) == set(get_args(AnyEvent)), "a scenario, or one of OTHERS, has each kind of event"
    for kind, places in played.items():
        for game, events, place in places:
            since = next(at for at in range(place, -1, -1) if at == 0 or events[at - 1].by != events[place].by)
            for path, forged in forgeries(events[place]):
                inputs = INPUTS.get(kind, ())
                if (kind, path) in NAMED or any(path == one or path.startswith(f"{one}.") for one in inputs):
                    continue
                forged_fields += 1
                with pytest.raises(Contradiction) as found:
                    decided_again(game, [*events[:place], forged, *events[place + 1 :]], since)
                assert found.value.place <= place, (kind, path)
    assert forged_fields > 500


def test_a_command_has_all_its_events_in_one_moment_by_one_person() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    place = next(at for at, event in enumerate(pit.events) if isinstance(event, e.HandsCompleted))
    alone = "no command leads to HandsCompleted here"
    for forged in (
        replace(pit.events[place], by=replace(pit.events[place].by, person="doris")),
        replace(pit.events[place], by=replace(pit.events[place].by, at=pit.now + 1)),
    ):
        assert forged_at(pit, place, forged) == (place - 1, "CardExposed, round 1: the rules give HandsCompleted after "
                                                 "it, which is missing")  # fmt: skip
    with pytest.raises(Contradiction, match=alone):
        decided_again(pit.game, [*pit.events, pit.events[place]])
    with pytest.raises(Contradiction, match="the table was never opened"):
        decided_again(pit.game, pit.events[1:])


def forged_at(pit: Pit, place: int, forged: AnyEvent) -> tuple[int, str]:
    with pytest.raises(Contradiction) as found:
        decided_again(pit.game, [*pit.events[:place], forged, *pit.events[place + 1 :]])
    return found.value.place, str(found.value)


def test_what_is_forged_is_named_with_what_the_rules_give() -> None:
    pit = in_play("commission", "K 9 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    place = len(pit.events) - 1
    settled = pit.events[place]
    assert isinstance(settled, e.RoundSettled)
    more = replace(settled, stakes=(settled.stakes[0], replace(settled.stakes[1], profit=200_00, commission=0)))
    assert forged_at(pit, place, more) == (
        place,
        "RoundSettled, round 1: stakes of bob, box 1, banker: win with 400 back by 4.1.2 was written, the rules "
        "give win with 390 back by 4.1.2; profit 20000, not 19000; commission 0, not 1000",
    )
    assert forged_at(pit, place, replace(settled, stakes=settled.stakes[:1]))[1] == (
        "RoundSettled, round 1: stakes 1 were written, the rules give 2"
    )
    cited = replace(settled, rule=Cited("commission", "9.9"))
    assert forged_at(pit, place, cited)[1].startswith("RoundSettled, round 1: rule paragraph")
    uncited = replace(settled, rule=None)
    assert forged_at(pit, place, uncited)[1].startswith(
        "RoundSettled, round 1: rule null was written, the rules give c"
    )
    completed = next(at for at, event in enumerate(pit.events) if isinstance(event, e.HandsCompleted))
    other = e.RoundEndedWithoutBets(by=pit.events[completed].by, round=1)
    assert forged_at(pit, completed, other)[1] == (
        "RoundEndedWithoutBets, round 1: RoundEndedWithoutBets was written, the rules give HandsCompleted"
    )
    with pytest.raises(Contradiction, match="no command leads to CarryOverDiscarded here"):
        decided_again(pit.game, [*pit.events, e.CarryOverDiscarded(by=settled.by)])


def test_stakes_over_the_differential_play_as_the_close_says() -> None:
    pit = Pit("commission", differential=500_00)
    pit.open()
    pit.bet("ann", "player", 1_000)
    pit.close(over_excess=True)
    closed = pit.events[-1]
    assert isinstance(closed, e.BettingClosed)
    all_of_it = replace(closed, cut=(replace(closed.cut[0], plays=1_000_00),))
    assert forged_at(pit, len(pit.events) - 1, all_of_it)[1] == (
        "BettingClosed, round 1: cut of 1/player/ann: plays 100000 was written, the rules give 50000"
    )
    assert forged_at(pit, len(pit.events) - 1, replace(closed, cut=()))[1] == (
        "BettingClosed, round 1: cut 0 were written, the rules give 1"
    )


def test_one_ruling_after_which_the_next_report_is_dealt_with_at_once() -> None:
    pit = in_play("commission", "2S 3H")
    pit.claim("bob", Fault.SIMULTANEOUS, cards=read_cards("6S 5D"))
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("KS 5H"), order_known=True)
    pit.rule(SHIFT, Choice.ORDER, order=(2, 1))
    assert pit.state.front == read_cards("5D 6S KS 5H")
    decided_again(pit.game, pit.events)


def test_a_bet_the_rules_refuse_is_found_in_part_or_in_whole() -> None:
    pit = Pit("super-six", differential=500_00)
    pit.open()
    lines = (c.Line(bet="player", amount=400_00, box=1), c.Line(bet="tie", amount=100_00, box=1))
    pit.player("ann", c.PlaceBets(round=1, lines=lines))
    placed = pit.events[-1]
    assert isinstance(placed, e.BetsPlaced)
    player, tie = placed.stakes
    place = len(pit.events) - 1
    over = replace(placed, stakes=(replace(player, amount=900_00),), was=(0,))
    assert forged_at(pit, place, over)[1] == "BetsPlaced, round 1: the rules refuse it: over_differential"
    small = replace(placed, stakes=(player, replace(tie, amount=50_00)))
    assert forged_at(pit, place, small)[1] == "BetsPlaced, round 1: the rules refuse a part of it: under_minimum"
    lent = replace(placed, stakes=(player, replace(tie, amount=100_000_00)))
    assert forged_at(pit, place, lent)[1] == "BetsPlaced, round 1: the rules refuse a part of it: not_enough_money"
    early = replace(placed, stakes=(player, replace(tie, order=player.order, placer="bob")))
    assert forged_at(pit, place, early)[1].startswith("BetsPlaced, round 1: stakes of ann, box 1, tie: placer")
    assert forged_at(pit, place, replace(placed, was=(0,)))[1].startswith("BetsPlaced, round 1: was ")
    nothing = replace(placed, stakes=(), was=())
    assert forged_at(pit, place, nothing)[1] == "BetsPlaced, round 1: the rules refuse it: slip_empty"
