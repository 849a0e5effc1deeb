"""3 Card Double Play Poker in words: the short rules, what answers mean, and how its sheet is read."""

from typing import Final

from cardroom.games.decisions import Verb
from cardroom.games.rulings import ruled

IN_SHORT: Final = """
Make two equal wagers, High and Low, and set your six cards as two hands of three; the higher one is High.
Then double both wagers or stand. The dealer plays the best three of five; copies win for you (DP-1).
High pays even money. When both hands win, Low is paid by its table, by the rank of the low hand.
Pick-3 and Super-3's look at your six cards, however you set them (DP-3).
"""

ANSWERS: Final = {
    Verb.DOUBLE: "double down on both hands",
    Verb.STAND: "leave the wagers as they are",
}

QUESTIONS: Final = {
    "set": "Which three cards high, which three low?",
    "double": "Double both wagers, or stand?",
}

RULINGS: Final = ruled("""
- **DP-1** High and Low are one unit each. Copies win for the player. The Low Hand table applies when both hands win,
  by the rank of the low hand, and to its double-down wager alike.
- **DP-2** The higher hand stands in the High box. Doubling doubles both sides.
- **DP-3** Pick-3 and Super-3's look at the six cards, not at how they were set: the best line that some division into
  two separate hands of three meets.
- **DP-4** "Double pairs": each hand has a pair. "Double flush or straight": each hand is a flush or a straight, in
  any mix. A straight flush or trips in one hand puts that division on a higher line.
- **DP-5** Super-Six's straight flush of six runs from ace low to ace high. Pick-5 uses the best five of six.
- **DP-6** Two equal hands may stand in either box, and stay as the player set them.
- **DP-7** The double-down wagers are wagers of their own: an operator's dollar bonus on the Low Hand is paid on each.
- **DP-8** Cards are dealt one at a time in rotation, the dealer last; the sheet is silent.
- **DP-9** "Other" on the Pick-3 tables loses in every column, also in those whose other lines are the operator's
  bonus.
""")
