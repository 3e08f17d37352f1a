"""Who somebody is: passwords, TOTP codes, sessions, sign-in, throttling, and a guest's PIN or card.

What somebody may do is not here: posts are in `puntobanco.protocol.posts`.
"""
