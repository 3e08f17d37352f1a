"""The `puntobanco` command: arguments in, text or JSON out.

Each module holds the subcommands of one part of the product. Nothing is decided here: rules, odds and the house are
called, and their answers shown.
"""
