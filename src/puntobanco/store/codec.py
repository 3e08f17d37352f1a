"""Events as canonical bytes and back. Stored tags are versioned, and old ones are brought up to date here only.

The bytes hold fields as they are defined and mappings as they were told, since the order of stakes is that of placing:
what is read again is the same also where order matters. No event holds a set, which has no order.
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
"""The version events are written in: the edition by which they were decided."""

UPCASTS: dict[int, Any] = {}
"""From each earlier version whose events have another shape, how they become those of the next: a function from mapping
to mapping."""


KINDS: dict[str, tuple[msgspec.json.Decoder[AnyEvent], int]] = {
    f"{tag_of(kind)}.{version}": (decoder, version)
    for kind in get_args(AnyEvent)
    for decoder in (msgspec.json.Decoder(kind),)
    for version in range(max(UPCASTS, default=0) + 1, VERSION + 1)
}
"""The tags of events in today's shape, what reads such an event and no other, and their versions."""


def kind_of(event: AnyEvent) -> str:
    """The tag of an event with the version it is written in: `RoundSettled.1`."""
    return f"{tag_of(type(event))}.{VERSION}"


def version_of(kind: str) -> int:
    return KINDS[kind][1] if kind in KINDS else int(kind.partition(".")[2])


def encode(event: AnyEvent) -> bytes:
    return _encoder.encode(event)


def decode(kind: str, body: bytes) -> AnyEvent:
    """The event, whatever version it was written in; it is of that kind."""
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
"""Changes with every field of the state, not with the name of a class: a snapshot of another schema is discarded. Raise
the number for what the fields do not show: when an event comes to do something else to the state."""
