"""No profit from the procedure: what a player's own rights never give, also to one whom the dealer helps.

Whatever a player elects, claims, raises, withdraws, leaves or squeezes, nobody gets
- a bet that can no longer lose,
- a bet placed, raised or withdrawn after the close, or after a card of its round was seen,
- a bet back after its box was paid.

What the documents grant stays: insurance in its window, the options after a dealing error, the stake that is the
player's to take or leave after a tie, open bets in a round that was announced with a known card waiting, and what
somebody above the dealer answers for.
"""

from collections.abc import Callable, Iterator

from puntobanco.ledger.accounts import purse, stakes
from puntobanco.rules import insurance
from puntobanco.rules.cards import Card
from puntobanco.rules.established import Standing, possible, possible_outcomes
from puntobanco.rules.insurance import Insured
from puntobanco.rules.money import Cents
from puntobanco.rules.settlement import Result
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Election, Fault
from puntobanco.table.events import AnyEvent, Stake
from puntobanco.table.evolve import evolve
from puntobanco.table.felt import Felt
from puntobanco.table.money import transfers
from puntobanco.table.setup import Setup
from puntobanco.table.state import State

ABOVE_THE_DEALER = (Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER)

PLAYERS_RIGHTS = (e.BetsPlaced, e.InsuranceTaken, e.OptionsClosed)
"""What carries out a player's own wish, whoever records it: nobody's rank makes it anything else."""

AFTER_A_TIE = (e.TieChoiceMade, e.StakesReturned, e.BettingOpened)
"""What gives back a stake that is the player's to take or leave."""

VOID_BY_RULE = (Fault.SHOE_EMPTY, Fault.TECHNICAL)
"""What may void a round with nobody to decide it."""


class Profit(AssertionError):
    """Somebody gained by the procedure."""


