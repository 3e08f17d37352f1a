"""Who sends what next at a table, so that rounds go on: mostly what leads on, some of what is possible, a little of
anything by anybody, and now and then the same once more."""

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.protocol.posts import COMMANDS, Post
from puntobanco.table.commands import Fault
from tests.fuzz.chance import MAKERS, TEXTS, Chance, Command, Table, mutated
from tests.fuzz.house import PEOPLE, PIN, PLAYERS, RELIEF, STAFF
from tests.fuzz.office import NEWCOMERS
from tests.fuzz.script import Step
from tests.web import nasty

EVERYBODY = (*(name for name in PEOPLE if not name.startswith("crew-")), *NEWCOMERS[:4])
OWN = {"BuyIn", "CashOut", "WalkAway"}
"""What a player says of nobody but themselves."""
PITS = {
    "Rule",
    "DecideUnprovided",
    "OpenTable",
    "ChangeSetup",
    "AnnounceClosing",
    "CloseTable",
    "WithdrawShoe",
    "Assign",
    "PermitOpening",
}
RARE = {"AnnounceClosing", "CloseTable", "WithdrawShoe", "ChangeSetup", "Report", "ShowCutCard", "LoadShoe"}
"""What would keep rounds from going on if it came as often as the rest."""
FITTING: dict[str, tuple[str, ...]] = {
    "betting": (*["PlaceBets"] * 12, "BuyIn", "TakeSeat", "Object", "RejectExcess", "AdviseMinimum", "ReturnBet",
                "RejectExcess", "AdviseMinimum", "ReturnBet", "ReturnBet"),
    "closing": ("PlaceBets",),
    "dealing": ("AttestBet", "NoteLateBet", *["RequestSqueeze"] * 4, *["AnswerSqueeze"] * 4, *["FinishSqueeze"] * 4,
                *["RequestWaiver"] * 2, *["AgreeToWaiver"] * 4, *["AnswerWaiver"] * 4, "PlaceBets", "Report",
                "CorrectCard"),
    "insurance": ("Insure", "Insure", "Insure", "DeclineInsurance", "RequestWaiver", "AnswerWaiver", "AttestBet"),
    "result": ("AttestBet", "NoteLateBet", "CorrectCard"),
    "settled": (*["ChooseAfterTie"] * 8, *["Report"] * 3, "BuyIn", "CashOut", "ChangeSetup", "Assign", "Relieve",
                "BuyInAtTable", "LeaveTable"),
    "voided": ("BuyIn", "CashOut", "LoadShoe"),
    "without_bets": ("BuyIn", "CashOut", "LoadShoe"),
    "idle": ("BuyIn", "BuyInAtTable", "TakeSeat", "ChangeSetup", "Assign"),
    "options": ("Elect", "Elect", "Elect", "WalkAway"),
    "decision": ("Rule", "NoteLateBet", "Report"),
    "suspended": ("Rule", "NoteLateBet"),
    "closed": ("CashOut",),
}  # fmt: skip
"""What people send in each phase, beside what leads on."""


def batch(rng: random.Random, table: Table) -> list[Step]:
    """What is sent together at this moment."""
    luck = Chance(rng, table)
    lively = table.phase in ("betting", "insurance", "options")
    many = rng.randint(3, 14) if lively else rng.randint(0, 3)
    steps = [_beside(luck) for _ in range(many)]
    if rng.random() < (0.3 if lively else 0.5 if table.phase == "settled" else 0.85):
        leads = next_step(luck)
        if leads is not None:
            steps.insert(rng.randint(0, len(steps)) if rng.random() < 0.3 else len(steps), leads)
    return steps


