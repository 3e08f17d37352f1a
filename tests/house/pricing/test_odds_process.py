"""The house asks a desk of its own process: whatever becomes of that process, the house is answered and goes on."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from puntobanco.house.pricing import odds_process as calc
from puntobanco.house.pricing.odds_process import ITSELF, OddsProcess, OddsService, SimulationRun
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused

COMMISSION = library.game("commission").canonical().decode()
LIVE: dict[str, Any] = {"do": "live", "content": COMMISSION, "shoe": "A=20,5=20,9=20"}
LONG = 20_000_000_000
STRANGE = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    match asked["do"]:
        case "die": os._exit(3)
        case "sleep": time.sleep(600)
        case "babble": sys.stdout.write("nonsense" + chr(10))
        case "flood": sys.stdout.write("x" * 5_000_000)
        case "leave":
            sys.stdout.write(json.dumps({"id": asked["id"], "answer": os.getpid()}) + chr(10))
            sys.stdout.flush()
            os._exit(0)
        case _: sys.stdout.write(json.dumps({"id": asked["id"], "answer": [os.getpid(), asked.get("n")]}) + chr(10))
    sys.stdout.flush()
"""
"""A desk that does whatever goes wrong with one."""


def strange() -> OddsProcess:
    return OddsProcess(("-c", STRANGE))


def with_odds_service(
    work: Callable[[OddsService], Coroutine[Any, Any, None]],
    process: Callable[[], OddsProcess] = strange,
    patience: float = 30.0,
) -> None:
    async def whole() -> None:
        odds_service = OddsService(process, patience)
        try:
            await work(odds_service)
        finally:
            await odds_service.close()

    asyncio.run(whole())


async def refused(asked: Awaitable[Any]) -> Reason:
    with pytest.raises(Refused) as found:
        await asked
    return found.value.reason


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not true():
            await asyncio.sleep(0.02)


async def over(run: SimulationRun) -> None:
    await until(lambda: run.done)


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


# ---- the real desk -----------------------------------------------------------------------------------------------


def test_an_answer_comes_from_another_process_and_is_kept() -> None:
    async def work(odds_service: OddsService) -> None:
        told = await odds_service.ask(ITSELF, **LIVE)
        assert told["cards"] == 60
        pid = odds_service._line.process.pid
        assert pid is not None
        assert pid != os.getpid()
        assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
        os.kill(pid, signal.SIGKILL)
        assert await odds_service.ask(ITSELF, **LIVE) is told, "kept: nobody has to work it out again"

    with_odds_service(work, OddsProcess)


def test_a_refusal_of_the_desk_arrives_with_its_words() -> None:
    async def work(odds_service: OddsService) -> None:
        with pytest.raises(Refused) as found:
            await odds_service.ask(ITSELF, do="price", content=COMMISSION, decks=99)
        assert found.value.reason is Reason.DECKS_OUT_OF_RANGE
        assert found.value.parameters == {"decks": 99, "least": 4, "most": 8}
        assert library.sentences("zh").refusal(found.value) == "不得使用99副牌：本游戏使用4至8副牌。"
        assert (await odds_service.ask(ITSELF, **LIVE))["cards"] == 60, "the desk lives on"

    with_odds_service(work, OddsProcess)


def test_a_simulation_tells_of_its_progress_and_keeps_it_when_it_is_stopped() -> None:
    async def work(odds_service: OddsService) -> None:
        number = odds_service.simulate("ada", do="simulate", content=COMMISSION, rounds=LONG, seed=1)
        run = odds_service.run("ada", number)
        await until(lambda: run.progress is not None and len(run.progress["path"]) > 5)
        await odds_service.stop("ada", number)
        assert run.done
        assert 0 < run.progress["rounds"] < LONG
        assert not run.progress["complete"]
        await odds_service.stop("ada", number)

    with_odds_service(work, OddsProcess)


