"""Every incident in scenarios/ goes as it is written down, and one written wrongly is refused."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table.evolve import replay
from puntobanco.table.scenario import WORDS, ScenarioOutcome, check, read_scenario, run
from puntobanco.table.scenario_format import ScenarioStep
from puntobanco.table.scenario_words import ALWAYS

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_incident_goes_as_written(path: Path) -> None:
    scenario = read_scenario(library.read_toml(path), path.name)
    check(scenario, library.game(scenario.game), library.rulebook(scenario.game), path.name)
    played = run(scenario, library.game(scenario.game), path.name)
    assert played.misses == ()
    assert played.checked > len(scenario.steps)
    assert replay(played.events) == played.state


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ({}, Reason.FIELD_MISSING),
        ({"title": "x", "game": "commission", "step": [{"by": "dealer", "do": "dance"}]}, Reason.SCENARIO_WORD),
        ({"title": "x", "game": "commission", "step": [{"by": "dealer"}]}, Reason.FIELD_MISSING),
        ({"title": "x", "game": "commission", "step": [], "colour": 1}, Reason.FIELD_UNKNOWN),
        (
            {"title": "x", "game": "commission", "step": [{"by": "a", "do": "open", "expect": {"fase": "idle"}}]},
            Reason.FIELD_UNKNOWN,
        ),
    ],
)
def test_a_scenario_with_a_typo_is_refused_by_the_name_of_the_field(written: dict[str, object], reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        read_scenario(written, "mine.toml")
    assert refused.value.reason is reason
    for language in library.LANGUAGES:
        assert "mine.toml" in library.sentences(language).refusal(refused.value)


def test_what_did_not_hold_is_named_with_what_there_was() -> None:
    written = {
        "title": "x",
        "game": "commission",
        "people": {"ann": "1000"},
        "step": [{"by": "dealer", "do": "open", "expect": {"phase": "idle", "purses": {"ann": "900"}}}],
    }
    played = run(read_scenario(written, "mine.toml"), library.game("commission"))
    assert [(miss.step, miss.field, miss.found) for miss in played.misses] == [
        (1, "phase", "betting"),
        (1, "purses.ann", "1000.00"),
    ]


# ---- what is written wrongly -------------------------------------------------------------------------------------

OPEN = {"by": "dealer", "do": "open"}


def played(*steps: dict[str, Any], game: str = "commission", **fields: Any) -> ScenarioOutcome:
    written = {"title": "x", "game": game, "people": {"ann": "1000", "ben": "5000"}, "step": list(steps)} | fields
    read = read_scenario(written, "mine.toml")
    check(read, library.game(game), library.rulebook(game), "mine.toml")
    return run(read, library.game(game), "mine.toml")


def expecting(**expect: Any) -> dict[str, Any]:
    return {"step": [{**OPEN, "expect": expect}]}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        # what cannot be read, by step and field
        ({"step": [OPEN, {"by": "dealer", "do": "report", "fault": "misdirected", "lies": {"first": "banker"}}]},
         ["step 2: lies:", "a whole number"]),
        ({"step": [OPEN, {"by": "dealer", "do": "draw", "cards": "2 1Z"}]}, ["step 2: cards:", '"1Z" is not a card']),
        ({"step": [{"by": "ann", "do": "bet", "bet": "tie", "amount": "ten"}]}, ["step 1: amount:", '"ten"']),
        ({"step": [{"by": "ann", "do": "bet", "bets": [{"bet": "tie", "amount": "ten"}]}]}, ["step 1, bets 1: amount"]),
        ({"people": {"ann": "0"}}, ["people: ann:", "positive"]),
        ({"table": {"minimum": "little"}}, ["table: minimum:", '"little"']),
        (expecting(purses={"ann": "much"}), ["step 1, expect, purses: ann:", '"much"']),
        (expecting(player="K X"), ["step 1, expect: player:", '"X"']),
        # what is not known, with what is
        ({"step": [{"by": "dealer", "do": "report", "fault": "foreign"}]}, ["step 1: fault:", "foreign_card"]),
        (expecting(refused="not_autorised"), ["step 1, expect: refused:", "not_authorised"]),
        (expecting(alerts=["owing"]), ["alerts", "receivable"]),
        (expecting(events=["RoundVoid"]), ["events", "RoundVoided"]),
        (expecting(lines=["taken"]), ["lines", "accepted"]),
        ({"step": [{"by": "an", "do": "sit", "box": 1}]}, ["step 1: by:", "ann, ben", '"an"']),
        (expecting(purses={"an": "1"}), ["purses: person:", '"an"']),
        (expecting(owed={"an": "1"}), ["owed: person:", '"an"']),
        (expecting(options=["an"]), ["options", '"an"']),
        (expecting(offered={"1/an": "1"}), ["offered: person:", '"an"']),
        (expecting(stakes={"1/player/an": "1"}), ["stakes: person:", '"an"']),
        (expecting(plays={"1/playr/ann": "1"}), ["plays: bet:", '"playr"', "player_pair"]),
        (expecting(held={"99/player/ann": "1"}), ["held: box:", '"99"']),
        (expecting(results={"player": "1"}), ["results: key:", "box/bet/person"]),
        (expecting(cites=["9.9"]), ["step 1, expect: cites:", '"9.9"']),
        (expecting(rule="9.9"), ["step 1, expect: rule:", '"9.9"']),
        ({"paragraphs": ["9.9"]}, ["paragraphs:", '"9.9"']),
        ({"layout": "Z"}, ["layout:", '"Z"']),
        # what no table can be
        ({"table": {"decks": 0}}, ["table: decks:", "0 decks"]),
        ({"table": {"cut_card": -1}}, ["table: cut_card:"]),
        ({"timing": {"betting": -1}}, ["timing: betting:"]),
        ({"table": {"boxes": 99}}, ["table:", "99"]),
        ({"step": [{**OPEN, "wait": -1}]}, ["step 1: wait:"]),
        ({"begins": datetime(2026, 1, 1)}, ["begins"]),
        # what must not be
        (expecting(**{"not": {"events": ["RoundVoid"]}}), ["events", "RoundVoided"]),
        (expecting(**{"not": {"phase": ["void"]}}), ["not", "voided"]),
        (expecting(**{"not": {"phase": "void"}}), ["not: phase", "voided"]),
        (expecting(**{"not": {"cites": ["9.9"]}}), ["step 1, expect: cites:", '"9.9"']),
        (expecting(**{"not": {"options": ["an"]}}), ["options", '"an"']),
        (expecting(**{"not": {"offered": ["an"]}}), ["offered: person:", '"an"']),
        (expecting(**{"not": {"refused": "no_shoe"}}), ["not: ", "refused"]),
        (expecting(dealt_by="an"), ["dealt_by", '"an"', "house"]),
        # what is too much or too little
        ({"step": []}, ["at least one step"]),
        ({"step": [{**OPEN, "cards": "9"}]}, ["step 1: cards:", '"open" has no such field', "acknowledge"]),
        ({"step": [{"by": "ann", "do": "bet", "box": 1, "bets": []}]}, ["step 1: box:", '"bet" has no such field']),
        ({"step": [{"by": "dealer", "do": "report"}]}, ["step 1, report:", '"fault" is missing']),
        ({"step": [{"by": "dealer", "do": "rule"}]}, ["step 1, rule:", '"choice" is missing']),
        ({"step": [{"by": "dealer", "do": "expose", "index": 1}]}, ["step 1, expose:", '"cards" is missing']),
        ({"step": [{"by": "dealer", "do": "expose", "faces": {"1": "X"}}]}, ["step 1, faces: 1:", '"X"']),
        ({"step": [{"by": "dealer", "do": "expose", "index": 1, "faces": {"1": "9"}}]}, ["step 1: index:", "expose"]),
        ({"step": [{"by": "system", "do": "time_passes"}]}, ["step 1, time_passes:", '"wait" is missing']),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_by_file_step_and_field(fields: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        played(**{"step": [OPEN]} | fields)
    said = library.sentences("en").refusal(refused.value)
    assert said.startswith("mine.toml: ")
    for word in words:
        assert word in said
    assert "mine.toml" in library.sentences("zh").refusal(refused.value)


def test_a_set_up_that_should_be_refused_is_no_mistake() -> None:
    opening = {"refused": "decks_out_of_range", "rule": "2.2.1"}
    assert played(table={"decks": 0}, opening=opening).misses == ()
    assert played(OPEN, opening=opening).misses[0].found == "None"


def test_a_person_may_come_later_or_be_assigned() -> None:
    bought = {"by": "cat", "do": "buy_in", "amount": "100", "expect": {"purses": {"cat": "100"}}}
    assigned = {"by": "pit_manager", "do": "assign", "person": "eve", "role": "dealer"}
    done = played(bought, assigned, {"by": "eve", "do": "open", "expect": {"acting": {"eve": "dealer"}}})
    assert done.misses == ()


def test_every_field_of_a_step_belongs_to_some_word() -> None:
    used = {field for word in WORDS.values() for field in (*word.needs, *word.may)} | ALWAYS
    assert used == {"as" if field == "role_claimed" else field for field in ScenarioStep.__struct_fields__}


# ---- what can be expected ----------------------------------------------------------------------------------------


def slip(*bets: tuple[str, str], box: int = 1) -> dict[str, Any]:
    return {"by": "ann", "do": "bet", "bets": [{"box": box, "bet": bet, "amount": amount} for bet, amount in bets]}


def test_a_slip_is_answered_line_by_line() -> None:
    lines = slip(("player", "100"), ("tie", "600"), ("pair", "10"))
    told = ["accepted", "over_side_maximum", "unknown_bet"]
    done = played(
        OPEN,
        {**lines, "expect": {"lines": told, "purses": {"ann": "900"}}},
        {**lines, "expect": {"refused": "bet_unchanged", "lines": ["bet_unchanged", *told[1:]]}},
        {**slip(("tie", "100"), ("tie", "0")), "expect": {"refused": "slip_empty", "lines": ["slip_empty"] * 2}},
        {**slip(), "expect": {"refused": "slip_empty", "lines": []}},
        table={"maximum": "500"},
    )
    assert [(miss.step, miss.field, miss.found) for miss in done.misses] == []
    missed = played(OPEN, {**lines, "expect": {"lines": ["accepted"]}}, table={"maximum": "500"})
    assert [miss.found for miss in missed.misses] == [", ".join(told)]


def test_without_a_word_on_its_lines_a_slip_must_be_accepted_whole() -> None:
    done = played(OPEN, slip(("player", "100"), ("pair", "10")))
    assert [(miss.field, miss.found) for miss in done.misses] == [("refused", "unknown_bet")]


def test_results_held_stakes_cards_left_and_the_last_round_can_be_expected() -> None:
    draw = {"by": "dealer", "do": "draw", "cards": "9S 9 K KD"}
    done = played(
        OPEN,
        slip(("player", "100"), ("tie", "100")),
        {"by": "dealer", "do": "close", "expect": {"cards_left": 208, "last_round": False}},
        {**draw, "expect": {"player": "9S K", "banker": "9 K♦", "cards_left": 204, "last_round": True}},
        {
            "by": "dealer",
            "do": "settle",
            "expect": {
                "results": {"1/player/ann": "0", "1/tie/ann": "800", "1/banker/ann": "0"},
                "held": {"1/player/ann": "100", "1/tie/ann": "0"},
                "alerts": [],
            },
        },
        game="super-six",
        table={"decks": 4, "cut_card": 205},
    )
    assert [(miss.field, miss.found) for miss in done.misses] == [("results.1/banker/ann", "-")]


def test_an_offer_is_expected_by_person_or_by_box_where_a_person_has_several() -> None:
    def offered(**expect: str) -> ScenarioOutcome:
        return played(
            OPEN,
            slip(("banker", "200")),
            slip(("banker", "400"), box=2),
            {"by": "ben", "do": "bet", "box": 3, "bet": "banker", "amount": "1000"},
            {"by": "dealer", "do": "close"},
            {"by": "dealer", "do": "draw", "cards": "2 2 2 3", "expect": {"offered": expect}},
            game="insurance",
        )

    assert offered(**{"1/ann": "100", "2/ann": "200", "ben": "500"}).misses == ()
    assert offered(**{"1/ann": "100", "2/ann": "200", "3/ben": "500"}).misses == ()
    (miss,) = offered(ann="100", ben="500").misses
    assert "1/ann" in miss.found


def test_alerts_can_be_expected_and_cards_face_down_reported() -> None:
    done = played(
        OPEN,
        slip(("player", "100")),
        {"by": "dealer", "do": "close"},
        {"by": "dealer", "do": "draw", "cards": "9 7 K K"},
        {"by": "dealer", "do": "report", "fault": "excess", "cards": "?", "expect": {"waiting": "?", "alerts": []}},
        {"by": "pit_supervisor", "do": "rule", "choice": "reconstruct"},
        {"by": "dealer", "do": "settle", "expect": {"purses": {"ann": "1100"}}},
        {"by": "ann", "do": "cash_out", "amount": "1100"},
        {"by": "dealer", "do": "report", "fault": "mispayment"},
        {"by": "pit_supervisor", "do": "rule", "choice": "resettle", "expect": {"alerts": ["receivable"]}},
    )
    assert done.misses == ()


# ---- what must not be, the clock, and who -------------------------------------------------------------------------

DEALT = (OPEN, slip(("banker", "200")), {"by": "dealer", "do": "close"}, {"by": "dealer", "do": "draw", "cards": "2 2"})


def found(*steps: dict[str, Any], **fields: Any) -> list[tuple[str, str, str]]:
    return [(miss.field, miss.expected, miss.found) for miss in played(*steps, **fields).misses]


@pytest.mark.parametrize(
    ("absent", "present", "named"),
    [
        ({"phase": "dealing"}, {"phase": "insurance"}, "phase insurance"),
        ({"phase": ["result", "dealing"]}, {"phase": ["result", "insurance"]}, "phase insurance"),
        ({"events": ["RoundSettled"]}, {"events": ["CardDrawn"]}, "event CardDrawn"),
        ({"cites": ["5.1.1"]}, {"cites": ["3.4"]}, "cites 3.4"),
        ({"offered": ["ben"]}, {"offered": ["ann"]}, "offered ann"),
    ],
)
def test_what_must_not_be_is_missed_exactly_when_it_is(
    absent: dict[str, Any], present: dict[str, Any], named: str
) -> None:
    draw = {"by": "dealer", "do": "draw", "cards": "2 3"}
    assert found(*DEALT, {**draw, "expect": {"not": absent}}, game="insurance") == []
    assert found(*DEALT, {**draw, "expect": {"not": present}}, game="insurance") == [(named, "False", "True")]


def test_nobody_may_be_alerted_or_asked_where_that_is_expected() -> None:
    seen = {"by": "dealer", "do": "report", "fault": "exposed", "cards": "7"}
    rule = {"by": "pit_supervisor", "do": "rule", "choice": "reconstruct"}
    not_asked = {**rule, "expect": {"not": {"options": ["ben", "ann"], "alerts": ["receivable"]}}}
    first = {"by": "dealer", "do": "draw", "cards": "9"}
    assert found(*DEALT[:3], first, seen, not_asked) == [("options ann", "False", "True")]
    cashed = {"by": "ann", "do": "cash_out", "amount": "1190"}
    steps = (*DEALT, {"by": "dealer", "do": "draw", "cards": "2 7"}, {"by": "dealer", "do": "settle"}, cashed)
    wrong = {"by": "dealer", "do": "report", "fault": "mispayment"}
    again = {"by": "pit_supervisor", "do": "rule", "choice": "resettle", "expect": {"not": {"alerts": ["receivable"]}}}
    assert found(*steps, wrong, again) == [("alert receivable", "False", "True")]


def test_time_passes_only_as_it_is_written_and_stands_still_while_a_question_is_open() -> None:
    def passes(seconds: int, left: int) -> dict[str, Any]:
        return {"by": "system", "do": "time_passes", "wait": seconds, "expect": {"time_left": left, "phase": "betting"}}

    claim = {"by": "ann", "do": "report", "fault": "unprovided", "note": "a fight", "wait": 5}
    held = {"expect": {"time_left": 15, "phase": "decision"}}
    done = found(
        {**OPEN, "expect": {"time_left": 30}},
        passes(10, 20),
        slip(("player", "100")),
        {**claim, **held},
        {"by": "system", "do": "time_passes", "wait": 60, **held},
        {
            "by": "shift_manager",
            "do": "rule",
            "choice": "continue",
            "reason": "they stopped",
            "expect": {"time_left": 15},
        },
        passes(14, 1),
        passes(1, 0),
        passes(100, 0),
    )
    assert done == []
    assert found({**OPEN, "expect": {"time_left": 29}}) == [("time_left", "29", "30")]


def test_a_document_is_in_force_from_its_moment_on() -> None:
    effective = library.game("commission").effective
    assert effective is not None
    refused = {"refused": "not_in_force", "rule": "Title"}
    assert played(begins=effective - timedelta(seconds=1), opening=refused).misses == ()
    assert found(OPEN, begins=effective) == []
    with pytest.raises(Refused) as early:
        played(OPEN, begins=effective - timedelta(seconds=1))
    assert early.value.paragraph == "Title"


def test_who_owes_what_is_complete() -> None:
    cash = [{"by": person, "do": "cash_out", "amount": amount} for person, amount in (("ann", "1190"), ("ben", "1000"))]
    steps = (*DEALT, {"by": "dealer", "do": "draw", "cards": "2 7"}, {"by": "dealer", "do": "settle"}, *cash)
    wrong = {"by": "dealer", "do": "report", "fault": "mispayment"}

    def settled_again(**owed: str) -> list[tuple[str, str, str]]:
        rule = {"by": "pit_supervisor", "do": "rule", "choice": "resettle", "cards": "2 2 7 2"}
        return found(*steps, wrong, {**rule, "expect": {"owed": owed}})

    assert settled_again(ann="390") == []
    assert settled_again(ann="390", ben="0") == []
    assert settled_again(ann="390", ben="1") == [("owed", "ann = 390.00, ben = 1.00", "ann = 390.00")]
    assert settled_again() == [("owed", "-", "ann = 390.00")]


def test_the_house_or_a_person_announces_the_round_and_a_set_is_in_service() -> None:
    by_house = {"by": "house", "do": "open", "expect": {"dealt_by": "house", "shoe": "first"}}
    assert found(by_house) == []
    assert found(by_house, game="non-commission-etg") == []
    assert found({**by_house, "by": "system"}, game="non-commission-etg") == []
    assert found({**by_house, "by": "dealer"}) == [("dealt_by", "house", "dealer")]
    away = {"by": "shift_manager", "do": "withdraw_shoe", "reason": "a torn card", "expect": {"shoe": ""}}
    assert found(away, {"by": "dealer", "do": "load_shoe", "note": "blue", "expect": {"shoe": "blue"}}) == []


def test_several_cards_are_turned_over_one_after_the_other_until_one_is_refused() -> None:
    draw = {"by": "dealer", "do": "draw"}

    def turned(faces: dict[str, str], **expect: str) -> list[tuple[str, str, str]]:
        step = {"by": "dealer", "do": "expose", "faces": faces, "expect": {"banker": "? ?", **expect}}
        return found(*DEALT[:3], draw, draw, draw, draw, step, table={"face_down": True})

    assert turned({"1": "2", "3": "3"}, player="2 3") == []
    assert turned({"1": "2", "5": "4", "3": "3"}, player="2 ?", refused="stale_index") == []
