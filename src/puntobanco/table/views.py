"""Views: what each audience may see. Each has a public part for everyone in a role, and a private part for one person.

The state contains no face of a card that lies face down or has not left the shoe, so no view made here can show one.
The house adds to a private view the faces of the cards that this person is squeezing. Players and the board see the
free room of a box, never another person's stake. Every view lists what its reader may do next, so that a screen needs
no rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from puntobanco.rules import insurance, limits
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import FIRST_FOUR, Coup, Hand
from puntobanco.rules.outcome import Outcome, Side, Winner
from puntobanco.rules.overlay import Overlay
from puntobanco.table.authority import Role
from puntobanco.table.availability import due_now, squeezers
from puntobanco.table.betting import box_bets, excess_boxes, original_bets
from puntobanco.table.command_table import TABLE, CommandEntry
from puntobanco.table.commands import Choice
from puntobanco.table.dealing import asked_to_agree
from puntobanco.table.events import (
    AnyEvent,
    BetsPlaced,
    ExcessRejected,
    OfferMade,
    Question,
    Reported,
    SettledStake,
    Stake,
)
from puntobanco.table.felt import Felt
from puntobanco.table.next_step import Awaited, LowBet, NextStep, awaited, low_bets, next_step
from puntobanco.table.reconstruction import arranged, cards_out, claimed
from puntobanco.table.setup import Source
from puntobanco.table.state import (
    Closing,
    MissingChip,
    OpenOptions,
    OpenWindow,
    Phase,
    ShoeInUse,
    SqueezeInProgress,
    State,
)
from puntobanco.table.tags import tag_of

BOARD = "board"
AUDITOR = "auditor"

Owned = TypeVar("Owned", Stake, OfferMade, SettledStake)
Audience = Role | str
"""A role at the table, the display board, or the auditor, who sees what staff see and sends no commands."""


class CardView(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table; no face while it lies face down."""

    index: int
    side: Side
    face: str | None
    """The face of the card, such as `9♠`; null while it lies face down."""


class BoxView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A betting box: whether somebody sits there, and how much more each hand can take."""

    box: int
    seated: bool
    """Whether somebody has the seat at the box."""
    room_player: int
    """How much more the Player hand of the box can take, in cents."""
    room_banker: int
    """How much more the Banker hand of the box can take, in cents."""
    over_differential: bool = False
    """Whether the box exceeds the Differential, for staff and the auditor."""
    stakes: tuple[Stake, ...] = ()
    """The stakes in the box, for staff and the auditor."""


class BetTotal(msgspec.Struct, frozen=True, kw_only=True):
    """What several people have staked on a bet together."""

    amount: int
    bettors: int
    """How many people have staked on the bet."""


LEAST_BETTORS = 3
"""With fewer, a total would tell a bettor what another has staked."""


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The cards put back in their order of drawing: the hands, who draws next, and the spare cards."""

    player: tuple[str | None, ...]
    """The cards of the Player hand, such as `9♠`; null for a face that is not known."""
    banker: tuple[str | None, ...]
    """The cards of the Banker hand, likewise."""
    due: Side | None
    spare: tuple[str | None, ...]
    """Cards of no hand in this round, likewise."""


