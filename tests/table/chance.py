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
from puntobanco.table.authority import By, Confirmation, Role
from puntobanco.table.commands import Choice, Election, Fault, Tender
from puntobanco.table.guests import shown as name_of
from puntobanco.table.pending import due
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase
from tests.table.pit import AT_ONCE, STAFF, Pit

PEOPLE = ["ann", "bob", "cat", "dan"]
GUESTS = ["~Lee", "~ann"]


def card(rng: random.Random) -> Card:
    return Card(rng.choice(list(Rank)), rng.choice([None, *Suit]))


def random_command(rng: random.Random, pit: Pit) -> tuple[c.Command, By]:
    """Mostly what fits the phase, or what a cheat would try; otherwise anything by anybody."""
    if rng.random() < 0.2 and (attempt := cheats_attempt(pit, rng)) is not None:
        return attempt
    if rng.random() < 0.6 and (choice := players_choice(pit, rng)) is not None:
        return choice
    if rng.random() < 0.6 and (step := next_step(pit, rng)) is not None:
        return step
    role = rng.choice([*Role, Role.PLAYER, Role.PLAYER, Role.DEALER])
    person = rng.choice(PEOPLE) if role is Role.PLAYER else STAFF[role]
    confirmed = rng.choice([None, *Confirmation])
    return anything(rng, pit), By(person, role, pit.now, confirmed=confirmed)


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
        insure: c.Command = c.Insure(round=state.round, window=state.window.window, amount=stake, box=offer.box)
        if not stake and offer.key not in state.window.answered:
            insure = c.DeclineInsurance(round=state.round, window=state.window.window, box=offer.box)
        return insure, By(offer.owner, Role.PLAYER, pit.now)
    if state.waiver_until and state.waiver_asked is not None and rng.random() < 0.5:
        agree = c.AgreeToWaiver(round=state.round, agrees=rng.random() < 0.8)
        return agree, By(rng.choice(PEOPLE), Role.PLAYER, pit.now)
    if state.options is not None and state.phase is Phase.OPTIONS:
        elect = c.Elect(question=state.options.question, election=rng.choice(list(Election)))
        return elect, By(rng.choice(state.options.people), Role.PLAYER, pit.now)
    if state.is_posted and state.held:
        held = rng.choice(list(state.held.values()))
        tie = c.ChooseAfterTie(round=state.round, bet=held.bet, leave=rng.random() < 0.5, box=held.box)
        return tie, By(held.owner, Role.PLAYER, pit.now)
    return None


def cheats_attempt(pit: Pit, rng: random.Random) -> tuple[c.Command, By] | None:
    """What somebody tries who wants more than the game gives, and a dealer who helps: at the worst moments."""
    state, number = pit.state, pit.state.round
    helper = By("dora", Role.DEALER, pit.now)
    cheat = By(rng.choice(state.bettors or PEOPLE), Role.PLAYER, pit.now)
    box = 0 if pit.game.terminal else rng.choice([1, 1, 2])
    match state.phase:
        case Phase.BETTING | Phase.CLOSING:
            if rng.random() < 0.7:
                return c.TakeSeat(box=box), cheat
            return seen_too_early(rng, number), rng.choice([helper, cheat])
        case Phase.DEALING if pit.face_down and rng.random() < 0.6:
            return card_in_hands(rng, pit, box)
        case Phase.DEALING | Phase.INSURANCE | Phase.RESULT:
            above = By("sue", Role.PIT_SUPERVISOR, pit.now)
            return while_cards_lie(rng, pit, cheat.person, box), rng.choice([helper, helper, above, cheat])
        case Phase.SETTLED:
            return after_payment(rng, number, len(state.drawn)), rng.choice([helper, cheat])
        case Phase.OPTIONS if state.options is not None:
            person = rng.choice(state.options.people)
            present, election = rng.random() < 0.7, rng.choice([Election.RETURN, Election.RETURN, Election.CONTINUE])
            elect = c.Elect(question=state.options.question, election=election, person=person, present=present)
            own = By(person, Role.PLAYER, pit.now)
            return rng.choice([(elect, helper), (elect, own), (c.WalkAway(person=person), own)])
        case Phase.DECISION | Phase.SUSPENDED:
            return seen_too_early(rng, number), rng.choice([helper, cheat])
        case _:
            return None


