"""The account of what happened, in words and as data: it never withholds what became of something."""

import ast
import random
import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

import puntobanco
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.library import LANGUAGES, sentences
from puntobanco.rules.outcome import Side
from puntobanco.table import commands as c
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Confirmation, Role
from puntobanco.table.commands import Choice, Fault, Terms
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import NarratedLine, RunningAccount, account, code_of
from puntobanco.table.scenario import WORDS, read_scenario, run
from puntobanco.table.setup import Source
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play
from tests.table.test_random_commands import FELTS, play, table

SCENARIOS = Path(__file__).parents[2] / "scenarios"
SOURCES = [path.read_text("utf-8") for path in Path(puntobanco.__file__).parent.rglob("*.py")]

EXTRA = {
    "last_round", "not_offered", "stake_silent", "stake_left_low", "stake_left_decided", "stake_left",
    "stake_left_silent", "stake_low", "stake_cut",
    "stake_win", "stake_lose", "stake_push", "stake_held", "commission_taken", "stake_unplayed", "stake_returned",
    "insurance_offered_to", "reversed_from", "reversed_lost", "reversed_owed", "refused", "bet_as_recorded",
    "bet_at_stake", "bet_return", "bet_pay", "bet_more", "bet_less",
}  # fmt: skip
"""Lines that are not an event of their own."""


def told(pit: Pit, language: str = "en", round: int | None = None) -> list[tuple[str, str | None]]:
    """The account in words, each line with its paragraph."""
    said = sentences(language)
    return [
        (said.say(one.section, one.code, **one.parameters), one.rule.paragraph if one.rule else None)
        for one in account(pit.events, pit.game, round)
    ]


def codes(pit: Pit) -> list[str]:
    return [one.code for one in account(pit.events, pit.game)]


# ---- the sentences -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_sentence_and_every_sentence_an_event(language: str) -> None:
    events = {code_of(event) for event in get_args(AnyEvent)}
    for key in set(sentences(language).table["event"]) - EXTRA:
        assert any(key == code or key.startswith(f"{code}_") for code in events), key
    for code in events:
        assert any(key == code or key.startswith(f"{code}_") for key in sentences(language).table["event"]), code


@pytest.mark.parametrize("section", ["phrase", "event"])
def test_no_sentence_is_left_that_nothing_says(section: str) -> None:
    """Every key stands in the code as it is, or is put together there from parts that do."""
    written = {
        node.value
        for source in SOURCES
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    events = {code_of(event) for event in get_args(AnyEvent)}
    made = events | {f"fault_closed_{end}" for end in written}
    made |= {f"{code}_{end}" for code in written | events for end in ("plain", "recorded", "present")}
    made |= {f"{kind}_{at}" for kind in ("bet", "insurance") for at in ("in_box", "alone")}
    made |= {f"stake_{result}" for result in ("win", "lose", "push")}
    made |= {f"bought_in_by_{how}" for how in Confirmation}
    made |= {f"bet_{terms}" for terms in Terms}
    assert set(sentences("en").table[section]) <= written | made


def test_every_word_of_a_scenario_can_be_wished_for_and_every_alert_is_known() -> None:
    assert set(sentences("en").table["wish"]) == set(WORDS)
    raised = {kind for source in SOURCES for kind in re.findall(r"pending\.alert\(Alert\.(\w+)", source)}
    assert raised == set(Alert.__members__)


def test_whatever_happens_can_be_told_in_every_language() -> None:
    for number, felt in enumerate(FELTS):
        pit = table(felt, face_down=bool(number % 2))
        play(pit, random.Random(number), 200)
        for one in account(pit.events, pit.game):
            for language in LANGUAGES:
                assert sentences(language).say(one.section, one.code, **one.parameters)


ACCOUNTS = sorted(SCENARIOS.glob("*.toml"))


def _played(path: Path) -> tuple[NarratedLine, ...]:
    read = read_scenario(library.read_toml(path), path.name)
    return run(read, library.game(read.game), path.name).told


def _ours(value: object) -> object:
    """Without what somebody typed: notes and reasons are in the words of whoever gave them."""
    if isinstance(value, list):
        return [_ours(one) for one in value]
    return "…" if type(value) is str and " " in value else value


@pytest.mark.parametrize("path", ACCOUNTS, ids=lambda path: path.stem)
def test_no_account_shows_a_code_an_empty_reason_or_a_box_where_there_is_none(path: Path) -> None:
    for one in _played(path):
        parameters = {name: _ours(value) for name, value in one.parameters.items()}
        english = sentences("en").say(one.section, one.code, **parameters)
        chinese = sentences("zh").say(one.section, one.code, **parameters)
        assert not re.search(r"\b[a-z]+_[a-z]+|@|: -|box 0|None|True|False", english), english
        assert not re.search(r"\b(player|banker|tie|dealer|system|void)\b|_|@|0 号投注格", chinese), chinese


# ---- what became of it -------------------------------------------------------------------------------------------


def test_a_round_is_told_with_the_paragraphs_that_decided() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"banker": 100}, "bob": {"player": 100}}, "2 4 3 4")
    pit.round({}, "9 7 K 10")
    lines = [(one.code, one.rule.paragraph if one.rule else None) for one in account(pit.events, pit.game, round=1)]
    assert lines[0] == ("betting_opened", "3.3")
    assert ("stake_win", "4.1.2") in lines
    assert ("commission_taken", "4.1.1") in lines
    assert ("stake_lose", "3.13") in lines
    assert lines[-2:] == [("stake_lose", "3.13"), ("boxes_confirmed", None)]


