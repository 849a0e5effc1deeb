"""An attacker plays a round, learns its key, and restores the database from before the round. Then the attacker chooses
a player seed that deals a great hand under that key. The table never deals from that key server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

import pytest

from cardroom.cards.shuffle import key_from_seed
from cardroom.ledger import open_ledger
from cardroom.room.table.automatic_round import deal, round_seal
from cardroom.room.table.events import RoundPlayed, SealRenewed
from cardroom.room.table.state import TableState
from cardroom.service import CardRoom, create_backup
from cardroom.service.backup import RestorePasswords, restore_backup
from cardroom.service.verification.run import verify_card_room
from tests.ledger.server import fresh_database
from tests.service.staff import FIRST, HERE, new_password_of, open_staff, password_of
from tests.service.table_scenes import ANTE, PRIME, an_id, guests, open_prime, play_on, worth
from tests.service.test_table_jackpots import PLAY, WAGERS, meter, open_room
from tests.web.rooms import serve_room

_databases = count(1)
PLAYER_SEEDS = [f"lucky {number}" for number in range(60)]
"""The seeds that the attacker tries. Sixty are enough to distinguish a chosen hand from a random one."""


def deal_hand(state: TableState, key: bytes, player_seed: str) -> str:
    """All cards that a key and a player seed deal, up to the first decision of the round."""
    return str(deal(state.open_table, round_seal(key, state.round), {1: ANTE}, {1: player_seed}).round.piles)


def learn_key(card_room: CardRoom, player: str) -> bytes:
    """Play the round that is sealed now, and read its key, as any player may."""
    round = card_room.table(PRIME).round
    card_room.place_wagers(an_id(), player, PRIME, ANTE)
    play_on(card_room)
    return bytes.fromhex(card_room.get_round_json(round)["key"])


def attack(card_room: CardRoom, player: str, key: bytes) -> None:
    """Place wagers with a chosen player seed. The table does not deal the hand that follows from the known key."""
    state = card_room.table(PRIME)
    chosen = max(PLAYER_SEEDS, key=lambda player_seed: deal_hand(state, key, player_seed))
    assert not round_seal(key, state.round).matches(state.seal)
    card_room.place_wagers(an_id(), player, PRIME, ANTE, chosen)
    position = card_room.read_position(PRIME)
    assert position is not None
    assert str(position.round.piles) != deal_hand(state, key, chosen)
    play_on(card_room)
    assert bytes.fromhex(card_room.get_round_json(state.round)["key"]) != key


def list_event_kinds(card_room: CardRoom, table: str = PRIME) -> list[str]:
    return [event.kind for event in card_room.ledger.events(f"table:{table}")]


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database to restore into."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/restored.db"
        return
    with fresh_database(request.getfixturevalue("server"), f"restored_{next(_databases)}") as url:
        yield url


def test_a_player_seed_chosen_for_a_known_key_is_useless_after_a_restore(
    in_a_file: CardRoom, tmp_path: Path, empty_database: str
) -> None:
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    create_backup(in_a_file.ledger, tmp_path / "before.db")
    before, key = in_a_file.table(PRIME), learn_key(in_a_file, player)
    assert round_seal(key, before.round).matches(before.seal)
    restored = restore_backup(tmp_path / "before.db", empty_database)
    assert restored.report.is_consistent
    assert restored.renewed.tables == (PRIME,)
    with open_ledger(empty_database) as ledger:
        card_room = CardRoom(ledger)
        assert card_room.table(PRIME).seal != before.seal
        attack(card_room, player, key)
        assert verify_card_room(ledger).is_consistent


def test_a_backup_restored_without_its_key_deals_from_new_keys_too(
    in_a_file: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    in_a_file.get_room_secret()
    create_backup(in_a_file.ledger, tmp_path / "before.db")
    key = learn_key(in_a_file, player)
    monkeypatch.delenv("CARDROOM_KEY")
    restored = restore_backup(tmp_path / "before.db", f"sqlite:///{tmp_path}/restored.db")
    assert restored.report.is_consistent
    with open_ledger(f"sqlite:///{tmp_path}/restored.db") as ledger:
        attack(CardRoom(ledger), player, key)
        assert verify_card_room(ledger).is_consistent


def test_a_server_draws_new_keys_for_a_database_file_that_was_copied_back(tmp_path: Path) -> None:
    room, old = tmp_path / "room.db", tmp_path / "old.db"
    with open_ledger(f"sqlite:///{room}") as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        (player,) = guests(card_room, 1)
        create_backup(ledger, old)
        before, key = card_room.table(PRIME).seal, learn_key(card_room, player)
    for file in tmp_path.glob("room.db*"):
        if file.suffix != ".key":
            file.unlink()
    shutil.copy(old, room)
    with serve_room(tmp_path) as server:
        assert server.card_room.table(PRIME).seal != before
        attack(server.card_room, player, key)
        assert SealRenewed.kind in list_event_kinds(server.card_room)
        assert verify_card_room(server.card_room.ledger).is_consistent


def test_a_server_returns_open_wagers_before_it_changes_the_seal_at_a_restart(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        ann, bob = guests(card_room, 2)
        card_room.place_wagers(an_id(), ann, PRIME, ANTE)
        assert card_room.table(PRIME).seat_wagers
    with serve_room(tmp_path) as server:
        assert not server.card_room.table(PRIME).seat_wagers
        assert (worth(server.card_room, ann), worth(server.card_room, bob)) == (1_000_00, 1_000_00)
        assert verify_card_room(server.card_room.ledger).is_consistent


def test_a_round_in_progress_keeps_its_key_through_a_restart_of_the_server(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        (player,) = guests(card_room, 1)
        card_room.place_wagers(an_id(), player, PRIME, ANTE)
        seal = card_room.table(PRIME).seal
    with serve_room(tmp_path) as server:
        assert (server.card_room.table(PRIME).playing, server.card_room.table(PRIME).seal) == (True, seal)
        play_on(server.card_room)
        assert verify_card_room(server.card_room.ledger).is_consistent


def test_a_restore_voids_a_round_in_progress_and_returns_its_wagers_and_contributions(
    in_a_file: CardRoom, tmp_path: Path, empty_database: str
) -> None:
    open_room(in_a_file, PLAY)
    shown = meter(in_a_file)
    (player,) = guests(in_a_file, 1, PLAY)
    in_a_file.place_wagers(an_id(), player, PLAY, WAGERS)
    assert meter(in_a_file) > shown
    create_backup(in_a_file.ledger, tmp_path / "during.db")
    round = in_a_file.table(PLAY).round
    play_on(in_a_file, PLAY)
    assert restore_backup(tmp_path / "during.db", empty_database, ("olga", "sam")).report.is_consistent
    with open_ledger(empty_database) as ledger:
        card_room = CardRoom(ledger)
        assert not card_room.table(PLAY).playing
        assert card_room.table(PLAY).round != round
        assert worth(card_room, player) == 1_000_00
        assert meter(card_room) == shown
        assert RoundPlayed.kind not in list_event_kinds(card_room, PLAY)


def test_a_key_that_was_revealed_deals_no_other_round(in_a_file: CardRoom) -> None:
    twice = key_from_seed("twice")
    keys = chain((twice, twice), map(key_from_seed, count(1)))
    card_room = CardRoom(in_a_file.ledger, keys=keys.__next__)
    open_prime(card_room)
    ann, bob = (card_room.players.admit_guest(an_id()).player for _ in range(2))
    card_room.take_seat(an_id(), ann, PRIME, buy_in=200_00)
    assert learn_key(card_room, ann) == twice
    repeated = card_room.table(PRIME)
    assert round_seal(twice, repeated.round).matches(repeated.seal)
    chosen = max(PLAYER_SEEDS, key=lambda player_seed: deal_hand(repeated, twice, player_seed))
    card_room.place_wagers(an_id(), ann, PRIME, ANTE, chosen)
    after = card_room.table(PRIME)
    assert (after.playing, after.seat_wagers) == (False, ())
    assert after.seal != repeated.seal
    assert learn_key(card_room, ann) != twice
    assert list_event_kinds(card_room).count(SealRenewed.kind) == 1
    assert worth(card_room, bob) == 1_000_00
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_restore_ends_every_session_of_the_backup(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_staff(in_a_file)
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    in_a_file.place_wagers(an_id(), player, PRIME, ANTE)
    token = in_a_file.users.sign_in(FIRST, password_of(FIRST), HERE).token
    assert in_a_file.users.find_session(token) is not None
    create_backup(in_a_file.ledger, tmp_path / "before.db")
    chosen = {login: new_password_of(login) for login in ("olga", "sam")}
    passwords = RestorePasswords(password_of("sam"), chosen, HERE)
    url = f"sqlite:///{tmp_path}/restored.db"
    restored = restore_backup(tmp_path / "before.db", url, ("olga", "sam"), passwords=passwords)
    assert restored.report.is_consistent
    assert restored.renewed.sessions > 0
    with open_ledger(f"sqlite:///{tmp_path}/restored.db") as ledger:
        card_room = CardRoom(ledger)
        assert card_room.users.find_session(token) is None
        assert not any(card_room.user(login).sessions for login in card_room.users.list_users())
        assert not card_room.table(PRIME).playing
        assert worth(card_room, player) == 1_000_00
