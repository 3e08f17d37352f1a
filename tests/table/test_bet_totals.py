"""Totals of bets: what several people have staked together, and never who."""

from puntobanco.table.authority import Role
from puntobanco.table.views import BOARD, BetTotal, public_view
from tests.table.pit import Pit

PEOPLE = dict.fromkeys(("ann", "bob", "cho", "dee"), 2_000_00)


def seen(pit: Pit) -> dict[str, BetTotal]:
    shown = [public_view(pit.felt, pit.state, who, totals=True).totals for who in (Role.PLAYER, BOARD, Role.DEALER)]
    assert shown[0] == shown[1] == shown[2]
    return shown[0]


def test_a_bet_has_a_total_once_three_people_have_placed_it() -> None:
    pit = Pit("commission", people=PEOPLE)
    pit.open()
    pit.bet("ann", "banker", 100)
    pit.bet("bob", "banker", 200)
    pit.bet("ann", "tie", 50)
    pit.bet("ann", "banker", 150, box=2)
    assert seen(pit) == {}, "two people with three stakes are still two people"
    pit.bet("cho", "banker", 300)
    assert seen(pit) == {"banker": BetTotal(amount=750_00, bettors=3)}
    pit.bet("cho", "banker", 0)
    assert seen(pit) == {}


def test_totals_are_shown_only_if_the_house_says_so_and_only_while_the_round_is_open() -> None:
    pit = Pit("commission", people=PEOPLE)
    pit.open()
    for person in ("ann", "bob", "cho"):
        pit.bet(person, "player", 100)
    assert public_view(pit.felt, pit.state, Role.PLAYER).totals == {}
    pit.close()
    pit.deal("K 9 K K")
    assert seen(pit) == {"player": BetTotal(amount=300_00, bettors=3)}
    pit.settle()
    assert seen(pit) == {}
