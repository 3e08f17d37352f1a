"""The store: histories, money and answers in one transaction. One interface, two engines, one conformance suite."""
