"""A user's files are in the usual folders of the system."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.folders import USER_FOLDERS


def test_an_administrator_moves_each_folder_with_the_usual_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CACHE", "DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", f"/moved/{name}")
    assert USER_FOLDERS.user_cache_path == Path("/moved/CACHE/cardroom")
    assert USER_FOLDERS.user_data_path == Path("/moved/DATA/cardroom")
    assert USER_FOLDERS.user_state_path == Path("/moved/STATE/cardroom")
    assert USER_FOLDERS.user_config_path == Path("/moved/CONFIG/cardroom")
