"""Text that people write: one printable line, so that nobody can forge a history, a journal or a log with it."""

from collections.abc import Iterator

import msgspec

from puntobanco.rules.refusal import Reason, Refused


def is_line(text: str, most: int) -> bool:
    """Whether the text is one printable line that is not blank and has at most that many characters."""
    return bool(text.strip()) and len(text) <= most and text.isprintable()


def printable(text: str) -> str:
    """The text with a question mark for every character that is not printable, such as a terminal's control
    characters."""
    return "".join(one if one.isprintable() else "?" for one in text)


def check_text(value: object, file: str, place: str, field: str = "", *, most: int | None = None) -> None:
    """Refuse text that is not a printable line, anywhere within the value. Text may be empty where `most` limits its
    length."""
    if isinstance(value, str):
        if most is not None and len(value) > most:
            raise Refused(Reason.TEXT_TOO_LONG, file=file, place=place, field=field, most=most)
        if not value.isprintable() or (most is None and not value.strip()):
            raise Refused(Reason.TEXT_UNREADABLE, file=file, place=place, field=field)
    elif not isinstance(value, int):
        for name, held in within(value):
            check_text(held, file, place, f"{field}.{name}" if field and name else field or name, most=most)


def within(value: object) -> Iterator[tuple[str, object]]:
    """The parts of a value, under the names that the file uses."""
    if isinstance(value, msgspec.Struct):
        for name, written in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            yield written, getattr(value, name)
    elif isinstance(value, tuple):
        yield from ((str(getattr(held, "key", place)), held) for place, held in enumerate(value, start=1))
    elif isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from (("", held) for held in value)
