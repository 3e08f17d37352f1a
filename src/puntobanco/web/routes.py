"""Routing: read each request, find its session, check who may call, then call the handler."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from puntobanco.house.journal.calling import sentences_for
from puntobanco.house.operations.log import logger
from puntobanco.house.tables.idempotency import check_request
from puntobanco.protocol.administration import Health
from puntobanco.protocol.answers import Problem
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules import library
from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import StoreFailed
from puntobanco.web.handlers import (
    administration,
    alerts,
    consequence,
    disputes,
    money,
    monitoring,
    odds,
    preview,
    queue,
    sign_in,
    tables,
)
from puntobanco.web.http import asyncapi, openapi
from puntobanco.web.http.caller import (
    HEADER,
    Identity,
    cookies_of,
    identity_of,
    language_of,
    set_cookie,
    slot_of,
    token_of,
)
from puntobanco.web.http.operations import ANYONE, OPERATIONS, Operation, Reply, read_body, read_query
from puntobanco.web.http.refusals import PROBLEM, problem
from puntobanco.web.services import Call, Services

PARTS = (sign_in, tables, money, administration, consequence, disputes, alerts, preview, queue, odds, monitoring)
"""The modules that declare operations."""
Handle = Callable[[Request], Awaitable[Response]]


def application(services: Services, origins: frozenset[str]) -> Starlette:
    """Routes for every declared operation and for monitoring. `origins`: the origins of the house's own pages."""
    routes = [_operation_route(services, one, origins) for one in OPERATIONS]
    app = Starlette(routes=[*routes, *_plain_routes(services)], exception_handlers={HTTPException: _unanswered})
    app.router.redirect_slashes = False
    return app


def _route(path: str, method: str, handle: Handle) -> Route:
    """Exactly that method and path: Starlette would add `HEAD` to `GET`, and accept a newline after the path."""
    route = Route(path, handle, methods=[method])
    route.methods, route.path_regex = {method}, re.compile(route.path_regex.pattern.removesuffix("$") + r"\Z")
    return route


def _operation_route(services: Services, one: Operation, origins: frozenset[str]) -> Route:
    async def handle(request: Request) -> Response:
        said = library.sentences(_language(request))
        try:
            slot = _slot(request)
            token = token_of(cookies_of(request.headers.get("cookie", "")), slot, secure=services.secure)
            who = identity_of(services.identity.sessions, token, slot, _address(request), said.language)
            if who is not None:
                said = sentences_for(services.house.journal, who.person, said.language)
            return _given(services, await _heard(services, one, request, slot, token, who, said, origins), slot)
        except Refused as refused:
            return _refused(problem(refused, said))
        except StoreFailed as failed:
            logger("web").error("the store failed", operation=one.name, why=str(failed))
            return _refused(problem(Refused(Reason.FAILED), said), status=503)
        except HTTPException:
            raise
        except Exception as error:  # nothing is told of it but that it was a fault of ours
            logger("web").error("a request failed", path=request.url.path, exc_info=error)
            return _refused(problem(Refused(Reason.FAILED), said), status=500)

    return _route(f"/u/{{slot}}/api{one.path}", one.method, handle)


async def _heard(
    services: Services, one: Operation, request: Request, slot: int, token: str, who: Identity | None, said: Sentences,
    origins: frozenset[str],
) -> Any:  # fmt: skip
    if one.changes:
        _check_page(request, origins)
    if one.who is not None:
        if who is None:
            raise Refused(Reason.SESSION_OVER)
        await _check_right(services, one, who, request.path_params)
        if one.long and services.admission.is_long_early(who.person):
            raise Refused(Reason.TOO_FAST)
        await services.identity.sessions.touch(who.session)
    body = None
    if one.takes is not None:
        body = read_body(await _body(request, one.largest), one.takes)
        if hasattr(body, "request"):
            check_request(body.request)
    asked = Call(
        services=services,
        who=who,
        slot=slot,
        path=request.path_params,
        query=read_query(list(request.query_params.multi_items()), one.query) if one.query is not None else None,
        body=body,
        said=said,
        address=_address(request),
        agent=request.headers.get("user-agent", ""),
        token=token,
    )
    return await one.handler(asked)


