"""The next step: at every state of every scenario it can be taken, and taking one after the other plays a round."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.procedures import Window
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.command_table import TABLE
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.felt import Felt
from puntobanco.table.next_step import NextStep, ShoeNote, StepCode, TurnOver, hidden_next
from puntobanco.table.redeciding import redecided
from puntobanco.table.scenario import read_scenario, run
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import BETWEEN_ROUNDS, State
from puntobanco.table.views import AUDITOR, BOARD, public_view
from tests.table.pit import DEALER, MANAGER, STAFF, SUPERVISOR, YEAR_2026, Pit
from tests.table.test_scenarios import FILES


def as_sent(step: NextStep, card: str = "5♣") -> c.Command | None:
    """The command as a screen sends it, with the face of a card where one is wanted."""
    match step.command:
        case TurnOver(round=round_, index=index):
            return c.ExposeCard(round=round_, index=index, card=read_card(card))
        case c.DrawCard() as draw if step.wants_card:
            return msgspec.structs.replace(draw, card=read_card(card))
        case other:
            return other


def states(path: Path) -> Iterator[tuple[Felt, State]]:
    """The state after each command of a scenario that was accepted."""
    scenario = read_scenario(library.read_toml(path), path.name)
    game = library.game(scenario.game)
    events, state = run(scenario, game, path.name).events, State()

    def felt(setup: Setup) -> Felt:
        return Felt.of(game, setup)

    while events:
        taken, state = redecided(felt, state, events)
        events = events[taken:]
        assert state.setup is not None
        yield felt(state.setup), state


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_next_step_is_heard_in_its_phase_and_accepted_when_its_time_has_come(path: Path) -> None:
    for felt, state in states(path):
        for role, person in STAFF.items():
            view = public_view(felt, state, role)
            assert msgspec.json.decode(msgspec.json.encode(view.next), type=NextStep | None) == view.next
            step, low = view.next, [one.command for one in view.low]
            if role is Role.CASHIER:
                assert (step, low) == (None, [])
                continue
            assert step is not None
            command = as_sent(step)
            waits = step.code.startswith("wait_") or step.code is StepCode.LOAD
            assert waits == (command is None and step.otherwise is None), step
            assert step.meanwhile is None or step.deadline, step
            for sent in (command, step.otherwise, *low):
                if sent is not None:
                    assert isinstance(sent, c.Command)
                    assert state.phase in TABLE[type(sent)].heard, step
                    answer = decide(felt, state, sent, By(person, role, max(step.deadline, YEAR_2026)))
                    assert isinstance(answer, Accepted), (step, role, answer)


def step_of(pit: Pit, role: Role, *, automatic: bool = False) -> NextStep:
    step = public_view(pit.felt, pit.state, role, automatic=automatic).next
    assert step is not None
    return step


def follow(pit: Pit, cards: str) -> list[StepCode]:
    """Take each next step when its time has come, until the round is over."""
    shoe, taken = iter(cards.split()), list[StepCode]()
    while not (taken and pit.phase in BETWEEN_ROUNDS):
        step = step_of(pit, pit.dealer)
        if step.meanwhile is not None:
            pit.now = max(pit.now, step.deadline)
        command = as_sent(step, next(shoe)) if step.wants_card else as_sent(step)
        assert command is not None, step
        pit.staff(pit.dealer, command)
        if step.code is StepCode.OPEN:
            for box, bet in enumerate(("player", "banker"), start=1):
                pit.bet("ann", bet, 100, box)
        taken.append(step.code)
    return taken


OPENED, DEALT = ["open"], ["draw"] * 4
CLOSED = {"non-commission-etg": ["announce", "close"]}
PAID = {"non-commission-etg": ["settle"]}


@pytest.mark.parametrize("key", list(library.GAMES))
def test_one_step_after_the_other_plays_a_round_to_its_settlement(key: str) -> None:
    closed, paid = CLOSED.get(key, ["close"]), PAID.get(key, ["settle", "confirm", "confirm"])
    assert follow(Pit(key), "9♠ 2♠ K♠ 5♠") == [*OPENED, *closed, *DEALT, *paid]
    assert [code for code in follow(Pit(key), "2♠ 2♥ 3♠ 3♥ 4♣ K♦") if code != "insurance"] == [
        *OPENED, *closed, *DEALT, "draw", "draw", *paid,
    ]  # fmt: skip


def test_cards_dealt_face_down_are_turned_over_in_their_order() -> None:
    pit = Pit("commission", face_down=True)
    taken = follow(pit, "9♠ 2♠ K♠ 5♠")
    assert taken == ["open", "close", *["draw_down"] * 4, *["expose"] * 4, "settle", "confirm", "confirm"]
    assert hidden_next(pit.state) is None


@pytest.mark.parametrize("recorded", [True, False])
def test_whoever_recorded_the_request_to_squeeze_also_ends_the_squeeze(recorded: bool) -> None:
    pit = Pit("commission", face_down=True)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    if recorded:
        pit.staff(DEALER, c.RequestSqueeze(round=1, index=1, person="ann"))
    else:
        pit.player("ann", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1, 2, 3, 4)
    step = step_of(pit, DEALER)
    assert (step.meanwhile, step.index) == ("wait_squeeze", 1)
    assert step.otherwise == (c.FinishSqueeze(round=1, index=1, person="ann") if recorded else None)
    if step.otherwise is not None:
        pit.staff(DEALER, step.otherwise)
        assert step_of(pit, DEALER).meanwhile is None


@pytest.mark.parametrize("key", list(library.GAMES))
def test_each_step_cites_the_paragraph_of_its_own_document(key: str) -> None:
    pit = Pit(key)
    rules = pit.game.round
    assert step_of(pit, pit.dealer).paragraph == rules.opens
    pit.open()
    pit.bet("ann", "player", 100)
    assert step_of(pit, pit.dealer).paragraph == rules.closes
    pit.close()
    assert step_of(pit, pit.dealer).paragraph == rules.first_four
    pit.deal("2♠ 2♥ 3♠ 3♥")
    if (step := step_of(pit, pit.dealer)).code is StepCode.INSURANCE:
        assert step.paragraph == pit.felt.insurance_rule
        pit.now = step.deadline
        pit.staff(pit.dealer, c.CloseInsurance(round=1, window=Window.FOUR))
    assert step_of(pit, pit.dealer).paragraph == rules.third_cards


def test_where_the_house_deals_people_only_watch_and_answer() -> None:
    pit = Pit("commission", automatic=True)
    assert step_of(pit, DEALER, automatic=True).code is StepCode.WAIT_ITSELF
    assert step_of(pit, DEALER).code is StepCode.OPEN
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.report(Fault.EXPOSED, cards=read_cards("9♠ 8♠"))
    assert step_of(pit, DEALER, automatic=True).code is StepCode.WAIT_DECISION
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert step_of(pit, DEALER, automatic=True).meanwhile is StepCode.WAIT_OPTIONS
    pit.everyone(Election.RETURN)
    assert pit.state.waits_for_permission
    assert step_of(pit, DEALER).code is StepCode.WAIT_PERMIT
    assert step_of(pit, SUPERVISOR, automatic=True).code is StepCode.PERMIT


def test_nobody_but_staff_is_told_a_step() -> None:
    pit = Pit("commission")
    for audience in (Role.PLAYER, Role.CASHIER, BOARD, AUDITOR):
        assert public_view(pit.felt, pit.state, audience).next is None
    assert step_of(pit, DEALER).code is StepCode.OPEN


def test_at_a_table_of_terminals_a_dealer_waits() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    assert step_of(pit, DEALER).code is StepCode.WAIT_TERMINAL
    assert step_of(pit, Role.SYSTEM).code is StepCode.ANNOUNCE


def test_a_player_is_told_of_a_bet_under_the_minimum_before_it_is_handed_back() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 10)
    pit.bet("bob", "banker", 20, box=2)

    def low() -> list[tuple[str, bool]]:
        return [(one.owner, one.advised) for one in public_view(pit.felt, pit.state, DEALER).low]

    assert low() == [("ann", False), ("bob", False)]
    for then in ([("bob", False), ("ann", True)], [("ann", True), ("bob", True)], [("bob", True)], []):
        command = public_view(pit.felt, pit.state, DEALER).low[0].command
        assert command is not None
        pit.staff(DEALER, command)
        assert low() == then


def loaded(pit: Pit, name: str) -> c.LoadShoe:
    assert pit.state.setup is not None
    decks = pit.state.setup.decks
    return c.LoadShoe(shoe=name, decks=decks, shuffled=True, source=Source.KEYBOARD, reason="a fresh set")


def test_a_new_shoe_is_burnt_before_the_round_opens_as_the_table_is_set_up() -> None:
    pit = Pit("commission")
    assert step_of(pit, DEALER).burn == 0
    assert pit.state.setup is not None
    pit.staff(MANAGER, c.ChangeSetup(setup=msgspec.structs.replace(pit.state.setup, burn=3)))
    assert step_of(pit, DEALER).burn == 0
    pit.staff(SUPERVISOR, loaded(pit, "second"))
    assert step_of(pit, DEALER).burn == 3
    pit.open()
    pit.bet("ann", "player", 100)
    assert step_of(pit, DEALER).burn == 0
    pit.close()
    assert step_of(pit, DEALER).burn == 0
    pit.deal("9♠")
    assert step_of(pit, DEALER).burn == 0


def test_the_cut_card_announces_one_more_round_and_then_the_last() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    assert step_of(pit, DEALER).shoe is None
    pit.staff(DEALER, c.ShowCutCard())
    assert step_of(pit, DEALER).shoe is ShoeNote.ONE_MORE
    pit.deal("9♠ 7♠ K♠ 10♠")
    pit.settle()
    pit.pay()
    assert (step_of(pit, DEALER).code, step_of(pit, DEALER).shoe) == (StepCode.OPEN, ShoeNote.LAST)
    pit.open()
    assert step_of(pit, DEALER).shoe is ShoeNote.LAST
    pit.close()
    pit.deal("9♥ 7♥ K♥ 10♥")
    pit.settle()
    assert (step_of(pit, DEALER).code, step_of(pit, DEALER).shoe) == (StepCode.LOAD, None)
