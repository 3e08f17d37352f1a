"""Values that never show themselves in a log or a traceback."""

from typing import Any

import msgspec


class Hidden(msgspec.Struct, frozen=True):
    """A value that may end up in a log or a traceback by accident and must say nothing there."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []
