"""What somebody who wrote an unknown word probably meant."""

import difflib
from collections.abc import Collection

from puntobanco.rules.plain_data import Phrase


def nearest(got: str, known: Collection[str]) -> str:
    """The known words; if there are many, those most similar to the given one first."""
    alike = difflib.get_close_matches(got, known, cutoff=0.5) if len(known) > 20 else []
    return ", ".join(dict.fromkeys([*alike, *known]))


def meant(got: str, known: Collection[str]) -> Phrase | str:
    """The known word that is very similar to the given one, as a question. Nothing, if there is none."""
    alike = difflib.get_close_matches(got[:100], known, n=1, cutoff=0.6)
    return Phrase("phrase", "did_you_mean", {"meant": alike[0]}) if alike else ""
