"""Simulation kernels. Fresh-shoe rounds are played `LANES` at a time in SIMD registers; whole shoes one card at a time.

A fresh-shoe round always draws six cards: six 16-bit random numbers scaled to the cards of the shoe. A round is
discarded if scaling would make a number biased or if a card comes twice; the remaining rounds are exactly uniform. A
round is identified by its key: both two-card totals, the points of the fifth and sixth card, and which hands are pairs.
A table compiled from the rules maps keys to Outcomes.

`play_shoes` shuffles and deals whole shoes to the cut card and follows the table of play card by card.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from puntobanco.odds.compiling import inlined, kernel

LANES = 32
BLOCK = 4096
"""Rounds per block: their cards stay in the nearest cache."""
GENERATORS = 64
"""Independent generators side by side, each with four words of state."""

KEYS = 40_000
THROWN_AWAY = KEYS
"""The key of a discarded round."""

_SHORT = ir.VectorType(ir.IntType(16), LANES)
_LONG = ir.VectorType(ir.IntType(32), LANES)


class _Lanes:
    """Builds LLVM instructions on vectors of `LANES` 16-bit numbers, one per round."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def every(self, number: int) -> Any:
        return ir.Constant(_SHORT, [number] * LANES)

    def spread(self, number: Any) -> Any:
        """Broadcast one number to all lanes."""
        nothing = ir.Constant(_SHORT, ir.Undefined)
        first = self.builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
        return self.builder.shuffle_vector(first, nothing, ir.Constant(_LONG, [0] * LANES))

    def high(self, one: Any, other: Any) -> Any:
        """The upper half of the product."""
        product = self.builder.mul(self.builder.zext(one, _LONG), self.builder.zext(other, _LONG))
        return self.builder.trunc(self.builder.lshr(product, ir.Constant(_LONG, [16] * LANES)), _SHORT)

    def total(self, one: Any, other: Any) -> Any:
        """The last digit of the sum of two digits."""
        total = self.builder.add(one, other)
        less = self.builder.icmp_unsigned("<", total, self.every(10))
        return self.builder.select(less, total, self.builder.sub(total, self.every(10)))

    def same(self, one: Any, other: Any) -> Any:
        return self.builder.icmp_unsigned("==", one, other)

    def digits(self, *places: tuple[int, Any]) -> Any:
        """The weighted sum of the numbers."""
        (weight, first), *others = places
        total = self.builder.mul(first, self.every(weight))
        for weight, number in others:
            total = self.builder.add(total, self.builder.mul(number, self.every(weight)))
        return total


@intrinsic
def _keys_of_lanes(
    _typing: Any, random: Any, at: Any, keys: Any, cards: Any, uneven: Any, rank: Any
) -> tuple[Any, Callable[..., Any]]:
    """Compute keys[at: at + LANES] from the random numbers of those rounds. The tests have `key_of` for one round."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = _Lanes(builder)
        source = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        target = context.make_array(signature.args[2])(context, builder, arguments[2]).data
        at = arguments[1]
        cards, uneven, rank = (lanes.spread(argument) for argument in arguments[3:])
        drawn = [
            builder.load(
                builder.bitcast(
                    builder.gep(source, [builder.add(at, ir.Constant(at.type, row * BLOCK))]), _SHORT.as_pointer()
                ),
                align=2,
            )
            for row in range(6)
        ]
        dealt = [lanes.high(number, cards) for number in drawn]
        bad = [builder.icmp_unsigned("<", builder.mul(number, cards), uneven) for number in drawn]
        bad += [lanes.same(dealt[one], dealt[other]) for one in range(6) for other in range(one)]
        ranks = [lanes.high(card, rank) for card in dealt]
        nought = lanes.every(0)
        points = [builder.select(builder.icmp_unsigned("<", one, lanes.every(10)), one, nought) for one in ranks]
        player_pair = builder.select(lanes.same(ranks[0], ranks[2]), lanes.every(2), nought)
        banker_pair = builder.select(lanes.same(ranks[1], ranks[3]), lanes.every(1), nought)
        key = lanes.digits(
            (10_000, builder.add(player_pair, banker_pair)),
            (1_000, lanes.total(points[0], points[2])),
            (100, lanes.total(points[1], points[3])),
            (10, points[4]),
            (1, points[5]),
        )
        any_bad = bad[0]
        for one in bad[1:]:
            any_bad = builder.or_(any_bad, one)
        key = builder.select(any_bad, lanes.every(THROWN_AWAY), key)
        builder.store(key, builder.bitcast(builder.gep(target, [at]), _SHORT.as_pointer()), align=2)
        return context.get_dummy_value()

    return types.void(random, at, keys, cards, uneven, rank), generate


@inlined
def _random(a: Any, b: Any, c: Any, d: Any) -> Any:
    """xoshiro256++: the next number, and the four words of state after it."""
    t = a + d
    word = ((t << np.uint64(23)) | (t >> np.uint64(41))) + a
    t = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    return word, a, b, c, (d << np.uint64(45)) | (d >> np.uint64(19))


@kernel
def random_numbers(state: Any, words: Any) -> None:
    """`GENERATORS` generators side by side."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for start in range(0, words.size, GENERATORS):
        for j in range(GENERATORS):
            words[start + j], s0[j], s1[j], s2[j], s3[j] = _random(s0[j], s1[j], s2[j], s3[j])


