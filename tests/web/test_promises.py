"""The twenty promises of the doors, each with the tests that would fail if it were broken."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent

ELSEWHERE: dict[int, dict[str, tuple[str, ...]]] = {
    1: {
        "house/identity/test_passwords.py": (
            "test_less_work_than_the_floor_is_refused",
            "test_a_hash_is_made_again_when_more_work_is_asked_for_and_not_when_less_is",
        )
    },
    2: {
        "house/identity/test_passwords.py": (
            "test_a_password_has_eight_characters_and_one_of_the_staff_fifteen",
            "test_a_password_may_be_long_but_not_endless",
            "test_no_mixture_of_signs_is_asked_for_and_any_script_will_do",
            "test_the_three_thousand_most_common_passwords_are_refused",
        )
    },
    3: {
        "house/identity/test_sign_in.py": (
            "test_unknown_disabled_and_wrong_get_the_same_answer",
            "test_staff_set_a_second_factor_up_at_the_first_sign_in_and_need_it_ever_after",
        ),
        "house/identity/test_passwords.py": ("test_unknown_disabled_expired_and_wrong_cost_one_hash_each",),
    },
    4: {
        "house/identity/test_throttle.py": (
            "test_five_failures_cost_nothing_and_the_next_attempt_waits",
            "test_the_owner_signs_in_from_another_address_while_an_attacker_waits",
        )
    },
    5: {
        "house/identity/test_sessions.py": (
            "test_every_sign_in_gets_a_new_token_of_256_bits",
            "test_the_store_holds_the_hash_of_a_token_and_never_the_token",
        )
    },
    7: {
        "house/identity/test_sessions.py": (
            "test_a_session_that_is_not_used_ends",
            "test_a_session_ends_even_if_it_is_used_all_the_time",
        )
    },
    20: {
        "house/operations/test_settings.py": (
            "test_a_password_is_in_no_text_of_the_settings",
            "test_the_place_can_come_from_a_file_of_its_owner_alone",
        ),
        "house/operations/test_log.py": ("test_what_stands_under_a_secret_name_is_never_printed",),
    },
}
"""Those that are tested where the thing itself is, beside what is asked over the network here."""


def named_here() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for path in Path(__file__).parent.rglob("test_*.py"):
        for name, number in re.findall(r"def (test_s(\d+)_\w+)", path.read_text("utf-8")):
            found.setdefault(int(number), []).append(name)
    return found


@pytest.mark.parametrize("number", range(1, 21))
def test_every_promise_has_a_test(number: int) -> None:
    assert named_here().get(number) or number in ELSEWHERE
    for file, names in ELSEWHERE.get(number, {}).items():
        source = (TESTS / file).read_text("utf-8")
        for name in names:
            assert f"def {name}(" in source, f"{file} has no {name}"
