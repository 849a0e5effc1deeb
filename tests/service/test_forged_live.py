"""Whatever a user changes about the rounds of a live table, a replay finds, though every hash is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from cardroom.ledger import Event, open_ledger
from cardroom.service import CardRoom, verify_card_room
from tests.service.forger import Change, Payload, Rewritten, forged, found, nothing, where
from tests.service.live_scenes import PRIME, TO_THE_END, begin, live_prime, steps, tabulate
from tests.service.table_scenes import an_id

AT = f"table:{PRIME}"


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[CardRoom]:
    """A round with a seat that was typed, and one that was voided after it was counted."""
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
        lambda: where(AT, "live-round-ended", settled_stakes=lambda stakes: [[*stakes[0][:5], 99_00], *stakes[1:]]),
        "the take and pay differ",
    ),
    "no payment": (lambda: where(AT, "live-round-ended", settled_stakes=[]), "the take and pay differ"),
    "another card": (
        lambda: where(AT, "cards-typed", 2, cards={"seat 2 hand": ["9d", "2h", "Ks"]}),
        "the take and pay differ",
    ),
    "a card that is there twice": (
        lambda: where(AT, "cards-typed", 2, cards={"seat 2 hand": ["9d", "9d", "Ks"]}),
        "9d is there twice",
    ),
    "a correction that is not told": (lambda: where(AT, "cards-typed", 2, corrects=[]), "contradicts the state"),
    "a seat where nobody plays": (
        lambda: where(AT, "live-round-started", positions=[1, 3]),
        "Seat 2 is not in this round",
    ),
    "a step out of its turn": (
        lambda: where(AT, "step-taken", 3, step="reveal"),
        "the next step is deal",
    ),
    "a step twice": (lambda: where(AT, "step-taken", 2, step="wagers"), "is already taken"),
    "a step that counts what it does not": (
        lambda: where(AT, "step-taken", 1, counted="button"),
        "Step wagers of prime-1 counts nothing",
    ),
    "one person who calls a round off": (
        lambda: where(AT, "live-round-canceled", second="kim"),
        "one person did what takes two",
    ),
    "a round that does not follow": (
        lambda: where(AT, "live-round-started", number=7),
        "Round 7 is not the current round",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_was_changed_about_a_live_round_is_found(dealt: CardRoom, tmp_path: Path, name: str) -> None:
    change, sentence = FORGED[name]
    assert sentence in found(dealt, tmp_path, change())


def test_books_that_are_written_again_as_they_are_are_whole(dealt: CardRoom, tmp_path: Path) -> None:
    with forged(dealt, tmp_path, nothing) as copy:
        assert verify_card_room(copy.ledger).is_consistent


def test_a_round_that_only_the_dealer_says_was_counted_is_found(dealt: CardRoom, tmp_path: Path) -> None:
    def uncounted(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        """The tabulator and the jackpot never heard of any round."""
        result = ("round-tabulated", "wagers-counted", "round-voided", "wagers-reversed")
        return [] if event.kind in result else None

    sentence = "round prime-1.1 was counted according to this event, and its tabulator has no count"
    assert sentence in found(dealt, tmp_path, uncounted)


def test_a_round_that_was_canceled_and_still_counts_is_found(dealt: CardRoom, tmp_path: Path) -> None:
    def counts(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        return [] if event.kind in ("round-voided", "wagers-reversed") else None

    assert "round prime-1.2 was voided, and its tabulator still counts it" in found(dealt, tmp_path, counts)
