"""A win: who has won what, claimed, verified, paid or refused."""
