"""Who may do what: whatever is not named is denied, written down, and changes nothing."""

from pathlib import Path

import pytest

from puntobanco.house.house import House
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import (
    HEARD_FROM,
    Acknowledge,
    AddGame,
    AddTable,
    AdjustFloat,
    AdjustWallet,
    Admit,
    AnyAdministrativeCommand,
    CollectDrop,
    CountFloat,
    Credit,
    Deposit,
    Disable,
    Enable,
    Fill,
    GiveRole,
    ReleaseProgram,
    RestartTable,
    RetireTable,
    SetDealing,
    TakeRole,
    Withdraw,
)
from puntobanco.protocol.posts import AT_THE_TABLE, AUDIENCES, COMMANDS, PIT, STAFF, TRUSTED, Person, Post
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.rules.procedures import StaffRank, Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Election, Fault, Tender
from puntobanco.table.reading import KINDS
from puntobanco.table.setup import Source
from tests.house.staffed import PEOPLE, Floor, add, entries, fund, in_play, refused, setup_of, well

AT_TABLE: tuple[c.Command, ...] = (
    c.BuyIn(person="ann", amount=1), c.CashOut(person="ann", amount=1), c.LeaveTable(person="~Lee"),
    c.BuyInAtTable(name="Lee", amount=1, tender=Tender.CASH), c.TakeSeat(box=1), c.LeaveSeat(box=1),
    c.WalkAway(person="ann"), c.Assign(person="sam", role=StaffRank.DEALER), c.Relieve(person="sam"), c.CloseTable(),
    c.AnnounceClosing(reason="x"),
    c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD), c.WithdrawShoe(reason="x"), c.ShowCutCard(),
    c.TakeOver(round=1, away=0),
    c.OpenBetting(), c.PermitOpening(), c.PlaceBets(round=1, lines=()), c.Object(round=1, box=1, against="bob"),
    c.RejectExcess(round=1, box=1), c.AdviseMinimum(round=1, box=1, person="ann"),
    c.ReturnBet(round=1, box=1, bet="player", person="ann"), c.AnnounceClose(round=1), c.CloseBetting(round=1),
    c.AttestBet(round=1, owner="ann", line=c.Line(bet="player", amount=1), attested=True),
    c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=1), c.DrawCard(round=1, index=1),
    c.ExposeCard(round=1, index=1, card=read_card("9S")), c.RequestSqueeze(round=1, index=1),
    c.CorrectCard(round=1, index=1, card=read_card("9S")),
    c.AnswerSqueeze(round=1, index=1, permit=True), c.FinishSqueeze(round=1, index=1), c.RequestWaiver(round=1),
    c.AgreeToWaiver(round=1, agrees=True), c.AnswerWaiver(round=1, consent=True),
    c.Insure(round=1, window=Window.FOUR, amount=1),
    c.DeclineInsurance(round=1, window=Window.FOUR),
    c.CloseInsurance(round=1, window=Window.FOUR), c.Settle(round=1), c.ConfirmBox(round=1, box=1),
    c.ConfirmRest(round=1), c.CollectChip(missing=1), c.WriteOffChip(missing=1, reason="x"),
    c.ChooseAfterTie(round=1, bet="player", leave=True), c.Report(round=1, fault=Fault.DISPLAY),
    c.Rule(question=9, choice=Choice.STANDS), c.Elect(question=1, election=Election.CONTINUE),
    c.CloseOptions(question=1),
    c.CorrectDisplay(round=1, shown="x", correct="y"), c.DecideUnprovided(round=1, decision="x"),
)  # fmt: skip

IN_OFFICE: tuple[AnyAdministrativeCommand, ...] = (
    Admit(person="zoe", title="Zoe"), GiveRole(person="ann", post=Post.PLAYER), TakeRole(person="ann"),
    Disable(person="ann", reason="x"), Enable(person="ann"), AddGame(content="x"),
    AddTable(table="two", game="x"), SetDealing(table="one", automatic=False), RetireTable(table="one"),
    RestartTable(table="one"), ReleaseProgram(digest="0" * 64, reason="x"),
    Deposit(person="ann", amount=1), Withdraw(person="ann", amount=1), Fill(table="one", amount=1),
    Acknowledge(table="one", version=1), Credit(table="one", amount=1), CountFloat(table="one", counted=1),
    CollectDrop(table="one", counted=1, booked=0),
    AdjustWallet(person="ann", amount=1, reason="x"), AdjustFloat(table="one", amount=1, reason="x"),
)  # fmt: skip

