"""Decisions of a jackpot's life: open, link and unlink tables, disable, enable, change parameters, remove.

A change that players would lose by waits for the reset; improvements apply at once (BJ-16). A bonus jackpot is the
house's money: the house may change or remove it at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from cardroom.chart_of_accounts import CENT, Currency
from cardroom.errors import BadInput
from cardroom.games import SetupFault, TableSetup
from cardroom.games.money import format_cents
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.events import (
    BonusChanged,
    ChangeApplied,
    ChangeRequested,
    JackpotDisabled,
    JackpotEnabled,
    JackpotOpened,
    JackpotRemoved,
    TableLinked,
    TableUnlinked,
)
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.setup.jackpot import (
    JackpotKind,
    MeterParameters,
    jackpot_setup_from_mapping,
    jackpot_setup_to_mapping,
)
from cardroom.room.setup.jackpot_validation import Jackpot, validate_jackpot
from cardroom.room.setup.toml_reader import InvalidSetup, SetupSection

MOST_JACKPOTS_A_TABLE = 2


class BadService(BadInput):
    """A step in a jackpot's life that is not possible now."""


class CannotLinkJackpot(InvalidSetup):
    """A table that cannot be linked to a jackpot; ``faults`` has every reason."""

    beginning = "Table {table} cannot be linked to the jackpot:"


def open_new_jackpot(jackpot: Jackpot, *, who: str) -> tuple[DomainEvent, ...]:
    """Open a jackpot: the house seeds a progressive."""
    progressive = jackpot.kind is JackpotKind.PROGRESSIVE
    seeds = {level.name: level.seed * CENT for level in jackpot.setup.levels if progressive and level.seed}
    opener = require_text(who, "name of the person who opens it")
    return (JackpotOpened(jackpot.id, jackpot_setup_to_mapping(jackpot.setup), seeds, opener),)


def link_table(
    state: JackpotState,
    table: str,
    setup: TableSetup,
    location: str,
    other_jackpots: Sequence[JackpotState] = (),
    *,
    who: str,
    money: Currency = Currency.REAL,
) -> tuple[DomainEvent, ...]:
    """Link a table to the jackpot. ``other_jackpots`` are the jackpots that the table is linked to already; ``money``
    is the table's currency."""
    if table in state.tables:
        raise BadService(f"Table {table} is already linked to jackpot {state.id}.")
    refuse_if_not_linkable(state, table, setup, location, other_jackpots, money=money)
    return (TableLinked(state.id, table, require_text(who, "name")),)


def refuse_if_not_linkable(
    state: JackpotState,
    table: str,
    setup: TableSetup,
    location: str,
    other_jackpots: Sequence[JackpotState] = (),
    *,
    money: Currency = Currency.REAL,
) -> None:
    """Refuse a table that cannot be linked to the jackpot, with all reasons."""
    faults = tuple(find_linking_faults(state, setup, location, other_jackpots, currency=money))
    if faults:
        raise CannotLinkJackpot(faults, table=table)


