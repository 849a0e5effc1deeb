"""What the console shows: the procedure with the current step, the tabulator with its lights, and take or pay by
seat."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cardroom.games.money import describe_chips, format_cents
from cardroom.games.procedure import ProcedureStep, StepKind
from cardroom.games.view import humanize_slug, stake_name, wager_name
from cardroom.room.table.live_payments import SeatTakeOrPay, limited_wager_names
from cardroom.room.table.live_procedure import is_complete, next_steps, table_procedure, typed_seats
from cardroom.room.table.state import TableState
from cardroom.room.tabulator.state import lammers_for_failed_lights, lit_lights, wagers_left_on_layout
from cardroom.service import CardRoom
from cardroom.service.commands.live_table_queries import DealerTableView
from cardroom.service.queries.claims import ClaimOutcome, SeatClaim

BUTTONS: Final = {
    StepKind.WAGERS: "Wagers are down",
    StepKind.TABULATE: "Tabulate",
    StepKind.DEAL: "Dealt",
    StepKind.DECIDE: "All players have decided",
    StepKind.REVEAL: "Revealed",
    StepKind.PAY: "Taken and paid",
    StepKind.TAKE_OR_PAY: "Taken and paid",
    StepKind.COLLECT: "Collected",
}
"""The button that completes a step."""


class StepView(NamedTuple):
    """A step of the procedure."""

    step: ProcedureStep
    title: str
    button: str
    state: str
    """``taken``, ``now``, ``passed`` for a skipped step, or ``ahead``."""


class MeterView(NamedTuple):
    """A jackpot of the table."""

    name: str
    cents: int
    disabled_reason: str
    """Why it takes no wagers now; empty if it does."""


class SensorView(NamedTuple):
    """A sensor of the tabulator, which every position has."""

    field: str
    """The form field for the covered positions."""
    name: str
    number: int
    disabled_reason: str
    """Why the wager is not available; empty if it is."""
    failed: frozenset[int]
    """The positions whose light has failed."""


class TabulatorView(NamedTuple):
    """The table's tabulator."""

    name: str
    sensors: tuple[SensorView, ...]
    lit: frozenset[tuple[int, int]]
    """Lights that are on, by position and sensor."""
    lammers: frozenset[tuple[int, int]]
    """Where a lammer replaces a failed light."""
    stay: frozenset[tuple[int, int]]
    """Wagers that stay on the layout."""
    counters: tuple[int, ...]
    broken: str
    closed: str
    is_automatic: bool
    """Whether the unit reports the count itself, so that the dealer does not enter it."""


class ConsoleSeatView(NamedTuple):
    """A position that plays."""

    seat: int
    has_entries: bool
    paying: SeatTakeOrPay | None
    missing: tuple[str, ...]
    lit: bool
    claims: tuple[tuple[str, str], ...]
    """By wager, the outcome of each claim as a sentence."""
    claimed: frozenset[str]
    """The claimed wagers, which cannot be claimed again unless the claim was refused."""


def build_steps(state: TableState) -> tuple[StepView, ...]:
    """Every step with its state."""
    live, steps = state.live, table_procedure(state)
    due = {step.name for step in next_steps(state, live)} if live else set[str]()
    now = next(iter(next_steps(state, live)), None) if live else None
    views, reached = list[StepView](), False
    for step in steps:
        reached = reached or step == now
        is_taken = live is not None and step.name in live.taken
        step_state = "taken" if is_taken else "now" if step == now else "ahead" if reached or live is None else "passed"
        views.append(
            StepView(
                step,
                humanize_slug(step.name),
                BUTTONS[step.kind],
                step_state if step.name not in due or is_taken else "now",
            )
        )
    return tuple(views)


def build_meters(snapshot: DealerTableView) -> tuple[MeterView, ...]:
    """The meters of the jackpots, and those that take no wagers."""
    facts, spots = snapshot.state.game.facts, snapshot.state.open_table.table.spots
    cents_by_wager = {spots[spot].wager.slug: cents for spot, cents in snapshot.meters.items()}
    cents_by_wager |= {offered.wager.slug: 0 for offered in spots.values() if offered.wager.slug in snapshot.dark}
    return tuple(
        MeterView(wager_name(facts, slug), cents, snapshot.dark.get(slug, "")) for slug, cents in cents_by_wager.items()
    )


