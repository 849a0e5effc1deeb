"""The games in a few sentences, for somebody who sits down for the first time. The rule sheets have the full text."""

from __future__ import annotations

from typing import Final

IN_SHORT: Final = {
    "deuces-wild": """
Deuces and the joker are wild. There is no dealer's hand: your five cards are paid by the table.
After three cards fold, or make a Play wager equal to the Ante. After four fold, or Raise twice the Ante.
The table pays on Ante, Play and Raise alike (DW-3). Folding does not end the other wagers (DW-7).
For Five Card Fortune choose one of your first three cards, or all wild ones, to join four community cards (DW-6).
""",
    "three-card-prime": """
Three cards against the dealer's three. Fold, or make a Play wager equal to the Ante.
The dealer qualifies with a queen high. If not, the Ante pushes and Play is paid as a win (TP-1).
Equal hands win for you. When a straight or better loses, Play is paid by the Bad Beat lines (TP-2).
Your fourth card counts for Pair Bonus, Final Four and All Seven only. Folding keeps every bonus wager (TP-6).
""",
    "texas-shootout": """
From four cards keep two, or match your wager and split them into two hands of two.
Five community cards follow. Your best five plays against the dealer's, whose two cards the house way chooses (TS-1).
A tie loses, unless your Quick Draw wager is at least your Texas Shootout wager: then it pushes (TS-3).
Six decks are in use: five of a kind is possible, and a flush may hold pairs (TS-2).
""",
    "dueling-for-dollars": """
Wager that your card is higher (PLAYER) or lower (DEALER) than the community card. The ace is high (DD-1).
On a tie surrender half of the wager, or go to war: match it, for one more card against one more community card.
In the war a tie wins too. The War wager wins even money, and the first wager pushes.
""",
    "three-card-double-play": """
Make two equal wagers, High and Low, and set your six cards as two hands of three; the higher one is High.
Then double both wagers or stand. The dealer plays the best three of five; copies win for you (DP-1).
High pays even money. When both hands win, Low is paid by its table, by the rank of the low hand.
Pick-3 and Super-3's look at your six cards, however you set them (DP-3).
""",
}
