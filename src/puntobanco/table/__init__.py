"""One table over time: commands are decided into events, events evolve the state. Pure, like the rules below it."""
