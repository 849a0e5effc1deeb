"""A table between two commands, and what a command makes of it: seats, chips, wagers, answers, take and pay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.crash.live.model.settling import JACKPOTS, Settled, price, put_down, safe, settle

CLOCK, LEFT = "clock", "left"
EMPTY: Mapping[Any, Any] = MappingProxyType({})


class DoesNotFit(AssertionError):
    """Something that the rules do not allow this event at this moment."""


class Command(NamedTuple):
    """What a user has asked for at a table."""

    id: str
    player: str
    table: str
    do: str
    """sit, leave, lay or answer."""
    body: Mapping[str, Any]

    def __str__(self) -> str:
        result = ", ".join(f"{name} {value}" for name, value in self.body.items())
        return f"{self.id}: {self.player} at {self.table}, {self.do} {result}"


class Decision(NamedTuple):
    """An answer of a round's story."""

    seat: int
    question: str
    answer: str
    by: str | None
    """The player, the clock, or a user who has left; None while it is not shown."""


@dataclass(frozen=True)
class Story:
    """What the house tells of a round: all of it when it has ended, else what can be seen."""

    round: str
    wagers: Mapping[int, Mapping[str, int]]
    words: Mapping[int, str] | None
    """None while they are not shown."""
    players: Mapping[int, str]
    decisions: tuple[Decision, ...]
    asked: int
    """The seat that is asked; 0 when it has ended."""
    settled: Mapping[int, Settled]
    meter_was_won: bool = False
    """Whether a user got a percentage of a meter."""

    @property
    def ended(self) -> bool:
        return not self.asked


def story_of(game: str, past: Mapping[str, Any]) -> Story:
    """A round that has ended."""
    record = past["record"]
    by = [one["by"] for one in past["answered_by"]]
    result = [(one["seat"], one["question"]) for one in record["decisions"]]
    if result != [(one["seat"], one["question"]) for one in past["answered_by"]]:
        raise DoesNotFit(f"{past['round']}: other answers are told than who gave them: {record['decisions']}")
    decisions = [
        Decision(one["seat"], one["question"], one["answer"], who)
        for one, who in zip(record["decisions"], by, strict=True)
    ]
    return Story(
        past["round"],
        {int(seat): spots for seat, spots in record["wagers"].items()},
        {int(seat): words for seat, words in past["words"].items()},
        {int(seat): player for seat, player in past["players"].items()},
        tuple(decisions),
        0,
        settle(game, past),
        "meters" in record,
    )


class Seat(NamedTuple):
    """A user at a seat; cents."""

    player: str
    chips: int
    down: int = 0
    leaving: bool = False


class Paid(NamedTuple):
    """What goes to a player's balance, or comes from it."""

    player: str
    cents: int


class Waits(NamedTuple):
    """A prize that waits for two people."""

    round: str
    player: str
    seat: int
    cents: int


class TableModel(NamedTuple):
    """A table at one moment."""

    table: str
    game: str
    version: int = 1
    number: int = 1
    playing: bool = False
    said: int = 0
    """How many answers of the round were given."""
    seats: Mapping[int, Seat] = EMPTY
    laid: Mapping[int, Mapping[str, int]] = EMPTY
    words: Mapping[int, str] = EMPTY
    paid: tuple[Paid, ...] = ()
    """With the last command."""
    waits: tuple[Waits, ...] = ()
    """With the last command."""
    counted: int = 0
    """Jackpot wagers since the table was opened."""
    meter_was_won: bool = False
    """Whether a percentage of the meter was ever won; the other model tells what that leaves."""

    @property
    def round(self) -> str:
        return f"{self.table}.{self.number}"

    @property
    def state(self) -> str:
        return "playing" if self.playing else "betting"

    def seat_of(self, player: str) -> int:
        for seat, one in self.seats.items():
            if one.player == player:
                return seat
        raise DoesNotFit(f"{player} has no seat at {self.table}.")

    def with_seat(self, seat: int, now: Seat | None) -> TableModel:
        seats = {at: one for at, one in self.seats.items() if at != seat}
        return self._replace(seats=dict(sorted((seats | ({seat: now} if now else {})).items())))

    def happened(self) -> TableModel:
        return self._replace(version=self.version + 1)

    def pays(self, player: str, cents: int) -> TableModel:
        return self._replace(paid=(*self.paid, Paid(player, cents)))


