"""A jackpot's meters and the money that covers them."""
