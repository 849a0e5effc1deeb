"""The rankings of the house and the slow reading of the sheets agree about any two hands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import STANDARD_DECK, Card, parse_cards
from cardroom.hands import (
    best_five,
    best_five_six_deck,
    best_five_wild,
    best_four,
    best_three,
    best_three_wild,
    compute_strength,
    encode_hands,
    evaluate,
    evaluate_many,
)
from tests.hands import reference
from tests.hands.dealing import MANY, SOME, Pairing, each_ranking, hands, hands_of
from tests.hands.reference import any_substitutes

BY_NAME = {
    "three-card": best_three,
    "three-card with wild cards": best_three_wild,
    "four-card": best_four,
    "five-card": best_five,
    "five-card with wild cards": best_five_wild,
    "six-deck": best_five_six_deck,
}


@each_ranking
@MANY
@given(table=st.data())
def test_two_hands_are_called_and_compared_as_on_the_sheet(pairing: Pairing, table: st.DataObject) -> None:
    mine, yours = table.draw(hands(pairing)), table.draw(hands(pairing))
    my_verdict, your_verdict = pairing.sheet.verdict(mine), pairing.sheet.verdict(yours)
    my_hand, your_hand = evaluate(pairing.ranking, mine), evaluate(pairing.ranking, yours)
    assert (my_hand.category, your_hand.category) == (my_verdict.line, your_verdict.line)
    assert (my_hand.strength > your_hand.strength) == (my_verdict > your_verdict)
    assert (my_hand.strength < your_hand.strength) == (my_verdict < your_verdict)
    assert (my_hand == your_hand) == (my_verdict == your_verdict)


@each_ranking
@SOME
@given(table=st.data())
def test_every_way_of_asking_gives_the_same_strength(pairing: Pairing, table: st.DataObject) -> None:
    """One hand in full, its strength alone, the function named after the ranking, and many hands at once."""
    size = table.draw(st.sampled_from(pairing.sizes))
    dealt = table.draw(st.lists(hands_of(pairing.ranking, size), min_size=1, max_size=5))
    one_by_one = [evaluate(pairing.ranking, hand).strength for hand in dealt]
    assert evaluate_many(pairing.ranking, encode_hands(dealt)).tolist() == one_by_one
    assert [compute_strength(pairing.ranking, hand) for hand in dealt] == one_by_one
    assert [BY_NAME[pairing.ranking.name](hand).strength for hand in dealt] == one_by_one


@each_ranking
def test_the_lines_stand_in_the_order_of_the_sheet(pairing: Pairing) -> None:
    assert tuple(reversed(pairing.ranking.order)) == pairing.sheet.lines


@SOME
@given(
    natural=st.sampled_from([1, 3]).flatmap(
        lambda count: st.permutations([card for card in STANDARD_DECK if card.rank > 2]).map(lambda deck: deck[:count])
    ),
    wild=st.sampled_from(["2c Jk", "2h 2s"]).map(parse_cards),
)
def test_wild_cards_find_nothing_better_outside_the_suit_of_a_natural_card(
    natural: list[Card], wild: tuple[Card, ...]
) -> None:
    """The one short cut of the reference, against two wild cards that are each tried as all 52 cards."""
    sheet = reference.THREE_CARD_WILD if len(natural) == 1 else reference.FIVE_CARD_WILD
    the_long_way = max(sheet.match([*natural, *stand_ins], wild=2) for stand_ins in any_substitutes(2))
    assert sheet.verdict([*natural, *wild]) == the_long_way
