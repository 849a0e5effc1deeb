"""Deuces Wild in words: the short rules, what answers mean, and how its sheet is read."""

from typing import Final

from cardroom.games.decisions import Verb
from cardroom.games.rulings import ruled

IN_SHORT: Final = """
Deuces and the joker are wild. There is no dealer's hand: your five cards are paid by the table.
After three cards fold, or make a Play wager equal to the Ante. After four fold, or Raise twice the Ante.
The table pays on Ante, Play and Raise alike (DW-3). Folding does not end the other wagers (DW-7).
For Five Card Fortune choose one of your first three cards, or all wild ones, to join four community cards (DW-6).
"""

ANSWERS: Final = {
    Verb.FOLD: "give up the hand",
    Verb.PLAY: "stay in the hand",
    Verb.RAISE: "stay in to the last card",
    Verb.CHOOSE: "to join the community cards",
}

QUESTIONS: Final = {
    "fortune": "Which of your cards for Five Card Fortune?",
}

RULINGS: Final = ruled("""
- **GEN-2** Deuces Wild's Raise is one wager of twice the Ante. Where one wager is limited, the Ante is limited to
  half.
- **DW-1** Appendix A has six tables, A to F. The seventh column repeats the sixth and is a fault of the scan.
- **DW-2** Appendix D has a fourth table, D, whose heading was lost; all its lines are the operator's bonus.
- **DW-3** The table pays on Ante, Play and Raise alike: four units in all when the player raises.
- **DW-4** In the main game five wild cards are a Wild Royal Flush, the highest line that they can be. A wild card
  makes a Natural Royal Flush impossible. In Five Card Fortune five wild cards have a line of their own.
- **DW-5** There are four community cards. Rule 8 speaks of five, against rules 2(c), 18, 21 and Appendix C.
- **DW-6** The Five Card Fortune card is chosen from the first three cards, before any community card is seen. Wild
  cards may be chosen together; otherwise exactly one card is. The best five of these and the community cards count.
- **DW-7** Folding the Ante ends none of the other wagers. A Bonus Jackpot player gets five cards in any case.
- **DW-8** A Five Card Fortune player may look at the first three cards: rule 19 does not name that wager, but rule 21
  makes the player select one of them.
- **DW-9** The exception of rule 21 holds whenever nobody is due a fourth card, also when nobody made an Ante. A Bonus
  Jackpot wager counts as going on. Without a Five Card Fortune wager the round then ends at once.
- **DW-10** At the end the hands with a Raise or a Bonus Jackpot wager are turned over, folded ones included, because
  the jackpot could not be paid otherwise. Other folded hands stay hidden.
- **DW-11** A wild card in a flush stands for the highest card of the suit that the flush lacks. One deck has each
  card once. It decides nothing that is paid, only which of two flushes is called higher.
""")
