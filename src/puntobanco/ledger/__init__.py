"""Double entry in whole cents: accounts, postings and their invariants.

Pure, and below the table. Which event moves which money is in `puntobanco.table.money`; where it is kept, in
`puntobanco.store`.
"""
