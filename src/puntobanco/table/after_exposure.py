"""What follows once cards are exposed: an insurance window, the result, or cards that wait for the next round. Bets on
cards that everybody knows alert the pit.
"""

from collections.abc import Iterable

from puntobanco.rules import insurance
from puntobanco.rules.coup import Coup
from puntobanco.rules.insurance import Insured, Offer
from puntobanco.rules.money import Cents
from puntobanco.rules.procedures import Window
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.events import Stake, stake_key
from puntobanco.table.felt import Edition
from puntobanco.table.pending import PendingEvents


def after_cards(pending: PendingEvents) -> None:
    """Records the result or opens an insurance window, once every card on the table is exposed."""
    state, game = pending.state, pending.felt.game
    coup = state.coup
    if coup is None:
        return
    if coup.is_complete:
        pending.add(
            e.HandsCompleted(
                by=pending.by, rule=pending.cite(game.round.winner), round=state.round, outcome=coup.outcome
            )
        )
        return
    offer_insurance(pending, coup, deadline=pending.by.at + pending.setup.timing.insurance)


def offer_insurance(pending: PendingEvents, coup: Coup, deadline: int) -> None:
    """Opens the insurance window that these cards give, to those who may insure. Nobody may insure if the next card is
    visible."""
    state = pending.state
    made = insurance.offer(pending.felt.game, coup, waived=state.waived)
    if made is None or made.window in state.windows_closed or (state.front and state.front[0] is not None):
        return
    offers = _offers(pending, made)
    if offers:
        pending.add(
            e.InsuranceOpened(
                by=pending.by,
                rule=pending.cite(made.row.rule),
                round=state.round,
                window=made.window,
                bet=made.bet.key,
                insures=made.insures,
                odds=str(made.row.odds),
                offers=offers,
                deadline=deadline,
            )
        )


def _offers(pending: PendingEvents, made: Offer) -> tuple[e.OfferMade, ...]:
    """An offer to everyone with a bet on the insured hand, up to the cap."""
    state = pending.state
    assert state.coup is not None, "a window opens once every card is exposed"
    earlier = [
        offer
        for offer in insurance.offers(pending.felt.game, state.coup, waived=state.waived)
        if offer.window in state.windows_closed
    ]
    return tuple(
        e.OfferMade(owner=stake.owner, box=stake.box, most=most)
        for stake in state.stakes.values()
        if stake.bet == made.insures
        for most in (_most(pending, made, stake, earlier),)
        if most > 0
    )


def _most(pending: PendingEvents, made: Offer, original: Stake, earlier: Iterable[Offer]) -> int:
    """The most that the stake's owner may insure. `earlier`: closed windows in which they may have insured the same
    box."""
    stakes = pending.state.stakes
    keys = [(one, stake_key(original.box, insurance_bet(one.bet.key, one.window), original.owner)) for one in earlier]
    return insurance.cap(
        made,
        original=pending.state.playing(original.key),
        unit=pending.setup.unit,
        earlier=[Insured(one, Cents(stakes[key].amount)) for one, key in keys if key in stakes],
        count_exclusive=pending.setup.policy.count_exclusive,
    )


def insurance_bet(bet: str, window: Window) -> str:
    """The name of an insurance stake among the stakes."""
    return f"{bet}@{window}"


def alert_exposed(pending: PendingEvents) -> None:
    """Alerts the Shift Manager that players are about to bet on exposed cards, with the value of the bets on those
    cards."""
    excess = pending.felt.game.irregularities.excess_or_exposed
    rule = excess.rule if excess else None
    returns = pending.returns_on(pending.state.front)
    pending.alert(Alert.EXPOSED_CARD_CARRIED_OVER, to=Role.SHIFT_MANAGER, worth=returns, rule=rule)


LARGE_EDGE = 50_000
"""The average gain, in millionths of the stake, from which the pit is told of a bet on exposed cards: more than card
counting gives anybody on Player, Banker or Tie."""


def alert_bets_on_exposed(pending: PendingEvents) -> None:
    """Alerts the Shift Manager to the bets that lie at the close and that the exposed cards favour greatly."""
    excess = pending.felt.game.irregularities.excess_or_exposed
    rule = excess.rule if excess else None
    worth = {bet: gain for bet, gain in pending.returns_on(pending.state.front).items() if gain >= LARGE_EDGE}
    stakes = tuple(stake for stake in pending.state.stakes.values() if stake.bet in worth)
    if stakes:
        worth = {bet: gain for bet, gain in worth.items() if any(stake.bet == bet for stake in stakes)}
        pending.alert(Alert.BETS_ON_KNOWN_CARDS, to=Role.SHIFT_MANAGER, worth=worth, stakes=stakes, rule=rule)


def carry_over(pending: PendingEvents) -> None:
    """Keeps cards that were drawn before they were due for the next round. Cards of a replaced set go to the
    discards."""
    excess = pending.felt.game.irregularities.excess_or_exposed
    rule = excess.rule if excess else None
    if pending.state.front_old:
        pending.add(
            e.CarryOverDiscarded(by=pending.by, rule=pending.cite(rule), many=pending.state.front_old)
        )  # a card of the old set goes to the discards
    if pending.state.front:
        pending.add(
            e.CardsCarriedOver(
                by=pending.by, rule=pending.cite(rule), round=pending.state.round, cards=pending.state.front
            )
        )
    if pending.state.waits_for_permission and pending.felt.edition >= Edition.SECOND_READING:
        pending.alert(Alert.OPENING_WAITS, to=Role.PIT_SUPERVISOR, rule=pending.felt.interprets)
