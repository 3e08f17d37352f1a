"""The operations of the HTTP API, one module for each part of the product.

A handler takes a request that was read and checked, calls the house and returns a type of `puntobanco.protocol`. Rules
are not here, and neither is the check of who may call: the declaration above the handler says that.
"""
