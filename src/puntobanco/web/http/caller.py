"""The caller of a request: the session found by the cookie of the slot in the path.

Each browser tab may have its own identity: `/u/3/...` uses the cookie of slot 3. The cookie does not name a person; it
is a random token of which the house knows the hash.
"""

import re
from collections.abc import Mapping

import msgspec

from puntobanco.house.identity.sessions import Session, Sessions
from puntobanco.rules.library import LANGUAGES

SLOTS = 100
"""How many identities one browser may hold side by side."""
HEADER = "x-puntobanco"
"""A header no other site's page can send without being asked first: required on whatever changes something."""
_COOKIE = re.compile(r"(?:^|;)[ \t]*((?:__Host-)?puntobanco-\d{1,2})=([\w-]+)(?=[ \t]*(?:;|$))", re.ASCII)

_TRADITIONAL = re.compile(r"^zh-(?!hans\b)(.*-)?(hant|tw|hk|mo)\b")
"""Chinese of Taiwan, Hong Kong and Macau is written in traditional characters, unless the tag says otherwise."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    session: str
    slot: int
    address: str
    language: str


def cookie_name(slot: int, *, secure: bool) -> str:
    """With the prefix `__Host-`, a browser accepts the cookie only over TLS, for this host and for every path."""
    return f"__Host-puntobanco-{slot}" if secure else f"puntobanco-{slot}"


def set_cookie(slot: int, token: str, *, secure: bool) -> str:
    """A session cookie: it ends with the browser, or earlier with the session. An empty token deletes it."""
    gone = "" if token else "; Max-Age=0"
    return f"{cookie_name(slot, secure=secure)}={token}; Path=/; HttpOnly; SameSite=Strict{gone}" + (
        "; Secure" if secure else ""
    )


def cookies_of(header: str) -> dict[str, str]:
    """The cookies of this house. Others are not parsed: there may be many, in any form."""
    return dict(_COOKIE.findall(header))


def token_of(cookies: Mapping[str, str], slot: int, *, secure: bool) -> str:
    return cookies.get(cookie_name(slot, secure=secure), "")


def slot_of(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else None


def language_of(accepted: str) -> str:
    """The first accepted language that the house has."""
    for wanted in accepted.split(","):
        tag = wanted.split(";")[0].strip().lower()
        if tag[:2] == "zh":
            return "zh-Hant" if _TRADITIONAL.search(tag) else "zh"
        if tag[:2] in LANGUAGES:
            return tag[:2]
    return LANGUAGES[0]


def identity_of(sessions: Sessions, token: str, slot: int, address: str, language: str) -> Identity | None:
    """The identity, if the token is valid and was issued for this slot."""
    session: Session | None = sessions.find(token) if token else None
    if session is None or session.slot != slot:
        return None
    return Identity(person=session.person, session=session.id, slot=slot, address=address, language=language)
