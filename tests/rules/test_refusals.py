"""A refusal is plain data, whatever it was made of: JSON gives it back unchanged, and it is said as before."""

import ast
import copy
import pickle
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import puntobanco
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.rules.plain_data import ParagraphId, Phrase, Words, plain
from puntobanco.rules.refusal import Expected, Reason, Refusal, Refused, TypeName

PLAYER = Words(en="Player", zh="闲", felt="闲 PLAYER")


def said(refusal: Refusal) -> list[str]:
    return [library.sentences(language).refusal(refusal) for language in library.LANGUAGES]


def again(refusal: Refusal) -> Refusal:
    return msgspec.json.decode(msgspec.json.encode(refusal), type=Refusal)


def kept_as_it_is(refusal: Refusal) -> None:
    assert again(refusal) == refusal
    assert type(refusal.paragraph) in (str, type(None))
    assert said(again(refusal)) == said(refusal)
    assert all(one.isprintable() for one in said(refusal))


VALUES: list[object] = [
    None, True, 0, -1, 10**30, 1.5, float("nan"), "", "Ann", "\ud800", "a\nb", ParagraphId("5.1"),
    PLAYER, Expected.ODDS,
    (TypeName.INT, TypeName.STR), ["9♠", Phrase("phrase", "face_down")], read_card("9S"), Fraction(1, 3),
    ValueError("wrong"), Phrase("refusal", Reason.UNKNOWN_CARD, {"card": read_card("9S")}), {"x": object}, object(),
    Phrase("refusal", "unknown_game", {"game": PLAYER, "known": (Expected.ODDS, PLAYER)}), {"word": ["expected_odds"]},
    {"en": "", "zh": Expected.ODDS}, {"en": "a\x1eb", "zh": "\x8f"}, {"word": "a\nb"},
    {"section": "refusal", "key": "a\nb", "parameters": {}},
]  # fmt: skip


@pytest.mark.parametrize("paragraph", [None, ParagraphId("5.1.1")])
@pytest.mark.parametrize("reason", Reason)
def test_every_reason_survives_json_with_and_without_a_paragraph_and_parameters(
    reason: Reason, paragraph: str | None
) -> None:
    names = [name for _, name, _, _ in Formatter().parse(library.sentences("en").table["refusal"][reason]) if name]
    for value in VALUES:
        kept_as_it_is(Refusal(reason, paragraph, dict.fromkeys(names, value)))
    if not names:
        kept_as_it_is(Refusal(reason))


def test_a_name_is_said_in_the_readers_language_after_json_too() -> None:
    refusal = again(Refused(Reason.UNKNOWN_CARD, card=PLAYER).refusal)
    assert refusal.parameters == {"card": {"en": "Player", "zh": "闲"}}
    english, chinese, _ = said(refusal)
    assert '"Player"' in english
    assert "闲" in chinese


def test_names_kept_by_an_earlier_version_are_said_as_names() -> None:
    kept = (
        b'{"reason":"unknown_card","paragraph":null,"parameters":{"card":{"en":"Tie","zh":"\xe5\x92\x8c","felt":"T"}}}'
    )
    english, chinese, _ = said(msgspec.json.decode(kept, type=Refusal))
    assert '"Tie"' in english
    assert "和" in chinese


def test_a_refusal_is_the_same_after_raising_copying_and_pickling() -> None:
    refused = Refused(Reason.UNKNOWN_CARD, ParagraphId("1.1"), card=PLAYER)
    for one in (Refused.of(refused.refusal), copy.copy(refused), pickle.loads(pickle.dumps(refused))):
        assert one.refusal == refused.refusal
        assert str(one) == str(refused)
    assert refused.paragraph == "1.1"
    assert type(refused.paragraph) is str


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.sampled_from(Expected),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from(["en", "zh", "any", "x"]) | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(JSON)
def test_whatever_it_is_made_of_it_is_plain(value: Any) -> None:
    kept_as_it_is(Refusal(Reason.UNKNOWN_CARD, None, {"card": value}))
    assert plain(plain(value)) == plain(value)
    assert not isinstance(plain(value), StrEnum)


# ---- every place that refuses ------------------------------------------------------------------------------------

SOURCES = sorted(Path(puntobanco.__file__).parent.rglob("*.py"))


def refusals(path: Path) -> Iterator[tuple[str, Reason, set[str] | None]]:
    """Where a refusal is made by its reason, and with which parameters; none where they come from elsewhere."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Name("Refused"), args=[ast.Attribute(ast.Name("Reason"), reason), *_]):
                named = {keyword.arg for keyword in node.keywords if keyword.arg}
                whole = all(keyword.arg for keyword in node.keywords)
            case ast.Call(func=ast.Name("Refusal"), args=[ast.Attribute(ast.Name("Reason"), reason), *rest]):
                keys = rest[1].keys if len(rest) > 1 and isinstance(rest[1], ast.Dict) else []
                named = {str(key.value) for key in keys if isinstance(key, ast.Constant)}
                whole = len(rest) < 2 or isinstance(rest[1], ast.Dict)
            case _:
                continue
        yield f"{path.name}:{node.lineno}", Reason[reason], named if whole else None


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_refusal_carries_what_its_sentence_needs(path: Path) -> None:
    for where, reason, named in refusals(path):
        for language in library.LANGUAGES:
            sentence = library.sentences(language).table["refusal"][reason]
            needed = {name for _, name, _, _ in Formatter().parse(sentence) if name}
            assert named is None or needed <= named, f"{where} {reason} needs {needed - (named or set())}"


def test_every_reason_is_given_somewhere() -> None:
    """By name where it is refused, or read from a table of reasons."""
    written = "\n".join(path.read_text("utf-8") for path in SOURCES if path.name != "refusal.py")
    assert [reason for reason in Reason if f"Reason.{reason.name}" not in written] == []


def test_an_answer_stored_under_an_earlier_name_is_read() -> None:
    stored = b'{"reason":"person_gone","paragraph":null,"parameters":{"person":"ann"}}'
    refusal = msgspec.json.decode(stored, type=Refusal)
    assert refusal.reason is Reason.PLAYER_ABSENT
    assert said(refusal)[0].startswith("ann has left the table")
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(stored.replace(b"person_gone", b"person_there"), type=Refusal)


def test_a_refusal_that_was_translated_shows_its_sentence_and_paragraph() -> None:
    told = Refusal(Reason.STALE_ROUND, "5.1", {}, sentence="That round is over.")
    assert (str(told), Refused.of(told).sentence) == ("That round is over. (5.1)", "That round is over.")
    assert str(msgspec.structs.replace(told, paragraph=None)) == "That round is over."
