"""The dispute desk, cashier and administration through the real doors."""

from typing import Any

import msgspec

from puntobanco.house.audit.export import check
from puntobanco.house.audit.round_bets import bets_of
from puntobanco.house.house import House, opening_setup
from puntobanco.house.shoes.seal import Revealed
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import AddTable, SetDealing
from puntobanco.protocol.rounds import RoundLine
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.rules.refusal import Reason, Refusal
from puntobanco.store import codec
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import BetTerms, Choice, Fault, Terms
from puntobanco.table.setup import Source, Timing
from tests.house.staffed import until
from tests.table.pit import SHIFT
from tests.table.pit import in_play as pit_in_play
from tests.web.house import HERE, Premises, Visitor, in_a_house


async def _do(premises: Premises, name: str, command: c.Command, table: str = HERE) -> None:
    given = await premises.services.house.do(name, table, command)
    assert given.refusal is None, given


async def _round(premises: Premises, number: int, stake: int, *, settle: bool = True) -> None:
    if number == 1:
        await _do(premises, "ann", c.BuyIn(person="ann", amount=5_000_00))
        await _do(premises, "dora", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD))
    await _do(premises, "dora", c.OpenBetting())
    await _do(premises, "ann", c.PlaceBets(round=number, lines=(c.Line(bet="player", amount=stake, box=1),)))
    await _do(premises, "dora", c.CloseBetting(round=number))
    for index, card in enumerate(("9S", "KH", "KD", "7C"), start=1):
        await _do(premises, "dora", c.DrawCard(round=number, index=index, card=read_card(card)))
    if settle:
        await _do(premises, "dora", c.Settle(round=number))
        await _do(premises, "dora", c.ConfirmBox(round=number, box=1))


async def _get(visitor: Visitor, path: str, status: int = 200) -> Any:
    answer = await visitor.get(path)
    assert answer.status_code == status, answer.text
    return answer.json()


@in_a_house()
async def test_a_card_the_dealer_corrected_is_shown_as_it_is(premises: Premises) -> None:
    await _round(premises, 1, 50_00, settle=False)
    ada = await premises.visitor("ada")
    await _do(premises, "dora", c.CorrectCard(round=1, index=4, card=read_card("9C")))
    record = await _get(ada, f"/tables/{HERE}/rounds/1")
    assert [card["face"] for card in record["cards"]] == ["9♠", "K♥", "K♦", "9♣"]
    assert record["line"]["outcome"]["banker_points"] == 9
    await _do(premises, "dora", c.CorrectCard(round=1, index=4, card=read_card("2C")))
    record = await _get(ada, f"/tables/{HERE}/rounds/1")
    assert record["line"]["outcome"]["banker_points"] == 2
    await _do(premises, "dora", c.Settle(round=1))
    view = await _get(await premises.visitor("sue"), f"/tables/{HERE}")
    assert view["public"]["corrections"] == {"dora": 2}


@in_a_house()
async def test_rounds_are_found_by_table_time_player_and_amount(premises: Premises) -> None:
    for number, stake in enumerate((50_00, 70_00, 90_00), start=1):
        await _round(premises, number, stake)
    ada = await premises.visitor("ada")

    async def found(**wanted: Any) -> list[int]:
        query = "&".join(f"{name}={value}" for name, value in wanted.items())
        return [one["line"]["round"] for one in (await _get(ada, f"/rounds?{query}"))["found"]]

    assert await found() == [3, 2, 1]
    assert await found(person="ann") == [3, 2, 1]
    assert await found(person="bao") == []
    assert await found(least=70_00, most=70_00) == [2]
    assert await found(person="ann", least=140_00, most=140_00) == [2], "by what came back for it"
    assert await found(table="there") == []
    at = (await _get(ada, "/rounds?least=7000&most=7000"))["found"][0]["line"]["at"]
    assert await found(since=at) == [3, 2]
    assert await found(before=at) == [1]
    await _get(ada, "/rounds?table=nowhere", 404)
    await _get(ada, "/rounds?least=x", 400)


@in_a_house()
async def test_a_round_that_runs_or_was_void_is_found_by_its_bets_too(premises: Premises) -> None:
    await _round(premises, 1, 50_00, settle=False)
    ada = await premises.visitor("ada")
    found = (await _get(ada, "/rounds?person=ann"))["found"]
    assert [(one["bet"], one["stake"], one.get("result")) for one in found[0]["stakes"]] == [("player", 50_00, None)]


