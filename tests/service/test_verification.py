"""A replay of everything: what is whole is found whole, and the first thing that is wrong is named."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from cardroom.chart_of_accounts import Posting
from cardroom.games.setup import setup_to_json
from cardroom.ledger import Command, CommandOutcome, NewEvent, UniqueKey, open_ledger
from cardroom.ledger.schema import TABLES as STORED
from cardroom.room.claim.new_claim import ClaimSubmission, claim_typed_hand
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.typed_hand import typed_hand_record
from cardroom.room.codec import encode
from cardroom.room.event_types import EVENT_TYPES, decode_event
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction
from cardroom.room.jackpot.wager_counts import count_wagers
from cardroom.room.tabulator.unit import press_button
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, VerificationReport, verify, verify_card_room
from cardroom.service.chains.aggregates import JACKPOTS, ROOM, TABULATORS
from cardroom.service.verification import run as whole
from tests.ledger.test_tampering import FileAttacker
from tests.service.card_rooms import (
    CLUB_ROYAL,
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    WATCHED,
    all_seven,
    deuces_sensors,
    deuces_table,
    final_four,
    five_wild,
    new_id,
    open_room,
    pay,
    play,
    presses,
    prime_table,
    reconcile_short,
)
from tests.service.test_promotions import JULY, STRAIGHT, STRAIGHTS


def busy_evening(card_room: CardRoom) -> None:
    """A little of everything that can happen."""
    open_room(card_room, tables=3)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    card_room.jackpots.open(new_id(), "Olga", five_wild())
    card_room.add_table(
        new_id(), "Olga", RoomTableSetup("wild-1", deuces_table(), tabulator=UnitSetup(deuces_sensors(), "A1-77"))
    )
    card_room.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")
    for table in ("prime-1", "prime-2", "prime-3"):
        play(card_room, table, seats=5, rounds=4)
    card_room.tabulate(new_id(), "Kim", "prime-1", {1: [1, 2], 2: [2, 3, 4]}, round_id="r1")
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 4_000_00, "slip 1")
    card_room.jackpots.change_parameters(
        new_id(), "Olga", "final-four", "main", {"contribution": "1/7"}, "new rates", second="Carl"
    )
    card_room.claims.claim_hand("first", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    play(card_room, "prime-2", seats=3, round_id="r2")
    play(card_room, "prime-2", seats=3, round_id="r3")
    card_room.claims.claim_hand("second", "Lou", "final-four", "prime-2", "r2", CLUB_ROYAL)
    card_room.claims.claim_hand("trips", "Lou", "final-four", "prime-2", "r3", THREE_OF_A_KIND)
    play(card_room, "prime-3", seats=2)
    card_room.claims.refuse(new_id(), "Vera", "final-four", "first", "the seal was broken")
    pay(card_room, "Vera", "final-four", "second", surveillance=WATCHED)
    card_room.void_round(
        new_id(), "Sam", "prime-3", play(card_room, "prime-3").round, "the shuffler jammed", second="Flo"
    )
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-2", "no light")
    card_room.count_by_hand(new_id(), "Sam", "prime-2", {1: [1, 2]})
    card_room.unlink_table(new_id(), "Olga", "prime-1", "final-four", "as the operator wants it")
    reconcile_short(card_room, "Carl", 4_000_00)
    card_room.promotions.announce(new_id(), "Olga", STRAIGHTS)
    card_room.promotions.pay(new_id(), "Kim", STRAIGHTS.id, "prime-1", "r9", STRAIGHT, day=JULY, second="Lee")


def test_a_busy_evening_is_found_whole(card_room: CardRoom) -> None:
    busy_evening(card_room)
    report = verify_card_room(card_room.ledger)
    assert report.discrepancy is None
    assert (report.tables, report.jackpots, report.promotions, report.claims) == (4, 3, 1, 4)
    assert report.events == report.ledger.events > 50


def test_an_empty_floor_is_whole(card_room: CardRoom) -> None:
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_verification_on_several_cores_comes_to_the_same(
    url: str, card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy_evening(card_room)
    alone = verify_card_room(card_room.ledger)
    monkeypatch.setattr(whole, "MIN_EVENTS_FOR_PARALLEL", 0)
    assert verify(url, cores=2) == alone
    _commit(card_room, "jackpot:final-four", "wagers-counted", _counted(card_room))
    found, expected = verify(url, cores=2).discrepancy, verify_card_room(card_room.ledger).discrepancy
    assert found == expected is not None


def test_several_cores_miss_a_trigger_that_is_gone_too(
    in_a_file: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy_evening(in_a_file)
    with sqlite3.connect(tmp_path / "room.db") as connection:
        connection.execute("DROP TRIGGER events_refuse_update")
    connection.close()
    monkeypatch.setattr(whole, "MIN_EVENTS_FOR_PARALLEL", 0)
    found = verify(f"sqlite:///{tmp_path}/room.db", cores=2).discrepancy
    assert found is not None
    assert found.id == "events_refuse_update"


# A forger who has the program, so that every hash and seal is right.


def _commit(card_room: CardRoom, chain: str, kind: str, payload: dict[str, Any], **wrong: Any) -> None:
    """Store an event as the card room would, without asking whether it is allowed."""

    subject: Any = JACKPOTS if chain.startswith("jackpot:") else ROOM if chain == "room" else TABULATORS
    payload = orjson.loads(orjson.dumps(payload, option=orjson.OPT_SORT_KEYS))
    domain_event: Any = decode_event(kind, 1, payload) if kind in EVENT_TYPES else None

    def decide(heads: Any) -> CommandOutcome:
        snapshot = heads[chain].snapshot
        with suppress(ValueError, AttributeError):
            snapshot = subject.encode(subject.apply(subject.decode(snapshot), domain_event))
        if "snapshot" in wrong:
            snapshot = wrong["snapshot"](snapshot)
        postings = wrong.get("postings", ())
        if "postings" not in wrong:
            with suppress(ValueError, AttributeError):
                before = subject.decode(heads[chain].snapshot)
                postings = subject.postings(before, subject.apply(before, domain_event), domain_event)
        return CommandOutcome((NewEvent(chain, kind, 1, payload, postings, names),), {chain: snapshot}, None)

    names = wrong.get("names", subject.unique_keys(domain_event) if domain_event else ())
    asked = tuple(UniqueKey(chain, name) for name in names)
    card_room.ledger.execute(Command(wrong.get("id") or new_id(), (chain,), {"do": "forge"}, decide, asked))


def _counted(card_room: CardRoom, table: str = "prime-2") -> dict[str, Any]:
    """The payload of a round's wagers, as they would be counted now."""
    (domain_event,) = count_wagers(card_room.jackpot("final-four"), table, 2, round_id="never-played")
    return domain_event.payload


