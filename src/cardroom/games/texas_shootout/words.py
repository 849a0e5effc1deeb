"""Texas Shootout in words: the short rules, what answers mean, and how its sheet is read."""

from typing import Final

from cardroom.games.decisions import Verb
from cardroom.games.rulings import ruled

IN_SHORT: Final = """
From four cards keep two, or match your wager and split them into two hands of two.
Five community cards follow. Your best five plays against the dealer's, whose two cards the house way chooses (TS-1).
A tie loses, unless your Quick Draw wager is at least your Texas Shootout wager: then it pushes (TS-3).
Six decks are in use: five of a kind is possible, and a flush may hold pairs (TS-2).
"""

ANSWERS: Final = {
    Verb.KEEP: "play these two",
    Verb.SPLIT: "play two hands",
    Verb.MATCH: "a second bonus wager, one for each hand",
    Verb.FIRST_HAND: "the bonus wager rides on the first hand",
    Verb.SECOND_HAND: "the bonus wager rides on the second hand",
}

QUESTIONS: Final = {
    "hand": "Keep two cards, or split?",
    "bonus": "Shootout Bonus: match it, or on which hand does it ride?",
}

RULINGS: Final = ruled("""
- **TS-1** House way: the first of the 14 lines that any two of the four cards meet decides. Inside a line the higher
  first card, then the higher second card, then suited before unsuited. Of choices that are still equal, pairs of one
  rank, the cards that were dealt first are kept; suits have no rank. "Ten-Jack or better" means that both cards are
  tens or higher; "face card high" is jack, queen or king high; line 13 is the highest two cards of one suit.
- **TS-2** Flushes compare card by card from the top and duplicates count: Q-Q-6-6-3 beats Q-10-9-8-2. A suited full
  house or four of a kind ranks as what it is apart from the suit, which is higher.
- **TS-3** For the tie rule the original Quick Draw wager is held against the original Texas Shootout wager; it then
  covers both hands of a split.
- **TS-4** Quick Draw lines hold for the first four cards. A suited pair (two identical cards) is paid on its line
  where the table has one, else as a pair. The royal is A-K-Q-J of one suit. Four suited cards with a pair are a
  flush.
- **TS-5** Color Bonus, Envy Bonus and Share the Wealth are alternatives, one a wager; Envy or Share the Wealth stand
  on one wager of the table only. Five Ace Frenzy is the jackpot's alternative. Envy and Share the Wealth pay once for
  each hand that triggers them.
- **TS-6** A feature needs a qualifying wager; the lammer records it. It is two dollars on the Jackpot, the larger of
  its two wagers, and on Shootout Bonus five dollars or what the operator asks above that.
- **TS-7** A percentage is divided among players. A player whose two hands of a split meet the same line has one share,
  which is paid on the first hand.
- **TS-8** After a split each hand carries the jackpot's feature and so envies every other player hand, its twin
  included.
""")