def find_linking_faults(
    state: JackpotState,
    setup: TableSetup,
    location: str,
    other_jackpots: Sequence[JackpotState] = (),
    *,
    currency: Currency = Currency.REAL,
) -> list[SetupFault]:
    """Why a table cannot be linked to a jackpot: another game, location, jurisdiction, currency, paytable, or wager,
    or too many jackpots."""
    jackpot, faults = state.jackpot, []
    if currency is not state.money:
        sentence = (
            f"The table is for {currency.label}, the jackpot for {state.money.label}: link the table to a jackpot for "
            f"{currency.label}."
        )
        faults.append(SetupFault("money", sentence, "BJ-49"))
    if location != jackpot.setup.location:
        sentence = f"The table is in {location!r}, the jackpot in {jackpot.setup.location!r}: a meter has one location."
        faults.append(SetupFault("location", sentence, "BJ-10"))
    if setup.jurisdiction != jackpot.setup.jurisdiction:
        sentence = (
            f"The table is under {setup.jurisdiction!r}, the jackpot under {jackpot.setup.jurisdiction!r}: give both "
            "the same jurisdiction."
        )
        faults.append(SetupFault("jurisdiction", sentence, "setup"))
    if state.removed:
        faults.append(SetupFault("jackpot", f"Jackpot {state.id} was removed.", "BJ-5"))
    if len(other_jackpots) >= MOST_JACKPOTS_A_TABLE:
        ids = " and ".join(linked_jackpot.id for linked_jackpot in other_jackpots)
        faults.append(SetupFault("jackpots", f"A table has at most two jackpots; it is on {ids}.", "BJ-2"))
    for linked_jackpot in other_jackpots:
        if linked_jackpot.kind is not state.kind:
            sentence = (
                f"{state.id} is a {state.kind}, {linked_jackpot.id} a {linked_jackpot.kind}: a table has jackpots of "
                "one kind."
            )
            faults.append(SetupFault("jackpots", sentence, "BJ-2"))
    offer = jackpot.offers.get(setup.game)
    if offer is None:
        sentence = f"The table deals {setup.game}; the jackpot is for {', '.join(jackpot.offers)}."
        return [*faults, SetupFault("game", sentence, "BJ-10")]
    slug = offer.wager.slug
    for linked_jackpot in other_jackpots:
        theirs = linked_jackpot.jackpot.offers.get(setup.game)
        if theirs and theirs.wager.slug == slug:
            sentence = f"{slug} already belongs to jackpot {linked_jackpot.id}: a wager has one jackpot and sensor."
            faults.append(SetupFault(slug, sentence, "rule sheet"))
    wager = setup.wagers.get(slug)
    if wager is None:
        return [*faults, SetupFault(slug, "The table does not offer the jackpot's wager.", "setup")]
    if wager.paytable != offer.paytable.name:
        sentence = f"The table pays {wager.paytable!r}, the jackpot {offer.paytable.name!r}: use the same paytable."
        faults.append(SetupFault(slug, sentence, "BJ-10"))
    if (wager.limits.minimum, wager.limits.maximum) != (state.wagers[0], state.wagers[-1]):
        span = " to ".join(format_cents(cents) for cents in dict.fromkeys((state.wagers[0], state.wagers[-1])))
        faults.append(SetupFault(slug, f"The jackpot's wager is {span}: give the table the same limits.", "BJ-6"))
    return faults


def with_displayed_bonuses(setup: TableSetup, jackpots: Sequence[JackpotState]) -> TableSetup:
    """A table's setup with the operator's bonuses that its jackpots display."""
    wagers = dict(setup.wagers)
    for state in jackpots:
        for offer in state.setup["offers"]:
            if offer["game"] == setup.game and offer["wager"] in wagers:
                wagers[offer["wager"]] = replace(wagers[offer["wager"]], bonuses=dict(offer["bonuses"]))
    return replace(setup, wagers=wagers)


def unlink_table(state: JackpotState, table: str, *, who: str) -> tuple[DomainEvent, ...]:
    """Unlink a table from the jackpot."""
    if table not in state.tables:
        raise BadService(f"Table {table} is not linked to jackpot {state.id}.")
    return (TableUnlinked(state.id, table, require_text(who, "name")),)


def disable_jackpot(state: JackpotState, *, who: str, why: str) -> tuple[DomainEvent, ...]:
    """Disable the jackpot: it shows as unavailable, does not grow, and cannot be won."""
    if state.disabled:
        raise BadService(f"Jackpot {state.id} is already disabled: {state.disabled}.")
    return (JackpotDisabled(state.id, require_text(who, "name"), require_text(why, "reason")),)


def enable_jackpot(state: JackpotState, *, who: str) -> tuple[DomainEvent, ...]:
    """Enable the jackpot as it was."""
    if not state.disabled:
        if state.short:
            raise BadService(
                f"Jackpot {state.id} is not disabled. It is closed because its bank account is short: make the "
                "shortage good, then reconcile the bank statement."
            )
        raise BadService(f"Jackpot {state.id} is not disabled.")
    return (JackpotEnabled(state.id, require_text(who, "name")),)


PROGRESSIVE_PARAMETERS: Final = MeterParameters._fields
BONUS_PARAMETERS: Final = ("seed", "minimum")


