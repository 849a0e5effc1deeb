"""The machine's own configuration: where keys are and where heads are sent. It never comes from the database.

A person who can write to the database must not be able to choose a command that the server runs, a folder that it
writes to, or a key that it trusts. So these settings are in a file on the machine, which only its administrator
changes: the file that ``CARDROOM_CONFIG`` names, else ``/etc/cardroom/machine.toml``, else ``machine.toml`` in the
user's configuration folder. Without a file, the defaults apply.

>>> machine = parse_machine_config('''
... [key]
... file = "/etc/cardroom/room.key"
... [heads]
... folder = "/mnt/stick"
... every_minutes = 10
... ''')
>>> machine.key_file.as_posix(), machine.heads.folder.as_posix(), machine.heads.every_minutes
('/etc/cardroom/room.key', '/mnt/stick', 10)
>>> machine.heads.command, machine.heads.witness
((), '')
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar, Final, NamedTuple
from urllib.parse import urlsplit

from cardroom import documents
from cardroom.errors import BadInput, quote
from cardroom.folders import USER_FOLDERS

_SYSTEM_FILE: Final = Path("/etc/cardroom/machine.toml")
_MOST_MINUTES: Final = 24 * 60


class BadMachineConfig(BadInput):
    """A machine configuration that cannot be used."""


class HeadsDestination(NamedTuple):
    """Where signed heads of all hash chains are written, and how often."""

    folder: Path | None = None
    """On another machine, or on removable media."""
    command: tuple[str, ...] = ()
    """A program and its arguments; it receives the heads on standard input. No shell reads them."""
    witness: str = ""
    """The address of a witness that cosigns heads, such as ``http://witness.example:8460``."""
    witness_key: str = ""
    """The witness's public key; where it is left out, the one of its first cosignature."""
    every_minutes: int = 5
    signing_key: Path | None = None
    """The file with the Ed25519 key that signs heads; ``heads.key`` in the user's configuration folder where none is
    named."""

    def __bool__(self) -> bool:
        """Whether heads go anywhere."""
        return bool(self.folder or self.command or self.witness)


NO_DESTINATION: Final = HeadsDestination()
"""Heads stay in the database."""


class MachineConfig(NamedTuple):
    """What the administrator of one machine decides."""

    key_file: Path | None = None
    """The file with the key that encrypts secrets in the database."""
    heads: HeadsDestination = NO_DESTINATION


class _ConfigSection(documents.DocumentSection):
    error_type: ClassVar[type[BadInput]] = BadMachineConfig
    no_section: ClassVar[str] = "{where} must be a section, not {found}."
    missing: ClassVar[str] = "{where} must name {name}."
    wrong_kind: ClassVar[str] = "{name} in {where} must be {kind}, not {found}."
    wrong_value: ClassVar[str] = "{name} in {where} cannot be used: {wrong}"
    unknown: ClassVar[str] = "{where} has no setting {name}: the settings are {known}."

    def path(self, name: str) -> Path | None:
        """An absolute path, or None where the setting is left out."""
        value = self.get(name, str, "")
        path = Path(value).expanduser() if value else None
        if path is not None and not path.is_absolute():
            raise self._error(self.wrong_value, name, wrong=f"{value} is a relative path. Write the absolute path.")
        return path


def machine_config_file() -> Path:
    """The file that holds this machine's configuration, whether it exists or not."""
    if configured_file := os.environ.get("CARDROOM_CONFIG", "").strip():
        return Path(configured_file)
    return _SYSTEM_FILE if _SYSTEM_FILE.exists() else USER_FOLDERS.user_config_path / "machine.toml"


def load_machine_config() -> MachineConfig:
    """The configuration of the machine that runs this program; the defaults where it has no file."""
    file = machine_config_file()
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        if os.environ.get("CARDROOM_CONFIG", "").strip():
            raise BadMachineConfig(f"CARDROOM_CONFIG names {file}, and there is no such file.") from None
        return MachineConfig()
    except OSError as error:
        raise BadMachineConfig(f"The machine configuration {file} cannot be read: {error.strerror or error}.") from None
    return parse_machine_config(documents.decode_text(content, str(file)))


def parse_machine_config(text: str) -> MachineConfig:
    """Read a machine's configuration from TOML."""
    top = _ConfigSection(
        documents.read_toml(text, BadMachineConfig, "The machine configuration"), "the machine configuration"
    )
    key, heads = (
        _ConfigSection(top.get("key", dict, {}), "[key]"),
        _ConfigSection(top.get("heads", dict, {}), "[heads]"),
    )
    command = heads.get("command", list, [])
    if not all(isinstance(word, str) for word in command):
        raise BadMachineConfig("'command' in [heads] must be a list of texts: the program, then each argument.")
    minutes = heads.get("every_minutes", int, NO_DESTINATION.every_minutes)
    if not 1 <= minutes <= _MOST_MINUTES:
        raise BadMachineConfig(
            f"'every_minutes' in [heads] is {minutes}: write a whole number from 1 to {_MOST_MINUTES}."
        )
    config = MachineConfig(
        key.path("file"),
        HeadsDestination(
            heads.path("folder"),
            tuple(command),
            _check_witness(heads.get("witness", str, "")),
            _check_witness_key(heads.get("witness_key", str, "")),
            minutes,
            heads.path("signing_key"),
        ),
    )
    for section in (key, heads, top):
        section.refuse_unread()
    return config


def _check_witness(address: str) -> str:
    parts = urlsplit(address)
    if address and not (parts.scheme in ("http", "https") and parts.hostname):
        raise BadMachineConfig(
            f"'witness' in [heads] is {quote(address)}: write an address such as http://witness:8460."
        )
    return address


def _check_witness_key(key: str) -> str:
    if key and not (len(key) == 64 and set(key) <= set("0123456789abcdef")):
        raise BadMachineConfig("'witness_key' in [heads] must be the 64 hexadecimal digits that the witness prints.")
    return key
