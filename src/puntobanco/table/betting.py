"""Betting: from the announcement that opens a round to the positions at the close."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from puntobanco.rules import limits
from puntobanco.rules.limits import BoxBet, TableLimits
from puntobanco.rules.money import GREATEST_STAKE, Cents, show_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.events import Stake, stake_key
from puntobanco.table.setup import ExcessAtPlacement, TieSilence
from puntobanco.table.state import Phase, State
from puntobanco.table.story import Story
from puntobanco.table.windows import alert_exposed, offer_insurance

SIDES = tuple(Side)


def open_betting(story: Story, command: c.OpenBetting) -> None:
    """The announcement: the round before is final, and stakes held since a tie go back or lie on."""
    game, state = story.felt.game, story.state
    authority.check(game, Action.OPEN_BETTING, story.by)
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
            raise Refused(Reason.EXPOSED_CARD_WAITS, rule, card=" ".join(str(card) for card in state.front if card))
        alert_exposed(story)
    left = [key for key in state.held if _lies_on(story, key)]
    story.tell(
        e.BettingOpened,
        game.round.opens,
        round=state.round + 1,
        deadline=story.by.at + story.setup.timing.betting,
        returned=tuple(stake for key, stake in state.held.items() if key not in left),
        left_lying=tuple(replace(state.held[key], order=place, raises=()) for place, key in enumerate(left, start=1)),
        last_of_shoe=shoe.last_round,
    )


def _lies_on(story: Story, key: str) -> bool:
    """Whether a held stake is left for the next round and still fits its limits; silence is the policy's."""
    stake = story.state.held[key]
    silent = story.setup.policy.tie_silence is TieSilence.LEAVE and stake.owner not in story.state.absent
    return (key in story.state.leaving or silent) and stake.amount >= story.setup.least(stake.bet)


# ---- placing -----------------------------------------------------------------------------------------------------


def place_bets(story: Story, command: c.PlaceBets) -> None:
    """A slip: each line is taken or refused on its own."""
    _check_open(story, command.round)
    owner = _owner(story, command.owner)
    if owner != story.by.person and not command.requested:
        raise Refused(Reason.NOT_REQUESTED, story.felt.authority_rule(Action.BET_FOR_PLAYER), person=owner)
    taken: dict[str, tuple[Stake, int]] = {}
    room = story.state.purses[owner]
    for place, line in enumerate(command.lines):
        try:
            key, stake, was = _line(story, owner, line, room, taken)
        except Refused as refused:
            story.refusals.append((place, refused))
        else:
            room -= stake.amount - was
            taken[key] = (stake, taken[key][1] if key in taken else was)
    moved = [(stake, was) for stake, was in taken.values() if stake.amount != was]
    if not moved:
        raise story.refusals[0][1] if story.refusals else Refused(Reason.SLIP_EMPTY)
    rule = None
    if story.by.person != owner:
        rule = story.felt.authority_rule(Action.BET_FOR_PLAYER)
    story.tell(
        e.BetsPlaced,
        rule or story.felt.game.round.menu,
        round=command.round,
        stakes=tuple([stake for stake, _ in moved]),
        was=tuple([was for _, was in moved]),
    )


def _check_open(story: Story, number: int) -> None:
    state = story.state
    story.check_round(number)
    if state.phase is Phase.CLOSING and story.by.at > state.deadline:
        raise Refused(Reason.BETS_LATE, story.felt.late_rule or story.felt.game.round.closes)


def _owner(story: Story, named: str | None) -> str:
    by, state = story.by, story.state
    if story.setup.cards_only:
        raise Refused(Reason.CARDS_ONLY)
    if by.role is Role.PLAYER:
        if named not in (None, by.person):
            raise Refused(Reason.NOT_YOURS, person=named)
        owner = by.person
    else:
        authority.check(story.felt.game, Action.BET_FOR_PLAYER, by)
        if named is None or named == by.person or named in state.acting:
            raise Refused(Reason.NOT_A_PLAYER, story.felt.authority_rule(Action.BET_FOR_PLAYER), role=by.role)
        owner = named
    if owner not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=owner)
    return owner


