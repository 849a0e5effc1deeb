"""A promotion as an aggregate: its events, state, and decisions.

A promotion is started, pays prizes of the house for hands that the rules of the game judge, and ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import Payment, Round, round_from_json
from cardroom.games.card_places import Pile
from cardroom.games.money import format_cents
from cardroom.room.codec import JsonObject, wager_order
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent, RecordedWin, event_type
from cardroom.room.promotion.setup import (
    NoPromotion,
    Promotion,
    PromotionTotals,
    compute_promotion_prize,
    promotion_from_mapping,
    promotion_to_mapping,
    validate_promotion,
)


@event_type("promotion-started")
class PromotionStarted(DomainEvent):
    promotion: JsonObject
    """As ``promotion_to_mapping`` returns it."""
    who: str


@event_type("promotion-prize-paid")
class PromotionPrizePaid(RecordedWin):
    promotion: str
    event: str
    cents: int
    seat: int
    words: str
    when: date
    hand: str = ""
    """The digest of the hand's cards, which identifies it in any round (BJ-41)."""
    dealer_pays: int | None = None
    """The dealer's payout limit in cents; two people paid more. None at an automatic table."""
    second: str = ""
    again: str = ""
    """The reason to pay identical cards a second time (BJ-42)."""
    known: bool = False
    """Whether this hand is such a repetition; others of the round may not be."""
    automatic: bool = False
    """Whether an automatic table paid it with the round that it dealt (BJ-52)."""


@event_type("promotion-ended")
class PromotionEnded(DomainEvent):
    promotion: str
    who: str
    why: str


class BadPromotionClaim(BadInput):
    """A round for which the promotion pays nothing."""


class PromotionState(NamedTuple):
    """A promotion and its totals."""

    promotion: Promotion
    paid: PromotionTotals = PromotionTotals()
    ended: bool = False


class PromotionRecord(NamedTuple):
    """A promotion after its latest event, with the hands that it paid, so that none is paid twice."""

    state: PromotionState
    hands: tuple[str, ...] = ()
    """The paid hands: table, round, and seat."""

    @property
    def money(self) -> Currency:
        """The currency that it pays."""
        return self.state.promotion.money


class Payer(NamedTuple):
    """The people who pay a promotion's prizes, and their limits."""

    dealer: str
    second: str | None = None
    dealer_pays: int | None = None
    """The dealer's payout limit in cents; None at an automatic table."""
    again: str = ""
    """The reason to pay identical cards a second time (BJ-42)."""
    known: Collection[str] = ()
    """The digests of hands that were paid before, from ``hand_digests``."""
    automatic: bool = False
    """Whether an automatic table pays a round that it dealt: it needs no second person, and its hands need no digests,
    because the ledger has the round (BJ-52)."""


def start_promotion(promotion: Promotion, *, who: str) -> tuple[PromotionStarted, ...]:
    """Start a promotion."""
    return (PromotionStarted(promotion_to_mapping(validate_promotion(promotion)), require_text(who, "name")),)


def end_promotion(running: PromotionRecord, *, who: str, why: str) -> tuple[PromotionEnded, ...]:
    """End a promotion early."""
    id = running.state.promotion.id
    if running.state.ended:
        raise NoPromotion(f"Promotion {id} has already ended.")
    return (PromotionEnded(id, require_text(who, "name"), require_text(why, "reason")),)


def pay_hands(
    running: PromotionRecord, table: str, round_id: str, record: Mapping[str, Any], when: date, payer: Payer
) -> Iterator[PromotionPrizePaid]:
    """Pay every hand of a finished round that has the promotion's trigger by the rules of the game, within its dates
    and limits."""
    game_round = round_from_json(record)
    needs_second = payer.dealer_pays is not None
    if payer.again:
        require_two_people(payer.dealer, payer.second, "a hand with the same cards as one paid before")
    winning = _find_winning_payments(running.state.promotion, game_round)
    hands = hand_digests(game_round, (winner.seat for winner in winning))
    for payment in winning:
        promotion, paid, is_ended = running.state
        if hand_key(table, round_id, payment.seat) in running.hands:
            raise BadPromotionClaim(f"{promotion.name} is already paid for round {round_id} of {table}.")
        if is_ended:
            continue
        prize_arguments = promotion, payment.event, when, paid
        prize = compute_promotion_prize(*prize_arguments, wagered=payment.wagered, to_the_cent=not payer.automatic)
        if not prize:
            continue
        if payer.dealer_pays is not None and prize > payer.dealer_pays:
            require_two_people(payer.dealer, payer.second, f"a prize above {format_cents(payer.dealer_pays)}")
        event = PromotionPrizePaid(
            promotion=promotion.id,
            table=table,
            round=round_id,
            seat=payment.seat,
            event=payment.event,
            words=payment.text,
            when=when,
            dealer=require_text(payer.dealer, "dealer's name"),
            cents=prize,
            record=dict(record),
            layout=wager_order(record["table"]),
            hand=hands[payment.seat] if needs_second else "",
            dealer_pays=payer.dealer_pays,
            second=_require_second(payer),
            again=payer.again.strip(),
            known=needs_second and hands[payment.seat] in payer.known,
            automatic=payer.automatic,
        )
        running = apply_promotion_event(running, event)
        yield event


