"""Simulation on a cluster: the same tally as on one machine, whatever happens to a worker."""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from puntobanco.odds import Plan, Simulation, SimulationMode, simulate_on, simulation
from puntobanco.odds.cluster import PATIENCE
from puntobanco.rules.refusal import Reason, Refused

PLAN = Plan(rounds=10 * 2**21 + 12_345, mode=SimulationMode.SHOE, seed=5)
"""Eleven pieces, the last of them short."""


@pytest.mark.filterwarnings("default")  # the cluster's own library leaves sockets to be collected when a worker dies
def test_a_worker_killed_in_the_middle_costs_time_and_not_a_round() -> None:
    dask: Any = import_module("distributed")
    killed: list[int] = []

    def kill_one(so_far: Simulation) -> None:
        if not killed and not so_far.complete:
            killed.append(next(iter(dask.default_client().run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    run = simulate_on("local", PLAN, workers=2, progress=kill_one)
    assert killed
    assert run.complete
    assert run.rounds == PLAN.rounds
    assert np.array_equal(run.tally, simulation(PLAN).tally)


@pytest.mark.filterwarnings("default")
def test_a_scheduler_elsewhere_gives_the_same_tally() -> None:
    dask: Any = import_module("distributed")
    plan = Plan(rounds=300_000, seed=11)
    with dask.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=None, silence_logs=50
    ) as cluster:
        run = simulate_on(cluster.scheduler_address, plan)
    assert run.complete
    assert np.array_equal(run.tally, simulation(plan).tally)


@pytest.mark.filterwarnings("default")
def test_a_scheduler_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    dask: Any = import_module("distributed")
    monkeypatch.setattr("puntobanco.odds.cluster.PATIENCE", 2)
    with (
        dask.LocalCluster(
            n_workers=0, processes=False, protocol="tcp", dashboard_address=None, silence_logs=50
        ) as cluster,
        pytest.raises(Refused) as caught,
    ):
        simulate_on(cluster.scheduler_address, PLAN)
    assert caught.value.reason is Reason.CLUSTER_IDLE


@contextmanager
def answering(words: bytes) -> Iterator[str]:
    """Something that takes connections and says only this."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            for _ in range(2):
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(words)
                    time.sleep(0.2)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread.join(PATIENCE)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", Reason.CLUSTER_ADDRESS),
        ("localhost", Reason.CLUSTER_ADDRESS),
        ("http://localhost:8786", Reason.CLUSTER_ADDRESS),
        ("tcp://localhost", Reason.CLUSTER_ADDRESS),
        ("tcp://localhost:0", Reason.CLUSTER_ADDRESS),
        ("tcp://127.0.0.1:1", Reason.CLUSTER_UNREACHABLE),
        ("tcp://[::1]:1", Reason.CLUSTER_UNREACHABLE),
        ("tcp://no-such-host.invalid:8786", Reason.CLUSTER_UNREACHABLE),
    ],
)
def test_a_cluster_that_is_none_is_refused_within_seconds(address: str, reason: Reason) -> None:
    started = time.monotonic()
    with pytest.raises(Refused) as caught:
        simulate_on(address, PLAN)
    assert caught.value.reason is reason
    assert time.monotonic() - started < PATIENCE + 2


def test_what_answers_but_is_no_scheduler_is_refused() -> None:
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address, pytest.raises(Refused) as caught:
        simulate_on(address, PLAN)
    assert caught.value.reason in (Reason.CLUSTER_STRANGE, Reason.CLUSTER_UNREACHABLE)


def test_a_number_of_workers_that_is_none_is_refused() -> None:
    for workers in (0, -1, 1025):
        with pytest.raises(Refused) as caught:
            simulate_on("local", PLAN, workers=workers)
        assert caught.value.reason is Reason.WORKERS_OUT_OF_RANGE


@pytest.mark.parametrize("address", ["local", "tcp://127.0.0.1:8786"])
def test_a_cluster_without_dask_names_the_extra_to_install(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'puntobanco\[dask\]'"):
        simulate_on(address, PLAN)
