"""What operators write about jackpots and tabulators, and the doors that check it."""
