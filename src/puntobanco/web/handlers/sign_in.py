"""Sign in, sign out, and the caller's own account."""

import logging

from puntobanco.house.identity.sessions import StartedSession
from puntobanco.house.identity.sign_in import SignInAttempt as Attempt
from puntobanco.house.operations.log import Sparing, audit, logger
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import Who
from puntobanco.protocol.sign_in import Enrolled, Entered, Me, NewPassword, SignIn, Ticket
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import printable
from puntobanco.web.http.operations import ANYONE, Reply, operation
from puntobanco.web.services import Call

EARLY = Sparing()
logging.getLogger("puntobanco.people").addFilter(EARLY)


def _me(asked: Call, person: str) -> Me:
    found = asked.services.house.person(person)
    settings = asked.services.settings.house
    return Me(
        person=found.name,
        title=found.title,
        roles=found.roles,
        house=settings.name,
        play_money=settings.play_money,
        slot=asked.slot,
        confirmations=asked.services.settings.money.confirmations,
        roads_drop_when_free=settings.roads_drop_when_free,
    )


async def _noted(asked: Call, person: str, reason: Reason | None) -> None:
    """Enter an attempt in the journal: who, when, from where, and the result."""
    services = asked.services
    found = services.house.journal.people.get(person)
    by = Who(person, found.post_at() if found else None, services.house.clock(), asked.address)
    services.metrics.signed_in(str(reason) if reason is not None else "signed_in")
    if reason is None:
        await services.house.journal_writer.note(b.SignedIn(by=by, person=person, slot=asked.slot))
    elif reason is Reason.TRY_LATER:  # a flood must fill neither book nor log
        logger("people").warning("sign-in throttled", person=person, address=asked.address)
    else:
        await services.house.journal_writer.note(b.SignInRefused(by=by, person=person, reason=reason))


@operation(
    "POST", "/sign-in", "Sign in with name and password", who=None, takes=SignIn, gives=Entered,
    example={"name": "ann", "password": "correct horse battery staple"},
)  # fmt: skip
async def sign_in(asked: Call) -> Reply:
    """Sets the session cookie of the slot. If the answer has `enrol` instead of `me`, set up the second factor and send
    the request again with a `code`. The refusal `password_must_change` asks for the same request with
    `new_password`."""
    body: SignIn = asked.body
    attempt = Attempt(
        name=body.name, password=body.password, code=body.code, new_password=body.new_password, slot=asked.slot,
        address=asked.address, agent=asked.agent, token=asked.token or None,
    )  # fmt: skip
    try:
        proved = await asked.services.sign_in_service(attempt)
    except Refused as refused:
        await _noted(asked, printable(body.name[:40]), refused.reason)
        raise
    if not isinstance(proved, StartedSession):
        enrolled = Enrolled(secret=proved.secret, uri=proved.uri, recovery=proved.recovery)
        return Reply(body=Entered(enrol=enrolled))
    await _noted(asked, proved.session.person, None)
    return Reply(body=Entered(me=_me(asked, proved.session.person)), token=proved.token)


@operation(
    "POST", "/ticket", "Sign in with a one-time link", who=None, takes=Ticket, gives=Entered,
    example={"ticket": "the part of the link after #"},
)  # fmt: skip
async def use_ticket(asked: Call) -> Reply:
    """Sets the session cookie of the slot. The link is used up, and an earlier session of the slot ends."""
    services, body = asked.services, asked.body
    person = await services.identity.tickets.redeem(body.ticket)
    if person is None:  # nobody's: on record, but strangers do not fill the journal
        audit("TicketRefused", who="", where=asked.address, result="refused")
        raise Refused(Reason.SIGN_IN_FAILED)
    found = services.known(person)
    if found is None:
        await _noted(asked, person, Reason.SIGN_IN_FAILED)
        raise Refused(Reason.SIGN_IN_FAILED)
    if asked.token and (before := services.identity.sessions.find(asked.token)):
        await services.identity.sessions.end(before.id)
    started = await services.identity.sessions.start(
        found.person, found.kind, slot=asked.slot, address=asked.address, agent=asked.agent
    )
    await _noted(asked, found.person, None)
    return Reply(body=Entered(me=_me(asked, found.person)), token=started.token)


@operation("POST", "/sign-out", "Sign out", who=ANYONE, gives=None)
async def sign_out(asked: Call) -> Reply:
    """Ends the session and deletes its cookie."""
    assert asked.who is not None, "somebody is signed in"
    by = asked.by
    await asked.services.identity.sessions.end(asked.who.session)
    await asked.services.house.journal_writer.note(b.SignedOut(by=by, person=asked.person))
    return Reply(token="")


@operation("GET", "/me", "Get the signed-in user and their roles", who=ANYONE, gives=Me)
async def me(asked: Call) -> Me:
    """Also facts about the house that screens need."""
    return _me(asked, asked.person)


@operation(
    "POST", "/password", "Change your password and end all your other sessions", who=ANYONE, takes=NewPassword,
    example={"old": "the old password", "new": "the new password, long enough"},
)  # fmt: skip
async def change_password(asked: Call) -> None:
    """The session of this request goes on."""
    services = asked.services
    session, account = services.identity.sessions.find(asked.token), services.known(asked.person)
    if session is None or account is None:
        raise Refused(Reason.SESSION_OVER)
    await services.sign_in_service.change_password(session, account, asked.body.old, asked.body.new)
    await services.house.journal_writer.note(b.PasswordSet(by=asked.by, person=asked.person))
