"""The operations of the HTTP API, one module for each part of the product.

A handler takes a request that was read and checked, calls the house and returns a type of `puntobanco.protocol`. The
declaration above it says which posts may call; it checks only what depends on the person asked about. Rules are not
here.
"""
