"""The `puntobanco` command."""
