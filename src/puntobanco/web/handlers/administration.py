"""Administration: administrative commands, dual control, users, the journal and the games."""

import msgspec

from puntobanco.house.journal.calling import called
from puntobanco.protocol import entries as b
from puntobanco.protocol.administration import (
    AdministrativeRequest,
    ConfirmationCard,
    DeclineRequest,
    GameCard,
    JournalPage,
    PersonCard,
    SessionCard,
    Titles,
)
from puntobanco.protocol.administrative_commands import OVERSEERS, AddGame
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.posts import PIT, TRUSTED, Post
from puntobanco.protocol.sign_in import OneTimePassword
from puntobanco.rules import library
from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.rules.text import check_text
from puntobanco.table.reading import LONGEST_TEXT
from puntobanco.table.tags import tag_of
from puntobanco.web.handlers.money import holds_money
from puntobanco.web.http.operations import ANYONE, LARGEST_WITH_A_GAME, operation
from puntobanco.web.http.refusals import accepted
from puntobanco.web.live.waiting import waiting_for
from puntobanco.web.services import Call

OFFICE = frozenset({Post.ADMINISTRATOR, Post.CASHIER, Post.DEALER, *PIT})
READERS = frozenset({Post.AUDITOR, Post.ADMINISTRATOR})
MOST_TITLES = 100


LOOKED_THROUGH, AT_ONCE = 20_000, 1_000
"""Entries scanned for one page, and entries fetched at a time."""


class JournalQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Oldest first after version `after`, or newest first before version `before` (0: from the end)."""

    after: int = 0
    """Entries after this version."""
    before: int | None = None
    """The newest entries before this version; 0 from the end."""
    most: int = 200
    """At most this many entries, 1 to 1000."""
    kinds: str = ""
    """Entry types, separated by commas. Empty: all."""
    person: str = ""
    """The person who did it, confirmed it, or is its subject."""
    table: str = ""
    """Entries about this table only."""


@operation(
    "POST", "/office", "Send an administrative command: users, tables, games, cashier transactions", who=OFFICE,
    takes=AdministrativeRequest, gives=Answer, anywhere=True, largest=LARGEST_WITH_A_GAME,
    example={"request": "dep-1", "command": {"type": "Deposit", "person": "ann", "amount": 100000}},
)  # fmt: skip
async def errand(asked: Call) -> Answer:
    """The answer has `waits` if the command needs a second person, or the guest whose money it moves. The guest can
    also give a `proof` with it."""
    body: AdministrativeRequest = asked.body
    if not isinstance(body.command, AddGame):
        check_text(body.command, "body", "body", most=LONGEST_TEXT)
    house = asked.services.house
    done = await house.manage(asked.person, body.command, body.request, asked.address, proof=body.proof)
    if done.refusal is not None:
        asked.services.metrics.refused(done.refusal.reason)
    return accepted(done, asked.said)


# ---- dual control ------------------------------------------------------------------------------------------------


@operation("GET", "/waiting", "List requests that wait for a second person or a guest: yours and those you may confirm",
           who=TRUSTED | {Post.PLAYER}, gives=list[ConfirmationCard], anywhere=True)  # fmt: skip
async def waiting(asked: Call) -> list[ConfirmationCard]:
    """The live message `Seconds` carries the same list."""
    return list(waiting_for(asked.services.house, asked.person))


@operation("POST", "/waiting/{number}/confirm", "Confirm a request as the second person or the guest, and carry it out",
           who=OFFICE | {Post.PLAYER}, gives=Answer,
           anywhere=True)  # fmt: skip
async def confirm(asked: Call) -> Answer:
    """The command is decided as things are now, so it may still be refused."""
    given = await asked.services.house.confirm(asked.person, asked.number("number"), asked.address)
    return accepted(given, asked.said)


@operation("POST", "/waiting/{number}/decline", "Decline a request, or withdraw your own",
           who=TRUSTED | {Post.PLAYER}, takes=DeclineRequest, gives=Answer, anywhere=True,
           example={"reason": "the cards were in order"})  # fmt: skip
async def decline(asked: Call) -> Answer:
    """The reason is recorded in the journal."""
    check_text(asked.body.reason, "body", "body", most=LONGEST_TEXT)
    done = await asked.services.house.decline(asked.person, asked.number("number"), asked.body.reason, asked.address)
    return accepted(done, asked.said)


# ---- people ------------------------------------------------------------------------------------------------------


@operation("GET", "/people", "List all users", who=READERS | PIT | {Post.CASHIER}, gives=list[PersonCard])
async def people(asked: Call) -> list[PersonCard]:
    """Disabled people are included."""
    sessions = asked.services.identity.sessions.counted()
    return [
        PersonCard(
            person=one.name, title=one.title, roles=one.roles, active=one.active, sessions=sessions[one.name]
        )
        for one in asked.services.house.journal.people.values()
    ]  # fmt: skip


class TitlesQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose titles to get."""

    people: str
    """Sign-in names, separated by commas."""


