"""The count of every deal, proved on small shoes: fewer ranks, fewer copies, the same code."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from cardroom.cards import card_from_code
from cardroom.games.texas_shootout.house_way import house_way
from cardroom.hands import SIX_DECK, compute_strength
from cardroom.odds.simulation.runner import ProgressMonitor
from cardroom.odds.texas_shootout.hand_values import hand_classes
from cardroom.odds.texas_shootout.tablebase.board_totals import count_piece, count_tables, pieces
from cardroom.odds.texas_shootout.tablebase.builder import CountInterrupted, PieceStore, count_deals
from cardroom.odds.texas_shootout.tablebase.file import (
    SPLITS,
    CountMismatch,
    HandCounts,
    hand_counts,
    representative_hands,
)
from cardroom.odds.texas_shootout.tablebase.proof import recount_hands
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, SIX_DECKS, TablebaseShoe, board_classes, house_way_table

KINGS_ACES = TablebaseShoe((11, 12), 2)
SMALL_SHOES = (
    KINGS_ACES,
    TablebaseShoe((5, 6), 3),  # sevens and eights: pairs of the first line and of the fourth
    TablebaseShoe((0, 1, 12), 2),
    TablebaseShoe((3, 9, 12), 2),
)
STRAIGHTS = TablebaseShoe((8, 9, 10, 11, 12), 1)
"""Ten to ace of one deck: straights, flushes and royals beside pairs."""


@cache
def counted(shoe: TablebaseShoe, folder: Path) -> dict[tuple[int, ...], HandCounts]:
    return {one.hand: one for one in count_deals(shoe, store=PieceStore(folder))}


# Every deal, card by card, by the rules of the game


def by_the_rules(shoe: TablebaseShoe, hand: tuple[int, ...]) -> list[list[int]]:
    """Every board and every dealer's hand, set by the house way in all orders of the deal."""
    cells = [[0] * 9 for _ in SPLITS]
    left = [card for card in range(shoe.kinds) for _ in range(shoe.copies - hand.count(card))]
    for board, boards in Counter(combinations(left, 5)).items():
        rest = list(left)
        for card in board:
            rest.remove(card)
        dealers = Counter(combinations(rest, 4))
        for split, places in enumerate(SPLITS):
            one, other = (strength(shoe, (*[hand[place] for place in two], *board)) for two in places)
            for four, ways in dealers.items():
                for kept, share in shares(shoe, four).items():
                    dealer = strength(shoe, (*kept, *board))
                    place = 3 * ((one >= dealer) + (one > dealer)) + (other >= dealer) + (other > dealer)
                    cells[split][place] += boards * ways * share
    return cells


@cache
def strength(shoe: TablebaseShoe, seven: tuple[int, ...]) -> int:
    return compute_strength(SIX_DECK, [card_from_code(int(shoe.codes[card])) for card in seven])


