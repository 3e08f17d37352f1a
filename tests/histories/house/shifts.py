"""What happens in a house that is written to be kept: three shifts, with work at the console between them."""

import time
from base64 import b32decode
from operator import methodcaller
from pathlib import Path

from puntobanco.house.house import Watcher
from puntobanco.house.identity.totp import STEP, totp
from puntobanco.house.operations.clock import HouseClock
from puntobanco.table import commands as c
from tests.histories.house import SignIn, View
from tests.histories.house.crew import Crew, written
from tests.house.test_integrity import Installed

PASSWORDS = {
    "administrator": "nine slow barges under rain", "eve": "four amber lanterns upriver",
    "ann": "seven quiet herons at dusk",
}  # fmt: skip
PIN, CARD = "2580", "player-card-0042-of-ann"
POSTS = {
    "adi": "administrator", "cal": "cashier", "cas": "cashier", "dora": "dealer", "gil": "dealer",
    "sue": "pit_supervisor", "max": "pit_manager", "tom": "shift_manager", "tim": "shift_manager", "eve": "auditor",
    "dev": "device", "wall": "board", "ann": "player", "bob": "player",
}  # fmt: skip
AUTOMATIC = {"etg": "non-commission-etg", "auto": "super-six"}
BY_HAND = {"one": "commission", "six": "super-six", "ins": "insurance", "wu": "wu-song", "own": "ez-baccarat"}
MINUTE, DAY = 60_000, 86_400_000
ALL = {"ann": ("player", 100_00), "bob": ("banker", 200_00)}
NATURAL = "9S 2H KD KC"
"""Player nine against Banker two: the round ends with four cards."""


class Hands:
    """Clocks that somebody moves: `wall` is set, `both` go on."""

    def __init__(self) -> None:
        self.wall = self.both = 0

    def clock(self, not_before: int) -> HouseClock:
        return HouseClock(
            not_before,
            wall=lambda: time.time_ns() + (self.wall + self.both) * 1_000_000,
            monotonic=lambda: time.monotonic_ns() + self.both * 1_000_000,
        )


# ---- the first shift ---------------------------------------------------------------------------------------------


async def first(crew: Crew, once: str) -> None:
    """People come, money is paid in, tables are opened and play; one fails, one goes, and something is not decided."""
    await founded(crew, once)
    await paid_in(crew)
    await tables(crew)
    await watched(crew, "etg")
    await crew.errand("tom", "SetDealing", table="auto", automatic=True)
    await watched(crew, "auto")
    for table in BY_HAND:
        await crew.play(table, NATURAL, ALL)
    await voided(crew)
    await corrected(crew)
    await scanned(crew)
    await chips(crew)
    await rights(crew)
    await failed(crew)
    await undecided(crew)
    await retired(crew)
    await signed_out(crew)


async def founded(crew: Crew, once: str) -> None:
    administrator = crew.premises.stranger()
    administrator.name = "administrator"
    sent = {"name": "administrator", "password": once, "new_password": PASSWORDS["administrator"]}
    administrator.took(await administrator.post("/sign-in", sent))
    crew.came(administrator)
    for name, post in POSTS.items():
        await crew.errand("administrator", "Admit", person=name, title=name.title(), post=post)
    given = (await crew.post("cal", "/people/ann/password"))["password"]
    ann = crew.premises.stranger()
    ann.name = "ann"
    ann.took(await ann.post("/sign-in", {"name": "ann", "password": given, "new_password": "twelve pale kites"}))
    crew.came(ann)
    await crew.post("ann", "/password", {"old": "twelve pale kites", "new": PASSWORDS["ann"]})
    wrong = await crew.premises.stranger().post("/sign-in", {"name": "bob", "password": "let me in please"})
    assert wrong.status_code == 401, wrong.text


async def paid_in(crew: Crew) -> None:
    await crew.post("cal", "/people/bob/proof", {"pin": PIN})
    await crew.post("ann", "/proof", {"card": CARD})
    await crew.errand("cal", "Deposit", person="ann", amount=9_000_00)
    await crew.seconded(crew.errand("cal", "Deposit", person="ann", amount=20_000_00), "cas")
    await crew.seconded(crew.errand("cal", "Deposit", person="bob", amount=50_000_00), "cas")


async def tables(crew: Crew) -> None:
    """Those of the console are there already."""
    for name, game in (BY_HAND | AUTOMATIC | {"gone": "commission"}).items():
        if name not in ("one", "own", "etg"):
            await crew.errand("administrator", "AddTable", table=name, game=game)
        await crew.seconded(crew.errand("cal", "Fill", table=name, amount=100_000_00), "sue")
        await crew.open(name, face_down=name == "auto")
        if name not in AUTOMATIC:
            await crew.load(name, f"{name}-1")
        for person in ("ann", "bob"):
            await crew.do(person, name, "BuyIn", person=person, amount=2_000_00)


async def watched(crew: Crew, table: str) -> None:
    """A round that the house deals from its own shoe."""
    await joined(crew, table)
    await crew.phase(table, "settled")


async def joined(crew: Crew, table: str) -> None:
    await crew.phase(table, "betting")
    await crew.place(table, await crew.round(table), ALL, box=0 if table == "etg" else 1)


