"""The house on the network: HTTP, live connections and screens in one server.

`serve.py` starts and stops it. Nothing here decides a rule or moves money.
"""
