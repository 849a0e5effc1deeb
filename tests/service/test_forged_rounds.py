"""Whatever a user changes in the chain of a table, a replay finds, though every hash is right."""

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
from tests.service.forged_tables import JACKPOT, PLAY_TABLE, TABULATOR, play_an_hour
from tests.service.forger import Change, Payload, Rewritten, forged, found, nothing, together, where
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


def test_books_that_are_written_again_without_a_change_are_whole(hour: CardRoom, tmp_path: Path) -> None:
    with forged(hour, tmp_path, nothing) as copy:
        report, original = verify_card_room(copy.ledger), verify_card_room(hour.ledger)
    assert report.discrepancy is None
    assert report == original._replace(ledger=report.ledger)
    assert report.ledger.events == original.ledger.events
    assert (report.rounds, report.play_tables, report.players) == (2, 1, 3)


FORGERIES: dict[str, tuple[Callable[[], Change], str]] = {
    "another key": (
        lambda: where(PLAY_TABLE, "round-played", key="11" * 32),
        "its key is not the one that was sealed before the round",
    ),
    "an answer that is not legal": (
        lambda: where(PLAY_TABLE, "decision-made", answer="raise"),
        "the seat could not make that decision. Expected: fold, play. Found: raise",
    ),
    "an answer out of turn": (
        lambda: where(PLAY_TABLE, "decision-made", seat=2),
        "do not allow this event. Expected: an event that the rules allow. Found: It was not the turn of seat 2",
    ),
    "an answer to another question": (
        lambda: where(PLAY_TABLE, "decision-made", question="double"),
        "a different question was due. Expected: seat 1, ",
    ),
    "another amount put down": (
        lambda: together(
            where(PLAY_TABLE, "decision-made", cents=5_00),
            where(PLAY_TABLE, "round-played", filled=lambda cents: cents + 5_00),
        ),
        "the decision puts a different amount on the layout. Expected: 1000. Found: 500",
    ),
    "wagers for another amount": (
        lambda: where(PLAY_TABLE, "wagers-placed", cents=1_00),
        "the amount of the wagers differs. Expected: 1100. Found: 100",
    ),
    "a wager on no spot": (
        lambda: where(
            PLAY_TABLE, "wagers-placed", seat_wagers={"seat": 1, "spots": {"roulette": 11_00}, "player_seed": ""}
        ),
        "the layout has no such spot",
    ),
    "a payment too high": (
        lambda: where(PLAY_TABLE, "round-played", returned=of_seat(2, 1), filled=lambda cents: cents + 1),
        "the payments to the seats differ",
    ),
    "a payment too low": (
        lambda: where(PLAY_TABLE, "round-played", returned=of_seat(2, -1), filled=lambda cents: cents - 1),
        "the payments to the seats differ",
    ),
    "a payment to somebody who lost": (
        lambda: where(
            PLAY_TABLE, "round-played", returned=lambda rows: [*rows, [3, 7_00]], filled=lambda cents: cents + 7_00
        ),
        "the payments to the seats differ",
    ),
    "chips that the house did not bring": (
        lambda: where(PLAY_TABLE, "round-played", filled=lambda cents: cents + 5),
        "do not allow this event. Expected: an event that the rules allow. Found: The house added",
    ),
    "somebody else's answer": (
        lambda: where(PLAY_TABLE, "decision-made", by="eve"),
        "a different player decided",
    ),
    "an answer for one who has not left": (
        lambda: where(PLAY_TABLE, "decision-made", by=DECIDED_FOR_ABSENT),
        "a different player decided",
    ),
    "a clock that does not run": (
        lambda: where(PLAY_TABLE, "decision-made", by=DECIDED_BY_CLOCK),
        "a timeout decided where there is no timer",
    ),
    "another seat that is asked next": (
        lambda: where(PLAY_TABLE, "round-started", deciding_seat=3),
        "the rules do not allow this event",
    ),
    "nobody is asked next": (
        lambda: where(PLAY_TABLE, "decision-made", 3, deciding_seat=1),
        "the rules do not allow this event",
    ),
    "wagers that nobody laid": (
        lambda: where(
            PLAY_TABLE, "round-started", wagers=lambda laid: [*laid[:2], laid[2] | {"spots": {"ante-play": 50_00}}]
        ),
        "Round 1 of play-1 has other wagers than the layout",
    ),
    "words that nobody said": (
        lambda: where(
            PLAY_TABLE, "round-started", wagers=lambda wagers: [wagers[0] | {"player_seed": "plum"}, *wagers[1:]]
        ),
        "Round 1 of play-1 has other wagers than the layout",
    ),
    "a losing wager that goes back": (
        lambda: where(
            PLAY_TABLE,
            "round-started",
            wagers=lambda laid: laid[:2],
            returned_wagers=lambda _: [
                {"seat": 3, "spots": {"ante-play": 10_00, "final-four": 1_00}, "player_seed": ""}
            ],
            players=lambda sat: sat[:2],
        ),
        "the returned wagers are not those of unavailable jackpots",
    ),
    "another seal": (
        lambda: where(PLAY_TABLE, "round-started", seal="22" * 32),
        "has another seal than the published one",
    ),
    "a clock on a table without one": (
        lambda: where(PLAY_TABLE, "decision-made", deadline=1_900_000_000_000_000),
        "a timer runs where there is none",
    ),
    "a prize that no jackpot paid": (
        lambda: where(
            PLAY_TABLE,
            "round-played",
            prizes=of_seat(2, 40_00),
            returned=of_seat(2, 40_00),
            filled=lambda cents: cents + 40_00,
        ),
        "disagree about prizes paid at once to seat 2 of round play-1.1. Expected: 2500 cents",
    ),
    "a prize that the table kept": (
        lambda: where(
            PLAY_TABLE,
            "round-played",
            2,
            prizes=[],
            returned=of_seat(2, -25_00),
            filled=lambda cents: cents - 25_00,
        ),
        "disagree about prizes paid at once to seat 2 of round play-1.2. Expected: 2500 cents",
    ),
    "a prize that waits for somebody else": (
        lambda: where(PLAY_TABLE, "round-played", waiting=lambda rows: [[3, *row[1:]] for row in rows]),
        "disagree about claim play-1.1 of jackpot play-four for seat 3 (",
    ),
    "a prize that waits and that nobody locked": (
        lambda: where(PLAY_TABLE, "round-played", waiting=lambda rows: [*rows, [2, "play-four", "play-1.1", 9_00]]),
        "disagree about claim play-1.1 of jackpot play-four for seat 2 (",
    ),
    "another amount that waits": (
        lambda: where(PLAY_TABLE, "round-played", waiting=lambda rows: [[*row[:3], row[3] + 1] for row in rows]),
        "disagree about claim play-1.1 of jackpot play-four for seat 1 (",
    ),
    "a meter that showed something else": (
        lambda: where(
            PLAY_TABLE, "round-played", meters=lambda shown: {spot: cents + 1 for spot, cents in shown.items()}
        ),
        "disagree about what the meter of final-four showed in round play-1.1",
    ),
    "a claim on other cards": (
        lambda: claimed(record=lambda record: record | {"cards": record["cards"] | {"seat 3 fourth": ["Js"]}}),
        "it is about other cards, wagers, or decisions than those of round play-1.1",
    ),
    "a claim for somebody who did not sit there": (
        lambda: claimed(sat=lambda sat: [[1, "eve"], *sat[1:]]),
        "disagree about claim play-1.1 of jackpot play-four for seat 1 (guest-",
    ),
    "a prize at once for somebody who did not sit there": (
        lambda: claimed(sat=lambda sat: [*sat[:1], [2, "eve"]]),
        "claim play-1.1 names players who did not sit at play-1 in round play-1.1",
    ),
    "a wager that was counted at another seat": (
        lambda: where(
            TABULATOR, "round-tabulated", wagers=lambda those: [one | {"positions": [1, 2, 4]} for one in those]
        ),
        "table play-1 and its tabulator disagree about the final-four wagers of a round. Expected: play-1.1: 100",
    ),
    "a wager that plays for no jackpot": (
        lambda: where(PLAY_TABLE, "round-started", linked=()),
        "the rules do not allow this event. Expected: an event that the rules allow. Found: Seat 1 wins",
    ),
    "more chips that go with somebody": (
        lambda: where(PLAY_TABLE, "seat-left", cents=lambda cents: cents + 1),
        "Seat 3 of play-1 does not return",
    ),
    "a seat that the table has not": (
        lambda: where(PLAY_TABLE, "seat-taken", 2, seat=40),
        "the table has no such seat. Expected: 1 to 6. Found: 40",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_was_changed_at_a_table_is_found(hour: CardRoom, tmp_path: Path, name: str) -> None:
    change, sentence = FORGERIES[name]
    assert sentence in found(hour, tmp_path, change())


# Keys and seals.


def test_a_key_that_opens_another_seal_deals_other_cards(in_a_file: CardRoom, tmp_path: Path) -> None:
    card_room = CardRoom(in_a_file.ledger, keys=map(key_from_seed, count(1)).__next__)
    open_prime(card_room)
    players = guests(card_room, 5)
    for _ in range(2):
        all_wager(card_room, players)
        play_on(card_room, answer="play")
    chain, key = f"table:{PRIME}", key_from_seed("the forger's own")
    seal = Seal(key, "prime-1.2").commitment
    change = together(
        where(chain, "round-played", 1, seal=seal),
        where(chain, "round-started", 2, seal=seal),
        where(chain, "round-played", 2, key=key.hex()),
    )
    assert "the payments to the seats differ" in found(card_room, tmp_path, change)


def test_a_key_that_is_shown_for_a_round_that_never_came_opens_its_seal(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    in_a_file.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    sentence = found(in_a_file, tmp_path, where(f"table:{PRIME}", "table-closed", key="33" * 32))
    assert "its key is not the one that was sealed before the round" in sentence


Secrets = Mapping[UniqueKey, bytes]


def _without_the_tables(kept: Secrets) -> Secrets:
    return {name: value for name, value in kept.items() if name.chain != PLAY_TABLE}


SECRETS: dict[str, tuple[Callable[[Secrets], Secrets], str]] = {
    "another key": (
        lambda kept: {name: bytes(32) for name in kept},
        "The stored key of round play-1.3 does not match the seal that was shown for it.",
    ),
    "half a key": (
        lambda kept: {name: value[:16] for name, value in kept.items()},
        "The stored key of round play-1.3 does not match the seal that was shown for it.",
    ),
    "no key": (_without_the_tables, "The key of round play-1.3 is missing: the round cannot be dealt."),
    "a key under another name": (
        lambda kept: {UniqueKey(name.chain, "44" * 32): value for name, value in kept.items()},
        f"{PLAY_TABLE} has a secret with the name {'44' * 32} that no event expects.",
    ),
    "a key too many": (
        lambda kept: {**kept, UniqueKey("table:cellar", "seal"): bytes(32)},
        "table:cellar has a secret with the name seal that no event expects.",
    ),
}


@pytest.mark.parametrize("name", SECRETS)
def test_the_key_that_is_kept_opens_the_seal_that_is_shown(hour: CardRoom, tmp_path: Path, name: str) -> None:
    changed, sentence = SECRETS[name]
    with hour.ledger.store.read():
        key = hour.ledger.read_secret(PLAY_TABLE, hour.table(PLAY).seal)
    assert key is not None
    result = found(hour, tmp_path, nothing, secrets=changed)
    assert result == sentence
    assert key.hex() not in result


def test_the_room_keeps_a_secret_of_its_own(hour: CardRoom) -> None:
    secret = hour.get_room_secret()
    assert (len(secret), hour.get_room_secret()) == (32, secret)
    assert CardRoom(hour.ledger).get_room_secret() == secret
    assert verify_card_room(hour.ledger).is_consistent


ROOMS: dict[str, tuple[Callable[[Secrets], Secrets], str]] = {
    "another one": (
        lambda kept: {name: bytes(32) if name.chain == "room" else value for name, value in kept.items()},
        "The stored secret of the room is not the one whose seal was recorded.",
    ),
    "one with a seal of its own": (
        lambda kept: (
            {name: value for name, value in kept.items() if name.chain != "room"}
            | {UniqueKey("room", digest_secret(bytes(32))): bytes(32)}
        ),
        f"room has a secret with the name {digest_secret(bytes(32))} that no event expects.",
    ),
    "none": (
        lambda kept: {name: value for name, value in kept.items() if name.chain != "room"},
        "The room's secret is missing: no token can be read.",
    ),
}


@pytest.mark.parametrize("name", ROOMS)
def test_a_secret_that_was_exchanged_is_found(hour: CardRoom, tmp_path: Path, name: str) -> None:
    changed, sentence = ROOMS[name]
    hour.get_room_secret()
    assert found(hour, tmp_path, nothing, secrets=changed) == sentence


# The table itself.


def test_terms_that_the_law_does_not_allow_are_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    change = where(f"table:{PRIME}", "table-opened", terms=lambda terms: terms | {"money": "room"})
    assert "does not allow automatic tables for real money" in found(in_a_file, tmp_path, change)


def test_some_user_else_at_a_private_table_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    change = where(f"table:{PRIME}", "table-opened", terms=lambda terms: terms | {"owner": "eve"})
    sentence = found(in_a_file, tmp_path, change)
    assert f"a private table has another player at it. Expected: eve. Found: {ann}" in sentence


def test_a_round_that_one_person_voided_is_found(hour: CardRoom, tmp_path: Path) -> None:
    _void(hour)
    sentence = found(hour, tmp_path, where(PLAY_TABLE, "round-canceled", second="Olga"))
    assert "one person did what takes two" in sentence


def test_a_round_that_was_canceled_and_still_counts_is_found(hour: CardRoom, tmp_path: Path) -> None:
    _void(hour)

    def still_counts(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        return [] if event.kind in ("round-voided", "wagers-reversed") else None

    sentence = found(hour, tmp_path, still_counts)
    assert "round play-1.3 was voided, and its tabulator still counts it" in sentence


def _void(card_room: CardRoom) -> None:
    players = [one.player for one in card_room.table(PLAY).seats]
    all_wager(card_room, players, PLAY, WAGERS)
    card_room.void_automatic_round(an_id(), "Olga", PLAY, "the screen went dark", second="Vera")
    assert verify_card_room(card_room.ledger).is_consistent
