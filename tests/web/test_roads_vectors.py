"""The roads of the screens are tested against what the house's own roads draw."""

from msgspec.structs import replace

from puntobanco.house.operations.settings import HouseSettings
from tests.marks import rulings
from tests.web import roads_vectors
from tests.web.house import SETTINGS, Premises, in_a_house


def test_the_vectors_of_the_screens_are_those_of_the_roads() -> None:
    assert roads_vectors.FILE.read_text(encoding="utf-8") == roads_vectors.content(), (
        "run python -m tests.web.roads_vectors --write"
    )


@rulings("DSP-2")
@in_a_house(settings=replace(SETTINGS, house=HouseSettings(roads_drop_when_free=True)))
async def test_how_a_long_run_is_drawn_is_set_by_the_house_and_told_to_every_screen(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    assert (await ann.get("/me")).json()["roads_drop_when_free"] is True
