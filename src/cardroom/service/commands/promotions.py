"""Promotions: announced with their written rules, paid by the operator, ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from threading import Lock
from typing import Any, Final

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games import round_from_json, round_to_json
from cardroom.ledger import Json, KeyedEvent, UniqueKey
from cardroom.ledger.types import command_id_of
from cardroom.room.dual_control import require_two_people
from cardroom.room.promotion.setup import Promotion, promotion_to_mapping, validate_promotion
from cardroom.room.promotion.state import (
    BadPromotionClaim,
    Payer,
    PromotionPrizePaid,
    PromotionRecord,
    end_promotion,
    hand_digests,
    hand_unique_key,
    pay_hands,
    start_promotion,
)
from cardroom.room.setup.jackpot import currency_to_mapping
from cardroom.room.table.claim_contradictions import refuse_promotion_against_input
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.user.command_ids import original_command_id
from cardroom.service.chains.aggregates import PROMOTIONS
from cardroom.service.chains.names import parse_promotion_chain, promotion_chain
from cardroom.service.commands.handler import LinkedTableHandler
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import (
    PromotionPaymentResult,
    PromotionSummary,
    decode_promotion_payment,
    decode_promotion_summary,
)
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import RoundCountRecord, find_counted_round, read_domain_event

_ANNOUNCEMENT_LOCK: Final = Lock()
"""Announcements read one another, so no two of them share a commit."""


class PromotionAlreadyAnnounced(BadInput):
    """A promotion is announced once, and its name is unique while it runs."""


class PromotionIsOver(BadPromotionClaim):
    """A promotion whose last day has passed."""


class HandAlreadyPaid(BadPromotionClaim):
    """A hand that was paid already."""


class PromotionService:
    """The operator's promotions."""

    def __init__(self, handler: LinkedTableHandler) -> None:
        self._handler = handler

    def announce(self, id: str, who: str, promotion: Promotion) -> PromotionSummary:
        """Announce a promotion: it pays between its dates, and displays show its rules on those days."""
        validate_promotion(promotion)
        body: dict[str, Json] = {"do": "announce-promotion", "who": who, "promotion": promotion_to_mapping(promotion)}

        def decide(uow: UnitOfWork) -> Json:
            if uow.has(PROMOTIONS, promotion.id):
                raise PromotionAlreadyAnnounced(
                    f"There is a promotion {promotion.id} already: give this one another name."
                )
            self._refuse_used_name(promotion)
            if promotion.last < (today := self._handler.today()):
                raise PromotionIsOver(
                    f"The last day {promotion.last} is past, and today is {today}: give the promotion a last day "
                    "that is still to come."
                )
            return _encode_promotion_summary(uow.apply_to_promotion(promotion.id, start_promotion(promotion, who=who)))

        # The room is locked too, so that the announcements of other programs come before or after this one.
        with _ANNOUNCEMENT_LOCK:
            return self._handler.execute(
                id, body, Locks(room=True, promotions=[promotion.id]), decide, decode_promotion_summary
            )

    def _refuse_used_name(self, new: Promotion) -> None:
        """Names distinguish promotions: no two that run on one day have the same (BJ-43)."""
        for promotion in self._handler.list_promotions():
            at, _, is_ended = self._handler.promotion(promotion).state
            if (
                _normalize_name(at.name) == _normalize_name(new.name)
                and not is_ended
                and at.first <= new.last
                and new.first <= at.last
            ):
                raise PromotionAlreadyAnnounced(
                    f"{at.name} is the name of promotion {at.id}, which runs from {at.first} to {at.last}: give this "
                    "one another name, or end that one."
                )

    def pay(
        self,
        id: str,
        who: str,
        promotion: str,
        table: str,
        round_id: str,
        record: Mapping[str, Any],
        *,
        day: date | None = None,
        second: str | None = None,
        repeat_reason: str | None = None,
    ) -> PromotionPaymentResult:
        """Pay every hand of a finished round that meets the promotion's event. Without a day it is today, by the room's
        clock.

        A hand is paid once, whatever round id it is entered with; ``repeat_reason`` says why the very same cards came a
        second time. That, and a prize above what the dealer may pay alone, needs a ``second`` person.
        """
        body: dict[str, Json] = {
            "do": "pay-promotion",
            "who": who,
            "promotion": promotion,
            "table": table,
            "round": round_id,
            "record": dict(record),
            "when": day.isoformat() if day else None,
            "second": second,
            "again": repeat_reason,
        }
        played = round_from_json(record)
        hands = tuple(hand_digests(played, played.seats).values())
        recorded = find_counted_round(self._handler.ledger, table, round_id)

        def decide(uow: UnitOfWork) -> Json:
            running, at = uow.promotion(promotion), self._handler.refuse_automatic_table(uow.tabulator(table))
            refuse_other_currency(running, table, at.money)
            before = {
                hand: payment
                for hand in hands
                if (payment := uow.find_paid_hand_event(promotion, hand_unique_key(hand)))
            }
            payer = Payer(who, second, uow.room().settings.dealer_pays, repeat_reason or "", before)
            paid = tuple(pay_hands(running, table, round_id, record, day or self._handler.today(), payer))
            seats = [payment.seat for payment in paid]
            _refuse_uncounted(running.state.promotion, seats, at, round_id, recorded)
            typed_round = self._handler.load_typed_round(uow, table, round_id)
            if recorded is None and typed_round is None:
                require_two_people(who, second, f"a prize of round {round_id}, which was neither counted nor entered")
            if typed_round:
                cards = {place: tuple(pile) for place, pile in round_to_json(played)["cards"].items()}
                refuse_promotion_against_input(
                    paid, cards, typed_round.live, typed_round.deck, is_ended=typed_round.is_ended
                )
            earlier_payments = [before[payment.hand] for payment in paid if payment.known]
            if earlier_payments and not repeat_reason:
                raise HandAlreadyPaid(self._describe_earlier_payment(promotion, earlier_payments[0]))
            if repeat_reason and not earlier_payments:
                raise BadPromotionClaim("These cards were not paid before: leave out the reason for a repeated deal.")
            return {
                "seats": [payment.seat for payment in paid],
                "cents": sum(payment.cents for payment in paid),
                "summary": _encode_promotion_summary(uow.apply_to_promotion(promotion, paid)),
            }

        names = [UniqueKey(promotion_chain(promotion), hand_unique_key(hand)) for hand in hands]
        locks = Locks(room=True, promotions=[promotion], tabulators=[table], unique_keys=names)
        return self._handler.execute(
            id, body, locks | self._handler.lock_dealt_table(table, round_id), decide, decode_promotion_payment
        )

    def list_running(self, game: str, money: Currency) -> tuple[PromotionRecord, ...]:
        """The promotions that pay today at tables of a game that play for this currency."""
        ids = filter(None, map(parse_promotion_chain, self._handler.ledger.chains(promotion_chain(""))))
        running = [self._handler.promotion(id) for id in ids]
        matching = [
            promotion for promotion in running if (promotion.state.promotion.game, promotion.money) == (game, money)
        ]
        if not matching:
            return ()
        today = self._handler.today()
        return tuple(
            promotion
            for promotion in matching
            if not promotion.state.ended and promotion.state.promotion.runs_on(today)
        )

    def _describe_earlier_payment(self, promotion: str, payment: KeyedEvent) -> str:
        """The sentence that says when a hand was paid, and as which round."""
        event = next(self._handler.ledger.events(promotion_chain(promotion), payment.sequence - 1, 1), None)
        domain_event = read_domain_event(event) if event else None
        as_round = (
            f" as round {domain_event.round} of {domain_event.table}"
            if isinstance(domain_event, PromotionPrizePaid)
            else ""
        )
        return (
            f"{self._handler.promotion(promotion).state.promotion.name} paid this hand{as_round}, on "
            f"{self._handler.calendar.format_time(payment.time)} by command "
            f"{original_command_id(command_id_of(payment.id))}: "
            "a hand is paid once, whatever round id it is entered with. If the very same cards were dealt again, "
            "two people confirm it with a reason."
        )

    def end(self, id: str, who: str, promotion: str, why: str) -> PromotionSummary:
        """End a promotion before its last day."""
        body: dict[str, Json] = {"do": "end-promotion", "who": who, "promotion": promotion, "why": why}

        def decide(uow: UnitOfWork) -> Json:
            running = uow.promotion(promotion)
            return _encode_promotion_summary(
                uow.apply_to_promotion(promotion, end_promotion(running, who=who, why=why))
            )

        return self._handler.execute(id, body, Locks(promotions=[promotion]), decide, decode_promotion_summary)


