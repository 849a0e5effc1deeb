"""What is won at an automatic table: claimed by the table, verified by two people, paid to the balances of players."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import orjson
import pytest

from cardroom.chart_of_accounts import CENT, HOUSE, Account, AccountKind, Currency
from cardroom.games import round_to_json
from cardroom.ledger import Command, CommandOutcome, NewEvent, UniqueKey
from cardroom.room.claim.new_claim import ClaimSubmission, claim_record
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.resolution import pay_claim
from cardroom.room.dual_control import SamePerson
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import ChipsOutcome
from cardroom.room.jackpot.events import ClaimPaid
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction
from cardroom.room.payment_references import Payee, PaymentMethod
from cardroom.room.player.account import PrizeCredited
from cardroom.room.promotion.setup import read_promotion
from cardroom.room.promotion.state import BadPromotionClaim
from cardroom.room.setup.site import SiteSettings
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.chains.aggregates import JACKPOTS, PLAYER_ACCOUNTS
from cardroom.service.commands.automatic_prize_claims import (
    AutomaticPromotionPrize,
    ImmediatePrize,
    LockedPrize,
    automatic_dealer_name,
)
from cardroom.service.queries.chain_history import find_counted_round
from tests.service.automatic import (
    DIAMOND,
    NO_USER_WINS,
    THREE_SEVENS,
    count,
    end,
    open_play_room,
    prime_round,
    whole_but_for_the_table,
)
from tests.service.card_rooms import DIAMOND_ROYAL, is_covered, new_id, open_room, play, whole

CLUBS = {2: ("Jc Qc Kc", "Ac")}
STRAIGHT_FLUSH = {1: ("2s 3s 4s", "5s")}
"""$1,000 on the Final Four: more than a dealer pays alone."""


def win(card_room: CardRoom, round_id: str = "play-1.1") -> None:
    """Ada wins all of the Final Four, and Bea a tenth of it."""
    count(card_room, round_id, {1: (1, 2)})
    end(card_room, round_id, prime_round(DIAMOND | CLUBS))


def claim_of(card_room: CardRoom, round_id: str = "play-1.1") -> Any:
    return card_room.jackpot("play-four").claim(round_id)


def test_a_share_of_the_meter_is_locked_and_the_table_plays_on(card_room: CardRoom) -> None:
    open_play_room(card_room)
    count(card_room, "play-1.1", {1: (1, 2)})
    claimed, promoted = end(card_room, "play-1.1", prime_round(DIAMOND | CLUBS))
    assert (claimed.paid, promoted) == ((), ())
    assert claimed.pending == (
        LockedPrize(1, "final-four", "play-four", "play-1.1", 5_000_40),
        LockedPrize(2, "final-four", "play-four", "play-1.1", 500_04),
    )
    assert claimed.meters == {"final-four": 5_000_40}
    locked = claim_of(card_room)
    assert locked.automatic
    assert (locked.dealer, locked.dealt) == (automatic_dealer_name("play-1"),) * 2
    assert dict(locked.sat) == {1: "ada", 2: "bea"}
    count(card_room, "play-1.2", {1: (1,)})
    assert card_room.jackpot("play-four").meters[0].displayed_cents == 5_000_20
    assert is_covered(card_room, "play-four")
    assert whole_but_for_the_table(card_room)


def test_a_small_fixed_prize_is_paid_with_the_round(card_room: CardRoom) -> None:
    open_play_room(card_room)
    count(card_room, "play-1.1", {1: (1, 2)})
    claimed, _ = end(card_room, "play-1.1", prime_round({1: ("7c 7d 7h", "As")} | CLUBS))
    assert claimed.paid == (ImmediatePrize(1, "final-four", "play-four", 25_00),)
    assert [(one.seat, one.cents) for one in claimed.pending] == [(2, 500_04)]
    tray = Account(AccountKind.CHIP_TRAY, "play-1", Currency.PLAY)
    assert card_room.ledger.balances()[tray] == (2_00 - 25_00) * CENT
    assert whole_but_for_the_table(card_room)


def test_a_round_without_a_winner_is_left_alone(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file, both=True)
    count(in_a_file, "play-1.1", {1: (1,), 2: (1,)})
    before = whole(in_a_file)
    claimed, promoted = end(in_a_file, "play-1.1", prime_round(NO_USER_WINS, wagers=("final-four", "all-seven")))
    assert (claimed.paid, claimed.pending, promoted) == ((), (), ())
    assert whole(in_a_file) == before


@pytest.mark.parametrize(("limit", "at_once"), [(1_010_00, 2), (1_009_99, 1), (999_99, 1), (9_99, 0)])
def test_the_dealer_s_limit_is_for_all_jackpots_of_the_round(in_a_file: CardRoom, limit: int, at_once: int) -> None:
    """$1,000 on the Final Four, and $10 on All Seven."""
    settings = SiteSettings(dealer_pays=limit)
    in_a_file.configure_room(new_id(), "Olga", settings, second="Carl", why="A quiet evening.")
    open_play_room(in_a_file, both=True)
    count(in_a_file, "play-1.1", {1: (1,), 2: (1,)})
    played = prime_round(STRAIGHT_FLUSH, dealer="2c 2d 5h", wagers=("final-four", "all-seven"))
    claimed, _ = end(in_a_file, "play-1.1", played)
    assert (len(claimed.paid), len(claimed.pending)) == (at_once, 2 - at_once)
    assert {one.jackpot for one in claimed.paid + claimed.pending} == {"play-four", "all-seven"}
    assert whole_but_for_the_table(in_a_file)


def test_two_people_verify_what_an_automatic_table_has_claimed(card_room: CardRoom) -> None:
    open_play_room(card_room)
    win(card_room)
    for second, sentence in ((None, "name a second person besides Rosa"), (" rosa", "cannot be the second person")):
        with pytest.raises(SamePerson, match=sentence):
            card_room.pay_claim(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second=second)
    for one, other in (("automatic table play-1", "Rosa"), ("Rosa", "Automatic Table Play-1")):
        with pytest.raises(SamePerson, match=r"play-1\.1"):
            card_room.pay_claim(new_id(), one, "play-four", "play-1.1", paid={}, second=other)
    answer = card_room.pay_claim("pay-1", "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    result = [(one.seat, one.player, one.payment, one.reference, one.cents) for one in answer.payouts]
    assert result == [
        (1, "ada", PaymentMethod.BALANCE, "play-1.1 seat 1", 5_000_40),
        (2, "bea", PaymentMethod.BALANCE, "play-1.1 seat 2", 500_04),
    ]
    assert card_room.pay_claim("pay-1", "Rosa", "play-four", "play-1.1", paid={}, second="Lee") == answer
    assert {name: card_room.player_account(name).balance for name in ("ada", "bea", "cid")} == {
        "ada": 5_000_40,
        "bea": 500_04,
        "cid": 0,
    }
    issued = Account(AccountKind.ISSUED, HOUSE, Currency.PLAY)
    assert card_room.ledger.balances()[issued] == 5_500_44 * CENT
    (paid,) = [one for one in card_room.list_jackpot_events("play-four") if one.kind == "claim-paid"]
    assert (paid.payload["verified_by"], paid.payload["second"]) == ("Rosa", "Lee")
    assert is_covered(card_room, "play-four")
    assert whole_but_for_the_table(card_room)


def test_it_goes_to_the_balances_of_those_who_sat_there_and_to_no_user_else(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    win(in_a_file)
    before = whole(in_a_file)
    for wrong, sentence in (
        ({1: Payee("eve", PaymentMethod.BALANCE, "")}, "to the balance of ada"),
        ({1: Payee("ada", PaymentMethod.CHECK, "1077")}, "to the balance of ada"),
        ({3: Payee("cid", PaymentMethod.BALANCE, "")}, "No player with a balance sat at seat 3"),
    ):
        with pytest.raises(BadClaim, match=sentence):
            in_a_file.pay_claim(new_id(), "Rosa", "play-four", "play-1.1", paid=wrong, second="Lee")
    assert whole(in_a_file) == before
    named = {1: Payee("ada", PaymentMethod.BALANCE, "")}
    answer = in_a_file.pay_claim(new_id(), "Rosa", "play-four", "play-1.1", paid=named, second="Lee")
    assert [one.player for one in answer.payouts] == ["ada", "bea"]


def test_a_seat_of_company_has_no_balance_to_pay_to(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1, 2)})
    end(in_a_file, "play-1.1", prime_round(DIAMOND | CLUBS), sat={2: "bea"})
    with pytest.raises(BadClaim):
        in_a_file.pay_claim(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    cash = {1: Payee("declined", PaymentMethod.CASH, "9")}
    answer = in_a_file.pay_claim(new_id(), "Rosa", "play-four", "play-1.1", paid=cash, second="Lee")
    assert [(one.player, one.payment) for one in answer.payouts] == [("declined", "cash"), ("bea", "balance")]
    assert whole_but_for_the_table(in_a_file)


def test_no_user_is_paid_to_a_balance_where_a_dealer_deals(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    in_a_file.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    result = {1: Payee("ada", PaymentMethod.BALANCE, "")}
    with pytest.raises(BadClaim):
        in_a_file.pay_claim(new_id(), "Rosa", "final-four", "win", paid=result)


def test_two_people_refuse_what_an_automatic_table_has_claimed(card_room: CardRoom) -> None:
    open_play_room(card_room)
    win(card_room)
    shown = card_room.jackpot("play-four").meters[0].displayed_cents
    with pytest.raises(SamePerson):
        card_room.refuse_claim(new_id(), "Rosa", "play-four", "play-1.1", "A fault of the program.")
    card_room.refuse_claim(new_id(), "Rosa", "play-four", "play-1.1", "Bea was not there.", second="Lee", seats=[2])
    assert claim_of(card_room).seats == (1,)
    answer = card_room.pay_claim(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    assert [one.player for one in answer.payouts] == ["ada"]
    win(card_room, "play-1.2")
    card_room.refuse_claim(new_id(), "Rosa", "play-four", "play-1.2", "A fault of the program.", second="Lee")
    assert card_room.jackpot("play-four").meters[0].displayed_cents > shown
    assert whole_but_for_the_table(card_room)


def test_no_user_but_the_table_claims_what_it_has_dealt(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    with pytest.raises(BadClaim, match="play-1"):
        in_a_file.claim_hand(new_id(), "Kim", "play-four", "play-1", "play-1.1", DIAMOND_ROYAL)


def test_what_it_paid_at_once_stands(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    end(in_a_file, "play-1.1", prime_round(THREE_SEVENS))
    with pytest.raises(BadClaim):
        in_a_file.reverse_prizes(
            new_id(), "Rosa", "play-four", "play-1.1", "Misread.", second="Lee", chips=ChipsOutcome.RETURNED
        )


@pytest.mark.parametrize("hands", [THREE_SEVENS, DIAMOND], ids=["fixed", "meter"])
def test_a_jackpot_that_is_disabled_in_the_middle_of_a_round_is_still_won_and_waits(
    in_a_file: CardRoom, hands: dict[int, tuple[str, str]]
) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    in_a_file.disable_jackpot(new_id(), "Olga", "play-four", "The display flickers.")
    claimed, _ = end(in_a_file, "play-1.1", prime_round(hands))
    assert claimed.paid == ()
    assert len(claimed.pending) == 1
    answer = in_a_file.pay_claim(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    assert answer.cents == claimed.pending[0].cents
    assert whole_but_for_the_table(in_a_file)


def test_a_table_that_leaves_its_jackpot_in_the_middle_of_a_round_still_claims(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    in_a_file.unlink_jackpot(new_id(), "Olga", "play-1", "play-four", "The meter goes elsewhere.")
    claimed, _ = end(in_a_file, "play-1.1", prime_round(DIAMOND))
    assert len(claimed.pending) == 1
    assert whole_but_for_the_table(in_a_file)


def forge(card_room: CardRoom, chain: str, domain_event: DomainEvent) -> None:
    """Store something as the card room would, without asking whether it is allowed."""
    subject: Any = PLAYER_ACCOUNTS if chain.startswith("player:") else JACKPOTS

    def decide(heads: Any) -> CommandOutcome:
        before = subject.decode(heads[chain].snapshot)
        after = subject.apply(before, domain_event)
        payload = orjson.loads(orjson.dumps(domain_event.payload, option=orjson.OPT_SORT_KEYS))
        posted = subject.postings(before, after, domain_event)
        event = NewEvent(
            chain, domain_event.kind, domain_event.version, payload, posted, subject.unique_keys(domain_event)
        )
        return CommandOutcome((event,), {chain: subject.encode(after)}, None)

    names = tuple(UniqueKey(chain, name) for name in subject.unique_keys(domain_event))
    card_room.ledger.execute(Command(new_id(), (chain,), {"do": "forge"}, decide, names))


def test_a_prize_that_only_the_player_or_only_the_jackpot_knows_is_found(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    win(in_a_file)
    forge(in_a_file, "player:cid", PrizeCredited("cid", "play-four", "play-1.1", 3, 100))
    found = verify_card_room(in_a_file.ledger).discrepancy
    assert str(found) == "Jackpot play-four and player cid disagree about the prizes that were paid."


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        ("", "name a second person besides Rosa"),
        ("rosa", "the second person besides"),
        ("Lee", "Jackpot play-four and player ada disagree"),
    ],
)
def test_a_payment_that_one_person_verified_is_found(in_a_file: CardRoom, second: str, sentence: str) -> None:
    open_play_room(in_a_file)
    win(in_a_file)
    state = in_a_file.jackpot("play-four")
    (paid,) = pay_claim(state, "play-1.1", verified_by="Rosa", paid={}, second="Lee")
    assert isinstance(paid, ClaimPaid)
    forge(in_a_file, "jackpot:play-four", replace(paid, second=second))
    found = verify_card_room(in_a_file.ledger).discrepancy
    assert found is not None
    assert re.search(sentence, str(found))


def test_a_payment_to_the_balance_of_another_player_cannot_follow(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    win(in_a_file)
    state = in_a_file.jackpot("play-four")
    (paid,) = pay_claim(state, "play-1.1", verified_by="Rosa", paid={}, second="Lee")
    assert isinstance(paid, ClaimPaid)
    first, second = paid.payouts
    for payouts in ((first._replace(player="cid"), second), (first._replace(payment=PaymentMethod.CASH), second)):
        with pytest.raises(StateContradiction):
            apply_jackpot_event(state, replace(paid, payouts=payouts))


def test_a_claim_of_an_automatic_table_about_a_round_that_a_dealer_dealt_is_found(in_a_file: CardRoom) -> None:
    """A claim that goes round the second person, or that would let a balance be paid."""
    open_play_room(in_a_file)
    play(in_a_file, "play-1", round_id="r1", seats=1)
    recorded = find_counted_round(in_a_file.ledger, "play-1", "r1")
    assert recorded is not None
    state, record = in_a_file.jackpot("play-four"), round_to_json(prime_round(DIAMOND))
    asked = ClaimSubmission(
        "r1", "play-1", "r1", "Kim", recorded.sequence, 500_00, PriorClaims(), "Kim", {}, True, {1: "cid"}
    )
    for domain_event in claim_record(state, record, asked):
        forge(in_a_file, "jackpot:play-four", domain_event)
    found = verify_card_room(in_a_file.ledger).discrepancy
    assert found is not None
    assert "which play-1 counted otherwise" in str(found)


# Promotions.

STRAIGHTS = read_promotion("""
    id = "play-straights"
    name = "Straights for play"
    game = "three-card-prime"
    wager = "final-four"
    paytable = "F4P-1"
    event = "four-card-straight"
    prize = "$600"
    first = "2020-01-01"
    last = "2099-12-31"
    most_prizes = 2
    most_dollars = "$2,500"
    rules = "Every four-card straight on the Final Four wins more play money."
    money = "play"
