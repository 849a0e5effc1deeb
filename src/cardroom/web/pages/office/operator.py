"""What the operator set on a jackpot is changed by two people; what players would lose by waits for the reset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.chains import ROOM, jackpot_chain
from cardroom.jackpots import JackpotKind, JackpotState, Meter, NobodyNamed, change_parameters
from cardroom.jackpots.amounts import books, shown
from cardroom.jackpots.happenings import ChangeApplied, ChangeRequested
from cardroom.jackpots.meter.changes import BONUS_PARAMETERS, PROGRESSIVE_PARAMETERS
from cardroom.jackpots.setup.jackpot_text import rate_text
from cardroom.jackpots.setup.parameters import Parameters
from cardroom.jackpots.telling.phrases import given_up_words
from cardroom.web.pages.office.deeds import SECOND, Deed, Field, Typed, do_deed, reason, show_deed, why_not
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
WHY: Final = Field("why", "Reason", "In your own words; it stands in the books for good.", reads=reason)
_LABELS: Final = {
    "contribution": ("Contribution", "Of each wager, for the meter; such as 20% or 1/8."),
    "reserve": ("Reserve", "Of each wager, for the next reset."),
    "seed": ("Reset to", "What the house resets it to."),
    "ceiling": ("Ceiling", "What it shows at most; none takes it away."),
    "minimum": ("Least wager", "The wager that takes part."),
}
_SEED_OF_A_BONUS: Final = ("Amount that is shown", "The house's own money, changed at any time.")


def texts_of(one: Parameters) -> dict[str, str]:
    """What is set on a level, as it is written in a change."""
    return {
        "contribution": rate_text(one.contribution),
        "reserve": rate_text(one.reserve),
        "seed": books(one.seed),
        "ceiling": "none" if one.ceiling is None else books(one.ceiling),
        "minimum": shown(one.minimum),
    }


def _meter(state: JackpotState, level: str) -> Meter:
    found = next((one for one in state.meters if one.name == level), None)
    if found is None:
        there = ", ".join(one.name for one in state.meters) or "none"
        raise NothingThere(f"Jackpot {state.id} has no level {level!r}: it has {there}.")
    return found


def _changes(state: JackpotState, meter: Meter, typed: Typed) -> dict[str, str]:
    """What was typed otherwise than it stands."""
    known = BONUS_PARAMETERS if state.kind is JackpotKind.BONUS else PROGRESSIVE_PARAMETERS
    now = texts_of(meter.parameters)
    return {name: text for name in known if (text := typed.get(name, now[name]).strip()) != now[name]}


def _foreseen(state: JackpotState, meter: Meter, typed: Typed) -> tuple[str, ...]:
    """What would happen with what is typed; the refusal is raised."""
    if not (changes := _changes(state, meter, typed)):
        return ("Nothing is changed yet: write another value into a field.",)
    (told,) = change_parameters(state, meter.name, changes, who="the first", second="the second", why="foreseen")
    assert isinstance(told, ChangeRequested | ChangeApplied)
    moves = "; ".join(_moves(state, told.before, told.after))
    if isinstance(told, ChangeApplied):
        given_up = tuple(f"What waited is given up: {one}." for one in given_up_words(told.payload))
        return (f"It holds at once: {moves}.", *given_up)
    return (
        f"It waits for the next reset of {meter.name}, because players who have paid in would lose by it: {moves}.",
        "Until the level is won it stays as it is. Everything that is changed now waits together.",
    )


def _moves(state: JackpotState, before: Parameters, after: Parameters) -> Iterator[str]:
    one, other = texts_of(before), texts_of(after)
    labels = _labels(state)
    yield from (f"{labels[name][0].lower()} {one[name]} to {other[name]}" for name in one if one[name] != other[name])


def _labels(state: JackpotState) -> dict[str, tuple[str, str]]:
    return _LABELS if state.kind is JackpotKind.PROGRESSIVE else _LABELS | {"seed": _SEED_OF_A_BONUS}


def _deed(state: JackpotState, title: str, happens: tuple[str, ...], button: str) -> Deed:
    to = f"/office/jackpots/{state.id}"
    made = Deed(f"{title}: {state.setup['name']}", happens, button, to, lambda *_: None, two=True)
    made = made._replace(answered="a change of what the operator set")
    return made._replace(after=f"{to}#history", chains=(jackpot_chain(state.id), ROOM))


def _not_now(state: JackpotState, meter: Meter) -> str:
    """What stands against any change of a level."""
    same = {name: texts_of(meter.parameters)[name] for name in ("seed",)}
    return why_not(lambda: _asked(state, meter, same))


def _asked(state: JackpotState, meter: Meter, changes: Mapping[str, str]) -> object:
    return change_parameters(state, meter.name, changes, who="the first", second="the second", why="foreseen")


def _blamed(state: JackpotState, meter: Meter, typed: Typed) -> dict[str, str]:
    """The values that would be refused if each were changed alone."""
    changes = _changes(state, meter, typed)
    told = {name: why_not(partial(_asked, state, meter, {name: text})) for name, text in changes.items()}
    return {name: sentence for name, sentence in told.items() if sentence}


def _stands(state: JackpotState, meter: Meter) -> str:
    """What is in force on a level, and what waits for its reset."""
    waiting = state.waiting_for(meter.name)
    both = (meter.parameters, waiting.after if waiting else None)
    return "; ".join(" ".join(texts_of(one).values()) if one else "nothing waits" for one in both)


def _change(floor: Floor, state: JackpotState, level: str) -> Deed:
    meter = _meter(state, level)

    def do(id: str, who: str, typed: Typed) -> object:
        changes = _changes(state, meter, typed)
        return floor.change_parameters(
            id, who, state.id, level, changes, typed.get("why", ""), second=typed.get(SECOND, "")
        )

    growing = state.kind is JackpotKind.PROGRESSIVE
    rule = (
        "A lower contribution, a higher reserve, a lower reset, a lower or first ceiling and a higher least wager wait "
        "for the next reset: players who have paid in would lose by them. Everything else holds at once."
        if growing
        else "It is the house's own money: displays show the new amount at once, and the next winner gets it."
    )
    waiting = state.waiting_for(level)
    waits = (
        (f"Something waits already: {'; '.join(_moves(state, meter.parameters, waiting.after))}.",) if waiting else ()
    )
    now, labels = texts_of(meter.parameters), _labels(state)
    names = PROGRESSIVE_PARAMETERS if growing else BONUS_PARAMETERS
    fields = tuple(Field(name, labels[name][0], labels[name][1], now[name]) for name in names)
    made = _deed(state, f"Change what is set on {level}", (rule, *waits), "Change it")
    return made._replace(
        do=do,
        fields=(*fields, WHY),
        foresee=lambda typed: _foreseen(state, meter, typed),
        blamed=lambda typed, _: _blamed(state, meter, typed),
        stands=_stands(state, meter),
        not_now=_not_now(state, meter),
        danger=True,
    )


def _take_back(floor: Floor, state: JackpotState, level: str) -> Deed:
    meter = _meter(state, level)

    def do(id: str, who: str, typed: Typed) -> object:
        changes = texts_of(meter.parameters)
        return floor.change_parameters(
            id, who, state.id, level, changes, typed.get("why", ""), second=typed.get(SECOND, "")
        )

    title, waiting = f"Take back the change of {level}", state.waiting_for(level)
    if waiting is None:
        nothing = f"Nothing waits for the reset of {level}: there is nothing to take back."
        return _deed(state, title, (), "")._replace(do=do, not_now=nothing)
    told = f"What waits for {level} is taken back: {'; '.join(_moves(state, meter.parameters, waiting.after))}."
    made = _deed(state, title, (told, "What is in force stays in force."), "Take it back")
    return made._replace(do=do, fields=(WHY,), stands=_stands(state, meter))


def _bonus(floor: Floor, state: JackpotState, of: str) -> Deed:
    game, _, event = of.partition(".")
    now = next(
        (one["bonuses"][event] for one in state.setup["offers"] if one["game"] == game and event in one["bonuses"]), ""
    )
    if not now:
        raise NothingThere(f"Jackpot {state.id} has no amount of the operator for {event!r} in {game!r}.")

    def do(id: str, who: str, typed: Typed) -> object:
        amount, why = typed.get("amount", "").strip(), typed.get("why", "")
        return floor.change_bonus(id, who, state.id, game, event, amount, why, second=typed.get(SECOND, ""))

    words = event.replace("-", " ")
    happens = (
        f"The house pays another amount for {words} from now on; now it is {now}.",
        "Displays show it at once, and every table of the jackpot pays it.",
    )
    made = _deed(state, f"Change the amount for {words}", happens, "Change the amount")
    amount = Field("amount", "New amount", "Such as $5,000.", now)
    about = ((NobodyNamed, ""), (BadInput, "amount"))
    made = made._replace(answered="a change of the operator's bonus", stands=now, about=about)
    gone = f"{state.setup['name']} was removed for good." if state.removed else ""
    return made._replace(do=do, fields=(amount, WHY), danger=True, not_now=gone)


DEEDS: Final = {"change": _change, "take-back": _take_back, "bonus": _bonus}
"""By what stands in the address behind the jackpot; then comes the level, or game and event."""


async def _ask_or_do(request: Request, jackpot: str, deed: str, of: str) -> Response:
    house = house_of(request)

    def made() -> Deed:
        return DEEDS[deed](house.floor, house.floor.jackpot(jackpot), of)

    asked = await house.clerks.look(made)
    return show_deed(request, asked) if request.method == "GET" else await do_deed(request, asked)


@router.api_route("/office/jackpots/{jackpot}/change/{level}", methods=["GET", "POST"])
async def change(request: Request, jackpot: str, level: str) -> Response:
    """Change what is set on a level."""
    return await _ask_or_do(request, jackpot, "change", level)


@router.api_route("/office/jackpots/{jackpot}/take-back/{level}", methods=["GET", "POST"])
async def take_back(request: Request, jackpot: str, level: str) -> Response:
    """Take back a change that waits."""
    return await _ask_or_do(request, jackpot, "take-back", level)


@router.api_route("/office/jackpots/{jackpot}/bonus/{of}", methods=["GET", "POST"])
async def bonus(request: Request, jackpot: str, of: str) -> Response:
    """Change the operator's amount on a line of the paytable."""
    return await _ask_or_do(request, jackpot, "bonus", of)
