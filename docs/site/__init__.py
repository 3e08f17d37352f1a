"""The documentation site: pages written by hand and pages generated from the code, built by `make docs`.

What a page says comes from the game files, docstrings, tests and scenarios. What is written by hand is in docs/.
"""
