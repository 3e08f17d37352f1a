"""What a felt looks up: once for a paragraph and a layout, and nothing where the document provides nothing."""

from msgspec.structs import replace

from puntobanco.table.felt import Edition, Felt
from tests.table.pit import Pit
from tests.table.test_own_games import smallest


def test_the_numbers_of_the_editions_are_stored_and_stay() -> None:
    assert {edition.name: int(edition) for edition in Edition} == {
        "FIRST": 1, "GUESTS_CONFIRM": 2, "SECOND_READING": 3, "CURRENT_NOTICE": 4, "ONE_REQUEST": 5,
    }  # fmt: skip


def test_a_felt_is_made_once_for_each_layout() -> None:
    etg = Pit("non-commission-etg")
    assert etg.state.setup is not None
    assert etg.felt.under(etg.state.setup) is etg.felt
    pit = Pit("commission")
    assert pit.state.setup is not None
    assert pit.felt.under(pit.state.setup) is pit.felt
    other = next(one.key for one in pit.game.layouts if pit.felt.layout is not None and one.key != pit.felt.layout.key)
    moved = pit.felt.under(replace(pit.state.setup, layout=other))
    assert moved.layout is not None
    assert moved.layout.key == other


def test_a_paragraph_is_cited_by_one_object() -> None:
    felt = Pit("commission").felt
    assert felt.cited("3.8") is felt.cited("3.8")


def test_a_document_that_provides_for_nothing_has_no_paragraph_on_it() -> None:
    game = smallest()
    felt = Felt(game, game.layouts[0])
    assert not felt.close_is_displayed
    assert {
        felt.no_boxes_rule, felt.insurance_rule, felt.waiver_rule, felt.squeeze_rule, felt.late_rule, felt.interprets,
        felt.stands,
    } == {None}  # fmt: skip
