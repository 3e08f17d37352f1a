"""What differs holds dealing until two people release exactly that, and a restart changes nothing about it."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from puntobanco.house.house import House
from puntobanco.house.integrity import FAILED, MOST_FILES, Integrity
from puntobanco.house.operations.build_digest import BuildDigest, build_digest
from puntobanco.house.operations.installed_files import Installation
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import ReleaseProgram, SetDealing
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.setup import Source
from tests.house.operations.test_installed_files import Environment
from tests.house.staffed import Floor, add, entries, refused, until, well


class Installed(Environment):
    """An environment with the program installed, of which a test changes what it likes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.changes = 0

    def start(self, *, enforced: bool = True) -> dict[str, Any]:
        """As a house is given it when it opens."""

        installation = Installation([str(self.folder)], lambda: self.loaded, self.package)
        integrity = Integrity(enforced=enforced, installation=installation, files=lambda **_: self.files())
        return {"integrity": integrity, "program": ("1.0", integrity.started.digest)}

    def files(self) -> BuildDigest:
        return build_digest(self.package, "1.0")

    def change(self) -> str:
        self.changes += 1
        return self.write("puntobanco/__init__.py", f"changed {self.changes} times")

    def put_back(self) -> None:
        self.write("puntobanco/__init__.py", "ours")


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


@pytest.fixture
def itself(tmp_path: Path) -> Installed:
    (tmp_path / "site").mkdir()
    return Installed(tmp_path / "site")


def digest(house: House) -> str:
    assert house.journal.differs is not None
    return house.journal.differs.digest


async def look(house: House) -> None:
    assert house.integrity is not None
    await house.integrity.check(house.journal_writer, house.itself())


async def release(house: House, first: str = "tom", second: str = "ada") -> None:
    asked = well(await house.manage(first, ReleaseProgram(digest=digest(house), reason="as delivered")))
    assert house.held
    assert refused(await house.confirm(first, asked.waits)) is Reason.SECOND_IS_FIRST
    well(await house.confirm(second, asked.waits))
    assert not house.held


def test_a_program_that_is_itself_is_never_held(floor: Floor, itself: Installed) -> None:
    async def work(house: House) -> None:
        await look(house)
        assert not house.held
        nothing = ReleaseProgram(digest="0" * 64, reason="x")
        assert refused(await house.manage("tom", nothing)) is Reason.NOTHING_TO_RELEASE
        assert await entries(house, b.ProgramDiffers) == []

    for _ in range(2):
        floor.run(work, **itself.start())


def test_a_change_is_in_the_book_once_and_holds_until_it_is_released(floor: Floor, itself: Installed) -> None:
    async def changed(house: House) -> None:
        changed = itself.change()
        for _ in range(3):
            await look(house)
        (entry,) = await entries(house, b.ProgramDiffers)
        now = itself.files()
        assert entry.files == {"puntobanco 1.0": now.digest, changed: now.files["__init__.py"]}
        assert house.held

    async def later(house: House) -> None:
        assert house.held, "also after a restart with the changed files"
        for wrong in ("0" * 64, ""):
            asked = ReleaseProgram(digest=wrong, reason="as delivered")
            assert refused(await house.manage("tom", asked)) is Reason.NOTHING_TO_RELEASE
        without = ReleaseProgram(digest=digest(house), reason=" ")
        assert refused(await house.manage("tom", without)) is Reason.REASON_WANTED
        await release(house)
        await look(house)
        assert not house.held

    async def at_last(house: House) -> None:
        assert not house.held, "what was released stays released"
        assert len(await entries(house, b.ProgramDiffers)) == 1
        (released,) = await entries(house, b.ProgramReleased)
        assert (released.by.person, released.by.second) == ("tom", "ada")

    floor.run(changed, **itself.start())
    floor.run(later, **itself.start())
    floor.run(at_last, **itself.start())


def test_files_that_were_put_back_do_not_release_the_house(floor: Floor, itself: Installed) -> None:
    async def changed(house: House) -> None:
        itself.change()
        await look(house)
        itself.put_back()
        await look(house)
        assert house.held

    async def later(house: House) -> None:
        assert house.held
        await release(house, "ada", "tim")

    floor.run(changed, **itself.start())
    floor.run(later, **itself.start())


