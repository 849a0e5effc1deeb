"""Texas Shootout."""
