"""The ledger: double entry in whole cents. Pure, below the table."""