@in_a_house()
async def test_a_player_finds_the_bets_that_came_back_from_a_void_round(premises: Premises) -> None:
    await _round(premises, 1, 50_00, settle=False)
    await _do(premises, "dora", c.Report(round=1, fault=Fault.FOREIGN_CARD, cards=(read_card("2C"),)))
    running = premises.services.house.tables[HERE]
    void = c.Rule(question=1, choice=Choice.VOID, reason="a card of another back")
    assert (await running.send(void, "tom", Role.SHIFT_MANAGER, second="max")).refusal is None
    own = (await _get(await premises.visitor("ann"), f"/tables/{HERE}/rounds/1"))["own"]
    assert [(one["stake"], one["back"], one["rule"], "result" in one) for one in own] == [
        (50_00, 50_00, "5.5.1", False)
    ]
    assert "own" not in await _get(await premises.visitor("bao", 2), f"/tables/{HERE}/rounds/1")


def test_bets_the_house_decided_on_are_found_as_they_ended() -> None:
    def terms(owner: str, bet: str, what: Terms, amount: int = 0) -> BetTerms:
        return BetTerms(owner=owner, bet=bet, terms=what, amount=amount, box=1)

    def decided(*bets: BetTerms) -> c.DecideUnprovided:
        return c.DecideUnprovided(round=1, decision="so be it", reason="seen", bets=bets)

    pit = pit_in_play("commission", "9 7")
    pit.staff(SHIFT, decided(terms("ann", "player", Terms.RETURN), terms("bob", "banker", Terms.AT_STAKE, 300_00)))
    found = bets_of(iter(pit.events))
    assert [(one.owner, one.stake, one.back) for one in found] == [("bob", 300_00, 0), ("ann", 100_00, 100_00)]
    pit.deal("K 10")
    pit.settle()
    pit.staff(SHIFT, decided(terms("bob", "banker", Terms.RETURN)))
    found = bets_of(iter(pit.events))
    assert [(one.owner, one.stake, one.back) for one in found] == [("bob", 300_00, 300_00), ("ann", 100_00, 100_00)]


def test_a_bet_that_was_decided_on_in_a_round_that_is_void_is_found_once() -> None:
    pit = pit_in_play("commission", "9 7")
    paid = BetTerms(owner="ann", bet="player", terms=Terms.PAY, amount=700_00, box=1)
    pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="so be it", reason="seen", bets=(paid,)))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SHIFT, Choice.VOID)
    found = sorted((one.owner, one.stake, one.back) for one in bets_of(iter(pit.events)))
    assert found == [("ann", 100_00, 100_00), ("bob", 200_00, 200_00)]


