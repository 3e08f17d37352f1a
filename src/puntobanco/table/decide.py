"""decide(state, command): the events it leads to, or a refusal. A refusal changes nothing."""

from collections.abc import Callable
from typing import Any

import msgspec

from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.table import betting, dealing, house_decisions, irregularities, management, options
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.events import AnyEvent, stake_key
from puntobanco.table.felt import Felt
from puntobanco.table.pending import PendingEvents, boxes_unpaid
from puntobanco.table.phases import CASHIERS_COMMANDS, HEARD
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State
from puntobanco.table.tags import tag_of

__all__ = ["HANDLERS", "Accepted", "Refusal", "decide"]


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """What happened, and which lines of a slip did not."""

    events: tuple[AnyEvent, ...]
    refusals: tuple[tuple[int, Refusal], ...] = ()
    state: State | None = None


HANDLERS: dict[type[c.Command], Callable[[PendingEvents, Any], None]] = {
    c.OpenTable: management.open_table,
    c.ChangeSetup: management.change_setup,
    c.AnnounceClosing: management.announce_closing,
    c.CloseTable: management.close_table,
    c.BuyIn: management.buy_in,
    c.CashOut: management.cash_out,
    c.BuyInAtTable: management.buy_in_at_table,
    c.LeaveTable: management.leave_table,
    c.TakeSeat: management.take_seat,
    c.LeaveSeat: management.leave_seat,
    c.WalkAway: management.walk_away,
    c.Assign: management.assign,
    c.Relieve: management.relieve,
    c.LoadShoe: management.load_shoe,
    c.WithdrawShoe: management.withdraw_shoe,
    c.ShowCutCard: management.show_cut_card,
    c.TakeOver: management.take_over,
    c.CorrectDisplay: management.correct_display,
    c.DecideUnprovided: house_decisions.decide_unprovided,
    c.OpenBetting: betting.open_betting,
    c.PermitOpening: betting.permit_opening,
    c.PlaceBets: betting.place_bets,
    c.Object: betting.object_to,
    c.RejectExcess: betting.reject_excess,
    c.AdviseMinimum: betting.advise_minimum,
    c.ReturnBet: betting.return_bet,
    c.AnnounceClose: betting.announce_close,
    c.CloseBetting: betting.close_betting,
    c.AttestBet: betting.attest_bet,
    c.NoteLateBet: betting.note_late_bet,
    c.CollectChip: betting.collect_chip,
    c.WriteOffChip: betting.write_off_chip,
    c.DrawCard: dealing.draw_card,
    c.ExposeCard: dealing.expose_card,
    c.CorrectCard: dealing.correct_card,
    c.RequestSqueeze: dealing.request_squeeze,
    c.AnswerSqueeze: dealing.answer_squeeze,
    c.FinishSqueeze: dealing.finish_squeeze,
    c.RequestWaiver: dealing.request_waiver,
    c.AgreeToWaiver: dealing.agree_to_waiver,
    c.AnswerWaiver: dealing.answer_waiver,
    c.Insure: dealing.insure,
    c.CloseInsurance: dealing.close_insurance,
    c.Settle: dealing.settle_round,
    c.ConfirmBox: dealing.confirm_box,
    c.ConfirmRest: dealing.confirm_rest,
    c.ChooseAfterTie: dealing.choose_after_tie,
    c.Report: irregularities.report,
    c.Rule: irregularities.rule,
    c.Elect: options.elect,
    c.CloseOptions: irregularities.close_options,
}


def decide(felt: Felt, state: State, command: c.Command, by: By) -> Accepted | Refusal:
    """What the rules make of the command, from this person in this role at this moment."""
    pending = _judged(felt, state, command, by)
    try:
        kind = type(command)
        _check_acting(felt, state, by)
        if by.role is Role.CASHIER and kind not in CASHIERS_COMMANDS:
            raise Refused(Reason.ACCESS_DENIED, what=tag_of(kind))
        if state.phase not in HEARD[kind]:
            raise _not_heard(felt, state, command, by)
        HANDLERS[kind](pending, command)
    except Refused as refused:
        return refused.refusal
    if not pending.refusals:
        return Accepted(tuple(pending.events), (), pending.state)
    refusals = tuple([(place, refused.refusal) for place, refused in pending.refusals])
    return Accepted(tuple(pending.events), refusals, pending.state)


FOR_THE_NEXT_ROUND: frozenset[type[c.Command]] = frozenset(
    {
        c.OpenTable, c.ChangeSetup, c.CloseTable, c.LoadShoe, c.OpenBetting, c.PermitOpening, c.BuyIn, c.BuyInAtTable,
        c.TakeSeat,
    }
)  # fmt: skip
"""What goes by the set-up of the table as it is now; anything else is about the last round until the next begins."""


def _judged(felt: Felt, state: State, command: c.Command, by: By) -> PendingEvents:
    """The last round is judged by the set-up it was played under, also after the table was opened with another."""
    worth = command.worth if isinstance(command, c.OpenBetting) else None
    if state.played is None or (type(command) in FOR_THE_NEXT_ROUND and not state.in_round):
        return PendingEvents(felt, state, by, worth=worth)
    return PendingEvents(felt.under(state.played), state, by, state.played, worth)


def _check_acting(felt: Felt, state: State, by: By) -> None:
    """Whoever is assigned at this table acts in that role and in no other."""
    acting = state.acting.get(by.person)
    if acting is not None and by.role is not acting:
        raise Refused(Reason.ACTS_OTHERWISE, felt.game.pit_employees, person=by.person, acting=acting, role=by.role)


def _not_heard(felt: Felt, state: State, command: c.Command, by: By) -> Refused:
    """Why the command is not heard in this phase."""
    late = felt.game.late_bets
    changes = _late_changes(state, command, by)
    closed = state.in_round and state.interrupted not in (Phase.BETTING, Phase.CLOSING)
    if late is not None and closed and changes:
        taken_away = all(now < was for now, was in changes)
        return Refused(Reason.BETS_LATE, late.withdrawn if taken_away and late.withdrawn else late.placed)
    if state.phase is Phase.PAYING and Phase.SETTLED in HEARD[type(command)]:
        return boxes_unpaid(state.unpaid)
    early = isinstance(command, c.PlaceBets) and state.phase in BETWEEN_ROUNDS
    opens = felt.game.round.opens if early else None
    return Refused(Reason.NOT_HEARD_NOW, opens, phase=state.phase, command=tag_of(type(command)))


def _late_changes(state: State, command: c.Command, by: By) -> list[tuple[int, int]]:
    """What a bet of this round after its close, or insurance after its window, wanted to stake, and what lies there."""
    if isinstance(command, c.PlaceBets) and command.round == state.round:
        owner = command.owner or by.person
        return [(line.amount, _lying(state, stake_key(line.box, line.bet, owner))) for line in command.lines]
    if isinstance(command, c.Insure) and command.round == state.round and command.window in state.windows_closed:
        bets = [stake for stake in state.stakes_of(command.person or by.person) if stake.box == command.box]
        lying = sum(stake.amount for stake in bets if stake.bet.endswith(f"@{command.window}"))
        return [(command.amount, lying)]
    return []


def _lying(state: State, key: str) -> int:
    return state.stakes[key].amount if key in state.stakes else 0
