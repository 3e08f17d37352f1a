"""What can be done in a step: each word, the fields it needs and may have, and the commands it stands for."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from puntobanco.rules.cards import Card, read_card, read_cards
from puntobanco.rules.money import read_money
from puntobanco.rules.procedures import StaffRank, Window
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Election, Fault, Tender
from puntobanco.table.scenario.file_format import AMOUNTS, Decision, ScenarioStep, Table
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State

Commands = Callable[[ScenarioStep, State], Iterator[c.Command]]

ALWAYS = frozenset({"by", "do", "as", "device", "wait", "expect"})
"""Fields that every step may have."""


HOUSE = "house"
"""Who acts where the table deals by itself."""


class Word(NamedTuple):
    needs: tuple[str, ...]
    may: tuple[str, ...]
    commands: Commands


def _word(needs: str, may: str, make: Callable[[ScenarioStep, State], c.Command]) -> Word:
    def commands(step: ScenarioStep, state: State) -> Iterator[c.Command]:
        yield make(step, state)

    return Word(tuple(needs.split()), tuple(may.split()), commands)


# ---- cards and money as they are written -------------------------------------------------------------------------


def read_faces(text: str) -> tuple[Card | None, ...]:
    """Cards parted by blanks or commas; `?` lies face down."""
    return tuple(None if word == "?" else read_card(word) for word in text.replace(",", " ").split())


def _round(step: ScenarioStep, state: State) -> int:
    return state.round if step.round is None else step.round


def _amount(step: ScenarioStep) -> int:
    return read_money(step.amount or "0")


def written_over(setup: Setup, table: Table) -> Setup:
    """The set-up with what is written anew."""
    named: dict[str, Any] = {name: getattr(table, name) for name in Table.__struct_fields__}
    for name in AMOUNTS:
        named[name] = None if named[name] is None else read_money(named[name])
    return replace(setup, **{name: value for name, value in named.items() if value is not None})


def _changed(step: ScenarioStep, state: State) -> Setup:
    assert state.setup is not None, "the table has been opened"
    return written_over(state.setup, step.table or Table())


# ---- what takes more than a line ---------------------------------------------------------------------------------


def _draw(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    """The cards named, one after the other; without any, one card whose face stays hidden or is known."""
    number, drawn = _round(step, state), len(state.drawn)
    cards = read_cards(step.cards) if step.cards else (None,)
    for place, card in enumerate(cards, start=1):
        yield c.DrawCard(round=number, index=step.index or drawn + place, card=card)


def _line(step: ScenarioStep) -> c.Line:
    return c.Line(bet=step.bet or "", amount=_amount(step), box=step.box or 0)


def _guest_buy_in(step: ScenarioStep, _state: State) -> c.Command:
    tender = step.tender or Tender.CASH
    return c.BuyInAtTable(name=step.person or "", amount=_amount(step), tender=tender, again=step.again)


def _bet(step: ScenarioStep, state: State) -> c.Command:
    lines: tuple[c.Line, ...] = (_line(step),)
    if step.bets is not None:
        lines = tuple(c.Line(bet=one.bet, amount=read_money(one.amount), box=one.box) for one in step.bets)
    return c.PlaceBets(round=_round(step, state), lines=lines, owner=step.person, requested=step.requested)


def _report(step: ScenarioStep, state: State) -> c.Command:
    return c.Report(
        round=_round(step, state),
        fault=step.fault or Fault.UNPROVIDED,
        cards=read_faces(step.cards or ""),
        index=step.index,
        lies=step.lies,
        to_person=step.to_person,
        order_known=step.order_known,
        note=step.note,
        shoe=step.shoe,
    )


def _rule(step: ScenarioStep, state: State) -> c.Command:
    return c.Rule(
        question=step.index or state.questions,
        choice=step.choice or Choice.CONTINUE,
        reason=step.reason,
        order=step.order,
        cards=read_cards(step.cards or ""),
        bets=_decisions(step),
    )


def _decisions(step: ScenarioStep) -> tuple[c.BetTerms, ...]:
    """The bets a decision names: several, or the one of the step, or none."""
    several = step.decisions
    if several is None:
        one = Decision(person=step.person or "", bet=step.bet or "", terms=step.terms or c.Terms.AS_RECORDED,
                       amount=step.amount or "0", box=step.box or 0)  # fmt: skip
        several = (one,) if step.terms is not None else ()
    return tuple(
        c.BetTerms(owner=one.person, bet=one.bet, terms=one.terms, amount=read_money(one.amount), box=one.box)
        for one in several
    )


def _decide(step: ScenarioStep, state: State) -> c.Command:
    return c.DecideUnprovided(round=_round(step, state), decision=step.note, reason=step.reason, bets=_decisions(step))


def _load_shoe(step: ScenarioStep, state: State) -> c.Command:
    return c.LoadShoe(
        shoe=step.note or "next",
        decks=state.setup.decks if state.setup else 8,
        shuffled=step.shuffled,
        source=Source.KEYBOARD,
        reason=step.reason,
    )


def _attest_bet(step: ScenarioStep, state: State) -> c.Command:
    return c.AttestBet(
        round=_round(step, state),
        owner=step.person or "",
        line=_line(step),
        attested=step.attested,
        reason=step.reason,
    )


def _note_late_bet(step: ScenarioStep, state: State) -> c.Command:
    return c.NoteLateBet(
        round=_round(step, state),
        person=step.person or "",
        box=step.box or 0,
        bet=step.bet or "",
        amount=_amount(step),
        withdrawn=step.withdrawn,
    )


def _number(step: ScenarioStep, state: State) -> int:
    """The missing chip that is meant: the first, if none is named."""
    return next(iter(state.missing), 0) if step.index is None else step.index


def _return_bet(step: ScenarioStep, state: State) -> c.Command:
    return c.ReturnBet(round=_round(step, state), box=step.box or 0, bet=step.bet or "", person=step.person or "")


def _advise_minimum(step: ScenarioStep, state: State) -> c.Command:
    return c.AdviseMinimum(round=_round(step, state), box=step.box or 0, person=step.person or "")


def _expose(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    """The card named, or several by their index, one after the other."""
    faces = step.faces or {step.index or 0: step.cards or ""}
    for index, face in faces.items():
        yield c.ExposeCard(round=_round(step, state), index=index, card=read_card(face))


def _nothing(_step: ScenarioStep, _state: State) -> Iterator[c.Command]:
    """Only time passes."""
    yield from ()


def _correct_card(step: ScenarioStep, state: State) -> c.Command:
    index = state.keyed if step.index is None else step.index
    return c.CorrectCard(round=_round(step, state), index=index, card=read_card(step.cards or ""))


def _answer_squeeze(step: ScenarioStep, state: State) -> c.Command:
    return c.AnswerSqueeze(round=_round(step, state), index=step.index or 0, permit=step.permit)


def _insure(step: ScenarioStep, state: State) -> c.Command:
    window = step.window or Window.FOUR
    return c.Insure(
        round=_round(step, state), window=window, amount=_amount(step), box=step.box or 0, person=step.person
    )


def _settle(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    """The round is settled, and at a dealer's table every box taken and paid."""
    yield c.Settle(round=_round(step, state))
    if not (step.box_by_box or state.house_deals):
        for box in sorted({stake.box for stake in state.stakes.values()}):
            yield c.ConfirmBox(round=_round(step, state), box=box)


