"""The narration of irregularities: what was reported, who decided what and why, and how it ended."""

from collections.abc import Iterable, Iterator

from puntobanco.rules.money import write_money
from puntobanco.rules.procedures import Action
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.commands import BetTerms, Choice, Election, Fault, Terms
from puntobanco.table.events import Cited, Reported, stake_key
from puntobanco.table.irregularities import ABOUT_THE_SET
from puntobanco.table.narration import Moment, Teller, back, line, settled
from puntobanco.table.narration_words import NarratedLine, cards, hands, on, phrase, who
from puntobanco.table.reconstruction import face_up
from puntobanco.table.state import GAP, IN_ROUND, Phase


def _reported(_moment: Moment, event: e.IrregularityReported) -> Iterator[NarratedLine]:
    report = event.report
    details = list(_details(report))
    code = "irregularity_reported_claim" if report.claimed_by else "irregularity_reported"
    yield line(event, code if details else f"{code}_plain", fault=report.fault, round=report.round, details=details)


def _details(report: Reported) -> Iterator[object]:
    """What the report says was seen."""
    several = face_up(report) if report.fault is Fault.FACE_UP and len(report.cards) > 1 else {}
    for index, card in several.items():
        yield phrase("seen_face", index=index, card=str(card))
    if report.index is not None and not several:
        yield phrase("seen_index", index=report.index)
    if report.cards and not several:
        yield phrase("seen_cards", cards=cards(report.cards))
    for index, side in report.lies.items():
        yield phrase("seen_lies", index=index, side=side)
    if report.to_person:
        yield phrase("seen_person")
    if report.order_known:
        yield phrase("seen_order")
    if report.shoe:
        yield phrase("seen_shoe", shoe=report.shoe)
    if report.note:
        yield Alert.SHOE_UNPROVEN if report.note == Alert.SHOE_UNPROVEN else report.note


# ---- questions and rulings ---------------------------------------------------------------------------------------


def _question_put(_moment: Moment, event: e.QuestionPut) -> Iterator[NarratedLine]:
    asked = event.question
    house = asked.action is Action.DECIDE_UNPROVIDED
    yield line(
        event,
        "question_put_house" if house else None,
        fault=asked.fault,
        asked_of=asked.asked_of,
        choices=tuple(asked.choices),
    )


def _ruled(moment: Moment, event: e.Ruled) -> Iterator[NarratedLine]:
    """Marks a ruling as a decision of the House where no paragraph binds it, and adds the reason if one was given."""
    asked = moment.before.question
    house = asked is not None and asked.action is Action.DECIDE_UNPROVIDED
    reason = event.reason.strip()
    code = ("ruled_house" if house else "ruled") + ("" if reason else "_plain")
    yield line(event, code, choice=event.choice, reason=reason, fault=asked.fault if asked else "")


def _house_decided(_moment: Moment, event: e.HouseDecided) -> Iterator[NarratedLine]:
    yield line(event, None if event.reason.strip() else "house_decided_plain")


def _round_decided(moment: Moment, event: e.RoundDecided) -> Iterator[NarratedLine]:
    """Narrates a bet that the decision named by the decision, and any other bet by its settlement."""
    yield line(event, "round_decided_named" if event.named else None)
    named = {stake_key(one.box, one.bet, one.owner): one for one in event.named}
    for one in event.stakes:
        terms = named.get(one.key)
        if terms is not None and terms.terms is not Terms.AT_STAKE:
            yield _decided(moment, terms, one.stake, event.rule)
        if terms is None or terms.terms in (Terms.AS_RECORDED, Terms.AT_STAKE):
            yield from settled(moment, one)


