"""The narration of each event of play: a sentence for the event, and a line for every stake that it moves.

`narration_faults.py` narrates irregularities.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from puntobanco.rules.cards import Card
from puntobanco.rules.explanation import ExplanationStep, after
from puntobanco.rules.game import Game
from puntobanco.rules.money import write_money
from puntobanco.rules.outcome import Winner
from puntobanco.rules.plain_data import Phrase
from puntobanco.rules.procedures import Action, Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import AnyEvent, Cited, Question, SettledStake, Stake
from puntobanco.table.narration_words import NarratedLine, bet_name, cards, on, phrase, place, staked, title, who
from puntobanco.table.state import Phase, State
from puntobanco.table.tags import tag_of


class Moment(msgspec.Struct, frozen=True):
    """The context of an event: the table before and after it, and the last question that was answered."""

    game: Game
    before: State
    now: State
    answered: Question | None = None
    answer: Choice | None = None

    def cite(self, paragraph: str | None) -> Cited | None:
        return Cited(self.game.key, str(paragraph)) if paragraph else None


Teller = Callable[[Moment, Any], Iterator[NarratedLine]]


def code_of(event: type[e.Event]) -> str:
    """`RoundSettled` as `round_settled`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in tag_of(event)).lstrip("_")


def line(event: e.Event, code: str | None = None, /, **parameters: object) -> NarratedLine:
    """A line for the event, under its own code or another, with its plain fields and these parameters."""
    return NarratedLine(
        code or code_of(type(event)), event.rule, dict(_plain(event)) | {"who": who(event.by)} | parameters
    )


def _plain(event: e.Event) -> Iterator[tuple[str, object]]:
    """The fields that a sentence can use as they are."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if name == "amount":
            yield name, write_money(value)
        elif name == "person":
            yield name, value
        elif isinstance(value, Card):
            yield name, str(value)
        elif isinstance(value, str | int):
            yield name, value


def as_it_is(_moment: Moment, event: e.Event) -> Iterator[NarratedLine]:
    yield line(event)


# ---- the table and its shoe --------------------------------------------------------------------------------------


def _table_closed(_moment: Moment, event: e.TableClosed) -> Iterator[NarratedLine]:
    yield line(event, "table_closed_at_once" if event.cause is not None else None)


def _table_taken_over(_moment: Moment, event: e.TableTakenOver) -> Iterator[NarratedLine]:
    yield line(event, seconds=f"{event.away / 1000:.1f}")


def _set_up(moment: Moment, event: e.TableOpened | e.SetupChanged) -> Iterator[NarratedLine]:
    setup = event.setup
    limits = {"minimum": write_money(setup.minimum), "differential": write_money(setup.differential)}
    yield line(event, game=moment.game.title, decks=setup.decks, **limits)


def _bought_in(_moment: Moment, event: e.BoughtIn) -> Iterator[NarratedLine]:
    yield line(event, f"bought_in_by_{event.by.confirmed}" if event.by.confirmed else None)


def _recorded(event: AnyEvent, owner: str, code: str | None = None) -> str:
    """The code for a person's own action, or for one that somebody else recorded for them."""
    code = code or code_of(type(event))
    return code if event.by.person == owner else f"{code}_recorded"


def _seat_taken(_moment: Moment, event: e.SeatTaken) -> Iterator[NarratedLine]:
    yield line(event, _recorded(event, event.person), place=place(event.box))


def _seat_left(_moment: Moment, event: e.SeatLeft) -> Iterator[NarratedLine]:
    yield line(event, place=place(event.box))


def _shoe_loaded(_moment: Moment, event: e.ShoeLoaded) -> Iterator[NarratedLine]:
    yield line(event, None if event.shuffled else "shoe_loaded_unshuffled")


def _set_withdrawn(_moment: Moment, event: e.SetWithdrawn) -> Iterator[NarratedLine]:
    yield line(event, reason=Fault(event.reason))


def _shoe_withdrawn(_moment: Moment, event: e.ShoeWithdrawn) -> Iterator[NarratedLine]:
    reason: object = event.reason
    if event.reason in tuple(Fault):
        reason = Fault(event.reason)
    elif event.reason == Reason.DECKS_NOT_AS_SET:
        reason = phrase("other_decks")
    elif event.unproven:
        reason = Alert.SHOE_UNPROVEN
    yield line(event, None if event.reason else "shoe_withdrawn_plain", reason=reason)


