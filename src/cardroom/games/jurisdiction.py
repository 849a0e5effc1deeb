"""The limits that a jurisdiction sets for a table: numbers in a data file, so that a correction needs no code.

>>> jurisdiction("washington").one_wager
40000
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from cardroom.errors import BadInput, quote
from cardroom.games.money import parse_dollars


class UnknownJurisdiction(BadInput):
    """A jurisdiction that has no data file."""


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """The limits of one jurisdiction in cents; None where it sets no limit."""

    slug: str
    name: str
    one_wager: int | None
    one_wager_source: str
    spots_per_player: int | None
    spots_source: str
    fourth_wager: int | None
    fourth_wager_source: str
    surveillance_threshold: int | None = None
    """Surveillance verifies a jackpot win over this before payment."""
    surveillance_source: str = ""
    malfunction_hours: int | None = None
    """The hours within which a malfunction must be reported."""
    malfunction_source: str = ""
    deposit_days: int | None = None
    """The most days between two deposits of a progressive's money."""
    deposit_source: str = ""
    aggregate_odds: int | None = None
    """A payout limit covers the largest wager at odds up to these, to 1."""
    aggregate_source: str = ""
    funding_threshold: int | None = None
    """Of several odds-based prizes over this, the second highest must be covered by the bank or a line of credit."""
    funding_source: str = ""
    allows_automatic_tables: bool = False
    """Whether automatic tables may deal for real money; play money is always allowed."""


def list_jurisdictions() -> tuple[str, ...]:
    """The slugs of the data files."""
    folder = files("cardroom.games") / "jurisdictions"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


@cache
def jurisdiction(slug: str) -> Jurisdiction:
    """Read a jurisdiction's data file."""
    if slug not in list_jurisdictions():
        slugs = ", ".join(list_jurisdictions())
        raise UnknownJurisdiction(f"There is no jurisdiction {quote(slug)}: choose one of {slugs}.")
    document = tomllib.loads((files("cardroom.games") / "jurisdictions" / f"{slug}.toml").read_text("utf-8"))
    limits, jackpots = document["limits"], document.get("jackpots", {})
    funding = document.get("prizes", {}).get("funding", {})

    def amount(key: str) -> int | None:
        return parse_dollars(limits[key]["amount"]) if key in limits else None

    def source(key: str) -> str:
        return str(limits[key]["source"]) if key in limits else ""

    def jackpot_number(key: str, what: str) -> int | None:
        return int(jackpots[key][what]) if key in jackpots else None

    def jackpot_source(key: str) -> str:
        return str(jackpots[key]["source"]) if key in jackpots else ""

    return Jurisdiction(
        slug=slug,
        name=document["name"],
        one_wager=amount("one-wager"),
        one_wager_source=source("one-wager"),
        spots_per_player=limits["spots-per-player"]["count"] if "spots-per-player" in limits else None,
        spots_source=source("spots-per-player"),
        fourth_wager=amount("fourth-wager"),
        fourth_wager_source=source("fourth-wager"),
        surveillance_threshold=parse_dollars(jackpots["surveillance"]["over"]) if "surveillance" in jackpots else None,
        surveillance_source=jackpot_source("surveillance"),
        malfunction_hours=jackpot_number("malfunction-report", "hours"),
        malfunction_source=jackpot_source("malfunction-report"),
        deposit_days=jackpot_number("deposits", "days"),
        deposit_source=jackpot_source("deposits"),
        aggregate_odds=int(limits["aggregate-payout"]["odds"]) if "aggregate-payout" in limits else None,
        aggregate_source=source("aggregate-payout"),
        funding_threshold=parse_dollars(funding["over"]) if funding else None,
        funding_source=str(funding.get("source", "")),
        allows_automatic_tables=bool(document.get("automatic-tables", {}).get("room-money", False)),
    )