def _beside(luck: Chance) -> Step:
    rng, phase = luck.rng, luck.table.phase
    kinds = [kind for kind in FITTING.get(phase, ()) if _about_something(luck, kind)] or ["BuyIn"]
    chance = rng.random()
    if chance < 0.65:
        return sent(luck, rng.choice(kinds))
    kind = rng.choice(list(MAKERS))
    if kind in RARE and rng.random() < 0.7:
        kind = rng.choice(kinds)
    if chance < 0.8:
        return sent(luck, kind)
    if chance < 0.87:
        return sent(luck, kind, rng.choice(EVERYBODY))
    if chance < 0.97:
        return _mutated(rng, sent(luck, kind))
    return _strange(luck, sent(luck, kind))


def _waits_for_permission(luck: Chance) -> bool:
    """Several exposed cards begin the next round, and nobody of the rank has let it open."""
    seen = [face for face in luck.view.get("waiting", ()) if face is not None]
    return len(seen) > 1 and "OpenBetting" not in luck.view.get("allowed", ())


ABOUT: dict[str, Callable[[Chance], object]] = {
    "AnswerSqueeze": lambda luck: luck.view.get("squeezes"),
    "FinishSqueeze": lambda luck: luck.view.get("squeezing"),
    "RequestSqueeze": lambda luck: luck.view.get("face_down") and luck.table.stakes,
    "RequestWaiver": lambda luck: luck.felt.game == "insurance" and luck.table.stakes and len(luck.table.cards) >= 4,
    "AgreeToWaiver": lambda luck: luck.view.get("waiver_to_agree"),
    "AnswerWaiver": lambda luck: luck.view.get("waiver_asked"),
    "RejectExcess": lambda luck: any(box.get("over_differential") for box in luck.view.get("boxes", ())),
    "AdviseMinimum": lambda luck: luck.view.get("low"),
    "ReturnBet": lambda luck: any(one.get("advised") for one in luck.view.get("low", ())),
    "ChooseAfterTie": lambda luck: any(one.get("held") for one in luck.view.get("settled", ())),
    "Relieve": lambda luck: luck.view.get("acting"),
    "CorrectCard": lambda luck: luck.view.get("keyed"),
    "PermitOpening": _waits_for_permission,
    "LeaveTable": lambda luck: luck.guests(),
}
"""What there must be at a table before the command is about anything."""


def _about_something(luck: Chance, kind: str) -> bool:
    return kind not in ABOUT or bool(ABOUT[kind](luck))


def sent(luck: Chance, kind: str, who: str | None = None) -> Step:
    """By somebody it might be heard from."""
    command: Command = {"type": kind, **MAKERS[kind](luck)}
    who = who or sender(luck, kind, command)
    if who in PLAYERS and kind in OWN and luck.maybe(0.95):
        command["person"] = who
    if who in PLAYERS:
        command.pop("owner", None)
    if who not in PLAYERS and kind == "PlaceBets" and "owner" not in command:
        command |= {"owner": luck.owner(), "requested": True}
    if luck.maybe(0.3 if kind == "BuyIn" and who not in PLAYERS else 0.03):
        body: Command = {"command": command}
        if kind == "BuyIn" and luck.maybe(0.7):
            body["proof"] = luck.one({"pin": PIN}, {"pin": PIN}, {"pin": "1111"}, {"card": "x" * 20}, {}, {"pin": ""})
        return Step(who=who, table=luck.felt.name, path=f"/tables/{luck.felt.name}/commands", body=body)
    return Step(who=who, table=luck.felt.name, command=command, line=luck.rng.randrange(2))


BY_PLAYERS = frozenset(one.__name__ for one in COMMANDS[Post.PLAYER])
BY_STAFF = frozenset(one.__name__ for one in COMMANDS[Post.DEALER])


RECORDED = frozenset(
    {
        "TakeSeat",
        "RequestSqueeze",
        "FinishSqueeze",
        "RequestWaiver",
        "AgreeToWaiver",
        "Insure",
        "ChooseAfterTie",
        "DeclineInsurance",
    }
)
"""What somebody of the house may record for a player."""


