"""Which commands wait for a second person, by the question that is open and by who sends them."""

import pytest

from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.second_person import always, attests_late, declares
from puntobanco.table.state import State
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, in_play


def waits(state: State, choice: Choice, question: int | None = None) -> bool:
    number = state.question.number if question is None and state.question else question or 1
    return declares(state, c.Rule(question=number, choice=choice), SUPERVISOR)


def test_a_void_that_somebody_declares_waits_and_the_answer_that_play_goes_on_does_not() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.FOREIGN_CARD)
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.VOID, Choice.STANDS)
    assert (waits(pit.state, Choice.VOID), waits(pit.state, Choice.STANDS)) == (True, False)


def test_cards_put_in_order_wait_only_if_that_takes_a_settlement_back() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.report(Fault.SIMULTANEOUS, index=1)
    assert not waits(pit.state, Choice.ORDER)
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.settle()
    pit.report(Fault.SIMULTANEOUS, index=1)
    assert (waits(pit.state, Choice.ORDER), waits(pit.state, Choice.STANDS)) == (True, False)


@pytest.mark.parametrize("choice", [Choice.VOID, Choice.RECONSTRUCT, Choice.STANDS])
def test_an_answer_to_a_question_that_is_not_open_yet_waits_by_its_kind(choice: Choice) -> None:
    kind = choice is not Choice.STANDS
    pit = in_play("commission", "5")
    assert waits(pit.state, choice) is kind
    pit.report(Fault.OTHER_DEALING_ERROR)
    assert waits(pit.state, choice, question=2) is kind
    assert waits(pit.state, Choice.RECONSTRUCT) is False


@pytest.mark.parametrize(
    ("role", "before", "after"),
    [
        (DEALER, False, True), (SUPERVISOR, True, True), (MANAGER, True, True), (SHIFT, True, True),
        (Role.PLAYER, False, True), (Role.SYSTEM, False, True),
    ],
)  # fmt: skip
def test_a_bet_attested_late_waits_once_a_card_is_known_or_if_a_dealer_did_not_send_it(
    role: Role, before: bool, after: bool
) -> None:
    attested = c.AttestBet(round=1, owner="bob", line=c.Line(bet="player", amount=100_00, box=1), attested=True)
    pit = in_play("commission")
    assert attests_late(pit.state, attested, role) is before
    pit.deal("5")
    assert attests_late(pit.state, attested, role) is after


def test_a_chip_written_off_always_waits() -> None:
    assert always(State(), c.WriteOffChip(missing=1, reason="gone"), SHIFT)
