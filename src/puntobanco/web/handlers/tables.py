"""Tables: the lobby, a table as one may see it, commands to it, and what was played there."""

from bisect import bisect_left

import msgspec

from puntobanco.house.audit.history import History
from puntobanco.house.shoes.disclosure import opened
from puntobanco.house.tables.writer import Hosted
from puntobanco.protocol.administrative_commands import Proof
from puntobanco.protocol.answers import Answer, Sentence
from puntobanco.protocol.live import Whole
from puntobanco.protocol.posts import AUDIENCES, STAFF, Post
from puntobanco.protocol.rounds import CardProof, RoundPage, RoundRecord, ShoeProof
from puntobanco.protocol.tables import Chips, Scanned, Send, TableCard
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent, SettledStake
from puntobanco.table.explain import Account, Told
from puntobanco.table.reading import read_command
from puntobanco.table.state import Phase
from puntobanco.table.views import CardView
from puntobanco.web.http.operations import ANYONE, Asked, figure, operation
from puntobanco.web.http.refusals import answer

AT_TABLES = frozenset({Post.PLAYER, Post.CASHIER, Post.DEVICE, *STAFF})
INSIDERS = STAFF | {Post.AUDITOR}


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    before: int | None = None
    """Rounds before this one; without it the latest."""
    most: int = 50


@operation("GET", "/tables", "Every table of the house, as the lobby shows it", who=ANYONE, gives=list[TableCard])
async def tables(asked: Asked) -> list[TableCard]:
    house = asked.desk.house
    found = []
    for entry in house.book.tables.values():
        hosted = house.tables.get(entry.name)
        if entry.retired:
            continue
        if hosted is None:
            found.append(
                TableCard(
                    table=entry.name, game=entry.game, title={}, phase=Phase.CLOSED, round=0, deadline=0, post=None,
                    automatic=entry.automatic, stopped=True,
                )
            )  # fmt: skip
            continue
        history = await asked.desk.screens.history(entry.name)
        found.append(_card(asked, hosted, history, automatic=entry.automatic))
    return found


def _card(asked: Asked, hosted: Hosted, history: History, *, automatic: bool) -> TableCard:
    state, game, house = hosted.state, hosted.game, asked.desk.house
    post = house.post(asked.person, hosted.name)
    return TableCard(
        table=hosted.name,
        game=game.key,
        title=msgspec.to_builtins(game.title),
        phase=state.phase,
        round=state.round,
        deadline=state.deadline,
        post=post,
        automatic=automatic,
        layout=state.setup.layout if state.setup else None,
        minimum=state.setup.minimum if state.setup else 0,
        differential=state.setup.differential if state.setup else 0,
        seats=state.setup.boxes if state.setup else 0,
        taken=len(state.seats),
        players=sum(1 for held in state.purses.values() if held),
        results=history.marks,
        stopped=hosted.failed is not None,
        held=post in INSIDERS and house.holds(hosted),
    )


@operation("GET", "/tables/{table}", "A table as one may see it", who=ANYONE, gives=Whole)
async def table(asked: Asked) -> Whole:
    house = asked.desk.house
    hosted = house.table(asked.path["table"])
    post = house.post(asked.person, hosted.name)
    if post is None:
        raise Refused(Reason.ACCESS_DENIED, what=hosted.name)
    return await asked.desk.screens.whole(hosted, AUDIENCES[post], asked.person if post is Post.PLAYER else None)


# ---- commands ----------------------------------------------------------------------------------------------------


async def _sent(
    asked: Asked, command: c.Command, request: str, meant: msgspec.Struct | None = None, proof: Proof | None = None
) -> Answer:
    given = await asked.desk.house.do(
        asked.person, asked.path["table"], command, request, asked.address, proof=proof, meant=meant
    )
    if given.refusal is not None:
        asked.desk.metrics.refused(given.refusal.reason)
        raise Refused.of(given.refusal)
    try:
        return answer(given, asked.language)
    except Exception as error:  # asked again it has an answer, once that can be put into words
        asked.desk.screens.not_shown(asked.path["table"], error)
        raise Refused(Reason.FAILED) from None


