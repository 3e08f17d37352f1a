"""Betting: from the announcement that opens a round to the positions at the close."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from puntobanco.rules import limits
from puntobanco.rules.cards import Card
from puntobanco.rules.established import possible
from puntobanco.rules.game import Bet
from puntobanco.rules.limits import BoxBet, TableLimits
from puntobanco.rules.money import GREATEST_STAKE, Cents, write_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action, StaffRank
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.after_exposure import alert_bets_on_exposed, alert_exposed, offer_insurance
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.events import Stake, stake_key
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.guests import check_covered, cited, whose
from puntobanco.table.pending import PendingEvents
from puntobanco.table.setup import ExcessAtPlacement, Setup, TieSilence
from puntobanco.table.state import MissingChip, Phase, State

SIDES = tuple(Side)


def open_betting(pending: PendingEvents, command: c.OpenBetting) -> None:
    """Opens a round, which makes the round before final. Stakes held since a tie go back or stay for this round."""
    game, state = pending.felt.game, pending.state
    authority.check(game, Action.OPEN_BETTING, pending.by)
    shoe = state.shoe
    if shoe is None or not shoe.in_service:
        raise Refused(Reason.NO_SHOE)
    if shoe.finished:
        raise Refused(Reason.SHOE_FINISHED)
    if not shoe.shuffled:
        unshuffled = game.irregularities.unshuffled
        raise Refused(Reason.SHOE_UNSHUFFLED, unshuffled.rule if unshuffled else None)
    if any(state.front):
        excess = game.irregularities.excess_or_exposed
        rule = excess.rule if excess else None
        if not command.acknowledge:
            raise Refused(Reason.EXPOSED_CARD_WAITS, rule, card=_in_sight(state))
        _check_permitted(pending)
        alert_exposed(pending)
    not_offered = decided_bets(pending.felt, state)
    left = [key for key, stake in state.held.items() if stake.bet not in not_offered and _lies_on(pending, key)]
    pending.add(
        e.BettingOpened(
            by=pending.by,
            rule=pending.cite(game.round.opens),
            round=state.round + 1,
            deadline=pending.by.at + pending.setup.timing.betting,
            returned=tuple(stake for key, stake in state.held.items() if key not in left),
            left_lying=tuple(
                replace(state.held[key], order=place, raises=()) for place, key in enumerate(left, start=1)
            ),
            last_of_shoe=shoe.last_round,
            not_offered=not_offered,
            overlay=pending.setup.overlay.fingerprint if pending.setup.overlay is not None else "",
        )
    )


def decided_bets(felt: Felt, state: State) -> tuple[str, ...]:
    """Bets that the cards in front of the shoe have decided: they can no longer lose, or can no longer win."""
    known = state.known_first
    if not known or felt.edition < Edition.SECOND_READING:
        return ()
    return felt.available.decided(possible(known))


def permit_opening(pending: PendingEvents, _command: c.PermitOpening) -> None:
    """Lets a round open although several exposed cards lie in front of the shoe."""
    state, rule = pending.state, pending.felt.interprets
    authority.check_least(Action.OPEN_BETTING, pending.by, LETS_OPEN, rule)
    if not state.waits_for_permission:
        raise Refused(Reason.NOTHING_TO_PERMIT, rule)
    pending.add(e.OpeningPermitted(by=pending.by, rule=pending.cite(rule), cards=state.front))


LETS_OPEN = StaffRank.PIT_SUPERVISOR
"""The lowest rank that may let a round open on several exposed cards."""


def _check_permitted(pending: PendingEvents) -> None:
    """Refuses to open on several exposed cards without permission, because they decide too much for a dealer or an
    automatic table."""
    state = pending.state
    waits = state.waits_for_permission and pending.felt.edition >= Edition.SECOND_READING
    if waits and not authority.is_least(pending.by, LETS_OPEN):
        raise Refused(Reason.OPENING_NOT_PERMITTED, pending.felt.interprets, cards=_in_sight(state), least=LETS_OPEN)


def _in_sight(state: State) -> str:
    return " ".join(str(card) for card in state.front if card)


def _lies_on(pending: PendingEvents, key: str) -> bool:
    """Whether a held stake stays for the next round and still meets the minimum. If its owner said nothing, the policy
    decides."""
    stake = pending.state.held[key]
    silent = pending.setup.policy.tie_silence is TieSilence.LEAVE and stake.owner not in pending.state.absent
    return (key in pending.state.leaving or silent) and stake.amount >= pending.setup.least(stake.bet)


# ---- placing -----------------------------------------------------------------------------------------------------


def place_bets(pending: PendingEvents, command: c.PlaceBets) -> None:
    """Places a slip of bets. Each line is accepted or refused on its own."""
    _check_open(pending, command.round)
    owner = _owner(pending, command.owner)
    on_request = owner != pending.by.person and not pending.by.device
    if on_request and not command.requested:
        raise Refused(Reason.NOT_REQUESTED, pending.felt.authority_rule(Action.BET_FOR_PLAYER), person=owner)
    taken: dict[str, tuple[Stake, int]] = {}
    room = pending.state.purses[owner]
    for place, line in enumerate(command.lines):
        try:
            key, stake, was = _line(pending, owner, line, room, taken)
        except Refused as refused:
            pending.refusals.append((place, refused))
        else:
            room -= stake.amount - was
            taken[key] = (stake, taken[key][1] if key in taken else was)
    stakes: list[Stake] = []
    before: list[int] = []
    for stake, was in taken.values():
        if stake.amount != was:
            stakes.append(stake)
            before.append(was)
    if not stakes:
        raise pending.refusals[0][1] if pending.refusals else Refused(Reason.SLIP_EMPTY)
    rule = cited(pending, owner, pending.felt.game.round.menu)
    if on_request:
        rule = pending.felt.authority_rule(Action.BET_FOR_PLAYER) or rule
    pending.add(
        e.BetsPlaced(
            by=pending.by, rule=pending.cite(rule), round=command.round, stakes=tuple(stakes), was=tuple(before)
        )
    )
    if pending.house_deals:
        give_way(pending, stakes, before)


def give_way(pending: PendingEvents, stakes: Iterable[Stake], was: Iterable[int]) -> None:
    """Hands back bets of standing players to make room for a seated player's bet, where the house deals."""
    seats = pending.state.seats
    for stake, before in zip(stakes, was, strict=True):
        if stake.amount > before and stake.bet in SIDES and seats.get(stake.box) == stake.owner:
            _reject(pending, stake.box, box_bets(pending.state, stake.box), to=stake)


