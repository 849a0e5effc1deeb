"""A promotion that runs: announced, paid by the house for hands that the rules of the game judge, ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from cardroom.accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import Payment, Round, round_from_json
from cardroom.games.money import format_cents
from cardroom.games.places import Pile
from cardroom.jackpots.happenings import Happening, PromotionBegun, PromotionEnded, PromotionPrizePaid
from cardroom.jackpots.layout import layout_of
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.promotion.announced import (
    NoPromotion,
    PaidOut,
    Promotion,
    open_promotion,
    promotion_entry,
    promotion_from,
    promotion_prize,
)


class BadPromotionClaim(BadInput):
    """A round for which a promotion pays nothing."""


class PromotionState(NamedTuple):
    """A promotion and what it has paid."""

    promotion: Promotion
    paid: PaidOut = PaidOut()
    ended: bool = False


class RunningPromotion(NamedTuple):
    """A promotion between two happenings, with the hands that it was paid for, so that none is paid twice."""

    state: PromotionState
    hands: tuple[str, ...] = ()
    """The hands that were paid: table, round and seat."""

    @property
    def money(self) -> Currency:
        """What it pays."""
        return self.state.promotion.money


class Payer(NamedTuple):
    """Who hands a promotion's prizes out."""

    dealer: str
    second: str | None = None
    dealer_pays: int | None = None
    """What the dealer may pay alone, in cents; None at an automatic table."""
    again: str = ""
    """Why the very same cards are believed a second time (BJ-42)."""
    known: Collection[str] = ()
    """The hands that were paid before, as ``dealt_hands`` tells them."""
    automatic: bool = False
    """Whether an automatic table pays what it has dealt itself: nobody else has to see it, and its hands have no names,
    because the books know the round (BJ-52)."""


def begin_promotion(promotion: Promotion, *, who: str) -> tuple[PromotionBegun, ...]:
    """Begin a promotion."""
    return (PromotionBegun(promotion_entry(open_promotion(promotion)), named(who, "name")),)


def end_promotion(running: RunningPromotion, *, who: str, why: str) -> tuple[PromotionEnded, ...]:
    """End a promotion before its time."""
    id = running.state.promotion.id
    if running.state.ended:
        raise NoPromotion(f"Promotion {id} has ended already.")
    return (PromotionEnded(id, named(who, "name"), named(why, "reason")),)


def pay_hands(
    running: RunningPromotion, table: str, round_id: str, record: Mapping[str, Any], when: date, payer: Payer
) -> Iterator[PromotionPrizePaid]:
    """Pay every hand of a finished round that meets the promotion's event, as far as its dates and limits go; the rules
    of the game decide."""
    played = round_from_json(record)
    asked = payer.dealer_pays is not None
    if payer.again:
        two_people(payer.dealer, payer.second, "a hand whose very cards were paid before")
    winning = _winning_hands(running.state.promotion, played)
    hands = dealt_hands(played, (one.seat for one in winning))
    for payment in winning:
        promotion, paid, ended = running.state
        if hand_key(table, round_id, payment.seat) in running.hands:
            raise BadPromotionClaim(f"{promotion.name} was paid already for round {round_id} of {table}.")
        if ended:
            continue
        told = promotion, payment.event, when, paid
        prize = promotion_prize(*told, wagered=payment.wagered, to_the_cent=not payer.automatic)
        if not prize:
            continue
        if payer.dealer_pays is not None and prize > payer.dealer_pays:
            two_people(payer.dealer, payer.second, f"a prize above {format_cents(payer.dealer_pays)}")
        happened = PromotionPrizePaid(
            promotion=promotion.id,
            table=table,
            round=round_id,
            seat=payment.seat,
            event=payment.event,
            words=payment.text,
            when=when,
            dealer=named(payer.dealer, "dealer's name"),
            cents=prize,
            record=dict(record),
            layout=layout_of(record["table"]),
            hand=hands[payment.seat] if asked else "",
            dealer_pays=payer.dealer_pays,
            second=_other(payer),
            again=payer.again.strip(),
            known=asked and hands[payment.seat] in payer.known,
            automatic=payer.automatic,
        )
        running = promotion_after(running, happened)
        yield happened


