"""The operations of the HTTP API, one module for each part of the product.

A handler reads a request, calls the house and returns a type of `puntobanco.protocol`. Rules are not here.
"""
