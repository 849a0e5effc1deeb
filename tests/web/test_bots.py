"""Company plays by the strategy to remember, through the same rules as anybody, and never alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cardroom.games import Decide, Decision, SeatTurn, game, view
from cardroom.games.actions import ChanceTurn, Deal, DealerTurn, TakeStep
from cardroom.games.record import round_from_json
from cardroom.odds.pricer import Policy, pricer
from cardroom.service import verify_card_room
from cardroom.web.services.bots import BOT_NAMES, StrategyCache, minimum_wagers, seat_bot
from cardroom.web.services.practice_tables import default_practice_setup
from tests.deadline import Deadline, wait_until
from tests.examples import only_long
from tests.web.rooms import GAMES, MAIN, Player, ServedRoom, expect_success, new_id, serve_room


def practice(ann: Player, game: str, company: int, buy_in: int = 1_000_00) -> str:
    table: str = expect_success(ann.post("/tables", id=new_id(), game=game, company=company))["table"]
    ann.sit(table, buy_in_cents=buy_in)
    return table


def play(ann: Player, table: str, game: str) -> int:
    """One round, in which the player always says what is listed first; gives its number."""
    before = ann.view(table)["last_round"]
    expect_success(ann.post(f"/tables/{table}/wagers", id=new_id(), wagers={MAIN[game]: 10_00}))

    def waits_for_no_user_else() -> dict[str, Any] | None:
        seen = ann.view(table)
        turn = seen["round"]["view"]["turn"] if seen["round"] else {}
        return seen if seen["last_round"] != before or turn.get("seat") == seen["seat"] else None

    while True:
        seen = wait_until(waits_for_no_user_else, "the player's turn")
        assert seen is not None
        if seen["last_round"] != before:
            return int(seen["last_round"].rsplit(".", 1)[1])
        ann.decide(table, seen["round"]["view"]["turn"]["options"][0])


@pytest.mark.parametrize(
    "slug", ["three-card-prime", *only_long(*(slug for slug in GAMES if slug != "three-card-prime"))]
)
def test_company_sits_lays_and_answers_as_the_strategy_says(room: ServedRoom, slug: str) -> None:
    ann = room.players.admit_guest()
    table = practice(ann, slug, company=2, buy_in=room.make_rich(ann))
    setup = room.card_room.table(table).setup
    assert [seat.player for seat in room.card_room.table(table).seats] == [ann.name, "Blaise", "Ada"]
    wait_until(lambda: setup in room.context.strategy_cache._policies)
    teacher: Policy = pricer(slug).basic_policy(game(slug).open(default_practice_setup(slug)))
    answered, deadline = Counter[Decision](), Deadline()
    while answered.total() <= 2:
        deadline.check("an answer of company")
        result = expect_success(ann.get(f"/rounds/{table}.{play(ann, table, slug)}"))
        assert len(result["players"]) == 3
        for seen_by, decision in _answers(result["record"]):
            if seen_by.viewer != 1:
                assert teacher(seen_by) == decision
                answered[decision] += 1


def _answers(record: dict[str, object]):  # type: ignore[no-untyped-def]
    """What each seat saw when it was asked, and what it said."""
    end = round_from_json(record)
    now = end.game.begin(end.table, end.bets)
    while True:
        match now.turn:
            case ChanceTurn(place):
                now = now.apply(Deal(end.piles[place][len(now.piles.get(place, ()))]))
            case DealerTurn(step):
                now = now.apply(TakeStep(step))
            case SeatTurn(seat, question):
                said = end.decisions[seat, question]
                yield view(now, seat), said
                now = now.apply(Decide(seat, said))
            case _:
                return


def test_until_it_has_learned_company_follows_the_best_advice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How to count points in Texas Shootout takes a minute to find; no user waits for it."""
    lessons = list[str]()

    async def goes_on(_: StrategyCache, setup: str) -> None:
        lessons.append(setup)
        await asyncio.Event().wait()

    monkeypatch.setattr(StrategyCache, "_compute", goes_on)
    with serve_room(folder) as room:
        ann = room.players.admit_guest()
        table = practice(ann, "texas-shootout", company=1)
        assert [play(ann, table, "texas-shootout") for _ in range(3)] == [1, 2, 3]
        assert lessons == [room.card_room.table(table).setup]


def test_company_does_not_play_alone(room: ServedRoom) -> None:
    table = room.open_table("alone")
    for seat in (5, 6):
        seat_bot(room.card_room, new_id(), table, seat, BOT_NAMES[seat - 5])
    ann = room.players.admit_guest()
    ann.sit(table)
    room.wait_for_server(table)
    state = room.card_room.table(table)
    assert (state.number, state.seat_wagers) == (1, ())
    play(ann, table, "three-card-prime")
    room.wait_for_server(table)
    assert room.card_room.table(table).seat_wagers == ()


def test_company_that_runs_out_of_chips_is_given_more(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    table = room.open_table("poor")
    room.card_room.seat_bot(new_id(), "the house", table, 6, "Ada", 10_00)
    ann.sit(table)
    play(ann, table, "three-card-prime")
    ada = room.card_room.table(table).occupant(6)
    assert ada is not None
    assert ada.chips > 500_00


def test_company_can_be_sent_away(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    table = practice(ann, "three-card-prime", company=1)
    room.card_room.remove_bot(new_id(), "Olga", table, 6)
    ann.wager(table, ante_play=10_00)
    assert ann.view(table)["state"] == "playing"


def test_the_least_wagers_are_taken_at_every_game() -> None:
    for slug in GAMES:
        table = game(slug).open(default_practice_setup(slug))
        assert game(slug).begin(table, {1: minimum_wagers(table)}).seats == (1,)


def test_the_books_are_right_after_all_that(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    play(ann, practice(ann, "three-card-prime", company=3), "three-card-prime")
    report = verify_card_room(room.card_room.ledger)
    assert report.is_consistent, report
