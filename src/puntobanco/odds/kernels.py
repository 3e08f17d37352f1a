"""Exact counting in closed form.

Cards are counted by their ten point classes. Ordered pairs of cards with total b number
`S[b] = sum over i of m[i] * A[i, b]` with `A[i, b] = m[b - i] - [2i = b]`, and two hands with totals p and b number
`S[p] S[b] - 4 V + 2 [p = b] S[p]` with `V = sum over i of m[i] A[i, p] A[i, b]`. A count does not depend on the order
of drawing, so a fifth and sixth card are taken out first and the two hands counted in what is left.

Every number is a whole number. The same source is compiled for floats, which hold whole numbers below 2^53 exactly and
multiply fastest, and for 64-bit integers; `exact.py` chooses.
"""

from typing import Any

import numpy as np

from puntobanco.odds.compiling import inlined, kernel
from puntobanco.odds.tables import Bools

Numbers = Any
"""An array of floats, or of 64-bit integers."""


@inlined
def take_out(m: Numbers, a: Numbers, x: int, change: int) -> None:
    """One card of class x more or less: m, and A with it."""
    m[x] += change
    for i in range(10):
        k = x + i
        a[i, k - 10 if k >= 10 else k] += change


@kernel
def pairs_of_cards(m: Numbers, a: Numbers, s: Numbers) -> None:
    """A and S of a shoe."""
    for i in range(10):
        for b in range(10):
            k = b - i
            a[i, b] = m[k + 10 if k < 0 else k]
        j = 2 * i
        a[i, j - 10 if j >= 10 else j] -= 1
    for b in range(10):
        s[b] = 0
        for i in range(10):
            s[b] += m[i] * a[i, b]


@kernel
def two_hands(m: Numbers, a: Numbers, s: Numbers, p: int, b: int) -> Any:
    """How many ordered deals of four cards give the two totals."""
    v = m[0] * a[0, p] * a[0, b]
    for i in range(1, 10):
        v += m[i] * a[i, p] * a[i, b]
    q = s[p] * s[b] - 4 * v
    if p == b:
        q += 2 * s[p]
    return q


@kernel
def count_points(  # noqa: PLR0912 (the arms of the table of play)
    m: Numbers, four: Any, five: Any, player: Bools, alone: Bools, banker: Numbers, out: Numbers, stop: int
) -> None:
    """Every deal by points and number of cards, whatever the pairs.

    `four` and `five` are the ways to go on drawing after so many cards, so that all counts are of equally many cards.
    `stop` is how many cards there are to draw at the most: what would need more is counted nowhere.
    """
    a, s, s1, s2 = np.empty((10, 16), m.dtype), np.empty(16, m.dtype), np.empty(16, m.dtype), np.empty(16, m.dtype)
    sixth = np.zeros((20, 20), m.dtype)
    nought = sixth[0, 0]
    drawing = 0
    for p in range(10):
        if player[p, 0]:
            drawing = p + 1
    pairs_of_cards(m, a, s)
    for p in range(10):
        for b in range(10):
            if not (player[p, b] or alone[p, b]):
                out[0, 0, p, b] += four * two_hands(m, a, s, p, b)
    if stop < 5:
        return
    for x in range(10):
        mx = m[x]
        if mx == 0:
            continue
        for b in range(10):
            s1[b] = s[b] - 2 * a[x, b]
        take_out(m, a, x, -1)
        for p in range(8):
            for b in range(8):
                if alone[p, b]:
                    out[0, 1, p, (b + x) % 10] += mx * five * two_hands(m, a, s1, p, b)
                elif player[p, b] and banker[x, b] == 0:
                    out[1, 0, (p + x) % 10, b] += mx * five * two_hands(m, a, s1, p, b)
        if stop == 6:
            for y in range(x, 10):
                my = m[y]
                if my == 0:
                    continue
                for b in range(8):
                    s2[b] = s1[b] - 2 * a[y, b]
                take_out(m, a, y, -1)
                for p in range(drawing):
                    if player[p, 0]:
                        _six_cards(m, a, s2, p, mx * my, x, y, banker, sixth, nought)
                take_out(m, a, y, 1)
        take_out(m, a, x, 1)
    for i in range(20):
        for j in range(20):
            out[1, 1, i % 10, j % 10] += sixth[i, j]


