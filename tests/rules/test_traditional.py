"""Traditional Chinese: derived from the simplified texts, complete, and the same from the house and on the screens."""

import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from docs import traditional as derived
from puntobanco.cli.main import app
from puntobanco.rules import library
from puntobanco.rules.han import SIMPLIFIED, TRADITIONAL
from puntobanco.rules.library import sentences
from puntobanco.rules.traditional import in_language, traditional
from puntobanco.web.http.caller import language_of


@pytest.mark.parametrize("path", derived.FILES, ids=lambda path: path.name)
def test_the_generated_files_are_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == derived.FILES[path](), "run 'make docs'"


def test_the_table_writes_every_text_of_ours_as_it_was_derived() -> None:
    texts = derived.texts()
    assert len(texts) > 2_000
    assert {text: traditional(text) for text in texts} == {text: derived.traditional(text) for text in texts}


def test_no_traditional_sentence_has_a_simplified_character() -> None:
    simplified = set(SIMPLIFIED) - set(TRADITIONAL) - set("台里后余只准布")
    for table in sentences("zh-Hant").table.values():
        for text in table.values():
            assert not simplified & set(text), text


def test_traditional_sentences_name_bets_in_traditional_characters() -> None:
    bet = library.game("insurance").bet("banker_insurance", None).title
    assert [bet.said(language) for language in library.LANGUAGES] == ["Banker Insurance", "庄保险", "莊保險"]
    assert "莊保險" in sentences("zh-Hant").say("refusal", "not_offered", bet=bet, window="")


def test_a_summary_of_a_paragraph_is_read_in_each_language() -> None:
    paragraph = next(iter(library.rulebook("wu-song").values()))
    assert paragraph.said("zh-Hant") == traditional(paragraph.zh) == in_language("zh-Hant", en="", zh=paragraph.zh)


def test_the_command_line_speaks_traditional_chinese() -> None:
    told = CliRunner().invoke(app, ["paytable", "insurance", "--lang", "zh-Hant"]).output
    assert "賠率" in told
    assert "莊保險" in told


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-TW", "zh-Hant"), ("zh-HK,zh;q=0.9", "zh-Hant"), ("zh-MO", "zh-Hant"), ("zh-Hant", "zh-Hant"),
        ("fr, zh-hant-mo;q=0.5, en", "zh-Hant"), ("zh-CN", "zh"), ("zh", "zh"), ("zh-SG", "zh"), ("zh-Hans-HK", "zh"),
        ("en-GB,zh-TW", "en"), ("fr", "en"), ("", "en"),
    ],
)  # fmt: skip
def test_a_browser_gets_the_script_of_its_region(accepted: str, language: str) -> None:
    assert language_of(accepted) == language


def test_a_phrase_of_the_glossary_wins_over_the_general_conversion() -> None:
    overrides = tomllib.loads((derived.SENTENCES / "glossary.toml").read_text(encoding="utf-8"))["traditional"]
    assert {one: derived.traditional(one) for one in overrides} == overrides
    assert not re.search("[“”]", derived.sentences())