def _reject(pending: PendingEvents, box: int, bets: list[BoxBet], *, to: Stake | None = None) -> None:
    """Hands back what exceeds the Differential. `to`: only other people's bets on the same hand give way, to this
    stake."""
    left = [one for one in limits.reject_excess(bets, pending.setup.limits) if one.unplayed]
    if to is not None:
        left = [one for one in left if one.bet.side == to.bet and one.bet.person != to.owner]
    cut = [(one.plays, stake_key(box, one.bet.side, one.bet.person)) for one in left]
    if not cut:
        return
    lying, over = pending.state.stakes, pending.felt.game.irregularities.over_differential
    pending.add(
        e.ExcessRejected(
            by=pending.by,
            rule=pending.cite(over.rule if over else None),
            round=pending.state.round,
            box=box,
            stakes=tuple(lying[key].at(plays, 0) for plays, key in cut),
            was=tuple(lying[key].amount for _, key in cut),
            gives_way_to=to.owner if to is not None else "",
        )
    )


def _check_open(pending: PendingEvents, number: int) -> None:
    state = pending.state
    pending.check_round(number)
    if state.phase is Phase.CLOSING and pending.by.at > state.deadline:
        raise Refused(Reason.BETS_LATE, pending.felt.late_rule)


def _owner(pending: PendingEvents, named: str | None) -> str:
    if pending.setup.cards_only:
        raise Refused(Reason.CARDS_ONLY)
    by = pending.by
    own = by.role is Role.PLAYER  # players act on their own right: no paragraph is cited
    rule = None if own or by.device else pending.felt.authority_rule(Action.BET_FOR_PLAYER)
    owner = whose(pending, named, rule)
    if owner not in pending.state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=owner)
    check_covered(pending, owner, rule)
    return owner


