"""Game protection: how cards that leave the shoe change each bet, and what a perfect card counter would gain."""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Any

import msgspec
import numpy as np

from puntobanco.odds import exact, kernels, simd, tables
from puntobanco.odds.compiling import kernel
from puntobanco.odds.pricing import Menu, menu, price
from puntobanco.odds.shoe import MOST_CARDS, Shoe
from puntobanco.odds.tables import Floats
from puntobanco.rules.arguments import bad_argument
from puntobanco.rules.cards import Rank
from puntobanco.rules.established import Exposed
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.html import html_table
from puntobanco.rules.refusal import Reason, Refused

MOST_SHOES = 1_000_000
SHOES_AT_ONCE = 32
LARGEST_TAG = 100
"""Nobody adds up larger tags."""


# ---- effect of removal -------------------------------------------------------------------------------------------


def removal_effects(game: Game, shoe: Shoe, layout: Layout | str | None = None) -> dict[str, Floats]:
    """For each bet, the change of its return when one card of each rank leaves the shoe."""
    layout = game.layout(layout)
    whole = price(game, shoe, layout)
    without = [price(game, shoe.without([rank]), layout) if shoe.ranks[rank - 1] else whole for rank in Rank]
    return {
        key: np.array([float(one.house_edge - less[key].house_edge) for less in without])
        for key, one in whole.bets.items()
    }


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """Whole-number tags to add up as cards leave: the nearest to the effects of removal, and their correlation with
    them."""

    tags: tuple[int, ...]
    correlation: float

    def __str__(self) -> str:
        return " ".join(f"{rank.sign}{tag:+d}" for rank, tag in zip(Rank, self.tags, strict=True) if tag)


def best_count(effects: Floats, largest: int = 2, ranks: Sequence[int] = (1,) * 13) -> Count:
    """The count that correlates best with the effects, with tags up to that size. `ranks`: how many cards of each are
    left. A rank that is gone has no tag.

    Effects are scaled, shifted and rounded in every way that matters; then each tag is tried one up and one down.
    """
    if effects.shape != (13,) or effects.dtype.kind not in "iuf" or not np.isfinite(effects).all():
        raise bad_argument("best_count", "effects", "13 finite numbers", effects)
    if not 1 <= largest <= LARGEST_TAG:
        raise bad_argument("best_count", "largest", f"int from 1 to {LARGEST_TAG}", largest)
    if len(ranks) != 13 or min(ranks) < 0 or not 0 < sum(ranks) <= MOST_CARDS:
        raise bad_argument("best_count", "ranks", "the ranks of a shoe with cards", ranks)
    best = Count(tags=(0,) * 13, correlation=0.0)
    peak, weights = float(np.abs(effects).max()), np.array(ranks, np.float64)
    if peak == 0:
        return best
    for scale in np.linspace(0.5, 4 * largest, 60):
        for shift in np.linspace(-1, 1, 21):
            tags = np.clip(np.rint(effects / peak * scale + shift), -largest, largest) * (weights > 0)
            best = _better(best, tags, effects, weights)
    improved = True
    while improved:
        before = best
        for place in np.flatnonzero(weights):
            for step in (-1, 1):
                tags = np.array(before.tags, np.float64)
                tags[place] = np.clip(tags[place] + step, -largest, largest)
                best = _better(best, tags, effects, weights)
        improved = best.correlation > before.correlation
    return best


def _better(best: Count, tags: Floats, effects: Floats, weights: Floats) -> Count:
    """The better of the two, by correlation over the cards left."""
    x, y = tags - np.average(tags, weights=weights), effects - np.average(effects, weights=weights)
    spread = sqrt(float(weights @ (x * x)) * float(weights @ (y * y)))
    follows = float(weights @ (x * y)) / spread if spread else 0.0
    if follows <= best.correlation + 1e-12:
        return best
    return Count(tags=tuple(int(tag) for tag in tags), correlation=follows)


# ---- the shoe right now ------------------------------------------------------------------------------------------


class ShoeWorth(msgspec.Struct, frozen=True):
    """The return of each bet on a live shoe, and which bets favour the player."""

    returns: dict[str, float]

    @property
    def favourable(self) -> dict[str, float]:
        return {key: gain for key, gain in self.returns.items() if gain > 0}

    def _repr_html_(self) -> str:
        rows = [(key, f"{gain:+.4%}") for key, gain in self.returns.items()]
        return html_table("The shoe now", ("Bet", "Return"), rows)