# ---- betting -----------------------------------------------------------------------------------------------------


def _stakes_returned(moment: Moment, event: e.StakesReturned) -> Iterator[NarratedLine]:
    yield line(event)
    yield from back(moment, event.stakes, event.rule)


def _betting_opened(moment: Moment, event: e.BettingOpened) -> Iterator[NarratedLine]:
    """Lines on stakes held since a tie cite the tie paragraph, whatever the announcement cites."""
    tie = moment.cite(moment.game.tie.rule)
    yield line(event)
    yield from _not_offered(moment, event.not_offered)
    for stake in event.returned:
        left, decided = stake.key in moment.before.leaving, stake.bet in event.not_offered
        code = ("stake_left_decided" if decided else "stake_left_low") if left else "stake_silent"
        yield NarratedLine(code, _interprets(moment) if left and decided else tie, staked(moment.game, stake))
    for stake in event.left_lying:
        code = "stake_left" if stake.key in moment.before.leaving else "stake_left_silent"
        yield NarratedLine(code, tie, staked(moment.game, stake) | {"round": event.round})
    overlay = moment.now.setup.overlay if moment.now.setup is not None else None
    if event.overlay and overlay is not None:
        named = {"title": overlay.title, "document": overlay.document, "fingerprint": event.overlay[:16]}
        yield NarratedLine("betting_opened_overlay", None, named)
    if event.last_of_shoe:
        yield NarratedLine("last_round", None, {"round": event.round})


def _not_offered(moment: Moment, bets: Sequence[str]) -> Iterator[NarratedLine]:
    if bets:
        yield NarratedLine("not_offered", _interprets(moment), {"bets": [title(moment.game, bet) for bet in bets]})


def _interprets(moment: Moment) -> Cited | None:
    needs = moment.game.authority.of(Action.DECIDE_UNPROVIDED)
    return moment.cite(needs.rule if needs else None)


def _bets_placed(moment: Moment, event: e.BetsPlaced) -> Iterator[NarratedLine]:
    lines = [
        phrase("staked" if stake.amount else "taken_back", **staked(moment.game, stake), was=write_money(was))
        for stake, was in zip(event.stakes, event.was, strict=True)
    ]
    owner = event.stakes[0].owner
    code = "bets_placed_read" if event.by.device else _recorded(event, owner)
    if (
        not event.by.device and owner != event.by.person and event.rule is not None
    ):  # the paragraph on bets placed on request
        code = "bets_placed_for"
    yield line(event, code, owner=owner, lines=lines)


def _objection_refused(_moment: Moment, event: e.ObjectionRefused) -> Iterator[NarratedLine]:
    yield line(event, None if event.against else "objection_refused_all", place=place(event.box))


def _minimum_advised(_moment: Moment, event: e.MinimumAdvised) -> Iterator[NarratedLine]:
    yield line(event, place=place(event.box))


def _excess_rejected(moment: Moment, event: e.ExcessRejected) -> Iterator[NarratedLine]:
    lines = [
        phrase("handed_back", **staked(moment.game, stake), back=write_money(was - stake.amount))
        for stake, was in zip(event.stakes, event.was, strict=True)
    ]
    code = "excess_rejected_displaced" if event.gives_way_to else None
    yield line(event, code, place=place(event.box), seated=event.gives_way_to, lines=lines)


def _one_stake(moment: Moment, event: e.BetReturned) -> Iterator[NarratedLine]:
    yield line(event, **staked(moment.game, event.stake))


def _betting_closed(moment: Moment, event: e.BettingClosed) -> Iterator[NarratedLine]:
    yield line(event, "betting_closed_by_card" if event.by_card else None)
    yield from _playing(moment, "stake_cut", event.cut)
    yield from _playing(moment, "stake_low", event.under_minimum)


def _playing(moment: Moment, code: str, those: Iterable[e.Playing]) -> Iterator[NarratedLine]:
    for one in those:
        stake = moment.now.stakes[one.key]
        yield NarratedLine(code, one.rule, staked(moment.game, stake) | {"plays": write_money(one.plays)})


def _bet_attested(moment: Moment, event: e.BetAttested) -> Iterator[NarratedLine]:
    yield line(event, **staked(moment.game, event.stake))
    yield from _playing(moment, "stake_cut", event.cut)


