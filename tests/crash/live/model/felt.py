"""A table between two deeds, and what a deed makes of it: seats, chips, wagers, answers, take and pay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.crash.live.model.settling import JACKPOTS, Settled, price, put_down, safe, settle

CLOCK, LEFT = "clock", "left"
EMPTY: Mapping[Any, Any] = MappingProxyType({})


class DoesNotFit(AssertionError):
    """Something that cannot have happened at this moment."""


class Deed(NamedTuple):
    """What somebody has asked for at a table."""

    id: str
    player: str
    table: str
    do: str
    """sit, leave, lay or answer."""
    body: Mapping[str, Any]

    def __str__(self) -> str:
        told = ", ".join(f"{name} {value}" for name, value in self.body.items())
        return f"{self.id}: {self.player} at {self.table}, {self.do} {told}"


class Decision(NamedTuple):
    """An answer of a round's story."""

    seat: int
    question: str
    answer: str
    by: str | None
    """The player, the clock, or somebody who has left; None while it is not told."""


@dataclass(frozen=True)
class Story:
    """What the house tells of a round: all of it when it has ended, else what can be seen."""

    round: str
    wagers: Mapping[int, Mapping[str, int]]
    words: Mapping[int, str] | None
    """None while they are not told."""
    players: Mapping[int, str]
    decisions: tuple[Decision, ...]
    asked: int
    """The seat that is asked; 0 when it has ended."""
    settled: Mapping[int, Settled]
    meter_was_won: bool = False
    """Whether somebody got a percentage of a meter."""

    @property
    def ended(self) -> bool:
        return not self.asked


def story_of(game: str, past: Mapping[str, Any]) -> Story:
    """A round that has ended."""
    record = past["record"]
    by = [one["by"] for one in past["answered_by"]]
    told = [(one["seat"], one["question"]) for one in record["decisions"]]
    if told != [(one["seat"], one["question"]) for one in past["answered_by"]]:
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
    """Somebody at a seat; cents."""

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


class Felt(NamedTuple):
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
    """With the last deed."""
    waits: tuple[Waits, ...] = ()
    """With the last deed."""
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

    def with_seat(self, seat: int, now: Seat | None) -> Felt:
        seats = {at: one for at, one in self.seats.items() if at != seat}
        return self._replace(seats=dict(sorted((seats | ({seat: now} if now else {})).items())))

    def happened(self) -> Felt:
        return self._replace(version=self.version + 1)

    def pays(self, player: str, cents: int) -> Felt:
        return self._replace(paid=(*self.paid, Paid(player, cents)))


def after(felt: Felt, deed: Deed, answer: Mapping[str, Any], story: Story | None) -> Felt:
    """The table after a deed that was acknowledged. ``story`` is that of its round, as far as it is known."""
    felt = felt._replace(paid=(), waits=())
    match deed.do:
        case "sit":
            return _sit(felt, deed, answer)
        case "leave":
            return _leave(felt, deed.player, story)
        case "lay":
            return _lay(felt, deed, story)
        case "answer":
            return _answer(felt, deed, story)
    raise DoesNotFit(f"Nobody can {deed.do} at a table.")


def after_the_clock(felt: Felt, story: Story | None) -> Felt:
    """The table when its clock has run out: the round begins, or the safe answer counts."""
    felt = felt._replace(paid=(), waits=())
    if not felt.playing:
        return _begin(felt, story)
    said = _next(felt, story)
    if said.by not in (CLOCK, None):
        raise DoesNotFit(f"{felt.round}: {said.by} gave answer {felt.said + 1}, not the clock.")
    return _go_on(_said(felt, said, (CLOCK,)), story)


def after_a_start(felt: Felt) -> Felt:
    """The table when a server was started and no round is played: it has a new key, and wagers are returned."""
    felt = felt._replace(paid=(), waits=(), laid=EMPTY, words=EMPTY)
    for seat, here in felt.seats.items():
        felt = felt.with_seat(seat, here._replace(chips=here.chips + here.down, down=0))
    return felt.happened()


def _sit(felt: Felt, deed: Deed, answer: Mapping[str, Any]) -> Felt:
    seat, cents = answer["seat"], deed.body["buy_in_cents"]
    wanted = deed.body.get("seat")
    if wanted not in (None, seat):
        raise DoesNotFit(f"{deed}: got seat {seat}.")
    here = felt.seats.get(seat)
    if here is not None and (here.player != deed.player or here.leaving):
        raise DoesNotFit(f"{deed}: seat {seat} is {here.player}'s.")
    others = [one for one in felt.seats.values() if one.player == deed.player]
    if here is None and others:
        raise DoesNotFit(f"{deed}: has another seat already.")
    if here is None and wanted is None and any(one not in felt.seats for one in range(1, seat)):
        raise DoesNotFit(f"{deed}: seat {seat} was not the first free one.")
    now = here._replace(chips=here.chips + cents) if here else Seat(deed.player, cents)
    return felt.happened().with_seat(seat, now).pays(deed.player, -cents)


def _leave(felt: Felt, player: str, story: Story | None) -> Felt:
    seat = felt.seat_of(player)
    here = felt.seats[seat]
    if here.leaving:
        raise DoesNotFit(f"{player} had left {felt.table} already.")
    felt = felt.happened()
    if felt.playing and seat in felt.laid:
        felt = felt.with_seat(seat, Seat(player, 0, here.down, leaving=True)).pays(player, here.chips)
        return _go_on(felt, story)
    felt = felt.with_seat(seat, None).pays(player, here.chips + here.down)
    felt = felt._replace(laid=_without(felt.laid, seat), words=_without(felt.words, seat))
    return _begin(felt, story) if not felt.playing and _all_ready(felt) else felt


