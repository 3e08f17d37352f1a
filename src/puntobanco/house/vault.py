"""What the house keeps secret: names the store seals, and values that never show themselves."""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

Clock = Callable[[], int]
"""Milliseconds since 1970."""

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000


class Vault(Protocol):
    """The sealed names of a store: in no event, log or export."""

    async def seal(self, name: str, content: bytes) -> None: ...

    async def sealed(self, name: str) -> bytes | None: ...

    async def unseal(self, name: str) -> None: ...

    async def sealed_names(self, prefix: str) -> tuple[str, ...]: ...


class Hidden(msgspec.Struct, frozen=True):
    """A value that may end up in a log or a traceback by accident and must say nothing there."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []


def cleaned(text: str, most: int) -> str:
    """What a stranger sent, fit for one line of a log: cut, and nothing in it that a terminal would obey."""
    return "".join(one if one.isprintable() else "?" for one in text[:most])
