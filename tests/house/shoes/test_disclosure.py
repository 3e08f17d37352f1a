"""What is shown of a shoe: nothing nobody has seen, while it or a card of it is in use."""

from pathlib import Path

import pytest

from puntobanco.house.audit.history import History
from puntobanco.house.house import House
from puntobanco.house.shoes.disclosure import DisclosedShoe, disclosed
from puntobanco.house.shoes.exposure import ShoeExposure
from puntobanco.house.shoes.seal import Sealed
from puntobanco.protocol.administrative_commands import SetDealing
from puntobanco.rules.cards import read_card
from puntobanco.rules.outcome import Outcome, Side
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Fault
from puntobanco.table.setup import Source, Timing
from tests.house.staffed import Floor, add, in_play, until, well

BY = By("dealer", Role.SYSTEM, 1)
OUTCOME = Outcome(
    player_points=9, banker_points=7, player_cards=2, banker_cards=2, player_pair=False, banker_pair=False
)
CARD = read_card("9S")


def _loaded(shoe: str = "one/a", burned: int = 0) -> e.ShoeLoaded:
    return e.ShoeLoaded(
        by=BY, shoe=shoe, decks=8, cards=416, shuffled=True, source=Source.ELECTRONIC, commitment="c", burned=burned
    )


def _open(round: int) -> e.BettingOpened:
    return e.BettingOpened(by=BY, round=round, deadline=0)


def _drawn(index: int, *, carried: bool = False) -> e.CardDrawn:
    return e.CardDrawn(by=BY, round=1, index=index, to=Side.PLAYER, carried=carried)


def _exposed(index: int) -> e.CardExposed:
    return e.CardExposed(by=BY, round=1, index=index, card=CARD)


SETTLED = e.RoundSettled(by=BY, round=1, outcome=OUTCOME, stakes=())
WITHDRAWN = e.ShoeWithdrawn(by=BY, reason="x")


def _after(*events: e.Event) -> ShoeExposure:
    shoes = ShoeExposure()
    for version, event in enumerate(events, start=1):
        shoes.follow(event, version)  # type: ignore[arg-type]
    return shoes


def test_cards_are_shown_when_their_round_is_over_and_only_those_that_were_exposed() -> None:
    assert _after(_loaded(), _open(1), _drawn(1), _exposed(1)).shown == {}
    assert _after(_loaded(), _open(1), _drawn(1), _drawn(2), _exposed(2), SETTLED).shown == {1: CARD}


def test_burned_cards_are_never_shown_while_the_shoe_is_in_use() -> None:
    assert _after(_loaded(burned=3), _open(1), _drawn(1), _exposed(1), SETTLED).shown == {3: CARD}


def test_a_face_down_card_of_a_void_round_is_not_shown() -> None:
    void = e.RoundVoided(by=BY, round=1, cause=next(iter(Fault)), refunds=())
    assert _after(_loaded(), _open(1), _drawn(1), _exposed(1), _drawn(2), void).shown == {0: CARD}


@pytest.mark.parametrize(
    "irregular",
    [
        e.CardsOutOfTurn(by=BY, round=1, cards=(None,)),
        e.CardsSetAside(by=BY, round=1, cards=(None,)),
        e.CardsReconstructed(by=BY, round=1, cards=(CARD, None), sides=(Side.PLAYER, Side.BANKER), spare=(None,)),
        e.CardsLeftLying(by=BY, round=1, sides=(Side.PLAYER,)),
        e.CarryOverDiscarded(by=BY),
        _drawn(2, carried=True),
    ],
)
def test_once_cards_came_out_of_turn_nothing_more_of_the_shoe_is_shown(irregular: e.Event) -> None:
    shoes = _after(
        _loaded(), _open(1), _drawn(1), _exposed(1), SETTLED, _open(2), _drawn(1), irregular, _exposed(1), SETTLED,
        _open(3), _drawn(1), _exposed(1), SETTLED,
    )  # fmt: skip
    assert shoes.shown == {0: CARD}


def test_a_shoe_withdrawn_in_a_round_is_shown_whole_only_when_the_round_is_over() -> None:
    events = (_loaded(), _open(1), _drawn(1), _drawn(2), _exposed(2), WITHDRAWN)
    assert _after(*events).whole == set()
    assert _after(*events, _loaded("one/b")).whole == set()
    assert _after(*events, _loaded("one/b"), SETTLED).whole == {"one/a"}


