"""Simulation on a Dask cluster: same plan, pieces and tally as on one machine."""

import asyncio
import logging
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from puntobanco.extras import explained
from puntobanco.odds.simulate import Plan, Progress, Simulation, gather, play
from puntobanco.odds.tables import Ints
from puntobanco.rules.refusal import Reason, Refused

PATIENCE = 10
"""Seconds to wait for a scheduler, and for its first worker."""
_ADDRESS = re.compile(r"(tcp|tls)://(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})")
PIECES_A_TASK = 4
TASKS_A_THREAD = 4
"""Least tasks per thread, however short the run, so that a worker that finishes early gets more work."""
LOST_BEFORE_GIVING_UP = 10
"""How often one task may lose its worker before the run fails."""


def play_some(plan: Plan, first: int, after: int) -> Ints:
    """Play the pieces from `first` up to, not including, `after` and add them up: one task of a worker."""
    tally = play(plan, first)
    for piece in range(first + 1, after):
        tally = tally + play(plan, piece)
    return tally


def simulate_on(
    address: str, plan: Plan, *, workers: int | None = None, progress: Progress | None = None
) -> Simulation:
    """`tcp://host:port` of a scheduler, or `local` for worker processes on this machine.

    A lost worker costs time, not rounds: its tasks are played again elsewhere with the same seeds.
    """
    if workers is not None and not 1 <= workers <= 1024:
        raise Refused(Reason.WORKERS_OUT_OF_RANGE, workers=workers)
    _dask()
    if address != "local":
        _check(address)
    try:
        with _client(address, workers) as client:
            return gather(plan, _tallies(client, plan), progress)
    except Refused:
        raise
    except Exception as error:
        why = f"{type(error).__name__} {error}"
        raise Refused(Reason.CLUSTER_FAILED, address=address, why=why.strip()) from error


def _check(address: str) -> None:
    """Contact the scheduler before creating a client, which takes half a minute to report that nobody answers."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 1 <= int(found["port"]) <= 65_535:
        raise Refused(Reason.CLUSTER_ADDRESS, address=address)
    try:
        with socket.create_connection((found["host"].strip("[]"), int(found["port"])), timeout=PATIENCE):
            pass
        asyncio.run(asyncio.wait_for(_introduce(address), PATIENCE))
    except Refused:
        raise
    except (OSError, TimeoutError) as error:
        why = error.strerror or type(error).__name__
        raise Refused(Reason.CLUSTER_UNREACHABLE, address=address, why=why) from None
    except Exception:
        raise Refused(Reason.CLUSTER_STRANGE, address=address) from None


async def _introduce(address: str) -> None:
    """Wait until the scheduler identifies itself and has a worker."""
    arguments = _dask().Security().get_connection_args("client")
    async with _dask().rpc(address, timeout=PATIENCE, connection_args=arguments) as scheduler:
        for _ in range(10 * PATIENCE // 2):
            if (await scheduler.identity())["workers"]:
                return
            await asyncio.sleep(0.1)
    raise Refused(Reason.CLUSTER_IDLE, address=address)


@contextmanager
def _client(address: str, workers: int | None) -> Iterator[Any]:
    dask = _dask()
    for talker in ("distributed", "distributed.client"):
        logging.getLogger(talker).setLevel(logging.CRITICAL)  # what goes wrong is said once, by us
    if address == "local":
        with (
            dask.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
            ) as local,
            dask.Client(local, timeout=PATIENCE) as client,
        ):
            client.run(_ignore_interrupts)
            yield client
    else:
        with dask.Client(address, timeout=PATIENCE, set_as_default=False) as client:
            yield client


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal. The gathering process ends the run and then its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _dask() -> Any:
    """Imported only when a cluster is used."""
    try:
        return import_module("distributed")
    except ModuleNotFoundError as missing:
        raise explained(missing) from None


def _tallies(client: Any, plan: Plan) -> Iterator[Ints]:
    """Tasks as they complete. Each tally is counted once, even if its task ran twice."""
    ahead = TASKS_A_THREAD * max(1, sum(client.nthreads().values()))
    size = max(1, min(PIECES_A_TASK, plan.pieces // ahead))
    starts = iter(range(0, plan.pieces, size))

    def submit(first: int) -> Any:
        after = min(first + size, plan.pieces)
        return client.submit(play_some, plan, first, after, pure=False, retries=LOST_BEFORE_GIVING_UP)

    started = [submit(first) for _, first in zip(range(ahead), starts, strict=False)]
    running = _dask().as_completed(started, loop=client.loop)
    for future in running:
        tally = future.result()
        future.release()
        following = next(starts, None)
        if following is not None:
            running.add(submit(following))
        yield tally
