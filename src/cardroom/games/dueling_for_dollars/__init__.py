"""Dueling for Dollars."""
