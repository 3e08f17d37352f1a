"""Electronic shoes: shuffled, sealed before the first bet, disclosed and proven afterwards.

No undealt card leaves this package except the next one, to the dealer of its table.
"""
