"""Game files: how far each limit goes, and that the fault which is named is the right one."""

from pathlib import Path

import pytest

from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.scaffold import scaffold
from tests.marks import rulings

GAMES_FOLDER = Path(library.__file__).parent / "games"
WU_SONG, INSURANCE, ETG = (
    (GAMES_FOLDER / f"{key}.toml").read_text(encoding="utf-8") for key in ("wu-song", "insurance", "non-commission-etg")
)
TIGER = '{ when = { winner = "banker", points = 6, cards = 3 }, pays = "50:1", rule = "4.1.8" },'
ROW = '{ window = "four", insures = "banker", banker = 5, player = "0-4", odds = "2:1", rule = "4.1.3" },'


def edited(content: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in content, old
        content = content.replace(old, new, 1)
    return content


def read(content: str) -> Game:
    return library.game_from(content)[0]


def refusal(content: str) -> Refused:
    with pytest.raises(Refused) as refused:
        library.game_from(content)
    return refused.value


# ---- ranges ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "most", "more", "field", "limit"),
    [
        ("version = 3", "version = 1000000", "version = 1000001", "version", 1_000_000),
        ("from = 4, to = 10", "from = 4, to = 100", "from = 4, to = 101", "decks", 100),
        ("boxes = { from = 1, to = 6 }", "boxes = 100", "boxes = 101", "boxes", 100),
    ],
)
def test_the_greatest_version_number_of_decks_and_number_of_boxes(
    old: str, most: str, more: str, field: str, limit: int
) -> None:
    assert read(edited(WU_SONG, (old, most)))
    refused = refusal(edited(WU_SONG, (old, more)))
    assert (refused.reason, refused.parameters["field"]) == (Reason.RANGE_EMPTY, field)
    assert (refused.parameters["most"], refused.parameters["limit"]) == (limit + 1, limit)


def layouts(count: int) -> str:
    more = "".join(
        f'[[layout]]\nkey = "X{number}"\ntitle = {{ en = "X", zh = "X" }}\nrule = "App. A"\nboxes = 5\n'
        for number in range(count - 7)
    )
    return edited(INSURANCE, ("# ---- 3.", more + "# ---- 3."))


def test_a_game_has_at_most_fifty_layouts() -> None:
    assert len(read(layouts(50)).layouts) == 50
    refused = refusal(layouts(51))
    assert (refused.reason, refused.parameters["bound"]) == (Reason.FIELD_LENGTH, "<= 50")


@pytest.mark.parametrize("points", ["10", "[6, 10]", "[6, -1]", '[6, "7"]'])
def test_points_are_numbers_from_0_to_9_every_one_of_them(points: str) -> None:
    refused = refusal(edited(WU_SONG, (TIGER, TIGER.replace("points = 6", f"points = {points}"))))
    assert (refused.reason, refused.parameters["field"]) == (Reason.FIELD_WRONG, "points")
    assert refused.parameters["expected"] == {"word": "expected_numbers"}


def test_the_smallest_number_that_never_matters_is_named() -> None:
    refused = refusal(edited(WU_SONG, (TIGER, TIGER.replace("cards = 3", "cards = [8, 4, 3]"))))
    assert refused.reason is Reason.VALUE_NEVER_MATTERS
    assert (refused.parameters["field"], refused.parameters["value"]) == ("when.cards", 4)


# ---- layouts and bets --------------------------------------------------------------------------------------------


def test_a_layout_carries_both_original_bets() -> None:
    refused = refusal(edited(WU_SONG, ('"player", "banker", "tie"', '"player", "tie"')))
    assert (refused.reason, refused.parameters["place"]) == (Reason.BET_NOT_CARRIED, "layout A")
    assert refused.parameters["missing"] == "banker"


def test_a_layout_may_carry_nothing_but_the_original_bets_and_their_insurance() -> None:
    bare = 'boxes = 5\nbets = ["player", "banker", "player_insurance", "banker_insurance"]'
    game = read(edited(INSURANCE, ("boxes = 5", bare)))
    assert [bet.key for bet in game.menu(game.layout("G"))] == [
        "player", "banker", "player_insurance", "banker_insurance",
    ]  # fmt: skip


