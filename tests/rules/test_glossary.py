"""One glossary for the sentences, the screens and the summaries of paragraphs: a term has one word in each language,
and old words are gone, from the documentation as well."""

import re
import tomllib
from pathlib import Path

import pytest
from docs.screen_words import screen_words

from puntobanco.rules import library
from puntobanco.rules.library import sentences
from puntobanco.rules.traditional import traditional

GLOSSARY = tomllib.loads((Path(library.__file__).parent / "sentences" / "glossary.toml").read_text(encoding="utf-8"))
TERMS = sorted(((word, term) for term in GLOSSARY["term"] for word in term["en"]), key=lambda one: -len(one[0]))
EXCEPTIONS = {(one["text"], one["en"]): one["reason"] for one in GLOSSARY["exception"]}
TEXTS = [
    *(
        (f"{section}.{key}", text, sentences("zh").table[section][key])
        for section, table in sentences("en").table.items()
        for key, text in table.items()
    ),
    *screen_words(),
    *(
        (f"{game} {number}", paragraph.en, paragraph.zh)
        for game in library.GAMES
        for number, paragraph in library.rulebook(game).items()
    ),
]


def terms_in(text: str) -> list[tuple[str, dict[str, list[str]]]]:
    """The terms of an English text, the longest first: "Pit Supervisor" is not "pit" as well."""
    found, left = [], re.sub(r"\{[^}]*\}", "", text)
    for word, term in TERMS:
        rest = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", "", left, flags=re.IGNORECASE)
        if rest != left:
            found.append((word, term))
        left = rest
    return found


def wrong(place: str, en: str, zh: str) -> list[str]:
    """What in a text does not agree with the glossary."""
    missing = [
        f"{word}: {term['zh'][0]}"
        for word, term in terms_in(en)
        if not any(one in zh for one in term["zh"]) and (place, word) not in EXCEPTIONS
    ]
    old = [f"{one}: {right}" for one, right in GLOSSARY["wrong"]["zh"].items() if one in zh]
    old += [f"{one}: {right}" for one, right in GLOSSARY["wrong"]["en"].items() if one.lower() in en.lower()]
    return missing + old


def test_every_text_uses_the_words_of_the_glossary() -> None:
    assert len(TEXTS) > 2_000
    found = {f"{place}: {en} | {zh}": faults for place, en, zh in TEXTS if (faults := wrong(place, en, zh))}
    assert found == {}


@pytest.mark.parametrize(
    ("en", "zh", "faults"),
    [
        ("Box {box} is taken and paid", "{box} 号投注格已收付", []),
        ("Box {box}", "{box} 号箱", ["box: 投注格"]),
        ("Pit Supervisor", "监场", []),
        ("the pit", "监场", ["pit: 巡场"]),
        ("Report it", "报告违规", ["违规: 异常"]),
        ("Silence goes on", "继续", ["silence: no choice"]),
        ("boxing {box}", "拳击 {box}", []),
    ],
)
def test_a_word_that_is_not_in_the_glossary_is_found(en: str, zh: str, faults: list[str]) -> None:
    assert wrong("nowhere", en, zh) == faults


def test_every_traditional_text_uses_the_traditional_words_of_the_glossary() -> None:
    for place, en, zh in TEXTS:
        for word, term in terms_in(en):
            written = traditional(zh)
            assert any(one in written for one in term["zh-Hant"]) or (place, word) in EXCEPTIONS, f"{place}: {written}"


def test_a_word_has_one_entry_and_no_entry_is_a_wrong_word() -> None:
    words = [word.lower() for word, _ in TERMS]
    assert len(words) == len(set(words))
    for _, term in TERMS:
        assert not any(old in one for one in term["zh"] for old in GLOSSARY["wrong"]["zh"])


ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "scenarios").rglob("*.toml"))]


RULINGS = {"silence", "Readings"}
"""Rulings say what a player's silence means, and which reading of a document was taken."""


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_no_page_uses_a_word_that_is_gone(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    gone = {*GLOSSARY["wrong"]["zh"], *GLOSSARY["wrong"]["en"]} - RULINGS
    assert [old for old in gone if old.lower() in text.lower()] == []


def test_every_exception_is_needed_and_gives_its_reason() -> None:
    texts = {place: (en, zh) for place, en, zh in TEXTS}
    for (place, word), reason in EXCEPTIONS.items():
        en, zh = texts[place]
        assert reason
        assert any(found == word and not any(one in zh for one in term["zh"]) for found, term in terms_in(en))
