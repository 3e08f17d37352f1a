"""What a field is when it is left out, pinned for everything a table stores: `python -m tests.golden.defaults` adds new
fields.

Stored events and commands omit fields at their default, so another default would change what was stored before.
"""

import json
from inspect import getmembers, isclass
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from puntobanco.table import authority, commands, events, setup, state

FILE = Path(__file__).parent / "defaults.json"
MODULES = (authority, commands, events, setup, state)


def defaults() -> dict[str, dict[str, Any]]:
    """The fields that may be left out, by module and struct."""
    found = {
        f"{module.__name__.rpartition('.')[2]}.{name}": _left_out(kind)
        for module in MODULES
        for name, kind in sorted(_structs(module).items())
    }
    return {name: fields for name, fields in found.items() if fields}


def _structs(module: ModuleType) -> dict[str, type[msgspec.Struct]]:
    kinds = dict(getmembers(module, lambda one: isclass(one) and issubclass(one, msgspec.Struct)))
    return {name: kind for name, kind in kinds.items() if kind.__module__ == module.__name__}


def _left_out(kind: type[msgspec.Struct]) -> dict[str, Any]:
    fields = [field for field in msgspec.structs.fields(kind) if not field.required]
    values = {
        field.name: field.default_factory() if field.default is msgspec.NODEFAULT else field.default for field in fields
    }
    return msgspec.json.decode(msgspec.json.encode(values), type=dict[str, Any])


def main() -> None:
    FILE.write_text(json.dumps(defaults(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
