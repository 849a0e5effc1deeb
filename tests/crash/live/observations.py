"""Everything that can be seen of a room at one moment: tables, rounds that have ended, what each guest has."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tests.crash.live.line import API, Line
from tests.crash.live.model.dealing import check_deal
from tests.crash.live.model.memory import Memory
from tests.crash.live.model.room import Room, Seen
from tests.crash.live.model.table import Decision, Story, story_of

STRANGER = "a player"
"""Who sat at a table, to those who did not."""


class Everything(NamedTuple):
    """A room at one moment."""

    tables: Mapping[str, Seen]
    ended: Mapping[str, Mapping[int, Story]]
    """By table, the rounds that the model does not know yet."""
    mine: tuple[Mapping[str, Any], ...]


class Moved(Exception):
    """Something has happened while a user looked."""


async def versions(line: Line, tables: Iterable[str]) -> dict[str, int]:
    looks = await asyncio.gather(*(line.look(table) for table in tables))
    return {look["table"]: look["version"] for look in looks}


async def check_seats(line: Line, tokens: Mapping[str, str], tables: Iterable[str]) -> dict[str, int]:
    """Who sits where with how many chips is shown in the same way by the tables and by the players' accounts, at every
    moment; the versions of the tables then."""
    while True:
        looks = await asyncio.gather(*(line.look(table) for table in tables))
        mine = await asyncio.gather(*(line.me(token) for token in tokens.values()))
        now = {look["table"]: look["version"] for look in looks}
        if now != await versions(line, now):
            continue
        at_tables = {
            (look["table"], int(seat), one["player"], one["chips_cents"])
            for look in looks
            for seat, one in look["seats"].items()
        }
        result = {(one["table"], one["seat"], me["player"], one["chips_cents"]) for me in mine for one in me["seats"]}
        assert at_tables == result, f"At the tables sit {at_tables - result} whose accounts say {result - at_tables}."
        return now


async def look_at_everything(line: Line, tokens: Mapping[str, str], room: Room, memory: Memory) -> Everything:
    """Look, with the tokens of all players, and look again when a clock has decided something in between."""
    while True:
        try:
            looks = await asyncio.gather(*(_table(line, table, tokens, memory) for table in room.tables))
        except Moved:
            continue
        seen = dict(zip(room.tables, looks, strict=True))
        ended = [await _ended(line, room, table, one, tokens, memory) for table, one in seen.items()]
        mine = await asyncio.gather(*(line.me(token) for token in tokens.values()))
        if {table: one.version for table, one in seen.items()} == await versions(line, seen):
            return Everything(seen, dict(zip(seen, ended, strict=True)), tuple(mine))


async def _table(line: Line, table: str, tokens: Mapping[str, str], memory: Memory) -> Seen:
    """A table, as those who sit there see it together."""
    look = await line.look(table)
    seats = {int(seat): (one["player"], one["chips_cents"]) for seat, one in look["seats"].items()}
    views = {}
    for seat, (player, _) in seats.items():
        views[seat] = await line.look(table, tokens[player])
        memory.look(player, views[seat])
        if views[seat]["version"] != look["version"]:
            raise Moved
    played, story = look["round"], None
    if played is not None:
        story = _story(played, views)
        hidden = await line.call("GET", f"{API}/rounds/{played['round']}")
        if hidden.status == 200 and (await line.look(table))["version"] != look["version"]:
            raise Moved
        assert hidden.status == 404, f"{played['round']} is played, and told already: {hidden}"
    number = int((played or look["coming"])["round"].rpartition(".")[2])
    laid = {int(seat): spots for seat, spots in look["laid"].items()}
    return Seen(look["version"], look["state"], number, seats, laid, look["meters"], story)


def _story(played: Mapping[str, Any], views: Mapping[int, Mapping[str, Any]]) -> Story:
    """A round that is played: each seat knows best what it has answered."""
    view = played["view"]
    wagers = {int(seat): spots for seat, spots in view["wagers"].items()}
    decisions = []
    for at, one in enumerate(view["decisions"]):
        known = views[one["seat"]]["round"]["view"]["decisions"][at]
        assert (known["seat"], known["question"]) == (one["seat"], one["question"])
        decisions.append(Decision(known["seat"], known["question"], known["answer"], None))
    return Story(played["round"], wagers, None, {}, tuple(decisions), view["turn"]["seat"], {})


async def _ended(
    line: Line, room: Room, table: str, seen: Seen, tokens: Mapping[str, str], memory: Memory
) -> dict[int, Story]:
    """The rounds that have ended since the last time, each dealt again from its key and settled."""
    at, stories = room.tables[table], {}
    here = [player for player, _ in seen.seats.values()] + [one.player for one in at.state.seats.values()]
    for number in range(at.state.number, seen.number):
        past = await _past(line, f"{table}.{number}", [tokens[one] for one in (*here, *tokens) if one in tokens])
        here = [*past["players"].values(), *here]
        check_deal(at.state.game, past, memory.seal_of(past["round"], past["seal"]))
        memory.ended(past)
        stories[number] = story_of(at.state.game, past)
    return stories


async def _past(line: Line, round_id: str, tokens: Iterable[str]) -> dict[str, Any]:
    """A round as those tell it who sat there: to anybody else it is not said who did."""
    for token in dict.fromkeys(tokens):
        past = await line.round(round_id, token)
        if STRANGER not in past["players"].values():
            return past
    raise AssertionError(f"Nobody who ever came in sat there in {round_id}.")