def _tabulated(card_room: CardRoom, round_id: str) -> dict[str, Any]:
    """The payload of a round, as it would be recorded now."""
    (domain_event,) = press_button(card_room.tabulator("prime-1").tabulator, round_id, {1: [1, 2]}, dealer="Eve")
    return domain_event.payload


def discrepancy(card_room: CardRoom) -> str:
    report: VerificationReport = verify_card_room(card_room.ledger)
    assert report.ledger.is_intact
    assert report.discrepancy is not None
    return report.discrepancy.sentence


def test_wagers_that_no_table_counted_are_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, "prime-2", rounds=3)
    _commit(in_a_file, "jackpot:final-four", "wagers-counted", _counted(in_a_file))
    sentence = discrepancy(in_a_file)
    assert "table prime-2 and jackpot final-four disagree" in sentence
    assert "'never-played'" in sentence


def test_wagers_that_never_reached_the_jackpot_are_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, rounds=2)
    _commit(in_a_file, "tabulator:prime-1", "round-tabulated", _tabulated(in_a_file, "hidden"))
    assert "'hidden'" in discrepancy(in_a_file)


@pytest.mark.parametrize("names", [(), ("r3",), ("r1 again", "r3")])
def test_a_round_that_was_counted_again_under_another_name_or_none_is_found(
    in_a_file: CardRoom, names: tuple[str, ...]
) -> None:
    open_room(in_a_file)
    for round_id in ("r1", "r2"):
        play(in_a_file, round_id=round_id)
    _commit(in_a_file, "tabulator:prime-1", "round-tabulated", _tabulated(in_a_file, "r1"), names=names)
    assert "Event 4 of tabulator:prime-1" in discrepancy(in_a_file)
    assert f"its unique keys do not follow from it. Expected: ('r1',). Found: {names}." in discrepancy(in_a_file)


def test_a_counter_that_did_not_go_on_by_the_number_of_wagers_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    payload = _tabulated(in_a_file, "r1")
    payload["wagers"][0]["counter"] -= 1
    _commit(in_a_file, "tabulator:prime-1", "round-tabulated", payload)
    assert "the counter for final-four advanced by a different number" in discrepancy(in_a_file)


NUMBERS = {
    "jackpot:final-four": ["amount", "count", *(f"levels main {at}" for at in range(6)), "wagers 0 0"],
    "tabulator:prime-1": ["wagers 0 counter", "wagers 0 count", "wagers 0 stakes 0 0", "wagers 1 counter"],
}


