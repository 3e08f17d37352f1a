"""Random commands from everyone, sensible and not, and a way out of any state a table can get into."""

import random

from msgspec.structs import replace

from puntobanco.rules import procedures
from puntobanco.rules.cards import Card, Rank, Suit
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase
from puntobanco.table.story import due
from tests.table.pit import STAFF, Pit

PEOPLE = ["ann", "bob", "cat", "dan"]


def card(rng: random.Random) -> Card:
    return Card(rng.choice(list(Rank)), rng.choice([None, *Suit]))


def random_command(rng: random.Random, pit: Pit) -> tuple[c.Command, By]:
    """Mostly what fits the phase, otherwise anything by anybody."""
    if rng.random() < 0.6 and (choice := players_choice(pit, rng)) is not None:
        return choice
    if rng.random() < 0.6 and (step := next_step(pit, rng)) is not None:
        return step
    role = rng.choice([*Role, Role.PLAYER, Role.PLAYER, Role.DEALER])
    person = rng.choice(PEOPLE) if role is Role.PLAYER else STAFF[role]
    return anything(rng, pit), By(person, role, pit.now)


def players_choice(pit: Pit, rng: random.Random) -> tuple[c.Command, By] | None:
    """What a player may do now: bet, insure, elect, take or leave."""
    state = pit.state
    if state.phase in (Phase.BETTING, Phase.CLOSING):
        bets = [bet.key for bet in pit.felt.bets.values() if bet.insures is None]
        lines = tuple(
            c.Line(
                bet=rng.choice(["player", "banker", rng.choice(bets)]),
                amount=rng.choice([0, 50_00, 100_00, 300_00, 4_000_00, 11_000_00]),
                box=0 if pit.game.terminal else rng.choice([1, 1, 2]),
            )
            for _ in range(rng.randint(1, 3))
        )
        return c.PlaceBets(round=state.round, lines=lines), By(rng.choice(PEOPLE), Role.PLAYER, pit.now)
    if state.window is not None and state.phase is Phase.INSURANCE:
        offer = rng.choice(state.window.offers)
        stake = rng.choice([offer.most, offer.most + 100, 0, 100])
        insure = c.Insure(round=state.round, window=state.window.window, amount=stake, box=offer.box)
        return insure, By(offer.owner, Role.PLAYER, pit.now)
    if state.options is not None and state.phase is Phase.OPTIONS:
        elect = c.Elect(question=state.options.question, election=rng.choice(list(Election)))
        return elect, By(rng.choice(state.options.people), Role.PLAYER, pit.now)
    if state.phase is Phase.SETTLED and state.held:
        held = rng.choice(list(state.held.values()))
        tie = c.ChooseAfterTie(round=state.round, bet=held.bet, leave=rng.random() < 0.5, box=held.box)
        return tie, By(held.owner, Role.PLAYER, pit.now)
    return None


