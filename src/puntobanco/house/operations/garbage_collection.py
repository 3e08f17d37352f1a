"""Memory of a process that serves or proves a house: what is there when it begins stays, so nobody looks through it
again.

The collector of cycles goes through everything alive, time and again, while everybody waits; a large house would stand
still for a tenth of a second. Hardly anything here is a cycle: counting references frees the rest at once.
"""

import gc

LOOKS = (20_000, 20, 20)
"""New objects before the youngest are looked through, and how many such looks before the older ones are."""


def freeze() -> None:
    """To be called once: by the process that is the house when its doors are open, or by one that proves a house."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*LOOKS)