class PublicView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What everyone in an audience sees. Staff and the auditor see more than players and the board."""

    version: int
    phase: Phase
    round: int
    deadline: int
    game: str
    layout: str | None
    minimum: int
    differential: int
    cards: tuple[CardView, ...]
    """The cards dealt in the round, in the order of drawing."""
    waiting: tuple[str | None, ...]
    """Cards that left the shoe before they were due, or were seen in its mouth; null for a card whose face is not
    known."""
    not_offered: tuple[str, ...] = ()
    """Bets that the cards in `waiting` have decided: nobody can place them in this round."""
    boxes: tuple[BoxView, ...]
    """The betting boxes."""
    due: Side | None
    """The hand that the next card goes to; null if none is due."""
    outcome: Outcome | None
    points: dict[Side, int] = {}
    """The points of the exposed cards of each hand."""
    window: OpenWindow | None = None
    """The open insurance window; null if none is open. Only staff and the auditor see its offers and answers."""
    insurance_wins_on: Winner | None = None
    """The result on which insurance of the open window is paid."""
    squeezing: tuple[int, ...] = ()
    """The cards that are being squeezed, by place in the order of drawing."""
    cards_left: int | None = None
    """How many cards are left in the shoe, for staff and the auditor."""
    question: Question | None = None
    """The open question, for staff and the auditor."""
    faults: tuple[Reported, ...] = ()
    """The irregularities that are still open, for staff and the auditor."""
    acting: dict[str, Role] = {}
    """The role that each assigned person has at this table."""
    preview: Preview | None = None
    """The result of a reconstruction, while the open question is whether to reconstruct."""
    undecided: tuple[str, ...] = ()
    """The players who have not chosen an option yet, for staff and the auditor."""
    settled: tuple[SettledStake, ...] = ()
    """The settlement of each stake of the round, for staff and the auditor."""
    seats: dict[int, str] = {}
    """Who has the seat at each box, for staff and the auditor."""
    purses: dict[str, int] = {}
    """The purse of each person at the table, in cents, for staff, who bet for players and answer for the table."""
    squeezes: dict[int, SqueezeInProgress] = {}
    """Who asked to squeeze which card, and whether they have permission."""
    waiver_asked: str | None = None
    """The player who asked to see the Banker's third card first, for staff and the auditor."""
    squeezers: tuple[str, ...] = ()
    """The players who may ask to squeeze a card."""
    squeezable: dict[int, Side | None] = {}
    """The cards that somebody may ask to squeeze, each with the hand it goes to, as far as that is known."""
    unpaid: tuple[int, ...] = ()
    """The numbers of the boxes of the settled round that the dealer has not taken or paid yet."""
    held: tuple[Stake, ...] = ()
    """Stakes held since a tie that their owners may take or leave."""
    missing: dict[int, MissingChip] = {}
    """Chips taken away after the close that are still to be collected."""
    keyed: int = 0
    """The place of the card that the dealer may still correct, in the order of drawing; 0 if there is none."""
    corrections: dict[str, int] = {}
    """How often each dealer corrected a card at this table."""
    allowed: tuple[str, ...] = ()
    """The `type` of each command that the audience may send now."""
    cards_only: bool = False
    """The table deals and shows cards only: the system has no bets."""
    house_deals: bool = False
    """The house announced the round, not a dealer."""
    waiver_to_agree: tuple[str, ...] = ()
    """The players who have not agreed yet to give up insurance."""
    closing: Closing | None = None
    """Notice that the table will close."""
    awaited: Awaited | None = None
    """What happens next, while no round is running."""
    face_down: bool = False
    """The table deals face down, so players may squeeze."""
    source: Source = Source.KEYBOARD
    options: OpenOptions | None = None
    """The open options and the faults that granted them. Only staff and the auditor see who chose what."""
    overlay: Overlay | None = None
    """The regulation that binds the House where the document is silent, for those who decide."""
    shoe: ShoeInUse | None = None
    """The set of cards in use. It does not contain the order of the cards."""
    last_of_shoe: bool = False
    """This round is, or was, the last of the shoe."""
    dealt_from: tuple[str, ...] = ()
    """The names of the sets of cards that the round is dealt from."""
    next: NextStep | None = None
    """The next step for staff."""
    low: tuple[LowBet, ...] = ()
    """Bets below the minimum, for staff who advise the players."""
    absent: tuple[str, ...] = ()
    """People who walked away from the table, for staff and the auditor."""
    at_terminals: tuple[Stake, ...] = ()
    """Stakes at a table without boxes."""
    owed: dict[str, int] = {}
    """What each person owes at the table, in cents, for staff and the auditor."""
    unconfirmed: tuple[str, ...] = ()
    """People for whom nobody may bet until they buy in again."""
    totals: dict[str, BetTotal] = {}
    """The totals of bets that several people have placed, if the house shows them."""


