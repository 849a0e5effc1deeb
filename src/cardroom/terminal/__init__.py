"""A card table in the terminal: cards, chips and felt drawn with Rich, and everything that is printed for people."""

from cardroom.extras import require_packages

require_packages("cli", "Pages in the terminal", "rich")
