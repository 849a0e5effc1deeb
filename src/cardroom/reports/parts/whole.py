"""All parts of the program."""

from __future__ import annotations

from dataclasses import replace

from cardroom.reports.parts.front import front_parts
from cardroom.reports.parts.installed import installed_parts
from cardroom.reports.parts.part import Part


def all_parts() -> tuple[Part, ...]:
    """The program first, then everything that it needs to run, by name: from Python's packages and for the pages."""
    program, *others = installed_parts()
    front = front_parts(program.name)
    program = replace(program, needs=(*program.needs, *(one.name for one in front)))
    return (program, *sorted((*others, *front), key=lambda one: one.name))
