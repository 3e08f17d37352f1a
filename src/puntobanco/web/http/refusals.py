"""Refusals and answers in the reader's language, and the HTTP status of a refusal."""

from puntobanco.protocol.answers import Answer, LineRefused, Problem
from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Reason, Refusal, Refused

PROBLEM = "application/problem+json"
"""The media type of a refusal (RFC 9457)."""
STATUS: dict[Reason, int] = {
    Reason.ACCESS_DENIED: 403,
    Reason.NOT_AUTHORISED: 403,
    Reason.UNKNOWN_TABLE: 404,
    Reason.UNKNOWN_GAME: 404,
    Reason.NOTHING_WAITS: 404,
    Reason.SIGN_IN_FAILED: 401,
    Reason.SESSION_OVER: 401,
    Reason.TRY_LATER: 429,
    Reason.PIN_WRONG: 403,
    Reason.PIN_LOCKED: 403,
    Reason.CARD_WRONG: 403,
    Reason.PROOF_FROM_YOU: 403,
    Reason.GUEST_NOT_CONFIRMED: 403,
    Reason.TABLE_STOPPED: 503,
    Reason.HOUSE_DRAINING: 503,
    Reason.DESK_BUSY: 429,
    Reason.COMMAND_MALFORMED: 400,
    Reason.UNKNOWN_COMMAND: 400,
    Reason.FIELD_MISSING: 400,
    Reason.FIELD_UNKNOWN: 400,
    Reason.FIELD_TYPE: 400,
    Reason.FIELD_WRONG: 400,
    Reason.FIELD_CHOICE: 400,
    Reason.FIELD_LENGTH: 400,
    Reason.FIELD_PATTERN: 400,
    Reason.TEXT_UNREADABLE: 400,
    Reason.TEXT_TOO_LONG: 400,
    Reason.REQUEST_WRONG: 400,
    Reason.FOREIGN_PAGE: 403,
    Reason.NOT_FOUND: 404,
    Reason.NOT_ADMITTED: 404,
    Reason.NOT_JSON: 415,
    Reason.TOO_FAST: 429,
    Reason.SECOND_FACTOR_NEEDED: 401,
    Reason.PASSWORD_MUST_CHANGE: 401,
    Reason.FAILED: 500,
    Reason.INCIDENT: 500,
}
"""How HTTP says it; whatever is not named here is a conflict with how things are: 409."""


def told(refusal: Refusal, said: Sentences) -> Refusal:
    """The refusal in the reader's language, with its sentence, and parameters as the sentence shows them."""
    return Refusal(refusal.reason, refusal.paragraph, dict(said.shown(refusal.parameters)), said.refusal(refusal))


def answer(given: Answer, said: Sentences) -> Answer:
    """The same answer in the reader's language."""
    return Answer(
        given.version,
        given.refusal and told(given.refusal, said),
        tuple(LineRefused(one.line, told(one.why, said)) for one in given.lines),
        given.waits,
    )


def accepted(given: Answer, said: Sentences) -> Answer:
    """The answer in the reader's language. Raises `Refused` if it is a refusal."""
    if given.refusal is not None:
        raise Refused.of(given.refusal)
    return answer(given, said)


def problem(refused: Refused, said: Sentences) -> Problem:
    """The refusal as a problem details document."""
    why = told(refused.refusal, said)
    return Problem(
        why.reason,
        why.paragraph,
        why.parameters,
        title=str(why.reason).replace("_", " "),
        status=STATUS.get(why.reason, 409),
        sentence=why.sentence,
    )
