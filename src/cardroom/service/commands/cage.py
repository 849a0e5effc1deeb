"""Payments: a claim that a second person has verified is paid, with a record of the payee and the method.

Player accounts: added, and paid in and out at the cage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.ledger import Command, Json, Time, UniqueKey
from cardroom.room.claim.resolution import check_surveillance, pay_claim, resolve_payees
from cardroom.room.codec import encode
from cardroom.room.dual_control import require_text
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.events import ClaimPaid
from cardroom.room.jackpot.pending_claims import Claim
from cardroom.room.jackpot.state import UnknownClaim
from cardroom.room.payment_references import (
    BadReference,
    Payee,
    PaymentMethod,
    Payout,
    conflicting_payment_texts,
    normalize_reference,
    payment_text,
    require_payee,
)
from cardroom.room.player.account import (
    BadPlayerAccount,
    PlayerAccount,
    PrizeCredited,
    guest_name,
    open_account,
    open_guest_account,
    pay_in,
    pay_out,
)
from cardroom.service.chains.aggregates import PLAYER_ACCOUNTS
from cardroom.service.chains.names import jackpot_chain, parse_player_chain, player_chain
from cardroom.service.commands.handler import CommandHandler
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import ClaimDecisionResult, decode_claim_decision, encode_claim_decision
from cardroom.service.commands.unit_of_work import StateChanged, UnitOfWork
from cardroom.service.queries.claims import ClaimHistory, PrizeDecision, find_claim_history, find_prize_decision


class PaymentService:
    """Payments of claims."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def pay(
        self,
        id: str,
        who: str,
        jackpot: str,
        claim: str,
        *,
        paid: Mapping[int, Payee],
        surveillance: SurveillanceCheck | None = None,
        second: str | None = None,
    ) -> ClaimDecisionResult:
        """Pay a claim that a second person has verified, above a certain amount with surveillance. ``paid`` says for
        each winning seat who got the money, how, and under which number; the time of surveillance's verification is by
        the room's clock, or ``now``.

        Two people verify what an automatic table has claimed, and it is paid into the balances of the players who sat
        there, so ``paid`` is empty."""
        chain = jackpot_chain(jackpot)
        payouts_by_seat = {seat: require_payee(*paid[seat]) for seat in sorted(paid)}
        body: dict[str, Json] = {
            "do": "pay",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "paid": {str(seat): encode(item) for seat, item in payouts_by_seat.items()},
            "surveillance": encode(surveillance) if surveillance else None,
        }
        body |= {"second": second} if second is not None else {}

        def prepare() -> Command:
            claimed, pending = self._read_claim_time(jackpot, claim), self._find_pending_claim(jackpot, claim)
            winners = payouts_by_seat if pending is None else resolve_payees(pending, payouts_by_seat)

            def decide(uow: UnitOfWork) -> Json:
                state, calendar, now = uow.jackpot(jackpot), uow.room().settings.calendar, self._handler.clock()
                prizes = state.claim(claim).prizes
                if claimed is None or resolve_payees(state.claim(claim), payouts_by_seat) != winners:
                    raise StateChanged
                for one in winners.values():
                    refuse_used_payment(uow, chain, one.payment, one.reference)
                check = check_surveillance(surveillance, calendar, claimed, now) if surveillance else None
                new_events = pay_claim(state, claim, verified_by=who, paid=winners, surveillance=check, second=second)
                after = uow.apply_to_jackpot(jackpot, new_events)
                payouts = tuple(payout for one in new_events if isinstance(one, ClaimPaid) for payout in one.payouts)
                credit_balances(uow, jackpot, claim, payouts)
                return encode_claim_decision(claim, prizes, after, payouts)

            names = [
                UniqueKey(chain, name)
                for item in winners.values()
                for name in payment_unique_keys(item.payment, item.reference)
            ]
            players = [item.player for item in winners.values() if item.payment is PaymentMethod.BALANCE]
            locks = Locks(room=True, jackpots=[jackpot], players=players, unique_keys=names)
            return self._handler.build_command(id, body, locks, decide)

        return self._handler.execute_prepared(prepare, decode_claim_decision)

    def _find_pending_claim(self, jackpot: str, claim: str) -> Claim | None:
        return next(
            (pending_claim for pending_claim in self._handler.jackpot(jackpot).claims if pending_claim.id == claim),
            None,
        )

    def _read_claim_time(self, jackpot: str, claim: str) -> int | None:
        """When a pending claim was made."""
        if self._find_pending_claim(jackpot, claim) is None:
            return None
        story = find_claim_history(self._handler.ledger, jackpot, claim)
        return story.locked.time if story else None

    def get_claim_history(self, jackpot: str, claim: str) -> ClaimHistory:
        """A claim, pending or decided, however long ago."""
        self._handler.jackpot(jackpot)
        story = find_claim_history(self._handler.ledger, jackpot, claim)
        if story is None:
            raise UnknownClaim(f"There is no claim {claim!r} on jackpot {jackpot}: check its id.")
        return story

    def find_prize_decision(self, jackpot: str, claim: str, seat: int, since: Time) -> PrizeDecision | None:
        """What became of a seat's prizes that were claimed at a moment; None while they wait for people."""
        pending = self._find_pending_claim(jackpot, claim)
        if pending is not None and seat in pending.seats:
            return None
        return find_prize_decision(self._handler.ledger, jackpot, claim, seat, since)


