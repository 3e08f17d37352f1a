"""S12: nothing that may not be seen leaves the house, whoever listens."""

import json

import uvloop

from puntobanco.house.shoes.seal import Sealed
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.protocol.administrative_commands import SetDealing
from puntobanco.protocol.posts import Post
from tests.web import canary
from tests.web.floor import until
from tests.web.house import NAMES, Premises, in_a_house

BAOS = {"person": "bao", "faces": {"2": "9♠"}}
"""What only Bao may be sent, while he squeezes that card."""


def test_s12_no_face_salt_or_stake_reaches_anybody_before_it_may() -> None:
    told = uvloop.run(canary.run(rounds=36))
    assert told["rounds"] >= 36


def test_s12_the_witness_sees_what_is_wrong() -> None:
    """A canary that cannot die proves nothing: a salt, a face too early and a stake of another are found."""

    truth = canary.Truth()
    witness = canary.Witness(truth)
    order = Sealed(tuple(cards_of(1)), tuple(bytes([place] * 16) for place in range(52)))
    truth.sealed("t/1", order.encode())
    view = {"round": 1, "cards": [{"index": 1, "side": "player", "face": "9S"}], "waiting": []}
    wrong = [
        json.dumps({"type": "Beat", "at": (bytes([7] * 16)).hex()}),
        json.dumps({"type": "Beat", "at": order.encode().decode()}),
        json.dumps({"type": "Public", "table": "t", "version": 3, "view": view}),
        json.dumps({"type": "Beat", "next": "9S"}),
        json.dumps({"type": "Beat", "next": str(order.cards[0])}),
        json.dumps({"type": "Beat", "stake": canary.STAKE}),
        json.dumps({"type": "Private", "table": "t", "version": 3, "view": {"person": "ann", "faces": {"1": "9♠"}}}),
        json.dumps({"type": "Private", "table": "t", "version": 3, "view": {"person": "ann", "next": "9♠"}}),
        json.dumps({"type": "Whole", "table": "t", "version": 2, "public": None, "private": BAOS}),
        json.dumps({"type": "Private", "table": "t", "version": 1, "view": BAOS}),
    ]
    truth.squeezed["t"][1, 2] = ("bao", "9♠", 2)
    for text in wrong:
        witness.wrong.clear()
        witness.said("ann", Post.PLAYER, text)
        assert witness.wrong, text
    witness.wrong.clear()
    witness.said("bao", Post.PLAYER, json.dumps({"type": "Private", "table": "t", "version": 2, "view": BAOS}))
    assert not witness.wrong, "whoever squeezes it may see it"
    witness.said("bao", Post.PLAYER, json.dumps({"type": "Private", "table": "t", "version": 1, "view": BAOS}))
    assert witness.wrong, "but not before it is drawn"
    witness.wrong.clear()
    witness.answered("ann", Post.PLAYER, "/x", json.dumps({"salt": (bytes([7] * 16)).hex()}))
    witness.line(json.dumps({"event": "x", "card": "9S"}))
    assert len(witness.wrong) == 2


@in_a_house(tables=[("down", "commission", {"face_down": True})])
async def test_s12_a_shoe_withdrawn_while_cards_lie_face_down_is_not_shown_before_the_round_is_over(
    premises: Premises,
) -> None:
    player, manager = await premises.visitor("ann"), await premises.visitor(NAMES[Post.SHIFT_MANAGER], 2)
    house, table = premises.services.house, premises.services.house.tables["down"]

    def hidden() -> bool:
        return any(one.card is None for one in table.state.drawn)

    async def deals_itself(automatic: bool) -> None:
        dealing = SetDealing(table="down", automatic=automatic)
        assert (await house.manage(NAMES[Post.SHIFT_MANAGER], dealing)).refusal is None

    while True:
        await until(hidden)
        await deals_itself(False)
        if hidden():
            break
        await deals_itself(True)
    assert table.state.shoe is not None
    name = table.state.shoe.name.partition("/")[2]
    command = {"type": "WithdrawShoe", "reason": "a torn card was seen"}
    answer = await manager.post("/tables/down/commands", {"request": "w", "command": command})
    assert (answer.status_code, hidden()) == (200, True)
    for path in ("/tables/down/shoe", f"/tables/down/shoes/{name}"):
        shown = (await player.get(path)).json()
        assert shown["in_service"]
        assert len(shown["cards"]) < 416
