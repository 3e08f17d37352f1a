"""The client's operations are generated from those that the API declares."""

from typing import Any

import msgspec

from docs import client_operations
from puntobanco.protocol.answers import Answer, Wire
from puntobanco.protocol.posts import Post
from puntobanco.protocol.tables import Chip
from puntobanco.table.commands import AnyCommand, Report, Rule
from puntobanco.web.http.operations import OPERATIONS, Operation


class Ring(Wire, frozen=True):
    bell: str
    request: str
    why: Report | Rule | None = None
    post: Post = Post.PLAYER
    chips: tuple[Chip, ...] = ()
    then: AnyCommand | None = None


class Loudness(msgspec.Struct, frozen=True, kw_only=True):
    louder: int
    times: int = 2


async def ring_bell(asked: Any) -> None:
    """Never called."""


RING = Operation(
    method="POST", path="/tables/{table}/rounds/{round}/bell", summary="Ring the bell", handler=ring_bell, who=None,
    takes=Ring, query=Loudness, gives=list[Answer],
)  # fmt: skip


def test_the_client_has_the_operations_that_are_declared() -> None:
    assert client_operations.FILE.read_text(encoding="utf-8") == client_operations.content(), "run 'make docs'"


def test_an_operation_that_is_declared_becomes_a_method_of_the_client() -> None:
    text = client_operations.content([*OPERATIONS, RING])
    assert text.startswith(client_operations.content().partition("\n")[0])
    assert f"from {__name__} import Ring\n" in text
    [method] = [part for part in text.split("    async def ") if part.startswith("ring_bell")]
    assert " ".join(method.split()) == (
        "ring_bell( self, table: str, round: int, bell: str, louder: int, request: str | None = None, *, "
        "why: Report | Rule | None = None, post: Post = Post.PLAYER, chips: tuple[Chip, ...] = (), "
        "then: AnyCommand | None = None, times: int = 2, ) -> list[Answer]: "
        '"""Ring the bell.""" '
        'return await self._call( list[Answer], "POST", "tables", table, "rounds", round, "bell", '
        'query={"louder": louder, "times": times}, '
        "body=Ring(bell=bell, request=request or new_request(), why=why, post=post, chips=chips, then=then), )"
    )


def test_what_an_operation_gives_back_may_be_nothing() -> None:
    text = client_operations.content([msgspec.structs.replace(RING, gives=None, takes=None, query=None)])
    assert "async def ring_bell(self, table: str, round: int) -> None:" in text
    assert '        await self._call(NoneType, "POST", "tables", table, "rounds", round, "bell")' in text
    assert "from types import NoneType\n\nfrom puntobanco.client.transport import Transport\n" in text