def after(state: TableModel, command: Command, answer: Mapping[str, Any], story: Story | None) -> TableModel:
    """The table after a command that was acknowledged. ``story`` is that of its round, as far as it is known."""
    state = state._replace(paid=(), waits=())
    match command.do:
        case "sit":
            return _sit(state, command, answer)
        case "leave":
            return _leave(state, command.player, story)
        case "lay":
            return _lay(state, command, story)
        case "answer":
            return _answer(state, command, story)
    raise DoesNotFit(f"Nobody can {command.do} at a table.")


def after_the_clock(state: TableModel, story: Story | None) -> TableModel:
    """The table when its clock has run out: the round begins, or the safe answer counts."""
    state = state._replace(paid=(), waits=())
    if not state.playing:
        return _begin(state, story)
    said = _next(state, story)
    if said.by not in (CLOCK, None):
        raise DoesNotFit(f"{state.round}: {said.by} gave answer {state.said + 1}, not the clock.")
    return _go_on(_said(state, said, (CLOCK,)), story)


def after_a_start(state: TableModel) -> TableModel:
    """The table when a server was started and no round is played: it has a new key, and wagers are returned."""
    state = state._replace(paid=(), waits=(), laid=EMPTY, words=EMPTY)
    for seat, here in state.seats.items():
        state = state.with_seat(seat, here._replace(chips=here.chips + here.down, down=0))
    return state.happened()


def _sit(state: TableModel, command: Command, answer: Mapping[str, Any]) -> TableModel:
    seat, cents = answer["seat"], command.body["buy_in_cents"]
    wanted = command.body.get("seat")
    if wanted not in (None, seat):
        raise DoesNotFit(f"{command}: got seat {seat}.")
    here = state.seats.get(seat)
    if here is not None and (here.player != command.player or here.leaving):
        raise DoesNotFit(f"{command}: seat {seat} is {here.player}'s.")
    others = [one for one in state.seats.values() if one.player == command.player]
    if here is None and others:
        raise DoesNotFit(f"{command}: has another seat already.")
    if here is None and wanted is None and any(one not in state.seats for one in range(1, seat)):
        raise DoesNotFit(f"{command}: seat {seat} was not the first free one.")
    now = here._replace(chips=here.chips + cents) if here else Seat(command.player, cents)
    return state.happened().with_seat(seat, now).pays(command.player, -cents)


def _leave(state: TableModel, player: str, story: Story | None) -> TableModel:
    seat = state.seat_of(player)
    here = state.seats[seat]
    if here.leaving:
        raise DoesNotFit(f"{player} had left {state.table} already.")
    state = state.happened()
    if state.playing and seat in state.laid:
        state = state.with_seat(seat, Seat(player, 0, here.down, leaving=True)).pays(player, here.chips)
        return _go_on(state, story)
    state = state.with_seat(seat, None).pays(player, here.chips + here.down)
    state = state._replace(laid=_without(state.laid, seat), words=_without(state.words, seat))
    return _begin(state, story) if not state.playing and _all_ready(state) else state


def _lay(state: TableModel, command: Command, story: Story | None) -> TableModel:
    if state.playing or command.body.get("round", state.round) != state.round:
        raise DoesNotFit(f"{command}: {state.round} is {'played' if state.playing else 'next'}.")
    seat, wagers = state.seat_of(command.player), command.body["wagers"]
    here, cents = state.seats[seat], put_down(state.game, wagers)
    state = state.happened().with_seat(seat, here._replace(chips=here.chips + here.down - cents, down=cents))
    laid, words = _without(state.laid, seat), _without(state.words, seat)
    said = command.body.get("words", "")
    state = state._replace(laid=laid | ({seat: wagers} if wagers else {}), words=words | ({seat: said} if said else {}))
    return _begin(state, story) if _all_ready(state) else state


