"""The commands of the jackpot system."""
