"""What the program is made of, as scripts read it."""

from __future__ import annotations

import json
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from typer.testing import CliRunner, Result

from cardroom.cli.app import app
from cardroom.reports.sbom import UNKNOWN_LICENSE, SoftwareComponent, bill_of_materials
from cardroom.reports.sbom.components import PackageIndex, find_license, frontend_components

FOR_TESTS_ONLY = ("pytest", "mypy", "ruff", "hypothesis", "playwright")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "140"})


def test_the_bill_of_materials_is_cyclonedx(tmp_path: Path) -> None:
    printed = run("dependency", "export")
    assert (printed.exit_code, printed.stderr) == (0, "")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(printed.stdout) is None
    file = tmp_path / "cardroom.cdx.json"
    assert run("dependency", "export", "-o", str(file)).exit_code == 0
    assert file.read_text("utf-8") == printed.stdout, "the same packages give the same document"
    again = run("dependency", "export", "-o", str(file))
    assert again.exit_code == 2
    assert "exists already" in again.stderr


def test_a_wrong_bill_of_materials_would_be_noticed() -> None:
    document = json.dumps(json.loads(run("dependency", "export").stdout) | {"version": "one"})
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(document) is not None


def test_everything_that_the_program_needs_is_in_it_and_nothing_that_only_tests_need() -> None:
    document = json.loads(run("dependency", "export").stdout)
    named = {one["name"]: one for one in document["components"]}
    result = json.loads(run("dependency", "list", "--json").stdout)
    assert [one["package"] for one in result] == ["cardroom", *named]
    direct = {one["package"] for one in result if "cardroom" in one["needed_by"]}
    assert {"numpy", "fastapi", "uvicorn", "cryptography", "htmx.org"} <= direct
    assert "typing-extensions" in named, "needed by those whom the program needs"
    assert not set(FOR_TESTS_ONLY) & set(named)
    assert named["htmx.org"]["hashes"][0]["alg"] == "SHA-512"
    assert named["numpy"]["purl"] == f"pkg:pypi/numpy@{named['numpy']['version']}"
    needs = {one["ref"]: one["dependsOn"] for one in document["dependencies"]}
    assert named["starlette"]["purl"] in needs[named["fastapi"]["purl"]]


def test_licenses_are_listed_and_a_missing_one_is_named_so() -> None:
    result = {one["package"]: one for one in json.loads(run("dependency", "list", "--json").stdout)}
    assert result["fastapi"]["license"] == "MIT"
    assert result["cardroom"]["needed_by"] == []
    assert "cardroom" in result["fastapi"]["needed_by"]
    page = run("dependency", "list").stdout
    assert "needed by" in page
    assert "fastapi" in page
    silent = SoftwareComponent("silent", "1.0", UNKNOWN_LICENSE, PackageIndex.PYPI)
    assert silent.to_json()["license"] is None
    assert "licenses" not in bill_of_materials([silent, silent])["components"][0]


def test_the_license_of_a_package_is_found_wherever_it_tells_it(tmp_path: Path) -> None:
    from importlib.metadata import Distribution

    def result(*lines: str) -> str:
        folder = tmp_path / f"p{len(list(tmp_path.iterdir()))}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("\n".join(("Metadata-Version: 2.1", "Name: p", "Version: 1", *lines)) + "\n")
        return find_license(Distribution.at(folder))

    assert result("License-Expression: MIT") == "MIT"
    assert result("License: BSD") == "BSD"
    assert result("License: " + "a" * 100, "Classifier: License :: OSI Approved :: MIT License") == "MIT License"
    assert result("Classifier: License :: OSI Approved") == UNKNOWN_LICENSE
    assert result() == UNKNOWN_LICENSE


def test_a_program_without_its_lock_for_pages_has_only_packages_of_python(tmp_path: Path) -> None:
    assert frontend_components("cardroom", tmp_path / "nothing.json") == ()