def _line(
    pending: PendingEvents, owner: str, line: c.Line, room: int, taken: dict[str, tuple[Stake, int]]
) -> tuple[str, Stake, int]:
    """The key of the stake, the stake as it will lie, and the amount that lay there before."""
    felt, state, setup = pending.felt, pending.state, pending.setup
    name, amount, box = line.bet, line.amount, line.box
    bet = felt.bets.get(name) or felt.game.bet(name, felt.layout)
    if bet.insures is not None:
        raise Refused(Reason.INSURANCE_NOT_MAIN, felt.insurance_rule, bet=bet.title)
    if name in state.not_offered:
        raise Refused(Reason.BET_DECIDED, felt.interprets, bet=bet.title)
    check_box(felt, setup, box)
    if not 0 <= amount <= GREATEST_STAKE or amount % setup.unit:
        raise _not_in_chips(felt, setup, amount)
    key = stake_key(box, name, owner)
    before = taken[key][0] if key in taken else state.stakes.get(key)
    was = before.amount if before is not None else 0
    if amount == was:
        raise Refused(Reason.BET_UNCHANGED, bet=bet.title, stake=write_money(was))
    if amount - was > room:
        raise Refused(Reason.NOT_ENOUGH_MONEY, stake=write_money(amount - was), purse=write_money(room))
    if setup.maximum is not None and not bet.original and amount > setup.maximum:
        duty, most = felt.game.stake_rule, write_money(setup.maximum)
        raise Refused(Reason.OVER_SIDE_MAXIMUM, duty, stake=write_money(amount), most=most)
    order = state.orders + len(taken) + 1
    placer = owner if pending.by.device else pending.by.person
    if before is not None and was:
        stake = before.at(amount, order)
        stake = stake if stake.placer == placer else replace(stake, placer=placer)
    else:
        stake = Stake(owner=owner, box=box, bet=name, amount=amount, placer=placer, order=order)
    if amount:
        _check_limits(pending, stake, taken, raised=amount > was)
    return key, stake, was


def _not_in_chips(felt: Felt, setup: Setup, amount: int) -> Refused:
    """The reason why an amount is neither zero nor a valid stake in whole chips."""
    duty = felt.game.stake_rule
    if amount < 0:
        return Refused(Reason.STAKE_NOT_POSITIVE, duty, stake=write_money(amount))
    if amount > GREATEST_STAKE:
        return Refused(Reason.STAKE_TOO_GREAT, duty, greatest=write_money(GREATEST_STAKE))
    return Refused(Reason.STAKE_NOT_IN_UNITS, duty, stake=write_money(amount), unit=write_money(setup.unit))


def check_box(felt: Felt, setup: Setup, box: int) -> None:
    if felt.layout is not None:
        felt.layout.check_box(box, setup.boxes)
    elif box:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=felt.game.key)


def _check_limits(pending: PendingEvents, stake: Stake, taken: dict[str, tuple[Stake, int]], *, raised: bool) -> None:
    """Refuses a stake beyond the limits where the house deals or the document has no limit paragraphs. Elsewhere the
    Dealer sees a flag, unless the table is set up to refuse bets over the Differential."""
    setup, game = pending.setup, pending.felt.game
    if game.limits is None or pending.house_deals:
        if stake.amount < (least := setup.least(stake.bet)):
            low = game.irregularities.under_minimum
            rule, minimum = low.rule if low else None, write_money(least)
            raise Refused(Reason.UNDER_MINIMUM, rule, stake=write_money(stake.amount), minimum=minimum)
    elif setup.policy.excess_at_placement is ExcessAtPlacement.FLAG:
        return
    if not raised or stake.bet not in SIDES:
        return
    if pending.felt.layout is None and stake.amount <= setup.differential:
        return  # a terminal has nothing else on that hand: the gap is at most this stake
    here, bet = stake.box, stake.bet
    beside = [one.amount for one in pending.state.stakes.values() if one.bet == bet and one.box == here]
    if stake.amount + sum(beside) + sum([one.amount for one, _ in taken.values()]) <= setup.differential:
        return  # the gap is at most what lies on that hand
    lying = {key: one for key, one in pending.state.stakes.items() if _same_box(pending, one, stake)}
    lying |= {key: one for key, (one, _) in taken.items() if _same_box(pending, one, stake)}
    box = original_bets((lying | {stake.key: stake}).values(), pending.state.seats)
    left = limits.reject_excess(box, setup.limits)
    if any(one.unplayed for one in left if (one.bet.person, one.bet.side) == (stake.owner, stake.bet)):
        was = lying[stake.key].amount if stake.key in lying else 0
        raise _over_differential(pending, stake, box, was, seated=pending.state.seats.get(here) == stake.owner)


