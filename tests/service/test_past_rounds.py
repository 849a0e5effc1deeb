"""Past rounds are found by their numbers, table by table or player by player, and are dealt and settled again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardroom.cards import Seal
from cardroom.games import round_from_json, round_to_json
from cardroom.ledger import Ledger, open_ledger
from cardroom.room.event_types import EVENT_TYPES
from cardroom.room.table.events import DecisionMade, LiveRoundEnded, RoundPlayed, SeatAmount
from cardroom.room.table.state import open_table
from cardroom.service import CardRoom, PastRound, UnknownPlayer, UnknownRound, UnknownTable
from cardroom.service.chain_descriptions import describe_events
from cardroom.service.chains.names import player_chain, table_chain
from cardroom.service.queries.chain_history import read_domain_event
from cardroom.service.queries.past_live_rounds import PastLiveRound
from cardroom.service.queries.round_check import check_live_round, check_past_round, check_round
from tests.service.live_scenes import an_hour_with_a_dealer, live_prime, whole_round
from tests.service.table_evening import an_evening_at_five_games
from tests.service.table_scenes import PRIME, HandClock, all_wager, an_id, guests, open_prime, play_on
from tests.service.test_table_jackpots import an_hour_at_tables

OTHER = "prime-2"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """Four rounds of each game, with jackpots and words."""
    with open_ledger(f"sqlite:///{tmp_path_factory.mktemp('evening')}/room.db") as ledger:
        card_room = CardRoom(ledger)
        an_evening_at_five_games(card_room, Random("recall"), 4)
        yield card_room


def play(card_room: CardRoom, players: list[str], rounds: int, table: str = PRIME) -> None:
    for _ in range(rounds):
        all_wager(card_room, players, table)
        play_on(card_room, table, "fold")


# One round.


def test_every_round_of_every_game_is_dealt_and_settled_again(evening: CardRoom) -> None:
    met = 0
    for table in evening.list_tables():
        for past in evening.list_rounds(table):
            assert isinstance(past, PastRound)
            check = check_past_round(past)
            assert check.problems == ()
            order = Seal(bytes.fromhex(past.key), past.id).shuffle(open_table(past.setup).table.deck, _words(past))
            assert [one.card for one in check.dealt] == [*order[: len(check.dealt)]]
            laid: dict[str, list[str]] = {}
            for one in check.dealt:
                laid.setdefault(str(one.place), []).append(str(one.card))
            assert laid == round_to_json(past.game_round)["cards"]
            assert {one.seat: one.paid for one in check.seats} == {
                seat: past.returned.get(seat, 0) for seat in past.players
            }
            met += 1
    assert met == 20


def _words(past: PastRound) -> dict[int, str]:
    return {one.seat: one.player_seed for one in past.begun.wagers}


def test_what_was_wagered_is_what_the_stakes_come_to(evening: CardRoom) -> None:
    for past in evening.list_recent_rounds():
        assert isinstance(past, PastRound)
        stakes: dict[int, int] = {}
        for payment in past.settlement.payments:
            stakes[payment.seat] = stakes.get(payment.seat, 0) + payment.wagered
        assert dict(past.wagered) == stakes
        assert past.summarize()["wagered_cents"] == past.settlement.wagered


def test_what_is_exported_of_a_round_plays_again(evening: CardRoom) -> None:
    (past,) = [evening.get_past_round(f"{evening.list_tables()[0]}.2")]
    entry = past.to_json()
    assert round_from_json(entry["record"]) == past.game_round
    assert (entry["game"], entry["money"], entry["seal"], entry["key"]) == (past.game, "play", past.seal, past.key)
    assert Seal(bytes.fromhex(entry["key"]), entry["round"]).matches(entry["seal"])


def changed(past: PastRound, **changes: Any) -> PastRound:
    assert isinstance(past.ended, RoundPlayed)
    return replace(past, ended=replace(past.ended, **changes))


def answered(past: PastRound, **changes: Any) -> PastRound:
    first, *rest = past.answers
    return replace(past, answers=(replace(first, **changes), *rest))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda past: changed(past, key="11" * 32), "The key does not open the seal: it makes "),
        (lambda past: changed(past, key="none"), "The key 'none' is not a key of 32 bytes."),
        (
            lambda past: changed(past, returned=(SeatAmount(1, 77_00),)),
            "Seat 1 got 7700 cents; settled again it gets 0.",
        ),
        (lambda past: answered(past, answer="raise"), "The round cannot be replayed: Seat 1 cannot raise"),
        (lambda past: answered(past, question="double"), "seat 1 must decide 'play', and the ledger has seat 1 decide"),
        (lambda past: answered(past, cents=5_00), "fold of seat 1 puts 0 cents down, not 500."),
        (lambda past: replace(past, answers=()), "The round is not over: seat 1 decides"),
        (
            lambda past: replace(past, answers=(*past.answers, DecisionMade(PRIME, 1, "play", "fold", "eve", 0, 0, 0))),
            "the ledger has seat 1 decide 'play', and there is no decision left",
        ),
    ],
)
def test_a_round_that_is_not_what_it_was_paid_as_is_shown(in_a_file: CardRoom, change: Any, sentence: str) -> None:
    open_prime(in_a_file)
    play(in_a_file, guests(in_a_file, 2), 1)
    past = in_a_file.get_past_round("prime-1.1")
    assert check_round(past).holds
    check = check_round(change(past))
    assert not check.holds
    assert sentence in " ".join(check.problems)


def test_a_round_is_shown_when_it_has_ended_and_not_before(card_room: CardRoom) -> None:
    open_prime(card_room)
    players = guests(card_room, 2)
    with pytest.raises(UnknownRound, match=r"prime-1\.1"):
        card_room.get_past_round("prime-1.1")
    all_wager(card_room, players)
    with pytest.raises(UnknownRound, match=r"prime-1\.1"):
        card_room.get_round("prime-1.1")
    assert list(card_room.list_recent_rounds()) == list(card_room.list_player_rounds(players[0])) == []
    play_on(card_room)
    assert card_room.get_round("prime-1.1").id == "prime-1.1"
    for unknown in ("prime-1.99", "prime-1", "cellar.1", "prime-1.0", "prime-1.-1", ""):
        with pytest.raises(UnknownRound):
            card_room.get_past_round(unknown)


def test_a_round_that_was_canceled_gives_everything_back(card_room: CardRoom) -> None:
    open_prime(card_room)
    players = guests(card_room, 2)
    all_wager(card_room, players)
    card_room.void_automatic_round(an_id(), "Olga", PRIME, "the screen went dark", second="Vera")
    past = card_room.get_past_round("prime-1.1")
    assert (past.is_void, dict(past.returned), dict(past.wagered)) == (True, {1: 10_00, 2: 10_00}, {1: 10_00, 2: 10_00})
    assert past.to_json()["void"] == {"who": "Olga", "second": "Vera", "why": "the screen went dark"}
    assert check_round(past).holds


# Live rounds.


def test_a_live_round_is_recalled_with_what_was_typed_and_nothing_else(card_room: CardRoom) -> None:
    an_hour_with_a_dealer(card_room)
    void, played = card_room.list_rounds("live-hour")
    assert isinstance(played, PastLiveRound)
    assert isinstance(void, PastLiveRound)
    assert (void.is_void, void.summarize()["mode"], played.is_void) == (True, "live", False)
    entry = played.to_json()
    assert (entry["dealer"], entry["positions"]) == ("Kim", [2])
    assert entry["steps"] == ["wagers", "deal", "decide", "reveal", "take-or-pay", "collect"]
    assert entry["cards"] == {"dealer": ["2c", "3c", "4c"]}
    assert entry["wagers"] == {"2": {"ante-play": 10_00}}
    assert (entry["game"], entry["money"], entry["mode"]) == ("three-card-prime", "room", "live")
    assert "key" not in entry
    assert check_live_round(played).holds
    with pytest.raises(UnknownRound):
        card_room.get_past_round("live-hour.1")


def test_a_live_round_in_which_something_else_was_shown_is_shown(in_a_file: CardRoom) -> None:
    an_hour_with_a_dealer(in_a_file)
    played = in_a_file.get_round("live-hour.1")
    assert isinstance(played, PastLiveRound)
    assert isinstance(played.ended, LiveRoundEnded)
    shown = tuple(one._replace(returned=one.returned + 5_00) for one in played.ended.settled_stakes)
    assert shown
    check = check_live_round(replace(played, ended=replace(played.ended, settled_stakes=shown)))
    assert not check.holds
    assert "500 cents back was shown; settled again it is" in check.problems[0]


# Many rounds.


def test_rounds_of_a_table_are_shown_by_their_numbers(card_room: CardRoom) -> None:
    open_prime(card_room)
    play(card_room, guests(card_room, 1), 5)
    assert [one.number for one in card_room.list_rounds(PRIME)] == [5, 4, 3, 2, 1]
    assert [one.number for one in card_room.list_rounds(PRIME, first=2, last=4)] == [4, 3, 2]
    assert [one.number for one in card_room.list_rounds(PRIME, first=4, last=99, oldest_first=True)] == [4, 5]
    with pytest.raises(UnknownTable):
        card_room.list_rounds("cellar")


def test_rounds_of_all_tables_come_with_the_newest_first(card_room: CardRoom) -> None:
    open_prime(card_room)
    open_prime(card_room, table=OTHER)
    an_hour_with_a_dealer(card_room)
    here, there = guests(card_room, 1), guests(card_room, 1, OTHER)
    for table in (PRIME, OTHER, OTHER, PRIME):
        play(card_room, here if table == PRIME else there, 1, table)
    assert [one.id for one in card_room.list_recent_rounds()] == [
        "prime-1.2",
        "prime-2.2",
        "prime-2.1",
        "prime-1.1",
        "live-hour.2",
        "live-hour.1",
    ]


def test_a_round_is_shown_once_to_a_player_who_left_and_came_back(card_room: CardRoom) -> None:
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    play(card_room, [ann, bob], 2)
    card_room.leave_seat(an_id(), ann, PRIME)
    card_room.take_seat(an_id(), ann, PRIME)
    play(card_room, [ann, bob], 1)
    assert [one.number for one in card_room.list_player_rounds(ann)] == [3, 2, 1]


def test_a_player_at_two_tables_has_one_history_and_pages_of_any_size_add_up_to_it(card_room: CardRoom) -> None:
    for table in (PRIME, OTHER):
        open_prime(card_room, table=table)
    ann, bob = guests(card_room, 2)
    card_room.take_seat(an_id(), ann, OTHER)
    random, result = Random(7), list[str]()
    for _ in range(12):
        match random.choice(["both", "bob", "other", "leave"]):
            case "both" if card_room.table(PRIME).seat_of(ann):
                play(card_room, sorted((ann, bob), key=lambda one: _seat(card_room, one)), 1)
                result.append(card_room.table(PRIME).last_round or "")
            case "other":
                play(card_room, [ann], 1, OTHER)
                result.append(card_room.table(OTHER).last_round or "")
            case "leave" if card_room.table(PRIME).seat_of(ann):
                card_room.leave_seat(an_id(), ann, PRIME)
                play(card_room, [bob], 1)
                card_room.take_seat(an_id(), ann, PRIME)
    whole = [one.id for one in card_room.list_player_rounds(ann)]
    assert whole == result[::-1]
    assert len(whole) > 5
    for limit in (1, 2, 3, 50):
        pages, before = list[str](), None
        while True:
            page = card_room.page_player_rounds(ann, before=before, limit=limit)
            assert len(page.rounds) <= limit
            pages += (one.id for one in page.rounds)
            before = page.before
            if before is None:
                break
        assert pages == whole, limit


def _seat(card_room: CardRoom, player: str) -> int:
    here = card_room.table(PRIME).seat_of(player)
    assert here is not None
    return here.seat


def test_rounds_that_ended_at_the_same_moment_are_shown_once_each(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db", clock=(clock := HandClock())) as ledger:
        card_room = CardRoom(ledger, clock)
        for table in (PRIME, OTHER):
            open_prime(card_room, table=table)
        (ann,) = guests(card_room, 1)
        card_room.take_seat(an_id(), ann, OTHER)
        for table in (PRIME, OTHER, PRIME, OTHER):
            play(card_room, [ann], 1, table)
        whole, before = list[str](), None
        for _ in range(9):
            page = card_room.page_player_rounds(ann, before=before, limit=1)
            whole += (one.id for one in page.rounds)
            before = page.before
            if before is None:
                break
        assert sorted(whole) == ["prime-1.1", "prime-1.2", "prime-2.1", "prime-2.2"]


def test_a_page_ends_after_many_rounds_that_the_player_sat_out(
    in_a_file: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.service.commands.table_queries.MAX_ROUNDS_SCANNED", 3)
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    play(in_a_file, [ann, bob], 1)
    in_a_file.leave_seat(an_id(), bob, PRIME)
    in_a_file.take_seat(an_id(), bob, PRIME)
    for _ in range(5):
        in_a_file.place_wagers(an_id(), ann, PRIME, {"ante-play": 10_00})
        in_a_file.leave_seat(an_id(), bob, PRIME)
        play_on(in_a_file, answer="fold")
        in_a_file.take_seat(an_id(), bob, PRIME)
    page = in_a_file.page_player_rounds(ann)
    assert len(page.rounds) == 3
    assert page.before == page.rounds[-1].id
    assert [one.id for one in in_a_file.list_player_rounds(bob)] == ["prime-1.1"]


def test_whose_history_it_is_must_be_some_user_and_before_must_be_one_of_theirs(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    open_prime(in_a_file, table=OTHER)
    ann = guests(in_a_file, 1)
    play(in_a_file, ann, 1)
    bob = guests(in_a_file, 1, OTHER)
    play(in_a_file, bob, 1, OTHER)
    with pytest.raises(UnknownPlayer):
        in_a_file.list_player_rounds("eve")
    for before in ("prime-2.1", "prime-1.9", "nonsense"):
        with pytest.raises(UnknownRound):
            in_a_file.page_player_rounds(ann[0], before=before)


class Counting(Ledger):
    """A ledger that counts how many events were read, and how often one was asked for by its name."""

    read = asked = 0

    def events(self, *asked: Any, **more: Any) -> Any:
        for event in super().events(*asked, **more):
            Counting.read += 1
            yield event

    def find_event(self, chain: str, name: str) -> Any:
        Counting.asked += 1
        return super().find_event(chain, name)


def test_the_last_rounds_of_a_long_evening_are_found_without_reading_it(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        for table in (PRIME, OTHER):
            open_prime(card_room, table=table)
            play(card_room, guests(card_room, 2, table), 12, table)
        events = sum(ledger.chain_lengths().values())
        counting = CardRoom(Counting(ledger.store, lambda: 0))
        Counting.read = 0
        assert [one.number for one in counting.list_rounds(PRIME, first=12)] == [12]
        found = counting.list_recent_rounds()
        assert [next(found).id, next(found).id] == ["prime-2.12", "prime-2.11"]
        player = card_room.table(PRIME).seats[0].player
        Counting.asked = 0
        page = counting.page_player_rounds(player, before="prime-1.8", limit=2)
        assert [one.number for one in page.rounds] == [7, 6]
        assert Counting.asked <= 4 * 3  # the round before which it is, two on the page, and one more
        assert Counting.read < events / 3


# In sentences.


def test_everything_that_happens_to_tables_and_players_is_shown_in_sentences(
    in_a_file: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_hour_at_tables(in_a_file, monkeypatch)
    an_hour_with_a_dealer(in_a_file)
    chains = [chain for chain in in_a_file.ledger.chains() if chain.startswith((table_chain(""), player_chain("")))]
    met = set[str]()
    for chain in chains:
        for event, result in zip(
            in_a_file.ledger.events(chain), describe_events(in_a_file.ledger.events(chain), str), strict=True
        ):
            assert result.sentences.endswith(".")
            assert (result.sequence, result.id) == (event.sequence, event.id)
            met.add(event.kind)
    modules = ("cardroom.room.table.events", "cardroom.room.player.account")
    assert met == {kind for kind, event_class in EVENT_TYPES.items() if event_class.__module__ in modules}


def test_a_round_in_sentences_says_who_wagered_what_answered_what_and_got_what(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    in_a_file.place_wagers(an_id(), ann, PRIME, {"ante-play": 10_00}, "swordfish")
    play_on(in_a_file, answer="fold")
    *_, begun, answered, ended = describe_events(in_a_file.ledger.events(table_chain(PRIME)), str)
    past = in_a_file.get_past_round("prime-1.1")
    assert begun.sentences == (
        f"Round prime-1.1 began with the shuffle seal {past.seal}. Seat 1 ({ann}) bet $10 on ante-play. Seat 1 "
        "added its own seed 'swordfish' to the shuffle. Seat 1 decides next."
    )
    assert answered.sentences == f"Seat 1 decided 'fold' on 'play', by {ann}."
    assert ended.sentences.startswith(
        f"Round prime-1.1 ended: no seat is paid. Its key is {past.key}. The shuffle seal of"
    )


def test_a_live_round_in_sentences_names_the_dealer_and_what_was_typed(in_a_file: CardRoom) -> None:
    live_prime(in_a_file)
    round_id = whole_round(in_a_file)
    result = [one.sentences for one in describe_events(in_a_file.ledger.events(table_chain("prime-1")), str)]
    assert f"Kim began round {round_id} at positions 1, 2, 3." in result[1]
    assert any("took step tabulate" in one and "The tabulator counted the jackpot wagers." in one for one in result)
    assert isinstance(read_domain_event([*in_a_file.ledger.events(table_chain("prime-1"))][-1]), LiveRoundEnded)
