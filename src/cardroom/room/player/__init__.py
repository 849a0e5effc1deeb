"""A player account: balance, chips at tables, and the history of both."""
