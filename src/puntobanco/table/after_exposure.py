"""What follows once cards lie open: an insurance window, the result, or cards waiting for the next round."""

from collections.abc import Iterable

from puntobanco.rules import insurance
from puntobanco.rules.coup import Coup
from puntobanco.rules.insurance import Insured, Offer
from puntobanco.rules.money import Cents
from puntobanco.rules.procedures import Window
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.events import Stake, stake_key
from puntobanco.table.felt import Edition
from puntobanco.table.pending import Story


def after_cards(story: Story) -> None:
    """Once every card on the table is exposed: an insurance window, the result, or the next draw."""
    state, game = story.state, story.felt.game
    coup = state.coup
    if coup is None or len(coup.cards) < 4:
        return
    if coup.is_complete:
        story.tell(e.HandsCompleted, game.round.winner, round=state.round, outcome=coup.outcome)
        return
    offer_insurance(story, coup, deadline=story.by.at + story.setup.timing.insurance)


def offer_insurance(story: Story, coup: Coup, deadline: int) -> None:
    """Open the window these cards have, to whoever may insure; nobody may against a card that everyone can see."""
    state = story.state
    made = insurance.offer(story.felt.game, coup, waived=state.waived)
    if made is None or made.window in state.windows_closed or (state.front and state.front[0] is not None):
        return
    offers = _offers(story, made)
    if offers:
        story.tell(
            e.InsuranceOpened,
            made.row.rule,
            round=state.round,
            window=made.window,
            bet=made.bet.key,
            insures=made.insures,
            odds=str(made.row.odds),
            offers=offers,
            deadline=deadline,
        )


def _offers(story: Story, made: Offer) -> tuple[e.OfferMade, ...]:
    """To everyone with a bet on the insured hand, up to what his payouts and purse allow."""
    state = story.state
    assert state.coup is not None, "a window opens once every card is exposed"
    earlier = [
        offer
        for offer in insurance.offers(story.felt.game, state.coup, waived=state.waived)
        if offer.window in state.windows_closed
    ]
    return tuple(
        e.OfferMade(owner=stake.owner, box=stake.box, most=most)
        for stake in state.stakes.values()
        if stake.bet == made.insures
        for most in (_most(story, made, stake, earlier),)
        if most > 0
    )


def _most(story: Story, made: Offer, original: Stake, earlier: Iterable[Offer]) -> int:
    """`earlier`: the windows already closed, in which the same person may have insured the same box."""
    stakes = story.state.stakes
    keys = [(one, stake_key(original.box, insurance_bet(one.bet.key, one.window), original.owner)) for one in earlier]
    return insurance.cap(
        made,
        original=story.state.playing(original.key),
        unit=story.setup.unit,
        earlier=[Insured(one, Cents(stakes[key].amount)) for one, key in keys if key in stakes],
        count_exclusive=story.setup.policy.count_exclusive,
    )


def insurance_bet(bet: str, window: Window) -> str:
    """How an insurance stake is named among the stakes."""
    return f"{bet}@{window}"


def alert_exposed(story: Story) -> None:
    """A known card is about to be bet on: the Shift Manager is told, with what bets are worth on the very cards."""
    excess = story.felt.game.irregularities.excess_or_exposed
    rule = excess.rule if excess else None
    worth = story.worth
    returns = worth.returns if worth is not None and worth.cards == story.state.front else {}
    story.tell(e.AlertRaised, rule, kind="exposed_card_carried_over", to=Role.SHIFT_MANAGER, worth=returns)


def carry_over(story: Story) -> None:
    """Cards drawn before they were due wait for the next round."""
    excess = story.felt.game.irregularities.excess_or_exposed
    rule = excess.rule if excess else None
    if story.state.front_old:
        story.tell(e.CarryOverDiscarded, rule, many=story.state.front_old)  # a card of the old set, into the discards
    if story.state.front:
        story.tell(e.CardsCarriedOver, rule, round=story.state.round, cards=story.state.front)
    if story.state.waits_for_permission and story.felt.edition >= Edition.SECOND_READING:
        story.tell(e.AlertRaised, story.felt.interprets, kind="opening_waits", to=Role.PIT_SUPERVISOR)
