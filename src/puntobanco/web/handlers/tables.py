"""Tables: the lobby, the view of a table, commands, and rounds played."""

from bisect import bisect_left

import msgspec

from puntobanco.house.audit.history import History
from puntobanco.house.audit.round_bets import bets_of
from puntobanco.house.shoes.disclosure import disclosed
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol.administrative_commands import GuestProof
from puntobanco.protocol.answers import Answer, Sentence
from puntobanco.protocol.live import Whole
from puntobanco.protocol.posts import AUDIENCES, STAFF, Post
from puntobanco.protocol.rounds import CardProof, RoundPage, RoundRecord, ShoeProof
from puntobanco.protocol.tables import Chips, Scanned, Send, TableCard
from puntobanco.rules.cards import read_card
from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import check_text
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import NarratedLine, RunningAccount
from puntobanco.table.reading import LONGEST_TEXT
from puntobanco.table.state import Phase
from puntobanco.table.tags import tag_of
from puntobanco.table.views import CardView
from puntobanco.web.http.operations import ANYONE, operation
from puntobanco.web.http.refusals import answer
from puntobanco.web.services import Call

AT_TABLES = frozenset({Post.PLAYER, Post.CASHIER, Post.DEVICE, *STAFF})
INSIDERS = STAFF | {Post.AUDITOR}


class PageQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which rounds to list."""

    before: int | None = None
    """Rounds before this one. Default: the latest."""
    most: int = 50
    """At most this many rounds, 1 to 200."""


@operation("GET", "/tables", "List the tables, as in the lobby", who=ANYONE, gives=list[TableCard])
async def tables(asked: Call) -> list[TableCard]:
    """Retired tables are left out."""
    house = asked.services.house
    found = []
    for entry in house.journal.tables.values():
        running = house.tables.get(entry.name)
        if entry.retired:
            continue
        if running is None:
            found.append(
                TableCard(
                    table=entry.name, game=entry.game, title={}, phase=Phase.CLOSED, round=0, deadline=0, post=None,
                    automatic=entry.automatic, stopped=True,
                )
            )  # fmt: skip
            continue
        history = await asked.services.publisher.history(entry.name)
        found.append(_card(asked, running, history, automatic=entry.automatic))
    return found


def _card(asked: Call, running: RunningTable, history: History, *, automatic: bool) -> TableCard:
    state, game, house = running.state, running.game, asked.services.house
    post = house.post(asked.person, running.name)
    return TableCard(
        table=running.name,
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
        stopped=running.failed is not None,
        held=post in INSIDERS and house.holds(running),
    )


@operation("GET", "/tables/{table}", "Get the caller's view of a table", who=ANYONE, gives=Whole)
async def table(asked: Call) -> Whole:
    """The same message that the live connection sends when a screen begins to watch."""
    house = asked.services.house
    running = asked.table
    post = house.post(asked.person, running.name)
    if post is None:
        raise Refused(Reason.ACCESS_DENIED, what=running.name)
    return await asked.services.publisher.whole(running, AUDIENCES[post], asked.person if post is Post.PLAYER else None)


# ---- commands ----------------------------------------------------------------------------------------------------


async def _sent(
    asked: Call, command: c.Command, request: str, meant: msgspec.Struct | None = None, proof: GuestProof | None = None
) -> Answer:
    given = await asked.services.house.do(
        asked.person, asked.path["table"], command, request, asked.address, proof=proof, meant=meant
    )
    if given.refusal is not None:
        asked.services.metrics.refused(given.refusal.reason)
        raise Refused.of(given.refusal)
    try:
        return answer(given, asked.said)
    except Exception as error:  # a retry returns the answer once it can be rendered
        asked.services.publisher.not_shown(asked.path["table"], error)
        raise Refused(Reason.FAILED) from None


@operation(
    "POST", "/tables/{table}/commands", "Send a command to a table; a retry returns the original answer", who=AT_TABLES,
    takes=Send, gives=Answer,
    example={
        "request": "3f6d2c1e-bet-1",
        "command": {"type": "PlaceBets", "round": 1, "lines": [{"bet": "player", "amount": 10000, "box": 1}]},
    },
)  # fmt: skip
async def send(asked: Call) -> Answer:
    """The house adds who sends it, in which role and when. Slips may be accepted in part: `lines` lists what was
    refused. The answer has `waits` if the command needs a second person or a guest."""
    command: c.Command = asked.body.command
    check_text(command, "command", tag_of(type(command)), most=LONGEST_TEXT)
    return await _sent(asked, command, asked.body.request, proof=asked.body.proof)


@operation(
    "POST", "/tables/{table}/cards", "Send the next card from a scanner or an external shoe",
    who=frozenset({Post.DEVICE, *STAFF}), takes=Scanned, gives=Answer, example={"request": "scan-17", "card": "9S"},
)  # fmt: skip
async def scan(asked: Call) -> Answer:
    """The scanner sends only the card; the table knows its index. A retry may meet another index, so the request is
    compared by the card alone."""
    state = asked.table.state
    card, drawn = read_card(asked.body.card), len(state.drawn)
    command: c.Command = c.DrawCard(round=state.round, index=drawn + 1, card=card)
    if state.plays_under is not None and state.plays_under.face_down:
        hidden = next((index for index, one in enumerate(state.drawn, start=1) if one.card is None), drawn)
        command = c.ExposeCard(round=state.round, index=hidden, card=card)
    return await _sent(asked, command, asked.body.request, asked.body)


@operation(
    "POST", "/tables/{table}/chips", "Send what a chip reader sees in the boxes of one person",
    who=frozenset({Post.DEVICE, *STAFF}), takes=Chips, gives=Answer,
    example={"request": "chips-4", "chips": [{"box": 1, "bet": "banker", "amount": 20000}]},
)  # fmt: skip
async def chips(asked: Call) -> Answer:
    """Chips without an owner belong to the player seated at the box; a slip has one owner. A retry returns the original
    answer even if the seat is empty by then."""
    house, body = asked.services.house, asked.body
    running = asked.table
    state = running.state
    owners = {chip.owner or state.seats.get(chip.box) for chip in body.chips}
    if len(owners) != 1 or None in owners:
        before = await house.answered_before(asked.person, running.name, body, body.request)
        if before is None:
            raise Refused(Reason.OWNERS_UNCLEAR)
        return answer(before, asked.said)
    lines = tuple(c.Line(bet=chip.bet, amount=chip.amount, box=chip.box) for chip in asked.body.chips)
    on_request = house.post(asked.person, running.name) is not Post.DEVICE
    slip = c.PlaceBets(round=state.round, lines=lines, owner=owners.pop(), requested=on_request)
    return await _sent(asked, slip, asked.body.request, asked.body)


# ---- what was played ---------------------------------------------------------------------------------------------


@operation("GET", "/tables/{table}/rounds", "List the rounds of a table, newest first", who=ANYONE, gives=RoundPage,
           query=PageQuery)  # fmt: skip
async def rounds(asked: Call) -> RoundPage:
    """Ask for earlier rounds with `before`."""
    running = asked.table
    history = await asked.services.publisher.history(running.name)
    page: PageQuery = asked.query
    if not 1 <= page.most <= 200:
        raise Refused(Reason.FIELD_WRONG, file="request", place="query", field="most", expected="1..200")
    rounds = history.rounds
    end = len(rounds) if page.before is None else bisect_left(rounds, page.before, key=lambda line: line.round)
    return RoundPage(rounds=tuple(reversed(rounds[max(0, end - page.most) : end])))


@operation(
    "GET", "/tables/{table}/rounds/{round}", "Get a round, explained by paragraph", who=ANYONE, gives=RoundRecord
)
async def round(asked: Call) -> RoundRecord:
    """Staff and the auditor get all events and the account; everyone else gets the cards and their own bets."""
    house = asked.services.house
    running = asked.table
    history = await asked.services.publisher.history(running.name)
    line = history.round(asked.number("round"))
    if line is None:
        raise Refused(Reason.NOT_FOUND)
    told = await history.events_of(line.round)
    if house.post(asked.person, running.name) not in INSIDERS:
        bets = bets_of(event for _, event in told)
        own = tuple(one for one in bets if one.owner == asked.person and (one.result is not None or one.back))
        return RoundRecord(table=running.name, line=line, game=running.game.key, cards=cards_of(told), own=own)
    return RoundRecord(
        table=running.name,
        line=line,
        game=running.game.key,
        cards=cards_of(told),
        account=await _account(asked, running, history, told),
        events=tuple(event for _, event in told),
    )


def cards_of(told: tuple[tuple[int, AnyEvent], ...]) -> tuple[CardView, ...]:
    """The cards of a round with the hands they ended up in. A card that was not shown has no face."""
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
    asked: Call, running: RunningTable, history: History, told: tuple[tuple[int, AnyEvent], ...]
) -> tuple[Sentence, ...]:
    telling = RunningAccount(running.game, (await history.replays.before(told[0][0]))[1])
    return tuple(line for _, event in told for line in sentences(telling.tell(event), asked.said))


def sentences(told: tuple[NarratedLine, ...], said: Sentences) -> tuple[Sentence, ...]:
    return tuple(Sentence.of(one, said) for one in told)


@operation("GET", "/tables/{table}/shoe", "Get the commitment of the electronic shoe in use and its card proofs",
           who=ANYONE, gives=ShoeProof, long=True)  # fmt: skip
async def shoe(asked: Call) -> ShoeProof:
    """Only cards that everyone has seen are proven while the shoe is in use."""
    return await _proof(asked, None)


@operation("GET", "/tables/{table}/shoes/{shoe}", "Get the commitment of an earlier shoe and proofs of all its cards",
           who=ANYONE, gives=ShoeProof, long=True)  # fmt: skip
async def earlier_shoe(asked: Call) -> ShoeProof:
    """Every card of a shoe that is out of service is proven."""
    return await _proof(asked, asked.path["shoe"])


async def _proof(asked: Call, shoe: str | None) -> ShoeProof:
    history = await asked.services.publisher.history(asked.table.name)
    found = await disclosed(asked.services.house.secret_store, history.shoes, shoe)
    cards = tuple(
        CardProof(place=one.place, card=str(one.card), salt=one.salt.hex(), path=tuple(node.hex() for node in one.path))
        for one in found.cards
    )
    return ShoeProof(shoe=found.shoe, commitment=found.commitment, in_service=found.in_service, cards=cards)
