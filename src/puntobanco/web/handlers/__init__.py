"""The operations of the HTTP API, one module for each part of the product.

A handler takes a request that was read and checked, calls the house and returns a type of `puntobanco.protocol`. The
declaration above it names the posts that may call it; the handler checks only rights that depend on the person it is
asked about. Rules are not here.
"""