def _over_differential(pending: PendingEvents, stake: Stake, box: list[BoxBet], was: int, *, seated: bool) -> Refused:
    """A refusal that names the most that may lie there. Other bets on that hand count, unless the player is seated,
    because they give way to a seated player."""
    setup, over = pending.setup, pending.felt.game.irregularities.over_differential
    others = [one for one in box if one.person != stake.owner or one.side != stake.bet]
    stays = [one for one in others if one.side != stake.bet or not seated]
    room = limits.free_room(stays, Side(stake.bet), setup.limits)
    most = max(was, room if room >= setup.least(stake.bet) else 0)
    return Refused(
        Reason.OVER_DIFFERENTIAL, over.rule if over else None, differential=write_money(setup.differential),
        most=write_money(most),
    )  # fmt: skip


def _same_box(pending: PendingEvents, one: Stake, other: Stake) -> bool:
    """Whether two stakes share a box. At an electronic table every player's terminal is a box of its own."""
    return one.box == other.box and (pending.felt.layout is not None or one.owner == other.owner)


def original_bets(stakes: Iterable[Stake], seats: dict[int, str]) -> list[BoxBet]:
    """Chips on the two hands in the order they were placed. A bet is seated if its owner sits at the box now."""
    pieces = [(order, amount, one) for one in stakes if one.bet in SIDES for order, amount in one.placed]
    return [
        BoxBet(person=one.owner, side=Side(one.bet), amount=Cents(amount), seated=seats.get(one.box) == one.owner)
        for _, amount, one in sorted(pieces, key=lambda piece: piece[0])
    ]


def box_bets(state: State, box: int) -> list[BoxBet]:
    """The Original Bets of a box, in the order they were placed."""
    return original_bets([one for one in state.stakes.values() if one.box == box], state.seats)


def excess_boxes(state: State, table_limits: TableLimits) -> tuple[int, ...]:
    """The boxes over the Differential: flagged until the Dealer acts on them."""
    boxes: dict[int, list[Stake]] = {}
    for one in state.stakes.values():
        boxes.setdefault(one.box, []).append(one)
    most = table_limits.differential
    full = [box for box, stakes in sorted(boxes.items()) if sum([one.amount for one in stakes]) > most]
    return tuple(box for box in full if limits.differential(box_bets(state, box)) > most)


def object_to(pending: PendingEvents, command: c.Object) -> None:
    """Records and refuses an objection, because no player in a box can keep another from the rest of its limit."""
    pending.check_round(command.round)
    check_box(pending.felt, pending.setup, command.box)
    if command.against and command.against not in pending.state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=command.against)
    rule = pending.felt.game.limits.balance if pending.felt.game.limits else None
    pending.add(
        e.ObjectionRefused(
            by=pending.by, rule=pending.cite(rule), round=command.round, box=command.box, against=command.against
        )
    )


# ---- what the Dealer notices -------------------------------------------------------------------------------------


def _check_provided(pending: PendingEvents) -> None:
    """Refuses a Dealer's action on limits where the document has no limit paragraphs, because there the table checks
    limits when a bet is placed."""
    if pending.felt.game.limits is None:
        raise Refused(Reason.NOT_PROVIDED, game=pending.felt.game.title)