def sender(luck: Chance, kind: str, command: Command) -> str:  # noqa: PLR0912 (each has its own people)
    if kind in RECORDED and "person" in command:
        return luck.staff(Post.DEALER)
    if kind in ("Insure", "DeclineInsurance"):
        offers = (luck.view.get("window") or {}).get("offers", ())
        return str(luck.one(*(one["owner"] for one in offers if one["box"] == command["box"]), luck.player()))
    if kind == "ChooseAfterTie":
        held = [one["owner"] for one in luck.view.get("settled", ()) if one.get("held")]
        return str(luck.one(*held, *held, luck.player()))
    if kind == "Object":
        return str(luck.view.get("seats", {}).get(str(command["box"]), luck.player()))
    if kind == "LeaveSeat":
        return str(luck.one(luck.view.get("seats", {}).get(str(command["box"]), luck.player()), luck.staff()))
    if kind == "Elect":
        people = (luck.view.get("options") or {}).get("people", ())
        if "person" not in command:
            return str(luck.one(*people, *people, luck.player()))
        return luck.staff(Post.DEALER)
    if kind == "FinishSqueeze":
        asked = [one["person"] for one in luck.view.get("squeezes", {}).values()]
        return str(luck.one(*asked, *asked, luck.player()))
    if kind == "RequestSqueeze":
        largest = sorted(luck.table.stakes, key=lambda one: -one["amount"])[:2]
        return str(luck.one(*(one["owner"] for one in largest), luck.player()))
    if kind == "AgreeToWaiver":
        return str(luck.one(*luck.view.get("waiver_to_agree", ()), luck.player()))
    if kind == "RequestWaiver":
        return str(luck.one(*(one["owner"] for one in luck.table.stakes), luck.player()))
    if kind == "PlaceBets":
        return str(luck.one(*[luck.player()] * 8, "dora", "scan", luck.staff()))
    if kind in BY_PLAYERS and (kind not in BY_STAFF or luck.maybe(0.6)):
        return luck.player()
    if kind in ("DrawCard", "ExposeCard", "ShowCutCard", "AttestBet", "NoteLateBet") and luck.maybe(0.2):
        return "scan"
    if kind in PITS:
        return luck.staff(Post.PIT_MANAGER, Post.SHIFT_MANAGER, Post.SHIFT_MANAGER, Post.PIT_SUPERVISOR)
    return str(luck.one(luck.staff(Post.DEALER), luck.staff(Post.DEALER), luck.staff(), RELIEF[Post.DEALER][0]))


def _mutated(rng: random.Random, step: Step) -> Step:
    if step.command is not None:
        return replace(step, command=mutated(rng, step.command))
    return replace(step, body=step.body | {"command": mutated(rng, step.body["command"])})


def _strange(luck: Chance, step: Step) -> Step:
    """Not a command at all, or from a line that is pulled in the middle."""
    rng, name = luck.rng, luck.felt.name
    match rng.randrange(6):
        case 0:
            return Step(who=step.who, line=step.line, drop=True)
        case 1:
            whole = rng.choice(nasty.WHOLES).decode("utf-8", "replace")[:60_000]
            return Step(who=step.who, line=step.line, table=name, raw=whole)
        case 2:
            example = {"type": "Do", "table": name, "request": "strange", "command": {"type": "Settle", "round": 1}}
            text = rng.choice(_NASTY or _fill(example))
            return Step(who=step.who, line=step.line, table=name, raw=text)
        case 3:
            request = rng.choice(TEXTS)
            if not isinstance(request, str) or rng.random() < 0.3:
                request = "second:1"
            return Step(who=step.who, line=step.line, table=name, command=step.command or {}, request=f"!{request}")
        case 4:
            card = rng.choice(["9S", "10♦", "K", "", "11X", "9", luck.text()])
            return Step(who=luck.one("scan", "dora"), table=name, path=f"/tables/{name}/cards", body={"card": card})
        case _:
            chips = [{"box": luck.box(), "bet": luck.bet(), "amount": luck.amount()} for _ in range(luck.one(1, 2))]
            if luck.maybe(0.5):
                owner = luck.player()
                chips = [chip | {"owner": owner} for chip in chips]
            return Step(who=luck.one("scan", "dora"), table=name, path=f"/tables/{name}/chips", body={"chips": chips})


