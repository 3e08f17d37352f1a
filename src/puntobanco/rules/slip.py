"""A slip: one person's stakes in a round, by bet, settled together.

Insurance stakes are written with their window: `banker_insurance@four`.
"""

from collections.abc import Mapping

import msgspec

from puntobanco.rules import insurance
from puntobanco.rules.coup import Coup
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.html import html_table
from puntobanco.rules.money import CHIP, Cents, check_stake, read_money, show_money
from puntobanco.rules.outcome import Outcome
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Settled, settle


class SettledSlip(msgspec.Struct, frozen=True):
    """The round's Outcome and the result of every stake, under the names they were staked by."""

    outcome: Outcome
    bets: dict[str, Settled]

    @property
    def profit(self) -> Cents:
        return Cents(sum(settled.profit for settled in self.bets.values()))

    def __repr__(self) -> str:
        bets = ", ".join(f"{name} {settled.result}" for name, settled in self.bets.items())
        return f"<SettledSlip {bets or 'without bets'}: profit {show_money(self.profit)}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, show_money(one.stake), one.result, show_money(one.profit), one.rule)
            for name, one in self.bets.items()
        ]
        head = ("Bet", "Stake", "Result", "Profit", "Paragraph")
        return html_table(f"Profit {show_money(self.profit)}", head, rows)


def read_stake(text: str) -> tuple[str, Cents]:
    """Parse `player=100` into bet and cents."""
    name, equals, amount = text.partition("=")
    if not name or not equals:
        raise Refused(Reason.NOT_A_STAKE, stake=text)
    return name, read_money(amount)


def settle_slip(
    game: Game,
    layout: Layout | None,
    coup: Coup,
    stakes: Mapping[str, int],
    unit: int = CHIP,
    *,
    waived: bool = False,
) -> SettledSlip:
    """Settle every stake, or refuse the whole slip. `waived`: nothing was offered after the Player's third card."""
    game.check_unit(unit)
    outcome = coup.outcome
    if waived:
        insurance.check_waiver(game, coup.after(4))
    made = {offer.window: offer for offer in insurance.offers(game, coup, waived=waived)}
    taken: dict[str, insurance.Insured] = {}
    settled: dict[str, Settled] = {}
    for name, stake in sorted(stakes.items(), key=lambda item: _window_order(item[0])):
        bet, window = read_bet(game, layout, name)
        amount = check_stake(stake, unit, game.stake_rule)
        if window is None:
            settled[name] = settle(bet, amount, outcome)
            continue
        offer = made.get(window)
        if offer is None or offer.bet.key != bet.key:
            assert game.insurance is not None, "the bet was found in this game"
            raise Refused(Reason.NOT_OFFERED, game.insurance.rule, bet=bet.title, window=window)
        original = stakes.get(offer.insures, 0)
        taken[name] = insurance.check_stake(
            offer, game, amount, original=original, unit=unit, earlier=tuple(taken.values())
        )
        settled[name] = insurance.settle_insurance(taken[name], game, outcome)
    return SettledSlip(outcome, {name: settled[name] for name in stakes})


def read_bet(game: Game, layout: Layout | None, name: str) -> tuple[Bet, Window | None]:
    """The bet of that name, and the window if it is insurance."""
    key, at, written = name.partition("@")
    bet = game.bet(key, layout)
    if bet.insures is None:
        if at:
            raise Refused(Reason.NO_SUCH_WINDOW, bet=bet.title, window=written)
        return bet, None
    if written not in tuple(Window):
        raise Refused(Reason.WINDOW_MISSING, game.insurance.rule if game.insurance else None, bet=key)
    return bet, Window(written)


def _window_order(name: str) -> int:
    """The sort key of a stake: bets first, then insurance in the order of its windows."""
    windows = list(Window)
    written = name.partition("@")[2]
    return 1 + windows.index(Window(written)) if written in windows else 0