class BadParameterChange(BadInput):
    """A change of parameters that is not possible."""


def change_parameters(
    state: JackpotState, level: str, changes: Mapping[str, str], *, who: str, second: str, why: str
) -> tuple[DomainEvent, ...]:
    """Change a level's ``contribution``, ``reserve``, ``seed``, ``ceiling``, or ``minimum``, written as in a setup
    file; a ceiling of ``none`` removes it. If players would lose by one change, all of them wait for the reset. An
    earlier waiting change keeps waiting. To withdraw it, request the value in force; an improvement of the same
    parameter supersedes it."""
    meter = state.meter(level)
    current, waiting = meter.parameters, state.waiting_change(level)
    after = _changed_parameters(state, current, changes)
    at_the_reset = _changed_parameters(state, waiting.after, changes) if waiting else after
    for parameters in (after, at_the_reset):
        _refuse_impossible(state, meter, parameters)
    changer, second_name = require_two_people(who, second, "a change of parameters")
    reason = require_text(why, "reason")
    waits = state.kind is JackpotKind.PROGRESSIVE and is_loss_for_players(current, after)
    if waits or after == current:
        return (ChangeRequested(state.id, level, current, at_the_reset, changer, reason, second_name),)
    waiting_change = waiting._replace(after=at_the_reset) if waiting and at_the_reset != after else None
    given_up = waiting.after if waiting and any(_superseded_parameters(current, waiting.after, at_the_reset)) else None
    return (
        ChangeApplied(
            state.id,
            level,
            current,
            after,
            changer,
            reason,
            claim=None,
            waiting=waiting_change,
            second=second_name,
            given_up=given_up,
        ),
    )


def _superseded_parameters(
    current: MeterParameters, waiting_parameters: MeterParameters, reset_parameters: MeterParameters
) -> Iterator[str]:
    """The parameters whose waiting value differs from the value that they get now or at the reset."""
    for name, before, waiting_value, value_at_reset in zip(
        current._fields, current, waiting_parameters, reset_parameters, strict=True
    ):
        if before != waiting_value != value_at_reset:
            yield name


