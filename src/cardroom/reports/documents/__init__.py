"""Printed documents: blocks for PDF and HTML, printed numbers and dates, and atomic file writes."""
