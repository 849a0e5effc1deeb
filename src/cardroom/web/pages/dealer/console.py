"""What the console shows: the procedure with the present step, the tabulator with its lights, take or pay by seat."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cardroom.floor import Floor
from cardroom.floor.desks.live_looks import LiveLook
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.round_claims import Became, SeatClaim
from cardroom.floor.live.limit_shares import covered_names
from cardroom.floor.live.paying import SeatTakeOrPay
from cardroom.floor.live.steps import is_complete, steps_due, steps_of
from cardroom.floor.live.typing import typed_seats
from cardroom.games.money import describe_chips, format_cents
from cardroom.games.procedure import ProcedureStep, StepKind
from cardroom.games.view import humanize_slug, stake_name, wager_name
from cardroom.jackpots.tabulator.replay import lammers_in_place_of_lights, lights, stay_on_layout

DONE: Final = {
    StepKind.WAGERS: "The wagers are down",
    StepKind.TABULATE: "Tabulate",
    StepKind.DEAL: "Dealt",
    StepKind.DECIDE: "All have decided",
    StepKind.REVEAL: "Revealed",
    StepKind.PAY: "Taken and paid",
    StepKind.TAKE_OR_PAY: "Taken and paid",
    StepKind.COLLECT: "Collected",
}
"""What the dealer says when a step is done."""


class ShownStep(NamedTuple):
    """A step of the procedure."""

    step: ProcedureStep
    title: str
    done: str
    state: str
    """``taken``, ``now``, ``passed`` over, or still ``ahead``."""


class ShownMeter(NamedTuple):
    """A jackpot of the table."""

    name: str
    cents: int
    dark: str
    """Why nobody can wager on it now; empty where everybody can."""


class ShownSensor(NamedTuple):
    """A sensor that every position has."""

    field: str
    """What the form calls the positions that it sees."""
    name: str
    number: int
    dark: str
    """Why nobody can make the wager; empty where everybody can."""
    failed: frozenset[int]
    """The positions whose light has failed."""


class ShownUnit(NamedTuple):
    """The table's tabulator."""

    name: str
    sensors: tuple[ShownSensor, ...]
    lit: frozenset[tuple[int, int]]
    """Lights that are on, by position and sensor."""
    lammers: frozenset[tuple[int, int]]
    """Where a lammer stands in for a light that has failed."""
    stay: frozenset[tuple[int, int]]
    counters: tuple[int, ...]
    broken: str
    closed: str
    by_itself: bool
    """Whether the unit itself tells what it counts, so that nobody says it here."""


class ShownSeat(NamedTuple):
    """A position that plays."""

    seat: int
    typed: bool
    paying: SeatTakeOrPay | None
    missing: tuple[str, ...]
    lit: bool
    claims: tuple[tuple[str, str], ...]
    """By wager, what has become of each claim, in a sentence."""
    claimed: frozenset[str]
    """The wagers that are claimed: not again, unless they were refused."""


def steps_shown(state: FeltState) -> tuple[ShownStep, ...]:
    """Every step, with what has become of it."""
    live, steps = state.live, steps_of(state)
    due = {one.name for one in steps_due(state, live)} if live else set[str]()
    now = next(iter(steps_due(state, live)), None) if live else None
    shown, reached = list[ShownStep](), False
    for one in steps:
        reached = reached or one == now
        taken = live is not None and one.name in live.taken
        was = "taken" if taken else "now" if one == now else "ahead" if reached or live is None else "passed"
        shown.append(
            ShownStep(one, humanize_slug(one.name), DONE[one.kind], was if one.name not in due or taken else "now")
        )
    return tuple(shown)


def meters_shown(look: LiveLook) -> tuple[ShownMeter, ...]:
    """What the jackpots show, and which of those on the layout take no wagers."""
    facts, spots = look.state.game.facts, look.state.at.table.spots
    there = {spots[spot].wager.slug: cents for spot, cents in look.meters.items()}
    there |= {offered.wager.slug: 0 for offered in spots.values() if offered.wager.slug in look.dark}
    return tuple(ShownMeter(wager_name(facts, slug), cents, look.dark.get(slug, "")) for slug, cents in there.items())


