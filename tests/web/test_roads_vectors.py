"""The roads of the screens are tested against what the house's own roads draw."""

from tests.web import roads_vectors


def test_the_vectors_of_the_screens_are_those_of_the_roads() -> None:
    assert roads_vectors.FILE.read_text(encoding="utf-8") == roads_vectors.content(), (
        "run python -m tests.web.roads_vectors --write"
    )