def _late_bet_noted(moment: Moment, event: e.LateBetNoted) -> Iterator[NarratedLine]:
    code = "late_bet_noted_withdrawn" if event.withdrawn else None
    code = "late_bet_noted_missing" if event.missing else code
    yield line(event, code, bet=bet_name(moment.game, event.bet, event.box))


def _chip_found(moment: Moment, event: e.ChipCollected | e.ChipWrittenOff) -> Iterator[NarratedLine]:
    chip = moment.before.missing[event.missing]
    yield line(event, **on(moment.game, chip.person, chip.box, chip.bet), amount=write_money(chip.amount))


# ---- cards -------------------------------------------------------------------------------------------------------


def _card_drawn(_moment: Moment, event: e.CardDrawn) -> Iterator[NarratedLine]:
    yield line(event, "card_drawn_carried" if event.carried else None)


DRAWS = frozenset(ExplanationStep) - {
    ExplanationStep.CARD_DEALT,
    ExplanationStep.INSURANCE_OFFERED,
    ExplanationStep.HAND_WINS,
    ExplanationStep.TIE,
}
"""The steps that say why a hand drew or stood. The other steps have events of their own."""


def draws(moment: Moment, told: tuple[Card, ...]) -> Iterator[NarratedLine]:
    """Who draws, who stands and why by the Table of Play, for newly exposed cards. `told`: the cards that were narrated
    already."""
    coup = moment.now.coup
    if coup is None:
        return
    same = len(told) if coup.cards[: len(told)] == told else 0
    for drawn in range(max(4, same + 1), len(coup.cards) + 1):
        for one in after(moment.game, coup.after(drawn), waived=moment.now.waived):
            if one.step in DRAWS:
                yield NarratedLine(one.step, moment.cite(one.rule), dict(one.parameters), section="step")


def _hands_completed(_moment: Moment, event: e.HandsCompleted) -> Iterator[NarratedLine]:
    outcome = event.outcome
    points = {"player": outcome.player_points, "banker": outcome.banker_points}
    yield line(event, "hands_completed_tie" if outcome.winner is Winner.TIE else None, winner=outcome.winner, **points)


def _asked(_moment: Moment, event: e.SqueezeRequested | e.WaiverRequested) -> Iterator[NarratedLine]:
    yield line(event, _recorded(event, event.person))


def _squeeze_answered(_moment: Moment, event: e.SqueezeAnswered) -> Iterator[NarratedLine]:
    yield line(event, "squeeze_answered_yes" if event.permitted else "squeeze_answered_no")


def _waiver_agreed(_moment: Moment, event: e.WaiverAgreed) -> Iterator[NarratedLine]:
    yield line(event, _recorded(event, event.person, "waiver_agreed_yes" if event.agrees else "waiver_agreed_no"))


def _waiver_answered(_moment: Moment, event: e.WaiverAnswered) -> Iterator[NarratedLine]:
    yield line(event, "waiver_answered_yes" if event.consent else "waiver_answered_no")


# ---- insurance ---------------------------------------------------------------------------------------------------


def _insurance_opened(moment: Moment, event: e.InsuranceOpened) -> Iterator[NarratedLine]:
    named = Phrase("phrase", "bet_alone", {"title": title(moment.game, event.bet)}, means=event.bet)
    yield line(event, bet=named)
    for offer in event.offers:
        key = f"{event.bet}@{event.window}"
        parameters = on(moment.game, offer.owner, offer.box, key) | {"most": write_money(offer.most)}
        yield NarratedLine("insurance_offered_to", event.rule, parameters)


def _insurance_taken(moment: Moment, event: e.InsuranceTaken) -> Iterator[NarratedLine]:
    code = _recorded(event, event.stake.owner, None if event.stake.amount else "insurance_taken_back")
    yield line(event, code, **staked(moment.game, event.stake), was=write_money(event.was))


def _insurance_declined(moment: Moment, event: e.InsuranceDeclined) -> Iterator[NarratedLine]:
    code = _recorded(event, event.person, "insurance_declined")
    bet = f"{moment.before.window.bet}@{event.window}" if moment.before.window else str(event.window)
    yield line(event, code, **on(moment.game, event.person, event.box, bet))


def _insurance_returned(moment: Moment, event: e.InsuranceReturned) -> Iterator[NarratedLine]:
    yield line(event, windows=[Window(window) for window in event.windows])
    yield from back(moment, event.stakes, event.rule)


# ---- settlement --------------------------------------------------------------------------------------------------


