"""How often a channel speaks, by a clock that is moved by hand."""

import asyncio
from collections.abc import Callable

from puntobanco.web.live.fanout import Fanout
from puntobanco.web.live.pacing import Paced
from tests.web.floor import TABLE, Seat, live


class Alarm:
    def __init__(self, when: float, ring: Callable[[], None]) -> None:
        self.when, self.ring, self.cancelled = when, ring, False

    def cancel(self) -> None:
        self.cancelled = True


class Hours:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now, self._alarms = 0.0, list[Alarm]()

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], None], /) -> Alarm:
        self._alarms.append(Alarm(when, callback))
        return self._alarms[-1]

    def pass_until(self, end: float) -> None:
        while due := [alarm for alarm in self._alarms if alarm.when <= end and not alarm.cancelled]:
            first = min(due, key=lambda alarm: alarm.when)
            self._alarms.remove(first)
            self.now = max(self.now, first.when)
            first.ring()
        self.now = end


class Count:
    """Makes a message that says how many were made."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> str:
        self.made += 1
        return f"m{self.made}"


@live
async def test_a_thousand_changes_in_a_second_are_five_messages_and_five_encodings() -> None:
    fanout, hours, make = Fanout(), Hours(), Count()
    paced = Paced(fanout, TABLE, make, hours)
    async with Seat(fanout) as seat:
        fanout.join(TABLE, seat.connection)
        for nth in range(1000):
            hours.pass_until(nth / 1000)
            paced.soon()
        assert make.made == 5
        assert seat.had == ["m1", "m2", "m3", "m4", "m5"]
        hours.pass_until(10)
        assert make.made == 6


@live
async def test_a_card_is_told_at_once_and_takes_the_place_of_what_was_pending() -> None:
    fanout, hours, make = Fanout(), Hours(), Count()
    paced = Paced(fanout, TABLE, make, hours)
    async with Seat(fanout) as seat:
        fanout.join(TABLE, seat.connection)
        paced.soon()
        hours.pass_until(0.1)
        paced.soon()
        paced.at_once()
        paced.at_once()
        assert seat.had == ["m1", "m2", "m3"]
        hours.pass_until(10)
        assert seat.had == ["m1", "m2", "m3"]


@live
async def test_after_a_card_a_bet_waits_its_turn() -> None:
    fanout, hours, make = Fanout(), Hours(), Count()
    paced = Paced(fanout, TABLE, make, hours)
    async with Seat(fanout) as seat:
        fanout.join(TABLE, seat.connection)
        hours.pass_until(1.0)
        paced.at_once()
        paced.soon()
        hours.pass_until(1.19)
        assert seat.had == ["m1"]
        hours.pass_until(1.21)
        assert seat.had == ["m1", "m2"]


@live
async def test_nothing_is_made_for_nobody() -> None:
    hours, make = Hours(), Count()
    paced = Paced(Fanout(), TABLE, make, hours)
    paced.at_once()
    paced.soon()
    hours.pass_until(1)
    assert make.made == 0


@live
async def test_a_message_is_not_made_while_the_one_before_is_on_its_way() -> None:
    fanout, hours, make = Fanout(at_once=1), Hours(), Count()
    paced = Paced(fanout, TABLE, make, hours)
    async with Seat(fanout) as one, Seat(fanout) as two:
        for seat in (one, two):
            fanout.join(TABLE, seat.connection)
        paced.at_once()
        paced.soon()
        hours.pass_until(0.9)
        assert make.made == 1


@live
async def test_a_stopped_publisher_lets_what_is_pending_go_unsaid() -> None:
    fanout, hours, make = Fanout(), Hours(), Count()
    paced = Paced(fanout, TABLE, make, hours)
    async with Seat(fanout) as seat:
        fanout.join(TABLE, seat.connection)
        paced.soon()
        paced.stop()
        hours.pass_until(1)
        assert seat.had == []


@live
async def test_the_loop_itself_keeps_the_time() -> None:
    fanout, make = Fanout(), Count()
    paced = Paced(fanout, TABLE, make)
    async with Seat(fanout) as seat:
        fanout.join(TABLE, seat.connection)
        paced.soon()
        while not seat.had:
            await asyncio.sleep(0)
        assert seat.had == ["m1"]
