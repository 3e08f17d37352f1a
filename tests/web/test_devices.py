"""Devices over a bad line: what is sent again is the same card and the same chips, wherever the table has gone."""

from msgspec.structs import replace

from puntobanco.protocol.administrative_commands import SetDealing
from puntobanco.protocol.posts import Post
from puntobanco.table import commands as c
from puntobanco.table.setup import Source
from tests.web.house import HERE, NAMES, Premises, in_a_house


async def do(premises: Premises, post: Post, command: c.Command) -> None:
    answered = await premises.services.house.do(NAMES[post], HERE, command)
    assert answered.refusal is None, answered


async def open_betting(premises: Premises, *, face_down: bool = False) -> None:
    setup = premises.services.house.tables[HERE].state.setup
    assert setup is not None
    await do(premises, Post.SHIFT_MANAGER, c.ChangeSetup(setup=replace(setup, face_down=face_down)))
    await do(premises, Post.DEALER, c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.SCANNER))
    await do(premises, Post.DEALER, c.OpenBetting())


@in_a_house()
async def test_a_card_scanned_again_has_the_answer_it_had(premises: Premises) -> None:
    await open_betting(premises)
    await do(premises, Post.DEALER, c.CloseBetting(round=1))
    scanner, table = await premises.visitor(NAMES[Post.DEVICE]), premises.services.house.tables[HERE]
    first = await scanner.post(f"/tables/{HERE}/cards", {"request": "card-1", "card": "9S"})
    await scanner.post(f"/tables/{HERE}/cards", {"request": "card-2", "card": "8S"})
    again = await scanner.post(f"/tables/{HERE}/cards", {"request": "card-1", "card": "9S"})
    assert (again.status_code, again.json()) == (200, first.json())
    other = await scanner.post(f"/tables/{HERE}/cards", {"request": "card-1", "card": "7S"})
    assert other.json()["reason"] == "request_reused"
    assert [str(one.card) for one in table.state.drawn] == ["9♠", "8♠"]


@in_a_house()
async def test_a_card_opened_again_has_the_answer_it_had(premises: Premises) -> None:
    await open_betting(premises, face_down=True)
    await do(premises, Post.DEALER, c.CloseBetting(round=1))
    scanner, table = await premises.visitor(NAMES[Post.DEVICE]), premises.services.house.tables[HERE]
    early = await scanner.post(f"/tables/{HERE}/cards", {"request": "card-0", "card": "9S"})
    assert early.json()["reason"] == "stale_index"
    for index in (1, 2, 3, 4):
        await do(premises, Post.DEALER, c.DrawCard(round=1, index=index))
    cards = ("9S", "8S", "KS", "KH")
    given = [await scanner.post(f"/tables/{HERE}/cards", {"request": f"card-{card}", "card": card}) for card in cards]
    for card, before in zip(cards, given, strict=True):
        again = await scanner.post(f"/tables/{HERE}/cards", {"request": f"card-{card}", "card": card})
        assert (again.status_code, again.json()) == (200, before.json())
    assert [str(one.card) for one in table.state.drawn] == ["9♠", "8♠", "K♠", "K♥"]


@in_a_house()
async def test_chips_read_again_in_the_next_round_are_those_of_the_last(premises: Premises) -> None:
    await open_betting(premises)
    await do(premises, Post.PLAYER, c.BuyIn(person=NAMES[Post.PLAYER], amount=1_000_00))
    reader, table = await premises.visitor(NAMES[Post.DEVICE]), premises.services.house.tables[HERE]
    chips = [{"box": 1, "bet": "player", "amount": 100_00, "owner": NAMES[Post.PLAYER]}]
    first = await reader.post(f"/tables/{HERE}/chips", {"request": "mat-1", "chips": chips})
    assert first.status_code == 200, first.text
    stake = table.state.stakes[f"1/player/{NAMES[Post.PLAYER]}"]
    assert stake.placer == NAMES[Post.PLAYER]
    await do(premises, Post.DEALER, c.CloseBetting(round=1))
    for index, card in enumerate(("9S", "8S", "KS", "KH"), start=1):
        await reader.post(f"/tables/{HERE}/cards", {"request": f"card-{index}", "card": card})
    await do(premises, Post.DEALER, c.Settle(round=1))
    await do(premises, Post.DEALER, c.ConfirmBox(round=1, box=1))
    await do(premises, Post.DEALER, c.OpenBetting())
    again = await reader.post(f"/tables/{HERE}/chips", {"request": "mat-1", "chips": chips})
    assert (again.status_code, again.json()) == (200, first.json())
    assert table.state.in_play == 0


@in_a_house()
async def test_chips_read_again_when_their_owner_has_left_the_seat_have_the_answer_they_had(premises: Premises) -> None:
    await open_betting(premises)
    for command in (c.BuyIn(person=NAMES[Post.PLAYER], amount=1_000_00), c.TakeSeat(box=1)):
        await do(premises, Post.PLAYER, command)
    reader, table = await premises.visitor(NAMES[Post.DEVICE]), premises.services.house.tables[HERE]
    mat = {"request": "mat-1", "chips": [{"box": 1, "bet": "player", "amount": 100_00}]}
    first = await reader.post(f"/tables/{HERE}/chips", mat)
    await do(premises, Post.PLAYER, c.LeaveSeat(box=1))
    again = await reader.post(f"/tables/{HERE}/chips", mat)
    assert (again.status_code, again.json()) == (200, first.json())
    assert table.state.in_play == 100_00
    for other in ({**mat, "request": "mat-2"}, {**mat, "chips": [{"box": 1, "bet": "player", "amount": 200_00}]}):
        assert (await reader.post(f"/tables/{HERE}/chips", other)).json()["reason"] == "owners_unclear"


@in_a_house()
async def test_a_card_scanned_again_when_the_table_deals_by_itself_has_the_answer_it_had(premises: Premises) -> None:
    await open_betting(premises)
    await do(premises, Post.DEALER, c.CloseBetting(round=1))
    scanner, house = await premises.visitor(NAMES[Post.DEVICE]), premises.services.house
    first = await scanner.post(f"/tables/{HERE}/cards", {"request": "card-1", "card": "9S"})
    done = await house.manage(NAMES[Post.SHIFT_MANAGER], SetDealing(table=HERE, automatic=True))
    assert done.refusal is None, done
    again = await scanner.post(f"/tables/{HERE}/cards", {"request": "card-1", "card": "9S"})
    assert (again.status_code, again.json()) == (200, first.json())
    next_one = await scanner.post(f"/tables/{HERE}/cards", {"request": "card-2", "card": "8S"})
    assert next_one.json()["reason"] == "deals_itself"
