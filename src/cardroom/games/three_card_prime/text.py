"""The text of Three Card Prime: short rules, decisions, rulings, and the dealing procedure of rule sheet 001."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep, Verb
from cardroom.games.card_places import BURN, DEALER_HAND, Pile
from cardroom.games.playable_table import Table
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulation_steps
from cardroom.games.rulings import parse_rulings
from cardroom.translation import gettext_noop

SUMMARY: Final = gettext_noop("""
Three cards against the dealer's three. Fold, or make a Play wager equal to the Ante.
The dealer qualifies with a queen high. If not, the Ante pushes and Play is paid as a win (TP-1).
Equal hands win for you. When a straight or better loses, Play is paid by the Bad Beat lines (TP-2).
Your fourth card counts for Pair Bonus, Final Four and All Seven only. Folding keeps every bonus wager (TP-6).
""")

VERB_DESCRIPTIONS: Final = {
    Verb.FOLD: gettext_noop("give up the hand"),
    Verb.PLAY: gettext_noop("stay in the hand"),
}

RULINGS: Final = parse_rulings("""
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


_WAGERS_STEP: Final = ProcedureStep(
    "wagers", StepKind.WAGERS, "Each player makes an Ante wager, and any bonus wagers.", "rule 1"
)
_CARD_STEPS: Final = (
    ProcedureStep(
        "deal",
        StepKind.DEAL,
        "Deal four cards face down to each player; set the top card apart, and deliver the other three. Take a packet "
        "of four for the dealer, and discard its bottom card.",
        "rule 1",
        places=(Pile.HAND, Pile.FOURTH, str(BURN), str(DEALER_HAND)),
    ),
    ProcedureStep(
        "decide",
        StepKind.DECIDE,
        "Each player in turn folds, or makes a Play wager equal to the Ante.",
        "rule 2",
        questions=("play",),
    ),
    ProcedureStep(
        "reveal",
        StepKind.REVEAL,
        "Reveal the dealer's three cards; a queen high or better qualifies.",
        "rule 3",
        step=DealerStep.REVEAL,
    ),
    ProcedureStep(
        "take-or-pay",
        StepKind.TAKE_OR_PAY,
        "Seat by seat: take or pay the Ante, the Play wager, then the bonus wagers; folded hands keep theirs (TP-6).",
        "rules 4 and 5",
    ),
    COLLECT_CARDS,
)


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of Three Card Prime."""
    return (_WAGERS_STEP, *tabulation_steps(table, "Jackpot wagers, BJ-3"), *_CARD_STEPS)
