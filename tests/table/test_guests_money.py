"""Nobody moves a guest's money alone: what guests confirm, and guests who buy in at the table without an account."""

import tomllib

import pytest
from msgspec import json
from msgspec.structs import replace

from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import GREATEST_STAKE
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Confirmation, Role
from puntobanco.table.commands import Tender
from puntobanco.table.decide import Accepted, Refusal
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import RunningAccount
from puntobanco.table.felt import CURRENT, Edition, Felt
from puntobanco.table.guests import check_name, guest_id, is_guest, known_as, shown
from puntobanco.table.money import transfers
from puntobanco.table.scenario import read_scenario, run
from puntobanco.table.views import AUDITOR, BOARD, public_view
from tests.marks import rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, STAFF, SUPERVISOR, Pit

LEE = "~Lee"


def cash(
    pit: Pit, name: str = "Lee", dollars: int = 1_000, tender: Tender = Tender.CASH, *, again: bool = False
) -> None:
    pit.staff(DEALER, c.BuyInAtTable(name=name, amount=dollars * 100, tender=tender, again=again))


def bet_for(pit: Pit, owner: str, dollars: int, box: int = 1, bet: str = "player") -> c.PlaceBets:
    line = c.Line(bet=bet, amount=dollars * 100, box=box)
    return c.PlaceBets(round=pit.state.round, lines=(line,), owner=owner, requested=True)


# ---- from the wallet ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [DEALER, SUPERVISOR, MANAGER, SHIFT, Role.CASHIER, Role.SYSTEM])
def test_nobody_else_buys_in_for_a_guest_who_has_not_confirmed_it(role: Role) -> None:
    pit = Pit("commission")
    assert pit.refused(role, c.BuyIn(person="ann", amount=100_00))[0] is Reason.GUEST_NOT_CONFIRMED


@pytest.mark.parametrize("how", list(Confirmation))
def test_how_the_guest_confirmed_is_in_the_event_and_in_the_account(how: Confirmation) -> None:
    pit = Pit("commission")
    by = By("dora", DEALER, pit.now, confirmed=how)
    answer = pit.tell(c.BuyIn(person="ann", amount=100_00), by)
    assert isinstance(answer, Accepted)
    bought = answer.events[0]
    assert bought.by.confirmed is how
    assert json.decode(json.encode(bought), type=AnyEvent) == bought
    (told,) = RunningAccount(pit.game).tell(bought)
    assert told.code == f"bought_in_by_{how}"


def test_an_event_from_before_there_were_confirmations_still_reads() -> None:
    old = b'{"type":"BoughtIn","person":"ann","amount":100,"by":{"person":"dora","role":"dealer","at":1}}'
    event = json.decode(old, type=AnyEvent)
    assert isinstance(event, e.BoughtIn)
    assert event.by.confirmed is None
    assert json.encode(event) == old


@rulings("MON-13")
@pytest.mark.parametrize("ends", [c.CashOut(person="ann", amount=1_00), c.WalkAway(person="ann")])
def test_a_confirmation_covers_bets_until_cash_out_or_leaving(ends: c.Command) -> None:
    pit = Pit("commission")
    pit.open()
    pit.staff(DEALER, bet_for(pit, "ann", 100))
    pit.staff(DEALER, ends)
    reason, paragraph = pit.refused(DEALER, bet_for(pit, "ann", 200))
    assert reason is Reason.PURSE_NOT_CONFIRMED
    assert paragraph == pit.felt.authority_rule("bet_for_player")  # type: ignore[arg-type]
    pit.bet("ann", "player", 200)  # their own bets need nobody's word
    pit.player("ann", c.BuyIn(person="ann", amount=1_00))
    pit.staff(DEALER, bet_for(pit, "ann", 300))


@rulings("MON-13")
def test_a_chip_attested_late_comes_from_a_confirmed_purse_too() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("bob", "banker", 100)
    pit.staff(DEALER, c.WalkAway(person="ann"))
    pit.close()
    line = c.Line(bet="player", amount=100_00, box=1)
    attest = c.AttestBet(round=1, owner="ann", line=line, attested=True)
    assert pit.refused(DEALER, attest)[0] is Reason.PURSE_NOT_CONFIRMED


