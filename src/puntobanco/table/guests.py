"""Guests without an account: they buy in at the table with cash or chips, under a name given there.

A guest's purse is stored under the name with a mark in front that no admitted person's name can contain. So a guest
with the name of a member of staff is a different person, and nobody can sign in as a guest.
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
"""Characters that separate the parts of accounts, stakes and windows."""
_UNSEEN = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, *range(0xFE00, 0xFE10),
              0xFFA0, *range(0xE0100, 0xE01F0)))
)  # fmt: skip
"""Characters that count as printable and show nothing: fillers, joiners and variation selectors."""
_LOOKS_LIKE = str.maketrans(
    "01i" "авекмнорстухіјѕԁһӏ" "αβεηικμνορτυχ",
    "oll" "abekmhopctyxljsdhl" "abehlkmnoptyx",
)  # fmt: skip
"""Digits, Cyrillic and Greek letters that look like a Latin letter in upper or lower case; l, I and 1 are the same."""


def guest_id(name: str) -> str:
    return f"{MARK}{name}"


def is_guest(person: str) -> bool:
    return person.startswith(MARK)


def shown(person: str) -> str:
    """The name to display; for a guest, the name given at the table."""
    return person.removeprefix(MARK)


def check_name(name: str) -> None:
    """Refuses a name that is not one tidy, printable line that a dealer can read out and nobody can mistake for
    another."""
    tidy = " ".join(name.split()) == name and normalize("NFC", name) == name
    said = any(one.isalnum() for one in name)
    seen = name.isprintable() and _UNSEEN.isdisjoint(name)
    if not (tidy and said and seen and len(name) <= LONGEST_NAME and _PARTS.isdisjoint(name)):
        raise Refused(Reason.GUEST_NAME_WRONG, most=LONGEST_NAME)


def check_covered(pending: PendingEvents, person: str, rule: str | None) -> None:
    """Refuses to stake from another person's purse if their confirmation has ended."""
    if person == pending.by.person:
        return
    if pending.felt.edition >= Edition.GUESTS_CONFIRM and person in pending.state.unconfirmed:
        raise Refused(Reason.PURSE_NOT_CONFIRMED, rule, person=person)


def whose(pending: PendingEvents, named: str | None, rule: str | None = None) -> str:
    """The player that the command is for: the sender, or a player at the table for whom a Pit Employee records it.
    `rule`: the paragraph that reserves the action for players."""
    by, state = pending.by, pending.state
    if by.role is Role.PLAYER:
        if named not in (None, by.person):
            raise Refused(Reason.NOT_YOURS, person=named or "")
        return by.person
    authority.check(pending.felt.game, Action.BET_FOR_PLAYER, by)
    if named is None or named == by.person or named in state.acting:
        raise Refused(Reason.NOT_A_PLAYER, rule, role=by.role)
    if named not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=named)
    return named


def check_there(pending: PendingEvents, person: str, rule: str | None = None) -> None:
    """Refuses to record an action for a player who has walked away."""
    if person != pending.by.person and person in pending.state.absent:
        raise Refused(Reason.PLAYER_ABSENT, rule, person=person)


def cited(pending: PendingEvents, owner: str, rule: str | None) -> str | None:
    """Cites a player's paragraph only when the player acts in person, which includes what a device reads. An action
    recorded by staff cites none."""
    own = pending.by.person == owner or pending.by.device
    return rule if own or pending.felt.edition < Edition.SECOND_READING else None


def known_as(state: State, name: str) -> str | None:
    """The guest with that name, or one that reads the same, who is at the table or still owes money there."""
    wanted = _folded(name)
    found = [one for one in (*state.purses, *state.owed) if is_guest(one) and _folded(shown(one)) == wanted]
    return guest_id(name) if guest_id(name) in found else next(iter(found), None)


def _folded(name: str) -> str:
    return normalize("NFKC", normalize("NFKC", name).casefold()).translate(_LOOKS_LIKE)
