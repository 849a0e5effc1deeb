"""The model of the room: it asks nothing of the program, settles by the sheets, and notices whatever is not right."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardroom.cards import Deck, Seal, Shoe
from cardroom.games import Decide, SeatTurn, advance, game, round_to_json
from cardroom.games.serialization import payment_to_json
from cardroom.ledger import open_ledger
from cardroom.room.setup.example import build_demo_table
from cardroom.service import CardRoom, TableResult
from tests.crash.crash_run import ROOT
from tests.crash.live.bots import PlayerGroup
from tests.crash.live.guests import Guest
from tests.crash.live.model.dealing import WrongDeal, check_deal
from tests.crash.live.model.memory import Changed, Memory
from tests.crash.live.model.order import order, seal
from tests.crash.live.model.room import Acknowledged, Room
from tests.crash.live.model.settling import JACKPOTS, WrongPay, settle
from tests.crash.live.model.table import Command, DoesNotFit
from tests.crash.live.observations import Everything, look_at_everything
from tests.crash.live.room import TABLES, open_room
from tests.crash.live.server_process import AtTheTable
from tests.crash.live.wagers import some_wagers


def test_the_model_asks_nothing_of_the_program() -> None:
    asked = """
import sys
import tests.crash.live.model.memory, tests.crash.live.model.room, tests.crash.live.model.dealing
sys.exit(any(name.partition(".")[0] == "cardroom" for name in sys.modules))
"""
    assert subprocess.run([sys.executable, "-c", asked], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("words", [{}, {2: "plum"}, {4: "Ω und ♠", 1: "x" * 100}], ids=["silent", "one", "two"])
@pytest.mark.parametrize("deck", [Deck.ONE, Deck.WITH_JOKER, Deck.SIX])
def test_the_model_deals_from_a_key_what_the_house_deals(deck: Deck, words: Mapping[int, str]) -> None:
    for number in range(20):
        key = Random(f"key {number}").randbytes(32)
        server = Seal(key, f"prime-1.{number}")
        assert seal(key, f"prime-1.{number}") == server.commitment
        cards = order(key, f"prime-1.{number}", words, deck.decks, deck.jokers)
        assert cards == [str(card) for card in server.shuffle(deck, words)]


# Take and pay.


def a_round(slug: str, random: Random) -> dict[str, Any]:
    """A round of three seats that answer at random, shown as the house tells it."""
    at = game(slug).open(build_demo_table(slug, "some-1").setup)
    wagers = {seat: some_wagers(slug, random) for seat in (1, 2, 5)}
    shoe = Shoe(tuple(random.sample(at.deck.cards(), at.deck.size)))
    played, shoe = advance(game(slug).begin(at, wagers), shoe)
    while isinstance(turn := played.turn, SeatTurn):
        played, shoe = advance(played.apply(Decide(turn.seat, random.choice(turn.options))), shoe)
    payments = [payment_to_json(one) for one in played.game.settle(played).payments]
    back, prizes = Counter[int](), Counter[int]()
    for one in payments:
        (prizes if one["spot"] == JACKPOTS[slug] else back)[one["seat"]] += one["returned"]
    for seat, cents in prizes.items():
        back[seat] += cents if cents <= 3_50 else 0
    return {
        "round": "some-1.1",
        "record": round_to_json(played),
        "payments": payments,
        "returned_cents": {str(seat): cents for seat, cents in back.items() if cents},
        "waiting": [{"seat": seat, "cents": cents} for seat, cents in prizes.items() if cents > 3_50],
    }


@pytest.mark.parametrize("slug", JACKPOTS)
def test_the_model_settles_as_the_house_does_and_many_prizes_wait(slug: str) -> None:
    random, met = Random(f"rounds of {slug}"), Counter[str]()
    for _ in range(400):
        past = a_round(slug, random)
        settled = settle(slug, past)
        met["paid"] += any(one.back for one in settled.values())
        met["at once"] += any(0 < one.prize <= 3_50 for one in settled.values())
        met["waits"] += any(one.waits for one in settled.values())
        met.update(one["event"] for one in past["payments"])
    assert met["paid"] > 100
    assert met["waits"] > 0
    if slug == "dueling-for-dollars":
        assert min(met[one] for one in ("war-win", "war-loss", "surrender", "one-tie-two-color", "pair")) > 2
    if slug == "three-card-prime":
        assert (
            min(met[one] for one in ("win-or-copy", "dealer-does-not-qualify", "dealer-wins", "initial-straight")) > 2
        )


@pytest.mark.parametrize("slug", ["dueling-for-dollars", "three-card-prime"])
def test_a_cent_too_much_is_noticed_in_games_that_the_model_settles_itself(slug: str) -> None:
    past = a_round(slug, Random("a cent"))
    lucky = next(one for one in past["payments"] if one["spot"] != JACKPOTS[slug])
    lucky["returned"] += 1
    lucky["net"] += 1
    seat = str(lucky["seat"])
    past["returned_cents"][seat] = past["returned_cents"].get(seat, 0) + 1
    with pytest.raises(WrongPay):
        settle(slug, past)


# An evening in which a user tampers with what guests are shown.


class Evening:
    """Two guests at Three Card Prime: one round is over, another one has begun, and the first has answered."""

    def __init__(self, card_room: CardRoom) -> None:
        self.card_room, self.acknowledged = card_room, list[Acknowledged]()
        self.memory, self.group = Memory(), PlayerGroup(tuple(TABLES), frozenset())
        open_room(card_room)
        self.room = Room({table: (slug, False) for table, (slug, _) in TABLES.items()})
        self.guests = [Guest(name, Random(name), self.group) for name in ("ann", "bob")]
        for guest in self.guests:
            guest.player = card_room.players.admit_guest(guest.name).player
            self.group.tokens[guest.player] = guest.player
            self.room.admit(guest.player)
            self.do(guest, "sit", buy_in_cents=100_00)
        self.round("plum")
        self.round("")

    def round(self, words: str) -> None:
        for guest in self.guests:
            wagers = {"ante-play": 10_00, "final-four": 1_00}
            self.do(guest, "lay", wagers=wagers, **({"words": words} if words else {}))
        for guest in self.guests:
            self.memory.look(guest.player, self.card_room.view_table_json("prime-1", guest.player))
        for guest in self.guests[: 2 if words else 1]:
            self.do(guest, "answer", answer="play")

    def do(self, guest: Guest, do: str, **body: Any) -> None:
        command, card_room = guest.command(do, "prime-1", **body), self.card_room
        match do:
            case "sit":
                done = card_room.take_seat(command.id, guest.player, "prime-1", None, body["buy_in_cents"])
            case "lay":
                done = card_room.place_wagers(
                    command.id, guest.player, "prime-1", body["wagers"], body.get("words", "")
                )
            case _:
                done = card_room.make_decision(command.id, guest.player, "prime-1", body["answer"])
        self.acknowledged.append(Acknowledged(command, result(done)))

    def compare(self, tamper: Callable[[Everything], Everything] = lambda found: found) -> None:
        """As after a death: everything that can be seen is what the model says."""
        looked = look_at_everything(AtTheTable(self.card_room), self.group.tokens, self.room, self.memory)
        found = tamper(asyncio.run(looked))
        for table in TABLES:
            news = [one for one in self.acknowledged if one.command.table == table]
            self.room.catch_up(table, news, found.tables[table], found.ended[table])
        for me in found.mine:
            self.room.check_player(me)


def result(done: TableResult) -> dict[str, Any]:
    return {**done._asdict(), "state": str(done.state), "chips_cents": done.chips}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with open_ledger(f"sqlite:///{tmp_path}/ledger.db") as ledger:
        yield Evening(CardRoom(ledger))


def test_the_model_follows_an_evening_to_the_cent(evening: Evening) -> None:
    evening.compare()
    state = evening.room.tables["prime-1"].state
    assert (state.number, state.playing, state.said, state.counted) == (2, True, 1, 4)


def test_a_wager_that_was_acknowledged_and_is_gone_is_noticed(evening: Evening) -> None:
    last = evening.acknowledged[-1]
    command = Command("x", last.command.player, "prime-1", "sit", {"buy_in_cents": 5_00})
    answer = {**last.answer, "version": last.version + 1, "chips_cents": last.answer["chips_cents"] + 5_00}
    evening.acknowledged.append(Acknowledged(command, answer))
    with pytest.raises(DoesNotFit):
        evening.compare()


@pytest.mark.parametrize("number", range(9))
def test_whatever_was_done_without_being_asked_for_is_noticed(evening: Evening, number: int) -> None:
    assert len(evening.acknowledged) == 9
    evening.acknowledged.pop(number)
    with pytest.raises(DoesNotFit):
        evening.compare()


def test_something_done_twice_is_noticed(evening: Evening) -> None:
    first = evening.acknowledged[0].command
    evening.card_room.take_seat("again", first.player, "prime-1", None, 100_00)
    with pytest.raises(DoesNotFit):
        evening.compare()


def test_a_chip_too_many_at_a_seat_is_noticed(evening: Evening) -> None:
    def tamper(found: Everything) -> Everything:
        seen = found.tables["prime-1"]
        player, chips = seen.seats[1]
        seats = {**seen.seats, 1: (player, chips + 1)}
        return found._replace(tables={**found.tables, "prime-1": seen._replace(seats=seats)})

    with pytest.raises(DoesNotFit):
        evening.compare(tamper)


def test_a_cent_too_many_on_a_balance_is_noticed(evening: Evening) -> None:
    def tamper(found: Everything) -> Everything:
        first, *others = found.mine
        return found._replace(mine=({**first, "balance_cents": first["balance_cents"] + 1}, *others))

    with pytest.raises(DoesNotFit):
        evening.compare(tamper)


def test_a_wager_that_is_counted_twice_is_noticed_on_the_meter(evening: Evening) -> None:
    def tamper(found: Everything) -> Everything:
        seen = found.tables["prime-1"]
        meters = {spot: cents + 20 for spot, cents in seen.meters.items()}
        return found._replace(tables={**found.tables, "prime-1": seen._replace(meters=meters)})

    with pytest.raises(DoesNotFit):
        evening.compare(tamper)


def test_an_answer_that_was_changed_is_noticed(evening: Evening) -> None:
    def tamper(found: Everything) -> Everything:
        story = found.ended["prime-1"][1]
        changed = tuple(one._replace(answer="fold") for one in story.decisions)
        return found._replace(ended={**found.ended, "prime-1": {1: replace(story, decisions=changed)}})

    with pytest.raises(DoesNotFit):
        evening.compare(tamper)


def test_another_card_another_key_and_another_seal_are_noticed(evening: Evening) -> None:
    past = evening.card_room.get_round_json("prime-1.1")
    check_deal("three-card-prime", past, past["seal"])
    with pytest.raises(WrongDeal):
        check_deal("three-card-prime", past, "0" * 64)
    with pytest.raises(WrongDeal):
        check_deal("three-card-prime", {**past, "key": "00" * 32}, past["seal"])
    with pytest.raises(WrongDeal):
        check_deal("three-card-prime", {**past, "words": {}}, past["seal"])
    cards = past["record"]["cards"]
    changed = {**cards, "dealer": list(reversed(cards["dealer"]))}
    with pytest.raises(WrongDeal):
        check_deal("three-card-prime", {**past, "record": {**past["record"], "cards": changed}}, past["seal"])


def test_cards_that_are_others_than_before_are_noticed(evening: Evening) -> None:
    player = evening.guests[0].player
    view = evening.card_room.view_table_json("prime-1", player)
    hand = view["round"]["view"]["cards"]["seat 1 hand"]
    hand[0], hand[1] = hand[1], hand[0]
    with pytest.raises(Changed):
        evening.memory.look(player, {**view, "version": view["version"] + 1})
    with pytest.raises(Changed):
        evening.memory.look(evening.guests[1].player, {**view, "seat": 2})


def test_more_time_than_was_announced_is_noticed(evening: Evening) -> None:
    player = evening.guests[0].player
    view = {**evening.card_room.view_table_json("prime-1", player), "deadline": 1_000}
    evening.memory.views.clear()
    evening.memory.look(player, view)
    with pytest.raises(Changed):
        evening.memory.look(player, {**view, "deadline": 1_001})
