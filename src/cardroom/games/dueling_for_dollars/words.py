"""Dueling for Dollars in words: the short rules, what answers mean, and how its sheet is read."""

from typing import Final

from cardroom.games.decisions import Verb
from cardroom.games.rulings import ruled

IN_SHORT: Final = """
Wager that your card is higher (PLAYER) or lower (DEALER) than the community card. The ace is high (DD-1).
On a tie surrender half of the wager, or go to war: match it, for one more card against one more community card.
In the war a tie wins too. The War wager wins even money, and the first wager pushes.
"""

ANSWERS: Final = {
    Verb.WAR: "one more card each",
    Verb.SURRENDER: "give up half of the wager",
}

QUESTIONS: Final = {
    "tie": "A tie: war or surrender?",
}

RULINGS: Final = ruled("""
- **DD-1** The ace is high when cards are compared. For Combo and 2 + 2 it connects with the two and with the king.
- **DD-2** A pair is a pair, suited or not: on Combo tables 4 and 5 a suited pair loses.
- **DD-3** All players at war share one additional community card. Burning three cards is optional and changes
  nothing.
- **DD-4** The optional bonus for a tie after a tie is two units, the initial and the War wager, on top of the win.
- **DD-5** In Tie After Tie "color" looks at the cards that make the event: four, three or two of them. A player who
  surrenders keeps only the One Tie line.
- **DD-6** The four cards of 2 + 2 are the player's first, the first community card and two more that are not the war
  cards. A three-card straight flush is any three of the four. The royal is A-K-Q-J of one suit.
- **DD-7** Tie Plus tables are limited to the numbers of decks printed above them.
- **DD-8** Trips in Tie After Tie are the initial tie and exactly one of the two war cards; the printed line is more
  specific than the text, which speaks of a second tie.
- **DD-9** Three of a kind in 2 + 2 is any three of the four cards, whatever the start.
""")
