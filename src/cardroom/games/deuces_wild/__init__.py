"""Deuces Wild."""