async def voided(crew: Crew) -> None:
    round = await crew.bet("one", ALL)
    await crew.deal("one", round, NATURAL)
    question = await crew.report("dora", "one", round, "foreign_card")
    await crew.seconded(crew.do("sue", "one", "Rule", question=question, choice="void"), "max")
    await crew.load("one", "one-2")


async def corrected(crew: Crew) -> None:
    """Paid as if the cards had come the other way round, and settled again."""
    round = await crew.play("one", NATURAL, ALL)
    question = await crew.report("sue", "one", round, "mispayment")
    again = {"question": question, "choice": "resettle", "reason": "miscalled", "cards": written("2H 9S KD KC")}
    await crew.seconded(crew.do("sue", "one", "Rule", **again), "max")
    await crew.settle("one", round)
    decided = {"round": round, "decision": "a drink on the house", "reason": "kept waiting"}
    await crew.seconded(crew.do("tom", "one", "DecideUnprovided", **decided), "tim")


async def scanned(crew: Crew) -> None:
    """Chips and cards that devices read; and a slip of which one line is refused."""
    await crew.do("dora", "six", "OpenBetting")
    round = await crew.round("six")
    await crew.ask("dev", "/tables/six/chips", chips=[{"box": 2, "bet": "banker", "amount": 100_00, "owner": "bob"}])
    lines = [{"bet": "tie", "amount": 50_00, "box": 1}, {"bet": "dragon", "amount": 50_00, "box": 1}]
    slip = await crew.do("ann", "six", "PlaceBets", round=round, lines=lines)
    assert [one["line"] for one in slip["lines"]] == [1], slip
    await crew.do("dora", "six", "CloseBetting", round=round)
    for card in ("4S", "2H", "KD", "KC", "6D", "9C"):
        await crew.ask("dev", "/tables/six/cards", card=card)
    await crew.settle("six", round)


async def chips(crew: Crew) -> None:
    """The cage and the tables: chips, drop boxes, corrections, and what two guests take home."""
    await crew.do("dora", "one", "BuyInAtTable", name="guest", amount=500_00, tender="cash")
    await crew.seconded(crew.errand("cal", "Credit", table="six", amount=1_000_00), "sue")
    asked = [await crew.errand("cal", "Credit", table="own", amount=60_000_00) for _ in range(2)]
    await crew.post("sue", f"/waiting/{asked[0]['waits']}/confirm")
    assert await crew.refused("sue", f"/waiting/{asked[1]['waits']}/confirm", {}) == "float_too_small"
    await crew.errand("sue", "CountFloat", table="one", counted=99_000_00)
    await crew.seconded(crew.errand("sue", "CollectDrop", table="one", counted=490_00, booked=500_00), "cal")
    await crew.seconded(crew.errand("cal", "AdjustWallet", person="ann", amount=-1_00, reason="miscounted"), "tom")
    await crew.seconded(crew.errand("tom", "AdjustFloat", table="six", amount=5_00, reason="found below"), "tim")
    await crew.seconded(crew.errand("cal", "Withdraw", person="ann", amount=100_00), "ann")
    taken = {"type": "Withdraw", "person": "bob", "amount": 200_00}
    await crew.ask("cas", "/office", command=taken, proof={"pin": PIN})
    asked = [await crew.errand("tom", "AdjustFloat", table="six", amount=7_00, reason="not sure")]
    await crew.post("tim", f"/waiting/{asked[0]['waits']}/decline", {"reason": "count again"})


async def rights(crew: Crew) -> None:
    await crew.errand("administrator", "GiveRole", person="gil", post="pit_supervisor", scope="one")
    await crew.errand("administrator", "TakeRole", person="gil", scope="one")
    await crew.errand("tom", "Disable", person="gil", reason="holiday")
    await crew.errand("administrator", "Enable", person="gil")
    for _ in range(3):
        refused = await crew.refused("ann", "/tables/one/commands", {"command": {"type": "OpenBetting"}})
        assert refused == "access_denied", refused


async def failed(crew: Crew) -> None:
    """Another process takes a table, which can write nothing more until it is started again."""
    await crew.premises.store.claim("wu")
    stopped = await crew.refused("dora", "/tables/wu/commands", {"command": {"type": "OpenBetting"}})
    assert stopped == "table_stopped", stopped
    await crew.entered("TableFailed")
    await crew.errand("max", "RestartTable", table="wu")


async def undecided(crew: Crew) -> None:
    """A bet of a name that no event can hold, and a screen that cannot show what happens: no door lets either in, so
    both come to the house itself."""
    house, screen = crew.premises.services.house, Watcher()
    await crew.do("dora", "six", "OpenBetting")
    round = await crew.round("six")
    strange = c.PlaceBets(round=round, lines=(c.Line(bet="\ud800", amount=100_00, box=1),))
    refused = await house.do("ann", "six", strange, "strange-1")
    assert refused.refusal is not None
    screen.at_table = methodcaller("shown")  # type: ignore[method-assign, assignment]
    house.watchers.append(screen)
    await crew.place("six", round, ALL)
    house.watchers.remove(screen)
    await crew.entered("IncidentRaised", 2)
    await crew.errand("sue", "Acknowledge", table="six", incident=1)
    await crew.do("dora", "six", "CloseBetting", round=round)
    await crew.deal("six", round, NATURAL)
    await crew.settle("six", round)


