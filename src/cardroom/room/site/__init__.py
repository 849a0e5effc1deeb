"""The card room itself: what holds at all its tables and jackpots, its days, its reports of malfunctions."""
