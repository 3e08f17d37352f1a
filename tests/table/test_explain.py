"""The account of what happened, in words and as data."""

import random
from typing import get_args

import pytest

from puntobanco.rules.library import LANGUAGES, sentences
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import account, code_of
from tests.table.pit import Pit
from tests.table.test_random_commands import FELTS, play, table

EXTRA = {
    "stake_low",
    "stake_cut", "stake_win", "stake_lose", "stake_push", "stake_held", "commission_taken", "stake_unplayed",
    "stake_returned", "insurance_offered_to",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_sentence_and_every_sentence_an_event(language: str) -> None:
    codes = {code_of(event) for event in get_args(AnyEvent)} | EXTRA
    assert set(sentences(language).table["event"]) == codes


def test_whatever_happens_can_be_told_in_every_language() -> None:
    for number, felt in enumerate(FELTS):
        pit = table(felt, face_down=bool(number % 2))
        play(pit, random.Random(number), 200)
        for told in account(pit.events):
            for language in LANGUAGES:
                assert sentences(language).say("event", told.code, **told.parameters)


def test_a_round_is_told_with_the_paragraphs_that_decided() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"banker": 100}, "bob": {"player": 100}}, "2 4 3 4")
    pit.round({}, "9 7 K 10")
    told = [(one.code, one.rule.paragraph if one.rule else None) for one in account(pit.events, round=1)]
    assert told[0] == ("betting_opened", "3.3")
    assert ("stake_win", "4.1.2") in told
    assert ("commission_taken", "4.1.1") in told
    assert ("stake_lose", "3.13") in told
    assert told[-1] == ("stake_lose", "3.13")
