"""Tests. Those that enforce a paragraph carry its mark (`tests.marks.rulebook`)."""
