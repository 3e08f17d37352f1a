"""Examples of answers and live messages. What they say of a table comes from a round that is really decided."""

from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import to_builtins

from puntobanco.house.audit.export import exported
from puntobanco.house.audit.round_bets import bets_of
from puntobanco.house.house import opening_setup
from puntobanco.house.shoes.seal import SALT, Sealed
from puntobanco.ledger.accounts import TransferKind
from puntobanco.protocol import live
from puntobanco.protocol.account_names import house_transfers
from puntobanco.protocol.administration import (
    AccountChange,
    ConfirmationCard,
    Consequence,
    GameCard,
    Health,
    JournalPage,
    PersonCard,
    SessionCard,
    Titles,
)
from puntobanco.protocol.answers import Answer, LineRefused, Sentence
from puntobanco.protocol.entries import Deposited, Who
from puntobanco.protocol.export import Exported
from puntobanco.protocol.figures import BetTaken, Figures, GameSource, InSight, ShoeNow, Simulated, TableTakings
from puntobanco.protocol.money import Account, FloatCard, Moved, TillReport, Wallet
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.protocol.rounds import (
    CardProof,
    FoundRound,
    FoundRounds,
    RoundLine,
    RoundPage,
    RoundRecord,
    RoundStep,
    RoundSteps,
    ShoeProof,
)
from puntobanco.protocol.sign_in import Enrolled, Entered, Me, OneTimePassword
from puntobanco.protocol.tables import AlertCard, FaultCard, Foreseen, QueuedCard, TableCard
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Refusal
from puntobanco.store import codec
from puntobanco.store.records import GENESIS, Row, chained
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import RunningAccount
from puntobanco.table.felt import Felt
from puntobanco.table.irregularities import decided_by, paragraph_of
from puntobanco.table.report_forms import REPORT_FORMS
from puntobanco.table.setup import Source
from puntobanco.table.state import State
from puntobanco.table.views import CardView, private_view, public_view
from puntobanco.web.http.refusals import answer

TABLE, PLAYER = "wu-song-1", "ann"
AT = 1_767_225_600_000
"""The moment of everything that happens in the examples."""


