"""Prices any game from its rules alone."""
