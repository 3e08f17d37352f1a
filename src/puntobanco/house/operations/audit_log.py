"""Copy every journal entry to the audit log."""

import msgspec

from puntobanco.house.operations.log import audit
from puntobanco.protocol import entries as b


def audit_entry(entry: b.AnyEntry) -> None:
    told = msgspec.to_builtins(entry)
    by, what = told.pop("by"), told.pop("type")
    result = "refused" if isinstance(entry, b.SignInRefused | b.AccessDenied) else "done"
    audit(what, who=by["person"], where=by.get("address", ""), result=result, entry=told)
