"""Encode events as canonical bytes and decode them. Stored tags are versioned; old versions are upcast here and nowhere
else.

Fields keep the order of their definition and mappings keep insertion order, because the order of stakes is the order of
placing. No event holds a set, which has no order.
"""

import re
from hashlib import sha256
from typing import Any, get_args

import msgspec
from msgspec import inspect

from puntobanco.table.events import AnyEvent
from puntobanco.table.felt import CURRENT
from puntobanco.table.state import State
from puntobanco.table.tags import tag_of

_encoder = msgspec.json.Encoder()
_states = msgspec.json.Decoder(State)

VERSION = int(CURRENT)
"""The version that new events are written in: the edition of the rules that decided them."""

UPCASTS: dict[int, Any] = {}
"""For each earlier version with a different shape, a function from its mapping to that of the next version."""


KINDS: dict[str, tuple[msgspec.json.Decoder[AnyEvent], int]] = {
    f"{tag_of(kind)}.{version}": (decoder, version)
    for kind in get_args(AnyEvent)
    for decoder in (msgspec.json.Decoder(kind),)
    for version in range(max(UPCASTS, default=0) + 1, VERSION + 1)
}
"""By tag: the decoder of events in the current shape, and the versions with that shape."""


def kind_of(event: AnyEvent) -> str:
    """The tag of an event with its version: `RoundSettled.1`."""
    return f"{tag_of(type(event))}.{VERSION}"


def version_of(kind: str) -> int:
    return KINDS[kind][1] if kind in KINDS else int(kind.partition(".")[2])


def encode(event: AnyEvent) -> bytes:
    return _encoder.encode(event)


def decode(kind: str, body: bytes) -> AnyEvent:
    """Decode an event of any stored version. Fails if it is not of that kind."""
    known = KINDS.get(kind)
    if known is not None:
        return known[0].decode(body)
    version = version_of(kind)
    if not 0 < version <= VERSION:
        raise ValueError(f"{kind} is of a version that this program does not know")
    written = msgspec.json.decode(body)
    for step in range(version, VERSION):
        written = UPCASTS.get(step, dict)(written)
    event: AnyEvent = msgspec.convert(written, AnyEvent, str_keys=True)
    if kind.partition(".")[0] != tag_of(type(event)):
        raise ValueError(f"it is {tag_of(type(event))}")
    return event


def encode_state(state: State) -> bytes:
    return _encoder.encode(state)


def decode_state(body: bytes) -> State:
    return _states.decode(body)


_CLASS = re.compile(r"<(?:class|enum) '[^']*'>")

STATE_SCHEMA = "1-" + sha256(_CLASS.sub("", repr(inspect.type_info(State))).encode()).hexdigest()[:16]
"""Changes whenever a field of the state changes, but not when a class is renamed. A snapshot with another schema is
discarded. Raise the number when an event comes to change the state differently without a change of fields."""
