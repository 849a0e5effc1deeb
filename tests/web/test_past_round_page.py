"""The page of a past round: hidden cards stay hidden until the end, ticks are computed, a private one is private."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import httpx
import pytest

from cardroom.cards import Deck
from cardroom.cards.shuffle_trace import trace_shuffle
from cardroom.games import Place, game
from cardroom.games.card_places import Pile
from cardroom.games.record import round_from_json
from cardroom.room.table.events import RoundPlayed
from cardroom.service.queries.round_check import check_round, list_shuffle_steps
from cardroom.web.api.requests import PLAYER_COOKIE
from cardroom.web.pages.templating import display_name
from tests.service.live_scenes import an_hour_with_a_dealer
from tests.web.rooms import Player, ServedRoom, expect_success, new_id

PRIME = "ante-play"


def two_play(room: ServedRoom, table: str) -> tuple[Player, Player, str]:
    """Ann folds and Bob plays a round of Three Card Prime; its id."""
    room.open_table(table)
    ann, bob = room.players.admit_guest(), room.players.admit_guest()
    ann.sit(table, seat=1)
    bob.sit(table, seat=2)
    for player, seed in ((ann, "plum"), (bob, "")):
        own_seed = {"words": seed} if seed else {}
        expect_success(player.post(f"/tables/{table}/wagers", id=new_id(), wagers={PRIME: 10_00}, **own_seed))
    ann.decide(table, "fold")
    bob.decide(table, "play")
    return ann, bob, f"{table}.1"


def page(room: ServedRoom, path: str, player: Player | None = None) -> httpx.Response:
    headers = {"Cookie": f"{PLAYER_COOKIE}={player.token}"} if player else {}
    return httpx.get(room.url + path, headers=headers)


def faces(drawn: str) -> list[str]:
    """The cards on a page, in order."""
    return re.findall(r"cards\.svg#(\w+)\"", drawn)


def test_at_each_step_a_visitor_sees_what_could_be_seen_then(room: ServedRoom) -> None:
    ann, bob, id = two_play(room, "recalled")
    dealt = room.card_room.get_past_round(id).game_round.piles
    hers, his = ([str(card) for card in dealt[Place(Pile.HAND, seat)]] for seat in (1, 2))
    dealers = [str(card) for card in dealt[Place(Pile.HAND)]]
    steps = {
        who: [faces(page(room, f"/rounds/{id}/steps/{step}", player).text) for step in range(1, 6)]
        for who, player in (("ann", ann), ("bob", bob), ("visitor", None))
    }
    for shown in steps.values():
        assert shown[0] == [], "there is no card before the deal"
        assert sorted(shown[-1]) == sorted(str(card) for pile in dealt.values() for card in pile), "at the end all are"
    for at in (1, 2):
        assert set(hers) <= set(steps["ann"][at])
        assert set(his) <= set(steps["bob"][at])
        for who, hidden in (("ann", his + dealers), ("bob", hers + dealers), ("visitor", hers + his + dealers)):
            assert not set(hidden) & set(steps[who][at]), "no hidden card is in the page"
            assert len(steps[who][at]) == len(steps["ann"][1]), "their backs do"


def test_a_step_that_is_not_there_is_the_end(room: ServedRoom) -> None:
    _, _, id = two_play(room, "clamped")
    last = page(room, f"/rounds/{id}/steps/5").text
    for step in ("0", "6", "-1", "many", "9" * 50):
        assert page(room, f"/rounds/{id}/steps/{step}").text == last


def test_the_page_shows_every_decision_and_every_payment(room: ServedRoom) -> None:
    ann, _, id = two_play(room, "described")
    response = page(room, f"/rounds/{id}", ann)
    assert response.status_code == 200
    past = room.card_room.get_past_round(id)
    assert past.seal in response.text
    assert past.key in response.text
    assert "plum" in response.text
    assert all(display_name(name) in response.text for name in past.players.values())
    assert response.text.count('<table class="payments">') == 2
    assert 'aria-label="failed"' not in response.text
    assert response.text.count('aria-label="passed"') == 6


def test_the_record_that_is_taken_along_settles_to_what_was_paid(room: ServedRoom) -> None:
    ann, _, id = two_play(room, "taken")
    taken = page(room, f"/rounds/{id}/record.json", ann)
    assert taken.headers["content-disposition"] == f'attachment; filename="{id}.record.json"'
    played = round_from_json(json.loads(taken.text))
    assert game("three-card-prime").settle(played) == room.card_room.get_past_round(id).settlement
    assert page(room, f"/rounds/{id}/round.json", ann).json() == expect_success(ann.get(f"/rounds/{id}"))


def test_a_private_tables_rounds_are_its_owners(room: ServedRoom) -> None:
    ann, eve = room.players.admit_guest(), room.players.admit_guest()
    table: str = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    ann.decide(table, "fold")
    for path in ("", "/steps/1", "/record.json", "/round.json"):
        assert page(room, f"/rounds/{table}.1{path}", ann).status_code == 200
        for other in (eve, None):
            refused = page(room, f"/rounds/{table}.1{path}", other)
            assert refused.status_code == 404
            assert faces(refused.text) == []


@pytest.mark.parametrize("id", ["nonsense", "nowhere.1", "unended.2", "unended.0"])
def test_a_round_that_is_not_there_is_refused_in_a_sentence(room: ServedRoom, id: str) -> None:
    if id == "unended.2":
        room.open_table("unended")
    response = page(room, f"/rounds/{id}")
    assert response.status_code == 404
    assert '<p class="refusal">' in response.text


@pytest.mark.parametrize("wrong", ["seal", "key", "words", "deal"])
def test_a_tick_is_computed_and_not_claimed(room: ServedRoom, wrong: str) -> None:
    _, _, id = two_play(room, f"wrong-{wrong}")
    past = room.card_room.get_past_round(id)
    check = check_round(past)
    assert [step.holds for step in list_shuffle_steps(past, check)] == [True] * 5
    expected: dict[str, Any] = {
        "seal": (replace(past, seal="0" * 64), check, [False, True, True, True, True]),
        "key": (_with_key(past, "11" * 32), check, [False, True, True, False, False]),
        "words": (_with_words(past, "plums"), check, [True, True, True, False, False]),
        "deal": (past, check._replace(dealt=check.dealt[::-1]), [True, True, True, True, False]),
    }
    past_round, checked, holds = expected[wrong]
    steps = list_shuffle_steps(past_round, checked)
    assert [step.holds for step in steps] == holds
    assert all("not" in step.verdict or "other" in step.verdict.lower() for step in steps if not step.holds)


def _with_key(past: Any, key: str) -> Any:
    assert isinstance(past.ended, RoundPlayed)
    return replace(past, ended=replace(past.ended, key=key))


def _with_words(past: Any, words: str) -> Any:
    first, *others = past.begun.wagers
    return replace(past, begun=replace(past.begun, wagers=(first._replace(player_seed=words), *others)))


def test_the_shuffle_by_hand_leaves_out_what_would_favor_small_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([2**32 - 1, *range(100)])
    monkeypatch.setattr("cardroom.cards.shuffle_trace._chacha20_words", lambda _: drawn)
    trace = trace_shuffle(bytes(32), "prime-1.1", {}, Deck.ONE)
    assert trace.rejected_count == 1
    assert trace.draws[0].number == 0


def test_a_players_own_page_lists_the_balance_the_seats_and_the_rounds(room: ServedRoom) -> None:
    table, ann = room.open_table("history"), room.players.admit_guest()
    ann.sit(table, buy_in_cents=500_00)
    for _ in range(27):
        ann.wager(table, ante_play=10_00)
        ann.decide(table, "fold")
    newest = page(room, "/me", ann).text
    rounds = re.findall(r'<a href="/rounds/(history\.\d+)">', newest)
    assert rounds == [f"history.{number}" for number in range(27, 2, -1)]
    assert newest.count("−$10") == 25
    assert "play money" in newest
    following = re.search(r'href="(/me\?before=[^"]+)"', newest)
    assert following is not None
    older = page(room, following[1], ann).text
    assert re.findall(r'<a href="/rounds/(history\.\d+)">', older) == ["history.2", "history.1"]
    assert "before=" not in older
    assert page(room, "/me?before=nowhere.1", ann).status_code == 404
    assert "You have not played yet" in page(room, "/me").text


def test_a_round_that_a_dealer_dealt_shows_what_was_entered(room: ServedRoom) -> None:
    an_hour_with_a_dealer(room.card_room)
    response = page(room, "/rounds/live-hour.1")
    assert response.status_code == 200
    assert faces(response.text) == ["2c", "3c", "4c"]
    assert "Dealt by Kim" in response.text
    assert "seal" not in response.text.lower().replace("no seal was shown", "")
    assert 'aria-label="failed"' not in response.text
    void = page(room, "/rounds/live-hour.2")
    assert "Voided by Kim and Lee: the shuffler jammed" in void.text
    assert page(room, "/rounds/live-hour.1/steps/1").status_code == 404


def test_a_voided_round_returns_every_wager(room: ServedRoom) -> None:
    table, ann = room.open_table("off"), room.players.admit_guest()
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    room.card_room.void_automatic_round(new_id(), "Olga", table, "a card was exposed", second="Lee")
    response = page(room, f"/rounds/{table}.1", ann)
    assert "Voided by Olga and Lee: a card was exposed" in response.text
    assert "Every wager was returned" in response.text
    assert '<table class="payments">' not in response.text
    assert "voided" in page(room, "/me", ann).text


def test_only_players_who_saw_the_options_see_them_in_the_replay(room: ServedRoom) -> None:
    table, ann, bob = room.open_table("asked", "texas-shootout"), room.players.admit_guest(), room.players.admit_guest()
    ann.sit(table, seat=1)
    bob.sit(table, seat=2)
    for player in (ann, bob):
        player.wager(table, shootout=10_00)
    while (position := room.card_room.view_table(table).position) is not None:
        turn = position.round.seat_turn
        (ann if turn.seat == 1 else bob).decide(table, str(turn.options[0]))
    assert "Seat 1 decides next: " in page(room, f"/rounds/{table}.1/steps/2", ann).text
    for other in (bob, None):
        assert "Seat 1 decides next.</p>" in page(room, f"/rounds/{table}.1/steps/2", other).text