class NoProfit:
    """Watches a history, event by event."""

    def __init__(self, felt_of: Callable[[Setup], Felt]) -> None:
        self._felt_of = felt_of
        self.state = State()
        self._announced()

    def _announced(self) -> None:
        """A new round: nothing of it is known."""
        self.seen = list[Card]()
        """Cards of the round that were seen since it was announced."""
        self.closed = False
        """The bets of the round are closed."""
        self.in_hands = frozenset[int]()
        """Cards that a player squeezes, or has squeezed: whoever holds one knows it before the table does."""
        self.paid = False
        """A box of the round was paid, whether or not that was taken back since."""
        self.granted = False
        """A dealing error of the round gives the options, and they are not yet over."""
        self.elected: dict[str, Election] = {}

    def watch(self, event: AnyEvent) -> None:
        before, self.state = self.state, evolve(self.state, event)
        self._placed(before, event)
        self._returned(before, event)
        self._note(before, event)

    # ---- what is known, paid and granted -------------------------------------------------------------------------

    def _note(self, before: State, event: AnyEvent) -> None:  # noqa: PLR0912 (one arm an event)
        match event:
            case e.BettingOpened():
                self._announced()
            case e.BettingClosed():
                self.closed = True
            case e.CardDrawn() if (squeeze := before.squeezes.get(event.index)) and squeeze.permitted:
                self.in_hands |= {event.index}
            case e.CardExposed() | e.CardCorrected():
                self.seen.append(event.card)
                self.in_hands -= {event.index}
            case e.CardsOutOfTurn():
                self.seen += filter(None, event.cards)
            case e.CardsReconstructed():
                was = [*(one.card for one in before.drawn), *before.front]
                self.seen += [card for card in (*event.cards, *event.spare) if card is not None and card not in was]
                self.in_hands -= {place for place, card in enumerate(event.cards, start=1) if card is not None}
            case e.RoundSettled() if not event.boxes:
                self.paid = True
            case e.BoxesConfirmed() | e.RoundDecided():
                self.paid = True
            case e.FaultClosed():
                self.granted |= event.grants_options
                for card in filter(None, event.put_back):  # somebody above the dealer found that it never left the shoe
                    self.seen.remove(card)
            case e.OptionsOffered():
                self.elected = {}
            case e.Elected():
                if event.by.role is Role.PLAYER or event.present or event.election is Election.CONTINUE:
                    self.elected[event.person] = event.election
            case e.OptionsClosed():
                self.granted = False
            case _:
                pass

    # ---- what a bet is worth when it is placed -------------------------------------------------------------------

    def _placed(self, before: State, event: AnyEvent) -> None:
        if isinstance(event, e.BettingOpened):
            return  # what lies on since a tie was placed a round before
        for stake in _raised(before, self.state):
            if _answered_for(event):
                continue
            insured = isinstance(event, e.InsuranceTaken)
            if self.seen and not insured:
                raise Profit(f"{stake.key} is placed or raised after a card was seen: {event}")
            if self.closed and isinstance(event, e.BetsPlaced):
                raise Profit(f"{stake.key} is placed or raised after the close: {event}")
            if self.in_hands:
                raise Profit(f"{stake.key} is placed or raised while somebody knows a card: {event}")
            if insured and before.window is None:
                raise Profit(f"{stake.key} is insured outside a window: {event}")
            if not self._can_lose(before, stake):
                raise Profit(f"{stake.key} can no longer lose when it is placed: {event}")

    def _can_lose(self, state: State, stake: Stake) -> bool:
        assert state.plays_under is not None, "bets are placed at an open table"
        felt, seen = self._felt_of(state.plays_under), state.seen_in_order
        name, _, window = stake.bet.partition("@")
        if not window:
            return felt.available.standings(possible(seen))[name] in (Standing.OPEN, Standing.LOST)
        assert state.coup is not None, "insurance is taken with every card exposed"
        made = next(one for one in insurance.offers(felt.game, state.coup) if one.window == window)
        taken = Insured(made, Cents(stake.amount))
        results = [insurance.settle_insurance(taken, felt.game, outcome) for outcome in possible_outcomes(seen)]
        return any(one.result is Result.LOSE for one in results)

    # ---- what comes back -----------------------------------------------------------------------------------------

    def _returned(self, before: State, event: AnyEvent) -> None:
        if isinstance(event, e.SettlementReversed) and self.paid and not _answered_for(event):
            raise Profit(f"what was paid is taken back by nobody above the dealer: {event}")
        if isinstance(event, e.OptionsClosed):
            self._by_option(event)
        back = any(one.source == stakes and one.target.startswith(purse("")) for one in transfers(event))
        if not back or _answered_for(event):
            return
        if isinstance(event, AFTER_A_TIE):
            if not _only_held(before, event):
                raise Profit(f"what comes back after a tie was not held: {event}")
        elif self.paid and not isinstance(event, e.RoundSettled | e.InsuranceTaken):  # which is in its window
            raise Profit(f"a bet comes back after its box was paid: {event}")
        elif isinstance(event, e.RoundVoided):
            if event.cause not in VOID_BY_RULE:
                raise Profit(f"a round is void by the word of nobody above the dealer: {event}")
        elif (self.seen or self.closed) and not isinstance(event, e.RoundSettled | e.InsuranceTaken | e.OptionsClosed):
            raise Profit(f"a bet is lowered or withdrawn after the close, or after a card was seen: {event}")

    def _by_option(self, event: e.OptionsClosed) -> None:
        """Only who chose so in person, or was there and said so, while a dealing error of the round gave the choice."""
        chose = {person for person, election in self.elected.items() if election is Election.RETURN}
        if event.returned and not self.granted:
            raise Profit(f"bets come back by options that nothing gave: {event}")
        if not {one.owner for one in event.returned} <= chose:
            raise Profit(f"somebody's bet comes back who did not choose so: {event}")


def _answered_for(event: AnyEvent) -> bool:
    """Whether somebody besides player and dealer stands for it, and it is no player's own wish."""
    by: By = event.by
    return not isinstance(event, PLAYERS_RIGHTS) and (by.role in ABOVE_THE_DEALER or bool(by.second))


def _raised(before: State, after: State) -> Iterator[Stake]:
    """Stakes of which more plays than before."""
    for key, stake in after.stakes.items():
        if after.playing(key) > (before.playing(key) if key in before.stakes else 0):
            yield stake


def _only_held(before: State, event: e.TieChoiceMade | e.StakesReturned | e.BettingOpened) -> bool:
    match event:
        case e.TieChoiceMade():
            back: tuple[Stake, ...] = (event.stake,)
        case e.StakesReturned():
            back = event.stakes
        case e.BettingOpened():
            back = event.returned
    return all(before.held.get(one.key) == one for one in back)
