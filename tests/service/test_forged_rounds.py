"""A replay finds any change of a table's chain, although every hash is right."""

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
def hour_at_tables(in_a_file: CardRoom, monkeypatch: pytest.MonkeyPatch) -> CardRoom:
    return play_an_hour(in_a_file, monkeypatch)


def change_seat(seat: int, by: int) -> Callable[[list[list[int]]], list[list[int]]]:
    """Add an amount to the row of one seat."""
    return lambda rows: [[row_seat, cents + by * (row_seat == seat)] for row_seat, cents in rows]


def change_claims(**changes: Any) -> Change:
    """Change both events that claimed the prizes of the first round."""
    return together(where(JACKPOT, "prizes-paid", **changes), where(JACKPOT, "claim-locked", **changes))


def test_a_ledger_that_is_written_again_without_a_change_has_the_same_verification_report(
    hour_at_tables: CardRoom, tmp_path: Path
) -> None:
    with forged(hour_at_tables, tmp_path, nothing) as copy:
        report, original = verify_card_room(copy.ledger), verify_card_room(hour_at_tables.ledger)
    assert report.discrepancy is None
    assert report == original._replace(ledger=report.ledger)
    assert report.ledger.events == original.ledger.events
    assert (report.rounds, report.play_tables, report.players) == (2, 1, 3)


