"""The command table is the one place where a command is declared; everything else is read from it."""

import ast
from pathlib import Path
from typing import cast, get_args

import pytest
from docs.generate import page

import puntobanco
from puntobanco.house.journal.dual_control import table_command_needs_second
from puntobanco.protocol.posts import Post
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason
from puntobanco.table import availability, second_person
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.command_table import TABLE, WORDS, CommandEntry, Sender, sent_by, vocabulary
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import CutCardShown
from puntobanco.table.pending import PendingEvents
from puntobanco.table.scenario_format import ScenarioStep
from puntobanco.table.scenario_words import word
from puntobanco.table.state import Phase, State
from puntobanco.table.tags import tag_of
from puntobanco.table.views import private_view, public_view
from tests.table.pit import Pit

KINDS = {kind.__name__: kind for kind in get_args(c.AnyCommand)}


class RingBell(c.Command, frozen=True, tag="RingBell"):
    """A command of no game."""

    round: int
    person: str


def ring_bell(pending: PendingEvents, command: RingBell) -> None:
    pending.check_round(command.round)
    pending.add(CutCardShown(by=pending.by))


RINGS = CommandEntry(
    handler=ring_bell,
    heard=frozenset({Phase.BETTING}),
    leads={Phase.BETTING: frozenset({Phase.CLOSING})},
    senders=frozenset({Sender.PLAYER, Sender.STAFF}),
    authority=Action.DEAL,
    sense=lambda _felt, state, role: role is not Role.PLAYER or bool(state.purses),
    only=lambda _felt, state: state.purses,
    second=second_person.always,
    word=word("ring", "person", "round", RingBell),
)


def test_an_entry_and_a_handler_are_all_that_a_new_command_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLE, cast(type[c.Command], RingBell), RINGS)
    pit = Pit("commission")
    ring, by = RingBell(round=1, person="ann"), By("ann", Role.PLAYER, pit.now)
    early = decide(pit.felt, pit.state, ring, by)
    assert isinstance(early, Refusal), early
    assert (early.reason, early.parameters["command"]) == (Reason.NOT_HEARD_NOW, "RingBell")
    pit.open()
    assert isinstance(decide(pit.felt, pit.state, ring, by), Accepted)

    assert "RingBell" in private_view(pit.felt, pit.state, "ann").allowed
    assert "RingBell" not in private_view(pit.felt, pit.state, "nobody").allowed
    offered = {role for role in Role if "RingBell" in public_view(pit.felt, pit.state, role).allowed}
    assert Role.DEALER in offered
    assert offered.isdisjoint({Role.CASHIER, Role.SYSTEM})

    assert RingBell in sent_by(Sender.PLAYER) & sent_by(Sender.STAFF)
    assert RingBell not in sent_by(Sender.DEVICE) | sent_by(Sender.CASHIER)
    assert table_command_needs_second(pit.state, ring, Post.DEALER)

    said = vocabulary()["ring"]
    assert (said.needs, said.may) == (("person",), ("round",))
    assert list(said.commands(ScenarioStep(by="dealer", do="ring", person="ann"), pit.state)) == [ring]

    assert "    betting --> closing: RingBell" in page().splitlines()
    assert "| `RingBell` | betting | player, staff |" in page().splitlines()


def test_every_command_has_an_entry_and_a_word() -> None:
    assert set(TABLE) == set(KINDS.values())
    assert {entry.word.name for entry in TABLE.values()} | {"time_passes"} == set(WORDS)


def test_the_table_agrees_with_itself() -> None:
    for kind, entry in TABLE.items():
        assert entry.senders, kind
        assert set(entry.leads) <= entry.heard, kind
        assert (entry.authority is not None) == (Sender.STAFF in entry.senders), kind
        assert entry.only is None or Sender.PLAYER in entry.senders, kind


def test_no_other_module_lists_commands_by_hand() -> None:
    source = Path(puntobanco.__file__).parent
    tables = {source / "table" / "commands.py", source / "table" / "command_table.py"}
    found = [
        f"{path.relative_to(source)}:{node.lineno}"
        for path in sorted(source.rglob("*.py"))
        if path not in tables
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Dict | ast.Set | ast.List | ast.Tuple) and _commands_in(node) >= 3
    ]
    assert found == []


def _commands_in(node: ast.Dict | ast.Set | ast.List | ast.Tuple) -> int:
    """How many commands are listed: by class, or by tag."""
    listed = [one for one in node.keys if one] if isinstance(node, ast.Dict) else node.elts
    names = [
        one.attr for one in listed if isinstance(one, ast.Attribute) and ast.unparse(one.value) in ("c", "commands")
    ]
    names += [one.id for one in listed if isinstance(one, ast.Name)]
    names += [str(one.value) for one in listed if isinstance(one, ast.Constant)]
    return sum(name in KINDS for name in names)


def test_each_tag_is_the_name_under_which_a_command_is_sent() -> None:
    assert {tag_of(kind) for kind in TABLE} == set(KINDS)


def test_a_ruling_without_a_question_makes_no_sense() -> None:
    assert not availability.may_answer(Pit("commission").felt, State(), Role.SHIFT_MANAGER)


def test_what_somebody_declares_or_corrects_needs_a_second_person() -> None:
    pit = Pit("commission")
    pit.open()
    line = c.Line(bet="player", amount=100_00, box=1)
    attested = c.AttestBet(round=1, owner="ann", line=line, attested=True)
    assert [role for role in Role if second_person.attests_late(pit.state, attested, role)] == [
        Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER,
    ]  # fmt: skip
    assert second_person.declares(pit.state, c.Rule(question=1, choice=c.Choice.VOID), Role.SHIFT_MANAGER)
    pit.bet("ann", "player", 100)
    pit.close()
    pit.report(c.Fault.FOREIGN_CARD)
    asked = pit.state.question
    assert asked is not None
    declared = {
        choice: second_person.declares(pit.state, c.Rule(question=asked.number, choice=choice), Role.SHIFT_MANAGER)
        for choice in (c.Choice.VOID, c.Choice.STANDS, c.Choice.ORDER)
    }
    assert declared == {c.Choice.VOID: True, c.Choice.STANDS: False, c.Choice.ORDER: False}, "nothing is settled yet"
