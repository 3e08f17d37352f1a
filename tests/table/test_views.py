"""What each audience may see, at any moment."""

import ast
import random
import re
from pathlib import Path

import msgspec
import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.table import commands as c
from puntobanco.table import views
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.state import Phase
from puntobanco.table.views import AUDITOR, BOARD, private_view, public_view
from tests.marks import rulebook, rulings
from tests.table.chance import PEOPLE, random_command
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit
from tests.table.test_random_commands import FELTS, table

AUDIENCES = [*Role, BOARD, AUDITOR]
OUTSIDERS = [Role.PLAYER, BOARD]


def test_players_and_the_board_see_free_room_and_never_a_stake() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "banker", 7_777)
    for audience in OUTSIDERS:
        view = public_view(pit.felt, pit.state, audience)
        text = msgspec.json.encode(view).decode()
        assert '"stakes"' not in text
        assert '"ann"' not in text
        box = view.boxes[0]
        assert (box.seated, box.room_banker, box.room_player) == (True, 2_223_00, 17_777_00)
    assert public_view(pit.felt, pit.state, DEALER).boxes[0].stakes[0].amount == 7_777_00
    assert private_view(pit.felt, pit.state, "ann").stakes[0].amount == 7_777_00
    assert private_view(pit.felt, pit.state, "bob").stakes == ()


def test_everybody_is_told_that_a_round_is_the_last_of_its_shoe() -> None:
    pit = Pit("commission")
    pit.open()
    pit.staff(DEALER, c.ShowCutCard())
    assert not public_view(pit.felt, pit.state, Role.PLAYER).last_of_shoe, "the next one is"
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    pit.open()
    assert all(public_view(pit.felt, pit.state, audience).last_of_shoe for audience in AUDIENCES)


def test_no_screen_of_players_reads_what_only_staff_are_sent() -> None:
    """A field that players and the board are not sent is never there, and what hangs on it is never shown."""
    tree = ast.parse(Path(views.__file__).read_text("utf-8"))
    made = next(one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name == "public_view")
    given = [one for call in ast.walk(made) if isinstance(call, ast.Call) for one in call.keywords]
    kept = {
        one.arg
        for one in given
        if isinstance(one.value, ast.IfExp)
        and any(getattr(name, "id", "") == "insider" for name in ast.walk(one.value))
    }
    assert {"shoe", "question", "purses"} <= kept
    screens = Path(__file__).parents[2] / "ui" / "src" / "screens"
    for screen in ("terminal", "board", "lobby"):
        for file in screens.joinpath(screen).iterdir():
            read = set(re.findall(r"\b(?:view|public)[?!]?\.(\w+)", file.read_text("utf-8")))
            assert not read & kept, file.name


def test_a_card_face_down_is_in_no_view() -> None:
    pit = Pit("commission", face_down=True)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    for index in (1, 2):
        pit.staff(DEALER, c.DrawCard(round=1, index=index))
    pit.staff(DEALER, c.ExposeCard(round=1, index=2, card=read_cards("7♦")[0]))
    for audience in AUDIENCES:
        assert [card.face for card in public_view(pit.felt, pit.state, audience).cards] == [None, "7♦"]


