"""HTTP: how an operation is declared, read and answered, and the OpenAPI document made from the declarations.

What each operation does is in `handlers`.
"""
