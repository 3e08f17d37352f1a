"""A shoe that does not match its commitment deals nothing: it is out of service, and its round is interrupted."""

import asyncio
import secrets
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from puntobanco.house.audit.proof import proven_at
from puntobanco.house.house import House
from puntobanco.house.secrets.keyring import Keyring, found
from puntobanco.house.secrets.secret_store import EncryptedSecretStore
from puntobanco.house.shoes.at_table import place_of
from puntobanco.house.shoes.disclosure import disclosed
from puntobanco.house.shoes.exposure import ShoeExposure
from puntobanco.house.shoes.proof import Tally
from puntobanco.house.shoes.seal import Proven, Sealed, Unproven, new_shoe
from puntobanco.house.tables.dealer import AutomaticDealer, Pace
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.rules.library import GAMES
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import codec, open_store
from puntobanco.store.records import GENESIS, StoreFailed, chained
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice
from puntobanco.table.reconstruction import cards_out
from puntobanco.table.setup import InterruptionFinding, Policy, Source
from puntobanco.table.state import BETWEEN_ROUNDS, Phase
from tests.house.staffed import Floor, add, fund, phase, refused, well
from tests.marks import rulings
from tests.store.test_verify import tamper as write_past_the_store

SILENT = ("non-commission-etg", "super-six", "insurance")
"""Games whose documents have no word on an interruption."""

Tamper = Callable[[House, str], Awaitable[None]]


async def _order(house: House, name: str) -> Sealed:
    content = await house.secret_store.sealed(name)
    assert content is not None
    return Sealed.decode(content)


def _exchanged(order: Sealed) -> Sealed:
    """Two cards that differ and lie ahead."""
    cards = list(order.cards)
    there = len(cards) - 1
    other = next(at for at, card in enumerate(cards) if card != cards[there])
    cards[there], cards[other] = cards[other], cards[there]
    return replace(order, cards=tuple(cards))


async def exchange_cards_in_clear(house: House, name: str) -> None:
    await house.store.seal(name, _exchanged(await _order(house, name)).encode())


async def exchange_cards_with_the_key(house: House, name: str) -> None:
    await house.secret_store.seal(name, _exchanged(await _order(house, name)).encode())


async def exchange_rows(house: House, name: str) -> None:
    await house.secret_store.seal("one/other", new_shoe(8).encode())
    await house.store.seal(name, await house.store.sealed("one/other") or b"")


async def leave_cards_out(house: House, name: str) -> None:
    order = await _order(house, name)
    await house.secret_store.seal(name, Sealed(order.cards[:-1], order.salts[:-1]).encode())


async def delete(house: House, name: str) -> None:
    await house.store.unseal(name)


async def cut_short(house: House, name: str) -> None:
    await house.store.seal(name, (await house.store.sealed(name) or b"")[:-100])


async def cut_to_nothing(house: House, name: str) -> None:
    await house.store.seal(name, b"")


async def flip_a_bit(house: House, name: str) -> None:
    written = bytearray(await house.store.sealed(name) or b"")
    written[1_000] ^= 1
    await house.store.seal(name, bytes(written))


async def flip_a_bit_of_the_key_id(house: House, name: str) -> None:
    written = bytearray(await house.store.sealed(name) or b"")
    written[6] ^= 1
    await house.store.seal(name, bytes(written))


async def write_with_another_key(house: House, name: str) -> None:
    other = EncryptedSecretStore(house.store, Keyring((secrets.token_bytes(32),), ""))
    await other.seal(name, (await _order(house, name)).encode())


async def write_another_shoe(house: House, name: str) -> None:
    await house.secret_store.seal(name, new_shoe(8).encode())


KINDS: tuple[Tamper, ...] = (
    exchange_cards_in_clear, exchange_cards_with_the_key, exchange_rows, leave_cards_out, delete, cut_short,
    cut_to_nothing, flip_a_bit, flip_a_bit_of_the_key_id, write_with_another_key, write_another_shoe,
)  # fmt: skip


def dealer_of(house: House, table: RunningTable) -> AutomaticDealer:
    return AutomaticDealer(table, Pace(card=0, result=0, between=0), secret_store=house.secret_store)