def test_every_bet_that_a_layout_lacks_is_named_in_order() -> None:
    refused = refusal(edited(INSURANCE, ("boxes = 5", 'boxes = 5\nbets = ["tie"]')))
    assert refused.parameters["missing"] == "banker, banker_insurance, player, player_insurance"


def test_a_paragraph_cited_by_the_game_itself_is_placed_there() -> None:
    refused = refusal(edited(WU_SONG, ('approved = "Title"', 'approved = "9.9"')))
    assert refused.reason is Reason.PARAGRAPH_UNKNOWN_IN_FILE
    assert (refused.parameters["place"], refused.parameters["field"]) == ("game", "approved")


# ---- lines -------------------------------------------------------------------------------------------------------

TIE = '{ when = { winner = "tie" }, pays = "push", rule = "3.8" },'


@pytest.mark.parametrize(
    ("old", "new", "reason", "place"),
    [
        (TIE, TIE + TIE, Reason.LINE_HIDDEN, "bet player, line 3"),
        (TIE, "", Reason.TIE_NOT_PUSHED, "bet player"),
    ],
)
def test_the_lines_of_an_electronic_table_are_checked_too(old: str, new: str, reason: Reason, place: str) -> None:
    refused = refusal(edited(ETG, (old, new)))
    assert (refused.reason, refused.parameters["place"]) == (reason, place)


def test_an_electronic_table_has_no_line_of_a_layout() -> None:
    refused = refusal(edited(ETG, (TIE, TIE.replace("{ when", '{ layouts = ["A"], when'))))
    assert refused.reason is Reason.LAYOUT_UNKNOWN_IN_FILE
    assert library.game("wu-song").bets[2].lines[0].layouts
    assert not library.game("wu-song").bets[2].lines[0].on(None)


SIX = '{ when = { winner = "banker", points = [6, 7], cards = 2 }, pays = "2:1", rule = "4.1.8" },'


@rulings("PAY-8")
def test_the_line_that_is_contradicted_is_named_by_its_number() -> None:
    other = SIX.replace("cards = 2", "player_points = 5").replace("2:1", "3:1")
    refused = refusal(edited(WU_SONG, (TIGER, TIGER + SIX + other)))
    assert refused.reason is Reason.LINES_CONTRADICT
    assert (refused.parameters["place"], refused.parameters["other"]) == ("bet big_tiger on layout A, line 3", 1)
    refused = refusal(edited(WU_SONG, (TIGER, SIX + other)))
    assert (refused.parameters["place"], refused.parameters["other"]) == ("bet big_tiger on layout A, line 2", 1)
    never_both = TIGER.replace("points = 6", "points = 1")
    refused = refusal(edited(WU_SONG, (TIGER, never_both + SIX + other)))
    assert (refused.parameters["place"], refused.parameters["other"]) == ("bet big_tiger on layout A, line 3", 2)


@rulings("PAY-8")
def test_a_line_is_compared_with_what_the_lines_above_left_to_each_other() -> None:
    """After the three-card sixes, only the two-card sixes are left to a line on every six. SIX covers those."""
    sixes = '{ when = { winner = "banker", points = 6 }, pays = "20:1", rule = "4.1.8" },'
    game = read(edited(WU_SONG, (TIGER, TIGER + sixes + SIX)))
    assert len(game.bet("big_tiger", game.layout()).lines) == 3
    refused = refusal(
        edited(WU_SONG, (TIGER, TIGER + sixes + SIX.replace("cards = 2", "cards = 2, player_points = 5")))
    )
    assert (refused.reason, refused.parameters["other"]) == (Reason.LINES_CONTRADICT, 2)


@rulings("PAY-8")
def test_lines_that_overlap_and_pay_the_same_do_not_contradict_each_other() -> None:
    other = SIX.replace("cards = 2", "player_points = 5")
    game = read(edited(WU_SONG, (TIGER, SIX + other)))
    assert len(game.bet("big_tiger", game.layout()).lines) == 2


# ---- insurance ---------------------------------------------------------------------------------------------------


