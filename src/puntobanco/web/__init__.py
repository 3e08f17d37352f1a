"""The house on the network: HTTP, live connections and screens in one server.

`serve.py` starts and stops it, `asgi.py` and `routes.py` take requests to their handlers, `housekeeping.py` follows
events and does what is due every second, and `services.py` is what all of them share. Nothing here decides a rule or
moves money.
"""
