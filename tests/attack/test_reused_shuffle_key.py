"""An attacker plays a round, learns its key, brings back the database from before the round, and chooses the words that
deal a great hand under that key. The table never deals from that key again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

import pytest

from cardroom.cards.shuffle import key_from_seed
from cardroom.floor import Floor, backup
from cardroom.floor.felt.happenings import RoundPlayed, SealRenewed
from cardroom.floor.felt.playing import deal, seal_of
from cardroom.floor.felt.state import FeltState
from cardroom.floor.safekeeping import TypedPasswords, restore
from cardroom.floor.verification.whole import verify_floor
from cardroom.ledger import open_ledger
from tests.floor.felt_scenes import ANTE, PRIME, an_id, guests, open_prime, play_on, worth
from tests.floor.staff import FIRST, HERE, new_password_of, open_staff, password_of
from tests.floor.test_felt_jackpots import PLAY, WAGERS, meter, open_room
from tests.ledger.server import fresh_database
from tests.web.rooms import served

_databases = count(1)
WORDS = [f"lucky {number}" for number in range(60)]
"""What the attacker tries. Sixty are enough to tell a chosen hand from a dealt one."""


def hand(state: FeltState, key: bytes, words: str) -> str:
    """All cards of a round that a key and words deal, up to the first question."""
    return str(deal(state.at, seal_of(key, state.round), {1: ANTE}, {1: words}).round.piles)


def learn_key(floor: Floor, player: str) -> bytes:
    """Play the round that is sealed now, and read its key, as any player may."""
    round = floor.felt(PRIME).round
    floor.lay_wagers(an_id(), player, PRIME, ANTE)
    play_on(floor)
    return bytes.fromhex(floor.round_played(round)["key"])


def attack(floor: Floor, player: str, key: bytes) -> None:
    """Lay wagers with chosen words: the hand that they deal under the known key does not come."""
    state = floor.felt(PRIME)
    chosen = max(WORDS, key=lambda words: hand(state, key, words))
    assert not seal_of(key, state.round).matches(state.seal)
    floor.lay_wagers(an_id(), player, PRIME, ANTE, chosen)
    position = floor.position(PRIME)
    assert position is not None
    assert str(position.round.piles) != hand(state, key, chosen)
    play_on(floor)
    assert bytes.fromhex(floor.round_played(state.round)["key"]) != key


def kinds(floor: Floor, table: str = PRIME) -> list[str]:
    return [event.kind for event in floor.ledger.events(f"felt:{table}")]


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database to restore into."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/restored.db"
        return
    with fresh_database(request.getfixturevalue("server"), f"restored_{next(_databases)}") as url:
        yield url


def test_words_chosen_for_a_known_key_deal_nothing_after_a_restore(
    in_a_file: Floor, tmp_path: Path, elsewhere: str
) -> None:
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    backup(in_a_file.ledger, tmp_path / "before.db")
    before, key = in_a_file.felt(PRIME), learn_key(in_a_file, player)
    assert seal_of(key, before.round).matches(before.seal)
    done = restore(tmp_path / "before.db", elsewhere)
    assert done.report.is_whole
    assert done.renewed.tables == (PRIME,)
    with open_ledger(elsewhere) as ledger:
        floor = Floor(ledger)
        assert floor.felt(PRIME).seal != before.seal
        attack(floor, player, key)
        assert verify_floor(ledger).is_whole


def test_a_backup_restored_without_its_key_deals_from_new_keys_too(
    in_a_file: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    in_a_file.secret()
    backup(in_a_file.ledger, tmp_path / "before.db")
    key = learn_key(in_a_file, player)
    monkeypatch.delenv("CARDROOM_KEY")
    done = restore(tmp_path / "before.db", f"sqlite:///{tmp_path}/restored.db")
    assert done.report.is_whole
    with open_ledger(f"sqlite:///{tmp_path}/restored.db") as ledger:
        attack(Floor(ledger), player, key)
        assert verify_floor(ledger).is_whole


def test_a_database_file_that_was_copied_back_is_dealt_from_new_keys(tmp_path: Path) -> None:
    room, old = tmp_path / "room.db", tmp_path / "old.db"
    with open_ledger(f"sqlite:///{room}") as ledger:
        floor = Floor(ledger)
        open_prime(floor)
        (player,) = guests(floor, 1)
        backup(ledger, old)
        before, key = floor.felt(PRIME).seal, learn_key(floor, player)
    for one in tmp_path.glob("room.db*"):
        if one.suffix != ".key":
            one.unlink()
    shutil.copy(old, room)
    with served(tmp_path) as again:
        assert again.floor.felt(PRIME).seal != before
        attack(again.floor, player, key)
        assert SealRenewed.kind in kinds(again.floor)
        assert verify_floor(again.floor.ledger).is_whole


def test_a_server_that_is_started_again_returns_wagers_before_the_seal_changes(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        floor = Floor(ledger)
        open_prime(floor)
        ann, bob = guests(floor, 2)
        floor.lay_wagers(an_id(), ann, PRIME, ANTE)
        assert floor.felt(PRIME).laid
    with served(tmp_path) as again:
        assert not again.floor.felt(PRIME).laid
        assert (worth(again.floor, ann), worth(again.floor, bob)) == (1_000_00, 1_000_00)
        assert verify_floor(again.floor.ledger).is_whole


def test_a_round_in_progress_goes_on_with_its_key_when_a_server_is_started_again(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        floor = Floor(ledger)
        open_prime(floor)
        (player,) = guests(floor, 1)
        floor.lay_wagers(an_id(), player, PRIME, ANTE)
        seal = floor.felt(PRIME).seal
    with served(tmp_path) as again:
        assert (again.floor.felt(PRIME).playing, again.floor.felt(PRIME).seal) == (True, seal)
        play_on(again.floor)
        assert verify_floor(again.floor.ledger).is_whole


def test_a_round_in_progress_in_a_backup_is_void_and_its_wagers_and_meters_go_back(
    in_a_file: Floor, tmp_path: Path, elsewhere: str
) -> None:
    open_room(in_a_file, PLAY)
    shown = meter(in_a_file)
    (player,) = guests(in_a_file, 1, PLAY)
    in_a_file.lay_wagers(an_id(), player, PLAY, WAGERS)
    assert meter(in_a_file) > shown
    backup(in_a_file.ledger, tmp_path / "during.db")
    round = in_a_file.felt(PLAY).round
    play_on(in_a_file, PLAY)
    assert restore(tmp_path / "during.db", elsewhere, ("olga", "sam")).report.is_whole
    with open_ledger(elsewhere) as ledger:
        floor = Floor(ledger)
        assert not floor.felt(PLAY).playing
        assert floor.felt(PLAY).round != round
        assert worth(floor, player) == 1_000_00
        assert meter(floor) == shown
        assert RoundPlayed.kind not in kinds(floor, PLAY)


def test_a_key_that_was_revealed_deals_no_other_round(in_a_file: Floor) -> None:
    twice = key_from_seed("twice")
    keys = chain((twice, twice), map(key_from_seed, count(1)))
    floor = Floor(in_a_file.ledger, keys=keys.__next__)
    open_prime(floor)
    ann, bob = (floor.admit_guest(an_id()).player for _ in range(2))
    floor.take_seat(an_id(), ann, PRIME, buy_in=200_00)
    assert learn_key(floor, ann) == twice
    repeated = floor.felt(PRIME)
    assert seal_of(twice, repeated.round).matches(repeated.seal)
    attack_words = max(WORDS, key=lambda words: hand(repeated, twice, words))
    floor.lay_wagers(an_id(), ann, PRIME, ANTE, attack_words)
    after = floor.felt(PRIME)
    assert (after.playing, after.laid) == (False, ())
    assert after.seal != repeated.seal
    assert learn_key(floor, ann) != twice
    assert kinds(floor).count(SealRenewed.kind) == 1
    assert worth(floor, bob) == 1_000_00
    assert verify_floor(floor.ledger).is_whole


def test_every_session_of_a_backup_ends_when_it_is_restored(in_a_file: Floor, tmp_path: Path) -> None:
    open_staff(in_a_file)
    open_prime(in_a_file)
    (player,) = guests(in_a_file, 1)
    in_a_file.lay_wagers(an_id(), player, PRIME, ANTE)
    token = in_a_file.sign_in(FIRST, password_of(FIRST), HERE).token
    assert in_a_file.session_of(token) is not None
    backup(in_a_file.ledger, tmp_path / "before.db")
    chosen = {login: new_password_of(login) for login in ("olga", "sam")}
    typed = TypedPasswords(password_of("sam"), chosen, HERE)
    done = restore(tmp_path / "before.db", f"sqlite:///{tmp_path}/restored.db", ("olga", "sam"), typed=typed)
    assert done.report.is_whole
    assert done.renewed.sessions > 0
    with open_ledger(f"sqlite:///{tmp_path}/restored.db") as ledger:
        floor = Floor(ledger)
        assert floor.session_of(token) is None
        assert not any(floor.person(login).sessions for login in floor.people())
        assert not floor.felt(PRIME).playing
        assert worth(floor, player) == 1_000_00
