"""Promotions: started, paid, and ended."""