async def in_the_middle(house: House, game: str, **changes: Any) -> RunningTable:
    """A round with money on it and two cards dealt."""
    table = await add(house, "one", game, **changes)
    await fund(house, "ann", 1_000_00, "one")
    dealer = dealer_of(house, table)
    while table.state.phase is not Phase.BETTING:
        await dealer.step()
    box = 0 if table.game.terminal else 1
    slip = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=box),))
    well(await house.do("ann", "one", slip))
    while len(table.state.drawn) < 2:
        await dealer.step()
    return table


async def told(house: House, kind: type[Any]) -> list[Any]:
    found = [codec.decode(row.kind, row.body) async for row in house.store.read("one")]
    return [event for event in found if isinstance(event, kind)]


async def steps(dealer: AutomaticDealer, many: int = 5) -> None:
    for _ in range(many):
        await dealer.step()


async def out_of_service(house: House) -> RunningTable:
    """What holds however the shoe was tampered with, once its dealer has looked."""
    table = house.tables["one"]
    dealt, dealer = len(await told(house, e.CardDrawn)), dealer_of(house, table)
    faces = len(await told(house, e.CardExposed))
    await dealer.step()
    assert table.state.shoe is not None
    assert (table.state.shoe.in_service, table.state.shoe.unproven) == (False, True)
    assert [alert.kind for alert in await told(house, e.AlertRaised)] == ["shoe_unproven"]
    after = table.state.version
    await steps(dealer)
    assert table.state.version == after, "it waits for people"
    assert len(await told(house, e.CardDrawn)) == dealt
    assert len(await told(house, e.CardExposed)) == faces
    return table


async def released(house: House, table: RunningTable) -> None:
    """No shoe is loaded before the pit has confirmed that this one is withdrawn; then the table plays on."""
    dealer, before, was = dealer_of(house, table), table.state.round, table.state.shoe
    await steps(dealer)
    assert table.state.shoe == was
    assert refused(await house.do("dora", "one", c.WithdrawShoe(reason="x"))) is Reason.NOT_AUTHORISED
    well(await house.do("tom", "one", c.WithdrawShoe(reason="the disk was changed")))
    while not (table.state.round > before and table.state.phase in BETWEEN_ROUNDS):
        await dealer.step()
    assert table.state.shoe is not None
    assert table.state.shoe.in_service


def tampered(house: House, tamper: Tamper) -> Awaitable[None]:
    shoe = house.tables["one"].state.shoe
    assert shoe is not None
    return tamper(house, shoe.name)


@pytest.mark.parametrize("tamper", KINDS)
def test_an_order_tampered_with_is_found_in_the_middle_of_a_round(place: str, tmp_path: Path, tamper: Tamper) -> None:
    floor = Floor(tmp_path, place)

    async def before(house: House) -> None:
        await in_the_middle(house, "super-six")
        await tampered(house, tamper)

    async def after(house: House) -> None:
        table = await out_of_service(house)
        assert table.state.phase is Phase.SUSPENDED

    floor.run(before)
    floor.run(after)


@pytest.mark.parametrize("tamper", KINDS)
def test_an_order_tampered_with_is_found_before_the_first_bet(place: str, tmp_path: Path, tamper: Tamper) -> None:
    floor = Floor(tmp_path, place)

    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await dealer_of(house, table).step()
        assert table.state.shoe is not None
        await tampered(house, tamper)
        await out_of_service(house)
        assert (table.state.phase, table.state.round) == (Phase.IDLE, 0)
        await released(house, table)

    floor.run(work)


