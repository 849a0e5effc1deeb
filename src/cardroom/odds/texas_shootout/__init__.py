"""The odds of Texas Shootout."""
