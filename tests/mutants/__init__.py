"""Mutation testing of the rules and the table."""
