"""An operator's extra prizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import orjson
import pytest

from cardroom.chart_of_accounts import DOLLAR, Account, AccountKind
from cardroom.errors import BadInput
from cardroom.ledger import Command, CommandOutcome, NewEvent, UniqueKey, open_ledger
from cardroom.room.event_types import decode_event
from cardroom.room.promotion.setup import Promotion, read_promotion
from cardroom.room.promotion.state import Payer, pay_hands
from cardroom.room.setup.site import SiteSettings
from cardroom.room.table.claim_contradictions import ClaimContradictsInput
from cardroom.service import CardRoom, PromotionPaymentResult, verify_card_room
from cardroom.service.chains.aggregates import PROMOTIONS
from cardroom.service.commands.promotions import PromotionAlreadyAnnounced
from tests.service.card_rooms import new_id, open_room, play, whole
from tests.service.live_scenes import TO_THE_END, begin, live_prime, steps, tabulate
from tests.service.test_claims import finished_round

STRAIGHTS: Promotion = read_promotion("""
    id = "summer-straights"
    name = "Summer Straights"
    game = "three-card-prime"
    wager = "final-four"
    paytable = "F4P-1"
    event = "four-card-straight"
    prize = "$25"
    first = "2026-06-01"
    last = "2099-08-31"
    most_prizes = 2
    most_dollars = "$2,500"
    rules = "Every four-card straight on the Final Four wins $25 more while the promotion lasts."
