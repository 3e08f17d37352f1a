"""What is written is read again as it was, also where the order of things matters."""

from collections.abc import Iterator

import msgspec
import pytest
from msgspec import inspect

from puntobanco.rules.outcome import Side
from puntobanco.store import codec
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Fault
from puntobanco.table.events import AnyEvent
from puntobanco.table.state import State


def parts(kind: inspect.Type, seen: set[type] | None = None) -> Iterator[inspect.Type]:
    seen = set() if seen is None else seen
    yield kind
    if isinstance(kind, inspect.StructType):
        if kind.cls in seen:
            return
        seen.add(kind.cls)
        for field in kind.fields:
            yield from parts(field.type, seen)
    for name in ("types", "item_types"):
        for one in getattr(kind, name, ()):
            yield from parts(one, seen)
    for name in ("item_type", "key_type", "value_type"):
        if isinstance(one := getattr(kind, name, None), inspect.Type):
            yield from parts(one, seen)


def test_no_event_holds_a_set_since_its_bytes_would_have_no_order() -> None:
    found = list(parts(inspect.type_info(AnyEvent)))
    assert any(isinstance(kind, inspect.DictType) for kind in found)
    assert not any(isinstance(kind, inspect.SetType | inspect.FrozenSetType) for kind in found)


def test_a_mapping_by_numbers_is_written_and_read_again() -> None:
    told = e.Reported(
        number=1, fault=Fault.MISDIRECTED, round=1, seen_in="dealing", lies={2: Side.PLAYER, 1: Side.BANKER}
    )
    event = e.IrregularityReported(by=By("dora", Role.DEALER, 7), report=told)
    again = codec.decode(codec.kind_of(event), codec.encode(event))
    assert again == event
    assert codec.encode(again) == codec.encode(event)
    state = State(seats={5: "zoe", 1: "ann"}, squeezes={}, absent=frozenset({"bob"}))
    assert codec.decode_state(codec.encode_state(state)) == state


def test_an_event_is_not_read_under_the_name_of_another() -> None:
    event = e.SeatTaken(by=By("ann", Role.PLAYER, 7), box=1, person="ann")
    with pytest.raises(msgspec.ValidationError):
        codec.decode(f"SeatLeft.{codec.VERSION}", codec.encode(event))


def test_a_snapshot_keeps_the_order_of_placing() -> None:
    stakes = {
        name: e.Stake(owner=name, box=1, bet="player", amount=5, placer=name, order=nth)
        for nth, name in enumerate(("zoe", "ann", "bob"))
    }
    state = State(stakes=stakes)
    assert codec.decode_state(codec.encode_state(state)).bettors == ("zoe", "ann", "bob")
    assert msgspec.json.decode(codec.encode_state(state))["version"] == 0
