"""A live round that was voided counts nothing, whenever and however its count comes in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cardroom.ledger import Event, open_ledger
from cardroom.room.jackpot.event_values import DeviceStamp
from cardroom.room.jackpot.events import WagersCounted
from cardroom.room.jackpot.wager_counts import LaterEvents, reverse_wagers
from cardroom.room.table.events import LiveRoundCanceled
from cardroom.room.tabulator.data_logger import new_logger, write_record
from cardroom.room.tabulator.logger_lines import record_line
from cardroom.room.user.command_ids import device_actor, device_command_id
from cardroom.room.user.permissions import Permission, Role
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.chains.names import jackpot_chain, tabulator_chain
from cardroom.service.commands import handler as command_service
from cardroom.service.commands import tabulation as rounds
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import read_domain_event
from tests.ledger.empty import empty_ledger
from tests.reports.card_room import WallClock
from tests.service.card_rooms import is_covered, shown
from tests.service.forger import Payload, Rewritten, found
from tests.service.live_scenes import PRIME, WILD, begin, live_prime, live_wild, steps, tabulate
from tests.service.staff import DEALER, OPERATOR, SUPERVISOR, SURVEILLANCE, Both, hire, two_who_deal
from tests.service.table_scenes import an_id


def voided(card_room: CardRoom, table: str = PRIME) -> str:
    """A round that two people void before its count comes in."""
    round_id = begin(card_room, table)
    steps(card_room, "wagers", table=table)
    card_room.void_live_round(an_id(), "Kim", table, "the shuffler jammed", second="Lee")
    return round_id


def kinds_and_people(card_room: CardRoom, table: str) -> list[tuple[str, str]]:
    return [
        (one.kind, f"{one.payload.get('by', '')} and {one.payload.get('second', '')}")
        for one in card_room.list_tabulator_rounds(table, 2)
    ]


def test_a_press_that_comes_after_the_cancellation_counts_and_is_void_at_once(card_room: CardRoom) -> None:
    live_prime(card_room)
    round_id = voided(card_room)
    counted = card_room.tabulate(an_id(), "device T-1", PRIME, {1: [1, 3]}, round_id=round_id)
    assert counted.meters["final-four"] == (5_000_00,)
    assert shown(card_room) == 5_000_00
    assert kinds_and_people(card_room, PRIME)[0] == ("round-voided", "Kim and Lee")
    assert card_room.tabulator(PRIME).tabulator.counters[0] == 2, "the unit's counter never goes back"
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize("lines", [False, True], ids=["by the office", "over the network"])
def test_a_data_loggers_record_of_a_void_round_is_void_as_it_comes_in(card_room: CardRoom, lines: bool) -> None:
    live_wild(card_room)
    round_id, before = voided(card_room, WILD), shown(card_room, "five-wild")
    logger = write_record(new_logger("A1-77"), round_id, [1, 2], time=1, dealer="Kim", counter=2)
    logger = write_record(logger, "wild-1.2", [1], time=2, dealer="Kim", counter=3)
    if lines:
        card_room.import_logger_lines(
            an_id(), "device A1-77", WILD, [record_line(one).decode() for one in logger.waiting]
        )
    else:
        card_room.import_logger_records(an_id(), "Rosa", WILD, logger.waiting)
    assert shown(card_room, "five-wild") == before + 100 // 7, "one wager of the next round"
    assert card_room.tabulator(WILD).tabulator.voided == {round_id}
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_whose_count_the_office_made_void_can_still_be_voided(card_room: CardRoom) -> None:
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1, 3)
    card_room.void_round(an_id(), "Rosa", PRIME, round_id, "the shuffler jammed", second="Lee")
    card_room.void_live_round(an_id(), "Kim", PRIME, "the shuffler jammed", second="Lee")
    assert (card_room.table(PRIME).round, shown(card_room)) == ("prime-1.2", 5_000_00)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_count_of_a_void_round_that_came_later_and_stays_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    live_prime(in_a_file)
    round_id = voided(in_a_file)
    in_a_file.tabulate(an_id(), "Kim", PRIME, {1: [1]}, round_id="another")

    def of_the_void_round(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        return [(event.kind, payload | {"round": round_id})] if payload.get("round") == "another" else None

    assert f"round {round_id} was voided, and its tabulator still counts it" in found(
        in_a_file, tmp_path, of_the_void_round
    )


# In a room that has users, two of whom signed when they called the round off.

JAMMED = "the shuffler jammed"


@pytest.fixture
def clock() -> WallClock:
    return WallClock()


@pytest.fixture
def with_users(tmp_path: Path, clock: WallClock) -> Iterator[CardRoom]:
    with open_ledger(empty_ledger(tmp_path / "users.db"), clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        two_who_deal(card_room)
        hire(card_room, SURVEILLANCE, Role.SURVEILLANCE)
        yield card_room


def void_signed(card_room: CardRoom, table: str) -> None:
    both = Both(card_room, Permission.VOID_ROUNDS)
    both.void_live_round(an_id(), DEALER, table, JAMMED, second=SUPERVISOR)


def voided_by_users(card_room: CardRoom, table: str = PRIME) -> str:
    round_id = begin(card_room, table, dealer=DEALER)
    steps(card_room, "wagers", table=table, dealer=DEALER)
    void_signed(card_room, table)
    return round_id


def press(card_room: CardRoom, round_id: str) -> None:
    """A tabulator sends its count over the network."""
    who, stamp = device_actor("T-1"), DeviceStamp("T-1")
    card_room.tabulate(device_command_id("T-1", round_id), who, PRIME, {1: [1, 3]}, round_id=round_id, device=stamp)


def record(card_room: CardRoom, round_id: str, *, lines: bool) -> None:
    """A data logger sends its record, over the network or from a file in the office."""
    logger = write_record(new_logger("A1-77"), round_id, [1, 2], time=1, dealer=DEALER, counter=2)
    if lines:
        sent = [record_line(one).decode() for one in logger.waiting]
        card_room.import_logger_lines(device_command_id("A1-77", round_id), device_actor("A1-77"), WILD, sent)
    else:
        card_room.import_logger_records(an_id(), SUPERVISOR, WILD, logger.waiting)


def test_a_late_press_for_a_round_that_two_users_voided_rests_on_their_signature(with_users: CardRoom) -> None:
    live_prime(with_users)
    round_id = voided_by_users(with_users)
    press(with_users, round_id)
    assert kinds_and_people(with_users, PRIME)[0] == ("round-voided", f"{DEALER} and {SUPERVISOR}")
    assert verify_card_room(with_users.ledger).discrepancy is None


@pytest.mark.parametrize("lines", [False, True], ids=["by the office", "over the network"])
def test_a_late_record_for_a_round_that_two_users_voided_rests_on_their_signature(
    with_users: CardRoom, lines: bool
) -> None:
    live_wild(with_users)
    round_id = voided_by_users(with_users, WILD)
    record(with_users, round_id, lines=lines)
    assert with_users.tabulator(WILD).tabulator.voided == {round_id}
    assert verify_card_room(with_users.ledger).discrepancy is None


def test_a_late_press_for_a_round_that_was_canceled_before_there_were_users_is_in_order(in_a_file: CardRoom) -> None:
    live_prime(in_a_file)
    round_id = voided(in_a_file)
    two_who_deal(in_a_file)
    press(in_a_file, round_id)
    assert verify_card_room(in_a_file.ledger).discrepancy is None


def forged_void(
    card_room: CardRoom,
    monkeypatch: pytest.MonkeyPatch,
    round_id: str,
    who: str,
    second: str,
    why: str = "the shuffler jammed",
) -> None:
    """A count that is void in the names of two people, whatever they voided."""
    forged = LiveRoundCanceled(PRIME, 1, who, second, why)
    with monkeypatch.context() as then:
        then.setattr(rounds, "find_live_cancellation", lambda *_: forged)
        press(card_room, round_id)


def sentence_of(card_room: CardRoom) -> str:
    found = verify_card_room(card_room.ledger).discrepancy
    return "" if found is None else found.sentence


@pytest.mark.parametrize("round_id", ["another", "prime-1.1", "prime-1.7"])
def test_a_void_that_names_people_who_voided_nothing_is_found(
    with_users: CardRoom, monkeypatch: pytest.MonkeyPatch, round_id: str
) -> None:
    """A round that is no live one, the one that is in play, and one that was never begun."""
    live_prime(with_users)
    assert begin(with_users, dealer=DEALER) == "prime-1.1"
    forged_void(with_users, monkeypatch, round_id, DEALER, SUPERVISOR)
    assert "the second person has not signed it" in sentence_of(with_users)


@pytest.mark.parametrize(
    "result",
    [
        (DEALER, SURVEILLANCE),
        (OPERATOR, SUPERVISOR),
        (SUPERVISOR, DEALER),
        (DEALER, SUPERVISOR, "the cards were marked"),
    ],
    ids=["another second person", "another first person", "the two in turn", "another reason"],
)
def test_a_void_that_says_something_else_than_the_cancellation_is_found(
    with_users: CardRoom, monkeypatch: pytest.MonkeyPatch, result: tuple[str, ...]
) -> None:
    live_prime(with_users)
    forged_void(with_users, monkeypatch, voided_by_users(with_users), *result)
    assert "the second person has not signed it" in sentence_of(with_users)


def test_a_void_of_a_round_that_was_canceled_only_later_is_found(
    with_users: CardRoom, clock: WallClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_prime(with_users)
    round_id = begin(with_users, dealer=DEALER)
    forged_void(with_users, monkeypatch, round_id, DEALER, SUPERVISOR)
    clock.now += 60_000_000
    void_signed(with_users, PRIME)
    assert "the second person has not signed it" in sentence_of(with_users)


def test_a_void_on_a_cancellation_that_no_one_signed_is_found(
    with_users: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_prime(with_users)
    with monkeypatch.context() as then:
        then.setattr(command_service, "find_cosigners", lambda _: {})
        round_id = voided_by_users(with_users)
    press(with_users, round_id)
    assert "the second person has not signed it" in sentence_of(with_users)


def test_a_cancellation_makes_a_round_void_once(with_users: CardRoom) -> None:
    """Otherwise its signature would take the same wagers off the meter again and again."""
    live_prime(with_users)
    round_id = voided_by_users(with_users)
    press(with_users, round_id)
    chains = table, jackpot = tabulator_chain(PRIME), jackpot_chain("final-four")
    *_, void = map(read_domain_event, with_users.ledger.events(table))
    (counted,) = (
        one for one in map(read_domain_event, with_users.ledger.events(jackpot)) if isinstance(one, WagersCounted)
    )
    people = {"who": DEALER, "second": SUPERVISOR, "why": JAMMED}

    def decide(draft: UnitOfWork) -> None:
        draft.apply_to_tabulator(PRIME, [void])
        draft.apply_to_jackpot(
            "final-four", reverse_wagers(draft.jackpot("final-four"), counted, LaterEvents(), **people)
        )

    with_users._execute("again", {"do": "forge"}, chains, decide, lambda _: None)
    assert f"round {round_id} was void already" in sentence_of(with_users)
