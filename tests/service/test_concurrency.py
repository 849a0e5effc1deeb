"""Several processes on one meter, and backups during play."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.ledger import LedgerDamaged, open_ledger
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.service import CardRoom, RoundCountResult, create_backup, restore_backup, verify, verify_card_room
from tests.deadline import LIMIT
from tests.service.card_rooms import DIAMOND_ROYAL, is_covered, new_id, open_room, play, presses

PROCESSES, ROUNDS = 3, 60


def play_rounds(url: str, process: int) -> int:
    """Work of one server: rounds one at a time and several together, each sent twice."""
    with open_ledger(url, lock_timeout=LIMIT) as ledger:
        card_room, table = CardRoom(ledger), f"prime-{process}"
        single = presses(table, ROUNDS // 3, seats=3, name=f"{table}-single")
        for press in single:
            card_room.tabulate_all([press])
            card_room.tabulate_all([press])
        together = presses(table, ROUNDS - len(single), seats=3, name=f"{table}-together")
        results = card_room.tabulate_all(together)
        assert card_room.tabulate_all(together) == results
        return sum(isinstance(result, RoundCountResult) for result in results) + len(single)


def test_several_processes_on_one_meter_lose_no_update(url: str, card_room: CardRoom) -> None:
    open_room(card_room, tables=PROCESSES)
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as servers:
        played = list(servers.map(play_rounds, [url] * PROCESSES, range(1, PROCESSES + 1)))
    assert played == [ROUNDS] * PROCESSES
    state = card_room.jackpot("final-four")
    assert state.counted == PROCESSES * ROUNDS * 3
    assert state.meters[0].displayed_cents == 5_000_00 + PROCESSES * ROUNDS * 3 * 20
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_threads_that_share_a_card_room_lose_no_update(card_room: CardRoom) -> None:
    open_room(card_room, tables=4)
    with ThreadPoolExecutor(8) as dealers:
        list(dealers.map(lambda number: play(card_room, f"prime-{1 + number % 4}", seats=2), range(80)))
    assert card_room.jackpot("final-four").counted == 160
    assert verify_card_room(card_room.ledger).is_consistent


def test_only_one_of_two_people_can_refuse_the_same_claim(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)

    def can_refuse(who: str) -> bool:
        try:
            card_room.claims.refuse(new_id(), who, "final-four", "win", "a card came from the floor")
        except BadInput:
            return False
        return True

    with ThreadPoolExecutor(2) as people:
        assert sorted(people.map(can_refuse, ["Vera", "Walt"])) == [False, True]
    assert is_covered(card_room)


def test_winners_of_one_round_that_are_claimed_at_the_same_time_share(url: str, card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    royals = [
        TypedHand("final-four", 100, {"hand": f"J{suit} Q{suit} K{suit}", "fourth": f"A{suit}"}, seat=seat)
        for seat, suit in enumerate("csh", 1)
    ]

    def can_claim(hand: TypedHand) -> bool:
        with open_ledger(url) as ledger:
            try:
                CardRoom(ledger).claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", hand)
            except BadInput:
                return False
            return True

    with ThreadPoolExecutor(6) as dealers:
        assert sum(dealers.map(can_claim, royals * 2)) == len(royals)
    claims = card_room.jackpot("final-four").claims
    assert {prize.seat: prize.cents for claim in claims for prize in claim.prizes} == {1: 166_70, 2: 166_70, 3: 166_70}
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_backup_is_restored_into_an_empty_database_and_verified(
    url: str, card_room: CardRoom, tmp_path: Path
) -> None:
    open_room(card_room)
    play(card_room, rounds=5)
    create_backup(card_room.ledger, tmp_path / "backup.db")
    before_jackpot = card_room.jackpot("final-four")
    play(card_room)
    restored = f"sqlite:///{tmp_path}/restored.db"
    report = restore_backup(tmp_path / "backup.db", restored).report
    assert report.is_consistent
    assert report.jackpots == 1
    with open_ledger(restored) as ledger:
        restored_room = CardRoom(ledger)
        assert restored_room.jackpot("final-four") == before_jackpot
        play(restored_room)
        assert restored_room.jackpot("final-four") == card_room.jackpot("final-four")
    assert verify(url).is_consistent


def test_a_damaged_backup_is_not_restored(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_room(in_a_file)
    path = tmp_path / "backup.db"
    create_backup(in_a_file.ledger, path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"count":', b'"counT":').replace(b"Olga", b"Olgi"))
    with pytest.raises(LedgerDamaged):
        restore_backup(path, f"sqlite:///{tmp_path}/restored.db")
