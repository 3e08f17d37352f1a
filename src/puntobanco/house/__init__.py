"""The running house: everything the pure core must not do itself.

`house.py` brings tables, journal and people together, `offline.py` manages a house that does not run, `first_start.py`
creates one, and `integrity.py` holds dealing when program files differ. Everything else is in the packages below.
"""
