"""Everything that crosses a boundary: the store, the wire, an export.

Answers, live messages, posts, administrative commands and journal entries, as plain data that always encodes, and the
posts that may send each command. Nothing here has state or uses a store, a house or a server: it may import `rules`,
`ledger` and `table` only. `client` imports only this package and the types it carries.
"""