@cache
def of_answers() -> dict[Any, dict[str, tuple[str, Any]]]:
    """Examples of each kind of answer, by name: what they show, and the value."""
    played = _played()
    line = RoundLine(round=1, at=AT, version=played.opened.version, outcome=played.settled.outcome, ended="settled")
    bets, title = bets_of(played.events), to_builtins(played.felt.game.title)
    setup = played.betting.setup
    assert setup is not None, "the table is open"
    me = Me(person=PLAYER, title="Ann", roles={HOUSE: Post.PLAYER}, house="Example House", play_money=False)
    return {
        Answer: {
            "accepted": ("The command took effect", played.accepted),
            "in_part": ("One line of the slip was refused", played.in_part),
            "waits": ("It waits for a second person or a guest", Answer(played.betting.version, waits=7)),
        },
        Entered: {
            "signed_in": ("Signed in", Entered(me=me)),
            "enrol": ("A second factor must be set up first", Entered(enrol=_ENROLLED)),
        },
        Me: {"player": ("A player", me)},
        list[TableCard]: {
            "betting": (
                "A table that accepts bets",
                [
                    TableCard(
                        table=TABLE, game=setup.game, title=title, phase=played.betting.phase, round=1,
                        deadline=played.betting.deadline, post=Post.PLAYER, automatic=False, layout=setup.layout,
                        minimum=setup.minimum, differential=setup.differential, seats=setup.boxes, players=1,
                    )
                ],
            )
        },
        live.Whole: {"betting": ("A table that accepts bets, for a player", of_messages()[live.Whole])},
        RoundPage: {"one": ("One settled round", RoundPage(rounds=(line,)))},
        RoundRecord: {
            "player": (
                "For a player",
                RoundRecord(table=TABLE, line=line, game=setup.game, cards=_cards(played.settled), own=bets),
            )
        },
        FoundRounds: {
            "one": (
                "All rounds that match",
                FoundRounds(found=(FoundRound(table=TABLE, game=setup.game, line=line, stakes=bets),)),
            )
        },
        Wallet: {"player": ("Money in the wallet and at a table", _WALLET)},
        list[Account]: {"wallet": ("One account", [Account(account=f"wallet:{PLAYER}", held=900_00)])},
        list[FloatCard]: {
            "counted": (
                "A float that was counted",
                [
                    FloatCard(
                        table=TABLE, game=setup.game, held=5_000_000, stakes=300_00, purses=700_00, tray=5_000_000,
                        counted=5_000_000, booked=5_000_000, counted_at=AT, counted_by="cal",
                    )
                ],
            )
        },
        list[TillReport]: {
            "deposits": (
                "A cashier who took one deposit",
                [
                    TillReport(
                        person="cal", since=AT, sums={TransferKind.DEPOSIT: 1000_00},
                        guests={PLAYER: {TransferKind.DEPOSIT: 1000_00}},
                    )
                ],
            )
        },
        list[PersonCard]: {
            "player": (
                "A player who is signed in",
                [PersonCard(person=PLAYER, title="Ann", roles={HOUSE: Post.PLAYER}, active=True, sessions=1)],
            )
        },
        list[SessionCard]: {
            "one": ("One session", [SessionCard(slot=0, created=AT, seen=AT, address="192.0.2.7", agent="Mozilla/5.0")])
        },
        Titles: {"one": ("One person", Titles(titles={PLAYER: "Ann"}))},
        OneTimePassword: {"given": ("A new password", OneTimePassword(person=PLAYER, password="heron-quiet-dusk"))},
        list[ConfirmationCard]: {
            "withdrawal": (
                "A withdrawal that waits for the guest",
                [_WITHDRAWAL],
            )
        },
        JournalPage: {
            "deposit": (
                "One entry",
                JournalPage(
                    entries=(Deposited(by=Who("cal", Post.CASHIER, AT), person=PLAYER, amount=1000_00),), next=12,
                    versions=(12,),
                ),
            )
        },
        list[AlertCard]: {
            "stopped": (
                "A table that stopped, and nobody has acknowledged it",
                [
                    AlertCard(
                        table=TABLE, version=0, at=AT, kind="table_stopped", to=Role.PIT_MANAGER, round=0, entry=31,
                        may_acknowledge=True,
                    )
                ],
            )
        },
        list[FaultCard]: {
            "two": (
                "Two of the irregularities at a table of Wu Song",
                [_fault(played.felt, fault) for fault in (c.Fault.FOREIGN_CARD, c.Fault.MISDIRECTED)],
            )
        },
        Consequence: {
            "withdrawal": (
                "What a withdrawal would change",
                Consequence(
                    number=7,
                    money=(
                        AccountChange(account=f"wallet:{PLAYER}", before=900_00, after=400_00),
                        AccountChange(account="cage", before=-900_00, after=-400_00),
                    ),
                ),
            )
        },
        list[QueuedCard]: {
            "closing": (
                "A closing that waits for the end of the round",
                [
                    QueuedCard(
                        number=1, person="tom", at=AT,
                        command=c.CloseTable(cause=c.ClosingCause.REPAIR, reason="the felt is torn"),
                    )
                ],
            )
        },
        GameCard: {"shortened": ("Wu Song, with one layout, one bet and one paragraph", _game(played.felt))},
        list[GameCard]: {
            "shortened": ("One game, with one layout, one bet and one paragraph", [_game(played.felt)])
        },
        ShoeProof: {"one": ("The third card of a shoe of four cards", _proven())},
        RoundSteps: {"settled": ("The last step of a round, without the steps before it", _steps(played, line))},
        Exported: {"one": ("A round with one bet", _exported(played))},
        Figures: {"one_bet": ("The bet on Player at a table of Wu Song, without the other bets", _FIGURES)},
        ShoeNow: {"favourable": ("Three bets on the cards that are left, of which one favours the player", _SHOE_NOW)},
        InSight: {
            "one": (
                "Everybody has seen the first card of the round, an ace; three of the bets",
                InSight(
                    table=TABLE, version=played.before.version, cards=("A♥",), not_offered=(),
                    worth={"player": -115_378, "banker": 7_143, "tie": -109_895},
                ),
            )
        },
        Foreseen: {"interruption": ("A report of a technical interruption", _foreseen(played))},
        GameSource: {"file": ("The first lines of a file", GameSource(key="wu-song", content='key = "wu-song"\n'))},
        Simulated: {"started": ("A simulation that has begun", Simulated(number=3))},
        TableTakings: {
            "one_bet": (
                "One bet in one round",
                TableTakings(
                    table=TABLE, rounds=1, rounds_per_hour=1.0, turnover=300_00, won=-300_00,
                    bets=(BetTaken(bet="player", bets=1, turnover=300_00, won=-300_00),),
                ),
            )
        },
        Health: {"ready": ("Ready, with two tables", Health(ready=True, tables=2))},
    }  # fmt: skip