@operation("GET", "/titles", "Get how people are called, by sign-in name; without those the caller may not know",
           who=ANYONE, query=TitlesQuery, gives=Titles)  # fmt: skip
async def titles(asked: Call) -> Titles:
    """Names that nobody has, and those the caller may not know, are left out."""
    journal, names = asked.services.house.journal, asked.query.people.split(",", MOST_TITLES)[:MOST_TITLES]
    return Titles(titles={name: title for name in names if (title := called(journal, name, asked.person)) is not None})


@operation("POST", "/people/{person}/password", "Set a one-time password and end all sessions of the user",
           who=frozenset({Post.ADMINISTRATOR, Post.CASHIER}), gives=OneTimePassword)  # fmt: skip
async def give_password(asked: Call) -> OneTimePassword:
    """A cashier may set only the first password of a player without money here: whoever can sign in as a player
    controls the player's money."""
    services, person = asked.services, asked.path["person"]
    if person not in services.house.journal.people:
        raise Refused(Reason.NOT_ADMITTED, person=person)
    if person == asked.person:
        raise Refused(Reason.OWN_RIGHTS)
    if services.house.post(asked.person) is not Post.ADMINISTRATOR:
        player = services.house.journal.people[person].posts == {Post.PLAYER}
        new = player and not await services.identity.passwords.has(person)
        if not new or await holds_money(services.house, person):
            await services.house.denied(asked.person, f"password of {person}", asked.address)
            raise Refused(Reason.PIN_NOT_YOURS) if new else Refused(Reason.ACCESS_DENIED, what=f"password of {person}")
    password = await services.identity.passwords.issue(person)
    await services.identity.factors.remove(person)
    await services.identity.shut_out(person)
    await services.house.journal_writer.note(b.PasswordSet(by=asked.by, person=person, once=True))
    return OneTimePassword(person=person, password=password)


@operation("POST", "/people/{person}/sign-out", "End all sessions and live connections of a user",
           who=frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER}))  # fmt: skip
async def force_out(asked: Call) -> None:
    """A shift manager cannot end those of an administrator or an auditor."""
    services, person = asked.services, asked.path["person"]
    if person not in services.house.journal.people:
        raise Refused(Reason.NOT_ADMITTED, person=person)
    overseer = not OVERSEERS.isdisjoint(services.house.journal.people[person].posts)
    if overseer and services.house.person(asked.person).post_at() is Post.SHIFT_MANAGER:
        await services.house.denied(asked.person, f"sign out {person}", asked.address)
        raise Refused(Reason.ACCESS_DENIED, what=f"sign out {person}")
    await services.identity.shut_out(person)
    await services.house.journal_writer.note(b.SignedOut(by=asked.by, person=person, forced=True))


@operation("GET", "/people/{person}/sessions", "List the sessions of a user",
           who=frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER, Post.AUDITOR}), gives=list[SessionCard])  # fmt: skip
async def sessions_of(asked: Call) -> list[SessionCard]:
    """Those that have not ended."""
    return [
        SessionCard(slot=one.slot, created=one.created, seen=one.seen, address=one.address, agent=one.agent)
        for one in asked.services.identity.sessions.of(asked.path["person"])
    ]


# ---- the journal and the games -----------------------------------------------------------------------------------