def _confirm(step: ScenarioStep, state: State) -> c.Command:
    """One box, or all that are left."""
    number = _round(step, state)
    return c.ConfirmRest(round=number) if step.box is None else c.ConfirmBox(round=number, box=step.box)


def _after_tie(step: ScenarioStep, state: State) -> c.Command:
    return c.ChooseAfterTie(
        round=_round(step, state), bet=step.bet or "", leave=step.leave, box=step.box or 0, person=step.person
    )


def _elect(step: ScenarioStep, state: State) -> c.Command:
    election = step.election or Election.CONTINUE
    question = step.index or state.questions
    return c.Elect(question=question, election=election, person=step.person, present=step.present)


# ---- the words ---------------------------------------------------------------------------------------------------

WORDS: dict[str, Word] = {
    # people and the table
    "buy_in": _word("amount", "person confirmed", lambda s, _: c.BuyIn(person=s.person or s.by, amount=_amount(s))),
    "cash_out": _word("amount", "person", lambda s, _: c.CashOut(person=s.person or s.by, amount=_amount(s))),
    "guest_buy_in": _word("person amount", "tender again", _guest_buy_in),
    "guest_leave": _word("person", "", lambda s, _: c.LeaveTable(person=s.person or "")),
    "sit": _word("box", "person", lambda s, _: c.TakeSeat(box=s.box or 0, person=s.person)),
    "stand_up": _word("box", "", lambda s, _: c.LeaveSeat(box=s.box or 0)),
    "walk_away": _word("", "person", lambda s, _: c.WalkAway(person=s.person or s.by)),
    "assign": _word("person role", "", lambda s, _: c.Assign(person=s.person or "", role=s.role or StaffRank.DEALER)),
    "relieve": _word("person", "", lambda s, _: c.Relieve(person=s.person or "")),
    "open_table": _word("", "table", lambda s, state: c.OpenTable(setup=_changed(s, state))),
    "change_table": _word("table", "", lambda s, state: c.ChangeSetup(setup=_changed(s, state))),
    "announce_closing": _word("reason", "", lambda s, _: c.AnnounceClosing(reason=s.reason)),
    "close_table": _word("", "cause reason", lambda s, _: c.CloseTable(cause=s.cause, reason=s.reason)),
    "load_shoe": _word("", "note shuffled reason", _load_shoe),
    "withdraw_shoe": _word("", "reason", lambda s, _: c.WithdrawShoe(reason=s.reason)),
    "show_cut_card": _word("", "", lambda _, __: c.ShowCutCard()),
    "time_passes": Word(("wait",), (), _nothing),
    # betting
    "open": _word("", "acknowledge", lambda s, _: c.OpenBetting(acknowledge=s.acknowledge)),
    "permit_opening": _word("", "", lambda _, __: c.PermitOpening()),
    "bet": _word("bet amount", "box bets person requested round", _bet),
    "object": _word(
        "person", "box round", lambda s, state: c.Object(round=_round(s, state), box=s.box or 0, against=s.person or "")
    ),
    "reject_excess": _word("box", "round", lambda s, state: c.RejectExcess(round=_round(s, state), box=s.box or 0)),
    "advise_minimum": _word("box person", "round", _advise_minimum),
    "return_bet": _word("box bet person", "round", _return_bet),
    "announce_close": _word("", "round", lambda s, state: c.AnnounceClose(round=_round(s, state))),
    "close": _word(
        "", "over_excess round", lambda s, state: c.CloseBetting(round=_round(s, state), over_excess=s.over_excess)
    ),
    "attest_bet": _word("person bet amount", "box attested reason round", _attest_bet),
    "note_late_bet": _word("person bet amount", "box withdrawn round", _note_late_bet),
    "collect_chip": _word("", "index", lambda s, state: c.CollectChip(missing=_number(s, state))),
    "write_off_chip": _word(
        "", "index reason", lambda s, state: c.WriteOffChip(missing=_number(s, state), reason=s.reason)
    ),
    # cards
    "draw": Word((), ("cards", "index", "round"), _draw),
    "expose": Word(("index", "cards"), ("faces", "round"), _expose),
    "correct_card": _word("cards", "index round", _correct_card),
    "ask_squeeze": _word(
        "index",
        "person round",
        lambda s, state: c.RequestSqueeze(round=_round(s, state), index=s.index or 0, person=s.person),
    ),
    "answer_squeeze": _word("index", "permit round", _answer_squeeze),
    "finish_squeeze": _word(
        "index",
        "person round",
        lambda s, state: c.FinishSqueeze(round=_round(s, state), index=s.index or 0, person=s.person),
    ),
    "ask_waiver": _word("", "person round", lambda s, state: c.RequestWaiver(round=_round(s, state), person=s.person)),
    "take_over": _word("", "round", lambda s, state: c.TakeOver(round=_round(s, state), away=s.wait * 1_000)),
    "agree_waiver": _word(
        "",
        "person permit round",
        lambda s, state: c.AgreeToWaiver(round=_round(s, state), agrees=s.permit, person=s.person),
    ),
    "answer_waiver": _word(
        "", "permit round", lambda s, state: c.AnswerWaiver(round=_round(s, state), consent=s.permit)
    ),
    "insure": _word("window amount", "box person round", _insure),
    "close_insurance": _word(
        "window", "round", lambda s, state: c.CloseInsurance(round=_round(s, state), window=s.window or Window.FOUR)
    ),
    "settle": Word((), ("box_by_box", "round"), _settle),
    "confirm": _word("", "box round", _confirm),
    "after_tie": _word("bet", "box leave person round", _after_tie),
    # irregularities
    "report": _word("fault", "cards index lies to_person order_known note round shoe", _report),
    "rule": _word("choice", "reason order cards index person box bet terms amount decisions", _rule),
    "elect": _word("election", "person present index", _elect),
    "close_options": _word("", "index", lambda s, state: c.CloseOptions(question=s.index or state.questions)),
    "correct_display": _word(
        "note reason",
        "round",
        lambda s, state: c.CorrectDisplay(round=_round(s, state), shown=s.note, correct=s.reason),
    ),
    "decide": _word("note", "reason round person box bet terms amount decisions", _decide),
}
