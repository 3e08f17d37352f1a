"""What is logged: one line an occasion, in one form, and neither forged nor giving anything away."""

import ast
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

import puntobanco
from puntobanco.house.operations import log
from puntobanco.house.operations.settings import LogFormat, LogLevel, LogSettings
from puntobanco.house.shoes.seal import new_shoe
from puntobanco.rules.refusal import Reason, Refused


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root, audited = logging.getLogger(), logging.getLogger(log.AUDIT)
    levels = root.level, audited.level
    yield
    log.stop_log()
    structlog.reset_defaults()
    root.setLevel(levels[0])
    audited.setLevel(levels[1])


@pytest.fixture
def page() -> io.StringIO:
    stream = io.StringIO()
    log.start_log(LogSettings(), stream)
    return stream


def lines(page: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in page.getvalue().splitlines()]


# ---- the form of a line ------------------------------------------------------------------------------------------


def test_a_line_is_json_with_its_keys_sorted_and_its_time_in_utc(page: io.StringIO) -> None:
    log.logger("tables").info("table opened", table="one", boxes=7, name="百家乐")
    (line,) = lines(page)
    assert list(line) == sorted(line)
    assert line.pop("at").endswith("Z")
    assert line == {
        "boxes": 7, "event": "table opened", "level": "info", "logger": "puntobanco.tables", "name": "百家乐",
        "table": "one",
    }  # fmt: skip
    assert "百家乐" in page.getvalue()


def test_what_libraries_log_has_the_same_form(page: io.StringIO) -> None:
    logging.getLogger("websockets.server").info('%s - "%s %s" %d', "1.2.3.4", "GET", "/a\r\nforged", 200)
    logging.getLogger("asyncpg").warning("plain %% text")
    first, second = lines(page)
    assert first["event"] == '1.2.3.4 - "GET /a\\r\\nforged" 200'
    assert (first["logger"], first["level"]) == ("websockets.server", "info")
    assert second["event"] == "plain %% text"
    assert set(first) == {"at", "event", "level", "logger"}


def test_an_exception_is_told_line_by_line_from_either_side(page: io.StringIO) -> None:
    for tell in (log.logger("web").exception, logging.getLogger("starlette").exception):
        try:
            password = "s3cret"
            raise ValueError(f"bad\nforged {len(password)}")
        except ValueError:
            tell("failed")
    for line in lines(page):
        assert line["level"] == "error"
        assert line["exception"][-2:] == ["ValueError: bad", "forged 6"]
    assert len(page.getvalue().splitlines()) == 2


def test_lines_below_the_level_are_left_out_but_never_what_is_audited() -> None:
    stream = io.StringIO()
    log.start_log(LogSettings(level=LogLevel.ERROR), stream)
    log.logger("tables").warning("hidden")
    logging.getLogger("uvicorn").warning("hidden")
    log.audit("sign in", who="ann", where="1.2.3.4", result="refused")
    assert [line["event"] for line in lines(stream)] == ["sign in"]


def test_what_is_bound_to_a_request_is_on_each_of_its_lines(page: io.StringIO) -> None:
    with structlog.contextvars.bound_contextvars(request="r1"):
        log.logger("web").info("heard")
        logging.getLogger("starlette").info("heard")
    assert [line["request"] for line in lines(page)] == ["r1", "r1"]


# ---- nothing forged ----------------------------------------------------------------------------------------------

NASTY = [
    "a\nb",
    "a\r\nb",
    "\x1b[31m",
    "\x00",
    "\x9b",
    "\u202egnp",
    "\u2066",
    "\u2028",
    "\u2029",
    "\x85",
    "\ud800",
    "\x7f",
]


@pytest.mark.parametrize("format", LogFormat)
@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
def test_no_value_key_or_message_can_end_a_line_or_turn_it_round(format: LogFormat, nasty: str) -> None:
    stream = io.StringIO()
    log.start_log(LogSettings(format=format), stream)
    log.logger("web").info(
        nasty, value=nasty, held={nasty: [nasty, (nasty,)]}, error=ValueError(nasty), **{nasty: nasty}
    )
    logging.getLogger(f"lib{nasty}").info("%s", nasty)
    logging.getLogger("lib").info(nasty)
    written = stream.getvalue()
    assert written.count("\n") == 3
    assert written.replace("\n", "").isprintable()
    written.encode()


@given(st.dictionaries(st.text(min_size=1), st.text() | st.lists(st.text()), max_size=4), st.text())
def test_whatever_is_logged_is_one_printable_line(values: dict[str, Any], message: str) -> None:
    stream = io.StringIO()
    log.start_log(LogSettings(), stream)
    log.logger("web").info(message, held=values)
    (line,) = stream.getvalue().split("\n")[:-1]
    assert line.isprintable()
    assert json.loads(line)["level"] == "info"


def test_an_exception_on_the_console_cannot_look_like_a_line() -> None:
    stream = io.StringIO()
    log.start_log(LogSettings(format=LogFormat.CONSOLE), stream)
    try:
        raise ValueError("x\n2026-01-01T00:00:00Z info forged")
    except ValueError:
        log.logger("web").exception("failed")
    first, *rest = stream.getvalue().splitlines()
    assert first.endswith("puntobanco.web: failed")
    assert rest
    assert all(line.startswith("    | ") for line in rest)


