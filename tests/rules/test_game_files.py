"""Game files: what is wrong is named by file, place and field; nothing half-loads."""

# ruff: noqa: E501 (a row a line)

import copy
import os
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules import library
from puntobanco.rules.checks import citations
from puntobanco.rules.condition import When
from puntobanco.rules.library import GAMES, ParagraphMode
from puntobanco.rules.outcome import reachable
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.scaffold import scaffold

GAMES_FOLDER = Path(library.__file__).parent / "games"
WU_SONG = (GAMES_FOLDER / "wu-song.toml").read_text(encoding="utf-8")
INSURANCE = (GAMES_FOLDER / "insurance.toml").read_text(encoding="utf-8")
ETG = (GAMES_FOLDER / "non-commission-etg.toml").read_text(encoding="utf-8")


def refusal(content: str, folder: Path) -> Refused:
    path = folder / "mine.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        library.read_game(path)
    assert refused.value.parameters["file"] == "mine.toml"
    return refused.value


def edited(content: str, old: str, new: str) -> str:
    assert old in content, old
    return content.replace(old, new, 1)


TIGER = '{ when = { winner = "banker", points = 6, cards = 3 }, pays = "50:1", rule = "4.1.8" },'


@pytest.mark.parametrize(
    ("old", "new", "reason", "place", "field"),
    [
        ('pays = "50:1"', 'pays = "fifty"', Reason.FIELD_WRONG, "bet big_tiger, line 1", "pays"),
        ('pays = "50:1"', "pays = 50", Reason.FIELD_WRONG, "bet big_tiger, line 1", "pays"),
        ('pays = "50:1"', 'pays = "0:1"', Reason.FIELD_WRONG, "bet big_tiger, line 1", "pays"),
        ('pays = "50:1", ', "", Reason.FIELD_MISSING, "bet big_tiger, line 1", "pays"),
        ('pays = "50:1"', 'pays = "50:1", odds = 1', Reason.FIELD_UNKNOWN, "bet big_tiger, line 1", "odds"),
        (TIGER, TIGER.replace('"banker"', '"dragon"'), Reason.FIELD_CHOICE, "bet big_tiger, line 1, when", "winner"),
        (TIGER, TIGER.replace("points = 6", "points = 12"), Reason.FIELD_WRONG, "bet big_tiger, line 1, when", "points"),
        (TIGER, TIGER.replace("points = 6", "points = []"), Reason.FIELD_WRONG, "bet big_tiger, line 1, when", "points"),
        (TIGER, TIGER.replace("points = 6", "points = true"), Reason.FIELD_WRONG, "bet big_tiger, line 1, when", "points"),
        (TIGER, TIGER.replace("points = 6", 'points = "6-5"'), Reason.FIELD_WRONG, "bet big_tiger, line 1, when", "points"),
        (TIGER, TIGER.replace("points = 6", "points = 0"), Reason.LINE_NEVER_WINS, "bet big_tiger, line 1", "when"),
        (TIGER, TIGER.replace("points = 6", "points = [0, 6]"), Reason.VALUE_NEVER_MATTERS, "bet big_tiger, line 1", "when.points"),
        (TIGER, TIGER.replace("cards = 3", "cards = 4"), Reason.LINE_NEVER_WINS, "bet big_tiger, line 1", "when"),
        (TIGER, TIGER.replace('winner = "banker", ', ""), Reason.CONDITION_NEEDS_WINNER, "bet big_tiger, line 1", "when.points"),
        (TIGER, TIGER.replace('"banker"', '"tie"'), Reason.CONDITION_NEEDS_WINNER, "bet big_tiger, line 1", "when.cards"),
        (TIGER, TIGER + TIGER, Reason.LINE_HIDDEN, "bet big_tiger on layout A, line 2", "when"),
        (TIGER, TIGER + TIGER.replace("50:1", "60:1"), Reason.LINE_HIDDEN, "bet big_tiger on layout A, line 2", "when"),
        (
            TIGER,
            TIGER + '{ when = { winner = "banker", points = [6, 7], cards = 2, player_points = 5 }, pays = "2:1", rule = "4.1.8" },'
            + '{ when = { winner = "banker", points = 6, player_points = [4, 5] }, pays = "3:1", rule = "4.1.8" },',
            Reason.LINES_CONTRADICT,
            "bet big_tiger on layout A, line 3",
            "when",
        ),
        (TIGER, "", Reason.BET_WITHOUT_LINES, "bet big_tiger on layout A", "lines"),
        (TIGER, TIGER.replace("4.1.8", "4.1.88"), Reason.PARAGRAPH_UNKNOWN_IN_FILE, "bet big_tiger, line 1", "rule"),
        (TIGER, TIGER.replace('"4.1.8"', "4.1"), Reason.FIELD_WRONG, "bet big_tiger, line 1", "rule"),
        (TIGER, TIGER.replace('"4.1.8"', '""'), Reason.FIELD_WRONG, "bet big_tiger, line 1", "rule"),
        ('pays = "50:1"', 'pays = "50:1", layouts = ["Z"]', Reason.LAYOUT_UNKNOWN_IN_FILE, "bet big_tiger, line 1", "layouts"),
        ('pays = "50:1"', 'pays = "50:1", commission = { rate = "5", rule = "4.1.8" }', Reason.FIELD_WRONG, "bet big_tiger, line 1, commission", "rate"),
        ('pays = "50:1"', 'pays = "50:1", commission = { rate = "5%", rule = "4.1.8" }', Reason.COMMISSION_MISMATCH, "bet big_tiger, line 1", "commission"),
        ('pays = "push"', 'pays = "push", commission = { rate = "5%", rule = "4.1.8" }', Reason.COMMISSION_ON_PUSH, "bet player, line 3", "commission"),
        ('pays = "push"', 'pays = "1:1"', Reason.TIE_NOT_PUSHED, "bet player", "lines"),
        ('{ when = { winner = "tie" }, pays = "push"', '{ when = { winner = "tie", points = 6 }, pays = "push"', Reason.TIE_NOT_PUSHED, "bet player", "lines"),
        ('{ when = { winner = "tie" }, pays = "push"', '{ layouts = ["A"], when = { winner = "tie" }, pays = "push"', Reason.TIE_NOT_PUSHED, "bet player", "lines"),
        ('{ when = { winner = "tie" }, pays = "push", rule = "3.14" },', '{ when = { winner = "tie" }, pays = "push", rule = "3.14" }, { when = { winner = "banker" }, pays = "1:1", rule = "3.14" },', Reason.ORIGINAL_NOT_LOST, "bet player", "lines"),
        (TIGER, TIGER.replace('winner = "banker", points = 6, cards = 3', ""), Reason.CONDITION_EMPTY, "bet big_tiger, line 1", "when"),
        ('from = "dealer", to = "pit_manager", rule = "3.3"', 'from = "shift_manager", to = "dealer", rule = "3.3"', Reason.AUTHORITY_EMPTY, "authority", "open_betting"),
        ("effective = 2024-12-06T08:00:00+08:00", "effective = 2024-12-06T08:00:00", Reason.FIELD_WRONG, "game", "effective"),
        ("effective = 2024-12-06T08:00:00+08:00", "effective = 2024-12-06", Reason.FIELD_TYPE, "game", "effective"),
        ('"wu_dalang", "wu_song",', '"wu_dalang", "wu_song", "wu_song",', Reason.KEY_TWICE, "layout A", "bets"),
        ('key = "wu-song"', 'key = "wu-song"\nrulebook = "xyz"', Reason.RULEBOOK_WRONG, "game", "rulebook"),
        ("original = true", "original = false", Reason.ORIGINAL_BETS_MISSING, "game", "bet"),
        ('key = "big_tiger"', 'key = "Big Tiger"', Reason.KEY_MALFORMED, "bet", "key"),
        ('key = "big_tiger"', 'key = "small_tiger"', Reason.KEY_TWICE, "bet small_tiger", "key"),
        ('"player_pair", "banker_pair", "wu_dalang", "wu_song",', '"dragon",', Reason.BET_UNKNOWN_IN_FILE, "layout A", "bets"),
        ('key = "wu-song"', 'key = "WU SONG"\nrulebook = "wu-song"', Reason.KEY_MALFORMED, "game", "key"),
        ('key = "F"', 'key = "f"', Reason.KEY_MALFORMED, "layout", "key"),
        ("version = 3", 'version = "3"', Reason.FIELD_TYPE, "game", "version"),
        ("version = 3", "version = 0", Reason.RANGE_EMPTY, "game", "version"),
        ("version = 3", "", Reason.FIELD_MISSING, "game", "version"),
        ("version = 3", "version = 3\ncolour = 1", Reason.FIELD_UNKNOWN, "game", "colour"),
        ("version = 3", "version = 99999999999999999999999", Reason.RANGE_EMPTY, "game", "version"),
        ("from = 4, to = 10", "from = 10, to = 4", Reason.RANGE_EMPTY, "game", "decks"),
        ("from = 4, to = 10", "from = 0, to = 4", Reason.RANGE_EMPTY, "game", "decks"),
        ("boxes = { from = 1, to = 6 }", "boxes = 0", Reason.RANGE_EMPTY, "layout A", "boxes"),
        ("boxes = { from = 1, to = 6 }", 'boxes = "six"', Reason.FIELD_TYPE, "layout A", "boxes"),
        ("effective = 2024-12-06T08:00:00+08:00", 'effective = "soon"', Reason.FIELD_WRONG, "game", "effective"),
        ('mode = "returned"', 'mode = "kept"', Reason.FIELD_CHOICE, "tie", "mode"),
        ('en = "Big Tiger"', 'en = ""', Reason.TEXT_UNREADABLE, "game", "bet.big_tiger.title.en"),
        ('en = "Big Tiger"', r'en = "Big\u001b[31m"', Reason.TEXT_UNREADABLE, "game", "bet.big_tiger.title.en"),
        ("[authority]", "[authority]\nfire_dealer = { from = \"dealer\" }", Reason.FIELD_UNKNOWN, "authority", "fire_dealer"),
        ("[squeeze]", '[terminal]\nrule = "2.1.1"\ndevice = "2.1.1"\n[squeeze]', Reason.LAYOUTS_OR_TERMINAL, "game", "layout"),
        ('bets = [', "bets = [[", Reason.FILE_MALFORMED, None, None),
        ("[tie]", "[tie]\n[tie]", Reason.FILE_MALFORMED, None, None),
    ],
)  # fmt: skip
def test_an_error_names_the_place_and_the_field(
    tmp_path: Path, old: str, new: str, reason: Reason, place: str | None, field: str | None
) -> None:
    refused = refusal(edited(WU_SONG, old, new), tmp_path)
    assert refused.reason is reason
    assert (refused.parameters.get("place"), refused.parameters.get("field")) == (place, field)
    for language in library.LANGUAGES:
        sentence = library.sentences(language).refusal(refused)
        assert "mine.toml" in sentence
        assert "\n" not in sentence
        assert field is None or field in sentence


