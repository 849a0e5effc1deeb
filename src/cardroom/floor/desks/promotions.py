"""Promotions: announced with their written rules, paid by the house, ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from threading import Lock
from typing import Any, Final

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor.desks.answers import PromotionPaid, PromotionStanding, promotion_paid, promotion_standing
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import LinkedDesk
from cardroom.floor.kept.chains import ROOM, promotion_chain, promotion_of, table_chain
from cardroom.floor.kept.recall import RecordedRound, happened, recorded_round
from cardroom.floor.kept.subjects import PROMOTIONS
from cardroom.floor.kept.table import TableState
from cardroom.floor.live.claimed import refuse_promoted_other_than_typed
from cardroom.floor.people.senders import sent_id
from cardroom.games import round_from_json, round_to_json
from cardroom.jackpots import (
    Promotion,
    RunningPromotion,
    begin_promotion,
    end_promotion,
    open_promotion,
    pay_hands,
    promotion_entry,
)
from cardroom.jackpots.happenings import PromotionPrizePaid
from cardroom.jackpots.people import two_people
from cardroom.jackpots.promotion.running import BadPromotionClaim, Payer, dealt_hands, hand_name
from cardroom.jackpots.setup.jackpot import money_entry
from cardroom.ledger import Json, KeyedEvent, UniqueKey
from cardroom.ledger.types import command_id_of

_ONE_AT_A_TIME: Final = Lock()
"""Announcements look at one another, so no two of them share a commit."""


class PromotionIsRunning(BadInput):
    """A promotion is announced once, and has its name for itself while it runs."""


class PromotionIsOver(BadPromotionClaim):
    """A promotion whose last day has passed."""


class PaidBefore(BadPromotionClaim):
    """A hand that was paid already."""


class PromotionDesk(LinkedDesk):
    """An operator's extra prizes."""

    def announce_promotion(self, id: str, who: str, promotion: Promotion) -> PromotionStanding:
        """Begin a promotion: it pays between its dates, and its rules are displayed on those days."""
        open_promotion(promotion)
        body: dict[str, Json] = {"do": "announce-promotion", "who": who, "promotion": promotion_entry(promotion)}

        def decide(draft: Draft) -> Json:
            if draft.has(PROMOTIONS, promotion.id):
                raise PromotionIsRunning(f"Promotion {promotion.id} was announced already: give this one another name.")
            self._refuse_a_name_in_use(promotion)
            if promotion.last < (today := self._today()):
                raise PromotionIsOver(
                    f"The promotion would have ended on {promotion.last}, and today is {today}: give it a last day "
                    "that is still to come."
                )
            return _standing(draft.at_promotion(promotion.id, begin_promotion(promotion, who=who)))

        # The room is locked too: other programs announce before this one or after it.
        with _ONE_AT_A_TIME:
            return self._do(id, body, (ROOM, promotion_chain(promotion.id)), decide, promotion_standing)

    def _refuse_a_name_in_use(self, new: Promotion) -> None:
        """People tell promotions apart by their names: no two that run on one day have the same (BJ-43)."""
        for other in self.promotions():
            at, _, ended = self.promotion(other).state
            if _plain(at.name) == _plain(new.name) and not ended and at.first <= new.last and new.first <= at.last:
                raise PromotionIsRunning(
                    f"{at.name} is the name of promotion {at.id} already, which runs from {at.first} to {at.last}: "
                    "give this one another name, or end that one."
                )

    def pay_promotion(
        self,
        id: str,
        who: str,
        promotion: str,
        table: str,
        round_id: str,
        record: Mapping[str, Any],
        *,
        when: date | None = None,
        second: str | None = None,
        again: str | None = None,
    ) -> PromotionPaid:
        """Pay every hand of a finished round that meets the promotion's event. Without a day it is today, here.

        A hand is paid once, whatever round it is said to be of; ``again`` says why the very same cards are believed a
        second time. That, and a prize above what the dealer may pay alone, needs a ``second`` person.
        """
        body: dict[str, Json] = {
            "do": "pay-promotion",
            "who": who,
            "promotion": promotion,
            "table": table,
            "round": round_id,
            "record": dict(record),
            "when": when.isoformat() if when else None,
            "second": second,
            "again": again,
        }
        played = round_from_json(record)
        hands = tuple(dealt_hands(played, played.seats).values())
        recorded = recorded_round(self.ledger, table, round_id)

        def decide(draft: Draft) -> Json:
            running, at = draft.promotion(promotion), self._dealt_by_people(draft.table(table))
            refuse_other_money(running, table, at.money)
            before = {hand: one for hand in hands if (one := draft.paid_hand(promotion, hand_name(hand)))}
            payer = Payer(who, second, draft.room().settings.dealer_pays, again or "", before)
            paid = tuple(pay_hands(running, table, round_id, record, when or self._today(), payer))
            seats = [one.seat for one in paid]
            _refuse_uncounted(running.state.promotion, seats, at, round_id, recorded)
            typed = self._typed_in_round(draft, table, round_id)
            if recorded is None and typed is None:
                two_people(who, second, f"a prize of round {round_id}, which was neither counted nor typed")
            if typed:
                cards = {place: tuple(pile) for place, pile in round_to_json(played)["cards"].items()}
                refuse_promoted_other_than_typed(paid, cards, typed.live, typed.deck, ended=typed.ended)
            known = [before[one.hand] for one in paid if one.known]
            if known and not again:
                raise PaidBefore(self._paid_before(promotion, known[0]))
            if again and not known:
                raise BadPromotionClaim("These cards were not paid before: leave out that they were dealt again.")
            return {
                "seats": [one.seat for one in paid],
                "cents": sum(one.cents for one in paid),
                "standing": _standing(draft.at_promotion(promotion, paid)),
            }

        chains = (ROOM, promotion_chain(promotion), table_chain(table), *self._felt_of(table, round_id))
        names = tuple(UniqueKey(promotion_chain(promotion), hand_name(hand)) for hand in hands)
        return self._do(id, body, chains, decide, promotion_paid, names)

    def running_promotions(self, game: str, money: Currency) -> tuple[RunningPromotion, ...]:
        """The promotions that are paid today at tables of a game that play for this money."""
        ids = filter(None, map(promotion_of, self.ledger.chains(promotion_chain(""))))
        running = [self.promotion(id) for id in ids]
        there = [one for one in running if (one.state.promotion.game, one.money) == (game, money)]
        if not there:
            return ()
        today = self._today()
        return tuple(one for one in there if not one.state.ended and one.state.promotion.runs_on(today))

    def _paid_before(self, promotion: str, named: KeyedEvent) -> str:
        """The sentence that says when a hand was paid, and as which round."""
        event = next(self.ledger.events(promotion_chain(promotion), named.sequence - 1, 1), None)
        told = happened(event) if event else None
        as_round = f" as round {told.round} of {told.table}" if isinstance(told, PromotionPrizePaid) else ""
        return (
            f"{self.promotion(promotion).state.promotion.name} paid this hand already{as_round}, on "
            f"{self.calendar.told(named.time)} by command {sent_id(command_id_of(named.id))}: a hand is paid once, "
            "whatever round it is said to be of. Where the very same cards were dealt again, two people say so, with a "
            "reason."
        )

    def end_promotion(self, id: str, who: str, promotion: str, why: str) -> PromotionStanding:
        """End a promotion before its time."""
        body: dict[str, Json] = {"do": "end-promotion", "who": who, "promotion": promotion, "why": why}

        def decide(draft: Draft) -> Json:
            running = draft.promotion(promotion)
            return _standing(draft.at_promotion(promotion, end_promotion(running, who=who, why=why)))

        return self._do(id, body, (promotion_chain(promotion),), decide, promotion_standing)


