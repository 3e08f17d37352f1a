"""What the search of the site looks through: the passages of every page, in one script, because a page that is opened
from a file may not fetch another one.

A passage is a section, or a row or an entry that has a place of its own: a paragraph of a document, a ruling, a type
of the API, a function.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec
from bs4 import BeautifulSoup, Tag

from docs.traditional import traditional

PLACES = "section[id], tr[id], tr:has([id]), dl:has(> dt[id])"
LEFT_OUT = ".headerlink, script, style, svg, .unsearched"
_HAN = re.compile("[\u3400-\u9fff]+")


class Passage(msgspec.Struct, frozen=True, array_like=True):
    """Where it is, and what it says."""

    page: str
    place: str
    """The anchor on the page, or nothing: the page from its beginning."""
    title: str
    heading: str
    text: str


def write(site: Path) -> None:
    found = [passage for page in _in_order(site) for passage in passages(page, site)]
    content = f"const PASSAGES = {_script(found)};\nconst SIMPLIFIED = {_script(simplified(found))};\n"
    (site / "_static" / "passages.js").write_text(content, encoding="utf-8")


def _script(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _in_order(site: Path) -> list[Path]:
    """The pages as the navigation lists them: of passages that fit equally well, the first page's come first."""
    home = site / "index.html"
    tree = BeautifulSoup(home.read_text(encoding="utf-8"), "html.parser").select(".sidebar-tree a[href]")
    listed = [home, *((site / str(link["href"]).partition("#")[0]) for link in tree)]
    return [page for page in dict.fromkeys(listed) if page.is_file()]


def passages(page: Path, site: Path) -> Iterator[Passage]:
    article = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").select_one("article")
    assert article is not None, page
    for left in article.select(LEFT_OUT):
        left.decompose()
    name, title = str(page.relative_to(site)), _said(article.select_one("h1"))
    places = {id(one): one for one in article.select(PLACES)}
    texts: defaultdict[int, list[str]] = defaultdict(list)
    for text in article.strings:
        nearest = next((id(one) for one in text.parents if id(one) in places), 0)
        texts[nearest].append(str(text))
    for one, said in texts.items():
        text = " ".join(" ".join(said).split())
        if one and text:
            yield Passage(name, _place(places[one]), title, _heading(places[one]), text)


def _place(one: Tag) -> str:
    if one.get("id"):
        return str(one["id"])
    inside = one.select_one("[id]")
    return str(inside["id"]) if inside is not None else ""


def _heading(one: Tag) -> str:
    return _place(one) if one.name == "dl" else _said(one.select_one("h1, h2, h3, h4, td"))


def _said(one: Tag | None) -> str:
    return " ".join(one.get_text(" ").split()) if one is not None else ""


def simplified(found: list[Passage]) -> dict[str, str]:
    """Each traditional character for which the pages write a simplified one."""
    pairs = dict[str, str]()
    for run in sorted({run for passage in found for run in _HAN.findall(passage.text)}):
        after = traditional(run)
        if len(after) == len(run):
            pairs |= {new: old for old, new in zip(run, after, strict=True) if old != new}
    return pairs
