"""The commands."""

from cardroom.cli.app import main

__all__ = ["main"]