def _normalize_name(name: str) -> str:
    """A name as people compare it: without blanks, and without regard to capitals.

    >>> _normalize_name(" Summer  Straights ") == _normalize_name("SummerSTRAIGHTS")
    True
    """
    return "".join(name.split()).casefold()


def refuse_other_currency(running: PromotionRecord, table: str, money: Currency) -> None:
    """A promotion pays at tables that play for its own currency."""
    if running.money is not money:
        raise BadPromotionClaim(
            f"{running.state.promotion.name} pays {running.money.label}, but table {table} plays for {money.label}: "
            "choose a promotion for the same money."
        )


def _refuse_uncounted(
    promotion: Promotion, seats: list[int], table: TabulatedTableState, round_id: str, recorded: RoundCountRecord | None
) -> None:
    """Nothing is won in a void round; and where the tabulator counts the wager, it was counted (BJ-19)."""
    if round_id in table.tabulator.voided:
        raise BadPromotionClaim(f"Round {round_id} of {table.id} is void: every wager went back, so nothing was won.")
    counts = any(wager.wager == promotion.wager and wager.jackpot for wager in table.tabulator.table.wagers)
    if not seats or not counts:
        return
    if recorded is None:
        raise BadPromotionClaim(
            f"Round {round_id} was not counted at {table.id}, whose tabulator counts {promotion.wager}: tabulate it, "
            "or count it by hand, before you pay."
        )
    counted_positions = {
        at for wager in recorded.event.wagers if wager.wager == promotion.wager for at in wager.positions
    }
    if missing := sorted(set(seats) - counted_positions):
        raise BadPromotionClaim(
            f"No {promotion.wager} wager was counted at position {', '.join(map(str, missing))} in round {round_id} of "
            f"{table.id}."
        )


def _encode_promotion_summary(running: PromotionRecord) -> dict[str, Json]:
    state = running.state
    promotion = state.promotion
    return {
        "promotion": promotion.id,
        "ended": state.ended,
        "prizes": state.paid.prizes,
        "cents": state.paid.cents,
        "prizes_left": promotion.most_prizes - state.paid.prizes,
        "cents_left": promotion.most_cents - state.paid.cents,
        **currency_to_mapping(promotion.money),
    }