def anything(rng: random.Random, pit: Pit) -> c.Command:  # noqa: PLR0912 (one arm a command)
    state = pit.state
    number = rng.choice([state.round, state.round, state.round, state.round + 1, max(state.round - 1, 0)])
    box = rng.choice([0, 1, 1, 2, 5, 99])
    bet = rng.choice([*pit.felt.bets, "dragon"])
    amount = rng.choice([0, 50_00, 100_00, 200_00, 5_000_00, 12_000_00, 150, -100, 10**14])
    index = rng.choice([len(state.drawn), len(state.drawn) + 1, 1])
    shown = card(rng)
    match rng.randrange(26):
        case 24:
            return table_changes(rng, pit)
        case 25:
            who = rng.choice(["dan", "eve"])
            return rng.choice([c.Assign(person=who, role=rng.choice(list(procedures.Rank))), c.Relieve(person=who)])
        case 0 | 1 | 2 | 3 | 4:
            lines = tuple(
                c.Line(bet=rng.choice([bet, "player", "banker"]), amount=amount, box=rng.choice([box, 0, 1]))
                for _ in range(rng.randint(1, 3))
            )
            owner = rng.choice([None, None, *PEOPLE])
            return c.PlaceBets(round=number, lines=lines, owner=owner, requested=rng.random() < 0.7)
        case 5:
            return c.CloseBetting(round=number, over_excess=rng.random() < 0.7)
        case 6:
            return c.DrawCard(round=number, index=index, card=rng.choice([None, shown]))
        case 7:
            return c.ExposeCard(round=number, index=index, card=shown)
        case 8 | 9 | 10:
            return report(rng, pit, number)
        case 11:
            choice, order = rng.choice(list(Choice)), rng.choice([(1, 2), (2, 1), ()])
            reason, cards = rng.choice(["", "so"]), some_cards(rng, pit)
            return c.Rule(question=state.questions, choice=choice, reason=reason, order=order, cards=cards)
        case 12:
            person = rng.choice([None, *PEOPLE])
            return c.Elect(question=state.questions, election=rng.choice(list(Election)), person=person)
        case 13:
            return c.Insure(round=number, window=rng.choice(list(Window)), amount=amount, box=box)
        case 14:
            return c.ChooseAfterTie(round=number, bet="banker", leave=rng.random() < 0.5, box=box)
        case 15:
            return rng.choice([c.TakeSeat(box=box), c.LeaveSeat(box=box), c.WalkAway(person=rng.choice(PEOPLE))])
        case 16:
            person = rng.choice(PEOPLE)
            return rng.choice([c.BuyIn(person=person, amount=amount), c.CashOut(person=person, amount=amount)])
        case 17:
            return rng.choice(
                [c.RejectExcess(round=number, box=box), c.AdviseMinimum(round=number, box=box, person="ann")]
            )
        case 18:
            return rng.choice([c.RequestSqueeze(round=number, index=index), c.RequestWaiver(round=number)])
        case 19:
            yes = rng.random() < 0.5
            return rng.choice(
                [c.AnswerSqueeze(round=number, index=index, permit=yes), c.AnswerWaiver(round=number, consent=yes)]
            )
        case 20:
            return rng.choice(
                [c.WithdrawShoe(reason="worn"), c.ShowCutCard(), c.FinishSqueeze(round=number, index=index)]
            )
        case 21:
            line = c.Line(bet="player", amount=amount, box=box)
            return c.AttestBet(round=number, owner=rng.choice(PEOPLE), line=line, attested=rng.random() < 0.5)
        case 22:
            return c.DecideUnprovided(round=number, decision="so be it", reason=rng.choice(["", "so"]))
        case _:
            return c.ReturnBet(round=number, box=box, bet=bet, person=rng.choice(PEOPLE))


def some_cards(rng: random.Random, pit: Pit) -> tuple[Card, ...]:
    """The cards out, in another order, with some read anew, one more or one less."""
    out = [one.card or card(rng) for one in pit.state.drawn] + [one or card(rng) for one in pit.state.front]
    rng.shuffle(out)
    if rng.random() < 0.3:
        out = [*out, card(rng)]
    elif rng.random() < 0.3:
        out = [*out[1:], card(rng)]
    return tuple(out)


def table_changes(rng: random.Random, pit: Pit) -> c.Command:
    """Between rounds the table may be changed, closed and opened again."""
    setup = pit.state.setup
    assert setup is not None
    limits = rng.choice([(100_00, 10_000_00), (200_00, 5_000_00)])
    changed = replace(setup, minimum=Cents(limits[0]), differential=Cents(limits[1]))
    return rng.choice([c.ChangeSetup(setup=changed), c.CloseTable(), c.OpenTable(setup=changed)])