@operation(
    "POST", "/tables/{table}/commands", "Send a command to a table; sent twice it happens once", who=AT_TABLES,
    takes=Send, gives=Answer,
    example={
        "request": "3f6d2c1e-bet-1",
        "command": {"type": "PlaceBets", "round": 1, "lines": [{"bet": "player", "amount": 10000, "box": 1}]},
    },
)  # fmt: skip
async def send(asked: Asked) -> Answer:
    command = read_command(msgspec.json.encode(asked.body.command))
    return await _sent(asked, command, asked.body.request, proof=asked.body.proof)


@operation(
    "POST", "/tables/{table}/cards", "The next card, read by a scanner or an external shoe",
    who=frozenset({Post.DEVICE, *STAFF}), takes=Scanned, gives=Answer, example={"request": "scan-17", "card": "9S"},
)  # fmt: skip
async def scan(asked: Asked) -> Answer:
    """The reader knows a card and nothing else: which place it has, the table knows. Sent again it has another by then,
    and is still the same card."""
    state = asked.desk.house.table(asked.path["table"]).state
    card, drawn = read_card(asked.body.card), len(state.drawn)
    command: c.Command = c.DrawCard(round=state.round, index=drawn + 1, card=card)
    if state.plays_under is not None and state.plays_under.face_down:
        hidden = next((index for index, one in enumerate(state.drawn, start=1) if one.card is None), drawn)
        command = c.ExposeCard(round=state.round, index=hidden, card=card)
    return await _sent(asked, command, asked.body.request, asked.body)


@operation(
    "POST", "/tables/{table}/chips", "What a chip reader sees lying in the boxes of one person",
    who=frozenset({Post.DEVICE, *STAFF}), takes=Chips, gives=Answer,
    example={"request": "chips-4", "chips": [{"box": 1, "bet": "banker", "amount": 20000}]},
)  # fmt: skip
async def chips(asked: Asked) -> Answer:
    """Chips without a name are of whoever sits at the box; a slip is of one person. Sent again they are of whom they
    were, also where nobody sits by then."""
    house, body = asked.desk.house, asked.body
    hosted = house.table(asked.path["table"])
    state = hosted.state
    owners = {chip.owner or state.seats.get(chip.box) for chip in body.chips}
    if len(owners) != 1 or None in owners:
        before = await house.answered_before(asked.person, hosted.name, body, body.request)
        if before is None:
            raise Refused(Reason.OWNERS_UNCLEAR)
        return answer(before, asked.language)
    lines = tuple(c.Line(bet=chip.bet, amount=chip.amount, box=chip.box) for chip in asked.body.chips)
    on_request = house.post(asked.person, hosted.name) is not Post.DEVICE
    slip = c.PlaceBets(round=state.round, lines=lines, owner=owners.pop(), requested=on_request)
    return await _sent(asked, slip, asked.body.request, asked.body)


# ---- what was played ---------------------------------------------------------------------------------------------


@operation("GET", "/tables/{table}/rounds", "Rounds of a table, the latest first", who=ANYONE, gives=RoundPage,
           query=Page)  # fmt: skip
async def rounds(asked: Asked) -> RoundPage:
    hosted = asked.desk.house.table(asked.path["table"])
    history = await asked.desk.screens.history(hosted.name)
    page: Page = asked.query
    if not 1 <= page.most <= 200:
        raise Refused(Reason.FIELD_WRONG, file="query", place="query", field="most", expected="1..200")
    rounds = history.rounds
    end = len(rounds) if page.before is None else bisect_left(rounds, page.before, key=lambda line: line.round)
    return RoundPage(rounds=tuple(reversed(rounds[max(0, end - page.most) : end])))


