"""Whatever somebody changes in the chain of a felt, a replay finds, though every hash is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from cardroom.cards import Seal, key_from_seed
from cardroom.ledger import Event, UniqueKey
from cardroom.room.table.state import DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.queries.site import digest_secret
from tests.service.forged_tables import FELT, JACKPOT, TABULATOR, play_an_hour
from tests.service.forger import Change, Payload, Told, forged, found, nothing, together, where
from tests.service.table_scenes import (
    PRIME,
    all_wager,
    an_id,
    guests,
    open_prime,
    play_on,
)
from tests.service.test_table_jackpots import PLAY, WAGERS


@pytest.fixture
def hour(in_a_file: CardRoom, monkeypatch: pytest.MonkeyPatch) -> CardRoom:
    return play_an_hour(in_a_file, monkeypatch)


def of_seat(seat: int, by: int) -> Callable[[list[list[int]]], list[list[int]]]:
    """More or less for a seat, where amounts stand in a row with it."""
    return lambda rows: [[one, cents + by * (one == seat)] for one, cents in rows]


def claimed(**changes: Any) -> Change:
    """Both events by which the first round was claimed say something else."""
    return together(where(JACKPOT, "prizes-paid", **changes), where(JACKPOT, "claim-locked", **changes))


def test_books_that_are_written_anew_without_a_change_are_whole(hour: CardRoom, tmp_path: Path) -> None:
    with forged(hour, tmp_path, nothing) as copy:
        report, original = verify_card_room(copy.ledger), verify_card_room(hour.ledger)
    assert report.discrepancy is None
    assert report == original._replace(ledger=report.ledger)
    assert report.ledger.events == original.ledger.events
    assert (report.rounds, report.felts, report.players) == (2, 1, 3)


FORGERIES: dict[str, tuple[Callable[[], Change], str]] = {
    "another key": (
        lambda: where(FELT, "round-played", key="11" * 32),
        "its key is not the one that was sealed before the round",
    ),
    "an answer that is not legal": (
        lambda: where(FELT, "decision-made", answer="raise"),
        "the seat could not answer that. Expected was fold, play; found was raise",
    ),
    "an answer out of turn": (
        lambda: where(FELT, "decision-made", seat=2),
        "it cannot have happened. Expected was an event that follows; found was Seat 2 of play-1 was not asked",
    ),
    "an answer to another question": (
        lambda: where(FELT, "decision-made", question="double"),
        "another question was due. Expected was seat 1, ",
    ),
    "another amount put down": (
        lambda: together(
            where(FELT, "decision-made", cents=5_00), where(FELT, "round-played", filled=lambda cents: cents + 5_00)
        ),
        "it puts another amount down. Expected was 1000; found was 500",
    ),
    "wagers for another amount": (
        lambda: where(FELT, "wagers-placed", cents=1_00),
        "the wagers put another amount down. Expected was 1100; found was 100",
    ),
    "a wager on no spot": (
        lambda: where(FELT, "wagers-placed", seat_wagers={"seat": 1, "spots": {"roulette": 11_00}, "player_seed": ""}),
        "the layout has no such spot",
    ),
    "a payment too high": (
        lambda: where(FELT, "round-played", returned=of_seat(2, 1), filled=lambda cents: cents + 1),
        "the seats get something else",
    ),
    "a payment too low": (
        lambda: where(FELT, "round-played", returned=of_seat(2, -1), filled=lambda cents: cents - 1),
        "the seats get something else",
    ),
    "a payment to somebody who lost": (
        lambda: where(
            FELT, "round-played", returned=lambda rows: [*rows, [3, 7_00]], filled=lambda cents: cents + 7_00
        ),
        "the seats get something else",
    ),
    "chips that the house did not bring": (
        lambda: where(FELT, "round-played", filled=lambda cents: cents + 5),
        "it cannot have happened. Expected was an event that follows; found was The house brought",
    ),
    "somebody else's answer": (
        lambda: where(FELT, "decision-made", by="eve"),
        "somebody else answered",
    ),
    "an answer for one who has not left": (
        lambda: where(FELT, "decision-made", by=DECIDED_FOR_ABSENT),
        "somebody else answered",
    ),
    "a clock that does not run": (
        lambda: where(FELT, "decision-made", by=DECIDED_BY_CLOCK),
        "the clock answered where none runs",
    ),
    "another seat that is asked next": (
        lambda: where(FELT, "round-started", deciding_seat=3),
        "it cannot have happened",
    ),
    "nobody is asked next": (
        lambda: where(FELT, "decision-made", 3, deciding_seat=1),
        "it cannot have happened",
    ),
    "wagers that nobody laid": (
        lambda: where(
            FELT, "round-started", wagers=lambda laid: [*laid[:2], laid[2] | {"spots": {"ante-play": 50_00}}]
        ),
        "Other wagers lie on play-1 than round 1 begins with",
    ),
    "words that nobody said": (
        lambda: where(FELT, "round-started", wagers=lambda wagers: [wagers[0] | {"player_seed": "plum"}, *wagers[1:]]),
        "Other wagers lie on play-1 than round 1 begins with",
    ),
    "a losing wager that goes back": (
        lambda: where(
            FELT,
            "round-started",
            wagers=lambda laid: laid[:2],
            returned_wagers=lambda _: [
                {"seat": 3, "spots": {"ante-play": 10_00, "final-four": 1_00}, "player_seed": ""}
            ],
            players=lambda sat: sat[:2],
        ),
        "other wagers go back than its jackpots leave out",
    ),
    "another seal": (
        lambda: where(FELT, "round-started", seal="22" * 32),
        "begins under another seal than was shown",
    ),
    "a clock on a table without one": (
        lambda: where(FELT, "decision-made", deadline=1_900_000_000_000_000),
        "a clock runs where there is none",
    ),
    "a prize that no jackpot paid": (
        lambda: where(
            FELT,
            "round-played",
            prizes=of_seat(2, 40_00),
            returned=of_seat(2, 40_00),
            filled=lambda cents: cents + 40_00,
        ),
        "do not agree about prizes paid at once to seat 2 of round play-1.1. Expected was 2500 cents",
    ),
    "a prize that the table kept": (
        lambda: where(
            FELT,
            "round-played",
            2,
            prizes=[],
            returned=of_seat(2, -25_00),
            filled=lambda cents: cents - 25_00,
        ),
        "do not agree about prizes paid at once to seat 2 of round play-1.2. Expected was 2500 cents",
    ),
    "a prize that waits for somebody else": (
        lambda: where(FELT, "round-played", waiting=lambda rows: [[3, *row[1:]] for row in rows]),
        "do not agree about claim play-1.1 of jackpot play-four for seat 3 (",
    ),
    "a prize that waits and that nobody locked": (
        lambda: where(FELT, "round-played", waiting=lambda rows: [*rows, [2, "play-four", "play-1.1", 9_00]]),
        "do not agree about claim play-1.1 of jackpot play-four for seat 2 (",
    ),
    "another amount that waits": (
        lambda: where(FELT, "round-played", waiting=lambda rows: [[*row[:3], row[3] + 1] for row in rows]),
        "do not agree about claim play-1.1 of jackpot play-four for seat 1 (",
    ),
    "a meter that showed something else": (
        lambda: where(FELT, "round-played", meters=lambda shown: {spot: cents + 1 for spot, cents in shown.items()}),
        "do not agree about what the meter of final-four showed in round play-1.1",
    ),
    "a claim on other cards": (
        lambda: claimed(record=lambda record: record | {"cards": record["cards"] | {"seat 3 fourth": ["Js"]}}),
        "it is about other cards, wagers or answers than round play-1.1 was dealt and played with",
    ),
    "a claim for somebody who did not sit there": (
        lambda: claimed(sat=lambda sat: [[1, "eve"], *sat[1:]]),
        "do not agree about claim play-1.1 of jackpot play-four for seat 1 (guest-",
    ),
    "a prize at once for somebody who did not sit there": (
        lambda: claimed(sat=lambda sat: [*sat[:1], [2, "eve"]]),
        "claim play-1.1 names others than sat at play-1 in round play-1.1",
    ),
    "a wager that was counted at another seat": (
        lambda: where(
            TABULATOR, "round-tabulated", wagers=lambda those: [one | {"positions": [1, 2, 4]} for one in those]
        ),
        "felt play-1 and its tabulator do not agree about the final-four wagers of a round. Expected was play-1.1: 100",
    ),
    "a wager that plays for no jackpot": (
        lambda: where(FELT, "round-started", linked=()),
        "it cannot have happened. Expected was an event that follows; found was Seat 1 wins",
    ),
    "more chips that go with somebody": (
        lambda: where(FELT, "seat-left", cents=lambda cents: cents + 1),
        "Seat 3 of play-1 does not give back",
    ),
    "a seat that the table has not": (
        lambda: where(FELT, "seat-taken", 2, seat=40),
        "the table has no such seat. Expected was 1 to 6; found was 40",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_was_changed_at_a_felt_is_found(hour: CardRoom, tmp_path: Path, name: str) -> None:
    change, sentence = FORGERIES[name]
    assert sentence in found(hour, tmp_path, change())


# Keys and seals.


def test_a_key_that_opens_another_seal_deals_other_cards(in_a_file: CardRoom, tmp_path: Path) -> None:
    floor = CardRoom(in_a_file.ledger, keys=map(key_from_seed, count(1)).__next__)
    open_prime(floor)
    players = guests(floor, 5)
    for _ in range(2):
        all_wager(floor, players)
        play_on(floor, answer="play")
    chain, key = f"table:{PRIME}", key_from_seed("the forger's own")
    seal = Seal(key, "prime-1.2").commitment
    change = together(
        where(chain, "round-played", 1, seal=seal),
        where(chain, "round-started", 2, seal=seal),
        where(chain, "round-played", 2, key=key.hex()),
    )
    assert "the seats get something else" in found(floor, tmp_path, change)


def test_a_key_that_is_told_for_a_round_that_never_came_opens_its_seal(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    in_a_file.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    sentence = found(in_a_file, tmp_path, where(f"table:{PRIME}", "table-closed", key="33" * 32))
    assert "its key is not the one that was sealed before the round" in sentence


Secrets = Mapping[UniqueKey, bytes]


def _without_the_felts(kept: Secrets) -> Secrets:
    return {name: value for name, value in kept.items() if name.chain != FELT}


SECRETS: dict[str, tuple[Callable[[Secrets], Secrets], str]] = {
    "another key": (
        lambda kept: {name: bytes(32) for name in kept},
        "The key that is kept for round play-1.3 does not open the seal that was shown for it.",
    ),
    "half a key": (
        lambda kept: {name: value[:16] for name, value in kept.items()},
        "The key that is kept for round play-1.3 does not open the seal that was shown for it.",
    ),
    "no key": (_without_the_felts, "The key of round play-1.3 is not kept any more: nobody can deal it."),
    "a key under another name": (
        lambda kept: {UniqueKey(name.chain, "44" * 32): value for name, value in kept.items()},
        f"Something is kept hidden for {FELT} under the name {'44' * 32} for which nothing waits.",
    ),
    "a key too many": (
        lambda kept: {**kept, UniqueKey("table:cellar", "seal"): bytes(32)},
        "Something is kept hidden for table:cellar under the name seal for which nothing waits.",
    ),
}


@pytest.mark.parametrize("name", SECRETS)
def test_the_key_that_is_kept_opens_the_seal_that_is_shown(hour: CardRoom, tmp_path: Path, name: str) -> None:
    changed, sentence = SECRETS[name]
    with hour.ledger.store.read():
        key = hour.ledger.read_secret(FELT, hour.table(PLAY).seal)
    assert key is not None
    told = found(hour, tmp_path, nothing, secrets=changed)
    assert told == sentence
    assert key.hex() not in told


def test_the_room_keeps_a_secret_of_its_own(hour: CardRoom) -> None:
    secret = hour.get_room_secret()
    assert (len(secret), hour.get_room_secret()) == (32, secret)
    assert CardRoom(hour.ledger).get_room_secret() == secret
    assert verify_card_room(hour.ledger).is_consistent


ROOMS: dict[str, tuple[Callable[[Secrets], Secrets], str]] = {
    "another one": (
        lambda kept: {name: bytes(32) if name.chain == "room" else value for name, value in kept.items()},
        "The secret that the room keeps is not the one whose seal was shown.",
    ),
    "one with a seal of its own": (
        lambda kept: (
            {name: value for name, value in kept.items() if name.chain != "room"}
            | {UniqueKey("room", digest_secret(bytes(32))): bytes(32)}
        ),
        f"Something is kept hidden for room under the name {digest_secret(bytes(32))} for which nothing waits.",
    ),
    "none": (
        lambda kept: {name: value for name, value in kept.items() if name.chain != "room"},
        "The room's secret is not kept any more: nobody's token can be read.",
    ),
}


@pytest.mark.parametrize("name", ROOMS)
def test_a_secret_that_was_exchanged_is_found(hour: CardRoom, tmp_path: Path, name: str) -> None:
    changed, sentence = ROOMS[name]
    hour.get_room_secret()
    assert found(hour, tmp_path, nothing, secrets=changed) == sentence


# The felt itself.


def test_terms_that_the_law_does_not_allow_are_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    change = where(f"table:{PRIME}", "table-opened", terms=lambda terms: terms | {"money": "room"})
    assert "an automatic table may not deal for the room's own money here" in found(in_a_file, tmp_path, change)


def test_somebody_else_at_a_private_table_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    change = where(f"table:{PRIME}", "table-opened", terms=lambda terms: terms | {"owner": "eve"})
    sentence = found(in_a_file, tmp_path, change)
    assert f"a private table has somebody else at it. Expected was eve; found was {ann}" in sentence


def test_a_round_that_one_person_called_off_is_found(hour: CardRoom, tmp_path: Path) -> None:
    _call_off(hour)
    sentence = found(hour, tmp_path, where(FELT, "round-canceled", second="Olga"))
    assert "one person answers for it" in sentence


def test_a_round_that_was_called_off_and_still_counts_is_found(hour: CardRoom, tmp_path: Path) -> None:
    _call_off(hour)

    def still_counts(event: Event, _: Payload) -> Sequence[Told] | None:
        return [] if event.kind in ("round-voided", "wagers-reversed") else None

    sentence = found(hour, tmp_path, still_counts)
    assert "round play-1.3 was called off, and its tabulator still counts it" in sentence


def _call_off(floor: CardRoom) -> None:
    players = [one.player for one in floor.table(PLAY).seats]
    all_wager(floor, players, PLAY, WAGERS)
    floor.call_off_automatic_round(an_id(), "Olga", PLAY, "the screen went dark", second="Vera")
    assert verify_card_room(floor.ledger).is_consistent
