"""A jackpot goes into service and out of it: opened, joined by tables, disabled and enabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardroom.accounts import CENT, Currency
from cardroom.errors import BadInput
from cardroom.games import SetupFault, TableSetup
from cardroom.games.money import format_cents
from cardroom.jackpots.happenings import (
    Happening,
    JackpotDisabled,
    JackpotEnabled,
    JackpotOpened,
    TableJoined,
    TableLeft,
)
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.people import named
from cardroom.jackpots.setup.faults import FaultyInput
from cardroom.jackpots.setup.jackpot import JackpotKind, jackpot_setup_entry
from cardroom.jackpots.setup.opening import Jackpot

MOST_JACKPOTS_A_TABLE = 2


class BadService(BadInput):
    """A jackpot that cannot be used like that."""


class CannotJoin(FaultyInput):
    """A table that cannot be on a jackpot; ``faults`` has every reason."""

    beginning = "Table {table} cannot be on the jackpot."


def open_for_play(jackpot: Jackpot, *, who: str) -> tuple[Happening, ...]:
    """Open a jackpot: the house seeds a progressive."""
    progressive = jackpot.kind is JackpotKind.PROGRESSIVE
    seeds = {level.name: level.seed * CENT for level in jackpot.setup.levels if progressive and level.seed}
    opener = named(who, "name of the person who opens it")
    return (JackpotOpened(jackpot.id, jackpot_setup_entry(jackpot.setup), seeds, opener),)


def join_table(
    state: JackpotState,
    table: str,
    setup: TableSetup,
    location: str,
    others: Sequence[JackpotState] = (),
    *,
    who: str,
    money: Currency = Currency.REAL,
) -> tuple[Happening, ...]:
    """Put a table on the jackpot. ``others`` are the jackpots that the table is on already; ``money`` is what it plays
    for."""
    if table in state.tables:
        raise BadService(f"Table {table} is on jackpot {state.id} already.")
    refuse_if_not_linkable(state, table, setup, location, others, money=money)
    return (TableJoined(state.id, table, named(who, "name")),)


def refuse_if_not_linkable(
    state: JackpotState,
    table: str,
    setup: TableSetup,
    location: str,
    others: Sequence[JackpotState] = (),
    *,
    money: Currency = Currency.REAL,
) -> None:
    """Refuse a table that cannot be on the jackpot, with all the reasons."""
    faults = tuple(linking_faults(state, setup, location, others, played_for=money))
    if faults:
        raise CannotJoin(faults, table=table)


def linking_faults(
    state: JackpotState,
    setup: TableSetup,
    location: str,
    others: Sequence[JackpotState] = (),
    *,
    played_for: Currency = Currency.REAL,
) -> list[SetupFault]:
    """Why a table cannot be on a jackpot: another game, place, law, money, paytable or wager, or too many jackpots."""
    jackpot, faults = state.jackpot, []
    if played_for is not state.money:
        sentence = (
            f"The table plays for {played_for.label}, the jackpot for {state.money.label}: the two never meet. Link it "
            "to a jackpot of its own money."
        )
        faults.append(SetupFault("money", sentence, "BJ-49"))
    if location != jackpot.setup.location:
        sentence = f"It stands in {location!r}, the jackpot in {jackpot.setup.location!r}: a meter has one location."
        faults.append(SetupFault("location", sentence, "BJ-10"))
    if setup.jurisdiction != jackpot.setup.jurisdiction:
        sentence = (
            f"The table is under {setup.jurisdiction!r}, the jackpot under {jackpot.setup.jurisdiction!r}: give both "
            "the same jurisdiction."
        )
        faults.append(SetupFault("jurisdiction", sentence, "set-up"))
    if state.removed:
        faults.append(SetupFault("jackpot", f"Jackpot {state.id} was removed.", "BJ-5"))
    if len(others) >= MOST_JACKPOTS_A_TABLE:
        ids = " and ".join(other.id for other in others)
        faults.append(SetupFault("jackpots", f"A table has at most two jackpots; it is on {ids}.", "BJ-2"))
    for other in others:
        if other.kind is not state.kind:
            sentence = f"{state.id} is a {state.kind}, {other.id} a {other.kind}: a table has jackpots of one kind."
            faults.append(SetupFault("jackpots", sentence, "BJ-2"))
    offer = jackpot.offers.get(setup.game)
    if offer is None:
        sentence = f"It is a table of {setup.game}, the jackpot is for {', '.join(jackpot.offers)}."
        return [*faults, SetupFault("game", sentence, "BJ-10")]
    slug = offer.wager.slug
    for other in others:
        theirs = other.jackpot.offers.get(setup.game)
        if theirs and theirs.wager.slug == slug:
            sentence = f"{slug} belongs to jackpot {other.id} already: one jackpot a wager and sensor."
            faults.append(SetupFault(slug, sentence, "rule sheet"))
    wager = setup.wagers.get(slug)
    if wager is None:
        return [*faults, SetupFault(slug, "The table does not offer the jackpot's wager.", "set-up")]
    if wager.paytable != offer.paytable.name:
        sentence = f"The table pays {wager.paytable!r}, the jackpot {offer.paytable.name!r}: they must be the same."
        faults.append(SetupFault(slug, sentence, "BJ-10"))
    if (wager.limits.minimum, wager.limits.maximum) != (state.wagers[0], state.wagers[-1]):
        span = " to ".join(format_cents(cents) for cents in dict.fromkeys((state.wagers[0], state.wagers[-1])))
        faults.append(SetupFault(slug, f"The jackpot's wager is {span}; the table has other limits.", "BJ-6"))
    return faults


def with_displayed_bonuses(setup: TableSetup, jackpots: Sequence[JackpotState]) -> TableSetup:
    """A table's set-up with the operator's amounts that its jackpots display."""
    wagers = dict(setup.wagers)
    for state in jackpots:
        for offer in state.setup["offers"]:
            if offer["game"] == setup.game and offer["wager"] in wagers:
                wagers[offer["wager"]] = replace(wagers[offer["wager"]], bonuses=dict(offer["bonuses"]))
    return replace(setup, wagers=wagers)


def leave_table(state: JackpotState, table: str, *, who: str) -> tuple[Happening, ...]:
    """Take a table off the jackpot."""
    if table not in state.tables:
        raise BadService(f"Table {table} is not on jackpot {state.id}.")
    return (TableLeft(state.id, table, named(who, "name")),)


def disable_jackpot(state: JackpotState, *, who: str, why: str) -> tuple[Happening, ...]:
    """The jackpot shows as unavailable, does not grow and cannot be won."""
    if state.disabled:
        raise BadService(f"Jackpot {state.id} is disabled already: {state.disabled}.")
    return (JackpotDisabled(state.id, named(who, "name"), named(why, "reason")),)


def enable_jackpot(state: JackpotState, *, who: str) -> tuple[Happening, ...]:
    """The jackpot comes back as it was."""
    if not state.disabled:
        if state.short:
            raise BadService(
                f"Jackpot {state.id} is closed because its bank account is short, and is not disabled: make the "
                f"shortage good, then cardroom jackpot reconcile {state.id}."
            )
        raise BadService(f"Jackpot {state.id} is not disabled.")
    return (JackpotEnabled(state.id, named(who, "name")),)
