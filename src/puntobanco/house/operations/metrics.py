"""Prometheus metrics. They use a registry of their own, so that two servers can run in one process.

Counting a bet costs about two microseconds, because the child of each label is cached. Values that can be computed on
demand (queues, heartbeats) are computed only when the metrics are read. No label contains text typed by a person: table
names come from the house; reasons, commands, phases and roles from closed lists.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from puntobanco.rules.refusal import Reason
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent, Stake
from puntobanco.table.state import Phase

CONTENT_TYPE = CONTENT_TYPE_LATEST

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)

WITHOUT_BETS, VOID, DECIDED, REVERSED = "without_bets", "void", "decided", "reversed"


Child = TypeVar("Child", Counter, Gauge, Histogram)


class Family(Generic[Child]):
    """A metric with its children cached by label. Without labels it has one child, itself."""

    def __init__(self, metric: Child) -> None:
        self._metric: Child = metric
        self._children: dict[tuple[str, ...], Child] = {}

    def __getitem__(self, labels: tuple[str, ...]) -> Child:
        child = self._children.get(labels)
        if child is None:
            child = self._children[labels] = self._metric.labels(*labels) if labels else self._metric
        return child

    def forget(self, first: str) -> None:
        """Remove all children whose first label has this value."""
        for labels in [one for one in self._children if one[0] == first]:
            del self._children[labels]
            self._metric.remove(*labels)


class MetricDescription(NamedTuple):
    """A metric as a scraper sees it."""

    name: str
    type: str
    labels: tuple[str, ...]
    about: str


class Metrics:
    """The metrics of one server; `described` lists them."""

    def __init__(self, version: str, digest: str = "", monotonic: Callable[[], float] = time.monotonic) -> None:
        self.registry = registry = CollectorRegistry()
        self._monotonic = monotonic

        self.described: list[MetricDescription] = []

        def described(name: str, type: str, about: str, *labels: str) -> None:
            self.described.append(MetricDescription(f"puntobanco_{name}", type, labels, about))

        def counter(name: str, about: str, *labels: str) -> Family[Counter]:
            described(f"{name}_total", "counter", about, *labels)
            return Family(Counter(f"puntobanco_{name}", about, labels, registry=registry))

        def gauge(name: str, about: str, *labels: str) -> Family[Gauge]:
            described(name, "gauge", about, *labels)
            return Family(Gauge(f"puntobanco_{name}", about, labels, registry=registry))

        def histogram(name: str, about: str, buckets: Iterable[float], *labels: str) -> Family[Histogram]:
            described(name, "histogram", about, *labels)
            return Family(Histogram(f"puntobanco_{name}", about, labels, registry=registry, buckets=tuple(buckets)))

        self._rounds = counter("rounds", "Rounds ended; `reversed` counts settlements taken back",
                               "table", "game", "result")  # fmt: skip
        self._bets = counter("bets", "Bets placed or raised", "table")
        self._staked = counter("staked_cents", "Cents staked; stakes taken back are not deducted", "table")
        self._refusals = counter("refusals", "Commands refused", "reason")
        self._incidents = counter("incidents", "Commands that failed with an internal error", "table")
        self._commands = histogram(
            "command_seconds", "Seconds from queueing a command to its answer", SECONDS, "command"
        )
        self._append = histogram("append_seconds", "Seconds for one append to the store", SECONDS)[()]
        self._batch = histogram("batch_size", "Commands per append", SIZES)[()]
        self._queues = gauge("queue_depth", "Commands waiting in the table's queue", "table")
        self._connections = gauge("live_connections", "Open live connections", "audience")
        self._slow = counter("slow_connections", "Connections closed because they accepted no message in time")[()]
        self._floods = counter("floods", "Requests refused or connections closed by rate limits", "what")
        self._sign_ins = counter("sign_ins", "Sign-in attempts", "result")
        self._phases = gauge("tables", "Tables, by phase", "phase")
        self._lag = gauge("loop_lag_seconds", "Lag of the event loop at the last measurement")[()]
        self._beats = gauge("last_beat_seconds", "Seconds since the table's loop was last seen alive", "table")
        self._store_failed = gauge("store_failed", "1 if the store accepts no writes")[()]
        self._program_held = gauge(
            "program_held", "1 if no round opens until a change of the installed files is released"
        )[()]
        self._program_differs = gauge("program_differs", "Installed files that differ from the record")[()]
        self._drift = gauge("clock_drift_seconds", "Seconds by which the wall clock is ahead of the house clock")[()]
        described("build_info", "info", "Version and digest", "version", "digest")
        Info("puntobanco_build", "Version and digest", registry=registry).info({"version": version, "digest": digest})
        ProcessCollector(registry=registry)
        self._last: dict[str, float] = {}
        self.tables({})

    def text(self) -> bytes:
        """All metrics in the Prometheus text format (`CONTENT_TYPE`)."""
        return generate_latest(self.registry)

    # ---- tables --------------------------------------------------------------------------------------------------

    def count(self, table: str, game: str, events: Iterable[AnyEvent]) -> None:
        """Count a batch of a table's events."""
        bets = staked = 0
        for event in events:
            match event:
                case e.BetsPlaced():
                    for stake, was in zip(event.stakes, event.was, strict=True):
                        more = _added(stake, was)
                        bets, staked = bets + (more > 0), staked + more
                case e.InsuranceTaken() | e.BetAttested():
                    more = _added(event.stake, event.was)
                    bets, staked = bets + (more > 0), staked + more
                case e.RoundSettled():
                    self._rounds[table, game, event.outcome.winner].inc()
                case e.RoundVoided():
                    self._rounds[table, game, VOID].inc()
                case e.RoundEndedWithoutBets():
                    self._rounds[table, game, WITHOUT_BETS].inc()
                case e.RoundDecided():
                    self._rounds[table, game, DECIDED].inc()
                case e.SettlementReversed():
                    self._rounds[table, game, REVERSED].inc()
        if bets:
            self._bets[table,].inc(bets)
            self._staked[table,].inc(staked)

    def decided(self, command: str, seconds: float) -> None:
        self._commands[command,].observe(seconds)

    def refused(self, reason: Reason) -> None:
        self._refusals[reason.value,].inc()

    def incident(self, table: str) -> None:
        self._incidents[table,].inc()

    def written(self, commands: int, seconds: float) -> None:
        """One append made this many commands durable."""
        self._batch.observe(commands)
        self._append.observe(seconds)

    def watch_table(self, table: str, depth: Callable[[], int]) -> None:
        """From now on, export the depth of the table's queue and the time since its loop was last seen."""
        self.beat(table)
        self._queues[table,].set_function(depth)
        self._beats[table,].set_function(lambda: self.silent(table))

    def beat(self, table: str) -> None:
        self._last[table] = self._monotonic()

    def silent(self, table: str) -> float:
        """Seconds since the table's loop was last seen alive."""
        return self._monotonic() - self._last[table]

    def forget_table(self, table: str) -> None:
        """Stop watching a table. Its counters stay."""
        self._last.pop(table, None)
        self._queues.forget(table)
        self._beats.forget(table)

    def tables(self, phases: Mapping[Phase, int]) -> None:
        for phase in Phase:
            self._phases[phase.value,].set(phases.get(phase, 0))

    # ---- people and screens --------------------------------------------------------------------------------------

    def connected(self, audience: str, by: int = 1) -> None:
        self._connections[audience,].inc(by)

    def disconnected(self, audience: str) -> None:
        self._connections[audience,].dec()

    def dropped_slow(self) -> None:
        self._slow.inc()

    def flooded(self, what: str) -> None:
        """`what` is from a closed list: frames, bytes, messages, requests, connections."""
        self._floods[what,].inc()

    def signed_in(self, result: str) -> None:
        """`result` is `signed_in` or the reason of the refusal; never a name."""
        self._sign_ins[result,].inc()

    # ---- the house -----------------------------------------------------------------------------------------------

    def loop_lag(self, seconds: float) -> None:
        self._lag.set(seconds)

    def store_failed(self, failed: bool) -> None:
        self._store_failed.set(failed)

    def program(self, differs: int, *, held: bool) -> None:
        self._program_differs.set(differs)
        self._program_held.set(held)

    def drift(self, milliseconds: int) -> None:
        self._drift.set(milliseconds / 1000)


def _added(stake: Stake, was: int) -> int:
    return max(0, stake.amount - was)