def unit_shown(look: LiveLook) -> ShownUnit | None:
    """The tabulator, with the lights of the present round."""
    unit, state = look.unit, look.state
    if unit is None:
        return None
    tabulator, facts = unit.tabulator, state.game.facts
    table = unit.playing
    sensors = list[ShownSensor]()
    for wager, failed in zip(table.wagers, tabulator.dark, strict=True):
        name = wager_name(facts, wager.wager)
        dark = look.dark.get(wager.wager, "")
        sensors.append(ShownSensor(f"covered-{wager.sensor}", name, wager.sensor, dark, frozenset(failed)))
        if wager.lammer_amount is not None:
            seen = wager.lammer_sensor
            field = f"lammers-{wager.sensor}" if seen is None else f"covered-{seen}"
            words = f"{name}: lammer for {format_cents(wager.lammer_amount)}"
            sensors.append(ShownSensor(field, words, 0, dark, frozenset()))
    of_this_round = tabulator.round is not None and state.live is not None and tabulator.round.round == state.round
    marks = (lights, lammers_in_place_of_lights, stay_on_layout)
    lit, lammers, stay = (
        frozenset((mark.position, mark.sensor) for mark in (shown(tabulator) if of_this_round else ()))
        for shown in marks
    )
    return ShownUnit(
        name=f"{table.model.name} {tabulator.unit}",
        sensors=tuple(sensors),
        lit=lit,
        lammers=lammers,
        stay=stay,
        counters=tabulator.counters,
        broken=tabulator.broken or "",
        closed=unit.closed,
        by_itself=look.in_the_books or bool(unit.closed) or (tabulator.broken is None and table.model.data_logger),
    )


def seats_shown(look: LiveLook, unit: ShownUnit | None) -> tuple[ShownSeat, ...]:
    """The positions that play, in the order of the deal."""
    live, paying = look.state.live, look.paying
    if live is None or paying is None:
        return ()
    facts = look.state.game.facts
    by_seat, typed = {one.seat: one for one in paying.seats}, typed_seats(live)
    lit = {position for position, _ in unit.lit} if unit else set[int]()
    return tuple(
        ShownSeat(
            seat,
            seat in typed,
            by_seat.get(seat),
            tuple(one for one in paying.missing if one.startswith(f"Seat {seat}'s ")),
            seat in lit,
            tuple((wager_name(facts, one.wager), claim_told(one)) for one in look.claims if one.seat == seat),
            frozenset(one.wager for one in look.claims if one.seat == seat and not one.became.may_be_claimed_again),
        )
        for seat in live.positions
    )


def waits_for(claim: SeatClaim) -> str:
    """Whom a locked prize waits for: one more than who dealt and claimed, and the surveillance where it is large."""
    watched = ", and the surveillance has checked it" if claim.watched else ""
    return f"is locked until somebody other than {' and '.join(claim.who)} has verified it{watched}"


def claim_told(claim: SeatClaim) -> str:
    """What has become of a claim."""
    cents, who = format_cents(claim.cents), " and ".join(claim.who)
    match claim.became:
        case Became.PAID_AT_ONCE:
            return f"Claimed: pay {cents} at once."
        case Became.WAITS:
            return f"Claimed: {cents} {waits_for(claim)}."
        case Became.PAID:
            return f"Paid: {cents}, verified by {who}."
        case Became.REFUSED:
            return f"Refused by {who}: {claim.why}."
        case Became.TAKEN_BACK:
            return f"Taken back by {who}: {claim.why}."


def console(floor: Floor, table: str) -> dict[str, Any]:
    """Everything that the page of a live table draws."""
    look = floor.live_look(table)
    state, live = look.state, look.state.live
    facts = state.game.facts
    unit = unit_shown(look)
    steps = steps_shown(state)
    return {
        "table": table,
        "state": state,
        "chip_words": describe_chips,
        "facts": facts,
        "live": live,
        "steps": steps,
        "due": [one for one in steps if one.state == "now"],
        "complete": live is not None and is_complete(state, live),
        "unit": unit,
        "in_the_books": look.in_the_books,
        "seats": seats_shown(look, unit),
        "astray": look.paying.astray if look.paying else (),
        "not_final": look.paying.not_final if look.paying else (),
        "limit": covered_names(state.at.table),
        "meters": meters_shown(look),
        "positions": range(1, state.at.table.seats + 1),
        "playing": live.positions if live else last_positions(floor, state),
        "stake_name": lambda payment: stake_name(facts, payment.spot, payment.stake),
        "sentence": sentence(state, steps),
    }


def last_positions(floor: Floor, state: FeltState) -> tuple[int, ...]:
    """Who played in the last round: most of them play on."""
    past = floor.past_live_round(state.last_round) if state.last_round else None
    return past.live.positions if past else ()


def sentence(state: FeltState, steps: tuple[ShownStep, ...]) -> str:
    """What is going on, and what the dealer does now."""
    if state.closed:
        return f"The table is closed: {state.closed}."
    if state.live is None:
        return f"Paused: {state.paused}." if state.paused else f"Say who plays, and begin round {state.round}."
    now = next((one for one in steps if one.state == "now"), None)
    if now is None:
        return f"Every step of round {state.round} is taken: end it."
    return f"Round {state.round}, dealt by {state.live.dealer}. Now: {now.title.lower()}."
