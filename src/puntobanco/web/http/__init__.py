"""HTTP: how an operation is declared, read and answered, who calls it, and the OpenAPI document.

The operations themselves are in `puntobanco.web.handlers`.
"""
