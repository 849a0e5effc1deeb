"""The folders of the current user on each operating system: cache, data, configuration, and state.

>>> cache_folder("linux", {"XDG_CACHE_HOME": "/var/quick"}).as_posix()
'/var/quick/cardroom'
>>> data_folder("linux", {"HOME": "/home/ann"}).as_posix()
'/home/ann/.local/share/cardroom'
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

HOUSE: Final = "cardroom"


def cache_folder(system: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """For files that the program can make again at any time."""
    if system == "win32":
        return _local(environment) / HOUSE / HOUSE / "Cache"
    if system == "darwin":
        return _home(environment) / "Library" / "Caches" / HOUSE
    return _chosen("XDG_CACHE_HOME", ".cache", environment) / HOUSE


def data_folder(system: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """For files that must not be lost."""
    if system == "win32":
        return _local(environment) / HOUSE
    if system == "darwin":
        return _home(environment) / "Library" / "Application Support" / HOUSE
    return _chosen("XDG_DATA_HOME", ".local/share", environment) / HOUSE


def config_folder(system: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """For the settings of an administrator of this machine."""
    if system in ("win32", "darwin"):
        return data_folder(system, environment)
    return _chosen("XDG_CONFIG_HOME", ".config", environment) / HOUSE


def state_folder(system: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """For what one run of the program leaves for the next, such as the session of a signed-in user."""
    if system in ("win32", "darwin"):
        return data_folder(system, environment)
    return _chosen("XDG_STATE_HOME", ".local/state", environment) / HOUSE


def _chosen(variable: str, otherwise: str, environment: Mapping[str, str]) -> Path:
    chosen = environment.get(variable, "").strip()
    return Path(chosen) if chosen else _home(environment) / otherwise


def _home(environment: Mapping[str, str]) -> Path:
    home = environment.get("HOME")
    return Path(home) if home else Path.home()


def _local(environment: Mapping[str, str]) -> Path:
    local = environment.get("LOCALAPPDATA")
    return Path(local) if local else Path.home() / "AppData" / "Local"