@rulings("TEC-12")
@pytest.mark.parametrize("face_down", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_the_round_goes_the_way_of_an_interruption_and_does_not_resume_by_itself(
    tmp_path: Path, game: str, *, face_down: bool
) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        await in_the_middle(house, game, face_down=face_down)
        await tampered(house, delete)

    async def after(house: House) -> None:
        """The restart is found not to affect the round, and then the dealer reads the order."""
        table = house.tables["one"]
        if game not in SILENT:
            assert table.state.question is not None
            finding = c.Rule(question=table.state.question.number, choice=Choice.DOES_NOT_AFFECT, reason="x")
            well(await house.do("sue", "one", finding))
        assert table.state.phase is Phase.DEALING
        await out_of_service(house)

    async def later(house: House) -> None:
        """Nor after another restart."""
        table = house.tables["one"]
        await steps(dealer_of(house, table))
        assert phase(house) is Phase.SUSPENDED
        question = table.state.question
        assert question is not None
        goes_on = c.Rule(question=question.number, choice=Choice.CONTINUE, reason="x")
        if game in SILENT:
            assert refused(await house.do("dora", "one", goes_on)) is Reason.NOT_AUTHORISED
            void = c.Rule(question=question.number, choice=Choice.VOID, reason="the order is gone")
            asked = well(await house.do("tom", "one", void))
            well(await house.confirm("tim", asked.waits))
        else:
            well(await house.do("sue", "one", replace(goes_on, choice=Choice.AFFECTS)))
        assert phase(house) is Phase.VOIDED
        assert table.state.purses["ann"] == 1_000_00
        await released(house, table)

    for work in (before, after, later):
        floor.run(work)


def test_an_unattended_table_voids_the_round_and_waits_for_the_pit(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        unattended = Policy(interruption_finding=InterruptionFinding.AUTOMATIC)
        table = await in_the_middle(house, "commission", policy=unattended)
        await tampered(house, delete)
        await out_of_service(house)
        assert table.state.phase is Phase.VOIDED
        await released(house, table)

    Floor(tmp_path).run(work)


@rulings("TEC-12")
def test_an_established_outcome_that_cannot_be_dealt_to_its_end_goes_to_the_shift_manager(tmp_path: Path) -> None:
    """Also where nobody attends: it is never dealt on and never void by rule."""

    def naturals(decks: int) -> Sealed:
        order = new_shoe(decks)
        cards = list(order.cards)
        for nth, rank in enumerate("9KKK"):
            other = next(at for at in range(nth, len(cards)) if str(cards[at]).startswith(rank))
            cards[nth], cards[other] = cards[other], cards[nth]
        return replace(order, cards=tuple(cards))

    async def work(house: House) -> None:
        unattended = Policy(interruption_finding=InterruptionFinding.AUTOMATIC)
        table = await add(house, "one", "commission", policy=unattended, face_down=True, burn=0)
        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=0), naturals, house.secret_store)
        while [one.card is None for one in table.state.drawn] != [False, False, False, True]:
            await dealer.step()
        await tampered(house, delete)
        await out_of_service(house)
        assert table.state.phase in (Phase.DECISION, Phase.SUSPENDED)
        assert table.state.question is not None
        assert table.state.question.choices == (Choice.CONCLUDE, Choice.DECIDE_BETS)

    Floor(tmp_path).run(work)


