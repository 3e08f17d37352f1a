"""Running tables: the one writer of each table's stream, and the automatic dealer.

The queue and its batches, answers to retried requests, snapshots, the automatic dealer and its timer, and internal
errors in handling one command. The effect of a command is decided in `puntobanco.table`, never here.
"""
