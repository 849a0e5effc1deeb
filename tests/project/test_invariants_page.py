"""The page for auditors lists every invariant of the verification."""

from tests.project.invariants import format_invariants, listed_invariants


def test_the_page_for_auditors_lists_every_invariant() -> None:
    assert listed_invariants() == format_invariants(), "run python -m tests.project.invariants"