@pytest.mark.parametrize(("chain", "place"), [(chain, place) for chain in NUMBERS for place in NUMBERS[chain]])
@pytest.mark.parametrize("by", [-1, 1, 700])
def test_any_number_of_a_round_that_was_changed_is_found(in_a_file: CardRoom, chain: str, place: str, by: int) -> None:
    open_room(in_a_file, tables=1, setup=final_four(contribution="1/7", ceiling="$5,010"))
    play(in_a_file, rounds=3)
    is_table = chain.startswith("tabulator:")
    payload = _tabulated(in_a_file, "r1") if is_table else _counted(in_a_file, "prime-1")
    *path, last = (int(part) if part.isdigit() else part for part in place.split())
    spot: Any = payload
    for part in path:
        spot = spot[part]
    spot[last] += by
    _commit(in_a_file, chain, "round-tabulated" if is_table else "wagers-counted", payload)
    sentence = discrepancy(in_a_file)
    assert sentence.startswith(f"Event {in_a_file.ledger.head(chain).sequence} of {chain}")
    assert "disagree about what was counted" not in sentence


def test_a_contribution_that_is_too_small_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    payload = _counted(in_a_file)
    payload["levels"]["main"][1] -= 1
    _commit(in_a_file, "jackpot:final-four", "wagers-counted", payload)
    sentence = discrepancy(in_a_file)
    assert sentence.startswith("Event 4 of jackpot:final-four")
    assert "takes another part of the wagers" in sentence


def test_entries_that_do_not_follow_from_the_event_are_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    payload = _counted(in_a_file)
    state = in_a_file.jackpot("final-four")
    first, *rest = JACKPOTS.postings(state, state, decode_event("wagers-counted", 1, payload))
    skimmed = (Posting(first.debit, first.credit, first.amount - 100), *rest)
    _commit(in_a_file, "jackpot:final-four", "wagers-counted", payload, postings=skimmed)
    sentence = discrepancy(in_a_file)
    assert "its entries do not follow from it" in sentence
    assert f"{first.amount - 100}" in sentence


def test_a_snapshot_that_is_not_the_sum_of_the_events_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)

    def raised(snapshot: dict[str, Any]) -> dict[str, Any]:
        meter = snapshot["meters"][0]
        return snapshot | {"meters": [meter | {"display": meter["display"] + 1_000_000}]}

    payload = {"jackpot": "final-four", "who": "Eve", "why": "no reason"}
    _commit(in_a_file, "jackpot:final-four", "jackpot-disabled", payload, snapshot=raised)
    sentence = discrepancy(in_a_file)
    assert sentence == (
        "The snapshot in the head of jackpot:final-four is not the state to which its events lead: meters.1.display "
        "should be 50000000 and is 51000000."
    )


def test_a_prize_for_a_hand_that_has_not_won_it_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    in_a_file.claims.claim_hand("trips", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)
    paid = dict(in_a_file.history.list_jackpot_events("final-four", 1)[0].payload)
    prize = dict(paid["prizes"][0]) | {"event": "four-of-a-kind", "cents": 1_000_00}
    forged = paid | {"round": "r2", "prizes": [prize], "cents": 1_000_00}
    _commit(in_a_file, "jackpot:final-four", "prizes-paid", forged)
    sentence = discrepancy(in_a_file)
    assert "judged again" in sentence
    assert "100000" in sentence


def _royal(card_room: CardRoom, counted: int, round_id: str = "r1", seat: int = 1) -> None:
    """Store a claim whose hand is judged rightly, without asking the table."""
    hand, state = replace(DIAMOND_ROYAL, seat=seat), card_room.jackpot("final-four")
    record = typed_hand_record(setup_to_json(prime_table()), hand, {})
    asked = ClaimSubmission("forged", "prime-1", round_id, "Eve", counted, 500_00, PriorClaims(), "Kim")
    won = claim_typed_hand(state, record, seat, asked)
    for one in won:
        _commit(card_room, "jackpot:final-four", one.kind, one.payload)


@pytest.mark.parametrize(
    ("round_id", "seat", "later", "found"),
    [
        ("r9", 1, 0, "is about a round that event {} of tabulator:prime-1 did not count"),
        ("r1", 1, -1, "is about a round that event {} of tabulator:prime-1 did not count"),
        ("r1", 1, 1_000, "is about a round that event {} of tabulator:prime-1 did not count"),
        ("r1", 1, 1 << 63, "names no event of prime-1"),
        ("r1", 4, 0, "is about wagers that prime-1 did not count in round r1"),
    ],
)
def test_a_claim_without_a_counted_wager_is_found(
    card_room: CardRoom, round_id: str, seat: int, later: int, found: str
) -> None:
    open_room(card_room)
    play(card_room, seats=3, round_id="r1")
    (event,) = card_room.history.list_tabulator_rounds("prime-1", 1)
    counted = event.sequence + later
    _royal(card_room, counted, round_id, seat)
    sentence = discrepancy(card_room)
    assert f"claim forged {found.format(counted)}" in sentence
    assert "jackpot:final-four" in sentence


