"""People who play: their names, their balances, and where they sit."""
