"""What people might send to a table as it is now: one maker for every kind of command, plausible more often than not.

Makers write references (`"$round"`) where a command names what it is for, so that a recorded step can be sent again.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec

from puntobanco.protocol.posts import Post
from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank, Suit
from puntobanco.rules.overlay import OverlayCause
from puntobanco.rules.procedures import StaffRank as Standing
from puntobanco.rules.procedures import Window
from puntobanco.table.commands import Choice, ClosingCause, Election, Fault, Tender, Terms
from puntobanco.table.guests import guest_id, is_guest, shown
from puntobanco.table.setup import GapCause, HighestBet, SimultaneousOptions, TieSilence
from tests.fuzz.house import DIFFERENTIAL, MAXIMUM, MINIMUM, PLAYERS, RELIEF, STAFF, Felt, setup_of

View = dict[str, Any]
Command = dict[str, Any]

NUMBERS: tuple[Any, ...] = (0, -1, 1, 2**31, 2**53 - 1, -(2**53) + 1, 2**53, 10**18, 0.5, "1", None, True, [], {})
TEXTS: tuple[Any, ...] = (
    "", " ", "\x00", "a\x00b", "\n", "x" * 1_001, "x" * 5_000, "\u202egnirts", "\ud7ff\ue000", "éa\u0301", "莊家贏",
    "🂡" * 40, "'; DROP TABLE events; --", "{{}}", "%s%n", "$(reboot)", "../../etc/passwd", "second:1", "house", "*",
    "system", None, 1, True, [], {},
)  # fmt: skip
"""What stands where a number or a text belongs."""


class Table:
    """A table as the fuzzer sees it, from what somebody of the house was shown last."""

    def __init__(self, felt: Felt) -> None:
        self.felt = felt
        self.view: View = {}
        self.setup: dict[str, Any] = {}
        self.version = 0
        self.changed = asyncio.Event()
        self.waits: list[int] = []
        """Numbers under which something of this table waits for a second person."""

    @property
    def phase(self) -> str:
        return str(self.view.get("phase", "closed"))

    @property
    def cards(self) -> list[dict[str, Any]]:
        return list(self.view.get("cards", ()))

    @property
    def hidden(self) -> list[int]:
        return [card["index"] for card in self.cards if card["face"] is None]

    @property
    def stakes(self) -> list[dict[str, Any]]:
        boxes = [stake for box in self.view.get("boxes", ()) for stake in box.get("stakes", ())]
        return boxes + list(self.view.get("at_terminals", ()))

    @property
    def names(self) -> dict[str, Any]:
        """What references stand for."""
        view = self.view
        question = view.get("question") or view.get("options") or {}
        return {
            "round": view.get("round", 0),
            "question": question.get("number", question.get("question", 0)),
            "index": len(self.cards) + 1,
            "last": max(1, len(self.cards)),
            "hidden": self.hidden[0] if self.hidden else max(1, len(self.cards)),
            "window": (view.get("window") or {}).get("window", next(iter(Window))),
            "waits": self.waits[-1] if self.waits else 0,
        }


class Chance:
    """One person's luck at one table."""

    def __init__(self, rng: random.Random, table: Table) -> None:
        self.rng, self.table = rng, table
        self.felt, self.view = table.felt, table.view

    def one(self, *among: Any) -> Any:
        return self.rng.choice(among)

    def maybe(self, chance: float) -> bool:
        return self.rng.random() < chance

    def round(self) -> Any:
        return self.one(*["$round"] * 12, "$round+1", "$round-1")

    def player(self) -> str:
        return self.rng.choice(PLAYERS)

    def guests(self) -> list[str]:
        """Who plays here without an account."""
        return [person for person in self.view.get("purses", {}) if is_guest(person)]

    def owner(self) -> str:
        """Somebody for whom staff might bet."""
        return str(self.one(self.player(), *self.guests()))

    def staff(self, *posts: Post) -> str:
        return self.rng.choice(STAFF[self.rng.choice(posts or tuple(STAFF))])

    def box(self) -> int:
        if not self.felt.boxes:
            return int(self.one(0, 0, 0, 0, 1))
        return int(self.one(1, 1, 2, 2, 3, self.rng.randint(1, self.felt.boxes), self.one(0, self.felt.boxes + 1)))

    def bet(self) -> str:
        bets = self.felt.bets
        return str(self.one("player", "banker", self.rng.choice(bets), self.rng.choice(bets), self.odd_bet()))

    def odd_bet(self) -> str:
        return str(self.one("tie", "super_six", "wu_song", "player_insurance", "dragon", "Player", ""))

    def amount(self) -> int:
        return int(
            self.one(
                0, MINIMUM, MINIMUM, 100_00, 150_00, 300_00, 500_00, MAXIMUM, MAXIMUM + 50_00, DIFFERENTIAL,
                DIFFERENTIAL + 1_000_00, 25_00, 75, 10_000_00, -100_00, 10**13,
            )
        )  # fmt: skip

    def line(self) -> dict[str, Any]:
        return {"bet": self.bet(), "amount": self.amount(), "box": self.box()}

    def good_line(self) -> dict[str, Any]:
        box = self.rng.randint(1, self.felt.boxes) if self.felt.boxes else 0
        return {"bet": self.one("player", "banker", self.rng.choice(self.felt.bets)), "box": box,
                "amount": self.one(MINIMUM, 100_00, 200_00, 300_00)}  # fmt: skip

    def lines(self) -> list[dict[str, Any]]:
        """Good ones, bad ones, and both on one slip."""
        many = self.one(1, 1, 1, 2, 2, 3, 4, 8)
        return [self.good_line() if self.maybe(0.7) else self.line() for _ in range(many)]

    def card(self) -> dict[str, Any]:
        suit = self.one(None, None, *Suit)
        return dict(msgspec.to_builtins(Card(self.rng.choice(list(Rank)), suit)))

    def index(self) -> Any:
        return self.one("$index", "$last", "$hidden", "$hidden", 1, 2, 7)

    def text(self) -> str:
        return str(self.one("seen on the camera", "as the pit found", "", "看過錄影", "x" * 900, "ok"))

    def yes(self) -> bool:
        return self.maybe(0.6)

    def out(self) -> list[dict[str, Any] | None]:
        """The cards out, some in another place, read anew, one more or less."""
        cards: list[dict[str, Any] | None] = [self.card() if card["face"] is None else _card(card["face"])
                                             for card in self.table.cards]  # fmt: skip
        if self.maybe(0.3):
            self.rng.shuffle(cards)
        if self.maybe(0.2):
            cards = [*cards, self.one(None, self.card())]
        elif cards and self.maybe(0.3):
            cards = [self.one(None, self.card()), *cards[1:]]
        return cards

    def misread(self) -> list[dict[str, Any] | None]:
        """The cards out, one of them read anew."""
        cards: list[dict[str, Any] | None] = [
            _card(card["face"]) if card["face"] else None for card in self.table.cards
        ]
        if cards:
            cards[self.rng.randrange(len(cards))] = self.card()
        return cards

    def setup(self) -> dict[str, Any]:
        """As it is, or with something changed."""
        setup = dict(self.table.setup) or default_setup(self.felt, face_down=self.felt.face_down)
        policy = dict(setup.get("policy", {}))
        match self.rng.randrange(10):
            case 0:
                setup["face_down"] = not setup.get("face_down", False)
            case 1:
                setup["minimum"], setup["differential"] = self.one((MINIMUM, DIFFERENTIAL), (100_00, 3_000_00))
            case 2:
                policy["tie_silence"] = self.one(*TieSilence)
            case 3:
                policy["simultaneous_options"] = self.one(*SimultaneousOptions)
            case 4:
                policy["highest_bet"] = self.one(*HighestBet)
            case 5:
                policy["gap_void"] = self.one(None, [], [self.one(*GapCause)], list(GapCause))
            case 6:
                setup["burn"], setup["cut_card"] = self.one((0, 14), (10, 100), (1, 300))
            case 7 if self.felt.boxes:
                setup["boxes"] = self.one(self.felt.boxes, self.felt.boxes, 1, 99)
            case 8:
                void = {"cause": self.one(*OverlayCause), "citation": "reg. 1", "declared_by": self.one(*Standing)}
                void |= self.one({}, {"settled": True}, {"in_round": False, "settled": True})
                title = {"en": "Sample", "zh": "示例"}
                carried = {"key": "sample", "title": title, "document": "Sample Regulations", "void": [void]}
                setup["overlay"] = self.one(None, carried)
            case _:
                pass
        return setup | ({"policy": policy} if policy else {})