@cache
def of_messages() -> dict[type, Any]:
    """An example of each live message."""
    played = _played()
    felt, before, after = played.felt, played.opened, played.betting
    return {
        live.Watch: live.Watch(table=TABLE),
        live.Leave: live.Leave(table=TABLE),
        live.Do: live.Do(
            table=TABLE, request="t17-000043", command=_slip(player=300_00)
        ),
        live.Here: live.Here(),
        live.Probe: live.Probe(),
        live.Hello: live.Hello(person=PLAYER, at=AT, heartbeat=15.0),
        live.Whole: live.Whole(
            table=TABLE, version=before.version, public=public_view(felt, before, Role.PLAYER), setup=before.setup,
            private=private_view(felt, before, PLAYER), at=AT,
        ),
        live.Public: live.Public(
            table=TABLE, after=before.version, version=after.version, at=AT, view=public_view(felt, after, Role.PLAYER)
        ),
        live.Private: live.Private(table=TABLE, version=after.version, view=private_view(felt, after, PLAYER)),
        live.Answered: live.Answered(request="t17-000043", answer=played.accepted),
        live.Misheard: live.Misheard(request="t17-000044", why=played.in_part.lines[0].why),
        live.WaitingRequests: live.WaitingRequests(waiting=(_WITHDRAWAL,)),
        live.Beat: live.Beat(at=AT),
    }  # fmt: skip


def _fault(felt: Felt, fault: c.Fault) -> FaultCard:
    form, paragraph = REPORT_FORMS[fault], paragraph_of(felt, fault)
    return FaultCard(
        fault=fault,
        paragraph=None if paragraph is None else str(paragraph),
        asked_of=decided_by(felt, fault),
        needs=form.needs,
        may=form.may,
    )


def _game(felt: Felt) -> GameCard:
    content = msgspec.json.decode(felt.game.canonical())
    content |= {name: content[name][:1] for name in ("layout", "bet")}
    first = felt.game.bets[0].rule
    rules = library.rulebook(felt.game.key)
    return GameCard(
        key=felt.game.key,
        title=to_builtins(felt.game.title),
        fingerprint=felt.game.fingerprint,
        content=msgspec.Raw(msgspec.json.encode(content)),
        paragraphs={first: {"en": rules[first].en, "zh": rules[first].zh}},
    )


def _rows(played: "_Played") -> list[Row]:
    """The events as they are stored."""
    rows, hash = list[Row](), GENESIS
    for version, event in enumerate(played.events, start=1):
        kind, body = codec.kind_of(event), codec.encode(event)
        hash = chained(hash, kind, event.by.at, body)
        rows.append(Row(version, kind, event.by.at, body, hash))
    return rows


def _exported(played: "_Played") -> Exported:
    before, rows = played.before, _rows(played)
    return exported(TABLE, 1, played.felt.game, rows[before.version - 1].hash, before, rows[before.version :])


def _steps(played: "_Played", line: RoundLine) -> RoundSteps:
    *_, event = played.events
    file = _exported(played)
    telling = RunningAccount(played.felt.game, played.dealt)
    account = tuple(Sentence.of(one, library.sentences("en")) for one in telling.tell(event))
    step = RoundStep(
        version=played.settled.version, hash=file.rows[-1].hash, event=event, account=account,
        moved=tuple(house_transfers(TABLE, event)), cards=_cards(played.settled), waiting=(),
        phase=played.settled.phase, in_play=played.settled.in_play,
    )  # fmt: skip
    return RoundSteps(
        table=TABLE, line=line, game=played.felt.game.key, fingerprint=played.felt.game.fingerprint, own_game=True,
        before_hash=file.before_hash, steps=(step,), seal=file.seal,
    )  # fmt: skip


def _foreseen(played: "_Played") -> Foreseen:
    """A dealer asks what a report would lead to while betting is open."""
    by = By("dora", Role.DEALER, AT)
    found = decide(played.felt, played.betting, c.Report(round=1, fault=c.Fault.TECHNICAL), by)
    assert isinstance(found, Accepted), found
    telling, said = RunningAccount(played.felt.game, played.betting), library.sentences("en")
    told = tuple(Sentence.of(one, said) for event in found.events for one in telling.tell(event))
    assert found.state is not None, "it leads somewhere"
    return Foreseen(phase=found.state.phase, told=told, question=found.state.question)


def _proven() -> ShoeProof:
    """Of a shoe of four cards, so that the proof is short."""
    order = Sealed(tuple(read_cards("9S 2H KD 5C")), tuple(bytes([place]) * SALT for place in range(1, 5)))
    (card,) = order.reveal_all([2])
    proof = CardProof(
        place=card.place, card=str(card.card), salt=card.salt.hex(), path=tuple(one.hex() for one in card.path)
    )
    return ShoeProof(shoe="blue", commitment=order.commitment, in_service=True, cards=(proof,))


class _Played(NamedTuple):
    """A round at a table of Wu Song on which one player wins."""

    felt: Felt
    before: State
    """Between rounds, before this one is opened."""
    opened: State
    betting: State
    accepted: Answer
    in_part: Answer
    dealt: State
    settled: State
    events: tuple[AnyEvent, ...]


