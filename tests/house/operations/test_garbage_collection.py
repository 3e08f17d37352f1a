"""What a house keeps the collector from."""

import gc

from puntobanco.house.operations.garbage_collection import LOOKS, freeze


def test_what_is_there_when_the_doors_open_is_not_looked_through_again() -> None:
    before = gc.get_threshold()
    try:
        freeze()
        assert gc.get_freeze_count() > 1_000
        assert gc.get_threshold() == LOOKS
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
