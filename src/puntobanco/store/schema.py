"""The tables and the migrations between versions of them: the same in both engines except for type names."""

import msgspec

from puntobanco.store.records import Failed, StoreFailed

STEPS: list[str] = [
    """
ALTER TABLE answers ADD COLUMN checksum {bytes};
ALTER TABLE snapshots ADD COLUMN checksum {bytes};
ALTER TABLE sealed ADD COLUMN checksum {bytes};
"""
]
"""Migrations from schema 1 to 2, 2 to 3 and so on, in SQL that both engines accept (`{bytes}` and `{serial}` as below).
Never change a released step. A new store takes every step too, so that it equals an old one."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE streams (
  stream TEXT PRIMARY KEY,
  version BIGINT NOT NULL CHECK (version >= 0),
  epoch BIGINT NOT NULL CHECK (epoch >= 0),
  head {bytes} NOT NULL,
  in_play BIGINT NOT NULL CHECK (in_play >= 0)
);

CREATE TABLE events (
  stream TEXT NOT NULL REFERENCES streams (stream),
  version BIGINT NOT NULL CHECK (version >= 1),
  epoch BIGINT NOT NULL,
  kind TEXT NOT NULL,
  at BIGINT NOT NULL,
  body {bytes} NOT NULL,
  hash {bytes} NOT NULL,
  PRIMARY KEY (stream, version)
);

CREATE TABLE balances (
  account TEXT PRIMARY KEY,
  amount BIGINT NOT NULL,
  CHECK (amount >= 0 OR NOT (account LIKE 'purse:%' OR account LIKE 'wallet:%' OR account LIKE 'stakes:%'))
);

CREATE TABLE postings (
  id {serial},
  stream TEXT NOT NULL,
  version BIGINT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL REFERENCES balances (account),
  target TEXT NOT NULL REFERENCES balances (account),
  amount BIGINT NOT NULL CHECK (amount > 0),
  CHECK (source <> target)
);

CREATE INDEX wallets_paid ON postings (source, id) WHERE source LIKE 'wallet:%';
CREATE INDEX wallets_took ON postings (target, id) WHERE target LIKE 'wallet:%';

CREATE TABLE answers (
  person TEXT NOT NULL,
  request TEXT NOT NULL,
  asked {bytes} NOT NULL,
  answer {bytes} NOT NULL,
  PRIMARY KEY (person, request)
);

CREATE TABLE games (fingerprint TEXT PRIMARY KEY, content {bytes} NOT NULL);
CREATE TABLE snapshots (
  stream TEXT PRIMARY KEY, version BIGINT NOT NULL, schema TEXT NOT NULL, body {bytes} NOT NULL
);
CREATE TABLE sealed (name TEXT PRIMARY KEY, content {bytes} NOT NULL);
"""


class Summed(msgspec.Struct, frozen=True):
    """A table whose rows are proven by a checksum alone. The first `keys` columns are its key."""

    name: str
    columns: tuple[str, ...]
    keys: int = 1

    @property
    def key(self) -> str:
        return ", ".join(self.columns[: self.keys])

    def page(self, *, first: bool, most: int) -> str:
        """The first rows, or those after a key whose values are bound to `$1` and so on."""
        after = "" if first else f" WHERE ({self.key}) > ({', '.join(f'${n + 1}' for n in range(self.keys))})"
        return f"SELECT {', '.join(self.columns)}, checksum FROM {self.name}{after} ORDER BY {self.key} LIMIT {most}"


SUMMED = (
    Summed("answers", ("person", "request", "asked", "answer"), keys=2),
    Summed("snapshots", ("stream", "version", "schema", "body")),
    Summed("sealed", ("name", "content")),
)


_MOMENT = "(SELECT at FROM events WHERE events.stream = postings.stream AND events.version = postings.version)"
_LINE = f"SELECT id, stream, version, kind, source, target, amount, {_MOMENT} FROM postings"
STATEMENT = (
    f"{_LINE} WHERE source = $1 AND source LIKE 'wallet:%'"
    f" UNION ALL {_LINE} WHERE target = $1 AND target LIKE 'wallet:%' ORDER BY id DESC LIMIT $2"
)
"""The latest postings ($2) of a wallet ($1). The conditions match the partial indexes, so that those are used."""

STRAY = (
    "SELECT stream, version FROM events WHERE version < 1 OR stream NOT IN (SELECT stream FROM streams)"
    " ORDER BY stream, version LIMIT 1"
)
"""An event that reading its stream does not reach."""


def latest() -> int:
    """The schema that this version writes."""
    return 1 + len(STEPS)


def steps_from(said: object) -> list[str]:
    """The steps from that schema to the current one. A store of a later version is refused and left unchanged. A store
    without a schema version is damaged or belongs to another application."""
    if not isinstance(said, str) or not said.isdecimal() or int(said) < 1:
        raise StoreFailed(Failed.STORAGE, f"the store does not say which schema it has: {said!r}")
    schema = int(said)
    if schema > latest():
        known = f"the store has schema {schema}, this program knows {latest()}"
        raise StoreFailed(Failed.STORAGE, f"{known}: use the program that wrote it, or a later one")
    return STEPS[schema - 1 :]


def statements(text: str, *, bytes: str, serial: str) -> list[str]:
    """Split a text into statements, with the types of one engine."""
    written = text.format(bytes=bytes, serial=serial)
    return [one for one in (part.strip() for part in written.split(";\n")) if one]
