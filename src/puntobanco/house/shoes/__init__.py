"""Electronic shoes: shuffled, committed to before the first bet, disclosed and proven afterwards.

Only the automatic dealer, verification and reenactment hold the order of a shoe. Encrypting it is the work of
`secrets`.
"""
