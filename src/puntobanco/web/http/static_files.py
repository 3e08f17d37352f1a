"""Static files: the built screens, served from memory.

A browser requests a page every time and gets 304 if it has not changed. The files that it refers to have a digest in
their names and never change. Compressed copies are written beside the files when the screens are built.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec
from starlette.responses import Response

from puntobanco.web.http.caller import slot_of

BUILT = Path(__file__).parents[1] / "static"
HOME = "/u/0/"
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
COMPRESSED = {".br": "br", ".gz": "gzip"}
"""The best first."""
NOT_BUILT = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>puntobanco</title>
<h1>The screens have not been built</h1>
<p>The house is open and its API answers. Run <code>make ui</code> (it needs Node.js 20), then load this page again.</p>
<h1 lang="zh">界面尚未构建</h1>
<p lang="zh">系统已运行，API 可用。请执行 <code>make ui</code>（需要 Node.js 20），然后重新载入本页。</p></html>
"""

Headers = dict[str, str]


class File(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    tag: str
    plain: bytes
    compressed: dict[str, bytes]
    """By the name of the coding."""
    forever: bool


class Pages:
    def __init__(self, built: Path = BUILT) -> None:
        self._built, self._as_of, self._files = built, -1, dict[str, File]()

    def __call__(self, method: str, path: str, headers: Headers) -> Response | None:
        """The page or file at the path; None if there is none."""
        if method not in ("GET", "HEAD"):
            return None
        if path == "/":
            return Response(status_code=307, headers={"location": HOME, "cache-control": ASK_AGAIN})
        if not _is_page(path):
            if path.startswith("/u/"):
                return None  # the API has no files
            file = self._files.get(path.removeprefix("/")) or self.read().get(path.removeprefix("/"))
            return _answered(file, headers) if file is not None and file.kind != KINDS[".html"] else None
        file = self.read().get("index.html")
        if file is None:
            return Response(NOT_BUILT, status_code=503, headers={"content-type": KINDS[".html"]})
        return _answered(file, headers)

    def read(self) -> dict[str, File]:
        """All built files, read again after a new build."""
        try:
            as_of = (self._built / "index.html").stat().st_mtime_ns
        except FileNotFoundError:
            return {}
        if as_of != self._as_of:
            self._files = dict(_files(self._built))
            self._as_of = as_of
        return self._files


def _is_page(path: str) -> bool:
    """`/u/3`, `/u/3/` and every path below it except the API."""
    parts = path.split("/")
    return len(parts) > 2 and parts[1] == "u" and slot_of(parts[2]) is not None and parts[3:4] != ["api"]


def _files(built: Path) -> Iterable[tuple[str, File]]:
    for path in sorted(built.rglob("*")):
        kind = KINDS.get(path.suffix)
        if kind is None or not path.is_file():
            continue
        plain = path.read_bytes()
        beside = {coding: path.with_name(path.name + ending) for ending, coding in COMPRESSED.items()}
        name = path.relative_to(built).as_posix()
        yield (
            name,
            File(
                kind=kind,
                tag=f'"{hashlib.sha256(plain).hexdigest()[:32]}"',
                plain=plain,
                compressed={coding: one.read_bytes() for coding, one in beside.items() if one.exists()},
                forever=name.startswith("assets/"),
            ),
        )


def _answered(file: File, asked: Headers) -> Response:
    coding = _coding(file, asked.get("accept-encoding", ""))
    tag = file.tag if not coding else f'{file.tag[:-1]}-{coding}"'
    headers = {
        "content-type": file.kind,
        "cache-control": FOREVER if file.forever else ASK_AGAIN,
        "etag": tag,
        "vary": "accept-encoding",
    }
    if tag in [one.strip().removeprefix("W/") for one in asked.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=headers)
    if coding:
        headers["content-encoding"] = coding
    return Response(file.compressed[coding] if coding else file.plain, headers=headers)


def _coding(file: File, accepted: str) -> str:
    """The best content coding that the client accepts; empty for none."""
    wanted = dict[str, bool]()
    for one in accepted.lower().split(","):
        name, _, quality = one.partition(";")
        wanted[name.strip()] = quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return next((coding for coding in file.compressed if wanted.get(coding, False)), "")
