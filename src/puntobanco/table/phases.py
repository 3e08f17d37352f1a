"""What is heard in which phase: one table. The diagram in docs/round.md is drawn from it."""

from puntobanco.table import commands as c
from puntobanco.table.state import BETWEEN_ROUNDS, IN_ROUND, Phase

_ANY = frozenset(Phase)
_OPEN = _ANY - {Phase.CLOSED}
_SIDE = frozenset({Phase.SUSPENDED, Phase.DECISION, Phase.OPTIONS})

HEARD: dict[type[c.Command], frozenset[Phase]] = {
    # people and money: at any time the table is open
    c.BuyIn: _OPEN,
    c.CashOut: _ANY,
    c.BuyInAtTable: _OPEN,
    c.LeaveTable: _ANY,
    c.TakeSeat: _OPEN,
    c.LeaveSeat: _OPEN,
    c.WalkAway: _OPEN,
    c.Assign: _OPEN,
    c.Relieve: _OPEN,
    # the table, between rounds
    c.OpenTable: frozenset({Phase.CLOSED}),
    c.ChangeSetup: BETWEEN_ROUNDS,
    c.AnnounceClosing: _OPEN,
    c.CloseTable: BETWEEN_ROUNDS,
    c.LoadShoe: BETWEEN_ROUNDS | {Phase.DEALING},
    c.WithdrawShoe: _OPEN,
    c.ShowCutCard: _OPEN,
    c.TakeOver: IN_ROUND | {Phase.OPTIONS},
    # betting
    c.OpenBetting: BETWEEN_ROUNDS,
    c.PermitOpening: BETWEEN_ROUNDS,
    c.PlaceBets: frozenset({Phase.BETTING, Phase.CLOSING}),
    c.Object: frozenset({Phase.BETTING}),
    c.RejectExcess: frozenset({Phase.BETTING}),
    c.AdviseMinimum: frozenset({Phase.BETTING}),
    c.ReturnBet: frozenset({Phase.BETTING}),
    c.AnnounceClose: frozenset({Phase.BETTING}),
    c.CloseBetting: frozenset({Phase.BETTING, Phase.CLOSING}),
    c.AttestBet: frozenset({Phase.DEALING, Phase.INSURANCE, Phase.RESULT}),
    c.NoteLateBet: frozenset({Phase.DEALING, Phase.INSURANCE, Phase.RESULT, Phase.PAYING, Phase.SETTLED}) | _SIDE,
    c.CollectChip: _ANY,
    c.WriteOffChip: _ANY,
    # cards
    c.DrawCard: frozenset({Phase.DEALING}),
    c.ExposeCard: frozenset({Phase.DEALING, Phase.OPTIONS}),
    c.CorrectCard: frozenset({Phase.DEALING, Phase.RESULT}),
    c.RequestSqueeze: frozenset({Phase.DEALING}),
    c.AnswerSqueeze: frozenset({Phase.DEALING}),
    c.FinishSqueeze: frozenset({Phase.DEALING}),
    c.RequestWaiver: frozenset({Phase.DEALING, Phase.INSURANCE}),
    c.AgreeToWaiver: frozenset({Phase.DEALING, Phase.INSURANCE}),
    c.AnswerWaiver: frozenset({Phase.DEALING, Phase.INSURANCE}),
    c.Insure: frozenset({Phase.INSURANCE}),
    c.CloseInsurance: frozenset({Phase.INSURANCE}),
    c.Settle: frozenset({Phase.RESULT}),
    c.ConfirmBox: frozenset({Phase.PAYING}),
    c.ConfirmRest: frozenset({Phase.PAYING}),
    c.ChooseAfterTie: frozenset({Phase.PAYING, Phase.SETTLED}),
    # irregularities
    c.Report: _ANY,
    c.Rule: frozenset({Phase.DECISION, Phase.SUSPENDED}),
    c.Elect: frozenset({Phase.OPTIONS}),
    c.CloseOptions: frozenset({Phase.OPTIONS}),
    c.CorrectDisplay: _OPEN,
    c.DecideUnprovided: _ANY,
}

CASHIERS_COMMANDS: frozenset[type[c.Command]] = frozenset({c.BuyIn, c.CashOut})
"""All that is heard from a cashier, in whatever phase."""

_BACK = IN_ROUND | {Phase.CLOSED, Phase.SETTLED}
_STOPS = frozenset({Phase.SUSPENDED, Phase.DECISION, Phase.OPTIONS, Phase.VOIDED, Phase.WITHOUT_BETS, Phase.DECIDED})

LEADS: dict[tuple[Phase, type[c.Command]], frozenset[Phase]] = {
    (Phase.CLOSED, c.OpenTable): BETWEEN_ROUNDS,
    (Phase.IDLE, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.SETTLED, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.VOIDED, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.WITHOUT_BETS, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.DECIDED, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.BETTING, c.AnnounceClose): frozenset({Phase.CLOSING}),
    (Phase.BETTING, c.CloseBetting): frozenset({Phase.DEALING}),
    (Phase.CLOSING, c.CloseBetting): frozenset({Phase.DEALING}),
    (Phase.DEALING, c.DrawCard): frozenset({Phase.INSURANCE, Phase.RESULT, Phase.DECISION, Phase.VOIDED, Phase.CLOSED}),
    (Phase.DEALING, c.ExposeCard): frozenset({Phase.INSURANCE, Phase.RESULT, Phase.DECISION}),
    (Phase.DEALING, c.CorrectCard): frozenset({Phase.INSURANCE, Phase.RESULT, Phase.DECISION}),
    (Phase.RESULT, c.CorrectCard): frozenset({Phase.DEALING, Phase.INSURANCE, Phase.DECISION}),
    (Phase.INSURANCE, c.CloseInsurance): frozenset({Phase.DEALING}),
    (Phase.RESULT, c.Settle): frozenset({Phase.PAYING, Phase.SETTLED, Phase.CLOSED}),
    (Phase.PAYING, c.ConfirmBox): frozenset({Phase.SETTLED, Phase.CLOSED}),
    (Phase.PAYING, c.ConfirmRest): frozenset({Phase.SETTLED, Phase.CLOSED}),
    **{
        (phase, c.Report): (_STOPS | {Phase.RESULT, Phase.INSURANCE, Phase.CLOSED}) - {phase} for phase in sorted(_BACK)
    },
    (Phase.BETTING, c.Report): (_STOPS | {Phase.DEALING, Phase.CLOSED}),
    (Phase.DECISION, c.Report): frozenset({Phase.SUSPENDED, Phase.VOIDED}),
    (Phase.DECISION, c.Rule): _BACK | _STOPS,
    (Phase.SUSPENDED, c.Rule): _BACK | _STOPS,
    (Phase.OPTIONS, c.CloseOptions): _BACK | _STOPS,
    **{(phase, c.CloseTable): frozenset({Phase.CLOSED}) for phase in sorted(BETWEEN_ROUNDS)},
}
"""Where a command may lead that changes the phase; every other accepted command leaves it as it is."""
