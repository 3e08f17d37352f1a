"""Live connections: what a screen watches, when it is sent something, and when it is disconnected.

The messages are in `puntobanco.protocol.live`. HTTP requests are in `puntobanco.web.http`.
"""
