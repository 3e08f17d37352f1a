"""The parts of a narrated line: names of bets, people, cards and places, in any language."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from puntobanco.rules.cards import Card
from puntobanco.rules.game import Game
from puntobanco.rules.money import write_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.plain_data import Phrase, Words
from puntobanco.rules.procedures import Window
from puntobanco.table.authority import By, Role
from puntobanco.table.events import Cited, Stake


class NarratedLine(msgspec.Struct, frozen=True):
    """One line of the account: the code of a sentence under `section`, its parameters and the paragraph."""

    code: str
    rule: Cited | None
    parameters: dict[str, Any]
    section: str = "event"


def phrase(key: str, **parameters: object) -> Phrase:
    return Phrase("phrase", key, parameters)


def who(by: By) -> object:
    """The name to show: a player by name, a device as a device, and staff by name and role, or by role alone if the
    name is only the role."""
    if by.role is Role.PLAYER:
        return by.person
    if by.device:
        return Phrase("phrase", "device", {"person": by.person}, means=by.person)
    if by.person == by.role:
        return by.role
    return Phrase("phrase", "acting", {"person": by.person, "role": by.role}, means=by.person)


def title(game: Game, bet: str) -> Words | str:
    """The title of the bet in the game, without the window of an insurance bet."""
    name = bet.partition("@")[0]
    return next((one.title for one in game.bets if one.key == name), name)


def bet_name(game: Game, bet: str, box: int) -> Phrase:
    """The title of the bet, with the window of an insurance bet and the box. Terminals have no boxes."""
    at = bet.partition("@")[2]
    at = at if at in tuple(Window) else ""
    key = ("insurance" if at else "bet") + ("_in_box" if box else "_alone")
    parameters = {"title": title(game, bet), "window": Window(at) if at else "", "box": box}
    return Phrase("phrase", key, parameters, means=bet)


def place(box: int) -> Phrase:
    return Phrase("phrase", "box" if box else "terminal", {"box": box}, means=str(box))


def on(game: Game, owner: str, box: int, bet: str) -> dict[str, Any]:
    """The owner, box and name of a bet."""
    return {"owner": owner, "box": box, "bet": bet_name(game, bet, box)}


def staked(game: Game, stake: Stake) -> dict[str, Any]:
    return on(game, stake.owner, stake.box, stake.bet) | {"amount": write_money(stake.amount)}


def cards(those: Iterable[Card | None]) -> list[object]:
    """The faces of the cards, with a phrase for a card that lies face down."""
    return [str(card) if card is not None else phrase("face_down") for card in those] or [phrase("no_cards")]


def hands(sides: Sequence[Side], those: Sequence[Card | None]) -> dict[str, Any]:
    """The cards of the two hands."""
    return {str(side): cards(card for to, card in zip(sides, those, strict=True) if to is side) for side in Side}
