"""Live connections: who watches what, when a channel publishes, and what each screen receives."""
