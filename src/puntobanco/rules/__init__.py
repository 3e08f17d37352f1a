"""What the approved documents say: games as data, and the pure functions that deal, settle and explain them."""
