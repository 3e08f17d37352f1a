"""Odds: the exact price of every bet on any shoe, and simulation. numpy and numba live here and nowhere else."""
