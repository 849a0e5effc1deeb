"""A dealer's console over HTTP: a round step by step, take or pay, a claim, a void round, and what is refused."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import httpx
import pytest

from cardroom.room.user.permissions import Role
from cardroom.service import RoomTableSetup, verify_card_room
from cardroom.web.services import sessions
from tests.service.card_rooms import shown, whole
from tests.service.staff import LOGINS, hire, password_of, signed_in, two_who_deal
from tests.service.table_scenes import UNTIMED, without_meters
from tests.web.devices.equipped import EquippedRoom, register_device

CONSOLE = "C-3001"
PLACES = ("seat 1 hand", "seat 2 hand", "seat 1 fourth", "dealer")


class Dealer:
    """Dora, who is signed in at a console."""

    def __init__(self, room: EquippedRoom) -> None:
        self._room, self._number = room, 0
        self.token = signed_in(room.card_room, "dora")

    def ask(self, what: str, **body: Any) -> httpx.Response:
        """What the server answers."""
        return self._room.ask(CONSOLE, "POST", f"/live/{what}", body, **{"cardroom-session": self.token})

    def does(self, what: str, **body: Any) -> Any:
        self._number += 1
        answer = self.ask(what, **{"id": f"dora-{self._number}", **body})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, what: str, status: int, **body: Any) -> str:
        """The sentence of a refusal."""
        answer = self.ask(what, **body)
        assert answer.status_code == status, answer.text
        return str(answer.json()["error"])

    def steps(self, *names: str) -> None:
        for name in names:
            self.does("step", step=name)

    def view(self) -> Any:
        answer = self._room.ask(CONSOLE, "GET", "/live", **{"cardroom-session": self.token})
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def kim(room: EquippedRoom) -> Dealer:
    two_who_deal(room.card_room)
    return Dealer(room)


def test_a_round_is_dealt_from_the_console(room: EquippedRoom, kim: Dealer) -> None:
    assert (kim.view()["state"], kim.view()["dealing"], kim.view()["due"]) == ("betting", None, [])
    begun = kim.does("begin", positions=[1, 2])
    assert begun["state"] == "playing"
    assert begun["round"] == "prime-1.1"
    assert kim.view()["due"] == ["wagers"]
    kim.steps("wagers")
    kim.does("step", step="tabulate", covered={"1": [1, 2], "2": [2]})
    look = kim.view()
    assert (look["dealing"]["counted"], look["due"]) == ("button", ["deal"])
    lights = look["tabulator"]["lights"]
    assert sorted((light["sensor"], light["position"]) for light in lights) == [(1, 1), (1, 2), (2, 2)]
    assert look["meters"]["final-four"] == shown(room.card_room) == 5_000_40
    kim.steps("deal", "decide", "reveal")
    kim.does(
        "cards",
        cards={"seat 2 hand": "9d 9h Kd", "dealer": "Ac 4d 2s"},
        wagers={"2": {"ante-play": 10_00, "prime": 5_00, "pair-bonus": 5_00}},
        answers={"2": {"play": "play"}},
    )
    paying = kim.view()["take_or_pay"]
    assert paying["missing"] == ["Seat 2's Pair Bonus needs the card at 'seat 2 fourth'."]
    (seat,) = paying["seats"]
    assert (seat["take_cents"], seat["pay_cents"], seat["chip_words"]) == (0, 35_00, "$25 x 1, $5 x 2")
    kim.steps("take-or-pay")
    kim.does("undo")
    kim.steps("take-or-pay", "collect")
    assert kim.does("end")["round"] == "prime-1.2"
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_position_that_is_named_twice_is_refused(room: EquippedRoom, kim: Dealer) -> None:
    refusal = kim.refused("begin", 422, id="twice", positions=[1, 1])
    assert refusal == "Position 1 is named twice: name each position once."
    kim.does("begin", positions=[1])
    assert kim.refused("step", 422, id="again", step="wagers", positions=[2, 1, 2]).startswith(
        "Position 2 is named twice"
    )
    assert kim.view()["dealing"]["positions"] == [1]


def test_a_hand_is_claimed_as_it_was_typed_also_after_the_round(room: EquippedRoom, kim: Dealer) -> None:
    kim.does("begin", positions=[1])
    kim.steps("wagers")
    kim.does("step", step="tabulate", covered={"1": [1]})
    kim.steps("deal", "decide", "reveal")
    kim.does(
        "cards",
        cards={"seat 1 hand": "Jd Qd Kd", "seat 1 fourth": "Ad"},
        wagers={"1": {"ante-play": 10_00, "final-four": 1_00}},
        answers={"1": {"play": "play"}},
    )
    body = {"id": "royal", "round": "prime-1.1", "seat": 1, "wager": "final-four"}
    claimed = kim.does("claim", **body)
    assert claimed["paid"] == []
    (won,) = claimed["pending"]
    assert (won["seat"], won["event"], won["cents"]) == (1, "four-card-diamond-royal", 5_000_20)
    kim.steps("take-or-pay", "collect")
    kim.does("end")
    assert kim.does("claim", **body) == claimed, "sent again, it is the first answer"
    assert "prime-1 has no jackpot for prime" in kim.refused("claim", 409, **{**body, "wager": "prime"})
    no_user = {**body, "id": "other", "seat": 2}
    assert "The wager of seat 2 on final-four is missing" in kim.refused("claim", 422, **no_user)
    unknown = {**body, "id": "other", "round": "prime-1.9"}
    assert "There is no live round 'prime-1.9'" in kim.refused("claim", 409, **unknown)
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_hand_is_not_claimed_with_other_cards_than_were_typed(room: EquippedRoom, kim: Dealer) -> None:
    kim.does("begin", positions=[2, 3])
    kim.steps("wagers")
    kim.does("step", step="tabulate", covered={"1": [2, 3]})
    kim.steps("deal", "decide", "reveal")
    kim.does("cards", cards={"seat 2 hand": "9c Td Jh", "seat 2 fourth": "Ac", "dealer": "Kd 4d 2s"})
    body = {"round": "prime-1.1", "seat": 2, "wager": "final-four", "wagered_cents": 1_00}
    body |= {"cards": {"hand": "Jd Qd Kd", "fourth": "Ad"}, "answers": {}, "id": "royal"}
    before = whole(room.card_room)
    assert "were typed as 9c Td Jh, but this claim has Jd Qd Kd. Correct" in kim.refused("claim", 422, **body)
    assert whole(room.card_room) == before
    kim.does("cards", cards={"seat 2 hand": "Jd Qd Kd", "seat 2 fourth": "Ad", "dealer": "Ks 4d 2s"})
    assert [won["seat"] for won in kim.does("claim", **body)["pending"]] == [2]


def test_a_hand_is_claimed_from_the_console_also_when_the_table_has_left_the_jackpot_since(
    room: EquippedRoom, kim: Dealer
) -> None:
    kim.does("begin", positions=[1])
    kim.steps("wagers")
    kim.does("step", step="tabulate", covered={"1": [1]})
    room.card_room.unlink_table("leave", "Rosa", "prime-1", "final-four", "a quiet week")
    cards = {"hand": "Jd Qd Kd", "fourth": "Ad"}
    body = {"round": "prime-1.1", "seat": 1, "wager": "final-four", "wagered_cents": 1_00, "cards": cards}
    (won,) = kim.does("claim", **body)["pending"]
    assert (won["event"], won["cents"]) == ("four-card-diamond-royal", 5_000_20)
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_round_is_voided_by_two_people(room: EquippedRoom, kim: Dealer) -> None:
    kim.does("begin", positions=[1, 2])
    kim.steps("wagers")
    kim.does("step", step="tabulate", covered={"1": [1, 2]})
    off = {"id": "off", "second": "dora", "second_password": password_of("dora"), "why": "the shuffler jammed"}
    assert "dora cannot be the second person besides dora" in kim.refused("void", 422, **off)
    off = {**off, "second": "sam"}
    assert "The login or the password is wrong" in kim.refused("void", 401, **off)
    assert shown(room.card_room) == 5_000_40, "nothing was voided"
    off = kim.does("void", **{**off, "second_password": password_of("sam")})
    assert (off["state"], off["round"], shown(room.card_room)) == ("betting", "prime-1.2", 5_000_00)


def test_what_a_tabulator_posts_of_the_round_is_acknowledged(room: EquippedRoom, kim: Dealer) -> None:
    kim.does("begin", positions=[1, 2])
    kim.steps("wagers")
    room.post("T-3001", "/presses", id="1", covered={"1": [2]}, round="prime-1.1", dealer="Kim")
    assert kim.view()["dealing"]["counted"] == "recorded"
    kim.steps("tabulate", "deal")
    assert shown(room.card_room) == 5_000_20


def test_a_repeated_call_gets_its_first_answer_and_another_content_is_refused(room: EquippedRoom, kim: Dealer) -> None:
    body = {"id": "begin", "positions": [1, 2]}
    first = kim.does("begin", **body)
    kim.steps("wagers")
    assert kim.does("begin", **body) == first
    assert "device C-3001/begin" in kim.refused("begin", 409, **{**body, "positions": [3]})


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("step", {"step": "deal"}, 409, "Step deal of round prime-1.1 is not due yet: the next step is wagers."),
        ("step", {"step": "dance"}, 409, "no step 'dance'"),
        ("begin", {"positions": [1]}, 409, "dealt by dora, is in progress"),
        ("end", {}, 409, "Round prime-1.1 cannot end yet"),
        ("undo", {}, 409, "No step of round prime-1.1 is taken"),
        ("cards", {}, 422, "The input is empty"),
        ("cards", {"cards": {"seat 9 hand": "As"}}, 422, "Seat 9 is not in this round"),
        ("cards", {"cards": {"dealer": "As As"}}, 422, "As is there twice"),
        ("cards", {"wagers": {"1": {"ante-play": -5}}}, 422, "wagers.1.ante-play: Input should be greater"),
        ("step", {"step": "wagers", "covered": {"1": [1]}}, 422, "with the TABULATE step, not with wagers"),
        ("begin", {"positions": [0]}, 422, "positions.0"),
        ("step", {"step": "wagers", "more": 1}, 422, "more: Extra inputs"),
    ],
)
def test_what_is_not_right_is_refused_with_a_sentence_and_changes_nothing(
    room: EquippedRoom, kim: Dealer, path: str, body: dict[str, Any], status: int, says: str
) -> None:
    kim.does("begin", positions=[1, 2])
    before = whole(room.card_room)
    assert says in kim.refused(path, status, id="wrong", **body)
    assert whole(room.card_room) == before


def test_only_a_console_runs_a_live_table(room: EquippedRoom) -> None:
    refusal = room.refused("T-3001", "/live/begin", 403, id="1", positions=[1])
    assert refusal.startswith("T-3001 is the tabulator of prime-1 and cannot run a live table.")
    assert "cannot post presses" in room.refused(CONSOLE, "/presses", 403, id="1", covered={})
    assert room.client.get("/live").status_code == 401


def test_a_console_is_registered_for_a_live_table(room: EquippedRoom) -> None:
    card_room = room.card_room
    assert card_room.get_device(CONSOLE).kind == "console"
    for table, says in (("way-1", "There is no table 'way-1' to play at"), ("auto-1", "auto-1 is automatic")):
        if table == "auto-1":
            card_room.add_table("auto", "Olga", RoomTableSetup("auto-1", without_meters("three-card-prime"), UNTIMED))
        with pytest.raises(Exception, match=says):
            card_room.register_device(f"console {table}", "Olga", table, f"C-{table}", "console")
    # A live table without a tabulator has a console too.
    card_room.add_table(
        "duel",
        "Olga",
        RoomTableSetup("duel-1", without_meters("dueling-for-dollars"), card_room.table("prime-1").terms),
    )
    room.tokens["C-duel"] = register_device(card_room, "duel-1", "C-duel", "console")
    two_who_deal(card_room)
    look = room.ask("C-duel", "GET", "/live", **{"cardroom-session": signed_in(card_room, "dora")}).json()
    assert (look["tabulator"], look["game"], look["steps"][2]["step"]) == (None, "dueling-for-dollars", "compare")


def test_no_user_deals_who_is_not_signed_in_there(
    room: EquippedRoom, kim: Dealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "CACHE_SECONDS", -1)  # no second passes before the books are asked again
    begin = {"id": "begin", "positions": [1]}
    before, good = room.card_room.read_table_version("prime-1"), kim.token
    hire(room.card_room, "carl", Role.CAGE)
    for token, status, says in (
        ("", 401, "No dealer is signed in at this console"),
        (good[:-1] + "?", 401, "No dealer is signed in at this console"),
        (signed_in(room.card_room, "carl"), 403, "carl is from the cage: only dealers and supervisors may deal"),
    ):
        kim.token = token
        assert says in kim.refused("begin", status, **begin)
    kim.token = good
    session = room.card_room.users.find_session(good)
    assert session is not None
    room.card_room.users.end_session(session)
    assert "No dealer is signed in" in kim.refused("begin", 401, **begin)
    assert room.card_room.read_table_version("prime-1") == before


def test_a_console_that_is_locked_deals_and_shows_nothing(
    room: EquippedRoom, kim: Dealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "CACHE_SECONDS", -1)
    session = room.card_room.users.find_session(kim.token)
    assert session is not None
    room.card_room.users.lock_session(session, "idle")
    assert "The console is locked (idle)" in kim.refused("begin", 401, id="1", positions=[1])
    locked = room.ask(CONSOLE, "GET", "/live", **{"cardroom-session": kim.token})
    assert (locked.status_code, sorted(locked.json())) == (401, ["error"])
    assert "prime-1" not in locked.text
    assert room.ask(CONSOLE, "GET", "/live").status_code == 401, "a console without a dealer shows nothing either"
    room.card_room.users.unlock_session(session, password_of(LOGINS[Role.DEALER]), "here")
    kim.does("begin", positions=[1])


def a_call(look: dict[str, Any], dice: random.Random) -> tuple[str, dict[str, Any]]:
    """Something that a console may send: often what is due, sometimes anything."""
    if look["dealing"] is None:
        return dice.choice([("begin", {"positions": [1, 2]})] * 4 + [("step", {"step": "wagers"}), ("end", {})])
    if not look["due"] and dice.random() < 0.7:
        return "end", {}
    if look["due"] and dice.random() < 0.5:
        step = look["due"][0]
        return "step", {"step": step, "covered": {"1": [1]}} if step == "tabulate" else {"step": step}
    cards = dice.sample(["As", "Ks", "Qs", "Js", "Ts", "9d", "9h", "9c", "2c", "3d"], 3)
    typed: dict[str, Any] = {"cards": {dice.choice(PLACES): " ".join(cards[: dice.randint(0, 3)])}}
    seat = dice.choice(["1", "2", "3"])
    if dice.random() < 0.6:
        typed["wagers"] = {seat: dice.choice([{}, {"ante-play": 10_00}, {"ante-play": 10_00, "all-six": 5_00}])}
        typed["answers"] = {seat: {"play": dice.choice(["fold", "play", "", "war"])}}
    anything = [
        ("undo", {}),
        ("step", {"step": dice.choice(["wagers", "deal", "collect"]), "positions": [1, 2, 3]}),
        ("begin", {"positions": [1]}),
    ]
    signed = {"second": "sam", "second_password": password_of("sam")}
    void = ("void", {**signed, "why": "the shuffler jammed"})
    return dice.choice([("cards", typed)] * 6 + anything + ([void] if dice.random() < 0.3 else []))


def test_whatever_a_console_does_the_books_stay_whole(room: EquippedRoom, kim: Dealer) -> None:
    """Steps, corrections, counts, take or pay and void rounds meet in any order."""
    dice, met = random.Random(11), Counter[tuple[str, int]]()
    for number in range(400):
        path, body = a_call(kim.view(), dice)
        answer = kim.ask(path, id=f"f-{number}", **body)
        assert answer.status_code in (200, 409, 422), answer.text
        met[path, answer.status_code] += 1
    assert min(met["step", 200], met["cards", 200]) > 50
    assert min(met["end", 200], met["void", 200], met["undo", 200], met["cards", 422], met["step", 409]) > 5
    report = verify_card_room(room.card_room.ledger)
    assert report.is_consistent
    assert report.rounds == met["end", 200]
