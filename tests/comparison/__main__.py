"""Prove that two versions of the program have the same figures and differ only in names.

    python -m tests.comparison record FOLDER
    python -m tests.comparison compare BEFORE AFTER [--renames FILE]

CONTRIBUTING.md ("Renaming without changing behavior") explains how to use them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.comparison.compare import Renames, compare_folders, print_report
from tests.comparison.record import record, record_part


def main() -> int:
    """Run the command; exit code 1 if a part cannot be recorded or the records differ in more than wording."""
    parser = argparse.ArgumentParser(prog="python -m tests.comparison", description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="write what this checkout computes and stores")
    recording.add_argument("folder", type=Path, help="a new folder for the JSON files")
    recording.add_argument("--part", help="record only this part, in this process")
    comparing = commands.add_parser("compare", help="print every difference between two records")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--renames", type=Path, help="a file of lines `old new`")
    options = parser.parse_args()
    if options.command == "record":
        if options.part:
            record_part(options.part, options.folder)
            return 0
        return record(options.folder)
    renames = Renames.read(options.renames) if options.renames else Renames()
    return print_report(compare_folders(options.before, options.after, renames))


if __name__ == "__main__":
    sys.exit(main())
