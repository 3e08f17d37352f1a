"""Publish what happens at tables: one public channel for each table and audience, and one private channel for each
person.

A public message is built once per audience: at once on a phase, card or result, and at most `live.per_second` times a
second for what people do meanwhile (`UNHURRIED`). Private messages go to those whose bets, purse or choices changed.
"""

import asyncio
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import islice

import msgspec

from puntobanco.house.audit.history import History
from puntobanco.house.house import House, Watcher, opening_setup
from puntobanco.house.operations.log import logger
from puntobanco.house.tables.incidents import incident
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import AnyEntry
from puntobanco.protocol.incidents import Stage
from puntobanco.protocol.live import FromHouse, NarratedStep, Private, Public, Whole
from puntobanco.rules import library
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup
from puntobanco.rules.explanation import ExplanationStep, explain
from puntobanco.rules.refusal import Refused
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from puntobanco.table.setup import Setup
from puntobanco.table.views import Audience, EachOwn, PrivateView, PublicView, public_view
from puntobanco.web.live.connection import FAILED
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.live.pacing import DEFAULT_INTERVAL, Paced

UNHURRIED = (
    e.BetsPlaced, e.BoughtIn, e.CashedOut, e.SeatTaken, e.SeatLeft, e.WalkedAway, e.ObjectionRefused, e.MinimumAdvised,
    e.ExcessRejected, e.BetReturned, e.LateBetNoted, e.InsuranceTaken, e.InsuranceDeclined, e.Elected,
    e.TieChoiceMade,
)  # fmt: skip
"""What people do between the steps of a table: it can wait its turn on public screens."""
IMPERSONAL = (e.CardDrawn, e.CardExposed, e.HandsCompleted, e.ShoeLoaded, e.CutCardShown, e.CloseAnnounced)
"""Events that change nobody's bets, purse or choices; but a card can change who may squeeze."""
PEOPLE_AT_ONCE = 50
"""People served before yielding to the event loop."""

RIGHTS_CHANGED = 4403


def encoded(message: FromHouse) -> str:
    return msgspec.json.encode(message).decode()


def person_at(table: str, person: str) -> Hashable:
    return ("private", table, person)


def person_everywhere(person: str) -> Hashable:
    return ("person", person)


