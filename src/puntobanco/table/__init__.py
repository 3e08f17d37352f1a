"""One table over time: commands are decided into events, and events evolve the state.

Betting, dealing, irregularities, settlement, views, the account in words and the money of each event. Pure, like the
rules below it: no clock, no randomness, no storage. Whoever runs a table is in `puntobanco.house.tables`.
"""
