"""Examples of answers and live messages. What they say of a table comes from a round that is really decided."""

from functools import cache
from typing import Any, NamedTuple

from msgspec import to_builtins

from puntobanco.house.audit.round_bets import bets_of
from puntobanco.house.house import opening_setup
from puntobanco.ledger.accounts import TransferKind
from puntobanco.protocol import live
from puntobanco.protocol.administration import (
    AccountChange,
    ConfirmationCard,
    Consequence,
    Health,
    JournalPage,
    PersonCard,
    SessionCard,
    Titles,
)
from puntobanco.protocol.answers import Answer, LineRefused
from puntobanco.protocol.entries import Deposited, Who
from puntobanco.protocol.figures import BetTaken, GameSource, Simulated, TableTakings
from puntobanco.protocol.money import Account, FloatCard, Moved, TillReport, Wallet
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.protocol.rounds import FoundRound, FoundRounds, RoundLine, RoundPage, RoundRecord
from puntobanco.protocol.sign_in import Enrolled, Entered, Me, OneTimePassword
from puntobanco.protocol.tables import AlertCard, FaultCard, QueuedCard, TableCard
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Refusal
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import decide
from puntobanco.table.events import AnyEvent
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
    line = RoundLine(round=1, at=AT, version=played.opened, outcome=played.settled.outcome, ended="settled")
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
    felt, before, after = played.felt, played.bought, played.betting
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


class _Played(NamedTuple):
    """A round at a table of Wu Song on which one player wins."""

    felt: Felt
    bought: State
    opened: int
    """The version of the event that opened the round."""
    betting: State
    accepted: Answer
    in_part: Answer
    settled: State
    events: tuple[AnyEvent, ...]


@cache
def _played() -> _Played:
    game, said = library.game("wu-song"), library.sentences("en")
    setup = opening_setup(game)
    felt, state, events = Felt.of(game, setup), State(), list[AnyEvent]()

    def done(command: c.Command, person: str = "dora", role: Role = Role.DEALER) -> tuple[State, Answer]:
        found = decide(felt, state, command, By(person, role, AT))
        assert not isinstance(found, Refusal), found
        assert found.state is not None, "it leads somewhere"
        events.extend(found.events)
        refused = tuple(LineRefused(line, why) for line, why in found.refusals)
        return found.state, answer(Answer(found.state.version, lines=refused), said)

    state, _ = done(c.OpenTable(setup=setup), "tom", Role.SHIFT_MANAGER)
    state, _ = done(c.LoadShoe(shoe="blue", decks=setup.decks, shuffled=True, source=Source.KEYBOARD))
    state, _ = done(c.BuyIn(person=PLAYER, amount=1000_00), PLAYER, Role.PLAYER)
    state, _ = done(c.OpenBetting())
    bought = state
    state, accepted = done(_slip(player=300_00), PLAYER, Role.PLAYER)
    betting = state
    _, in_part = done(_slip(player=400_00, tie=900_00), PLAYER, Role.PLAYER)
    state, _ = done(c.CloseBetting(round=1))
    for index, card in enumerate(read_cards("9S 2H KD 5C"), start=1):
        state, _ = done(c.DrawCard(round=1, index=index, card=card))
    state, _ = done(c.Settle(round=1))
    return _Played(felt, bought, bought.version, betting, accepted, in_part, state, tuple(events))


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