ROW = '{ window = "four", insures = "banker", banker = 5, player = "0-4", odds = "2:1", rule = "4.1.3" },'


@pytest.mark.parametrize(
    ("old", "new", "reason", "place"),
    [
        (ROW, ROW + ROW, Reason.INSURANCE_ROWS_OVERLAP, "insurance, row 2"),
        (ROW, ROW.replace('"0-4"', '"0-8"'), Reason.INSURANCE_CELL_DEAD, "insurance, row 1"),
        (ROW, ROW.replace("banker = 5", "banker = 9"), Reason.INSURANCE_CELL_DEAD, "insurance, row 1"),
        (ROW, ROW.replace('"four"', '"five"').replace("banker = 5", "banker = 8"), Reason.INSURANCE_CELL_DEAD, "insurance, row 1"),
        (ROW, ROW.replace('"four"', '"six"'), Reason.FIELD_CHOICE, "insurance, row 1"),
        ('insures = "banker"\n', "", Reason.BET_WITHOUT_LINES, "bet banker_insurance on layout A"),
        ('key = "banker_insurance"', 'key = "banker_insurance"\nlines = [{ when = { winner = "tie" }, pays = "1:1", rule = "3.9" }]', Reason.INSURANCE_BETS_MISSING, "insurance"),
        ("boxes = 5", 'boxes = 5\nbets = ["player", "banker", "tie"]', Reason.BET_NOT_CARRIED, "layout G"),
        (ROW, ROW.replace('"2:1"', '"push"'), Reason.INSURANCE_PAYS_NOTHING, "insurance, row 1"),
        (ROW, ROW.replace('odds = "2:1"', 'odds = "2:1", pays_on = "banker"'), Reason.INSURANCE_PAYS_NOTHING, "insurance, row 1"),
    ],
)  # fmt: skip
def test_insurance_rows_and_bets_are_checked(tmp_path: Path, old: str, new: str, reason: Reason, place: str) -> None:
    refused = refusal(edited(INSURANCE, old, new), tmp_path)
    assert (refused.reason, refused.parameters["place"]) == (reason, place)


