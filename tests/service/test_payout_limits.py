"""A table with a payout limit on the card room: automatic rounds pay it, recall it and are verified with it."""

from __future__ import annotations

from dataclasses import replace

from cardroom.games import game, round_from_json
from cardroom.games.serialization import settlement_to_json
from cardroom.games.setup import with_custom_paytables
from cardroom.paytables import PaytableSpec, build_custom_paytable
from cardroom.service import CardRoom, PastRound, RoomTableSetup, verify_card_room
from tests.service.table_scenes import UNTIMED, all_wager, an_id, guests, play_on, without_meters, worth

LIMIT = 5_000_00
GENEROUS = build_custom_paytable(
    "three-card-prime", "pair-bonus", PaytableSpec("Generous", "to 1", (("trips", "60"), ("other", "50")))
)


def test_a_round_pays_no_more_than_the_limit_and_is_verified_with_it(in_a_file: CardRoom) -> None:
    rules = game("three-card-prime")
    setup = with_custom_paytables(without_meters("three-card-prime"), [GENEROUS], rules.facts)
    setup = replace(setup, payout_limit=LIMIT)
    in_a_file.add_table(an_id(), "Olga", RoomTableSetup("limited-1", setup, UNTIMED))
    players = guests(in_a_file, 3, "limited-1", buy_in=1_000_00)
    before = sum(worth(in_a_file, player) for player in players)
    all_wager(in_a_file, players, "limited-1", {"ante-play": 10_00, "pair-bonus": 100_00})
    play_on(in_a_file, "limited-1", "fold")
    (past,) = in_a_file.list_recent_rounds()
    assert isinstance(past, PastRound)
    bonus = [one for one in past.settlement.payments if one.spot == "pair-bonus"]
    reduced = [one for one in bonus if one.unlimited_return is not None]
    assert len(reduced) > 1, "several players win at 50 to 1"
    assert sum(one.known_return - one.wagered for one in reduced) == LIMIT
    won = sum(one.known_return - one.wagered for one in past.settlement.payments)
    assert sum(worth(in_a_file, player) for player in players) == before + won
    entry = past.to_json()
    assert entry["record"]["table"]["payout_limit"] == "$5,000"
    again = round_from_json(entry["record"])
    assert settlement_to_json(again.game.settle(again), again.table.facts)["payments"] == entry["payments"]
    assert verify_card_room(in_a_file.ledger).is_consistent
