"""A field that a stored event or command leaves out means what it meant when it was written."""

import json

from tests.golden.defaults import FILE, defaults


def test_no_default_of_what_is_stored_has_changed() -> None:
    pinned = json.loads(FILE.read_text(encoding="utf-8"))
    assert defaults() == pinned, "never change one; for a new field: python -m tests.golden.defaults"