@inlined
def _six_cards(
    m: Numbers,
    a: Numbers,
    s: Numbers,
    p: int,
    w: Any,
    x: int,
    y: int,
    banker: Numbers,
    sixth: Numbers,
    nought: Any,
) -> None:
    """Both third cards drawn, x and y in either order; eight totals of the Banker side by side, for the processor."""
    v0 = v1 = v2 = v3 = v4 = v5 = v6 = v7 = nought
    for i in range(10):
        t = m[i] * a[i, p]
        v0 += t * a[i, 0]
        v1 += t * a[i, 1]
        v2 += t * a[i, 2]
        v3 += t * a[i, 3]
        v4 += t * a[i, 4]
        v5 += t * a[i, 5]
        v6 += t * a[i, 6]
        v7 += t * a[i, 7]
    ws, w4 = w * s[p], 4 * w
    same = 2 * ws
    q0 = ws * s[0] - w4 * v0
    q1 = ws * s[1] - w4 * v1
    q2 = ws * s[2] - w4 * v2
    q3 = ws * s[3] - w4 * v3
    q4 = ws * s[4] - w4 * v4
    q5 = ws * s[5] - w4 * v5
    q6 = ws * s[6] - w4 * v6
    q7 = ws * s[7] - w4 * v7
    row = p + x
    sixth[row, y + p] += same * banker[x, p]
    sixth[row, y] += q0 * banker[x, 0]
    sixth[row, y + 1] += q1 * banker[x, 1]
    sixth[row, y + 2] += q2 * banker[x, 2]
    sixth[row, y + 3] += q3 * banker[x, 3]
    sixth[row, y + 4] += q4 * banker[x, 4]
    sixth[row, y + 5] += q5 * banker[x, 5]
    sixth[row, y + 6] += q6 * banker[x, 6]
    sixth[row, y + 7] += q7 * banker[x, 7]
    if x != y:
        row = p + y
        sixth[row, x + p] += same * banker[y, p]
        sixth[row, x] += q0 * banker[y, 0]
        sixth[row, x + 1] += q1 * banker[y, 1]
        sixth[row, x + 2] += q2 * banker[y, 2]
        sixth[row, x + 3] += q3 * banker[y, 3]
        sixth[row, x + 4] += q4 * banker[y, 4]
        sixth[row, x + 5] += q5 * banker[y, 5]
        sixth[row, x + 6] += q6 * banker[y, 6]
        sixth[row, x + 7] += q7 * banker[y, 7]


@inlined
def _count_pairs(  # noqa: PLR0912
    m: Numbers, pairs: Numbers, four: Any, five: Any, player: Bools, alone: Bools, banker: Numbers, out: Numbers,
    stop: int, of_player: bool,
) -> None:  # fmt: skip
    """Deals in which that hand has a pair: `pairs[c]` ordered pairs of one rank within class c.

    The other hand has the total `o`. `of_player` is a constant wherever this is inlined.
    """
    a, s, s1, s2 = np.empty((10, 16), m.dtype), np.empty(16, m.dtype), np.empty(16, m.dtype), np.empty(16, m.dtype)
    for c in range(10):
        if pairs[c] == 0:
            continue
        pair = 2 * c % 10
        m[c] -= 2
        pairs_of_cards(m, a, s)
        for o in range(10):
            p, b = (pair, o) if of_player else (o, pair)
            if not (player[p, b] or alone[p, b]):
                out[0, 0, p, b] += four * pairs[c] * s[o]
        for x in range(10 if stop >= 5 and pair < 8 else 0):
            w = pairs[c] * m[x]
            if w == 0:
                continue
            for o in range(8):
                s1[o] = s[o] - 2 * a[x, o]
            for o in range(8):
                p, b = (pair, o) if of_player else (o, pair)
                if alone[p, b]:
                    out[0, 1, p, (b + x) % 10] += w * five * s1[o]
                elif player[p, b] and banker[x, b] == 0:
                    out[1, 0, (p + x) % 10, b] += w * five * s1[o]
            if stop == 6 and (player[pair, 0] if of_player else banker[x, pair] != 0):
                for y in range(10):
                    my = m[y] - (1 if x == y else 0)
                    for o in range(8):
                        s2[o] = s1[o] - 2 * a[y, o]
                    if x + y < 8:
                        s2[x + y] += 2
                    elif x + y >= 10 and x + y < 18:
                        s2[x + y - 10] += 2
                    for o in range(8):
                        p, b = (pair, o) if of_player else (o, pair)
                        if of_player or player[p, 0]:
                            i, j = p + x, b + y
                            out[1, 1, i - 10 if i >= 10 else i, j - 10 if j >= 10 else j] += (
                                w * my * banker[x, b] * s2[o]
                            )
        m[c] += 2


