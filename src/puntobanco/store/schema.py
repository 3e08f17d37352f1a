"""The tables, the same in both engines but for the names of types, and the invariants they hold by themselves."""

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
