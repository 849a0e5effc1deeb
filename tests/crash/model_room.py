"""The things that the second bookkeeper knows: jackpots with their claims, tables with their tabulators, accounts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.crash.model_level import CENT, Level, Terms, cents_of
from tests.crash.printed_slips import PRINTED

Command = Mapping[str, Any]
Answer = dict[str, Any]

SURVEILLANCE_OVER = 3_000_00
"""Cents (WAC 230-15-320)."""

DEBIT = ("chip-tray", "house-cash", "undeposited", "escrow", "seed-owed", "prizes")


class NotAllowed(Exception):
    """What the rules refuse: nothing changes."""


def allow(true: object, otherwise: str) -> None:
    if not true:
        raise NotAllowed(otherwise)


def cents(text: str) -> int:
    """``"$1,000"`` in cents."""
    return int(Fraction(text.replace("$", "").replace(",", "")) * 100)


def rate(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / 100 if text.endswith("%") else Fraction(text)


@dataclass
class Claim:
    """A claim that is pending."""

    id: str
    table: str
    round: str
    dealer: str
    winners: dict[str, dict[str, list[int]]]
    """By level and event, the seats."""
    by_operator: dict[int, int]
    """Fixed prizes so large that they wait, in cents by seat."""
    dealt: str = ""

    @property
    def of(self) -> tuple[str, str]:
        return self.table, self.round


@dataclass
class ClaimRecord:
    """What was shown of a round: by a claim that is pending or paid, or for prizes that were paid at once."""

    of: tuple[str, str]
    claim: str | None
    won: set[tuple[int, int]]
    """Who has won by whose hand."""
    cards: dict[str, list[str]]
    winners: dict[str, dict[str, list[int]]]
    at_once: dict[int, int]
    paid: bool = False
    made: str = ""
    """The command that had it paid at once."""


@dataclass
class Jackpot:
    """A jackpot with its meters."""

    id: str
    is_progressive: bool
    wagers: tuple[int, ...]
    wager: str
    lines: Mapping[str, Any]
    """Event to share of the meter or cents a dollar, from the top down."""
    levels: dict[str, Level]
    location: str
    tables: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    order: int = 0
    claim_records: list[ClaimRecord] = field(default_factory=list)
    escrow: int = 0
    undeposited: int = 0
    cage_advance: int = 0
    """What the bank account owes the cage."""
    disabled: bool = False
    short: int = 0
    surplus: int = 0
    """What the last statement had beyond the books; no user knows whose it is."""
    numbers: set[str] = field(default_factory=set)
    """Deposit slips, checks and the like that were entered."""
    account: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By its number, what moved on the bank account, and when: as a place in the order of all movements."""
    statement: int = 0
    """The day of the last one."""
    on_statement: int = 0
    """How many movements the last statement could have; what it lacked is open."""
    open: set[str] = field(default_factory=set)

    @property
    def operator_part_of_checks(self) -> int:
        """Fixed prizes of seats that also win from a meter, in cents: one check pays both."""
        cents = 0
        for claim in self.claims if self.is_progressive else ():
            off = {seat for name in claim.winners for seat, won in self.levels[name].pending[claim.id].items() if won}
            cents += sum(won for seat, won in claim.by_operator.items() if seat in off)
        return cents

    @property
    def owed(self) -> int:
        return sum(level.held.owed for level in self.levels.values()) if self.is_progressive else 0

    @property
    def seed_owed(self) -> int:
        return sum(level.held.seed_owed for level in self.levels.values())

    @property
    def is_available(self) -> bool:
        return not self.disabled and not self.short

    def claim(self, id: str) -> Claim:
        found = [one for one in self.claims if one.id == id]
        allow(found, "no such claim is pending")
        return found[0]

    def pending_on(self, level: str) -> list[str]:
        return [one.id for one in self.claims if level in one.winners]

    def records_of(self, of: tuple[str, str]) -> list[ClaimRecord]:
        return [one for one in self.claim_records if one.of == of]

    def place(self, level: str, claim: Claim) -> int:
        """Where a claim takes its money: what is held already before everything, a late one where it was made, all
        others with the first of their round."""
        at = self.levels[level]
        if at.is_held(claim.id):
            return -1
        if at.is_late(claim.id):
            return at.claimed.index(claim.id)
        with_it = [one for one in self.claims if one.of == claim.of and level in one.winners]
        return min(at.claimed.index(one.id) for one in with_it if not at.is_late(one.id))

    def prizes(self, claim: Claim) -> dict[int, int]:
        """What is pending, in cents by seat."""
        won = Counter(claim.by_operator)
        for name in claim.winners:
            won.update(self.levels[name].pending[claim.id])
        return dict(sorted(won.items()))

    def use(self, *numbers: str) -> None:
        """A number of the bank's is entered once, however it is typed."""
        plain = [" ".join(one.split()).casefold() for one in numbers]
        allow(len(set(plain)) == len(plain) and not self.numbers & set(plain), "the number was entered before")
        self.numbers.update(plain)

    def move(self, number: str, amount: int) -> None:
        """Something moves on the bank account."""
        self.account[" ".join(number.split()).casefold()] = amount, len(self.account)

    def answer(self) -> Answer:
        meters = []
        for level in self.levels.values():
            held = level.held
            meters.append(
                {
                    "level": level.name,
                    "shown": cents_of(held.display),
                    "display": held.display,
                    "reserve": held.reserve,
                    "overflow": held.overflow,
                    "pending": held.pending_amount,
                    "seed_owed": held.seed_owed,
                }
            )
        return {
            "jackpot": self.id,
            "meters": meters,
            "tables": list(self.tables),
            "claims": [claim.id for claim in self.claims],
            "owed": self.owed,
            "escrow": self.escrow,
            "undeposited": self.undeposited,
            "cage_advance": self.cage_advance,
            "short": self.short,
        }