def test_a_bet_that_no_layout_carries_is_refused(tmp_path: Path) -> None:
    refused = refusal(WU_SONG.replace('"wu_dalang", "wu_song",', '"wu_dalang",'), tmp_path)
    assert refused.reason is Reason.BET_ON_NO_LAYOUT


def test_insurance_bets_without_rows_are_refused(tmp_path: Path) -> None:
    start = INSURANCE.index("[insurance]")
    end = INSURANCE.index("[late_bets]")
    refused = refusal(INSURANCE[:start] + INSURANCE[end:], tmp_path)
    assert refused.reason is Reason.INSURANCE_BETS_MISSING


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.unlink(missing_ok=True), Reason.FILE_UNREADABLE),
        (lambda path: path.mkdir(), Reason.FILE_UNREADABLE),
        (lambda path: path.write_bytes(b"\xff\xfe\x00"), Reason.FILE_MALFORMED),
        (lambda path: path.write_text("key = [" * 20_000), Reason.FILE_MALFORMED),
        (lambda path: path.write_text("# " + "x" * 1_000_001), Reason.FILE_MALFORMED),
        (lambda path: path.write_text(""), Reason.FIELD_MISSING),
        (lambda path: path.write_bytes(b"\xef\xbb\xbf" + b"x = 1"), Reason.FIELD_UNKNOWN),
        (lambda path: path.symlink_to("/dev/zero"), Reason.FILE_UNREADABLE),
        (os.mkfifo, Reason.FILE_UNREADABLE),
        (lambda path: path.write_text("version = " + "9" * 5000), Reason.FILE_MALFORMED),
        (lambda path: path.write_text("paragraph = [1]"), Reason.FIELD_MISSING),
        (lambda path: path.write_text("bet = 3"), Reason.FIELD_TYPE),
    ],
)
def test_what_is_no_game_file_is_refused(tmp_path: Path, make: Callable[[Path], object], reason: Reason) -> None:
    path = tmp_path / "mine.toml"
    make(path)
    with pytest.raises(Refused) as refused:
        library.read_game(path)
    assert refused.value.reason is reason


