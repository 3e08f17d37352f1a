"""Live connections: what each screen watches, when it is sent something, and what happens when it falls behind.

The messages themselves are in `puntobanco.protocol.live`. HTTP requests are in `puntobanco.web.http`.
"""
