"""Who may do what: the rank a refusal names, and who is taken for the house."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role, check, may
from puntobanco.table.decide import Refusal, decide
from tests.marks import rulings
from tests.table.pit import Pit


def test_nobody_is_the_house_or_a_device_unless_it_is_said() -> None:
    by = By("dora", Role.DEALER, 0)
    assert (by.house, by.device) == (False, False)


@pytest.mark.parametrize(
    ("key", "least"),
    [("commission", Role.DEALER), ("super-six", Role.DEALER), ("non-commission-etg", Role.SYSTEM)],
)
def test_a_refusal_names_the_lowest_rank_that_may_and_at_terminals_the_house(key: str, least: Role) -> None:
    pit = Pit(key)
    answer = decide(pit.felt, pit.state, c.OpenBetting(), By("cal", Role.PLAYER, pit.now))
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.parameters["least"]) == (Reason.NOT_AUTHORISED, {"word": least})


@rulings("AUT-2")
@pytest.mark.parametrize("key", library.GAMES)
def test_staff_bet_for_a_player_everywhere_but_at_terminals(key: str) -> None:
    game = library.game(key)
    dealer = By("dora", Role.DEALER, 0)
    assert may(game, Action.BET_FOR_PLAYER, dealer) is (game.terminal is None)
    assert may(game, Action.OPEN_BETTING, dealer) is (game.terminal is None)


@rulings("BET-11", "AUT-1")
def test_at_terminals_not_even_the_shift_manager_opens_closes_deals_or_bets() -> None:
    etg, spoken = library.game("non-commission-etg"), library.game("super-six")
    shift = By("tom", Role.SHIFT_MANAGER, 0)
    for action in (Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.DEAL, Action.BET_FOR_PLAYER):
        assert not may(etg, action, shift)
        assert may(spoken, action, By("dora", Role.DEALER, 0))


@pytest.mark.parametrize("key", library.GAMES)
def test_beyond_the_documents_a_supervisor_confirms_what_is_left_and_a_manager_writes_a_chip_off_with_a_reason(
    key: str,
) -> None:
    game = library.game(key)
    ranks = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER)
    by = [By("", role, 0) for role in ranks]
    assert [may(game, Action.CONFIRM_REST, one) for one in by] == [False, True, True, True]
    assert [may(game, Action.WRITE_OFF_CHIP, one) for one in by] == [False, False, True, True]
    with pytest.raises(Refused) as refused:
        check(game, Action.WRITE_OFF_CHIP, by[3], "  ")
    assert refused.value.refusal.reason is Reason.REASON_MISSING
    check(game, Action.WRITE_OFF_CHIP, by[3], "the guest has left the casino")
    check(game, Action.CONFIRM_REST, by[1])
