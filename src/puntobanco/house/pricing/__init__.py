"""Exact odds for a running house: the odds process, and the worth of bets on cards already seen.

`puntobanco.odds` computes the figures, in a separate process.
"""