FORGERIES: dict[str, tuple[Callable[[], Change], str]] = {
    "another key": (
        lambda: where(PLAY_TABLE, "round-played", key="11" * 32),
        "its key is not the one that was sealed before the round",
    ),
    "a decision that is not legal": (
        lambda: where(PLAY_TABLE, "decision-made", answer="raise"),
        "the seat could not make that decision. Expected: fold, play. Found: raise",
    ),
    "a decision out of turn": (
        lambda: where(PLAY_TABLE, "decision-made", seat=2),
        "do not allow this event. Expected: an event that the rules allow. Found: It was not the turn of seat 2",
    ),
    "a decision on another question": (
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
        lambda: where(PLAY_TABLE, "round-played", returned=change_seat(2, 1), filled=lambda cents: cents + 1),
        "the payments to the seats differ",
    ),
    "a payment too low": (
        lambda: where(PLAY_TABLE, "round-played", returned=change_seat(2, -1), filled=lambda cents: cents - 1),
        "the payments to the seats differ",
    ),
    "a payment to a player who lost": (
        lambda: where(
            PLAY_TABLE, "round-played", returned=lambda rows: [*rows, [3, 7_00]], filled=lambda cents: cents + 7_00
        ),
        "the payments to the seats differ",
    ),
    "chips that the house did not bring": (
        lambda: where(PLAY_TABLE, "round-played", filled=lambda cents: cents + 5),
        "do not allow this event. Expected: an event that the rules allow. Found: The house added",
    ),
    "a decision of another player": (
        lambda: where(PLAY_TABLE, "decision-made", by="eve"),
        "a different player decided",
    ),
    "a decision for an absent player who has not left": (
        lambda: where(PLAY_TABLE, "decision-made", by=DECIDED_FOR_ABSENT),
        "a different player decided",
    ),
    "a timeout at a table without a timer": (
        lambda: where(PLAY_TABLE, "decision-made", by=DECIDED_BY_CLOCK),
        "a timeout decided where there is no timer",
    ),
    "another seat next": (
        lambda: where(PLAY_TABLE, "round-started", deciding_seat=3),
        "the rules do not allow this event",
    ),
    "the wrong seat next": (
        lambda: where(PLAY_TABLE, "decision-made", 3, deciding_seat=1),
        "the rules do not allow this event",
    ),
    "wagers that no player placed": (
        lambda: where(
            PLAY_TABLE, "round-started", wagers=lambda laid: [*laid[:2], laid[2] | {"spots": {"ante-play": 50_00}}]
        ),
        "Round 1 of play-1 has other wagers than the layout",
    ),
    "a seed that no player added": (
        lambda: where(
            PLAY_TABLE, "round-started", wagers=lambda wagers: [wagers[0] | {"player_seed": "plum"}, *wagers[1:]]
        ),
        "Round 1 of play-1 has other wagers than the layout",
    ),
    "a losing wager that is returned": (
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
    "a deadline at a table without a timer": (
        lambda: where(PLAY_TABLE, "decision-made", deadline=1_900_000_000_000_000),
        "a timer runs where there is none",
    ),
    "a prize that no jackpot paid": (
        lambda: where(
            PLAY_TABLE,
            "round-played",
            prizes=change_seat(2, 40_00),
            returned=change_seat(2, 40_00),
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
            returned=change_seat(2, -25_00),
            filled=lambda cents: cents - 25_00,
        ),
        "disagree about prizes paid at once to seat 2 of round play-1.2. Expected: 2500 cents",
    ),
    "a prize that waits for another player": (
        lambda: where(PLAY_TABLE, "round-played", waiting=lambda rows: [[3, *row[1:]] for row in rows]),
        "disagree about claim play-1.1 of jackpot play-four for seat 3 (",
    ),
    "a prize that waits and that no jackpot locked": (
        lambda: where(PLAY_TABLE, "round-played", waiting=lambda rows: [*rows, [2, "play-four", "play-1.1", 9_00]]),
        "disagree about claim play-1.1 of jackpot play-four for seat 2 (",
    ),
    "another amount that waits": (
        lambda: where(PLAY_TABLE, "round-played", waiting=lambda rows: [[*row[:3], row[3] + 1] for row in rows]),
        "disagree about claim play-1.1 of jackpot play-four for seat 1 (",
    ),
    "a meter that showed another amount": (
        lambda: where(
            PLAY_TABLE, "round-played", meters=lambda shown: {spot: cents + 1 for spot, cents in shown.items()}
        ),
        "disagree about what the meter of final-four showed in round play-1.1",
    ),
    "a claim on other cards": (
        lambda: change_claims(record=lambda record: record | {"cards": record["cards"] | {"seat 3 fourth": ["Js"]}}),
        "it is about other cards, wagers, or decisions than those of round play-1.1",
    ),
    "a claim for a player who was not at the seat": (
        lambda: change_claims(sat=lambda sat: [[1, "eve"], *sat[1:]]),
        "disagree about claim play-1.1 of jackpot play-four for seat 1 (guest-",
    ),
    "a prize at once for a player who was not at the seat": (
        lambda: change_claims(sat=lambda sat: [*sat[:1], [2, "eve"]]),
        "claim play-1.1 names players who did not sit at play-1 in round play-1.1",
    ),
    "a wager that was counted at another seat": (
        lambda: where(
            TABULATOR,
            "round-tabulated",
            wagers=lambda wagers: [wager | {"positions": [1, 2, 4]} for wager in wagers],
        ),
        "table play-1 and its tabulator disagree about the final-four wagers of a round. Expected: play-1.1: 100",
    ),
    "a wager that plays for no jackpot": (
        lambda: where(PLAY_TABLE, "round-started", linked=()),
        "the rules do not allow this event. Expected: an event that the rules allow. Found: Seat 1 wins",
    ),
    "more chips than the player takes along": (
        lambda: where(PLAY_TABLE, "seat-left", cents=lambda cents: cents + 1),
        "Seat 3 of play-1 does not return",
    ),
    "a seat that the table does not have": (
        lambda: where(PLAY_TABLE, "seat-taken", 2, seat=40),
        "the table has no such seat. Expected: 1 to 6. Found: 40",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_change_in_the_chain_of_a_table_is_found(hour_at_tables: CardRoom, tmp_path: Path, name: str) -> None:
    change, sentence = FORGERIES[name]
    assert sentence in found(hour_at_tables, tmp_path, change())


# Keys and seals.


def test_a_round_with_another_key_and_its_seal_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    card_room = CardRoom(in_a_file.ledger, keys=map(key_from_seed, count(1)).__next__)
    open_prime(card_room)
    players = guests(card_room, 5)
    for _ in range(2):
        all_wager(card_room, players)
        play_on(card_room, answer="play")
    chain, key = f"table:{PRIME}", key_from_seed("of the forger")
    seal = Seal(key, "prime-1.2").commitment
    change = together(
        where(chain, "round-played", 1, seal=seal),
        where(chain, "round-started", 2, seal=seal),
        where(chain, "round-played", 2, key=key.hex()),
    )
    assert "the payments to the seats differ" in found(card_room, tmp_path, change)


def test_a_wrong_key_of_a_round_that_was_not_played_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    in_a_file.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    sentence = found(in_a_file, tmp_path, where(f"table:{PRIME}", "table-closed", key="33" * 32))
    assert "its key is not the one that was sealed before the round" in sentence


Secrets = Mapping[UniqueKey, bytes]


def _drop_table_secrets(secrets: Secrets) -> Secrets:
    return {name: value for name, value in secrets.items() if name.chain != PLAY_TABLE}


SECRET_CHANGES: dict[str, tuple[Callable[[Secrets], Secrets], str]] = {
    "another key": (
        lambda secrets: {name: bytes(32) for name in secrets},
        "The stored key of round play-1.3 does not match the seal that was shown for it.",
    ),
    "half a key": (
        lambda secrets: {name: value[:16] for name, value in secrets.items()},
        "The stored key of round play-1.3 does not match the seal that was shown for it.",
    ),
    "no key": (_drop_table_secrets, "The key of round play-1.3 is missing: the round cannot be dealt."),
    "a key under another name": (
        lambda secrets: {UniqueKey(name.chain, "44" * 32): value for name, value in secrets.items()},
        f"{PLAY_TABLE} has a secret with the name {'44' * 32} that no event expects.",
    ),
    "one key too many": (
        lambda secrets: {**secrets, UniqueKey("table:cellar", "seal"): bytes(32)},
        "table:cellar has a secret with the name seal that no event expects.",
    ),
}


@pytest.mark.parametrize("name", SECRET_CHANGES)
def test_a_changed_secret_of_a_table_is_found_and_the_key_is_not_printed(
    hour_at_tables: CardRoom, tmp_path: Path, name: str
) -> None:
    change, sentence = SECRET_CHANGES[name]
    with hour_at_tables.ledger.store.read():
        key = hour_at_tables.ledger.read_secret(PLAY_TABLE, hour_at_tables.table(PLAY).seal)
    assert key is not None
    discrepancy = found(hour_at_tables, tmp_path, nothing, secrets=change)
    assert discrepancy == sentence
    assert key.hex() not in discrepancy


def test_the_room_has_one_secret_and_keeps_it(hour_at_tables: CardRoom) -> None:
    secret = hour_at_tables.get_room_secret()
    assert (len(secret), hour_at_tables.get_room_secret()) == (32, secret)
    assert CardRoom(hour_at_tables.ledger).get_room_secret() == secret
    assert verify_card_room(hour_at_tables.ledger).is_consistent


ROOM_SECRET_CHANGES: dict[str, tuple[Callable[[Secrets], Secrets], str]] = {
    "another secret": (
        lambda secrets: {name: bytes(32) if name.chain == "room" else value for name, value in secrets.items()},
        "The stored secret of the room is not the one whose seal was recorded.",
    ),
    "another secret with its digest": (
        lambda secrets: (
            {name: value for name, value in secrets.items() if name.chain != "room"}
            | {UniqueKey("room", digest_secret(bytes(32))): bytes(32)}
        ),
        f"room has a secret with the name {digest_secret(bytes(32))} that no event expects.",
    ),
    "no secret": (
        lambda secrets: {name: value for name, value in secrets.items() if name.chain != "room"},
        "The room's secret is missing: no token can be read.",
    ),
}


@pytest.mark.parametrize("name", ROOM_SECRET_CHANGES)
def test_a_changed_secret_of_the_room_is_found(hour_at_tables: CardRoom, tmp_path: Path, name: str) -> None:
    change, sentence = ROOM_SECRET_CHANGES[name]
    hour_at_tables.get_room_secret()
    assert found(hour_at_tables, tmp_path, nothing, secrets=change) == sentence


# Terms, private tables, and void rounds.


def test_terms_that_the_law_does_not_allow_are_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    change = where(f"table:{PRIME}", "table-opened", terms=lambda terms: terms | {"money": "room"})
    assert "does not allow automatic tables for real money" in found(in_a_file, tmp_path, change)


def test_a_player_at_the_private_table_of_another_player_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    change = where(f"table:{PRIME}", "table-opened", terms=lambda terms: terms | {"owner": "eve"})
    sentence = found(in_a_file, tmp_path, change)
    assert f"a private table has another player at it. Expected: eve. Found: {ann}" in sentence


def test_a_round_that_one_person_voided_is_found(hour_at_tables: CardRoom, tmp_path: Path) -> None:
    _void_round(hour_at_tables)
    sentence = found(hour_at_tables, tmp_path, where(PLAY_TABLE, "round-canceled", second="Olga"))
    assert "one person did what takes two" in sentence


def test_a_round_that_was_canceled_and_still_counts_is_found(hour_at_tables: CardRoom, tmp_path: Path) -> None:
    _void_round(hour_at_tables)

    def drop_void(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        return [] if event.kind in ("round-voided", "wagers-reversed") else None

    sentence = found(hour_at_tables, tmp_path, drop_void)
    assert "round play-1.3 was voided, and its tabulator still counts it" in sentence


def _void_round(card_room: CardRoom) -> None:
    players = [seat.player for seat in card_room.table(PLAY).seats]
    all_wager(card_room, players, PLAY, WAGERS)
    card_room.void_automatic_round(an_id(), "Olga", PLAY, "the screen went dark", second="Vera")
    assert verify_card_room(card_room.ledger).is_consistent
