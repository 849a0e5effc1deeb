"""The cards that made a prize are lifted, and no others."""

from __future__ import annotations

from collections import Counter

from cardroom.games import default_setup, round_from_json, view
from cardroom.games.setup import setup_to_json
from cardroom.web.pages.table_view import table_card_piles

TWO_ALIKE = {
    "table": setup_to_json(default_setup("texas-shootout")),
    "wagers": {"1": {"shootout": 1000}},
    "cards": {
        "seat 1 hand": ["Ah", "Ac", "4d", "2c"],
        "dealer": ["Qs", "9h", "6h", "5h"],
        "community": ["6c", "9h", "Kc", "Ks", "2d"],
    },
    "decisions": [{"seat": 1, "question": "hand", "answer": "keep Ah Ac"}],
}


def test_of_two_cards_alike_the_communitys_is_lifted_and_not_the_dealers() -> None:
    seen = view(round_from_json(TWO_ALIKE), 1)
    dealers, community = table_card_piles(seen, Counter({"9h": 1, "Kc": 1, "Ks": 1}))
    assert (dealers.name, community.name) == ("dealer", "community")
    assert [card.code for card in community.cards if card.is_lifted] == ["9h", "Kc", "Ks"]
    assert not any(card.is_lifted for card in dealers.cards)


def test_a_prize_of_both_hands_lifts_the_dealers_cards_too() -> None:
    seen = view(round_from_json(TWO_ALIKE), 1)
    dealers, _ = table_card_piles(seen, Counter({"9h": 2, "Qs": 1}))
    assert [card.code for card in dealers.cards if card.is_lifted] == ["Qs", "9h"]