def _card(face: str) -> dict[str, Any]:
    from puntobanco.rules.cards import read_card

    return dict(msgspec.to_builtins(read_card(face)))


def default_setup(felt: Felt, *, face_down: bool) -> dict[str, Any]:
    return dict(msgspec.to_builtins(setup_of(library.game(felt.game), felt.layout, face_down=face_down)))


# ---- one maker for each kind of command --------------------------------------------------------------------------

Maker = Callable[[Chance], Command]
MAKERS: dict[str, Maker] = {}
"""By the name of the command; the suite compares the names with the commands there are."""


def maker(make: Maker) -> Maker:
    MAKERS["".join(word.title() for word in make.__name__.split("_"))] = make
    return make


@maker
def buy_in(luck: Chance) -> Command:
    poor = [person for person, held in luck.view.get("purses", {}).items() if held < DIFFERENTIAL]
    return {"person": luck.one(*poor, luck.player()), "amount": luck.one(1_000_00, 5_000_00, 20_000_00, luck.amount())}


@maker
def cash_out(luck: Chance) -> Command:
    """A little, or everything there is."""
    person = luck.player()
    held = luck.view.get("purses", {}).get(person, 0)
    return {"person": person, "amount": luck.one(100_00, 1_000_00, held, luck.amount())}


