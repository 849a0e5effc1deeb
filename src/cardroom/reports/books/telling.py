"""Events in words: what happened, for what reason, and what else a reader has to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from cardroom.accounts import CENT
from cardroom.games.money import money
from cardroom.jackpots import Increase, Reduction, happenings
from cardroom.reports.books.statement import in_dollars, rate
from cardroom.reports.paper.numbers import sentence

Payload = Mapping[str, Any]

_HAPPENED: Final = {
    happenings.JackpotOpened.kind: "Jackpot opened",
    happenings.TableJoined.kind: "Table joined",
    happenings.TableLeft.kind: "Table left",
    happenings.WagersCounted.kind: "Wagers counted",
    happenings.PrizesPaid.kind: "Fixed prizes paid by the house",
    happenings.ClaimLocked.kind: "Prize claimed and locked",
    happenings.ChangeRequested.kind: "Change asked for; it waits for the reset",
    happenings.ChangeApplied.kind: "Parameters changed",
    happenings.MeterReset.kind: "Meter reset",
    happenings.ClaimPaid.kind: "Prize verified and paid",
    happenings.ClaimRefused.kind: "Prize refused",
    happenings.Adjusted.kind: "Meter adjusted",
    happenings.WagersTakenBack.kind: "Wagers of a void round taken back",
    happenings.Deposited.kind: "Deposited at the bank",
    happenings.Reconciled.kind: "Held against the bank's statement",
    happenings.JackpotClosed.kind: "Closed: the bank account is short",
    happenings.JackpotReopened.kind: "Opened again: the shortage is made good",
    happenings.JackpotDisabled.kind: "Disabled",
    happenings.JackpotEnabled.kind: "Enabled",
    happenings.BonusChanged.kind: "Operator's bonus changed",
    happenings.JackpotRemoved.kind: "Bonus jackpot removed",
    happenings.TableSetUp.kind: "Table set up",
    happenings.RoundTabulated.kind: "Counted by the tabulator",
    happenings.CountedByHand.kind: "Counted by hand",
    happenings.CounterRead.kind: "Counter read",
    happenings.RoundVoided.kind: "Declared void",
    happenings.TabulatorBroken.kind: "Tabulator broken",
    happenings.TabulatorRepaired.kind: "Tabulator repaired",
    happenings.LightsFailed.kind: "Lights reported",
}

_REASONS: Final = {
    happenings.JackpotOpened.kind: str(Increase.SEED),
    happenings.WagersCounted.kind: str(Increase.WAGERS),
    happenings.ClaimPaid.kind: str(Reduction.PRIZE_WON),
}


def happened(kind: str) -> str:
    """What happened; a kind that is not known is told by its name."""
    return _HAPPENED.get(kind) or sentence(kind)


def reason(kind: str, payload: Payload) -> str:
    """The reason for which money changed, in the regulation's words; empty when none did."""
    return str(payload.get("reason") or _REASONS.get(kind, ""))


def details(kind: str, payload: Payload) -> str:
    """What else there is to know, in one line."""
    tell = _DETAILS.get(kind)
    parts = [*(tell(payload) if tell else ()), *([str(payload["why"])] if payload.get("why") else ())]
    return "; ".join(part for part in parts if part)


def explained(event: str, reason: str, *more: str) -> str:
    """What happened, why, and the rest, as sentences.

    >>> explained("Prize claimed", "prize won", "claim 7", "")
    'Prize claimed: prize won. Claim 7.'
    """
    why = "" if reason in event.lower() else f": {reason}"
    return " ".join(f"{part[:1].upper()}{part[1:].rstrip('.')}." for part in (event + why, *more) if part)


def wagers_words(count: int, amount: int) -> str:
    """
    >>> wagers_words(1, 10_000), wagers_words(6, 60_000)
    ('1 wager, $1', '6 wagers, $6')
    """
    return f"{count:,} wager{'s' if count != 1 else ''}, {money(amount // CENT)}"


def _opened(payload: Payload) -> Iterator[str]:
    setup = payload["setup"]
    yield f"{setup['name']}, {setup['kind']}, {setup['location']}"
    for level in setup["levels"]:
        told = [f"{name} {level[name]}" for name in ("amount", "seed", "ceiling") if name in level]
        told += [f"{name} {rate(Fraction(level[name]))}" for name in ("contribution", "reserve") if name in level]
        yield f"{level['name']}: {', '.join(told)}"


def _counted(payload: Payload) -> Iterator[str]:
    yield wagers_words(payload["count"], payload["amount"])


