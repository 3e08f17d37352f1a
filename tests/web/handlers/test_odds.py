"""Figures through the real doors: a game's own file, a line that is tried, and refusals that name the place."""

import asyncio
from typing import Any

from puntobanco.house.pricing.odds_process import MOST_OF_ONE
from puntobanco.rules import library
from tests.marks import rulings
from tests.web.house import HERE, PATIENCE, Premises, in_a_house


@in_a_house()
async def test_a_game_file_is_given_as_it_was_written(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    told = (await ann.get("/games/wu-song/source")).json()
    assert told == {"key": "wu-song", "content": library.source("wu-song")}
    assert (await ann.get("/games/whist/source")).status_code == 404


@in_a_house()
async def test_a_pay_line_is_tried_and_the_house_keeps_its_own(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    tried = {"game": "commission", "pays": [{"bet": "tie", "line": 1, "pays": "9:1"}]}
    edges = [
        (await ann.post("/odds", body)).json()["figures"]["bets"]["tie"]["decimal"]["house_edge"]
        for body in (tried, {"game": "commission"})
    ]
    assert [round(100 * edge, 4) for edge in edges] == [4.844, 14.3596]


@in_a_house()
async def test_a_refusal_of_the_reader_names_field_place_and_what_was_expected_in_the_readers_words(
    premises: Premises,
) -> None:
    ann = await premises.visitor("ann")
    body = {"content": library.source("commission").replace('pays = "8:1"', 'pays = "8"')}
    for language, said in (("en", "expected odds such as"), ("zh", "赔率")):
        told = (await ann.post("/odds", body, headers={"Accept-Language": language})).json()
        assert told["reason"] == "field_wrong"
        assert (told["parameters"]["field"], told["parameters"]["place"]) == ("pays", "bet tie, line 1")
        assert told["parameters"]["expected"] == library.sentences(language).table["word"]["expected_odds"]
        assert said in told["detail"]


@in_a_house()
async def test_the_pit_does_not_wait_for_the_shoe_in_use_behind_questions_of_players(premises: Premises) -> None:
    dora, max_ = await premises.visitor("dora"), await premises.visitor("max", 2)
    load = {"type": "LoadShoe", "shoe": "s", "decks": 8, "shuffled": True, "source": "keyboard"}
    assert (await dora.post(f"/tables/{HERE}/commands", {"request": "l", "command": load})).status_code == 200
    ann = await premises.visitor("ann", 3)
    async with premises.services.odds_service._line.turn:  # a player's question is being worked on
        waits = asyncio.create_task(ann.post("/odds", {"game": "super-six"}))
        told = (await max_.get(f"/tables/{HERE}/shoe-now")).json()
        assert told["cards"] == 8 * 52
        assert (await max_.post("/odds", {"game": "super-six", "decks": 7})).status_code == 200
        assert not waits.done()
    assert (await waits).status_code == 200


@in_a_house()
async def test_no_question_of_one_person_counts_against_nobody(premises: Premises) -> None:
    """Every operation that asks the odds process asks as the caller, so that one person cannot fill its queue."""
    ann, bao = await premises.visitor("ann"), await premises.visitor("bao", 2)
    line = premises.services.odds_service._line
    games = [(game, decks) for game in ("commission", "wu-song", "super-six") for decks in (6, 7, 8)]
    async with line.turn:  # somebody's question is being worked on
        asked = [asyncio.create_task(ann.get(f"/games/{game}/edges?decks={decks}")) for game, decks in games]
        async with asyncio.timeout(PATIENCE):
            while len(refused := [one.result() for one in asked if one.done()]) < len(games) - MOST_OF_ONE:
                await asyncio.sleep(0.01)
        assert {one.json()["reason"] for one in refused} == {"desk_busy"}
        assert line.waiting == {"ann": MOST_OF_ONE}
        waits = asyncio.create_task(bao.get("/games/insurance/edges"))
    assert (await waits).status_code == 200
    assert {one.status_code for one in await asyncio.gather(*asked)} == {200, 429}


@rulings("REC-22")
@in_a_house()
async def test_whoever_opens_on_a_card_in_sight_reads_what_every_bet_is_worth(premises: Premises) -> None:
    dora, tom, ann = [await premises.visitor(name, slot) for slot, name in enumerate(("dora", "tom", "ann"))]
    here = f"/tables/{HERE}"
    nothing = (await dora.get(f"{here}/worth")).json()
    assert (nothing["cards"], nothing["not_offered"], nothing["worth"]) == ([], [], None)
    commands: list[dict[str, Any]] = [
        {"type": "LoadShoe", "shoe": "s", "decks": 8, "shuffled": True, "source": "keyboard"},
        {"type": "OpenBetting"},
        {"type": "Report", "round": 1, "fault": "exposed", "cards": [{"rank": 9, "suit": "♠"}]},
    ]
    for number, command in enumerate(commands):
        answer = await dora.post(f"{here}/commands", {"request": f"c{number}", "command": command})
        assert answer.status_code == 200, answer.text
    for _ in range(60):
        told = (await dora.get(f"{here}/worth")).json()
        if told["worth"] is not None:
            break
    assert (told["cards"], told["not_offered"], told["worth"]["player"]) == (["9♠"], [], 215_281)
    assert (await tom.get(f"{here}/worth")).json() == told
    assert (await ann.get(f"{here}/worth")).status_code == 403
    now = (await tom.get(f"{here}/shoe-now")).json()
    assert round(now["returns"]["player"], 6) == 0.215281
    opened = {"request": "o", "command": {"type": "OpenBetting", "acknowledge": True}}
    assert (await dora.post(f"{here}/commands", opened)).status_code == 200
    assert (await dora.post(f"{here}/commands", opened)).status_code == 200, "the same request is answered once"
    (alert,) = (await tom.get("/alerts")).json()
    assert (alert["kind"], alert["worth"]) == ("exposed_card_carried_over", told["worth"])