def test_a_change_in_memory_is_found_when_the_card_is_dealt(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await in_the_middle(house, "super-six")
        dealer = dealer_of(house, table)
        shoe = await dealer._proven()
        assert shoe is not None
        own, other = _exchanged(shoe.order), len(shoe.order.cards) - 1
        for changed in (
            replace(shoe, order=own),
            replace(shoe, order=own, levels=Proven.of("x", own.commitment, 8, own.encode()).levels),
            replace(shoe, order=replace(own, cards=shoe.order.cards, salts=(b"",) * len(own.cards))),
        ):
            with pytest.raises(Unproven):
                changed.card(other)
        dealer._shoe = replace(shoe, order=new_shoe(8))
        await dealer.step()
        assert table.state.phase is Phase.SUSPENDED
        assert len(table.state.drawn) == 2

    Floor(tmp_path).run(work)


def test_a_snapshot_exchanged_together_with_the_order_does_not_help(tmp_path: Path) -> None:
    """The commitment is read from the event, which the chain covers."""
    floor = Floor(tmp_path)
    floor.unsound = True

    async def before(house: House) -> None:
        table = await in_the_middle(house, "super-six")
        shoe, other = table.state.shoe, new_shoe(8)
        assert shoe is not None
        await house.secret_store.seal(shoe.name, other.encode())
        changed = replace(table.state, shoe=replace(shoe, loaded=shoe.loaded + 1))
        await table.stop()
        kept = await house.store.snapshot("one")
        assert kept is not None
        await house.store.keep_snapshot("one", replace(kept, body=codec.encode_state(changed)))

    async def after(house: House) -> None:
        await out_of_service(house)

    floor.run(before)
    floor.run(after)


@pytest.mark.parametrize("face_down", [False, True])
def test_a_snapshot_that_puts_cards_back_into_the_shoe_does_not_bring_them_again(
    tmp_path: Path, *, face_down: bool
) -> None:
    floor = Floor(tmp_path)
    floor.unsound = True

    async def before(house: House) -> None:
        table = await in_the_middle(house, "commission", face_down=face_down)
        dealer = dealer_of(house, table)
        while table.state.phase not in BETWEEN_ROUNDS:
            await dealer.step()
        shoe = table.state.shoe
        assert shoe is not None
        await table.stop()
        kept = await house.store.snapshot("one")
        assert kept is not None
        full = replace(table.state, shoe=replace(shoe, left=52 * shoe.decks), seen={})
        await house.store.keep_snapshot("one", replace(kept, body=codec.encode_state(full)))

    async def after(house: House) -> None:
        await out_of_service(house)

    floor.run(before)
    floor.run(after)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET body = CAST(body || ' ' AS BLOB) WHERE stream = 'one' AND version = 9",
        "UPDATE events SET at = at + 1 WHERE stream = 'one' AND version = 9",
        "DELETE FROM events WHERE stream = 'one' AND version > 9",
        "DELETE FROM events WHERE stream = 'one' AND version = 9",
        "UPDATE streams SET head = zeroblob(32) WHERE stream = 'one'",
    ],
)
@pytest.mark.parametrize("snapshot", [False, True])
def test_a_table_whose_history_is_not_chained_does_not_deal(tmp_path: Path, damage: str, *, snapshot: bool) -> None:
    """With a snapshot only what is read of the history is looked at."""
    floor = Floor(tmp_path)
    floor.run(lambda house: in_the_middle(house, "super-six"))
    write_past_the_store(floor.kept.place, damage, *([] if snapshot else ["DELETE FROM snapshots"]))

    async def whole() -> str:
        store = open_store(floor.kept.place)
        await store.open()
        house = House(store, floor.clock)
        await house.open()
        await house.close()
        await store.close()
        return house.broken.get("one", "")

    found = asyncio.run(whole())
    looked_at = not snapshot or "streams" in damage or ">" in damage
    assert found.startswith("Damaged: storage: one, version ") is looked_at, found


# ---- verify ------------------------------------------------------------------------------------------------------


async def played(house: House, game: str = "commission", **changes: Any) -> RunningTable:
    """Two shoes, the first used up."""
    table = await in_the_middle(house, game, **changes)
    dealer = dealer_of(house, table)
    while len(await told(house, e.ShoeLoaded)) < 2 or not table.state.drawn or table.state.in_round:
        if len(await told(house, e.RoundSettled)) == 2 and len(await told(house, e.ShoeLoaded)) == 1:
            well(await house.do("tom", "one", c.WithdrawShoe(reason="worn")))
        await dealer.step()
    return table


def proof_of(floor: Floor, ring: Keyring | None = None) -> tuple[str, Tally]:
    tally = Tally()
    proof = asyncio.run(proven_at(floor.kept.place, ring or found(floor.kept), tally))
    return str(proof.fault or ""), tally


