"""Exact odds for a running house: the odds process, and the worth of bets on cards already seen.

The figures themselves come from `puntobanco.odds`, which runs in a process of its own.
"""
