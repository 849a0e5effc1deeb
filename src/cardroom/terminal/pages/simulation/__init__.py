"""The pages of simulations: rounds, sessions, and the years of a progressive."""
