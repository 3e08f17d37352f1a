"""Both engines, for what the house itself does with its store."""

from tests.store.conftest import place, server

__all__ = ["place", "server"]
