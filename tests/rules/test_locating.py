"""Several faults of one file at once, each where it is written. A wrong position would be worse than none."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules import library
from puntobanco.rules.checks import check_key, citations, spoken
from puntobanco.rules.library import GAMES
from puntobanco.rules.locating import Position, position, positions
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.scaffold import scaffold

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "games").glob("*.toml"))
OURS = {key: library.source(key) for key in GAMES} | {one.stem: one.read_text(encoding="utf-8") for one in EXAMPLES}


def told(content: str) -> list[tuple[Reason, str, str, int | None, int | None]]:
    """Every fault with its place, field, line and column."""
    return [
        (
            fault.refused.reason,
            str(fault.refused.parameters.get("place")),
            str(fault.refused.parameters.get("field")),
            *(fault.position or (None, None)),
        )
        for fault in library.located_faults(content, "mine.toml")
    ]


def at(content: str, text: str, after: str = "") -> tuple[int, int]:
    """Line and column of the first such text after another."""
    offset = content.index(text, content.index(after))
    return content.count("\n", 0, offset) + 1, offset - (content.rfind("\n", 0, offset) + 1) + 1


# ---- faults ------------------------------------------------------------------------------------------------------

MINE = scaffold("mine", "super-six")


def test_an_overlay_is_located_like_a_game_file() -> None:
    overlay = (EXAMPLES[0].parents[1] / "overlays" / "interruptions.toml").read_text(encoding="utf-8")
    assert told(overlay) == []
    wrong = overlay.replace("[[void]]", "[[void]]\nwhenever = 1", 1)
    assert [(reason, field) for reason, _, field, _, _ in told(wrong)] == [(Reason.FIELD_UNKNOWN, "whenever")]
    assert told(wrong)[0][3:] == at(wrong, "whenever")


def test_every_fault_of_form_is_told_at_once_in_the_order_of_the_file() -> None:
    bad = MINE.replace('pays = "15:1"', 'payz = "15:1"').replace("[late_bets]", "[late_bet]").replace("= 9", '= "9"')
    assert told(bad) == [
        (Reason.FIELD_TYPE, "layout A", "boxes", *at(bad, 'boxes = "9"')),
        (Reason.FIELD_MISSING, "bet super_six, line 1", "pays", *at(bad, "{ when", 'key = "super_six"')),
        (Reason.FIELD_UNKNOWN, "bet super_six, line 1", "payz", *at(bad, "payz")),
        (Reason.FIELD_UNKNOWN, "game", "late_bet", *at(bad, "[late_bet]")),
    ]


def test_every_fault_of_content_is_told_at_once() -> None:
    bad = MINE.replace("boxes = 7", "boxes = 0").replace("winner = \"banker\", points = 6 }, pays = \"15:1\"", "points = 6 }, pays = \"15:1\"")  # fmt: skip  # noqa: E501
    bad = bad.replace('rule = "1-Tie"', 'rule = "nowhere"')
    assert told(bad) == [
        (Reason.RANGE_EMPTY, "layout B", "boxes", *at(bad, "boxes = 0")),
        (Reason.RANGE_EMPTY, "layout D", "boxes", *at(bad, "boxes = 0", 'key = "D"')),
        (Reason.PARAGRAPH_UNKNOWN_IN_FILE, "bet tie", "rule", *at(bad, 'rule = "nowhere"')),
        (Reason.CONDITION_NEEDS_WINNER, "bet super_six, line 1", "when.points", *at(bad, 'points = 6 }, pays = "15')),
    ]


def test_a_line_that_is_wrong_on_every_layout_is_one_fault() -> None:
    line = '{ when = { banker_pair = true }, pays = "11:1", rule = "4.1.1" },'
    bad = MINE.replace(line, f"{line}\n  {line}")
    line_number, _ = at(bad, line)
    assert told(bad) == [(Reason.LINE_HIDDEN, "bet banker_pair on layout A, line 2", "when", line_number + 1, 5)]


def test_faults_of_paragraphs_are_told_with_the_others() -> None:
    own = '[paragraph."9.1"]\nkind = ["dato"]\nmode = ["machine"]\nen = "x"\n'
    bad = MINE.replace("version = 1", 'version = "1"') + own
    assert told(bad) == [
        (Reason.FIELD_TYPE, "game", "version", *at(bad, "version")),
        (Reason.FIELD_MISSING, 'paragraph "9.1"', "zh", *at(bad, '[paragraph."9.1"]')),
        (Reason.FIELD_CHOICE, 'paragraph "9.1", kind', "1", *at(bad, '"dato"')),
    ]


def test_a_key_that_is_given_twice_is_located_where_it_is_given_again() -> None:
    twice = MINE.replace('key = "player_pair"', 'key = "banker_pair"')
    line = max(place for place, one in enumerate(twice.split("\n"), start=1) if one == 'key = "banker_pair"')
    assert told(twice) == [(Reason.KEY_TWICE, "bet banker_pair", "key", line, 1)]


def test_what_cannot_be_located_is_told_without_a_position() -> None:
    missing = MINE.replace("version = 1\n", "")
    assert told(missing) == [(Reason.FIELD_MISSING, "game", "version", None, None)]
    assert told("key = '\ud800'") == [(Reason.FILE_MALFORMED, "None", "None", None, None)]


@pytest.mark.parametrize(
    ("old", "new", "suggested"),
    [
        ('pays = "15:1"', 'payz = "15:1"', '"pays"'),
        ('winner = "tie" }, pays = "8:1"', 'winner = "tye" }, pays = "8:1"', '"tie"'),
        ("boxes = 5\n", 'boxes = 5\nbets = ["player", "banker", "super_sixs"]\n', '"super_six"'),
        ('pays = "8:1"', 'layouts = ["AA"], pays = "8:1"', '"A"'),
        ("[late_bets]", "[zzzzzz]", ""),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest_known_one(old: str, new: str, suggested: str) -> None:
    sentences = [
        library.sentences("en").refusal(one.refused) for one in library.located_faults(MINE.replace(old, new), "f")
    ]
    asked = [one.partition("Did you mean ")[2] for one in sentences if "Did you mean" in one]
    assert asked[:1] == ([f"{suggested}?"] if suggested else [])


@given(data=st.data())
def test_what_is_refused_is_among_the_faults_and_every_position_is_in_the_file(data: st.DataObject) -> None:
    lines = MINE.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["cut", "double", "scramble"])):
            case "cut":
                del lines[place]
            case "double":
                lines.insert(place, lines[place])
            case _:
                lines[place] = "".join(data.draw(st.permutations(re.split(r"( )", lines[place]))))
    content = "\n".join(lines)
    faults = library.located_faults(content, "mine.toml")
    try:
        library.own_game_from(content, "mine.toml")
    except Refused as refused:
        assert refused.reason in {one.refused.reason for one in faults}  # noqa: PT017
    else:
        assert faults == []
    for fault in faults:
        if fault.position:
            behind = fault.refused.reason is Reason.FILE_MALFORMED  # a parser stops where something is missing
            assert 1 <= fault.position.column <= len(lines[fault.position.line - 1]) + behind
            assert fault.refused.parameters["file"] == f"mine.toml:{fault.position.line}:{fault.position.column}"


# ---- positions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(OURS))
def test_every_citation_of_a_game_is_found_where_it_is_written(key: str) -> None:
    text = OURS[key]
    among = positions(text, tomllib.loads(text))
    lines = text.splitlines()
    game = library.game_from(text)[0]
    for path, cited in citations(game):
        *steps, field = path.split(".")
        found = position(spoken(steps), field, among)
        assert found is not None, path
        beginning = f'"{cited}"' if field.isdigit() else field
        written = lines[found.line - 1][found.column - 1 :]
        assert written.startswith(beginning), (path, written)
        assert f'"{cited}"' in written


KEYS = ["a", "b-c", "1", '"a.b"', "'# no'", '"é"', "bet", "lines", '"x]"']
TEXTS = [
    '"# [no]"',
    "'[[x]]'",
    '"""a\n"" = 3\n\\""""""',
    "'''\n= '' '''",
    "1979-05-27 07:32:00",
    "-1.5e3",
    "true",
    '"{,}"',
]