NOBODYS = {"eve", "wall", "ada", "adi"}
"""Who is heard with nothing at a table."""


def test_every_command_is_tried_below() -> None:
    tried = {type(one).__name__ for one in AT_TABLE} | {"OpenTable", "ChangeSetup"}
    assert tried == set(KINDS), "AT_TABLE has an example of each command"
    assert {type(one) for one in IN_OFFICE} == set(HEARD_FROM)


@pytest.mark.parametrize("name", PEOPLE)
def test_a_command_at_a_table_is_heard_from_the_posts_named_for_it_and_nobody_else(tmp_path: Path, name: str) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        setup = setup_of(table)
        denied = 0
        for command in (*AT_TABLE, c.OpenTable(setup=setup), c.ChangeSetup(setup=setup)):
            heard = type(command) in COMMANDS.get(PEOPLE[name], frozenset())
            before = table.state
            answer = await house.do(name, "one", command)
            if heard:
                assert answer.refusal is None or answer.refusal.reason is not Reason.ACCESS_DENIED
            else:
                denied += 1
                assert refused(answer) is Reason.ACCESS_DENIED
                assert table.state is before
        written = await entries(house, b.AccessDenied)
        assert len(written) == denied
        assert {one.by.person for one in written} <= {name}
        if name in NOBODYS:
            assert denied == len(AT_TABLE) + 2

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("name", PEOPLE)
def test_an_errand_is_heard_from_the_posts_named_for_it_and_nobody_else(tmp_path: Path, name: str) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        denied = 0
        for command in IN_OFFICE:
            heard = PEOPLE[name] in HEARD_FROM[type(command)]
            people, tables = house.journal.people, house.journal.tables
            answer = await house.manage(name, command)
            if heard:
                assert answer.refusal is None or answer.refusal.reason is not Reason.ACCESS_DENIED
            else:
                denied += 1
                assert refused(answer) is Reason.ACCESS_DENIED
                assert (house.journal.people, house.journal.tables) == (people, tables)
        assert len(await entries(house, b.AccessDenied)) == denied

    Floor(tmp_path).run(work)


def test_posts_are_heard_with_what_is_theirs() -> None:
    """Said once more in other words, so that a slip in the table of rights is seen."""
    assert COMMANDS[Post.CASHIER] == {c.BuyIn, c.CashOut}
    assert set(COMMANDS) == STAFF | {Post.PLAYER, Post.CASHIER, Post.DEVICE}
    assert c.Report in COMMANDS[Post.DEVICE], "a scanner that sees a card while betting is open closes it"
    assert COMMANDS[Post.DEVICE].isdisjoint({c.BuyIn, c.CashOut, c.Rule, c.Settle, c.OpenBetting, c.Assign, c.LoadShoe})
    assert COMMANDS[Post.PLAYER].isdisjoint({c.Rule, c.DrawCard, c.Settle, c.CloseBetting, c.Assign, c.OpenTable})
    assert {post for post, heard in COMMANDS.items() if c.Insure in heard} == STAFF | {Post.PLAYER}
    for recorded in (c.TakeSeat, c.RequestSqueeze, c.FinishSqueeze, c.RequestWaiver, c.AgreeToWaiver, c.ChooseAfterTie):
        assert {post for post, heard in COMMANDS.items() if recorded in heard} == STAFF | {Post.PLAYER}
    assert {post for post, heard in COMMANDS.items() if c.Object in heard} == {Post.PLAYER}
    for rights in (GiveRole, TakeRole, Enable, AddGame, AddTable, RetireTable):
        assert HEARD_FROM[rights] == {Post.ADMINISTRATOR}
    assert HEARD_FROM[RestartTable] == {Post.PIT_MANAGER, Post.SHIFT_MANAGER, Post.ADMINISTRATOR}
    for cash in (Deposit, Withdraw):
        assert HEARD_FROM[cash] == {Post.CASHIER}
    assert set(AUDIENCES) == set(Post)
    assert set(AT_THE_TABLE) == set(COMMANDS)
    assert set(Post) - {Post.PLAYER, Post.DEVICE, Post.BOARD} == TRUSTED
    assert PIT < STAFF


