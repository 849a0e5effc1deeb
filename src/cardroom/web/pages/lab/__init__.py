"""The lab in the browser: a paper desk for whoever wants to know what a wager is worth."""
