"""Prizes at an automatic table: the table claims them, two people verify them, and balances receive them."""

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
    """Ada wins the entire Final Four, and Bea wins a tenth of it."""
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
    assert [(prize.seat, prize.cents) for prize in claimed.pending] == [(2, 500_04)]
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


@pytest.mark.parametrize(("limit", "paid_at_once"), [(1_010_00, 2), (1_009_99, 1), (999_99, 1), (9_99, 0)])
def test_the_dealers_limit_applies_to_all_jackpots_of_the_round_together(
    in_a_file: CardRoom, limit: int, paid_at_once: int
) -> None:
    """$1,000 on the Final Four, and $10 on All Seven."""
    settings = SiteSettings(dealer_pays=limit)
    in_a_file.site.configure(new_id(), "Olga", settings, second="Carl", why="A quiet evening.")
    open_play_room(in_a_file, both=True)
    count(in_a_file, "play-1.1", {1: (1,), 2: (1,)})
    played = prime_round(STRAIGHT_FLUSH, dealer="2c 2d 5h", wagers=("final-four", "all-seven"))
    claimed, _ = end(in_a_file, "play-1.1", played)
    assert (len(claimed.paid), len(claimed.pending)) == (paid_at_once, 2 - paid_at_once)
    assert {prize.jackpot for prize in claimed.paid + claimed.pending} == {"play-four", "all-seven"}
    assert whole_but_for_the_table(in_a_file)


def test_two_people_verify_a_claim_of_an_automatic_table(card_room: CardRoom) -> None:
    open_play_room(card_room)
    win(card_room)
    for second, sentence in ((None, "name a second person besides Rosa"), (" rosa", "cannot be the second person")):
        with pytest.raises(SamePerson, match=sentence):
            card_room.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second=second)
    for first, second in (("automatic table play-1", "Rosa"), ("Rosa", "Automatic Table Play-1")):
        with pytest.raises(SamePerson, match=r"play-1\.1"):
            card_room.payments.pay(new_id(), first, "play-four", "play-1.1", paid={}, second=second)
    result = card_room.payments.pay("pay-1", "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    payouts = [
        (payout.seat, payout.player, payout.payment, payout.reference, payout.cents) for payout in result.payouts
    ]
    assert payouts == [
        (1, "ada", PaymentMethod.BALANCE, "play-1.1 seat 1", 5_000_40),
        (2, "bea", PaymentMethod.BALANCE, "play-1.1 seat 2", 500_04),
    ]
    assert card_room.payments.pay("pay-1", "Rosa", "play-four", "play-1.1", paid={}, second="Lee") == result
    assert {name: card_room.player_account(name).balance for name in ("ada", "bea", "cid")} == {
        "ada": 5_000_40,
        "bea": 500_04,
        "cid": 0,
    }
    issued = Account(AccountKind.ISSUED, HOUSE, Currency.PLAY)
    assert card_room.ledger.balances()[issued] == 5_500_44 * CENT
    (paid,) = [event for event in card_room.history.list_jackpot_events("play-four") if event.kind == "claim-paid"]
    assert (paid.payload["verified_by"], paid.payload["second"]) == ("Rosa", "Lee")
    assert is_covered(card_room, "play-four")
    assert whole_but_for_the_table(card_room)


def test_a_prize_goes_only_to_the_balances_of_the_players_at_the_winning_seats(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    win(in_a_file)
    before = whole(in_a_file)
    for wrong, sentence in (
        ({1: Payee("eve", PaymentMethod.BALANCE, "")}, "to the balance of ada"),
        ({1: Payee("ada", PaymentMethod.CHECK, "1077")}, "to the balance of ada"),
        ({3: Payee("cid", PaymentMethod.BALANCE, "")}, "No player with a balance sat at seat 3"),
    ):
        with pytest.raises(BadClaim, match=sentence):
            in_a_file.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid=wrong, second="Lee")
    assert whole(in_a_file) == before
    named = {1: Payee("ada", PaymentMethod.BALANCE, "")}
    result = in_a_file.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid=named, second="Lee")
    assert [payout.player for payout in result.payouts] == ["ada", "bea"]


def test_a_prize_of_a_seat_without_a_player_needs_a_payee(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1, 2)})
    end(in_a_file, "play-1.1", prime_round(DIAMOND | CLUBS), sat={2: "bea"})
    with pytest.raises(BadClaim):
        in_a_file.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    cash = {1: Payee("declined", PaymentMethod.CASH, "9")}
    result = in_a_file.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid=cash, second="Lee")
    assert [(payout.player, payout.payment) for payout in result.payouts] == [("declined", "cash"), ("bea", "balance")]
    assert whole_but_for_the_table(in_a_file)