def _other(payer: Payer) -> str:
    """The second person, who is another one wherever one is named."""
    return two_people(payer.dealer, payer.second, "this prize")[1] if payer.second else ""


def _winning_hands(promotion: Promotion, played: Round) -> list[Payment]:
    """The payments of a finished round that the promotion is for."""
    if not played.is_terminal:
        raise BadPromotionClaim(f"The round is not over: {played.turn_text}.")
    offered = played.table.offers.get(promotion.wager)
    if played.table.facts.slug != promotion.game or offered is None or offered.paytable.name != promotion.paytable:
        raise BadPromotionClaim(
            f"{promotion.name} is for {promotion.wager} of {promotion.game} with table {promotion.paytable}."
        )
    hands = [
        one
        for one in played.game.settle(played).payments
        if one.spot == promotion.wager and one.event == promotion.event
    ]
    if not hands:
        raise BadPromotionClaim(f"Nobody has {promotion.event} on {promotion.wager}: {promotion.name} pays nothing.")
    return hands


def hand_key(table: str, round_id: str, seat: int) -> str:
    """How a hand that was paid is remembered."""
    return f"{table} {round_id} {seat}"


def pays_for(promotion: Promotion, played: Round) -> bool:
    """Whether a finished round has hands that the promotion is for."""
    try:
        return bool(_winning_hands(promotion, played))
    except BadPromotionClaim:
        return False


def dealt_hands(played: Round, seats: Iterable[int]) -> dict[int, str]:
    """By seat, a digest of the cards that make its hand: its own and those of the table that are shared, each at its
    place in whatever order; nothing else that is told of the round changes it (BJ-41). Several decks may give two seats
    of a round the very same cards: those are counted, so that each is paid."""
    told = {seat: _cards_of(played, seat) for seat in seats}
    met: Counter[bytes] = Counter()
    hands = {}
    for seat, cards in told.items():
        met[cards] += 1
        known = {"game": played.table.facts.slug, "cards": orjson.Fragment(cards), "time": met[cards]}
        hands[seat] = sha256(orjson.dumps(known, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return hands


def _cards_of(played: Round, seat: int) -> bytes:
    """A seat's own cards and those that all share; what was burnt and what others have is no part of its hand."""
    cards = {
        f"{'table' if place.seat is None else 'own'} {place.pile}": sorted(map(str, pile))
        for place, pile in played.piles.items()
        if place.seat in (None, seat) and place.pile is not Pile.BURN and pile
    }
    return orjson.dumps(cards, option=orjson.OPT_SORT_KEYS)


def hand_name(hand: str) -> str:
    """By what a promotion's chain knows the event that paid a hand."""
    return f"hand {hand}"


def promotion_names(happening: Happening) -> tuple[str, ...]:
    """A hand that was paid is known for as long as the books are. The same cards once more leave the name where it
    is; those of automatic tables have none."""
    if isinstance(happening, PromotionPrizePaid) and happening.hand and not happening.known:
        return (hand_name(happening.hand),)
    return ()


def promotion_after(running: RunningPromotion | None, happening: Happening) -> RunningPromotion:
    """The promotion after a happening; the first one begins it."""
    match happening:
        case PromotionBegun(promotion=entry):
            return RunningPromotion(PromotionState(promotion_from(entry)), running.hands if running else ())
        case PromotionPrizePaid(promotion=id) if running is not None and id == running.state.promotion.id:
            promotion, paid, ended = running.state
            hand = hand_key(happening.table, happening.round, happening.seat)
            state = PromotionState(promotion, PaidOut(paid.prizes + 1, paid.cents + happening.cents), ended)
            return RunningPromotion(state, (*running.hands, hand))
        case PromotionEnded(promotion=id) if running is not None and id == running.state.promotion.id:
            return running._replace(state=running.state._replace(ended=True))
    raise NoPromotion(f"{quote(happening.kind)} belongs to no promotion that has begun.")
