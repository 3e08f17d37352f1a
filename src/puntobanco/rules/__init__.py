"""What the approved documents say: games as data, and the functions that deal, settle and explain them.

Cards, bets, pay lines, limits, paragraphs, reasons of refusals and the sentences people read. Pure: no clock, no
randomness, no logging; only `library.py` reads files. What happens at a table over time is in `puntobanco.table`.
"""
