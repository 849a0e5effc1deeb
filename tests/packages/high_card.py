"""A tiny game in a package of its own, laid in a folder as an installer would lay it."""

from __future__ import annotations

from pathlib import Path

SLUG = "high-card"
PACKAGE = "high-card-game"

RULES = '''
"""High Card: one card each, the higher one wins even money, equal ones lose."""

from cardroom.cards import Deck
from cardroom.games.card_places import DEALER_HAND, Pile, Place
from cardroom.games.actions import ChanceTurn, RoundEnd
from cardroom.games.game import Game
from cardroom.games.settlement import EVEN_MONEY, fixed_payment, paytable_payment
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.paytables import Loss


class HighCard(Game):
    facts = GameFacts(
        slug="high-card",
        name="High Card",
        sheet="high-card",
        decks=(Deck.TWO, Deck.FOUR),
        wagers=(Wager("wager", "Wager", required=True), Wager("ace", "Ace")),
        tabulators=(),
        table_cards=1,
        seat_cards=1,
    )

    def turn(self, r):
        for seat in (*r.seats, None):
            if not r.hand(seat):
                return ChanceTurn(Place(Pile.HAND, seat))
        return RoundEnd()

    def is_face_up(self, r, place):
        return True

    def payments(self, r):
        (dealer,) = r.hand()
        for seat in r.seats:
            (card,) = r.hand(seat)
            pay = EVEN_MONEY if card.rank > dealer.rank else Loss()
            event = "win" if card.rank > dealer.rank else "loss"
            wagered = r.wager_cents(seat, "wager")
            yield fixed_payment(seat, "wager", "wager", wagered, event, card.rank.word, (card,), pay)
            if ace := r.wager_cents(seat, "ace"):
                events = ("ace",) if card.rank == 14 else ()
                yield paytable_payment(r.table.offers["ace"], seat, "ace", "ace", ace, events, "-", (card,))


RULES = HighCard()
'''

PAYTABLES = """
game = "high-card"
sheet = "high-card"
wagers = ["wager", "ace"]

[[table]]
appendix = "A"
title = "Ace"
wager = "ace"
basis = "to 1"
notes = []
columns = ["ACE-1", "ACE-2"]
lines = [{ event = "ace", printed = "Ace", cells = ["10", "11"] }]
"""


def install(
    site: Path,
    *,
    slug: str = SLUG,
    package: str = PACKAGE,
    module: str = "high_card",
    rules: str = RULES,
    paytables: str | None = PAYTABLES,
    value: str | None = None,
) -> None:
    """Lay the package and what an installer writes beside it."""
    folder = site / module
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "rules.py").write_text(rules)
    if paytables is not None:
        (folder / "paytables.toml").write_text(paytables)
    about = site / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[cardroom.games]\n{slug} = {value or f'{module}.rules:RULES'}\n")