def _line(
    story: Story, owner: str, line: c.Line, room: int, taken: dict[str, tuple[Stake, int]]
) -> tuple[str, Stake, int]:
    """The stake as it will lie, under its key, and what lay there before."""
    felt, state, setup = story.felt, story.state, story.setup
    bet = felt.bets.get(line.bet) or felt.game.bet(line.bet, felt.layout)
    if bet.insures is not None:
        raise Refused(Reason.INSURANCE_NOT_MAIN, felt.insurance_rule, bet=bet.title)
    _check_box(story, line.box)
    duty = felt.game.stake_rule
    if line.amount < 0:
        raise Refused(Reason.STAKE_NOT_POSITIVE, duty, stake=show_money(line.amount))
    if line.amount > GREATEST_STAKE:
        raise Refused(Reason.STAKE_TOO_GREAT, duty, greatest=show_money(GREATEST_STAKE))
    if line.amount % setup.unit:
        raise Refused(Reason.STAKE_NOT_IN_UNITS, duty, stake=show_money(line.amount), unit=show_money(setup.unit))
    key = stake_key(line.box, line.bet, owner)
    before = taken[key][0] if key in taken else state.stakes.get(key)
    was = before.amount if before else 0
    if line.amount == was:
        raise Refused(Reason.BET_UNCHANGED, bet=bet.title, stake=show_money(was))
    if line.amount - was > room:
        raise Refused(Reason.NOT_ENOUGH_MONEY, stake=show_money(line.amount - was), purse=show_money(room))
    if setup.maximum is not None and not bet.original and line.amount > setup.maximum:
        raise Refused(Reason.OVER_SIDE_MAXIMUM, duty, stake=show_money(line.amount), most=show_money(setup.maximum))
    order = state.orders + len(taken) + 1
    placer = story.by.person
    if before is not None and before.amount:
        stake = before.at(line.amount, order)
        stake = stake if stake.placer == placer else replace(stake, placer=placer)
    else:
        stake = Stake(owner=owner, box=line.box, bet=line.bet, amount=line.amount, placer=placer, order=order)
    if line.amount:
        _check_limits(story, stake, taken, raised=line.amount > was)
    return key, stake, was


def _check_box(story: Story, box: int) -> None:
    felt = story.felt
    if felt.layout is not None:
        felt.layout.check_box(box, story.setup.boxes)
    elif box:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=felt.game.key)


def _check_limits(story: Story, stake: Stake, taken: dict[str, tuple[Stake, int]], *, raised: bool) -> None:
    """Where the document has limit paragraphs an excess is flagged for the Dealer; elsewhere it is refused at once."""
    setup, rules = story.setup, story.felt.game.irregularities
    provided = story.felt.game.limits is not None
    least = setup.least(stake.bet)
    if stake.amount < least and not provided:
        raise Refused(Reason.UNDER_MINIMUM, stake=show_money(stake.amount), minimum=show_money(least))
    if (
        not raised
        or stake.bet not in SIDES
        or (provided and setup.policy.excess_at_placement is ExcessAtPlacement.FLAG)
    ):
        return
    if story.felt.layout is None and stake.amount <= setup.differential:
        return  # at a terminal nothing else lies on that hand, so that the gap is this stake at the most
    lying = {key: one for key, one in story.state.stakes.items() if _same_box(story, one, stake)}
    lying |= {key: one for key, (one, _) in taken.items() if _same_box(story, one, stake)}
    lying = {key: one for key, one in lying.items() if one.amount}
    box = _box_bets((lying | {stake.key: stake}).values(), story.state.seats)
    left = limits.reject_excess(box, setup.limits)
    if any(one.unplayed for one in left if (one.bet.person, one.bet.side) == (stake.owner, stake.bet)):
        rule = rules.over_differential.rule if rules.over_differential else None
        raise Refused(Reason.OVER_DIFFERENTIAL, rule, differential=show_money(setup.differential))


def _same_box(story: Story, one: Stake, other: Stake) -> bool:
    """Terminals are boxes of their own."""
    return one.box == other.box and (story.felt.layout is not None or one.owner == other.owner)


def _box_bets(stakes: Iterable[Stake], seats: dict[int, str]) -> list[BoxBet]:
    """Chips on the two hands as they were placed; seated is whoever sits at the box now."""
    pieces = [(order, amount, one) for one in stakes if one.bet in SIDES for order, amount in one.placed]
    return [
        BoxBet(person=one.owner, side=Side(one.bet), amount=Cents(amount), seated=seats.get(one.box) == one.owner)
        for _, amount, one in sorted(pieces, key=lambda piece: piece[0])
    ]


def box_bets(state: State, box: int) -> list[BoxBet]:
    """The Original Bets of a box, in the order they were placed."""
    return _box_bets([one for one in state.stakes.values() if one.box == box], state.seats)


def excess_boxes(state: State, table_limits: TableLimits) -> tuple[int, ...]:
    """The boxes over the Differential: a flag, until the Dealer acts on it."""
    boxes = {one.box for one in state.stakes.values() if one.bet in SIDES}
    return tuple(box for box in sorted(boxes) if limits.differential(box_bets(state, box)) > table_limits.differential)