@maker
def buy_in_at_table(luck: Chance) -> Command:
    """Under a new name, the name of somebody who is there, or none that could be read out."""
    here = [shown(person) for person in luck.guests()]
    name = luck.one("Lee", "lee", "Mei Ling", "王先生", "p1", *here, luck.one("", "a:b", "~Lee", " Lee", luck.text()))
    made: Command = {"name": name, "amount": luck.one(1_000_00, 5_000_00, luck.amount()), "tender": luck.one(*Tender)}
    return made | ({"again": True} if name in here and luck.maybe(0.7) else {})


@maker
def leave_table(luck: Chance) -> Command:
    return {"person": luck.one(*luck.guests(), guest_id("nobody"), luck.player())}


def recorded(luck: Chance, *people: str) -> Command:
    """Now and then for a player, by somebody of the house."""
    return {"person": luck.one(*people, *luck.guests(), luck.player())} if luck.maybe(0.3) else {}


@maker
def take_seat(luck: Chance) -> Command:
    return {"box": luck.box(), **recorded(luck)}


@maker
def leave_seat(luck: Chance) -> Command:
    taken = [int(box) for box in luck.view.get("seats", {})]
    return {"box": luck.one(*taken, luck.box())}


@maker
def walk_away(luck: Chance) -> Command:
    return {"person": luck.player()}


@maker
def assign(luck: Chance) -> Command:
    relief = [name for names in RELIEF.values() for name in names]
    return {"person": luck.one(*relief, luck.player(), "nobody"), "role": luck.one(*Standing)}


@maker
def relieve(luck: Chance) -> Command:
    return {"person": luck.one(*luck.view.get("acting", {}), *(name for names in RELIEF.values() for name in names))}


@maker
def open_table(luck: Chance) -> Command:
    return {"setup": luck.setup()}


@maker
def change_setup(luck: Chance) -> Command:
    return {"setup": luck.setup()}


@maker
def announce_closing(luck: Chance) -> Command:
    return {"reason": luck.text()}


@maker
def close_table(luck: Chance) -> Command:
    made: Command = {"cause": luck.one(*ClosingCause), "reason": luck.text()}
    return made if luck.rng.random() < 0.5 else {}


@maker
def load_shoe(luck: Chance) -> Command:
    decks = luck.table.setup.get("decks", 8)
    made: Command = {
        "shoe": f"set {luck.rng.randrange(10**6)}", "decks": luck.one(decks, decks, decks, 6, 1),
        "shuffled": luck.maybe(0.9), "source": luck.one("keyboard", "scanner", "keyboard", "electronic"),
        "reason": luck.text(),
    }  # fmt: skip
    if luck.maybe(0.05):
        made |= luck.one({"shoe": f"{luck.felt.name}/0123"}, {"commitment": "00" * 32})
    return made


