"""Verification of a whole floor."""
