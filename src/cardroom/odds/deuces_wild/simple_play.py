"""The lists to remember, as answers: with which cards to play and to raise, and which to choose."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardroom.cards import Card
from cardroom.games import Decision, Pile, Table, Verb, View
from cardroom.games.deuces_wild.rules import (
    ANTE_PLAY_RAISE,
    FIVE_CARD_FORTUNE,
    FORTUNE_QUESTION,
    PLAY_QUESTION,
)
from cardroom.odds.deuces_wild.ante import AnteGame, Plan
from cardroom.odds.deuces_wild.counts import set_number
from cardroom.odds.deuces_wild.fortune import Choices, FortuneGame
from cardroom.odds.deuces_wild.preferences import simple_choices
from cardroom.odds.deuces_wild.strategy import simple_plan
from cardroom.odds.play import asked, own_cards


@dataclass(frozen=True)
class DeucesPlay:
    """Looks three or four cards up by their number; a wager that the table does not offer asks nothing."""

    ante: Plan | None = field(repr=False)
    fortune: Choices | None = field(repr=False)

    def __call__(self, seen: View) -> Decision:
        question, three = asked(seen).question, own_cards(seen, Pile.HAND)
        if question == FORTUNE_QUESTION:
            assert self.fortune is not None
            return Decision(Verb.CHOOSE, (_chosen(self.fortune, three),))
        assert self.ante is not None
        if question == PLAY_QUESTION:
            return Decision(Verb.PLAY if self.ante.play[set_number(three)] else Verb.FOLD)
        four = own_cards(seen, Pile.HAND, Pile.FOURTH)
        return Decision(Verb.RAISE if self.ante.raise_[set_number(four)] else Verb.FOLD)


def simple_play(table: Table) -> DeucesPlay:
    """Both lists, searched for under the paytables of the table."""
    main, side = table.offered.get(ANTE_PLAY_RAISE), table.offered.get(FIVE_CARD_FORTUNE)
    return DeucesPlay(
        ante=simple_plan(AnteGame(main.paytable)) if main else None,
        fortune=simple_choices(FortuneGame(side.paytable)) if side else None,
    )


def _chosen(choices: Choices, three: tuple[Card, ...]) -> tuple[Card, ...]:
    """One card by its place among the three, or the several that are named."""
    number = set_number(three)
    several = choices.several.get(number)
    return several or (sorted(three, key=lambda card: card.code)[choices.single[number]],)