async def retired(crew: Crew) -> None:
    for person in ("ann", "bob"):
        await crew.do(person, "gone", "CashOut", person=person, amount=2_000_00)
    await crew.do("tom", "gone", "CloseTable", cause="repair", reason="a leg is loose")
    await crew.errand("administrator", "RetireTable", table="gone")
    crew.noted[:] = [one for one in crew.noted if not one.path.startswith("/tables/gone/")]


async def signed_out(crew: Crew) -> None:
    await crew.post("cal", "/sign-out")
    await crew.entered("CashierBalanced")
    await crew.post("tom", "/people/dev/sign-out")


# ---- the second shift, after the key was lost ----------------------------------------------------------------------


async def second(crew: Crew, hands: Hands, installed: Installed) -> SignIn:
    """Shoes are out of service, a day goes by, the clock is set, the program changes; a round is left as it is."""
    hands.both += DAY
    await crew.entered("ProgramChecked")
    hands.wall -= 10 * MINUTE
    await crew.entered("ClockMoved")
    await released(crew, hands, installed)
    await new_shoes(crew)
    enrolled = await with_second_factor(crew)
    await crew.deal("wu", await crew.bet("wu", ALL), "9S 2H")
    return enrolled


async def released(crew: Crew, hands: Hands, installed: Installed) -> None:
    """What differs holds the tables that deal by themselves, until two people let them go on."""
    changed = installed.change()
    hands.both += MINUTE
    await crew.entered("ProgramDiffers")
    shown = await crew.get("administrator", "/book?kinds=ProgramDiffers")
    assert changed in shown["entries"][-1]["files"], shown
    digest = shown["entries"][-1]["digest"]
    await crew.seconded(crew.errand("tom", "ReleaseProgram", digest=digest, reason="as delivered"), "adi")


async def new_shoes(crew: Crew) -> None:
    """The order of those in use was lost with the key."""
    alerts = [one for one in await crew.get("sue", "/alerts") if one["kind"] == "shoe_unproven"]
    assert {one["table"] for one in alerts} == set(AUTOMATIC), alerts
    await crew.errand("sue", "Acknowledge", table=alerts[0]["table"], version=alerts[0]["version"])
    for table in AUTOMATIC:
        await crew.do("tom", table, "WithdrawShoe", reason="the key was lost")
        await watched(crew, table)


async def with_second_factor(crew: Crew) -> SignIn:
    """The auditor has one from now on."""
    given = (await crew.post("administrator", "/people/eve/password"))["password"]
    eve, clock = crew.premises.stranger(), crew.premises.services.house.clock
    assert isinstance(clock, HouseClock)
    eve.name = "eve"
    sent = {"name": "eve", "password": given, "new_password": PASSWORDS["eve"]}
    enrolled = (await eve.post("/sign-in", sent)).json()["enrol"]
    code = totp(b32decode(enrolled["secret"]), clock.wall() // STEP)
    eve.took(await eve.post("/sign-in", {**sent, "code": code}))
    crew.came(eve)
    return SignIn("eve", PASSWORDS["eve"], enrolled["recovery"][0])


# ---- the third shift, under another key ----------------------------------------------------------------------------


async def third(crew: Crew) -> tuple[View, ...]:
    """The round that was interrupted goes on; then some wait for others, and one table has bets on it."""
    for table in AUTOMATIC:
        await joined(crew, table)
    question, round = await crew.question("wu"), await crew.round("wu")
    await crew.do("sue", "wu", "Rule", question=question, choice="does_not_affect", reason="the house is back")
    await crew.deal("wu", round, "KD KC", first=3)
    await crew.settle("wu", round)
    await crew.do("dora", "ins", "OpenBetting")
    await crew.place("ins", await crew.round("ins"), ALL)
    await crew.errand("tom", "AdjustFloat", table="ins", amount=3_00, reason="a chip below the table")
    await crew.do("dora", "one", "BuyIn", person="ann", amount=500_00)
    await crew.errand("cal", "Withdraw", person="bob", amount=300_00)
    for table in AUTOMATIC:
        await crew.phase(table, "settled")
    return await views(crew)


async def views(crew: Crew) -> tuple[View, ...]:
    """What is the same for whoever opens the house again."""
    people = await crew.get("tom", "/people")
    for one in people:
        one.pop("sessions", None)
    asked = {"/floats": "tom", "/waiting": "tim", "/wallet": "ann"}
    for table in (*BY_HAND, *AUTOMATIC):
        asked[f"/tables/{table}/rounds?before={await crew.round(table)}"] = "tom"
    shown = [View(name, path, await crew.get(name, path)) for path, name in asked.items()]
    return (View("tom", "/people", people), *shown)


def installed_in(folder: Path) -> Installed:
    """A program of its own, which can be changed."""
    folder.mkdir()
    return Installed(folder)
