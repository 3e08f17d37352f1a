"""Commands through decide and evolve on a full 12-box table, and events through replay."""

import statistics
import time

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import replay
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State

RUNS, ROUNDS, BOXES, PEOPLE = 5, 40, 12, 36
AIM_COMMANDS, AIM_EVENTS = 30_000, 100_000


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


if __name__ == "__main__":
    main()
