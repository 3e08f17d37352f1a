"""A typed client for programs: every operation of the API as a call, and the live connection.

Knows `puntobanco.protocol` and the types it carries, never the house behind it.

async with Client("https://tables.example") as client:
    await client.enter("ann", "correct horse battery staple")
    async with client.live() as live:
        seen = await live.watch("wu-song-1")
        await live.do("wu-song-1", PlaceBets(round=seen.round, lines=(Line(bet="player", amount=100_00, box=1),)))
"""

from puntobanco.extras import explained

try:
    import httpx as _httpx  # noqa: F401
    import websockets as _websockets  # noqa: F401
except ModuleNotFoundError as missing:
    raise explained(missing) from None

from puntobanco.client.client import Client
from puntobanco.client.live import Live, Over, Seen
from puntobanco.rules.refusal import Refused

__all__ = ["Client", "Live", "Over", "Refused", "Seen"]
