"""Logging: one line per event, without secrets, and safe against forged lines.

Our loggers and those of libraries use the same steps. Only plain values are printed; of other objects only the type is,
because they might hold the order of a shoe. Values under a secret name are never printed.
"""

import json
import logging
import logging.handlers
import os
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from enum import Enum
from io import TextIOWrapper
from pathlib import PurePath
from typing import Any, TextIO
from uuid import UUID

import structlog
from structlog.typing import EventDict, Processor

from puntobanco.house.operations.settings import MASK, LogFormat, LogSettings
from puntobanco.rules.refusal import Reason, Refused

AUDIT = "puntobanco.audit"

LONGEST, MOST, DEEPEST = 1_000, 50, 4
"""Most characters in a value, values in a list, and nested lists."""

SECRET = frozenset({"password", "passwd", "passphrase", "token", "cookie", "authorization", "salt", "order", "secret"})

_WORD = re.compile("[a-z]+")
_URL_PASSWORD = re.compile(r"(://[^\s/:@]*:)\S*(?=@)")
_SAID = re.compile(
    rf"(?i)\b([\w-]*(?:{'|'.join(sorted(SECRET - {'order'}))})s?[\"']?\s*[:=]\s*)([^\s,;]+(?:\s+[\w.~+/=-]{{8,}})?)"
)


# ---- what may be printed -----------------------------------------------------------------------------------------


def is_secret(name: str) -> bool:
    """
    >>> is_secret("Set-Cookie"), is_secret("shoe_order"), is_secret("salts"), is_secret("border")
    (True, True, True, False)
    """
    return any(word in SECRET or word.removesuffix("s") in SECRET for word in _WORD.findall(name.lower()))


def plain(value: object, depth: int = 0) -> Any:
    """The value in a form that may be printed."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) < 2**63 else "<int>"
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, Enum):
        return safe(str(value.value))
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, PurePath | UUID | date):
        return safe(str(value))
    if isinstance(value, BaseException):
        return safe(f"{type(value).__name__}: {value}")
    if depth < DEEPEST and isinstance(value, Mapping):
        return {safe(str(name)): MASK if is_secret(str(name)) else plain(held, depth + 1)
                for name, held in list(value.items())[:MOST]}  # fmt: skip
    if depth < DEEPEST and isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [plain(one, depth + 1) for one in value[:MOST]]
    return f"<{safe(type(value).__name__)}>"


def safe(text: str) -> str:
    r"""On one line, without control characters or bidirectional marks, truncated, and without passwords.

    >>> safe("ann\nbob\u202e"), safe("postgresql://house:s3cret@db")
    ('ann\\nbob\\u202e', 'postgresql://house:***@db')
    """
    if len(text) > LONGEST:
        text = text[:LONGEST] + "…"
    text = _SAID.sub(rf"\1{MASK}", _URL_PASSWORD.sub(rf"\1{MASK}", text))
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


# ---- the steps of a line -----------------------------------------------------------------------------------------


def _exception(_logger: object, _name: str, event: EventDict) -> EventDict:
    """Where it happened and the message, line by line; never the values of variables."""
    caught = event.pop("exc_info", None)
    if caught is True:
        caught = sys.exc_info()
    error = caught[1] if isinstance(caught, tuple) else caught
    if isinstance(error, BaseException):
        said = "".join(traceback.format_exception(error)).splitlines()
        event["exception"] = said[-MOST:]
    return event


def _plain(_logger: object, _name: str, event: EventDict) -> EventDict:
    cleaned: EventDict = plain(dict(event))
    return cleaned


def _json(_logger: object, _name: str, event: EventDict) -> str:
    return json.dumps(event, sort_keys=True, ensure_ascii=False)


def _console(_logger: object, _name: str, event: EventDict) -> str:
    """For people: values are quoted, and the lines of an exception follow a bar that no value can forge."""
    at, level, name, said = (event.pop(key, "") for key in ("at", "level", "logger", "event"))
    lines = event.pop("exception", [])
    rest = "".join(f" {key}={json.dumps(value, ensure_ascii=False)}" for key, value in sorted(event.items()))
    return "\n    | ".join([f"{at} {level:<8} {name}: {said}{rest}", *lines])


_BEFORE: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    _exception,
    _plain,
]


class Formatter(structlog.stdlib.ProcessorFormatter):
    """One format for every logger. Arguments of library messages are cleaned before formatting."""

    def __init__(self, format: LogFormat) -> None:
        last: Processor = _json if format is LogFormat.JSON else _console
        remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
        super().__init__(foreign_pre_chain=_BEFORE, processors=[remove, last])

    def format(self, record: logging.LogRecord) -> str:
        if record.args and not isinstance(record.msg, dict):
            record = logging.makeLogRecord(record.__dict__)
            record.args = _arguments(record.args)
        return super().format(record)


def _arguments(given: object) -> Any:
    """Numbers stay numbers, because the message may format them."""
    cleaned = plain(given)
    return tuple(cleaned) if isinstance(cleaned, list) else cleaned


class Sparing(logging.Filter):
    """At most one line per second of each kind, with the number of lines omitted. Errors are always logged."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._written: dict[str, float] = {}
        self._left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR:
            return True
        said: object = record.msg  # of our own loggers all there is to say, by name
        now, kind = self._clock(), str(said["event"] if isinstance(said, dict) else said)
        if now - self._written.get(kind, float("-inf")) < 1.0:
            self._left_out[kind] += 1
            return False
        self._written[kind] = now
        if (more := self._left_out.pop(kind, 0)) and isinstance(said, dict):
            record.msg = {**said, "left_out": more}
        elif more:
            record.msg, record.args = f"{record.getMessage()}; {more} more were left out", ()
        return True