@pytest.mark.parametrize("name", ["x" * 300 + ".toml", "nul\0.toml"])
def test_a_name_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused) as refused:
        library.read_game(tmp_path / name)
    assert refused.value.reason is Reason.FILE_UNREADABLE
    assert library.sentences("zh").refusal(refused.value)


def test_paragraphs_come_from_the_file_itself_from_one_of_ours_or_not_at_all(tmp_path: Path) -> None:
    mine = edited(ETG, 'key = "non-commission-etg"', 'key = "mine"')
    assert refusal(mine, tmp_path).parameters["field"] == "paragraph"
    path = tmp_path / "mine.toml"
    path.write_text(edited(mine, 'key = "mine"', 'key = "mine"\nrulebook = "non-commission-etg"'), encoding="utf-8")
    game, book = library.read_game(path)
    assert (game.key, book) == ("mine", library.rulebook("non-commission-etg"))
    assert library.rulebook_of(game) is book
    own = '\n[paragraph."1"]\nkind = ["data"]\nmode = ["machine"]\nen = "x"\nzh = "x"\n'
    assert refusal(mine + own, tmp_path).reason is Reason.PARAGRAPH_UNKNOWN_IN_FILE
    refused = refusal(mine + own.replace('"data"', '"poetry"'), tmp_path)
    assert (refused.reason, refused.parameters["place"]) == (Reason.FIELD_CHOICE, 'paragraph "1", kind')
    assert "definition, data" in library.sentences("en").refusal(refused)
    assert refusal(mine + own.replace('en = "x"', 'en = ""'), tmp_path).parameters["place"] == 'paragraph "1"'
    assert refusal(mine + own.replace('en = "x"', "en = 3"), tmp_path).parameters["place"] == 'paragraph "1"'
    refused = refusal(edited(mine, "version = 4", "version = 4\nparagraph = 3"), tmp_path)
    assert (refused.reason, refused.parameters["field"]) == (Reason.FIELD_WRONG, "paragraph")
    nobodys = edited(mine, 'key = "mine"', 'key = "mine"\nrulebook = "chess"') + own
    assert refusal(nobodys, tmp_path).reason is Reason.RULEBOOK_WRONG
    misspelt = refusal(nobodys.replace('"chess"', '"super-sex"'), tmp_path)
    assert 'got "super-sex". Did you mean "super-six"?' in library.sentences("en").refusal(misspelt)
    for wrong, reason in (
        ('\n[paragraph]\n"1.1" = "Six decks."\n', Reason.FIELD_TYPE),
        ('\n[[paragraph."Title"]]\nen = "x"\n', Reason.FIELD_TYPE),
        (own.replace('["data"]', "[]"), Reason.FIELD_LENGTH),
        (own.replace('"1"', '"\\u001b[31mX"'), Reason.KEY_MALFORMED),
    ):
        assert refusal(mine + wrong, tmp_path).reason is reason


