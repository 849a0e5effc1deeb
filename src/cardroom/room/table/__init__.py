"""A table where people play: seats, chips, wagers, decisions, live rounds, and payouts."""
