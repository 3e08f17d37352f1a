"""People of a house at their screens: what they send past the screens, and where the table stands."""

from itertools import count
from typing import Any

from puntobanco.rules.library import sentences
from puntobanco.rules.refusal import Reason, Refusal
from tests.browser.house import SLOTS

TABLE = "baccarat-2"
_requests = count()

CALL = """async ([method, url, body]) => {
  const given = {method, headers: {"content-type": "application/json", "x-puntobanco": "1"}}
  if (body !== null) given.body = JSON.stringify(body)
  const answer = await fetch(url, given)
  const text = await answer.text()
  return [answer.status, text ? JSON.parse(text) : null]
}"""


def call(page: Any, name: str, method: str, path: str, body: Any = None) -> Any:
    """An operation of the API as that person, from their own page."""
    page.wait_for_selector("header")
    status, given = page.evaluate(CALL, [method, f"/u/{SLOTS[name]}/api{path}", body])
    assert status == 200, given
    return given


def send(page: Any, name: str, command: dict[str, Any], table: str = TABLE) -> Any:
    request = {"request": f"past-the-screen-{next(_requests)}", "command": command}
    return call(page, name, "POST", f"/tables/{table}/commands", request)


def view(page: Any, name: str, table: str = TABLE) -> Any:
    return call(page, name, "GET", f"/tables/{table}")["public"]


def card(text: str) -> dict[str, Any]:
    """`9S` as it goes over the wire."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    return {"rank": ranks.index(text[:-1]) + 1, "suit": dict(zip("SHDC", "♠♥♦♣", strict=True))[text[-1]]}


def seated(page: Any, name: str, box: int, table: str = TABLE) -> None:
    """With money and a seat, if they have none yet."""
    found = call(page, name, "GET", f"/tables/{table}")["private"]
    if found["purse"] < 1_000_00:
        send(page, name, {"type": "BuyIn", "person": name, "amount": 2_000_00}, table)
    if not found["seats"]:
        send(page, name, {"type": "TakeSeat", "box": box}, table)


def refusal_text(reason: Reason, **parameters: Any) -> str:
    """A refusal as the screens tell it, from the same sentences."""
    return sentences().refusal(Refusal(reason, parameters=parameters))
