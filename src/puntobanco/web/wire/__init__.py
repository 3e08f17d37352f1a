"""What goes over the wire: every message and answer, as one set of definitions.

The OpenAPI document, the Python client and the TypeScript types are made from these. Money is whole cents, moments are
milliseconds UTC.
"""
