"""Live tables: the dealer's steps in order, the tabulator, typed cards, take or pay, and void rounds."""

from __future__ import annotations

import pytest

from cardroom.cards.deck import TooManyCopies
from cardroom.errors import BadInput
from cardroom.games import BadBet, default_setup, game, game_slugs
from cardroom.games.example_rounds import example_round
from cardroom.games.serialization import payment_to_json
from cardroom.ledger import CommandIdReused
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.dual_control import NameMissing, SamePerson
from cardroom.room.table.events import CountMethod, SettledStake, TypedDecision
from cardroom.room.table.live_payments import SeatTakeOrPay, TakeOrPaySheet
from cardroom.room.table.live_procedure import BadTypedInput
from cardroom.room.table.live_round_steps import BadPositions
from cardroom.room.tabulator.data_logger import new_logger, write_record
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import (
    BadInstallation,
    BadPlayTerms,
    CardRoom,
    DealingMode,
    PlayTerms,
    RoomTableSetup,
    TablePhase,
    UnitSetup,
    UnknownRound,
    WrongPhase,
    verify_card_room,
)
from cardroom.service.commands.live_rounds import BadStepInput
from tests.service.card_rooms import is_covered, new_id, prime_sensors, prime_table, shown, whole
from tests.service.live_scenes import (
    LIVE,
    PRIME,
    TO_THE_END,
    WILD,
    begin,
    live_prime,
    live_wild,
    open_live,
    steps,
    tabulate,
    whole_round,
)
from tests.service.table_scenes import UNTIMED, an_id, events_of, without_meters

BETS = {"ante-play": 10_00, "prime": 5_00, "pair-bonus": 5_00}


def list_kinds(card_room: CardRoom, table: str = PRIME) -> list[str]:
    return [kind for kind, _ in events_of(card_room, f"table:{table}")]


def find_seat(card_room: CardRoom, number: int, table: str = PRIME) -> SeatTakeOrPay:
    return next(seat for seat in card_room.take_or_pay(table).seats if seat.seat == number)


# A round.


def test_a_round_is_dealt_step_by_step_and_is_in_the_chain_of_the_table(card_room: CardRoom) -> None:
    live_prime(card_room)
    assert card_room.table(PRIME).phase is TablePhase.BETTING
    round_id = begin(card_room)
    assert (round_id, card_room.table(PRIME).phase) == ("prime-1.1", TablePhase.PLAYING)
    steps(card_room, "wagers")
    tabulate(card_room, 1, 3)
    steps(card_room, *TO_THE_END)
    ended = card_room.end_live_round(an_id(), "Kim", PRIME)
    assert (ended.state, ended.round) == (TablePhase.BETTING, "prime-1.2")
    assert list_kinds(card_room) == ["table-opened", "live-round-started", *["step-taken"] * 7, "live-round-ended"]
    assert card_room.table(PRIME).live is None
    assert verify_card_room(card_room.ledger).is_consistent


