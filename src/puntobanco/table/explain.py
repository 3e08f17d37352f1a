"""Explain: the account of a round in order, each line with its paragraph, as codes for `sentences/` to say."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from puntobanco.rules.cards import Card
from puntobanco.rules.money import show_money
from puntobanco.rules.outcome import Winner
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent, Cited, SettledStake, Stake


class Told(msgspec.Struct, frozen=True):
    """One line of the account: a sentence's code under [event], what it is about, and the paragraph."""

    code: str
    rule: Cited | None
    parameters: dict[str, Any]


def account(events: Iterable[AnyEvent], round: int | None = None) -> Iterator[Told]:
    """Everything that happened, or only what happened in one round."""
    current = 0
    for event in events:
        current = event.round if isinstance(event, e.BettingOpened) else current
        if round is None or current == round:
            yield from _told(event)


def _told(event: AnyEvent) -> Iterator[Told]:
    yield Told(code_of(type(event)), event.rule, dict(_parameters(event)) | {"who": event.by.person})
    match event:
        case e.BettingClosed():
            for cut in event.cut:
                box, bet, owner = cut.key.split("/", 2)
                yield Told("stake_cut", cut.rule, _place(owner, int(box), bet) | {"plays": show_money(cut.plays)})
            for low in event.under_minimum:
                box, bet, owner = low.key.split("/", 2)
                yield Told("stake_low", low.rule, _place(owner, int(box), bet) | {"plays": show_money(low.plays)})
        case e.RoundSettled():
            for settled in event.stakes:
                yield from _settled(settled, event.rule)
        case e.RoundVoided():
            yield from _back(event.refunds, event.refunded_by or event.rule)
        case e.InsuranceReturned():
            yield from _back(event.stakes, event.rule)
        case e.OptionsClosed():
            yield from _back(event.returned, event.rule)
        case e.BettingOpened():
            yield from _back(event.returned, event.rule)
        case e.InsuranceOpened():
            for offer in event.offers:
                parameters = _place(offer.owner, offer.box, event.bet) | {"most": show_money(offer.most)}
                yield Told("insurance_offered_to", event.rule, parameters)


def code_of(event: type[Any]) -> str:
    """`RoundSettled` as `round_settled`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event.__name__).lstrip("_")


def _parameters(event: AnyEvent) -> Iterator[tuple[str, object]]:
    """What a sentence may name, ready to be shown."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if name in ("by", "rule"):
            continue
        if name == "amount":
            yield name, show_money(value)
        elif isinstance(value, Stake):
            yield from _place(value.owner, value.box, value.bet).items()
            yield "amount", show_money(value.amount)
        elif name == "stakes" and isinstance(event, e.BetsPlaced | e.ExcessRejected):
            yield "lines", ", ".join(f"{one.owner} {one.bet} {show_money(one.amount)} ({one.box})" for one in value)
        elif name == "outcome":
            yield "winner", Winner(value.winner)
            yield "player", value.player_points
            yield "banker", value.banker_points
        elif name == "question" and isinstance(event, e.QuestionPut):
            yield "fault", value.fault
            yield "asked_of", value.asked_of
        elif name == "report" and isinstance(event, e.IrregularityReported):
            yield "fault", value.fault
            yield "note", value.note or "-"
        elif isinstance(event, e.ShoeLoaded) and name == "cards":
            yield "cards_count", value
        elif name in ("cards", "people", "silent", "spare", "sides"):
            yield name, " ".join(str(one or "?") for one in value) or "-"
        elif isinstance(value, Card):
            yield name, str(value)
        elif isinstance(value, str | int):
            yield name, value if value != "" else "-"


def _place(owner: str, box: int, bet: str) -> dict[str, Any]:
    return {"owner": owner, "box": box, "bet": bet}


def _settled(one: SettledStake, rule: Cited | None) -> Iterator[Told]:
    parameters = _place(one.owner, one.box, one.bet) | {
        "plays": show_money(one.plays),
        "profit": show_money(one.profit),
        "pays": one.pays or "-",
    }
    cited = Cited(rule.ruleset, one.rule) if rule else None
    yield Told("stake_held" if one.held else f"stake_{one.result}", cited, parameters)
    if one.commission:
        taken = Cited(rule.ruleset, one.commission_rule) if rule and one.commission_rule else None
        yield Told("commission_taken", taken, parameters | {"commission": show_money(one.commission)})
    if one.stake > one.plays:
        unplayed = Cited(rule.ruleset, one.unplayed_rule) if rule and one.unplayed_rule else cited
        yield Told("stake_unplayed", unplayed, parameters | {"unplayed": show_money(one.stake - one.plays)})


def _back(stakes: Iterable[Stake], rule: Cited | None) -> Iterator[Told]:
    for stake in stakes:
        parameters = _place(stake.owner, stake.box, stake.bet) | {"amount": show_money(stake.amount)}
        yield Told("stake_returned", rule, parameters)
