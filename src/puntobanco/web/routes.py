"""The doors of the house: every request is read, its sender found, the right to it checked, and only then heard."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from litestar import Litestar, Request, Response
from litestar.config.app import AppConfig
from litestar.enums import HttpMethod
from litestar.exceptions import (
    HTTPException,
    InternalServerException,
    MethodNotAllowedException,
    NotFoundException,
)
from litestar.handlers import HTTPRouteHandler

from puntobanco.house.operations.log import logger
from puntobanco.house.tables.idempotency import check_request
from puntobanco.protocol.administration import Health
from puntobanco.protocol.answers import Problem
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import StoreFailed
from puntobanco.web.handlers import administration, disputes, money, monitoring, odds, preview, sign_in, tables
from puntobanco.web.http import openapi
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
from puntobanco.web.http.refusals import problem
from puntobanco.web.services import Call, Services

PARTS = (sign_in, tables, money, administration, disputes, preview, odds, monitoring)
"""The modules that declare operations."""
PROBLEM = "application/problem+json"
AnyRequest = Request[Any, Any, Any]


def application(services: Services, origins: Callable[[], frozenset[str]]) -> Litestar:
    """Routes for every declared operation, and for those who watch the house. `origins`: whose pages are ours."""
    handlers = [_route(services, one, origins) for one in OPERATIONS]
    return Litestar(
        route_handlers=[*handlers, *_plain_routes(services)],
        openapi_config=None,
        exception_handlers={Exception: _unforeseen},
        on_app_init=[_quiet],
    )


def _quiet(config: AppConfig) -> AppConfig:
    """Logging is the house's own, and so are its errors."""
    config.logging_config = None
    config.debug = False
    return config


def _route(services: Services, one: Operation, origins: Callable[[], frozenset[str]]) -> HTTPRouteHandler:
    async def handle(request: AnyRequest) -> Response[bytes]:
        language = language_of(request.headers.get("accept-language", ""))
        try:
            return _given(services, await _heard(services, one, request, language, origins), _slot(request))
        except Refused as refused:
            return _refused(problem(refused, language))
        except StoreFailed as failed:
            logger("web").error("the store failed", operation=one.name, why=str(failed))
            return _refused(problem(Refused(Reason.FAILED), language), status=503)

    handle.__name__ = one.name
    parts = "/".join(f"{part[:-1]}:str}}" if part.startswith("{") else part for part in one.path.split("/"))
    return HTTPRouteHandler(
        f"/u/{{slot:str}}/api{parts}",
        http_method=HttpMethod(one.method),
        name=one.name,
        request_max_body_size=one.largest,
    )(handle)


async def _heard(
    services: Services, one: Operation, request: AnyRequest, language: str, origins: Callable[[], frozenset[str]]
) -> Any:
    slot = _slot(request)
    if one.changes:
        _check_page(request, origins())
    address = request.client.host if request.client else ""
    token = token_of(cookies_of(request.headers.get("cookie", "")), slot, secure=services.secure)
    who = identity_of(services.sessions, token, slot, address, language)
    if one.who is not None:
        if who is None:
            raise Refused(Reason.SESSION_OVER)
        await _check_right(services, one, who, request.path_params)
        if one.long and services.admission.is_long_early(who.person):
            raise Refused(Reason.TOO_FAST)
        await services.sessions.touch(who.session)
    body = None
    if one.takes is not None:
        body = read_body(await _body(request), one.takes)
        if hasattr(body, "request"):
            check_request(body.request)
    asked = Call(
        services=services,
        who=who,
        slot=slot,
        path={name: str(value) for name, value in request.path_params.items()},
        query=read_query(list(request.query_params.multi_items()), one.query) if one.query is not None else None,
        body=body,
        language=language,
        address=address,
        agent=request.headers.get("user-agent", ""),
        token=token,
    )
    return await one.handler(asked)


async def _body(request: AnyRequest) -> bytes:
    """Who hangs up before it was sent has made no fault of ours."""
    try:
        return await request.body()
    except InternalServerException as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error.detail) from None


def _slot(request: AnyRequest) -> int:
    slot = slot_of(str(request.path_params["slot"]))
    if slot is None:
        raise Refused(Reason.NOT_FOUND)
    return slot


def _check_page(request: AnyRequest, origins: frozenset[str]) -> None:
    """Only our own pages, and programs that say so, change anything: a form or a script of another site cannot."""
    origin = request.headers.get("origin")
    if request.headers.get(HEADER) != "1" or (origin is not None and origin not in origins):
        raise Refused(Reason.FOREIGN_PAGE)
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(Reason.NOT_JSON)


async def _check_right(services: Services, one: Operation, who: Identity, path: dict[str, Any]) -> None:
    """By the post at the table in the path; without one, by the post in the house. A post at one table alone counts
    elsewhere only where the operation looks at the place itself."""
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


def _given(services: Services, found: Any, slot: int) -> Response[bytes]:
    given = found if isinstance(found, Reply) else Reply(body=found)
    content = given.content if given.content is not None else msgspec.json.encode(given.body)
    headers = {"cache-control": "no-store"}
    if given.token is not None:
        headers["set-cookie"] = set_cookie(slot, given.token, secure=services.secure)
    return Response(content, status_code=given.status, media_type=given.media_type, headers=headers)


def _refused(found: Problem, status: int | None = None, more: Mapping[str, str] | None = None) -> Response[bytes]:
    if status is not None:
        found = msgspec.structs.replace(found, status=status)
    headers = {"cache-control": "no-store", **(more or {})}
    if found.status == 429:
        headers["retry-after"] = str(found.parameters.get("seconds", 1))
    return Response(msgspec.json.encode(found), status_code=found.status, media_type=PROBLEM, headers=headers)


def _unforeseen(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Whatever no operation answers: an unknown path, a wrong method, a body too large; or a fault of ours, of which
    nothing is told but that it was one."""
    language = language_of(request.headers.get("accept-language", ""))
    if isinstance(error, NotFoundException | MethodNotAllowedException):
        return _refused(problem(Refused(Reason.NOT_FOUND), language), error.status_code, error.headers)
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _refused(
            problem(Refused(Reason.COMMAND_MALFORMED, why=error.detail), language), status=error.status_code
        )
    logger("web").error("a request failed", path=request.url.path, exc_info=error)
    return _refused(problem(Refused(Reason.FAILED), language), status=500)


# ---- for those who watch -----------------------------------------------------------------------------------------


def _plain_routes(services: Services) -> list[HTTPRouteHandler]:
    async def live(request: AnyRequest) -> Response[bytes]:  # noqa: ARG001 (the process answers)
        return Response(b'{"live":true}', media_type="application/json")

    async def ready(request: AnyRequest) -> Response[bytes]:  # noqa: ARG001
        found = monitoring.health_of(services)
        content = msgspec.json.encode(
            Health(ready=found.ready, tables=found.tables, draining=found.draining, held=found.held)
        )
        return Response(content, status_code=200 if found.ready else 503, media_type="application/json")

    async def described(request: AnyRequest) -> Response[bytes]:  # noqa: ARG001
        return Response(openapi.written(), media_type="application/json")

    async def metrics(request: AnyRequest) -> Response[bytes]:
        headers = request.headers
        return monitoring.figures(services, headers.get("authorization", ""), cookies_of(headers.get("cookie", "")))

    routes: dict[str, Callable[[AnyRequest], Awaitable[Response[bytes]]]] = {
        "/health/live": live,
        "/health/ready": ready,
        "/openapi.json": described,
        "/metrics": metrics,
    }
    return [HTTPRouteHandler(path, http_method="GET")(handler) for path, handler in routes.items()]