def test_a_card_waiting_in_front_of_the_shoe_keeps_its_shoe_hidden() -> None:
    waiting = (_loaded(), _open(1), e.CardsOutOfTurn(by=BY, round=1, cards=(None, None)), SETTLED, WITHDRAWN)
    assert _after(*waiting).whole == set()
    assert _after(*waiting, _open(2), _drawn(1, carried=True), SETTLED).whole == set()
    assert _after(*waiting, e.CarryOverDiscarded(by=BY)).whole == {"one/a"}


def test_a_settlement_taken_back_hides_the_shoe_again_until_it_is_settled_anew() -> None:
    reversed_ = e.SettlementReversed(by=BY, round=1, stakes=())
    assert _after(_loaded(), _open(1), SETTLED, reversed_, WITHDRAWN).whole == set()
    assert _after(_loaded(), _open(1), SETTLED, reversed_, WITHDRAWN, SETTLED).whole == {"one/a"}


async def _dealing(house: House, rounds: int) -> History:
    timing = Timing(betting=0, drain=0, squeeze=0, insurance=0)
    table = await add(house, "one", "commission", automatic=True, timing=timing)
    await until(lambda: table.state.round > rounds, "rounds are dealt")
    await house.runners["one"].finish()
    well(await house.manage("tom", SetDealing(table="one", automatic=False)))
    return await History("one", house.store, house.tables["one"].game).load()


def test_every_card_shown_proves_itself_and_is_one_that_was_exposed(tmp_path: Path) -> None:
    async def work(house: House) -> tuple[DisclosedShoe, set[str], int]:
        history = await _dealing(house, 2)
        exposed = set[str]()
        for line in history.rounds:
            for _, event in await history.events_of(line.round):
                if isinstance(event, e.CardExposed):
                    exposed.add(str(event.card))
        return await disclosed(house.secret_store, history.shoes, None), exposed, len(history.shoes.shown)

    floor = Floor(tmp_path)
    floor.clock.goes = True
    found, exposed, many = floor.run(work)
    assert found.in_service
    assert len(found.cards) == many < 416
    assert all(card.proves(found.commitment) for card in found.cards)
    assert {str(card.card) for card in found.cards} <= exposed


def test_a_shoe_out_of_service_is_shown_whole_and_found_by_name(tmp_path: Path) -> None:
    async def work(house: House) -> tuple[DisclosedShoe, str]:
        await _dealing(house, 1)
        table = house.tables["one"]
        shoe = table.state.shoe
        assert shoe is not None
        well(await house.do("max", "one", c.WithdrawShoe(reason="worn")))
        history = await History("one", house.store, house.tables["one"].game).load()
        return await disclosed(house.secret_store, history.shoes, shoe.name.rpartition("/")[2]), shoe.name

    floor = Floor(tmp_path)
    floor.clock.goes = True
    found, name = floor.run(work)
    assert (found.shoe, found.in_service, len(found.cards)) == (name, False, 416)
    assert all(card.proves(found.commitment) for card in found.cards)


def test_where_the_record_and_the_order_differ_the_card_is_not_shown(tmp_path: Path) -> None:
    """Should counting ever go wrong, what is shown is still only what was seen."""

    async def work(house: House) -> tuple[DisclosedShoe, DisclosedShoe]:
        history = await _dealing(house, 1)
        before = await disclosed(house.secret_store, history.shoes, None)
        content = await house.secret_store.sealed(before.shoe)
        assert content is not None
        order = Sealed.decode(content)
        shifted = {place + 1: card for place, card in history.shoes.shown.items() if order.cards[place + 1] != card}
        assert shifted
        history.shoes.shown = shifted
        return before, await disclosed(house.secret_store, history.shoes, None)

    floor = Floor(tmp_path)
    floor.clock.goes = True
    before, after = floor.run(work)
    assert before.cards
    assert after.cards == ()


def test_cards_from_a_keyboard_prove_nothing(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house, "9S KH")
        history = await History("one", house.store, house.tables["one"].game).load()
        for shoe, reason in ((None, Reason.NO_COMMITMENT), ("s", Reason.NO_COMMITMENT), ("other", Reason.NO_SHOE)):
            with pytest.raises(Refused) as refused:
                await disclosed(house.secret_store, history.shoes, shoe)
            assert refused.value.reason is reason

    Floor(tmp_path).run(work)
