"""A replay finds any change of the rounds of a live table, although every hash is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from cardroom.ledger import Event, open_ledger
from cardroom.service import CardRoom, verify_card_room
from tests.service.forger import Change, Payload, Rewritten, forged, found, nothing, where
from tests.service.live_scenes import PRIME, TO_THE_END, begin, live_prime, steps, tabulate
from tests.service.table_scenes import an_id

TABLE_CHAIN = f"table:{PRIME}"


@pytest.fixture
def dealt_room(tmp_path: Path) -> Iterator[CardRoom]:
    """One round with a typed seat, and one round that was voided after the count."""
    with open_ledger(f"sqlite:///{tmp_path}/dealt.db") as ledger:
        card_room = CardRoom(ledger)
        live_prime(card_room)
        begin(card_room)
        steps(card_room, "wagers")
        tabulate(card_room, 1)
        wagers, cards = {2: {"ante-play": 10_00}}, {"seat 2 hand": "9d 9h Kd", "dealer": "Ac 4d 2s"}
        card_room.type_cards(an_id(), "Kim", PRIME, cards, wagers=wagers, answers={2: {"play": "play"}})
        card_room.type_cards(an_id(), "Kim", PRIME, {"seat 2 hand": "9d 9h Ks"})
        steps(card_room, *TO_THE_END)
        card_room.end_live_round(an_id(), "Kim", PRIME)
        begin(card_room)
        steps(card_room, "wagers")
        tabulate(card_room, 2)
        card_room.void_live_round(an_id(), "Kim", PRIME, "the shuffler jammed", second="Lee")
        assert verify_card_room(ledger).rounds == 1
        yield card_room


FORGED: dict[str, tuple[Callable[[], Change], str]] = {
    "another payment": (
        lambda: where(
            TABLE_CHAIN, "live-round-ended", settled_stakes=lambda stakes: [[*stakes[0][:5], 99_00], *stakes[1:]]
        ),
        "the take and pay differ",
    ),
    "no payment": (lambda: where(TABLE_CHAIN, "live-round-ended", settled_stakes=[]), "the take and pay differ"),
    "another card": (
        lambda: where(TABLE_CHAIN, "cards-typed", 2, cards={"seat 2 hand": ["9d", "2h", "Ks"]}),
        "the take and pay differ",
    ),
    "a card that was dealt twice": (
        lambda: where(TABLE_CHAIN, "cards-typed", 2, cards={"seat 2 hand": ["9d", "9d", "Ks"]}),
        "9d is there twice",
    ),
    "a correction that is not recorded": (
        lambda: where(TABLE_CHAIN, "cards-typed", 2, corrects=[]),
        "contradicts the state",
    ),
    "a seat without a player": (
        lambda: where(TABLE_CHAIN, "live-round-started", positions=[1, 3]),
        "Seat 2 is not in this round",
    ),
    "a step out of its turn": (
        lambda: where(TABLE_CHAIN, "step-taken", 3, step="reveal"),
        "the next step is deal",
    ),
    "a step twice": (lambda: where(TABLE_CHAIN, "step-taken", 2, step="wagers"), "is already taken"),
    "a step that cannot count": (
        lambda: where(TABLE_CHAIN, "step-taken", 1, counted="button"),
        "Step wagers of prime-1 counts nothing",
    ),
    "one person who voids a round": (
        lambda: where(TABLE_CHAIN, "live-round-canceled", second="kim"),
        "one person did what takes two",
    ),
    "a round with the wrong number": (
        lambda: where(TABLE_CHAIN, "live-round-started", number=7),
        "Round 7 is not the current round",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_change_of_a_live_round_is_found(dealt_room: CardRoom, tmp_path: Path, name: str) -> None:
    change, sentence = FORGED[name]
    assert sentence in found(dealt_room, tmp_path, change())


def test_a_ledger_that_is_written_again_without_a_change_is_consistent(dealt_room: CardRoom, tmp_path: Path) -> None:
    with forged(dealt_room, tmp_path, nothing) as copy:
        assert verify_card_room(copy.ledger).is_consistent


def test_a_round_that_the_tabulator_did_not_count_is_found(dealt_room: CardRoom, tmp_path: Path) -> None:
    def drop_counts(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        """Remove every round from the tabulator and the jackpot."""
        kinds = ("round-tabulated", "wagers-counted", "round-voided", "wagers-reversed")
        return [] if event.kind in kinds else None

    sentence = "round prime-1.1 was counted according to this event, and its tabulator has no count"
    assert sentence in found(dealt_room, tmp_path, drop_counts)


def test_a_round_that_was_canceled_and_still_counts_is_found(dealt_room: CardRoom, tmp_path: Path) -> None:
    def drop_void(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        return [] if event.kind in ("round-voided", "wagers-reversed") else None

    assert "round prime-1.2 was voided, and its tabulator still counts it" in found(dealt_room, tmp_path, drop_void)
