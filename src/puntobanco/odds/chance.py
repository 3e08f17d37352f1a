"""Tail probabilities, without a dependency on scipy."""

from math import exp, lgamma, log


def chi_square_tail(value: float, freedom: int) -> float:
    """The probability of a chi-square above `value`: the regularised upper incomplete gamma function.

    >>> round(chi_square_tail(3.841459, 1), 4)
    0.05
    """
    if value <= 0 or freedom <= 0:
        return 1.0
    a, x = freedom / 2, value / 2
    scale = exp(-x + a * log(x) - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    b, c = x + 1 - a, 1e300
    d = 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        delta = d * c
        h *= delta
        if abs(delta - 1) < 1e-15:
            break
    return h * scale