""")
STRAIGHT = {1: ("5c 6d 7h", "8c")}


def test_a_promotion_is_paid_with_the_round_and_the_same_cards_are_another_hand(card_room: CardRoom) -> None:
    open_play_room(card_room)
    card_room.announce_promotion(new_id(), "Olga", STRAIGHTS)
    paid = []
    for number in range(1, 4):
        count(card_room, f"play-1.{number}", {1: (1,)})
        paid.append(end(card_room, f"play-1.{number}", prime_round(STRAIGHT))[1])
    assert paid == [(AutomaticPromotionPrize(1, "play-straights", 600_00),)] * 2 + [()]
    prizes = Account(AccountKind.PRIZES, "play-1", Currency.PLAY)
    assert card_room.ledger.balances()[prizes] >= 1_200_00 * CENT
    assert all(account.currency is Currency.PLAY for account in card_room.ledger.balances())
    assert whole_but_for_the_table(card_room)


def test_a_round_without_a_tabulator_s_count_is_paid_by_a_promotion_too(in_a_file: CardRoom) -> None:
    in_a_file.announce_promotion(new_id(), "Olga", STRAIGHTS)
    assert end(in_a_file, "cellar.1", prime_round(STRAIGHT), table="cellar")[1] == (
        AutomaticPromotionPrize(1, "play-straights", 600_00),
    )
    assert whole_but_for_the_table(in_a_file)


def test_a_round_is_paid_once_by_a_promotion(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    in_a_file.announce_promotion(new_id(), "Olga", STRAIGHTS)
    count(in_a_file, "play-1.1", {1: (1,)})
    end(in_a_file, "play-1.1", prime_round(STRAIGHT))
    with pytest.raises(BadPromotionClaim, match=r"play-1\.1"):
        end(in_a_file, "play-1.1", prime_round(STRAIGHT))


def test_only_promotions_of_the_game_the_money_and_the_day_are_paid(in_a_file: CardRoom) -> None:
    others = (
        STRAIGHTS._replace(id="room", name="Room", money=Currency.REAL),
        STRAIGHTS._replace(id="later", name="Later", first=STRAIGHTS.last),
        STRAIGHTS._replace(id="ended", name="Ended"),
    )
    for one in (STRAIGHTS, *others):
        in_a_file.announce_promotion(new_id(), "Olga", one)
    in_a_file.end_promotion(new_id(), "Olga", "ended", "Enough.")
    running = in_a_file.list_running_promotions("three-card-prime", Currency.PLAY)
    assert [one.state.promotion.id for one in running] == ["play-straights"]
    assert in_a_file.list_running_promotions("deuces-wild", Currency.PLAY) == ()
    assert [one.state.promotion.id for one in in_a_file.list_running_promotions("three-card-prime", Currency.REAL)] == [
        "room"
    ]


def test_a_promotion_of_the_room_s_money_is_not_paid_at_a_table_of_play_money(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    in_a_file.announce_promotion(new_id(), "Olga", STRAIGHTS._replace(money=Currency.REAL))
    play(in_a_file, "play-1", round_id="r1")
    record = round_to_json(prime_round(STRAIGHT))
    with pytest.raises(BadPromotionClaim, match="play-1"):
        in_a_file.pay_promotion(new_id(), "Kim", "play-straights", "play-1", "r1", record, second="Lee")
