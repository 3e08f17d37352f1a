"""Decisions of the House on bets: on single bets, and on all bets of a round that cannot be played out."""

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from puntobanco.rules.money import GREATEST_STAKE, write_money
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.betting import check_box, close_as_it_lies
from puntobanco.table.commands import BetTerms, Terms
from puntobanco.table.events import DecidedBet, SettledStake, Stake, stake_key
from puntobanco.table.narration_words import title
from puntobanco.table.pending import PendingEvents, boxes_unpaid
from puntobanco.table.reversal import set_aside, set_off, settled_by_now
from puntobanco.table.settling import concluded
from puntobanco.table.state import Phase
from puntobanco.table.tags import tag_of

MOST_BETS = 1_000
"""The most bets that one decision may name."""


def decide_unprovided(pending: PendingEvents, command: c.DecideUnprovided) -> None:
    """Records a decision in words, and applies it to the bets that it names."""
    rule = authority.check(pending.felt.game, Action.DECIDE_UNPROVIDED, pending.by, command.reason)
    if not 0 < command.round <= pending.state.round:
        raise Refused(Reason.STALE_ROUND, round=command.round, current=pending.state.round)
    bets: tuple[DecidedBet, ...] = ()
    if command.bets:
        check_reason(command.reason, rule)
        _check_time(pending, command.round)
        named = _named(pending, command.bets)
        bets = tuple(_decided(pending, one, command.round, rule) for one in named.values())
    pending.add(
        e.HouseDecided(
            by=pending.by,
            rule=pending.cite(rule),
            round=command.round,
            decision=command.decision,
            reason=command.reason,
        )
    )
    if bets:
        _tell(pending, command.round, bets, rule)


def check_reason(reason: str, rule: str | None) -> None:
    if not reason.strip():
        raise Refused(Reason.REASON_MISSING, rule, action=Action.DECIDE_UNPROVIDED)


def _check_time(pending: PendingEvents, number: int) -> None:
    """Refuses to decide bets of an earlier round that stands by the document, and bets of a round while they are being
    placed, insured, or taken and paid."""
    state = pending.state
    if number < state.round and pending.felt.stands is not None:
        raise Refused(Reason.EARLIER_ROUND_STANDS, pending.felt.stands, round=number)
    if number == state.round and state.reached is Phase.PAYING:
        raise boxes_unpaid(state.unpaid)
    under_way = state.reached in (Phase.BETTING, Phase.CLOSING) or state.window is not None
    if number == state.round and under_way:
        raise Refused(Reason.NOT_HEARD_NOW, phase=state.reached, command=tag_of(c.DecideUnprovided))


def _named(pending: PendingEvents, bets: Iterable[BetTerms]) -> dict[str, BetTerms]:
    """The named bets by key. Each may be named once, must be a bet of this table, for a person at it, with an amount if
    needed."""
    named: dict[str, BetTerms] = {}
    for one in bets:
        key = stake_key(one.box, one.bet, one.owner)
        if key in named or len(named) == MOST_BETS:
            raise Refused(Reason.BETS_NAMED_WRONGLY, most=MOST_BETS)
        if one.owner not in pending.state.purses:
            raise Refused(Reason.UNKNOWN_PERSON, person=one.owner)
        pending.felt.game.bet(one.bet.partition("@")[0], pending.felt.layout)
        check_box(pending.felt, pending.setup, one.box)
        if (one.terms in (Terms.AT_STAKE, Terms.PAY)) != (one.amount > 0):
            raise Refused(Reason.AMOUNT_NOT_POSITIVE, amount=write_money(one.amount))
        if one.amount > GREATEST_STAKE:
            raise Refused(Reason.AMOUNT_TOO_GREAT, greatest=write_money(GREATEST_STAKE))
        if one.terms is Terms.AT_STAKE and one.amount % pending.setup.unit:
            unit = write_money(pending.setup.unit)
            raise Refused(Reason.STAKE_NOT_IN_UNITS, stake=write_money(one.amount), unit=unit)
        named[key] = one
    return named


# ---- single bets -------------------------------------------------------------------------------------------------


def _decided(pending: PendingEvents, one: BetTerms, number: int, rule: str | None) -> DecidedBet:
    state, key = pending.state, stake_key(one.box, one.bet, one.owner)
    if number == state.round and state.in_round:
        _check_there(pending, one, state.stakes.keys())
        return _of_a_stake(pending, one, state.stakes[key], rule)
    if number == state.round and state.in_gap:
        settled = {settled.key: settled for settled in settled_by_now(state)}
        _check_there(pending, one, settled.keys())
        return _of_a_settlement(pending, one, settled[key], rule)
    if one.terms is not Terms.PAY:
        raise Refused(Reason.ROUND_OVER, rule, round=number)
    return DecidedBet(terms=one)


def _check_there(pending: PendingEvents, one: BetTerms, keys: Collection[str]) -> None:
    if stake_key(one.box, one.bet, one.owner) not in keys:
        named = title(pending.felt.game, one.bet)
        raise Refused(Reason.NO_SUCH_BET_PLACED, bet=named, box=one.box, person=one.owner)


