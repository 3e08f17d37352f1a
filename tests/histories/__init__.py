"""Histories as each edition wrote them: events of every scenario and of random tables, with their stored kinds.

`python -m tests.histories` writes those of the current edition, once: what is kept stays as it was written. Run it at
the latest before the next edition is added, and never again for this one. If what it wrote is no longer proven, the
rules have come to decide something else, and that is another edition.
"""

import lzma
from pathlib import Path

import msgspec

HERE = Path(__file__).parent


class Kept(msgspec.Struct, frozen=True):
    name: str
    game: str
    fingerprint: str
    events: tuple[tuple[str, msgspec.Raw], ...]
    """The stored kind and body of each."""


def path(edition: int) -> Path:
    return HERE / f"edition-{edition}.jsonl.xz"


def kept(edition: int) -> list[Kept]:
    lines = lzma.decompress(path(edition).read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=Kept) for line in lines]
