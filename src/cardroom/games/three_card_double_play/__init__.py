"""3 Card Double Play Poker."""