def live(
    game: Game, shoe: Shoe, layout: Layout | str | None = None, known: Exposed | None = None, most: int = 6
) -> ShoeWorth:
    """Every bet on the current shoe, for a screen: well under a millisecond; a few with `known` cards.

    >>> from puntobanco.rules import library
    >>> live(library.game("commission"), Shoe.of(8)).favourable
    {}
    """
    compiled = menu(game, game.layout(layout))
    dealt = exact.law(shoe, known, most)
    gains = compiled.returns @ np.asarray(dealt.ways, np.float64) / dealt.total
    return ShoeWorth(dict(zip(compiled.at, gains.tolist(), strict=True)))


# ---- perfect play ------------------------------------------------------------------------------------------------


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """One bet under perfect play. `often`: the share of rounds in which it favours the player. `gain`: the average gain
    in those. `per_shoe`: the worth per shoe of one unit on each of those rounds, with its standard error. `linear`: how
    well a linear count of all cards seen follows the exact return."""

    often: float
    gain: float
    per_shoe: float
    stderr: float
    linear: float


class Protection(msgspec.Struct, frozen=True, kw_only=True):
    """The result of perfect play over shoes dealt to a cut card."""

    decks: int
    cut_card: int
    shoes: int
    rounds: int
    bets: dict[str, Exposure]

    def _repr_html_(self) -> str:
        rows = [(key, f"{one.often:.3%}", f"{one.gain:.3%}", f"{one.per_shoe:.4f}") for key, one in self.bets.items()]
        return html_table(f"{self.shoes:,} shoes", ("Bet", "Favourable", "Gain then", "Units a shoe"), rows)


Progress = Callable[[int, int], None]


def protection(
    game: Game,
    *,
    layout: Layout | str | None = None,
    decks: int = 8,
    cut_card: int = 14,
    burn: int = 0,
    shoes: int = 1_000,
    seed: int = 1,
    progress: Progress | None = None,
) -> Protection:
    """Deal that many shoes and price every bet exactly before each round. Ctrl-C returns the shoes dealt so far."""
    if not 1 <= shoes <= MOST_SHOES:
        raise Refused(Reason.SHOES_OUT_OF_RANGE, shoes=shoes, most=f"{MOST_SHOES:,}")
    if not 0 <= seed < 2**128:
        raise Refused(Reason.SEED_OUT_OF_RANGE, seed=seed)
    if not 0 <= burn <= 52 or not 0 <= cut_card < 52 * decks - burn:
        raise Refused(Reason.SHOE_SET_WRONGLY, burn=burn, cut_card=cut_card)
    layout = game.layout(layout)
    compiled, full = menu(game, layout), Shoe.of(game.decks.check(decks))
    effects = np.array(list(removal_effects(game, full, layout).values()))
    fair = -np.array([float(one.house_edge) for one in price(game, full, layout).bets.values()])
    sums = np.zeros((8, len(compiled.bets)))
    done = rounds = 0
    try:
        for many, dealt, found in _dealt(compiled, full, shoes, burn, cut_card, seed, effects, fair):
            done, rounds, sums = done + many, rounds + dealt, sums + found
            if progress is not None:
                progress(done, shoes)
    except KeyboardInterrupt:
        if not done:
            raise
    return Protection(
        decks=decks, cut_card=cut_card, shoes=done, rounds=rounds,
        bets={bet.key: _exposure(sums[:, place], done, rounds) for place, bet in enumerate(compiled.bets)},
    )  # fmt: skip


def _dealt(
    compiled: Menu, full: Shoe, shoes: int, burn: int, cut_card: int, seed: int, effects: Floats, fair: Floats,
) -> Iterator[tuple[int, int, Floats]]:  # fmt: skip
    """Deal shoes in small batches: yields the number of shoes, their rounds and their sums. Each batch has its own
    sums, so that an interrupted one leaves no trace in the others."""
    cells = np.zeros((len(compiled.bets), tables.CELLS))
    cells[:, tables.cell_of_outcome()] = compiled.returns
    for piece, start in enumerate(range(0, shoes, SHOES_AT_ONCE)):
        many = min(SHOES_AT_ONCE, shoes - start)
        stream = np.random.SeedSequence(seed, spawn_key=(piece,))
        state = stream.generate_state(4 * simd.GENERATORS, np.uint64).reshape(4, simd.GENERATORS)
        cards = np.array([rank << 4 | points for rank, points in enumerate(tables.POINTS)] * full.ranks[0], np.uint8)
        sums = np.zeros((8, len(compiled.bets)))
        yield (
            many,
            deal_and_price(state, many, cards, burn, cut_card, *tables.rules(np.float64), cells, effects, fair, sums),
            sums,
        )


