"""What is heard in which phase: one table. The diagram in docs/round.md is drawn from it."""

from puntobanco.table import commands as c
from puntobanco.table.state import BETWEEN_ROUNDS, Phase

_ANY = frozenset(Phase)
_OPEN = _ANY - {Phase.CLOSED}
_SIDE = frozenset({Phase.SUSPENDED, Phase.DECISION, Phase.OPTIONS})

HEARD: dict[type[c.Command], frozenset[Phase]] = {
    # people and money: at any time the table is open
    c.BuyIn: _OPEN,
    c.CashOut: _ANY,
    c.TakeSeat: _OPEN,
    c.LeaveSeat: _OPEN,
    c.WalkAway: _OPEN,
    c.Assign: _OPEN,
    c.Relieve: _OPEN,
    # the table, between rounds
    c.OpenTable: frozenset({Phase.CLOSED}),
    c.ChangeSetup: BETWEEN_ROUNDS,
    c.CloseTable: BETWEEN_ROUNDS,
    c.LoadShoe: BETWEEN_ROUNDS | {Phase.DEALING},
    c.WithdrawShoe: _OPEN,
    c.ShowCutCard: _OPEN,
    # betting
    c.OpenBetting: BETWEEN_ROUNDS,
    c.PlaceBets: frozenset({Phase.BETTING, Phase.CLOSING}),
    c.Object: frozenset({Phase.BETTING}),
    c.RejectExcess: frozenset({Phase.BETTING}),
    c.AdviseMinimum: frozenset({Phase.BETTING}),
    c.ReturnBet: frozenset({Phase.BETTING}),
    c.AnnounceClose: frozenset({Phase.BETTING}),
    c.CloseBetting: frozenset({Phase.BETTING, Phase.CLOSING}),
    c.AttestBet: frozenset({Phase.DEALING, Phase.INSURANCE, Phase.RESULT}),
    c.NoteLateBet: frozenset({Phase.DEALING, Phase.INSURANCE, Phase.RESULT, Phase.SETTLED}) | _SIDE,
    # cards
    c.DrawCard: frozenset({Phase.DEALING}),
    c.ExposeCard: frozenset({Phase.DEALING}),
    c.RequestSqueeze: frozenset({Phase.DEALING}),
    c.AnswerSqueeze: frozenset({Phase.DEALING}),
    c.FinishSqueeze: frozenset({Phase.DEALING}),
    c.RequestWaiver: frozenset({Phase.DEALING, Phase.INSURANCE}),
    c.AnswerWaiver: frozenset({Phase.DEALING, Phase.INSURANCE}),
    c.Insure: frozenset({Phase.INSURANCE}),
    c.CloseInsurance: frozenset({Phase.INSURANCE}),
    c.Settle: frozenset({Phase.RESULT}),
    c.ChooseAfterTie: frozenset({Phase.SETTLED}),
    # irregularities
    c.Report: _OPEN,
    c.Rule: frozenset({Phase.DECISION, Phase.SUSPENDED}),
    c.Elect: frozenset({Phase.OPTIONS}),
    c.CloseOptions: frozenset({Phase.OPTIONS}),
    c.CorrectDisplay: _OPEN,
    c.DecideUnprovided: _OPEN,
}

CASHIERS_COMMANDS: frozenset[type[c.Command]] = frozenset({c.BuyIn, c.CashOut})
"""All that is heard from a cashier, in whatever phase."""

_BACK = frozenset({Phase.BETTING, Phase.CLOSING, Phase.DEALING, Phase.INSURANCE, Phase.RESULT, Phase.SETTLED})
_STOPS = frozenset({Phase.SUSPENDED, Phase.DECISION, Phase.OPTIONS, Phase.VOIDED})

LEADS: dict[tuple[Phase, type[c.Command]], frozenset[Phase]] = {
    (Phase.CLOSED, c.OpenTable): frozenset({Phase.IDLE}),
    (Phase.IDLE, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.SETTLED, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.VOIDED, c.OpenBetting): frozenset({Phase.BETTING}),
    (Phase.BETTING, c.AnnounceClose): frozenset({Phase.CLOSING}),
    (Phase.BETTING, c.CloseBetting): frozenset({Phase.DEALING}),
    (Phase.CLOSING, c.CloseBetting): frozenset({Phase.DEALING}),
    (Phase.DEALING, c.DrawCard): frozenset({Phase.INSURANCE, Phase.RESULT, Phase.DECISION, Phase.VOIDED}),
    (Phase.DEALING, c.ExposeCard): frozenset({Phase.INSURANCE, Phase.RESULT, Phase.DECISION}),
    (Phase.INSURANCE, c.CloseInsurance): frozenset({Phase.DEALING}),
    (Phase.RESULT, c.Settle): frozenset({Phase.SETTLED}),
    **{(phase, c.Report): _STOPS | {Phase.RESULT, Phase.INSURANCE} for phase in sorted(_BACK)},
    (Phase.DECISION, c.Rule): _BACK | _STOPS,
    (Phase.SUSPENDED, c.Rule): _BACK | _STOPS,
    (Phase.OPTIONS, c.CloseOptions): _BACK | _STOPS,
    **{(phase, c.CloseTable): frozenset({Phase.CLOSED}) for phase in sorted(BETWEEN_ROUNDS)},
}
"""Where a command may lead that changes the phase; every other accepted command leaves it as it is."""
