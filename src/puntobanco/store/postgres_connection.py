"""Connections to PostgreSQL: to the primary alone, and what each error of the driver means."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg

from puntobanco.store.records import Failed, StoreFailed

Result = TypeVar("Result")

PRIMARY: dict[str, Any] = {"target_session_attrs": "read-write", "timeout": 5}
"""Never a replica, of all the hosts in the URL."""
WRITER, READER = PRIMARY | {"command_timeout": 15}, PRIMARY | {"command_timeout": 60}
"""A network that swallows everything is noticed after so many seconds."""
SETTINGS = {
    "lock_timeout": "10s",
    # A node that stops in the middle of a commit gives its locks back, so that another can take its tables over.
    "idle_in_transaction_session_timeout": "5s",
    "default_transaction_isolation": "read committed",
    "application_name": "puntobanco",
}

REFUSED = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    asyncpg.exceptions._base.DataError,  # the driver itself cannot encode a value; it has no other name
    UnicodeError,
    OverflowError,
)
"""The database rejects a row. Any other driver error is a storage failure."""
LOST = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
"""asyncpg reports a connection killed in mid-exchange as an internal client error."""
PASSING = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, crashed, or still starting
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.ReadOnlySQLTransactionError,  # a former primary
    asyncpg.TooManyConnectionsError,
    asyncpg.LockNotAvailableError,
    asyncpg.TransactionRollbackError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)
"""What may pass when the server is back or another takes its place. Anything else is final."""
LOOKS_AGAIN = 0.1
"""Seconds between two attempts to connect."""


async def connected(url: str, settings: dict[str, str], **options: Any) -> Any:
    """Connect without leaking the password: the driver quotes an unparsable URL in its error."""
    try:
        return await asyncpg.connect(url, server_settings=settings, **options)
    except LOST:
        raise
    except ValueError:
        raise StoreFailed(Failed.STORAGE, "the address of the database cannot be read") from None


async def stored(work: Callable[[], Awaitable[Result]]) -> Result:
    """Translate driver errors into `StoreFailed`."""
    try:
        return await work()
    except REFUSED as error:
        raise StoreFailed(Failed.INVARIANT, str(error)) from error
    except LOST as error:
        raise StoreFailed(Failed.STORAGE, str(error) or type(error).__name__) from error


async def parted(connection: Any) -> None:
    """Close a connection that may already be lost."""
    with suppress(*LOST):
        await asyncio.wait_for(connection.close(), 5)
