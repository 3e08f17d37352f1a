"""An exported round is gone through by whoever gets it, and tampering anywhere in it is found."""

import base64
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.cli.main import main
from puntobanco.house.audit import past_states
from puntobanco.house.audit.export import check, export
from puntobanco.house.audit.history import History
from puntobanco.house.house import House
from puntobanco.protocol.export import Exported
from puntobanco.rules.cards import read_card
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import codec
from puntobanco.store.records import GENESIS, chained
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.evolve import evolve
from puntobanco.table.state import State
from tests.house.staffed import Floor, add, bet, deal, fund, in_play, settle, well

NATURAL, SIX = "9S KH KD 7C", "2S 3H 3D 2C 4H KS"
FOUR, EIGHT = (msgspec.json.encode(read_card(card)).decode() for card in ("4H", "8H"))


async def _settle(house: House, name: str = "one") -> None:
    await settle(house, name)


async def _played(house: House) -> Exported:
    """The second of three rounds."""
    table = await in_play(house, NATURAL)
    await _settle(house)
    for cards in (SIX, NATURAL):
        await bet(house)
        await deal(house, "one", cards)
        await _settle(house)
    return await export(await History("one", house.store, house.tables["one"].game).load(), table.game, 2)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    found = Floor(tmp_path_factory.mktemp("house")).run(_played)
    assert isinstance(found, Exported)
    return found


def _changed(exported: Exported, **fields: Any) -> Exported:
    return msgspec.structs.replace(exported, **fields)


def _resealed(exported: Exported) -> bytes:
    """By somebody who knows how files are sealed."""
    rows, hash = [], bytes.fromhex(exported.before_hash)
    for row in exported.rows:
        hash = chained(hash, row.kind, row.at, row.body.encode())
        rows.append(msgspec.structs.replace(row, hash=hash.hex()))
    again = _changed(exported, rows=tuple(rows))
    return _changed(again, seal=again.right_seal).written()


def _rewritten(exported: Exported, old: str, new: str) -> Exported:
    assert any(old in row.body for row in exported.rows)
    rows = [msgspec.structs.replace(row, body=row.body.replace(old, new)) for row in exported.rows]
    return _changed(exported, rows=tuple(rows))


def _found_out(content: bytes) -> bool:
    """Something is wrong with it, or it is no export at all."""
    try:
        return bool(check(content).wrong)
    except Refused as refused:
        return refused.reason is Reason.FILE_MALFORMED


def test_an_untouched_round_is_in_order(exported: Exported) -> None:
    found = check(exported.written(), exported.seal)
    assert found.wrong == ()
    assert (found.table, found.round, found.bets) == ("one", 2, 1)
    assert found.head == exported.rows[-1].hash


def test_the_same_round_is_always_the_same_file(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    first = floor.run(_played)

    async def again(house: House) -> Exported:
        return await export(
            await History("one", house.store, house.tables["one"].game).load(), house.tables["one"].game, 2
        )

    assert floor.run(again).written() == first.written()


def test_a_change_of_any_one_byte_is_found(exported: Exported) -> None:
    content = exported.written()
    for place in range(0, len(content), 7):
        other = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        assert _found_out(other), (place, content[max(0, place - 20) : place + 20])


@pytest.mark.parametrize("more", [b" ", b"\n{}", b'{"x":1}'])
def test_nothing_can_be_added(exported: Exported, more: bytes) -> None:
    assert _found_out(exported.written() + more)


def test_a_field_nobody_knows_is_not_taken(exported: Exported) -> None:
    content = exported.written().replace(b'"format"', b'"note": "paid in full",\n  "format"', 1)
    with pytest.raises(Refused):
        check(content)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"profit":10000', '"profit":20000'),
        ('"stake":10000', '"stake":20000'),
        ('"person":"dora"', '"person":"sue"'),
        (FOUR, EIGHT),
        ('"result":"win"', '"result":"push"'),
    ],
)
def test_whoever_seals_a_changed_round_anew_is_found_by_the_seal_the_house_told(
    exported: Exported, old: str, new: str
) -> None:
    forged = _resealed(_rewritten(exported, old, new))
    assert "the seal is not the one that was told" in check(forged, exported.seal).wrong


def test_a_forged_payment_is_found_by_the_rules_alone(exported: Exported) -> None:
    settled = next(row for row in exported.rows if row.kind.startswith("RoundSettled"))
    event = codec.decode(settled.kind, settled.body.encode())
    assert isinstance(event, e.RoundSettled)
    stake = event.stakes[0]
    forged = _resealed(_rewritten(exported, f'"profit":{stake.profit}', f'"profit":{stake.profit + 100}'))
    assert any("is right" in why for why in check(forged).wrong)


