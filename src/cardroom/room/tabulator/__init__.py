"""The bet tabulator of a table."""
