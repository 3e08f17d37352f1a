"""What the house counts is what happened, and anybody with a scraper can read it."""

import asyncio
import os
import socket
from pathlib import Path

import msgspec
import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.systemd import ALIVE, READY, tell_manager, watch
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.events import AnyEvent, Stake
from puntobanco.table.state import Phase
from tests.table.pit import Pit

BY = By("ann", Role.PLAYER, 1)


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    """As a scraper reads it."""
    for family in text_string_to_metric_families(metrics.text().decode()):
        for sample in family.samples:
            if sample.name == f"puntobanco_{name}" and sample.labels == labels:
                return float(sample.value)
    return None


def stake(amount: int, bet: str = "banker") -> Stake:
    return Stake(owner="ann", box=1, bet=bet, amount=amount, placer="ann", order=1)


def placed(*bets: tuple[int, int]) -> AnyEvent:
    """Amounts as they are after it and before it."""
    return e.BetsPlaced(by=BY, round=1, stakes=tuple(stake(now) for now, _ in bets), was=tuple(was for _, was in bets))


# ---- tables ------------------------------------------------------------------------------------------------------


def test_rounds_bets_and_stakes_are_counted_from_the_events_of_a_table() -> None:
    metrics, pit = Metrics("1.0"), Pit("commission", "A")
    pit.open()
    pit.bet("ann", "banker", 200)
    pit.bet("bob", "player", 300, box=2)
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    metrics.count("one", "commission", pit.events)
    assert value(metrics, "bets_total", table="one") == 2
    assert value(metrics, "staked_cents_total", table="one") == 500_00
    assert value(metrics, "rounds_total", table="one", game="commission", result="player") == 1


def test_only_what_is_added_to_a_bet_counts_and_nothing_is_taken_off() -> None:
    metrics = Metrics("1.0")
    metrics.count("one", "commission", [placed((300, 100), (0, 500), (50, 50))])
    assert value(metrics, "bets_total", table="one") == 1
    assert value(metrics, "staked_cents_total", table="one") == 200


def test_a_void_and_a_reversal_are_counted_as_such() -> None:
    metrics = Metrics("1.0")
    void = e.RoundVoided(by=BY, round=1, cause=c.Fault.FOREIGN_CARD, refunds=())
    metrics.count("one", "wu-song", [e.SettlementReversed(by=BY, round=1, stakes=(), owed={}), void])
    metrics.count(
        "one", "wu-song", [e.RoundEndedWithoutBets(by=BY, round=2), e.RoundDecided(by=BY, round=3, stakes=())]
    )
    for result in ("reversed", "void", "without_bets", "decided"):
        assert value(metrics, "rounds_total", table="one", game="wu-song", result=result) == 1


def test_commands_and_refusals_are_counted_by_name() -> None:
    metrics = Metrics("1.0")
    metrics.decided("PlaceBets", 0.003)
    metrics.decided("PlaceBets", 9.0)
    metrics.refused(Reason.BETS_LATE)
    metrics.written(12, 0.001)
    assert value(metrics, "command_seconds_count", command="PlaceBets") == 2
    assert value(metrics, "command_seconds_bucket", command="PlaceBets", le="0.005") == 1
    assert value(metrics, "refusals_total", reason="bets_late") == 1
    assert value(metrics, "batch_size_sum") == 12
    assert value(metrics, "append_seconds_count") == 1


def test_a_queue_and_a_beat_are_asked_when_somebody_looks() -> None:
    now, waiting = [100.0], [1, 2, 3]
    metrics = Metrics("1.0", monotonic=lambda: now[0])
    metrics.watch_table("one", lambda: len(waiting))
    now[0] += 7
    waiting.append(4)
    assert value(metrics, "queue_depth", table="one") == 4
    assert value(metrics, "last_beat_seconds", table="one") == 7
    assert metrics.silent("one") == 7
    metrics.beat("one")
    assert value(metrics, "last_beat_seconds", table="one") == 0