def seen_too_early(rng: random.Random, number: int) -> c.Command:
    """A card that is seen, or said to be, before its turn."""
    fault = rng.choice([Fault.EXPOSED, Fault.EXCESS, Fault.SIMULTANEOUS, Fault.WRONG_NUMBER_OF_CARDS])
    cards: tuple[Card | None, ...] = tuple(card(rng) for _ in range(2 if fault is Fault.SIMULTANEOUS else 1))
    if fault is not Fault.EXPOSED and rng.random() < 0.2:
        cards = (None, *cards[1:])
    return c.Report(round=number, fault=fault, cards=cards, order_known=rng.random() < 0.5)


def card_in_hands(rng: random.Random, pit: Pit, box: int) -> tuple[c.Command, By]:
    """A player asks for a card, gets it, and the dealer has more chips of theirs to key in."""
    state, number = pit.state, pit.state.round
    dealer, due_next = By("dora", Role.DEALER, pit.now), len(state.drawn) + 1
    for index, one in state.squeezes.items():
        if not one.permitted:
            return c.AnswerSqueeze(round=number, index=index, permit=True), dealer
        if index < due_next:
            own = By(one.person, Role.PLAYER, pit.now)
            done, bet = c.FinishSqueeze(round=number, index=index), rng.choice(["player", "banker"])
            return rng.choice([(chips_keyed_late(rng, pit, one.person, box, bet), dealer), (done, own)])
    if state.in_hands and rng.random() < 0.5:
        return chips_keyed_late(rng, pit, rng.choice(PEOPLE), box, "player"), dealer
    highest = sorted(state.stakes.values(), key=lambda one: -one.amount)
    person = next((one.owner for one in highest if one.bet in tuple(Side)), rng.choice(PEOPLE))
    return c.RequestSqueeze(round=number, index=due_next), By(person, Role.PLAYER, pit.now)


def chips_keyed_late(rng: random.Random, pit: Pit, person: str, box: int, bet: str) -> c.AttestBet:
    line = c.Line(bet=bet, amount=rng.choice([100_00, 5_000_00]), box=box)
    return c.AttestBet(round=pit.state.round, owner=person, line=line, attested=True, reason=rng.choice(["", "filmed"]))


def while_cards_lie(rng: random.Random, pit: Pit, person: str, box: int) -> c.Command:
    """Chips that come late, a card keyed anew, and errors that would give a choice."""
    state, number, last = pit.state, pit.state.round, len(pit.state.drawn)
    bet = rng.choice(list(pit.felt.bets))
    line = c.Line(bet=bet, amount=rng.choice([0, 100_00, 5_000_00]), box=box)
    first = rng.choice([1, max(last - 1, 1)])
    late = c.NoteLateBet(round=number, person=person, box=box, bet=bet, amount=100_00, withdrawn=rng.random() < 0.5)
    match rng.randrange(10):
        case 0 | 1 | 2:
            return chips_keyed_late(rng, pit, person, box, bet)
        case 3:
            return rng.choice([late, c.PlaceBets(round=number, lines=(line,), owner=person, requested=True)])
        case 4:
            return c.CorrectCard(round=number, index=state.keyed, card=card(rng))
        case 5:
            return c.Report(round=number, fault=Fault.SIMULTANEOUS, index=first, order_known=True)
        case 6:
            return c.Report(round=number, fault=Fault.FACE_UP, index=rng.choice([1, last]), cards=(card(rng),))
        case 7:
            return rng.choice([c.WalkAway(person=person), c.TakeSeat(box=box, person=person)])
        case 8:
            return c.Report(round=number, fault=rng.choice([Fault.OTHER_DEALING_ERROR, Fault.MISKEYED]))
        case _:
            return seen_too_early(rng, number)


def after_payment(rng: random.Random, number: int, drawn: int) -> c.Command:
    """What would undo a settlement."""
    faults = [Fault.MISPAYMENT, Fault.MISPAYMENT, Fault.SIMULTANEOUS, Fault.OTHER_DEALING_ERROR, Fault.MISKEYED]
    fault = rng.choice(faults)
    index = rng.choice([1, max(drawn - 1, 1)]) if fault is Fault.SIMULTANEOUS else None
    undone = c.Report(round=number, fault=fault, index=index, order_known=rng.random() < 0.5)
    return rng.choice([undone, undone, seen_too_early(rng, number)])


