"""Rounds at a table: wagers, answers, payments, and cards that no user can know or change."""

from __future__ import annotations

import pytest

from cardroom.cards import Deck, Seal
from cardroom.games import (
    BadBet,
    IllegalAction,
    game,
    game_slugs,
    round_from_json,
)
from cardroom.games.serialization import payment_to_json
from cardroom.ledger import CommandIdReused, open_ledger
from cardroom.service import CardRoom, NotEnoughChips, RoomTableSetup, TablePhase, WrongPhase, verify_card_room
from tests.service.table_scenes import (
    ANTE,
    PRIME,
    UNTIMED,
    all_wager,
    an_id,
    asked,
    books,
    guests,
    open_prime,
    play_on,
    stacked,
    without_meters,
    worth,
)


def test_a_round_begins_when_all_who_sit_have_wagered(card_room: CardRoom) -> None:
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    assert card_room.place_wagers(an_id(), ann, PRIME, ANTE).state is TablePhase.BETTING
    assert card_room.place_wagers(an_id(), bob, PRIME, ANTE).state is TablePhase.PLAYING
    assert asked(card_room) == ann


def test_wagers_that_are_laid_again_take_the_place_of_the_first(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    ann, _ = guests(in_a_file, 2)
    in_a_file.place_wagers(an_id(), ann, PRIME, {"ante-play": 100_00})
    standing = in_a_file.place_wagers(an_id(), ann, PRIME, {"ante-play": 20_00, "prime": 5_00})
    assert standing.chips == 175_00
    (laid,) = in_a_file.table(PRIME).seat_wagers
    assert dict(laid.spots) == {"ante-play": 20_00, "prime": 5_00}
    assert in_a_file.place_wagers(an_id(), ann, PRIME, {}).chips == 200_00
    assert in_a_file.table(PRIME).seat_wagers == ()
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize(
    ("wagers", "sentence"),
    [
        ({"ante-play": 10_01}, "it takes .* in steps of"),
        ({"nowhere": 10_00}, "This table has no spot 'nowhere'"),
        ({"prime": 5_00}, "must make the .* wager"),
        ({}, "Seat 1 has no bet"),
    ],
)
def test_a_wager_that_the_table_does_not_take_is_refused_and_nothing_changes(
    in_a_file: CardRoom, wagers: dict[str, int], sentence: str
) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    before = in_a_file.table(PRIME), in_a_file.read_table_version(PRIME)
    with pytest.raises(BadBet, match=sentence):
        in_a_file.place_wagers(an_id(), ann, PRIME, wagers)
    assert (in_a_file.table(PRIME), in_a_file.read_table_version(PRIME)) == before


def test_no_user_wagers_or_plays_with_chips_that_are_not_there(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1, buy_in=15_00)
    with pytest.raises(NotEnoughChips, match=r"\$20"):
        in_a_file.place_wagers(an_id(), ann, PRIME, {"ante-play": 20_00})
    in_a_file.place_wagers(an_id(), ann, PRIME, ANTE)
    with pytest.raises(NotEnoughChips, match=r"\$10"):
        in_a_file.make_decision(an_id(), ann, PRIME, "play")
    in_a_file.take_seat(an_id(), ann, PRIME, buy_in=5_00)
    in_a_file.make_decision(an_id(), ann, PRIME, "play")
    assert in_a_file.table(PRIME).last_round == "prime-1.1"


def test_only_the_seat_that_is_asked_answers_and_only_what_it_can(card_room: CardRoom) -> None:
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    with pytest.raises(WrongPhase, match="prime-1"):
        card_room.make_decision(an_id(), ann, PRIME, "play")
    all_wager(card_room, [ann, bob])
    with pytest.raises(WrongPhase):
        card_room.make_decision(an_id(), bob, PRIME, "play")
    with pytest.raises(IllegalAction):
        card_room.make_decision(an_id(), ann, PRIME, "stand")
    with pytest.raises(IllegalAction):
        card_room.make_decision(an_id(), ann, PRIME, "dance")
    card_room.make_decision(an_id(), ann, PRIME, "fold")
    assert asked(card_room) == bob


def test_what_is_meant_for_one_round_or_question_is_not_taken_for_another(card_room: CardRoom) -> None:
    open_prime(card_room)
    (ann,) = guests(card_room, 1)
    with pytest.raises(WrongPhase, match=r"prime-1\.2.*prime-1.*prime-1\.1"):
        card_room.place_wagers(an_id(), ann, PRIME, ANTE, round="prime-1.2")
    card_room.place_wagers(an_id(), ann, PRIME, ANTE, round="prime-1.1")
    with pytest.raises(WrongPhase, match=r"prime-1\.1"):
        card_room.make_decision(an_id(), ann, PRIME, "fold", round="prime-1.2")
    with pytest.raises(WrongPhase, match=r"1.*prime-1\.1"):
        card_room.make_decision(an_id(), ann, PRIME, "fold", round="prime-1.1", question="raise")
    card_room.make_decision(an_id(), ann, PRIME, "fold", round="prime-1.1", question="play")
    assert card_room.table(PRIME).round == "prime-1.2"


def test_a_command_that_is_sent_again_gets_its_first_answer_and_another_with_its_id_is_refused(
    card_room: CardRoom,
) -> None:
    open_prime(card_room)
    (ann,) = guests(card_room, 1)
    first = card_room.place_wagers("mine", ann, PRIME, ANTE)
    play_on(card_room, answer="fold")
    assert card_room.place_wagers("mine", ann, PRIME, ANTE) == first
    assert card_room.table(PRIME).phase is TablePhase.BETTING
    with pytest.raises(CommandIdReused):
        card_room.place_wagers("mine", ann, PRIME, {"ante-play": 20_00})


def test_a_winner_is_paid_by_the_house_and_a_loser_pays_it(
    in_a_file: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    # Cards go round: seat 1, seat 2, the dealer; then the fourth cards.
    position = stacked(in_a_file, monkeypatch, {1: "As Ah Ad", 2: "2c 4d 7h"}, dealer="Kc Qd 9s")
    all_wager(in_a_file, [ann, bob])
    assert position() == ("As Ah Ad", "2c 4d 7h", "Kc Qd 9s")
    in_a_file.make_decision(an_id(), ann, PRIME, "play")
    in_a_file.make_decision(an_id(), bob, PRIME, "play")
    past = in_a_file.get_round_json("prime-1.1")
    nets = {seat: sum(one["net"] for one in past["payments"] if one["seat"] == seat) for seat in (1, 2)}
    assert nets[1] > 10_00
    assert nets[2] == -20_00
    assert (worth(in_a_file, ann), worth(in_a_file, bob)) == (1_000_00 + nets[1], 980_00)
    assert in_a_file.table(PRIME).rack == 0
    assert books(in_a_file)["play-issued:house"] == 2_000_00 + nets[1] - 20_00
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize("slug", game_slugs())
def test_a_round_of_every_game_is_recalled_as_it_was_paid(in_a_file: CardRoom, slug: str) -> None:
    setup = without_meters(slug, seats=3)
    in_a_file.add_table(an_id(), "Olga", RoomTableSetup("felt-1", setup, UNTIMED))
    players = guests(in_a_file, 3, "felt-1", buy_in=500_00)
    table = game(slug).open(setup)
    spot, offered = next(iter(table.spots.items()))
    rounds = 6
    for _ in range(rounds):
        all_wager(in_a_file, players, "felt-1", {spot: offered.limits.minimum})
        play_on(in_a_file, "felt-1")
    met = 0
    for past in in_a_file.list_rounds("felt-1"):
        entry = past.to_json()
        assert Seal(bytes.fromhex(entry["key"]), entry["round"]).matches(entry["seal"])
        played = round_from_json(entry["record"])
        assert played.is_terminal
        again = played.game.settle(played)
        assert entry["payments"] == [payment_to_json(one) for one in again.payments]
        returned = {str(seat): sum(one.known_return for one in again.seat_payments(seat)) for seat in again.seats}
        assert {seat: cents for seat, cents in returned.items() if cents} == entry["returned_cents"]
        assert set(entry["players"].values()) == set(players)
        met += 1
    assert met == rounds
    assert (
        sum(worth(in_a_file, one) for one in players) + in_a_file.table("felt-1").rack
        == books(in_a_file)["play-issued:house"]
    )
    report = verify_card_room(in_a_file.ledger)
    assert (report.discrepancy, report.rounds) == (None, rounds)


def test_the_seal_is_shown_before_the_first_wager_and_opened_after_the_round(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    coming = in_a_file.view_table_json(PRIME)["coming"]
    in_a_file.place_wagers(an_id(), ann, PRIME, ANTE, "my own words")
    assert in_a_file.view_table_json(PRIME)["round"]["seal"] == coming["seal"]
    play_on(in_a_file, answer="play")
    past = in_a_file.get_round_json(coming["round"])
    assert past["seal"] == coming["seal"]
    assert Seal(bytes.fromhex(past["key"]), past["round"]).matches(coming["seal"])
    assert past["words"] == {"1": "my own words"}


def test_the_order_of_the_cards_follows_from_key_and_words_together(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    in_a_file.place_wagers(an_id(), ann, PRIME, ANTE, "red herring")
    play_on(in_a_file, answer="play")
    past = in_a_file.get_round_json("prime-1.1")
    seal = Seal(bytes.fromhex(past["key"]), past["round"])
    order = [str(card) for card in seal.shuffle(Deck.ONE, {1: "red herring"})]
    dealt = [name for pile in past["record"]["cards"].values() for name in pile]
    assert set(dealt) == set(order[: len(dealt)])
    assert seal.shuffle(Deck.ONE) != seal.shuffle(Deck.ONE, {1: "red herring"})


def test_the_key_is_in_no_event_and_no_answer_before_the_round_has_ended(in_a_file: CardRoom) -> None:
    keys: list[bytes] = []

    def key() -> bytes:
        keys.append(bytes([len(keys) + 1]) * 32)
        return keys[-1]

    card_room = CardRoom(in_a_file.ledger, keys=key)
    open_prime(card_room)
    (ann,) = guests(card_room, 1)
    answers = [card_room.place_wagers(an_id(), ann, PRIME, ANTE)]
    secret = keys[0].hex()
    result = [
        *(event.payload for event in card_room.ledger.events()),
        *answers,
        card_room.view_table_json(PRIME, ann),
        card_room.table(PRIME),
    ]
    assert len(result) > 5
    assert not any(secret in repr(one) for one in result)
    play_on(card_room, answer="fold")
    assert any(secret in repr(event.payload) for event in card_room.ledger.events())
    assert card_room.ledger.read_secret(f"table:{PRIME}", card_room.get_round_json("prime-1.1")["seal"]) is None


def test_another_floor_on_the_same_books_goes_on_with_the_same_cards(url: str) -> None:
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        ann, bob = guests(card_room, 2)
        all_wager(card_room, [ann, bob])
        card_room.make_decision(an_id(), ann, PRIME, "play")
        before = card_room.read_position(PRIME)
    with open_ledger(url) as ledger:
        again = CardRoom(ledger)
        assert again.read_position(PRIME) == before
        again.make_decision(an_id(), bob, PRIME, "play")
        assert again.table(PRIME).last_round == "prime-1.1"
        assert verify_card_room(ledger).rounds == 1


def test_a_seat_sees_its_own_cards_and_no_user_elses(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    all_wager(in_a_file, [ann, bob])
    of_ann, of_bob, public = (in_a_file.view_table_json(PRIME, one)["round"]["view"] for one in (ann, bob, None))
    assert "??" not in of_ann["cards"]["seat 1 hand"]
    assert set(of_bob["cards"]["seat 1 hand"]) == set(public["cards"]["seat 1 hand"]) == {"??"}


def test_a_player_finds_the_rounds_that_were_played_and_no_others(card_room: CardRoom) -> None:
    open_prime(card_room)
    open_prime(card_room, table="prime-2")
    ann, bob = guests(card_room, 2)
    for _ in range(3):
        all_wager(card_room, [ann, bob])
        play_on(card_room, answer="fold")
    card_room.leave_seat(an_id(), ann, PRIME)
    all_wager(card_room, [bob])
    play_on(card_room, answer="fold")
    card_room.take_seat(an_id(), ann, "prime-2")
    all_wager(card_room, [ann], "prime-2")
    play_on(card_room, "prime-2", answer="fold")
    assert [one.id for one in card_room.list_player_rounds(ann)] == ["prime-2.1", "prime-1.3", "prime-1.2", "prime-1.1"]
    assert [one.id for one in card_room.list_player_rounds(bob)] == ["prime-1.4", "prime-1.3", "prime-1.2", "prime-1.1"]