async def _body(request: Request, largest: int) -> bytes:
    """Read the body. One that is too large is refused before all of it is read, or at once if its length is
    announced."""
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > largest:
        raise HTTPException(413)
    content = b""
    try:
        async for piece in request.stream():
            content += piece
            if len(content) > largest:
                raise HTTPException(413)
    except ClientDisconnect:
        raise Refused(Reason.COMMAND_MALFORMED, why="client disconnected prematurely") from None
    return content


def _slot(request: Request) -> int:
    slot = slot_of(request.path_params["slot"])
    if slot is None:
        raise Refused(Reason.NOT_FOUND)
    return slot


def _check_page(request: Request, origins: frozenset[str]) -> None:
    """Only pages of this house, and programs that send the header, may change anything: this prevents cross-site
    request forgery."""
    origin = request.headers.get("origin")
    if request.headers.get(HEADER) != "1" or (origin is not None and origin not in origins):
        raise Refused(Reason.FOREIGN_PAGE)
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(Reason.NOT_JSON)


async def _check_right(services: Services, one: Operation, who: Identity, path: dict[str, Any]) -> None:
    """Check the post at the table in the path, or without a table the post in the house. A post at one table counts
    elsewhere only if the operation checks the place itself (`anywhere`)."""
    assert one.who is not None, "asked only where somebody is named"
    person = services.house.person(who.person)
    if "table" in path:
        posts: frozenset[Post | None] = frozenset({services.house.post(who.person, str(path["table"]))})
    else:
        posts = person.posts if one.anywhere else frozenset({person.post_at(HOUSE)})
    if not posts & one.who and ("table" in path or one.who != ANYONE):
        await services.house.denied(who.person, one.name, who.address)
        raise Refused(Reason.ACCESS_DENIED, what=one.summary)


# ---- answers -----------------------------------------------------------------------------------------------------


def _given(services: Services, found: Any, slot: int) -> Response:
    given = found if isinstance(found, Reply) else Reply(body=found)
    content = given.content if given.content is not None else msgspec.json.encode(given.body)
    headers = {"cache-control": "no-store"}
    if given.token is not None:
        headers["set-cookie"] = set_cookie(slot, given.token, secure=services.secure)
    return Response(content, media_type="application/json", headers=headers)


def _refused(found: Problem, status: int | None = None, more: Mapping[str, str] | None = None) -> Response:
    if status is not None:
        found = msgspec.structs.replace(found, status=status)
    headers = {"cache-control": "no-store", **(more or {})}
    if found.status == 429:
        headers["retry-after"] = str(found.parameters.get("seconds", 1))
    return Response(msgspec.json.encode(found), status_code=found.status, media_type=PROBLEM, headers=headers)


async def _unanswered(request: Request, error: Exception) -> Response:
    """An unknown path, a wrong method, or a body that is too large."""
    assert isinstance(error, HTTPException), "what it is registered for"
    known = error.status_code == 413
    told = Refused(Reason.COMMAND_MALFORMED, why=error.detail) if known else Refused(Reason.NOT_FOUND)
    return _refused(problem(told, library.sentences(_language(request))), error.status_code, error.headers)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _language(request: Request) -> str:
    return language_of(request.headers.get("accept-language", ""))


# ---- for those who watch -----------------------------------------------------------------------------------------


def _plain_routes(services: Services) -> list[Route]:
    async def live(request: Request) -> Response:  # noqa: ARG001 (the process answers)
        return Response(b'{"live":true}', media_type="application/json")

    async def ready(request: Request) -> Response:  # noqa: ARG001
        found = monitoring.health_of(services)
        content = msgspec.json.encode(
            Health(ready=found.ready, tables=found.tables, draining=found.draining, held=found.held)
        )
        return Response(content, status_code=200 if found.ready else 503, media_type="application/json")

    async def metrics(request: Request) -> Response:
        headers = request.headers
        return monitoring.figures(services, headers.get("authorization", ""), cookies_of(headers.get("cookie", "")))

    routes: dict[str, Handle] = {
        "/health/live": live,
        "/health/ready": ready,
        "/openapi.json": _document(openapi.written),
        "/asyncapi.json": _document(asyncapi.written),
        "/metrics": metrics,
    }
    return [_route(path, "GET", handle) for path, handle in routes.items()]


def _document(written: Callable[[], bytes]) -> Handle:
    """Serve a document that is generated at the first request: once, and in a thread, so that no table waits for it."""
    once = asyncio.Lock()

    async def described(request: Request) -> Response:  # noqa: ARG001
        async with once:
            content = await asyncio.to_thread(written)
        return Response(content, media_type="application/json")

    return described