def _exposure(sums: Floats, shoes: int, rounds: int) -> Exposure:
    often, gain, square, x, y, xx, yy, xy = (float(one) for one in sums)
    per_shoe = gain / shoes
    spread = sqrt(max(0.0, xx - x * x / rounds) * max(0.0, yy - y * y / rounds))
    return Exposure(
        often=often / rounds,
        gain=gain / often if often else 0.0,
        per_shoe=per_shoe,
        stderr=sqrt(max(0.0, square / shoes - per_shoe * per_shoe) / shoes),
        linear=(xy - x * y / rounds) / spread if spread else 0.0,
    )


@kernel
def deal_and_price(  # noqa: PLR0912, PLR0915
    state: Any, shoes: int, cards: Any, burn: int, cut_card: int, player: tables.Bools,
    alone: tables.Bools, banker: Floats, cells: Floats, effects: Floats, fair: Floats, sums: Floats,
) -> int:  # fmt: skip
    """Deal whole shoes. Before every round, compute the exact distribution of what is left and the return of each
    bet."""
    bets, size, rounds = cells.shape[0], cards.size, 0
    law, worth = np.empty((4, 2, 2, 10, 10)), np.empty(bets)
    m, pairs, fours = np.empty(10), np.empty(10), np.empty(10)
    s0, s1, s2, s3 = state[0, 0], state[1, 0], state[2, 0], state[3, 0]
    for _ in range(shoes):
        left = np.zeros(13)
        for card in cards:
            left[card >> 4] += 1
        copies = left[0]
        drawn, last = 0, False
        for _burned in range(burn):
            s0, s1, s2, s3 = simd.shuffle_in(cards, drawn, size, s0, s1, s2, s3)
            drawn += 1
        worth[:] = 0.0
        while not last:
            last = size - drawn <= cut_card
            rounds += 1
            total = _price(left, size - drawn, m, pairs, fours, player, alone, banker, law)
            flat = law.reshape(-1)
            for bet in range(bets):
                gain = 0.0
                for k in range(flat.size):
                    gain += cells[bet, k] * flat[k]
                gain /= total
                estimate = fair[bet]
                for rank in range(13):
                    estimate += effects[bet, rank] * (copies - left[rank]) * (size - 1) / (size - drawn)
                if gain > 0.0:
                    sums[0, bet] += 1
                    worth[bet] += gain
                sums[3, bet] += estimate
                sums[4, bet] += gain
                sums[5, bet] += estimate * estimate
                sums[6, bet] += gain * gain
                sums[7, bet] += estimate * gain
            need, k = 4, 0
            p = b = 0
            while k < need and drawn < size:
                s0, s1, s2, s3 = simd.shuffle_in(cards, drawn, size, s0, s1, s2, s3)
                card = cards[drawn]
                left[card >> 4] -= 1
                points = card & 15
                drawn += 1
                k += 1
                if k in (1, 3):
                    p = (p + points) % 10
                elif k == 2:
                    b = points
                elif k == 4:
                    b = (b + points) % 10
                    need += player[p, b] or alone[p, b]
                elif k == 5 and player[p, b] and banker[points, b] != 0:
                    need = 6
            last = last or k < need  # void: the shoe ran out
        for bet in range(bets):
            sums[1, bet] += worth[bet]
            sums[2, bet] += worth[bet] * worth[bet]
    state[0, 0], state[1, 0], state[2, 0], state[3, 0] = s0, s1, s2, s3
    return rounds


@kernel
def _price(
    left: Floats, cards: int, m: Floats, pairs: Floats, fours: Floats, player: tables.Bools, alone: tables.Bools,
    banker: Floats, law: Floats,
) -> float:  # fmt: skip
    """The distribution of what is left, in floats. Returns the number of deals; those that run out are in no cell."""
    m[:] = 0.0
    pairs[:] = 0.0
    fours[:] = 0.0
    for rank in range(13):
        points = rank + 1 if rank < 9 else 0
        n = left[rank]
        pair = n * (n - 1)
        m[points] += n
        fours[points] += pair * (n - 2) * (n - 3) - pair * pair
        pairs[points] += pair
    for c in range(10):
        fours[c] += pairs[c] * pairs[c]
    law[:] = 0.0
    drawn = min(cards, 6)
    total = four = five = 1.0
    for k in range(drawn):
        total *= cards - k
        four *= cards - k if k >= 4 else 1
        five *= cards - k if k >= 5 else 1
    if drawn >= 4:
        kernels.count_all(m, pairs, fours, four, five, player, alone, banker, law, drawn)
    return total
