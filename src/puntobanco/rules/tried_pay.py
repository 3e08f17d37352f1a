"""Pay lines that somebody tries out on a game file without writing them."""

from contextlib import suppress
from typing import Any

import msgspec

from puntobanco.rules.game import Game
from puntobanco.rules.money import Odds, read_odds, read_rate
from puntobanco.rules.refusal import Reason, Refused


class NewPay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A changed pay line: the bet, the number of the line from 1, and what it would pay with which commission. With a
    new commission and no odds, the odds before commission stay as they are."""

    bet: str
    line: int
    """The number of the pay line of the bet, from 1."""
    pays: str | None = None
    """The new odds, such as `8:1`; null to keep the odds before commission."""
    rate: str | None = None
    """The new commission, such as `5%`; null to keep the old one."""


def repay(read: Game, written: dict[str, Any], new: NewPay) -> None:
    """Change the data of a game file as if the new pay line had been written."""
    bet = next((one for one in written["bet"] if one["key"] == new.bet), None)
    if bet is None:
        known = ", ".join(one.key for one in read.bets)
        raise Refused(Reason.UNKNOWN_BET, game=read.key, bet=new.bet, known=known)
    lines = bet.get("lines", [])
    if not 1 <= new.line <= len(lines):
        place = f"bet {new.bet}"
        raise Refused(Reason.FIELD_WRONG, file="game", place=place, field="line", expected=f"1..{len(lines)}")
    line = lines[new.line - 1]
    if new.pays is not None:
        line["pays"] = new.pays
    if new.rate is not None and "commission" in line:
        if new.pays is None:
            line["pays"] = _less_commission(line, new.rate)
        line["commission"]["rate"] = new.rate


def _less_commission(line: dict[str, Any], rate: str) -> str:
    """What the line pays after another commission. A rate that cannot be read is refused with the line."""
    with suppress(ValueError):
        return str(Odds(read_odds(line["pays"]) + read_rate(line["commission"]["rate"]) - read_rate(rate)))
    return str(line["pays"])
