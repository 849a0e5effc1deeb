"""A void live round counts nothing, no matter when and how its count arrives."""

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


def void_uncounted(card_room: CardRoom, table: str = PRIME) -> str:
    """A round that two people void before its count arrives."""
    round_id = begin(card_room, table)
    steps(card_room, "wagers", table=table)
    card_room.void_live_round(an_id(), "Kim", table, "the shuffler jammed", second="Lee")
    return round_id


def list_kinds_and_people(card_room: CardRoom, table: str) -> list[tuple[str, str]]:
    return [
        (event.kind, f"{event.payload.get('by', '')} and {event.payload.get('second', '')}")
        for event in card_room.history.list_tabulator_rounds(table, 2)
    ]


def test_a_press_after_the_round_is_void_is_counted_and_voided_at_once(card_room: CardRoom) -> None:
    live_prime(card_room)
    round_id = void_uncounted(card_room)
    counted = card_room.tabulate(an_id(), "device T-1", PRIME, {1: [1, 3]}, round_id=round_id)
    assert counted.meters["final-four"] == (5_000_00,)
    assert shown(card_room) == 5_000_00
    assert list_kinds_and_people(card_room, PRIME)[0] == ("round-voided", "Kim and Lee")
    assert card_room.tabulator(PRIME).tabulator.counters[0] == 2, "the counter of the unit never decreases"
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize("lines", [False, True], ids=["by the office", "over the network"])
def test_a_data_logger_record_of_a_void_round_is_voided_when_it_arrives(card_room: CardRoom, lines: bool) -> None:
    live_wild(card_room)
    round_id, before = void_uncounted(card_room, WILD), shown(card_room, "five-wild")
    logger = write_record(new_logger("A1-77"), round_id, [1, 2], time=1, dealer="Kim", counter=2)
    logger = write_record(logger, "wild-1.2", [1], time=2, dealer="Kim", counter=3)
    if lines:
        card_room.import_logger_lines(
            an_id(), "device A1-77", WILD, [record_line(record).decode() for record in logger.waiting]
        )
    else:
        card_room.import_logger_records(an_id(), "Rosa", WILD, logger.waiting)
    assert shown(card_room, "five-wild") == before + 100 // 7, "one wager of the next round"
    assert card_room.tabulator(WILD).tabulator.voided == {round_id}
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_can_be_voided_after_the_office_voided_its_count(card_room: CardRoom) -> None:
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1, 3)
    card_room.void_round(an_id(), "Rosa", PRIME, round_id, "the shuffler jammed", second="Lee")
    card_room.void_live_round(an_id(), "Kim", PRIME, "the shuffler jammed", second="Lee")
    assert (card_room.table(PRIME).round, shown(card_room)) == ("prime-1.2", 5_000_00)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_later_count_of_a_void_round_that_is_not_reversed_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    live_prime(in_a_file)
    round_id = void_uncounted(in_a_file)
    in_a_file.tabulate(an_id(), "Kim", PRIME, {1: [1]}, round_id="another")

    def name_void_round(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        return [(event.kind, payload | {"round": round_id})] if payload.get("round") == "another" else None

    assert f"round {round_id} was voided, and its tabulator still counts it" in found(
        in_a_file, tmp_path, name_void_round
    )


# A room with users: two of them sign the void of the round.

JAMMED = "the shuffler jammed"


@pytest.fixture
def clock() -> WallClock:
    return WallClock()


@pytest.fixture
def room_with_users(tmp_path: Path, clock: WallClock) -> Iterator[CardRoom]:
    with open_ledger(empty_ledger(tmp_path / "users.db"), clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        two_who_deal(card_room)
        hire(card_room, SURVEILLANCE, Role.SURVEILLANCE)
        yield card_room


def void_signed(card_room: CardRoom, table: str) -> None:
    signed_room = Both(card_room, Permission.VOID_ROUNDS)
    signed_room.void_live_round(an_id(), DEALER, table, JAMMED, second=SUPERVISOR)


def void_as_users(card_room: CardRoom, table: str = PRIME) -> str:
    round_id = begin(card_room, table, dealer=DEALER)
    steps(card_room, "wagers", table=table, dealer=DEALER)
    void_signed(card_room, table)
    return round_id


def press(card_room: CardRoom, round_id: str) -> None:
    """A tabulator sends its count over the network."""
    who, stamp = device_actor("T-1"), DeviceStamp("T-1")
    card_room.tabulate(device_command_id("T-1", round_id), who, PRIME, {1: [1, 3]}, round_id=round_id, device=stamp)


def import_record(card_room: CardRoom, round_id: str, *, lines: bool) -> None:
    """A data logger sends its record, over the network or from a file in the office."""
    logger = write_record(new_logger("A1-77"), round_id, [1, 2], time=1, dealer=DEALER, counter=2)
    if lines:
        sent = [record_line(record).decode() for record in logger.waiting]
        card_room.import_logger_lines(device_command_id("A1-77", round_id), device_actor("A1-77"), WILD, sent)
    else:
        card_room.import_logger_records(an_id(), SUPERVISOR, WILD, logger.waiting)


def test_a_late_press_for_a_round_that_two_users_voided_is_covered_by_their_signature(
    room_with_users: CardRoom,
) -> None:
    live_prime(room_with_users)
    round_id = void_as_users(room_with_users)
    press(room_with_users, round_id)
    assert list_kinds_and_people(room_with_users, PRIME)[0] == ("round-voided", f"{DEALER} and {SUPERVISOR}")
    assert verify_card_room(room_with_users.ledger).discrepancy is None


@pytest.mark.parametrize("lines", [False, True], ids=["by the office", "over the network"])
def test_a_late_record_for_a_round_that_two_users_voided_is_covered_by_their_signature(
    room_with_users: CardRoom, lines: bool
) -> None:
    live_wild(room_with_users)
    round_id = void_as_users(room_with_users, WILD)
    import_record(room_with_users, round_id, lines=lines)
    assert room_with_users.tabulator(WILD).tabulator.voided == {round_id}
    assert verify_card_room(room_with_users.ledger).discrepancy is None


def test_a_late_press_for_a_round_that_was_voided_before_the_room_had_users_is_accepted(in_a_file: CardRoom) -> None:
    live_prime(in_a_file)
    round_id = void_uncounted(in_a_file)
    two_who_deal(in_a_file)
    press(in_a_file, round_id)
    assert verify_card_room(in_a_file.ledger).discrepancy is None


def forge_void(
    card_room: CardRoom,
    monkeypatch: pytest.MonkeyPatch,
    round_id: str,
    who: str,
    second: str,
    why: str = "the shuffler jammed",
) -> None:
    """Store a count and a void in the names of two people, whatever they signed."""
    forged = LiveRoundCanceled(PRIME, 1, who, second, why)
    with monkeypatch.context() as patched:
        patched.setattr(rounds, "find_live_cancellation", lambda *_: forged)
        press(card_room, round_id)


def find_discrepancy_sentence(card_room: CardRoom) -> str:
    discrepancy = verify_card_room(card_room.ledger).discrepancy
    return "" if discrepancy is None else discrepancy.sentence


@pytest.mark.parametrize("round_id", ["another", "prime-1.1", "prime-1.7"])
def test_a_void_that_names_people_who_voided_nothing_is_found(
    room_with_users: CardRoom, monkeypatch: pytest.MonkeyPatch, round_id: str
) -> None:
    """A round that is not live, the round in play, and a round that never began."""
    live_prime(room_with_users)
    assert begin(room_with_users, dealer=DEALER) == "prime-1.1"
    forge_void(room_with_users, monkeypatch, round_id, DEALER, SUPERVISOR)
    assert "the second person has not signed it" in find_discrepancy_sentence(room_with_users)


@pytest.mark.parametrize(
    "arguments",
    [
        (DEALER, SURVEILLANCE),
        (OPERATOR, SUPERVISOR),
        (SUPERVISOR, DEALER),
        (DEALER, SUPERVISOR, "the cards were marked"),
    ],
    ids=["another second person", "another first person", "the two exchanged", "another reason"],
)
def test_a_void_that_contradicts_the_cancellation_is_found(
    room_with_users: CardRoom, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    live_prime(room_with_users)
    forge_void(room_with_users, monkeypatch, void_as_users(room_with_users), *arguments)
    assert "the second person has not signed it" in find_discrepancy_sentence(room_with_users)


def test_a_void_that_is_earlier_than_the_cancellation_is_found(
    room_with_users: CardRoom, clock: WallClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_prime(room_with_users)
    round_id = begin(room_with_users, dealer=DEALER)
    forge_void(room_with_users, monkeypatch, round_id, DEALER, SUPERVISOR)
    clock.now += 60_000_000
    void_signed(room_with_users, PRIME)
    assert "the second person has not signed it" in find_discrepancy_sentence(room_with_users)


def test_a_void_after_an_unsigned_cancellation_is_found(
    room_with_users: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_prime(room_with_users)
    with monkeypatch.context() as patched:
        patched.setattr(command_service, "find_cosigners", lambda _: {})
        round_id = void_as_users(room_with_users)
    press(room_with_users, round_id)
    assert "the second person has not signed it" in find_discrepancy_sentence(room_with_users)


def test_a_cancellation_makes_a_round_void_once(room_with_users: CardRoom) -> None:
    """Otherwise the signature could take the same wagers off the meter several times."""
    live_prime(room_with_users)
    round_id = void_as_users(room_with_users)
    press(room_with_users, round_id)
    chains = table, jackpot = tabulator_chain(PRIME), jackpot_chain("final-four")
    *_, void = map(read_domain_event, room_with_users.ledger.events(table))
    (counted,) = (
        event
        for event in map(read_domain_event, room_with_users.ledger.events(jackpot))
        if isinstance(event, WagersCounted)
    )
    people = {"who": DEALER, "second": SUPERVISOR, "why": JAMMED}

    def decide(unit_of_work: UnitOfWork) -> None:
        unit_of_work.apply_to_tabulator(PRIME, [void])
        unit_of_work.apply_to_jackpot(
            "final-four", reverse_wagers(unit_of_work.jackpot("final-four"), counted, LaterEvents(), **people)
        )

    room_with_users._execute("again", {"do": "forge"}, chains, decide, lambda _: None)
    assert f"round {round_id} was void already" in find_discrepancy_sentence(room_with_users)
