"""Second persons: what somebody declares waits for another; what a rule binds does not."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from puntobanco.house.audit.history import History
from puntobanco.house.house import House
from puntobanco.house.journal import writer
from puntobanco.house.journal.dual_control import table_command_needs_second
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand, Disable, Fill, GiveRole
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.posts import Post
from puntobanco.rules.cards import read_cards
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason
from puntobanco.store import codec
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.second_person import DECLARED, REVERSING
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase, State
from tests.house.staffed import (
    Floor,
    add,
    bet,
    deal,
    entries,
    fund,
    in_play,
    in_wallet,
    phase,
    refused,
    restart,
    settle,
    well,
)
from tests.marks import rulings


async def events(house: House, kind: type[Any], table: str = "one") -> list[Any]:
    told = [codec.decode(row.kind, row.body) async for row in house.store.read(table)]
    return [one for one in told if isinstance(one, kind)]


async def asked_to_void(house: House) -> int:
    """A foreign card was found; the supervisor declares the round void and waits."""
    await in_play(house, "9S 8D")
    well(await house.do("dora", "one", c.Report(round=1, fault=Fault.FOREIGN_CARD)))
    answer = well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.VOID, reason="a joker")))
    assert isinstance(answer.waits, int)
    assert phase(house) is Phase.DECISION
    return answer.waits


@rulings("TEC-10")
def test_a_declared_void_waits_for_another_of_the_pit_and_bears_both_names(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        number = await asked_to_void(house)
        for nobody in ("ann", "dora", "cal", "ada", "eve", "dev", "stranger"):
            assert refused(await house.confirm(nobody, number)) is Reason.ACCESS_DENIED
        assert refused(await house.confirm("sue", number)) is Reason.SECOND_IS_FIRST
        assert refused(await house.confirm("sam", number + 1)) is Reason.NOTHING_WAITS
        assert phase(house) is Phase.DECISION
        well(await house.confirm("sam", number))
        assert phase(house) is Phase.VOIDED
        assert house.tables["one"].state.purses["ann"] == 1_000_00
        for kind in (e.Ruled, e.RoundVoided):
            (told,) = await events(house, kind)
            assert (told.by.person, told.by.second) == ("sue", "sam")
        assert refused(await house.confirm("sam", number)) is Reason.NOTHING_WAITS
        (given,) = await entries(house, b.SecondGiven)
        assert (given.by.person, given.by.post, given.refused) == ("sam", Post.PIT_SUPERVISOR, "")

    Floor(tmp_path).run(work)


def test_two_who_confirm_at_once_are_one_second_person(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        number = await asked_to_void(house)
        answers = await asyncio.gather(house.confirm("sam", number), house.confirm("max", number))
        assert [one.refusal is None for one in answers] == [True, False]
        assert [one.by.person for one in await entries(house, b.SecondGiven)] == ["sam"]
        assert len(await events(house, e.RoundVoided)) == 1

    Floor(tmp_path).run(work)


def test_a_void_that_follows_from_the_finding_needs_nobody_else(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house, "9S")
        well(await house.do("dora", "one", c.Report(round=1, fault=Fault.TECHNICAL)))
        answer = well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.AFFECTS, reason="power")))
        assert answer.waits is None
        assert phase(house) is Phase.VOIDED
        (told,) = await events(house, e.RoundVoided)
        assert (told.rule.paragraph, told.by.second) == ("5.4.2", "")

    Floor(tmp_path).run(work)


def test_nobody_alone_finds_that_a_known_result_cannot_be_reconstructed(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house, "9S 8D TC KC")
        well(await house.do("sue", "one", c.Report(round=1, fault=Fault.WRONG_NUMBER_OF_CARDS)))
        finding = c.Rule(question=1, choice=Choice.CANNOT_RECONSTRUCT, reason="nobody saw it")
        asked = well(await house.do("sue", "one", finding))
        assert phase(house) is Phase.DECISION
        assert refused(await house.confirm("sue", asked.waits)) is Reason.SECOND_IS_FIRST
        well(await house.confirm("max", asked.waits))
        (told,) = await events(house, e.RoundVoided)
        assert (phase(house), told.by.person, told.by.second) == (Phase.VOIDED, "sue", "max")

    Floor(tmp_path).run(work)


@rulings("TEC-10")
def test_an_empty_shoe_voids_by_itself(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "super-six", decks=4, burn=50, cut_card=0)
        load = c.LoadShoe(shoe="s", decks=4, shuffled=True, source=Source.KEYBOARD)
        well(await house.do("dora", "one", load))
        while table.state.phase is not Phase.VOIDED:
            well(await house.do("dora", "one", c.OpenBetting()))
            number = table.state.round
            well(await house.do("dora", "one", c.CloseBetting(round=number)))
            while table.state.phase is Phase.DEALING:
                index = len(table.state.drawn) + 1
                draw = c.DrawCard(round=number, index=index, card=read_cards("9 8 K K")[index - 1])
                assert well(await house.do("dora", "one", draw)).waits is None
            if table.state.phase is Phase.RESULT:
                await settle(house)
        assert table.state.round == (4 * 52 - 50) // 4 + 1
        (told,) = await events(house, e.RoundVoided)
        assert told.by.second == ""

    Floor(tmp_path).run(work)


def test_naming_a_question_before_it_is_put_slips_past_nobody(tmp_path: Path) -> None:
    """The report and the ruling reach the table together: the ruling must not be decided by one person."""

    async def work(house: House) -> None:
        table = await in_play(house, "9S 8D")
        void = c.Rule(question=1, choice=Choice.VOID, reason="quick")
        _, ruled = await asyncio.gather(
            house.do("dora", "one", c.Report(round=1, fault=Fault.FOREIGN_CARD)), house.do("sue", "one", void)
        )
        assert ruled.refusal is not None or ruled.waits is not None
        assert table.state.phase is Phase.DECISION

    Floor(tmp_path).run(work)


def test_a_chip_attested_by_the_pit_waits_and_by_a_dealer_only_once_a_card_is_open(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await in_play(house)
        attest = c.AttestBet(
            round=1, owner="ann", line=c.Line(bet="banker", amount=100_00, box=1), attested=True, reason="camera"
        )
        assert well(await house.do("sue", "one", attest)).waits == 1
        card = c.DrawCard(round=1, index=1, card=read_cards("9S")[0])
        drawn, late = await asyncio.gather(house.do("dora", "one", card), house.do("dora", "one", attest))
        well(drawn)
        assert refused(late) is Reason.NOT_AUTHORISED
        assert "1/banker/ann" not in table.state.stakes
        well(await house.confirm("max", 1))
        assert table.state.stakes["1/banker/ann"].amount == 100_00
        assert (await events(house, e.BetAttested))[0].by.second == "max"

    Floor(tmp_path).run(work)


def test_what_is_asked_twice_waits_once_also_after_a_restart(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    attest = c.AttestBet(
        round=1, owner="ann", line=c.Line(bet="banker", amount=100_00, box=1), attested=True, reason="camera"
    )

    told: list[Answer] = []

    async def ask(house: House) -> None:
        if "one" not in house.tables:
            await in_play(house, "9S 8D 7C")
            version = house.tables["one"].state.version
            assert version != house.journal.version
            assert well(await house.do("sue", "one", attest, "r1")) == Answer(version, waits=1)
        elif house.tables["one"].state.question is not None:
            well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.DOES_NOT_AFFECT, reason="back")))
        answers = [well(await house.do("sue", "one", attest, request)) for request in ("r1", "r1", "", "r2", "r2")]
        assert {one.waits for one in answers} == {1}
        assert answers[0] == answers[1]
        assert answers[3] == answers[4]
        told.append(answers[0])
        other = c.DecideUnprovided(round=1, decision="x", reason="y")
        assert refused(await house.do("sue", "one", other, "r2")) is Reason.REQUEST_REUSED
        assert list(house.journal.waiting) == [1]

    floor.run(ask)
    floor.run(ask)
    assert told[0] == told[1], "sent again after a restart it has its first answer"

    async def confirm(house: House) -> None:
        well(await house.do("sue", "one", c.Rule(question=2, choice=Choice.DOES_NOT_AFFECT, reason="back")))
        well(await house.confirm("max", 1))
        for request in ("r1", "r2"):  # each was answered, and has that answer for good
            assert well(await house.do("sue", "one", attest, request)).waits == 1
        assert house.journal.waiting == {}
        other = c.DecideUnprovided(round=1, decision="x", reason="y")
        for request in ("r1", "r2"):
            assert refused(await house.do("sue", "one", other, request)) is Reason.REQUEST_REUSED

    floor.run(confirm)


def test_a_restart_between_asking_and_confirming_loses_nothing(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.run(asked_to_void)

    async def after(house: House) -> None:
        (number,) = house.journal.waiting
        assert phase(house) is Phase.DECISION
        well(await house.confirm("sam", number))
        assert phase(house) is Phase.VOIDED

    floor.run(after)


def test_a_crash_between_the_table_and_the_book_is_confirmed_again_with_one_effect(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        number = await asked_to_void(house)
        sent = c.Rule(question=1, choice=Choice.VOID, reason="a joker")
        well(await house.tables["one"].send(sent, "sue", Role.PIT_SUPERVISOR, f"second:{number}", "sam"))

    async def after(house: House) -> None:
        (number,) = house.journal.waiting
        well(await house.confirm("sam", number))
        assert house.journal.waiting == {}
        (given,) = await entries(house, b.SecondGiven)
        assert given.refused == ""
        assert len(await events(house, e.RoundVoided)) == 1

    floor.run(before)
    floor.run(after)


def test_a_crash_between_money_and_the_second_name_is_confirmed_again_with_one_effect(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        await add(house, "one", "commission")
        asked = well(await house.manage("cal", Fill(table="one", amount=5_00)))
        by = b.Who("cal", Post.CASHIER, 1, "", f"second:{asked.waits}", "sue")
        well(await house.journal_writer.do(Fill(table="one", amount=5_00), by))

    async def after(house: House) -> None:
        (number,) = house.journal.waiting
        well(await house.confirm("sue", number))
        assert (await house.store.balances())["float:one"] == 5_00
        assert house.journal.waiting == {}

    floor.run(before)
    floor.run(after)


def test_what_is_confirmed_too_late_is_refused_and_gone(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        number = await asked_to_void(house)
        well(await house.do("sam", "one", c.Rule(question=1, choice=Choice.STANDS, reason="our own card")))
        assert refused(await house.confirm("max", number)) is Reason.NOT_HEARD_NOW
        assert house.journal.waiting == {}
        (given,) = await entries(house, b.SecondGiven)
        assert (given.refused, given.parameters["command"]) == ("not_heard_now", "Rule")
        assert phase(house) is Phase.DEALING
        well(await house.do("dora", "one", c.Report(round=1, fault=Fault.FOREIGN_CARD)))
        void = c.Rule(question=2, choice=Choice.VOID, reason="another")
        late = well(await house.do("sue", "one", void)).waits
        well(await house.do("sam", "one", c.Rule(question=2, choice=Choice.STANDS, reason="no")))
        well(await house.do("dora", "one", c.Report(round=1, fault=Fault.FOREIGN_CARD)))
        assert refused(await house.confirm("max", late)) is Reason.STALE_QUESTION
        assert phase(house) is Phase.DECISION

    Floor(tmp_path).run(work)


def test_the_second_may_decline_and_the_first_take_it_back(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        number = await asked_to_void(house)
        assert refused(await house.decline("ann", number, "no")) is Reason.ACCESS_DENIED
        assert refused(await house.decline("sam", number, " ")) is Reason.REASON_WANTED
        assert refused(await house.decline("sam", 9, "no")) is Reason.NOTHING_WAITS
        well(await house.decline("sam", number, "I saw no joker"))
        assert refused(await house.confirm("max", number)) is Reason.NOTHING_WAITS
        again = well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.VOID, reason="but I did"))).waits
        assert again == number + 1
        well(await house.decline("sue", again, "no, it was a label"))
        assert [one.by.person for one in await entries(house, b.SecondDeclined)] == ["sam", "sue"]
        assert phase(house) is Phase.DECISION
        third = well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.VOID, reason="x"))).waits
        well(await house.manage("ada", Disable(person="sue", reason="sent home")))
        assert refused(await house.decline("sue", third, "mine")) is Reason.ACCESS_DENIED

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("lost", [Disable(person="sue", reason="x"), GiveRole(person="sue", post=Post.DEALER)])
def test_what_the_first_may_do_no_more_is_not_done_for_them(tmp_path: Path, lost: AnyAdministrativeCommand) -> None:
    async def work(house: House) -> None:
        number = await asked_to_void(house)
        fill = well(await house.manage("sue", Fill(table="one", amount=5_00))).waits
        well(await house.manage("ada", lost))
        assert refused(await house.confirm("sam", number)) is Reason.ACCESS_DENIED
        assert refused(await house.confirm("cal", fill)) is Reason.ACCESS_DENIED
        assert house.journal.waiting == {}
        assert phase(house) is Phase.DECISION
        assert "float:one" not in await house.store.balances()

    Floor(tmp_path).run(work)


def test_a_role_at_the_table_decides_who_may_be_second_there(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        number = await asked_to_void(house)
        well(await house.do("tom", "one", c.Assign(person="sam", role=StaffRank.DEALER)))
        assert refused(await house.confirm("sam", number)) is Reason.ACCESS_DENIED
        well(await house.do("tom", "one", c.Assign(person="dora", role=StaffRank.PIT_SUPERVISOR)))
        well(await house.confirm("dora", number))

    Floor(tmp_path).run(work)


def test_what_waits_at_a_stopped_table_waits_on(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        number = await asked_to_void(house)
        await house.store.claim("one")
        assert refused(await house.confirm("sam", number)) is Reason.TABLE_STOPPED
        assert list(house.journal.waiting) == [number]
        await restart(house, "one")
        well(await house.confirm("sam", number))

    floor.run(work)


@rulings("TEC-10")
def test_every_correction_of_a_settled_round_needs_two(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await in_play(house, "9S 8D TC KC")
        await settle(house)
        well(await house.do("dora", "one", c.Report(round=1, fault=Fault.MISKEYED)))
        cards = read_cards("8S 9D TC KC")
        correct = c.Rule(question=1, choice=Choice.CORRECT, reason="camera", cards=cards)
        purse = table.state.purses["ann"]
        asked = well(await house.do("sue", "one", correct))
        assert table.state.purses["ann"] == purse
        well(await house.confirm("max", asked.waits))
        assert {one.by.second for one in await events(house, e.Ruled)} == {"max"}
        assert [str(one.card) for one in table.state.drawn] == [str(card) for card in cards]

    Floor(tmp_path).run(work)


def test_a_house_decision_waits_for_two_and_is_refused_at_once_if_it_would_be(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house)
        decision = c.DecideUnprovided(round=1, decision="goodwill", reason="the band was loud")
        assert refused(await house.do("sue", "one", decision)) is Reason.NOT_AUTHORISED
        assert refused(await house.do("tom", "one", c.DecideUnprovided(round=9, decision="x", reason="y"))) is (
            Reason.STALE_ROUND
        )
        assert house.journal.waiting == {}
        asked = well(await house.do("tom", "one", decision))
        well(await house.confirm("sue", asked.waits))
        (told,) = await events(house, e.HouseDecided)
        assert (told.by.person, told.by.second) == ("tom", "sue")

    Floor(tmp_path).run(work)


@rulings("BET-14")
def test_a_missing_chip_is_written_off_by_two(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house)
        taken = c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=100_00, withdrawn=True)
        well(await house.do("dora", "one", taken))
        written_off = c.WriteOffChip(missing=1, reason="she has left")
        assert refused(await house.do("sue", "one", written_off)) is Reason.NOT_AUTHORISED
        asked = well(await house.do("max", "one", written_off))
        assert list(house.tables["one"].state.missing) == [1]
        well(await house.confirm("sue", asked.waits))
        (told,) = await events(house, e.ChipWrittenOff)
        assert (told.by.person, told.by.second, house.tables["one"].state.missing) == ("max", "sue", {})

    Floor(tmp_path).run(work)


def test_an_order_of_cards_needs_two_while_the_dealer_takes_and_pays(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house, "9S 2H KD 5C")
        well(await house.do("dora", "one", c.Settle(round=1)))
        assert phase(house) is Phase.PAYING
        well(await house.do("dora", "one", c.Report(round=1, fault=Fault.OTHER_DEALING_ERROR)))
        asked = well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.RECONSTRUCT, reason="seen")))
        assert asked.waits is not None, "it takes a settlement back"

    Floor(tmp_path).run(work)


def test_a_ruling_on_another_question_than_the_open_one_is_taken_for_the_gravest() -> None:
    for choice in Choice:
        command = c.Rule(question=3, choice=choice)
        assert table_command_needs_second(State(), command, Post.SHIFT_MANAGER) is (choice in DECLARED | REVERSING)
    assert not table_command_needs_second(State(), c.Settle(round=1), Post.DEALER)


def test_nothing_is_lost_if_whoever_confirms_goes_away(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        for number in range(1, 15):
            asked = well(await house.manage("cal", Fill(table="one", amount=1_00)))
            guest_confirmation = asyncio.create_task(house.confirm("sue", asked.waits))
            for _ in range(number):
                await asyncio.sleep(0)
            guest_confirmation.cancel()
            await asyncio.gather(guest_confirmation, return_exceptions=True)
        for left in tuple(house.journal.waiting):
            await house.confirm("sue", left)
        assert house.failed == {}
        assert (await house.store.balances())["float:one"] == 14_00
        assert await in_wallet(house, "ann") == 0
        await bet_nothing(house)

    Floor(tmp_path).run(work)


async def bet_nothing(house: House) -> None:
    """The table still plays."""
    await fund(house, "ann", 100_00, "one")
    await bet(house)
    await deal(house, "one", "9S 8D TC KC")
    await settle(house)


def test_the_same_request_at_two_tables_does_not_wait_as_one(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        decision = c.DecideUnprovided(round=1, decision="the chip is returned", reason="it was nobody's")
        for table in ("one", "two"):
            await add(house, table, "commission")
            load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
            well(await house.do("dora", table, load))
            well(await house.do("dora", table, c.OpenBetting()))
        assert well(await house.do("tom", "one", decision, "r1")).waits == 1
        assert refused(await house.do("tom", "two", decision, "r1")) is Reason.REQUEST_REUSED
        assert well(await house.do("tom", "two", decision, "r2")).waits == 2
        assert [one.table for one in house.journal.waiting.values()] == ["one", "two"]

    Floor(tmp_path).run(work)


def test_a_retry_has_its_answer_although_it_would_need_a_second_by_now(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house, "")
        line = c.Line(bet="banker", amount=100_00, box=1)
        attest = c.AttestBet(round=1, line=line, owner="ann", attested=True, reason="it lay there")
        first = well(await house.do("dora", "one", attest, "r1"))
        assert first.waits is None
        await deal(house, "one", "9S 8D")
        assert await house.do("dora", "one", attest, "r1") == first
        assert house.journal.waiting == {}

    Floor(tmp_path).run(work)


def test_a_person_has_so_many_requests_waiting_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_WAITING", 3)

    async def work(house: House) -> None:
        await add(house, "one", "commission")
        first, *_ = [well(await house.manage("cal", Fill(table="one", amount=many * 100))) for many in (1, 2, 3)]
        assert refused(await house.manage("cal", Fill(table="one", amount=4_00))) is Reason.TOO_MANY_WAITING
        well(await house.manage("cas", Fill(table="one", amount=4_00)))
        assert len(house.journal.waiting) == 4
        well(await house.decline("cal", first.waits or 0, "not now"))
        well(await house.manage("cal", Fill(table="one", amount=5_00)))

    Floor(tmp_path).run(work)


@rulings("TEC-10")
def test_a_decision_on_bets_waits_for_two(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await in_play(house, "9S 8D TC")
        purse = table.state.purses["ann"]
        bets = (c.BetTerms(owner="ann", bet="player", terms=c.Terms.RETURN, box=1),)
        decision = c.DecideUnprovided(round=1, decision="nobody's bet", reason="seen on the camera", bets=bets)
        asked = well(await house.do("tom", "one", decision))
        assert (table.state.purses["ann"], asked.waits > 0) == (purse, True)
        well(await house.confirm("max", asked.waits))
        (told,) = await events(house, e.BetsDecided)
        assert (told.by.person, told.by.second) == ("tom", "max")
        assert table.state.purses["ann"] > purse

    Floor(tmp_path).run(work)


def test_a_supervisor_has_so_many_rulings_waiting_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_WAITING", 1)

    async def work(house: House) -> None:
        await asked_to_void(house)
        again = c.Rule(question=1, choice=Choice.VOID, reason="two jokers")
        assert refused(await house.do("sue", "one", again)) is Reason.TOO_MANY_WAITING

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("choice", [Choice.CONCLUDE, Choice.DECIDE_BETS])
def test_a_round_that_cannot_go_on_is_ended_by_two(tmp_path: Path, choice: Choice) -> None:
    async def work(house: House) -> None:
        table = await in_play(house, "9S 8D TC")
        well(await house.do("dora", "one", c.Report(round=1, fault=Fault.TECHNICAL)))
        well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.CANNOT_GO_ON, reason="no power")))
        bets = (c.BetTerms(owner="ann", bet="player", terms=c.Terms.RETURN, box=1),)
        named = bets if choice is Choice.DECIDE_BETS else ()
        asked = well(await house.do("tom", "one", c.Rule(question=2, choice=choice, reason="no power", bets=named)))
        assert phase(house) is Phase.SUSPENDED
        well(await house.confirm("max", asked.waits))
        (told,) = await events(house, e.RoundDecided)
        assert (phase(house), told.by.second) == (Phase.DECIDED, "max")
        history = await History("one", house.store, house.tables["one"].game).load()
        assert [line.ended for line in history.rounds] == ["decided"]
        assert table.state.question is None

    Floor(tmp_path).run(work)