def anything(rng: random.Random, pit: Pit) -> c.Command:  # noqa: PLR0912, PLR0915 (one arm a command)
    state = pit.state
    number = rng.choice([state.round, state.round, state.round, state.round + 1, max(state.round - 1, 0)])
    box = rng.choice([0, 1, 1, 2, 5, 99])
    bet = rng.choice([*pit.felt.bets, "dragon"])
    amount = rng.choice([0, 50_00, 100_00, 200_00, 5_000_00, 12_000_00, 150, -100, 10**14])
    index = rng.choice([len(state.drawn), len(state.drawn) + 1, 1])
    shown = card(rng)
    match rng.randrange(28):
        case 24:
            return table_changes(rng, pit)
        case 25:
            who = rng.choice(["dan", "eve"])
            return rng.choice(
                [c.Assign(person=who, role=rng.choice(list(procedures.StaffRank))), c.Relieve(person=who)]
            )
        case 0 | 1 | 2 | 3 | 4:
            lines = tuple(
                c.Line(bet=rng.choice([bet, "player", "banker"]), amount=amount, box=rng.choice([box, 0, 1]))
                for _ in range(rng.randint(1, 3))
            )
            owner = rng.choice([None, None, *PEOPLE, *GUESTS])
            return c.PlaceBets(round=number, lines=lines, owner=owner, requested=rng.random() < 0.7)
        case 5:
            confirm = rng.choice([c.ConfirmBox(round=number, box=box), c.ConfirmRest(round=number)])
            return rng.choice([c.CloseBetting(round=number, over_excess=rng.random() < 0.7), confirm])
        case 6:
            return c.DrawCard(round=number, index=index, card=rng.choice([None, shown]))
        case 7:
            correct = c.CorrectCard(round=number, index=rng.choice([state.keyed, index]), card=shown)
            return rng.choice([c.ExposeCard(round=number, index=index, card=shown), correct])
        case 8 | 9 | 10:
            return report(rng, pit, number)
        case 11:
            choice, order = rng.choice(list(Choice)), rng.choice([(1, 2), (2, 1), ()])
            reason, cards = rng.choice(["", "so"]), some_cards(rng, pit)
            bets = decided(rng, pit) if choice is Choice.DECIDE_BETS else ()
            return c.Rule(question=state.questions, choice=choice, reason=reason, order=order, cards=cards, bets=bets)
        case 12:
            person = rng.choice([None, *PEOPLE])
            present = rng.random() < 0.7
            return c.Elect(
                question=state.questions, election=rng.choice(list(Election)), person=person, present=present
            )
        case 13:
            person = rng.choice([None, *PEOPLE, *GUESTS])
            return c.Insure(round=number, window=rng.choice(list(Window)), amount=amount, box=box, person=person)
        case 14:
            person = rng.choice([None, *PEOPLE, *GUESTS])
            return c.ChooseAfterTie(round=number, bet="banker", leave=rng.random() < 0.5, box=box, person=person)
        case 15:
            person = rng.choice([None, *PEOPLE, *GUESTS])
            seat, away = c.TakeSeat(box=box, person=person), c.WalkAway(person=rng.choice([*PEOPLE, *GUESTS]))
            return rng.choice([seat, c.LeaveSeat(box=box), away])
        case 16:
            person = rng.choice(PEOPLE)
            return rng.choice([c.BuyIn(person=person, amount=amount), c.CashOut(person=person, amount=amount)])
        case 26 | 27:
            tender, again = rng.choice(list(Tender)), rng.random() < 0.5
            buy = c.BuyInAtTable(name=name_of(rng.choice(GUESTS)), amount=amount, tender=tender, again=again)
            return rng.choice([buy, buy, c.LeaveTable(person=rng.choice(GUESTS))])
        case 17:
            return rng.choice(
                [c.RejectExcess(round=number, box=box), c.AdviseMinimum(round=number, box=box, person="ann")]
            )
        case 18:
            person = rng.choice([None, *PEOPLE, *GUESTS])
            squeeze = c.RequestSqueeze(round=number, index=index, person=person)
            agree = c.AgreeToWaiver(round=number, agrees=rng.random() < 0.5, person=person)
            return rng.choice([squeeze, c.RequestWaiver(round=number, person=person), agree])
        case 19:
            yes = rng.random() < 0.5
            return rng.choice(
                [c.AnswerSqueeze(round=number, index=index, permit=yes), c.AnswerWaiver(round=number, consent=yes)]
            )
        case 20:
            return rng.choice(
                [
                    c.TakeOver(round=number, away=rng.choice([-1, 0, 2_000, 10_001])),
                    c.WithdrawShoe(reason="worn"),
                    c.ShowCutCard(),
                    c.PermitOpening(),
                    c.FinishSqueeze(round=number, index=index, person=rng.choice([None, *PEOPLE, *GUESTS])),
                ]
            )
        case 21:
            line = c.Line(bet="player", amount=amount, box=box)
            attest = c.AttestBet(round=number, owner=rng.choice(PEOPLE), line=line, attested=rng.random() < 0.5)
            return rng.choice([attest, late_chips(rng, pit, number)])
        case 22:
            bets, reason = decided(rng, pit) if rng.random() < 0.7 else (), rng.choice(["", "so", "so"])
            about = number if rng.random() < 0.8 else number - 1
            return c.DecideUnprovided(round=about, decision="so be it", reason=reason, bets=bets)
        case _:
            return c.ReturnBet(round=number, box=box, bet=bet, person=rng.choice(PEOPLE))