class Writer:
    """Writes TOML in which every whole number is unique, so that a place shows by the number that comes next."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.many = 0

    def any(self, *choices: str) -> str:
        return self.data.draw(st.sampled_from(choices))

    def number(self) -> str:
        self.many += 1
        return str(7_000_000 + self.many)

    def keys(self, least: int = 1) -> list[str]:
        return self.data.draw(st.lists(st.sampled_from(KEYS), min_size=least, max_size=3, unique=True))

    def pair(self, key: str, deep: int) -> str:
        dotted = self.any("", "", " . d", ".d.'e'")
        return f"{key}{dotted}{self.any(' = ', '=', '	= ')}{self.value(deep)}"

    def value(self, deep: int) -> str:
        kind = self.any("number", "number", "text", "list", "table") if deep else "number"
        if kind == "list":
            parts = [self.value(deep - 1) for _ in range(self.data.draw(st.integers(1, 3)))]
            return "[" + self.any(", ", " ,\n # [,\n").join(parts) + self.any("]", ",]", "\n]")
        if kind == "table":
            return "{ " + ", ".join(self.pair(key, deep - 1) for key in self.keys()) + " }"
        return self.any(*TEXTS) if kind == "text" else self.number()

    def file(self) -> str:
        out = [self.pair(key, 2) + self.any("", " # x = 1") for key in self.keys()]
        for key in (f"t{one}" for one in range(self.data.draw(st.integers(0, 3)))):
            header = self.any(f"[{key}]", f"[ {key} . 'in' ]", f"[[{key}]]", f"[[{key}.rows]]")
            for _ in range(self.data.draw(st.integers(1, 3)) if header.startswith("[[") else 1):
                out += ["", header, "first = " + self.number(), *(self.pair(one, 2) for one in self.keys(0))]
        return self.any("", "\ufeff", "# head\n") + self.any("\n", "\r\n").join(out) + "\n"


def parts(value: Any, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value, start=1) if isinstance(value, list) else ()
    for name, held in inner:
        yield (*steps, str(name)), held
        yield from parts(held, (*steps, str(name)))


def numbers(value: Any) -> list[int]:
    return [one for _, one in parts([value]) if type(one) is int]


@given(data=st.data())
def test_a_place_is_where_its_first_number_comes_next(data: st.DataObject) -> None:
    text = Writer(data).file()
    written = tomllib.loads(text.removeprefix("\ufeff"))
    among = positions(text, written)
    names = [", ".join(steps) for steps, _ in parts(written)]
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    assert among.keys() >= {name for name in names if names.count(name) == 1 and not re.search("bet|lines", name)}
    for steps, held in parts(written):
        name = ", ".join(steps)
        if name in among and names.count(name) == 1 and numbers(held):
            line, column = among[name]
            rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
            found = re.search("7[0-9]{6}", rest)
            assert found is not None
            assert int(found[0]) == numbers(held)[0], (name, text)


def test_a_text_that_means_something_else_has_no_positions() -> None:
    assert positions("a = 1\n", {"a": 2}) == {}
    assert positions("a = nan\n", tomllib.loads("a = nan")) == {}
    assert positions("\n  a = 1\n", {"a": 1}) == {"a": Position(2, 3)}


def test_a_line_that_never_wins_is_told_beside_other_faults() -> None:
    bad = MINE.replace('points = 6 }, pays = "15:1"', 'points = 0 }, pays = "15:1"').replace(
        "boxes = 7", "boxes = 0", 1
    )
    assert [fault[0] for fault in told(bad)] == [Reason.RANGE_EMPTY, Reason.LINE_NEVER_WINS]


def test_a_word_that_cannot_be_a_key_starts_no_file() -> None:
    with pytest.raises(Refused) as caught:
        check_key("game", "Bad Name", "Bad Name.toml")
    assert caught.value.parameters["file"] == "Bad Name.toml"
    check_key("game", "good-name", "good-name.toml")


def test_a_table_inside_the_last_of_a_list_is_found() -> None:
    text = '[[bet]]\nkey = "a"\n[[bet]]\nkey = "b"\n[bet.when]\npoints = 3\n'
    assert positions(text, tomllib.loads(text))["bet b, when, points"] == Position(6, 1)


def test_a_file_that_lies_too_deep_has_no_positions() -> None:
    assert positions("a = " + "[" * 5_000 + "]" * 5_000, {}) == {}
