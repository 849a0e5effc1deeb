"""Verification of the whole ledger of a card room."""