def late_chips(rng: random.Random, pit: Pit, number: int) -> c.Command:
    """A chip placed or taken away after the close, and what becomes of one that is missing."""
    stake = rng.choice([*pit.state.stakes.values(), None])
    person, box, bet = (stake.owner, stake.box, stake.bet.partition("@")[0]) if stake else ("ann", 1, "player")
    amount = rng.choice([100_00, stake.amount if stake else 0])
    taken = c.NoteLateBet(round=number, person=person, box=box, bet=bet, amount=amount, withdrawn=rng.random() < 0.8)
    missing = rng.choice([*pit.state.missing, 0])
    written_off = c.WriteOffChip(missing=missing, reason=rng.choice(["", "gone"]))
    return rng.choice([taken, taken, c.CollectChip(missing=missing), written_off])


def decided(rng: random.Random, pit: Pit) -> tuple[c.BetTerms, ...]:
    """What the House may make of some of the bets, and of one that is perhaps none."""
    owner, bet, box = rng.choice([*PEOPLE, *GUESTS]), rng.choice(list(pit.felt.bets)), rng.choice([0, 1])
    there = [(one.owner, one.bet, one.box) for one in pit.state.stakes.values()] or [(owner, bet, box)]
    named = rng.sample(there, min(len(there), rng.choice([1, 1, 2])))
    if rng.random() < 0.1:
        named.append((owner, bet, box))
    terms = [rng.choice(list(c.Terms)) for _ in named]
    amounts = [rng.choice([50_00, 100_00, 1_000_00, 90_000_00]) for _ in named]
    return tuple(
        c.BetTerms(
            owner=owner, bet=bet, box=box, terms=one, amount=amount if one in (c.Terms.AT_STAKE, c.Terms.PAY) else 0
        )
        for (owner, bet, box), one, amount in zip(named, terms, amounts, strict=True)
    )


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
    closing = rng.choice([c.AnnounceClosing(reason="quiet night"), c.CloseTable(), AT_ONCE])
    return rng.choice([c.ChangeSetup(setup=changed), closing, c.OpenTable(setup=changed)])


def report(rng: random.Random, pit: Pit, number: int) -> c.Report:
    fault = rng.choice(list(Fault))
    face_up = rng.choice([1, 1, 2, 3])
    many = {Fault.SIMULTANEOUS: 2, Fault.EXCESS: 1, Fault.EXPOSED: 1, Fault.FACE_UP: face_up}.get(fault, 0)
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
        shoe=rng.choice(["", "", "one", "next"]),
    )