def reject_excess(pending: PendingEvents, command: c.RejectExcess) -> None:
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    _check_provided(pending)
    authority.check(game, Action.REJECT_EXCESS, pending.by)
    if command.box not in excess_boxes(state, pending.setup.limits):
        raise Refused(Reason.NO_EXCESS, box=command.box)
    _reject(pending, command.box, box_bets(state, command.box))


def advise_minimum(pending: PendingEvents, command: c.AdviseMinimum) -> None:
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    _check_provided(pending)
    authority.check(game, Action.ADVISE_MINIMUM, pending.by)
    if not any(_is_low(pending, one) for one in state.stakes_of(command.person) if one.box == command.box):
        raise Refused(Reason.NOT_UNDER_MINIMUM, person=command.person, box=command.box)
    rule = game.irregularities.under_minimum
    pending.add(
        e.MinimumAdvised(
            by=pending.by,
            rule=pending.cite(rule.rule if rule else None),
            round=command.round,
            box=command.box,
            person=command.person,
        )
    )


def _is_low(pending: PendingEvents, stake: Stake) -> bool:
    return stake.amount < pending.setup.least(stake.bet)


def return_bet(pending: PendingEvents, command: c.ReturnBet) -> None:
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    _check_provided(pending)
    authority.check(game, Action.ADVISE_MINIMUM, pending.by)
    stake = state.stakes.get(stake_key(command.box, command.bet, command.person))
    if stake is None:
        raise Refused(Reason.NO_SUCH_BET_PLACED, bet=command.bet, box=command.box, person=command.person)
    if f"{command.box}/{command.person}" not in state.advised or not _is_low(pending, stake):
        raise Refused(Reason.NOT_ADVISED, person=command.person)
    rule = game.irregularities.under_minimum
    pending.add(
        e.BetReturned(by=pending.by, rule=pending.cite(rule.rule if rule else None), round=command.round, stake=stake)
    )


# ---- the close ---------------------------------------------------------------------------------------------------


def announce_close(pending: PendingEvents, command: c.AnnounceClose) -> None:
    pending.check_round(command.round)
    game = pending.felt.game
    authority.check(game, Action.CLOSE_BETTING, pending.by)
    if not pending.felt.close_is_displayed:
        raise Refused(Reason.CLOSE_IS_SPOKEN, game.round.closes)
    pending.add(
        e.CloseAnnounced(
            by=pending.by,
            rule=pending.cite(game.round.closes),
            round=command.round,
            until=pending.by.at + pending.setup.timing.drain,
        )
    )


def close_betting(pending: PendingEvents, command: c.CloseBetting) -> None:
    """Closes betting: the positions at this moment decide. An excess over the Differential that was not rejected plays
    pro rata."""
    pending.check_round(command.round)
    game, state, setup = pending.felt.game, pending.state, pending.setup
    authority.check(game, Action.CLOSE_BETTING, pending.by)
    if pending.felt.close_is_displayed and (state.phase is Phase.BETTING or pending.by.at < state.deadline):
        raise Refused(Reason.TOO_EARLY, game.round.closes)
    over = excess_boxes(state, setup.limits) if _plays_pro_rata(pending) else ()
    rules = game.irregularities.over_differential
    if over and not command.over_excess:
        boxes = ", ".join(map(str, over))
        raise Refused(Reason.EXCESS_UNACKNOWLEDGED, rules.rule if rules else None, boxes=boxes)
    close_as_it_lies(pending, game.round.closes)


def _plays_pro_rata(pending: PendingEvents) -> bool:
    """Whether bets over the Differential play pro rata: a Dealer can miss an excess, and the document says what then
    plays."""
    return pending.felt.game.limits is not None and not pending.house_deals


def close_as_it_lies(pending: PendingEvents, rule: str | None, *, by_card: bool = False) -> None:
    """Closes betting with the bets as they lie. `by_card`: because a card was seen."""
    pro_rata = _plays_pro_rata(pending)
    if not pro_rata:
        _hand_back_excess(pending)
    state = pending.state
    over = excess_boxes(state, pending.setup.limits) if pro_rata else ()
    cut = tuple(one for box in over for one in _pro_rata(pending, state, box))
    low = tuple(_low(pending, over)) if pending.felt.game.limits is not None else ()
    pending.add(
        e.BettingClosed(
            by=pending.by, rule=pending.cite(rule), round=state.round, cut=cut, under_minimum=low, by_card=by_card
        )
    )
    alert_bets_on_exposed(pending)


