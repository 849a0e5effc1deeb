"""``cardroom simulate``."""