@rulings("REC-19")
@rulebook({"commission": ["5.7", "5.12"], "wu-song": ["5.8", "5.13"]}, by=public_view)
@pytest.mark.parametrize("key", ["commission", "wu-song"])
def test_everybody_sees_a_card_exposed_before_its_turn_before_they_choose_or_bet(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.report(Fault.EXPOSED, cards=read_cards("9♠"))
    assert pit.phase is Phase.DECISION
    for step in (Phase.OPTIONS, Phase.WITHOUT_BETS, Phase.BETTING):
        for audience in AUDIENCES:
            assert public_view(pit.felt, pit.state, audience).waiting == ("9♠",), (step, audience)
        if step is Phase.OPTIONS:
            pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
            for audience in AUDIENCES:
                chosen = public_view(pit.felt, pit.state, audience).options
                assert chosen is not None
                assert chosen.faults == (Fault.EXPOSED,), "what happened"
        elif step is Phase.WITHOUT_BETS:
            pit.everyone(Election.RETURN)
        else:
            pit.open(acknowledge=True)
        assert pit.phase is step
    assert public_view(pit.felt, pit.state, BOARD).waiting == ("9♠",)


def test_a_choice_names_everything_that_gave_it_and_the_next_one_begins_anew() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("5")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert gave_the_choice(pit) == [Fault.EXPOSED, Fault.OTHER_DEALING_ERROR]
    pit.everyone()
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert gave_the_choice(pit) == [Fault.OTHER_DEALING_ERROR]


def gave_the_choice(pit: Pit) -> list[Fault]:
    assert pit.state.options is not None
    return list(pit.state.options.faults)


def test_the_points_are_those_of_the_open_cards() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    assert public_view(pit.felt, pit.state, BOARD).points == {}
    pit.deal("9 K 8 6")
    assert public_view(pit.felt, pit.state, BOARD).points == {Side.PLAYER: 7, Side.BANKER: 6}


def test_what_may_be_done_next_is_said() -> None:
    pit = Pit("commission")
    assert "OpenBetting" in public_view(pit.felt, pit.state, DEALER).allowed
    assert "OpenBetting" not in public_view(pit.felt, pit.state, SHIFT).allowed
    assert public_view(pit.felt, pit.state, BOARD).allowed == ()
    pit.open()
    pit.bet("ann", "banker", 12_000)
    allowed = public_view(pit.felt, pit.state, DEALER).allowed
    assert {"RejectExcess", "CloseBetting", "PlaceBets"} <= set(allowed)
    assert "PlaceBets" in private_view(pit.felt, pit.state, "bob").allowed
    pit.close(over_excess=True)
    assert "DrawCard" in public_view(pit.felt, pit.state, SUPERVISOR).allowed
    assert "PlaceBets" not in private_view(pit.felt, pit.state, "bob").allowed


def test_a_reconstruction_is_previewed_for_those_who_decide_it() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("2 3 4 3")
    pit.report(c.Fault.EXCESS, cards=read_cards("9"))
    shown = public_view(pit.felt, pit.state, SUPERVISOR).preview
    assert shown is not None
    assert (shown.player, shown.banker, shown.due, shown.spare) == (("2", "4"), ("3", "3"), None, ("9",))
    assert public_view(pit.felt, pit.state, Role.PLAYER).preview is None
    pit.rule(SUPERVISOR, c.Choice.RECONSTRUCT)
    assert tuple(map(str, pit.state.front)) == shown.spare
    assert public_view(pit.felt, pit.state, SUPERVISOR).preview is None


def test_an_offer_of_insurance_is_only_its_owners() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.bet("bob", "player", 1_000)
    pit.close()
    pit.deal("2 2 2 3")
    assert private_view(pit.felt, pit.state, "ann").offers[0].most == 500_00
    assert "Insure" in private_view(pit.felt, pit.state, "ann").allowed
    assert "Insure" not in private_view(pit.felt, pit.state, "bob").allowed
    window = public_view(pit.felt, pit.state, Role.PLAYER).window
    assert window is not None
    assert (window.odds, window.offers) == ("2:1", ())


@pytest.mark.parametrize("number", range(len(FELTS)))
def test_every_state_can_be_shown_to_everyone_and_nothing_personal_is_public(number: int) -> None:
    rng = random.Random(number)
    pit = table(FELTS[number], face_down=bool(number % 2))
    for _ in range(150):
        pit.tell(*random_command(rng, pit))
        for audience in AUDIENCES:
            view = public_view(pit.felt, pit.state, audience)
            if audience in OUTSIDERS:
                text = msgspec.json.encode(view).decode()
                assert not any(f'"{person}"' in text for person in PEOPLE)
        for person in PEOPLE:
            mine = msgspec.json.encode(private_view(pit.felt, pit.state, person)).decode()
            assert not any(f'"owner":"{other}"' in mine for other in PEOPLE if other != person)