def close_on_sight(pending: PendingEvents, faces: Iterable[Card | None], rule: str | None) -> None:
    """Closes betting if a face is seen while it is open, so that nobody bets on a card that everybody knows."""
    is_open = pending.state.reached in (Phase.BETTING, Phase.CLOSING)
    if is_open and any(faces) and pending.felt.edition >= Edition.SECOND_READING:
        close_as_it_lies(pending, rule, by_card=True)


def _hand_back_excess(pending: PendingEvents) -> None:
    """Hands back what exceeds the limit after a withdrawal, where nothing plays pro rata."""
    groups: dict[object, list[Stake]] = {}
    for stake in pending.state.stakes.values():
        groups.setdefault(stake.box if pending.felt.layout else stake.owner, []).append(stake)
    for stakes in groups.values():
        if sum(one.amount for one in stakes) > pending.setup.differential:
            _reject(pending, stakes[0].box, original_bets(stakes, pending.state.seats))


def _pro_rata(pending: PendingEvents, state: State, box: int) -> Iterator[e.Playing]:
    """How much of each cut stake plays, in a box over the Differential."""
    rules = pending.felt.game.irregularities.over_differential
    for one in limits.pro_rata(box_bets(state, box), pending.setup.limits, pending.setup.policy.pro_rata):
        if one.unplayed:
            key = stake_key(box, one.bet.side, one.bet.person)
            yield e.Playing(key=key, plays=one.plays, rule=pending.felt.cite(rules.pro_rata if rules else None))


def _low(pending: PendingEvents, over: tuple[int, ...]) -> Iterator[e.Playing]:
    """Stakes below the minimum, which play in full. In a box over the Differential they are left out of pro rata;
    elsewhere nobody noticed them."""
    rules = pending.felt.game.irregularities
    for key, stake in pending.state.stakes.items():
        if _is_low(pending, stake):
            left_out = rules.over_differential.under_minimum if rules.over_differential and stake.box in over else None
            unnoticed = rules.under_minimum.unnoticed if rules.under_minimum else None
            rule = left_out if left_out and stake.bet in SIDES else unnoticed
            yield e.Playing(key=key, plays=stake.amount, rule=pending.felt.cite(rule))


def attest_bet(pending: PendingEvents, command: c.AttestBet) -> None:
    """Records a bet that lay there at the close and was not keyed in yet, because the positions at the close decide."""
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    if game.terminal is not None:
        raise Refused(Reason.BETS_LATE, game.round.closes)
    authority.check(game, Action.BET_FOR_PLAYER, pending.by)
    if not command.attested:
        raise Refused(Reason.NOT_ATTESTED, pending.felt.late_rule)
    owner = _owner(pending, command.owner)
    if owner in state.took_back:
        raise Refused(Reason.TOOK_BACK, pending.felt.late_rule, person=owner)
    late = state.card_known if pending.felt.edition >= Edition.SECOND_READING else bool(state.seen_in_order)
    if late:
        authority.check(game, Action.DECIDE_RECONSTRUCTION, pending.by, command.reason)
    key, stake, was = _line(pending, owner, command.line, state.purses[owner], {})
    if late:
        _alert_late(pending, stake)
    if stake.amount < was:
        raise Refused(Reason.BETS_LATE, pending.felt.late_rule)
    closed = replace(state, stakes={**state.at_close, key: stake})
    over = game.limits is not None and stake.box in excess_boxes(closed, pending.setup.limits)
    if over and pending.house_deals:
        raise _over_differential(pending, stake, box_bets(closed, stake.box), was, seated=False)
    lying = {*state.stakes, key}
    cut = tuple(one for one in _pro_rata(pending, closed, stake.box) if one.key in lying) if over else ()
    pending.add(
        e.BetAttested(
            by=pending.by,
            rule=pending.cite(game.irregularities.positions_at_close),
            round=command.round,
            stake=stake,
            was=was,
            cut=cut,
        )
    )
    coup, window = pending.state.coup, pending.state.window
    if window is not None and coup is not None and stake.bet == window.insures:
        offer_insurance(pending, coup, window.deadline)