""")
JULY = date(2026, 7, 4)
STRAIGHT = finished_round("5c 6d 7h 8c")


ANOTHER = finished_round("5d 6d 7h 8c")
A_THIRD = finished_round("5h 6d 7h 8c")


def open_summer(card_room: CardRoom, *rounds: str) -> None:
    """A room with the promotion, and rounds at its first table whose Final Four wagers were counted."""
    open_room(card_room)
    card_room.promotions.announce(new_id(), "Olga", STRAIGHTS)
    for round_id in rounds:
        play(card_room, round_id=round_id)


def pay(
    card_room: CardRoom, round_id: str, record: Mapping[str, Any] = STRAIGHT, **more: Any
) -> PromotionPaymentResult:
    result = {"day": JULY, **more}
    return card_room.promotions.pay(new_id(), "Kim", STRAIGHTS.id, "prime-1", round_id, record, **result)


def test_a_promotion_pays_the_hands_that_the_rules_find(card_room: CardRoom) -> None:
    open_summer(card_room, "r1")
    id = new_id()
    paid = card_room.promotions.pay(id, "Kim", "summer-straights", "prime-1", "r1", STRAIGHT, day=JULY)
    assert (paid.seats, paid.cents, paid.summary.prizes_left) == ((1,), 25_00, 1)
    assert card_room.promotions.pay(id, "Kim", "summer-straights", "prime-1", "r1", STRAIGHT, day=JULY) == paid
    assert card_room.ledger.balances()[Account(AccountKind.PRIZES, "prime-1")] == 25 * DOLLAR
    with pytest.raises(BadInput):
        pay(card_room, "r1")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_hand_is_paid_once_whatever_round_it_is_said_to_be_of(card_room: CardRoom) -> None:
    open_summer(card_room, "r1", "r2")
    card_room.promotions.pay("first", "Kim", STRAIGHTS.id, "prime-1", "r1", STRAIGHT, day=JULY)
    before = whole(card_room)
    sentence = "Summer Straights paid this hand as round r1 of prime-1, on .* by command first: a hand is paid"
    with pytest.raises(BadInput, match=sentence):
        pay(card_room, "r2")
    with pytest.raises(BadInput):
        pay(card_room, "r1", ANOTHER)
    assert card_room.promotion(STRAIGHTS.id).state.paid.prizes == 1
    assert before["balances"][Account(AccountKind.PRIZES, "prime-1")] == 25 * DOLLAR
    assert pay(card_room, "r2", ANOTHER).cents == 25_00
    assert verify_card_room(card_room.ledger).is_consistent


def retold(**places: str) -> dict[str, Any]:
    """The straight once more, with other cards at some places."""
    cards = STRAIGHT["cards"] | {place.replace("_", " "): result.split() for place, result in places.items()}
    return {**STRAIGHT, "cards": cards}


def at_seat_2() -> dict[str, Any]:
    """The straight, shown of another seat."""
    cards = {place.replace("seat 1", "seat 2"): result for place, result in STRAIGHT["cards"].items()}
    decisions = [{**one, "seat": 2} for one in STRAIGHT["decisions"]]
    return {**STRAIGHT, "cards": cards, "decisions": decisions, "wagers": {"2": STRAIGHT["wagers"]["1"]}}


def beside_a_loser() -> dict[str, Any]:
    """The straight beside another seat that wins nothing."""
    result = retold(seat_2_hand="9s Jd Ah", seat_2_fourth="3s")
    result["wagers"] = STRAIGHT["wagers"] | {"2": {"ante-play": 10_00}}
    result["decisions"] = [*STRAIGHT["decisions"], {"seat": 2, "question": "play", "answer": "fold"}]
    return result


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(retold(seat_1_hand="7h 5c 6d"), id="the cards in another order"),
        pytest.param(retold(burn="Ks"), id="another burnt card"),
        pytest.param(at_seat_2(), id="the hand at another seat"),
        pytest.param(beside_a_loser(), id="a seat more that wins nothing"),
    ],
)
def test_a_hand_is_known_by_the_cards_that_make_it(in_a_file: CardRoom, result: dict[str, Any]) -> None:
    assert result != STRAIGHT
    open_summer(in_a_file, "r1", "r2")
    pay(in_a_file, "r1")
    with pytest.raises(BadInput):
        pay(in_a_file, "r2", result)


def test_a_hand_that_is_shown_of_another_table_is_the_same_hand(in_a_file: CardRoom) -> None:
    open_summer(in_a_file, "r1")
    pay(in_a_file, "r1")
    in_a_file.tabulate(new_id(), "Kim", "prime-2", {1: [1]}, round_id="r2")
    with pytest.raises(BadInput):
        in_a_file.promotions.pay(new_id(), "Kim", STRAIGHTS.id, "prime-2", "r2", STRAIGHT, day=JULY)


def test_another_card_of_the_table_makes_another_hand(in_a_file: CardRoom) -> None:
    open_summer(in_a_file, "r1", "r2")
    assert pay(in_a_file, "r1").cents == 25_00
    assert pay(in_a_file, "r2", retold(dealer="Kd 4h 2h")).cents == 25_00
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_cards_that_truly_came_again_are_paid_when_two_people_say_so(card_room: CardRoom) -> None:
    """A duel of one player is two cards: the same two do come again (BJ-42)."""
    open_summer(card_room, "r1", "r2")
    with pytest.raises(BadInput):
        pay(card_room, "r1", repeat_reason="surveillance saw both", second="Lee")
    pay(card_room, "r1")
    for second in (None, "Kim"):
        with pytest.raises(BadInput):
            pay(card_room, "r2", repeat_reason="surveillance saw both", second=second)
    assert pay(card_room, "r2", repeat_reason="surveillance saw both", second="Lee").cents == 25_00
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_hand_beside_one_that_came_again_is_known_from_then_on(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.promotions.announce(new_id(), "Olga", STRAIGHTS._replace(most_prizes=9))
    for round_id in ("r1", "r2", "r3"):
        play(card_room, round_id=round_id)
    pay(card_room, "r1")
    new = {"seat 2 hand": ["9s", "Th", "Jd"], "seat 2 fourth": ["Qs"]}
    folded = [{"seat": seat, "question": "play", "answer": "fold"} for seat in (1, 2)]
    both = {
        **STRAIGHT,
        "cards": STRAIGHT["cards"] | new,
        "wagers": {"1": STRAIGHT["wagers"]["1"], "2": STRAIGHT["wagers"]["1"]},
        "decisions": folded,
    }
    assert pay(card_room, "r2", both, repeat_reason="surveillance saw both", second="Lee").cents == 50_00
    assert verify_card_room(card_room.ledger).is_consistent
    alone = {
        **STRAIGHT,
        "cards": {place: result for place, result in both["cards"].items() if "seat 1" not in place},
        "wagers": {"2": both["wagers"]["2"]},
        "decisions": folded[1:],
    }
    with pytest.raises(BadInput):
        pay(card_room, "r3", alone)


def test_a_large_prize_needs_two_people(card_room: CardRoom) -> None:
    open_summer(card_room, "r1", "r2")
    card_room.site.configure(new_id(), "Olga", SiteSettings(dealer_pays=20_00), "a careful room", second="Carl")
    with pytest.raises(BadInput, match=r"\$20"):
        pay(card_room, "r1")
    assert pay(card_room, "r1", second="Lee").cents == 25_00
    card_room.site.configure(new_id(), "Olga", SiteSettings(dealer_pays=25_00), "it was too careful", second="Carl")
    assert pay(card_room, "r2", ANOTHER).cents == 25_00
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_wager_that_the_tabulator_counts_was_counted(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_summer(card_room)
    with pytest.raises(BadInput, match="prime-1"):
        pay(card_room, "r1")
    card_room.tabulate(new_id(), "Kim", "prime-1", {1: [2, 3]}, round_id="r1")
    with pytest.raises(BadInput):
        pay(card_room, "r1")


def test_a_void_round_pays_nothing(in_a_file: CardRoom) -> None:
    open_summer(in_a_file, "r1")
    in_a_file.void_round(new_id(), "Sam", "prime-1", "r1", "the shuffler jammed", second="Flo")
    with pytest.raises(BadInput, match="prime-1"):
        pay(in_a_file, "r1")


def test_promotions_that_run_at_a_time_have_different_names(card_room: CardRoom) -> None:
    open_summer(card_room)
    same = STRAIGHTS._replace(id="more-straights", name=" summer  straights")
    with pytest.raises(BadInput):
        card_room.promotions.announce(new_id(), "Olga", same)
    next_year = same._replace(first=date(2100, 6, 1), last=date(2100, 8, 31))
    card_room.promotions.announce(new_id(), "Olga", next_year)
    card_room.promotions.end(new_id(), "Olga", STRAIGHTS.id, "the money is spent")
    card_room.promotions.announce(new_id(), "Olga", same._replace(id="once-more"))
    with pytest.raises(BadInput):
        card_room.promotions.announce(new_id(), "Olga", STRAIGHTS._replace(name="Other Straights"))
    assert verify_card_room(card_room.ledger).is_consistent


def test_two_who_announce_one_name_at_the_same_moment_do_not_both_get_it(url: str) -> None:
    with open_ledger(url) as here, open_ledger(url) as elsewhere:
        card_rooms = [CardRoom(here), CardRoom(here), CardRoom(elsewhere)]

        def announce(at: int) -> bool:
            try:
                card_rooms[at % 3].promotions.announce(new_id(), "Olga", STRAIGHTS._replace(id=f"straights-{at}"))
            except PromotionAlreadyAnnounced:
                return False
            return True

        with ThreadPoolExecutor(6) as together:
            done = list(together.map(announce, range(6)))
        assert sorted(done) == [False] * 5 + [True]
        assert len(card_rooms[0].list_promotions()) == 1


def test_a_promotion_keeps_to_its_dates_and_its_limit(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_summer(card_room, "r1", "r2", "r3", "r4")
    result = [("r1", STRAIGHT, date(2026, 5, 31)), ("r2", STRAIGHT, JULY), ("r3", ANOTHER, JULY), ("r4", A_THIRD, JULY)]
    paid = [pay(card_room, round_id, record, day=when).cents for round_id, record, when in result]
    assert paid == [0, 25_00, 25_00, 0]


def test_a_promotion_whose_last_day_has_passed_is_not_announced(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    with pytest.raises(BadInput):
        in_a_file.promotions.announce(
            new_id(), "Olga", STRAIGHTS._replace(first=date(2020, 1, 1), last=date(2020, 1, 31))
        )
    assert in_a_file.list_promotions() == ()


@pytest.mark.parametrize("id", ["Bad Name", "", "summer_straights", "-summer"])
def test_the_id_of_a_promotion_has_small_letters_digits_and_hyphens(in_a_file: CardRoom, id: str) -> None:
    with pytest.raises(BadInput):
        in_a_file.promotions.announce(new_id(), "Olga", STRAIGHTS._replace(id=id))


def test_a_live_round_is_paid_from_what_was_typed_of_it(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    card_room.promotions.announce(new_id(), "Olga", STRAIGHTS)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    wagers = {1: {"ante-play": 10_00, "final-four": 1_00}}
    card_room.type_cards(new_id(), "Kim", "prime-1", {"seat 1 hand": "5c 6d 7h", "seat 1 fourth": "8c"}, wagers=wagers)
    sentence = "The round is not complete: .*the cards at 'dealer'.* and seat 1's decision on 'play' are missing"
    with pytest.raises(BadInput, match=sentence):
        card_room.get_typed_record("prime-1", round_id)
    more = {"dealer": "Ac 4d 2s"}
    card_room.type_cards(new_id(), "Kim", "prime-1", more, answers={1: {"play": "play"}})
    steps(card_room, *TO_THE_END)
    card_room.end_live_round(new_id(), "Kim", "prime-1")
    record = card_room.get_typed_record("prime-1", round_id)
    straight = record | {"cards": record["cards"] | {"seat 1 hand": ["5d", "6h", "7c"]}}
    with pytest.raises(ClaimContradictsInput):
        card_room.promotions.pay(new_id(), "Kim", STRAIGHTS.id, "prime-1", round_id, straight)
    paid = card_room.promotions.pay(new_id(), "Kim", STRAIGHTS.id, "prime-1", round_id, record)
    assert (paid.seats, paid.cents) == ((1,), 25_00)
    with pytest.raises(BadInput, match=r"prime-1\.9"):
        card_room.get_typed_record("prime-1", "prime-1.9")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_hand_that_is_not_the_event_is_paid_nothing(in_a_file: CardRoom) -> None:
    open_summer(in_a_file, "r1")
    with pytest.raises(BadInput):
        pay(in_a_file, "r1", finished_round("2c 5d 9h Ac"))


def test_a_promotion_that_has_ended_pays_nothing(in_a_file: CardRoom) -> None:
    open_summer(in_a_file, "r1")
    assert in_a_file.promotions.end(new_id(), "Olga", STRAIGHTS.id, "the money is spent").ended
    assert pay(in_a_file, "r1").cents == 0
    with pytest.raises(BadInput):
        in_a_file.promotions.announce(new_id(), "Olga", STRAIGHTS)


# A forger who has the program, so that every hash and seal is right.


def forge(card_room: CardRoom, **changes: Any) -> None:
    """Store a prize as the card room would, with something else in it, without asking whether it is allowed."""
    running = card_room.promotion(STRAIGHTS.id)
    (paid,) = pay_hands(running, "prime-1", "r1", STRAIGHT, JULY, Payer("Kim", "Lee", 500_00, ""))
    payload = orjson.loads(orjson.dumps(paid.payload | changes, option=orjson.OPT_SORT_KEYS))
    forged = decode_event(paid.kind, paid.version, payload)
    chain, names = PROMOTIONS.chain_name(STRAIGHTS.id), PROMOTIONS.unique_keys(forged)

    def decide(_: Any) -> CommandOutcome:
        event = NewEvent(chain, paid.kind, paid.version, payload, PROMOTIONS.postings(running, running, forged), names)
        return CommandOutcome((event,), {chain: PROMOTIONS.encode(PROMOTIONS.apply(running, forged))}, None)

    asked = tuple(UniqueKey(chain, name) for name in names)
    card_room.ledger.execute(Command("forged", (chain,), {"do": "forge"}, decide, asked))


def test_a_prize_that_no_user_forged_is_whole(in_a_file: CardRoom) -> None:
    open_summer(in_a_file, "r1")
    forge(in_a_file)
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_hand_that_an_earlier_program_shown_in_other_words_is_whole(in_a_file: CardRoom) -> None:
    open_summer(in_a_file, "r1")
    forge(in_a_file, words="straight to the jack")
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"cents": 26_00}, "judged again, its payload.cents differs"),
        ({"seat": 2}, "judged again, its payload.seat differs"),
        ({"event": "four-of-a-kind"}, "judged again, its payload.event differs"),
        ({"hand": "0" * 64}, "judged again, its payload.hand differs"),
        ({"second": "kim"}, "Two people must sign for this prize: kim"),
        ({"dealer_pays": 24_99, "second": ""}, r"Two people must sign for a prize above \$24.99"),
        ({"again": "it came again", "second": ""}, "Two people must sign for a hand with the same cards"),
    ],
)
def test_a_forged_prize_is_named(in_a_file: CardRoom, changes: dict[str, Any], found: str) -> None:
    open_summer(in_a_file, "r1")
    forge(in_a_file, **changes)
    wrong = verify_card_room(in_a_file.ledger).discrepancy
    assert wrong is not None
    assert (wrong.chain, wrong.sequence) == ("promotion:summer-straights", 2)
    assert re.search(found, wrong.sentence)