def test_a_table_that_left_is_not_watched_but_what_it_counted_stays() -> None:
    metrics = Metrics("1.0")
    metrics.watch_table("one", lambda: 0)
    metrics.count("one", "commission", [placed((100, 0))])
    metrics.forget_table("one")
    assert value(metrics, "queue_depth", table="one") is None
    assert value(metrics, "last_beat_seconds", table="one") is None
    assert value(metrics, "bets_total", table="one") == 1
    metrics.watch_table("one", lambda: 2)
    assert value(metrics, "queue_depth", table="one") == 2


def test_every_phase_is_shown_and_a_phase_without_tables_as_none() -> None:
    metrics = Metrics("1.0")
    metrics.tables({Phase.BETTING: 3, Phase.SUSPENDED: 1})
    metrics.tables({Phase.BETTING: 2})
    for phase in Phase:
        assert value(metrics, "tables", phase=phase) == (2 if phase is Phase.BETTING else 0)


# ---- the house ---------------------------------------------------------------------------------------------------


def test_screens_sign_ins_and_failures_are_counted() -> None:
    metrics = Metrics("1.0", "abc")
    metrics.connected("player")
    metrics.connected("player")
    metrics.disconnected("player")
    metrics.dropped_slow()
    metrics.signed_in("try_later")
    metrics.store_failed(True)
    metrics.drift(-1_500)
    assert value(metrics, "live_connections", audience="player") == 1
    assert value(metrics, "slow_connections_total") == 1
    assert value(metrics, "sign_ins_total", result="try_later") == 1
    assert value(metrics, "store_failed") == 1
    assert value(metrics, "clock_drift_seconds") == -1.5
    assert value(metrics, "build_info", version="1.0", digest="abc") == 1


def test_two_houses_in_a_process_do_not_count_for_each_other() -> None:
    first, second = Metrics("1.0"), Metrics("1.0")
    first.refused(Reason.BETS_LATE)
    assert value(second, "refusals_total", reason="bets_late") is None
    assert not [one for one in REGISTRY.collect() if one.name.startswith("puntobanco")]


def test_nobodys_name_stake_or_card_is_in_the_text() -> None:
    metrics = Metrics("1.0")
    owner = msgspec.structs.replace(stake(100), owner="canary", placer="canary")
    metrics.count("one", "commission", [e.BetsPlaced(by=BY, round=1, stakes=(owner,), was=(0,))])
    assert b"canary" not in metrics.text()
    assert b"ann" not in metrics.text().replace(b"channel", b"")


# ---- watching ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("abstract", [False, True])
def test_the_service_manager_is_told_over_its_socket(abstract: bool, tmp_path: Path) -> None:
    name = f"@puntobanco-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" + name[1:] if abstract else name)
        assert tell_manager(READY, {"NOTIFY_SOCKET": name})
        assert manager.recv(100) == b"READY=1"


def test_without_a_service_manager_nobody_is_told(tmp_path: Path) -> None:
    for environ in ({}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": str(tmp_path / "gone")}, {"NOTIFY_SOCKET": "x"}):
        assert not tell_manager(READY, environ)


@pytest.mark.parametrize("well", [True, False])
def test_the_watchdog_hears_from_a_house_that_is_well_and_from_no_other(well: bool, tmp_path: Path) -> None:
    name = str(tmp_path / "notify")
    environ = {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000000"}
    metrics = Metrics("1.0")

    async def main() -> None:
        task = asyncio.create_task(watch(metrics, environ, well=lambda: well, every=0.001))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task])

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name)
        manager.setblocking(False)
        asyncio.run(main())
        if well:
            assert manager.recv(100) == ALIVE.encode()
        else:
            with pytest.raises(BlockingIOError):
                manager.recv(100)
    lag = value(metrics, "loop_lag_seconds")
    assert lag is not None
    assert lag >= 0
