"""The ASGI application: headers of every response, allowed origins, static files and the live path.

Live connections go directly to the live server, everything else to the routes.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import msgspec
from starlette.responses import Response

from puntobanco.house.operations.settings import is_loopback
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.web.http.caller import cookies_of, identity_of, language_of, slot_of, token_of
from puntobanco.web.http.refusals import PROBLEM, problem
from puntobanco.web.http.static_files import Headers, Pages
from puntobanco.web.live.session import LiveServer
from puntobanco.web.server.uvicorn_protocols import CALLER, HttpProtocol
from puntobanco.web.services import Services

Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

CONTENT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
)
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=63072000; includeSubDomains")
WATCHED = frozenset({"/health/live", "/health/ready", "/metrics"})


class AsgiApplication:
    """The ASGI application that uvicorn runs."""

    def __init__(self, services: Services, live: LiveServer, operations: App, origins: frozenset[str]) -> None:
        """`origins`: the origins of the house's own pages."""
        self.services, self.live, self.operations, self.origins = services, live, operations, origins
        self._hosts = {urlsplit(origin).netloc for origin in origins}
        self._pages = Pages()
        self._headers = (*HEADERS, STRICT_TRANSPORT) if services.secure else HEADERS

    def prepare(self) -> None:
        """Load at the start what is loaded once, so that the first request does not delay others."""
        for language in library.LANGUAGES:
            library.sentences(language)
        self._pages.read()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if self._is_early(scope, headers):
            await self._refuse_early(scope, receive, send, headers)
        elif not self._is_ours(headers.get(b"host", ""), scope["path"]):
            await self._refuse(scope, receive, send, 421)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send, headers)
        elif (page := self._pages(scope["method"], scope["path"], _names(headers))) is not None:
            await page(scope, receive, self._dressed(send))
        else:
            await self.operations(scope, receive, self._dressed(send))

    # ---- too fast ------------------------------------------------------------------------------------------------

    def _is_early(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        """Whether the caller has exceeded a rate limit. Checked before anything else."""
        admission, path = self.services.admission, scope["path"]
        caller = admission.caller(path, headers.get(b"cookie", ""), scope["client"][0] if scope.get("client") else "")
        if (line := _line_of(scope)) is not None:
            line.called_by(caller)
        early = admission.early(caller, path, watched=path in WATCHED)
        if early is not None:
            admission.refused(early)
        return early is not None

    async def _refuse_early(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, str]) -> None:
        """Refuse with 429. A caller who continues on the same connection is disconnected."""
        line = _line_of(scope)
        more = {"retry-after": "1", "content-type": PROBLEM}
        if line is not None and line.refused() and scope["type"] == "http":
            more["connection"] = "close"
        told = problem(Refused(Reason.TOO_FAST), library.sentences(language_of(headers.get(b"accept-language", ""))))
        await self._refuse(scope, receive, send, 429, more, msgspec.json.encode(told))

    def _is_ours(self, host: str, path: str) -> bool:
        """Whether the host is one of this house, which prevents DNS rebinding. Monitoring on the same machine may use
        the address."""
        return host in self._hosts or (path in WATCHED and is_loopback(_name_of(host)))

    def _dressed(self, send: Send) -> Send:
        async def dressed(message: Any) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        return dressed

    # ---- live ----------------------------------------------------------------------------------------------------

    async def _connect(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, str]) -> None:
        """Accept a live connection only from a page of this house, and only with the session cookie of that slot."""
        slot = _live_slot(scope["path"])
        if slot is None or headers.get(b"origin") not in self.origins:
            await self._refuse(scope, receive, send, 403)
            return
        token = token_of(cookies_of(headers.get(b"cookie", "")), slot, secure=self.services.secure)
        address = scope["client"][0] if scope.get("client") else ""
        language = _language(scope, headers)
        who = identity_of(self.services.identity.sessions, token, slot, address, language)
        if who is None or self.services.known(who.person) is None:
            await self._refuse(scope, receive, send, 401)
        elif not self.live.has_room(who.person):
            await self._refuse(scope, receive, send, 429)
        else:
            await self.live.serve(scope, receive, send, who)

    async def _refuse(
        self, scope: Scope, receive: Receive, send: Send, status: int, more: Headers | None = None, body: bytes = b""
    ) -> None:
        """Refuse before anything is accepted. A live connection gets the status of its handshake."""
        await Response(body, status, more)(scope, receive, self._dressed(send))


def _line_of(scope: Scope) -> HttpProtocol | None:
    """The connection of the request, if uvicorn runs with the protocols of this package."""
    found: HttpProtocol | None = scope.get("state", {}).get(CALLER)
    return found


def _names(headers: dict[bytes, str]) -> dict[str, str]:
    return {name.decode("latin-1"): value for name, value in headers.items()}


def _name_of(host: str) -> str:
    """The host without the port; empty if it cannot be parsed."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _live_slot(path: str) -> int | None:
    parts = path.split("/")
    return slot_of(parts[2]) if len(parts) == 5 and parts[1] == "u" and parts[3:] == ["api", "live"] else None


def _language(scope: Scope, headers: dict[bytes, str]) -> str:
    """The language from the query, because a script cannot set the header of a live connection; otherwise from the
    header."""
    query: bytes = scope.get("query_string", b"")
    if query.startswith(b"language="):
        return language_of(query[len(b"language=") :].decode("latin-1"))
    return language_of(headers.get(b"accept-language", ""))