def _changed_parameters(state: JackpotState, current: MeterParameters, changes: Mapping[str, str]) -> MeterParameters:
    parameter_names = BONUS_PARAMETERS if state.kind is JackpotKind.BONUS else PROGRESSIVE_PARAMETERS
    unknown = sorted(set(changes) - set(parameter_names))
    if unknown or not changes:
        raise BadParameterChange(
            f"{', '.join(unknown) or 'Nothing'} cannot be changed on a {state.kind} jackpot. You can change "
            f"{', '.join(parameter_names)}."
        )
    section = SetupSection(changes, "the change")
    ceiling = current.ceiling
    if "ceiling" in changes:
        ceiling = None if changes["ceiling"] == "none" else section.amount("ceiling") * CENT
    return MeterParameters(
        contribution=section.rate("contribution", current.contribution),
        reserve=section.rate("reserve", current.reserve),
        seed=section.amount("seed", current.seed // CENT) * CENT,
        ceiling=ceiling,
        minimum=section.amount("minimum", current.minimum),
    )


def is_loss_for_players(current: MeterParameters, after: MeterParameters) -> bool:
    """Whether players who have contributed would lose by a change."""
    return (
        after.contribution < current.contribution
        or after.reserve > current.reserve
        or after.seed < current.seed
        or after.minimum > current.minimum
        or (after.ceiling is not None and (current.ceiling is None or after.ceiling < current.ceiling))
    )


def _refuse_impossible(state: JackpotState, meter: Meter, after: MeterParameters) -> None:
    if state.removed or (state.disabled and state.kind is JackpotKind.PROGRESSIVE):
        raise BadParameterChange(f"Jackpot {state.id} is unavailable: its parameters cannot be changed.")
    if state.kind is JackpotKind.PROGRESSIVE and state.pending_on(meter.name):
        raise BadParameterChange(
            f"A prize of level {meter.name} is pending: pay or refuse the claim before you change the parameters."
        )
    if after.ceiling is not None and after.ceiling < meter.display:
        raise BadParameterChange(
            f"The ceiling of {format_cents(after.ceiling // CENT)} is below the "
            f"{format_cents(meter.displayed_cents)} that "
            f"level {meter.name} "
            "shows: enter a higher ceiling."
        )
    other_rates = [_highest_rate(state, other_meter) for other_meter in state.meters if other_meter.name != meter.name]
    total = sum(other_rates, after.contribution + after.reserve)
    grows = after.contribution > 0 or state.kind is JackpotKind.BONUS
    if total > 1 or after.reserve < 0 or not grows:
        raise BadParameterChange(
            "The contribution is above zero, the reserve is not below zero, and all levels together take at most the "
            "whole wager."
        )
    if state.kind is JackpotKind.BONUS and not after.seed:
        raise BadParameterChange("A bonus jackpot shows an amount above zero: to offer no bonus, remove the jackpot.")
    if after.ceiling is not None and after.ceiling <= after.seed:
        raise BadParameterChange("The ceiling must be above the reset value.")
    _refuse_unpaid_event(state, meter, after)


def _highest_rate(state: JackpotState, meter: Meter) -> Fraction:
    """The highest share that a level takes of each wager, now or after a waiting change."""
    waiting = state.waiting_change(meter.name)
    terms = (meter.parameters, waiting.after) if waiting else (meter.parameters,)
    return max(parameters.contribution + parameters.reserve for parameters in terms)


def _refuse_unpaid_event(state: JackpotState, meter: Meter, after: MeterParameters) -> None:
    """Require a level that pays each trigger for the smallest wager, now and after a waiting change."""
    levels = state.setup["levels"]
    waiting = {change.level: change.after.minimum for change in state.waiting}
    minimums = {change.name: max(change.parameters.minimum, waiting.get(change.name, 0)) for change in state.meters}
    minimums[meter.name] = after.minimum
    for event in {event for level in levels for event in level["pays"]}:
        least = min(minimums[level["name"]] for level in levels if event in level["pays"])
        if least > state.wagers[0]:
            raise BadParameterChange(
                f"With a minimum of {format_cents(after.minimum)}, no level pays {event!r} for a wager of "
                f"{format_cents(state.wagers[0])}: enter a lower minimum."
            )


def change_bonus(
    state: JackpotState, game: str, event: str, amount: str, *, who: str, second: str, why: str
) -> tuple[DomainEvent, ...]:
    """Change the operator's fixed bonus on a paytable line, such as ``"$5,000"``: it is the house's money."""
    offers = [dict(offer) for offer in state.setup["offers"]]
    offer = next((candidate for candidate in offers if candidate["game"] == game), None)
    if offer is None or event not in offer["bonuses"]:
        raise BadParameterChange(f"Jackpot {state.id} has no operator's bonus for {event!r} in {game}.")
    offer["bonuses"] = offer["bonuses"] | {event: amount}
    after = state.setup | {"offers": offers}
    validate_jackpot(jackpot_setup_from_mapping(after))
    before = state.jackpot.setup
    if "%" in amount + next(candidate.bonuses[event] for candidate in before.offers if candidate.game == game):
        raise BadParameterChange(
            f"{event!r} pays a share of a meter, which is the players' money: it is not a bonus that you can change."
        )
    changer, second_name = require_two_people(who, second, "a change of the operator's bonus")
    return (BonusChanged(state.id, game, event, state.setup, after, changer, require_text(why, "reason"), second_name),)


def remove_jackpot(state: JackpotState, *, who: str, second: str, why: str) -> tuple[DomainEvent, ...]:
    """Remove a bonus jackpot; pending prizes are still paid."""
    if state.kind is JackpotKind.PROGRESSIVE:
        raise BadParameterChange(
            f"Jackpot {state.id} is a progressive and holds the players' money: it cannot be removed."
        )
    if state.removed:
        raise BadParameterChange(f"Jackpot {state.id} is already removed.")
    remover, second_name = require_two_people(who, second, "the removal of a jackpot")
    return (JackpotRemoved(state.id, remover, require_text(why, "reason"), second_name),)
