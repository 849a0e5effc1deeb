"""An attacker plays a round, learns its key, brings back the database from before the round, and chooses the words that
deal a great hand under that key. The table never deals from that key again."""

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
from tests.web.rooms import served

_databases = count(1)
WORDS = [f"lucky {number}" for number in range(60)]
"""What the attacker tries. Sixty are enough to tell a chosen hand from a dealt one."""


def hand(state: TableState, key: bytes, words: str) -> str:
    """All cards of a round that a key and words deal, up to the first question."""
    return str(deal(state.open_table, round_seal(key, state.round), {1: ANTE}, {1: words}).round.piles)


def learn_key(card_room: CardRoom, player: str) -> bytes:
    """Play the round that is sealed now, and read its key, as any player may."""
    round = card_room.table(PRIME).round
    card_room.place_wagers(an_id(), player, PRIME, ANTE)
    play_on(card_room)
    return bytes.fromhex(card_room.get_round_json(round)["key"])


def attack(card_room: CardRoom, player: str, key: bytes) -> None:
    """Lay wagers with chosen words: the hand that they deal under the known key does not come."""
    state = card_room.table(PRIME)
    chosen = max(WORDS, key=lambda words: hand(state, key, words))
    assert not round_seal(key, state.round).matches(state.seal)
    card_room.place_wagers(an_id(), player, PRIME, ANTE, chosen)
    position = card_room.read_position(PRIME)
    assert position is not None
    assert str(position.round.piles) != hand(state, key, chosen)
    play_on(card_room)
    assert bytes.fromhex(card_room.get_round_json(state.round)["key"]) != key


def kinds(card_room: CardRoom, table: str = PRIME) -> list[str]:
    return [event.kind for event in card_room.ledger.events(f"table:{table}")]


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database to restore into."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/restored.db"
        return
    with fresh_database(request.getfixturevalue("server"), f"restored_{next(_databases)}") as url:
        yield url


def test_words_chosen_for_a_known_key_deal_nothing_after_a_restore(
    in_a_file: CardRoom, tmp_path: Path, elsewhere: str
) -> None:
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    create_backup(in_a_file.ledger, tmp_path / "before.db")
    before, key = in_a_file.table(PRIME), learn_key(in_a_file, player)
    assert round_seal(key, before.round).matches(before.seal)
    done = restore_backup(tmp_path / "before.db", elsewhere)
    assert done.report.is_consistent
    assert done.renewed.tables == (PRIME,)
    with open_ledger(elsewhere) as ledger:
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
    done = restore_backup(tmp_path / "before.db", f"sqlite:///{tmp_path}/restored.db")
    assert done.report.is_consistent
    with open_ledger(f"sqlite:///{tmp_path}/restored.db") as ledger:
        attack(CardRoom(ledger), player, key)
        assert verify_card_room(ledger).is_consistent


def test_a_database_file_that_was_copied_back_is_dealt_from_new_keys(tmp_path: Path) -> None:
    room, old = tmp_path / "room.db", tmp_path / "old.db"
    with open_ledger(f"sqlite:///{room}") as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        (player,) = guests(card_room, 1)
        create_backup(ledger, old)
        before, key = card_room.table(PRIME).seal, learn_key(card_room, player)
    for one in tmp_path.glob("room.db*"):
        if one.suffix != ".key":
            one.unlink()
    shutil.copy(old, room)
    with served(tmp_path) as again:
        assert again.card_room.table(PRIME).seal != before
        attack(again.card_room, player, key)
        assert SealRenewed.kind in kinds(again.card_room)
        assert verify_card_room(again.card_room.ledger).is_consistent


