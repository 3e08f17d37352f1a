"""The house's own stream: people, tables, the cashier's money, dual control, incidents.

Administrative commands are decided here and written by one writer. Their data types are in `puntobanco.protocol`. The
stream of a table contains what happens at that table.
"""
