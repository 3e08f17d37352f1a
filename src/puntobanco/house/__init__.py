"""A running house: tables, people, money, secrets and the clock around the pure core.

`house.py` takes every command to its table or to the journal, `stream.py` writes one stream, `offline.py` manages a
house that does not run, `first_start.py` creates one, and `integrity.py` holds dealing when program files differ.
Rules are not here, and neither is the network.
"""