def _require_second(payer: Payer) -> str:
    """The second person, who must differ from the dealer, if one is named."""
    return require_two_people(payer.dealer, payer.second, "this prize")[1] if payer.second else ""


def _find_winning_payments(promotion: Promotion, game_round: Round) -> list[Payment]:
    """The payments of a finished round with the promotion's trigger."""
    if not game_round.is_terminal:
        raise BadPromotionClaim(f"The round is not over: {game_round.turn_text}.")
    offered = game_round.table.offers.get(promotion.wager)
    if game_round.table.facts.slug != promotion.game or offered is None or offered.paytable.name != promotion.paytable:
        raise BadPromotionClaim(
            f"{promotion.name} is only for {promotion.wager} of {promotion.game} with paytable {promotion.paytable}."
        )
    hands = [
        payment
        for payment in game_round.game.settle(game_round).payments
        if payment.spot == promotion.wager and payment.event == promotion.event
    ]
    if not hands:
        raise BadPromotionClaim(f"No hand has {promotion.event} on {promotion.wager}: {promotion.name} pays nothing.")
    return hands


def hand_key(table: str, round_id: str, seat: int) -> str:
    """The key of a paid hand in the state."""
    return f"{table} {round_id} {seat}"


def has_winning_hand(promotion: Promotion, game_round: Round) -> bool:
    """Whether a finished round has a hand with the promotion's trigger."""
    try:
        return bool(_find_winning_payments(promotion, game_round))
    except BadPromotionClaim:
        return False


def hand_digests(game_round: Round, seats: Iterable[int]) -> dict[int, str]:
    """By seat, a digest of the cards of its hand: its own and the shared ones, by place and in any order; nothing else
    in the record changes it (BJ-41). With several decks, two seats of a round may have identical cards: the digest
    counts them, so that each is paid."""
    cards_by_seat = {seat: _cards_of(game_round, seat) for seat in seats}
    occurrences: Counter[bytes] = Counter()
    hands = {}
    for seat, cards in cards_by_seat.items():
        occurrences[cards] += 1
        content = {"game": game_round.table.facts.slug, "cards": orjson.Fragment(cards), "time": occurrences[cards]}
        hands[seat] = sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return hands


def _cards_of(game_round: Round, seat: int) -> bytes:
    """A seat's own cards and the shared cards, without burned cards and other seats' cards."""
    cards = {
        f"{'table' if place.seat is None else 'own'} {place.pile}": sorted(map(str, pile))
        for place, pile in game_round.piles.items()
        if place.seat in (None, seat) and place.pile is not Pile.BURN and pile
    }
    return orjson.dumps(cards, option=orjson.OPT_SORT_KEYS)


def hand_unique_key(hand: str) -> str:
    """The unique key of a paid hand on a promotion's chain."""
    return f"hand {hand}"


def promotion_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """A hand that was paid is known for good. The same cards once more leave the name where it
    is; those of automatic tables have none."""
    if isinstance(event, PromotionPrizePaid) and event.hand and not event.known:
        return (hand_unique_key(event.hand),)
    return ()


def apply_promotion_event(running: PromotionRecord | None, event: DomainEvent) -> PromotionRecord:
    """The promotion after an event; the first event starts it."""
    match event:
        case PromotionStarted(promotion=entry):
            return PromotionRecord(PromotionState(promotion_from_mapping(entry)), running.hands if running else ())
        case PromotionPrizePaid(promotion=id) if running is not None and id == running.state.promotion.id:
            promotion, paid, is_ended = running.state
            hand = hand_key(event.table, event.round, event.seat)
            state = PromotionState(promotion, PromotionTotals(paid.prizes + 1, paid.cents + event.cents), is_ended)
            return PromotionRecord(state, (*running.hands, hand))
        case PromotionEnded(promotion=id) if running is not None and id == running.state.promotion.id:
            return running._replace(state=running.state._replace(ended=True))
    raise NoPromotion(f"{quote(event.kind)} belongs to no promotion that has started.")