def test_the_insurance_bets_may_stand_in_any_order() -> None:
    game = read(
        edited(
            INSURANCE,
            ('key = "player_insurance"', 'key = "first"'), ('insures = "player"\n', 'insures = "banker"\n'),
            ('key = "banker_insurance"', 'key = "second"'),
            ('insures = "banker"\n\n# The', 'insures = "player"\n\n# The'),
        )
    )  # fmt: skip
    assert {bet.key: bet.insures for bet in game.bets if bet.insures} == {"first": "banker", "second": "player"}
    assert read(INSURANCE) == library.game("insurance")


@pytest.mark.parametrize("side", ["player", "banker"])
def test_one_bet_insures_each_hand(side: str) -> None:
    again = f'[[bet]]\nkey = "again"\ntitle = {{ en = "x", zh = "x" }}\nrule = "1-Insurance"\ninsures = "{side}"\n\n'
    refused = refusal(edited(INSURANCE, ("# The insurance pay table", again + "# The insurance pay table")))
    assert (refused.reason, refused.parameters["place"]) == (Reason.INSURANCE_BETS_MISSING, "insurance")


@pytest.mark.parametrize(("key", "until"), [("player_insurance", "[[bet]]"), ("banker_insurance", "# The insurance")])
def test_a_hand_that_the_pay_table_insures_has_its_bet(key: str, until: str) -> None:
    before, after = INSURANCE.split(f'[[bet]]\nkey = "{key}"')
    refused = refusal(before + after[after.index(until) :])
    assert (refused.reason, refused.parameters["place"]) == (Reason.INSURANCE_BETS_MISSING, "insurance")


@pytest.mark.parametrize(
    ("new", "field"),
    [(ROW.replace('"2:1"', '"push"'), "odds"), (ROW.replace("odds", 'pays_on = "banker", odds'), "pays_on")],
)
def test_a_row_that_pays_nothing_is_told_why(new: str, field: str) -> None:
    refused = refusal(edited(INSURANCE, (ROW, new)))
    assert (refused.reason, refused.parameters["field"]) == (Reason.INSURANCE_PAYS_NOTHING, field)


@pytest.mark.parametrize(
    ("window", "player", "banker", "named"),
    [
        ("four", "8", "5", (8, 5)),
        ("four", "6", "6", (6, 6)),  # both stand
        ("four", "[8, 6]", "7", (6, 7)),  # the first is named
        ("four", "6", "[8, 7]", (6, 7)),
        ("five", "3", "6", (3, 6)),  # only a six or seven makes the Banker draw: the Player would have stood on 6 or 7
        ("five", "1", "7", (1, 7)),
        ("five", "1", "8", (1, 8)),
        ("five", "1", "9", (1, 9)),
    ],
)
def test_insurance_is_offered_only_where_a_card_can_still_come(
    window: str, player: str, banker: str, named: tuple[int, int]
) -> None:
    row = ROW.replace('"four"', f'"{window}"').replace('"0-4"', player).replace("banker = 5", f"banker = {banker}")
    refused = refusal(edited(INSURANCE, (ROW, row)))
    assert refused.reason is Reason.INSURANCE_CELL_DEAD
    assert (refused.parameters["player"], refused.parameters["banker"]) == named


def test_insurance_may_be_offered_at_every_total_at_which_the_banker_can_still_draw() -> None:
    """Against a Banker of 6 only with a six or seven: the Player comes to 6 to 9, or 0 to 2."""
    start = INSURANCE.index("row = [")
    end = INSURANCE.index("[late_bets]")
    banker = (
        '{ window = "five", insures = "banker", player = [1, 2, 6, 7, 8], banker = 6, odds = "2:1", rule = "4.1.3" },'
    )
    player = '{ window = "five", insures = "player", player = [3, 4, 5, 7], banker = 0, odds = "2:1", rule = "4.1.3" },'
    assert read(INSURANCE[:start] + f"row = [{banker}{player}]\n" + INSURANCE[end:])


# ---- content -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), [("[1, 9]", "[9, 1]"), ("[9, 1, 8]", "[8, 9, 1]"), ('"6-8"', "[8, 7, 6]")])
def test_numbers_written_in_another_order_are_the_same_game(one: str, other: str) -> None:
    first, second = (read(edited(WU_SONG, (TIGER, TIGER.replace("6", numbers, 1)))) for numbers in (one, other))
    assert first == second
    assert first.fingerprint == second.fingerprint


