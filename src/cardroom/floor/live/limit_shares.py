"""A table's payout limit at a live table: winners of one deal share it (GEN-5), so an amount is final only when no
position that is still open could have a share. What is not final is not paid, and what was paid does not change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.felt.faults import NotNow
from cardroom.floor.felt.live_round import LiveRound
from cardroom.floor.felt.state import FeltState, OpenTable
from cardroom.floor.live.happenings import CardsTyped
from cardroom.floor.live.steps import steps_of
from cardroom.floor.live.typing import typed_after, typed_round
from cardroom.games import Payment, Table
from cardroom.games.money import format_cents
from cardroom.games.partial_settlement import PartialSettlement, settle_partial_round
from cardroom.games.payout_limit import PayoutLimit, max_player_win, max_win
from cardroom.games.procedure import ProcedureStep, StepKind
from cardroom.games.settlement import odds_winnings
from cardroom.games.view import stake_name

PAID_WITH: Final = {StepKind.PAY: (True,), StepKind.TAKE_OR_PAY: (True, False)}
"""What a step pays: wagers that are paid before the deal is over, and all others."""


class ChangesWhatWasPaid(BadInput):
    """Something that would change an amount which was paid already."""


class OpenShares(NamedTuple):
    """What of the payout limit is still open."""

    payments: frozenset[tuple[int, str, str]] = frozenset()
    """The stakes whose amount is not final, by seat, spot, and stake."""
    positions: tuple[int, ...] = ()
    """The positions that could still have a share."""
    why: str = ""
    """Why an amount is not final; empty when every amount is."""
    advice: str = ""
    """What to type."""

    @property
    def sentence(self) -> str:
        """Both; empty when every amount is final."""
        return f"{self.why}: {self.advice}." if self.payments else ""

    def is_final(self, payment: Payment) -> bool:
        return (payment.seat, payment.spot, payment.stake) not in self.payments


def open_shares(
    at: OpenTable, live: LiveRound, settled: PartialSettlement, early: Sequence[bool] = (True, False)
) -> OpenShares:
    """What of these payments may still be reduced. ``early`` says which are asked for: those that are paid before the
    deal is over, and count first, or the others."""
    limit = at.table.payout_limit
    if limit is None:
        return OpenShares()
    waiting, positions, known = set[tuple[int, str, str]](), dict[int, None](), 0
    possible: dict[int, int] = {}
    for first in (True, False):
        spots = frozenset(spot for spot in limit.spots if (spot in at.game.early_payment_spots) is first)
        sharing = [one for one in settled.payments if one.spot in spots and odds_winnings(one)]
        known += sum(map(odds_winnings, sharing))
        for seat, cents in _could_win(at.table, live, settled, spots):
            possible[seat] = possible.get(seat, 0) + cents
        if first in early and sharing and possible and known + sum(possible.values()) > limit.cents:
            waiting |= {(one.seat, one.spot, one.stake) for one in sharing}
            positions |= dict.fromkeys(possible)
    if not waiting:
        return OpenShares()
    seats = sorted({seat for seat, *_ in waiting})
    return OpenShares(frozenset(waiting), tuple(sorted(positions)), *_reason(at.table, limit, sorted(positions), seats))


def _could_win(
    table: Table, live: LiveRound, settled: PartialSettlement, spots: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """By position, what it could still win on these spots: one whose wagers were not typed with the largest wagers."""
    if not spots:
        return
    for seat in live.positions:
        typed = live.wagers.get(str(seat))
        if typed is None:
            cents = max_player_win(table, spots)
        else:
            cents = sum(
                max_win(table.spots[spot], typed[spot])
                for spot in spots
                if spot in typed and (seat, spot) in settled.uncertain_spots
            )
        if cents:
            yield seat, cents


def _reason(table: Table, limit: PayoutLimit, positions: Sequence[int], seats: Sequence[int]) -> tuple[str, str]:
    """Why what these seats are paid is not final, and what to type."""
    there, its, has = ("position", "its", "it has") if len(positions) == 1 else ("positions", "their", "they have")
    paid = f"seat {seats[0]} is" if len(seats) == 1 else f"seats {_listed(seats)} are"
    could = f"{there} {_listed(positions)} could share the payout limit of {format_cents(limit.cents)} a deal"
    cards = f"{its} cards where {has} a wager on {covered_names(table)}"
    return f"What {paid} paid is not final, because {could}", f"type {its} wagers, and {cards}"


def covered_names(table: Table) -> str:
    """The wagers that share the payout limit of a table; nothing where it has none."""
    spots = table.payout_limit.spots if table.payout_limit else frozenset[str]()
    names = dict.fromkeys(one.wager.name for spot, one in table.spots.items() if spot in spots)
    return _listed([*names], "or") if names else ""


def _listed(items: Sequence[object], word: str = "and") -> str:
    *first, last = map(str, items)
    return f"{', '.join(first)} {word} {last}" if first else last


def refuse_before_it_is_final(state: FeltState, live: LiveRound, step: ProcedureStep) -> None:
    """Refuse to pay what is not final."""
    if step.kind not in PAID_WITH or state.at.table.payout_limit is None:
        return
    still = open_shares(state.at, live, _settled(state.at, live), PAID_WITH[step.kind])
    if still.payments:
        raise NotNow(f"{still.why}: before step {step.name}, {still.advice}.")


def refuse_to_change_what_was_paid(state: FeltState, live: LiveRound, told: CardsTyped) -> None:
    """Refuse what changes an amount under the payout limit once its step was taken: the dealer undoes the step first,
    and the books have that."""
    steps = [one for one in steps_of(state) if one.name in live.taken and one.kind in PAID_WITH]
    at = state.at
    limit = at.table.payout_limit
    if not steps or limit is None:
        return
    step = steps[-1]
    before, after = _settled(at, live), _settled(at, typed_after(live, told))
    for was, now in _changed(at, before, after, PAID_WITH[step.kind]):
        name = stake_name(at.game.facts, was.spot, was.stake)
        amount = "nothing" if now is None else f"{format_cents(now.known_return)} back"
        raise ChangesWhatWasPaid(
            f"With this seat {was.seat}'s {name} has {amount} instead of {format_cents(was.known_return)} back under "
            "the payout limit "
            ""
            f"of {format_cents(limit.cents)} a deal, and step {step.name} was taken: undo it, type this, and settle "
            "the "
            "difference with the player."
        )
    still = open_shares(at, typed_after(live, told), after, PAID_WITH[step.kind])
    if still.payments:
        raise ChangesWhatWasPaid(f"{still.why}, and step {step.name} was taken: undo it, or first {still.advice}.")


def _changed(
    at: OpenTable, before: PartialSettlement, after: PartialSettlement, early: Sequence[bool]
) -> Iterator[tuple[Payment, Payment | None]]:
    """The payments under the limit that are others now."""
    now = {(one.seat, one.spot, one.stake): one for one in after.payments}
    for was in before.payments:
        then = now.get((was.seat, was.spot, was.stake))
        if (was.spot in at.game.early_payment_spots) not in early:
            continue
        if was.unlimited_return is None and (then is None or then.unlimited_return is None):
            continue
        if then is None or then.returned != was.returned:
            yield was, then


def _settled(at: OpenTable, live: LiveRound) -> PartialSettlement:
    return settle_partial_round(at.game, at.table, typed_round(live))