@operation("GET", "/tables/{table}/rounds/{round}", "One round, explained by paragraph", who=ANYONE, gives=RoundRecord)
async def round(asked: Asked) -> RoundRecord:
    house = asked.desk.house
    hosted = house.table(asked.path["table"])
    history = await asked.desk.screens.history(hosted.name)
    number = figure(asked.path["round"]) or 0
    line = history.round(number)
    if line is None:
        raise Refused(Reason.NOT_FOUND)
    told = await history.events_of(line.round)
    if house.post(asked.person, hosted.name) not in INSIDERS:
        return RoundRecord(table=hosted.name, line=line, game=hosted.game.key, cards=cards_of(told),
                           own=own_stakes(told, asked.person))  # fmt: skip
    return RoundRecord(
        table=hosted.name,
        line=line,
        game=hosted.game.key,
        cards=cards_of(told),
        account=await _account(asked, hosted, history, told),
        events=tuple(event for _, event in told),
    )


def own_stakes(told: tuple[tuple[int, AnyEvent], ...], person: str) -> tuple[SettledStake, ...]:
    """What became of a player's own bets in a round; a settlement that was taken back does not count."""
    found: tuple[SettledStake, ...] = ()
    for _, event in told:
        if isinstance(event, e.RoundSettled):
            found = tuple(one for one in event.stakes if one.owner == person)
        elif isinstance(event, e.SettlementReversed):
            found = ()
    return found


def cards_of(told: tuple[tuple[int, AnyEvent], ...]) -> tuple[CardView, ...]:
    """The cards everyone saw, with the hands they came to belong to."""
    cards: dict[int, CardView] = {}
    for _, event in told:
        match event:
            case e.CardDrawn():
                cards[event.index] = CardView(index=event.index, side=event.to, face=None)
            case e.CardExposed() | e.CardCorrected() if event.index in cards:
                cards[event.index] = msgspec.structs.replace(cards[event.index], face=str(event.card))
            case e.CardsReconstructed():
                faces = [str(card) if card is not None else None for card in event.cards]
                cards = {
                    index: CardView(index=index, side=side, face=face)
                    for index, (side, face) in enumerate(zip(event.sides, faces, strict=True), start=1)
                }
            case e.CardsLeftLying():
                for index, side in enumerate(event.sides, start=1):
                    cards[index] = msgspec.structs.replace(cards[index], side=side)
            case _:
                continue
    return tuple(cards.values())


async def _account(
    asked: Asked, hosted: Hosted, history: History, told: tuple[tuple[int, AnyEvent], ...]
) -> tuple[Sentence, ...]:
    telling = Account(hosted.game, (await history.replays.before(told[0][0]))[1])
    return tuple(line for _, event in told for line in sentences(telling.tell(event), asked.language))


def sentences(told: tuple[Told, ...], language: str) -> tuple[Sentence, ...]:
    said = library.sentences(language)
    return tuple(
        Sentence(
            text=said.say(one.section, one.code, **one.parameters), paragraph=one.rule.paragraph if one.rule else None
        )
        for one in told
    )


@operation("GET", "/tables/{table}/shoe", "The commitment of the electronic shoe in use, and proofs of cards played",
           who=ANYONE, gives=ShoeProof, long=True)  # fmt: skip
async def shoe(asked: Asked) -> ShoeProof:
    hosted = asked.desk.house.table(asked.path["table"])
    return await _proof(asked, hosted.name, None)


@operation("GET", "/tables/{table}/shoes/{shoe}", "The same of an earlier shoe, whole", who=ANYONE, gives=ShoeProof,
           long=True)  # fmt: skip
async def earlier_shoe(asked: Asked) -> ShoeProof:
    hosted = asked.desk.house.table(asked.path["table"])
    return await _proof(asked, hosted.name, asked.path["shoe"])


async def _proof(asked: Asked, table: str, shoe: str | None) -> ShoeProof:
    history = await asked.desk.screens.history(table)
    found = await opened(asked.desk.house.vault, history.shoes, shoe)
    cards = tuple(
        CardProof(place=one.place, card=str(one.card), salt=one.salt.hex(), path=tuple(node.hex() for node in one.path))
        for one in found.cards
    )
    return ShoeProof(shoe=found.shoe, commitment=found.commitment, in_service=found.in_service, cards=cards)
