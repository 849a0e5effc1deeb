"""Promotions: announced, paid, ended."""