def test_a_file_may_extend_one_of_our_documents_and_its_own_paragraphs_win(tmp_path: Path) -> None:
    own = '\n[paragraph."{}"]\nkind = ["data"]\nmode = ["machine"]\nen = "Mine."\nzh = "x"\n'
    mine = edited(scaffold("mine", "wu-song"), 'rule = "4.1.8"', 'rule = "9.9"')
    assert refusal(mine, tmp_path).reason is Reason.PARAGRAPH_UNKNOWN_IN_FILE
    path = tmp_path / "mine.toml"
    path.write_text(mine + own.format("9.9") + own.format("4.1.1"), encoding="utf-8")
    book, ours = library.read_game(path)[1], library.rulebook("wu-song")
    assert [*book] == [*ours, "9.9"]
    assert book["9.9"].en == book["4.1.1"].en == "Mine."
    assert {rule for rule in ours if book[rule] is not ours[rule]} == {"4.1.1"}
    assert ours["4.1.1"].en != "Mine."


@given(data=st.data())
def test_no_single_broken_line_half_loads(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Cut, double or scramble any line: the file is refused with a reason, or it is a whole game."""
    lines = WU_SONG.splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    kind = data.draw(st.sampled_from(["cut", "double", "scramble"]))
    if kind == "scramble":
        lines[place] = data.draw(st.permutations(re.split(r"( )", lines[place])).map("".join))
    else:
        lines[place : place + 1] = [] if kind == "cut" else [lines[place]] * 2
    path = tmp_path_factory.mktemp("broken") / "mine.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    try:
        game, book = library.read_game(path)
    except Refused as refused:
        assert library.sentences("zh").refusal(refused)  # noqa: PT017
    else:
        assert library.from_canonical(game.canonical()) == game
        assert {rule for _, rule in citations(game)} <= book.keys()


# ---- the five --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_its_canonical_content(key: str) -> None:
    game = library.game(key)
    assert library.from_canonical(game.canonical()) == game
    assert library.from_canonical(game.canonical()).fingerprint == game.fingerprint
    assert re.fullmatch("[0-9a-f]{64}", game.fingerprint)


def test_what_is_no_canonical_content_is_refused() -> None:
    for content in (b"", b"{}", b"[1]", library.game("commission").canonical().replace(b'"8:1"', b'"x"')):
        with pytest.raises(Refused) as refused:
            library.from_canonical(content)
        assert refused.value.reason is Reason.FILE_MALFORMED


def test_a_game_can_be_compared_and_hashed_and_a_refusal_copied() -> None:
    assert len({library.game(key) for key in GAMES}) == len(GAMES)
    refused = Refused(Reason.UNKNOWN_GAME, "1.1", game="x", known="y")
    for again in (copy.copy(refused), pickle.loads(pickle.dumps(refused))):
        assert (again.reason, again.paragraph, again.parameters) == (refused.reason, "1.1", refused.parameters)


def test_comments_spacing_and_order_of_fields_do_not_change_the_fingerprint() -> None:
    moved = edited(WU_SONG, "version = 3\n", "").replace('key = "wu-song"', 'version   =   3\nkey = "wu-song"')
    assert library.game_from("# mine\n" + moved)[0].fingerprint == library.game("wu-song").fingerprint
    other = edited(WU_SONG, "50:1", "51:1")
    assert library.game_from(other)[0].fingerprint != library.game("wu-song").fingerprint


@pytest.mark.parametrize(
    ("key", "numbered"),
    [("commission", 79), ("non-commission-etg", 18), ("super-six", 22), ("insurance", 29), ("wu-song", 100)],
)
def test_every_numbered_paragraph_is_listed(key: str, numbered: int) -> None:
    assert sum(bool(re.fullmatch(r"\d+(\.\d+)+", rule)) for rule in library.rulebook(key)) == numbered


@pytest.mark.parametrize("key", GAMES)
def test_every_settling_paragraph_is_cited_by_the_game(key: str) -> None:
    """What the document orders of draws, layouts and pay is in the game file, not only in the code."""
    game = library.game(key)
    cited = {rule for _, rule in citations(game)}
    for rule, paragraph in library.rulebook(key).items():
        if rule.startswith("4.1.") or rule.startswith("App."):
            assert rule in cited, rule
        if ParagraphMode.MACHINE not in paragraph.mode:
            continue
        assert paragraph.en
        assert paragraph.said("zh") == paragraph.zh


def test_conditions_hold_exactly_for_the_outcomes_they_list() -> None:
    for key in GAMES:
        for bet in library.game(key).bets:
            for line in bet.lines:
                assert line.when.outcomes() == {one for one in reachable() if line.when.holds(one)}
    assert When().outcomes() == set(reachable())
    assert str(library.game("insurance").insurance.rows[0].player) == "0-4"  # type: ignore[union-attr]


def test_enforcement_is_known_for_our_documents_only() -> None:
    assert library.enforcement("commission")
    assert not library.enforcement("mine")
