"""Histories, money and answers in one transaction: SQLite, or PostgreSQL by URL.

One interface (`base.py`), two engines, one conformance suite; backup, restore and verification. Rows are bytes here:
only `codec.py` knows events, and nothing here decides anything.
"""

from pathlib import Path

from puntobanco.store.base import Store


def open_store(place: str | Path, reconnect_within: float = 30, *, apart: bool = False) -> Store:
    """The store at a path (SQLite) or a URL (`postgresql://...`), whose server is looked for that many seconds if it is
    lost. `apart`: a process of its own writes the file. Call `await store.open()` before use."""
    scheme, separator, _ = str(place).partition("://")
    if scheme in ("postgresql", "postgres") and separator:
        from puntobanco.store.postgres import PostgresStore

        return PostgresStore(str(place), reconnect_within)
    if separator:
        raise ValueError(f"a store is a path or a postgresql:// URL, not {scheme}://")
    from puntobanco.store.sqlite import SqliteStore

    return SqliteStore(place, apart=apart)
