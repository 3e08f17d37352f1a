"""An overlay: void causes of a regulation, only where the document is silent."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.overlay import Overlay, OverlayCause, OverlayVoid
from puntobanco.rules.plain_data import Words
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import BettingOpened, Cited, RoundVoided, ShoeWithdrawn
from puntobanco.table.explain import account
from puntobanco.table.irregularities import decided_by
from puntobanco.table.setup import GapCause, Policy
from puntobanco.table.state import Phase
from puntobanco.table.views import public_view
from tests.marks import rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit

SAMPLE = Path(__file__).parents[2] / "examples" / "overlays" / "interruptions.toml"
SHORT = ["non-commission-etg", "super-six", "insurance"]


def overlay(*voids: OverlayVoid, key: str = "sample") -> Overlay:
    return Overlay(key=key, title=Words(en="Sample", zh="示例"), document="Sample Regulations", voids=voids)


def cause(
    name: str, by: StaffRank = StaffRank.PIT_MANAGER, *, in_round: bool = True, settled: bool = False
) -> OverlayVoid:
    return OverlayVoid(cause=OverlayCause(name), citation="reg. 1", declared_by=by, in_round=in_round, settled=settled)


def at(key: str, carried: Overlay, cards: str = "", policy: Policy | None = None) -> Pit:
    """A table that carries the overlay, with a round closed and these cards drawn."""
    pit = Pit(key)
    assert pit.state.setup is not None
    setup = replace(pit.state.setup, overlay=carried, policy=policy or Policy())
    pit.staff(MANAGER, c.ChangeSetup(setup=setup))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal(cards)
    return pit


# ---- the file ----------------------------------------------------------------------------------------------------


def read_overlay(text: str) -> Overlay:
    read = library.own_file_from(text, "mine.toml")
    assert isinstance(read, Overlay)
    return read


def test_a_file_is_read_and_equal_content_has_an_equal_fingerprint() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    read = read_overlay(text)
    assert read_overlay("# another comment\n" + text).fingerprint == read.fingerprint
    other = replace(read, document="Other Regulations")
    assert other.fingerprint != read.fingerprint
    assert msgspec.json.decode(read.canonical(), type=Overlay) == read


@pytest.mark.parametrize(
    ("was", "now", "reason", "field"),
    [
        ('cause = "technical"', 'cause = "rain"', Reason.FIELD_CHOICE, "cause"),
        ('cause = "technical"\n', "", Reason.FIELD_MISSING, "cause"),
        ('citation = "reg. 14"', 'citation = ""', Reason.FIELD_LENGTH, "citation"),
        ('citation = "reg. 14"', 'citation = " "', Reason.TEXT_UNREADABLE, "void.2.citation"),
        ('declared_by = "pit_manager"', 'declared_by = "guest"', Reason.FIELD_CHOICE, "declared_by"),
        ('key = "sample-interruptions"', 'key = "Sample"', Reason.FIELD_PATTERN, "key"),
        ('citation = "reg. 12(3)"', 'citation = "reg. 12(3)"\nsettled = true', Reason.FIELD_WRONG, "1"),
        ('citation = "reg. 12(3)"', 'citation = "reg. 12(3)"\nin_round = false', Reason.FIELD_WRONG, "1"),
        ('cause = "technical"', 'cause = "deck_count"', Reason.FIELD_WRONG, "overlay"),
        ('document = "Sample Regulations, part 3"', "", Reason.FIELD_MISSING, "document"),
        ('document = "Sample Regulations, part 3"', 'document = "x"\nmore = 1', Reason.FIELD_UNKNOWN, "more"),
    ],
)
def test_a_fault_of_the_file_is_named_by_file_and_field(was: str, now: str, reason: Reason, field: str) -> None:
    text = SAMPLE.read_text(encoding="utf-8").replace(was, now, 1)
    with pytest.raises(Refused) as refused:
        read_overlay(text)
    assert [one.refused.reason for one in library.located_faults(text, "mine.toml")] == [reason]
    assert refused.value.reason is reason
    assert (refused.value.parameters["file"], refused.value.parameters["field"]) == ("mine.toml", field)
    for language in library.LANGUAGES:
        assert library.sentences(language).refusal(refused.value)


# ---- only where the document is silent ---------------------------------------------------------------------------


@rulings("TEC-17")
@pytest.mark.parametrize(
    ("key", "void", "rule"),
    [
        ("commission", cause("technical"), "5.4"),
        ("wu-song", cause("technical"), "5.4"),
        ("super-six", cause("foreign_card"), "5.1.1"),
        ("super-six", cause("wrong_number_of_cards", in_round=False, settled=True), "5.1.2"),
    ],
)
def test_what_the_document_provides_for_is_no_overlays(key: str, void: OverlayVoid, rule: str) -> None:
    pit = Pit(key)
    assert pit.state.setup is not None
    setup = replace(pit.state.setup, overlay=overlay(void))
    assert pit.refused(MANAGER, c.ChangeSetup(setup=setup)) == (Reason.OVERLAY_NOT_SILENT, rule)


@pytest.mark.parametrize("key", ["super-six", "commission"])
def test_an_overlay_is_not_called_like_a_game(key: str) -> None:
    pit = Pit("super-six")
    assert pit.state.setup is not None
    setup = replace(pit.state.setup, overlay=overlay(cause("technical"), key=key))
    assert pit.refused(MANAGER, c.ChangeSetup(setup=setup))[0] is Reason.OVERLAY_KEY_TAKEN


@rulings("TEC-17")
def test_no_table_carries_one_by_itself() -> None:
    pit = Pit("super-six")
    pit.open()
    assert pit.state.setup is not None
    assert (pit.state.setup.overlay, pit.told(BettingOpened)[0].overlay) == (None, "")


# ---- what it does ------------------------------------------------------------------------------------------------


@rulings("TEC-17")
@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize(("cards", "more"), [("5", ()), ("5 K 5", (Choice.BY_HAND, Choice.CONCLUDE))])
def test_an_interrupted_round_may_be_void_by_the_regulation(key: str, cards: str, more: tuple[Choice, ...]) -> None:
    carried = overlay(cause("technical"))
    pit = at(key, carried, cards)
    assert pit.told(BettingOpened)[0].overlay == carried.fingerprint
    pit.report(Fault.TECHNICAL)
    assert pit.state.question is not None
    assert {Choice.CONTINUE, Choice.VOID, *more} <= set(pit.state.question.choices)
    assert pit.state.question.asked_of is MANAGER
    assert decided_by(pit.felt, Fault.TECHNICAL, carried.voids[0]) is MANAGER
    assert decided_by(pit.felt, Fault.TECHNICAL) is SHIFT
    assert pit.refused(SUPERVISOR, c.Rule(question=1, choice=Choice.VOID, reason="x"))[0] is Reason.NOT_AUTHORISED
    assert public_view(pit.felt, pit.state, SHIFT).overlay == carried
    assert public_view(pit.felt, pit.state, "board").overlay is None
    pit.rule(MANAGER, Choice.VOID)
    assert (pit.phase, pit.told(RoundVoided)[0].rule) == (Phase.VOIDED, Cited("sample", "reg. 1"))
    said = [
        library.sentences("en").say(one.section, one.code, **one.parameters) for one in account(pit.events, pit.game)
    ]
    assert any("Sample Regulations" in line and carried.fingerprint[:16] in line for line in said)


def test_whoever_may_only_declare_the_round_void_is_asked_too() -> None:
    """Nobody plays on from a shoe that is not what was committed to: what is left is the rank of the overlay."""
    pit = at("super-six", overlay(cause("technical")), "5")
    assert pit.state.shoe is not None
    pit.report(Fault.TECHNICAL)
    pit.state = replace(pit.state, shoe=replace(pit.state.shoe, unproven=True))
    for who, may in ((DEALER, False), (SUPERVISOR, False), (MANAGER, True), (SHIFT, True)):
        assert ("Rule" in public_view(pit.felt, pit.state, who).allowed) is may


@pytest.mark.parametrize("key", SHORT)
def test_a_cause_the_document_does_not_know_is_asked_of_the_rank_the_regulation_names(key: str) -> None:
    pit = at(key, overlay(cause("deck_count")), "5")
    pit.report(Fault.DECK_COUNT)
    question = pit.state.question
    assert question is not None
    assert (question.choices, question.asked_of, question.rule) == (
        (Choice.VOID, Choice.STANDS), MANAGER, Cited("sample", "reg. 1"),
    )  # fmt: skip
    for who, may in ((DEALER, False), (SUPERVISOR, False), (MANAGER, True), (SHIFT, True)):
        assert ("Rule" in public_view(pit.felt, pit.state, who).allowed) is may
    assert pit.refused(SUPERVISOR, c.Rule(question=1, choice=Choice.STANDS))[0] is Reason.NOT_AUTHORISED
    pit.rule(MANAGER, Choice.STANDS)
    assert pit.phase is Phase.DEALING
    pit.report(Fault.DECK_COUNT)
    pit.rule(MANAGER, Choice.VOID)
    assert (pit.phase, len(pit.told(ShoeWithdrawn))) == (Phase.VOIDED, 1)


@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize("fault", ["foreign_card", "deck_count"])
def test_a_settled_round_is_void_by_an_overlay_alone(key: str, fault: str) -> None:
    carried = overlay(cause(fault, in_round=False, settled=True))
    pit = Pit(key)
    assert pit.state.setup is not None
    widened = replace(pit.state.setup, policy=Policy(gap_void=(GapCause(fault),)))
    assert pit.refused(MANAGER, c.ChangeSetup(setup=widened))[0] is Reason.GAP_VOID_FIXED
    for policy in (None, widened.policy):
        pit = at(key, carried, "9 7 K 10", policy)
        pit.settle()
        assert pit.state.setup is not None
        other = replace(pit.state.setup, overlay=replace(carried, document="Other Regulations"))
        assert pit.refused(MANAGER, c.ChangeSetup(setup=other))[0] is Reason.ROUND_NOT_FINAL
        pit.report(Fault(fault))
        pit.rule(MANAGER, Choice.VOID)
        assert (pit.phase, pit.purse("ann")) == (Phase.VOIDED, 100_000)
        assert pit.told(RoundVoided)[0].rule == Cited("sample", "reg. 1")


def test_an_overlay_is_silent_on_what_it_does_not_name() -> None:
    carried = overlay(cause("technical"))
    assert carried.of("technical", settled=False) is not None
    assert carried.of("technical", settled=True) is None
    assert carried.of("foreign_card", settled=False) is None