def test_what_was_altered_is_named_once_and_not_again_for_every_event_after_it(exported: Exported) -> None:
    rows = list(exported.rows)
    rows[1] = msgspec.structs.replace(rows[1], body=rows[1].body.replace('"person":"', '"person":"x', 1))
    altered = _changed(exported, rows=tuple(rows))
    (wrong,) = check(_changed(altered, seal=altered.right_seal).written()).wrong
    assert wrong == f"version {rows[1].version}: the hash does not match the event and the hash before it"
    left_out = check(_resealed(_changed(exported, rows=exported.rows[:3] + exported.rows[4:]))).wrong
    assert sum("stands where" in why for why in left_out) == 1


def test_a_forged_card_is_found_by_the_result_it_does_not_come_to(exported: Exported) -> None:
    forged = _resealed(_rewritten(exported, FOUR, EIGHT))
    assert check(forged).wrong


def test_the_state_before_the_round_cannot_be_exchanged(exported: Exported) -> None:
    before = codec.decode_state(base64.b64decode(exported.before))
    richer = msgspec.structs.replace(before, purses={"ann": 10**9})
    other = _changed(exported, before=base64.b64encode(codec.encode_state(richer)).decode())
    assert "the seal is not that of the file" in check(other.written()).wrong


def test_a_round_is_not_passed_off_as_another(exported: Exported) -> None:
    assert any("alone" in why for why in check(_resealed(_changed(exported, round=3))).wrong)


def test_an_event_cannot_be_left_out_nor_two_exchanged(exported: Exported) -> None:
    rows = exported.rows
    assert check(_resealed(_changed(exported, rows=rows[:3] + rows[4:]))).wrong
    assert check(_resealed(_changed(exported, rows=(*rows[:3], rows[4], rows[3], *rows[5:])))).wrong
    assert check(_resealed(_changed(exported, rows=()))).wrong


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b'{"format":"x"}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_export_is_refused(content: bytes) -> None:
    with pytest.raises(Refused) as refused:
        check(content)
    assert refused.value.reason is Reason.FILE_MALFORMED


def test_insurance_is_settled_again_too(tmp_path: Path) -> None:
    async def work(house: House) -> Exported:
        table = await add(house, "one", "insurance")
        await fund(house, "ann", 1_000_00, "one")
        await bet(house)
        await deal(house, "one", "4S AH 3D 2C")
        state = table.state
        assert state.window is not None
        offer = state.window.offers[0]
        insure = c.Insure(round=state.round, window=state.window.window, box=offer.box, amount=10_00)
        well(await house.do("ann", "one", insure))
        well(await house.do("dora", "one", c.CloseInsurance(round=state.round, window=state.window.window)))
        for card in ("KS", "KH"):
            if table.state.phase == "dealing":
                await deal(house, "one", card)
            if table.state.window is not None:
                close = c.CloseInsurance(round=state.round, window=table.state.window.window)
                well(await house.do("dora", "one", close))
        await _settle(house)
        return await export(await History("one", house.store, house.tables["one"].game).load(), table.game, 1)

    exported = Floor(tmp_path).run(work)
    found = check(exported.written())
    assert (found.wrong, found.bets) == ((), 2)


def test_the_command_says_what_is_wrong(
    exported: Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(content: bytes, *more: str) -> int:
        file = tmp_path / "round.json"
        file.write_bytes(content)
        monkeypatch.setattr("sys.argv", ["puntobanco", "house", "check", str(file), *more])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0)

    assert run(exported.written(), "--seal", exported.seal) == 0
    said = capsys.readouterr().out
    assert exported.seal in said
    assert "Verification passed" in said
    assert run(exported.written(), "--seal", "0" * 64) == 1
    assert run(exported.written().replace(b'"table": "one"', b'"table": "two"')) == 1
    assert "WRONG" in capsys.readouterr().err


def test_any_moment_of_a_history_is_found_again_from_the_nearest_that_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_states, "EVERY", 7)

    async def work(house: House) -> None:
        await _played(house)
        found, hash, state = past_states.PastStates("one", house.store), GENESIS, State()
        rows = [row async for row in house.store.read("one")]
        states = {}
        for row in rows:
            states[row.version] = (hash, state)
            hash, state = row.hash, evolve(state, codec.decode(row.kind, row.body))
        for version in (*reversed(states), *states):
            assert await found.before(version) == states[version]

    Floor(tmp_path).run(work)
