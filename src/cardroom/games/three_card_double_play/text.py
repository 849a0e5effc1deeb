"""The text of 3 Card Double Play Poker: short rules, decisions, rulings, and the procedure of rule sheet 004."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep, Verb
from cardroom.games.card_places import DEALER_HAND, Pile
from cardroom.games.playable_table import Table
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulation_steps
from cardroom.games.rulings import parse_rulings
from cardroom.translation import gettext_noop

SUMMARY: Final = gettext_noop("""
Make two equal wagers, High and Low, and set your six cards as two hands of three; the higher one is High.
Then double both wagers or stand. The dealer plays the best three of five; copies win for you (DP-1).
High pays even money. When both hands win, Low is paid by its table, by the rank of the low hand.
Pick-3 and Super-3's look at your six cards, however you set them (DP-3).
""")

VERB_DESCRIPTIONS: Final = {
    Verb.DOUBLE: gettext_noop("double down on both hands"),
    Verb.STAND: gettext_noop("leave the wagers as they are"),
}

QUESTION_TEXTS: Final = {
    "set": gettext_noop("Which three cards are your High hand, and which three your Low hand?"),
    "double": gettext_noop("Double both wagers, or stand?"),
}

RULINGS: Final = parse_rulings("""
- **DP-1** High and Low are one unit each. Copies win for the player. The Low Hand table applies when both hands win,
  by the rank of the low hand, and to its double-down wager alike.
- **DP-2** The higher hand is in the High box. Doubling doubles both sides.
- **DP-3** Pick-3 and Super-3's look at the six cards, not at how they were set: the best line that some division into
  two separate hands of three meets.
- **DP-4** "Double pairs": each hand has a pair. "Double flush or straight": each hand is a flush or a straight, in
  any mix. A straight flush or trips in one hand puts that division on a higher line.
- **DP-5** Super-Six's straight flush of six runs from ace low to ace high. Pick-5 uses the best five of six.
- **DP-6** Two equal hands may be in either box, and stay as the player set them.
- **DP-7** The double-down wagers are wagers of their own: an operator's dollar bonus on the Low Hand is paid on each.
- **DP-8** Cards are dealt one at a time in rotation, the dealer last; the sheet is silent.
- **DP-9** "Other" on the Pick-3 tables loses in every column, also in those whose other lines are the operator's
  bonus.
""")


_WAGERS_STEP: Final = ProcedureStep(
    "wagers",
    StepKind.WAGERS,
    "Each player makes two equal wagers, High Hand and Low Hand, and any bonus wagers.",
    "rule 1",
)
_CARD_STEPS: Final = (
    ProcedureStep(
        "deal",
        StepKind.DEAL,
        "Deal six cards to each player and five to the dealer, one at a time in rotation, the dealer last (DP-8); show "
        "none of the dealer's.",
        "rule 2",
        places=(Pile.HAND, str(DEALER_HAND)),
    ),
    ProcedureStep(
        "decide",
        StepKind.DECIDE,
        "Each player sets two hands of three face down, the higher one in the High Hand box, and doubles down on both "
        "or on none.",
        "rules 3 and 4",
        questions=("set", "double"),
    ),
    ProcedureStep(
        "reveal",
        StepKind.REVEAL,
        "Reveal the dealer's five cards, keep the best three and discard two.",
        "rule 6",
        step=DealerStep.REVEAL,
    ),
    ProcedureStep(
        "take-or-pay",
        StepKind.TAKE_OR_PAY,
        "Seat by seat: compare both hands with the dealer's; take or pay High and Low with their doubles, then the "
        "bonus wagers.",
        "rules 7 to 10",
    ),
    COLLECT_CARDS,
)


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of 3 Card Double Play Poker."""
    return (_WAGERS_STEP, *tabulation_steps(table, "Jackpot wagers, BJ-3"), *_CARD_STEPS)