def test_the_greatest_file_is_of_a_million_bytes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    mine = scaffold("mine", "wu-song")
    padding = "\n#" + "." * (1_000_000 - len(mine.encode()) - 2)
    path.write_text(mine + padding, encoding="utf-8")
    assert library.read_game(path)[0].bets == library.game("wu-song").bets
    path.write_text(mine + padding + ".", encoding="utf-8")
    with pytest.raises(Refused) as refused:
        library.read_game(path)
    assert library.sentences().refusal(refused.value).endswith("it is larger than 1 MB.")


def test_a_line_has_at_most_sixteen_dots_outside_text() -> None:
    dotted = ".".join(["a"] * 17)
    refused = refusal(f"{WU_SONG}\n[{dotted}]\n")
    assert (refused.reason, refused.parameters["field"]) == (Reason.FIELD_UNKNOWN, "a")
    refused = refusal(f"{WU_SONG}\n[{dotted}.a]\n")
    assert (refused.reason, refused.parameters["why"]) == (Reason.FILE_MALFORMED, {"word": "expected_few_dots"})


def test_a_folder_without_a_name_is_refused_as_it_was_given() -> None:
    with pytest.raises(Refused) as refused:
        library.read_game(Path("/"))
    assert (refused.value.reason, refused.value.parameters["file"]) == (Reason.FILE_UNREADABLE, "/")


# ---- asking a game -----------------------------------------------------------------------------------------------


def test_a_table_has_one_box_to_as_many_as_its_layout_has() -> None:
    layout = library.game("wu-song").layout("B")
    assert layout is not None
    assert [layout.check_boxes(boxes) for boxes in (1, 5)] == [1, 5]
    for boxes in (0, 6):
        with pytest.raises(Refused) as refused:
            layout.check_boxes(boxes)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.BOXES_OUT_OF_RANGE, "App. B")
        assert (refused.value.parameters["least"], refused.value.parameters["most"]) == (1, 5)


def test_without_a_layout_there_are_no_boxes() -> None:
    with pytest.raises(Refused) as refused:
        library.game("non-commission-etg").check_box(None, 1)
    assert (refused.value.reason, refused.value.paragraph) == (Reason.NO_BOXES, "2.1.1")


def test_a_document_need_not_say_that_only_its_layouts_are_played_on() -> None:
    silent = read(edited(WU_SONG, ('[tables]\nlayouts = "2.1.1"\nboxes = "2.1.1.a"\n', "")))
    for game, paragraph in ((silent, None), (library.game("wu-song"), "2.1.1")):
        with pytest.raises(Refused) as refused:
            game.layout("Z")
        assert (refused.value.reason, refused.value.paragraph) == (Reason.UNKNOWN_LAYOUT, paragraph)


def test_a_bet_that_the_first_layout_lacks_is_unknown_where_no_layout_is_named() -> None:
    game = library.game("wu-song")
    with pytest.raises(Refused) as refused:
        game.bet("player_big_7", None)
    assert refused.value.reason is Reason.UNKNOWN_BET
    with pytest.raises(Refused) as refused:
        game.bet("player_big_7", game.layout("A"))
    assert refused.value.reason is Reason.BET_NOT_ON_LAYOUT


def test_a_chip_must_be_payable_at_the_odds_of_insurance_too() -> None:
    thirds = read(edited(INSURANCE, (ROW, ROW.replace('"2:1"', '"1:3"'))))
    with pytest.raises(Refused) as refused:
        thirds.check_unit(100)
    assert refused.value.reason is Reason.UNIT_NOT_PAYABLE
    assert thirds.check_unit(300) == 300


def test_a_chip_may_be_a_single_cent_where_every_line_pays_whole_times_the_stake() -> None:
    even = read(edited(ETG, ('pays = "1:2"', 'pays = "2:1"')))
    assert even.check_unit(1) == 1
    for unit in (0, -1):
        with pytest.raises(Refused) as refused:
            even.check_unit(unit)
        assert refused.value.reason is Reason.UNIT_NOT_PAYABLE


@pytest.mark.parametrize("key", library.GAMES)
def test_a_paragraph_is_said_in_either_language(key: str) -> None:
    for paragraph in library.rulebook(key).values():
        assert (paragraph.said("en"), paragraph.said("zh")) == (paragraph.en, paragraph.zh)