def back(moment: Moment, stakes: Iterable[Stake], rule: Cited | None) -> Iterator[NarratedLine]:
    for stake in stakes:
        yield NarratedLine("stake_returned", rule, staked(moment.game, stake))


def _round_settled(moment: Moment, event: e.RoundSettled) -> Iterator[NarratedLine]:
    yield line(event)
    for one in event.stakes:
        yield from settled(moment, one)


def _boxes_confirmed(_moment: Moment, event: e.BoxesConfirmed) -> Iterator[NarratedLine]:
    at_once = "boxes_confirmed_at_once" if len(event.boxes) > 1 else None
    yield line(event, at_once, boxes=", ".join(map(str, event.boxes)))


def settled(moment: Moment, one: SettledStake) -> Iterator[NarratedLine]:
    parameters = on(moment.game, one.owner, one.box, one.bet) | {
        "plays": write_money(one.plays),
        "profit": write_money(one.profit),
        "pays": one.pays,
    }
    cited = moment.cite(one.rule)
    yield NarratedLine("stake_held" if one.held else f"stake_{one.result}", cited, parameters)
    if one.commission:
        taken = parameters | {"commission": write_money(one.commission)}
        yield NarratedLine("commission_taken", moment.cite(one.commission_rule), taken)
    if one.stake > one.plays:
        unplayed = parameters | {"unplayed": write_money(one.stake - one.plays)}
        yield NarratedLine("stake_unplayed", moment.cite(one.unplayed_rule) or cited, unplayed)


def _tie_choice_made(moment: Moment, event: e.TieChoiceMade) -> Iterator[NarratedLine]:
    code = _recorded(event, event.stake.owner, "tie_choice_made_left" if event.leave else "tie_choice_made_taken")
    yield line(event, code, **staked(moment.game, event.stake))


def _debt_set_off(moment: Moment, event: e.DebtSetOff) -> Iterator[NarratedLine]:
    left = moment.now.owed.get(event.person, 0)
    yield line(event, "debt_set_off_partly" if left else None, left=write_money(left))


def _round_resumed(_moment: Moment, event: e.RoundResumed) -> Iterator[NarratedLine]:
    yield line(event, to=Phase(event.to))


_Named = e.CardsOutOfTurn | e.CardsCarriedOver | e.CardsSetAside | e.OpeningPermitted


def _cards_named(_moment: Moment, event: _Named) -> Iterator[NarratedLine]:
    yield line(event, cards=cards(event.cards))


PLAY: dict[type[e.Event], Teller] = {
    e.TableOpened: _set_up,
    e.SetupChanged: _set_up,
    e.TableClosed: _table_closed,
    e.TableTakenOver: _table_taken_over,
    e.BoughtIn: _bought_in,
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.ShoeLoaded: _shoe_loaded,
    e.ShoeWithdrawn: _shoe_withdrawn,
    e.SetWithdrawn: _set_withdrawn,
    e.StakesReturned: _stakes_returned,
    e.BettingOpened: _betting_opened,
    e.BetsPlaced: _bets_placed,
    e.ObjectionRefused: _objection_refused,
    e.MinimumAdvised: _minimum_advised,
    e.ExcessRejected: _excess_rejected,
    e.BetReturned: _one_stake,
    e.BettingClosed: _betting_closed,
    e.BetAttested: _bet_attested,
    e.LateBetNoted: _late_bet_noted,
    e.ChipCollected: _chip_found,
    e.ChipWrittenOff: _chip_found,
    e.CardDrawn: _card_drawn,
    e.HandsCompleted: _hands_completed,
    e.SqueezeRequested: _asked,
    e.WaiverRequested: _asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.WaiverAgreed: _waiver_agreed,
    e.WaiverAnswered: _waiver_answered,
    e.InsuranceOpened: _insurance_opened,
    e.InsuranceTaken: _insurance_taken,
    e.InsuranceDeclined: _insurance_declined,
    e.InsuranceReturned: _insurance_returned,
    e.RoundSettled: _round_settled,
    e.BoxesConfirmed: _boxes_confirmed,
    e.TieChoiceMade: _tie_choice_made,
    e.DebtSetOff: _debt_set_off,
    e.RoundResumed: _round_resumed,
    e.CardsOutOfTurn: _cards_named,
    e.CardsCarriedOver: _cards_named,
    e.CardsSetAside: _cards_named,
    e.OpeningPermitted: _cards_named,
}
"""Other events that are not irregularities use their plain line."""
