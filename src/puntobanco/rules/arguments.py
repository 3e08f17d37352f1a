"""Arguments of public functions: of the types that the function declares, or refused with a sentence."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, NamedTuple, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from puntobanco.rules.refusal import Reason, Refused

P = ParamSpec("P")
R = TypeVar("R")

TOO_LARGE = 10**100
"""No number here means anything beyond this, and Python refuses to print some that are larger."""


def checked(function: Callable[P, R], name: str = "") -> Callable[P, R]:
    """The function, which refuses arguments of other types than it declares. `name`: its public one, if it has another.

    >>> @checked
    ... def twice(number: int) -> int:
    ...     return 2 * number
    >>> twice("2")
    Traceback (most recent call last):
    puntobanco.rules.refusal.Refused: argument_type (function=twice, argument=number, expected=int, got=str)
    """
    signature = inspect.signature(function)

    @wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> R:
        hints = _hints(function)
        for argument, value in signature.bind(*args, **named).arguments.items():
            if argument in hints:  # `self` has none
                check_argument(name or function.__name__, argument, value, hints[argument])
        return function(*args, **named)

    return call


def check_argument(function: str, argument: str, value: object, hint: Any) -> None:
    usual = getattr(hint, "__supertype__", hint)
    if type(value) is usual and not (isinstance(value, int) and abs(value) >= TOO_LARGE):
        return
    for wrong in _misfits(value, hint, argument):
        raise bad_argument(function, *wrong)


def bad_argument(function: str, argument: str, expected: str, got: object) -> Refused:
    return Refused(Reason.ARGUMENT_TYPE, function=function, argument=argument, expected=expected, got=got)


def check_fields(made: Any) -> None:
    """For a class whose instances people make: that each field is of its type."""
    kind: Any = type(made)
    for field, hint in _hints(kind).items():
        check_argument(kind.__name__, field, getattr(made, field), hint)


_hints = cache(get_type_hints)


class _Misfit(NamedTuple):
    """Something that has another type than expected, and where: `stakes['tie']`."""

    argument: str
    expected: str
    got: str


def _misfits(value: object, hint: Any, at: str) -> Iterator[_Misfit]:
    """What does not have that type, also within a list or mapping."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return
    if origin in (Union, UnionType):
        alike = [one for one in inner if _is(value, one)]
        if alike:
            yield from _misfits(value, alike[0], at)
        else:
            yield _Misfit(at, _name(hint), type(value).__name__)
    elif not _is(value, hint):
        yield _Misfit(at, _name(hint), type(value).__name__)
    elif isinstance(value, int) and abs(value) >= TOO_LARGE:
        yield _Misfit(at, f"{_name(hint)} of at most 100 digits", "more")
    elif isinstance(value, Mapping):
        for key, held in value.items():
            yield from _misfits(key, inner[0], f"{at} (a key)")
            yield from _misfits(held, inner[1], f"{at}[{key!r:.40}]")
    elif origin in (Sequence, Iterable, tuple) and isinstance(value, Collection):  # no iterator: it would be used up
        for place, held in enumerate(value):
            yield from _misfits(held, inner[0], f"{at}[{place}]")


def _is(value: object, hint: Any) -> bool:
    """Whether it has that type, apart from what it holds. Text is no list, and a truth value no number."""
    kind = NoneType if hint is None else get_origin(hint) or getattr(hint, "__supertype__", hint)
    if kind in (Sequence, Iterable) and isinstance(value, str | bytes):
        return False
    if kind is float:
        kind = int | float
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)


def _name(hint: Any) -> str:
    """Its type in words of Python: `str or None`."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_name, inner)))
    if hint in (None, NoneType, ...):
        return {None: "None", NoneType: "None"}.get(hint, "...")
    name: str = getattr(origin or hint, "__name__", str(hint))
    return f"{name}[{', '.join(map(_name, inner))}]" if origin in (Mapping, dict, Sequence, Iterable, tuple) else name
