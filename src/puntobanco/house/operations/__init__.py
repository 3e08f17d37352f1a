"""What an operator configures and watches: settings, logs, metrics, the clock, systemd, file digests.

Nothing here knows a table or a person.
"""
