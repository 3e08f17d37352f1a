"""The running house: what the pure core must not do itself."""