def test_a_role_at_a_table_beats_the_one_in_the_house() -> None:
    person = Person(name="p", title="P", roles={"*": Post.DEALER, "one": Post.PLAYER})
    assert (person.post_at("one"), person.post_at("two"), person.post_at()) == (Post.PLAYER, Post.DEALER, Post.DEALER)
    assert person.is_trusted
    assert person.is_staff
    gone = Person(name="p", title="P", roles={"*": Post.DEALER}, active=False)
    assert gone.post_at("one") is None
    assert Person(name="q", title="Q", roles={"one": Post.DEALER}).post_at("two") is None
    assert not Person(name="q", title="Q", roles={"one": Post.BOARD}).is_trusted


def test_at_a_table_the_place_decides_who_is_heard_as_what(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        for name in ("one", "two"):
            await add(house, name, "commission")
        well(await house.manage("ada", GiveRole(person="dora", post=Post.PLAYER, scope="one")))
        load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
        assert refused(await house.do("dora", "one", load)) is Reason.ACCESS_DENIED
        well(await house.do("dora", "two", load))
        well(await house.manage("ada", TakeRole(person="dora", scope="one")))
        well(await house.do("dora", "one", load))
        well(await house.manage("ada", TakeRole(person="dora")))
        assert refused(await house.do("dora", "one", c.OpenBetting())) is Reason.ACCESS_DENIED
        assert refused(await house.manage("ada", TakeRole(person="dora"))) is Reason.NO_SUCH_ROLE

    Floor(tmp_path).run(work)


def test_whoever_is_assigned_at_a_table_acts_as_that_while_they_are_of_the_staff(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        assert house.post("sam", "one") is Post.PIT_SUPERVISOR
        well(await house.do("tom", "one", c.Assign(person="sam", role=StaffRank.DEALER)))
        assert house.post("sam", "one") is Post.DEALER
        assert refused(await house.manage("sam", Fill(table="one", amount=5_00))) is Reason.ACCESS_DENIED
        well(await house.do("tom", "one", c.Relieve(person="sam")))
        assert house.post("sam", "one") is Post.PIT_SUPERVISOR
        well(await house.do("tom", "one", c.Assign(person="dora", role=StaffRank.PIT_MANAGER)))
        well(await house.manage("dora", SetDealing(table="one", automatic=False)))
        well(await house.manage("ada", GiveRole(person="dora", post=Post.AUDITOR)))
        assert house.post("dora", "one") is Post.AUDITOR
        assert refused(await house.do("dora", "one", c.OpenBetting())) is Reason.ACCESS_DENIED

    Floor(tmp_path).run(work)


def test_only_staff_without_money_at_the_table_are_assigned_there(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        for name in ("ann", "nobody", "cal", "eve"):
            assign = c.Assign(person=name, role=StaffRank.DEALER)
            assert refused(await house.do("tom", "one", assign)) is Reason.NOT_STAFF
        well(await house.manage("ada", GiveRole(person="sam", post=Post.PLAYER, scope="one")))
        await fund(house, "sam", 100_00, "one")
        assign = c.Assign(person="sam", role=StaffRank.PIT_SUPERVISOR)
        assert refused(await house.do("tom", "one", assign)) is Reason.PURSES_NOT_EMPTY
        well(await house.do("sam", "one", c.CashOut(person="sam", amount=100_00)))
        well(await house.do("tom", "one", assign))

    Floor(tmp_path).run(work)


def test_nobody_who_plays_is_made_staff_where_they_play(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house)
        await add(house, "two", "commission")
        give = GiveRole(person="ann", post=Post.DEALER)
        assert refused(await house.manage("ada", give)) is Reason.PLAYS_HERE
        here = GiveRole(person="ann", post=Post.DEALER, scope="one")
        assert refused(await house.manage("ada", here)) is Reason.PLAYS_HERE
        well(await house.manage("ada", GiveRole(person="ann", post=Post.DEALER, scope="two")))
        await fund(house, "bob", 100_00, "one")
        bobs = GiveRole(person="bob", post=Post.CASHIER)
        assert refused(await house.manage("ada", bobs)) is Reason.PURSES_NOT_EMPTY
        well(await house.do("bob", "one", c.CashOut(person="bob", amount=100_00)))
        well(await house.manage("ada", bobs))
        assert house.journal.people["bob"].post_at() is Post.CASHIER

    Floor(tmp_path).run(work)


def test_taking_a_role_may_not_uncover_staff_who_play(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        well(await house.manage("ada", GiveRole(person="dora", post=Post.PLAYER, scope="one")))
        await fund(house, "dora", 100_00, "one")
        uncover = TakeRole(person="dora", scope="one")
        assert refused(await house.manage("ada", uncover)) is Reason.PURSES_NOT_EMPTY
        assert refused(await house.manage("ada", TakeRole(person="nobody"))) is Reason.NOT_ADMITTED

    Floor(tmp_path).run(work)


def test_a_disabled_person_can_do_nothing_until_enabled(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 300_00)
        for name in ("ann", "dora", "cal"):
            well(await house.manage("tom", Disable(person=name, reason="gone home")))
        assert refused(await house.do("ann", "one", c.BuyIn(person="ann", amount=1_00))) is Reason.ACCESS_DENIED
        assert refused(await house.do("cas", "one", c.BuyIn(person="ann", amount=1_00))) is Reason.NOT_ADMITTED
        assert refused(await house.do("dora", "one", c.OpenBetting())) is Reason.ACCESS_DENIED
        assert refused(await house.manage("cal", Deposit(person="bob", amount=1_00))) is Reason.ACCESS_DENIED
        assert refused(await house.manage("cas", Deposit(person="ann", amount=1_00))) is Reason.NOT_ADMITTED
        assert refused(await house.do("stranger", "one", c.OpenBetting())) is Reason.ACCESS_DENIED
        asked = well(await house.manage("cas", Withdraw(person="ann", amount=300_00)))
        assert refused(await house.confirm("ann", asked.waits)) is Reason.ACCESS_DENIED
        well(await house.manage("ada", Enable(person="ann")))
        well(await house.confirm("ann", asked.waits))
        well(await house.manage("cas", Deposit(person="ann", amount=1_00)))
        well(await house.do("ann", "one", c.BuyIn(person="ann", amount=1_00)))

    Floor(tmp_path).run(work)


def test_nobody_decides_on_their_own_rights_and_an_administrator_is_left(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        for own in (
            GiveRole(person="ada", post=Post.CASHIER), TakeRole(person="ada"), Disable(person="ada", reason="x"),
            Enable(person="ada"),
        ):  # fmt: skip
            assert refused(await house.manage("ada", own)) is Reason.OWN_RIGHTS
        assert refused(await house.manage("tom", Disable(person="tom", reason="x"))) is Reason.OWN_RIGHTS
        for overseer in ("adi", "eve"):
            send_away = Disable(person=overseer, reason="in my way")
            assert refused(await house.manage("tom", send_away)) is Reason.ACCESS_DENIED
        well(await house.manage("ada", Disable(person="adi", reason="left us")))
        assert refused(await house.manage("tom", Disable(person="ada", reason="x"))) is Reason.LAST_ADMINISTRATOR
        assert refused(await house.manage("adi", Disable(person="ada", reason="x"))) is Reason.ACCESS_DENIED
        well(await house.manage("ada", Enable(person="adi")))
        well(await house.manage("adi", GiveRole(person="ada", post=Post.AUDITOR)))
        assert refused(await house.manage("ada", Enable(person="ann"))) is Reason.ACCESS_DENIED

    Floor(tmp_path).run(work)


@pytest.mark.parametrize(
    "name",
    ["x:y", "", "Ann", "аnn", "ann ", "a\nb", "ａnn", "-a", "*", "a" * 41, "house", "dealer", "system", "cage", "../a",
     "adjustments", "a\u200b", "٣"],
)  # fmt: skip
def test_a_name_that_could_be_taken_for_another_is_nobodys(tmp_path: Path, name: str) -> None:
    async def work(house: House) -> None:
        assert refused(await house.manage("ada", Admit(person=name, title="X"))) is Reason.NAME_WRONG
        assert refused(await house.manage("ada", AddTable(table=name, game="commission"))) is Reason.NAME_WRONG

    Floor(tmp_path).run(work)


def test_names_are_one_to_a_house_and_titles_one_line(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        for name in ("one", "ann"):
            assert refused(await house.manage("ada", Admit(person=name, title="X"))) is Reason.NAME_TAKEN
            add_table = AddTable(table=name, game="commission")
            assert refused(await house.manage("ada", add_table)) is Reason.NAME_TAKEN
        for title in ("", "  ", "a\nb", "x" * 81, "\u202egnp"):
            assert refused(await house.manage("ada", Admit(person="zoe", title=title))) is Reason.TITLE_WRONG
        there = Admit(person="zoe", title="Zoe", post=Post.DEALER, scope="nowhere")
        assert refused(await house.manage("ada", there)) is Reason.UNKNOWN_TABLE
        well(await house.manage("ada", Admit(person="zoe", title=" 佐伊 ", post=Post.DEALER, scope="one")))
        assert house.journal.people["zoe"].title == "佐伊"
        assert house.post("zoe") is None

    Floor(tmp_path).run(work)


def test_a_cashier_admits_players_only_and_it_is_written_when_he_tries_more(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        well(await house.manage("cal", Admit(person="zoe", title="Zoe")))
        for post in set(Post) - {Post.PLAYER}:
            more = Admit(person=f"x-{post.value}", title="X", post=post)
            assert refused(await house.manage("cal", more)) is Reason.ACCESS_DENIED
        assert refused(await house.manage("cal", Admit(person="cal", title="Me"))) is Reason.NAME_TAKEN
        assert [one.what for one in await entries(house, b.AccessDenied)] == ["Admit"]

    Floor(tmp_path).run(work)


def test_a_flood_of_refused_access_is_counted_and_does_not_fill_the_book(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def flood(house: House) -> None:
        await add(house, "one", "commission")
        version = house.journal.version
        for _ in range(500):
            assert refused(await house.do("ann", "one", c.OpenBetting())) is Reason.ACCESS_DENIED
        assert refused(await house.do("bob", "one", c.OpenBetting())) is Reason.ACCESS_DENIED
        assert house.journal.version == version + 2
        floor.clock.now += 60_000
        await house.do("ann", "one", c.OpenBetting())
        assert [one.times for one in await entries(house, b.AccessDenied)] == [1, 1, 499, 1]
        for _ in range(7):
            await house.do("ann", "one", c.OpenBetting())

    async def after(house: House) -> None:
        written = await entries(house, b.AccessDenied)
        assert sum(one.times for one in written if one.by.person == "ann") == 508
        assert all(one.what == "OpenBetting at one" for one in written)

    floor.run(flood)
    floor.run(after)


def test_a_device_brings_cards_and_bets_reports_what_it_sees_and_nothing_else(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await in_play(house)
        well(await house.do("dev", "one", c.DrawCard(round=1, index=1, card=read_card("9S"))))
        assert table.state.drawn[0].card == read_card("9S")
        well(await house.do("dev", "one", c.Report(round=1, fault=c.Fault.EXPOSED, cards=(read_card("8S"),))))
        assert table.state.front == (read_card("8S"),)
        for command in (
            c.Settle(round=1),
            c.CashOut(person="ann", amount=1_00),
            c.Assign(person="dev", role=StaffRank.DEALER),
        ):
            assert refused(await house.do("dev", "one", command)) is Reason.ACCESS_DENIED
        assert refused(await house.manage("dev", Deposit(person="ann", amount=1_00))) is Reason.ACCESS_DENIED

    Floor(tmp_path).run(work)


def test_every_refusal_of_the_house_has_its_sentence() -> None:
    for language in library.LANGUAGES:
        said = library.sentences(language)
        assert "ann" in said.say("refusal", Reason.NOT_ADMITTED, person="ann")
        assert "ann" in said.say("refusal", Reason.NOT_STAFF, person="ann")
        assert said.say("refusal", Reason.OWN_MONEY)
        assert said.say("refusal", Reason.DEALS_ITSELF)
