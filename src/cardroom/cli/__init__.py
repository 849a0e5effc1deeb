"""The commands."""

import sys

from cardroom.extras import MissingExtra, require_packages


def main() -> None:
    """Run the command line."""
    try:
        require_packages("cli", "Commands", "typer", "rich", "packaging")
    except MissingExtra as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
    from cardroom.cli.app import main as run

    run()


__all__ = ["main"]
