"""Three Card Prime in words: the short rules, what answers mean, and how its sheet is read."""

from typing import Final

from cardroom.games.decisions import Verb
from cardroom.games.rulings import ruled

IN_SHORT: Final = """
Three cards against the dealer's three. Fold, or make a Play wager equal to the Ante.
The dealer qualifies with a queen high. If not, the Ante pushes and Play is paid as a win (TP-1).
Equal hands win for you. When a straight or better loses, Play is paid by the Bad Beat lines (TP-2).
Your fourth card counts for Pair Bonus, Final Four and All Seven only. Folding keeps every bonus wager (TP-6).
"""

ANSWERS: Final = {
    Verb.FOLD: "give up the hand",
    Verb.PLAY: "stay in the hand",
}

RULINGS: Final = ruled("""
- **TP-1** Against a dealer below queen-high the Ante pushes and Play is paid by the Win-or-Copy column whatever the
  hands. Against a dealer who qualifies, equal hands win for the player.
- **TP-2** The columns PW/BB 1 to 4 are the Bad Beat: for a losing straight or better. A losing flush or lower always
  loses its Play wager (rule 5), although columns 2 and 4 print a 1 there. The printed figure is kept and marked.
- **TP-3** A Pair Bonus table is a pair of columns, one for an ordinary fourth card and one for a deuce, written `PB
  1+PB/LD 3`.
- **TP-4** A six-card royal is 9-10-J-Q-K-A of one suit. All-Six and All Seven use the best five of their cards.
- **TP-5** For Final Four the first three cards must be a straight or better; a flush is not. The four-card royal is
  J-Q-K-A of one suit. A straight flush of three whose fourth card only extends the straight stays an initial straight
  flush.
- **TP-6** Folding keeps every bonus wager in action; the fourth card and the dealer's hand still count for them.
- **TP-7** The mini-royal, A-K-Q of one suit, is above every other straight flush.
""")
