"""Values that are never printed in a log or a traceback."""

from typing import Any

import msgspec


class Hidden(msgspec.Struct, frozen=True):
    """A value that might be printed in a log or a traceback by accident. Its representation hides its fields."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []
