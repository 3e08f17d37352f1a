"""How irregularities are told: what was reported, who decided what and why, and what became of it in the end."""

from collections.abc import Iterator

from puntobanco.rules.money import show_money
from puntobanco.rules.procedures import Action
from puntobanco.table import events as e
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.events import Reported
from puntobanco.table.state import IN_ROUND, Phase
from puntobanco.table.telling import Moment, Teller, back, line
from puntobanco.table.wording import Alert, Told, cards, hands, phrase, who


def _reported(_moment: Moment, event: e.IrregularityReported) -> Iterator[Told]:
    report = event.report
    details = list(_details(report))
    code = "irregularity_reported_claim" if report.claimed_by else "irregularity_reported"
    yield line(event, code if details else f"{code}_plain", fault=report.fault, round=report.round, details=details)


def _details(report: Reported) -> Iterator[object]:
    """What was seen."""
    if report.index is not None:
        yield phrase("seen_index", index=report.index)
    if report.cards:
        yield phrase("seen_cards", cards=cards(report.cards))
    for index, side in report.lies.items():
        yield phrase("seen_lies", index=index, side=side)
    if report.to_person:
        yield phrase("seen_person")
    if report.order_known:
        yield phrase("seen_order")
    if report.note:
        yield report.note


# ---- questions and rulings ---------------------------------------------------------------------------------------


def _question_put(_moment: Moment, event: e.QuestionPut) -> Iterator[Told]:
    asked = event.question
    house = asked.action is Action.DECIDE_UNPROVIDED
    yield line(
        event,
        "question_put_house" if house else None,
        fault=asked.fault,
        asked_of=asked.asked_of,
        choices=tuple(asked.choices),
    )


def _ruled(moment: Moment, event: e.Ruled) -> Iterator[Told]:
    """Marked as a decision of the House where no paragraph binds it; with its reason, if one was given."""
    asked = moment.before.question
    house = asked is not None and asked.action is Action.DECIDE_UNPROVIDED
    reason = event.reason.strip()
    code = ("ruled_house" if house else "ruled") + ("" if reason else "_plain")
    yield line(event, code, choice=event.choice, reason=reason, fault=asked.fault if asked else "")


def _house_decided(_moment: Moment, event: e.HouseDecided) -> Iterator[Told]:
    yield line(event, None if event.reason.strip() else "house_decided_plain")


# ---- cards -------------------------------------------------------------------------------------------------------


def _reconstructed(_moment: Moment, event: e.CardsReconstructed) -> Iterator[Told]:
    code = "cards_reconstructed_spare" if event.spare else None
    named = hands(event.sides, event.cards)
    yield line(event, code, cards=cards(event.cards), spare=cards(event.spare), **named)


def _left_lying(moment: Moment, event: e.CardsLeftLying) -> Iterator[Told]:
    yield line(event, **hands(event.sides, [one.card for one in moment.now.drawn]))


# ---- what becomes of a fault -------------------------------------------------------------------------------------


def _fault_closed(moment: Moment, event: e.FaultClosed) -> Iterator[Told]:
    report = next((one for one in moment.before.faults if one.number == event.report), None)
    person = report.claimed_by if report else ""
    put_back = cards(event.put_back)
    yield line(event, f"fault_closed_{_ending(moment, event, report)}", person=person, cards=put_back)


def _ending(moment: Moment, event: e.FaultClosed, report: Reported | None) -> str:
    choice = _choice(moment, event)
    gap = report is not None and report.seen_in == Phase.SETTLED
    if event.grants_options:
        return "options"
    if choice is Choice.STANDS:
        if gap:
            return "settlement_stands"
        return "put_back" if event.put_back else "unfounded"
    if event.logged_only:
        if event.fault is Fault.DISPLAY:
            return "display"
        if report is None or event.round != moment.now.round or report.seen_in not in (*IN_ROUND, Phase.SETTLED):
            return "late"
        return "settlement_stands" if gap else "noted"
    if choice is Choice.RETURN_BETS:
        return "returned"
    if moment.answered is not None and choice is not None and moment.answered.action is Action.DECIDE_UNPROVIDED:
        return "house"
    if event.fault is Fault.TECHNICAL and choice is Choice.DOES_NOT_AFFECT:
        return "unaffected"
    if gap:
        return "settled_anew" if not moment.now.in_gap else "settlement_stands"
    established = report is not None and report.established and event.fault in _ASKS_WHETHER_ESTABLISHED
    return "established" if event.fault is Fault.TECHNICAL or established else "play_on"


_ASKS_WHETHER_ESTABLISHED = (Fault.EXCESS, Fault.EXPOSED, Fault.MISDIRECTED, Fault.FACE_UP, Fault.MISKEYED)
"""An outcome that is established when these are noticed leaves nobody a choice."""


def _choice(moment: Moment, event: e.FaultClosed) -> Choice | None:
    """What was ruled on the report; cards misdirected are put right together."""
    asked = moment.answered
    if asked is None or (asked.report != event.report and event.fault is not Fault.MISDIRECTED):
        return None
    return moment.answer if asked.fault is event.fault else None


# ---- options -----------------------------------------------------------------------------------------------------


def _options_offered(moment: Moment, event: e.OptionsOffered) -> Iterator[Told]:
    yield line(event, "options_offered_as_lying" if moment.now.as_lying else None, people=list(event.people))


def _elected(_moment: Moment, event: e.Elected) -> Iterator[Told]:
    own = event.by.person == event.person
    code = "elected_return" if event.election is Election.RETURN else "elected_continue"
    yield line(event, code if own else f"{code}_recorded", election=event.election)


def _options_closed(moment: Moment, event: e.OptionsClosed) -> Iterator[Told]:
    yield line(event, "options_closed_silent" if event.silent else None, silent=list(event.silent))
    yield from back(moment, event.returned, event.rule)


# ---- interruption, void, reversal --------------------------------------------------------------------------------


def _suspended(_moment: Moment, event: e.RoundSuspended) -> Iterator[Told]:
    cause = Fault(event.cause) if event.cause in tuple(Fault) else event.cause
    yield line(event, cause=cause)


def _voided(moment: Moment, event: e.RoundVoided) -> Iterator[Told]:
    asked = moment.answered
    house = (
        asked is not None
        and asked.action is Action.DECIDE_UNPROVIDED
        and asked.fault is event.cause
        and moment.answer in (Choice.VOID, Choice.RETURN_BETS)
    )
    yield line(event, "round_voided_by_house" if house else None)
    yield from back(moment, event.refunds, event.refunded_by or event.rule)


def _reversed(_moment: Moment, event: e.SettlementReversed) -> Iterator[Told]:
    """What each person gives back, and what of it is no longer there to be given."""
    yield line(event)
    due: dict[str, int] = {}
    for one in event.stakes:
        due[one.owner] = due.get(one.owner, 0) + one.back
    for person, amount in due.items():
        code = "reversed_from" if amount else "reversed_lost"
        yield Told(code, event.rule, {"person": person, "amount": show_money(amount)})
    for person, amount in event.owed.items():
        yield Told("reversed_owed", event.rule, {"person": person, "amount": show_money(amount)})


def _alert(_moment: Moment, event: e.AlertRaised) -> Iterator[Told]:
    yield line(event, kind=Alert(event.kind), to=event.to, who=who(event.by))


FAULTS: dict[type[e.Event], Teller] = {
    e.IrregularityReported: _reported,
    e.QuestionPut: _question_put,
    e.Ruled: _ruled,
    e.HouseDecided: _house_decided,
    e.CardsReconstructed: _reconstructed,
    e.CardsLeftLying: _left_lying,
    e.FaultClosed: _fault_closed,
    e.OptionsOffered: _options_offered,
    e.Elected: _elected,
    e.OptionsClosed: _options_closed,
    e.RoundSuspended: _suspended,
    e.RoundVoided: _voided,
    e.SettlementReversed: _reversed,
    e.AlertRaised: _alert,
}
