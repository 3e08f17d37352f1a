"""Simulation on a Dask cluster: the same plan, the same pieces, the same tally as on one machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from puntobanco.odds.simulate import Plan, Progress, Simulation, gather, play
from puntobanco.odds.tables import Ints
from puntobanco.rules.refusal import Reason, Refused

PATIENCE = 10
"""Seconds to wait for a scheduler, and for its first worker."""
PIECES_A_TASK = 16
LOST_BEFORE_GIVING_UP = 10
"""How often one task may lose its worker before the run is given up."""


def play_some(plan: Plan, first: int, after: int) -> Ints:
    """The pieces from `first` to before `after`, added up: one task of a worker."""
    tally = play(plan, first)
    for piece in range(first + 1, after):
        tally = tally + play(plan, piece)
    return tally


def simulate_on(
    address: str, plan: Plan, *, workers: int | None = None, progress: Progress | None = None
) -> Simulation:
    """`tcp://host:port` of a scheduler, or `local` for worker processes on this machine.

    A worker that is lost costs time, not rounds: its tasks are played again elsewhere, from the same seeds.
    """
    with _client(address, workers) as client:
        return gather(plan, _tallies(client, plan), progress)


@contextmanager
def _client(address: str, workers: int | None) -> Iterator[Any]:
    dask = _dask()
    try:
        if address == "local":
            with (
                dask.LocalCluster(
                    n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
                ) as local,
                dask.Client(local, timeout=PATIENCE) as client,
            ):
                yield client
        else:
            with dask.Client(address, timeout=PATIENCE, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=PATIENCE)
                yield client
    except (OSError, TimeoutError, ValueError) as error:
        raise Refused(Reason.CLUSTER_UNREACHABLE, address=address, why=type(error).__name__) from None


def _dask() -> Any:
    """Imported only where a cluster is asked for."""
    return import_module("distributed")


def _tallies(client: Any, plan: Plan) -> Iterator[Ints]:
    """Tasks as they are done; each tally is taken once, whatever was played twice."""
    ahead = 4 * max(1, sum(client.nthreads().values()))
    starts = iter(range(0, plan.pieces, PIECES_A_TASK))

    def submit(first: int) -> Any:
        after = min(first + PIECES_A_TASK, plan.pieces)
        return client.submit(play_some, plan, first, after, pure=False, retries=LOST_BEFORE_GIVING_UP)

    running = _dask().as_completed([submit(first) for first, _ in zip(starts, range(ahead), strict=False)])
    for future in running:
        tally = future.result()
        future.release()
        following = next(starts, None)
        if following is not None:
            running.add(submit(following))
        yield tally