@rulings("MON-13")
def test_a_table_that_closed_covers_nobody() -> None:
    pit = Pit("commission")
    setup = pit.state.setup
    assert setup is not None
    pit.staff(MANAGER, AT_ONCE)
    pit.staff(MANAGER, c.OpenTable(setup=setup))
    assert pit.state.unconfirmed == {"ann", "bob", "cat"}
    pit.open()
    assert pit.refused(DEALER, bet_for(pit, "ann", 100))[0] is Reason.PURSE_NOT_CONFIRMED
    assert public_view(pit.felt, pit.state, DEALER).unconfirmed == ("ann", "bob", "cat")
    assert public_view(pit.felt, pit.state, BOARD).unconfirmed == ()


# ---- without an account ------------------------------------------------------------------------------------------


@rulings("MON-14")
def test_a_cash_guest_plays_a_whole_round_from_the_dealers_console() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    cash(pit)
    pit.staff(DEALER, c.TakeSeat(box=2, person=LEE))
    assert pit.state.seats == {2: LEE}
    pit.open()
    pit.staff(DEALER, bet_for(pit, LEE, 300, box=2))
    pit.close()
    pit.deal("9 2 K 3")
    pit.settle()
    assert pit.purse(LEE) == 1_300
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    assert LEE not in pit.state.purses
    assert pit.state.seats == {}
    assert pit.held == {
        "cage": -1_100_00, "drop": 1_000_00, "house": -1_300_00, "purse:ann": 100_00, "purse:~Lee": 0, "stakes": 0,
        "chips": 1_300_00,
    }  # fmt: skip


@rulings("MON-15")
def test_cash_goes_to_the_drop_and_chips_come_from_the_float_or_the_guest() -> None:
    by = By("dora", DEALER, 1)
    paid = e.GuestBoughtIn(by=by, person=LEE, amount=5, tender=Tender.CASH)
    assert transfers(paid) == (
        Transfer(TransferKind.DROP, "cage", "drop", 5),
        Transfer(TransferKind.BUY_IN, "house", "purse:~Lee", 5),
    )
    brought = e.GuestBoughtIn(by=by, person=LEE, amount=5, tender=Tender.CHIPS)
    assert transfers(brought) == (Transfer(TransferKind.BUY_IN, "chips", "purse:~Lee", 5),)
    left = e.GuestLeft(by=by, person=LEE, amount=5)
    assert transfers(left) == (Transfer(TransferKind.CASH_OUT, "purse:~Lee", "chips", 5),)
    assert transfers(replace(left, amount=0)) == ()


def test_a_guest_is_told_by_the_name_given_in_both_languages() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    account = RunningAccount(pit.game)
    cash(pit, "陈先生")
    cash(pit, "陈先生", tender=Tender.CHIPS, again=True)
    pit.open()
    pit.staff(DEALER, bet_for(pit, "~陈先生", 300))
    pit.close()
    pit.deal("9 2 K 3")
    pit.settle()
    pit.staff(DEALER, c.LeaveTable(person="~陈先生"))
    told = [one for event in pit.events for one in account.tell(event)]
    for language in library.LANGUAGES:
        said = [library.sentences(language).calling(shown).say(one.section, one.code, **one.parameters) for one in told]
        assert sum("陈先生" in line for line in said) == 5
        assert not any("~" in line for line in said)


@pytest.mark.parametrize(
    "name",
    ["", " ", "Lee ", " Lee", "L  ee", "~Lee", "a:b", "a/b", "a@b", "L\x00e", "L\nee", "Lee\u202e", "L\u200bee",
     "x" * 41, "...", "Le\u0301"],
)  # fmt: skip
def test_a_name_is_one_line_that_a_dealer_can_read_out(name: str) -> None:
    pit = Pit("commission")
    buy = c.BuyInAtTable(name=name, amount=100_00, tender=Tender.CASH)
    assert pit.refused(DEALER, buy)[0] is Reason.GUEST_NAME_WRONG


