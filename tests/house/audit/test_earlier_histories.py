"""What an earlier program wrote replays, and is decided again as it was then: by the current edition too. Nobody writes
what an earlier edition did."""

import pytest
from msgspec.structs import replace

from puntobanco.house.audit.proof import Games, TableProof
from puntobanco.store import codec
from puntobanco.store.records import Row
from puntobanco.store.verify import Wrong
from puntobanco.table import commands as c
from puntobanco.table.authority import By
from puntobanco.table.evolve import replay
from puntobanco.table.felt import CURRENT
from tests.histories import Kept, kept, path
from tests.house.audit.test_proof import fact, played, proof_of
from tests.table.pit import DEALER, STAFF

EDITIONS = [edition for edition in range(1, CURRENT + 1) if edition < CURRENT or path(edition).exists()]
"""Those of which there are histories: a new one has none until somebody writes them."""
KEPT = [(edition, one) for edition in EDITIONS for one in kept(edition)]


def proven(written: Kept) -> None:
    history = TableProof("one", None, Games({}))
    events = [codec.decode(kind, bytes(body)) for kind, body in written.events]
    for version, (event, (kind, body)) in enumerate(zip(events, written.events, strict=True), start=1):
        tuple(history.take(Row(version, kind, event.by.at, bytes(body), b"")))
    history.end(replay(events).in_play)
    assert history.state == replay(events)


@pytest.mark.parametrize("nth", range(10))
def test_the_histories_of_every_edition_are_proven(nth: int) -> None:
    """A tenth of them at a time."""
    for _, written in KEPT[nth::10]:
        try:
            proven(written)
        except Wrong as wrong:
            pytest.fail(f"{written.name}: {wrong}")


@pytest.mark.parametrize("edition", EDITIONS)
def test_of_every_edition_there_are_histories_of_every_game(edition: int) -> None:
    found = [written for number, written in KEPT if number == edition]
    assert len({written.game for written in found}) == 5
    assert {codec.version_of(kind) for written in found for kind, _ in written.events} == {edition}


def test_an_event_of_an_earlier_edition_after_a_later_one_is_found() -> None:
    """Somebody who writes a buy-in by staff that no guest confirmed cannot call it an old one."""
    pit = played()
    pit.player("bob", c.BuyIn(person="bob", amount=100_00))
    events = [*pit.events[:-1], replace(pit.events[-1], by=By(STAFF[DEALER], DEALER, pit.events[-1].by.at))]
    facts = [fact(event) for event in events]
    found = proof_of(facts, 0).fault
    assert found is not None
    assert found.what == "BoughtIn: the rules refuse it: guest_not_confirmed"
    found = proof_of([*facts[:-1], replace(facts[-1], kind="BoughtIn.1")], 0).fault
    assert found is not None
    assert found.what == f"BoughtIn.1 follows an event of version {CURRENT}"


@pytest.mark.parametrize("version", ["0", "-1", f"{CURRENT + 1}", "x", ""])
def test_an_event_of_an_unknown_version_is_found(version: str) -> None:
    facts = [fact(event) for event in played().events]
    found = proof_of([*facts[:-1], replace(facts[-1], kind=f"RoundSettled.{version}")], 0).fault
    assert found is not None
    assert "cannot be read" in found.what
