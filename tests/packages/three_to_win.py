"""A game in a package that its pricer does not count but simulates: its budget of situations is small."""

from __future__ import annotations

from pathlib import Path

from tests.packages.high_card import install as install_package

SLUG = "three-to-win"

RULES = '''
"""Three to Win: two cards are seen, then the player folds for half of nothing or plays for the third one."""

from cardroom.cards import Deck, Rank, Suit
from cardroom.games import Verb
from cardroom.games.actions import options
from cardroom.games.card_places import Pile, Place
from cardroom.games.actions import ChanceTurn, RoundEnd, SeatTurn
from cardroom.games.game import Game
from cardroom.games.settlement import fixed_payment, paytable_payment
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.odds.generic.pricer import GenericPricer
from cardroom.paytables import Push

ROYAL = {Rank.ACE, Rank.KING, Rank.QUEEN}


class ThreeToWin(Game):
    facts = GameFacts(
        slug="three-to-win",
        name="Three to Win",
        sheet="three-to-win",
        decks=(Deck.ONE,),
        wagers=(Wager("ante", "Ante", required=True),),
        tabulators=(),
        table_cards=0,
        seat_cards=3,
    )
    summary = "Two cards, then fold or play for the third one."

    def turn(self, r):
        for wanted in (1, 2):
            for seat in r.seats:
                if len(r.hand(seat)) < wanted:
                    return ChanceTurn(Place(Pile.HAND, seat))
        for seat in r.seats:
            if r.decision(seat, "play") is None:
                return SeatTurn(seat, "play", options(Verb.FOLD, Verb.PLAY))
        for seat in r.seats:
            if r.has_decided(seat, "play", Verb.PLAY) and len(r.hand(seat)) < 3:
                return ChanceTurn(Place(Pile.HAND, seat))
        return RoundEnd()

    def is_face_up(self, r, place):
        return False

    def payments(self, r):
        for seat in r.seats:
            hand, ante = r.hand(seat), r.wager_cents(seat, "ante")
            if r.has_decided(seat, "play", Verb.FOLD):
                yield fixed_payment(seat, "ante", "ante", ante, "fold", "fold", hand, Push())
                continue
            ranks, suits = {one.rank for one in hand}, {one.suit for one in hand}
            events = []
            if ranks == ROYAL and suits == {Suit.SPADES}:
                events.append("spade-royal")
            if len(ranks) < 3:
                events.append("pair")
            if suits == {Suit.HEARTS}:
                events.append("hearts")
            if max(ranks) >= Rank.KING:
                events.append("high")
            yield paytable_payment(r.table.offers["ante"], seat, "ante", "ante", ante, tuple(events), "hand", hand)


RULES = ThreeToWin()
PRICER = GenericPricer(RULES, budget=300, training_rounds=1_000, rounds=2_000)
'''

PAYTABLES = """
game = "three-to-win"
sheet = "three-to-win"
wagers = ["ante"]

[[table]]
appendix = "A"
title = "Ante"
wager = "ante"
basis = "to 1"
notes = []
columns = ["T-1"]
lines = [
  { event = "spade-royal", printed = "Spade Royal", cells = ["3000"] },
  { event = "hearts", printed = "Hearts", cells = ["5"] },
  { event = "pair", printed = "Pair", cells = ["2"] },
  { event = "high", printed = "King or Ace", cells = ["1"] },
]
"""


SIDE_WAGER = """            if red := r.wager_cents(seat, "red"):
                events = ("red",) if hand[0].suit in (Suit.HEARTS, Suit.DIAMONDS) else ()
                yield paytable_payment(r.table.offers["red"], seat, "red", "red", red, events, "first card", hand[:1])
"""

SIDE_PRICER = """
from cardroom.odds.payoffs import apply_paytable
from cardroom.odds.pricer import PricedWager


class WithRed(GenericPricer):
    def price(self, wager, table, settings, *more):
        if wager != "red":
            return super().price(wager, table, settings, *more)
        return PricedWager(tuple(apply_paytable({("red",): 26, (): 26}, table)))


PRICER = WithRed(RULES, budget=300, training_rounds=1_000, rounds=2_000)
"""

SIDE_PAYTABLE = """
[[table]]
appendix = "B"
title = "Red"
wager = "red"
basis = "to 1"
notes = []
columns = ["R-1"]
lines = [{ event = "red", printed = "Red", cells = ["1"] }]
"""


def with_side_wager() -> tuple[str, str]:
    """Rules and paytables with a side wager that is priced exactly: whether the first card is red."""
    ante = 'Wager("ante", "Ante", required=True),'
    hand = '            hand, ante = r.hand(seat), r.wager_cents(seat, "ante")\n'
    rules = RULES.replace(ante, f'{ante} Wager("red", "Red"),').replace(hand, hand + SIDE_WAGER) + SIDE_PRICER
    return rules, PAYTABLES.replace('["ante"]', '["ante", "red"]') + SIDE_PAYTABLE


def install(site: Path, rules: str = RULES, paytables: str = PAYTABLES) -> None:
    """Lay the package with its pricer."""
    install_package(
        site,
        slug=SLUG,
        package="three-to-win-game",
        module="three_to_win",
        rules=f"{rules}\n# Laid in {site}, so that nothing computed for another folder is remembered.\n",
        paytables=paytables,
    )
    (about,) = site.glob("*.dist-info")
    with (about / "entry_points.txt").open("a") as file:
        file.write(f"\n[cardroom.pricers]\n{SLUG} = three_to_win.rules:PRICER\n")
