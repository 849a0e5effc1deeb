"""A command reads older events before it locks its chains. It does not miss what another server stores in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardroom.ledger import Command, CommandResult, open_ledger
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import CardRoom, verify_card_room
from tests.deadline import LIMIT
from tests.service.card_rooms import all_seven, is_covered, new_id, open_room, play
from tests.service.table_scenes import all_wager, asked, guests, play_on
from tests.service.test_claims import finished_round
from tests.service.test_table_jackpots import PLAY, WAGERS
from tests.service.test_table_jackpots import open_room as open_table_with_jackpot


@pytest.fixture
def other_server(url: str) -> Iterator[CardRoom]:
    """A second server on the same database."""
    with open_ledger(url) as ledger:
        yield CardRoom(ledger)


def act_before_locks(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Act once, after the next command has read older events and before it locks its chains."""
    execute = card_room.ledger.execute

    def interrupted(command: Command) -> CommandResult:
        monkeypatch.setattr(card_room.ledger, "execute", execute)
        act()
        return execute(command)

    monkeypatch.setattr(card_room.ledger, "execute", interrupted)


def lower_reserve(card_room: CardRoom) -> None:
    changes = {"reserve": "2.5%"}
    card_room.jackpots.change_parameters(
        new_id(), "Olga", "final-four", "main", changes, "a new quarter", second="Vera"
    )


def test_a_void_round_is_reversed_at_the_rates_of_its_count_although_they_change_meanwhile(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    before = card_room.jackpot("final-four").meters[0]
    play(card_room, round_id="r4")
    act_before_locks(card_room, monkeypatch, lambda: lower_reserve(other_server))
    card_room.void_round(new_id(), "Kim", "prime-1", "r4", "the shuffler jammed", second="Flo")
    after = card_room.jackpot("final-four").meters[0]
    assert (after.display, after.reserve) == (before.display, before.reserve)
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_reading_is_reversed_at_the_rates_of_its_count_although_they_change_meanwhile(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    before = card_room.jackpot("final-four").meters[0]
    counter, *others = card_room.tabulator("prime-1").tabulator.counters
    card_room.read_counter("reading", "Kim", "prime-1", [counter + 4, *others])
    act_before_locks(card_room, monkeypatch, lambda: lower_reserve(other_server))
    card_room.reverse_reading(new_id(), "Kim", "prime-1", "reading", "misread", second="Flo")
    after = card_room.jackpot("final-four").meters[0]
    assert (after.display, after.reserve) == (before.display, before.reserve)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_hand_can_be_claimed_again_when_it_is_refused_before_the_claim_locks_its_chains(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two winners are in one claim, so the claim stays when one of them is refused."""
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    record = finished_round("Jc Qc Kc Ac", "Js Qs Ks As")
    card_room.claims.claim_prizes("both", "Kim", "final-four", "prime-1", "r1", record)
    act_before_locks(
        card_room,
        monkeypatch,
        lambda: other_server.claims.refuse(new_id(), "Vera", "final-four", "both", "a card fell", seats=[2]),
    )
    assert card_room.claims.claim_prizes("again", "Kim", "final-four", "prime-1", "r1", record).pending
    claims = card_room.jackpot("final-four").claims
    assert {claim.id: claim.seats for claim in claims} == {"both": (1,), "again": (2,)}
    assert verify_card_room(card_room.ledger).is_consistent


# The links of a table, and who else acts there, may change after a command has found out what it locks.


def test_a_round_counts_for_a_jackpot_to_which_its_table_is_linked_meanwhile(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room, tables=1)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    act_before_locks(
        card_room,
        monkeypatch,
        lambda: other_server.link_table(new_id(), "Olga", "prime-1", "all-seven", "a busy week"),
    )
    card_room.tabulate(new_id(), "Kim", "prime-1", {1: [1], 2: [1, 2]})
    assert [card_room.jackpot(jackpot).counted for jackpot in ("final-four", "all-seven")] == [1, 2]
    assert verify_card_room(card_room.ledger).is_consistent


def test_no_wager_counts_for_a_jackpot_from_which_its_table_is_unlinked_meanwhile(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room, tables=1)
    change = "Olga", "prime-1", "final-four", "a quiet week"
    act_before_locks(card_room, monkeypatch, lambda: other_server.unlink_table(new_id(), *change))
    with pytest.raises(CannotTabulate, match="no jackpot is linked"):
        play(card_room)
    assert card_room.jackpot("final-four").counted == 0


def test_a_round_begins_when_two_players_place_the_last_wagers_at_the_same_time(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither of them could know that its wagers begin the round, count for the jackpot, and deal."""
    open_table_with_jackpot(card_room)
    ann, bob = guests(card_room, 2, PLAY)
    act_before_locks(
        card_room, monkeypatch, lambda: other_server.place_wagers(new_id(), ann, PLAY, WAGERS, round="play-1.1")
    )
    card_room.place_wagers(new_id(), bob, PLAY, WAGERS, round="play-1.1")
    assert card_room.table(PLAY).playing
    assert card_room.jackpot("play-four").counted == 2
    play_on(card_room, PLAY)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_decision_ends_the_round_when_the_next_player_has_left_meanwhile(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default action of the player who left is the last decision, and the chips go back to the balance."""
    open_table_with_jackpot(card_room)
    ann, bob = guests(card_room, 2, PLAY)
    all_wager(card_room, [ann, bob], PLAY, WAGERS)
    deciding, other = (ann, bob) if asked(card_room, PLAY) == ann else (bob, ann)
    act_before_locks(card_room, monkeypatch, lambda: other_server.leave_seat(new_id(), other, PLAY))
    card_room.make_decision(new_id(), deciding, PLAY, "fold")
    assert not card_room.table(PLAY).playing
    assert card_room.player_account(other).seats == {}
    assert verify_card_room(card_room.ledger).is_consistent


def test_rounds_are_counted_once_while_the_links_of_their_table_change(card_room: CardRoom, url: str) -> None:
    open_room(card_room, tables=1)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    start = threading.Barrier(3)

    def press(dealer: int) -> int:
        with open_ledger(url, lock_timeout=LIMIT) as ledger:
            server = CardRoom(ledger)
            start.wait(LIMIT)
            rounds = (play(server, "prime-1", seats=1, round_id=f"{dealer}-{number}") for number in range(8))
            return sum(counted.counts["final-four"] for counted in rounds)

    def relink() -> None:
        start.wait(LIMIT)
        for change in (card_room.link_table, card_room.unlink_table) * 4:
            change(new_id(), "Olga", "prime-1", "all-seven", "a quiet week")

    with ThreadPoolExecutor(3) as people:
        dealers, office = [people.submit(press, dealer) for dealer in (1, 2)], people.submit(relink)
        assert [dealer.result() for dealer in dealers] == [8, 8]
        office.result()
    assert card_room.tabulator("prime-1").tabulator.counters[0] == 16
    assert verify_card_room(card_room.ledger).is_consistent