@cache
def _played() -> _Played:
    game, said = library.game("wu-song"), library.sentences("en")
    setup = opening_setup(game)
    felt, state, events = Felt.of(game, setup), State(), list[AnyEvent]()

    def tried(command: c.Command, person: str = "dora", role: Role = Role.DEALER) -> tuple[Accepted, State, Answer]:
        found = decide(felt, state, command, By(person, role, AT))
        assert not isinstance(found, Refusal), found
        assert found.state is not None, "it leads somewhere"
        refused = tuple(LineRefused(line, why) for line, why in found.refusals)
        return found, found.state, answer(Answer(found.state.version, lines=refused), said)

    def done(command: c.Command, person: str = "dora", role: Role = Role.DEALER) -> tuple[State, Answer]:
        found, after, told = tried(command, person, role)
        events.extend(found.events)
        return after, told

    state, _ = done(c.OpenTable(setup=setup), "tom", Role.SHIFT_MANAGER)
    state, _ = done(c.LoadShoe(shoe="blue", decks=setup.decks, shuffled=True, source=Source.KEYBOARD))
    state, _ = done(c.BuyIn(person=PLAYER, amount=1000_00), PLAYER, Role.PLAYER)
    before = state
    state, _ = done(c.OpenBetting())
    opened = state
    state, accepted = done(_slip(player=300_00), PLAYER, Role.PLAYER)
    betting = state
    *_, in_part = tried(_slip(player=400_00, tie=900_00), PLAYER, Role.PLAYER)
    state, _ = done(c.CloseBetting(round=1))
    for index, card in enumerate(read_cards("9S 2H KD 5C"), start=1):
        state, _ = done(c.DrawCard(round=1, index=index, card=card))
    dealt = state
    state, _ = done(c.Settle(round=1))
    return _Played(felt, before, opened, betting, accepted, in_part, dealt, state, tuple(events))


def _slip(**amounts: int) -> c.PlaceBets:
    return c.PlaceBets(round=1, lines=tuple(c.Line(bet=bet, amount=amount, box=1) for bet, amount in amounts.items()))


def _cards(state: State) -> tuple[CardView, ...]:
    return tuple(
        CardView(index=index, side=one.side, face=str(one.card)) for index, one in enumerate(state.drawn, start=1)
    )


_ENROLLED = Enrolled(
    secret="JBSWY3DPEHPK3PXP",
    uri="otpauth://totp/Example%20House:ann?secret=JBSWY3DPEHPK3PXP&issuer=Example%20House",
    recovery=("4bq7-w2md", "m8xk-3rtz"),
)
_WALLET = Wallet(
    person=PLAYER,
    held=0,
    purses={TABLE: 1000_00},
    latest=(
        Moved(id=2, kind=TransferKind.BUY_IN, other=f"purse:{TABLE}:{PLAYER}", amount=-1000_00, at=AT),
        Moved(id=1, kind=TransferKind.DEPOSIT, other="cage", amount=1000_00, at=AT),
    ),
    sums={TransferKind.DEPOSIT: 1000_00},
)
_WITHDRAWAL = ConfirmationCard(
    number=7,
    table="",
    command={"type": "Withdraw", "person": PLAYER, "amount": 500_00},
    person="cal",
    post=Post.CASHIER,
    at=AT,
    mine=False,
    may_confirm=True,
    guest=PLAYER,
)
_FIGURES = Figures(
    figures={
        "game": "wu-song",
        "layout": "A",
        "decks": 8,
        "bets": {
            "player": {
                "house_edge": "1038110443676/19524993263685",
                "house_edge_resolved": "259527610919/4416768407256",
                "return_to_player": "18486882820009/19524993263685",
                "probability": {
                    "win": "8712962041376/19524993263685",
                    "push": "619306544887/6508331087895",
                    "lose": "8954111587648/19524993263685",
                    "void": "0/1",
                },
                "stdev": 0.9169465386918848,
                "decimal": {
                    "house_edge": 0.05316828690572746,
                    "house_edge_resolved": 0.05875961494667464,
                    "return_to_player": 0.9468317130942725,
                    "win": 0.44624660934359683,
                    "push": 0.0951559680236402,
                    "lose": 0.458597422632763,
                    "void": 0.0,
                },
            }
        },
    }
)
_SHOE_NOW = ShoeNow(
    table=TABLE,
    version=4123,
    shoe="A=4,2=4,3=4,4=4,5=4,6=4,7=4,8=4,9=4,10=1,J=1,Q=1,K=1",
    cards=40,
    returns={"player": -0.055207932050037316, "banker": -0.05007232796706481, "tie": 0.015224501540291015},
    favourable=("tie",),
)
