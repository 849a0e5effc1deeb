"""Claims: the prizes of a round are claimed, verified, and paid or refused."""
