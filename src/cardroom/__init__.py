"""Cardroom: five house-banked table games, from cards to payouts."""

__version__ = "0.1.0"
