"""HTTP below the operations: the address, the headers of a request, and refusals, which are raised as `Refused`."""

from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec

from puntobanco.protocol.answers import Problem
from puntobanco.rules.refusal import Refused

Result = TypeVar("Result")
PATIENCE = 30.0


class Transport:
    def __init__(self, url: str, *, slot: int = 0, language: str = "en", http: httpx.AsyncClient | None = None) -> None:
        self.url, self.slot, self.language = url.rstrip("/"), slot, language
        self.http = http or httpx.AsyncClient(timeout=PATIENCE)
        self._base = f"{self.url}/u/{slot}/api"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.aclose()

    async def _call(
        self,
        gives: type[Result],
        method: str,
        *path: str | int,
        query: dict[str, str | int | None] | None = None,
        body: msgspec.Struct | None = None,
    ) -> Result:
        """Send a request and decode its answer. Query parameters that are None are left out."""
        headers = {"accept-language": self.language}
        if method != "GET":
            headers |= {"x-puntobanco": "1", "content-type": "application/json"}
        answer = await self.http.request(
            method,
            self._base + "".join(f"/{quote(str(part), safe='')}" for part in path),
            params={name: value for name, value in (query or {}).items() if value is not None} or None,
            content=msgspec.json.encode(body) if body is not None else b"",
            headers=headers,
        )
        if answer.headers.get("content-type", "").startswith("application/problem+json"):
            raise Refused.of(msgspec.json.decode(answer.content, type=Problem))
        answer.raise_for_status()
        return msgspec.json.decode(answer.content, type=gives)


def new_request() -> str:
    """A request id that nobody has used."""
    return uuid4().hex