class Publisher(Watcher):
    """Publishes durable changes to the live connections."""

    def __init__(
        self, house: House, fanout: Fanout, per_second: float = 1 / DEFAULT_INTERVAL, *, totals: bool = True
    ) -> None:
        self.house, self.fanout, self._interval, self._totals = house, fanout, 1 / per_second, totals
        self.histories: dict[str, History] = {}
        self._paced: dict[str, dict[Audience, Paced]] = {}
        """The public channels of each table."""
        self._said: dict[tuple[str, Audience], int] = {}
        """The version of the last public message of each channel."""
        self._results: dict[tuple[str, Audience], int] = {}
        """The version of the results that each channel was last sent."""
        self._set_up: dict[tuple[str, Audience], Setup | None] = {}
        """The set-up that each channel was last sent."""
        self._private: dict[Hashable, PrivateView] = {}
        """The private view that each watching person was last sent."""
        self._own: dict[str, EachOwn] = {}
        """The private views at each table, for its current state."""
        self._told: dict[str, tuple[tuple[Card, ...], tuple[NarratedStep, ...]]] = {}
        """The last explanation of the cards of each table; the same for every audience."""
        self._reloading: set[asyncio.Task[None]] = set()
        self._dark: set[str] = set()
        """Failed tables whose screens were told."""

    # ---- what is asked for ---------------------------------------------------------------------------------------

    async def history(self, table: str) -> History:
        found = self.histories.get(table)
        if found is None:
            game = await self.house.game_of(table)  # the table may be retired
            found = self.histories.setdefault(table, History(table, self.house.store, game))
        return await found.load()

    async def whole(self, table: RunningTable, audience: Audience, person: str | None) -> Whole:
        """Everything a screen of that audience shows, including that person's own view."""
        history = await self.history(table.name)
        stopped = table.name in self.house.failed
        return Whole(
            table=table.name,
            version=table.state.version,
            public=None if stopped else self._view(table, audience),
            stopped=stopped,
            setup=table.state.setup or opening_setup(table.game),
            private=self._own_view(table, person) if person and table.state.setup else None,
            results=history.marks,
            told=self.told(table),
            at=self.house.clock(),
        )

    def channel(self, table: str, audience: Audience) -> Hashable:
        """The public channel of that audience, started on demand."""
        key = (table, audience)
        paced = self._paced.setdefault(table, {})
        if audience not in paced:
            self._set_up[key] = self.house.tables[table].state.setup
            paced[audience] = Paced(
                self.fanout, key, lambda: self._public(key), interval=self._interval,
                failed=lambda error: self.not_shown(table, error),
            )  # fmt: skip
        return key

    def left(self, table: str, person: str) -> None:
        """A person stopped watching on one screen. With the last one, the private view is forgotten."""
        if (channel := person_at(table, person)) not in self.fanout:
            self._private.pop(channel, None)

    # ---- what happens --------------------------------------------------------------------------------------------

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        self._dark.discard(table.name)
        if (history := self.histories.get(table.name)) is not None:
            history.follow(events, table.state.version)
        self._follow(table, events)
        hurried = not all(isinstance(event, UNHURRIED) for event in events)
        for paced in self._paced.get(table.name, {}).values():
            (paced.at_once if hurried else paced.soon)()
        self._tell(table, self._concerned(table, events))
        for event in events:
            if isinstance(event, e.RoleAssigned | e.RoleRelieved):
                self.fanout.close(person_everywhere(event.person), RIGHTS_CHANGED, "rights have changed")

    def reload(self, table: RunningTable) -> None:
        """Send the whole table again: some screens may have missed the last message."""
        self.histories.pop(table.name, None)  # it may have missed it, too
        task = asyncio.get_running_loop().create_task(self._reload(table))
        self._reloading.add(task)
        task.add_done_callback(self._reloading.discard)

    async def _reload(self, table: RunningTable) -> None:
        """A screen that cannot be shown the table is disconnected, and asks again when it reconnects."""
        for audience in tuple(self._paced.get(table.name, ())):
            key = (table.name, audience)
            with self._shown_or_closed(key):
                whole = await self.whole(table, audience, None)
                self._said[key], self._set_up[key] = whole.version, whole.setup
                self.fanout.tell(key, encoded(whole))
        for channel in self.fanout.channels:
            if isinstance(channel, tuple) and channel[:2] == ("private", table.name):
                self._private.pop(channel, None)
                with self._shown_or_closed(channel):
                    self._tell_one(table, channel[2])
                await asyncio.sleep(0)

    @contextmanager
    def _shown_or_closed(self, channel: Hashable) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            logger("live").error("cannot reload screens", channel=str(channel), exc_info=error)
            self.fanout.close(channel, FAILED, "something went wrong here")

    def not_shown(self, name: str, error: Exception) -> None:
        """Log a message that could not be built."""
        if (table := self.house.tables.get(name)) is not None:
            self.house.raise_incident(incident(name, table.state, Stage.PUBLISHING, (), error))

    def in_journal(self, entry: AnyEntry) -> None:
        if isinstance(entry, b.RoleGiven | b.RoleTaken | b.PersonDisabled):
            self.fanout.close(person_everywhere(entry.person), RIGHTS_CHANGED, "rights have changed")
        if isinstance(entry, b.TableRetired | b.DealingSet):
            self._speak(entry.table)
        if isinstance(entry, b.TableRetired):
            self._forget(entry.table)

    def _forget(self, table: str) -> None:
        """A retired table comes back under no name. Its history is loaded again if somebody asks for it."""
        for audience in self._paced.pop(table, {}):
            for of_channel in (self._said, self._results, self._set_up):
                of_channel.pop((table, audience), None)
        for of_table in (self.histories, self._own, self._told):
            of_table.pop(table, None)
        for channel in [one for one in self._private if isinstance(one, tuple) and one[1] == table]:
            del self._private[channel]
        self._dark.discard(table)

    def fault(self, where: str, error: BaseException) -> None:  # noqa: ARG002 (why is not for everybody)
        """Tell the screens that the table has failed, so that no bets look open there."""
        if where in self.house.failed and where not in self._dark:
            self._dark.add(where)
            self._speak(where)

    def _speak(self, table: str) -> None:
        for paced in self._paced.get(table, {}).values():
            paced.at_once()

    def _public(self, key: tuple[str, Audience]) -> str:
        name, audience = key
        table = self.house.tables.get(name)
        after = self._said.get(key, 0)
        if table is None or table.failed is not None:
            version = after if table is None else table.state.version
            stopped = name in self.house.failed
            return encoded(
                Public(table=name, after=after, version=version, at=self.house.clock(), view=None, stopped=stopped)
            )
        self._said[key] = table.state.version
        setup, before = table.state.setup, self._set_up.get(key)
        self._set_up[key] = setup
        return encoded(
            Public(
                table=name,
                after=after,
                version=table.state.version,
                at=self.house.clock(),
                view=self._view(table, audience),
                results=self._new_results(key),
                told=self.told(table),
                setup=setup if setup != before else None,
            )
        )

    def _view(self, table: RunningTable, audience: Audience) -> PublicView | None:
        """Nothing before the table was ever opened."""
        if table.state.setup is None:
            return None
        automatic = self.house.journal.tables[table.name].automatic
        return public_view(table.felt, table.state, audience, automatic=automatic, totals=self._totals)

    def _new_results(self, key: tuple[str, Audience]) -> tuple[str, ...] | None:
        """The results, if they changed since they were last sent. The version does not show that: a message may go out
        after the table has taken a result and before the history has."""
        history = self.histories.get(key[0])
        if history is None or not history.loaded or history.changed_at == self._results.get(key):
            return None
        self._results[key] = history.changed_at
        return history.marks

    def told(self, table: RunningTable) -> tuple[NarratedStep, ...]:
        """The explanation of the hand so far. None while a card that decides is face down."""
        coup = table.state.coup
        if coup is None or not coup.cards:
            return ()
        cards, said = self._told.get(table.name, ((), ()))
        if cards != coup.cards:
            said = _in_words(table, coup)
            self._told[table.name] = (coup.cards, said)
        return said

    # ---- to each their own ---------------------------------------------------------------------------------------

    def _concerned(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> dict[str, None]:
        """The watching people whose private view may have changed. Without events the table is shown again to all."""
        found: dict[str, None] = {}
        everyone = not events
        for event in events:
            if isinstance(event, UNHURRIED):
                found.update(dict.fromkeys(named(event)))
            elif not isinstance(event, IMPERSONAL) or (table.state.setup is not None and table.state.setup.face_down):
                everyone = True
        if everyone:
            found.update(dict.fromkeys(table.state.purses))
        return {person: None for person in found if person_at(table.name, person) in self.fanout}

    def _tell(self, table: RunningTable, people: dict[str, None]) -> None:
        """Send in small groups, to each the newest view at that time."""
        waiting = iter(people)

        def some() -> None:
            batch = list(islice(waiting, PEOPLE_AT_ONCE))
            for person in batch:
                self._tell_one(table, person)
            if len(batch) == PEOPLE_AT_ONCE:
                asyncio.get_running_loop().call_soon(later)

        def later() -> None:
            try:
                some()
            except Exception as error:
                self.not_shown(table.name, error)

        some()

    def _tell_one(self, table: RunningTable, person: str) -> None:
        channel = person_at(table.name, person)
        if channel not in self.fanout:
            return
        view, before = self._own_view(table, person), self._private.get(channel)
        if before is not None and msgspec.structs.replace(before, version=view.version) == view:
            return
        self._private[channel] = view
        self.fanout.tell(channel, encoded(Private(table=table.name, version=view.version, view=view)))

    def _own_view(self, table: RunningTable, person: str) -> PrivateView:
        """What that person sees, and nobody else: also the faces of the cards that they are squeezing."""
        view = self._each_own(table).view(person)
        faces = self.house.squeezed_faces(table.name, person) if view.squeezing else {}
        if not faces:
            return view
        return msgspec.structs.replace(view, faces={index: str(card) for index, card in faces.items()})

    def _follow(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        """Keep the private views at the table, if the events only changed stakes since."""
        own = self._own.pop(table.name, None)
        if own is None or own.state.version + len(events) != table.state.version:
            return
        if own.follow(table.felt, table.state, events):
            self._own[table.name] = own

    def _each_own(self, table: RunningTable) -> EachOwn:
        found = self._own.get(table.name)
        if found is None or found.state is not table.state:
            found = self._own[table.name] = EachOwn(table.felt, table.state)
        return found


def _in_words(table: RunningTable, coup: Coup) -> tuple[NarratedStep, ...]:
    """Cards left lying in the wrong hand follow no Table of Play and have no explanation."""
    en, zh = library.sentences("en"), library.sentences("zh")
    try:
        steps = [
            one
            for one in explain(table.game, coup, waived=table.state.waived)
            if one.step is not ExplanationStep.CARD_DEALT
        ]
    except Refused:
        return ()
    return tuple(
        NarratedStep(
            en=en.say("step", one.step, **one.parameters),
            zh=zh.say("step", one.step, **one.parameters),
            paragraph=str(one.rule),
        )
        for one in steps
    )


def named(event: AnyEvent) -> Iterator[str]:
    """The people an event concerns."""
    yield event.by.person
    if isinstance(event, e.BetsPlaced):  # by far the most frequent
        for stake in event.stakes:
            yield stake.owner
        return
    for field in ("person", "owner", "against"):
        if isinstance(found := getattr(event, field, None), str):
            yield found
    for stake in (*getattr(event, "stakes", ()), *([event.stake] if hasattr(event, "stake") else ())):
        yield stake.owner
