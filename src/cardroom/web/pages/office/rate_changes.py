"""Changes of a jackpot's settings: two people sign, and a change that costs players money waits for the next reset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.room.amount_text import format_amount, format_dollars
from cardroom.room.descriptions.event_phrases import superseded_parameter_texts
from cardroom.room.dual_control import NameMissing
from cardroom.room.jackpot.events import ChangeApplied, ChangeRequested
from cardroom.room.jackpot.lifecycle import BONUS_PARAMETERS, PROGRESSIVE_PARAMETERS, change_parameters
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.setup.jackpot import JackpotKind, MeterParameters, format_setup_rate
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain
from cardroom.web.pages.office.actions import (
    SECOND,
    FormField,
    FormValues,
    OfficeAction,
    perform_action,
    refusal_text,
    require_reason,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound
from cardroom.web.pages.requests import get_app_context

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
REASON_FIELD: Final = FormField(
    "why", "Reason", "In your own words. The ledger keeps it permanently.", parse=require_reason
)
_LABELS: Final = {
    "contribution": ("Contribution", "Part of each wager, to the meter. Such as 20% or 1/8."),
    "reserve": ("Reserve rate", "Part of each wager, to the next reset."),
    "seed": ("Seed", "House money at each reset."),
    "ceiling": ("Ceiling", "The most that it shows. Type none for no ceiling."),
    "minimum": ("Min. wager", "Smaller wagers do not qualify."),
}
_SEED_OF_A_BONUS: Final = ("Displayed amount", "House money. You can change it at any time.")


def parameter_texts(parameters: MeterParameters) -> dict[str, str]:
    """The settings of a level, as a change writes them."""
    return {
        "contribution": format_setup_rate(parameters.contribution),
        "reserve": format_setup_rate(parameters.reserve),
        "seed": format_amount(parameters.seed),
        "ceiling": "none" if parameters.ceiling is None else format_amount(parameters.ceiling),
        "minimum": format_dollars(parameters.minimum),
    }


def _meter(state: JackpotState, level: str) -> Meter:
    match = next((meter for meter in state.meters if meter.name == level), None)
    if match is None:
        names = ", ".join(meter.name for meter in state.meters) or "none"
        raise PageNotFound(f"Jackpot {state.id} has no level {level!r}: it has {names}.")
    return match


def _changes(state: JackpotState, meter: Meter, values: FormValues) -> dict[str, str]:
    """The settings that differ from the current ones."""
    parameter_names = BONUS_PARAMETERS if state.kind is JackpotKind.BONUS else PROGRESSIVE_PARAMETERS
    current = parameter_texts(meter.parameters)
    return {
        name: text for name in parameter_names if (text := values.get(name, current[name]).strip()) != current[name]
    }


def _preview_sentences(state: JackpotState, meter: Meter, values: FormValues) -> tuple[str, ...]:
    """The consequences of the submitted values. A refusal is raised."""
    if not (changes := _changes(state, meter, values)):
        return ("Nothing is changed yet. Type a new value in a field.",)
    (event,) = change_parameters(state, meter.name, changes, who="the first", second="the second", why="preview")
    assert isinstance(event, ChangeRequested | ChangeApplied)
    change_text = "; ".join(_describe_changes(state, event.before, event.after))
    if isinstance(event, ChangeApplied):
        superseded = tuple(
            f"This pending change is dropped: {superseded_text}."
            for superseded_text in superseded_parameter_texts(event.payload)
        )
        return (f"Takes effect at once: {change_text}.", *superseded)
    return (
        (
            f"Takes effect at the next reset of {meter.name}, because players who have paid in would lose by it: "
            f"{change_text}."
        ),
        "The level stays unchanged until it is won. All values that you change now wait together.",
    )


def _describe_changes(state: JackpotState, before: MeterParameters, after: MeterParameters) -> Iterator[str]:
    old_texts, new_texts = parameter_texts(before), parameter_texts(after)
    labels = _labels(state)
    yield from (
        f"{labels[name][0].lower()} {old_texts[name]} to {new_texts[name]}"
        for name in old_texts
        if old_texts[name] != new_texts[name]
    )


def _labels(state: JackpotState) -> dict[str, tuple[str, str]]:
    return _LABELS if state.kind is JackpotKind.PROGRESSIVE else _LABELS | {"seed": _SEED_OF_A_BONUS}


def _rate_action(state: JackpotState, title: str, consequences: tuple[str, ...], button: str) -> OfficeAction:
    to = f"/office/jackpots/{state.id}"
    action = OfficeAction(
        f"{title}: {state.setup['name']}", consequences, button, to, lambda *_: None, needs_second_person=True
    )
    action = action._replace(dual_control_subject="a change of the operator's settings")
    return action._replace(next_page=f"{to}#history", chains=(jackpot_chain(state.id), ROOM_CHAIN))


def _unavailable_reason(state: JackpotState, meter: Meter) -> str:
    """Why no setting of a level can change now; empty otherwise."""
    unchanged = {name: parameter_texts(meter.parameters)[name] for name in ("seed",)}
    return refusal_text(lambda: _try_changes(state, meter, unchanged))


def _try_changes(state: JackpotState, meter: Meter, changes: Mapping[str, str]) -> object:
    return change_parameters(state, meter.name, changes, who="the first", second="the second", why="preview")


def _faults_by_field(state: JackpotState, meter: Meter, values: FormValues) -> dict[str, str]:
    """The refusals of the values that would each be refused alone."""
    changes = _changes(state, meter, values)
    faults = {name: refusal_text(partial(_try_changes, state, meter, {name: text})) for name, text in changes.items()}
    return {name: sentence for name, sentence in faults.items() if sentence}


def _starting_state(state: JackpotState, meter: Meter) -> str:
    """The settings of a level and its pending change."""
    waiting = state.waiting_change(meter.name)
    versions = (meter.parameters, waiting.after if waiting else None)
    return "; ".join(
        " ".join(parameter_texts(parameters).values()) if parameters else "no pending change" for parameters in versions
    )


def _change_action(card_room: CardRoom, state: JackpotState, level: str) -> OfficeAction:
    meter = _meter(state, level)

    def do(id: str, user: str, typed: FormValues) -> object:
        changes = _changes(state, meter, typed)
        return card_room.jackpots.change_parameters(
            id, user, state.id, level, changes, typed.get("why", ""), second=typed.get(SECOND, "")
        )

    growing = state.kind is JackpotKind.PROGRESSIVE
    rule = (
        "A lower contribution, a higher reserve rate, a lower seed, a lower or first ceiling, and a higher min. wager "
        "wait for the next reset, because players who have paid in would lose by them. Other changes take effect at "
        "once."
        if growing
        else "This is house money. Displays show the new amount at once, and the next winner receives it."
    )
    waiting = state.waiting_change(level)
    pending = (
        (f"A change is already pending: {'; '.join(_describe_changes(state, meter.parameters, waiting.after))}.",)
        if waiting
        else ()
    )
    now, labels = parameter_texts(meter.parameters), _labels(state)
    names = PROGRESSIVE_PARAMETERS if growing else BONUS_PARAMETERS
    fields = tuple(FormField(name, labels[name][0], labels[name][1], now[name]) for name in names)
    action = _rate_action(state, f"Change the settings of {level}", (rule, *pending), "Save the change")
    return action._replace(
        do=do,
        fields=(*fields, REASON_FIELD),
        preview=lambda values: _preview_sentences(state, meter, values),
        fields_at_fault=lambda values, _: _faults_by_field(state, meter, values),
        starting_state=_starting_state(state, meter),
        unavailable_reason=_unavailable_reason(state, meter),
        danger=True,
    )


def _cancel_action(card_room: CardRoom, state: JackpotState, level: str) -> OfficeAction:
    meter = _meter(state, level)

    def do(id: str, user: str, values: FormValues) -> object:
        changes = parameter_texts(meter.parameters)
        return card_room.jackpots.change_parameters(
            id, user, state.id, level, changes, values.get("why", ""), second=values.get(SECOND, "")
        )

    title, waiting = f"Cancel the pending change of {level}", state.waiting_change(level)
    if waiting is None:
        nothing = f"{level} has no pending change to cancel."
        return _rate_action(state, title, (), "")._replace(do=do, unavailable_reason=nothing)
    changes_text = "; ".join(_describe_changes(state, meter.parameters, waiting.after))
    consequence = f"The pending change of {level} is canceled: {changes_text}."
    action = _rate_action(state, title, (consequence, "The current settings stay in effect."), "Cancel the change")
    return action._replace(do=do, fields=(REASON_FIELD,), starting_state=_starting_state(state, meter))


def _bonus_action(card_room: CardRoom, state: JackpotState, game_and_line: str) -> OfficeAction:
    game, _, event = game_and_line.partition(".")
    current_amount = next(
        (
            offer["bonuses"][event]
            for offer in state.setup["offers"]
            if offer["game"] == game and event in offer["bonuses"]
        ),
        "",
    )
    if not current_amount:
        raise PageNotFound(f"Jackpot {state.id} has no operator's amount for {event!r} in {game!r}.")

    def do(id: str, user: str, values: FormValues) -> object:
        amount, reason = values.get("amount", "").strip(), values.get("why", "")
        return card_room.jackpots.change_bonus(
            id, user, state.id, game, event, amount, reason, second=values.get(SECOND, "")
        )

    line_name = event.replace("-", " ")
    consequences = (
        f"The house pays the new amount for {line_name} from now on. The current amount is {current_amount}.",
        "Displays show it at once, and every table of the jackpot pays it.",
    )
    action = _rate_action(state, f"Change the amount for {line_name}", consequences, "Change the amount")
    amount = FormField("amount", "New amount", "Such as $5,000.", current_amount)
    refusal_fields = ((NameMissing, ""), (BadInput, "amount"))
    action = action._replace(
        dual_control_subject="a change of the operator's bonus",
        starting_state=current_amount,
        refusal_fields=refusal_fields,
    )
    removed_text = f"{state.setup['name']} was removed permanently." if state.removed else ""
    return action._replace(do=do, fields=(amount, REASON_FIELD), danger=True, unavailable_reason=removed_text)


ACTIONS: Final = {"change": _change_action, "take-back": _cancel_action, "bonus": _bonus_action}
"""By the part of the URL after the jackpot. The next part is the level, or the game and line."""


async def _show_or_perform(request: Request, jackpot: str, builder: str, target: str) -> Response:
    context = get_app_context(request)

    def build_action() -> OfficeAction:
        return ACTIONS[builder](context.card_room, context.card_room.jackpot(jackpot), target)

    action = await context.executors.query(build_action)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


@router.api_route("/office/jackpots/{jackpot}/change/{level}", methods=["GET", "POST"])
async def change_rate(request: Request, jackpot: str, level: str) -> Response:
    """Change the settings of a level."""
    return await _show_or_perform(request, jackpot, "change", level)


@router.api_route("/office/jackpots/{jackpot}/take-back/{level}", methods=["GET", "POST"])
async def cancel_change(request: Request, jackpot: str, level: str) -> Response:
    """Cancel a pending change."""
    return await _show_or_perform(request, jackpot, "take-back", level)


@router.api_route("/office/jackpots/{jackpot}/bonus/{line}", methods=["GET", "POST"])
async def change_bonus(request: Request, jackpot: str, line: str) -> Response:
    """Change the operator's amount of a paytable line."""
    return await _show_or_perform(request, jackpot, "bonus", line)