IGNORED = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""What Unicode calls default ignorable, and the empty pattern of Braille: signs that show nothing."""


def test_a_name_has_no_sign_that_nobody_sees() -> None:
    for first, last in IGNORED:
        for one in map(chr, range(first, last + 1)):
            for name in (one, f"L{one}ee", f"Lee{one}"):
                with pytest.raises(Refused):
                    check_name(name)


@rulings("MON-14")
@pytest.mark.parametrize("name", ["Lee", "lee", "LEE", "\uff2cee", "Iee", "1EE", "L\u0435\u0435", "L\u0395\u0415"])
def test_a_name_belongs_to_one_guest_at_the_table(name: str) -> None:
    pit = Pit("commission")
    cash(pit)
    buy = c.BuyInAtTable(name=name, amount=100_00, tender=Tender.CASH)
    assert pit.refused(DEALER, buy)[0] is Reason.GUEST_NAME_TAKEN
    pit.staff(DEALER, replace(buy, again=True))
    assert pit.purse(LEE) == 1_100
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    pit.staff(DEALER, buy)
    assert pit.purse(guest_id(name)) == 100


def test_of_two_guests_whose_names_read_the_same_each_is_known_by_their_own() -> None:
    """They may be at a table from before look-alike letters were compared."""
    pit = Pit("commission")
    cash(pit)
    other = guest_id("L\u0435e")
    state = replace(pit.state, purses={other: 100_00, **pit.state.purses})
    assert (known_as(state, shown(LEE)), known_as(state, shown(other))) == (LEE, other)


def test_a_guest_called_like_somebody_of_the_house_is_somebody_else() -> None:
    pit = Pit("commission")
    cash(pit, "dora")
    cash(pit, "ann")
    pit.open()
    pit.staff(DEALER, bet_for(pit, "~dora", 100))
    pit.staff(DEALER, bet_for(pit, "~ann", 100))
    assert pit.purse("ann") == 100_000
    assert (is_guest("ann"), is_guest("~ann"), shown("~ann")) == (False, True, "ann")


def test_more_is_bought_only_by_a_guest_who_is_there() -> None:
    pit = Pit("commission")
    buy = c.BuyInAtTable(name="Lee", amount=100_00, tender=Tender.CHIPS, again=True)
    assert pit.refused(DEALER, buy)[0] is Reason.UNKNOWN_PERSON


@pytest.mark.parametrize(
    ("amount", "reason"),
    [(0, Reason.AMOUNT_NOT_POSITIVE), (-1, Reason.AMOUNT_NOT_POSITIVE), (GREATEST_STAKE + 1, Reason.AMOUNT_TOO_GREAT)],
)
def test_amounts_are_positive_and_bounded(amount: int, reason: Reason) -> None:
    pit = Pit("commission")
    assert pit.refused(DEALER, c.BuyInAtTable(name="Lee", amount=amount, tender=Tender.CASH))[0] is reason


def test_who_may_buy_a_guest_in_and_where() -> None:
    pit = Pit("commission")
    buy = c.BuyInAtTable(name="Lee", amount=100_00, tender=Tender.CASH)
    assert pit.refused("ann", buy)[0] is Reason.NOT_AUTHORISED
    assert pit.refused(Role.CASHIER, buy)[0] is Reason.ACCESS_DENIED
    etg = Pit("non-commission-etg")
    assert etg.refused(MANAGER, buy)[0] is Reason.NOT_AUTHORISED  # bets are made at its terminals
    setup = pit.state.setup
    assert setup is not None
    for person in ("ann", "bob", "cat"):
        pit.player(person, c.CashOut(person=person, amount=100_000_00))
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup, cards_only=True)))
    assert pit.refused(DEALER, buy)[0] is Reason.CARDS_ONLY


def test_a_guest_has_no_wallet() -> None:
    pit = Pit("commission")
    cash(pit)
    by = By("dora", DEALER, pit.now, confirmed=Confirmation.SESSION)
    answer = pit.tell(c.BuyIn(person=LEE, amount=100_00), by)
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.UNKNOWN_PERSON
    assert pit.refused(DEALER, c.CashOut(person=LEE, amount=100_00))[0] is Reason.CHIPS_ONLY


def test_players_seat_themselves_and_a_pit_employee_records_it_for_others() -> None:
    pit = Pit("commission")
    cash(pit)
    assert pit.refused(DEALER, c.TakeSeat(box=1))[0] is Reason.NOT_A_PLAYER
    assert pit.refused(SHIFT, c.TakeSeat(box=1, person=LEE))[0] is Reason.NOT_AUTHORISED
    assert pit.refused("ann", c.TakeSeat(box=1, person=LEE))[0] is Reason.NOT_YOURS
    assert pit.refused("ann", c.TakeSeat(box=1, person="bob"))[0] is Reason.NOT_YOURS
    assert pit.refused(DEALER, c.TakeSeat(box=1, person="~Nobody"))[0] is Reason.UNKNOWN_PERSON
    pit.player("ann", c.TakeSeat(box=1, person="ann"))
    pit.staff(DEALER, c.TakeSeat(box=2, person=LEE))
    pit.staff(DEALER, c.TakeSeat(box=3, person=LEE))
    pit.staff(SUPERVISOR, c.TakeSeat(box=4, person="bob"))
    assert pit.state.seats == {1: "ann", 3: LEE, 4: "bob"}


def test_a_guest_leaves_when_no_bet_of_theirs_is_in_play() -> None:
    pit = Pit("commission")
    assert pit.refused(DEALER, c.LeaveTable(person=LEE))[0] is Reason.UNKNOWN_PERSON
    assert pit.refused(DEALER, c.LeaveTable(person="ann"))[0] is Reason.UNKNOWN_PERSON
    cash(pit)
    pit.open()
    pit.staff(DEALER, bet_for(pit, LEE, 100))
    assert pit.refused(DEALER, c.LeaveTable(person=LEE))[0] is Reason.BETS_IN_PLAY
    pit.staff(DEALER, c.WalkAway(person=LEE))
    assert pit.refused(DEALER, bet_for(pit, LEE, 200))[0] is Reason.PURSE_NOT_CONFIRMED
    cash(pit, again=True)
    pit.staff(DEALER, bet_for(pit, LEE, 200))


def test_a_stake_held_since_a_tie_goes_with_the_guest() -> None:
    pit = Pit("super-six", people={"ann": 1_000_00})
    cash(pit)
    pit.open()
    pit.staff(DEALER, bet_for(pit, LEE, 300))
    pit.bet("ann", "banker", 100)
    pit.close()
    pit.deal("9 9 K K")
    pit.settle()
    assert pit.purse(LEE) == 700
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    assert pit.held["chips"] == 1_000_00
    assert [stake.owner for stake in pit.state.held.values()] == ["ann"]


@rulings("MON-16")
def test_what_a_guest_owes_is_paid_first_and_keeps_the_name_while_it_lasts() -> None:
    pit = Pit("commission", people={"ann": 1_000_00})
    cash(pit)
    pit.open()
    pit.staff(DEALER, bet_for(pit, LEE, 1_000))
    pit.close()
    pit.deal("9 2 K 3")
    pit.settle()
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    pit.report(c.Fault.MISPAYMENT)
    pit.rule(SHIFT, c.Choice.RESETTLE, cards=read_cards("2 9 3 K"))
    assert pit.state.owed[LEE] == 2_000_00
    pit.settle()
    buy = c.BuyInAtTable(name="Lee", amount=100_00, tender=Tender.CASH)
    assert pit.refused(DEALER, buy)[0] is Reason.GUEST_NAME_TAKEN
    pit.staff(DEALER, replace(buy, again=True))  # the guest came back
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    assert pit.state.owed[LEE] == 1_900_00
    assert pit.held["chips"] == 2_000_00


def test_screens_are_told_what_may_be_done_for_guests() -> None:
    pit = Pit("commission")
    allowed = public_view(pit.felt, pit.state, DEALER).allowed
    assert "BuyInAtTable" in allowed
    assert "LeaveTable" not in allowed
    cash(pit)
    allowed = public_view(pit.felt, pit.state, DEALER).allowed
    assert {"BuyInAtTable", "LeaveTable", "TakeSeat"} <= set(allowed)
    assert public_view(pit.felt, pit.state, AUDITOR).purses[LEE] == 1_000_00
    etg = Pit("non-commission-etg")
    assert "BuyInAtTable" not in public_view(etg.felt, etg.state, MANAGER).allowed
    assert STAFF[DEALER] not in pit.state.purses


@rulings("MON-17")
def test_the_dealer_records_insurance_for_a_cash_guest() -> None:
    pit = Pit("insurance")
    cash(pit)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.staff(DEALER, bet_for(pit, LEE, 500, bet="banker"))
    pit.close()
    pit.deal("2 2 2 3")
    insure = c.Insure(round=1, window=Window.FOUR, amount=100_00, box=1, person=LEE)
    assert "Insure" in public_view(pit.felt, pit.state, DEALER).allowed
    assert pit.refused("ann", insure)[0] is Reason.NOT_YOURS
    assert pit.refused(DEALER, replace(insure, person=None))[0] is Reason.NOT_A_PLAYER
    assert pit.refused(SHIFT, insure)[0] is Reason.NOT_AUTHORISED
    assert pit.refused(DEALER, replace(insure, person="~Tan"))[0] is Reason.UNKNOWN_PERSON
    assert pit.refused(DEALER, replace(insure, amount=300_00))[0] is Reason.OVER_CAP
    pit.staff(DEALER, insure)
    assert pit.purse(LEE) == 400
    (taken,) = [event for event in pit.events if isinstance(event, e.InsuranceTaken)]
    assert (taken.stake.owner, taken.stake.placer, taken.by.role) == (LEE, STAFF[DEALER], DEALER)
    pit.staff(DEALER, c.WalkAway(person=LEE))
    assert pit.refused(DEALER, replace(insure, amount=0))[0] is Reason.PURSE_NOT_CONFIRMED


def test_a_scenario_can_tell_of_a_cash_guest() -> None:
    written = """
    title = "A cash guest"
    game = "commission"
    [people]
    ann = "1000"
    [[step]]
    by = "dealer"
    do = "buy_in"
    person = "ann"
    amount = "100"
    confirmed = "pin"
    expect = { purses = { ann = "1100" } }
    [[step]]
    by = "dealer"
    do = "guest_buy_in"
    person = "Lee"
    amount = "500"
    expect = { purses = { "~Lee" = "500" } }
    [[step]]
    by = "dealer"
    do = "sit"
    box = 2
    person = "~Lee"
    [[step]]
    by = "dealer"
    do = "guest_leave"
    person = "~Lee"
    """
    outcome = run(read_scenario(tomllib.loads(written), "guest.toml"), library.game("commission"))
    assert outcome.misses == ()
    assert outcome.checked == 7


@pytest.mark.parametrize("name", ["Lee \u1810", "Lee \ufe10", "L" * 40])
def test_a_name_may_have_the_signs_beside_those_that_nobody_sees_and_forty_of_them(name: str) -> None:
    pit = Pit("commission")
    pit.staff(DEALER, c.BuyInAtTable(name=name, amount=100_00, tender=Tender.CASH))
    assert f"~{name}" in pit.state.purses
    longer = c.BuyInAtTable(name="L" * 41, amount=100_00, tender=Tender.CASH)
    assert pit.refused(DEALER, longer)[0] is Reason.GUEST_NAME_WRONG


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, CURRENT])
def test_since_guests_confirm_nobody_bets_from_a_purse_whose_confirmation_has_ended(edition: Edition) -> None:
    pit = Pit("commission")
    pit.player("ann", c.CashOut(person="ann", amount=100_00))
    pit.open()
    pit.felt = Felt(pit.game, pit.felt.layout, edition)
    assert pit.refused(DEALER, bet_for(pit, "ann", 100))[0] is Reason.PURSE_NOT_CONFIRMED
