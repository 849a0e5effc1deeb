"""The pages on operating the server: their commands, units, limits, and rules for alerts work as they are written."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from cardroom.cli.app import app
from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS, TEN_PER_MINUTE, Rate
from cardroom.web.prometheus import MetricsCollector
from cardroom.web.server import KEEP_ALIVE_SECONDS, SHUTDOWN_SECONDS
from tests.deadline import LIMIT
from tests.timeouts import FOR_BODY, FOR_HEADERS
from tests.web.rooms import ServedRoom

DOCS = Path(__file__).parents[3] / "docs"
PAGE = "\n".join((DOCS / name).read_text("utf-8") for name in ("operations.md", "backups.md", "monitoring.md"))
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(PAGE) if found == kind]


def commands() -> list[str]:
    """Every command of ours that the page names: in scripts, in units, and between words."""
    whole = "\n".join(blocks("sh") + blocks("ini")) + "\n" + "\n".join(re.findall(r"`(cardroom [^`]+)`", PAGE))
    return re.findall(r"(?:^|/bin/|`)(cardroom (?:[a-z]+)[^'`\n#&]*)", whole, re.MULTILINE)


def test_the_page_names_our_commands() -> None:
    named = {shlex.split(command)[1] for command in commands()}
    assert {"serve", "backup", "restore", "verify", "dependency"} <= named


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_every_command_is_one_with_those_options(command: str) -> None:
    _, name, *words = shlex.split(command)
    known: Any = typer.main.get_command(app).get_command(None, name)  # type: ignore[attr-defined]
    while words and hasattr(known, "list_commands") and words[0] in known.list_commands(None):
        known = known.get_command(None, words.pop(0))
    assert known is not None, command
    options = {written for parameter in known.params for written in parameter.opts}
    assert {word for word in words if word.startswith("-")} <= options, command


def test_every_option_of_the_page_is_one_of_serve() -> None:
    serve: Any = typer.main.get_command(app).get_command(None, "serve")  # type: ignore[attr-defined]
    options = {written for parameter in serve.params for written in parameter.opts}
    typed = {word for text in re.findall(r"`(--[^`]+)`", PAGE) for word in text.split() if word.startswith("--")}
    assert typed
    assert typed <= options


def upgrade() -> list[str]:
    """The commands of an upgrade, line by line."""
    (block,) = [text for text in blocks("sh") if "systemctl restart" in text]
    return [line.partition(" #")[0].strip() for line in block.splitlines() if line and not line.startswith("#")]


def test_an_upgrade_installs_with_hashes_and_moves_no_virtual_environment() -> None:
    lines = upgrade()
    installs = [line for line in lines if "pip install" in line]
    assert installs
    for line in installs:
        hashed = "--require-hashes" in line and "-r requirements.lock" in line
        assert hashed or ("--no-deps" in line and "--no-index" in line), line
    assert lines.index("sha256sum --check SHA256SUMS") < lines.index(installs[0])
    assert not [line for line in lines if re.search(r"\b(mv|cp)\b", line)]
    lock = (Path(__file__).parents[3] / "requirements.lock").read_text("utf-8")
    packages = re.split(r"\n(?=\S)", lock.strip())
    assert all("--hash=sha256:" in package for package in packages if not package.startswith("#"))


def test_the_link_leads_to_the_version_whose_folder_was_built(tmp_path: Path) -> None:
    """What can be executed is: two versions are built where they stay, and the link is switched between them."""
    lines = upgrade()
    (build,) = [line for line in lines if " -m venv " in line]
    (switch,) = [line for line in lines if line.startswith("ln ")]
    ran = {}
    for version in ("0.2.0", "0.3.0"):
        made = build.replace("python3", shlex.quote(sys.executable), 1).replace("-m venv", "-m venv --without-pip")
        for line in (made, switch):
            script = f"VERSION={version}\n{line}".replace("/opt/", f"{tmp_path}/")
            subprocess.run(["sh", "-ec", script], check=True)
        folder = tmp_path / f"cardroom-{version}"
        program = folder / "bin" / "cardroom"  # as pip writes it: the first line names the folder
        program.write_text(f"#!{folder}/bin/python\nimport sys\nprint(sys.prefix)\n", "utf-8")
        program.chmod(0o755)
        result = subprocess.run(
            [tmp_path / "cardroom" / "bin" / "cardroom"], check=True, capture_output=True, text=True
        )
        ran[version] = result.stdout.strip()
    assert ran == {version: str(tmp_path / f"cardroom-{version}") for version in ran}


def units() -> dict[str, str]:
    return {text.partition("\n")[0].rpartition("/")[2]: text for text in blocks("ini")}


def test_the_units_can_be_read_and_leave_time_for_the_last_calls() -> None:
    assert set(units()) == {"cardroom@.service", "cardroom-backup.service", "cardroom-backup.timer"}
    for name, text in units().items():
        unit = configparser.RawConfigParser(strict=True)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(text)
        assert {"Service", "Timer"} & set(unit.sections()), name
    unit.read_string(units()["cardroom@.service"])
    assert int(unit["Service"]["TimeoutStopSec"]) > SHUTDOWN_SECONDS
    assert unit["Service"]["NoNewPrivileges"] == "yes"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd on this machine")
def test_systemd_itself_finds_nothing_wrong(tmp_path: Path) -> None:
    here = shutil.which("true")
    files = []
    for name, text in units().items():
        file = tmp_path / name.replace("@.", "@8001.")
        file.write_text(text.replace("/opt/cardroom/bin/cardroom", str(here)))
        files.append(str(file))
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, timeout=LIMIT)
    result = [line for line in done.stderr.splitlines() if str(tmp_path) in line or "cardroom" in line]
    assert not result, result


def test_alerts_name_figures_that_there_are(room: ServedRoom) -> None:
    result = list(MetricsCollector(room.context).collect())
    kinds = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum"), "info": ("_info",)}
    names = {alert.name + end for alert in result for end in kinds.get(alert.type, ("",))}
    # Shown only once there has been a verification.
    names |= {"cardroom_verified_seconds_ago", "cardroom_ledger_intact"}
    scraping, rules = map(yaml.safe_load, blocks("yaml"))
    assert rules["groups"][0]["name"] == scraping["scrape_configs"][0]["job_name"] == "cardroom"
    alerts = rules["groups"][0]["rules"]
    assert len(alerts) == len({alert["alert"] for alert in alerts}) >= 8
    for alert in alerts:
        asked = set(re.findall(r"cardroom_\w+", alert["expr"])) or {"up"}
        assert asked <= names | {"up"}, alert
        assert alert["annotations"]["summary"].endswith(".")
    listed = set(re.findall(r"`(cardroom_\w+)`", PAGE))
    assert listed <= names | {alert.name for alert in result}
    families = {
        alert.name + ("_total" if alert.type == "counter" else "_info" if alert.type == "info" else "")
        for alert in result
    }
    assert families <= listed, "the page leaves none out"


def test_the_limits_of_the_page_are_those_of_the_program() -> None:
    def rate(limit: Rate) -> str:
        return f"{limit.per_second:g} a second, {limit.burst:,} at once"

    table = PAGE.partition("## Limits")[2].partition("\n## ")[0]
    assert f"| {rate(DEFAULT_LIMITS.calls)} |" in table
    assert f"| {rate(DEFAULT_LIMITS.calls_without_token)} |" in table
    assert f"| {DEFAULT_LIMITS.guests.burst} at once, then one every two seconds" in table
    assert DEFAULT_LIMITS.guests.per_second == 0.5
    assert f"| {TEN_PER_MINUTE.burst} a minute |" in table
    assert (
        f"| {DEFAULT_LIMITS.connections} of one player or device, {DEFAULT_LIMITS.connections_without_token} without "
        "a token" in table
    )
    assert f"| {DEFAULT_LIMITS.body // 1024} KiB; {DEFAULT_LIMITS.body_of_device >> 20} MiB of a device |" in table
    assert f"| {DEFAULT_LIMITS.address // 1024} KiB, {DEFAULT_LIMITS.head // 1024} KiB |" in table
    assert f"| {FOR_HEADERS:g} s, {FOR_BODY:g} s |" in table
    assert f"| {KEEP_ALIVE_SECONDS} s | closed |" in table


def test_the_proxy_says_what_the_server_needs() -> None:
    (proxy,) = blocks("nginx")
    for line in (
        "proxy_set_header Host $http_host;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_set_header X-Forwarded-Proto https;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_buffering off;",
        "client_max_body_size 1m;",
    ):
        assert line in proxy
    assert proxy.count("{") == proxy.count("}")
