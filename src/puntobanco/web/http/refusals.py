"""Refusals in words: the reason, its paragraph and a sentence in the reader's language."""

from puntobanco.house.journal.writer import Done
from puntobanco.house.tables.writer import Answered
from puntobanco.protocol.answers import Answer, LineRefused, Problem, Why
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table.decide import Refusal

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


def why(refusal: Refusal | Refused, language: str) -> Why:
    sentences = library.sentences(language)
    return Why(
        reason=refusal.reason,
        sentence=sentences.refusal(refusal),
        paragraph=refusal.paragraph,
        parameters=sentences.shown(refusal.parameters),
    )


def answer(given: Answered | Done, language: str) -> Answer:
    lines = given.lines if isinstance(given, Answered) else ()
    return Answer(
        version=given.version,
        refusal=why(given.refusal, language) if given.refusal is not None else None,
        lines=tuple(LineRefused(line=line, why=why(refusal, language)) for line, refusal in lines),
        waits=given.waits,
    )


def problem(refusal: Refusal | Refused, language: str) -> Problem:
    said = why(refusal, language)
    status = STATUS.get(said.reason, 409)
    return Problem(
        title=str(said.reason).replace("_", " "),
        status=status,
        reason=said.reason,
        detail=said.sentence,
        paragraph=said.paragraph,
        parameters=said.parameters,
    )
