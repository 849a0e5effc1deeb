"""Setup files of jackpots, tabulators, and the card room: reading, validation, and examples."""
