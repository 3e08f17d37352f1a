"""What is heard in which phase is one table, and the page drawn from it is true."""

import random
from typing import get_args

from docs.generate import PAGE, page

from puntobanco.table import commands as c
from puntobanco.table.command_table import TABLE
from puntobanco.table.decide import Accepted
from tests.table.chance import random_command
from tests.table.test_random_commands import FELTS, table


def test_every_command_is_heard_somewhere_and_has_one_handler() -> None:
    assert set(TABLE) == set(get_args(c.AnyCommand))
    assert all(entry.heard for entry in TABLE.values())


def test_the_page_is_what_the_tables_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run 'make docs'"


def test_no_command_leads_where_the_table_does_not_say() -> None:
    for number, felt in enumerate(FELTS):
        rng = random.Random(number)
        pit = table(felt, face_down=bool(number % 2))
        for _ in range(250):
            before = pit.state.phase
            command, by = random_command(rng, pit)
            answer = pit.tell(command, by)
            after = pit.state.phase
            if isinstance(answer, Accepted) and after is not before:
                assert after in TABLE[type(command)].leads[before]
