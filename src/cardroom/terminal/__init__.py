"""Pages in the terminal, and a card table drawn with Rich."""

from cardroom.extras import require_packages

require_packages("cli", "Pages in the terminal", "rich")
