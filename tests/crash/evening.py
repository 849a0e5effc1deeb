"""An evening in a card room: a stream of commands from a seed, each with what the model says must come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.crash.evening_days import DaysOfAnEvening
from tests.crash.model import Model
from tests.crash.model_room import Answer, Jackpot, NotAllowed, Table
from tests.crash.opening import BEFORE, OPENING, REPORTED, TABLES, promotion
from tests.crash.printed_slips import ALSO, DUELS, MOST_ALIKE, TYPED

DEALERS = ("Kim", "Dan O'Neil", 'Zoë "Z\\" Łęcka')
"""Names as people have them, and as databases have to quote them."""
OFFICE = ("Ada", "Cy")
SHARE_OF_MISTAKES = 8
"""One command in so many is one that a user should not try."""


@dataclass(frozen=True)
class Expected:
    """A command, and what is answered; None when it must be refused."""

    command: dict[str, Any]
    answer: Answer | None


class Evening(DaysOfAnEvening):
    """Makes up commands that make sense in the state the model is in, and now and then one that does not."""

    def __init__(self, seed: int, prefix: str = "", *, alone: bool = True) -> None:
        self.random = Random(f"evening {prefix}{seed}")
        self.model = Model()
        self.prefix = prefix
        self.alone = alone
        """Whether no user else works in the card room, so that the model knows how everything stands."""
        self.number = 0
        self.presses: dict[str, list[dict[str, Any]]] = {}
        self.claimed: list[dict[str, Any]] = []

    def commands(self, count: int) -> list[Expected]:
        """The opening, and so many commands after it."""
        return self.opening() + [self._expected(self._draw_command()) for _ in range(count)]

    def opening(self) -> list[Expected]:
        return [self._expected(dict(command)) for command in OPENING]

    def _expected(self, command: dict[str, Any]) -> Expected:
        self.number += 1
        command = {"id": f"{self.prefix}{self.number:05}", "who": "Ada"} | command
        try:
            answer = self.model.do(command)
        except NotAllowed:
            return Expected(command, None)
        if command["do"] in ("claim", "claim-hand"):
            self.claimed.append(command)
        return Expected(command, answer)

    def _draw_command(self) -> dict[str, Any]:
        if self.alone and self.random.randrange(SHARE_OF_MISTAKES) == 0:
            mistakes = (self._mistaken_round, self._mistaken_claim, self._mistaken_money, self._mistaken_day)
            return self.random.choice(mistakes)()
        kinds: list[tuple[int, Callable[[], dict[str, Any]]]] = [
            (50, self._round),
            (12, self._claim),
            (12, self._decide),
            (6, self._records),
            (4, self._breakage),
            (5, self._void),
            (8, self._custody),
            (6, self._parameters),
            (3, self._service),
            (3, self._links),
            (3, self._counter),
            (2, self._take_back),
            (4, self._prizes_back),
            (4, self._life),
            (5, self._day),
            (4, self._malfunction),
            (8, self._promotion),
            (2, self._limit),
        ]
        if not self.alone:
            # A logger has one server; and a bank statement that does not know of the others would close the jackpots.
            by_one = (self._records, self._custody, self._service, self._promotion, self._life)
            kinds = [one for one in kinds if one[1] not in by_one]
        weights, make = zip(*kinds, strict=True)
        return self.random.choices(make, weights)[0]()  # type: ignore[no-any-return]

    # At the tables.

    def _table(self, has_logger: bool = False) -> Table:
        return self.random.choice([one for one in self.model.tables.values() if one.has_logger == has_logger])

    def _jackpot(self, progressive: bool = True) -> Jackpot:
        return self.random.choice([one for one in self.model.jackpots.values() if one.is_progressive >= progressive])

    def _places(self) -> list[int]:
        return sorted(self.random.sample(range(1, 7), self.random.randint(0, 6)))

    def _round(self) -> dict[str, Any]:
        table = self._table()
        covered: dict[str, list[int]] = {}
        lammers: dict[str, list[int]] = {}
        for sensor in table.sensors:
            is_mistake = self.random.random() < 0.1
            places = covered[str(sensor.number)] = [] if sensor.is_dark and not is_mistake else self._places()
            if sensor.lammer_amount is not None:
                lying = [place for place in places if self.random.random() < 0.4]
                if sensor.lammer_sensor is None or table.broken:
                    lammers[str(sensor.number)] = lying
                else:
                    covered[str(sensor.lammer_sensor)] = lying
        do = "count-by-hand" if table.broken else "tabulate"
        return self._at(table, do, covered=covered, lammers=lammers, round=self._new_round())

    def _new_round(self) -> str:
        return f"{self.prefix}r{self.number}"

    def _at(self, table: Table, do: str, **more: Any) -> dict[str, Any]:
        return {"do": do, "who": self.random.choice(DEALERS), "table": table.id, **more}

    def _records(self) -> dict[str, Any]:
        """The logger has written a few presses; it forwards from where it likes."""
        table = self._table(has_logger=True)
        log = self.presses.setdefault(table.id, [])
        counter = log[-1]["counter"] if log else 0
        for number in range(self.random.randint(0, 3)):
            places = self._places()
            counter += len(places)
            lying = [place for place in places if self.random.random() < 0.4]
            press = {"round": f"{self._new_round()}-{number}", "dealer": "Kim", "time": len(log), "counter": counter}
            log.append(press | {"positions": places, "lammers": lying})
        if len(log) > table.records and self.random.random() < 0.1:
            return self._passed_over(table, log)
        first = max(table.records - self.random.randint(0, 2), 0)
        if self.random.random() < 0.1:
            first = table.records + 1
        return self._at(table, "import-logger-records", presses=list(log), first=first, unit=f"unit-{table.id}")

    def _passed_over(self, table: Table, log: list[dict[str, Any]]) -> dict[str, Any]:
        """Some of the logger's records are lost; now and then a user alone says so, or of what is in the books."""
        result = {"presses": list(log), "unit": f"unit-{table.id}", "why": "a wet memory card"}
        to = self.random.choice([len(log), table.records + 1, max(table.records, 1)])
        return self._at(table, "skip-records", **result, to=to) | self._two_people()

    def _two_people(self) -> dict[str, str]:
        return {"who": "Kim", "second": self.random.choice(["Flo", "Flo", "Flo", "Kim"])}

    def _breakage(self) -> dict[str, Any]:
        table = self._table()
        if table.broken:
            return self._at(table, "clear-tabulator-fault")
        reports = self.random.choice([[None], list(self.model.reports)]) or ["never written"]
        return self._at(table, "report-tabulator-fault", reason="no lights", report=self.random.choice(reports))

    def _void(self) -> dict[str, Any]:
        table = self.random.choice(list(self.model.tables.values()))
        rounds = list(table.rounds)[-4:] or ["none"]
        return self._at(
            table, "void", round=self.random.choice(rounds), reason="the shuffler jammed", second=self._perhaps_alone()
        )

    def _perhaps_alone(self) -> str | None:
        """The second person; now and then a user forgets, or names a dealer who may be the first."""
        return self.random.choice(["Flo"] * 12 + [None, DEALERS[0]])

    def _counter(self) -> dict[str, Any]:
        table = self._table()
        more = [0 if one.lammer_amount else self.random.randint(0, 3) for one in table.sensors]
        answering: dict[str, str] = {}
        if self.random.random() < 0.3 and not table.sensors[0].lammer_amount:
            more[0] = 2_500  # more than anybody can have played since the last count
            answering = self.random.choice([{}, {"why": "the server was away"} | self._two_people()])
        elif any(
            table.read.get(one.wager, 0) + extra > table.positions
            for one, extra in zip(table.sensors, more, strict=True)
        ):
            answering = {"why": "nobody pressed the button"} | self._two_people()
        counters = [one.counter + extra for one, extra in zip(table.sensors, more, strict=True)]
        return self._at(table, "read-counter", counters=counters) | answering

    def _take_back(self) -> dict[str, Any]:
        """A reading was wrong, most often one on which the counter still stands."""
        fresh = [
            one for one in self.model.tables.values() if any(of == one.counters for _, of in one.readings.values())
        ]
        table = self.random.choice(fresh) if fresh and self.random.random() < 0.8 else self._table()
        readings = list(table.readings) or ["none"]
        reading = self.random.choice([readings[-1], readings[-1], self.random.choice(readings)])
        return self._at(table, "reverse-reading", reading=reading, why="misread") | self._two_people()

    def _life(self) -> dict[str, Any]:
        """A table gets another unit or other limits, moves or closes; what is closed is soon opened again."""
        closed = [one for one in self.model.tables.values() if one.closed]
        table = closed[0] if closed and self.random.random() < 0.8 else self._table()
        opened = next(command for command in TABLES if command["tabulator"]["table"] == table.id)
        why, other = {"why": "a new season"}, self._table()
        if table.closed:
            if self.random.random() < 0.1:
                return self._at(table, "close-table", **why)
            unit = self.random.choice([table.unit, table.unit, other.unit])
            return {"do": "install-tabulator", "who": "Ada", **opened, "unit": unit}
        units = [table.unit, f"unit-{table.id}", f"unit-{table.id}-b", other.unit]
        limits = {"unit": self.random.choice(units), "most": self.random.choice(["$100", "$200"])}
        now = opened["tabulator"] | {"location": table.location, "sensors": _sensors(opened, table)}
        changed = {"do": "change-tabulator", "who": "Ada", "game": opened["game"], "tabulator": now, **limits, **why}
        moved = self._at(table, "move-table", location=self.random.choice(["Lakewood", "Spokane"]), **why)
        return self.random.choice([changed, changed, changed, moved, self._at(table, "close-table", **why)])

    def _links(self) -> dict[str, Any]:
        """The first table of the duels leaves its jackpot, or comes back."""
        table = self.model.tables["duel-1"]
        if not table.jackpots and self.random.random() < 0.3:
            return self._at(table, "move-table", location=self._elsewhere(table), why="a new wing")
        return self._at(table, "unlink" if table.jackpots else "link", jackpot="ties", why="fewer tables")

    def _elsewhere(self, table: Table) -> str:
        return "Spokane" if table.location == "Lakewood" else "Lakewood"

    # Claims.

    def _claim(self) -> dict[str, Any]:
        """A user at a position with a wager has won; now and then one without. Often another winner of a round of
        which one was claimed before, with cards that fit or that do not."""
        jackpot = self._jackpot(progressive=self.random.random() < 0.7)
        rounds = [
            (table, round_id, round_.places[jackpot.id])
            for table in self.model.tables.values()
            for round_id, round_ in list(table.rounds.items())[-6:]
            if round_.places.get(jackpot.id)
        ]
        begun = [one for one in rounds if jackpot.records_of((one[0].id, one[1]))]
        rounds = begun if begun and self.random.random() < 0.6 else rounds
        if not rounds:
            return self._round()
        table, round_id, staked = self.random.choice(rounds)
        common = {"jackpot": jackpot.id, "round": round_id}
        result = jackpot.records_of((table.id, round_id))
        claimed = {seat for one in result for _, seat in one.won}
        seat = self.random.choice([*(set(staked) - claimed), *staked]) if self.random.random() < 0.9 else 6
        if jackpot.wager == "tie-after-tie":
            if self.random.random() < 0.5:
                return self._at(table, "claim", **common, **self._duel(sorted(staked)))
            return self._at(table, "claim-hand", **common, **self._typed_duel(seat))
        won = [event for one in result for winners in one.winners.values() for event in winners]
        events = list(TYPED[jackpot.wager])
        event = self.random.choice(won if won and self.random.random() < 0.7 else [*events[:2] * 3, *events])
        cards = self.random.choice([TYPED[jackpot.wager][event], *ALSO.get((jackpot.wager, event), ())])
        typed = {"wager": jackpot.wager, "cards": cards, "seat": seat}
        hands = {"wagered": staked.get(seat, 0 if jackpot.wager == "jackpot" else 1_00), "hands": {str(seat): event}}
        return self._at(table, "claim-hand", **common, **typed, **hands)

    def _typed_duel(self, seat: int) -> dict[str, Any]:
        """One hand of a duel, as a dealer types it."""
        event = self.random.choice([*list(DUELS)[:3] * 2, *DUELS])
        card, war = DUELS[event]
        cards = {"hand": card, "community": "Ks"} | ({"war": war, "war community": "Ks"} if war else {})
        return {
            "wager": "tie-after-tie",
            "wagered": 1_00,
            "cards": cards,
            "seat": seat,
            "hands": {str(seat): event},
        }

    def _duel(self, seats: list[int]) -> dict[str, Any]:
        """A round of duels in which some of the seats play, each with another event."""
        playing: dict[int, str] = {}
        for seat in self.random.sample(seats, min(len(seats), self.random.choice([1, 1, 2, 3, 4]))):
            event = self.random.choice([*list(DUELS)[:3] * 2, *DUELS])
            if list(playing.values()).count(event) < MOST_ALIKE.get(event, 9):
                playing[seat] = event
        return self._duels(playing)

    def _duels(self, playing: dict[int, str]) -> dict[str, Any]:
        """A round of duels by the events of its seats."""
        cards: dict[str, list[str]] = {"community": ["Ks"]}
        decisions = []
        for seat, event in sorted(playing.items()):
            card, war = DUELS[event]
            cards[f"seat {seat} hand"] = [card]
            if war:
                cards[f"seat {seat} war"], cards["war community"] = [war], ["Ks"]
                decisions.append({"seat": seat, "question": "tie", "answer": "war"})
        wagers = {str(seat): {"player": 10_00, "tie-after-tie": 1_00} for seat in playing}
        record = {"wagers": wagers, "cards": cards, "decisions": decisions}
        return {"wagered": 1_00, "record": record, "hands": {str(seat): one for seat, one in sorted(playing.items())}}

    def _decide(self) -> dict[str, Any]:
        """Pay or refuse something that is pending; more often the oldest."""
        pending = [(jackpot, claim) for jackpot in self.model.jackpots.values() for claim in jackpot.claims]
        if not pending:
            return self._claim()
        jackpot, claim = pending[0] if self.random.random() < 0.5 else self.random.choice(pending)
        beside_paid = [one for one in pending if any(one[0].levels[at].is_fixed(one[1].id) for at in one[1].winners)]
        if beside_paid and self.random.random() < 0.5:
            jackpot, claim = beside_paid[0]
        common = {
            "who": self.random.choice(["Flo", "Flo", "Flo", claim.dealer, claim.dealt]),
            "jackpot": jackpot.id,
            "claim": claim.id,
        }
        if self.random.random() < 0.6:
            return {"do": "pay", **common, **self._payout(sorted(jackpot.prizes(claim)), jackpot.escrow)}
        seats = sorted(jackpot.prizes(claim))
        some = self.random.sample(seats, self.random.randint(1, len(seats))) if len(seats) > 1 else None
        return {"do": "refuse", **common, "why": "not a wager", "seats": self.random.choice([None, some])}

    def _prizes_back(self) -> dict[str, Any]:
        """What was paid at once is taken back, now and then by one person, or what no user paid."""
        paid = [
            (jackpot.id, one.made)
            for jackpot in self.model.jackpots.values()
            for one in jackpot.claim_records
            if one.made
        ]
        jackpot, claim = self.random.choice([*paid[-6:], *paid[-6:], ("final-four", "nobody's")])
        result = {"jackpot": jackpot, "claim": claim, "why": "mistyped"}
        chips = self.random.choice(["returned", "lost"])
        return {"do": "reverse-prizes", "who": "Ada", **result, "chips": chips, "second": self._second("Ada")}

    def _payout(self, seats: list[int], in_the_bank: int = 0) -> dict[str, Any]:
        """Who is paid and how; now and then a check that was used before or is not covered, a seat too few, or a check
        by the surveillance that came too early."""
        ways = ["check", "cash", "transfer"] if in_the_bank >= 100_000 or self.random.random() < 0.1 else ["cash"]
        first = self.random.randrange(100) if self.random.random() < 0.1 else 100 * self.number
        paid = {}
        for number, seat in enumerate(seats, first):
            player = self.random.choice(["Ann Lee", "declined", "  José   Núñez "])
            paid[str(seat)] = [player, self.random.choice(ways), f"N {self.prefix}{number}"]
        if len(paid) > 1 and self.random.random() < 0.1:
            paid.popitem()
        checked_at = "now" if self.random.random() < 0.95 else "2020-01-02 03:04"
        return {"paid": paid, "surveillance": self.random.random() < 0.8, "checked_at": checked_at}

    def _promotion(self) -> dict[str, Any]:
        """A duel is paid by a promotion. The same few cards come again and again, in one round and in another."""
        dice, table = self.random.random(), self.model.tables[self.random.choice(["duel-2", "duel-3"])]
        running = self.random.choice(list(self.model.promotions.values()))
        if dice < 0.05:
            return {"do": "end-promotion", "who": "Ada", "promotion": running.id, "why": "sold out"}
        if dice < 0.1:
            return self._new_promotion()
        rounds = list(table.rounds)[-5:] or ["none"]
        round_id = self.random.choice(rounds)
        places = [
            seat for round_ in [table.rounds.get(round_id)] if round_ for at in round_.places.values() for seat in at
        ]
        # More often one seat has won.
        duel = self._duels({min(places): running.event}) if places and dice < 0.8 else self._duel(places or [1])
        del duel["wagered"]
        second, again = (self.random.choice([None, "Flo"]) for _ in range(2))
        result = {"promotion": running.id, "round": round_id, "second": second, "again": again and "seen on camera"}
        return self._at(table, "pay-promotion", **result, **duel)

    def _new_promotion(self) -> dict[str, Any]:
        """Another one, of which some have a name that is in use, or lack the owner's consent."""
        new = promotion(f"more-{self.number}", "trips-same-color", "$50")
        change = self.random.choice(
            [
                {},
                {"name": "TRIP  time"},
                {"name": "Trip Time", "first": "2027-01-01", "last": "2027-12-31"},
                {"consent": ""},
            ]
        )
        return new | {"promotion": new["promotion"] | change}

    # The office.

    def _custody(self) -> dict[str, Any]:
        jackpot = self._jackpot()
        level = self.random.choice(list(jackpot.levels.values()))
        held, common = level.held, {"who": self.random.choice(OFFICE), "jackpot": jackpot.id}
        on_level = common | {"level": level.name, "why": "the button stuck", "second": self._second(common["who"])}
        report = self.random.choice([*self.model.reports, *self.model.reports, "R-9"])
        cents = self.random.randint(1, 200_00)
        hidden = self.random.choice(["reserve", "overflow"])
        grown = max((held.display - level.terms.seed) // 100, 1)
        some_hidden = max(self.random.randint(0, getattr(held, hidden) // 100), 1)
        slip = self._slip()
        owing = [one for one in self.model.jackpots.values() if one.cage_advance >= 100]
        back = {"cents": max(jackpot.cage_advance // 100, 1), "reference": slip, "second": on_level["second"]}
        if owing and self.random.random() < 0.5:
            owes = self.random.choice(owing)
            back |= {"jackpot": owes.id, "cents": self.random.randint(1, owes.cage_advance // 100)}
            return {"do": "reimburse", **common, **back}
        if level.terms.ceiling is not None and held.display > level.terms.ceiling:
            return {"do": "lower-to-ceiling", **on_level}
        return self.random.choice(
            [
                {"do": "deposit", **common, "cents": max(jackpot.undeposited // 100, 1), "reference": slip},
                {"do": "deposit", **common, "cents": cents, "reference": slip},
                {"do": "reimburse", **common, **back},
                {"do": "reconcile", **common, **self._statement(jackpot), **self._answers(jackpot, common["who"])},
                {"do": "reconcile", **common, **self._statement(jackpot), **self._answers(jackpot, common["who"])},
                {"do": "correct", **on_level, "cents": self.random.choice([cents, -cents]), "report": report},
                {"do": "add-seed", **on_level, "cents": cents},
                {"do": "recover-seed", **on_level, "cents": self.random.randint(1, grown)},
                {"do": "lower-to-ceiling", **on_level},
                {"do": "remove-hidden", **on_level, "held": hidden, "cents": some_hidden},
            ]
        )

    def _statement(self, jackpot: Jackpot) -> dict[str, Any]:
        """The bank's statement: mostly today's and right, now and then a cent short, or with something too much. What
        moved since the last one may not be on it yet."""
        day = self.random.choice([*[None] * 12, BEFORE, "2020-01-05", "2999-01-01"])
        moved = {name: at for name, (_, at) in jackpot.account.items()}
        recent = [name for name in moved if moved[name] >= jackpot.on_statement or name in jackpot.open]
        missing = self.random.sample(recent, min(len(recent), self.random.choice([0, 0, 1, 2])))
        under_way = sum(jackpot.account[name][0] for name in missing)
        if self.random.random() < 0.1:
            missing.append("slip never-made")
        balance = (jackpot.escrow - under_way) // 100 if day is None else 0
        in_transit = [name.removeprefix("slip ") for name in missing if name.startswith("slip ")]
        off = self.random.choice([0, 0, 0, 0, -1, 12])
        return {
            "statement": balance + off,
            "shortage": self.random.choice([-off] * 9 + [0, 2]) if off < 0 else 0,
            "day": day,
            "in_transit": in_transit,
            "outstanding": [name for name in missing if not name.startswith("slip ")],
        }

    def _answers(self, jackpot: Jackpot, who: str) -> dict[str, str]:
        """Who answers for a statement: one person, two with a reason where one is replaced, now and then too few."""
        needed = jackpot.statement or jackpot.short
        if self.random.random() < (0.1 if needed else 0.9):
            return {"second": "", "why": ""}
        return {"second": self._second(who), "why": self.random.choice(["typed again"] * 9 + [""])}

    def _slip(self) -> str:
        """Nearly always a new one."""
        return "SLIP 1" if self.random.random() < 0.1 else f"slip {self.prefix}{self.number}"

    def _second(self, who: str) -> str:
        """Nearly always a user else."""
        (other,) = (one for one in OFFICE if one != who)
        return self.random.choice([*[other] * 9, f" {who.upper()}"])

    def _parameters(self) -> dict[str, Any]:
        jackpot = self._jackpot()
        level = self.random.choice(list(jackpot.levels.values()))
        changes: dict[str, str] = {}
        for _ in range(self.random.randint(1, 2)):
            changes |= self.random.choice(
                [
                    {"contribution": self.random.choice(["1/7", "1/11", "2/13", "10%"])},
                    {"reserve": self.random.choice(["0%", "1/30", "1/17", "2.5%"])},
                    {"seed": self.random.choice(["$200", "$500", "$999.99"])},
                    {"ceiling": self.random.choice(["$1,010", "$1,250", "$20,000"])},
                ]
            )
        who = self.random.choice(OFFICE)
        result = {"jackpot": jackpot.id, "level": level.name, "changes": changes, "why": "new quarter"}
        return {"do": "change-parameters", "who": who, "second": self._second(who), **result}

    def _limit(self) -> dict[str, Any]:
        """What a dealer may pay alone."""
        cents = self.random.choice([0, 50_00, 500_00, 2_000_00, 9_000_00])
        return {"do": "room-limit", "who": "Ada", "cents": cents, "second": self.random.choice(["Cy", "Cy", "Ada"])}

    def _service(self) -> dict[str, Any]:
        closed = [one for one in self.model.jackpots.values() if one.disabled]
        if closed and self.random.random() < 0.9:
            return {"do": "enable", "who": "Ada", "jackpot": closed[0].id}
        return {"do": "disable", "who": "Ada", "jackpot": self._jackpot(progressive=False).id, "why": "inspection"}

    # Mistakes.

    def _mistaken_round(self) -> dict[str, Any]:
        table = self._table()
        # Any round that was ever counted there; before the first there is none to count again.
        again = self.random.choice(list(table.rounds) or [self._new_round()])
        do = "count-by-hand" if table.broken else "tabulate"
        return self.random.choice(
            [
                self._at(table, do, covered={"1": [1]}, lammers={}, round=again),
                self._at(table, do, covered={"1": [1]}, lammers={}, round=again),
                self._at(table, "clear-tabulator-fault"),
                self._at(self._table(has_logger=True), "tabulate", covered={"1": [1]}, lammers={}, round="pressed"),
                self._at(table, "read-counter", counters=[one.counter - 1 for one in table.sensors]),
                self._at(table, "void", round="never-dealt", reason="the shuffler jammed", second="Flo"),
            ]
        )

    def _mistaken_claim(self) -> dict[str, Any]:
        """A round that was claimed before, whatever became of it, or a claim that no user made."""
        if self.claimed and self.random.random() < 0.7:
            again = dict(self.random.choice(self.claimed[-5:]))
            del again["id"]
            return again
        return {"do": "pay", "who": "Flo", "jackpot": self._jackpot().id, "claim": "nobody's", **self._payout([1])}

    def _mistaken_money(self) -> dict[str, Any]:
        jackpot = self._jackpot(progressive=False)
        level = self.random.choice(list(jackpot.levels) or ["none"])
        common = {"who": "Cy", "jackpot": jackpot.id}
        on_level = common | {"level": level, "why": "all of it", "second": "Ada"}
        return self.random.choice(
            [
                {"do": "deposit", **common, "cents": jackpot.undeposited // 100 + 1, "reference": self._slip()},
                {"do": "recover-seed", **on_level, "cents": 90_000_00},
                {"do": "correct", **on_level, "cents": -90_000_00, "report": "R-1"},
                {"do": "correct", **on_level, "cents": 90_000_00, "report": "R-1"},
                {"do": "remove-hidden", **on_level, "held": "reserve", "cents": 10**9},
                {**REPORTED[1], "number": "R-1"},
            ]
        )


def evening(seed: int, count: int) -> list[Expected]:
    """An evening of so many commands after the opening."""
    return Evening(seed).commands(count)


def done(expected: list[Expected]) -> Iterator[str]:
    """The ids of the commands that are carried out."""
    return (one.command["id"] for one in expected if one.answer is not None)


def _sensors(opened: dict[str, Any], table: Table) -> list[dict[str, Any]]:
    """The sensors as the table opened with them, without the jackpots that it has left since."""
    linked = {one.number for one in table.sensors if one.jackpot is not None}
    return [
        entry if number in linked else {name: entry[name] for name in entry if name not in ("jackpot", "kind")}
        for number, entry in enumerate(opened["tabulator"]["sensors"], 1)
    ]