def object_to(story: Story, command: c.Object) -> None:
    """Nobody in a box can keep another from the rest of its limit."""
    story.check_round(command.round)
    _check_box(story, command.box)
    if command.against not in story.state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=command.against)
    rule = story.felt.game.limits.balance if story.felt.game.limits else None
    story.tell(e.ObjectionRefused, rule, round=command.round, box=command.box, against=command.against)


# ---- what the Dealer notices -------------------------------------------------------------------------------------


def _check_provided(story: Story) -> None:
    """Only where the document has limits does anybody act on them; elsewhere they are tested when a bet is placed."""
    if story.felt.game.limits is None:
        raise Refused(Reason.NOT_PROVIDED, game=story.felt.game.title)


def reject_excess(story: Story, command: c.RejectExcess) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    _check_provided(story)
    authority.check(game, Action.REJECT_EXCESS, story.by)
    if command.box not in excess_boxes(state, story.setup.limits):
        raise Refused(Reason.NO_EXCESS, box=command.box)
    left = limits.reject_excess(box_bets(state, command.box), story.setup.limits)
    cut = [(one, stake_key(command.box, one.bet.side, one.bet.person)) for one in left if one.unplayed]
    rule = game.irregularities.over_differential
    story.tell(
        e.ExcessRejected,
        rule.rule if rule else None,
        round=command.round,
        box=command.box,
        stakes=tuple(state.stakes[key].at(one.plays, 0) for one, key in cut),
        was=tuple(state.stakes[key].amount for _, key in cut),
    )


def advise_minimum(story: Story, command: c.AdviseMinimum) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    _check_provided(story)
    authority.check(game, Action.ADVISE_MINIMUM, story.by)
    if not any(_is_low(story, one) for one in state.stakes_of(command.person) if one.box == command.box):
        raise Refused(Reason.NOT_UNDER_MINIMUM, person=command.person, box=command.box)
    rule = game.irregularities.under_minimum
    story.tell(
        e.MinimumAdvised, rule.rule if rule else None, round=command.round, box=command.box, person=command.person
    )


def _is_low(story: Story, stake: Stake) -> bool:
    return stake.amount < story.setup.least(stake.bet)


def return_bet(story: Story, command: c.ReturnBet) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    _check_provided(story)
    authority.check(game, Action.ADVISE_MINIMUM, story.by)
    stake = state.stakes.get(stake_key(command.box, command.bet, command.person))
    if stake is None:
        raise Refused(Reason.NO_SUCH_BET_PLACED, bet=command.bet, box=command.box, person=command.person)
    if f"{command.box}/{command.person}" not in state.advised or not _is_low(story, stake):
        raise Refused(Reason.NOT_ADVISED, person=command.person)
    rule = game.irregularities.under_minimum
    story.tell(e.BetReturned, rule.rule if rule else None, round=command.round, stake=stake)


# ---- the close ---------------------------------------------------------------------------------------------------


def announce_close(story: Story, command: c.AnnounceClose) -> None:
    story.check_round(command.round)
    game = story.felt.game
    authority.check(game, Action.CLOSE_BETTING, story.by)
    if not story.felt.close_is_displayed:
        raise Refused(Reason.CLOSE_IS_SPOKEN, game.round.closes)
    story.tell(e.CloseAnnounced, game.round.closes, round=command.round, until=story.by.at + story.setup.timing.drain)


def close_betting(story: Story, command: c.CloseBetting) -> None:
    """The positions of this moment decide; what exceeds the Differential unrejected plays pro rata."""
    story.check_round(command.round)
    game, state, setup = story.felt.game, story.state, story.setup
    authority.check(game, Action.CLOSE_BETTING, story.by)
    if story.felt.close_is_displayed and (state.phase is Phase.BETTING or story.by.at < state.deadline):
        raise Refused(Reason.TOO_EARLY, game.round.closes)
    over = excess_boxes(state, setup.limits) if game.limits else ()
    rules = game.irregularities.over_differential
    if over and not command.over_excess:
        boxes = ", ".join(map(str, over))
        raise Refused(Reason.EXCESS_UNACKNOWLEDGED, rules.rule if rules else None, boxes=boxes)
    if game.limits is None:
        _hand_back_excess(story)
    cut = tuple(one for box in over for one in _pro_rata(story, story.state, box))
    low = tuple(_low(story, over)) if game.limits else ()
    story.tell(e.BettingClosed, game.round.closes, round=command.round, cut=cut, under_minimum=low)


