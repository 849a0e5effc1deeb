"""A second bookkeeper, in plain arithmetic, who predicts every meter whatever happens.

The model keeps for each level the list of what happened to it and knows nothing of locks and undoing: to find out where
a level stands it starts from the seed and goes through the list, leaving out every claim that was refused. Amounts are
fractions of a cent. Wagers count exactly; only what was credited is rounded down, to a hundredth of a cent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cardroom.room.claim.new_claim import claim_record
from cardroom.room.claim.resolution import PaymentNotCovered, refuse_claim
from cardroom.room.jackpot.custody import (
    BadAdjustment,
    add_seed,
    correct_malfunction,
    deposit_money,
    recover_seed,
    reimburse_cage,
    remove_undisplayed,
)
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.lifecycle import change_parameters
from cardroom.room.jackpot.wager_counts import count_wagers
from cardroom.room.payment_references import PaymentMethod
from tests.examples import examples
from tests.room.jackpots import TIES, JackpotLedger, duel_record, paid

LEVELS = ("suit", "color")
WINS = [
    seats for count in (1, 2, 3) for seats in product(["suit", "color", "two"], repeat=count) if seats.count("suit") < 3
]
PERCENT = {"suit": ("suit", 100), "color": ("color", 100), "two": ("color", 10)}


@dataclass
class Terms:
    """What the operator set."""

    rate: Fraction
    saved: Fraction
    seed: Fraction
    ceiling: Fraction | None


@dataclass
class Standing:
    """Where a level stands, in cents."""

    shown: Fraction
    reserve: Fraction
    overflow: Fraction
    owed_to_the_house: Fraction
    pending: dict[str, dict[int, int]] = field(default_factory=dict)
    """Whole cents by claim and seat."""
    paid: Fraction = Fraction(0)
    exact: Fraction = Fraction(0)
    exact_saved: Fraction = Fraction(0)

    def count(self, wagers: int, terms: Terms) -> tuple[Fraction, Fraction]:
        """A hundredth of a cent is the least that is credited; the rest is not forgotten."""
        before, before_saved = self.exact, self.exact_saved
        self.exact += 100 * wagers * terms.rate
        self.exact_saved += 100 * wagers * terms.saved
        return _credited(before, self.exact), _credited(before_saved, self.exact_saved)

    @property
    def players(self) -> Fraction:
        waiting = sum(sum(seats.values()) for seats in self.pending.values())
        return self.shown + self.reserve + self.overflow + waiting


@dataclass
class Level:
    """The history of one level."""

    opening: Terms
    history: list[tuple[str, object]] = field(default_factory=list)

    def now(self) -> tuple[Standing, Terms]:
        terms, later = self.opening, None
        at = Standing(terms.seed, Fraction(0), Fraction(0), terms.seed)
        for what, how in self.history:
            if what == "in":
                gained, saved = at.count(how, terms)  # type: ignore[arg-type]
                space = gained if terms.ceiling is None else max(min(gained, terms.ceiling - at.shown), Fraction(0))
                at.shown += space
                at.overflow += gained - space
                at.reserve += saved
            elif what == "claim":
                if self._claimed(at, *how):  # type: ignore[misc]
                    terms, later = later or terms, None
                    self._reset(at, terms)
            elif what == "paid":
                at.paid += sum(at.pending.pop(str(how)).values())
            elif what == "terms":
                terms = how  # type: ignore[assignment]
                later = None
            elif what == "later":
                later = how  # type: ignore[assignment]
            else:
                name, cents, house = how  # type: ignore[misc]
                setattr(at, name, getattr(at, name) + cents)
                at.owed_to_the_house += house
        return at, terms

    @staticmethod
    def _claimed(at: Standing, claim: str, winners: dict[str, list[int]]) -> bool:
        """Take the prizes off, each line in full; tell whether all of the meter was won."""
        whole, taken, total = at.shown.__floor__(), 0, 0
        at.pending[claim] = {}
        for event, seats in winners.items():
            percent = PERCENT[event][1]
            total += percent
            prize = whole * percent // 100
            taken += prize
            for number, seat in enumerate(seats):
                at.pending[claim][seat] = prize // len(seats) + (1 if number < prize % len(seats) else 0)
        at.shown -= min(taken, whole)
        Level._from_elsewhere(at, Fraction(max(taken - whole, 0)))
        return total >= 100

    @staticmethod
    def _reset(at: Standing, terms: Terms) -> None:
        wanted = (
            terms.seed if terms.ceiling is None else min(terms.seed, Fraction((terms.ceiling - at.shown).__floor__()))
        )
        Level._from_elsewhere(at, wanted)
        at.shown += wanted

    @staticmethod
    def _from_elsewhere(at: Standing, wanted: Fraction) -> None:
        from_overflow = min(wanted, Fraction(at.overflow.__floor__()))
        from_reserve = min(wanted - from_overflow, Fraction(at.reserve.__floor__()))
        at.overflow -= from_overflow
        at.reserve -= from_reserve
        at.owed_to_the_house += wanted - from_overflow - from_reserve


def _credited(before: Fraction, after: Fraction) -> Fraction:
    return Fraction((after * 100).__floor__() - (before * 100).__floor__(), 100)


class TwoBookkeepers(RuleBasedStateMachine):
    """Whatever happens, in whatever order, both say the same."""

    @initialize()
    def open(self) -> None:
        self.ledger = JackpotLedger(TIES)
        self.levels = {
            "suit": Level(Terms(Fraction(1, 7), Fraction(1, 30), Fraction(1_000_00), Fraction(1_200_00))),
            "color": Level(Terms(Fraction(1, 8), Fraction(0), Fraction(500_00), None)),
        }
        self.claims: list[tuple[str, dict[str, dict[str, list[int]]]]] = []
        self.bank = 0
        self.number = 0

    def pending_on(self, level: str) -> list[str]:
        return [claim for claim, won in self.claims if level in won]

    @rule(count=st.integers(1, 2_500), table=st.sampled_from(["t1", "t2"]))
    def wagers(self, count: int, table: str) -> None:
        self.ledger.do(count_wagers(self.ledger.state, table, count))
        for level in self.levels.values():
            level.history.append(("in", count))

    @rule(seats=st.sampled_from(WINS))
    def win(self, seats: tuple[str, ...]) -> None:
        self.number += 1
        claim = f"c{self.number}"
        record = duel_record(*seats)
        self.ledger.do(
            claim_record(self.ledger.state, record, self.ledger.submission(claim, round_id=claim, dealer="Dan"))
        )
        won: dict[str, dict[str, list[int]]] = {}
        for seat, event in enumerate(seats, 1):
            won.setdefault(PERCENT[event][0], {}).setdefault(event, []).append(seat)
        for level, winners in won.items():
            self.levels[level].history.append(("claim", (claim, winners)))
        self.claims.append((claim, won))

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        claim, won = data.draw(st.sampled_from(self.claims))
        self.ledger.do(refuse_claim(self.ledger.state, claim, refused_by="Flo", why="no wager"))
        self.claims = [one for one in self.claims if one[0] != claim]
        for level in won:
            history = self.levels[level].history
            history[:] = [one for one in history if not (one[0] == "claim" and one[1][0] == claim)]  # type: ignore[index]

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def refuse_one_seat(self, data: st.DataObject) -> None:
        claim, won = data.draw(st.sampled_from(self.claims))
        seats = sorted(seat for events in won.values() for winners in events.values() for seat in winners)
        seat = data.draw(st.sampled_from(seats))
        if len(seats) == 1:
            return
        self.ledger.do(refuse_claim(self.ledger.state, claim, refused_by="Flo", why="no wager", seats=[seat]))
        left: dict[str, dict[str, list[int]]] = {}
        for level, events in won.items():
            winners = {event: [one for one in who if one != seat] for event, who in events.items()}
            winners = {event: who for event, who in winners.items() if who}
            history = self.levels[level].history
            at = next(n for n, one in enumerate(history) if one[0] == "claim" and one[1][0] == claim)  # type: ignore[index]
            if winners:
                left[level] = winners
                history[at] = ("claim", (claim, winners))
            else:
                del history[at]
        self.claims = [(name, left if name == claim else one) for name, one in self.claims]

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def pay(self, data: st.DataObject) -> None:
        first = [(claim, won) for claim, won in self.claims if all(self.pending_on(level)[0] == claim for level in won)]
        claim, won = data.draw(st.sampled_from(first))
        prize = sum(sum(self.levels[level].now()[0].pending[claim].values()) for level in won)
        payment = data.draw(st.sampled_from([PaymentMethod.CASH, PaymentMethod.CHECK, PaymentMethod.TRANSFER]))
        by: Any = {"verified_by": "Flo", "surveillance": SurveillanceCheck("Uma", "20:14")}
        if payment is not PaymentMethod.CASH and prize > self.bank:
            with pytest.raises(PaymentNotCovered):
                paid(self.ledger.state, claim, payment, **by)
            return
        self.ledger.do(paid(self.ledger.state, claim, payment, **by))
        for level in won:
            self.levels[level].history.append(("paid", claim))
        self.claims = [one for one in self.claims if one[0] != claim]
        self.bank -= 0 if payment is PaymentMethod.CASH else prize

    @rule(cents=st.integers(1, 2_000_00))
    def reimburse_cage(self, cents: int) -> None:
        """The bank account pays back what it owes the cage, and nothing else."""
        by: Any = {"who": "Cy", "second": "Ada", "reference": "T"}
        if cents > self.bank - self.owed():
            with pytest.raises(BadAdjustment):
                reimburse_cage(self.ledger.state, cents, **by)
            return
        self.ledger.do(reimburse_cage(self.ledger.state, cents, **by))
        self.bank -= cents

    @rule(cents=st.integers(1, 2_000_00))
    def deposit_money(self, cents: int) -> None:
        if cents <= self.owed() - self.bank:
            self.ledger.do(deposit_money(self.ledger.state, cents, who="Cy", reference="slip"))
            self.bank += cents

    def adjust(self, level: str, name: str, cents: int, house: int = 0) -> None:
        self.levels[level].history.append(("adjusted", (name, Fraction(cents), Fraction(house))))

    @rule(level=st.sampled_from(LEVELS), cents=st.integers(-300_00, 300_00).filter(bool))
    def correct(self, level: str, cents: int) -> None:
        at, terms = self.levels[level].now()
        fits = cents < 0 or terms.ceiling is None or at.shown + cents <= terms.ceiling
        if not self.pending_on(level) and at.shown + cents >= 0 and fits:
            by: Any = {"who": "Ada", "second": "Cy", "why": "stuck", "report": "R-7"}
            self.ledger.do(correct_malfunction(self.ledger.state, level, cents, **by))
            self.adjust(level, "shown", cents)

    @rule(level=st.sampled_from(LEVELS), cents=st.integers(1, 800_00))
    def recover(self, level: str, cents: int) -> None:
        at, terms = self.levels[level].now()
        if not self.pending_on(level) and cents <= min(at.shown - terms.seed, at.owed_to_the_house):
            self.ledger.do(recover_seed(self.ledger.state, level, cents, who="Ada", second="Cy", why="report 7"))
            self.adjust(level, "shown", -cents, -cents)

    @rule(cents=st.integers(1, 300_00))
    def seed(self, cents: int) -> None:
        if not self.pending_on("color"):
            self.ledger.do(add_seed(self.ledger.state, "color", cents, who="Ada", second="Cy", why="opening week"))
            self.adjust("color", "shown", cents, cents)

    @rule(name=st.sampled_from(["reserve", "overflow"]), cents=st.integers(1, 50_00))
    def remove(self, name: str, cents: int) -> None:
        if not self.pending_on("suit") and cents <= getattr(self.levels["suit"].now()[0], name):
            self.ledger.do(
                remove_undisplayed(self.ledger.state, "suit", name, cents, who="Ada", second="Cy", why="audit")
            )
            self.adjust("suit", name, -cents)

    @rule(
        level=st.sampled_from(LEVELS),
        rate=st.sampled_from([Fraction(1, 11), Fraction(1, 7), Fraction(1, 6)]),
        saved=st.sampled_from([Fraction(0), Fraction(1, 30), Fraction(1, 13)]),
        seed=st.sampled_from([400_00, 700_00, 1_000_00]),
    )
    def change(self, level: str, rate: Fraction, saved: Fraction, seed: int) -> None:
        if self.pending_on(level):
            return
        now = self.levels[level].now()[1]
        terms = Terms(rate, saved, Fraction(seed), now.ceiling)
        changes = {"contribution": str(rate), "reserve": str(saved), "seed": f"${seed // 100}"}
        above = self.levels[level].now()[0].shown
        if now.ceiling is not None and above > now.ceiling:
            return
        self.ledger.do(change_parameters(self.ledger.state, level, changes, who="Ada", second="Cy", why="new quarter"))
        worse = rate < now.rate or saved > now.saved or seed < now.seed
        self.levels[level].history.append(("later" if worse else "terms", terms))

    def owed(self) -> Fraction:
        return sum((level.now()[0].players for level in self.levels.values()), Fraction(0))

    @invariant()
    def both_say_the_same(self) -> None:
        if not hasattr(self, "ledger"):
            return
        state = self.ledger.state
        for meter in state.meters:
            at, terms = self.levels[meter.name].now()
            assert Fraction(meter.display, 100) == at.shown
            assert meter.displayed_cents == at.shown.__floor__()
            assert Fraction(meter.reserve, 100) == at.reserve
            assert Fraction(meter.overflow, 100) == at.overflow
            assert Fraction(meter.seed_owed, 100) == at.owed_to_the_house
            assert Fraction(meter.won, 100) == at.paid
            assert meter.parameters.contribution == terms.rate
            assert meter.parameters.seed == terms.seed * 100
            prizes = {
                claim.id: {prize.seat: prize.cents for prize in claim.prizes if prize.level == meter.name}
                for claim in state.pending_on(meter.name)
            }
            assert prizes == at.pending
            assert meter.pending == 100 * sum(sum(seats.values()) for seats in at.pending.values())
            carried = Fraction(meter.carry, meter.over) / 100
            assert at.exact % Fraction(1, 100) == carried  # nothing is lost to rounding
        assert Fraction(state.escrow, 100) == self.bank
        assert Fraction(state.undeposited, 100) == max(self.owed() - self.bank, 0)
        assert Fraction(state.cage_advance, 100) == max(self.bank - self.owed(), 0)


TwoBookkeepers.TestCase.settings = settings(deadline=None, max_examples=examples(40), stateful_step_count=30)
TestTwoBookkeepers = TwoBookkeepers.TestCase