def test_a_claim_that_was_counted_is_no_forgery(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=3, round_id="r1")
    _royal(in_a_file, in_a_file.history.list_tabulator_rounds("prime-1", 1)[0].sequence, seat=3)
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_claim_about_a_void_round_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=3, round_id="r1")
    (event,) = in_a_file.history.list_tabulator_rounds("prime-1", 1)
    in_a_file.void_round(new_id(), "Sam", "prime-1", "r1", "the shuffler jammed", second="Flo")
    _royal(in_a_file, event.sequence)
    assert "claim forged is about round r1 of prime-1, which is void" in discrepancy(in_a_file)


def test_an_event_that_no_user_knows_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    _commit(in_a_file, "tabulator:prime-1", "table-blessed", {"table": "prime-1"})
    assert "table-blessed" in discrepancy(in_a_file)


def test_a_chain_that_is_not_the_floors_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    event = NewEvent("cellar", "noted", 1, {})
    in_a_file.ledger.execute(Command(new_id(), ("cellar",), {}, lambda _: CommandOutcome((event,), {}, None)))
    assert "cellar is not the chain of a tabulator" in discrepancy(in_a_file)


# A forger who has only the file.


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evening") / "room.db"
    with open_ledger(f"sqlite:///{path}") as ledger:
        busy_evening(CardRoom(ledger))
    return path


Change = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("table", "column", "change"),
    [
        ("events", "payload", lambda text: text.replace("1", "2", 1) if "1" in text else text + " "),
        ("entries", "amount", lambda amount: amount + 1),
        ("entries", "credit", lambda account: account + "x"),
        ("heads", "snapshot", lambda text: text.replace("0", "1", 1)),
        ("balances", "credits", lambda amount: amount + 1),
        ("commands", "answer", lambda text: text.replace("0", "1", 1) if "0" in text else text + " "),
    ],
)
def test_whatever_is_changed_in_the_file_is_found_and_named(
    evening: Path, table: str, column: str, change: Change
) -> None:
    schema = next(one for one in STORED if one.name == table)
    attacker = FileAttacker(evening)
    rows = attacker.rows(schema)
    with open_ledger(f"sqlite:///{evening}") as ledger:
        for row in rows[:: max(len(rows) // 8, 1)]:
            with attacker.changed(schema, row, **{column: change(row[column])}):
                found = verify_card_room(ledger).discrepancy
            assert found is not None
            where = row.get("chain") or row.get("account") or row["id"]
            assert where in found.sentence
            assert row.get("sequence", found.sequence) == found.sequence
        assert verify_card_room(ledger).is_consistent


def test_a_ledger_is_verified_while_rounds_go_on(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.tabulate_all(presses("prime-1", 200))
    with in_a_file.ledger.store.read():
        in_a_file.tabulate_all(presses("prime-2", 20))
        assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"wagers": [[100, 4]]}, "the wagers have another count or total"),
        ({"levels": {"main": [50_012_000, 11_000, 2_500, 0]}}, "the wagers contributed another amount to level main"),
        ({"parameters": {"main": "half"}}, "the wagers contributed another amount to level main"),
    ],
)
def test_a_void_round_that_takes_off_another_amount_is_found(
    in_a_file: CardRoom, change: dict[str, Any], found: str
) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=6, round_id="r1")
    in_a_file.void_round(new_id(), "Sam", "prime-1", "r1", "the shuffler jammed", second="Flo")
    result: Any = orjson.loads(orjson.dumps(in_a_file.history.list_jackpot_events("final-four", 1)[0].payload))
    play(in_a_file, seats=6, round_id="r2")
    if "parameters" in change:
        half = encode(in_a_file.jackpot("final-four").meters[0].parameters) | {"contribution": "1/10"}
        change = {"parameters": {"main": half}}
    forged = result | {"round": "r2"} | change
    with pytest.raises(StateContradiction, match=found):
        apply_jackpot_event(in_a_file.jackpot("final-four"), decode_event("wagers-reversed", 1, forged))
    right = decode_event("wagers-reversed", 1, result | {"round": "r2"})
    assert apply_jackpot_event(in_a_file.jackpot("final-four"), right).counted == 0