def _lay(felt: Felt, deed: Deed, story: Story | None) -> Felt:
    if felt.playing or deed.body.get("round", felt.round) != felt.round:
        raise DoesNotFit(f"{deed}: {felt.round} is {'played' if felt.playing else 'next'}.")
    seat, wagers = felt.seat_of(deed.player), deed.body["wagers"]
    here, cents = felt.seats[seat], put_down(felt.game, wagers)
    felt = felt.happened().with_seat(seat, here._replace(chips=here.chips + here.down - cents, down=cents))
    laid, words = _without(felt.laid, seat), _without(felt.words, seat)
    said = deed.body.get("words", "")
    felt = felt._replace(laid=laid | ({seat: wagers} if wagers else {}), words=words | ({seat: said} if said else {}))
    return _begin(felt, story) if _all_ready(felt) else felt


def _without(some: Mapping[int, Any], seat: int) -> dict[int, Any]:
    return {at: one for at, one in some.items() if at != seat}


def _all_ready(felt: Felt) -> bool:
    return bool(felt.laid) and felt.laid.keys() == felt.seats.keys()


def _begin(felt: Felt, story: Story | None) -> Felt:
    """The round begins, with exactly the wagers that lie there, and the words that were said."""
    if story is None or not felt.laid:
        raise DoesNotFit(f"{felt.round} cannot have begun.")
    if dict(felt.laid) != dict(story.wagers):
        raise DoesNotFit(f"{felt.round} was acknowledged with {dict(felt.laid)}, and played with {story.wagers}.")
    if story.words is not None and dict(felt.words) != dict(story.words):
        raise DoesNotFit(f"{felt.round}: the words said were {dict(felt.words)}, and shuffled in were {story.words}.")
    if any(felt.seats[seat].player != player for seat, player in story.players.items()):
        raise DoesNotFit(f"{felt.round}: others sat there than {story.players}.")
    counted = sum(JACKPOTS[felt.game] in spots for spots in felt.laid.values())
    return _go_on(felt.happened()._replace(playing=True, said=0, counted=felt.counted + counted), story)


def _next(felt: Felt, story: Story | None) -> Decision:
    if not felt.playing or story is None or felt.said >= len(story.decisions):
        raise DoesNotFit(f"{felt.round}: nothing was answered after answer {felt.said}.")
    return story.decisions[felt.said]


def _answer(felt: Felt, deed: Deed, story: Story | None) -> Felt:
    said = _next(felt, story)
    if said.seat != felt.seat_of(deed.player) or said.answer != deed.body["answer"]:
        raise DoesNotFit(f"{deed}: answer {felt.said + 1} of {felt.round} is {said}.")
    meant = deed.body.get("round", felt.round), deed.body.get("question", said.question)
    if meant != (felt.round, said.question):
        raise DoesNotFit(f"{deed}: in {felt.round} seat {said.seat} was asked {said.question}.")
    if said.by not in (deed.player, None):
        raise DoesNotFit(f"{deed}: {said.by} is told to have given answer {felt.said + 1} of {felt.round}.")
    return _go_on(_said(felt, said), story)


def _said(felt: Felt, said: Decision, by: tuple[str, ...] = ()) -> Felt:
    here = felt.seats[said.seat]
    cents = price(felt.laid[said.seat], said.answer)
    if by and not safe(said.question, said.answer):
        raise DoesNotFit(f"{felt.round}: {said} is not the safe answer.")
    now = here._replace(chips=here.chips - cents, down=here.down + cents)
    return felt.happened().with_seat(said.seat, now)._replace(said=felt.said + 1)


def _go_on(felt: Felt, story: Story | None) -> Felt:
    """Those who have left answer by the safe answer; when nobody is asked any more the round ends."""
    if story is None:
        raise DoesNotFit(f"{felt.round} is not known to the house.")
    while felt.said < len(story.decisions):
        said = story.decisions[felt.said]
        if not felt.seats[said.seat].leaving:
            return felt
        if said.by not in (LEFT, None):
            raise DoesNotFit(f"{felt.round}: {said} was told of somebody who had left.")
        felt = _said(felt, said, (LEFT,))
    return _end(felt, story) if story.ended else felt


def _end(felt: Felt, story: Story) -> Felt:
    """Take and pay; whoever had left gets what the wagers brought."""
    players = {seat: felt.seats[seat].player for seat in story.wagers}
    waits = tuple(Waits(felt.round, players[seat], seat, one.waits) for seat, one in story.settled.items() if one.waits)
    felt = felt.happened()
    for seat, one in story.settled.items():
        here = felt.seats[seat]
        felt = felt.with_seat(seat, here._replace(chips=here.chips + one.at_once, down=0))
    for seat, here in list(felt.seats.items()):
        if here.leaving:
            felt = felt.happened().with_seat(seat, None).pays(here.player, here.chips)
    won = felt.meter_was_won or story.meter_was_won
    ended = felt._replace(playing=False, said=0, number=felt.number + 1, laid=EMPTY, words=EMPTY)
    return ended._replace(waits=waits, meter_was_won=won)
