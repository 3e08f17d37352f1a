"""An exported round: the file that the other side of a dispute can check."""

from hashlib import sha256

import msgspec

FORMAT = "puntobanco.round.1"


class ExportedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of an exported round as it is stored."""

    version: int
    """The version of the event."""
    kind: str
    """The type of the event and its edition, such as `RoundSettled.1`."""
    at: int
    body: str
    """The canonical bytes, which are JSON."""
    hash: str


class Exported(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exported round: a file that anyone can verify without the house."""

    format: str
    """The name and version of the file's format."""
    table: str
    round: int
    game: str
    """The canonical content of the game; its SHA-256 is the fingerprint in the table's set-up."""
    before_hash: str
    before: str
    """The state of the table before the first of these events."""
    rows: tuple[ExportedRow, ...]
    """The events of the round in order."""
    seal: str = ""
    """SHA-256 of the file with an empty seal."""

    def written(self) -> bytes:
        """The bytes of the file. A file that is written in another way does not match its seal."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @property
    def right_seal(self) -> str:
        return sha256(msgspec.structs.replace(self, seal="").written()).hexdigest()
