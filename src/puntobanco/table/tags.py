"""The tags under which commands, events and entries are stored and sent. Renaming a class does not change its tag."""

from functools import cache

import msgspec


@cache
def tag_of(kind: type[msgspec.Struct]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str), f"{kind.__name__} has no tag"
    return tag
