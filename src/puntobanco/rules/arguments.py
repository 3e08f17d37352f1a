"""Arguments of public functions: of the types that the function declares, or refused with a sentence."""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason, Refused

P = ParamSpec("P")
R = TypeVar("R")


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
            check_argument(name or function.__name__, argument, value, hints[argument])
        return function(*args, **named)

    return call


def check_argument(function: str, argument: str, value: object, hint: Any) -> None:
    if not _fits(value, hint):
        raise Refused(
            Reason.ARGUMENT_TYPE, function=function, argument=argument, expected=_name(hint), got=type(value).__name__
        )


def check_fields(made: Any) -> None:
    """For a class whose instances people make: that each field is of its type."""
    kind: Any = type(made)
    for field, hint in _hints(kind).items():
        check_argument(kind.__name__, field, getattr(made, field), hint)


_hints = cache(get_type_hints)


def _fits(value: object, hint: Any) -> bool:
    """Whether it has that type, with what a list or mapping holds. Amounts of money have a refusal of their own."""
    if hint is Any:
        return True
    if hint is Cents:
        if type(value) is not int:
            raise Refused(Reason.NOT_AN_AMOUNT, amount=value)
        return True
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in sorted(inner, key=lambda one: one is Cents))
    if origin in (Mapping, dict):
        return isinstance(value, Mapping) and all(_fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items())
    if origin in (Sequence, Iterable) and isinstance(value, str):
        return False
    if origin in (Sequence, Iterable) and isinstance(value, Collection):
        return isinstance(value, origin) and all(_fits(one, inner[0]) for one in value)
    kind = NoneType if hint is None else origin or hint
    if kind is float:
        kind = int | float
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)


def _name(hint: Any) -> str:
    """Its type in words of Python: `str or None`."""
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_name, get_args(hint))))
    if hint in (None, NoneType):
        return "None"
    return getattr(get_origin(hint) or hint, "__name__", str(hint))
