"""Reads the texts of the screens: the words of every `area(en, zh)` below ui/src."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "ui" / "src"

_AREA = re.compile(r"= area(?:<[^(]*>)?\(\s*(?=\{)")
_WORD = re.compile(r"""\s*(?:(?P<name>\w+)|"(?P<quoted>[^"]+)"):\s*(?P<text>"(?:[^"\\]|\\.)*")\s*,?""")


def screen_words() -> Iterator[tuple[str, str, str]]:
    """Each text as (place, English, simplified Chinese); the place is its file and key."""
    for path in sorted((*SOURCES.rglob("*.ts"), *SOURCES.rglob("*.svelte"))):
        if path.name.endswith(".test.ts"):
            continue
        text = path.read_text(encoding="utf-8")
        for found in _AREA.finditer(text):
            en, end = _words(text, found.end(), path)
            zh, _ = _words(text, end, path)
            for key, said in en.items():
                yield f"{path.relative_to(SOURCES)} {key}", said, zh[key]


def _words(text: str, start: int, path: Path) -> tuple[dict[str, str], int]:
    """The object that begins here: names and texts, nothing else."""
    at = text.index("{", start) + 1
    words: dict[str, str] = {}
    while found := _WORD.match(text, at):
        words[found["name"] or found["quoted"]] = json.loads(found["text"])
        at = found.end()
    end = re.compile(r"\s*\}").match(text, at)
    assert end, f"{path}: cannot read the words near {text[at : at + 40]!r}"
    return words, end.end()
