"""puntobanco: baccarat by the letter of the rules.

>>> import puntobanco as pb
>>> game = pb.game("wu-song")
>>> coup = pb.deal("K 2 4 A 7 7")
>>> coup.outcome.winner, coup.outcome.player_points, coup.outcome.banker_points
(<Winner.PLAYER: 'player'>, 1, 0)
>>> slip = pb.settle(game, coup, {"wu_dalang": pb.money("1"), "player": pb.money("100")})
>>> slip.bets["wu_dalang"].profit, slip.bets["wu_dalang"].rule
(15000, '4.1.10')
"""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from puntobanco.rules import coup as _coup
from puntobanco.rules import established as _established
from puntobanco.rules import explanation as _explanation
from puntobanco.rules import insurance as _insurance
from puntobanco.rules import library as _library
from puntobanco.rules import limits as _limits
from puntobanco.rules import money as _money
from puntobanco.rules.arguments import checked
from puntobanco.rules.cards import Card, Rank, Suit, check_copies, read_cards
from puntobanco.rules.coup import Coup, Hand
from puntobanco.rules.established import Standing
from puntobanco.rules.explanation import Explanation
from puntobanco.rules.game import Bet, Game, Layout, PayLine
from puntobanco.rules.insurance import Offer
from puntobanco.rules.limits import BoxBet, Effective, ProRata, TableLimits
from puntobanco.rules.money import CHIP, Cents, Odds
from puntobanco.rules.outcome import Outcome, Side, Winner
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, Settled
from puntobanco.rules.slip import SettledSlip, settle_slip

__version__ = "0.1.0"

__all__ = [
    "CHIP", "Bet", "BoxBet", "Card", "Cents", "Coup", "Effective", "Explanation", "Game", "Hand", "Layout", "Odds",
    "Offer", "Outcome", "PayLine", "ProRata", "Rank", "Reason", "Refused", "Result", "Settled", "SettledSlip",
    "Side", "Standing", "Suit", "TableLimits", "Winner", "deal", "explain", "game", "games", "insurance_cap",
    "insurance_offers", "is_established", "money", "pro_rata", "read_game", "reject_excess", "say", "settle",
    "show", "standings",
]  # fmt: skip

money = checked(_money.read_money, "money")
show = checked(_money.show_money, "show")
pro_rata = checked(_limits.pro_rata)
reject_excess = checked(_limits.reject_excess)


def games() -> tuple[str, ...]:
    """The keys of the five games.

    >>> games()
    ('commission', 'non-commission-etg', 'super-six', 'insurance', 'wu-song')
    """
    return _library.GAMES


@checked
def game(key: str) -> Game:
    """One of the five games.

    >>> game("super-six").bet("super_six", None).title.zh
    '超级六'
    """
    return _library.game(key)


@checked
def read_game(path: str | PathLike[str]) -> Game:
    """Read a game from your own file and check it in full. `Refused` says what is wrong with it."""
    return _library.read_game(Path(path))[0]


@checked
def deal(cards: str | Iterable[Card]) -> Coup:
    """Cards in draw order as a coup; it may still be incomplete.

    >>> deal("2 4 3 2").due
    <Side.PLAYER: 'player'>
    """
    return _coup.deal(read_cards(cards) if isinstance(cards, str) else cards)


@checked
def settle(
    game: Game,
    cards: str | Iterable[Card] | Coup,
    stakes: Mapping[str, Cents],
    *,
    layout: str | None = None,
    decks: int | None = None,
    unit: Cents = CHIP,
    waived: bool = False,
) -> SettledSlip:
    """Settle one person's stakes, in cents, on a complete coup; `waived`: no insurance after the Player's third card.

    >>> stakes = {"banker": money("1000"), "banker_insurance@four": money("500")}
    >>> slip = settle(game("insurance"), "2 2 2 3 4 A", stakes)
    >>> show(slip.profit)
    '0'
    """
    coup = cards if isinstance(cards, Coup) else deal(cards)
    check_copies(coup.cards, game.decks.most if decks is None else game.decks.check(decks), game.decks.rule)
    return settle_slip(game, game.layout(layout), coup, stakes, unit, waived=waived)


@checked
def standings(game: Game, exposed: Mapping[int, Rank], *, layout: str | None = None) -> dict[str, Standing]:
    """How each bet of the layout stands on the cards that everyone can see, by draw index.

    >>> standing = standings(game("commission"), {1: Rank.FIVE, 2: Rank.KING, 3: Rank.FIVE})
    >>> standing["player_pair"], standing["tie"]
    (<Standing.WON: 'won'>, <Standing.OPEN: 'open'>)
    """
    return _established.standings(game, game.layout(layout), exposed)


@checked
def is_established(game: Game, exposed: Mapping[int, Rank], *, layout: str | None = None) -> bool:
    """Whether any available bet has conclusively won or lost on the exposed cards.

    >>> is_established(game("wu-song"), {1: Rank.FIVE, 2: Rank.KING}, layout="E")
    False
    """
    return _established.is_established(game, game.layout(layout), exposed)


@checked
def insurance_offers(game: Game, coup: Coup) -> tuple[Offer, ...]:
    """The insurance windows a coup opens, with their odds.

    >>> for made in insurance_offers(game("insurance"), deal("2 2 2 3")):
    ...     print(made.window, made.bet.key, made.row.odds)
    four banker_insurance 2:1
    """
    return tuple(_insurance.offers(game, coup))


@checked
def insurance_cap(made: Offer, original: Cents, *, unit: Cents = CHIP) -> Cents:
    """The most that may be staked in a window on an original bet with no insurance yet.

    >>> (made,) = insurance_offers(game("insurance"), deal("2 2 2 3"))
    >>> show(insurance_cap(made, money("1000")))
    '500'
    """
    if unit <= 0 or (made.row.odds * unit).denominator != 1:
        raise Refused(Reason.UNIT_NOT_PAYABLE, amount=_money.write_money(unit))
    return _insurance.cap(made, original=original, unit=unit)


@checked
def explain(game: Game, coup: Coup, language: str = "en") -> list[str]:
    """The coup in words, each step with its paragraph.

    >>> explain(game("commission"), deal("9 7 K 10"))[-2:]
    ['Natural: Player 9, Banker 7; neither hand draws. (1.9)', 'Player wins, 9 to 7. (3.13)']
    """
    said = _library.sentences(language)
    return [f"{said.say('step', it.step, **it.parameters)} ({it.rule})" for it in _explanation.explain(game, coup)]


@checked
def say(refused: Refused, language: str = "en") -> str:
    """The sentence to read out for a refusal.

    >>> try:
    ...     game("baccarat")
    ... except Refused as refused:
    ...     print(say(refused))
    There is no game "baccarat". The games are: commission, non-commission-etg, super-six, insurance, wu-song.
    """
    return _library.sentences(language).refusal(refused)
