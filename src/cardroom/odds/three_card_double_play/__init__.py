"""The odds of 3 Card Double Play Poker."""