def test_a_release_holds_for_those_files_alone(floor: Floor, itself: Installed) -> None:
    stray = itself.write("sitecustomize.py", "one")

    async def work(house: House) -> None:
        assert house.held, "what no distribution declares holds it at the start too"
        asked = well(await house.manage("tom", ReleaseProgram(digest=digest(house), reason="known")))
        itself.write("other.pth", "import evil")
        await look(house)
        assert refused(await house.confirm("ada", asked.waits)) is Reason.NOTHING_TO_RELEASE
        assert house.held
        await release(house)
        itself.write("other.pth", "")
        await look(house)
        assert house.journal.differs is None, "one of them is as it was, and the other was released"
        itself.write("sitecustomize.py", "two")
        await look(house)
        assert (await entries(house, b.ProgramDiffers))[-1].files.keys() == {stray}
        assert house.held

    floor.run(work, **itself.start())


def test_a_program_that_is_only_watched_deals_and_nothing_of_it_is_in_the_book(floor: Floor, itself: Installed) -> None:
    async def work(house: House) -> None:
        itself.change()
        await look(house)
        assert house.integrity is not None
        assert house.integrity.differs(house.journal) == {"puntobanco 1.0": itself.files().digest}
        assert not house.held
        assert await entries(house, b.ProgramDiffers) == []

    floor.run(work, **itself.start(enforced=False))


def test_very_many_files_are_named_together(floor: Floor, itself: Installed) -> None:
    for nth in range(MOST_FILES + 7):
        itself.write(f"stray{nth}.py", "")

    async def work(house: House) -> None:
        assert house.journal.differs is not None
        assert len(house.journal.differs.files) == MOST_FILES + 1
        assert "7 other files" in house.journal.differs.files
        await release(house)
        await look(house)
        assert not house.held

    floor.run(work, **itself.start())


def test_a_stray_file_is_named_however_many_files_of_the_package_differ(floor: Floor, itself: Installed) -> None:
    stray = itself.write("zzz.py", "")
    for nth in range(MOST_FILES + 7):
        itself.write(f"puntobanco/extra{nth}.py", "")

    async def work(house: House) -> None:
        assert house.journal.differs is not None
        assert stray in house.journal.differs.files
        assert len(house.journal.differs.files) == MOST_FILES + 1

    floor.run(work, **itself.start())


def test_a_table_that_deals_by_itself_finishes_its_round_and_opens_no_other(floor: Floor, itself: Installed) -> None:
    floor.clock.goes = True

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", automatic=True)
        await until(lambda: table.state.round > 1)
        itself.change()
        await look(house)
        await until(lambda: not table.state.in_round)
        await asyncio.sleep(0.2)  # the opening of one more may have been on its way
        await until(lambda: not table.state.in_round)
        before = table.state.round
        for _ in range(20):
            await asyncio.sleep(0.01)
            assert (table.state.in_round, table.state.round) == (False, before)
        assert house.dead == (), "its dealer only waits"
        assert refused(await house.do("dora", "one", c.OpenBetting())) is Reason.PROGRAM_HELD
        well(await house.manage("tom", SetDealing(table="one", automatic=False)))
        assert refused(await house.do("dora", "one", c.OpenBetting())) is Reason.PROGRAM_HELD, "its shoe is the house's"
        well(await house.manage("tom", SetDealing(table="one", automatic=True)))
        await release(house)
        await until(lambda: table.state.round > before)

    floor.run(work, **itself.start())


def test_a_table_that_people_deal_goes_on(floor: Floor, itself: Installed) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        well(await house.do("dora", "one", c.LoadShoe(shoe="a", decks=8, shuffled=True, source=Source.KEYBOARD)))
        itself.change()
        await look(house)
        assert house.held
        well(await house.do("dora", "one", c.OpenBetting()))

    floor.run(work, **itself.start())


def test_a_file_may_have_any_name(floor: Floor, itself: Installed) -> None:
    for folder in (itself.folder, itself.package):
        (folder / os.fsdecode(b"evil\xff.py")).write_text("")

    async def work(house: House) -> None:
        assert house.journal.differs is not None
        assert {
            f"{itself.folder}/evil\\udcff.py",
            f"{itself.package}/evil\\udcff.py",
        } <= house.journal.differs.files.keys()
        await release(house)
        await look(house)
        assert not house.held

    floor.run(work, **itself.start())


def test_a_comparison_that_fails_holds_the_house(
    floor: Floor, itself: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ValueError("embedded null byte")

    async def work(house: House) -> None:
        assert not house.held
        monkeypatch.setattr(Installation, "strange", fails)
        for _ in range(2):
            await look(house)
        (entry,) = await entries(house, b.ProgramDiffers)
        assert entry.files.keys() == {FAILED}
        assert house.held

    floor.run(work, **itself.start())