@dataclass
class Sensor:
    """A wager that a tabulator counts."""

    number: int
    wager: str
    jackpot: str | None
    amount: int
    is_collected: bool
    lammer_amount: int | None = None
    lammer_sensor: int | None = None
    counter: int = 0
    counted: int = 0
    by_hand: int = 0
    taken_back: int = 0

    @property
    def is_dark(self) -> bool:
        """A jackpot's wager that plays for no jackpot cannot be made (BJ-36); all jackpot wagers here are collected."""
        return self.jackpot is None and self.is_collected


@dataclass
class Round:
    """What a counted round brought: wagers by sensor with their amount, and amounts by jackpot and level."""

    wagers: list[tuple[str, str | None, int, int]]
    """Wager, jackpot, how many, and cents."""
    collected: int
    brought: dict[str, dict[str, int]] = field(default_factory=dict)
    """By jackpot and level, how many claims there had been on it."""
    places: dict[str, dict[int, int]] = field(default_factory=dict)
    """By jackpot, the positions with a wager and its cents."""
    dealt: str = ""


@dataclass
class Table:
    """A table with its tabulator."""

    id: str
    sensors: list[Sensor]
    has_logger: bool
    broken: bool = False
    rounds: dict[str, Round] = field(default_factory=dict)
    voided: set[str] = field(default_factory=set)
    records: int = 0
    unit: str = ""
    location: str = ""
    most: str = "$100"
    """What may be wagered on the main wager."""
    positions: int = 0
    closed: bool = False
    readings: dict[str, tuple[Round, list[int]]] = field(default_factory=dict)
    """By the id of the command: what each reading of the counter brought, and what the counter showed."""
    taken_back: set[str] = field(default_factory=set)
    read: dict[str, int] = field(default_factory=dict)
    """How many of each wager were read off the counter since a round was counted."""

    @property
    def jackpots(self) -> list[str]:
        return [] if self.closed else [one.jackpot for one in self.sensors if one.jackpot is not None]

    @property
    def counters(self) -> list[int]:
        return [one.counter for one in self.sensors]


@dataclass
class Report:
    """A report of a malfunction that is not closed."""

    of: str
    sent: bool = False


