"""A table in the tests: people sit, bet and deal in short words, and every invariant is checked after each command."""

from typing import TypeVar

import msgspec

from puntobanco.ledger.accounts import balances
from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.game import Game
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Confirmation, Role
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import AnyEvent, Event
from puntobanco.table.evolve import replay
from puntobanco.table.felt import CURRENT, Felt
from puntobanco.table.money import transfers
from puntobanco.table.redeciding import redecided
from puntobanco.table.setup import Policy, Setup, Source
from puntobanco.table.state import Phase, State
from tests.table.no_profit import NoProfit

DEALER, SUPERVISOR, MANAGER, SHIFT = Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER
STAFF = {DEALER: "dora", SUPERVISOR: "sue", MANAGER: "max", SHIFT: "tom", Role.CASHIER: "cal", Role.SYSTEM: "house"}

YEAR_2026 = 1_770_000_000_000

Told = TypeVar("Told", bound=Event)


def paragraph(event: Event) -> str | None:
    return event.rule.paragraph if event.rule else None


AT_ONCE = c.CloseTable(cause=c.ClosingCause.REPAIR, reason="the felt is torn")
"""A table closes although people are there."""


class Pit:
    """One table with its history."""

    def __init__(
        self,
        key: str,
        layout: str | None = None,
        *,
        game: Game | None = None,
        face_down: bool = False,
        policy: Policy | None = None,
        decks: int = 8,
        minimum: int = 100_00,
        differential: int = 10_000_00,
        people: dict[str, int] | None = None,
        automatic: bool = False,
    ) -> None:
        """`automatic`: what the dealer does is done by the house, which deals."""
        self.game = game or library.game(key)
        chosen = self.game.layout(layout)
        setup = Setup(
            game=self.game.key,
            fingerprint=self.game.fingerprint,
            layout=chosen.key if chosen else None,
            boxes=chosen.most_boxes if chosen else 0,
            decks=decks,
            minimum=Cents(minimum),
            differential=Cents(differential),
            face_down=face_down,
            policy=policy or Policy(),
        )
        self.decks, self.face_down = decks, face_down
        self.felt = Felt.of(self.game, setup)
        self.dealer = Role.SYSTEM if self.game.terminal else DEALER
        self.automatic = automatic
        self.state = State()
        self.events: list[AnyEvent] = []
        self.checked, self.replayed, self.held = 0, State(), dict[str, int]()
        self.no_profit = NoProfit(self._on)
        self.now = YEAR_2026
        self.staff(MANAGER, c.OpenTable(setup=setup))
        for person, amount in (people or {"ann": 100_000_00, "bob": 100_000_00, "cat": 100_000_00}).items():
            self.player(person, c.BuyIn(person=person, amount=amount))
        self.staff(self.dealer, c.LoadShoe(shoe="one", decks=decks, shuffled=True, source=Source.KEYBOARD))

    # ---- commands ------------------------------------------------------------------------------------------------

    def tell(self, command: c.Command, by: By) -> Accepted | Refusal:
        before = self.state
        answer = decide(self.felt, self.state, command, by)
        if isinstance(answer, Refusal):
            assert self.state is before
            return answer
        assert answer.state is not None
        assert redecided(self._on, before, answer.events) == (len(answer.events), answer.state)
        self.events += answer.events
        self.state = answer.state
        self.check()
        return answer

    def _on(self, setup: Setup) -> Felt:
        return self.felt if self.felt.layout == self.game.layout(setup.layout) else Felt.of(self.game, setup)

    def staff(self, role: Role, command: c.Command, confirmed: Confirmation | None = None) -> list[AnyEvent]:
        house = self.automatic and role is self.dealer
        answer = self.tell(command, By(STAFF[role], role, self.now, confirmed=confirmed, house=house))
        assert isinstance(answer, Accepted), answer
        return list(answer.events)

    def player(self, person: str, command: c.Command) -> list[AnyEvent]:
        answer = self.tell(command, By(person, Role.PLAYER, self.now))
        assert isinstance(answer, Accepted), answer
        return list(answer.events)

    def refused(self, who: Role | str, command: c.Command) -> tuple[Reason, str | None]:
        """The reason and paragraph; nothing has changed."""
        by = By(STAFF[who], who, self.now) if isinstance(who, Role) else By(who, Role.PLAYER, self.now)
        answer = self.tell(command, by)
        assert isinstance(answer, Refusal), answer
        for language in library.LANGUAGES:
            assert library.sentences(language).say("refusal", answer.reason, **answer.parameters)
        return answer.reason, answer.paragraph

    # ---- short words ---------------------------------------------------------------------------------------------

    def open(self, *, acknowledge: bool = False) -> None:
        self.staff(self.dealer, c.OpenBetting(acknowledge=acknowledge))

    def bet(self, person: str, bet: str, dollars: int, box: int = 1) -> None:
        line = c.Line(bet=bet, amount=dollars * 100, box=0 if self.game.terminal else box)
        self.player(person, c.PlaceBets(round=self.state.round, lines=(line,)))

    def close(self, *, over_excess: bool = False) -> None:
        if self.game.terminal:
            self.staff(self.dealer, c.AnnounceClose(round=self.state.round))
            self.now += 1_000
        self.staff(self.dealer, c.CloseBetting(round=self.state.round, over_excess=over_excess))

    def deal(self, cards: str) -> None:
        """Draw these cards face up, one after the other."""
        for card in read_cards(cards):
            index = len(self.state.drawn) + 1
            self.staff(self.dealer, c.DrawCard(round=self.state.round, index=index, card=card))

    def settle(self) -> list[AnyEvent]:
        """At a dealer's table every box is then taken and paid, one after the other."""
        return self.staff(self.dealer, c.Settle(round=self.state.round)) + self.pay()

    def pay(self) -> list[AnyEvent]:
        return [event for box in self.state.unpaid for event in self.confirm(box)]

    def confirm(self, box: int) -> list[AnyEvent]:
        return self.staff(self.dealer, c.ConfirmBox(round=self.state.round, box=box))

    def round(self, bets: dict[str, dict[str, int]], cards: str) -> None:
        """A whole round: everyone's bets on box 1, close, deal, settle."""
        self.open()
        for person, stakes in bets.items():
            for bet, dollars in stakes.items():
                self.bet(person, bet, dollars)
        self.close()
        self.deal(cards)
        self.settle()

    def report(self, fault: c.Fault, who: Role = DEALER, **facts: object) -> list[AnyEvent]:
        return self.staff(who, c.Report(round=self.state.round, fault=fault, **facts))  # type: ignore[arg-type]

    def rule(self, role: Role, choice: c.Choice, reason: str = "seen on the camera", **facts: object) -> list[AnyEvent]:
        number = self.state.questions
        return self.staff(role, c.Rule(question=number, choice=choice, reason=reason, **facts))  # type: ignore[arg-type]

    def hides(self, *indexes: int) -> None:
        """Draw these cards face down."""
        for index in indexes:
            self.staff(self.dealer, c.DrawCard(round=self.state.round, index=index))

    def turn(self, cards: dict[int, str]) -> None:
        """Expose cards that lie face down, by their index."""
        for index, card in cards.items():
            self.staff(self.dealer, c.ExposeCard(round=self.state.round, index=index, card=read_card(card)))

    def claim(self, person: str, fault: c.Fault, **facts: object) -> list[AnyEvent]:
        return self.player(person, c.Report(round=self.state.round, fault=fault, **facts))  # type: ignore[arg-type]

    def everyone(self, election: c.Election = c.Election.CONTINUE) -> list[AnyEvent]:
        """Everyone makes the same choice, and the options are closed."""
        assert self.state.options is not None
        question = self.state.options.question
        for person in self.state.options.people:
            self.player(person, c.Elect(question=question, election=election))
        return self.staff(DEALER, c.CloseOptions(question=question))

    def told(self, kind: type[Told]) -> list[Told]:
        """Everything of that kind that has happened."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def hands(self) -> dict[str, str]:
        return {
            side.value: " ".join(str(one.card or "?") for one in self.state.drawn if one.side is side) for side in Side
        }

    # ---- what holds always ---------------------------------------------------------------------------------------

    def purse(self, person: str) -> int:
        """Whole dollars, to read well."""
        cents = self.state.purses[person]
        return cents // 100 if cents % 100 == 0 else cents

    @property
    def phase(self) -> Phase:
        return self.state.phase

    def check(self) -> None:
        """Replay equals state; money moves from where it was, is conserved, and no purse is overdrawn; nobody profits
        from the procedure."""
        new = self.events[self.checked :]
        for event in new:
            assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event
            if self.felt.edition == CURRENT:
                self.no_profit.watch(event)
        self.replayed = replay(new, self.replayed)
        moved = [transfer for event in new for transfer in transfers(event)]
        assert all(transfer.amount > 0 for transfer in moved)
        self.held = held = balances(moved, self.held)
        self.checked = len(self.events)
        assert self.replayed == self.state
        assert sum(held.values()) == 0
        for person, cents in self.state.purses.items():
            assert held.get(f"purse:{person}", 0) == cents
            assert cents >= 0
        assert held.get("stakes", 0) == self.state.in_play
        for person, cents in self.state.owed.items():
            assert held.get(f"receivable:{person}", 0) == -cents
        shoe = self.state.shoe
        assert shoe is None or shoe.left >= 0
        for stake in self.state.stakes.values():
            assert 0 <= self.state.playing(stake.key) <= stake.amount


def in_play(key: str, cards: str = "", **options: object) -> Pit:
    """A closed round with 100 of Ann's on Player and 200 of Bob's on Banker, and these cards drawn face up."""
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "banker", 200)
    pit.close()
    pit.deal(cards)
    return pit