def _bets_decided(moment: Moment, event: e.BetsDecided) -> Iterator[NarratedLine]:
    yield line(event)
    for one in event.bets:
        was = one.was.stake if one.was is not None else one.settled.stake if one.settled is not None else one.laid
        yield _decided(moment, one.terms, was, event.rule)
        if one.was is None and one.stake is None:
            continue
        if one.settled is not None and one.terms.terms is Terms.AT_STAKE:
            yield from settled(moment, one.settled)
        amounts = {"more": write_money(one.gets), "less": write_money(-one.gets)}
        bet = on(moment.game, one.terms.owner, one.terms.box, one.terms.bet)
        if one.gets:
            yield NarratedLine("bet_more" if one.gets > 0 else "bet_less", event.rule, bet | amounts)
    for person, amount in event.owed.items():
        yield NarratedLine("reversed_owed", event.rule, {"person": person, "amount": write_money(amount)})


def _decided(moment: Moment, terms: BetTerms, was: int, rule: Cited | None) -> NarratedLine:
    amounts = {"amount": write_money(terms.amount), "was": write_money(was)}
    return NarratedLine(f"bet_{terms.terms}", rule, on(moment.game, terms.owner, terms.box, terms.bet) | amounts)


# ---- cards -------------------------------------------------------------------------------------------------------


def _reconstructed(_moment: Moment, event: e.CardsReconstructed) -> Iterator[NarratedLine]:
    code = "cards_reconstructed_spare" if event.spare else None
    named = hands(event.sides, event.cards)
    yield line(event, code, cards=cards(event.cards), spare=cards(event.spare), **named)


def _left_lying(moment: Moment, event: e.CardsLeftLying) -> Iterator[NarratedLine]:
    yield line(event, **hands(event.sides, [one.card for one in moment.now.drawn]))


# ---- how a fault ends --------------------------------------------------------------------------------------------


def _fault_closed(moment: Moment, event: e.FaultClosed) -> Iterator[NarratedLine]:
    report = next((one for one in moment.before.faults if one.number == event.report), None)
    person = report.claimed_by if report else ""
    put_back = cards(event.put_back)
    yield line(event, f"fault_closed_{_ending(moment, event, report)}", person=person, cards=put_back)


def _ending(moment: Moment, event: e.FaultClosed, report: Reported | None) -> str:
    choice = _choice(moment, event)
    posted = report is not None and (report.seen_in == Phase.PAYING or report.seen_in in GAP)
    if event.grants_options:
        return "options"
    if choice is Choice.STANDS:
        if posted:
            return "settlement_stands"
        return "put_back" if event.put_back else "unfounded"
    if event.logged_only:
        if event.fault is Fault.DISPLAY:
            return "display"
        if report is None or event.round != moment.now.round or report.seen_in not in IN_ROUND | GAP:
            return "late" if event.round else "before_the_first"
        if report.shoe and event.fault in ABOUT_THE_SET and report.shoe not in moment.before.dealt_from:
            return "another_set"
        return "settlement_stands" if posted else "noted"
    if choice is Choice.RETURN_BETS:
        return "returned"
    if choice in (Choice.CONCLUDE, Choice.DECIDE_BETS):
        return "decided"
    if moment.answered is not None and choice is not None and moment.answered.action is Action.DECIDE_UNPROVIDED:
        return "house"
    if event.fault is Fault.TECHNICAL and choice is Choice.DOES_NOT_AFFECT:
        return "unaffected"
    if posted:
        return "settled_anew" if not moment.now.is_posted else "settlement_stands"
    established = report is not None and report.established and event.fault in _ASKS_WHETHER_ESTABLISHED
    return "established" if event.fault is Fault.TECHNICAL or established else "play_on"


_ASKS_WHETHER_ESTABLISHED = (Fault.EXCESS, Fault.EXPOSED, Fault.MISDIRECTED, Fault.FACE_UP, Fault.MISKEYED)
"""Faults that grant no options if an outcome is established when they are noticed."""


