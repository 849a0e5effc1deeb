"""What is asked of the books' reports that cannot be."""

from __future__ import annotations

from cardroom.faults import BadInput


class BadRecall(BadInput):
    """A recall of nothing, or of nobody knows what."""


class BadReportFile(BadInput):
    """A file that cannot be a report."""


class NoDay(BadInput):
    """A day that has no book."""


class TooLong(BadInput):
    """A report that is no document any more."""
