"""A card table in the terminal: cards, chips and felt drawn with Rich, and everything that is printed for people."""