@maker
def withdraw_shoe(luck: Chance) -> Command:
    return {"reason": luck.text()}


@maker
def take_over(luck: Chance) -> Command:
    """Only the house itself says so, whoever tries."""
    return {"round": luck.round(), "away": luck.one(0, 2_000, 60_000, -1)}


@maker
def show_cut_card(_: Chance) -> Command:
    return {}


@maker
def open_betting(luck: Chance) -> Command:
    return {"acknowledge": luck.maybe(0.8)}


@maker
def permit_opening(_luck: Chance) -> Command:
    return {}


@maker
def place_bets(luck: Chance) -> Command:
    made: Command = {"round": luck.round(), "lines": luck.lines()}
    if luck.maybe(0.15):
        made |= {"owner": luck.owner(), "requested": luck.maybe(0.8)}
    return made


@maker
def object(luck: Chance) -> Command:
    seats = list(luck.view.get("seats", {}).items())
    box = int(luck.rng.choice(seats)[0]) if seats else luck.box()
    return {"round": luck.round(), "box": box, "against": luck.player()}


@maker
def reject_excess(luck: Chance) -> Command:
    over = [box["box"] for box in luck.view.get("boxes", ()) if box.get("over_differential")]
    return {"round": luck.round(), "box": luck.one(*over, luck.box())}


@maker
def advise_minimum(luck: Chance) -> Command:
    low = [(one["box"], one["owner"]) for one in luck.view.get("low", ())]
    box, person = luck.one(*low, *low, (luck.box(), luck.player()))
    return {"round": luck.round(), "box": box, "person": person}


@maker
def return_bet(luck: Chance) -> Command:
    low = [one for one in luck.view.get("low", ()) if one.get("advised")]
    lying = luck.one(*low, {"box": luck.box(), "bet": luck.bet(), "owner": luck.player()})
    return {"round": luck.round(), "box": lying["box"], "bet": lying["bet"], "person": lying["owner"]}


@maker
def announce_close(luck: Chance) -> Command:
    return {"round": luck.round()}


@maker
def close_betting(luck: Chance) -> Command:
    return {"round": luck.round(), "over_excess": luck.maybe(0.8)}


@maker
def attest_bet(luck: Chance) -> Command:
    return {"round": luck.round(), "owner": luck.player(), "line": luck.good_line() if luck.maybe(0.7) else luck.line(),
            "attested": luck.maybe(0.8), "reason": luck.text()}  # fmt: skip


@maker
def note_late_bet(luck: Chance) -> Command:
    return {"round": luck.round(), "person": luck.player(), **luck.line(), "withdrawn": luck.maybe(0.3)}


@maker
def draw_card(luck: Chance) -> Command:
    """Face up with its face, face down without; a card that waits in front has one already."""
    waiting = luck.view.get("waiting", ())
    bare = luck.view.get("face_down", False) or (bool(waiting) and waiting[0] is not None)
    made: Command = {"round": luck.round(), "index": luck.one(*["$index"] * 9, luck.index())}
    return made if bare != luck.maybe(0.05) else made | {"card": luck.card()}


@maker
def expose_card(luck: Chance) -> Command:
    hidden = luck.table.hidden
    index = luck.one(*["$hidden"] * 6, luck.index(), *hidden[-1:])
    return {"round": luck.round(), "index": index, "card": luck.card()}


@maker
def correct_card(luck: Chance) -> Command:
    keyed = luck.view.get("keyed", 0)
    return {"round": luck.round(), "index": luck.one(keyed, keyed, keyed, luck.index()), "card": luck.card()}


@maker
def request_squeeze(luck: Chance) -> Command:
    index = luck.one("$index", "$index", "$index+1", luck.index())
    return {"round": luck.round(), "index": index, **recorded(luck, *luck.view.get("squeezers", ()))}


@maker
def answer_squeeze(luck: Chance) -> Command:
    asked = [int(index) for index in luck.view.get("squeezes", {})]
    return {"round": luck.round(), "index": luck.one(*asked, luck.index()), "permit": luck.yes()}


