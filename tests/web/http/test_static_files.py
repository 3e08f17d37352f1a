"""Pages are asked for anew, what they refer to never again, and nothing else is given away."""

import gzip
import os
from pathlib import Path

import pytest
from starlette.responses import Response

from puntobanco import web
from puntobanco.web.http.static_files import ASK_AGAIN, BUILT, FOREVER, Pages

INDEX = b"<!doctype html><title>puntobanco</title>"
SCRIPT = b"console.log('a screen')" * 40


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_bytes(INDEX)
    (tmp_path / "assets" / "index-1a2b.js").write_bytes(SCRIPT)
    (tmp_path / "assets" / "index-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT, mtime=0))
    (tmp_path / "assets" / "index-1a2b.js.br").write_bytes(b"brotli")
    (tmp_path / "favicon.svg").write_bytes(b"<svg/>")
    return Pages(tmp_path)


def got(pages: Pages, path: str, **headers: str) -> Response:
    page = pages("GET", path, {name.replace("_", "-"): value for name, value in headers.items()})
    assert page is not None, path
    return page


def test_the_front_door_leads_to_the_first_identity(pages: Pages) -> None:
    page = got(pages, "/")
    assert (page.status_code, page.headers["location"]) == (307, "/u/0/")


@pytest.mark.parametrize("path", ["/u/0/", "/u/7", "/u/99/table/wu-song-1", "/u/3/apiary"])
def test_every_path_of_an_identity_is_the_page_and_is_asked_for_anew(pages: Pages, path: str) -> None:
    page = got(pages, path)
    assert (page.status_code, page.body, page.headers["cache-control"]) == (200, INDEX, ASK_AGAIN)
    again = got(pages, path, if_none_match=page.headers["etag"])
    assert (again.status_code, again.body) == (304, b"")


@pytest.mark.parametrize(
    "path",
    ["/u/3/api/me", "/u/3/api", "/u/100/", "/u/x/", "/u", "/assets/none.js", "/assets/../index.html", "/index.html",
     "/assets/index-1a2b.js.gz", "/openapi.json", "/asyncapi.json", "//etc/passwd"],
)  # fmt: skip
def test_nothing_else_is_a_page(pages: Pages, path: str) -> None:
    assert pages("GET", path, {}) is None


def test_nothing_is_changed_by_asking(pages: Pages) -> None:
    assert pages("POST", "/u/0/", {}) is None


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [
        ("gzip, deflate, br", "br", b"brotli"),
        ("gzip", "gzip", gzip.compress(SCRIPT, mtime=0)),
        ("br;q=0, gzip;q=0.5", "gzip", gzip.compress(SCRIPT, mtime=0)),
        ("identity", None, SCRIPT),
        ("", None, SCRIPT),
    ],
)
def test_what_carries_its_digest_is_kept_forever_in_the_best_coding(
    pages: Pages, accepted: str, coding: str | None, body: bytes
) -> None:
    page = got(pages, "/assets/index-1a2b.js", accept_encoding=accepted)
    assert page.headers["cache-control"] == FOREVER
    assert page.headers.get("content-encoding") == coding
    assert page.headers["vary"] == "accept-encoding"
    assert page.body[:3] == body[:3]


def test_a_file_without_a_digest_is_asked_for_anew(pages: Pages) -> None:
    page = got(pages, "/favicon.svg")
    assert (page.headers["content-type"], page.headers["cache-control"]) == ("image/svg+xml", ASK_AGAIN)


def test_screens_that_were_not_built_are_said_to_be(tmp_path: Path) -> None:
    page = got(Pages(tmp_path), "/u/0/")
    assert page.status_code == 503
    assert b"make ui" in page.body


def test_screens_that_are_built_anew_are_read_anew(pages: Pages, tmp_path: Path) -> None:
    got(pages, "/u/0/")
    (tmp_path / "index.html").write_bytes(b"<!doctype html>new")
    os.utime(tmp_path / "index.html", ns=(1, 1))
    assert got(pages, "/u/0/").body == b"<!doctype html>new"


def test_the_api_is_not_looked_for_among_the_files(pages: Pages) -> None:
    assert pages("GET", "/u/1/api/me", {}) is None
    assert pages._as_of == -1, "nothing was read"


def test_the_screens_are_looked_for_where_they_are_built() -> None:
    assert Path(web.__path__[0]) / "static" == BUILT
