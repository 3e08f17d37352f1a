"""What money is and why it moved: amounts without a currency, and a kind of transfer for each reason."""

from pathlib import Path

import msgspec
import pytest

from puntobanco.ledger.accounts import TransferKind
from puntobanco.rules import library
from puntobanco.rules.money import read_money
from puntobanco.rules.refusal import Refused
from puntobanco.table.money import transfers
from puntobanco.table.scenario import read_scenario, run
from puntobanco.table.setup import Setup
from tests.marks import rulings

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def kinds(name: str) -> list[tuple[TransferKind, int]]:
    scenario = read_scenario(library.read_toml(SCENARIOS / f"{name}.toml"), name)
    events = run(scenario, library.game(scenario.game)).events
    return [(moved.kind, moved.amount) for event in events for moved in transfers(event)]


@rulings("MON-1")
@pytest.mark.parametrize("amount", ["$5", "5$", "SGD 5", "5 MOP", "S$5"])
def test_an_amount_has_no_currency_and_neither_has_a_bet_or_a_table(amount: str) -> None:
    with pytest.raises(Refused):
        read_money(amount)
    assert [field for field in msgspec.structs.fields(Setup) if "currency" in field.name] == []


@rulings("MON-6")
def test_commission_is_a_transfer_of_its_own_beside_the_even_win() -> None:
    moved = kinds("commission-4.1.1-commission")
    paid = [amount for kind, amount in moved if kind is TransferKind.COMMISSION]
    won = [amount for kind, amount in moved if kind is TransferKind.WIN]
    assert paid
    assert all(20 * amount in won for amount in paid)


@rulings("MON-9")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("commission-4.1.1-commission", TransferKind.WIN),
        ("commission-5.13-positions-at-the-close", TransferKind.LOSS),
        ("commission-4.1.1-commission", TransferKind.COMMISSION),
        ("non-commission-etg-3.8-tie-returns-the-original-bets", TransferKind.PUSH),
        ("commission-5.1.1-excess-not-rejected", TransferKind.RETURN_UNPLAYED),
        ("commission-5.12.3-bet-taken-back", TransferKind.RETURN_OPTION),
        ("commission-5.5.1-foreign-card", TransferKind.VOID_REFUND),
        ("commission-5.5.3-mispayment-put-right", TransferKind.REVERSAL),
    ],
)
def test_every_reason_for_money_to_move_is_a_kind_of_its_own(name: str, kind: TransferKind) -> None:
    assert kind in {one for one, _ in kinds(name)}
    assert len({one.value for one in TransferKind}) == len(TransferKind)