@kernel
def keys_of_block(random: Any, keys: Any, cards: int, copies: int) -> None:
    uneven, rank = np.uint16(65536 % cards), np.uint16(-(-65536 // copies))
    for at in range(0, BLOCK, LANES):
        _keys_of_lanes(random, at, keys, np.uint16(cards), uneven, rank)  # type: ignore[call-arg]


@kernel
def play_fresh(state: Any, rounds: int, cards: int, copies: int, outcome_of_key: Any, tally: Any) -> None:
    """Play exactly that many rounds, each from a full shoe. Discarded rounds are played again."""
    words = np.empty(6 * BLOCK // 4, np.uint64)
    random = words.view(np.uint16).reshape(6, BLOCK)
    keys = np.empty(BLOCK, np.uint16)
    trash = outcome_of_key[THROWN_AWAY]
    left = rounds
    while left > 0:
        random_numbers(state, words)
        keys_of_block(random, keys, cards, copies)
        if left >= BLOCK:
            before = tally[trash]
            for i in range(BLOCK):
                tally[outcome_of_key[keys[i]]] += 1
            left -= BLOCK - (tally[trash] - before)
        else:
            for i in range(BLOCK):
                if keys[i] != THROWN_AWAY and left > 0:
                    tally[outcome_of_key[keys[i]]] += 1
                    left -= 1


@kernel
def play_shoes(
    state: Any, rounds: int, ranks: Any, burn: int, cut_card: int, player: Any, alone: Any, banker: Any, tally: Any
) -> int:
    """Play exactly that many rounds from whole shoes. A round that begins with the cut card out is the shoe's last.

    `ranks`: for every card of the shoe, its points in the low four bits and its rank above. `tally`: by [pairs][Player
    cards][Banker cards][P][B], with one more cell for rounds that run out of cards. Returns the number of shoes begun.
    """
    s0, s1, s2, s3 = state[0, 0], state[1, 0], state[2, 0], state[3, 0]
    cards, void = ranks.size, tally.size - 1
    shoes, left = 0, rounds
    while left > 0:
        shoes += 1
        drawn, last = burn, False
        for i in range(burn):
            s0, s1, s2, s3 = shuffle_in(ranks, i, cards, s0, s1, s2, s3)
        while left > 0 and not last:
            last = cards - drawn <= cut_card
            if cards - drawn < 4:
                tally[void] += 1
                left -= 1
                break
            for k in range(4):
                s0, s1, s2, s3 = shuffle_in(ranks, drawn + k, cards, s0, s1, s2, s3)
            one, two = np.int64(ranks[drawn]), np.int64(ranks[drawn + 1])
            three, four = np.int64(ranks[drawn + 2]), np.int64(ranks[drawn + 3])
            drawn += 4
            p, b = (one & 15) + (three & 15), (two & 15) + (four & 15)
            p = p - 10 if p >= 10 else p
            b = b - 10 if b >= 10 else b
            pairs = 2 * (one == three) + 1 * (two == four)
            third, fourth = player[np.uint64(p), np.uint64(b)], alone[np.uint64(p), np.uint64(b)]
            left -= 1
            if (third or fourth) and drawn == cards:
                tally[void] += 1
                break
            if third:
                s0, s1, s2, s3 = shuffle_in(ranks, drawn, cards, s0, s1, s2, s3)
                card = np.int64(ranks[drawn] & 15)
                drawn += 1
                p += card
                p = p - 10 if p >= 10 else p
                fourth = banker[np.uint64(card), np.uint64(b)]
                if fourth and drawn == cards:
                    tally[void] += 1
                    break
            if fourth:
                s0, s1, s2, s3 = shuffle_in(ranks, drawn, cards, s0, s1, s2, s3)
                b += np.int64(ranks[drawn] & 15)
                drawn += 1
                b = b - 10 if b >= 10 else b
            tally[np.uint64((((pairs * 2 + third) * 2 + fourth) * 10 + p) * 10 + b)] += 1
    state[0, 0], state[1, 0], state[2, 0], state[3, 0] = s0, s1, s2, s3
    return shoes


@kernel
def shuffle_in(ranks: Any, i: int, cards: int, s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """Swap a random card that is not drawn yet into place i, each with the same probability."""
    bound = np.uint64(cards - i)
    while True:
        word, s0, s1, s2, s3 = _random(s0, s1, s2, s3)
        scaled = (word >> np.uint64(32)) * bound
        low = scaled & np.uint64(0xFFFFFFFF)
        if low >= bound or low >= np.uint64(4294967296) % bound:
            break
    here = np.uint64(i)
    there = here + (scaled >> np.uint64(32))
    card = ranks[there]
    ranks[there] = ranks[here]
    ranks[here] = card
    return s0, s1, s2, s3