@cache
def shares(shoe: TablebaseShoe, four: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """The share, in sixths of the 24 orders of dealing, in which the house way keeps each two cards."""
    found: dict[tuple[int, ...], int] = {}
    for order in permutations(four):
        kept = house_way([card_from_code(int(shoe.codes[card])) for card in order]).cards
        two = tuple(sorted(int(np.flatnonzero(shoe.codes == card.code)[0]) for card in kept))
        found[two] = found.get(two, 0) + 1
    assert all(orders * SHARES % 24 == 0 for orders in found.values())
    return {two: orders * SHARES // 24 for two, orders in found.items()}


def test_kings_and_aces_of_two_decks_agree_with_every_deal_that_the_rules_settle(tmp_path: Path) -> None:
    base = counted(KINGS_ACES, tmp_path)
    assert len(base) == 25
    met = 0
    for hand, counts in base.items():
        expected = by_the_rules(KINGS_ACES, hand)
        assert [[cell for row in joint for cell in row] for joint in counts.splits] == expected, hand
        met += sum(cell > 0 for split in expected for cell in split)
    assert met > 300  # wins, ties and losses beside each other


@pytest.mark.parametrize("shoe", SMALL_SHOES, ids=str)
def test_a_small_shoe_agrees_with_the_plain_count_hand_by_hand(shoe: TablebaseShoe, tmp_path: Path) -> None:
    base = counted(shoe, tmp_path)
    assert list(base.values()) == recount_hands(shoe, list(base))
    assert len(house_way_table(shoe).tied_pairs) > 200  # equal choices of different cards are among them


def test_straights_and_flushes_agree_with_the_plain_count(tmp_path: Path) -> None:
    base = counted(STRAIGHTS, tmp_path)
    some = [list(base)[at] for at in np.random.default_rng(15).choice(len(base), 12, replace=False)]
    assert [base[hand] for hand in some] == recount_hands(STRAIGHTS, some)


@pytest.mark.parametrize("shoe", [*SMALL_SHOES, STRAIGHTS], ids=str)
def test_the_hands_of_a_small_shoe_together_have_every_deal(shoe: TablebaseShoe, tmp_path: Path) -> None:
    hands = list(combinations_with_replacement(range(shoe.kinds), 4))
    classes = {tuple(sorted(change[card] for card in hand)) for hand in hands for change in shoe.exchanges.tolist()}
    assert classes == set(hands)
    total = 0
    for hand, counts in counted(shoe, tmp_path).items():
        images = {tuple(sorted(change[card] for card in hand)) for change in shoe.exchanges.tolist()}
        for joint in counts.splits:
            assert min(cell for row in joint for cell in row) >= 0
        total += len(images) * shoe.combinations(hand) * sum(cell for row in counts.splits[0] for cell in row)
    assert total == SHARES * shoe.deals


# Pieces


def test_the_counts_are_the_same_for_any_pieces_and_threads(tmp_path: Path) -> None:
    shoe = SMALL_SHOES[2]
    base = count_deals(shoe, store=PieceStore(tmp_path / "whole"))
    assert len(pieces(shoe, 7)) > 2 * len(pieces(shoe)) > 10
    assert count_deals(shoe, store=PieceStore(tmp_path / "parts"), size=7, threads=1) == base
    assert count_deals(shoe, store=PieceStore(tmp_path / "parts"), size=7) == base  # from stored pieces


def test_an_interrupted_count_keeps_its_pieces_and_goes_on_from_there(tmp_path: Path) -> None:
    shoe, kept = SMALL_SHOES[2], PieceStore(tmp_path)
    counts: list[int] = []
    with pytest.raises(CountInterrupted):
        count_deals(
            shoe,
            store=kept,
            size=20,
            threads=1,
            watch=ProgressMonitor(lambda done, _: counts.append(done), lambda: len(counts) > 3),
        )
    files = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert 0 < len(files) < len(pieces(shoe, 20))
    counts.clear()
    base = count_deals(shoe, store=kept, size=20, watch=ProgressMonitor(lambda done, _: counts.append(done)))
    assert base == count_deals(shoe, store=PieceStore(tmp_path / "again"))
    assert all((tmp_path / name).stat().st_mtime_ns == when for name, when in files.items())
    assert counts[-1] == len(board_classes(shoe).combinations)


def test_a_truncated_piece_is_counted_again(tmp_path: Path) -> None:
    base = count_deals(KINGS_ACES, store=PieceStore(tmp_path))
    cut = next(tmp_path.iterdir())
    cut.write_bytes(cut.read_bytes()[:-40])
    assert count_deals(KINGS_ACES, store=PieceStore(tmp_path)) == base
    with np.load(cut) as again:
        assert again["sums"].any()


def test_sums_that_lack_a_board_are_refused() -> None:
    tables = count_tables(KINGS_ACES)
    totals = np.zeros((len(tables.orbits.sizes), 6), dtype=object)
    for piece in pieces(KINGS_ACES):
        totals += count_piece(KINGS_ACES, piece).astype(object) * piece.combinations
    assert list(hand_counts(KINGS_ACES, tables.orbits, totals))
    with pytest.raises(CountMismatch):
        list(hand_counts(KINGS_ACES, tables.orbits, totals - count_piece(KINGS_ACES, pieces(KINGS_ACES)[0])))


# Six decks


def test_the_boards_of_six_decks_fall_into_208481_classes_and_the_hands_into_22022() -> None:
    classes = board_classes(SIX_DECKS)
    assert len(classes.boards) == 208_481
    assert int(classes.combinations.sum()) == comb(312, 5)
    assert representative_hands(SIX_DECKS) == [tuple(hand) for hand in hand_classes().hands.tolist()]
    firsts = {tuple(sorted(change[list(pair)])) for pair in SIX_DECKS.pairs for change in SIX_DECKS.exchanges[:1]}
    lowest = {min(tuple(sorted(change[list(pair)])) for change in SIX_DECKS.exchanges) for pair in SIX_DECKS.pairs}
    assert (len(firsts), len(lowest)) == (1_378, 182)


def test_two_different_cards_are_kept_only_beside_two_others() -> None:
    """The sweep relies on this."""
    tables = house_way_table(SIX_DECKS)
    for pair, (one, other) in enumerate(SIX_DECKS.pairs):
        if one != other:
            assert not tables.share_by_cards[pair, [one, other]].any()