def _without(some: Mapping[int, Any], seat: int) -> dict[int, Any]:
    return {at: one for at, one in some.items() if at != seat}


def _all_ready(state: TableModel) -> bool:
    return bool(state.laid) and state.laid.keys() == state.seats.keys()


def _begin(state: TableModel, story: Story | None) -> TableModel:
    """The round begins, with exactly the wagers that lie there, and the words that were said."""
    if story is None or not state.laid:
        raise DoesNotFit(f"{state.round} cannot have begun.")
    if dict(state.laid) != dict(story.wagers):
        raise DoesNotFit(f"{state.round} was acknowledged with {dict(state.laid)}, and played with {story.wagers}.")
    if story.words is not None and dict(state.words) != dict(story.words):
        raise DoesNotFit(f"{state.round}: the words said were {dict(state.words)}, and shuffled in were {story.words}.")
    if any(state.seats[seat].player != player for seat, player in story.players.items()):
        raise DoesNotFit(f"{state.round}: others sat there than {story.players}.")
    counted = sum(JACKPOTS[state.game] in spots for spots in state.laid.values())
    return _go_on(state.happened()._replace(playing=True, said=0, counted=state.counted + counted), story)


def _next(state: TableModel, story: Story | None) -> Decision:
    if not state.playing or story is None or state.said >= len(story.decisions):
        raise DoesNotFit(f"{state.round}: nothing was answered after answer {state.said}.")
    return story.decisions[state.said]


def _answer(state: TableModel, command: Command, story: Story | None) -> TableModel:
    said = _next(state, story)
    if said.seat != state.seat_of(command.player) or said.answer != command.body["answer"]:
        raise DoesNotFit(f"{command}: answer {state.said + 1} of {state.round} is {said}.")
    meant = command.body.get("round", state.round), command.body.get("question", said.question)
    if meant != (state.round, said.question):
        raise DoesNotFit(f"{command}: in {state.round} seat {said.seat} was asked {said.question}.")
    if said.by not in (command.player, None):
        raise DoesNotFit(f"{command}: {said.by} is told to have given answer {state.said + 1} of {state.round}.")
    return _go_on(_said(state, said), story)


def _said(state: TableModel, said: Decision, by: tuple[str, ...] = ()) -> TableModel:
    here = state.seats[said.seat]
    cents = price(state.laid[said.seat], said.answer)
    if by and not safe(said.question, said.answer):
        raise DoesNotFit(f"{state.round}: {said} is not the safe answer.")
    now = here._replace(chips=here.chips - cents, down=here.down + cents)
    return state.happened().with_seat(said.seat, now)._replace(said=state.said + 1)


def _go_on(state: TableModel, story: Story | None) -> TableModel:
    """Those who have left answer by the safe answer; when no user is asked any more the round ends."""
    if story is None:
        raise DoesNotFit(f"{state.round} is not known to the house.")
    while state.said < len(story.decisions):
        said = story.decisions[state.said]
        if not state.seats[said.seat].leaving:
            return state
        if said.by not in (LEFT, None):
            raise DoesNotFit(f"{state.round}: {said} was told of somebody who had left.")
        state = _said(state, said, (LEFT,))
    return _end(state, story) if story.ended else state


def _end(state: TableModel, story: Story) -> TableModel:
    """Take and pay; the user who had left gets what the wagers brought."""
    players = {seat: state.seats[seat].player for seat in story.wagers}
    waits = tuple(
        Waits(state.round, players[seat], seat, one.waits) for seat, one in story.settled.items() if one.waits
    )
    state = state.happened()
    for seat, one in story.settled.items():
        here = state.seats[seat]
        state = state.with_seat(seat, here._replace(chips=here.chips + one.at_once, down=0))
    for seat, here in list(state.seats.items()):
        if here.leaving:
            state = state.happened().with_seat(seat, None).pays(here.player, here.chips)
    won = state.meter_was_won or story.meter_was_won
    ended = state._replace(playing=False, said=0, number=state.number + 1, laid=EMPTY, words=EMPTY)
    return ended._replace(waits=waits, meter_was_won=won)