@maker
def finish_squeeze(luck: Chance) -> Command:
    asked = [one["person"] for one in luck.view.get("squeezes", {}).values()]
    index = luck.one(*luck.view.get("squeezing", ()), luck.index())
    return {"round": luck.round(), "index": index, **recorded(luck, *asked)}


@maker
def request_waiver(luck: Chance) -> Command:
    return {"round": luck.round(), **recorded(luck, *(one["owner"] for one in luck.table.stakes))}


@maker
def agree_to_waiver(luck: Chance) -> Command:
    missing = luck.view.get("waiver_to_agree", ())
    return {"round": luck.round(), "agrees": luck.yes(), **recorded(luck, *missing)}


@maker
def answer_waiver(luck: Chance) -> Command:
    return {"round": luck.round(), "consent": luck.yes()}


@maker
def insure(luck: Chance) -> Command:
    offers = (luck.view.get("window") or {}).get("offers", ())
    offer = luck.one(*offers, {"box": luck.box(), "most": 100_00})
    amount = luck.one(offer["most"], offer["most"] // 2 // 100 * 100, 0, 50_00, luck.amount())
    return {"round": luck.round(), "window": luck.one("$window", "$window", "$window", *Window), "amount": amount,
            "box": offer["box"], **recorded(luck, *(one["owner"] for one in offers))}  # fmt: skip


@maker
def decline_insurance(luck: Chance) -> Command:
    offers = (luck.view.get("window") or {}).get("offers", ())
    offer = luck.one(*offers, {"box": luck.box()})
    return {"round": luck.round(), "window": luck.one("$window", "$window", "$window", *Window),
            "box": offer["box"], **recorded(luck, *(one["owner"] for one in offers))}  # fmt: skip


@maker
def close_insurance(luck: Chance) -> Command:
    return {"round": luck.round(), "window": luck.one("$window", "$window", "$window", *Window)}


@maker
def settle(luck: Chance) -> Command:
    return {"round": luck.round()}


@maker
def collect_chip(luck: Chance) -> Command:
    return {"missing": luck.one(*map(int, luck.view.get("missing", {})), 0)}


@maker
def write_off_chip(luck: Chance) -> Command:
    return {"missing": luck.one(*map(int, luck.view.get("missing", {})), 0), "reason": luck.one("gone", "", "left")}


@maker
def confirm_box(luck: Chance) -> Command:
    return {"round": luck.round(), "box": luck.one(*luck.view.get("unpaid", ()), luck.box())}


@maker
def confirm_rest(luck: Chance) -> Command:
    return {"round": luck.round()}


@maker
def choose_after_tie(luck: Chance) -> Command:
    held = [one for one in luck.view.get("settled", ()) if one.get("held")]
    lying = luck.one(*held, luck.good_line())
    person = recorded(luck, *(one["owner"] for one in held))
    return {"round": luck.round(), "bet": lying["bet"], "leave": luck.yes(), "box": lying["box"], **person}


GAP = (Fault.MISPAYMENT, Fault.MISKEYED, Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.WRONG_NUMBER_OF_CARDS,
       Fault.MISDIRECTED, Fault.UNPROVIDED)  # fmt: skip
"""What can take a settlement back."""


@maker
def report(luck: Chance) -> Command:
    fault = luck.one(*GAP) if luck.table.phase == "settled" and luck.maybe(0.7) else luck.one(*Fault)
    few = luck.one(1, 2)
    many = {Fault.SIMULTANEOUS: 2, Fault.EXCESS: few, Fault.EXPOSED: 1, Fault.FACE_UP: few}.get(fault, 0)
    cards = [luck.card() if luck.maybe(0.9) else None for _ in range(luck.one(many, many, many, many + 1))]
    made: Command = {"round": luck.round(), "fault": fault, "note": luck.text(), "order_known": luck.maybe(0.4)}
    if luck.maybe(0.2):
        made["shoe"] = luck.text()
    if cards and not luck.felt.automatic:
        made["cards"] = cards
    if fault in (Fault.FACE_UP, Fault.SIMULTANEOUS) or luck.maybe(0.1):
        made["index"] = luck.index()
    if fault is Fault.MISDIRECTED:
        made |= {"lies": luck.one({"1": "banker", "2": "player"}, {"1": "banker"}, {"3": "banker", "4": "player"}),
                 "to_person": luck.maybe(0.2)}  # fmt: skip
    return made


@maker
def rule(luck: Chance) -> Command:
    question = luck.view.get("question") or {}
    choices = question.get("choices", ()) if luck.maybe(0.95) else tuple(Choice)
    choice = luck.one(*(choices or tuple(Choice)))
    made: Command = {"question": luck.one(*["$question"] * 12, "$question+1", 1), "choice": choice,
                     "reason": luck.one("found so", "found so", luck.text())}  # fmt: skip
    told: dict[str, Any] = next(
        (one for one in luck.view.get("faults", ()) if one["number"] == question.get("report")), {}
    )
    together = len(told.get("cards", ())) or max(0, len(luck.table.cards) - (told.get("index") or 0) + 1)
    order = list(range(1, together + 1))
    if choice == Choice.ORDER or luck.maybe(0.1):
        if luck.maybe(0.4):
            luck.rng.shuffle(order)
        made["order"] = order
    if choice in (Choice.CORRECT, Choice.RESETTLE) or (choice == Choice.RECONSTRUCT and luck.maybe(0.3)):
        made["cards"] = luck.out() if luck.maybe(0.6) else luck.misread()
    if choice == Choice.DECIDE_BETS or luck.maybe(0.02):
        made["bets"] = decided(luck)
    return made


def decided(luck: Chance) -> list[Command]:
    """What the House makes of some bets that lie there, or were settled, and of one that is perhaps none."""
    view = luck.view
    lying = [stake for box in view.get("boxes", ()) for stake in box.get("stakes", ())]
    known = [*lying, *view.get("at_terminals", ()), *view.get("settled", ())]
    if not known or luck.maybe(0.1):
        known = [{"owner": luck.player(), "bet": luck.bet(), "box": luck.box()}]
    named = []
    for one in luck.rng.sample(known, min(len(known), luck.one(1, 1, 2))):
        terms = luck.one(*Terms)
        made = {"owner": one["owner"], "bet": one["bet"], "box": one.get("box", 0), "terms": terms}
        named.append(made | ({"amount": luck.amount()} if terms in (Terms.AT_STAKE, Terms.PAY) else {}))
    return named


@maker
def elect(luck: Chance) -> Command:
    made: Command = {"question": luck.one(*["$question"] * 9, "$question-1"), "election": luck.one(*Election)}
    return made | ({"person": luck.player(), "present": luck.maybe(0.7)} if luck.maybe(0.3) else {})


@maker
def close_options(luck: Chance) -> Command:
    return {"question": luck.one(*["$question"] * 9, "$question+1")}


@maker
def correct_display(luck: Chance) -> Command:
    return {"round": luck.round(), "shown": luck.text(), "correct": luck.text()}


@maker
def decide_unprovided(luck: Chance) -> Command:
    made: Command = {"round": luck.round(), "decision": luck.text(), "reason": luck.text()}
    return made | ({"bets": decided(luck)} if luck.maybe(0.6) else {})


# ---- what is nearly right ----------------------------------------------------------------------------------------


def mutated(rng: random.Random, command: Command) -> Command:
    """A field that is missing, too many, of another type, or of another value."""
    made: Command = dict(command)
    fields = [name for name in made if name != "type"]
    if not fields or rng.random() < 0.1:
        return made | {rng.choice(["extra", "version", "at", "by", "role", "type"]): rng.choice(TEXTS)}
    name = rng.choice(fields)
    held = made[name]
    match rng.randrange(5):
        case 0:
            del made[name]
        case 1 if isinstance(held, dict):
            made[name] = mutated(rng, held)
        case 1 if isinstance(held, list) and held:
            made[name] = rng.choice([held * 40, held[:1] * 2, [held], [*held, rng.choice(TEXTS)]])
        case 2 if isinstance(held, int) or (isinstance(held, str) and held.startswith("$")):
            made[name] = rng.choice([held, rng.choice(NUMBERS)]) if rng.random() < 0.2 else rng.choice(NUMBERS)
        case _:
            made[name] = rng.choice(TEXTS if isinstance(held, str) else NUMBERS)
    return made