def next_step(pit: Pit, rng: random.Random) -> tuple[c.Command, By] | None:
    """What leads the round on from here, by somebody who may do it; there is always something."""
    state, dealer = pit.state, By(STAFF[pit.dealer], pit.dealer, pit.now, house=pit.automatic)
    match state.phase:
        case Phase.IDLE | Phase.SETTLED | Phase.VOIDED | Phase.WITHOUT_BETS | Phase.DECIDED:
            shoe = state.shoe
            if shoe is None or not shoe.in_service or shoe.finished:
                return _load(pit)
            if state.waits_for_permission:
                return c.PermitOpening(), By("sue", Role.PIT_SUPERVISOR, pit.now)
            known = c.Worth(cards=state.front, returns={"player": rng.randint(-1_000_000, 1_000_000)})
            return c.OpenBetting(acknowledge=True, worth=rng.choice([None, known])), dealer
        case Phase.BETTING if pit.game.terminal:
            return c.AnnounceClose(round=state.round), dealer
        case Phase.BETTING | Phase.CLOSING:
            pit.now += 1_000
            return c.CloseBetting(round=state.round, over_excess=True), replace(dealer, at=pit.now)
        case Phase.DEALING:
            return _deal(pit, rng, dealer)
        case Phase.INSURANCE:
            assert state.window is not None
            role = Role.DEALER
            return c.CloseInsurance(round=state.round, window=state.window.window), By("dora", role, pit.now)
        case Phase.RESULT:
            return c.Settle(round=state.round), dealer
        case Phase.PAYING:
            return c.ConfirmBox(round=state.round, box=rng.choice(state.unpaid)), dealer
        case Phase.DECISION | Phase.SUSPENDED:
            assert state.question is not None
            choice = rng.choice(state.question.choices)
            told = next(one for one in state.faults if one.number == state.question.report)
            together = len(told.cards) or len(state.drawn) - (told.index or 0) + 1
            order = tuple(range(1, together + 1))
            cards = some_cards(rng, pit) if choice in (Choice.CORRECT, Choice.RESETTLE) or rng.random() < 0.2 else ()
            number = state.question.number
            bets = decided(rng, pit) if choice is Choice.DECIDE_BETS else ()
            rule = c.Rule(question=number, choice=choice, reason="found so", order=order, cards=cards, bets=bets)
            return rule, By("tom", Role.SHIFT_MANAGER, pit.now)
        case Phase.OPTIONS:
            assert state.options is not None
            pit.now = max(pit.now, state.options.deadline)
            return c.CloseOptions(question=state.options.question), By("dora", Role.DEALER, pit.now)
        case Phase.CLOSED:
            assert state.setup is not None
            return c.OpenTable(setup=state.setup), By("max", Role.PIT_MANAGER, pit.now)


def _load(pit: Pit) -> tuple[c.Command, By]:
    """A new shoe; first the pit confirms that one whose order does not match its commitment is withdrawn."""
    manager = By("tom", Role.SHIFT_MANAGER, pit.now)
    if pit.state.shoe is not None and pit.state.shoe.unproven:
        return c.WithdrawShoe(reason="not as committed"), manager
    return c.LoadShoe(shoe="next", decks=pit.decks, shuffled=True, source=Source.KEYBOARD, reason="worn"), manager


def _deal(pit: Pit, rng: random.Random, dealer: By) -> tuple[c.Command, By]:
    state = pit.state
    if state.shoe is None or not state.shoe.in_service:
        return _load(pit)
    hidden = [index for index, one in enumerate(state.drawn, start=1) if one.card is None]
    try:
        side = due(state)
    except Refused:
        side = None
    asked = [index for index, one in state.squeezes.items() if not one.permitted]
    if asked and state.house_deals:
        return c.AnswerSqueeze(round=state.round, index=asked[0], permit=rng.random() < 0.9), dealer
    if side is None or (hidden and rng.random() < 0.3):
        pit.now += 20_000
        expose = c.ExposeCard(round=state.round, index=hidden[0], card=card(rng))
        return expose, replace(dealer, at=pit.now)
    waiting = bool(state.front) and state.front[0] is not None
    face = None if waiting or pit.face_down else card(rng)
    return c.DrawCard(round=state.round, index=len(state.drawn) + 1, card=face), dealer
