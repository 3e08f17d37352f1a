"""`puntobanco house ...`: what looks after a house, and one line and exit code 2 for what cannot be done."""

import fcntl
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from puntobanco.cli.main import main
from puntobanco.house.house import House
from puntobanco.protocol import entries as b
from puntobanco.store import codec
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.command_table import TABLE
from puntobanco.table.state import State
from tests.house import staffed
from tests.house.stores import with_store
from tests.store.engines import new_database, postgres

ROOT = Path(__file__).parent.parent.parent
EZ = ROOT / "examples" / "games" / "ez-baccarat.toml"
Said = tuple[int, str, str]
Command = Callable[[str], Said]


@pytest.fixture
def pb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """The command as a shell in an empty folder would run it: its exit code, and what it printed where."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("PUNTOBANCO_")]:
        monkeypatch.delenv(name)
    for name, least in (("TIME", "2"), ("MEMORY", "19456"), ("LANES", "1")):
        monkeypatch.setenv(f"PUNTOBANCO_PEOPLE_ARGON2_{name}", least)
    mask = os.umask(0o022)

    def run(line: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["puntobanco", *line.split()])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    yield run
    os.umask(mask)


def fine(said: Said) -> str:
    assert (said[0], said[2]) == (0, ""), said
    return said[1]


def refused(said: Said) -> str:
    """One line, and nothing else."""
    assert (said[0], said[1]) == (2, ""), said
    assert said[2].startswith("puntobanco: ")
    assert said[2].count("\n") == 1, said
    return said[2]


def entries(path: Path = Path("house.db")) -> list[b.AnyEntry]:
    found: list[b.AnyEntry] = []

    async def work(store: SqliteStore) -> None:
        found.extend([b.decode(row.body) async for row in store.read(b.STREAM)])

    with_store(work, path)
    return found


# ---- the first administrator -------------------------------------------------------------------------------------


def test_init_makes_a_house_of_one_administrator_and_only_once(pb: Command) -> None:
    told = fine(pb("house init"))
    assert told.startswith("Administrator: administrator\nOne-time password: ")
    assert oct(Path("house.db").stat().st_mode) == "0o100600", "hashes and shoes are nobody else's to read"
    before = entries()
    assert [type(one).__name__ for one in before] == ["PersonAdmitted", "RoleGiven", "PasswordSet"]
    assert "already has users" in refused(pb("house init"))
    assert entries() == before, "what is refused leaves nothing in the book"
    password = told.split("One-time password: ")[1].splitlines()[0]
    assert password.encode() not in Path("house.db").read_bytes()


# ---- where there is no house -------------------------------------------------------------------------------------

LOOKING = ["house user list", "house table list", "house account list", "house verify", "house backup copy.db",
           "house user add ann --title Ann", "house table add one commission", "house user password ann",
           "house incident 1"]  # fmt: skip


@pytest.mark.parametrize("line", LOOKING)
def test_looking_for_a_house_that_is_not_there_makes_none(pb: Command, line: str) -> None:
    assert "there is no store at house.db" in refused(pb(line))
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("line", [*LOOKING, "house init"])
def test_a_file_that_is_no_store_is_refused_and_left_alone(pb: Command, line: str) -> None:
    Path("house.db").write_text("a shopping list\n" * 100, encoding="utf-8")
    refused(pb(line))
    assert Path("house.db").read_text(encoding="utf-8") == "a shopping list\n" * 100
    assert {one.name for one in Path().iterdir()} <= {"house.db", "house.db.lock"}


@pytest.mark.parametrize("line", LOOKING)
def test_a_database_of_another_program_is_refused_and_left_alone(pb: Command, line: str) -> None:
    with closing(sqlite3.connect("house.db")) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    content = Path("house.db").read_bytes()
    assert "is not a store" in refused(pb(line))
    assert Path("house.db").read_bytes() == content


@pytest.mark.parametrize("line", [*(line for line in LOOKING if "backup" not in line), "house init"])
def test_a_store_of_a_later_program_is_refused(pb: Command, line: str) -> None:
    fine(pb("house init"))
    with closing(sqlite3.connect("house.db")) as store:
        store.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        store.commit()
    assert "the store has schema 99" in refused(pb(line))


def test_settings_that_cannot_be_read_are_told(pb: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Cannot read nowhere.toml" in refused(pb("house user list --settings nowhere.toml"))
    assert f"Cannot read {Path.cwd()}/gone/nowhere.toml: there is no such file." in refused(
        pb(f"house user list --settings {Path.cwd()}/gone/nowhere.toml")
    )
    Path("wrong.toml").write_text("[web]\nprot = 1\n", encoding="utf-8")
    assert "prot" in refused(pb("house init --settings wrong.toml"))
    monkeypatch.setenv("PUNTOBANCO_STORE_PLACE", "mysql://here")
    refused(pb("house init"))
    assert not Path("house.db").exists()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("house backup house.db", "house.db already exists. Choose another name; nothing was changed."),
        ("house restore house.db house.db", "house.db already exists. Choose another name; nothing was changed."),
        ("house backup gone/copy.db", "Cannot write gone/copy.db: No such file or directory."),
        ("house incident 17", "There is no incident 17."),
        ("house user add zoe --title \u200b", "is not a valid title. Write one line of at most 80 characters."),
        ("house table add x my-game.toml", "Cannot read my-game.toml: there is no such file."),
        ("house table add x my-game", 'There is no game "my-game".'),
    ],
)
def test_a_refusal_says_what_is_wrong_with_which_file(pb: Command, line: str, sentence: str) -> None:
    fine(pb("house init"))
    assert sentence in refused(pb(line))


def test_a_store_that_cannot_be_opened_is_named(pb: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTOBANCO_STORE_PLACE", "gone/house.db")
    assert "cannot open gone/house.db: " in refused(pb("house init"))


# ---- people and tables -------------------------------------------------------------------------------------------


def test_people_are_admitted_given_roles_disabled_and_listed(pb: Command) -> None:
    fine(pb("house init"))
    assert fine(pb("house table add one commission")) == "Added table one: commission.\n"
    assert fine(pb("house user add ann --title 安娜")).startswith("Added ann: player.\nOne-time password of ann: ")
    assert fine(pb("house user add dora --title Dora --post dealer --table one")).startswith(
        "Added dora: dealer at one."
    )
    assert fine(pb("house user role dora pit_supervisor")) == "dora is pit_supervisor in the house.\n"
    assert fine(pb("house user disable ann --reason asked")) == "Disabled ann.\n"
    assert fine(pb("house user list")).splitlines() == [
        "NAME           TITLE          POSTS                          STATE",
        "administrator  Administrator  administrator                  active",
        "ann            安娜           player                         disabled",
        "dora           Dora           dealer at one, pit_supervisor  active",
    ]
    assert fine(pb("house user enable ann")) == "Enabled ann.\n"
    assert fine(pb("house user role dora none --table one")) == "dora has no post at one.\n"
    assert "disabled" not in fine(pb("house user list"))
    assert "dealer" not in fine(pb("house user list"))
    first, second = (fine(pb("house user password ann")) for _ in range(2))
    assert first != second
    done = [one for one in entries() if isinstance(one, b.PersonDisabled)]
    assert [(one.by.person, one.by.address, one.reason) for one in done] == [("house", "console", "asked")]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("house user add ann --title Ann", 'The name "ann" is taken'),
        ("house user add Ann --title Ann", "not a valid name"),
        ("house user add one --title One", 'The name "one" is taken'),
        ("house user add bob --title Bob --post king", 'no post "king"'),
        ("house user add bob --title " + "x" * 81, "is not a valid title. Write one line of at most 80 characters."),
        ("house user add bob --title Bob --table two", 'no table "two"'),
        ("house user add bob", "Missing option"),
        ("house user role nobody dealer", '"nobody" is not a user'),
        ("house user role administrator none", "the last administrator"),
        ("house user disable administrator --reason tired", "the last administrator"),
        ("house user password nobody", '"nobody" is not a user'),
        ("house table add one commission", 'The name "one" is taken'),
        ("house table add two canasta", 'no game "canasta"'),
        ("house table add two canasta.toml", "Cannot read canasta.toml: there is no such file."),
        ("house incident 7", "There is no incident 7."),
        ("house incident ٣", "is not a whole number"),
        ("house backup house.db", "house.db already exists. Choose another name; nothing was changed."),
        (f"house table add one {EZ}", 'The name "one" is taken'),
        ("house table retire two", 'no table "two"'),
        ("house user frobnicate", "No such command"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_and_changes_nothing(pb: Command, line: str, why: str) -> None:
    fine(pb("house init"))
    fine(pb("house user add ann --title Ann"))
    fine(pb("house table add one commission"))
    before, head = entries(), fine(pb("house verify"))
    assert why in refused(pb(line))
    assert (entries(), fine(pb("house verify"))) == (before, head)


def test_a_game_of_ones_own_is_dealt_by_its_table(pb: Command, tmp_path: Path) -> None:
    fine(pb("house init"))
    fine(pb(f"house table add ez {EZ}"))
    fine(pb("house table add wu wu-song --automatic"))
    assert fine(pb("house table list")).splitlines() == [
        "NAME  GAME         DEALT        STATE",
        "ez    ez-baccarat  by a dealer  closed",
        "wu    wu-song      automatic    closed",
    ]
    floor = staffed.Floor(tmp_path)

    async def runs(house: House) -> None:
        assert house.failed == {}
        assert house.tables["ez"].game.key == "ez-baccarat"

    floor.run(runs)
    fine(pb("house table retire ez"))
    assert "retired" in fine(pb("house table list"))


def test_a_round_that_was_left_running_is_not_touched_from_the_command_line(pb: Command, tmp_path: Path) -> None:
    floor = staffed.Floor(tmp_path)

    async def leave(house: House) -> None:
        await staffed.in_play(house, "9S 8D")

    floor.run(leave)
    head = fine(pb("house verify"))
    assert fine(pb("house table list")).splitlines()[1:] == ["one   commission  by a dealer  dealing"]
    assert "is open" in refused(pb("house table retire one"))
    assert "ann" in refused(pb("house user role ann dealer")), "staff never own bets"
    assert "purse:one:ann" in fine(pb("house account list purse:"))
    assert fine(pb("house account list float:")).split() == ["BALANCE", "ACCOUNT"]
    assert fine(pb("house verify")) == head


def test_a_table_is_seen_as_a_start_would_find_it_whatever_snapshot_is_kept(pb: Command, tmp_path: Path) -> None:
    floor = staffed.Floor(tmp_path)

    async def leave(house: House) -> None:
        await staffed.in_play(house, "9S 8D")

    floor.run(leave)
    for version in (3, 10**6):
        body = codec.encode_state(State(version=10**6))  # not of its version, or of one that has not happened
        with closing(sqlite3.connect("house.db")) as db:
            db.execute("UPDATE snapshots SET version = ?, body = ? WHERE stream = 'one'", (version, body))
            db.commit()
        assert fine(pb("house table list")).splitlines()[1:] == ["one   commission  by a dealer  dealing"]
        assert "is open" in refused(pb("house table retire one"))


@pytest.mark.parametrize(
    "line",
    [
        "house backup {no}/copy.db", "house restore {no}/copy.db {no}/house.db", "house verify {no}/house.db",
        "house check {no}/round.json", "house check .", "house init --settings {no}/house.toml", "check {no}/game.toml",
        "check .", "scenario {no}/one.toml", "scenario .", "explain {no}/one.toml", "paytable {no}/game.toml",
        "odds wu-song --out {no}/table.csv", "odds wu-song --report {no}/page.html",
        "house table add two {no}/game.toml", "house verify .", "house restore . {no}/house.db",
        "house backup house.db/x",
        "house verify postgresql://nobody@127.0.0.1:1/x", "house check /dev/zero",
    ],
)  # fmt: skip
def test_no_error_of_the_system_is_shown_raw(pb: Command, line: str) -> None:
    fine(pb("house init"))
    code, out, err = pb(line.format(no="no/such/folder"))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert not re.search(r"Errno|Error\b|Traceback|'", err), err


def test_a_demonstration_says_which_folder_it_cannot_make(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    command = [sys.executable, "-m", "puntobanco", "serve", "--demo", "--place", "taken"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "puntobanco: taken: File exists.\n")


# ---- while it runs -----------------------------------------------------------------------------------------------


def test_a_running_house_is_copied_and_proven_but_not_managed_from_outside(pb: Command) -> None:
    fine(pb("house init"))
    with Path("house.db.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as a running house has it
        for line in (line for line in LOOKING if line.split()[1] not in ("verify", "backup", "incident")):
            assert "The server is running" in refused(pb(line))
        fine(pb("house backup copy.db"))
        assert "Verification passed" in fine(pb("house verify"))
    fine(pb("house user list"))


# ---- backups and proof -------------------------------------------------------------------------------------------


def played(folder: Path) -> None:
    """A house with money and a settled round."""
    floor = staffed.Floor(folder)

    async def play(house: House) -> None:
        await staffed.in_play(house, "9S 8D TC KC")
        await staffed.settle(house)

    floor.run(play)


def test_an_incident_is_sent_again_with_exit_code_1_while_it_still_fails(
    pb: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no box")

    cash_out: type[c.Command] = c.CashOut

    async def play(house: House) -> None:
        await staffed.in_play(house)
        await house.do("ann", "one", c.CashOut(person="ann", amount=100_00), "r1")

    monkeypatch.setitem(TABLE, cash_out, replace(TABLE[cash_out], handler=fails))
    staffed.Floor(tmp_path).run(play)
    fine(pb("house verify"))
    for line in ("house incident 1", "house incident 1 house.db"):
        code, out, err = pb(line)
        assert (code, "Incident 1 at one, version" in out, '"type": "CashOut"' in out) == (1, True, True), out
        assert err.startswith("It still fails: ZeroDivisionError: no box")
    monkeypatch.undo()
    mended = fine(pb(f"house incident 1 {tmp_path / 'house.db'}"))
    assert "now: CashedOut" in mended
    assert "It no longer fails." in mended
    refused(pb(f"house incident 2 {tmp_path / 'house.db'}"))


def test_an_incident_whose_command_could_not_be_recorded_is_shown(pb: Command, tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await staffed.in_play(house)
        strange = c.PlaceBets(round=1, lines=(c.Line(bet="\ud800", amount=100_00, box=1),))
        await house.do("ann", "one", strange, "r1")

    staffed.Floor(tmp_path).run(play)
    told = fine(pb("house incident 1"))
    assert "Incident 1 at one, version" in told
    assert '"unwritable": "UnicodeEncodeError' in told
    assert told.endswith("The command could not be recorded, so it cannot be sent again.\n")


def test_a_backup_is_proven_restored_and_never_written_over(pb: Command, tmp_path: Path) -> None:
    played(tmp_path)
    fine(pb("house backup copy.db"))
    content = Path("copy.db").read_bytes()
    proof = fine(pb("house verify copy.db"))
    assert proof == fine(pb("house verify"))
    header, *heads = [line.split() for line in proof.splitlines()[1:-1]]
    assert header == ["HISTORY", "LAST", "HASH"]
    assert [name for name, _ in heads] == ["house", "one"]
    assert all(len(head) == 64 for _, head in heads)
    assert Path("copy.db").read_bytes() == content, "a proof changes nothing"
    restored = fine(pb("house restore copy.db again.db"))
    assert restored.startswith(proof)
    assert "put the key at again.db.key" in restored
    assert fine(pb("house verify again.db")) == proof
    for line in ("house backup copy.db", "house restore copy.db again.db", "house restore copy.db house.db"):
        assert "already exists. Choose another name; nothing was changed." in refused(pb(line))
    assert Path("copy.db").read_bytes() == content
    assert "there is no store at none.db" in refused(pb("house restore none.db new.db"))
    refused(pb(f"house restore {EZ} new.db"))
    refused(pb("house backup nowhere/copy.db"))
    assert {one.name for one in Path().iterdir()} == {"house.db", "house.db.key", "copy.db", "again.db"}


def test_a_store_that_was_tampered_with_fails_its_proof_with_exit_code_1(pb: Command, tmp_path: Path) -> None:
    played(tmp_path)
    with closing(sqlite3.connect("house.db")) as store:
        store.execute("DROP TRIGGER events_stay")
        store.execute("UPDATE events SET at = at + 1 WHERE stream = 'one' AND version = 2")
        store.commit()
    code, out, err = pb("house verify")
    assert code == 1
    assert err == "WRONG: stream one, version 2: the hash does not match the event and the hash before it\n"
    assert "Verification passed" not in out
    fine(pb("house backup copy.db"))
    assert "stream one, version 2" in refused(pb("house restore copy.db again.db"))
    assert not Path("again.db").exists()


@pytest.mark.parametrize("page", [2, 5, 9, 12])
def test_a_store_with_a_damaged_page_fails_its_proof_with_exit_code_1(pb: Command, tmp_path: Path, page: int) -> None:
    played(tmp_path)
    fine(pb("house backup copy.db"))
    whole = Path("copy.db").read_bytes()
    Path("copy.db").write_bytes(whole[: page * 4096] + b"\xaa" * 4096 + whole[(page + 1) * 4096 :])
    code, out, err = pb("house verify copy.db")
    assert (code, out, err.count("\n")) == (1, "", 1), err
    assert err.startswith("WRONG: copy.db is damaged: ")
    assert refused(pb("house restore copy.db again.db"))
    assert not Path("again.db").exists()


@pytest.mark.parametrize("pages", [0.5, 1, 3, 12])
def test_a_store_that_was_cut_off_fails_its_proof_with_exit_code_1(pb: Command, tmp_path: Path, pages: float) -> None:
    played(tmp_path)
    fine(pb("house backup copy.db"))
    Path("copy.db").write_bytes(Path("copy.db").read_bytes()[: int(pages * 4096)])
    code, out, err = pb("house verify copy.db")
    assert (code, out, err.count("\n")) == (1, "", 1), err
    assert err.startswith("WRONG: copy.db ")
    assert refused(pb("house restore copy.db again.db"))


def test_a_proof_after_a_power_cut_leaves_what_waits_to_be_written_where_it_is(pb: Command) -> None:
    fine(pb("house init"))
    script = (
        "import os, sqlite3\ndb = sqlite3.connect('house.db')\n"
        f"db.execute(\"INSERT INTO games VALUES ('{sha256(bytes(1)).hexdigest()}', x'00')\")\ndb.commit()\nos._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script], check=False)
    before = {one.name: one.read_bytes() for one in Path().iterdir() if one.name != "house.db-shm"}
    assert before["house.db-wal"]
    assert "Verification passed" in fine(pb("house verify"))
    assert {one.name: one.read_bytes() for one in Path().iterdir() if one.name != "house.db-shm"} == before


def test_a_house_on_postgresql_is_looked_after_likewise(pb: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with postgres() as server:
        url = new_database(server)
        monkeypatch.setenv("PUNTOBANCO_STORE_PLACE", url)
        assert "there is no store in that database" in refused(pb("house verify"))
        assert "there is no store in that database" in refused(pb("house user list"))
        fine(pb("house init"))
        assert "already has users" in refused(pb("house init"))
        fine(pb("house user add ann --title Ann"))
        assert "ann" in fine(pb("house user list"))
        assert "Verification passed" in fine(pb("house verify"))
        assert "pg_dump" in refused(pb("house backup copy.db"))
        assert "pg_restore" in refused(pb(f"house restore copy.db {url}"))


# ---- what it costs the other commands ----------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["house verify {}", "house incident 1 {}", "house verify", "serve"])
@pytest.mark.parametrize("address", ["a:s3cret@b:1/c?port=port", "a:s3cret@[b/c", "a:s3cret@\u2100.example/c"])
def test_an_address_of_a_database_that_cannot_be_read_is_told_without_its_password(
    pb: Command, monkeypatch: pytest.MonkeyPatch, line: str, address: str
) -> None:
    monkeypatch.setattr("puntobanco.cli.house._isolate", lambda: None)
    if "{}" not in line:
        monkeypatch.setenv("PUNTOBANCO_STORE_PLACE", f"postgresql://{address}")
    code, out, err = pb(line.format(f"postgresql://{address}"))
    assert (code in (1, 2), out, err.count("\n")) == (True, "", 1), err
    assert err.startswith("puntobanco: ")
    assert "s3cret" not in err


def test_settling_a_hand_does_not_wait_for_a_web_server() -> None:
    code = (
        "import sys; import puntobanco.cli.main\n"
        "heavy = {'starlette', 'uvicorn', 'uvloop', 'numpy', 'argon2', 'structlog', 'asyncio', 'sqlite3'}\n"
        "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_commands_of_a_house_explain_themselves() -> None:
    command = shutil.which("puntobanco", path=str(Path(sys.executable).parent))
    assert command is not None
    done = subprocess.run([command, "house"], capture_output=True, text=True, check=False, env={"COLUMNS": "100"})
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("init", "user", "table", "account", "backup", "restore", "verify"):
        assert word in done.stdout
