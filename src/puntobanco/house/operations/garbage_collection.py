"""Garbage collection settings for a server or a verification: objects that exist at the start are excluded from
collection.

The cycle collector scans every live object again and again; with a large house, that would pause everything for a tenth
of a second. Cycles are rare here, and reference counting frees the rest at once.
"""

import gc

LOOKS = (20_000, 20, 20)
"""Thresholds of the collector: new objects before the youngest generation is scanned, and scans before the older
ones."""


def freeze() -> None:
    """Call once, when the server is open or before a verification."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*LOOKS)
