"""Changes of what an operator set. What players would lose by waits for the reset; improvements apply at once (BJ-16).

A bonus jackpot is the house's own: its amounts change, and it goes, at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from cardroom.accounts import CENT
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.jackpots.happenings import BonusChanged, ChangeApplied, ChangeRequested, Happening, JackpotRemoved
from cardroom.jackpots.meter.state import JackpotState, Meter
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.setup.jackpot import JackpotKind, jackpot_setup_from
from cardroom.jackpots.setup.opening import open_jackpot
from cardroom.jackpots.setup.parameters import Parameters
from cardroom.jackpots.setup.reading import Section

PROGRESSIVE_PARAMETERS: Final = Parameters._fields
BONUS_PARAMETERS: Final = ("seed", "minimum")


class BadChange(BadInput):
    """A change that the jackpot cannot have."""


def change_parameters(
    state: JackpotState, level: str, changes: Mapping[str, str], *, who: str, second: str, why: str
) -> tuple[Happening, ...]:
    """Change a level's ``contribution``, ``reserve``, ``seed``, ``ceiling`` or ``minimum``, written as in a set-up; a
    ceiling of ``none`` takes it away. All of them wait for the reset when players would lose by one. What waits already
    goes on waiting beside an improvement, and together with another change that waits; asking for what is in force
    takes it back, and an improvement of the same parameter gives it up."""
    meter = state.meter(level)
    now, waiting = meter.parameters, state.waiting_for(level)
    after = _changed(state, now, changes)
    at_the_reset = _changed(state, waiting.after, changes) if waiting else after
    for wanted in (after, at_the_reset):
        _refuse_if_not_possible(state, meter, wanted)
    changer, other = two_people(who, second, "a change of what the operator set")
    reason = named(why, "reason")
    waits = state.kind is JackpotKind.PROGRESSIVE and players_lose(now, after)
    if waits or after == now:
        return (ChangeRequested(state.id, level, now, at_the_reset, changer, reason, other),)
    kept = waiting._replace(after=at_the_reset) if waiting and at_the_reset != after else None
    given_up = waiting.after if waiting and any(_given_up(now, waiting.after, at_the_reset)) else None
    return (
        ChangeApplied(
            state.id, level, now, after, changer, reason, claim=None, waiting=kept, second=other, given_up=given_up
        ),
    )


def _given_up(now: Parameters, waited: Parameters, at_the_reset: Parameters) -> Iterator[str]:
    """The parameters that waited for another value than they get now, or at the reset."""
    for name, before, wanted, then in zip(now._fields, now, waited, at_the_reset, strict=True):
        if before != wanted != then:
            yield name


def _changed(state: JackpotState, now: Parameters, changes: Mapping[str, str]) -> Parameters:
    known = BONUS_PARAMETERS if state.kind is JackpotKind.BONUS else PROGRESSIVE_PARAMETERS
    unknown = sorted(set(changes) - set(known))
    if unknown or not changes:
        raise BadChange(
            f"{', '.join(unknown) or 'Nothing'} cannot be changed on a {state.kind} jackpot: change {', '.join(known)}."
        )
    section = Section(changes, "the change")
    ceiling = now.ceiling
    if "ceiling" in changes:
        ceiling = None if changes["ceiling"] == "none" else section.amount("ceiling") * CENT
    return Parameters(
        contribution=section.rate("contribution", now.contribution),
        reserve=section.rate("reserve", now.reserve),
        seed=section.amount("seed", now.seed // CENT) * CENT,
        ceiling=ceiling,
        minimum=section.amount("minimum", now.minimum),
    )


def players_lose(now: Parameters, after: Parameters) -> bool:
    """Whether players who have paid in would lose by a change."""
    return (
        after.contribution < now.contribution
        or after.reserve > now.reserve
        or after.seed < now.seed
        or after.minimum > now.minimum
        or (after.ceiling is not None and (now.ceiling is None or after.ceiling < now.ceiling))
    )


def _refuse_if_not_possible(state: JackpotState, meter: Meter, after: Parameters) -> None:
    if state.removed or (state.disabled and state.kind is JackpotKind.PROGRESSIVE):
        raise BadChange(f"Jackpot {state.id} is unavailable: it comes back with the parameters that it had.")
    if state.kind is JackpotKind.PROGRESSIVE and state.pending_on(meter.name):
        raise BadChange(f"A prize of level {meter.name} is pending: decide it before the parameters are changed.")
    if after.ceiling is not None and after.ceiling < meter.display:
        raise BadChange(
            f"The ceiling of {format_cents(after.ceiling // CENT)} is below the {format_cents(meter.shown)} that "
            f"level {meter.name} "
            "shows: it must be above."
        )
    others = [_most_taken(state, one) for one in state.meters if one.name != meter.name]
    total = sum(others, after.contribution + after.reserve)
    grows = after.contribution > 0 or state.kind is JackpotKind.BONUS
    if total > 1 or after.reserve < 0 or not grows:
        raise BadChange("A contribution is above zero, a reserve not below, and all take the whole wager at most.")
    if state.kind is JackpotKind.BONUS and not after.seed:
        raise BadChange("A bonus jackpot shows an amount above zero: remove it to offer none.")
    if after.ceiling is not None and after.ceiling <= after.seed:
        raise BadChange("The ceiling must be above the value of a reset.")
    _refuse_if_nobody_pays(state, meter, after)


def _most_taken(state: JackpotState, meter: Meter) -> Fraction:
    """What a level takes of each wager, or will take once a waiting change is in force."""
    waiting = state.waiting_for(meter.name)
    terms = (meter.parameters, waiting.after) if waiting else (meter.parameters,)
    return max(one.contribution + one.reserve for one in terms)


def _refuse_if_nobody_pays(state: JackpotState, meter: Meter, after: Parameters) -> None:
    """Every event keeps a level that pays it for the smallest wager, also once a waiting change is in force."""
    levels = state.setup["levels"]
    waiting = {one.level: one.after.minimum for one in state.waiting}
    minimums = {one.name: max(one.parameters.minimum, waiting.get(one.name, 0)) for one in state.meters}
    minimums[meter.name] = after.minimum
    for event in {event for level in levels for event in level["pays"]}:
        least = min(minimums[level["name"]] for level in levels if event in level["pays"])
        if least > state.wagers[0]:
            raise BadChange(
                f"With a minimum of {format_cents(after.minimum)} no level pays {event!r} for a wager of "
                f"{format_cents(state.wagers[0])}."
            )


def change_bonus(
    state: JackpotState, game: str, event: str, amount: str, *, who: str, second: str, why: str
) -> tuple[Happening, ...]:
    """Change the operator's fixed bonus on a line of the table, such as ``"$5,000"``: it is the house's money."""
    offers = [dict(offer) for offer in state.setup["offers"]]
    offer = next((one for one in offers if one["game"] == game), None)
    if offer is None or event not in offer["bonuses"]:
        raise BadChange(f"Jackpot {state.id} has no bonus of the operator for {event!r} in {game}.")
    offer["bonuses"] = offer["bonuses"] | {event: amount}
    after = state.setup | {"offers": offers}
    open_jackpot(jackpot_setup_from(after))
    before = state.jackpot.setup
    if "%" in amount + next(one.bonuses[event] for one in before.offers if one.game == game):
        raise BadChange(f"{event!r} is a share of a meter: that is the players' money and cannot be changed like this.")
    changer, other = two_people(who, second, "a change of the operator's bonus")
    return (BonusChanged(state.id, game, event, state.setup, after, changer, named(why, "reason"), other),)


def remove_jackpot(state: JackpotState, *, who: str, second: str, why: str) -> tuple[Happening, ...]:
    """Remove a bonus jackpot; prizes that are pending are still paid."""
    if state.kind is JackpotKind.PROGRESSIVE:
        raise BadChange(f"Jackpot {state.id} is a progressive: its money is the players', so it cannot be removed.")
    if state.removed:
        raise BadChange(f"Jackpot {state.id} was removed already.")
    remover, other = two_people(who, second, "the removal of a jackpot")
    return (JackpotRemoved(state.id, remover, named(why, "reason"), other),)
