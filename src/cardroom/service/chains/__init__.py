"""The chains of events that a card room has: their names, and which aggregate each of them is."""
