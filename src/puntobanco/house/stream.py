"""The one writer of a stream, shared by tables and the journal, and the stored answers to requests.

A stream has one owner at a time; its epoch prevents earlier owners from appending. Retrying a completed request returns
its original answer. A failed append stops the writer, unless the failure is itself an answer.
"""

from collections.abc import Sequence

import msgspec

from puntobanco.protocol.answers import Answer
from puntobanco.rules.refusal import Reason, Refusal
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, Failed, StoredAnswer, StoreFailed

ANSWERS = frozenset({Failed.INVARIANT, Failed.REQUEST_TAKEN})
"""Failures that are answers to the request: not enough money, or a request that was answered before."""


class StreamWriter:
    """Appends to one stream until something fails."""

    def __init__(self, store: Store, stream: str) -> None:
        self.store, self.stream = store, stream
        self.failed: str | None = None
        self._epoch = 0

    async def claim(self) -> None:
        """Become the owner."""
        self._epoch = await self.store.claim(self.stream)

    def give_up(self, why: str) -> None:
        """Append nothing more. The first reason is kept."""
        self.failed = self.failed or why

    async def append(
        self, expected: int, facts: Sequence[Fact], answers: Sequence[StoredAnswer] = (), in_play: int = 0
    ) -> None:
        """Write everything durably, or raise `StoreFailed` and write nothing."""
        if self.failed is not None:
            raise StoreFailed(Failed.STORAGE, self.failed)
        append = Append(
            stream=self.stream, expected=expected, epoch=self._epoch, facts=facts, answers=answers, in_play=in_play
        )
        try:
            await self.store.append(append)
        except StoreFailed as failed:
            if failed.why not in ANSWERS:
                self.give_up(str(failed))
            raise

    async def answered(self, person: str, request: str, asked: bytes, version: int) -> Answer | None:
        """The stored answer to this request, if there is one."""
        kept = await self.store.answered(person, request) if request else None
        return answer_again(kept, asked, version) if kept is not None else None


def answer_again(kept: StoredAnswer, asked: bytes, version: int) -> Answer:
    """The original answer, or a refusal if the request id was used for something else."""
    return read_answer(kept) if kept.asked == asked else Answer(version, reused(kept.request))


def reused(request: str) -> Refusal:
    return Refusal(Reason.REQUEST_REUSED, None, {"request": request})


def kept_answer(person: str, request: str, asked: bytes, answer: Answer) -> StoredAnswer:
    return StoredAnswer(person, request, asked, msgspec.json.encode(answer))


def read_answer(kept: StoredAnswer) -> Answer:
    """Earlier versions wrote the refused lines of a slip as pairs."""
    written = msgspec.json.decode(kept.answer)
    lines = [one if isinstance(one, dict) else {"line": one[0], "why": one[1]} for one in written.get("lines", ())]
    return msgspec.convert(written | {"lines": lines}, Answer)
