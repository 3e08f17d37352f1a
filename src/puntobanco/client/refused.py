"""What the house says no with."""

from puntobanco.protocol.answers import Problem, Why
from puntobanco.rules import refusal


class Refused(refusal.Refused):
    """The house refused: nothing changed. `sentence` is in the language that was asked for."""

    def __init__(self, why: Why, status: int = 409) -> None:
        super().__init__(why.reason, why.paragraph, **why.parameters)
        self.why, self.sentence, self.status = why, why.sentence, status

    @classmethod
    def by(cls, problem: Problem) -> "Refused":
        why = Why(
            reason=problem.reason,
            sentence=problem.detail,
            paragraph=problem.paragraph,
            parameters=problem.parameters,
        )
        return cls(why, problem.status)

    def __reduce__(self) -> tuple[object, ...]:
        return Refused, (self.why, self.status)

    def __str__(self) -> str:
        return f"{self.sentence} ({self.paragraph})" if self.paragraph else self.sentence


class Over(Exception):
    """The live connection is over for good: signed out, or closed by this side. `code` is that of the close."""

    def __init__(self, why: str, code: int = 0) -> None:
        super().__init__(why, code)
        self.code = code
