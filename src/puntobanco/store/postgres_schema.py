"""What PostgreSQL has beside the tables: triggers that repeat the invariants, and the function that writes a batch.

The tables are in `schema.py`, which both engines share.
"""

TRIGGERS = (
    """
    CREATE FUNCTION stakes_equal_open_bets() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF new.in_play <> coalesce((SELECT amount FROM balances WHERE account = 'stakes:' || new.stream), 0) THEN
        RAISE EXCEPTION 'stakes in play are not the open bets' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN new;
    END $$""",
    """
    CREATE FUNCTION is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% are never changed or removed', tg_table_name
        USING ERRCODE = 'integrity_constraint_violation';
    END $$""",
    """
    CREATE TRIGGER stakes_equal_open_bets BEFORE UPDATE OF version ON streams
    FOR EACH ROW EXECUTE FUNCTION stakes_equal_open_bets()""",
    "CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION is_kept()",
    "CREATE TRIGGER events_are_kept BEFORE TRUNCATE ON events EXECUTE FUNCTION is_kept()",
    "CREATE TRIGGER postings_stay BEFORE UPDATE OR DELETE ON postings FOR EACH ROW EXECUTE FUNCTION is_kept()",
    "CREATE TRIGGER postings_are_kept BEFORE TRUNCATE ON postings EXECUTE FUNCTION is_kept()",
)

WRITE_BATCH = """
CREATE OR REPLACE FUNCTION write_batch_1(
  streams_ text[], epochs bigint[], expected bigint[], versions bigint[], heads bytea[], in_plays bigint[],
  accounts text[], changes bigint[], needed bigint[],
  event_streams text[], event_versions bigint[], event_epochs bigint[], kinds text[], moments bigint[],
  bodies bytea[], hashes bytea[],
  posting_streams text[], posting_versions bigint[], posting_kinds text[], sources text[], targets text[],
  amounts bigint[],
  people text[], requests text[], asked_ bytea[], answers_ bytea[], checksums bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM streams WHERE stream = ANY (streams_) ORDER BY stream FOR UPDATE;
  IF (SELECT count(*) FROM unnest(streams_, epochs, expected) AS planned (stream, epoch, version)
      JOIN streams USING (stream, epoch, version)) <> cardinality(streams_) THEN
    RAISE EXCEPTION 'a stream has moved' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF cardinality(accounts) > 0 THEN
    INSERT INTO balances (account, amount) SELECT account, 0 FROM unnest(accounts) AS account ON CONFLICT DO NOTHING;
    PERFORM FROM balances WHERE account = ANY (accounts) ORDER BY account FOR UPDATE;
    IF EXISTS (SELECT FROM unnest(accounts, needed) AS planned (account, least)
               JOIN balances USING (account) WHERE amount < least) THEN
      RAISE EXCEPTION 'a balance would be negative' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE balances SET amount = amount + change
      FROM unnest(accounts, changes) AS planned (name, change) WHERE account = name;
  END IF;
  INSERT INTO events (stream, version, epoch, kind, at, body, hash)
    SELECT * FROM unnest(event_streams, event_versions, event_epochs, kinds, moments, bodies, hashes);
  INSERT INTO postings (stream, version, kind, source, target, amount)
    SELECT * FROM unnest(posting_streams, posting_versions, posting_kinds, sources, targets, amounts);
  INSERT INTO answers (person, request, asked, answer, checksum)
    SELECT * FROM unnest(people, requests, asked_, answers_, checksums);
  UPDATE streams SET version = planned.version, head = planned.head, in_play = planned.in_play
    FROM unnest(streams_, versions, heads, in_plays) AS planned (stream, version, head, in_play)
    WHERE streams.stream = planned.stream;
END $$"""
"""Writes a planned batch in one round trip. A plan whose assumptions do not hold is refused as a whole. Its name has a
number: during an upgrade, two versions of the program use one database."""