def test_what_is_endless_is_cut(page: io.StringIO) -> None:
    deep: list[Any] = []
    for _ in range(1_000):
        deep = [deep]
    log.logger("web").info("m" * 10**6, value="v" * 10**6, many=list(range(10**5)), deep=deep, huge=10**5000)
    assert len(page.getvalue()) < 10_000
    assert lines(page)[0]["huge"] == "<int>"


def test_numbers_that_json_has_not_are_told_as_text(page: io.StringIO) -> None:
    log.logger("web").info("x", a=float("nan"), b=float("-inf"), c=1.5)
    (line,) = lines(page)
    assert (line["a"], line["b"], line["c"]) == ("nan", "-inf", 1.5)


# ---- nothing given away ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["password", "new_password", "token", "session_tokens", "Cookie", "Set-Cookie", "AUTHORIZATION", "salt", "salts",
     "order", "shoe_order", "client_secret"],
)  # fmt: skip
def test_what_stands_under_a_secret_name_is_never_printed(name: str, page: io.StringIO) -> None:
    log.logger("web").info("x", **{name: "canary"}, held={"deep": [{name: ["canary"]}]})
    logging.getLogger("lib").info("%(a)s", {"a": {name: "canary"}})
    assert "canary" not in page.getvalue()
    assert len(lines(page)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "cannot connect to postgresql://house:canary@db/house",
        "postgresql://house:can/canary@db",
        "Authorization: Bearer canary-canary",
        "{'cookie': 'canary'}",
        'password="canary"',
        "session_token=canary; other",
    ],
)
def test_a_secret_in_running_text_is_masked(text: str, page: io.StringIO) -> None:
    log.logger("web").info(text, value=text, error=ValueError(text))
    logging.getLogger("lib").error("%s", text)
    assert "canary" not in page.getvalue()


def test_of_an_object_only_its_kind_is_told(page: io.StringIO) -> None:
    class Held(msgspec.Struct):
        value: str = "canary"

    shoe = new_shoe(8)
    log.logger("tables").info("x", shoe=shoe, cards=shoe.cards[:3], held=Held(), raw=b"canary")
    logging.getLogger("lib").info("%s %r", shoe, Held())
    first, second = lines(page)
    assert first["shoe"] == "<Sealed>"
    assert first["cards"] == ["<Card>"] * 3
    assert second["event"] == "<Sealed> '<Held>'"
    assert "canary" not in page.getvalue()
    assert shoe.salts[0].hex() not in page.getvalue()


# ---- what is audited ---------------------------------------------------------------------------------------------


def test_what_is_audited_goes_to_its_own_file_as_well(tmp_path: Path) -> None:
    stream, apart = io.StringIO(), tmp_path / "audit.log"
    log.start_log(LogSettings(audit_file=str(apart), format=LogFormat.CONSOLE), stream)
    log.audit("sign in", who="ann\nbob", where="1.2.3.4", result="accepted", role="dealer", token="canary")
    log.logger("tables").info("not audited")
    (line,) = (json.loads(one) for one in apart.read_text(encoding="utf-8").splitlines())
    assert line.pop("at").endswith("Z")
    assert line == {
        "event": "sign in", "level": "info", "logger": log.AUDIT, "result": "accepted", "role": "dealer",
        "token": "***", "where": "1.2.3.4", "who": "ann\\nbob",
    }  # fmt: skip
    assert len(stream.getvalue().splitlines()) == 2
    assert apart.stat().st_mode & 0o777 == 0o600


def test_a_file_is_added_to_and_opened_anew_when_it_was_moved_away(tmp_path: Path) -> None:
    path = tmp_path / "house.log"
    path.write_text("before\n")
    log.start_log(LogSettings(file=str(path)))
    log.logger("tables").info("one")
    path.rename(tmp_path / "old.log")
    log.logger("tables").info("two")
    assert [len((tmp_path / name).read_text().splitlines()) for name in ("old.log", "house.log")] == [2, 1]


def test_what_cannot_be_put_on_record_is_an_error_for_whoever_does_it() -> None:
    log.start_log(LogSettings(audit_file="/dev/full"), io.StringIO())
    with pytest.raises(OSError, match="No space left"):
        log.audit("void round", who="max", where="pit", result="done")
    audited = logging.getLogger(log.AUDIT)
    (handler,) = [one for one in audited.handlers if isinstance(one, log.AuditFile)]
    audited.removeHandler(handler)
    with pytest.raises(OSError, match="No space left"):
        handler.close()


@pytest.mark.parametrize("name", ["file", "audit_file"])
def test_a_file_that_cannot_be_written_is_refused_at_the_start(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        log.start_log(LogSettings(**{name: str(tmp_path / "nowhere" / "x.log")}))  # type: ignore[arg-type]
    assert caught.value.reason is Reason.OUTPUT_UNWRITABLE


# ---- where nothing is logged -------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["rules", "table", "ledger"])
def test_the_core_logs_nothing(part: str) -> None:
    for path in (Path(puntobanco.__file__).parent / part).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            assert not {"logging", "structlog"} & {name.partition(".")[0] for name in (*names, module)}, path.name
