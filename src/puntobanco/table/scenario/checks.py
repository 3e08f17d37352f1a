"""Checks of a scenario before it is played. A refusal names the file, the step and the field.

`read_scenario` checks the file alone. `check` checks what depends on the game: its bets, boxes and paragraphs.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, get_args

import msgspec

from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.game import Game
from puntobanco.rules.money import read_money
from puntobanco.rules.parsing import convert
from puntobanco.rules.plain_data import Phrase
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.suggestion import meant, nearest
from puntobanco.table.authority import Role
from puntobanco.table.command_table import WORDS
from puntobanco.table.events import AnyEvent
from puntobanco.table.guests import guest_id
from puntobanco.table.scenario_format import (
    AMOUNTS,
    Decision,
    Expectation,
    Scenario,
    ScenarioBet,
    ScenarioStep,
    Table,
)
from puntobanco.table.scenario_words import ALWAYS, HOUSE, read_faces
from puntobanco.table.tags import tag_of

STAFF = (*(role.value for role in Role if role is not Role.PLAYER), HOUSE)

EVENTS = tuple(tag_of(event) for event in get_args(AnyEvent))

KEYED = ("stakes", "plays", "held", "results", "missing", "decided")
"""Expectations by box, bet and person."""

LINES = ("accepted", *Reason)
"""The possible results of a line of a slip."""


IN_PLACE_OF = {
    "bets": ScenarioBet.__struct_fields__, "faces": ("index", "cards"), "decisions": Decision.__struct_fields__
}  # fmt: skip
"""Fields that hold several values, and the fields that they replace."""


class Place(NamedTuple):
    """A place in a file, for refusals."""

    file: str
    place: str

    def within(self, part: str) -> "Place":
        return Place(self.file, f"{self.place}, {part}")

    def one_of(self, field: str, got: str, known: Collection[str]) -> None:
        if got not in known:
            listed = nearest(got, known)
            raise Refused(
                Reason.FIELD_CHOICE,
                file=self.file,
                place=self.place,
                field=field,
                got=got,
                known=listed,
                meant=meant(got, known),
            )

    def wrong(self, field: str, refused: Refused) -> NoReturn:
        why = Phrase("refusal", refused.reason, refused.parameters)
        raise Refused(Reason.SCENARIO_VALUE, file=self.file, place=self.place, field=field, why=why)

    def reads(self, field: str, read: Callable[[Any], object], written: object) -> None:
        """Refuses a written value that `read` does not accept."""
        if written is not None:
            try:
                read(written)
            except Refused as refused:
                self.wrong(field, refused)


# ---- the file alone ----------------------------------------------------------------------------------------------


def read_scenario(written: Mapping[str, Any], file: str) -> Scenario:
    """Reads the scenario. A refusal names the field."""
    read: Scenario = convert(written, Scenario, file, written, within="scenario")
    if not read.steps and read.opening.refused is None:
        raise Refused(Reason.SCENARIO_EMPTY, file=file)
    for person, amount in read.people.items():
        Place(file, "people").reads(person, _positive, amount)
    _check_table(Place(file, "table"), read.table)
    _check_expectation(Place(file, "opening"), read.opening)
    known = _people(read)
    for number, (step, fields) in enumerate(zip(read.steps, written.get("step", ()), strict=True), start=1):
        place = Place(file, f"step {number}")
        _check_word(file, number, step, fields)
        if not step.device:
            place.one_of("by", step.by, (*STAFF, *known))
        _check_step(place, step)
        _check_named(place.within("expect"), step.expect, known)
    _check_named(Place(file, "opening"), read.opening, known)
    return read


def _people(read: Scenario) -> tuple[str, ...]:
    """Everyone who is at the table at some time: bought in or assigned."""
    came = [step.person or step.by for step in read.steps if step.do == "buy_in"]
    guests = [guest_id(step.person) for step in read.steps if step.do == "guest_buy_in" and step.person]
    assigned = [step.person for step in read.steps if step.do == "assign" and step.person]
    return tuple(dict.fromkeys([*read.people, *came, *guests, *assigned]))


def _positive(text: str) -> None:
    if read_money(text) <= 0:
        raise Refused(Reason.AMOUNT_NOT_POSITIVE, amount=text)


def _check_table(place: Place, table: Table) -> None:
    for field in AMOUNTS:
        place.reads(field, read_money, getattr(table, field))


def _check_word(file: str, number: int, step: ScenarioStep, written: Mapping[str, Any]) -> None:
    """Refuses a step that lacks a field its word needs, or has one the word does not use."""
    word = WORDS.get(step.do)
    if word is None:
        raise Refused(Reason.SCENARIO_WORD, file=file, step=number, word=step.do, known=", ".join(WORDS))
    replaced = {one for field in written for one in IN_PLACE_OF.get(field, ())}
    uses = {*word.needs, *word.may, *ALWAYS} - replaced
    for field in written:
        if field not in uses:
            known = ", ".join(sorted(uses - ALWAYS)) or "-"
            raise Refused(Reason.SCENARIO_STRAY, file=file, step=number, field=field, word=step.do, known=known)
    for field in word.needs:
        if field in uses and field not in written:
            raise Refused(Reason.FIELD_MISSING, file=file, place=f"step {number}, {step.do}", field=field)


def _check_step(place: Place, step: ScenarioStep) -> None:
    if step.wait < 0:
        place.wrong("wait", Refused(Reason.TIME_NEGATIVE))
    place.reads("amount", read_money, step.amount)
    for number, one in enumerate(step.bets or (), start=1):
        place.within(f"bets {number}").reads("amount", read_money, one.amount)
    for number, decision in enumerate(step.decisions or (), start=1):
        place.within(f"decisions {number}").reads("amount", read_money, decision.amount)
    read: dict[str, Callable[[str], object]] = {"expose": read_card, "correct_card": read_card, "report": read_faces}
    place.reads("cards", read.get(step.do, read_cards), step.cards)
    for index, face in step.faces.items():
        place.within("faces").reads(str(index), read_card, face)
    if step.table is not None:
        _check_table(place.within("table"), step.table)
    _check_expectation(place.within("expect"), step.expect)


def _check_expectation(place: Place, expect: Expectation) -> None:
    for field in ("purses", "withheld", "stakes", "plays", "held", "results", "owed", "offered", "missing"):
        for name, amount in (getattr(expect, field) or {}).items():
            place.within(field).reads(name, read_money, amount)
    place.reads("most", read_money, expect.most)
    for field in ("player", "banker", "waiting"):
        place.reads(field, read_faces, getattr(expect, field))
    for one in expect.lines or ():
        place.one_of("lines", one, LINES)
    for name in (*expect.events, *expect.never.events):
        place.one_of("events", name, EVENTS)


def _check_named(place: Place, expect: Expectation, known: Collection[str]) -> None:
    """Refuses expectations about people who are never at the table."""
    for field in ("purses", "withheld", "owed", "acting"):
        for person in getattr(expect, field) or {}:
            place.within(field).one_of("person", person, known)
    for person in (*(expect.options or ()), *expect.never.options):
        place.one_of("options", person, known)
    if expect.dealt_by is not None:
        place.one_of("dealt_by", expect.dealt_by, (*STAFF, *known))
    for name in (*(expect.offered or {}), *expect.never.offered):
        place.within("offered").one_of("person", name.rpartition("/")[2], known)
    for field in KEYED:
        for key in getattr(expect, field) or ():
            if key.count("/") == 2:
                place.within(field).one_of("person", key.rpartition("/")[2], known)


# ---- with the game -----------------------------------------------------------------------------------------------


def check(scenario: Scenario, game: Game, paragraphs: Collection[str], file: str) -> None:
    """Checks what depends on the game and its document: the set-up, bets, boxes and paragraphs."""
    Place(file, "scenario").reads("layout", game.layout, scenario.layout)
    if scenario.overlay is not None:
        paragraphs = {*paragraphs, *(one.citation for one in scenario.overlay.voids)}
    _check_cited(Place(file, "scenario"), "paragraphs", scenario.paragraphs, paragraphs)
    expects = [(Place(file, "opening"), scenario.opening)]
    expects += [(Place(file, f"step {number}, expect"), one.expect) for number, one in enumerate(scenario.steps, 1)]
    for place, expect in expects:
        _check_cited(place, "cites", (*expect.cites, *expect.never.cites), paragraphs)
        _check_cited(place, "rule", (expect.rule,) if expect.rule else (), paragraphs)
        for field in KEYED:
            bets = _menu(game, scenario.layout) if field == "missing" else _bets(game, scenario.layout)
            _check_keys(place.within(field), getattr(expect, field) or (), _boxes(game, scenario.layout), tuple(bets))
        for bet in expect.not_offered or ():
            place.one_of("not_offered", bet, tuple(_bets(game, scenario.layout)))
    if scenario.opening.refused is None:
        _check_set_up(Place(file, "table"), scenario, game)


def _check_cited(place: Place, field: str, cited: Iterable[str], known: Collection[str]) -> None:
    for one in cited:
        if one not in known:
            raise Refused(
                Reason.PARAGRAPH_UNKNOWN_IN_FILE, file=place.file, place=place.place, field=field, paragraph_id=one
            )


def _check_keys(place: Place, keys: Iterable[str], boxes: Collection[str], bets: Collection[str]) -> None:
    for key in keys:
        if key.count("/") != 2:
            place.one_of("key", key, ("box/bet/person",))
        box, bet, _ = key.split("/")
        place.one_of("box", box, boxes)
        place.one_of("bet", bet, bets)


def _boxes(game: Game, layout: str | None) -> tuple[str, ...]:
    """The numbers of the boxes; only 0 for terminals."""
    felt = game.layout(layout)
    return tuple(map(str, range(1, felt.most_boxes + 1))) if felt else ("0",)


def _menu(game: Game, layout: str | None) -> tuple[str, ...]:
    """The keys of the menu without windows, because a missing chip is recorded under its bet, in any window."""
    return tuple(bet.key for bet in game.menu(game.layout(layout)))


def _bets(game: Game, layout: str | None) -> Iterator[str]:
    """The keys of the menu, with windows for insurance."""
    for bet in game.menu(game.layout(layout)):
        yield from (f"{bet.key}@{window}" for window in Window) if bet.insures else (bet.key,)


def _check_set_up(place: Place, scenario: Scenario, game: Game) -> None:
    """Refuses a set-up that no table can open with. A scenario about that expects the refusal in `[opening]`."""
    table = scenario.table
    place.reads("decks", game.decks.check, table.decks)
    for field in ("burn", "cut_card"):
        if (getattr(table, field) or 0) < 0:
            place.wrong(field, Refused(Reason.SHOE_SET_WRONGLY, burn=table.burn or 0, cut_card=table.cut_card or 0))
    for field, time in msgspec.structs.asdict(scenario.timing).items():
        if time < 0:
            Place(place.file, "timing").wrong(field, Refused(Reason.TIME_NEGATIVE))
