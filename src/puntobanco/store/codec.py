"""Events as canonical bytes and back. Stored tags are versioned, and old ones are brought up to date here only.

The bytes hold fields as they are defined and mappings as they were told, since the order of stakes is that of placing:
what is read again is the same also where order matters. No event holds a set, which has no order.
"""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import inspect

from puntobanco.table.events import AnyEvent
from puntobanco.table.state import State

_encoder = msgspec.json.Encoder()
_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_states = msgspec.json.Decoder(State)

VERSION = 1
"""The version events are written in."""

UPCASTS: dict[int, Any] = {}
"""From each earlier version, how its events become those of the next: a function from mapping to mapping."""


def kind_of(event: AnyEvent) -> str:
    """The tag of an event with the version it is written in: `RoundSettled.1`."""
    return f"{type(event).__name__}.{VERSION}"


def encode(event: AnyEvent) -> bytes:
    return _encoder.encode(event)


def decode(kind: str, body: bytes) -> AnyEvent:
    """The event, whatever version it was written in."""
    _, _, version = kind.partition(".")
    if int(version) == VERSION:
        known: AnyEvent = _events.decode(body)
        return known
    written = msgspec.json.decode(body)
    for step in range(int(version), VERSION):
        written = UPCASTS[step](written)
    event: AnyEvent = msgspec.convert(written, AnyEvent, str_keys=True)
    return event


def encode_state(state: State) -> bytes:
    return _encoder.encode(state)


def decode_state(body: bytes) -> State:
    return _states.decode(body)


STATE_SCHEMA = "1-" + sha256(repr(inspect.type_info(State)).encode()).hexdigest()[:16]
"""Changes with every field of the state, by itself: a snapshot of another schema is discarded. The number is for what
the fields do not show: raise it when an event comes to do something else to the state."""
