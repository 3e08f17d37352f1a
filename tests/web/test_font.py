"""The font that is built with the screens has every Chinese character of our texts, and its licence is beside it."""

import io
import re
from pathlib import Path

import pytest
from docs.traditional import texts, traditional
from fontTools.ttLib import TTFont

from puntobanco.rules import library
from puntobanco.web.http.static_files import BUILT, Pages

CHINESE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
SMALL, LARGE = 15_000, 200_000
"""Bytes: what readers of English may fetch, and what readers of Chinese do."""


def characters(name: str) -> set[str]:
    font = TTFont(io.BytesIO(built(name).read_bytes()))
    return set(map(chr, font.getBestCmap()))


def built(name: str) -> Path:
    found = list((BUILT / "assets").glob(f"{name}-*.woff2"))
    assert len(found) == 1, "run 'make ui'"
    return found[0]


def used(said: list[str]) -> set[str]:
    return {one for text in said for form in (text, traditional(text)) for one in CHINESE.findall(form)}


def test_every_character_of_every_text_is_in_the_font() -> None:
    wanted = used(texts())
    assert len(wanted) > 900
    assert wanted <= characters("felt") | characters("han")


def test_what_readers_of_english_see_is_in_the_small_font() -> None:
    games = [library.game(key) for key in library.GAMES]
    titles = [*(game.title for game in games), *(bet.title for game in games for bet in game.bets)]
    signs = [*"閒庄和繁", *(one.zh for one in titles), *(one.felt or "" for one in titles)]
    assert used(signs) <= characters("felt")
    assert not characters("felt") & characters("han")


@pytest.mark.parametrize(("name", "most"), [("felt", SMALL), ("han", LARGE)])
def test_the_font_is_small(name: str, most: int) -> None:
    assert built(name).stat().st_size < most


def test_the_licence_of_the_font_is_served_beside_it() -> None:
    page = Pages()("GET", "/font-licence.txt", {})
    assert page is not None
    assert b"SIL Open Font License" in page.body