@in_a_house()
async def test_rounds_of_one_moment_are_not_lost_between_two_pages(premises: Premises) -> None:
    publisher = premises.services.publisher
    for table in ("here", "there"):
        history = await publisher.history(table)
        history.rounds = [RoundLine(round=number, at=number // 3, version=1) for number in range(1, 200)]
    ada, seen, before = await premises.visitor("ada"), list[tuple[str, int]](), None
    while True:
        page = await _get(ada, "/rounds" + (f"?before={before}" if before is not None else ""))
        seen += [(one["table"], one["line"]["round"]) for one in page["found"]]
        assert len(page["found"]) < 110
        if (before := page.get("before")) is None:
            break
    assert len(seen) == len(set(seen)) == 2 * 199


@in_a_house()
async def test_only_the_desk_finds_steps_and_exports_and_only_at_its_own_tables(premises: Premises) -> None:
    await _round(premises, 1, 50_00)
    paths = ("/rounds", "/tables/here/rounds/1/steps", "/tables/here/rounds/1/export")
    for name in ("ann", "cal", "dora", "root", "scan", "wall"):
        visitor = await premises.visitor(name)
        for path in paths:
            await _get(visitor, path, 403)
    there = await premises.visitor("sue-there")
    assert (await _get(there, "/rounds"))["found"] == []
    for path in paths[1:]:
        await _get(there, path, 403)


@in_a_house()
async def test_a_round_is_stepped_through_with_cards_money_words_and_hashes(premises: Premises) -> None:
    await _round(premises, 1, 50_00)
    await _round(premises, 2, 50_00)
    sue = await premises.visitor("sue")
    told = await _get(sue, "/tables/here/rounds/2/steps")
    kinds = [step["event"]["type"] for step in told["steps"]]
    assert (kinds[0], kinds[-2:]) == ("BettingOpened", ["RoundSettled", "BoxesConfirmed"])
    assert [step["hash"] for step in told["steps"]] == [
        row.hash.hex() async for row in premises.store.read("here", after=told["steps"][0]["version"] - 1)
    ]
    settled, last = told["steps"][-2:]
    assert [(one["side"], one["face"]) for one in last["cards"]] == [
        ("player", "9♠"), ("banker", "K♥"), ("player", "K♦"), ("banker", "7♣")
    ]  # fmt: skip
    assert [(one["source"], one["target"], one["amount"]) for one in settled["moved"]] == [
        ("stakes:here", "purse:here:ann", 50_00), ("float:here", "purse:here:ann", 50_00)
    ]  # fmt: skip
    assert (told["steps"][-3]["in_play"], settled["in_play"], last["moved"]) == (50_00, 0, [])
    assert any(line["paragraph"] for step in told["steps"] for line in step["account"] if "paragraph" in line)
    record = await _get(sue, "/tables/here/rounds/2")
    assert [line for step in told["steps"] for line in step["account"]] == record["account"]
    await _get(sue, "/tables/here/rounds/3/steps", 404)
    await _get(sue, "/tables/here/rounds/x/steps", 404)
    await _get(sue, "/tables/nowhere/rounds/1/steps", 404)


@in_a_house()
async def test_the_file_that_is_exported_is_the_one_whose_seal_the_desk_shows(premises: Premises) -> None:
    await _round(premises, 1, 50_00)
    ada = await premises.visitor("ada")
    content = (await ada.get("/tables/here/rounds/1/export")).content
    told = await _get(ada, "/tables/here/rounds/1/steps")
    found = check(content, told["seal"])
    assert (found.wrong, found.bets) == ((), 1)
    assert check(content.replace(b'"table": "here"', b'"table": "else"')).wrong


@in_a_house()
async def test_proofs_of_a_shoe_in_use_go_no_further_than_what_was_seen(premises: Premises) -> None:
    house = premises.services.house
    await add_quick(house)
    await until(lambda: house.tables["auto"].state.round > 3, "rounds are dealt")
    assert (await house.manage("tom", SetDealing(table="auto", automatic=False))).refusal is None
    wall = await premises.visitor("wall")
    shown = await _get(wall, "/tables/auto/shoe")
    rows = [row async for row in premises.store.read("auto")]
    exposed = [codec.decode(row.kind, row.body) for row in rows if row.kind.startswith("CardExposed")]
    assert shown["in_service"]
    assert 0 < len(shown["cards"]) <= len(exposed)
    faces = [str(one.card) for one in exposed if isinstance(one, e.CardExposed)]
    assert [one["card"] for one in shown["cards"]] == faces[: len(shown["cards"])]
    for one in shown["cards"]:
        path = tuple(map(bytes.fromhex, one["path"]))
        proof = Revealed(one["place"], read_card(one["card"]), bytes.fromhex(one["salt"]), path)
        assert proof.proves(shown["commitment"])
    await _get(wall, "/tables/here/shoe", 409)
    await _get(wall, "/tables/auto/shoes/none", 409)


async def add_quick(house: House) -> None:
    assert (await house.manage("root", AddTable(table="auto", game="commission"))).refusal is None
    timing = Timing(betting=0, drain=0, squeeze=0, insurance=0)
    setup = msgspec.structs.replace(opening_setup(house.tables["auto"].game), timing=timing)
    assert (await house.do("max", "auto", c.OpenTable(setup=setup))).refusal is None
    assert (await house.manage("tom", SetDealing(table="auto", automatic=True))).refusal is None


@in_a_house()
async def test_a_write_off_that_waits_says_what_it_is_about_and_the_book_why_it_was_refused(premises: Premises) -> None:
    house = premises.services.house
    for name, command in (
        ("ann", c.BuyIn(person="ann", amount=1_000_00)),
        ("dora", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)),
        ("dora", c.OpenBetting()),
        ("ann", c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=200_00, box=1),))),
        ("dora", c.CloseBetting(round=1)),
        ("dora", c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=50_00, withdrawn=True)),
        ("tom", c.WriteOffChip(missing=1, reason="she has left")),
    ):
        assert (await house.do(name, HERE, command)).refusal is None
    max_, root = await premises.visitor("max"), await premises.visitor("root")
    (waiting,) = await _get(max_, "/waiting")
    assert waiting["chip"] == {"round": 1, "person": "ann", "box": 1, "bet": "player", "amount": 50_00}
    assert (await house.do("dora", HERE, c.CollectChip(missing=1))).refusal is None
    assert "chip" not in (await _get(max_, "/waiting"))[0]
    assert (await max_.post(f"/waiting/{waiting['number']}/confirm")).status_code == 409
    why = Refusal(Reason.NOT_MISSING, None, {"number": 1})
    for language in library.LANGUAGES:
        headers = {"Accept-Language": language}
        page = (await root.get("/book?before=0&kinds=SecondGiven", headers=headers)).json()
        assert list(page["sentences"].values()) == [library.sentences(language).refusal(why)]
    assert "sentences" not in await _get(root, "/book?kinds=Deposited")


