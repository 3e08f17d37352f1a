"""Secrets at rest: the encryption key, and the rows of the store that are encrypted with it.

Orders of shoes and second factors are encrypted. Passwords and sessions are not here: the store keeps their hashes.
"""
