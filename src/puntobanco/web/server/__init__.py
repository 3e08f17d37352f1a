"""Below HTTP: accepting connections, uvicorn's protocols, and how much of the server one caller may use.

Nothing here knows an operation, a session's rights or a table.
"""
