"""The automatic dealer: what an automatic table does next, and when. It acts through commands, like a person."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import msgspec

from puntobanco.house.operations.log import logger
from puntobanco.house.secrets.secret_store import SecretStore, Unreadable
from puntobanco.house.shoes.at_table import place_of, sealed_names
from puntobanco.house.shoes.seal import Proven, Sealed, Unproven, new_shoe
from puntobanco.house.tables.writer import RunningTable
from puntobanco.rules.cards import Card
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import GENESIS, chained
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.availability import squeezers
from puntobanco.table.dealing import asked_to_agree, may_ask_waiver
from puntobanco.table.next_step import hidden_next
from puntobanco.table.pending import due
from puntobanco.table.setup import Source
from puntobanco.table.shoe import is_used_up
from puntobanco.table.state import BETWEEN_ROUNDS, OpenOptions, Phase, ShoeInUse, State
from puntobanco.table.tags import tag_of


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """Milliseconds between the steps of a round."""

    card: int = 1_000
    result: int = 2_000
    between: int = 3_000
    round: int = 0
    """The shortest time from the opening of one round to that of the next."""

    @staticmethod
    def most(rounds_per_hour: int) -> int:
        """The time for a round that allows at most this many in an hour; 0 for no limit."""
        return -(-3_600_000 // rounds_per_hour) if rounds_per_hour else 0


DEALER = "dealer"
"""The name under which the house deals by itself; nobody can be admitted under it."""
LOOKS_AGAIN = 500
"""Milliseconds between two looks at a table that waits for people or the clock."""
REFUSED = 1_000
"""Milliseconds before it repeats a command that the table refused."""
ASKED_WITHIN = 2_000
"""Milliseconds before the first card in which whoever may squeeze can ask for it: only the close says who that is."""


class Unable(Exception):
    """A command of the dealer became an incident of this kind."""


NEEDS_CARDS = frozenset({Phase.BETTING, Phase.CLOSING, Phase.DEALING, Phase.INSURANCE})
"""The phases of a round that may still need cards of the shoe."""
SEEN = ("BettingOpened.", "CardDrawn.", "CardExposed.")
"""How the kinds of events begin that say which cards everybody has seen."""


class AutomaticDealer:
    """Deals one table from an electronic shoe that is encrypted in the secret store before its first bet.

    The order is checked against its commitment when it is read, and each card when it is dealt. A shoe that fails the
    check is taken out of service, and its round is interrupted.
    """

    def __init__(
        self,
        table: RunningTable,
        pace: Pace | None = None,
        shoes: Callable[[int], Sealed] = new_shoe,
        secret_store: SecretStore | None = None,
        proven: Callable[[], None] = lambda: None,
    ) -> None:
        """`proven`: told when the order of a shoe was read, so that cards in a squeezer's hands have a face again."""
        self.table, self.pace, self._new_shoe = table, pace or Pace(), shoes
        self.secret_store = secret_store or table.store
        self._told_proven = proven
        self.role = Role.SYSTEM if table.game.terminal else Role.DEALER
        self._shoe: Proven | None = None
        self._seen, self._not_before = 0, 0
        """The last round this dealer has seen, and when the next may be opened. A restart resets both."""
        self._in_round = False
        """Whether that round was running when this dealer last looked."""
        self._may_ask = (0, 0)
        """The last round in which it gave time to ask for the first card, and how often it still looks for that."""

    async def step(self) -> int:
        """Do what is due. Returns the milliseconds until the next step."""
        try:
            return await self.act()
        except Unproven as unproven:
            return await self._out_of_service(unproven)

    def squeezed_faces(self, person: str) -> dict[int, Card]:
        """The faces of the cards that this person is squeezing, by draw index: for that person alone, until everyone
        sees them. None while the order is not proven, or of cards from another shoe."""
        state, shoe = self.table.state, self._shoe
        if shoe is None or state.shoe is None or state.shoe.name != shoe.name or state.shoe.unproven:
            return {}
        mine = [index for index, one in state.squeezed.items() if one.person == person and index > state.old]
        try:
            return {index: shoe.card(place_of(shoe.order.cards, state, index)) for index in mine}
        except Unproven:
            return {}  # found again, and acted on, when the card is turned over

    async def show_squeezed(self) -> None:
        """Turn over every card that somebody is squeezing, before its time is over. A shoe that cannot be proven shows
        none."""
        with suppress(Unproven, Unable):
            if (shoe := await self._proven()) is not None:
                for index in sorted(self.table.state.squeezed):
                    turned = _turned(shoe, self.table.state, index)
                    await self._heard(c.FinishSqueeze(round=turned.round, index=index), DEALER, self.role)
                    await self._heard(turned, DEALER, self.role)

    async def act(self) -> int:
        """Like `step`, but raises `Unproven` if the shoe does not match its commitment."""
        state, now = self.table.state, self.table.clock()
        if state.round > self._seen:
            self._seen, self._not_before = state.round, now + self.pace.round
        if state.phase in BETWEEN_ROUNDS:
            return await self._between(state, now)
        self._in_round = True
        if state.phase in NEEDS_CARDS:
            await self._proven()
        match state.phase:
            case Phase.BETTING | Phase.CLOSING if now < state.deadline:
                return min(state.deadline - now, LOOKS_AGAIN)
            case Phase.BETTING if self.table.felt.close_is_displayed:
                return await self._send(c.AnnounceClose(round=state.round))
            case Phase.BETTING | Phase.CLOSING:
                closed = c.CloseBetting(round=state.round, over_excess=True)
                return await self._send(closed, lambda: self.pace.card)
            case Phase.DEALING:
                return await self._deal(state, now)
            case Phase.INSURANCE if state.window is not None:
                if now < state.window.deadline and not state.window.is_answered:
                    return min(state.window.deadline - now, LOOKS_AGAIN)
                shut = c.CloseInsurance(round=state.round, window=state.window.window)
                return await self._send(shut, lambda: self.pace.card)  # whoever squeezes can ask for the next card
            case Phase.RESULT:
                return await self._send(c.Settle(round=state.round))
            case Phase.PAYING:  # opened by a dealer who has left the table to the house since
                return await self._send(c.ConfirmBox(round=state.round, box=state.unpaid[0]))
            case Phase.OPTIONS if state.options is not None:
                return await self._choosing(state, state.options, now)
        return LOOKS_AGAIN

    async def _between(self, state: State, now: int) -> int:
        if self._in_round:  # whoever ended it, everybody has time to look at the result
            self._in_round, self._not_before = False, max(self._not_before, now + self.pace.between)
        if state.shoe is not None and state.shoe.unproven:
            return LOOKS_AGAIN  # until the pit has confirmed that it is withdrawn
        if is_used_up(state):
            return await self._load()
        if await self._proven() is None:
            return LOOKS_AGAIN  # cards of somebody else's are in the shoe: theirs to deal, or the pit's to withdraw
        if now < self._not_before:
            return self._not_before - now
        if state.waits_for_permission:
            return LOOKS_AGAIN  # until somebody of the pit lets it open
        return await self._send(c.OpenBetting(acknowledge=any(state.front)))

    async def _choosing(self, state: State, options: OpenOptions, now: int) -> int:
        """A card that is being squeezed is shown to everyone before anybody chooses."""
        if state.squeezed and state.house_deals and state.shoe is not None and not state.shoe.unproven:
            shoe = await self._proven()
            if shoe is not None:
                return await self._turn_over(shoe, state, min(state.squeezed))
        return await self._send(c.CloseOptions(question=options.question)) if now >= options.deadline else LOOKS_AGAIN

    async def _answer(self, state: State, now: int) -> int | None:
        """Grant a squeeze. Open the cards in another order only if everyone agrees who loses insurance by it."""
        asked = next((index for index, one in state.squeezes.items() if not one.permitted), None)
        if asked is not None:
            return await self._send(c.AnswerSqueeze(round=state.round, index=asked, permit=True))
        if state.waiver_asked is None:
            return None
        possible, missing = may_ask_waiver(self.table.felt, state), asked_to_agree(self.table.felt, state)
        if possible and state.house_deals and not missing:
            return await self._send(c.AnswerWaiver(round=state.round, consent=True))
        if not possible or now >= state.waiver_until or any(person in state.waiver_said for person in missing):
            return await self._send(c.AnswerWaiver(round=state.round, consent=False))
        return min(state.waiver_until - now, LOOKS_AGAIN)

    async def _deal(self, state: State, now: int) -> int:
        shoe = await self._proven()
        if shoe is None:
            return LOOKS_AGAIN
        if (looks := await self._answer(state, now)) is not None:
            return looks
        if (
            not state.drawn
            and 1 not in state.squeezes
            and squeezers(self.table.felt, state)
            and self._gives_time(state)
        ):
            return LOOKS_AGAIN
        try:
            side = due(state)
        except Refused:
            side = None
        if side is not None and _can_draw(state):
            index, known = len(state.drawn) + 1, bool(state.front) and state.front[0] is not None
            face_up = state.plays_under is not None and not state.plays_under.face_down
            card = shoe.card(place_of(shoe.order.cards, state, index)) if face_up and not known else None
            return await self._send(c.DrawCard(round=state.round, index=index, card=card), self._after_card)
        if (first := hidden_next(state)) is not None:
            squeezed = state.squeezed.get(first)
            if squeezed is not None and now < squeezed.deadline:
                return min(squeezed.deadline - now, LOOKS_AGAIN)
            return await self._turn_over(shoe, state, first)
        return LOOKS_AGAIN

    def _gives_time(self, state: State) -> bool:
        """Whether somebody may still ask for the first card."""
        number, left = self._may_ask
        left = left - 1 if number == state.round else ASKED_WITHIN // LOOKS_AGAIN
        self._may_ask = (state.round, left)
        return left > 0

    async def _turn_over(self, shoe: Proven, state: State, index: int) -> int:
        return await self._send(_turned(shoe, state, index), self._after_card)

    async def _load(self) -> int:
        """Seal first, publish second: the event contains the commitment, and only the store contains the order."""
        setup = self.table.state.setup
        assert setup is not None, "the table is open"
        shoe = self._new_shoe(setup.decks)
        name = f"{sealed_names(self.table.name)}{shoe.commitment[:16]}"
        await self.secret_store.seal(name, shoe.encode())
        load = c.LoadShoe(
            shoe=name, decks=setup.decks, shuffled=True, source=Source.ELECTRONIC, commitment=shoe.commitment
        )
        return await self._send(load)

    async def _proven(self) -> Proven | None:
        """The order of the shoe in use, read from the secret store after a restart; None if it is not a shoe of the
        house."""
        shoe = self.table.state.shoe
        if shoe is None or not shoe.name.startswith(sealed_names(self.table.name)):
            return None
        if shoe.unproven:
            raise Unproven("the shoe is out of service")
        if self._shoe is None or self._shoe.name != shoe.name:
            try:
                content = await self.secret_store.sealed(shoe.name)
            except Unreadable as unreadable:
                raise Unproven(str(unreadable)) from None
            store, table = self.table.store, self.table.name
            found = Proven.of(shoe.name, await committed(store, table, shoe), shoe.decks, content)
            gone = found.order.cards[: len(found.order.cards) - shoe.left]
            if await exposed(store, table, shoe) - Counter(gone):
                raise Unproven("cards that everybody has seen would come again")
            self._shoe = found
            if self.table.state.squeezed:
                self._told_proven()
        return self._shoe

    async def _out_of_service(self, unproven: Unproven) -> int:
        """Deal nothing more from it, alert the pit, and interrupt a round that needs cards."""
        table, self._shoe = self.table, None
        shoe = table.state.shoe
        assert shoe is not None, "an order that fails belongs to a shoe"
        if not shoe.unproven:
            logger("house").error("a shoe is taken out of service", table=table.name, shoe=shoe.name, why=str(unproven))
            await self._heard(c.WithdrawShoe(reason=Alert.SHOE_UNPROVEN), "house", Role.SYSTEM)
        if table.state.phase in NEEDS_CARDS:
            report = c.Report(round=table.state.round, fault=c.Fault.TECHNICAL, note=Alert.SHOE_UNPROVEN)
            await self._heard(report, "house", Role.SYSTEM)
        return LOOKS_AGAIN

    def _after_card(self) -> int:
        return self.pace.result if self.table.state.phase is Phase.RESULT else self.pace.card

    async def _send(self, command: c.Command, then: Callable[[], int] = lambda: 0) -> int:
        """Send a command. Returns the milliseconds until the next step; a refused command is not repeated at once."""
        return then() if await self._heard(command, DEALER, self.role) is None else REFUSED

    async def _heard(self, command: c.Command, person: str, role: Role) -> Refusal | None:
        """Why the table refused the command, or None."""
        refusal = (await self.table.send(command, person, role, house=True)).refusal
        if refusal is not None and refusal.reason is Reason.INCIDENT:
            raise Unable(tag_of(type(command)))
        return refusal