class Room:
    """A card room: what stands in it, and the accounts."""

    def __init__(self) -> None:
        self.jackpots: dict[str, Jackpot] = {}
        self.tables: dict[str, Table] = {}
        self.reports: dict[str, Report] = {}
        """The reports of malfunctions that are not closed, by their numbers."""
        self._debits: dict[str, int] = defaultdict(int)
        self.units: dict[str, tuple[str, dict[int, int]]] = {}
        """Where each unit stands, if anywhere, and what it showed there for each sensor."""
        self.dealer_pays = 500_00

    # Double entry.

    def _post(self, debit: str, credit: str, amount: int) -> None:
        self._debits[debit] += amount
        self._debits[credit] -= amount

    def balances(self) -> dict[str, int]:
        """Every account with money on it, as it is shown."""
        return {
            account: amount if account.partition(":")[0] in DEBIT else -amount
            for account, amount in self._debits.items()
            if amount
        }

    def _fund(self, jackpot: Jackpot, amount: int) -> None:
        """The cage sets money aside for the players, or the house takes it back. The bank is not asked."""
        self._debits["house-cash:house"] -= amount
        self._in_the_cage(jackpot, amount)

    def _in_the_cage(self, jackpot: Jackpot, amount: int) -> None:
        """The cage has so much more for a jackpot, or less. What it has not, it advances."""
        for account, held, sign in (
            (f"undeposited:{jackpot.id}", jackpot.undeposited, 1),
            (f"cage-advance:{jackpot.id}", jackpot.cage_advance, -1),
        ):
            self._debits[account] -= sign * held
        net = jackpot.undeposited - jackpot.cage_advance + amount
        jackpot.undeposited, jackpot.cage_advance = (net, 0) if net > 0 else (0, -net)
        self._debits[f"undeposited:{jackpot.id}"] += jackpot.undeposited
        self._debits[f"cage-advance:{jackpot.id}"] -= jackpot.cage_advance

    def _meter_accounts(self, jackpot: Jackpot, level: Level) -> dict[str, int]:
        held, owner = level.held, f"{jackpot.id}/{level.name}"
        return {
            f"display:{owner}": -held.display,
            f"reserve:{owner}": -held.reserve,
            f"overflow:{owner}": -held.overflow,
            f"pending:{owner}": -held.pending_amount,
            f"seed-owed:{owner}": held.seed_owed,
        }

    def _as_held(self, jackpot: Jackpot) -> None:
        """The accounts of the meters follow the meters; what the other side is, each command books itself."""
        if jackpot.is_progressive:
            for level in jackpot.levels.values():
                self._debits.update(self._meter_accounts(jackpot, level))

    def _played_again(self, jackpot: Jackpot, owed: int, seed_owed: int) -> None:
        """What levels owe more or less now than then: the house's seed, or wagers that are counted by other rates."""
        if jackpot.is_progressive:
            self._fund(jackpot, jackpot.owed - owed)
            self._debits["gross-receipts:house"] += (jackpot.owed - owed) - (jackpot.seed_owed - seed_owed)
            self._as_held(jackpot)

    def _room_limit(self, command: Command) -> Answer:
        """What a dealer may pay alone; two people say so."""
        allow(command["second"] not in (None, command["who"]), "two people")
        allow(command["cents"] != self.dealer_pays, "it is so already")
        self.dealer_pays = command["cents"]
        return {"settings": {"dealer_pays": command["cents"]}}

    # Jackpots and tables open.

    def _open_jackpot(self, command: Command) -> Answer:
        setup = command["setup"]
        allow(setup["id"] not in self.jackpots, "it is open already")
        progressive = setup["kind"] == "progressive"
        (offer,) = setup["offers"]
        lines = {
            event: cents(offer["bonuses"][event]) if line is None else line
            for event, line in PRINTED[offer["paytable"]].items()
        }
        levels = {}
        for entry in setup["levels"]:
            terms = Terms(
                rate(entry["contribution"]) if progressive else Fraction(0),
                rate(entry.get("reserve", "0%")),
                CENT * cents(entry["seed" if progressive else "amount"]),
                CENT * cents(entry["ceiling"]) if "ceiling" in entry else None,
                cents(entry.get("minimum", "$0")),
            )
            shares = {event: line for event, line in lines.items() if isinstance(line, Fraction)}
            levels[entry["name"]] = Level(entry["name"], tuple(entry["pays"]), shares, terms, progressive)
        amounts = tuple(map(cents, setup["wagers"] if "wagers" in setup else [setup["wager"]]))
        jackpot = Jackpot(setup["id"], progressive, amounts, offer["wager"], lines, levels, setup["location"])
        self.jackpots[jackpot.id] = jackpot
        if progressive:
            self._fund(jackpot, sum(level.held.display for level in levels.values()))
        self._as_held(jackpot)
        return jackpot.answer()

    def _install_tabulator(self, command: Command) -> Answer:
        setup = command["tabulator"]
        before = self.tables.get(setup["table"])
        allow(before is None or before.closed, "it is open already")
        allow(self.units.get(command["unit"], ("", {}))[0] == "", "the unit stands elsewhere")
        sensors: list[Sensor] = []
        for number, entry in enumerate(setup["sensors"], 1):
            if "lammer_of" in entry:
                next(one for one in sensors if one.number == entry["lammer_of"]).lammer_sensor = number
                continue
            lammer = cents(entry["lammer_amount"]) if "lammer_amount" in entry else None
            amount = cents(entry.get("amount", "$0"))
            # All jackpot wagers here are "for 1": collected once they are recorded. The others stay on the layout.
            is_collected = "amount" in entry
            sensors.append(Sensor(number, entry["wager"], entry.get("jackpot"), amount, is_collected, lammer))
        table = Table(setup["table"], sensors, has_logger=setup["tabulator"] == "andromeda-1")
        table.location, table.positions = setup["location"], setup["positions"]
        if before is not None:  # it goes on in its own books
            table.rounds, table.voided = before.rounds, before.voided
            table.readings, table.taken_back = before.readings, before.taken_back
        self.tables[table.id] = table
        self._bring(table, command["unit"])
        for jackpot in table.jackpots:
            self.jackpots[jackpot].tables.append(table.id)
        return self._table_answer(table, command["unit"])

    def _table_answer(self, table: Table, unit: str | None = None) -> Answer:
        result: Answer = {"table": table.id, "jackpots": table.jackpots, "counters": table.counters}
        return result | ({"unit": unit} if unit else {})

    def _bring(self, table: Table, unit: str) -> None:
        """A unit comes to a table: its counter shows what it showed last, sensor by sensor (BJ-35)."""
        _, showed = self.units.get(unit, ("", {}))
        for one in table.sensors:
            one.counter = showed.get(one.number, 0)
        self.units[unit], table.unit = (table.id, showed), unit

    def _take_away(self, table: Table) -> None:
        _, showed = self.units[table.unit]
        self.units[table.unit] = "", showed | {one.number: one.counter for one in table.sensors}

    def _open(self, id: str) -> Table:
        """A table that is open."""
        allow(not self.tables[id].closed, "it is closed")
        return self.tables[id]

    def _link(self, command: Command) -> Answer:
        table, jackpot = self._open(command["table"]), self.jackpots[command["jackpot"]]
        allow(table.id not in jackpot.tables, "it is linked already")
        allow(not table.broken, "the tabulator is broken")
        allow(table.location == jackpot.location, "a meter has one location")
        sensor = next(one for one in table.sensors if one.wager == jackpot.wager)
        jackpot.tables.append(table.id)
        sensor.jackpot = jackpot.id
        return self._table_answer(table)

    def _unlink(self, command: Command) -> Answer:
        table, jackpot = self._open(command["table"]), self.jackpots[command["jackpot"]]
        allow(table.id in jackpot.tables, "it is not linked")
        allow(not table.broken, "the tabulator is broken")
        jackpot.tables.remove(table.id)
        next(one for one in table.sensors if one.jackpot == jackpot.id).jackpot = None
        return self._table_answer(table)
