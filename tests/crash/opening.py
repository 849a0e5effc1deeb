"""How the card room of these tests opens: six jackpots of both kinds, and tables of every kind of tabulator.

The rates are odd on purpose: almost every wager leaves a fraction of a hundredth of a cent to be carried.
"""

from __future__ import annotations

from typing import Any, Final

LOCATION: Final = "Lakewood"
BEFORE: Final = "the evening before"
"""The day of a bank statement: the last one before its jackpot was opened, whenever the tests run."""


def _jackpot(id: str, game: str, wager: str, paytable: str, *levels: dict[str, Any], **more: Any) -> dict[str, Any]:
    offer = {"game": game, "wager": wager, "paytable": paytable, **more.pop("offer", {})}
    setup = {"id": id, "name": id.title(), "kind": "progressive", "location": LOCATION}
    amounts = {} if "wagers" in more else {"wager": "$1"}
    return {"do": "open-jackpot", "setup": setup | amounts | more | {"offers": [offer], "levels": list(levels)}}


def _level(name: str, contribution: str, reserve: str, seed: str, *pays: str, **more: str) -> dict[str, Any]:
    return {"name": name, "pays": list(pays), "contribution": contribution, "reserve": reserve, "seed": seed, **more}


QUADS: Final = ("quads-same-color", "quads-two-color")

JACKPOTS: Final = (
    _jackpot(
        "ties",
        "dueling-for-dollars",
        "tie-after-tie",
        "PT-BJS-DFD-TAT-03",
        _level("suit", "1/7", "1/30", "$1,000", "quads-same-suit", ceiling="$1,010"),
        _level("color", "2/13", "0%", "$499.99", *QUADS),
    ),
    _jackpot(
        "final-four",
        "three-card-prime",
        "final-four",
        "F4P-1",
        _level("main", "2/9", "1/17", "$500", "four-card-diamond-royal", "four-card-royal", ceiling="$9,000"),
    ),
    _jackpot(
        "all-seven",
        "three-card-prime",
        "all-seven",
        "A7P-1",
        _level("main", "12.5%", "1/300", "$5,000", "seven-card-straight-flush", "royal-flush"),
    ),
    _jackpot(
        "shootout",
        "texas-shootout",
        "jackpot",
        "TS/JP 3",
        _level("high", "1/11", "1/60", "$10,000", "five-of-a-kind-suited", "royal-flush", minimum="$2"),
        _level("low", "1/21", "1/90", "$1,000", "five-of-a-kind-suited", "royal-flush"),
        wagers=["$1", "$2"],
    ),
    _jackpot(
        "five-wild",
        "deuces-wild",
        "bonus-jackpot",
        "A",
        kind="bonus",
        offer={"bonuses": {"five-wild-cards": "$5,000"}},
    ),
    _jackpot(
        "daily-ties",
        "dueling-for-dollars",
        "tie-after-tie",
        "PT-BJS-DFD-TAT-03",
        {"name": "all", "pays": ["quads-same-suit", *QUADS], "amount": "$2,000.01"},
        kind="bonus",
    ),
)

_ONE_DOLLAR: Final = 'limits = { min = "$1", max = "$1" }'
_MAIN: Final = 'limits = { min = "$10", max = "$100" }'

GAMES: Final = {
    "dueling-for-dollars": f"""
game = "dueling-for-dollars"
[wagers.duel]
{_MAIN}
[wagers.tie-after-tie]
paytable = "PT-BJS-DFD-TAT-03"
{_ONE_DOLLAR}
""",
    "three-card-prime": f"""
game = "three-card-prime"
[wagers.ante-play]
paytable = "PW/BB 1"
{_MAIN}
[wagers.final-four]
paytable = "F4P-1"
{_ONE_DOLLAR}
[wagers.all-seven]
paytable = "A7P-1"
{_ONE_DOLLAR}
""",
    "texas-shootout": f"""
game = "texas-shootout"
[wagers.shootout]
{_MAIN}
[wagers.shootout-bonus]
paytable = "TS/SB 1"
limits = {{ min = "$1", max = "$25" }}
[wagers.jackpot]
paytable = "TS/JP 3"
limits = {{ min = "$1", max = "$2", step = "$1" }}
[wagers.jackpot.feature]
kind = "envy"
paytable = "TS/BF 3"
qualifying = "$2"
bonuses = {{ five-of-a-kind-suited = "$400", royal-flush = "$75" }}
""",
    "deuces-wild": f"""
game = "deuces-wild"
[wagers.ante-play-raise]
paytable = "A"
{_MAIN}
[wagers.bonus-jackpot]
paytable = "A"
{_ONE_DOLLAR}
bonuses = {{ five-wild-cards = "$5,000" }}
""",
}


