"""Every incident in scenarios/ goes as it is written down, and one written wrongly is refused."""

from pathlib import Path
from typing import Any

import pytest

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table.evolve import replay
from puntobanco.table.scenario import WORDS, Outcome, check, read_scenario, run
from puntobanco.table.scenario.words import ALWAYS
from puntobanco.table.scenario.written import Step

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


def played(*steps: dict[str, Any], game: str = "commission", **fields: Any) -> Outcome:
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
        ({"people": {"ann": "0"}}, ["people: ann:", "more than nothing"]),
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
        # what is too much or too little
        ({"step": []}, ["at least one step"]),
        ({"step": [{**OPEN, "cards": "9"}]}, ["step 1: cards:", '"open" does not use it', "acknowledge"]),
        ({"step": [{"by": "ann", "do": "bet", "box": 1, "bets": []}]}, ["step 1: box:", '"bet" does not use it']),
        ({"step": [{"by": "dealer", "do": "report"}]}, ["step 1, report:", '"fault" is missing']),
        ({"step": [{"by": "dealer", "do": "rule"}]}, ["step 1, rule:", '"choice" is missing']),
        ({"step": [{"by": "dealer", "do": "expose", "index": 1}]}, ["step 1, expose:", '"cards" is missing']),
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
    assert used == {"as" if field == "role_claimed" else field for field in Step.__struct_fields__}


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
    def offered(**expect: str) -> Outcome:
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
