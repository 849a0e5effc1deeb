"""The page about people has the permission table of the program, line by line."""

from __future__ import annotations

import re
from pathlib import Path

from cardroom.room.user.permissions import PERMISSIONS, Permission, Role

PAGE = Path(__file__).parents[2] / "docs" / "users.md"
TABLE = re.compile(r"<!-- permissions -->\n(.*?)<!-- /permissions -->", re.DOTALL)


def drawn() -> str:
    """The table as the page has it; `python -m tests.cli.test_users_guide` writes it there."""
    lines = [f"| may | {' | '.join(Role)} | public |", "|---" * (len(Role) + 2) + "|"]
    return "\n".join([*lines, *map(_line, Permission)]) + "\n"


def _line(right: Permission) -> str:
    allowed = PERMISSIONS[right]
    cells = ["✓" * (role in allowed.roles) + "2" * (role in allowed.countersigners) for role in Role]
    return f"| {' | '.join([right, *cells, '✓' * allowed.is_public])} |"


def test_the_page_has_the_permission_table_of_the_program() -> None:
    found = TABLE.search(PAGE.read_text("utf-8"))
    assert found
    assert found[1] == drawn()


if __name__ == "__main__":
    PAGE.write_text(
        TABLE.sub(f"<!-- permissions -->\n{drawn()}<!-- /permissions -->", PAGE.read_text("utf-8")), "utf-8"
    )
