"""`cardroom dependency …`: the packages that the program contains, as text, JSON, and CycloneDX."""

from __future__ import annotations

import json
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from typer.testing import CliRunner, Result

from cardroom.cli.app import app
from cardroom.reports.sbom import UNKNOWN_LICENSE, SoftwareComponent
from cardroom.reports.sbom.components import PackageIndex, find_license, frontend_components
from cardroom.reports.sbom.cyclonedx import bill_of_materials

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


def test_the_validator_detects_a_wrong_bill_of_materials() -> None:
    document = json.dumps(json.loads(run("dependency", "export").stdout) | {"version": "one"})
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(document) is not None


def test_the_bill_of_materials_has_what_the_program_needs_and_nothing_that_only_tests_need() -> None:
    document = json.loads(run("dependency", "export").stdout)
    components = {component["name"]: component for component in document["components"]}
    entries = json.loads(run("dependency", "list", "--json").stdout)
    assert [entry["package"] for entry in entries] == ["cardroom", *components]
    direct = {entry["package"] for entry in entries if "cardroom" in entry["needed_by"]}
    assert {"numpy", "fastapi", "uvicorn", "cryptography", "htmx.org"} <= direct
    assert "typing-extensions" in components, "a direct dependency needs it"
    assert not set(FOR_TESTS_ONLY) & set(components)
    fonts = components["@fontsource-variable/fraunces"]
    assert fonts["purl"] == f"pkg:npm/%40fontsource-variable/fraunces@{fonts['version']}"
    assert components["htmx.org"]["hashes"][0]["alg"] == "SHA-512"
    assert components["numpy"]["purl"] == f"pkg:pypi/numpy@{components['numpy']['version']}"
    needs = {dependency["ref"]: dependency.get("dependsOn", ()) for dependency in document["dependencies"]}
    assert components["starlette"]["purl"] in needs[components["fastapi"]["purl"]]


def test_licenses_are_listed_and_a_missing_license_is_null() -> None:
    entries = {entry["package"]: entry for entry in json.loads(run("dependency", "list", "--json").stdout)}
    assert entries["fastapi"]["license"] == "MIT"
    assert entries["cardroom"]["needed_by"] == []
    assert "cardroom" in entries["fastapi"]["needed_by"]
    page = run("dependency", "list").stdout
    assert "needed by" in page
    assert "fastapi" in page
    unlicensed = SoftwareComponent("unlicensed", "1.0", UNKNOWN_LICENSE, PackageIndex.PYPI)
    assert unlicensed.to_json()["license"] is None
    program = SoftwareComponent("program", "1.0", "mit OR Apache-2.0", PackageIndex.PYPI, ("unlicensed",))
    document = json.loads(bill_of_materials([program, unlicensed]))
    assert "licenses" not in document["components"][0]
    assert document["metadata"]["component"]["licenses"] == [{"expression": "mit OR Apache-2.0"}]


def test_a_license_is_read_from_every_field_of_the_package_metadata(tmp_path: Path) -> None:
    from importlib.metadata import Distribution

    def find_license_in(*lines: str) -> str:
        folder = tmp_path / f"p{len(list(tmp_path.iterdir()))}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("\n".join(("Metadata-Version: 2.1", "Name: p", "Version: 1", *lines)) + "\n")
        return find_license(Distribution.at(folder))

    assert find_license_in("License-Expression: MIT") == "MIT"
    assert find_license_in("License: BSD") == "BSD"
    assert (
        find_license_in("License: " + "a" * 100, "Classifier: License :: OSI Approved :: MIT License") == "MIT License"
    )
    assert find_license_in("Classifier: License :: OSI Approved") == UNKNOWN_LICENSE
    assert find_license_in() == UNKNOWN_LICENSE


def test_without_a_frontend_lock_file_there_are_no_frontend_packages(tmp_path: Path) -> None:
    assert frontend_components("cardroom", tmp_path / "nothing.json") == ()
