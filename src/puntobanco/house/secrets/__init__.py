"""Secrets at rest: the encryption key, and the rows of the store that are encrypted with it.

Nothing here knows what the secrets are for: shoes, passwords and sessions are above it.
"""