def build_tabulator(snapshot: DealerTableView) -> TabulatorView | None:
    """The tabulator with the lights of the current round."""
    unit, state = snapshot.unit, snapshot.state
    if unit is None:
        return None
    tabulator, facts = unit.tabulator, state.game.facts
    table = unit.active_table
    sensors = list[SensorView]()
    for wager, failed in zip(table.wagers, tabulator.dark, strict=True):
        name = wager_name(facts, wager.wager)
        disabled_reason = snapshot.dark.get(wager.wager, "")
        sensors.append(SensorView(f"covered-{wager.sensor}", name, wager.sensor, disabled_reason, frozenset(failed)))
        if wager.lammer_amount is not None:
            lammer_sensor = wager.lammer_sensor
            field = f"lammers-{wager.sensor}" if lammer_sensor is None else f"covered-{lammer_sensor}"
            label = f"{name}: lammer for {format_cents(wager.lammer_amount)}"
            sensors.append(SensorView(field, label, 0, disabled_reason, frozenset()))
    of_this_round = tabulator.round is not None and state.live is not None and tabulator.round.round == state.round
    marks = (lit_lights, lammers_for_failed_lights, wagers_left_on_layout)
    lit, lammers, stay = (
        frozenset((mark.position, mark.sensor) for mark in (lit_mark(tabulator) if of_this_round else ()))
        for lit_mark in marks
    )
    return TabulatorView(
        name=f"{table.model.name} {tabulator.unit}",
        sensors=tuple(sensors),
        lit=lit,
        lammers=lammers,
        stay=stay,
        counters=tabulator.counters,
        broken=tabulator.broken or "",
        closed=unit.closed,
        is_automatic=snapshot.in_the_books
        or bool(unit.closed)
        or (tabulator.broken is None and table.model.data_logger),
    )


def build_seats(snapshot: DealerTableView, unit: TabulatorView | None) -> tuple[ConsoleSeatView, ...]:
    """The positions in play, in the order of the deal."""
    live, paying = snapshot.state.live, snapshot.paying
    if live is None or paying is None:
        return ()
    facts = snapshot.state.game.facts
    by_seat, entered_seats = {payment.seat: payment for payment in paying.seats}, typed_seats(live)
    lit = {position for position, _ in unit.lit} if unit else set[int]()
    return tuple(
        ConsoleSeatView(
            seat,
            seat in entered_seats,
            by_seat.get(seat),
            tuple(payment for payment in paying.missing if payment.startswith(f"Seat {seat}'s ")),
            seat in lit,
            tuple(
                (wager_name(facts, payment.wager), describe_claim(payment))
                for payment in snapshot.claims
                if payment.seat == seat
            ),
            frozenset(
                payment.wager
                for payment in snapshot.claims
                if payment.seat == seat and not payment.outcome.can_be_claimed_again
            ),
        )
        for seat in live.positions
    )


def describe_wait(claim: SeatClaim) -> str:
    """Who must verify a locked prize: another person than the dealer and the claimer, and surveillance if it is
    large."""
    surveillance_text = " and surveillance checks it" if claim.needs_surveillance else ""
    return f"is locked until a person other than {' and '.join(claim.who)} verifies it{surveillance_text}"


def describe_claim(claim: SeatClaim) -> str:
    """The outcome of a claim."""
    cents, user = format_cents(claim.cents), " and ".join(claim.who)
    match claim.outcome:
        case ClaimOutcome.PAID_IMMEDIATELY:
            return f"Claimed. Pay {cents} now."
        case ClaimOutcome.PENDING:
            return f"Claimed. {cents} {describe_wait(claim)}."
        case ClaimOutcome.PAID:
            return f"Paid: {cents}, verified by {user}."
        case ClaimOutcome.REFUSED:
            return f"Refused by {user}: {claim.why}."
        case ClaimOutcome.REVERSED:
            return f"Reversed by {user}: {claim.why}."


def console_variables(card_room: CardRoom, table: str) -> dict[str, Any]:
    """The variables of the page of a live table."""
    snapshot = card_room.view_live_table(table)
    state, live = snapshot.state, snapshot.state.live
    facts = state.game.facts
    unit = build_tabulator(snapshot)
    steps = build_steps(state)
    return {
        "table": table,
        "state": state,
        "describe_chips": describe_chips,
        "facts": facts,
        "live": live,
        "steps": steps,
        "due": [step for step in steps if step.state == "now"],
        "complete": live is not None and is_complete(state, live),
        "unit": unit,
        "is_counted": snapshot.in_the_books,
        "seats": build_seats(snapshot, unit),
        "contradictions": snapshot.paying.astray if snapshot.paying else (),
        "not_final": snapshot.paying.not_final if snapshot.paying else (),
        "limit": limited_wager_names(state.open_table.table),
        "meters": build_meters(snapshot),
        "positions": range(1, state.open_table.table.seats + 1),
        "playing": live.positions if live else last_positions(card_room, state),
        "stake_name": lambda payment: stake_name(facts, payment.spot, payment.stake),
        "sentence": describe_round(state, steps),
    }


def last_positions(card_room: CardRoom, state: TableState) -> tuple[int, ...]:
    """The positions of the last round, as the initial selection."""
    past_round = card_room.find_live_round(state.last_round) if state.last_round else None
    return past_round.live.positions if past_round else ()


def describe_round(state: TableState, steps: tuple[StepView, ...]) -> str:
    """The state of the round, and the dealer's next step."""
    if state.closed:
        return f"The table is closed: {state.closed}."
    if state.live is None:
        return (
            f"Paused: {state.paused}."
            if state.paused
            else f"Select the positions in play and begin round {state.round}."
        )
    now = next((step for step in steps if step.state == "now"), None)
    if now is None:
        return f"Every step of round {state.round} is done. End the round."
    return f"Round {state.round}, dealt by {state.live.dealer}. Now: {now.title.lower()}."
