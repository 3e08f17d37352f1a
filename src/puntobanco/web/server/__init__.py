"""Below HTTP: accepting connections, uvicorn's protocols, and limits on how much of the server one caller may use.

Nothing here knows an operation, a session's rights or a table.
"""
