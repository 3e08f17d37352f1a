"""The running house: everything the pure core must not do itself.

`house.py` brings tables, journal and people together; each package below it says what belongs there.
"""
