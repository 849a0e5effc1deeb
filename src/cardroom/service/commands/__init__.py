"""Desks: a command comes in, and events and an answer go out."""
