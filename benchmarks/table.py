"""Commands through decide and evolve on a full 12-box table, events through replay, and a bet at electronic tables of
many terminals."""

import statistics
import time

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import Draft, replay
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State
from puntobanco.table.views import EachOwn

RUNS, ROUNDS, BOXES, PEOPLE = 5, 40, 12, 36
AIM_COMMANDS, AIM_EVENTS = 30_000, 100_000
TERMINALS, BETS = (20, 1_000), 1_000


def commands(felt: Felt) -> list[tuple[c.Command, By]]:
    """Three people at each of twelve boxes place three bets each in every round."""
    game = felt.game
    dealer = By("dora", Role.DEALER, 1_770_000_000_000)
    manager = By("max", Role.PIT_MANAGER, dealer.at)
    setup = Setup(
        game=game.key, fingerprint=game.fingerprint, layout="D", boxes=BOXES, decks=8,
        minimum=Cents(10_00), differential=Cents(1_000_000_00), cut_card=0,
    )  # fmt: skip
    told: list[tuple[c.Command, By]] = [(c.OpenTable(setup=setup), manager)]
    people = [By(f"p{number}", Role.PLAYER, dealer.at) for number in range(PEOPLE)]
    told += [(c.BuyIn(person=by.person, amount=1_000_000_00), by) for by in people]
    told.append((c.LoadShoe(shoe="one", decks=8, shuffled=True, source=Source.KEYBOARD), dealer))
    cards = read_cards("9 7 K 10")
    for number in range(1, ROUNDS + 1):
        told.append((c.OpenBetting(), dealer))
        for place, by in enumerate(people):
            for bet in ("player", "banker", "tie"):
                line = c.Line(bet=bet, amount=100_00, box=1 + place % BOXES)
                told.append((c.PlaceBets(round=number, lines=(line,)), by))
        told.append((c.CloseBetting(round=number), dealer))
        told += [(c.DrawCard(round=number, index=at, card=card), dealer) for at, card in enumerate(cards, start=1)]
        told.append((c.Settle(round=number), dealer))
        told += [(c.ConfirmBox(round=number, box=box), dealer) for box in range(1, BOXES + 1)]
    return told


def decided(felt: Felt, told: list[tuple[c.Command, By]]) -> tuple[float, list[AnyEvent]]:
    state, events = State(), list[AnyEvent]()
    started = time.perf_counter()
    for command, by in told:
        answer = decide(felt, state, command, by)
        assert isinstance(answer, Accepted), answer
        assert answer.state is not None
        state = answer.state
        events += answer.events
    return time.perf_counter() - started, events


def bets_at(terminals: int) -> tuple[float, float]:
    """Microseconds of processor time to decide a bet, and to follow it in the private views, at an electronic table
    where every terminal has three bets already."""
    game = library.game("non-commission-etg")
    state, house = State(), By("house", Role.SYSTEM, 1_770_000_000_000)
    setup = Setup(
        game=game.key, fingerprint=game.fingerprint, layout=None, boxes=0, decks=8, minimum=Cents(10_00),
        differential=Cents(1_000_000_00),
    )  # fmt: skip
    felt = Felt.of(game, setup)
    draft = Draft()
    people = [By(f"p{number}", Role.PLAYER, house.at) for number in range(terminals)]

    def sent(command: c.Command, by: By) -> tuple[AnyEvent, ...]:
        nonlocal state
        answer = decide(felt, state, command, by, draft if isinstance(command, c.PlaceBets) else None)
        assert isinstance(answer, Accepted), answer
        assert answer.state is not None
        state = answer.state
        return answer.events

    def bet(on: str, amount: int, by: By) -> tuple[AnyEvent, ...]:
        return sent(c.PlaceBets(round=1, lines=(c.Line(bet=on, amount=amount),)), by)

    sent(c.OpenTable(setup=setup), By("max", Role.PIT_MANAGER, house.at))
    for by in people:
        sent(c.BuyIn(person=by.person, amount=1_000_000_00), by)
    sent(c.LoadShoe(shoe="one", decks=8, shuffled=True, source=Source.ELECTRONIC, commitment="0" * 64), house)
    sent(c.OpenBetting(), house)
    for by in people:
        for on in ("player", "banker", "tie"):
            bet(on, 10_00, by)
    own, deciding, following = EachOwn(felt, state), list[float](), list[float]()
    for number in range(BETS):
        by = people[number % terminals]
        began = time.thread_time()
        events = bet("player", 20_00 + 10_00 * (number // terminals), by)
        decided = time.thread_time()
        own.follow(felt, state, events)
        own.view(by.person)
        deciding.append(decided - began)
        following.append(time.thread_time() - decided)
    return 1e6 * statistics.median(deciding), 1e6 * statistics.median(following)


def main() -> None:
    game = library.game("commission")
    felt = Felt(game, game.layout("D"))
    told = commands(felt)
    rates, replays = [], []
    for _ in range(RUNS):
        taken, events = decided(felt, told)
        rates.append(len(told) / taken)
        started = time.perf_counter()
        replay(events)
        replays.append(len(events) / (time.perf_counter() - started))
    for name, got, aim in (
        ("decide and evolve, commands", rates, AIM_COMMANDS),
        ("replay, events", replays, AIM_EVENTS),
    ):
        print(f"{name:36} {statistics.median(got):10,.0f} /s   aim {aim:,}   {statistics.median(got) / aim:.2f} x")
    for what, few, many in zip(("decided", "in the private views"), *map(bets_at, TERMINALS), strict=True):
        print(f"a bet, {what:29} {few:10.1f} us at {TERMINALS[0]} terminals, {many:.1f} us at {TERMINALS[1]:,}")


if __name__ == "__main__":
    main()
