"""The machine's configuration comes from a file on the machine, and a mistake in it gives one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.machine_config import (
    BadMachineConfig,
    HeadsDestination,
    MachineConfig,
    load_machine_config,
    machine_config_file,
    parse_machine_config,
)


def test_a_machine_without_a_file_has_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDROOM_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_machine_config() == MachineConfig()


def test_a_file_that_the_environment_names_is_read_and_must_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "room.toml"
    monkeypatch.setenv("CARDROOM_CONFIG", str(file))
    with pytest.raises(BadMachineConfig):
        load_machine_config()
    file.write_text('[heads]\ncommand = ["scp", "-", "away:heads"]\nevery_minutes = 7\n', "utf-8")
    assert load_machine_config().heads == HeadsDestination(command=("scp", "-", "away:heads"), every_minutes=7)


def test_a_users_own_file_is_in_the_configuration_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDROOM_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/k")
    assert machine_config_file() == Path("/k/cardroom/machine.toml")


@pytest.mark.parametrize(
    "text",
    [
        'heads = "away"',
        "[heads]\ncommand = [1]",
        "[heads]\nevery_minutes = 0",
        '[heads]\nfolder = "relative"',
        '[heads]\nflder = "/mnt"',
        '[heads]\nwitness = "ftp://witness"',
        '[heads]\nwitness = "witness:8460"',
        '[heads]\nwitness_key = "3f"',
        "[key]\nfile = 3",
        "[locks]",
    ],
)
def test_a_mistake_is_refused(text: str) -> None:
    with pytest.raises(BadMachineConfig):
        parse_machine_config(text)