def _alert_late(pending: PendingEvents, stake: Stake) -> None:
    """Alerts the Shift Manager to a bet that was keyed in while a card was known, with its value on the cards that
    everyone has seen."""
    gain = pending.returns_on(pending.state.faces).get(stake.bet)
    worth = {} if gain is None else {stake.bet: gain}
    stakes = (stake,) if pending.felt.edition >= Edition.CURRENT_NOTICE else ()
    rule = pending.felt.game.irregularities.positions_at_close
    pending.alert(Alert.ATTESTED_LATE, to=Role.SHIFT_MANAGER, rule=rule, worth=worth, stakes=stakes)


def note_late_bet(pending: PendingEvents, command: c.NoteLateBet) -> None:
    """Records chips that moved after the close. Chips placed late go back. A bet taken away late is still settled, and
    because its stake was debited when it was placed, the chip itself has to be collected."""
    pending.check_round(command.round)
    game = pending.felt.game
    authority.check(game, Action.REFUSE_LATE_BETS, pending.by)
    if command.person not in pending.state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=command.person)
    bet = pending.felt.bets.get(command.bet) or game.bet(command.bet, pending.felt.layout)
    check_box(pending.felt, pending.setup, command.box)
    if command.amount <= 0:
        raise Refused(Reason.STAKE_NOT_POSITIVE, game.stake_rule, stake=write_money(command.amount))
    lying = _lying(pending, command, bet)
    if command.withdrawn and not lying:
        raise Refused(Reason.NO_SUCH_BET_PLACED, bet=bet.title, box=command.box, person=command.person)
    chip = command.withdrawn and game.terminal is None and pending.felt.edition >= Edition.SECOND_READING
    if chip and command.amount > (left := lying - _missing(pending, command)):
        raise Refused(Reason.MORE_THAN_LIES, bet=bet.title, stake=write_money(command.amount), left=write_money(left))
    late = game.late_bets
    rule = (late.withdrawn if command.withdrawn else late.placed) if late else None
    pending.add(
        e.LateBetNoted(
            by=pending.by,
            rule=pending.cite(rule),
            round=command.round,
            person=command.person,
            box=command.box,
            bet=command.bet,
            amount=command.amount,
            withdrawn=command.withdrawn,
            missing=pending.state.missed + 1 if chip else 0,
        )
    )


def _lying(pending: PendingEvents, command: c.NoteLateBet, bet: Bet) -> int:
    """The amount that lay on that bet at the close, in any insurance window."""
    stakes = [one for one in pending.state.stakes_of(command.person) if one.box == command.box]
    return sum(one.amount for one in stakes if one.bet.partition("@")[0] == bet.key)


def _missing(pending: PendingEvents, command: c.NoteLateBet) -> int:
    """The amount taken off that bet that is still to be collected."""
    same = (command.round, command.person, command.box, command.bet)
    missing = pending.state.missing.values()
    return sum(one.amount for one in missing if (one.round, one.person, one.box, one.bet) == same)


def collect_chip(pending: PendingEvents, command: c.CollectChip) -> None:
    authority.check(pending.felt.game, Action.REFUSE_LATE_BETS, pending.by)
    pending.add(e.ChipCollected(by=pending.by, round=_chip(pending, command.missing).round, missing=command.missing))


def write_off_chip(pending: PendingEvents, command: c.WriteOffChip) -> None:
    authority.check(pending.felt.game, Action.WRITE_OFF_CHIP, pending.by, command.reason)
    chip = _chip(pending, command.missing)
    pending.add(e.ChipWrittenOff(by=pending.by, round=chip.round, missing=command.missing, reason=command.reason))


def _chip(pending: PendingEvents, number: int) -> MissingChip:
    chip = pending.state.missing.get(number)
    if chip is None:
        raise Refused(Reason.NOT_MISSING, number=number)
    return chip
