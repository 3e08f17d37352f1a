"""A house from outside: every operation of its API as a typed call, and its live connection.

async with Client("https://tables.example") as client:
    await client.enter("ann", "correct horse battery staple")
    async with client.live() as live:
        seen = await live.watch("wu-song-1")
        await live.do("wu-song-1", PlaceBets(round=seen.round, lines=(Line(bet="player", amount=100_00, box=1),)))
"""

from puntobanco.client.live import Live, Over, Seen
from puntobanco.client.operations import Client
from puntobanco.rules.refusal import Refused

__all__ = ["Client", "Live", "Over", "Refused", "Seen"]
