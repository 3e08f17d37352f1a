"""`puntobanco play`: one player against an automatic dealer, line by line, so that it works over ssh."""

import time
from collections.abc import Callable

from puntobanco.cli import show
from puntobanco.house.shoes.shuffle import cards_of, shuffled
from puntobanco.rules import insurance
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.library import Sentences
from puntobanco.rules.limits import BoxBet, TableLimits, differential, free_room
from puntobanco.rules.money import Cents, check_stake, down_to_unit, read_money, show_money, write_money
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.procedures import TieMode
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.slip import SettledSlip, settle_slip

Slip = dict[str, Cents]

LEAVE = ("quit", "exit", "q")

CUT_CARD = 14
"""With fewer cards left, the next round uses a new shoe."""


class TerminalTable:
    """The state between two lines of input: the purse, the slip and the shoe."""

    def __init__(
        self,
        game: Game,
        layout: Layout | None,
        *,
        decks: int,
        purse: Cents,
        limits: TableLimits,
        said: Sentences,
        pause: float = 0.0,
        shoe: list[Card] | None = None,
        keyboard: Callable[[str], str] = input,
    ) -> None:
        self.game, self.layout, self.decks = game, layout, decks
        self.purse, self.limits, self.said, self.pause = purse, limits, said, pause
        self.menu = [bet for bet in game.menu(layout) if bet.insures is None]
        self.shoe = shoe or []
        self.keyboard = keyboard
        self.slip: Slip = {}
        self.earlier: list[Slip] = []
        self.last: Slip = {}
        self.rounds = 0
        self.leaving = False
        self.out = show.console()
        self.commands: dict[str, Callable[[], None]] = {
            "deal": self.deal, "undo": self.undo, "clear": self.clear, "rebet": self.rebet, "double": self.double,
            "pay": self.pay, "help": self.help,
        }  # fmt: skip
        game.check_unit(limits.unit)
        check_stake(purse, limits.unit)

    def run(self) -> None:
        """Play until the player leaves. A refusal is printed and changes nothing."""
        self.leaving = False
        self._say("welcome", game=self.game.title, decks=self.decks, minimum=write_money(self.limits.minimum))
        self.pay()
        self.help()
        while not self.leaving:
            staked = sum(self.slip.values())
            left = write_money(self.purse - staked)
            line = self._ask(self.said.say("play", "prompt", left=left, staked=write_money(staked)))
            try:
                if line in LEAVE:
                    self.leaving = True
                elif line in self.commands:
                    self.commands[line]()
                elif line:
                    self.stake(line)
            except Refused as refused:
                self._refuse(refused)
        self._say("goodbye", rounds=self.rounds, purse=write_money(self.purse))

    # ---- betting -------------------------------------------------------------------------------------------------

    def stake(self, line: str) -> None:
        """`player 100 tie 5` sets these stakes; 0 removes one. The line is accepted whole or not at all."""
        words = line.replace("=", " ").split()
        if len(words) % 2:
            raise Refused(Reason.NOT_A_STAKE, stake=line)
        slip, named = dict(self.slip), set()
        for name, amount in zip(words[::2], words[1::2], strict=True):
            bet, cents = self._bet(name), read_money(amount)
            if bet.key in named:
                raise Refused(Reason.STAKED_TWICE, bet=bet.key)
            named.add(bet.key)
            slip.pop(bet.key, None)
            if cents:
                slip[bet.key] = cents
        self._take(slip)

    def undo(self) -> None:
        self.slip = self.earlier.pop() if self.earlier else {}
        self._show_slip()

    def clear(self) -> None:
        self._take({})

    def rebet(self) -> None:
        self._take(dict(self.last))

    def double(self) -> None:
        self._take({key: Cents(stake * 2) for key, stake in self.slip.items()})

    def _bet(self, name: str) -> Bet:
        """Find a bet by number, name or unique prefix."""
        if name in (numbers := [str(number) for number, _ in enumerate(self.menu, start=1)]):
            return self.menu[numbers.index(name)]
        fits = [bet for bet in self.menu if bet.key.startswith(name)]
        exact = [bet for bet in fits if bet.key == name]
        if len(exact or fits) == 1:
            return (exact or fits)[0]
        known = ", ".join(bet.key for bet in fits or self.menu)
        raise Refused(Reason.UNKNOWN_BET, self.game.round.menu, bet=name, game=self.game.key, known=known)

    def _take(self, slip: Slip) -> None:
        """Accept the new slip, or refuse it whole."""
        rules = self.game.irregularities
        for stake in slip.values():
            check_stake(stake, self.limits.unit, self.game.stake_rule)
            if stake < self.limits.minimum:
                rule = rules.under_minimum.rule if rules.under_minimum else None
                raise Refused(
                    Reason.UNDER_MINIMUM, rule, stake=write_money(stake), minimum=write_money(self.limits.minimum)
                )
        if sum(slip.values()) > self.purse:
            raise Refused(Reason.NOT_ENOUGH_MONEY, stake=write_money(sum(slip.values())), purse=write_money(self.purse))
        box = [BoxBet(person="you", side=side, amount=slip[side], seated=True) for side in Side if side in slip]
        if differential(box) > self.limits.differential:
            rule = rules.over_differential.rule if rules.over_differential else None
            heavier = max(box, key=lambda one: one.amount)
            most = free_room([one for one in box if one is not heavier], heavier.side, self.limits)
            raise Refused(
                Reason.OVER_DIFFERENTIAL,
                rule,
                differential=write_money(self.limits.differential),
                most=write_money(most),
            )
        self.earlier.append(self.slip)
        self.slip = slip
        self._show_slip()

    # ---- the round -----------------------------------------------------------------------------------------------

    def deal(self) -> None:
        """Close betting and deal card by card, offering insurance when it opens."""
        if len(self.shoe) < CUT_CARD:
            self.shoe = shuffled(cards_of(self.decks))
            self._say("shuffled", decks=self.decks, cards=len(self.shoe))
        self.rounds += 1
        self._say("no_more_bets", rule=self.game.round.closes)
        slip, coup, told = dict(self.slip), Coup(), 0
        while not coup.is_complete:
            time.sleep(self.pause)
            coup = coup.draw(self.shoe.pop())
            lines = list(show.story(self.game, coup, self.said))
            for line in lines[told:]:
                self.out.print(show.styled("  ", line), soft_wrap=True)
            told = len(lines)
            self._offer_insurance(coup, slip)
        settled = settle_slip(self.game, self.layout, coup, slip, self.limits.unit)
        self.out.print(show.styled((f"  {self._hands(coup)}", "bold")))
        if slip:
            self.out.print(show.settlement_table(self.game, self.layout, settled, self.said))
        self.purse = Cents(self.purse + settled.profit)
        self.last = dict(self.slip) or self.last
        self.earlier, self.slip = [], {}
        self._tie(settled)

    def _offer_insurance(self, coup: Coup, slip: Slip) -> None:
        made = insurance.offer(self.game, coup)
        original = slip.get(made.insures, 0) if made else 0
        if made is None or not original:
            return
        taken = tuple(
            insurance.Insured(offer, slip[f"{offer.bet.key}@{offer.window}"])
            for offer in insurance.offers(self.game, coup)
            if f"{offer.bet.key}@{offer.window}" in slip
        )
        left = self.purse - sum(slip.values())
        unit = self.limits.unit
        most = min(insurance.cap(made, original=original, unit=unit, earlier=taken), down_to_unit(left, unit))
        if most <= 0:
            self._say("cannot_insure", bet=made.bet.title, left=write_money(left))
        while most > 0:
            answer = self._ask(
                self.said.say("play", "insure", bet=made.bet.title, odds=made.row.odds, most=write_money(most))
            )
            if not answer or answer in ("0", "no", "n", *LEAVE):
                self.leaving = answer in LEAVE
                return
            try:
                stake = check_stake(read_money(answer), unit)
                if stake > left:
                    raise Refused(Reason.NOT_ENOUGH_MONEY, stake=write_money(stake), purse=write_money(left))
                insurance.check_stake(made, self.game, stake, original=original, unit=unit, earlier=taken)
            except Refused as refused:
                self._refuse(refused)
            else:
                slip[f"{made.bet.key}@{made.window}"] = stake
                return

    def _tie(self, settled: SettledSlip) -> None:
        """Where original bets may be withdrawn after a tie, they may also be left for the next round."""
        held = {key: one.stake for key, one in settled.bets.items() if key in tuple(Side)}
        if settled.outcome.winner is not Winner.TIE or self.game.tie.mode is TieMode.RETURNED or not held:
            return
        if self._ask(self.said.say("play", "take_or_leave", rule=self.game.tie.rule)) in ("leave", "l"):
            self._take(held)

    # ---- what is said --------------------------------------------------------------------------------------------

    def pay(self) -> None:
        show.paytable(self.game, self.layout, self.said, json=False)

    def help(self) -> None:
        numbered = ", ".join(f"{number} {bet.key}" for number, bet in enumerate(self.menu, start=1))
        self._say("bets", bets=numbered)
        self._say("help")

    def _show_slip(self) -> None:
        lying = ", ".join(
            f"{bet.title.said(self.said.language)} {show_money(self.slip[bet.key])}"
            for bet in self.menu
            if bet.key in self.slip
        )
        self._say("on_the_table", bets=lying or self.said.say("label", "none"))

    def _hands(self, coup: Coup) -> str:
        word = self.said.table["word"]
        return " · ".join(
            f"{word[side]} {coup.hand(side)} = {coup.hand(side).points}" for side in (Side.PLAYER, Side.BANKER)
        )

    def _say(self, key: str, **parameters: object) -> None:
        self.out.print(self.said.say("play", key, **parameters), soft_wrap=True)

    def _refuse(self, refused: Refused) -> None:
        paragraph = f" ({refused.paragraph})" if refused.paragraph else ""
        self.out.print(f"✗ {self.said.refusal(refused)}{paragraph}", style="red", soft_wrap=True)

    def _ask(self, prompt: str) -> str | None:
        """Read a line, or nothing at end of input."""
        try:
            return self.keyboard(prompt).strip().lower()
        except (EOFError, KeyboardInterrupt, RuntimeError):  # hung up, interrupted, or no keyboard at all
            print()
            self.leaving = True
            return None
