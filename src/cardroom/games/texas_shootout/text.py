"""The text of Texas Shootout: short rules, decisions, rulings, and the dealing procedure of rule sheet 002."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep, Verb
from cardroom.games.card_places import COMMUNITY, DEALER_HAND, Pile
from cardroom.games.playable_table import Table
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulation_steps
from cardroom.games.rulings import parse_rulings
from cardroom.translation import gettext_noop

SUMMARY: Final = gettext_noop("""
From four cards keep two, or match your wager and split them into two hands of two.
Five community cards follow. Your best five plays against the dealer's, whose two cards the house way chooses (TS-1).
A tie loses, unless your Quick Draw wager is at least your Texas Shootout wager: then it pushes (TS-3).
Six decks are in use: five of a kind is possible, and a flush may hold pairs (TS-2).
""")

VERB_DESCRIPTIONS: Final = {
    Verb.KEEP: gettext_noop("play these two"),
    Verb.SPLIT: gettext_noop("play two hands"),
    Verb.MATCH: gettext_noop("a bonus wager on each hand"),
    Verb.FIRST_HAND: gettext_noop("the bonus wager is on the first hand"),
    Verb.SECOND_HAND: gettext_noop("the bonus wager is on the second hand"),
}

QUESTION_TEXTS: Final = {
    "hand": gettext_noop("Keep two cards, or split?"),
    "bonus": gettext_noop("You split. Put your Shootout Bonus on which hand, or match it for both?"),
}

RULINGS: Final = parse_rulings("""
- **TS-1** House way: the first of the 14 lines that any two of the four cards meet decides. Inside a line the higher
  first card, then the higher second card, then suited before unsuited. Of choices that are still equal, pairs of one
  rank, the cards that were dealt first are kept; suits have no rank. "Ten-Jack or better" means that both cards are
  tens or higher; "face card high" is jack, queen or king high; line 13 is the highest two cards of one suit.
- **TS-2** Flushes compare card by card from the top and duplicates count: Q-Q-6-6-3 beats Q-10-9-8-2. A suited full
  house or four of a kind ranks as what it is apart from the suit, which is higher.
- **TS-3** For the tie rule the original Quick Draw wager is compared with the original Texas Shootout wager; it then
  covers both hands of a split.
- **TS-4** Quick Draw lines hold for the first four cards. A suited pair (two identical cards) is paid on its line
  where the table has one, else as a pair. The royal is A-K-Q-J of one suit. Four suited cards with a pair are a
  flush.
- **TS-5** Color Bonus, Envy Bonus and Share the Wealth are alternatives, one a wager; Envy or Share the Wealth are on
  one wager of the table only. Five Ace Frenzy is the jackpot's alternative. Envy and Share the Wealth pay once for
  each hand that triggers them.
- **TS-6** A feature needs a qualifying wager; the lammer records it. It is two dollars on the Jackpot, the larger of
  its two wagers, and on Shootout Bonus five dollars or what the operator asks above that.
- **TS-7** A percentage is divided among players. A player whose two hands of a split meet the same line has one share,
  which is paid on the first hand.
- **TS-8** After a split each hand carries the jackpot's feature and so envies every other player hand, its twin
  included.
""")


_WAGERS_TEXT: Final = "Players place their wagers."
_LAMMERS_TEXT: Final = " Put a lammer beside each wager that qualifies for its bonus feature."
_CARD_STEPS: Final = (
    ProcedureStep(
        "deal",
        StepKind.DEAL,
        "Deal four cards to each player and to the dealer, one at a time in rotation, the dealer last.",
        "rules of play",
        places=(Pile.HAND, str(DEALER_HAND)),
    ),
    ProcedureStep(
        "decide",
        StepKind.DECIDE,
        "Each player in turn keeps two cards and discards two, or splits them into two hands and matches the wager; "
        "after a split the Shootout Bonus is matched or rides on one of the hands.",
        "rules of play; Appendix B, note 5",
        questions=("hand", "bonus"),
    ),
    ProcedureStep(
        "reveal",
        StepKind.REVEAL,
        "Expose the dealer's four cards in the order in which they were dealt, and keep two of them by the house way; "
        "of equal choices the cards dealt first (TS-1).",
        "rules of play, house way",
        step=DealerStep.REVEAL,
    ),
    ProcedureStep(
        "community-cards",
        StepKind.DEAL,
        "Deal five community cards face up in the center of the table.",
        "rules of play",
        places=(str(COMMUNITY),),
    ),
    ProcedureStep(
        "take-or-pay",
        StepKind.TAKE_OR_PAY,
        "Seat by seat: take or pay Texas Shootout, Quick Draw, Shootout Bonus, the Jackpot and their features.",
        "rules of play; Appendices A to C",
    ),
    COLLECT_CARDS,
)


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of Texas Shootout."""
    has_feature = any(offered.feature for offered in table.offers.values())
    rule = "Bonus Features' Procedures and Restrictions" if has_feature else "rules of play"
    wagers = ProcedureStep("wagers", StepKind.WAGERS, _WAGERS_TEXT + (_LAMMERS_TEXT if has_feature else ""), rule)
    return (wagers, *tabulation_steps(table, "Jackpot, BJ-3 and BJ-20"), *_CARD_STEPS)