def _plain(name: str) -> str:
    """A name as people compare it: without blanks, capitals or small letters alike.

    >>> _plain(" Summer  Straights ") == _plain("SummerSTRAIGHTS")
    True
    """
    return "".join(name.split()).casefold()


def refuse_other_money(running: RunningPromotion, table: str, money: Currency) -> None:
    """A promotion pays at tables that play for its own money."""
    if running.money is not money:
        raise BadPromotionClaim(
            f"{running.state.promotion.name} pays {running.money.label}, but table {table} plays for {money.label}: "
            "the two never meet."
        )


def _refuse_uncounted(
    promotion: Promotion, seats: list[int], table: TableState, round_id: str, recorded: RecordedRound | None
) -> None:
    """Nothing is won in a void round; and where the tabulator counts the wager, it was counted (BJ-19)."""
    if round_id in table.tabulator.voided:
        raise BadPromotionClaim(f"Round {round_id} of {table.id} is void: every wager went back, so nothing was won.")
    counts = any(one.wager == promotion.wager and one.jackpot for one in table.tabulator.table.wagers)
    if not seats or not counts:
        return
    if recorded is None:
        raise BadPromotionClaim(
            f"Round {round_id} was not counted at {table.id}, whose tabulator counts {promotion.wager}: tabulate it, "
            "or count it by hand, before it is paid."
        )
    there = {at for one in recorded.counted.wagers if one.wager == promotion.wager for at in one.positions}
    if missing := sorted(set(seats) - there):
        raise BadPromotionClaim(
            f"No {promotion.wager} wager was counted at position {', '.join(map(str, missing))} in round {round_id} of "
            f"{table.id}."
        )


def _standing(running: RunningPromotion) -> dict[str, Json]:
    state = running.state
    promotion = state.promotion
    return {
        "promotion": promotion.id,
        "ended": state.ended,
        "prizes": state.paid.prizes,
        "cents": state.paid.cents,
        "prizes_left": promotion.most_prizes - state.paid.prizes,
        "cents_left": promotion.most_cents - state.paid.cents,
        **money_entry(promotion.money),
    }
