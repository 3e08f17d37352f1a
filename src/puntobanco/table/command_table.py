"""The command table: everything the system knows about a command, in one entry.

The following are read from it: in which phase a command is accepted and from whom, what the views offer, the words of a
scenario, which commands need a second person, and docs/round.md. README.md lists all that a new command needs.
"""

from collections.abc import Callable, Container, Mapping
from enum import StrEnum
from typing import Any

import msgspec

from puntobanco.rules.procedures import Action
from puntobanco.table import authority, availability, betting, dealing, house_decisions, management, options
from puntobanco.table import commands as c
from puntobanco.table import irregularities as faults
from puntobanco.table import scenario_words as words
from puntobanco.table import second_person as second
from puntobanco.table.authority import By, Role
from puntobanco.table.dealing import asked_to_agree
from puntobanco.table.felt import Felt
from puntobanco.table.pending import PendingEvents
from puntobanco.table.scenario_words import Word, word
from puntobanco.table.shoe import load_shoe, show_cut_card, withdraw_shoe
from puntobanco.table.state import BETWEEN_ROUNDS, IN_ROUND, Phase, State


class Sender(StrEnum):
    PLAYER = "player"
    STAFF = "staff"
    DEVICE = "device"
    """A scanner, an external shoe or a chip reader."""
    CASHIER = "cashier"
    SYSTEM = "system"
    """Only the house itself."""


Phases = frozenset[Phase]


class CommandEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The properties of a command."""

    handler: Callable[[PendingEvents, Any], None]
    heard: Phases
    leads: Mapping[Phase, Phases] = {}
    """The phases that the command may lead to, by phase. Otherwise an accepted command leaves the phase as it is."""
    senders: frozenset[Sender]
    authority: Action | Callable[[By], bool] | None = None
    """What staff need to send it: authority for an action, or a rank check. None: staff cannot send it."""
    sense: Callable[[Felt, State, Role], bool] | None = None
    """Whether there is anything to send it about. None: always."""
    only: Callable[[Felt, State], Container[str]] | None = None
    """The players who have a reason to send it. None: all players."""
    second: Callable[[State, Any, Role], bool] | None = None
    """Whether a second person must confirm it."""
    next_round: bool = False
    """It uses the current set-up of the table. Otherwise it uses the set-up of the last round until the next begins."""
    deals: bool = False
    """Only the house sends it while the table deals by itself."""
    bets: bool = False
    """Not offered at a table that deals cards only."""
    word: Word
    """How a scenario writes it."""

    def may_send(self, felt: Felt, role: Role) -> bool:
        if role is Role.PLAYER:
            return Sender.PLAYER in self.senders
        if role is Role.CASHIER:
            return Sender.CASHIER in self.senders
        if self.authority is None:
            return False
        by = By("", role, 0)
        return (
            authority.may(felt.game, self.authority, by) if isinstance(self.authority, Action) else self.authority(by)
        )


def _anybody_of_the_house(by: By) -> bool:
    return by.is_staff or by.role is Role.SYSTEM


def _pit_employee(by: By) -> bool:
    return by.is_pit_employee


def _lets_open(by: By) -> bool:
    return authority.is_least(by, betting.LETS_OPEN)


_PLAYER = frozenset({Sender.PLAYER})
_STAFF = frozenset({Sender.STAFF})
_DEVICE = frozenset({Sender.DEVICE})
_CASHIER = frozenset({Sender.CASHIER})

_ANY = frozenset(Phase)
_OPEN = _ANY - {Phase.CLOSED}
_SIDE = frozenset({Phase.SUSPENDED, Phase.DECISION, Phase.OPTIONS})
_BACK = IN_ROUND | {Phase.CLOSED, Phase.SETTLED}
_STOPS = frozenset({Phase.SUSPENDED, Phase.DECISION, Phase.OPTIONS, Phase.VOIDED, Phase.WITHOUT_BETS, Phase.DECIDED})


def _in(*phases: Phase) -> Phases:
    return frozenset(phases)


_CONFIRM = word("confirm", "", "box round", words.confirm)
_PAID = {Phase.PAYING: _in(Phase.SETTLED, Phase.CLOSED)}

TABLE: dict[type[c.Command], CommandEntry] = {
    # people and money: at any time the table is open
    c.BuyIn: CommandEntry(
        handler=management.buy_in,
        heard=_OPEN,
        senders=_PLAYER | _STAFF | _CASHIER,
        authority=_anybody_of_the_house,
        next_round=True,
        bets=True,
        word=word("buy_in", "amount", "person confirmed", c.BuyIn, person="whom"),
    ),
    c.CashOut: CommandEntry(
        handler=management.cash_out,
        heard=_ANY,
        senders=_PLAYER | _STAFF | _CASHIER,
        authority=_anybody_of_the_house,
        word=word("cash_out", "amount", "person", c.CashOut, person="whom"),
    ),
    c.BuyInAtTable: CommandEntry(
        handler=management.buy_in_at_table,
        heard=_OPEN,
        senders=_STAFF,
        authority=Action.BET_FOR_PLAYER,
        next_round=True,
        bets=True,
        word=word("guest_buy_in", "person amount", "tender again", words.guest_buy_in),
    ),
    c.LeaveTable: CommandEntry(
        handler=management.leave_table,
        heard=_ANY,
        senders=_STAFF,
        authority=_anybody_of_the_house,
        sense=availability.has_guests,
        word=word("guest_leave", "person", "", c.LeaveTable),
    ),
    c.TakeSeat: CommandEntry(
        handler=management.take_seat,
        heard=_OPEN,
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        sense=availability.may_sit,
        next_round=True,
        word=word("sit", "box", "person", c.TakeSeat),
    ),
    c.LeaveSeat: CommandEntry(
        handler=management.leave_seat,
        heard=_OPEN,
        senders=_PLAYER | _STAFF,
        authority=_anybody_of_the_house,
        only=availability.seated,
        word=word("stand_up", "box", "", c.LeaveSeat),
    ),
    c.WalkAway: CommandEntry(
        handler=management.walk_away,
        heard=_OPEN,
        senders=_PLAYER | _STAFF,
        authority=_anybody_of_the_house,
        word=word("walk_away", "", "person", c.WalkAway, person="whom"),
    ),
    c.Assign: CommandEntry(
        handler=management.assign,
        heard=_OPEN,
        senders=_STAFF,
        authority=Action.ASSIGN,
        word=word("assign", "person role", "", c.Assign),
    ),
    c.Relieve: CommandEntry(
        handler=management.relieve,
        heard=_OPEN,
        senders=_STAFF,
        authority=Action.ASSIGN,
        sense=availability.somebody_acts,
        word=word("relieve", "person", "", c.Relieve),
    ),
    # the table, between rounds
    c.OpenTable: CommandEntry(
        handler=management.open_table,
        heard=_in(Phase.CLOSED),
        leads={Phase.CLOSED: BETWEEN_ROUNDS},
        senders=_STAFF,
        authority=Action.CHANGE_TABLE,
        next_round=True,
        word=word("open_table", "", "table", c.OpenTable),
    ),
    c.ChangeSetup: CommandEntry(
        handler=management.change_setup,
        heard=BETWEEN_ROUNDS,
        senders=_STAFF,
        authority=Action.CHANGE_TABLE,
        next_round=True,
        word=word("change_table", "table", "", c.ChangeSetup),
    ),
    c.AnnounceClosing: CommandEntry(
        handler=management.announce_closing,
        heard=_OPEN,
        senders=_STAFF,
        authority=Action.CHANGE_TABLE,
        sense=availability.is_not_closing,
        word=word("announce_closing", "reason", "", c.AnnounceClosing),
    ),
    c.CloseTable: CommandEntry(
        handler=management.close_table,
        heard=BETWEEN_ROUNDS,
        leads=dict.fromkeys(sorted(BETWEEN_ROUNDS), _in(Phase.CLOSED)),
        senders=_STAFF,
        authority=Action.CHANGE_TABLE,
        word=word("close_table", "", "cause reason", c.CloseTable),
    ),
    c.LoadShoe: CommandEntry(
        handler=load_shoe,
        heard=BETWEEN_ROUNDS | {Phase.DEALING},
        senders=_STAFF,
        authority=_anybody_of_the_house,
        sense=availability.may_load,
        next_round=True,
        deals=True,
        word=word("load_shoe", "", "note shuffled reason", words.load_shoe),
    ),
    c.WithdrawShoe: CommandEntry(
        handler=withdraw_shoe,
        heard=_OPEN,
        senders=_STAFF,
        authority=Action.REPLACE_SHOE,
        sense=availability.may_withdraw,
        word=word("withdraw_shoe", "", "reason", c.WithdrawShoe),
    ),
    c.ShowCutCard: CommandEntry(
        handler=show_cut_card,
        heard=_OPEN,
        senders=_STAFF | _DEVICE,
        authority=Action.DEAL,
        word=word("show_cut_card", "", "", c.ShowCutCard),
    ),
    c.TakeOver: CommandEntry(
        handler=management.take_over,
        heard=IN_ROUND | {Phase.OPTIONS},
        senders=frozenset({Sender.SYSTEM}),
        word=word("take_over", "", "round", c.TakeOver),
    ),
    # betting
    c.OpenBetting: CommandEntry(
        handler=betting.open_betting,
        heard=BETWEEN_ROUNDS,
        leads=dict.fromkeys(sorted(BETWEEN_ROUNDS), _in(Phase.BETTING)),
        senders=_STAFF,
        authority=Action.OPEN_BETTING,
        sense=availability.may_open,
        next_round=True,
        word=word("open", "", "acknowledge", c.OpenBetting),
    ),
    c.PermitOpening: CommandEntry(
        handler=betting.permit_opening,
        heard=BETWEEN_ROUNDS,
        senders=_STAFF,
        authority=_lets_open,
        sense=availability.opening_waits,
        word=word("permit_opening", "", "", c.PermitOpening),
    ),
    c.PlaceBets: CommandEntry(
        handler=betting.place_bets,
        heard=_in(Phase.BETTING, Phase.CLOSING),
        senders=_PLAYER | _STAFF | _DEVICE,
        authority=Action.BET_FOR_PLAYER,
        bets=True,
        word=word("bet", "bet amount", "box bets person requested round", words.bet),
    ),
    c.Object: CommandEntry(
        handler=betting.object_to,
        heard=_in(Phase.BETTING),
        senders=_PLAYER,
        word=word("object", "person", "box round", c.Object, against="person"),
    ),
    c.RejectExcess: CommandEntry(
        handler=betting.reject_excess,
        heard=_in(Phase.BETTING),
        senders=_STAFF,
        authority=Action.REJECT_EXCESS,
        sense=availability.a_box_has_excess,
        word=word("reject_excess", "box", "round", c.RejectExcess),
    ),
    c.AdviseMinimum: CommandEntry(
        handler=betting.advise_minimum,
        heard=_in(Phase.BETTING),
        senders=_STAFF,
        authority=Action.ADVISE_MINIMUM,
        sense=availability.a_bet_is_low,
        word=word("advise_minimum", "box person", "round", c.AdviseMinimum),
    ),
    c.ReturnBet: CommandEntry(
        handler=betting.return_bet,
        heard=_in(Phase.BETTING),
        senders=_STAFF,
        authority=Action.ADVISE_MINIMUM,
        sense=availability.a_low_bet_was_advised,
        word=word("return_bet", "box bet person", "round", c.ReturnBet),
    ),
    c.AnnounceClose: CommandEntry(
        handler=betting.announce_close,
        heard=_in(Phase.BETTING),
        leads={Phase.BETTING: _in(Phase.CLOSING)},
        senders=_STAFF,
        authority=Action.CLOSE_BETTING,
        sense=availability.close_is_displayed,
        word=word("announce_close", "", "round", c.AnnounceClose),
    ),
    c.CloseBetting: CommandEntry(
        handler=betting.close_betting,
        heard=_in(Phase.BETTING, Phase.CLOSING),
        leads={Phase.BETTING: _in(Phase.DEALING), Phase.CLOSING: _in(Phase.DEALING)},
        senders=_STAFF,
        authority=Action.CLOSE_BETTING,
        sense=availability.may_close,
        word=word("close", "", "over_excess round", c.CloseBetting),
    ),
    c.AttestBet: CommandEntry(
        handler=betting.attest_bet,
        heard=_in(Phase.DEALING, Phase.INSURANCE, Phase.RESULT),
        senders=_STAFF | _DEVICE,
        authority=Action.BET_FOR_PLAYER,
        sense=availability.may_attest,
        second=second.attests_late,
        bets=True,
        word=word("attest_bet", "person bet amount", "box attested reason round", words.attest_bet),
    ),
    c.NoteLateBet: CommandEntry(
        handler=betting.note_late_bet,
        heard=_in(Phase.DEALING, Phase.INSURANCE, Phase.RESULT, Phase.PAYING, Phase.SETTLED) | _SIDE,
        senders=_STAFF | _DEVICE,
        authority=Action.REFUSE_LATE_BETS,
        bets=True,
        word=word("note_late_bet", "person bet amount", "box withdrawn round", c.NoteLateBet),
    ),
    c.CollectChip: CommandEntry(
        handler=betting.collect_chip,
        heard=_ANY,
        senders=_STAFF,
        authority=Action.REFUSE_LATE_BETS,
        sense=availability.a_chip_is_missing,
        word=word("collect_chip", "", "index", c.CollectChip),
    ),
    c.WriteOffChip: CommandEntry(
        handler=betting.write_off_chip,
        heard=_ANY,
        senders=_STAFF,
        authority=Action.WRITE_OFF_CHIP,
        sense=availability.a_chip_is_missing,
        second=second.always,
        word=word("write_off_chip", "", "index reason", c.WriteOffChip),
    ),
    # cards
    c.DrawCard: CommandEntry(
        handler=dealing.draw_card,
        heard=_in(Phase.DEALING),
        leads={Phase.DEALING: _in(Phase.INSURANCE, Phase.RESULT, Phase.DECISION, Phase.VOIDED, Phase.CLOSED)},
        senders=_STAFF | _DEVICE,
        authority=Action.DEAL,
        sense=availability.a_card_is_due,
        deals=True,
        word=word("draw", "", "cards index round", words.draw),
    ),
    c.ExposeCard: CommandEntry(
        handler=dealing.expose_card,
        heard=_in(Phase.DEALING, Phase.OPTIONS),
        leads={Phase.DEALING: _in(Phase.INSURANCE, Phase.RESULT, Phase.DECISION)},
        senders=_STAFF | _DEVICE,
        authority=Action.DEAL,
        sense=availability.a_card_is_hidden,
        deals=True,
        word=word("expose", "index cards", "faces round", words.expose),
    ),
    c.CorrectCard: CommandEntry(
        handler=dealing.correct_card,
        heard=_in(Phase.DEALING, Phase.RESULT),
        leads={
            Phase.DEALING: _in(Phase.INSURANCE, Phase.RESULT, Phase.DECISION),
            Phase.RESULT: _in(Phase.DEALING, Phase.INSURANCE, Phase.DECISION),
        },
        senders=_STAFF,
        authority=Action.DEAL,
        sense=availability.a_card_was_keyed,
        deals=True,
        word=word("correct_card", "cards", "index round", words.correct_card),
    ),
    c.RequestSqueeze: CommandEntry(
        handler=dealing.request_squeeze,
        heard=_in(Phase.DEALING),
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        sense=availability.may_squeeze,
        only=availability.squeezers,
        word=word("ask_squeeze", "index", "person round", c.RequestSqueeze),
    ),
    c.AnswerSqueeze: CommandEntry(
        handler=dealing.answer_squeeze,
        heard=_in(Phase.DEALING),
        senders=_STAFF,
        authority=Action.PERMIT_SQUEEZE,
        sense=availability.a_squeeze_waits,
        word=word("answer_squeeze", "index", "permit round", c.AnswerSqueeze),
    ),
    c.FinishSqueeze: CommandEntry(
        handler=dealing.finish_squeeze,
        heard=_in(Phase.DEALING),
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        sense=availability.a_squeeze_was_recorded,
        only=availability.squeezing,
        word=word("finish_squeeze", "index", "person round", c.FinishSqueeze),
    ),
    c.RequestWaiver: CommandEntry(
        handler=dealing.request_waiver,
        heard=_in(Phase.DEALING, Phase.INSURANCE),
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        sense=availability.may_waive,
        only=availability.waivers,
        word=word("ask_waiver", "", "person round", c.RequestWaiver),
    ),
    c.AgreeToWaiver: CommandEntry(
        handler=dealing.agree_to_waiver,
        heard=_in(Phase.DEALING, Phase.INSURANCE),
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        sense=availability.somebody_agrees,
        only=asked_to_agree,
        word=word("agree_waiver", "", "person permit round", c.AgreeToWaiver, agrees="permit"),
    ),
    c.AnswerWaiver: CommandEntry(
        handler=dealing.answer_waiver,
        heard=_in(Phase.DEALING, Phase.INSURANCE),
        senders=_STAFF,
        authority=Action.CONSENT_TO_WAIVER,
        sense=availability.a_waiver_waits,
        word=word("answer_waiver", "", "permit round", c.AnswerWaiver, consent="permit"),
    ),
    c.Insure: CommandEntry(
        handler=dealing.insure,
        heard=_in(Phase.INSURANCE),
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        only=availability.offered_insurance,
        word=word("insure", "window amount", "box person round", c.Insure),
    ),
    c.DeclineInsurance: CommandEntry(
        handler=dealing.decline_insurance,
        heard=_in(Phase.INSURANCE),
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        only=availability.offered_insurance,
        word=word("decline_insurance", "window", "box person round", c.DeclineInsurance),
    ),
    c.CloseInsurance: CommandEntry(
        handler=dealing.close_insurance,
        heard=_in(Phase.INSURANCE),
        leads={Phase.INSURANCE: _in(Phase.DEALING)},
        senders=_STAFF,
        authority=Action.CLOSE_BETTING,
        word=word("close_insurance", "window", "round", c.CloseInsurance),
    ),
    c.Settle: CommandEntry(
        handler=dealing.settle_round,
        heard=_in(Phase.RESULT),
        leads={Phase.RESULT: _in(Phase.PAYING, Phase.SETTLED, Phase.CLOSED)},
        senders=_STAFF,
        authority=Action.DEAL,
        word=word("settle", "", "box_by_box round", words.settle),
    ),
    c.ConfirmBox: CommandEntry(
        handler=dealing.confirm_box,
        heard=_in(Phase.PAYING),
        leads=_PAID,
        senders=_STAFF,
        authority=Action.DEAL,
        word=_CONFIRM,
    ),
    c.ConfirmRest: CommandEntry(
        handler=dealing.confirm_rest,
        heard=_in(Phase.PAYING),
        leads=_PAID,
        senders=_STAFF,
        authority=Action.CONFIRM_REST,
        word=_CONFIRM,
    ),
    c.ChooseAfterTie: CommandEntry(
        handler=dealing.choose_after_tie,
        heard=_in(Phase.PAYING, Phase.SETTLED),
        senders=_PLAYER | _STAFF,
        authority=Action.BET_FOR_PLAYER,
        sense=availability.a_stake_is_held,
        only=availability.holders,
        word=word("after_tie", "bet", "box leave person round", c.ChooseAfterTie),
    ),
    # irregularities
    c.Report: CommandEntry(
        handler=faults.report,
        heard=_ANY,
        leads={
            **{phase: (_STOPS | {Phase.RESULT, Phase.INSURANCE, Phase.CLOSED}) - {phase} for phase in sorted(_BACK)},
            Phase.BETTING: _STOPS | {Phase.DEALING, Phase.CLOSED},
            Phase.DECISION: _in(Phase.SUSPENDED, Phase.VOIDED),
        },
        senders=_PLAYER | _STAFF | _DEVICE,
        authority=_anybody_of_the_house,
        only=availability.without_claim,
        word=word("report", "fault", "cards index lies to_person order_known note round shoe", words.report),
    ),
    c.Rule: CommandEntry(
        handler=faults.rule,
        heard=_in(Phase.DECISION, Phase.SUSPENDED),
        leads=dict.fromkeys((Phase.DECISION, Phase.SUSPENDED), _BACK | _STOPS),
        senders=_STAFF,
        authority=_anybody_of_the_house,
        sense=availability.may_answer,
        second=second.declares,
        word=word("rule", "choice", "reason order cards index person box bet terms amount decisions", words.rule),
    ),
    c.Elect: CommandEntry(
        handler=options.elect,
        heard=_in(Phase.OPTIONS),
        senders=_PLAYER | _STAFF,
        authority=_pit_employee,
        only=availability.electors,
        word=word("elect", "election", "person present index", c.Elect),
    ),
    c.CloseOptions: CommandEntry(
        handler=faults.close_options,
        heard=_in(Phase.OPTIONS),
        leads={Phase.OPTIONS: _BACK | _STOPS},
        senders=_STAFF,
        authority=_pit_employee,
        word=word("close_options", "", "index", c.CloseOptions),
    ),
    c.CorrectDisplay: CommandEntry(
        handler=management.correct_display,
        heard=_OPEN,
        senders=_STAFF,
        authority=Action.CORRECT_DISPLAY,
        word=word("correct_display", "note reason", "round", c.CorrectDisplay, shown="note", correct="reason"),
    ),
    c.DecideUnprovided: CommandEntry(
        handler=house_decisions.decide_unprovided,
        heard=_ANY,
        senders=_STAFF,
        authority=Action.DECIDE_UNPROVIDED,
        second=second.always,
        word=word("decide", "note", "reason round person box bet terms amount decisions", words.decide),
    ),
}


def sent_by(sender: Sender) -> frozenset[type[c.Command]]:
    """Every command that is accepted from such a sender, in any phase."""
    return frozenset(kind for kind, entry in TABLE.items() if sender in entry.senders)


def vocabulary() -> dict[str, Word]:
    """The words of a scenario by name."""
    known = {entry.word.name: entry.word for entry in TABLE.values()}
    return known | {words.TIME_PASSES.name: words.TIME_PASSES}


WORDS = vocabulary()
