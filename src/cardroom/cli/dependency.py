"""`cardroom dependency`: the packages that the program needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.shared.options import AsJson, examples
from cardroom.cli.shared.output import CommandOutput, print_json

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
    import json

    from cardroom.cli.shared.files import write_new_file
    from cardroom.reports.sbom import all_components, bill_of_materials

    document = bill_of_materials(all_components())
    if output is None:
        print_json(document)
        return
    write_new_file(output, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    typer.echo(f"{output}: {len(document['components'])} packages.", err=True)


@app.command("list", epilog=examples("dependency list", "dependency list --json (for programs)"))
def list_dependencies(as_json: AsJson = False) -> None:
    """List every package that the program needs here: version, license, and the packages that need it.

    The license comes from the package itself; a package without one is marked.
    """
    from cardroom.reports.sbom import all_components
    from cardroom.terminal.pages.licenses import licenses_table

    packages = all_components()
    CommandOutput([package.to_json() for package in packages], licenses_table(packages)).print(as_json)
