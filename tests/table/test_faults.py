"""The lists that a fault or a void cause belongs to agree: one that is forgotten fails here, not at a table."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.overlay import OverlayCause
from puntobanco.table.commands import Fault
from puntobanco.table.felt import Felt
from puntobanco.table.irregularities import paragraph_of
from puntobanco.table.reversal import VOID_CAUSES
from puntobanco.table.setup import GapCause

WITHOUT_A_RULE = {Fault.MISPAYMENT}
"""No document says what follows a wrong payment: it is corrected (docs/rulings.md)."""


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_has_its_paragraph_in_a_document(fault: Fault) -> None:
    games = [library.game(key) for key in library.GAMES]
    provided = [
        game.key for game in games if paragraph_of(Felt(game, next(iter(game.layouts), None)), fault) is not None
    ]
    assert bool(provided) is (fault not in WITHOUT_A_RULE)


def test_a_cause_that_voids_a_round_may_void_a_settled_one_and_stand_in_an_overlay() -> None:
    gap = {Fault(cause) for cause in GapCause}
    assert gap == {*VOID_CAUSES, Fault.WRONG_NUMBER_OF_CARDS}
    assert {Fault(cause) for cause in OverlayCause} == {*gap, Fault.TECHNICAL}
