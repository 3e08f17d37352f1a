"""The store: event streams, money and answers, written in one transaction. Two engines, SQLite and PostgreSQL, share
one interface and one conformance suite."""

from pathlib import Path

from puntobanco.store.records import Store


def open_store(place: str | Path) -> Store:
    """The store at a path (SQLite) or a URL (`postgresql://...`). Call `await store.open()` before use."""
    scheme, separator, _ = str(place).partition("://")
    if scheme in ("postgresql", "postgres") and separator:
        from puntobanco.store.postgres import PostgresStore

        return PostgresStore(str(place))
    if separator:
        raise ValueError(f"a store is a path or a postgresql:// URL, not {scheme}://")
    from puntobanco.store.sqlite import SqliteStore

    return SqliteStore(place)
