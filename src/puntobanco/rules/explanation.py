"""Explain a coup: each step as a code with parameters and a paragraph, rendered by `sentences/`."""

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from puntobanco.rules.condition import Numbers, When
from puntobanco.rules.coup import Coup
from puntobanco.rules.game import Game
from puntobanco.rules.insurance import offer
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.plain_data import ParagraphId


class ExplanationStep(StrEnum):
    """The steps of an explanation. Every member has a sentence in every language."""

    CARD_DEALT = "card_dealt"
    NATURAL = "natural"
    PLAYER_DRAWS = "player_draws"
    PLAYER_STANDS = "player_stands"
    BANKER_DRAWS = "banker_draws"
    BANKER_STANDS = "banker_stands"
    BANKER_DRAWS_AGAINST = "banker_draws_against"
    BANKER_STANDS_AGAINST = "banker_stands_against"
    INSURANCE_OFFERED = "insurance_offered"
    HAND_WINS = "hand_wins"
    TIE = "tie"


class Explanation(msgspec.Struct, frozen=True):
    step: ExplanationStep
    rule: ParagraphId
    parameters: dict[str, object] = {}


def explain(game: Game, coup: Coup, *, waived: bool = False) -> Iterator[Explanation]:
    """The coup so far, card by card, with the reason for every draw and stand."""
    paragraphs = game.round
    for index in range(len(coup.cards)):
        so_far = coup.after(index + 1)
        rule = paragraphs.first_four if index < 4 else paragraphs.third_cards
        side = so_far.sides[-1]
        parameters = {"index": index + 1, "card": so_far.cards[-1], "side": side, "points": so_far.hand(side).points}
        yield Explanation(ExplanationStep.CARD_DEALT, rule, parameters)
        yield from after(game, so_far, waived=waived)


def after(game: Game, coup: Coup, *, waived: bool) -> Iterator[Explanation]:
    """What the Table of Play decides after four cards, or after the Player's third."""
    table, third_cards = game.round.table_of_play, game.round.third_cards
    player, banker = coup.player.points, coup.banker.points
    points: dict[str, object] = {"player": player, "banker": banker}
    drawn = len(coup.cards)
    player_drew = Side.PLAYER in coup.sides[4:]
    if drawn == 4 and coup.table.is_natural(player, banker):
        yield Explanation(ExplanationStep.NATURAL, game.round.natural, points)
    elif drawn == 4 and coup.due is Side.PLAYER:
        yield Explanation(ExplanationStep.PLAYER_DRAWS, table, points)
    elif drawn == 4:
        yield Explanation(ExplanationStep.PLAYER_STANDS, table, points)
        step = ExplanationStep.BANKER_DRAWS if coup.due is Side.BANKER else ExplanationStep.BANKER_STANDS
        # in some documents the sentence beside the table stops at 6; the table itself has a row for 7
        yield Explanation(step, table if banker == 7 else third_cards, points)
    elif drawn == 5 and player_drew:
        step = (
            ExplanationStep.BANKER_DRAWS_AGAINST if coup.due is Side.BANKER else ExplanationStep.BANKER_STANDS_AGAINST
        )
        yield Explanation(step, table, points | {"third": coup.cards[4].points})
    if made := offer(game, coup, waived=waived):
        parameters = points | {"bet": made.bet.title, "side": made.insures, "odds": made.row.odds}
        yield Explanation(ExplanationStep.INSURANCE_OFFERED, made.row.rule, parameters)
    if coup.is_complete:
        winner = coup.outcome.winner
        if winner is Winner.TIE:
            yield Explanation(ExplanationStep.TIE, game.tie.rule, points)
        else:
            won, lost = max(player, banker), min(player, banker)
            parameters = {"side": Side(winner), "points": won, "other": lost}
            yield Explanation(ExplanationStep.HAND_WINS, game.round.winner, parameters)


def conditions(when: When) -> Iterator[tuple[str, Numbers | None]]:
    """The condition of a pay line as codes, with the numbers of each."""
    for name, value in when.given().items():
        if isinstance(value, Numbers):
            yield name, value
        else:
            yield f"{name}_{value}".lower(), None
