"""`cardroom dependency`: the packages that the program needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.shared.options import AsJson, examples
from cardroom.cli.shared.output import CommandOutput

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def dependency_group() -> None:
    """List the packages that the program needs, with their licenses."""


@app.command(epilog=examples("dependency export (to standard output)", "dependency export -o cardroom-0.1.0.cdx.json"))
def export(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A new file; standard output when left out.")
    ] = None,
) -> None:
    """Export the bill of materials (SBOM): every package that the program needs here, as CycloneDX 1.6 in JSON.

    Each package has its version, license, package URL, hash, and dependencies. The same packages give the same file.
    """
    from cardroom.cli.shared.files import write_new_file
    from cardroom.reports.sbom import all_components
    from cardroom.reports.sbom.cyclonedx import bill_of_materials

    components = all_components()
    document = bill_of_materials(components)
    if output is None:
        typer.echo(document)
        return
    write_new_file(output, f"{document}\n")
    typer.echo(f"{output}: {len(components) - 1} packages.", err=True)


@app.command("list", epilog=examples("dependency list", "dependency list --json (for programs)"))
def list_dependencies(as_json: AsJson = False) -> None:
    """List every package that the program needs here: version, license, and the packages that need it.

    The license comes from the package itself; a package without one is marked.
    """
    from cardroom.reports.sbom import all_components
    from cardroom.terminal.pages.licenses import licenses_table

    packages = all_components()
    CommandOutput([package.to_json() for package in packages], licenses_table(packages)).print(as_json)
