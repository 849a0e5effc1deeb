"""Queries: what the stored events say, without changing anything."""
