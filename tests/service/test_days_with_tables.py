"""The close of a day records the heads of tables and player accounts too, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cardroom.ledger import Event
from cardroom.room.event_types import decode_event
from cardroom.room.site.events import DayClosed, chain_ends_digest
from cardroom.service import CardRoom, RoomTableSetup, verify_card_room
from cardroom.service.queries.chain_history import read_domain_event
from tests.service.forger import Change, Payload, Rewritten, forged, found, nothing, together, where
from tests.service.table_scenes import PRIME, UNTIMED, all_wager, an_id, guests, open_prime, play_on, without_meters

TABLES, PLAYERS = 60, 300


def list_closes(card_room: CardRoom) -> list[dict[str, int]]:
    """By chain, the number of the last event that each close of a day records."""
    events = [read_domain_event(event) for event in card_room.ledger.events("room")]
    return [{end.chain: end.sequence for end in close.ends} for close in events if isinstance(close, DayClosed)]


def test_a_day_with_many_tables_and_players_can_close_during_a_round(card_room: CardRoom) -> None:
    setup = without_meters("three-card-prime")
    for number in range(TABLES):
        card_room.add_table(an_id(), "Olga", RoomTableSetup(f"table-{number}", setup, UNTIMED))
    for _ in range(PLAYERS):
        card_room.players.admit_guest(an_id())
    card_room.days.open(an_id(), "Olga")
    players = guests(card_room, 2, "table-7")
    all_wager(card_room, players, "table-7")
    card_room.days.close(an_id(), "Olga")
    (last_events,) = list_closes(card_room)
    assert sum(chain.startswith("table:") for chain in last_events) == TABLES
    assert sum(chain.startswith("player:") for chain in last_events) == PLAYERS + 2
    assert last_events["table:table-7"] == card_room.read_table_version("table-7")
    play_on(card_room, "table-7")
    report = verify_card_room(card_room.ledger)
    assert (report.discrepancy, report.play_tables, report.players, report.rounds) == (None, TABLES, PLAYERS + 2, 1)


def record_hashes(hashes: Mapping[str, str]) -> Change:
    """A change that makes the close of a day record these hashes of the last events."""

    def change(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        if event.kind != "day-closed":
            return None
        close = decode_event(event.kind, 1, payload)
        assert isinstance(close, DayClosed)
        ends = tuple(end._replace(hash=hashes[end.chain]) for end in close.ends)
        return [(event.kind, replace(close, ends=ends, digest=chain_ends_digest(ends)).payload)]

    return change


def test_the_close_of_a_day_exposes_a_table_event_that_was_changed_later(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    in_a_file.pause_table(an_id(), "Olga", PRIME, "a fire drill")
    in_a_file.days.open(an_id(), "Olga")
    in_a_file.days.close(an_id(), "Olga")
    (last_events,) = list_closes(in_a_file)
    folders = [tmp_path / name for name in ("hashes", "consistent", "changed")]
    for folder in folders:
        folder.mkdir()
    # The forger hashes every event again, so the close must record the hashes of the copy: then it is consistent.
    with forged(in_a_file, folders[0], nothing) as copy:
        hashes = {
            event.chain: event.hash.hex()
            for event in copy.ledger.events()
            if event.sequence == last_events.get(event.chain)
        }
    assert hashes.keys() == last_events.keys()
    with forged(in_a_file, folders[1], record_hashes(hashes)) as copy:
        assert verify_card_room(copy.ledger).is_consistent
    # Now only the chain of the table differs from the close.
    chain = f"table:{PRIME}"
    pause = where(chain, "table-paused", why="a quiet hour")
    sentence = found(in_a_file, folders[2], together(record_hashes(hashes), pause))
    assert f"event {last_events[chain]} of {chain} is not the one" in sentence
    assert f"Expected: {hashes[chain]}." in sentence