# ---- what goes wrong with a desk ---------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["die", "babble", "flood"])
def test_a_desk_that_fails_is_replaced_for_the_next_question(what: str) -> None:
    async def work(odds_service: OddsService) -> None:
        assert await refused(odds_service.ask(ITSELF, do=what)) is Reason.DESK_BUSY
        pid, _ = await odds_service.ask(ITSELF, do="well")
        assert await refused(odds_service.ask(ITSELF, do=what)) is Reason.DESK_BUSY
        other, _ = await odds_service.ask(ITSELF, do="well", n=2)
        assert other != pid
        assert not alive(pid)

    with_odds_service(work)


def test_a_desk_that_does_not_answer_in_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calc, "FIRST_PATIENCE", 0.5)

    async def work(odds_service: OddsService) -> None:
        pid, _ = await odds_service.ask(ITSELF, do="well")
        assert await refused(odds_service.ask(ITSELF, do="sleep")) is Reason.DESK_BUSY
        assert not alive(pid)
        assert await refused(odds_service.ask(ITSELF, do="sleep")) is Reason.DESK_BUSY

    with_odds_service(work, patience=0.3)


def test_a_desk_that_has_left_between_two_questions_is_not_noticed() -> None:
    async def work(odds_service: OddsService) -> None:
        gone = await odds_service.ask(ITSELF, do="leave")
        pid, _ = await odds_service.ask(ITSELF, do="well")
        assert pid != gone
        os.kill(pid, signal.SIGKILL)
        other, _ = await odds_service.ask(ITSELF, do="well", n=2)
        assert other not in (gone, pid)

    with_odds_service(work)


def test_a_desk_that_cannot_be_started_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(odds_service: OddsService) -> None:
        with monkeypatch.context() as without:
            without.setattr(sys, "executable", "/nowhere/python")
            assert await refused(odds_service.ask(ITSELF, do="well")) is Reason.DESK_BUSY
            number = odds_service.simulate("ada", do="well")
            run = odds_service.run("ada", number)
            await over(run)
            assert run.refused is not None
        assert await odds_service.ask(ITSELF, do="well")

    with_odds_service(work)


def test_whoever_gives_up_waiting_leaves_no_process_behind() -> None:
    async def work(odds_service: OddsService) -> None:
        pid, _ = await odds_service.ask(ITSELF, do="well")
        asking = asyncio.create_task(odds_service.ask(ITSELF, do="sleep"))
        await asyncio.sleep(0)
        waiting = asyncio.create_task(odds_service.ask(ITSELF, do="well", n=2))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert not alive(pid)
        assert (await waiting)[1] == 2, "the next in the line has its turn"

    with_odds_service(work)


# ---- many askers -------------------------------------------------------------------------------------------------


def test_the_line_is_short_and_nobody_fills_it_alone() -> None:
    async def work(odds_service: OddsService) -> None:
        first = [asyncio.create_task(odds_service.ask("ann", do="well", n=n)) for n in range(calc.MOST_OF_ONE)]
        await asyncio.sleep(0)
        assert await refused(odds_service.ask("ann", do="well", n=100)) is Reason.DESK_BUSY
        others = [asyncio.create_task(odds_service.ask(f"p{n}", do="well", n=n)) for n in range(4, calc.MOST_WAITING)]
        await asyncio.sleep(0)
        assert await refused(odds_service.ask("bob", do="well", n=101)) is Reason.DESK_BUSY
        told = await asyncio.gather(*first, *others)
        assert [n for _, n in told] == list(range(calc.MOST_WAITING))
        assert len({pid for pid, _ in told}) == 1, "one desk for all of them"
        assert await odds_service.ask("ann", do="well", n=102)
        assert not odds_service._line.waiting

    with_odds_service(work)


def test_the_same_question_of_many_is_worked_out_once() -> None:
    async def work(odds_service: OddsService) -> None:
        told = await asyncio.gather(*(odds_service.ask(f"p{n}", do="well", n=7) for n in range(10)))
        assert all(one is told[0] for one in told)
        assert odds_service._line.process._asked == 1

    with_odds_service(work)


