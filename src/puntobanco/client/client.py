"""One identity in a house: signing in, every operation of the API, and the live connection."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from puntobanco.client.live import Live
from puntobanco.client.operations import Operations
from puntobanco.protocol.sign_in import Enrolled, Me
from puntobanco.rules.refusal import Reason, Refusal, Refused

Codes = Callable[[Enrolled | None], Awaitable[str]]
"""Gives a code of the second factor; with what to set it up, the first time."""


class Client(Operations):
    """One identity in a house. `slot` is which of a browser's identities it would be: each has a cookie of its own."""

    async def enter(
        self, name: str, password: str, *, new_password: str | None = None, codes: Codes | None = None
    ) -> Me:
        """Sign in, whatever it takes: a one-time password is changed for the new one, and codes are asked for."""
        code: str | None = None
        chosen: str | None = None
        while True:
            try:
                entered = await self.sign_in(name, password, code=code, new_password=chosen)
            except Refused as refused:
                if refused.reason is Reason.PASSWORD_MUST_CHANGE and chosen is None and new_password is not None:
                    chosen = new_password
                elif refused.reason is Reason.SECOND_FACTOR_NEEDED and code is None and codes is not None:
                    code = await codes(None)
                else:
                    raise
                continue
            if entered.me is not None:
                return entered.me
            if entered.enrol is None or codes is None or code is not None:
                sentence = "A second factor has to be set up."
                raise Refused.of(Refusal(Reason.SECOND_FACTOR_NEEDED, sentence=sentence))
            code = await codes(entered.enrol)

    def live(self, **more: Any) -> Live:
        """A live connection of whoever is signed in; see `Live` for what it may be told."""
        address = f"{self._base}/live"
        parts = urlsplit(self.url)
        return Live(
            f"{'wss' if parts.scheme == 'https' else 'ws'}{address[len(parts.scheme) :]}?language={self.language}",
            origin=f"{parts.scheme}://{parts.netloc}",
            cookie=lambda: self.http.build_request("GET", address).headers.get("cookie", ""),
            **more,
        )
