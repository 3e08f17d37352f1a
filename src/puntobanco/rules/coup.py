"""A coup: cards in draw order determine the hands, who draws next, and finally the Outcome."""

from collections.abc import Iterable

import msgspec

from puntobanco.rules.arguments import check_argument, checked
from puntobanco.rules.cards import Card
from puntobanco.rules.html import html_table
from puntobanco.rules.outcome import Outcome, Side
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.tableau import TABLE_OF_PLAY, TableOfPlay

FIRST_FOUR = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)


class Hand(msgspec.Struct, frozen=True):
    """The cards of one side."""

    cards: tuple[Card, ...]

    @property
    def points(self) -> int:
        """The last digit of the total."""
        return sum(card.points for card in self.cards) % 10

    @property
    def is_pair(self) -> bool:
        """Whether the first two cards have the same rank; ten and king are not a pair."""
        return len(self.cards) >= 2 and self.cards[0].rank == self.cards[1].rank

    def __str__(self) -> str:
        return " ".join(map(str, self.cards))


class Coup(msgspec.Struct, frozen=True):
    """The cards drawn so far, and the hand that the Table of Play gave each. A card beyond the complete hands is
    refused.

    >>> from puntobanco.rules.cards import read_cards
    >>> coup = deal(read_cards("2 4 3 2"))
    >>> coup.player.points, coup.banker.points, coup.due
    (5, 6, <Side.PLAYER: 'player'>)
    """

    cards: tuple[Card, ...] = ()
    table: TableOfPlay = TABLE_OF_PLAY

    def __post_init__(self) -> None:
        if type(self.cards) is not tuple or any(type(card) is not Card for card in self.cards):
            check_argument("Coup", "cards", self.cards, tuple[Card, ...])
        check_argument("Coup", "table", self.table, TableOfPlay)
        drawn = min(len(self.cards), 7) - 1
        if drawn >= 4 and Coup(self.cards[:drawn], self.table).is_complete:  # which checks the cards before it
            raise Refused(Reason.HAND_COMPLETE, card=self.cards[drawn], drawn=drawn)

    def __repr__(self) -> str:
        return f"<Coup {' '.join(map(str, self.cards)) or 'without cards'}>"

    def _repr_html_(self) -> str:
        rows = [(side.capitalize(), self.hand(side), self.hand(side).points) for side in Side]
        return html_table("Coup", ("Hand", "Cards", "Points"), rows)

    @checked
    def after(self, drawn: int) -> "Coup":
        """The coup after that number of cards."""
        return Coup(self.cards[:drawn], self.table)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The hand of each card, in draw order."""
        if len(self.cards) < 5:
            return FIRST_FOUR[: len(self.cards)]
        player, banker, _ = self._two_card_totals()
        thirds = (Side.PLAYER, Side.BANKER) if self.table.player_draws(player, banker) else (Side.BANKER,)
        return FIRST_FOUR + thirds[: len(self.cards) - 4]

    @checked
    def hand(self, side: Side) -> Hand:
        return self._hand(side)

    def _hand(self, side: Side) -> Hand:
        return Hand(tuple(card for card, to in zip(self.cards, self.sides, strict=True) if to is side))

    @property
    def player(self) -> Hand:
        return self._hand(Side.PLAYER)

    @property
    def banker(self) -> Hand:
        return self._hand(Side.BANKER)

    @property
    def due(self) -> Side | None:
        """The hand that the next card goes to, or None if the coup is complete."""
        drawn = len(self.cards)
        if drawn < 4:
            return FIRST_FOUR[drawn]
        player, banker, third = self._two_card_totals()
        if drawn == 4 and self.table.player_draws(player, banker):
            return Side.PLAYER
        if self.banker_has_drawn or not self.table.banker_draws(player, banker, third):
            return None
        return Side.BANKER

    @property
    def banker_has_drawn(self) -> bool:
        return self.sides[4:].count(Side.BANKER) == 1

    @property
    def is_complete(self) -> bool:
        return self.due is None

    @property
    def outcome(self) -> Outcome:
        if not self.is_complete:
            raise Refused(Reason.TOO_FEW_CARDS, drawn=len(self.cards), due=self.due)
        player, banker = self.player, self.banker
        return Outcome(
            player_points=player.points,
            banker_points=banker.points,
            player_cards=len(player.cards),
            banker_cards=len(banker.cards),
            player_pair=player.is_pair,
            banker_pair=banker.is_pair,
        )

    def draw(self, card: Card) -> "Coup":
        """The coup with one more card. Refused once the hands are complete."""
        return Coup((*self.cards, card), self.table)

    def _two_card_totals(self) -> tuple[int, int, int | None]:
        """The two-card totals of Player and Banker, and the points of the Player's third card if it was drawn."""
        one, two, three, four = [card.points for card in self.cards[:4]]
        player, banker = (one + three) % 10, (two + four) % 10
        drew = len(self.cards) > 4 and self.table.player_draws(player, banker)
        return player, banker, self.cards[4].points if drew else None


def deal(cards: Iterable[Card]) -> Coup:
    """Deal the cards in draw order, card by card."""
    coup = Coup()
    for card in cards:
        coup = coup.draw(card)
    return coup