class PrivateView(msgspec.Struct, frozen=True, kw_only=True):
    """What only one person sees: their money, stakes, offers and choices."""

    version: int
    person: str
    purse: int
    """The person's money at the table, in cents."""
    withheld: int
    """How much of the purse cannot be taken out until the dealer has confirmed its box, in cents."""
    owed: int
    """What the person owes at the table, in cents."""
    seats: tuple[int, ...]
    """The numbers of the boxes at which the person has the seat."""
    stakes: tuple[Stake, ...]
    """The person's stakes in the round."""
    room: dict[Side, int] = {}
    """At an electronic table, how much more each hand can take from the person, in cents; elsewhere the boxes show
    it."""
    plays: dict[str, int]
    """How much of each stake plays, in cents, by the key of the stake: its box, bet and owner."""
    handed_back: dict[str, int]
    """The amount over the Differential that is back in the purse, in cents by the key of the stake."""
    offers: tuple[OfferMade, ...]
    """The insurance that the person is offered in the open window."""
    answered: tuple[int, ...]
    """The numbers of the boxes whose offer of insurance was taken or declined."""
    held: tuple[Stake, ...]
    """The person's stakes held since a tie: they may take them back or leave them for the next round."""
    settled: tuple[SettledStake, ...]
    """The settlement of the person's stakes in the round."""
    election: str | None
    """The option that the person has chosen; null if none."""
    may_elect: bool
    """Whether the person has a choice of options."""
    question: int | None
    """The number of the question that an election answers; null unless the person has a choice."""
    returns_by: str | None
    """The paragraph by which players may take their bets back; null if no options are open."""
    leaving: tuple[str, ...]
    """Keys of stakes held since a tie that stay for the next round."""
    may_squeeze: bool
    """Whether the person may ask to squeeze a card."""
    squeezing: tuple[int, ...]
    """The cards that the person is squeezing, by place in the order of drawing."""
    allowed: tuple[str, ...]
    """The `type` of each command that the person may send now."""
    squeeze_asked: tuple[int, ...] = ()
    """The cards that they asked to squeeze, by place in the order of drawing, and have no answer yet."""
    squeeze_until: int = 0
    """When the time for the card that they are squeezing ends, in milliseconds UTC; 0 if there is none."""
    faces: dict[int, str] = {}
    """The faces of the cards that they are squeezing, added by the house where it knows them. Nobody else is sent
    them before the card is exposed."""
    waiver_asked: bool = False
    """They asked to see the Banker's third card first, and have no answer yet."""
    waived: bool = False
    """The Banker's third card is seen first in this round."""


def public_view(
    felt: Felt, state: State, audience: Audience, *, automatic: bool = False, totals: bool = False
) -> PublicView:
    """What everyone in that audience sees. `automatic`: the house deals this table; `totals`: it shows bet totals."""
    assert state.setup is not None, "the table is open"
    insider = _is_insider(audience)
    over = excess_boxes(state, state.setup.limits) if insider else ()
    allowed = tuple(name for name, _ in _allowed(felt, state, audience))
    return PublicView(
        version=state.version,
        phase=state.phase,
        round=state.round,
        deadline=state.deadline,
        game=state.setup.game,
        layout=state.setup.layout,
        minimum=state.setup.minimum,
        differential=state.setup.differential,
        cards=tuple(
            CardView(index=index, side=one.side, face=_face(one.card)) for index, one in enumerate(state.drawn, start=1)
        ),
        waiting=tuple(_face(card) for card in state.front),
        not_offered=state.not_offered,
        boxes=tuple(_boxes(state, over, insider=insider)),
        due=due_now(state),
        outcome=state.outcome,
        points=_points(state),
        window=_window(state.window, insider=insider),
        insurance_wins_on=_wins_on(felt, state),
        squeezing=tuple(index for index, one in state.squeezes.items() if one.permitted),
        cards_left=state.shoe.left if state.shoe and insider else None,
        question=state.question if insider else None,
        faults=state.faults if insider else (),
        acting=state.acting if insider else {},
        preview=preview(state) if insider else None,
        undecided=_undecided(state) if insider else (),
        settled=state.settled if insider else (),
        seats=state.seats if insider else {},
        purses=state.purses if insider else {},
        squeezes=state.squeezes if insider else {},
        waiver_asked=state.waiver_asked if insider else None,
        squeezers=squeezers(felt, state) if insider else (),
        squeezable=_squeezable(felt, state),
        unpaid=state.unpaid if insider else (),
        held=tuple(state.held.values()) if insider else (),
        missing=state.missing if insider else {},
        keyed=state.keyed if insider else 0,
        corrections=state.corrections if insider else {},
        allowed=allowed,
        cards_only=state.setup.cards_only,
        house_deals=state.house_deals,
        waiver_to_agree=asked_to_agree(felt, state) if insider else (),
        closing=state.closing,
        awaited=awaited(state),
        face_down=state.setup.face_down,
        source=state.setup.source,
        options=_options(state.options, insider=insider),
        overlay=state.setup.overlay if insider else None,
        shoe=state.shoe if insider else None,
        last_of_shoe=state.shoe is not None and state.shoe.finished,
        dealt_from=state.dealt_from if insider else (),
        next=next_step(felt, state, allowed, automatic=automatic) if insider and audience != AUDITOR else None,
        low=low_bets(felt, state, allowed) if insider else (),
        absent=tuple(sorted(state.absent)) if insider else (),
        at_terminals=tuple(one for one in state.stakes.values() if not one.box)
        if insider and not state.is_posted
        else (),
        owed=state.owed if insider else {},
        unconfirmed=tuple(sorted(state.unconfirmed & state.purses.keys())) if insider else (),
        totals=_totals(state) if totals else {},
    )