def test_a_server_that_is_started_again_returns_wagers_before_the_seal_changes(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        ann, bob = guests(card_room, 2)
        card_room.place_wagers(an_id(), ann, PRIME, ANTE)
        assert card_room.table(PRIME).seat_wagers
    with served(tmp_path) as again:
        assert not again.card_room.table(PRIME).seat_wagers
        assert (worth(again.card_room, ann), worth(again.card_room, bob)) == (1_000_00, 1_000_00)
        assert verify_card_room(again.card_room.ledger).is_consistent


def test_a_round_in_progress_goes_on_with_its_key_when_a_server_is_started_again(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        (player,) = guests(card_room, 1)
        card_room.place_wagers(an_id(), player, PRIME, ANTE)
        seal = card_room.table(PRIME).seal
    with served(tmp_path) as again:
        assert (again.card_room.table(PRIME).playing, again.card_room.table(PRIME).seal) == (True, seal)
        play_on(again.card_room)
        assert verify_card_room(again.card_room.ledger).is_consistent


def test_a_round_in_progress_in_a_backup_is_void_and_its_wagers_and_meters_go_back(
    in_a_file: CardRoom, tmp_path: Path, elsewhere: str
) -> None:
    open_room(in_a_file, PLAY)
    shown = meter(in_a_file)
    (player,) = guests(in_a_file, 1, PLAY)
    in_a_file.place_wagers(an_id(), player, PLAY, WAGERS)
    assert meter(in_a_file) > shown
    create_backup(in_a_file.ledger, tmp_path / "during.db")
    round = in_a_file.table(PLAY).round
    play_on(in_a_file, PLAY)
    assert restore_backup(tmp_path / "during.db", elsewhere, ("olga", "sam")).report.is_consistent
    with open_ledger(elsewhere) as ledger:
        card_room = CardRoom(ledger)
        assert not card_room.table(PLAY).playing
        assert card_room.table(PLAY).round != round
        assert worth(card_room, player) == 1_000_00
        assert meter(card_room) == shown
        assert RoundPlayed.kind not in kinds(card_room, PLAY)


def test_a_key_that_was_revealed_deals_no_other_round(in_a_file: CardRoom) -> None:
    twice = key_from_seed("twice")
    keys = chain((twice, twice), map(key_from_seed, count(1)))
    card_room = CardRoom(in_a_file.ledger, keys=keys.__next__)
    open_prime(card_room)
    ann, bob = (card_room.admit_guest(an_id()).player for _ in range(2))
    card_room.take_seat(an_id(), ann, PRIME, buy_in=200_00)
    assert learn_key(card_room, ann) == twice
    repeated = card_room.table(PRIME)
    assert round_seal(twice, repeated.round).matches(repeated.seal)
    attack_words = max(WORDS, key=lambda words: hand(repeated, twice, words))
    card_room.place_wagers(an_id(), ann, PRIME, ANTE, attack_words)
    after = card_room.table(PRIME)
    assert (after.playing, after.seat_wagers) == (False, ())
    assert after.seal != repeated.seal
    assert learn_key(card_room, ann) != twice
    assert kinds(card_room).count(SealRenewed.kind) == 1
    assert worth(card_room, bob) == 1_000_00
    assert verify_card_room(card_room.ledger).is_consistent


def test_every_session_of_a_backup_ends_when_it_is_restored(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_staff(in_a_file)
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    in_a_file.place_wagers(an_id(), player, PRIME, ANTE)
    token = in_a_file.sign_in(FIRST, password_of(FIRST), HERE).token
    assert in_a_file.find_session(token) is not None
    create_backup(in_a_file.ledger, tmp_path / "before.db")
    chosen = {login: new_password_of(login) for login in ("olga", "sam")}
    typed = RestorePasswords(password_of("sam"), chosen, HERE)
    done = restore_backup(tmp_path / "before.db", f"sqlite:///{tmp_path}/restored.db", ("olga", "sam"), passwords=typed)
    assert done.report.is_consistent
    assert done.renewed.sessions > 0
    with open_ledger(f"sqlite:///{tmp_path}/restored.db") as ledger:
        card_room = CardRoom(ledger)
        assert card_room.find_session(token) is None
        assert not any(card_room.user(login).sessions for login in card_room.list_users())
        assert not card_room.table(PRIME).playing
        assert worth(card_room, player) == 1_000_00