def credit_balances(uow: UnitOfWork, jackpot: str, claim: str, payouts: Iterable[Payout]) -> None:
    """A payment into a balance is also an event of the player account, whose chain is locked."""
    for payout in payouts:
        if payout.payment is PaymentMethod.BALANCE:
            uow.apply_to_player_account(
                payout.player, (PrizeCredited(payout.player, jackpot, claim, payout.seat, payout.cents),)
            )


def payment_unique_keys(payment: PaymentMethod, reference: str) -> tuple[str, ...]:
    """The unique keys of a payment, and the keys that must not be used yet."""
    return tuple(
        map(normalize_reference, (payment_text(payment, reference), *conflicting_payment_texts(payment, reference)))
    )


def refuse_used_payment(uow: UnitOfWork, chain: str, payment: PaymentMethod, reference: str) -> None:
    """A number is entered once, and a check and a transfer do not share one."""
    refuse_used_reference(uow, chain, payment_text(payment, reference))
    for words in conflicting_payment_texts(payment, reference):
        refuse_used_reference(uow, chain, words)


def refuse_used_reference(uow: UnitOfWork, chain: str, words: str) -> None:
    """A number of the bank is entered once."""
    used = uow.find_keyed_event(chain, normalize_reference(words))
    if used is not None:
        when = uow.room().settings.calendar.format_time(used.time)
        raise BadReference(
            f"{words[:1].upper()}{words[1:]} was entered on {when} (event {used.sequence}): each one has a number of "
            "its own, so check the number."
        )


CagePayment: TypeAlias = Callable[..., tuple[DomainEvent, ...]]


class PlayerAccountSummary(NamedTuple):
    """A player account after a command; the amount is in cents."""

    player: str
    money: Currency
    guest: bool
    balance: int


class PlayerService:
    """Accounts of players, paid in and out at the cage."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def admit_guest(self, id: str) -> PlayerAccountSummary:
        """Add an account with play money for a guest. The name follows from the command's id."""
        player = guest_name(id)

        def decide(uow: UnitOfWork) -> Json:
            if uow.has(PLAYER_ACCOUNTS, player):
                raise BadPlayerAccount(f"{player} has an account already: give the command another id.")
            return _encode_account(uow.apply_to_player_account(player, open_guest_account(player)))

        return self._handler.execute(
            id, {"do": "admit-guest"}, Locks(players=[player]), decide, _decode_account_summary
        )

    def admit_player(self, id: str, who: str, player: str, money: Currency) -> PlayerAccountSummary:
        """Add an account in one of the two currencies for a named player."""
        body: dict[str, Json] = {"do": "admit-player", "who": who, "player": player, "money": str(money)}
        admitted = open_account(player, money, who)

        def decide(uow: UnitOfWork) -> Json:
            if uow.has(PLAYER_ACCOUNTS, player):
                raise BadPlayerAccount(f"There is a player {player} already: give this one another name.")
            return _encode_account(uow.apply_to_player_account(player, admitted))

        return self._handler.execute(id, body, Locks(players=[player]), decide, _decode_account_summary)

    def pay_in(
        self, id: str, who: str, player: str, cents: int, reference: str, *, second: str | None = None
    ) -> PlayerAccountSummary:
        """The cage takes money for a player's balance; it takes two people."""
        return self._execute_at_cage(id, "pay-in", pay_in, who, player, cents, reference, second)

    def pay_out(
        self, id: str, who: str, player: str, cents: int, reference: str, *, second: str | None = None
    ) -> PlayerAccountSummary:
        """The cage pays money from a player's balance; it takes two people."""
        return self._execute_at_cage(id, "pay-out", pay_out, who, player, cents, reference, second)

    def _execute_at_cage(
        self,
        id: str,
        action: str,
        pay: CagePayment,
        who: str,
        player: str,
        cents: int,
        reference: str,
        second: str | None,
    ) -> PlayerAccountSummary:
        body: dict[str, Json] = {"do": action, "who": who, "second": second, "player": player, "cents": cents}

        chain, slip = player_chain(player), f"slip {reference}"

        def decide(uow: UnitOfWork) -> Json:
            paid = pay(uow.player_account(player), cents, who=who, second=second, reference=reference)
            refuse_used_reference(uow, chain, slip)
            return _encode_account(uow.apply_to_player_account(player, paid))

        names = [UniqueKey(chain, normalize_reference(slip))]
        locks = Locks(room=True, players=[player], unique_keys=names)
        return self._handler.execute(id, {**body, "reference": reference}, locks, decide, _decode_account_summary)

    def list_players(self) -> tuple[str, ...]:
        """The players who have an account."""
        chains = self._handler.ledger.chains(player_chain(""))
        return tuple(player for chain in chains if (player := parse_player_chain(chain)) is not None)


class UnknownCurrency(BadInput):
    """A currency that does not exist."""


def parse_currency(text: str) -> Currency:
    """The currency that a text names.

    >>> parse_currency("play")
    <Currency.PLAY: 'play'>
    """
    try:
        return Currency(require_text(text, "kind of money"))
    except ValueError:
        raise UnknownCurrency(f"There is no currency {text!r}: choose {' or '.join(Currency)}.") from None


def _encode_account(state: PlayerAccount) -> dict[str, Json]:
    names = ("player", "guest", "balance")
    return {name: getattr(state, name) for name in names} | {"money": str(state.money)}


def _decode_account_summary(data: Any) -> PlayerAccountSummary:
    return PlayerAccountSummary(data["player"], Currency(data["money"]), data["guest"], data["balance"])