def _prizes(payload: Payload) -> Iterator[str]:
    if "claim" in payload:
        yield f"claim {payload['claim']}, number {payload['order']}"
    for prize in payload["prizes"]:
        cards = " ".join(prize["cards"])
        yield f"seat {prize['seat']}: {prize['words']}{f' ({cards})' if cards else ''}, {money(prize['cents'])}"
    for level, fill in payload.get("beyond", {}).items():
        yield f"beyond what {level} showed: {_from_elsewhere(fill)}"


def _parameters(payload: Payload) -> Iterator[str]:
    before, after = payload["before"], payload["after"]
    changed = [name for name in after if before[name] != after[name]]
    if not changed:
        yield f"{payload['level']}: the change that waited is withdrawn"
    for name in changed:
        yield f"{payload['level']} {name} {_parameter(name, before[name])} to {_parameter(name, after[name])}"


def _parameter(name: str, value: Any) -> str:
    if value is None:
        return "none"
    if name == "minimum":
        return money(value)
    return money(value // CENT) if name in ("seed", "ceiling") else rate(Fraction(value))


def _reset(payload: Payload) -> Iterator[str]:
    yield f"after claim {payload['claim']}: {_from_elsewhere(payload)}"


def _from_elsewhere(fill: Payload) -> str:
    sources = {"overflow": "the overflow", "reserve": "the reserve", "house": "the house"}
    return ", ".join(f"{in_dollars(fill[name])} from {words}" for name, words in sources.items() if fill[name])


def _paid(payload: Payload) -> Iterator[str]:
    yield f"claim {payload['claim']}, verified by {payload['verified_by']}"
    if payload["surveillance"]:
        yield f"surveillance: {payload['surveillance']['by']}, {payload['surveillance']['at']}"
    if payload["escrow"]:
        yield f"{in_dollars(payload['escrow'])} from the bank account"
    if payload["undeposited"]:
        yield f"{in_dollars(payload['undeposited'])} from the cage"
    if payload["house_cents"]:
        yield f"{money(payload['house_cents'])} from the house"


def _refused(payload: Payload) -> Iterator[str]:
    yield f"claim {payload['claim']}, seats {', '.join(map(str, payload['seats']))}"


def _adjusted(payload: Payload) -> Iterator[str]:
    yield f"{payload['level']} {payload['of']}"


def _taken_back(payload: Payload) -> Iterator[str]:
    yield f"round {payload['round']}, {wagers_words(payload['count'], payload['amount'])}"


def _deposited(payload: Payload) -> Iterator[str]:
    yield f"{in_dollars(payload['amount'])}, slip {payload['reference']}"


def _reconciled(payload: Payload) -> Iterator[str]:
    yield f"the statement says {in_dollars(payload['statement'])}, the books {in_dollars(payload['escrow'])}"


def _closed(payload: Payload) -> Iterator[str]:
    yield f"short by {in_dollars(payload['short'])}"


def _bonus_changed(payload: Payload) -> Iterator[str]:
    game, event = payload["game"], payload["event"]
    amounts = [
        next(offer["bonuses"][event] for offer in payload[when]["offers"] if offer["game"] == game)
        for when in ("before", "after")
    ]
    yield f"{event} in {game}: {amounts[0]} to {amounts[1]}"


_DETAILS: Final[dict[str, Callable[[Payload], Iterator[str]]]] = {
    happenings.JackpotOpened.kind: _opened,
    happenings.WagersCounted.kind: _counted,
    happenings.PrizesPaid.kind: _prizes,
    happenings.ClaimLocked.kind: _prizes,
    happenings.ChangeRequested.kind: _parameters,
    happenings.ChangeApplied.kind: _parameters,
    happenings.MeterReset.kind: _reset,
    happenings.ClaimPaid.kind: _paid,
    happenings.ClaimRefused.kind: _refused,
    happenings.Adjusted.kind: _adjusted,
    happenings.WagersTakenBack.kind: _taken_back,
    happenings.Deposited.kind: _deposited,
    happenings.Reconciled.kind: _reconciled,
    happenings.JackpotClosed.kind: _closed,
    happenings.BonusChanged.kind: _bonus_changed,
}


def record_words(record: Mapping[str, Any]) -> str:
    """A round in full: cards, wagers and decisions."""
    cards = [f"{place} {' '.join(pile)}" for place, pile in record["cards"].items()]
    wagers = [
        f"seat {seat} {', '.join(f'{spot} {money(cents)}' for spot, cents in spots.items())}"
        for seat, spots in record["wagers"].items()
    ]
    decisions = [f"seat {one['seat']} {one['question']}: {one['answer']}" for one in record["decisions"]]
    told = {"Cards": cards, "Wagers": wagers, "Decisions": decisions}
    return ". ".join(f"{name}: {'; '.join(parts)}" for name, parts in told.items() if parts) + "."
