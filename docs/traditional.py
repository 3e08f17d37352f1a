"""Writes traditional Chinese, derived from simplified by OpenCC and the glossary: the sentences, and the table with
which the house and the screens write titles and words that exist in simplified only; `make docs`."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap

from opencc import OpenCC

from docs.screen_words import SOURCES, screen_words
from puntobanco.rules import library

RULES = Path(library.__file__).parent
SENTENCES = RULES / "sentences"
TABLE_OF_HOUSE = RULES / "han.py"
TABLE_OF_SCREENS = SOURCES / "lib" / "words" / "han.ts"
GLOSSARY = tomllib.loads((SENTENCES / "glossary.toml").read_text(encoding="utf-8"))
OVERRIDES: dict[str, str] = GLOSSARY["traditional"]

_HAN = re.compile("[\u3400-\u9fff]")
_OVERRIDDEN = re.compile("(" + "|".join(sorted(map(re.escape, OVERRIDES), key=len, reverse=True)) + ")")
_LONGEST_PHRASE = 6


@cache
def _opencc() -> OpenCC:
    return OpenCC("s2hk")


@cache
def traditional(text: str) -> str:
    """A simplified text in traditional Chinese."""
    return "".join(after for _, after in _pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The text piece by piece: an overridden word, or a run between such words, which OpenCC keeps at its length."""
    for piece in filter(None, _OVERRIDDEN.split(text)):
        after = OVERRIDES.get(piece) or _opencc().convert(piece)
        assert piece in OVERRIDES or len(after) == len(piece), piece
        yield piece, after


# ---- every Chinese text of ours ----------------------------------------------------------------------------------


def texts() -> list[str]:
    """Every text in simplified Chinese: of the sentences, the screens, the games and their documents."""
    found = [text for table in library.sentences("zh").table.values() for text in table.values()]
    found += [zh for _, _, zh in screen_words()]
    for folder in ("games", "paragraphs"):
        for path in sorted((RULES / folder).glob("*.toml")):
            found += _chinese(tomllib.loads(path.read_text(encoding="utf-8")))
    for path in sorted((*SOURCES.rglob("*.ts"), *SOURCES.rglob("*.svelte"))):
        if path != TABLE_OF_SCREENS and not path.name.endswith(".test.ts"):
            found += re.findall("[\u3400-\u9fff]+", path.read_text(encoding="utf-8"))
    return sorted(set(found))


def _chinese(written: object) -> Iterator[str]:
    match written:
        case str():
            if _HAN.search(written):
                yield written
        case dict():
            for one in written.values():
                yield from _chinese(one)
        case list():
            for one in written:
                yield from _chinese(one)


# ---- the table ---------------------------------------------------------------------------------------------------


def table() -> tuple[dict[str, str], dict[str, str]]:
    """Characters and phrases that turn every text of ours into what `traditional` makes of it. A phrase is there for a
    word of the glossary, or where a character becomes another than it mostly does."""
    every = texts()
    seen: dict[str, Counter[str]] = {}
    for text in every:
        for piece, after in _pieces(text):
            if piece not in OVERRIDES:
                for one, other in zip(piece, after, strict=True):
                    seen.setdefault(one, Counter())[other] += 1
    mostly = {one: found.most_common(1)[0][0] for one, found in seen.items()}
    characters = {one: other for one, other in mostly.items() if one != other}
    phrases = {one: other for one, other in OVERRIDES.items() if any(one in text for text in every)}
    for text in every:
        for piece, after in _pieces(text):
            if piece not in OVERRIDES:
                for at, (one, other) in enumerate(zip(piece, after, strict=True)):
                    if mostly[one] != other:
                        start, end = _context(piece, after, at, every)
                        phrases[piece[start:end]] = after[start:end]
    return dict(sorted(characters.items())), dict(sorted(phrases.items()))


def _context(piece: str, after: str, at: int, every: list[str]) -> tuple[int, int]:
    """The shortest stretch around a character that always becomes the same."""
    for length in range(2, _LONGEST_PHRASE + 1):
        for start in range(min(at, len(piece) - length), max(0, at - length + 1) - 1, -1):
            stretch, wanted = piece[start : start + length], after[start : start + length]
            if _HAN.match(stretch) and all(_becomes(text, stretch, wanted) for text in every if stretch in text):
                return start, start + length
    raise AssertionError(f"no stretch of {piece} decides what becomes of {piece[at]}")


def _becomes(text: str, stretch: str, wanted: str) -> bool:
    return all(
        after[found.start() : found.end()] == wanted
        for piece, after in _pieces(text)
        for found in re.finditer(re.escape(stretch), piece)
    )


# ---- the files ---------------------------------------------------------------------------------------------------


def sentences() -> str:
    """zh-Hant.toml: zh.toml, line by line."""
    lines = (SENTENCES / "zh.toml").read_text(encoding="utf-8").splitlines()
    head = "# 給人看的文字，繁體中文。由 zh.toml 與 glossary.toml 產生（make docs），請勿手改。"
    return "\n".join([head, *(_line(one) for one in lines[1:])]) + "\n"


def _line(line: str) -> str:
    key, equals, text = line.partition(" = ")
    return f"{key}{equals}{traditional(text)}" if equals else line


def of_house() -> str:
    characters, phrases = table()
    return "\n".join(
        [
            '"""Simplified and traditional Chinese characters. Generated from the texts by `make docs`."""',
            "",
            "SIMPLIFIED = (",
            *(f'    "{row}"' for row in wrap("".join(characters), 50)),
            ")",
            "TRADITIONAL = (",
            *(f'    "{row}"' for row in wrap("".join(characters.values()), 50)),
            ")",
            "PHRASES = {",
            *(f'    "{one}": "{other}",' for one, other in phrases.items()),
            "}",
            "",
        ]
    )


def of_screens() -> str:
    characters, phrases = table()
    return "\n".join(
        [
            "// Generated from the texts by `make docs`; a test keeps it true.",
            f'export const SIMPLIFIED = "{"".join(characters)}"',
            f'export const TRADITIONAL = "{"".join(characters.values())}"',
            "export const PHRASES: { readonly [simplified: string]: string } = {",
            *(f'  "{one}": "{other}",' for one, other in phrases.items()),
            "}",
            "",
        ]
    )


FILES = {SENTENCES / "zh-Hant.toml": sentences, TABLE_OF_HOUSE: of_house, TABLE_OF_SCREENS: of_screens}


def main() -> None:
    for path, content in FILES.items():
        path.write_text(content(), encoding="utf-8")


if __name__ == "__main__":
    main()