@kernel
def count_both_pairs(
    m: Numbers, pairs: Numbers, fours: Numbers, four: Any, five: Any, player: Bools, alone: Bools, banker: Numbers,
    out: Numbers, stop: int,
) -> None:  # fmt: skip
    """Deals in which both have a pair: `fours[c]` ordered pairs of pairs within one class."""
    for c in range(10):
        for d in range(10):
            w = fours[c] if c == d else pairs[c] * pairs[d]
            if w == 0:
                continue
            p, b = 2 * c % 10, 2 * d % 10
            if not (player[p, b] or alone[p, b]):
                out[0, 0, p, b] += four * w
                continue
            m[c] -= 2
            m[d] -= 2
            for x in range(10 if stop >= 5 else 0):
                wx = w * m[x]
                if alone[p, b]:
                    out[0, 1, p, (b + x) % 10] += wx * five
                elif banker[x, b] == 0:
                    out[1, 0, (p + x) % 10, b] += wx * five
                elif stop == 6:
                    for y in range(10):
                        k = b + y
                        out[1, 1, (p + x) % 10, k - 10 if k >= 10 else k] += wx * (m[y] - (1 if x == y else 0))
            m[c] += 2
            m[d] += 2


@kernel
def count_all(
    m: Numbers, pairs: Numbers, fours: Numbers, four: Any, five: Any, player: Bools, alone: Bools, banker: Numbers,
    out: Numbers, stop: int,
) -> None:  # fmt: skip
    """The joint law: out[pairs][Player cards][Banker cards][P][B], pairs 0 none, 1 Banker's, 2 Player's, 3 both."""
    count_points(m, four, five, player, alone, banker, out[0], stop)
    _count_pairs(m, pairs, four, five, player, alone, banker, out[1], stop, False)
    _count_pairs(m, pairs, four, five, player, alone, banker, out[2], stop, True)
    count_both_pairs(m, pairs, fours, four, five, player, alone, banker, out[3], stop)
    none, of_banker, of_player, both = out[0].reshape(-1), out[1].reshape(-1), out[2].reshape(-1), out[3].reshape(-1)
    for k in range(none.size):
        none[k] += both[k] - of_banker[k] - of_player[k]
        of_banker[k] -= both[k]
        of_player[k] -= both[k]


# ---- cards that are known before they are drawn ------------------------------------------------------------------


@inlined
def _drawn(left: Numbers, rank: int, unseen: int) -> Any:
    """How many such cards may come; one that is known is the one that comes, and is not in the shoe."""
    many = left[rank] if unseen else 1
    left[rank] -= unseen
    return many


@kernel
def count_known(
    left: Numbers, points: Numbers, first: Numbers, last: Numbers, rest: Numbers, player: Bools, alone: Bools,
    banker: Bools, out: Numbers, stop: int,
) -> None:  # fmt: skip
    """The joint law where the rank of some draws is known: the k-th is one of `first[k]` to `last[k]`.

    `rest[k]` are the ways to go on drawing after k cards. Every deal is counted rank by rank, in a few milliseconds.
    """
    u = np.empty(6, left.dtype)
    for k in range(6):
        u[k] = 1 if last[k] > first[k] else 0
    for r1 in range(first[0], last[0] + 1):
        w1 = _drawn(left, r1, u[0])
        for r2 in range(first[1], last[1] + 1 if w1 else 0):
            w2 = w1 * _drawn(left, r2, u[1])
            for r3 in range(first[2], last[2] + 1 if w2 else 0):
                w3 = w2 * _drawn(left, r3, u[2])
                p = (points[r1] + points[r3]) % 10
                for r4 in range(first[3], last[3] + 1 if w3 else 0):
                    w4 = w3 * _drawn(left, r4, u[3])
                    b = (points[r2] + points[r4]) % 10
                    pairs = out[2 * (r1 == r3) + (r2 == r4)]
                    if not (player[p, b] or alone[p, b]):
                        pairs[0, 0, p, b] += w4 * rest[4]
                    elif w4 and stop >= 5:
                        for r5 in range(first[4], last[4] + 1):
                            w5 = w4 * _drawn(left, r5, u[4])
                            x = points[r5]
                            if alone[p, b]:
                                pairs[0, 1, p, (b + x) % 10] += w5 * rest[5]
                            elif not banker[x, b]:
                                pairs[1, 0, (p + x) % 10, b] += w5 * rest[5]
                            elif stop == 6:
                                for r6 in range(first[5], last[5] + 1):
                                    w6 = w5 * (left[r6] if u[5] else 1)
                                    pairs[1, 1, (p + x) % 10, (b + points[r6]) % 10] += w6
                            left[r5] += u[4]
                    left[r4] += u[3]
                left[r3] += u[2]
            left[r2] += u[1]
        left[r1] += u[0]
