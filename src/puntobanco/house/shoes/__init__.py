"""Electronic shoes: shuffled, committed to before the first bet, disclosed and proven afterwards.

Only the automatic dealer, disclosure, verification and reenactment read the order of a shoe. `secrets` encrypts it.
"""