def test_a_prize_at_a_live_table_is_not_paid_to_a_balance(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    in_a_file.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    payees = {1: Payee("ada", PaymentMethod.BALANCE, "")}
    with pytest.raises(BadClaim):
        in_a_file.payments.pay(new_id(), "Rosa", "final-four", "win", paid=payees)


def test_two_people_refuse_a_claim_of_an_automatic_table(card_room: CardRoom) -> None:
    open_play_room(card_room)
    win(card_room)
    displayed = card_room.jackpot("play-four").meters[0].displayed_cents
    with pytest.raises(SamePerson):
        card_room.claims.refuse(new_id(), "Rosa", "play-four", "play-1.1", "A fault of the program.")
    card_room.claims.refuse(new_id(), "Rosa", "play-four", "play-1.1", "Bea was not there.", second="Lee", seats=[2])
    assert claim_of(card_room).seats == (1,)
    result = card_room.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    assert [payout.player for payout in result.payouts] == ["ada"]
    win(card_room, "play-1.2")
    card_room.claims.refuse(new_id(), "Rosa", "play-four", "play-1.2", "A fault of the program.", second="Lee")
    assert card_room.jackpot("play-four").meters[0].displayed_cents > displayed
    assert whole_but_for_the_table(card_room)


def test_a_dealer_cannot_claim_a_hand_that_an_automatic_table_dealt(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    with pytest.raises(BadClaim, match="play-1"):
        in_a_file.claims.claim_hand(new_id(), "Kim", "play-four", "play-1", "play-1.1", DIAMOND_ROYAL)


def test_a_prize_that_an_automatic_table_paid_at_once_cannot_be_reversed(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    end(in_a_file, "play-1.1", prime_round(THREE_SEVENS))
    with pytest.raises(BadClaim):
        in_a_file.claims.reverse_prizes(
            new_id(), "Rosa", "play-four", "play-1.1", "Misread.", second="Lee", chips=ChipsOutcome.RETURNED
        )


@pytest.mark.parametrize("hands", [THREE_SEVENS, DIAMOND], ids=["fixed", "meter"])
def test_a_prize_of_a_jackpot_that_is_disabled_during_the_round_is_claimed_and_not_paid_at_once(
    in_a_file: CardRoom, hands: dict[int, tuple[str, str]]
) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    in_a_file.jackpots.disable(new_id(), "Olga", "play-four", "The display flickers.")
    claimed, _ = end(in_a_file, "play-1.1", prime_round(hands))
    assert claimed.paid == ()
    assert len(claimed.pending) == 1
    result = in_a_file.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second="Lee")
    assert result.cents == claimed.pending[0].cents
    assert whole_but_for_the_table(in_a_file)


def test_a_table_that_is_unlinked_from_its_jackpot_during_a_round_still_claims(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    count(in_a_file, "play-1.1", {1: (1,)})
    in_a_file.unlink_table(new_id(), "Olga", "play-1", "play-four", "The meter goes elsewhere.")
    claimed, _ = end(in_a_file, "play-1.1", prime_round(DIAMOND))
    assert len(claimed.pending) == 1
    assert whole_but_for_the_table(in_a_file)


def forge(card_room: CardRoom, chain: str, domain_event: DomainEvent) -> None:
    """Store an event as the card room would, without a check whether it is allowed."""
    aggregate: Any = PLAYER_ACCOUNTS if chain.startswith("player:") else JACKPOTS

    def decide(heads: Any) -> CommandOutcome:
        before = aggregate.decode(heads[chain].snapshot)
        after = aggregate.apply(before, domain_event)
        payload = orjson.loads(orjson.dumps(domain_event.payload, option=orjson.OPT_SORT_KEYS))
        postings = aggregate.postings(before, after, domain_event)
        event = NewEvent(
            chain, domain_event.kind, domain_event.version, payload, postings, aggregate.unique_keys(domain_event)
        )
        return CommandOutcome((event,), {chain: aggregate.encode(after)}, None)

    unique_keys = tuple(UniqueKey(chain, name) for name in aggregate.unique_keys(domain_event))
    card_room.ledger.execute(Command(new_id(), (chain,), {"do": "forge"}, decide, unique_keys))


def test_a_prize_that_only_the_player_account_records_is_found(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    win(in_a_file)
    forge(in_a_file, "player:cid", PrizeCredited("cid", "play-four", "play-1.1", 3, 100))
    discrepancy = verify_card_room(in_a_file.ledger).discrepancy
    assert str(discrepancy) == "Jackpot play-four and player cid disagree about the prizes that were paid."


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
    discrepancy = verify_card_room(in_a_file.ledger).discrepancy
    assert discrepancy is not None
    assert re.search(sentence, str(discrepancy))


def test_a_payment_to_the_balance_of_another_player_contradicts_the_claim(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    win(in_a_file)
    state = in_a_file.jackpot("play-four")
    (paid,) = pay_claim(state, "play-1.1", verified_by="Rosa", paid={}, second="Lee")
    assert isinstance(paid, ClaimPaid)
    first, second = paid.payouts
    for payouts in ((first._replace(player="cid"), second), (first._replace(payment=PaymentMethod.CASH), second)):
        with pytest.raises(StateContradiction):
            apply_jackpot_event(state, replace(paid, payouts=payouts))


def test_an_automatic_claim_of_a_round_that_a_dealer_dealt_is_found(in_a_file: CardRoom) -> None:
    """Such a claim could avoid the second person, or let a prize go to a balance."""
    open_play_room(in_a_file)
    play(in_a_file, "play-1", round_id="r1", seats=1)
    recorded = find_counted_round(in_a_file.ledger, "play-1", "r1")
    assert recorded is not None
    state, record = in_a_file.jackpot("play-four"), round_to_json(prime_round(DIAMOND))
    submission = ClaimSubmission(
        "r1", "play-1", "r1", "Kim", recorded.sequence, 500_00, PriorClaims(), "Kim", {}, True, {1: "cid"}
    )
    for domain_event in claim_record(state, record, submission):
        forge(in_a_file, "jackpot:play-four", domain_event)
    discrepancy = verify_card_room(in_a_file.ledger).discrepancy
    assert discrepancy is not None
    assert "which play-1 counted otherwise" in str(discrepancy)


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
    card_room.promotions.announce(new_id(), "Olga", STRAIGHTS)
    paid = []
    for number in range(1, 4):
        count(card_room, f"play-1.{number}", {1: (1,)})
        paid.append(end(card_room, f"play-1.{number}", prime_round(STRAIGHT))[1])
    assert paid == [(AutomaticPromotionPrize(1, "play-straights", 600_00),)] * 2 + [()]
    prizes = Account(AccountKind.PRIZES, "play-1", Currency.PLAY)
    assert card_room.ledger.balances()[prizes] >= 1_200_00 * CENT
    assert all(account.currency is Currency.PLAY for account in card_room.ledger.balances())
    assert whole_but_for_the_table(card_room)


def test_a_promotion_pays_a_round_that_no_tabulator_counted_too(in_a_file: CardRoom) -> None:
    in_a_file.promotions.announce(new_id(), "Olga", STRAIGHTS)
    assert end(in_a_file, "cellar.1", prime_round(STRAIGHT), table="cellar")[1] == (
        AutomaticPromotionPrize(1, "play-straights", 600_00),
    )
    assert whole_but_for_the_table(in_a_file)


def test_a_promotion_pays_a_round_once(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    in_a_file.promotions.announce(new_id(), "Olga", STRAIGHTS)
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
    for promotion in (STRAIGHTS, *others):
        in_a_file.promotions.announce(new_id(), "Olga", promotion)
    in_a_file.promotions.end(new_id(), "Olga", "ended", "Enough.")
    running = in_a_file.promotions.list_running("three-card-prime", Currency.PLAY)
    assert [listed.state.promotion.id for listed in running] == ["play-straights"]
    assert in_a_file.promotions.list_running("deuces-wild", Currency.PLAY) == ()
    running_for_dollars = in_a_file.promotions.list_running("three-card-prime", Currency.REAL)
    assert [listed.state.promotion.id for listed in running_for_dollars] == ["room"]


def test_a_promotion_in_dollars_is_not_paid_at_a_table_for_play_money(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    in_a_file.promotions.announce(new_id(), "Olga", STRAIGHTS._replace(money=Currency.REAL))
    play(in_a_file, "play-1", round_id="r1")
    record = round_to_json(prime_round(STRAIGHT))
    with pytest.raises(BadPromotionClaim, match="play-1"):
        in_a_file.promotions.pay(new_id(), "Kim", "play-straights", "play-1", "r1", record, second="Lee")
