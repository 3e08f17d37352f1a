"""Calls of everything public in a module, with arguments that fit and arguments that do not.

Arguments are drawn by the types that a function declares, so a new public function, class or method is tried as soon as
it is in `__all__`. Only a class that no other function takes yet needs examples.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from os import PathLike
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

import puntobanco as pb
from puntobanco.rules.tableau import TABLE_OF_PLAY, TableOfPlay

Examples = Mapping[type, Sequence[object]]

WORDS = (
    "", "x", "banker", "tie", "wu_dalang", "banker_insurance@four", "banker@five", "E", "z", "zh", "wu-song", "7.50",
    "-0", "NaN", "1e400", "9" * 5000, "١", "\ud800", "\0", "K 2 4 A 7 7", "9 7 K T", "A=4", "A=99999999", "tcp://127.0.0.1:1",
)  # fmt: skip
NUMBERS = (-1, 0, 1, 2, 6, 8, 13, 100_00, 2**63, 10**18, -(10**30), 10**200, 10**5000)
WRONG = (10**5000, float("nan"), "\ud800", b"\xff", None, True, (), {"": None}, object())
"""Each argument of everything is tried with each of them."""
PLACES = (Path("nowhere.toml"), Path("."), Path("new.csv"), Path("new.json"), Path("new.parquet"), Path("\0"))
PLAIN = st.one_of(
    st.none(), st.booleans(), st.sampled_from(NUMBERS[:-3]), st.floats(), st.text(max_size=3), st.binary(max_size=3)
)
ANYTHING: SearchStrategy[object] = st.one_of(
    st.recursive(
        PLAIN,
        lambda held: (
            st.lists(held, max_size=3) | st.dictionaries(st.text(max_size=2) | st.none(), held, max_size=3)
        ),
    ),
    st.sampled_from([*WORDS, *NUMBERS, object(), int, set(), range(9), Fraction(1, 3), ValueError("x"), pb.CHIP]),
)  # fmt: skip

WU_SONG, INSURANCE, ELECTRONIC = map(pb.game, ("wu-song", "insurance", "non-commission-etg"))
(OFFER,) = pb.insurance_offers(INSURANCE, pb.deal("2 2 2 3"))
BETS = [pb.BoxBet(person=name, side=pb.Side.BANKER, amount=pb.Cents(900_00), seated=name == "ann") for name in "ab"]
OF_RULES: Examples = {
    pb.Game: (WU_SONG, INSURANCE, ELECTRONIC), pb.Layout: (WU_SONG.layouts[0], WU_SONG.layouts[4]), pb.Offer: (OFFER,),
    pb.Coup: (pb.deal(""), pb.deal("2 2 2 3"), pb.deal("K 2 4 A 7 7")), pb.Odds: (pb.Odds(1, on=2),),
    pb.Card: (pb.Card(pb.Rank.ACE), pb.Card(pb.Rank.SIX, pb.Suit.CLUBS)), pb.BoxBet: BETS,
    pb.TableLimits: (pb.TableLimits(minimum=pb.Cents(100_00), differential=pb.Cents(1_000_00)),),
    pb.PayLine: WU_SONG.bets[0].lines, TableOfPlay: (TABLE_OF_PLAY,),
    pb.Outcome: (pb.deal("K 2 4 A 7 7").outcome, pb.Outcome(10, 0, 2, 2, False, False)),
    pb.Refused: (pb.Refused(pb.Reason.NOT_AN_AMOUNT, amount="x"), pb.Refused(pb.Reason.FAILED)),
}  # fmt: skip


def public(module: ModuleType) -> list[Any]:
    """Everything in the module that can be called: functions, classes that check what they are made of, and methods
    with arguments."""
    return [pytest.param(called, id=name) for name, called in _public(module)]


def _public(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    for name in module.__all__:
        held = getattr(module, name)
        if not isinstance(held, type):
            if inspect.isfunction(held):
                yield name, held
        elif not issubclass(held, Enum | Exception):
            if {"__post_init__", "__new__"} & vars(held).keys():
                yield name, held
            for method, function in vars(held).items():
                if isinstance(function, classmethod):
                    yield f"{name}.{method}", getattr(held, method)
                elif inspect.isfunction(function) and _hints(function) and method.strip("_") in {method, "getitem"}:
                    yield f"{name}.{method}", function


def try_it(called: Callable[..., object], data: DataObject, examples: Examples) -> None:
    """Call it with arguments that fit or with anything."""
    owner = _owner(called) if inspect.isfunction(called) else NoneType
    itself = [data.draw(fitting(owner, examples))] if owner is not NoneType else []
    arguments = {
        name: data.draw(st.one_of(fitting(hint, examples), fitting(hint, examples), ANYTHING), label=name)
        for name, hint in _hints(called).items()
    }
    _call(called, itself, arguments)


def try_wrong(called: Callable[..., object], data: DataObject, examples: Examples) -> None:
    """Call it with arguments that fit, but for one, which takes each wrong value in turn."""
    owner = _owner(called) if inspect.isfunction(called) else NoneType
    itself = [data.draw(fitting(owner, examples))] if owner is not NoneType else []
    arguments = {name: data.draw(fitting(hint, examples), label=name) for name, hint in _hints(called).items()}
    for name in arguments:
        for wrong in WRONG:
            _call(called, itself, arguments | {name: wrong})


def _call(called: Callable[..., object], itself: Sequence[object], arguments: Mapping[str, object]) -> None:
    """Anything but an answer or a refusal with a sentence in every language is an exception."""
    try:
        answer = called(*itself, **arguments)
    except pb.Refused as refused:
        shown = [pb.say(refused, language) for language in ("en", "zh", "zh-Hant")]
    else:
        shown = [] if isinstance(called, type) else [repr(answer), getattr(answer, "_repr_html_", lambda: "none")()]
    assert all(shown)


def _owner(called: Callable[..., object]) -> type:
    """The class of a method."""
    found: object = inspect.getmodule(called)
    for step in called.__qualname__.split(".")[:-1]:
        found = getattr(found, step)
    return found if isinstance(found, type) else NoneType


def _hints(called: Callable[..., object]) -> dict[str, Any]:
    made = called.__new__ if isinstance(called, type) and not hasattr(called, "__struct_fields__") else called
    hints = get_type_hints(made)
    return {name: hint for name, hint in hints.items() if name != "return"}


def fitting(hint: Any, examples: Examples) -> SearchStrategy[Any]:
    """Values of that type."""
    origin, inner = get_origin(hint), get_args(hint)
    kind = getattr(hint, "__supertype__", origin or hint)  # of an amount: int

    def parts() -> list[SearchStrategy[Any]]:
        return [fitting(one, examples) for one in inner if one is not ...]

    made: dict[Any, Callable[[], SearchStrategy[Any]]] = {
        Any: lambda: ANYTHING, None: st.none, NoneType: st.none, bool: st.booleans, float: st.floats,
        int: lambda: st.sampled_from(NUMBERS), str: lambda: st.sampled_from(WORDS) | st.text(max_size=5),
        Union: lambda: st.one_of(*parts()), UnionType: lambda: st.one_of(*parts()),
        Path: lambda: st.sampled_from(PLACES), PathLike: lambda: st.sampled_from(PLACES),
        Mapping: lambda: st.dictionaries(*parts(), max_size=3), dict: lambda: st.dictionaries(*parts(), max_size=3),
        Sequence: lambda: st.lists(parts()[0], max_size=14), Iterable: lambda: st.lists(parts()[0], max_size=8),
        tuple: lambda: st.lists(parts()[0], max_size=14).map(tuple), Fraction: st.fractions,
        Callable: lambda: st.just(lambda *_: None), object: lambda: ANYTHING,
    }  # fmt: skip
    if kind in made:
        return made[kind]()
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    assert kind in examples, f"add examples of {kind.__name__}, which a public function takes"
    return st.sampled_from(examples[kind])
