"""The types of the screens are the definitions of the wire."""

from pathlib import Path

import pytest

from puntobanco.web import typescript


def test_the_types_of_the_screens_are_those_of_the_wire(capsys: pytest.CaptureFixture[str]) -> None:
    assert typescript.main(["--check"]) == 0, capsys.readouterr().err


def test_a_definition_that_changed_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typescript, "FILE", tmp_path / "lib" / "wire.ts")
    assert typescript.main(["--check"]) == 1
    assert typescript.main(["--write"]) == 0
    assert typescript.main(["--check"]) == 0
    typescript.FILE.write_text(typescript.content().replace("phase: Phase", "phase: string"))
    assert typescript.main(["--check"]) == 1


def test_commands_are_told_apart_by_their_type_and_fields_with_defaults_may_be_left_out() -> None:
    told = typescript.content()
    assert 'export interface PlaceBets {\n  type: "PlaceBets"\n  round: number\n  lines: readonly Line[]' in told
    assert "  owner?: string | null\n  requested?: boolean\n" in told
    assert "command: AnyCommand" in told
    assert "content: Game" in told
    assert 'send: ["POST", "/tables/{table}/commands"]' in told