def _choice(moment: Moment, event: e.FaultClosed) -> Choice | None:
    """The ruling on the report. Misdirected cards share one ruling."""
    asked = moment.answered
    if asked is None or (asked.report != event.report and event.fault is not Fault.MISDIRECTED):
        return None
    return moment.answer if asked.fault is event.fault else None


# ---- options -----------------------------------------------------------------------------------------------------


def _options_offered(moment: Moment, event: e.OptionsOffered) -> Iterator[NarratedLine]:
    yield line(event, "options_offered_as_lying" if moment.now.as_lying else None, people=list(event.people))


def _elected(_moment: Moment, event: e.Elected) -> Iterator[NarratedLine]:
    own = event.by.person == event.person
    code = "elected_return" if event.election is Election.RETURN else "elected_continue"
    recorded = f"{code}_present" if event.present else f"{code}_recorded"
    yield line(event, code if own else recorded, election=event.election)


def _options_closed(moment: Moment, event: e.OptionsClosed) -> Iterator[NarratedLine]:
    yield line(event, "options_closed_silent" if event.silent else None, silent=list(event.silent))
    yield from back(moment, event.returned, event.rule)


# ---- interruption, void, reversal --------------------------------------------------------------------------------


def _suspended(_moment: Moment, event: e.RoundSuspended) -> Iterator[NarratedLine]:
    known = next((kind for kind in (Fault, Alert) if event.cause in tuple(kind)), str)
    yield line(event, cause=known(event.cause))


def _voided(moment: Moment, event: e.RoundVoided) -> Iterator[NarratedLine]:
    asked = moment.answered
    house = (
        asked is not None
        and asked.action is Action.DECIDE_UNPROVIDED
        and asked.fault is event.cause
        and moment.answer in (Choice.VOID, Choice.RETURN_BETS)
    )
    yield line(event, "round_voided_by_house" if house else None)
    yield from _given_back(event, event.taken_back)
    yield from back(moment, event.refunds, event.refunded_by or event.rule)


def _without_bets(moment: Moment, event: e.RoundEndedWithoutBets) -> Iterator[NarratedLine]:
    yield line(event, None if moment.before.took_back else "round_ended_without_bets_nobody")


def _reversed(_moment: Moment, event: e.SettlementReversed) -> Iterator[NarratedLine]:
    yield line(event)
    yield from _given_back(event, event.stakes)


def _given_back(
    event: e.SettlementReversed | e.RoundVoided, stakes: Iterable[e.SettledStake]
) -> Iterator[NarratedLine]:
    """What each person pays back, and how much of it the purse no longer holds."""
    due: dict[str, int] = {}
    for one in stakes:
        due[one.owner] = due.get(one.owner, 0) + one.back
    for person, amount in due.items():
        code = "reversed_from" if amount else "reversed_lost"
        yield NarratedLine(code, event.rule, {"person": person, "amount": write_money(amount)})
    for person, amount in event.owed.items():
        yield NarratedLine("reversed_owed", event.rule, {"person": person, "amount": write_money(amount)})


def _alert(_moment: Moment, event: e.AlertRaised) -> Iterator[NarratedLine]:
    yield line(event, kind=Alert(event.kind), to=event.to, who=who(event.by))


FAULTS: dict[type[e.Event], Teller] = {
    e.IrregularityReported: _reported,
    e.QuestionPut: _question_put,
    e.Ruled: _ruled,
    e.HouseDecided: _house_decided,
    e.RoundDecided: _round_decided,
    e.BetsDecided: _bets_decided,
    e.CardsReconstructed: _reconstructed,
    e.CardsLeftLying: _left_lying,
    e.FaultClosed: _fault_closed,
    e.OptionsOffered: _options_offered,
    e.Elected: _elected,
    e.OptionsClosed: _options_closed,
    e.RoundSuspended: _suspended,
    e.RoundVoided: _voided,
    e.RoundEndedWithoutBets: _without_bets,
    e.SettlementReversed: _reversed,
    e.AlertRaised: _alert,
}
