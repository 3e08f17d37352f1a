"""The house on the network: live connections to its tables."""
