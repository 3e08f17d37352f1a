"""A fuzzer of a running house: a real server process, people of every post, every game and layout, and what must hold.

`python -m tests.fuzz` runs it; see docs/testing.md.
"""