def report(rng: random.Random, pit: Pit, number: int) -> c.Report:
    fault = rng.choice(list(Fault))
    many = {Fault.SIMULTANEOUS: 2, Fault.EXCESS: 1, Fault.EXPOSED: 1, Fault.FACE_UP: 1}.get(fault, 0)
    cards: tuple[Card | None, ...] = tuple(card(rng) for _ in range(many))
    lies = {1: Side.BANKER, 2: Side.PLAYER} if rng.random() < 0.5 else {1: Side.BANKER}
    if rng.random() < 0.2:
        cards = tuple(rng.choice([None, one]) for one in cards)
    return c.Report(
        round=number,
        fault=fault,
        cards=cards,
        index=rng.choice([None, 1, len(pit.state.drawn)]),
        lies=lies if fault is Fault.MISDIRECTED else {},
        order_known=rng.random() < 0.3,
    )


def next_step(pit: Pit, rng: random.Random) -> tuple[c.Command, By] | None:
    """What leads the round on from here, by somebody who may do it; there is always something."""
    state, dealer = pit.state, By(STAFF[pit.dealer], pit.dealer, pit.now)
    match state.phase:
        case Phase.IDLE | Phase.SETTLED | Phase.VOIDED:
            shoe = state.shoe
            if shoe is None or not shoe.in_service or shoe.finished:
                load = c.LoadShoe(shoe="next", decks=pit.decks, shuffled=True, source=Source.KEYBOARD, reason="worn")
                return load, By("tom", Role.SHIFT_MANAGER, pit.now)
            return c.OpenBetting(acknowledge=True), dealer
        case Phase.BETTING if pit.game.terminal:
            return c.AnnounceClose(round=state.round), dealer
        case Phase.BETTING | Phase.CLOSING:
            pit.now += 1_000
            return c.CloseBetting(round=state.round, over_excess=True), By(dealer.person, dealer.role, pit.now)
        case Phase.DEALING:
            return _deal(pit, rng, dealer)
        case Phase.INSURANCE:
            assert state.window is not None
            role = Role.DEALER
            return c.CloseInsurance(round=state.round, window=state.window.window), By("dora", role, pit.now)
        case Phase.RESULT:
            return c.Settle(round=state.round), dealer
        case Phase.DECISION | Phase.SUSPENDED:
            assert state.question is not None
            choice = rng.choice(state.question.choices)
            told = next(one for one in state.faults if one.number == state.question.report)
            together = len(told.cards) or len(state.drawn) - (told.index or 0) + 1
            order = tuple(range(1, together + 1))
            cards = some_cards(rng, pit) if choice in (Choice.CORRECT, Choice.RESETTLE) or rng.random() < 0.2 else ()
            number = state.question.number
            rule = c.Rule(question=number, choice=choice, reason="found so", order=order, cards=cards)
            return rule, By("tom", Role.SHIFT_MANAGER, pit.now)
        case Phase.OPTIONS:
            assert state.options is not None
            pit.now = max(pit.now, state.options.deadline)
            return c.CloseOptions(question=state.options.question), By("dora", Role.DEALER, pit.now)
        case Phase.CLOSED:
            assert state.setup is not None
            return c.OpenTable(setup=state.setup), By("max", Role.PIT_MANAGER, pit.now)


def _deal(pit: Pit, rng: random.Random, dealer: By) -> tuple[c.Command, By]:
    state = pit.state
    if state.shoe is None or not state.shoe.in_service:
        load = c.LoadShoe(shoe="next", decks=pit.decks, shuffled=True, source=Source.KEYBOARD, reason="worn")
        return load, By("tom", Role.SHIFT_MANAGER, pit.now)
    hidden = [index for index, one in enumerate(state.drawn, start=1) if one.card is None]
    try:
        side = due(state)
    except Refused:
        side = None
    if side is None or (hidden and rng.random() < 0.3):
        pit.now += 20_000
        expose = c.ExposeCard(round=state.round, index=hidden[0], card=card(rng))
        return expose, By(dealer.person, dealer.role, pit.now)
    waiting = bool(state.front) and state.front[0] is not None
    face = None if waiting or pit.face_down else card(rng)
    return c.DrawCard(round=state.round, index=len(state.drawn) + 1, card=face), dealer
