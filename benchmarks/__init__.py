"""Measurements: ours beside a limit, in one run."""