_NASTY: list[str] = []


def _fill(example: dict[str, Any]) -> list[str]:
    for body in nasty.mutations(example):
        text = body.decode("utf-8", "replace")
        if len(text) < 60_000:
            _NASTY.append(text)
    return _NASTY


# ---- what leads on -----------------------------------------------------------------------------------------------


def next_step(luck: Chance, *, deals_itself: bool | None = None) -> Step | None:  # noqa: PLR0912 (one arm a phase)
    """What brings the round nearer to its end, by somebody who may do it; none while an automatic table deals."""
    table, view = luck.table, luck.view
    kind, who = "", luck.staff(Post.DEALER)
    command: Command = {"round": "$round"}
    shoe = view.get("shoe") or {}
    usable = bool(shoe) and shoe.get("in_service", True) and not shoe.get("finished")
    deals_itself = luck.felt.automatic if deals_itself is None else deals_itself
    match table.phase:
        case "closed":
            kind, who, command = "OpenTable", luck.staff(Post.SHIFT_MANAGER), MAKERS["OpenTable"](luck)
        case "decision" | "suspended":
            kind, who, command = "Rule", luck.staff(Post.SHIFT_MANAGER), MAKERS["Rule"](luck)
            least = (view.get("question") or {}).get("asked_of")
            if least in STAFF and luck.maybe(0.5):
                who = luck.staff(Post(least))
        case "dealing" if deals_itself and not shoe.get("in_service", True):
            note = "the shoe was withdrawn"
            kind, command = "Report", command | {"fault": Fault.UNPROVIDED, "note": note}
        case "idle" | "settled" | "voided" | "without_bets" if _waits_for_permission(luck) and usable:
            kind, who, command = "PermitOpening", luck.staff(Post.PIT_SUPERVISOR), {}
        case _ if deals_itself:
            return None
        case "idle" | "settled" | "voided" | "without_bets" if not usable or not shoe.get("shuffled", True):
            kind, who, command = "LoadShoe", luck.staff(Post.SHIFT_MANAGER), _new_shoe(luck)
        case "idle" | "settled" | "voided" | "without_bets":
            kind, command = "OpenBetting", {"acknowledge": True}
        case "betting" | "closing":
            kind, command = "CloseBetting", command | {"over_excess": True}
        case "dealing" if not shoe.get("in_service", True) and not view.get("waiting"):
            kind, who, command = "LoadShoe", luck.staff(Post.SHIFT_MANAGER), _new_shoe(luck)
        case "dealing" if asked := [index for index, one in view.get("squeezes", {}).items() if not one["permitted"]]:
            kind, command = "AnswerSqueeze", command | {"index": int(asked[0]), "permit": luck.yes()}
        case "dealing" if view.get("due") and (not table.hidden or luck.maybe(0.7)):
            kind, command = "DrawCard", MAKERS["DrawCard"](luck) | {"round": "$round", "index": "$index"}
        case "dealing":
            kind, command = "ExposeCard", command | {"index": luck.one(*(table.hidden or [1])), "card": luck.card()}
        case "insurance":
            kind, command = "CloseInsurance", command | {"window": "$window"}
        case "result":
            kind = "Settle"
        case "paying":
            kind, command = "ConfirmBox", command | {"box": luck.one(*view["unpaid"])}
        case "options":
            kind, command = "CloseOptions", {"question": "$question"}
        case _:
            return None
    return Step(who=who, table=luck.felt.name, command={"type": kind, **command})


def _new_shoe(luck: Chance) -> Command:
    decks = luck.table.setup.get("decks", 8)
    name = f"set {luck.rng.randrange(10**6)}"
    return {"shoe": name, "decks": decks, "shuffled": True, "source": "keyboard", "reason": "the last is used up"}
