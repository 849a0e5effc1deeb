"""A table with a custom paytable: the card room deals, pays, shows, and verifies its rounds."""

from __future__ import annotations

from random import Random

from cardroom.games import game, round_from_json
from cardroom.games.serialization import settlement_to_json
from cardroom.games.setup import setup_from_json, with_custom_paytables
from cardroom.paytables import PaytableSpec, build_custom_paytable
from cardroom.service import CardRoom, PastRound, RoomTableSetup, verify_card_room
from tests.service.table_evening import play_rounds
from tests.service.table_scenes import UNTIMED, an_id, guests, without_meters

# The lines are not in alphabetical order, so a ledger that does not keep their order would fail.
TABLE = build_custom_paytable(
    "three-card-prime",
    "pair-bonus",
    PaytableSpec(
        "Upside down", "to 1", (("trips", "7"), ("straight", "3"), ("pair", "9"), ("flush", "2"), ("other", "push"))
    ),
)


def test_a_table_with_a_custom_paytable_is_played_and_verified(in_a_file: CardRoom) -> None:
    rules = game("three-card-prime")
    setup = with_custom_paytables(without_meters("three-card-prime"), [TABLE], rules.facts)
    in_a_file.add_table(an_id(), "Olga", RoomTableSetup("custom-1", setup, UNTIMED))
    players = guests(in_a_file, 3, "custom-1", buy_in=1_000_00)
    play_rounds(in_a_file, "custom-1", players, 8, Random(4))
    state = in_a_file.table("custom-1")
    assert state.open_table.table.setup == setup
    assert [line.trigger for line in state.open_table.table.offers["pair-bonus"].paytable.lines] == [
        line.trigger for line in TABLE.lines
    ]
    paid = [
        payment
        for past in in_a_file.list_recent_rounds()
        if isinstance(past, PastRound)
        for payment in past.settlement.payments
        if payment.spot == "pair-bonus"
    ]
    assert {payment.pay for payment in paid} <= {line.pay for line in TABLE.lines}
    assert any(payment.event == "other" and payment.known_return == payment.wagered for payment in paid)
    entry = in_a_file.get_past_round("custom-1.2").to_json()
    assert setup_from_json(entry["record"]["table"]).wagers["pair-bonus"] == setup.wagers["pair-bonus"]
    replayed = round_from_json(entry["record"])
    assert settlement_to_json(replayed.game.settle(replayed), replayed.table.facts)["payments"] == entry["payments"]
    assert verify_card_room(in_a_file.ledger).is_consistent
