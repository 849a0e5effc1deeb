"""The chains of events of a card room: their names, and the aggregate of each."""