def _turned(shoe: Proven, state: State, index: int) -> c.ExposeCard:
    return c.ExposeCard(round=state.round, index=index, card=shoe.card(place_of(shoe.order.cards, state, index)))


async def committed(store: Store, table: str, shoe: ShoeInUse) -> str | None:
    """The commitment that the history records for the shoe, because a snapshot could have been exchanged."""
    before = GENESIS
    async for row in store.read(table, shoe.loaded - 2, shoe.loaded):
        if row.version == shoe.loaded and row.hash == chained(before, row.kind, row.at, row.body):
            event = codec.decode(row.kind, row.body)
            if isinstance(event, e.ShoeLoaded) and event.shoe == shoe.name:
                return event.commitment
        before = row.hash
    return None


async def exposed(store: Store, table: str, shoe: ShoeInUse) -> Counter[Card]:
    """The cards of the shoe that everybody has seen according to the history, in rounds that began with it: a changed
    snapshot may say that fewer have left it."""
    seen, carried, began = Counter[Card](), set[int](), False
    async for row in store.read(table, shoe.loaded):
        if row.kind.startswith(SEEN):
            match codec.decode(row.kind, row.body):
                case e.BettingOpened():
                    carried, began = set(), True
                case e.CardDrawn(index=index, carried=True):
                    carried.add(index)
                case e.CardExposed(index=index, card=card) if began and index not in carried:
                    seen[card] += 1
    return seen


def _can_draw(state: State) -> bool:
    """A shoe that was withdrawn in the middle of the round gives no more; what has left it is still dealt."""
    return bool(state.front) or (state.shoe is not None and state.shoe.in_service)