def test_why_a_hand_drew_or_stood_is_said_with_the_table_of_play() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"banker": 100}}, "2 3 3 3 9")
    lines = told(pit)
    assert ("Player has 5 and draws.", "3.12") in lines
    assert ("Player's third card counts 9; Banker has 6 and stands.", "3.12") in lines
    assert ("The hands are complete: Player 4, Banker 6; Banker wins.", "3.13") in lines


def test_a_draw_is_explained_once_also_when_cards_are_opened_later() -> None:
    pit = Pit("commission", face_down=True)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    for index in (1, 2, 3, 4):
        pit.staff(DEALER, c.DrawCard(round=1, index=index))
    for index, card in enumerate(["2", "3", "3", "3"], start=1):
        pit.staff(DEALER, c.ExposeCard(round=1, index=index, card=library_card(card)))
    pit.staff(DEALER, c.DrawCard(round=1, index=5))
    pit.staff(DEALER, c.ExposeCard(round=1, index=5, card=library_card("9")))
    assert codes(pit).count("player_draws") == 1
    assert codes(pit).count("banker_stands_against") == 1


def library_card(text: str) -> puntobanco.Card:
    return puntobanco.rules.cards.read_card(text)


@pytest.mark.parametrize(("key", "paragraph"), [("super-six", "3.8"), ("insurance", "3.9")])
def test_stakes_after_a_tie_are_told_with_the_tie_paragraph(key: str, paragraph: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}, "bob": {"banker": 200}, "cat": {"player": 300}}, "9 9 K K")
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    pit.player("cat", c.ChooseAfterTie(round=1, bet="player", leave=False, box=1))
    pit.open()
    lines = told(pit)
    assert ("ann leaves 100 on Player in box 1 for the next round.", paragraph) in lines
    assert ("cat takes back 300 on Player in box 1.", paragraph) in lines
    assert ("bob chose nothing after the tie: 200 on Banker in box 1 is returned.", paragraph) in lines
    assert ("100 that ann left on Player in box 1 after the tie is a bet of round 2.", paragraph) in lines


def test_a_reversal_says_who_gives_back_what_and_who_owes() -> None:
    pit = Pit("commission", people={"ann": 100_00, "bob": 100_00})
    pit.round({"ann": {"player": 100}, "bob": {"banker": 100}}, "9 7 K K")
    pit.player("ann", c.CashOut(person="ann", amount=150_00))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE)
    lines = [line for line, _ in told(pit)]
    assert "ann must give back 200." in lines
    assert "Nothing was paid to bob: the lost stakes are back on the table." in lines
    assert "ann no longer has the full amount: 150 is owed." in lines
    assert "Shift Manager is alerted: money is owed after a settlement was reversed." in lines
    assert "After a wrong payment round 1 is settled again." in lines


def test_a_decision_of_the_house_is_marked_and_gives_its_reason() -> None:
    pit = Pit("super-six")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("2 3")
    pit.report(Fault.UNSHUFFLED)
    pit.rule(SHIFT, Choice.RETURN_BETS, reason="the shuffle was forgotten")
    lines = [line for line, _ in told(pit)]
    decided = "tom (Shift Manager) decides for the House: the bets are returned. Reason: the shuffle was forgotten."
    assert decided in lines
    assert any(line.startswith("By decision of the House round 1 has no result") for line in lines)


def _reported(fault: Fault, choice: Choice, **facts: object) -> Pit:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("2 3 3 3")
    pit.report(fault, DEALER, **facts)
    pit.rule(SUPERVISOR, choice)
    return pit


def test_a_matter_is_closed_by_saying_what_became_of_it() -> None:
    nine = (library_card("9"),)
    assert "fault_closed_unfounded" in codes(_reported(Fault.FOREIGN_CARD, Choice.STANDS))
    assert "fault_closed_put_back" in codes(_reported(Fault.EXPOSED, Choice.STANDS, cards=nine))
    assert "fault_closed_established" in codes(_reported(Fault.EXPOSED, Choice.RECONSTRUCT, cards=nine))
    assert "fault_closed_options" in codes(_reported(Fault.OTHER_DEALING_ERROR, Choice.RECONSTRUCT))
    assert "fault_closed_unaffected" in codes(_reported(Fault.TECHNICAL, Choice.DOES_NOT_AFFECT))
    assert "fault_closed_established" in codes(_reported(Fault.TECHNICAL, Choice.AFFECTS))


