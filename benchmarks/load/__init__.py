"""A house under load: a server in a process of its own, and simulated terminals that bet over live connections."""
