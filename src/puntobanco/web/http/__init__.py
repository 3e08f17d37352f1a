"""HTTP: how an operation is declared, read and answered, who calls, and the OpenAPI document.

What an operation does is in `puntobanco.web.handlers`.
"""