def private_view(felt: Felt, state: State, person: str) -> PrivateView:
    """What only that person sees."""
    return EachOwn(felt, state).view(person)


class EachOwn:
    """The private views of all people at one moment.

    Indexed once, because a phase can change for a thousand people at a time.
    """

    def __init__(self, felt: Felt, state: State) -> None:
        self._stakes: dict[str, dict[str, Stake]] = {}
        """By owner and key, in the order of placing."""
        for key, stake in () if state.is_posted else state.stakes.items():
            self._stakes.setdefault(stake.owner, {})[key] = stake
        self._index(felt, state)

    def follow(self, felt: Felt, state: State, events: Sequence[AnyEvent]) -> bool:
        """Become the views of this state, to which the events led. False if they do more than change stakes: a bet must
        not cost more the more people bet."""
        if state.is_posted or not all(isinstance(event, BetsPlaced | ExcessRejected) for event in events):
            return False
        for event in events:
            assert isinstance(event, BetsPlaced | ExcessRejected)
            for stake in event.stakes:
                mine = self._stakes.setdefault(stake.owner, {})
                if stake.amount:
                    mine[stake.key] = stake
                else:
                    mine.pop(stake.key, None)
        self._index(felt, state)
        return True

    def _index(self, felt: Felt, state: State) -> None:
        self.state = state
        self._has_boxes = felt.layout is not None
        self._offers = _by_owner(state.window.offers if state.window else ())
        self._answered = state.window.answered if state.window else frozenset()
        self._held = _by_owner(state.held.values())
        self._settled = _by_owner(state.settled)
        self._squeezers = frozenset(squeezers(felt, state))
        self._electors = frozenset(state.options.people if state.options else ())
        self._allowed = [
            (name, entry.only(felt, state) if entry.only else None)
            for name, entry in _allowed(felt, state, Role.PLAYER)
        ]
        """Commands with an `only` set are offered to the people in it."""

    def view(self, person: str) -> PrivateView:
        state, mine = self.state, tuple(self._stakes.get(person, {}).values())
        return PrivateView(
            version=state.version,
            person=person,
            purse=state.purses.get(person, 0),
            withheld=state.withheld(person),
            owed=state.owed.get(person, 0),
            seats=tuple(box for box, seated in state.seats.items() if seated == person),
            stakes=mine,
            room=self._room(mine),
            plays={stake.key: state.playing(stake.key) for stake in mine},
            handed_back={key: back for key, back in state.handed_back.items() if key.endswith(f"/{person}")},
            offers=tuple(self._offers.get(person, ())),
            answered=tuple(one.box for one in self._offers.get(person, ()) if one.key in self._answered),
            held=tuple(self._held.get(person, ())),
            settled=tuple(self._settled.get(person, ())),
            election=state.options.elections.get(person) if state.options else None,
            may_elect=person in self._electors,
            question=state.options.question if state.options is not None and person in self._electors else None,
            returns_by=state.options.returns_by.paragraph if state.options is not None else None,
            leaving=tuple(stake.key for stake in self._held.get(person, ()) if stake.key in state.leaving),
            may_squeeze=person in self._squeezers,
            squeezing=tuple(index for index, one in state.squeezes.items() if one.permitted and one.person == person),
            squeeze_asked=tuple(
                index for index, one in state.squeezes.items() if not one.permitted and one.person == person
            ),
            squeeze_until=min((one.deadline for one in state.squeezed.values() if one.person == person), default=0),
            waiver_asked=state.waiver_asked == person,
            waived=state.waived,
            allowed=tuple([name for name, only in self._allowed if only is None or person in only]),
        )

    def _room(self, mine: tuple[Stake, ...]) -> dict[Side, int]:
        """Every player's terminal is a box of its own."""
        setup = self.state.setup
        if self._has_boxes or setup is None:
            return {}
        bets = original_bets(mine, {})
        return {side: limits.free_room(bets, side, setup.limits) for side in Side}


def _by_owner(owned: Iterable[Owned]) -> dict[str, list[Owned]]:
    found: dict[str, list[Owned]] = {}
    for one in owned:
        found.setdefault(one.owner, []).append(one)
    return found


