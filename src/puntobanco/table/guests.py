"""Guests without an account: they buy in at the table with cash or chips, under a name given there.

A guest's purse is kept under the name with a mark in front that no admitted person's name can have. So a guest called
like somebody of the house is somebody else, and nobody can sign in as one.
"""

from unicodedata import normalize

from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table.authority import Role
from puntobanco.table.felt import Edition
from puntobanco.table.pending import PendingEvents
from puntobanco.table.state import State

MARK = "~"
LONGEST_NAME = 40
_PARTS = frozenset(f"{MARK}:/@")
"""Signs that part accounts, stakes and windows."""
_UNSEEN = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, *range(0xFE00, 0xFE10),
              0xFFA0, *range(0xE0100, 0xE01F0)))
)  # fmt: skip
"""What counts as printable and shows nothing: fillers, joiners and selectors of variants."""
_LOOKS_LIKE = str.maketrans(
    "01i" "авекмнорстухіјѕԁһӏ" "αβεηικμνορτυχ",
    "oll" "abekmhopctyxljsdhl" "abehlkmnoptyx",
)  # fmt: skip
"""Digits, Cyrillic and Greek letters that nobody can tell from a Latin one, large or small; l, I and 1 are one sign."""


def guest_id(name: str) -> str:
    return f"{MARK}{name}"


def is_guest(person: str) -> bool:
    return person.startswith(MARK)


def shown(person: str) -> str:
    """How somebody is called: a guest by the name given at the table."""
    return person.removeprefix(MARK)


def check_name(name: str) -> None:
    """One printable line without surplus blanks: what a dealer can read out and nobody can take for something else."""
    tidy = " ".join(name.split()) == name and normalize("NFC", name) == name
    said = any(one.isalnum() for one in name)
    seen = name.isprintable() and _UNSEEN.isdisjoint(name)
    if not (tidy and said and seen and len(name) <= LONGEST_NAME and _PARTS.isdisjoint(name)):
        raise Refused(Reason.GUEST_NAME_WRONG, most=LONGEST_NAME)


def check_covered(pending: PendingEvents, person: str, rule: str | None) -> None:
    """What somebody else stakes from a purse is covered by its owner's confirmation as long as that lasts."""
    if person == pending.by.person:
        return
    if pending.felt.edition >= Edition.GUESTS_CONFIRM and person in pending.state.unconfirmed:
        raise Refused(Reason.PURSE_NOT_CONFIRMED, rule, person=shown(person))


def whose(pending: PendingEvents, named: str | None, rule: str | None = None) -> str:
    """Whose wish it is: the player's own, or of a player at the table for whom a Pit Employee records it. `rule`: the
    paragraph that keeps it for players."""
    by, state = pending.by, pending.state
    if by.role is Role.PLAYER:
        if named not in (None, by.person):
            raise Refused(Reason.NOT_YOURS, person=shown(named or ""))
        return by.person
    authority.check(pending.felt.game, Action.BET_FOR_PLAYER, by)
    if named is None or named == by.person or named in state.acting:
        raise Refused(Reason.NOT_A_PLAYER, rule, role=by.role)
    if named not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=shown(named))
    return named


def check_there(pending: PendingEvents, person: str, rule: str | None = None) -> None:
    """Only what somebody who has not walked away says is recorded."""
    if person != pending.by.person and person in pending.state.absent:
        raise Refused(Reason.PLAYER_ABSENT, rule, person=shown(person))


def cited(pending: PendingEvents, owner: str, rule: str | None) -> str | None:
    """What a paragraph gives the player to do it says of nobody who records it for them. What a device has read the
    player did."""
    own = pending.by.person == owner or pending.by.device
    return rule if own or pending.felt.edition < Edition.SECOND_READING else None


def known_as(state: State, name: str) -> str | None:
    """Which guest at the table, or who still owes there, has that name, or one that reads the same."""
    wanted = _folded(name)
    found = [one for one in (*state.purses, *state.owed) if is_guest(one) and _folded(shown(one)) == wanted]
    return guest_id(name) if guest_id(name) in found else next(iter(found), None)


def _folded(name: str) -> str:
    return normalize("NFKC", normalize("NFKC", name).casefold()).translate(_LOOKS_LIKE)
