"""A long run of random commands with every invariant checked; each table has a seed of its own that reproduces it."""

import random
import sys
import time

from tests.table.test_random_commands import FELTS, conclude, play, table

COMMANDS_EACH = 1_000


def main(commands: int = 1_000_000) -> None:
    started, done = time.perf_counter(), 0
    tables = max(1, commands // COMMANDS_EACH)
    for seed in range(tables):
        rng = random.Random(seed)
        kind = seed // len(FELTS)
        pit = table(FELTS[seed % len(FELTS)], face_down=bool(kind % 2), automatic=bool(kind // 2 % 2))
        try:
            play(pit, rng, COMMANDS_EACH)
            conclude(pit, rng)
        except AssertionError:
            print(f"\nseed {seed}, {FELTS[seed % len(FELTS)]}", file=sys.stderr)
            raise
        except KeyboardInterrupt:
            print(f"\ninterrupted: {done:,} commands held")
            return
        done += COMMANDS_EACH
        rate = done / (time.perf_counter() - started)
        left = (commands - done) / rate
        print(f"\r{done:,} of {commands:,} commands, {rate:,.0f} /s, {left:,.0f} s left ", end="", file=sys.stderr)
    print(f"\n{done:,} commands, {tables:,} tables: every invariant held")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