def _hand_back_excess(story: Story) -> None:
    """Without a paragraph on limits nothing plays pro rata: what a withdrawal left over the limit goes back."""
    groups: dict[object, list[Stake]] = {}
    for stake in story.state.stakes.values():
        groups.setdefault(stake.box if story.felt.layout else stake.owner, []).append(stake)
    for stakes in groups.values():
        left = limits.reject_excess(_box_bets(stakes, story.state.seats), story.setup.limits)
        box = stakes[0].box
        cut = [(one, stake_key(box, one.bet.side, one.bet.person)) for one in left if one.unplayed]
        if cut:
            lying = story.state.stakes
            story.tell(
                e.ExcessRejected,
                round=story.state.round,
                box=box,
                stakes=tuple(lying[key].at(one.plays, 0) for one, key in cut),
                was=tuple(lying[key].amount for _, key in cut),
            )


def _pro_rata(story: Story, state: State, box: int) -> Iterator[e.Playing]:
    """What plays of each stake in a box that exceeds the Differential."""
    rules = story.felt.game.irregularities.over_differential
    for one in limits.pro_rata(box_bets(state, box), story.setup.limits, story.setup.policy.pro_rata):
        if one.unplayed:
            key = stake_key(box, one.bet.side, one.bet.person)
            yield e.Playing(key=key, plays=one.plays, rule=story.felt.cite(rules.pro_rata if rules else None))


def _low(story: Story, over: tuple[int, ...]) -> Iterator[e.Playing]:
    """Stakes below the minimum play in full: left out of pro rata in a box that exceeds, unnoticed elsewhere."""
    rules = story.felt.game.irregularities
    for key, stake in story.state.stakes.items():
        if _is_low(story, stake):
            left_out = rules.over_differential.under_minimum if rules.over_differential and stake.box in over else None
            unnoticed = rules.under_minimum.unnoticed if rules.under_minimum else None
            rule = left_out if left_out and stake.bet in SIDES else unnoticed
            yield e.Playing(key=key, plays=stake.amount, rule=story.felt.cite(rule))


def attest_bet(story: Story, command: c.AttestBet) -> None:
    """A chip that lay there at the close and was not yet keyed in: the positions at the close decide."""
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    if game.terminal is not None:
        raise Refused(Reason.BETS_LATE, game.round.closes)
    authority.check(game, Action.BET_FOR_PLAYER, story.by)
    if not command.attested:
        raise Refused(Reason.NOT_ATTESTED, story.felt.late_rule)
    owner = _owner(story, command.owner)
    if owner in state.took_back:
        raise Refused(Reason.TOOK_BACK, story.felt.late_rule, person=owner)
    if state.seen_in_order:
        authority.check(game, Action.DECIDE_RECONSTRUCTION, story.by, command.reason)
        story.tell(e.AlertRaised, game.irregularities.positions_at_close, kind="attested_late", to=Role.SHIFT_MANAGER)
    key, stake, was = _line(story, owner, command.line, state.purses[owner], {})
    if stake.amount < was:
        raise Refused(Reason.BETS_LATE, story.felt.late_rule)
    closed = replace(state, stakes={**state.at_close, key: stake})
    over = game.limits is not None and stake.box in excess_boxes(closed, story.setup.limits)
    lying = {*state.stakes, key}
    cut = tuple(one for one in _pro_rata(story, closed, stake.box) if one.key in lying) if over else ()
    story.tell(
        e.BetAttested, game.irregularities.positions_at_close, round=command.round, stake=stake, was=was, cut=cut
    )
    coup, window = story.state.coup, story.state.window
    if window is not None and coup is not None and stake.bet == window.insures:
        offer_insurance(story, coup, window.deadline)


def note_late_bet(story: Story, command: c.NoteLateBet) -> None:
    """Chips that moved after the close: what was placed goes back, what was taken away is still settled."""
    story.check_round(command.round)
    game = story.felt.game
    authority.check(game, Action.REFUSE_LATE_BETS, story.by)
    if command.person not in story.state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=command.person)
    bet = story.felt.bets.get(command.bet) or game.bet(command.bet, story.felt.layout)
    _check_box(story, command.box)
    if command.amount <= 0:
        raise Refused(Reason.STAKE_NOT_POSITIVE, game.stake_rule, stake=show_money(command.amount))
    lying = [one for one in story.state.stakes_of(command.person) if one.box == command.box]
    if command.withdrawn and not any(one.bet.partition("@")[0] == bet.key for one in lying):
        raise Refused(Reason.NO_SUCH_BET_PLACED, bet=bet.title, box=command.box, person=command.person)
    late = game.late_bets
    rule = (late.withdrawn if command.withdrawn else late.placed) if late else None
    story.tell(
        e.LateBetNoted, rule, round=command.round, person=command.person, box=command.box, bet=command.bet,
        amount=command.amount, withdrawn=command.withdrawn,
    )  # fmt: skip
