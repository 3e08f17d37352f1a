"""What an operator configures and watches: settings, logs, metrics, the clock, systemd, file digests.

Nothing here uses a running table, the journal or a session.
"""