def preview(state: State) -> Preview | None:
    """The result of the reconstruction that is in question, so that staff see what their decision leads to."""
    if state.question is None or Choice.RECONSTRUCT not in state.question.choices:
        return None
    told = next(one for one in state.faults if one.number == state.question.report)
    cards = cards_out(state) + claimed(told)
    used, sides = arranged(state, cards_out(state), waived=state.waived)
    hands = {
        side: tuple(_face(card) for card, to in zip(cards[:used], sides, strict=True) if to is side) for side in Side
    }
    known = tuple(card for card in cards[:used] if card is not None)
    return Preview(
        player=hands[Side.PLAYER],
        banker=hands[Side.BANKER],
        due=Coup(known).due if len(known) == used and not state.as_lying else None,
        spare=tuple(_face(card) for card in cards[used:]),
    )


def _face(card: Card | None) -> str | None:
    return str(card) if card else None


def _is_insider(audience: Audience) -> bool:
    """Whether the audience sees what staff see: staff, the house itself and the auditor."""
    return audience == AUDITOR or (isinstance(audience, Role) and audience not in (Role.PLAYER, Role.CASHIER))


def _boxes(state: State, over: tuple[int, ...], *, insider: bool) -> Iterator[BoxView]:
    assert state.setup is not None, "the table is open"
    for box in range(1, state.setup.boxes + 1):
        bets = () if state.is_posted else box_bets(state, box)
        room = {side: limits.free_room(bets, side, state.setup.limits) for side in Side}
        lying = tuple(stake for stake in state.stakes.values() if stake.box == box and not state.is_posted)
        yield BoxView(
            box=box,
            seated=box in state.seats,
            room_player=room[Side.PLAYER],
            room_banker=room[Side.BANKER],
            over_differential=box in over,
            stakes=lying if insider else (),
        )


def _totals(state: State) -> dict[str, BetTotal]:
    """The totals of bets with at least `LEAST_BETTORS` bettors, without their names. Insurance is not included."""
    lying = [] if state.is_posted else [one for one in state.stakes.values() if "@" not in one.bet]
    found = {}
    for bet in dict.fromkeys(one.bet for one in lying):
        stakes = [one for one in lying if one.bet == bet]
        if (bettors := len({one.owner for one in stakes})) >= LEAST_BETTORS:
            found[bet] = BetTotal(amount=sum(one.amount for one in stakes), bettors=bettors)
    return found


def _window(window: OpenWindow | None, *, insider: bool) -> OpenWindow | None:
    """The window, without offers and answers unless for staff: who is offered how much and who answered is private."""
    return window if window is None or insider else msgspec.structs.replace(window, offers=(), answered=frozenset())


def _wins_on(felt: Felt, state: State) -> Winner | None:
    if state.window is None or state.coup is None:
        return None
    offer = insurance.offer(felt.game, state.coup, waived=state.waived)
    return offer.row.paid_on if offer is not None else None


def _options(options: OpenOptions | None, *, insider: bool) -> OpenOptions | None:
    """The options without names, unless for staff: who has a choice and what they chose is not public."""
    if options is None or insider:
        return options
    return msgspec.structs.replace(options, people=(), elections={}, own=frozenset())


def _points(state: State) -> dict[Side, int]:
    open_ = {side: tuple(one.card for one in state.drawn if one.side is side and one.card) for side in Side}
    return {side: Hand(cards).points for side, cards in open_.items() if cards}


def _undecided(state: State) -> tuple[str, ...]:
    options = state.options
    return tuple(person for person in options.people if person not in options.elections) if options else ()


def _squeezable(felt: Felt, state: State) -> dict[int, Side | None]:
    """The cards that can be asked for: those left of the first four, and a third card when it is next."""
    drawn = len(state.drawn)
    cards = range(drawn + 1, max(4, min(drawn + 1, 6)) + 1) if squeezers(felt, state) else ()
    return {
        index: FIRST_FOUR[index - 1] if index <= len(FIRST_FOUR) else due_now(state)
        for index in cards
        if index not in state.squeezes
    }


# ---- commands that are allowed now -------------------------------------------------------------------------------


def _allowed(felt: Felt, state: State, audience: Audience) -> Iterator[tuple[str, CommandEntry]]:
    """The commands that somebody in this audience may send now, by name."""
    if not isinstance(audience, Role):
        return
    assert state.setup is not None, "the table is open"
    for command, entry in TABLE.items():
        if state.phase not in entry.heard or not entry.may_send(felt, audience):
            continue
        if entry.bets and state.setup.cards_only:
            continue
        if entry.sense is None or entry.sense(felt, state, audience):
            yield tag_of(command), entry
