"""Whoever has the database in hand can write a history that is chained and balanced; it is still found."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from puntobanco.house.audit.proof import prove
from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.protocol.account_names import house_transfers, wallet
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, Row, Snapshot
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import Discrepancy, Verification
from puntobanco.table import events as e
from puntobanco.table.commands import Choice
from puntobanco.table.commands import Fault as Cause
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import replay
from puntobanco.table.scenario import read_scenario, run
from puntobanco.table.state import State
from tests.table.chance import PEOPLE
from tests.table.pit import SHIFT, Pit, in_play
from tests.table.test_random_commands import FELTS, conclude, play, table
from tests.table.test_scenarios import FILES

JOURNAL = "house"


def paid_in(row: Row) -> list[Transfer]:
    """The book of these tests: each event names whose wallet was filled, and with how much."""
    person, amount = row.body.decode().split()
    return [Transfer(TransferKind.BUY_IN, "cage", wallet(person), int(amount))]


async def fill(store: Store, people: Sequence[str] = PEOPLE) -> None:
    bodies = [f"{person} {10**12}".encode() for person in people]
    facts = [Fact("PaidIn.1", 1, body, paid_in(Row(0, "", 1, body, b""))) for body in bodies]
    await store.append(Append(stream=JOURNAL, expected=0, epoch=await store.claim(JOURNAL), facts=facts))


def fact(event: AnyEvent, **other: Any) -> Fact:
    written = Fact(codec.kind_of(event), event.by.at, codec.encode(event), tuple(house_transfers("one", event)))
    return replace(written, **other)


async def write(store: Store, facts: Sequence[Fact], in_play: int) -> None:
    await store.append(Append(stream="one", expected=0, epoch=await store.claim("one"), facts=facts, in_play=in_play))


def proof_of(facts: Sequence[Fact], in_play: int, snapshot: Snapshot | None = None) -> Verification:
    async def whole() -> Verification:
        store = SqliteStore(":memory:")
        await store.open()
        try:
            await fill(store, ["ann", "bob", "cat", "dan"])
            await write(store, facts, in_play)
            if snapshot is not None:
                await store.keep_snapshot("one", snapshot)
            return await prove(store, {JOURNAL: paid_in})
        finally:
            await store.close()

    return asyncio.run(whole())


def fault_of(events: Sequence[AnyEvent], **other: Any) -> Discrepancy:
    state = replay(events)
    found = proof_of([fact(event) for event in events], state.in_play, **other).fault
    assert found is not None
    assert found.stream == "one"
    return found


def played() -> Pit:
    pit = Pit("commission")
    for cards in ("9 7 K 10", "2 2 3 3 5 A"):
        pit.round({"ann": {"player": 100}, "bob": {"banker": 200, "tie": 100}}, cards)
    return pit


@pytest.mark.parametrize("felt", FELTS)
def test_whatever_a_table_can_get_into_is_proven(felt: tuple[str, str | None]) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        pit = table(felt, face_down=bool(seed % 2))
        play(pit, rng, 400)
        conclude(pit, rng)
        proof = proof_of([fact(event) for event in pit.events], pit.state.in_play)
        assert proof.fault is None
        assert proof.events == len(pit.events) + 4


def test_a_bet_after_the_close_is_found() -> None:
    events = played().events
    late = next(event for event in events if isinstance(event, e.BetsPlaced))
    place = next(nth for nth, event in enumerate(events) if isinstance(event, e.BettingClosed)) + 1
    again = replace(late, stakes=(replace(late.stakes[0], amount=200_00),), was=(100_00,))
    back = replace(late, stakes=(replace(late.stakes[0], amount=100_00),), was=(200_00,))
    forged = [*events[:place], again, back, *events[place:]]
    assert fault_of(forged) == Discrepancy(
        "one", place + 1, "BetsPlaced, round 1: the rules refuse it: bets_late (5.6)"
    )


def test_a_round_that_ends_twice_or_never_is_found() -> None:
    events = played().events
    settled = next(nth for nth, event in enumerate(events) if isinstance(event, e.RoundSettled))
    empty = replace(events[settled], stakes=())
    forged = [*events[: settled + 1], empty, *events[settled + 1 :]]
    found = fault_of(forged)
    assert (found.version, "the rules refuse it: not_heard_now" in found.what) == (settled + 2, True)
    pit = Pit("commission")
    pit.round({}, "9 7 K 10")
    pit.open()
    forged = [event for event in pit.events if not isinstance(event, e.RoundSettled)]
    found = fault_of(forged)
    assert found.version == len(forged)
    assert found.what == "BettingOpened, round 2: the rules refuse it: not_heard_now"


def test_a_card_the_decks_do_not_hold_is_found() -> None:
    pit = Pit("commission", decks=4)
    pit.open()
    pit.close()
    pit.deal("AS AS AS AS 2S")
    exposed = pit.events[-1]
    assert isinstance(exposed, e.CardExposed)
    found = fault_of([*pit.events[:-1], replace(exposed, card=read_card("AS"))])
    assert found == Discrepancy(
        "one", len(pit.events), "CardExposed, round 1: the rules give IrregularityReported after it, which is missing"
    )
    drawn = next(event for event in pit.events if isinstance(event, e.CardDrawn))
    found = fault_of([*pit.events, *[drawn] * 300])
    assert found == Discrepancy("one", len(pit.events) + 1, "CardDrawn, round 1: the rules refuse it: stale_index")


def test_postings_that_are_not_the_events_are_found_at_their_event() -> None:
    events = played().events
    state = replay(events)
    facts = [fact(event) for event in events]
    settled = next(nth for nth, event in enumerate(events) if isinstance(event, e.RoundSettled))
    bought = next(nth for nth, event in enumerate(events) if isinstance(event, e.BoughtIn))
    gift = Transfer(TransferKind.WIN, "float:one", "purse:one:ann", 1_00)
    for nth, moved in (
        (settled, (*facts[settled].transfers, gift)),
        (settled, tuple(reversed(facts[settled].transfers))),
        (bought, (replace(facts[bought].transfers[0], amount=10**9),)),
        (0, (gift,)),
        (len(facts) - 1, (*facts[-1].transfers, gift)),
    ):
        forged = [*facts[:nth], replace(facts[nth], transfers=moved), *facts[nth + 1 :]]
        found = proof_of(forged, state.in_play).fault
        assert found == Discrepancy("one", nth + 1, "its postings are not what the event moves")
    kept = [one for one in facts[bought].transfers if one.amount < 0]
    forged = [*facts[:bought], replace(facts[bought], transfers=kept), fact(events[bought]), *facts[bought + 1 :]]
    found = proof_of(forged, state.in_play).fault
    assert found == Discrepancy("one", bought + 1, "its postings are not what the event moves")


def test_an_event_that_is_not_of_its_kind_or_moment_or_cannot_be_read_is_found() -> None:
    events = played().events
    facts, in_play = [fact(event) for event in events], replay(events).in_play
    for other in ({"kind": "SeatTaken.1"}, {"at": 7}, {"body": b"{}"}, {"body": b"no"}, {"kind": "TableOpened.0"}):
        forged = [replace(facts[0], **other), *facts[1:]]
        found = proof_of(forged, in_play).fault
        assert found is not None
        assert (found.stream, found.version) == ("one", 1)


def test_a_snapshot_that_is_not_the_replay_is_found() -> None:
    events = played().events
    facts, state = [fact(event) for event in events], replay(events)

    def kept(version: int, state: State, schema: str = codec.STATE_SCHEMA) -> Discrepancy | None:
        return proof_of(facts, 0, Snapshot(version, schema, codec.encode_state(state))).fault

    assert kept(state.version, state) is None
    assert kept(9, replay(events[:9])) is None
    assert kept(9, replace(replay(events[:9]), purses={})) == Discrepancy(
        "one", 9, "the snapshot differs from the replay of its events"
    )
    assert kept(9, replay(events[:8])) is not None
    assert kept(state.version + 1, state) is not None
    assert kept(9, State(), "of another program") is None


# ---- what no rule gives ------------------------------------------------------------------------------------------


def forged(pit: Pit, place: int, event: AnyEvent) -> Discrepancy | None:
    """As a skilled forger writes it: chain, postings, balances, chips in play and snapshot all fit."""
    events = [*pit.events[:place], event, *pit.events[place + 1 :]]
    state = replay(events)
    kept = Snapshot(state.version, codec.STATE_SCHEMA, codec.encode_state(state))
    return proof_of([fact(one) for one in events], state.in_play, kept).fault


def test_a_payout_no_rule_gives_is_named_though_everything_else_fits() -> None:
    pit = played()
    assert forged(pit, 0, pit.events[0]) is None
    place = next(nth for nth, event in enumerate(pit.events) if isinstance(event, e.RoundSettled))
    settled = pit.events[place]
    assert isinstance(settled, e.RoundSettled)
    line = settled.stakes[0]
    more = replace(settled, stakes=(replace(line, profit=line.profit + 500_00), *settled.stakes[1:]))
    assert forged(pit, place, more) == Discrepancy(
        "one", place + 1,
        "RoundSettled, round 1: stakes of ann, box 1, player: win with 700 back by 4.1.2 was written, the rules "
        "give win with 200 back by 4.1.2; profit 60000, not 10000",
    )  # fmt: skip
    other = replace(settled, stakes=(replace(line, rule="4.1.9"), *settled.stakes[1:]))
    found = forged(pit, place, other)
    assert found is not None
    assert "by 4.1.9 was written" in found.what


def test_refunds_and_returned_stakes_no_rule_gives_are_found() -> None:
    pit = in_play("commission", "9 7")
    pit.report(Cause.FOREIGN_CARD)
    pit.rule(SHIFT, Choice.VOID)
    place = next(nth for nth, event in enumerate(pit.events) if isinstance(event, e.RoundVoided))
    voided = pit.events[place]
    assert isinstance(voided, e.RoundVoided)
    swapped = tuple(replace(one, owner="ann") for one in voided.refunds)
    found = forged(pit, place, replace(voided, refunds=swapped))
    assert found == Discrepancy("one", place + 1, "RoundVoided, round 1: refunds of ann, box 1, banker: "
                          'owner "ann" was written, the rules give "bob"')  # fmt: skip


def test_a_game_that_is_not_the_one_of_its_fingerprint_is_found() -> None:
    events = played().events
    opened = events[0]
    assert isinstance(opened, e.TableOpened)
    unknown = replace(opened, setup=replace(opened.setup, fingerprint="0" * 64))
    found = fault_of([unknown, *events[1:]])
    assert (found.version, "is not in the store" in found.what) == (1, True)
    own = replace(opened, setup=replace(opened.setup, game="mine"))
    found = fault_of([own, *events[1:]])
    assert (found.version, "the game mine cannot be read" in found.what) == (1, True)


def test_every_scenario_is_proven_through_a_store() -> None:
    async def whole() -> Verification:
        store = SqliteStore(":memory:")
        await store.open()
        people: set[str] = set()
        for path in FILES:
            scenario = read_scenario(library.read_toml(path), path.name)
            game = library.game(scenario.game)
            outcome = run(scenario, game, path.name)
            new = {event.person for event in outcome.events if isinstance(event, e.BoughtIn)} - people
            people |= new
            if new:
                bodies = [f"{person} {10**12}".encode() for person in sorted(new)]
                facts = [Fact("PaidIn.1", 1, body, paid_in(Row(0, "", 1, body, b""))) for body in bodies]
                version = (await store.head(JOURNAL))[0]
                await store.append(
                    Append(stream=JOURNAL, expected=version, epoch=await store.claim(JOURNAL), facts=facts)
                )
            name = path.stem
            facts = [
                Fact(codec.kind_of(event), event.by.at, codec.encode(event), house_transfers(name, event))
                for event in outcome.events
            ]
            epoch, lies = await store.claim(name), outcome.state.in_play
            await store.append(Append(stream=name, expected=0, epoch=epoch, facts=facts, in_play=lies))
        proof = await prove(store, {JOURNAL: paid_in})
        await store.close()
        return proof

    proof = asyncio.run(whole())
    assert proof.fault is None
    assert proof.streams == len(FILES) + 1


def test_a_book_whose_money_is_not_its_events_is_found() -> None:
    async def whole() -> Discrepancy | None:
        store = SqliteStore(":memory:")
        await store.open()
        moved = Transfer(TransferKind.BUY_IN, "cage", wallet("ann"), 6)
        one = Append(
            stream=JOURNAL, expected=0, epoch=await store.claim(JOURNAL), facts=[Fact("PaidIn.1", 1, b"ann 5", [moved])]
        )
        await store.append(one)
        found = (await prove(store, {JOURNAL: paid_in})).fault
        await store.close()
        return found

    assert asyncio.run(whole()) == Discrepancy(JOURNAL, 1, "its postings are not what the event moves")


def test_a_stream_nobody_can_read_is_a_fault(tmp_path: Path) -> None:
    async def whole() -> Discrepancy | None:
        store = SqliteStore(tmp_path / "house.db")
        await store.open()
        await fill(store)
        found = (await prove(store)).fault
        await store.close()
        return found

    found = asyncio.run(whole())
    assert found is not None
    assert found.what.startswith("the event cannot be read")