def _of_a_stake(pending: PendingEvents, one: BetTerms, stake: Stake, rule: str | None) -> DecidedBet:
    """Decides a bet that is on the layout: it plays on, possibly at another stake, or it ends."""
    if one.terms is Terms.AS_RECORDED:
        return DecidedBet(terms=one)
    if one.terms is Terms.AT_STAKE:
        _check_another(pending, one, stake.amount, pending.state.playing(stake.key))
        return DecidedBet(terms=one, stake=replace(stake, amount=one.amount, raises=()), laid=stake.amount)
    return DecidedBet(terms=one, settled=_at_once(one, stake, rule))


def _at_once(one: BetTerms, stake: Stake, rule: str | None) -> SettledStake:
    """A settlement that returns the whole stake or pays the decided amount, with the difference from the stake as
    profit or loss."""
    gets = one.amount if one.terms is Terms.PAY else stake.amount
    over = gets - stake.amount
    result = Result.WIN if over > 0 else Result.LOSE if over < 0 else Result.PUSH
    plays = -over if over < 0 else stake.amount
    return SettledStake(
        owner=stake.owner, box=stake.box, bet=stake.bet, stake=stake.amount, plays=plays, result=result, profit=over,
        rule=str(rule) if rule else "",
    )  # fmt: skip


def _of_a_settlement(pending: PendingEvents, one: BetTerms, was: SettledStake, rule: str | None) -> DecidedBet:
    """Decides a bet that was settled: it stands, gets another settlement, or its owner is paid something in
    addition."""
    stake = pending.state.stakes[was.key]
    if one.terms is Terms.RETURN:
        return DecidedBet(terms=one, was=was, settled=_at_once(one, stake, rule))
    if one.terms is Terms.AT_STAKE:
        _check_another(pending, one, was.stake, was.plays)
        return DecidedBet(terms=one, was=was, settled=_at_another_stake(pending, one, stake))
    return DecidedBet(terms=one)


def _check_another(pending: PendingEvents, one: BetTerms, laid: int, plays: int) -> None:
    if one.amount == laid == plays:
        raise Refused(Reason.BET_UNCHANGED, bet=title(pending.felt.game, one.bet), stake=write_money(laid))


def _at_another_stake(pending: PendingEvents, one: BetTerms, stake: Stake) -> SettledStake:
    """The settlement by the cards if that amount had played. An amount above the stake counts as staked."""
    settled = concluded(pending, replace(stake, amount=max(stake.amount, one.amount)), one.amount)
    if settled is None:
        raise Refused(Reason.BET_STILL_OPEN, bet=title(pending.felt.game, one.bet), person=one.owner)
    return replace(settled, unplayed_rule=None)


def _tell(pending: PendingEvents, number: int, bets: tuple[DecidedBet, ...], rule: str | None) -> None:
    """Records the decided bets. What a purse cannot pay is owed, and payments are set off against debts."""
    gets: dict[str, int] = {}
    for one in bets:
        gets[one.terms.owner] = gets.get(one.terms.owner, 0) + one.gets
    purses = pending.state.purses
    owed = {person: -held for person, amount in gets.items() if (held := purses[person] + amount) < 0}
    pending.add(e.BetsDecided(by=pending.by, rule=pending.cite(rule), round=number, bets=bets, owed=owed))
    if owed:
        pending.alert(Alert.RECEIVABLE, to=Role.SHIFT_MANAGER, rule=rule)
    set_off(pending, gets.items())


# ---- a round that cannot be played out ---------------------------------------------------------------------------


def conclude(pending: PendingEvents, bets: tuple[BetTerms, ...], rule: str | None, told: e.Reported) -> None:
    """Ends the round: settles the bets that have won or lost whatever cards follow and returns the others, unless the
    decision names them."""
    if pending.state.reached in (Phase.BETTING, Phase.CLOSING):
        close_as_it_lies(pending, rule)
    named, number = _named(pending, bets), pending.state.round
    for one in named.values():
        _check_there(pending, one, pending.state.stakes.keys())
    other = tuple(_decided(pending, one, number, rule) for one in named.values() if one.terms is Terms.AT_STAKE)
    if other:
        _tell(pending, number, other, rule)
    stakes = tuple(_ended(pending, stake, named.get(key), rule) for key, stake in pending.state.stakes.items())
    set_aside(pending, rule, told)
    pending.add(e.RoundDecided(by=pending.by, rule=pending.cite(rule), round=number, stakes=stakes, named=bets))
    set_off(pending, ((one.owner, one.back) for one in stakes))
    if pending.state.front:
        pending.add(e.CarryOverDiscarded(by=pending.by, rule=pending.cite(rule)))


def _ended(pending: PendingEvents, stake: Stake, one: BetTerms | None, rule: str | None) -> SettledStake:
    if one is not None and one.terms in (Terms.RETURN, Terms.PAY):
        return _at_once(one, stake, rule)
    settled = concluded(pending, stake, pending.state.playing(stake.key))
    if settled is not None:
        return settled
    if one is not None:
        raise Refused(Reason.BET_STILL_OPEN, bet=title(pending.felt.game, one.bet), person=one.owner)
    return _at_once(BetTerms(owner=stake.owner, bet=stake.bet, terms=Terms.RETURN), stake, rule)
