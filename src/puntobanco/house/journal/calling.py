"""How people are called in what somebody reads: by their title, a guest by the name given at the table.

Records hold the name a person signs in with; the title is looked up when something is shown.
"""

from collections import Counter

from puntobanco.house.journal.journal import Journal
from puntobanco.protocol.posts import Person
from puntobanco.rules import library
from puntobanco.rules.library import Sentences
from puntobanco.table.guests import is_guest, shown


def called(journal: Journal, person: str, reader: str) -> str | None:
    """The person's title; for staff, with the name if two people have the same title. The name alone if they have no
    title or are gone. Nothing if the reader may not know: a player learns who asks to move their money, and nothing of
    anybody else, not even whether there is such a person."""
    known = journal.people.get(person)
    if not _is_trusted(journal, reader):
        return known.title if known is not None and (person == reader or _asks(journal, person, reader)) else None
    if is_guest(person) or known is None:
        return shown(person)
    return f"{known.title} ({person})" if known.title in _shared(journal.people) else known.title


def _is_trusted(journal: Journal, person: str) -> bool:
    found = journal.people.get(person)
    return found is not None and found.is_trusted


def _asks(journal: Journal, person: str, reader: str) -> bool:
    """Whether something that the person asked for waits and concerns the reader's money."""
    return any(one.by.person == person and one.command.get("person") == reader for one in journal.waiting.values())


_counted: tuple[dict[str, Person], int, frozenset[str]] = ({}, 0, frozenset())


def _shared(people: dict[str, Person]) -> frozenset[str]:
    """Titles that several people have, counted again only when somebody was admitted or changed."""
    global _counted  # noqa: PLW0603 (one house runs in a process)
    if _counted[0] is not people or _counted[1] != len(people):
        many = Counter(one.title for one in people.values())
        _counted = people, len(people), frozenset(title for title, count in many.items() if count > 1)
    return _counted[2]


def sentences_for(journal: Journal, reader: str, language: str) -> Sentences:
    """The sentences of a language, with people called as the reader may know them."""
    said = library.sentences(language)
    return said.calling(lambda person: called(journal, person, reader) or said.say("phrase", "another_player"))
