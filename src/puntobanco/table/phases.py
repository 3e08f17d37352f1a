"""What is heard in which phase: one table. The diagram in docs/round.md is drawn from it."""

from puntobanco.table import commands as c
from puntobanco.table.state import BETWEEN_ROUNDS, Phase

_ANY = frozenset(Phase)
_OPEN = _ANY - {Phase.CLOSED}
_SIDE = frozenset({Phase.SUSPENDED, Phase.DECISION, Phase.OPTIONS})

HEARD: dict[type[c.Command], frozenset[Phase]] = {
    # people and money: at any time the table is open
    c.BuyIn: _OPEN,
    c.CashOut: _OPEN,
    c.TakeSeat: _OPEN,
    c.LeaveSeat: _OPEN,
    c.WalkAway: _OPEN,
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