def test_the_tabulate_step_presses_the_button_of_the_tabulator_in_the_same_command(card_room: CardRoom) -> None:
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1, 3)
    assert shown(card_room) == 5_000_00 + 2 * 20
    (counted,) = card_room.history.list_tabulator_rounds(PRIME)
    assert (counted.payload["round"], counted.payload["dealer"]) == (round_id, "Kim")
    step = card_room.ledger.head(f"table:{PRIME}")
    assert step is not None
    taken = list(card_room.ledger.events(f"table:{PRIME}"))[-1]
    assert (taken.kind, taken.payload["counted"]) == ("step-taken", "button")
    assert taken.id.rsplit("/", 1)[0] == counted.id.rsplit("/", 1)[0], "one command"
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_steps_are_taken_in_order_and_once_each(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    begin(card_room)
    with pytest.raises(WrongPhase):
        steps(card_room, "deal")
    steps(card_room, "wagers")
    with pytest.raises(WrongPhase):
        steps(card_room, "wagers")
    with pytest.raises(WrongPhase, match="prime-1"):
        steps(card_room, "shuffle")
    with pytest.raises(WrongPhase):
        card_room.end_live_round(an_id(), "Kim", PRIME)
    tabulate(card_room)
    steps(card_room, *TO_THE_END)
    with pytest.raises(WrongPhase, match=r"prime-1\.1"):
        steps(card_room, "collect")


def test_a_tap_for_another_round_is_refused_and_changes_nothing(in_a_file: CardRoom) -> None:
    live_prime(in_a_file)
    first = begin(in_a_file)
    with pytest.raises(WrongPhase):
        in_a_file.take_step(an_id(), "Kim", PRIME, "wagers", round_id="prime-1.2")
    in_a_file.void_live_round(an_id(), "Kim", PRIME, "misdeal", second="Sam")
    before = events_of(in_a_file, f"table:{PRIME}")
    for late in (
        lambda: in_a_file.begin_live_round(an_id(), "Kim", PRIME, [1], round_id=first),
        lambda: in_a_file.end_live_round(an_id(), "Kim", PRIME, round_id=first),
    ):
        with pytest.raises(WrongPhase):
            late()
    assert events_of(in_a_file, f"table:{PRIME}") == before
    in_a_file.begin_live_round(an_id(), "Kim", PRIME, [1], round_id="prime-1.2")


def test_conditional_steps_can_be_skipped(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    setup = without_meters("dueling-for-dollars")
    open_live(card_room, "duel-1", setup)
    begin(card_room, "duel-1")
    steps(card_room, "wagers", "deal", "compare", table="duel-1")
    view = card_room.view_live_table("duel-1").to_json()
    assert view["due"][0] == "ties"
    assert view["due"][-1] == "take-or-pay"
    steps(card_room, "take-or-pay", table="duel-1")
    with pytest.raises(WrongPhase, match=r"duel-1\.1"):
        steps(card_room, "ties", table="duel-1")
    steps(card_room, "collect", table="duel-1")
    card_room.end_live_round(an_id(), "Kim", "duel-1")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_table_without_a_tabulator_has_no_step_for_it(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_live(card_room)
    assert "tabulate" not in [step["step"] for step in card_room.view_live_table(PRIME).to_json()["steps"]]
    begin(card_room)
    steps(card_room, "wagers", *TO_THE_END)
    card_room.end_live_round(an_id(), "Kim", PRIME)


def test_the_last_step_can_be_undone_unless_it_counted(card_room: CardRoom) -> None:
    live_prime(card_room)
    begin(card_room)
    with pytest.raises(WrongPhase):
        card_room.undo_step(an_id(), "Kim", PRIME)
    steps(card_room, "wagers")
    card_room.undo_step(an_id(), "Kim", PRIME)
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    before = whole(card_room)
    with pytest.raises(WrongPhase, match=r"prime-1\.1"):
        card_room.undo_step(an_id(), "Kim", PRIME)
    assert whole(card_room) == before
    steps(card_room, "deal")
    card_room.undo_step(an_id(), "Kim", PRIME)
    assert list_kinds(card_room)[-2:] == ["step-taken", "step-undone"]
    steps(card_room, *TO_THE_END)
    assert verify_card_room(card_room.ledger).is_consistent


def test_the_positions_of_a_round_can_be_changed_with_the_wagers_step(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    begin(card_room, positions=(1, 2))
    with pytest.raises(BadTypedInput):
        card_room.type_cards(an_id(), "Kim", PRIME, {"seat 4 hand": "Jd Qd Kd"})
    card_room.take_step(an_id(), "Kim", PRIME, "wagers", positions=[4, 1])
    card_room.type_cards(an_id(), "Kim", PRIME, {"seat 4 hand": "Jd Qd Kd"})
    card_room.undo_step(an_id(), "Kim", PRIME)
    with pytest.raises(BadPositions):
        card_room.take_step(an_id(), "Kim", PRIME, "wagers", positions=[1])
    card_room.type_cards(an_id(), "Kim", PRIME, {"seat 4 hand": ""})
    card_room.take_step(an_id(), "Kim", PRIME, "wagers", positions=[1])
    live = card_room.table(PRIME).live
    assert live is not None
    assert live.positions == (1,)
    with pytest.raises(BadPositions):
        card_room.take_step(an_id(), "Kim", PRIME, "tabulate", positions=[1], covered={})
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_place_takes_no_more_cards_than_the_game_deals_there(in_a_file: CardRoom) -> None:
    live_prime(in_a_file)
    begin(in_a_file)
    with pytest.raises(BadTypedInput):
        in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 hand": "As Ks Qs Js"})
    with pytest.raises(BadTypedInput):
        in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 fourth": "As Ks"})
    live = in_a_file.table(PRIME).live
    assert live is not None
    assert live.cards == {}
    in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 hand": "As Ks Qs", "dealer": "2c 3c"})


# The tabulator.


def test_the_dealer_counts_by_hand_when_the_tabulator_is_broken(card_room: CardRoom) -> None:
    live_prime(card_room)
    card_room.report_tabulator_fault(an_id(), "Kim", PRIME, "the panel is dark")
    begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 2)
    live = card_room.table(PRIME).live
    assert live is not None
    assert live.counted is CountMethod.BY_HAND
    assert shown(card_room) == 5_000_20
    tabulator = card_room.view_live_table(PRIME).to_json()["tabulator"]
    assert (tabulator["broken"], tabulator["lights"]) == ("the panel is dark", [])
    assert tabulator["stay"] == [{"position": 2, "sensor": 1}], "wagers counted by hand stay on their spots (BJ-7)"
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_count_from_the_tabulator_is_only_acknowledged_by_the_step(card_room: CardRoom) -> None:
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    card_room.tabulate(an_id(), "device T-1001", PRIME, {1: [1, 2]}, round_id=round_id)
    card_room.take_step(an_id(), "Kim", PRIME, "tabulate")
    live = card_room.table(PRIME).live
    assert live is not None
    assert live.counted is CountMethod.RECORDED
    assert shown(card_room) == 5_000_40
    with pytest.raises(WrongPhase):
        card_room.undo_step(an_id(), "Kim", PRIME)


def test_the_record_of_a_data_logger_counts_and_the_step_does_not_wait_for_it(card_room: CardRoom) -> None:
    live_wild(card_room)
    round_id = begin(card_room, WILD)
    steps(card_room, "wagers", table=WILD)
    with pytest.raises(BadStepInput, match=r"Andromeda-1.*wild-1"):
        card_room.take_step(an_id(), "Kim", WILD, "tabulate", covered={1: [1]})
    steps(card_room, "tabulate", "initial-cards", table=WILD)
    assert card_room.view_live_table(WILD).to_json()["dealing"]["counted"] is None
    logger = write_record(new_logger("A1-77"), round_id, [1, 3], time=5, dealer="Kim", counter=2)
    card_room.import_logger_records(an_id(), "Kim", WILD, logger.waiting)
    view = card_room.view_live_table(WILD).to_json()
    assert view["dealing"]["counted"] == "recorded"
    assert view["tabulator"]["data_logger"] is True
    card_room.void_live_round(an_id(), "Kim", WILD, "the shuffler jammed", second="Lee")
    assert card_room.jackpot("five-wild").meters[0].displayed_cents == 1_000_00
    assert verify_card_room(card_room.ledger).is_consistent


def test_jackpot_wagers_are_only_at_positions_in_the_round(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    begin(card_room, positions=(1, 2))
    steps(card_room, "wagers")
    before = whole(card_room)
    with pytest.raises(BadStepInput):
        tabulate(card_room, 1, 3)
    with pytest.raises(BadStepInput, match=r"prime-1\.1"):
        card_room.take_step(an_id(), "Kim", PRIME, "tabulate")
    with pytest.raises(CannotTabulate):
        card_room.take_step(an_id(), "Kim", PRIME, "tabulate", covered={1: []}, lammers={1: [0]})
    assert whole(card_room) == before
    tabulate(card_room)
    with pytest.raises(BadStepInput):
        card_room.take_step(an_id(), "Kim", PRIME, "deal", covered={1: [1]})


def type_final_four(card_room: CardRoom, number: int, table: str = PRIME) -> None:
    card_room.type_cards(an_id(), "Kim", table, wagers={number: {"ante-play": 10_00, "final-four": 1_00}})


def test_a_jackpot_wager_that_was_not_counted_cannot_be_typed(card_room: CardRoom) -> None:
    live_prime(card_room)
    begin(card_room)
    type_final_four(card_room, 2)  # nothing is counted yet
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    before = whole(card_room)
    with pytest.raises(BadTypedInput, match=r"2.*prime-1\.1"):
        type_final_four(card_room, 2)
    assert whole(card_room) == before
    type_final_four(card_room, 1)
    card_room.unlink_table(an_id(), "Rosa", PRIME, "final-four", "a quiet week")
    type_final_four(card_room, 1)  # a counted wager stays counted


@pytest.mark.parametrize(
    ("closed_by", "why"),
    [("disable", "repairs"), ("unlink", "prime-1 plays for no jackpot on it")],
    ids=["disabled", "unlinked"],
)
def test_a_round_continues_without_a_jackpot_that_takes_no_wagers(
    card_room: CardRoom, closed_by: str, why: str
) -> None:
    live_prime(card_room)
    assert "final-four" not in card_room.view_live_table(PRIME).dark
    if closed_by == "disable":
        card_room.jackpots.disable(an_id(), "Olga", "final-four", "repairs")
    else:
        card_room.unlink_table(an_id(), "Olga", PRIME, "final-four", "repairs")
    assert card_room.view_live_table(PRIME).dark["final-four"] == why
    begin(card_room)
    steps(card_room, "wagers")
    with pytest.raises(BadTypedInput, match=why):
        type_final_four(card_room, 1)
    tabulate(card_room)
    with pytest.raises(BadTypedInput):
        type_final_four(card_room, 1)
    steps(card_room, *TO_THE_END)
    card_room.end_live_round(an_id(), "Kim", PRIME)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_hand_of_a_live_round_is_claimed_and_its_prize_is_not_paid_from_the_rack(card_room: CardRoom) -> None:
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    steps(card_room, "deal", "decide", "reveal")
    card_room.type_cards(
        an_id(),
        "Kim",
        PRIME,
        {"seat 1 hand": "Jd Qd Kd", "seat 1 fourth": "Ad"},
        wagers={1: {"ante-play": 10_00, "final-four": 1_00}},
        answers={1: {"play": "fold"}},
    )
    (ante, royal) = find_seat(card_room, 1).payments
    assert (ante.take, ante.is_claimable) == (10_00, False)
    assert (royal.payment.event, royal.is_claimable, royal.take, royal.pay) == ("four-card-diamond-royal", True, 0, 0)
    hand = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"})
    claim = card_room.claims.claim_hand(an_id(), "Kim", "final-four", PRIME, round_id, hand)
    assert claim.claim
    steps(card_room, "take-or-pay", "collect")
    card_room.end_live_round(an_id(), "Kim", PRIME)
    ended = card_room.get_live_round(round_id).ended
    assert ended.payload["settled_stakes"] == [[1, "ante-play", "ante", "fold", 10_00, 0]], (
        "the rack does not pay the prize of a jackpot"
    )
    assert verify_card_room(card_room.ledger).is_consistent


# Take or pay.


def test_take_or_pay_shows_certain_payments_and_missing_input(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    begin(card_room)
    assert card_room.take_or_pay(PRIME) == TakeOrPaySheet("prime-1.1", (), (), ())
    card_room.type_cards(an_id(), "Kim", PRIME, {"seat 2 hand": "9d 9h Kd"}, wagers={2: BETS})
    sheet = card_room.take_or_pay(PRIME)
    assert sheet.seats == ()
    assert sheet.missing == (
        "Seat 2's Ante and Play needs seat 2's decision on 'play': fold or play.",
        "Seat 2's Prime needs the cards at 'dealer'.",
        "Seat 2's Pair Bonus needs the card at 'seat 2 fourth'.",
    )
    card_room.type_cards(an_id(), "Kim", PRIME, {"dealer": "Ac 4d 2s"}, answers={2: {"play": "play"}})
    sheet = card_room.take_or_pay(PRIME)
    assert sheet.missing == ("Seat 2's Pair Bonus needs the card at 'seat 2 fourth'.",)
    (paid_seat,) = sheet.seats
    payments = [(payment.payment.stake, payment.take, payment.pay) for payment in paid_seat.payments]
    assert payments == [("ante", 0, 10_00), ("play", 0, 10_00), ("prime", 0, 15_00)]
    assert (paid_seat.take, paid_seat.pay, paid_seat.chips) == (0, 35_00, ((25_00, 1), (5_00, 2)))
    card_room.type_cards(an_id(), "Kim", PRIME, {"seat 2 fourth": "7s"})
    assert card_room.take_or_pay(PRIME).missing == ()
    assert find_seat(card_room, 2).pay == 40_00


def test_a_folded_hand_needs_no_cards_and_only_its_seat_is_shown(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    begin(card_room)
    card_room.type_cards(an_id(), "Kim", PRIME, wagers={3: {"ante-play": 20_00}}, answers={3: {"play": "fold"}})
    (folded,) = card_room.take_or_pay(PRIME).seats
    assert (folded.seat, folded.take, folded.pay) == (3, 20_00, 0)
    assert card_room.take_or_pay(PRIME).missing == ()


@pytest.mark.parametrize("slug", game_slugs())
def test_take_or_pay_of_a_completely_typed_round_equals_its_settlement(in_a_file: CardRoom, slug: str) -> None:
    card_room = in_a_file
    played = example_round(slug)
    card_room.add_table(an_id(), "Olga", RoomTableSetup("live-1", played.table.setup, LIVE))
    begin(card_room, "live-1", tuple(played.seats))
    steps(card_room, "wagers", table="live-1")
    cards = {str(place): " ".join(map(str, pile)) for place, pile in played.piles.items() if str(place) != "burn"}
    answers: dict[int, dict[str, str]] = {}
    for (number, question), decision in played.decisions.items():
        answers.setdefault(number, {})[question] = str(decision)
    card_room.type_cards(an_id(), "Kim", "live-1", cards, wagers=played.bets, answers=answers)
    sheet = card_room.take_or_pay("live-1")
    assert (sheet.missing, sheet.astray) == ((), ())
    payments = [payment.payment for paid_seat in sheet.seats for payment in paid_seat.payments]
    assert payments == list(played.game.settle(played).payments)
    due = [step for step in game(slug).procedure(played.table) if step.kind not in ("wagers", "tabulate")]
    steps(card_room, *(step.name for step in due), table="live-1")
    card_room.end_live_round(an_id(), "Kim", "live-1")
    ended = card_room.get_live_round("live-1.1").to_json()["shown"]
    known = [payment_to_json(payment) for payment in payments if payment.returned is not None]
    assert [(stake["seat"], stake["stake"], stake["returned"]) for stake in ended] == [
        (payment["seat"], payment["stake"], payment["returned"]) for payment in known
    ]
    assert len(ended) > 3
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_past_live_round_shows_only_typed_cards_and_certain_payments(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room)
    steps(card_room, *TO_THE_END)
    card_room.type_cards(
        an_id(), "Kim", PRIME, {"seat 1 hand": "9d 9h Kc"}, wagers={1: BETS}, answers={1: {"play": "fold"}}
    )
    card_room.end_live_round(an_id(), "Kim", PRIME)
    past = card_room.get_live_round(round_id).to_json()
    assert past["cards"] == {"seat 1 hand": ["9d", "9h", "Kc"]}
    assert past["shown"] == [
        SettledStake(1, "ante-play", "ante", "fold", 10_00, 0)._asdict(),
        SettledStake(1, "prime", "prime", "other", 5_00, 0)._asdict(),
    ]
    assert (past["dealer"], past["counted"], past["positions"]) == ("Kim", "button", [1, 2, 3])
    with pytest.raises(UnknownRound):
        card_room.get_round_json(round_id)


# Typed input.


def test_input_that_is_typed_again_is_recorded_as_a_correction(card_room: CardRoom) -> None:
    live_prime(card_room)
    begin(card_room)
    cards = {"seat 1 hand": "Jd Qd Kd"}
    card_room.type_cards(an_id(), "Kim", PRIME, cards, wagers={1: BETS}, answers={1: {"play": "play"}})
    assert events_of(card_room, f"table:{PRIME}")[-1][1]["corrects"] == []
    corrected = {"seat 1 hand": "Jd Qd Ks", "dealer": "2c 3c 4c"}
    card_room.type_cards(
        an_id(), "Lou", PRIME, corrected, wagers={1: {"ante-play": 20_00}}, answers={1: {"play": "fold"}}
    )
    payload = events_of(card_room, f"table:{PRIME}")[-1][1]
    assert payload["corrects"] == ["seat 1 hand", "seat 1 play", "seat 1 wagers"]
    live = card_room.table(PRIME).live
    assert live is not None
    assert live.cards["seat 1 hand"] == ("Jd", "Qd", "Ks")
    assert live.answers == (TypedDecision(1, "play", "fold"),)
    card_room.type_cards(an_id(), "Lou", PRIME, {"dealer": ""}, wagers={1: {}}, answers={1: {"play": ""}})
    live = card_room.table(PRIME).live
    assert live is not None
    assert (set(live.cards), live.wagers, live.answers) == ({"seat 1 hand"}, {}, ())
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize(
    ("typed", "fault", "sentence"),
    [
        ({}, BadTypedInput, "The input is empty"),
        ({"cards": {"seat 9 hand": "As"}}, BadTypedInput, "Seat 9"),
        (
            {"cards": {"seat 1 war": "As"}},
            BadTypedInput,
            "seat 1 war",
        ),
        ({"cards": {"hand": "As"}}, BadInput, "'hand' is not a place for cards"),
        ({"cards": {"seat 1 dealer": "As"}}, BadInput, "'seat 1 dealer' is not a place for cards"),
        ({"cards": {"burn": "As"}}, BadTypedInput, "Burned cards"),
        ({"cards": {"dealer": "As Zz"}}, BadInput, "Zz"),
        (
            {"cards": {"dealer": "As Ks Qs", "seat 1 hand": "As"}},
            TooManyCopies,
            "As is there twice",
        ),
        ({"wagers": {1: {"ante-play": 3}}}, BadBet, "Seat 1"),
        ({"wagers": {1: {"pair-bonus": 5_00}}}, BadBet, "Seat 1"),
        ({"wagers": {5: {"ante-play": 10_00}}}, BadTypedInput, "Seat 5"),
        (
            {"answers": {1: {"raise": "fold"}}},
            BadTypedInput,
            "no decision 'raise'",
        ),
        ({"answers": {1: {"play": "dance"}}}, BadInput, "'dance' is not a decision"),
    ],
)
def test_impossible_input_is_refused_and_changes_nothing(
    in_a_file: CardRoom, typed: dict, fault: type[Exception], sentence: str
) -> None:  # type: ignore[type-arg]
    live_prime(in_a_file)
    begin(in_a_file)
    before = whole(in_a_file)
    with pytest.raises(fault, match=sentence):
        in_a_file.type_cards(an_id(), "Kim", PRIME, **typed)
    assert whole(in_a_file) == before


# Void rounds.


def test_two_people_void_a_round_and_its_counts_are_taken_off_the_meters(card_room: CardRoom) -> None:
    live_prime(card_room)
    whole_round(card_room)
    before = shown(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1, 2)
    assert shown(card_room) == before + 40
    for second in (None, "kim", " "):
        with pytest.raises((SamePerson, NameMissing)):
            card_room.void_live_round(an_id(), "Kim", PRIME, "the shuffler jammed", second=second)
    with pytest.raises(NameMissing, match="reason"):
        card_room.void_live_round(an_id(), "Kim", PRIME, " ", second="Lee")
    result = card_room.void_live_round("off", "Kim", PRIME, "the shuffler jammed", second="Lee")
    assert card_room.void_live_round("off", "Kim", PRIME, "the shuffler jammed", second="Lee") == result
    assert (result.state, result.round, shown(card_room)) == (TablePhase.BETTING, "prime-1.3", before)
    assert card_room.history.list_tabulator_rounds(PRIME, 1)[0].kind == "round-voided"
    past = card_room.get_live_round(round_id).to_json()
    assert past["void"] == {"who": "Kim", "second": "Lee", "why": "the shuffler jammed"}
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_without_a_count_can_be_voided(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    begin(card_room)
    card_room.void_live_round(an_id(), "Kim", PRIME, "a card was exposed", second="Lee")
    assert card_room.history.list_tabulator_rounds(PRIME) == ()
    with pytest.raises(WrongPhase, match="prime-1"):
        card_room.void_live_round(an_id(), "Kim", PRIME, "again", second="Lee")


# The table.


def test_a_live_table_is_for_real_money_and_its_tabulator_has_the_same_layout(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    with pytest.raises(BadPlayTerms):
        card_room.add_table(an_id(), "Olga", RoomTableSetup(PRIME, prime_table(), PlayTerms(mode=DealingMode.LIVE)))
    unit = UnitSetup(prime_sensors("prime-2"), "unit-2")
    with pytest.raises(BadInstallation):
        card_room.add_table(new_id(), "Olga", RoomTableSetup("prime-2", without_meters("three-card-prime"), LIVE, unit))


def test_no_player_sits_at_a_live_table_and_no_dealer_deals_at_an_automatic_table(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    guest = card_room.players.admit_guest(an_id()).player
    with pytest.raises(WrongPhase):
        card_room.take_seat(an_id(), guest, PRIME)
    card_room.add_table(an_id(), "Olga", RoomTableSetup("auto-1", without_meters("three-card-prime"), UNTIMED))
    with pytest.raises(WrongPhase, match="auto-1"):
        begin(card_room, "auto-1")
    with pytest.raises(WrongPhase, match="auto-1"):
        card_room.view_live_table("auto-1")
    with pytest.raises(WrongPhase, match="auto-1"):
        card_room.take_step(an_id(), "Kim", "auto-1", "wagers")


def test_one_round_at_a_time_is_dealt_and_none_at_a_paused_or_closed_table(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    begin(card_room)
    with pytest.raises(WrongPhase):
        begin(card_room, dealer="Lou")
    card_room.pause_table(an_id(), "Olga", PRIME, "a spilled drink")
    with pytest.raises(WrongPhase, match=r"prime-1\.1"):
        card_room.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    steps(card_room, "wagers")
    tabulate(card_room)
    steps(card_room, *TO_THE_END)
    card_room.end_live_round(an_id(), "Kim", PRIME)
    with pytest.raises(WrongPhase):
        begin(card_room)
    card_room.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    with pytest.raises(WrongPhase):
        begin(card_room)
    open_live(card_room)
    assert begin(card_room) == "prime-1.3"
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize("positions", [(), (0,), (1, 7)])
def test_a_round_needs_positions_that_the_table_has(in_a_file: CardRoom, positions: tuple[int, ...]) -> None:
    live_prime(in_a_file)
    with pytest.raises(BadPositions):
        begin(in_a_file, positions=positions)


def test_a_repeated_command_returns_its_first_result(card_room: CardRoom) -> None:
    live_prime(card_room)
    first = card_room.begin_live_round("begin", "Kim", PRIME, [2, 1])
    assert card_room.begin_live_round("begin", "Kim", PRIME, [1, 2]) == first
    steps(card_room, "wagers")
    counted = card_room.take_step("press", "Kim", PRIME, "tabulate", covered={1: [1]})
    events = len(list_kinds(card_room))
    assert card_room.take_step("press", "Kim", PRIME, "tabulate", covered={1: [1]}) == counted
    assert (len(list_kinds(card_room)), shown(card_room)) == (events, 5_000_20)
    with pytest.raises(CommandIdReused):
        card_room.take_step("press", "Kim", PRIME, "tabulate", covered={1: [2]})


def test_a_dealer_needs_a_name(in_a_file: CardRoom) -> None:
    live_prime(in_a_file)
    with pytest.raises(NameMissing):
        begin(in_a_file, dealer=" ")


def test_the_public_view_of_a_live_table_has_no_cards(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    before = card_room.view_table_json(PRIME)
    assert (before["state"], before["coming"]) == ("betting", {"round": "prime-1.1", "seal": ""})
    begin(card_room)
    card_room.type_cards(an_id(), "Kim", PRIME, {"seat 1 hand": "Jd Qd Kd"})
    view = card_room.view_table_json(PRIME)
    assert (view["state"], view["round"], view["coming"]) == ("playing", None, None)
    assert "Jd" not in str(view)


def test_decisions_that_name_cards_are_offered_when_the_hand_is_typed(card_room: CardRoom) -> None:
    open_live(card_room, "shootout-1", default_setup("texas-shootout"))
    begin(card_room, "shootout-1", (2,))
    card_room.type_cards(an_id(), "Kim", "shootout-1", wagers={2: {"shootout": 10_00}})
    (question,) = card_room.take_or_pay("shootout-1").questions
    assert (question.seat, question.question, question.options, question.has_more_options) == (2, "hand", (), True)
    card_room.type_cards(an_id(), "Kim", "shootout-1", {"seat 2 hand": "As Ks Qd Qc"})
    (question,) = card_room.take_or_pay("shootout-1").questions
    assert {"keep As Ks", "split As Ks | Qd Qc", "split Qd Qc | As Ks"} <= set(map(str, question.options))
    assert not question.has_more_options


@pytest.mark.parametrize(("dealer", "paid"), [("As Ah 9d Ac", 0), ("Ac Ah 9d As", 20_00)])
def test_the_dealers_cards_are_typed_in_the_order_of_the_deal(card_room: CardRoom, dealer: str, paid: int) -> None:
    """The dealer keeps the first two of three aces, and only the ace of spades makes a flush (TS-1)."""
    open_live(card_room, "shootout-1", default_setup("texas-shootout"))
    begin(card_room, "shootout-1", (2,))
    typed = {"seat 2 hand": "Kc Kd 7h 4c", "dealer": dealer, "community": "Ks 8s 6s 2s 3d"}
    answers = {2: {"hand": "keep Kd Kc"}}
    card_room.type_cards(an_id(), "Kim", "shootout-1", typed, wagers={2: {"shootout": 10_00}}, answers=answers)
    (payment,) = find_seat(card_room, 2, "shootout-1").payments
    assert payment.payment.known_return == paid


def test_a_later_question_is_asked_when_the_earlier_decision_is_typed(card_room: CardRoom) -> None:
    open_live(card_room, "wild-2", default_setup("deuces-wild"))
    begin(card_room, "wild-2", (1,))
    hand = {"seat 1 hand": "As Ks Qd"}
    card_room.type_cards(an_id(), "Kim", "wild-2", hand, wagers={1: {"ante-play-raise": 10_00}})
    assert [question.question for question in card_room.take_or_pay("wild-2").questions] == ["play"]
    card_room.type_cards(an_id(), "Kim", "wild-2", answers={1: {"play": "play"}})
    assert [question.question for question in card_room.take_or_pay("wild-2").questions] == ["play", "raise"]
