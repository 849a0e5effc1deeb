"""The lab in the browser: the odds of every wager, simulations, and a hand calculator."""
