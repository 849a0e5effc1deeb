"""A player's account: balance, chips at tables, and the history of both."""