@in_a_house()
async def test_the_book_says_why_a_sign_in_was_refused_as_far_as_it_is_known(premises: Premises) -> None:
    house = premises.services.house
    for reason in (Reason.SIGN_IN_FAILED, "a reason of an earlier program"):
        await house.journal_writer.note(b.SignInRefused(by=house.itself(), person="ann", reason=reason))
    page = await _get(await premises.visitor("root"), "/book?before=0&kinds=SignInRefused")
    assert list(page["sentences"]) == [str(min(page["versions"]))]


@in_a_house()
async def test_the_book_is_read_backwards_and_by_kind_and_person(premises: Premises) -> None:
    root = await premises.visitor("root")
    whole = await _get(root, "/book?most=1000")
    backwards = await _get(root, "/book?before=0&most=1000")
    assert backwards["entries"][::-1][: len(whole["entries"])] == whole["entries"]
    page = await _get(root, "/book?before=0&most=3&kinds=Deposited")
    assert [one["type"] for one in page["entries"]] == ["Deposited"] * 3
    rest = await _get(root, f"/book?before={page['next']}&most=1000&kinds=Deposited")
    assert not set(page["versions"]) & set(rest["versions"])
    every = [one for one in whole["entries"] if one["type"] == "Deposited"]
    assert len(page["entries"]) + len(rest["entries"]) == len(every)
    assert rest["next"] == 1
    about = await _get(root, "/book?before=0&person=ann")
    assert about["entries"]
    assert all("ann" in (one.get("person"), one["by"]["person"]) for one in about["entries"])
    await _get(await premises.visitor("cal"), "/book", 403)


@in_a_house()
async def test_a_cashier_gives_a_player_the_first_password_and_nobody_another(premises: Premises) -> None:
    cal, root = await premises.visitor("cal"), await premises.visitor("root", 2)
    admit = {"request": "a1", "command": {"type": "Admit", "person": "new", "title": "New"}}
    assert (await cal.post("/office", admit)).status_code < 300
    first = await cal.post("/people/new/password")
    assert first.status_code < 300, first.text
    assert first.json()["password"]
    assert (await cal.post("/people/new/password")).status_code == 403
    for name in ("dora", "sue", "root"):
        assert (await cal.post(f"/people/{name}/password")).status_code == 403, name
    assert (await root.post("/people/new/password")).status_code < 300


@in_a_house()
async def test_floats_show_the_last_count_and_sessions_show_where_somebody_is(premises: Premises) -> None:
    cal, root = await premises.visitor("cal"), await premises.visitor("root", 2)
    count = {"request": "c1", "command": {"type": "CountFloat", "table": "here", "counted": 999_000_00}}
    assert (await cal.post("/office", count)).status_code < 300
    here = next(one for one in await _get(cal, "/floats") if one["table"] == "here")
    assert (here["counted"], here["booked"], here["counted_by"]) == (999_000_00, 1_000_000_00, "cal")
    sessions = await _get(root, "/people/cal/sessions")
    assert [one["slot"] for one in sessions] == [1]
    await _get(cal, "/people/root/sessions", 403)
    wallet = await _get(cal, "/people/ann/wallet")
    assert all(one["at"] > 0 for one in wallet["latest"])