@operation("GET", "/book", "Read the journal", who=READERS, gives=JournalPage, query=JournalQuery)
async def journal(asked: Call) -> JournalPage:
    """Read forwards with `after`, or backwards from the latest entry with `before`. Go on at `next`: a page may be
    short although more entries match."""
    page: JournalQuery = asked.query
    if not 1 <= page.most <= 1000 or page.after < 0:
        raise Refused(Reason.FIELD_WRONG, file="request", place="query", field="most", expected="1..1000")
    if page.before is not None:
        return await _latest(asked, page)
    found, last = list[tuple[int, b.AnyEntry]](), page.after
    async for row in asked.services.house.store.read(b.STREAM, after=page.after, through=page.after + LOOKED_THROUGH):
        last, entry = row.version, b.decode(row.body)
        if _wanted(entry, page):
            found.append((row.version, entry))
        if len(found) == page.most:
            break
    return _page(asked, found, last)


async def _latest(asked: Call, page: JournalQuery) -> JournalPage:
    """Read backwards in chunks. The scan is limited, so a page may be short although older entries match."""
    end = page.before - 1 if page.before else asked.services.house.journal.version
    stop, found = max(0, end - LOOKED_THROUGH), list[tuple[int, b.AnyEntry]]()
    while end > stop and len(found) < page.most:
        first = max(stop, end - AT_ONCE)
        rows = [row async for row in asked.services.house.store.read(b.STREAM, after=first, through=end)]
        for row in reversed(rows):
            entry, end = b.decode(row.body), row.version - 1
            if _wanted(entry, page):
                found.append((row.version, entry))
            if len(found) == page.most:
                break
        end = end if rows else first
    return _page(asked, found, end + 1)


def _page(asked: Call, found: list[tuple[int, b.AnyEntry]], following: int) -> JournalPage:
    return JournalPage(
        entries=tuple(one for _, one in found),
        next=following,
        versions=tuple(at for at, _ in found),
        sentences={at: why for at, one in found if (why := _refused_as(one, asked.said))},
    )


def _refused_as(entry: b.AnyEntry, said: Sentences) -> str:
    """The refusal as a sentence. Entries of earlier versions may lack parameters or name a reason that is gone."""
    match entry:
        case b.SecondGiven():
            code, parameters = entry.refused, entry.parameters
        case b.SignInRefused():
            code, parameters = entry.reason, {}
        case _:
            return ""
    if code not in tuple(Reason):
        return ""
    return said.refusal(Refusal(Reason(code), None, parameters))


def _wanted(entry: b.AnyEntry, page: JournalQuery) -> bool:
    if page.kinds and tag_of(type(entry)) not in page.kinds.split(","):
        return False
    if page.table and page.table != getattr(entry, "table", getattr(entry, "scope", "")):
        return False
    about = getattr(entry, "person", "") or getattr(entry, "account", "").removeprefix("wallet:")
    return not page.person or page.person in (entry.by.person, entry.by.second, about)


@operation("GET", "/games", "List the games", who=ANYONE, gives=list[GameCard])
async def games(asked: Call) -> list[GameCard]:
    """The built-in games, and those that this house has added."""
    return [await _game(asked, key) for key in (*library.GAMES, *asked.services.house.journal.games)]


@operation("GET", "/games/{game}", "Get a game: layouts, bets, pay lines and paragraphs", who=ANYONE, gives=GameCard)
async def game(asked: Call) -> GameCard:
    """A built-in game, or one that this house has added."""
    key = asked.path["game"]
    if key not in (*library.GAMES, *asked.services.house.journal.games):
        raise Refused(Reason.UNKNOWN_GAME, game=key, known=", ".join(library.GAMES))
    return await _game(asked, key)


async def _game(asked: Call, key: str) -> GameCard:
    if key in library.GAMES:
        found, rules = library.game(key), library.rulebook(key)
    else:
        found, rules = library.game_from(await asked.services.source_of(key))
    return GameCard(
        key=found.key,
        title=msgspec.to_builtins(found.title),
        fingerprint=found.fingerprint,
        content=msgspec.Raw(found.canonical()),
        paragraphs={id: {"en": one.en, "zh": one.zh} for id, one in rules.items()},
    )
