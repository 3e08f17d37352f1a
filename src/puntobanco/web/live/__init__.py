"""Live connections: who watches what, when a channel speaks, and what each screen is sent."""