def test_a_fault_noticed_between_rounds_leaves_the_settlement_or_is_too_late() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K K")
    pit.report(Fault.FOREIGN_CARD)
    assert "fault_closed_settlement_stands" in codes(pit)
    pit.staff(SUPERVISOR, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD))
    pit.open()
    pit.staff(DEALER, c.Report(round=1, fault=Fault.DISPLAY))
    pit.staff(DEALER, c.Report(round=1, fault=Fault.FOREIGN_CARD))
    assert "fault_closed_late" in codes(pit)
    pit.player("ann", c.Report(round=2, fault=Fault.DISPLAY))
    assert "fault_closed_display" in codes(pit)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_set_of_cards_that_is_not_in_use_is_told_by_its_name(language: str) -> None:
    pit = Pit("commission", face_down=True)
    pit.report(Fault.FOREIGN_CARD, shoe="old")
    pit.open()
    pit.report(Fault.DECK_COUNT, shoe="old")
    pit.bet("ann", "player", 100)
    pit.close()
    pit.hides(1, 2)
    pit.report(Fault.FACE_UP, index=1, cards=read_cards("9 7"), note="both")
    assert {"fault_closed_before_the_first", "fault_closed_another_set", "set_withdrawn"} <= set(codes(pit))
    if language == "en":
        lines = [line for line, _ in told(pit)]
        assert any("card 1 is 9, card 2 is 7, both." in line for line in lines)
        assert (
            "The set of cards old is taken out of service: a card that does not belong to these decks. "
            "The shoe in use stays." in lines
        )
    assert told(pit, language)


def test_what_a_player_without_a_bet_says_is_noted_and_the_alert_is_in_words() -> None:
    pit = Pit("commission")
    pit.open()
    pit.player("ann", c.Report(round=1, fault=Fault.FOREIGN_CARD, note="a red back"))
    lines = [line for line, _ in told(pit)]
    assert any(
        "ann, a player, reports a card that does not belong to these decks: a red back." in line for line in lines
    )
    assert "Dealer is alerted: a player's report is recorded without effect." in lines
    assert "fault_closed_noted" in codes(pit)


def test_squeeze_and_waiver_are_answered_with_what_follows() -> None:
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.player("ann", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=False))
    pit.player("ann", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    lines = [line for line, _ in told(pit)]
    assert "dora (Dealer) refuses it: the dealer turns card 1, not ann." in lines
    assert "dora (Dealer) permits it: ann squeezes card 1 once it is drawn." in lines


def test_bets_are_named_by_their_titles_and_the_electronic_table_has_no_boxes() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    pit.bet("ann", "banker_pair", 100)
    assert told(pit, "en")[-1][0] == "Bets: ann has 100 on Banker Pair."
    assert "庄对" in told(pit, "zh")[-1][0]


def test_what_was_refused_is_part_of_a_scenario_s_account() -> None:
    written = {
        "title": "x",
        "game": "commission",
        "people": {"ann": "1000"},
        "step": [{"by": "ann", "do": "open", "expect": {"refused": "not_authorised"}}],
    }
    line = run(read_scenario(written, "mine.toml"), library.game("commission")).told[-1]
    said = sentences("en").say(line.section, line.code, **line.parameters)
    assert said.startswith("ann wants to open betting: refused. You may not open betting")
    assert (line.code, str(line.parameters["why"])) == ("refused", "not_authorised")
    assert line.rule is not None


def test_nobody_of_the_house_is_named_by_a_code() -> None:
    pit = Pit("commission")
    pit.open()
    pit.staff(
        Role.DEALER, c.PlaceBets(round=1, lines=(c.Line(bet="tie", amount=100_00, box=1),), owner="ann", requested=True)
    )
    assert told(pit)[-1][0] == "dora (Dealer) bets at the request of ann: ann has 100 on Tie in box 1."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_that_changes_says_what_goes_back_and_why_the_shoe_leaves(language: str) -> None:
    pit = Pit("super-six")
    pit.round({"ann": {"banker": 100}}, "7 7 K 10")
    assert pit.state.setup is not None
    pit.staff(Role.PIT_MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, decks=6)))
    assert {"stakes_returned", "shoe_withdrawn", "setup_changed"} <= set(codes(pit))
    assert not any("decks_not_as_set" in sentence for sentence, _ in told(pit, language))


def test_an_unfounded_report_after_settlement_leaves_the_settlement_standing() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.MISDIRECTED, lies={1: Side.BANKER, 2: Side.PLAYER})
    pit.rule(Role.PIT_SUPERVISOR, Choice.STANDS)
    assert "fault_closed_settlement_stands" in codes(pit)
    assert pit.purse("ann") == 100_100


def test_an_account_may_begin_in_the_middle_of_a_round() -> None:
    pit = in_play("commission", "2 3 2 3")
    whole, half = RunningAccount(pit.game), RunningAccount(pit.game, pit.state)
    for event in pit.events:
        whole.tell(event)
    reported = pit.report(Fault.DISPLAY)
    assert [half.tell(event) for event in reported] == [whole.tell(event) for event in reported]
    hidden = in_play("commission", face_down=True)
    hidden.hides(1)
    assert RunningAccount(hidden.game, hidden.state).tell(hidden.report(Fault.DISPLAY)[0])
