"""Exact odds on any shoe, and simulation at the hardware's speed.

numpy and numba are used only here. A server that runs tables never imports this package: it asks a process of its own.

>>> import puntobanco as pb
>>> from puntobanco import odds
>>> game, shoe = pb.game("wu-song"), odds.Shoe.of(8)

The exact law of a round, and what it makes of every bet of a layout:

>>> odds.law(shoe).total
4998398275503360
>>> prices = odds.price(game, shoe)
>>> prices["wu_dalang"].house_edge
Fraction(998343789985, 3904998652737)
>>> round(prices["wu_dalang"].stdev, 4), round(float(prices["tie"].house_edge), 6)
(10.5755, 0.064416)

Any shoe, down to none; insurance, averaged or on the very cards; which bets favour the player right now:

>>> short = odds.read_shoe("A=1,6=3,8=2,9=2,K=4")
>>> sorted(odds.live(game, short).favourable)
['banker_pair', 'player_pair', 'small_tiger', 'tie', 'tiger_tie']
>>> insurance = pb.game("insurance")
>>> cell = odds.on_the_table(insurance, shoe, pb.deal("2 2 3 4"))
>>> (cell.window.value, cell.insures.value, str(cell.row.odds)), round(float(cell.ev), 4)
(('four', 'banker', '3:1'), 0.054)

Simulation by a plan; equal plans give equal tallies, on any number of cores or a cluster:

>>> run = odds.simulation(odds.Plan(rounds=100_000, seed=7))
>>> run.rounds, run.complete, abs(run.bets(game)["banker"].z) < 4
(100000, True, True)

What a hundred rounds may come to:

>>> night = odds.session(game, {"banker": pb.money("100")}, 100, bankroll=pb.money("1000"))
>>> pb.show(night.percentile(0.5)), round(night.ruin, 3)
('−750', 0.479)
"""

from puntobanco.extras import explained

try:
    import numba as _numba  # noqa: F401
except ModuleNotFoundError as missing:
    raise explained(missing) from None

from puntobanco.odds import cluster, exact, files, insurance, pricing, protection, sessions, simulate
from puntobanco.odds import shoe as _shoe
from puntobanco.odds.exact import Law
from puntobanco.odds.insurance import Cell
from puntobanco.odds.pricing import Menu, Price, Prices
from puntobanco.odds.protection import Count, Exposure, Protection, ShoeWorth
from puntobanco.odds.sessions import SessionForecast
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.simulate import Estimate, Fit, Plan, Simulation, SimulationMode
from puntobanco.rules.arguments import checked

best_count = checked(protection.best_count)
cells = checked(insurance.cells)
law = checked(exact.law)
live = checked(protection.live)
menu = checked(pricing.menu)
on_the_table = checked(insurance.on_the_table)
perfect_play = checked(protection.protection, "perfect_play")
points = checked(exact.points)
price = checked(pricing.price)
read_shoe = checked(_shoe.read_shoe)
removal_effects = checked(protection.removal_effects)
session = checked(sessions.session)
simulate_on = checked(cluster.simulate_on)
simulation = checked(simulate.simulate, "simulation")
write_table = checked(files.write_table)

__all__ = [
    "Cell", "Count", "Estimate", "Exposure", "Fit", "Law", "Menu", "Plan", "Price", "Prices", "Protection", "ShoeWorth",
    "SimulationMode", "SessionForecast", "Shoe", "Simulation", "best_count", "cells", "law", "live", "menu",
    "on_the_table", "perfect_play", "points", "price", "read_shoe", "removal_effects", "session", "simulate_on",
    "simulation", "write_table",
]  # fmt: skip