# ---- where lines go ----------------------------------------------------------------------------------------------


class AddedFile(logging.handlers.WatchedFileHandler):
    """A file that only its owner can read, reopened when it was moved away."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        return open(descriptor, "a", encoding="utf-8", errors="backslashreplace")


class AuditFile(AddedFile):
    """The audit file. If a line cannot be written, the error is raised to the caller and stops the server."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802  (the words are logging's)
        error = sys.exc_info()[1]
        assert error is not None, "logging calls this for an error"
        raise error


def start_log(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Configure all loggers of the process. May be called again."""
    stop_log()
    main = _opened(AddedFile, settings.file) if settings.file else logging.StreamHandler(stream or sys.stderr)
    main.setFormatter(Formatter(settings.format))
    root = logging.getLogger()
    root.addHandler(main)
    root.setLevel(settings.level.upper())
    audited = logging.getLogger(AUDIT)
    audited.setLevel(logging.INFO)
    if settings.audit_file:
        apart = _opened(AuditFile, settings.audit_file)
        apart.setFormatter(Formatter(LogFormat.JSON))
        audited.addHandler(apart)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *_BEFORE, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _opened(kind: type[AddedFile], file: str) -> logging.Handler:
    try:
        return kind(file)
    except OSError as error:
        raise Refused(Reason.OUTPUT_UNWRITABLE, file=file, why=error.strerror) from None


def stop_log() -> None:
    """Close the files. Later log lines are dropped."""
    for logger in (logging.getLogger(), logging.getLogger(AUDIT)):
        for handler in logger.handlers[:]:
            if isinstance(handler.formatter, Formatter):
                logger.removeHandler(handler)
                with suppress(OSError):  # a full disk was told of when it was written to
                    handler.close()


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """`name` is an area: `tables`, `web`, `people`."""
    made: structlog.stdlib.BoundLogger = structlog.get_logger(f"puntobanco.{name}")
    return made


def audit(what: str, *, who: str, where: str, result: str, **more: object) -> None:
    """Write an audit line: who did or tried what, where, and the result; the time is added. Raises if it cannot be
    written."""
    structlog.get_logger(AUDIT).info(what, who=who, where=where, result=result, **more)
