"""The text of Dueling for Dollars: short rules, decisions, rulings, and the dealing procedure of rule sheet 003.

The sheet has two versions, whose rules are numbered differently. A table uses one of them.
"""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import Verb
from cardroom.games.card_places import BURN, COMMUNITY, Pile
from cardroom.games.playable_table import Table
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulation_steps
from cardroom.games.rulings import parse_rulings
from cardroom.translation import gettext_noop

SUMMARY: Final = gettext_noop("""
Wager that your card is higher (PLAYER) or lower (DEALER) than the community card. The ace is high (DD-1).
On a tie surrender half of the wager, or go to war: match it, for one more card against one more community card.
In the war a tie wins too. The War wager wins even money, and the first wager pushes.
""")

VERB_DESCRIPTIONS: Final = {
    Verb.WAR: gettext_noop("one more card each"),
    Verb.SURRENDER: gettext_noop("give up half of the wager"),
}

QUESTION_TEXTS: Final = {
    "tie": gettext_noop("It's a tie! Go to war, or surrender and take half back?"),
}

RULINGS: Final = parse_rulings("""
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


_WAR_CONDITION: Final = "a player goes to war"
# The rule numbers with PLAYER and DEALER spots, and with the PLAY spot.
_RULE_NUMBERS: Final = {
    "wagers": ("rule 1", "rule 1"),
    "deal": ("rule 2", "rule 2"),
    "compare": ("rules 3 to 5", "rule 3"),
    "ties": ("rules 6 and 7", "rules 4 and 5"),
    "burn": ("rule 8", "rule 6"),
    "war": ("rule 9", "rule 7"),
    "take-or-pay": ("rules 10 to 12", "rules 8 and 9"),
}


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of Dueling for Dollars."""
    play_spot = table.options["duel_spots"] == "play"

    def step(
        name: str,
        kind: StepKind,
        text: str,
        condition: str = "",
        *,
        places: tuple[str, ...] = (),
        questions: tuple[str, ...] = (),
    ) -> ProcedureStep:
        return ProcedureStep(name, kind, text, _RULE_NUMBERS[name][play_spot], condition, places, questions)

    spots = "on PLAY" if play_spot else "on PLAYER or on DEALER"
    burn_step = step("burn", StepKind.DEAL, "Burn three cards.", _WAR_CONDITION, places=(str(BURN),))
    added_step = ProcedureStep(
        "added-cards",
        StepKind.DEAL,
        "Deal two more community cards for the 2 + 2 Jackpot; they are not the war cards (DD-6).",
        "2 + 2 Jackpot",
        "a player with a 2 + 2 wager starts with a pair or a two-card straight flush",
        places=(Pile.ADDED_COMMUNITY,),
    )
    return (
        step("wagers", StepKind.WAGERS, f"Each player wagers {spots}, and makes any bonus wagers."),
        *tabulation_steps(table, "Bonus and Progressive Jackpots, BJ-3"),
        step(
            "deal",
            StepKind.DEAL,
            "Deal one card to each player, then one community card.",
            places=(Pile.HAND, str(COMMUNITY)),
        ),
        step("compare", StepKind.PAY, "Compare each player's card, and take or pay the wagers that are not tied."),
        step(
            "ties",
            StepKind.DECIDE,
            "Each player with a tie surrenders half of the wager, or goes to war with a War wager of the same amount; "
            "put one beside the community card.",
            "a player's card ties the community card",
            questions=("tie",),
        ),
        *((burn_step,) if table.options["burn"] else ()),
        step(
            "war",
            StepKind.DEAL,
            "Deal one more card to each player at war, then one more community card for all of them (DD-3).",
            _WAR_CONDITION,
            places=(Pile.WAR, Pile.WAR_COMMUNITY),
        ),
        *((added_step,) if "two-plus-two" in table.offers else ()),
        step("take-or-pay", StepKind.TAKE_OR_PAY, "Take or pay the wars, then the bonus wagers, seat by seat."),
        COLLECT_CARDS,
    )
