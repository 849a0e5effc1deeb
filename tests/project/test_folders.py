"""A user's files are in the usual folders of the system."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from cardroom.folders import cache_folder, config_folder, data_folder, state_folder


@pytest.mark.parametrize(
    "chosen", [{}, {"XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/k"}]
)
def test_the_folders_are_those_of_this_system(chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, folder in chosen.items():
        monkeypatch.setenv(name, folder)
    assert cache_folder() == platformdirs.user_cache_path("cardroom")
    assert data_folder() == platformdirs.user_data_path("cardroom", appauthor=False)
    assert state_folder() == platformdirs.user_state_path("cardroom", appauthor=False)
    assert config_folder() == platformdirs.user_config_path("cardroom", appauthor=False)


def test_other_systems_have_theirs() -> None:
    home, local = {"HOME": "/Users/ann"}, {"LOCALAPPDATA": "C:/Users/ann/AppData/Local"}
    assert cache_folder("darwin", home) == Path("/Users/ann/Library/Caches/cardroom")
    assert data_folder("darwin", home) == state_folder("darwin", home)
    assert data_folder("darwin", home) == Path("/Users/ann/Library/Application Support/cardroom")
    assert cache_folder("win32", local) == Path("C:/Users/ann/AppData/Local/cardroom/cardroom/Cache")
    assert data_folder("win32", local) == state_folder("win32", local) == Path("C:/Users/ann/AppData/Local/cardroom")
