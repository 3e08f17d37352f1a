"""A running house: tables, people, money, secrets and the clock around the pure core.

`house.py` passes every command to its table or to the journal, `stream.py` writes one stream, `offline.py` manages a
house that is not running, `first_start.py` creates the first administrator, and `integrity.py` stops dealing when
program files differ. Rules are not here, and neither is the network.
"""