def test_staff_do_not_wait_behind_players_nor_players_behind_staff() -> None:
    async def work(odds_service: OddsService) -> None:
        players = [asyncio.create_task(odds_service.ask(f"p{n}", do="sleep", n=n)) for n in range(calc.MOST_WAITING)]
        await asyncio.sleep(0)
        assert await refused(odds_service.ask("ann", do="well")) is Reason.DESK_BUSY, "the line is full"
        pid, _ = await odds_service.ask("max", staff=True, do="well")
        assert pid not in (None, odds_service._line.process.pid)
        assert (await odds_service.ask("ann", do="well"))[0] == pid, "what staff have worked out is there for all"
        for task in players:
            task.cancel()
        await asyncio.wait(players)
        staff = asyncio.create_task(odds_service.ask("max", staff=True, do="sleep"))
        await asyncio.sleep(0)
        assert (await odds_service.ask("ann", do="well", n=2))[1] == 2
        staff.cancel()
        await asyncio.wait([staff])

    with_odds_service(work)


def test_nobody_waits_for_ever_for_a_turn() -> None:
    async def work(odds_service: OddsService) -> None:
        await odds_service.ask(ITSELF, do="well")
        slow = asyncio.create_task(odds_service.ask("ann", do="sleep"))
        await asyncio.sleep(0)
        assert await refused(odds_service.ask("bob", do="well", n=2)) is Reason.DESK_BUSY
        assert await refused(slow) is Reason.DESK_BUSY

    with_odds_service(work, patience=0.3)


def test_only_so_many_answers_are_kept_and_no_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calc, "KEPT", 3)

    async def work(odds_service: OddsService) -> None:
        for n in range(5):
            await odds_service.ask(ITSELF, do="well", n=n)
        assert len(odds_service._kept) == 3
        large = "x" * calc.LARGEST_KEPT
        assert (await odds_service.ask(ITSELF, do="well", n=large))[1] == large
        assert len(odds_service._kept) == 3

    with_odds_service(work)


# ---- simulations -------------------------------------------------------------------------------------------------


def test_one_run_a_person_a_few_in_the_house_and_each_sees_only_their_own() -> None:
    async def work(odds_service: OddsService) -> None:
        mine = odds_service.simulate("ada", do="sleep")
        with pytest.raises(Refused):
            odds_service.simulate("ada", do="sleep")
        odds_service.simulate("max", do="sleep")
        with pytest.raises(Refused):
            odds_service.simulate("tom", do="sleep")
        with pytest.raises(Refused) as found:
            odds_service.run("max", mine)
        assert found.value.reason is Reason.NOT_FOUND
        await odds_service.stop("ada", mine)
        assert odds_service.simulate("tom", do="sleep") == 3

    with_odds_service(work)


def test_a_run_stopped_before_it_began_is_over() -> None:
    async def work(odds_service: OddsService) -> None:
        number = odds_service.simulate("ada", do="sleep")
        await odds_service.stop("ada", number)
        assert odds_service.run("ada", number).done
        odds_service.simulate("ada", do="sleep")

    with_odds_service(work)


def test_a_run_whose_desk_dies_says_so() -> None:
    async def work(odds_service: OddsService) -> None:
        number = odds_service.simulate("ada", do="die")
        run = odds_service.run("ada", number)
        await over(run)
        assert run.refused is not None
        assert run.refused.reason is Reason.DESK_BUSY

    with_odds_service(work)


def test_old_runs_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calc, "KEPT_RUNS", 2)

    async def work(odds_service: OddsService) -> None:
        for _ in range(5):
            number = odds_service.simulate("ada", do="well")
            await over(odds_service.run("ada", number))
        assert sorted(odds_service._runs) == [3, 4, 5]

    with_odds_service(work)


def test_closing_ends_every_process() -> None:
    async def work() -> None:
        processes: list[OddsProcess] = []

        def noted() -> OddsProcess:
            processes.append(strange())
            return processes[-1]

        odds_service = OddsService(noted)
        await odds_service.ask(ITSELF, do="well")
        odds_service.simulate("ada", do="sleep")
        await odds_service.ask("max", staff=True, do="well", n=2)
        await until(lambda: len(processes) == 3 and processes[2].pid is not None)
        pids = [one.pid for one in processes]
        await odds_service.close()
        assert not any(alive(pid) for pid in pids if pid is not None)
        assert all(isinstance(run, SimulationRun) and run.done for run in odds_service._runs.values())

    asyncio.run(work())