@pytest.mark.parametrize("face_down", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_every_shoe_is_proven(tmp_path: Path, game: str, *, face_down: bool) -> None:
    floor, faces = Floor(tmp_path), list[int]()

    async def work(house: House) -> None:
        await played(house, game, face_down=face_down)
        faces.append(len(await told(house, e.CardExposed)))

    floor.run(work)
    fault, tally = proof_of(floor)
    assert fault == ""
    assert (tally.shoes, tally.cards, tally.missing) == (2, faces[0], 0)


@pytest.mark.parametrize("which", ["used_up", "in_service"])
@pytest.mark.parametrize("tamper", KINDS)
def test_an_order_that_was_tampered_with_is_found_by_verify(tmp_path: Path, tamper: Tamper, which: str) -> None:
    floor, names = Floor(tmp_path), list[str]()

    async def work(house: House) -> None:
        await played(house)
        loaded = await told(house, e.ShoeLoaded)
        names.append(loaded[0 if which == "used_up" else 1].shoe)
        await tamper(house, names[0])

    floor.run(work)
    fault, tally = proof_of(floor)
    if tamper in (flip_a_bit_of_the_key_id, write_with_another_key):
        assert (fault, tally.missing) == ("", 1)
    else:
        assert fault.startswith("stream one, version ")
        assert f"shoe {names[0]}: " in fault


def test_a_card_that_was_not_at_its_place_is_found_by_verify(tmp_path: Path) -> None:
    """The order is the right one; somebody named another card and wrote the chain anew."""
    floor, places = Floor(tmp_path), list[int]()

    async def work(house: House) -> None:
        table = await in_the_middle(house, "super-six")
        shoe = await dealer_of(house, table)._proven()
        assert shoe is not None
        places.append(place_of(shoe.order.cards, table.state, 3))
        right = shoe.order.cards[places[0]]
        wrong = next(card for card in shoe.order.cards if card != right)
        well(await table.send(c.DrawCard(round=1, index=3, card=wrong), "dora", Role.DEALER))

    floor.run(work)
    fault, _ = proof_of(floor)
    assert f"place {places[0]}: " in fault
    assert fault.endswith("was dealt, but the commitment has another card")


@pytest.mark.parametrize("forged", [False, True])
def test_cards_put_in_order_are_still_those_of_the_shoe(tmp_path: Path, *, forged: bool) -> None:
    """As the house hears it, or past the house, naming a card that had not come."""
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await in_the_middle(house, "commission")
        well(await house.do("dora", "one", c.Report(round=1, fault=c.Fault.EXCESS, cards=(None,))))
        assert table.state.question is not None
        out, shoe = cards_out(table.state), await dealer_of(house, table)._proven()
        assert shoe is not None
        other = next(card for card in shoe.order.cards if card not in shoe.order.cards[: len(out)])
        cards = (*out[:-1], other) if forged else out
        put = c.Rule(
            question=table.state.question.number, choice=Choice.RECONSTRUCT, reason="as they came", cards=cards
        )
        if forged:
            well(await table.send(put, "sue", Role.PIT_SUPERVISOR))
        else:
            well(await house.do("sue", "one", put))
            dealer = dealer_of(house, table)
            while table.state.in_round:
                floor.clock.now += 1_000
                await dealer.step()

    floor.run(work)
    fault, tally = proof_of(floor)
    if forged:
        assert fault.endswith(": cards were named that had not left the shoe")
    else:
        assert (fault, tally.cards >= 4) == ("", True)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"source": Source.KEYBOARD}, "it claims to be sealed, but is not an electronic shoe of this table"),
        ({"shoe": "two/0123456789abcdef"}, "it claims to be sealed, but is not an electronic shoe of this table"),
        ({"shoe": "mine"}, "it claims to be sealed, but is not an electronic shoe of this table"),
        ({}, "it was loaded before, so its order is known"),
    ],
)
def test_a_shoe_that_is_loaded_past_the_house_is_found(tmp_path: Path, claim: dict[str, Any], said: str) -> None:
    """One whose order everybody knows since it was used, or whose cards nobody could hold against a commitment."""
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await played(house)
        used = (await told(house, e.ShoeLoaded))[0]
        again = {field: getattr(used, field) for field in ("shoe", "decks", "shuffled", "source", "commitment")}
        well(await house.do("tom", "one", c.WithdrawShoe(reason="worn")))
        well(await table.send(c.LoadShoe(**{**again, **claim}), "dora", Role.DEALER))

    floor.run(work)
    fault, _ = proof_of(floor)
    assert fault.startswith("stream one, version ")
    assert fault.endswith(said)


def test_an_order_in_clear_is_not_dealt_even_if_the_history_was_written_anew_for_it(tmp_path: Path) -> None:
    floor, mine = Floor(tmp_path), new_shoe(8)

    async def before(house: House) -> None:
        table = await add(house, "one", "commission")
        name = f"one/{mine.commitment[:16]}"
        load = c.LoadShoe(shoe=name, decks=8, shuffled=True, source=Source.ELECTRONIC, commitment=mine.commitment)
        well(await table.send(load, "dora", Role.DEALER))
        await house.store.seal(name, mine.encode())

    async def after(house: House) -> None:
        await out_of_service(house)

    floor.run(before)
    floor.run(after)
    fault, _ = proof_of(floor)
    assert fault.endswith("is not sealed")


