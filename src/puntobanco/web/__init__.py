"""The house on the network: HTTP, live connections and screens in one server.

`serve.py` starts and stops it, `asgi.py` and `routes.py` pass requests to their handlers, `housekeeping.py` follows
events and runs periodic work, and all of them share `services.py`. Nothing here decides a rule or moves money.
"""