def _sensor(wager: str, paytable: str, jackpot: str, kind: str = "progressive", **more: str) -> dict[str, str]:
    return {"wager": wager, "paytable": paytable, "jackpot": jackpot, "kind": kind, "amount": "$1", **more}


TIES: Final = _sensor("tie-after-tie", "PT-BJS-DFD-TAT-03", "ties")
FINAL_FOUR: Final = _sensor("final-four", "F4P-1", "final-four")
ALL_SEVEN: Final = _sensor("all-seven", "A7P-1", "all-seven")
SHOOTOUT: Final = _sensor("jackpot", "TS/JP 3", "shootout", lammer_amount="$2")


def _table(id: str, game: str, tabulator: str, *sensors: dict[str, Any], positions: int = 6) -> dict[str, Any]:
    setup = {"table": id, "game": game, "location": LOCATION, "tabulator": tabulator, "positions": positions}
    return {
        "do": "install-tabulator",
        "game": game,
        "tabulator": setup | {"sensors": list(sensors)},
        "unit": f"unit-{id}",
    }


TABLES: Final = (
    _table("duel-1", "dueling-for-dollars", "andromeda-3d", TIES, positions=16),
    _table("duel-2", "dueling-for-dollars", "andromeda-3d", TIES),
    _table(
        "duel-3",
        "dueling-for-dollars",
        "andromeda-3d",
        _sensor("tie-after-tie", "PT-BJS-DFD-TAT-03", "daily-ties", "bonus"),
    ),
    _table("prime-1", "three-card-prime", "milky-way", FINAL_FOUR, positions=7),
    _table("prime-2", "three-card-prime", "andromeda-3c", ALL_SEVEN, FINAL_FOUR),
    _table(
        "shootout-1",
        "texas-shootout",
        "andromeda-3c",
        SHOOTOUT,
        {"lammer_of": 1},
        {"wager": "shootout-bonus", "paytable": "TS/SB 1"},
    ),
    _table("shootout-2", "texas-shootout", "andromeda-1", SHOOTOUT),
    _table("deuces-1", "deuces-wild", "milky-way", _sensor("bonus-jackpot", "A", "five-wild", "bonus")),
)

FOUND: Final = {"do": "report-malfunction", "found_at": "2001-01-01 21:40"}
REPORTED: Final = (
    FOUND | {"number": "R-1", "source": "prime-1", "why": "The button stuck"},
    FOUND | {"number": "R-2", "source": "ties", "why": "The sign was dark"},
)

ROOM: Final = (
    {
        "do": "configure-room",
        "settings": {"name": "Crash Street"},
        "why": "it has a name",
        "second": "Cy",
    },
)


def promotion(id: str, event: str, prize: str, **more: Any) -> dict[str, Any]:
    """An extra prize on Tie After Tie, to which the game's owner has agreed."""
    result = {"id": id, "name": id.replace("-", " ").title(), "game": "dueling-for-dollars", "wager": "tie-after-tie"}
    result |= {"paytable": "PT-BJS-DFD-TAT-03", "event": event, "prize": prize, "rules": f"{event} wins {prize} more."}
    days = {"first": "2026-06-01", "last": "2099-08-31", "most_dollars": "$20,000", "consent": "letter of 2026-05-02"}
    return {"do": "announce-promotion", "promotion": result | days | {"most_prizes": 4} | more}


PROMOTIONS: Final = (
    promotion("trip-time", "trips-two-color", "$20", most_prizes=12),
    promotion("quad-week", "quads-two-color", "$500.01"),
)

OPENING: Final = JACKPOTS + TABLES + REPORTED + PROMOTIONS + ROOM