def test_a_value_of_any_type_in_any_column_is_told_as_a_fault(tmp_path: Path) -> None:
    """SQLite puts anything anywhere. Whatever it is, no proof ends in an exception of ours."""
    floor = Floor(tmp_path)
    floor.run(lambda house: in_the_middle(house, "commission"))
    kept, spoilt = Path(floor.kept.place), tmp_path / "spoilt.db"
    with closing(sqlite3.connect(kept)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]
    assert len(columns) > 30
    for table, column in columns:
        for value in ("'text'", "1.5", "x'00ff'", "NULL"):
            copied = shutil.copyfile(kept, spoilt)
            with suppress(sqlite3.IntegrityError):  # the database refuses it
                write_past_the_store(
                    str(copied), f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})"
                )
            with suppress(StoreFailed):
                proof = asyncio.run(proven_at(str(copied), found(floor.kept), watch=lambda *_: None))
                assert proof.fault is None or str(proof.fault)


def test_cards_of_a_settled_round_are_not_looked_for_in_the_shoe_that_was_loaded_after_it(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await in_the_middle(house, "commission", burn=10)
        dealer = dealer_of(house, table)
        while table.state.phase is not Phase.SETTLED:
            await dealer.step()
        well(await house.do("dora", "one", c.Report(round=1, fault=c.Fault.UNSHUFFLED)))
        while table.state.shoe is None or not table.state.shoe.in_service:
            await dealer.step()
        well(await house.do("dora", "one", c.Report(round=1, fault=c.Fault.WRONG_NUMBER_OF_CARDS)))
        assert table.state.question is not None
        put = c.Rule(question=table.state.question.number, choice=Choice.RECONSTRUCT, reason="as they came")
        well(await house.confirm("tom", well(await house.do("sue", "one", put)).waits))
        assert len(await told(house, e.CardsReconstructed)) == 1
        assert table.state.seen == {}, "nothing of it has left the new shoe"

    floor.run(work)
    assert proof_of(floor)[0] == ""


def test_the_fairness_page_shows_no_order_that_does_not_match_its_commitment(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await in_the_middle(house, "super-six")
        shoe = table.state.shoe
        assert shoe is not None
        shown = ShoeExposure()
        for version, event in enumerate(await told(house, e.ShoeLoaded), start=1):
            shown.follow(event, version)
        assert (await disclosed(house.secret_store, shown, None)).commitment
        for tamper in KINDS:
            kept = await house.store.sealed(shoe.name)
            assert kept is not None
            await tamper(house, shoe.name)
            with pytest.raises(Refused) as refusal:
                await disclosed(house.secret_store, shown, None)
            missing = tamper is delete
            assert refusal.value.reason is (Reason.NO_COMMITMENT if missing else Reason.ORDER_UNREADABLE)
            await house.store.seal(shoe.name, kept)

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("forged", [{"fingerprint": "0" * 64}, {"table": "two"}])
def test_a_table_is_dealt_by_the_game_that_the_book_says_it_was_added_with(
    tmp_path: Path, forged: dict[str, str]
) -> None:
    """Whoever writes a history anew may bring a game of their own: its content is what its fingerprint says."""
    floor = Floor(tmp_path)
    floor.run(played)
    with closing(sqlite3.connect(floor.kept.place)) as db:
        rows = db.execute(
            "SELECT version, kind, at, body FROM events WHERE stream = 'house' ORDER BY version"
        ).fetchall()
    head, texts = GENESIS, list[str]()
    for version, kind, at, written in rows:
        body = b.encode(replace(b.decode(written), **forged)) if kind.startswith("TableAdded") else written
        head = chained(head, kind, at, body)
        texts.append(
            f"UPDATE events SET body = x'{body.hex()}', hash = x'{head.hex()}'"
            f" WHERE stream = 'house' AND version = {version}"
        )
    write_past_the_store(floor.kept.place, *texts, f"UPDATE streams SET head = x'{head.hex()}' WHERE stream = 'house'")
    fault, _ = proof_of(floor)
    assert fault.startswith("stream one, version 1: the journal has no table of this name")


def test_without_the_key_everything_else_is_proven_and_the_shoes_are_counted(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.run(played)
    fault, tally = proof_of(floor, Keyring.none())
    assert fault == ""
    assert (tally.shoes, tally.cards, tally.missing) == (0, 0, 2)
