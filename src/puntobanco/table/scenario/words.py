"""What can be done in a step: each word, the fields it needs and may have, and the commands it stands for."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from puntobanco.rules.cards import Card, read_card, read_cards
from puntobanco.rules.money import read_money
from puntobanco.rules.procedures import Rank, Window
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.scenario.written import AMOUNTS, Step, Table
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State

Commands = Callable[[Step, State], Iterator[c.Command]]

ALWAYS = frozenset({"by", "do", "as", "wait", "expect"})
"""Fields that every step may have."""


class Word(NamedTuple):
    needs: tuple[str, ...]
    may: tuple[str, ...]
    commands: Commands


def _word(needs: str, may: str, make: Callable[[Step, State], c.Command]) -> Word:
    def commands(step: Step, state: State) -> Iterator[c.Command]:
        yield make(step, state)

    return Word(tuple(needs.split()), tuple(may.split()), commands)


# ---- cards and money as they are written -------------------------------------------------------------------------


def read_faces(text: str) -> tuple[Card | None, ...]:
    """Cards parted by blanks or commas; `?` lies face down."""
    return tuple(None if word == "?" else read_card(word) for word in text.replace(",", " ").split())


def _round(step: Step, state: State) -> int:
    return state.round if step.round is None else step.round


def _amount(step: Step) -> int:
    return read_money(step.amount or "0")


def written_over(setup: Setup, table: Table) -> Setup:
    """The set-up with what is written anew."""
    named: dict[str, Any] = {name: getattr(table, name) for name in Table.__struct_fields__}
    for name in AMOUNTS:
        named[name] = None if named[name] is None else read_money(named[name])
    return replace(setup, **{name: value for name, value in named.items() if value is not None})


def _changed(step: Step, state: State) -> Setup:
    assert state.setup is not None, "the table has been opened"
    return written_over(state.setup, step.table or Table())


# ---- what takes more than a line ---------------------------------------------------------------------------------


def _draw(step: Step, state: State) -> Iterator[c.Command]:
    """The cards named, one after the other; without any, one card whose face stays hidden or is known."""
    number, drawn = _round(step, state), len(state.drawn)
    cards = read_cards(step.cards) if step.cards else (None,)
    for place, card in enumerate(cards, start=1):
        yield c.DrawCard(round=number, index=step.index or drawn + place, card=card)


def _line(step: Step) -> c.Line:
    return c.Line(bet=step.bet or "", amount=_amount(step), box=step.box or 0)


def _bet(step: Step, state: State) -> c.Command:
    lines: tuple[c.Line, ...] = (_line(step),)
    if step.bets is not None:
        lines = tuple(c.Line(bet=one.bet, amount=read_money(one.amount), box=one.box) for one in step.bets)
    return c.PlaceBets(round=_round(step, state), lines=lines, owner=step.person, requested=step.requested)


def _report(step: Step, state: State) -> c.Command:
    return c.Report(
        round=_round(step, state),
        fault=step.fault or Fault.UNPROVIDED,
        cards=read_faces(step.cards or ""),
        index=step.index,
        lies=step.lies,
        to_person=step.to_person,
        order_known=step.order_known,
        note=step.note,
    )


def _rule(step: Step, state: State) -> c.Command:
    return c.Rule(
        question=step.index or state.questions,
        choice=step.choice or Choice.CONTINUE,
        reason=step.reason,
        order=step.order,
        cards=read_cards(step.cards or ""),
    )


def _load_shoe(step: Step, state: State) -> c.Command:
    return c.LoadShoe(
        shoe=step.note or "next",
        decks=state.setup.decks if state.setup else 8,
        shuffled=step.shuffled,
        source=Source.KEYBOARD,
        reason=step.reason,
    )


def _attest_bet(step: Step, state: State) -> c.Command:
    return c.AttestBet(
        round=_round(step, state),
        owner=step.person or "",
        line=_line(step),
        attested=step.attested,
        reason=step.reason,
    )


def _note_late_bet(step: Step, state: State) -> c.Command:
    return c.NoteLateBet(
        round=_round(step, state),
        person=step.person or "",
        box=step.box or 0,
        bet=step.bet or "",
        amount=_amount(step),
        withdrawn=step.withdrawn,
    )


def _return_bet(step: Step, state: State) -> c.Command:
    return c.ReturnBet(round=_round(step, state), box=step.box or 0, bet=step.bet or "", person=step.person or "")


def _advise_minimum(step: Step, state: State) -> c.Command:
    return c.AdviseMinimum(round=_round(step, state), box=step.box or 0, person=step.person or "")


def _expose(step: Step, state: State) -> c.Command:
    return c.ExposeCard(round=_round(step, state), index=step.index or 0, card=read_card(step.cards or ""))


def _answer_squeeze(step: Step, state: State) -> c.Command:
    return c.AnswerSqueeze(round=_round(step, state), index=step.index or 0, permit=step.permit)


def _insure(step: Step, state: State) -> c.Command:
    window = step.window or Window.FOUR
    return c.Insure(round=_round(step, state), window=window, amount=_amount(step), box=step.box or 0)


def _after_tie(step: Step, state: State) -> c.Command:
    return c.ChooseAfterTie(round=_round(step, state), bet=step.bet or "", leave=step.leave, box=step.box or 0)


def _elect(step: Step, state: State) -> c.Command:
    election = step.election or Election.CONTINUE
    return c.Elect(question=step.index or state.questions, election=election, person=step.person)


# ---- the words ---------------------------------------------------------------------------------------------------

WORDS: dict[str, Word] = {
    # people and the table
    "buy_in": _word("amount", "person", lambda s, _: c.BuyIn(person=s.person or s.by, amount=_amount(s))),
    "cash_out": _word("amount", "person", lambda s, _: c.CashOut(person=s.person or s.by, amount=_amount(s))),
    "sit": _word("box", "", lambda s, _: c.TakeSeat(box=s.box or 0)),
    "stand_up": _word("box", "", lambda s, _: c.LeaveSeat(box=s.box or 0)),
    "walk_away": _word("", "person", lambda s, _: c.WalkAway(person=s.person or s.by)),
    "assign": _word("person role", "", lambda s, _: c.Assign(person=s.person or "", role=s.role or Rank.DEALER)),
    "relieve": _word("person", "", lambda s, _: c.Relieve(person=s.person or "")),
    "open_table": _word("", "table", lambda s, state: c.OpenTable(setup=_changed(s, state))),
    "change_table": _word("table", "", lambda s, state: c.ChangeSetup(setup=_changed(s, state))),
    "close_table": _word("", "", lambda _, __: c.CloseTable()),
    "load_shoe": _word("", "note shuffled reason", _load_shoe),
    "withdraw_shoe": _word("", "reason", lambda s, _: c.WithdrawShoe(reason=s.reason)),
    "show_cut_card": _word("", "", lambda _, __: c.ShowCutCard()),
    # betting
    "open": _word("", "acknowledge", lambda s, _: c.OpenBetting(acknowledge=s.acknowledge)),
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
    # cards
    "draw": Word((), ("cards", "index", "round"), _draw),
    "expose": _word("index cards", "round", _expose),
    "ask_squeeze": _word(
        "index", "round", lambda s, state: c.RequestSqueeze(round=_round(s, state), index=s.index or 0)
    ),
    "answer_squeeze": _word("index", "permit round", _answer_squeeze),
    "finish_squeeze": _word(
        "index", "round", lambda s, state: c.FinishSqueeze(round=_round(s, state), index=s.index or 0)
    ),
    "ask_waiver": _word("", "round", lambda s, state: c.RequestWaiver(round=_round(s, state))),
    "answer_waiver": _word(
        "", "permit round", lambda s, state: c.AnswerWaiver(round=_round(s, state), consent=s.permit)
    ),
    "insure": _word("window amount", "box round", _insure),
    "close_insurance": _word(
        "window", "round", lambda s, state: c.CloseInsurance(round=_round(s, state), window=s.window or Window.FOUR)
    ),
    "settle": _word("", "round", lambda s, state: c.Settle(round=_round(s, state))),
    "after_tie": _word("bet", "box leave round", _after_tie),
    # irregularities
    "report": _word("fault", "cards index lies to_person order_known note round", _report),
    "rule": _word("choice", "reason order cards index", _rule),
    "elect": _word("election", "person index", _elect),
    "close_options": _word("", "index", lambda s, state: c.CloseOptions(question=s.index or state.questions)),
    "correct_display": _word(
        "note reason",
        "round",
        lambda s, state: c.CorrectDisplay(round=_round(s, state), shown=s.note, correct=s.reason),
    ),
    "decide": _word(
        "note",
        "reason round",
        lambda s, state: c.DecideUnprovided(round=_round(s, state), decision=s.note, reason=s.reason),
    ),
}
