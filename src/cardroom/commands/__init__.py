"""Commands that stand in modules of their own: the jackpot system, verification, backup and restore."""
