"""Events of jackpots and tables in words: what happened, for what reason, and what else a reader has to know.

Every event has its words here and nowhere else: in full for a report, in short for a line on the screen. How amounts
are written is the reader's: a report has all their digits, a screen has dollars and cents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from cardroom.accounts import CENT, Amount
from cardroom.games.money import money
from cardroom.jackpots import happenings
from cardroom.jackpots.reasons import Increase, Reduction

Payload: TypeAlias = Mapping[str, Any]
Written: TypeAlias = Callable[[Amount], str]
"""How an amount is written."""
HOUSE: Final = "the house"


class Words(NamedTuple):
    """What happened: in full, and in short where no reason of the regulation stands in its place."""

    full: str
    short: str = ""


_HAPPENED: Final = {
    happenings.JackpotOpened.kind: Words("Jackpot opened", "opened"),
    happenings.TableJoined.kind: Words("Table joined", "table joined"),
    happenings.TableLeft.kind: Words("Table left", "table left"),
    happenings.WagersCounted.kind: Words("Wagers counted"),
    happenings.PrizesPaid.kind: Words("Fixed prizes paid by the house", f"fixed prizes, paid by {HOUSE}"),
    happenings.ClaimLocked.kind: Words("Prize claimed and locked", "fixed prize claimed"),
    happenings.ChangeRequested.kind: Words("Change asked for; it waits for the reset", "change waits for the reset"),
    happenings.ChangeApplied.kind: Words("Parameters changed", "changed"),
    happenings.MeterReset.kind: Words("Meter reset"),
    happenings.ClaimPaid.kind: Words("Prize verified and paid", "claim paid"),
    happenings.ClaimRefused.kind: Words("Prize refused"),
    happenings.Adjusted.kind: Words("Meter adjusted"),
    happenings.WagersTakenBack.kind: Words("Wagers of a void round taken back"),
    happenings.Deposited.kind: Words("Deposited at the bank", "deposit to the bank"),
    happenings.Reconciled.kind: Words("Held against the bank's statement", "reconciled"),
    happenings.JackpotClosed.kind: Words("Closed: the bank account is short", "closed"),
    happenings.JackpotReopened.kind: Words("Opened again: the shortage is made good", "opened again"),
    happenings.JackpotDisabled.kind: Words("Disabled", "disabled"),
    happenings.JackpotEnabled.kind: Words("Enabled", "enabled"),
    happenings.BonusChanged.kind: Words("Operator's bonus changed", "bonus changed"),
    happenings.JackpotRemoved.kind: Words("Bonus jackpot removed", "removed"),
    happenings.TableSetUp.kind: Words("Table set up"),
    happenings.RoundTabulated.kind: Words("Counted by the tabulator", "tabulated"),
    happenings.CountedByHand.kind: Words("Counted by hand", "counted by hand"),
    happenings.CounterRead.kind: Words("Counter read", "read off the counter"),
    happenings.RoundVoided.kind: Words("Declared void", "void"),
    happenings.TabulatorBroken.kind: Words("Tabulator broken"),
    happenings.TabulatorRepaired.kind: Words("Tabulator repaired"),
    happenings.LightsFailed.kind: Words("Lights reported"),
    happenings.RoomSetUp.kind: Words("Room set up", "set up"),
    happenings.MalfunctionReported.kind: Words("Malfunction reported", "reported"),
    happenings.ReportSent.kind: Words("Report sent to the commission", "sent"),
    happenings.ReportClosed.kind: Words("Report of a malfunction closed", "closed"),
    happenings.DayOpened.kind: Words("Gaming day opened", "day opened"),
    happenings.DayClosed.kind: Words("Gaming day closed", "day closed"),
    happenings.HeadsSent.kind: Words("Heads of all chains sent out", "heads sent"),
}

_REASONS: Final = {
    happenings.JackpotOpened.kind: str(Increase.SEED),
    happenings.WagersCounted.kind: str(Increase.WAGERS),
    happenings.ClaimPaid.kind: str(Reduction.PRIZE_WON),
}


def happened(kind: str) -> str:
    """What happened; a kind that is not known is told by its name."""
    spoken = kind.replace("-", " ")
    return _HAPPENED[kind].full if kind in _HAPPENED else spoken[:1].upper() + spoken[1:]


def in_short(kind: str) -> str:
    """The same in a word or two.

    >>> happened(happenings.ClaimPaid.kind), in_short(happenings.ClaimPaid.kind)
    ('Prize verified and paid', 'claim paid')
    """
    return _HAPPENED[kind].short if kind in _HAPPENED else kind.replace("-", " ")


def reason(kind: str, payload: Payload) -> str:
    """The reason for which money changed, in the regulation's words; empty when none did."""
    return str(payload.get("reason") or _REASONS.get(kind, ""))


def details(kind: str, payload: Payload, written: Written) -> str:
    """What else there is to know, in one line."""
    tell = _DETAILS.get(kind)
    parts = [*(tell(payload, written) if tell else ()), *([str(payload["why"])] if payload.get("why") else ())]
    return "; ".join(part for part in parts if part)


def explained(event: str, reason: str, *more: str) -> str:
    """What happened, why, and the rest, as sentences.

    >>> explained("Prize claimed", "prize won", "claim 7", "")
    'Prize claimed: prize won. Claim 7.'
    """
    why = "" if reason in event.lower() else f": {reason}"
    return " ".join(f"{part[:1].upper()}{part[1:].rstrip('.')}." for part in (event + why, *more) if part)


# Phrases that several events have.


def wagers_words(count: int, amount: Amount | None = None) -> str:
    """
    >>> wagers_words(1, 10_000), wagers_words(6)
    ('1 wager, $1', '6 wagers')
    """
    words = f"{count:,} wager{'s' if count != 1 else ''}"
    return words if amount is None else f"{words}, {money(amount // CENT)}"


def round_words(payload: Payload) -> str:
    """A round and how many wagers were in it."""
    return f"{wagers_words(payload['count'])}, round {payload['round'] or 'unknown'}"


def open_words(matters: int) -> str:
    """How much is open when a day is closed.

    >>> open_words(0), open_words(1), open_words(11)
    ('nothing is open', '1 matter is open', '11 matters are open')
    """
    return f"{matters} matter{'s are' if matters > 1 else ' is'} open" if matters else "nothing is open"


def hands_words(prizes: Iterable[Payload]) -> str:
    """The hands that won."""
    return "; ".join(prize["words"] for prize in prizes)


def changed_words(payload: Payload) -> tuple[str, ...]:
    """The parameters of a level that change; none when a change that waited is taken back."""
    before, after = payload["before"], payload["after"]
    return tuple(
        f"{name} {_parameter(name, before[name])} to {_parameter(name, after[name])}"
        for name in after
        if before[name] != after[name]
    )


def _parameter(name: str, value: Any) -> str:
    if value is None:
        return "none"
    if name == "minimum":
        return money(value)
    return money(value // CENT) if name in ("seed", "ceiling") else rate(Fraction(value))


def rate(value: Fraction) -> str:
    """A share in per cent, with as many digits as it needs up to four.

    >>> rate(Fraction(1, 5)), rate(Fraction(1, 7)), rate(Fraction(9, 40))
    ('20%', '14.2857%', '22.5%')
    """
    percent = value * 100
    digits = next((digits for digits in range(5) if (percent * 10**digits).denominator == 1), 4)
    whole, rest = divmod(round(percent * 10**digits), 10**digits)
    return f"{whole:,}.{rest:0{digits}}%" if digits else f"{whole:,}%"


def sources_words(payload: Payload, written: Written) -> str:
    """Where the money comes from that a meter gets besides wagers."""
    sources = {"overflow": "the overflow", "reserve": "the reserve", "house": HOUSE}
    return ", ".join(f"{written(payload[name])} from {words}" for name, words in sources.items() if payload[name])


def statement_words(payload: Payload, written: Written) -> str:
    """The bank's statement beside the books."""
    return f"the statement says {written(payload['statement'])}, the books {written(payload['escrow'])}"


def shortage_words(payload: Payload, written: Written) -> str:
    """By how much the bank account is short."""
    return f"short by {written(payload['short'])}" if "short" in payload else ""


def bonus_words(payload: Payload) -> str:
    """The operator's bonus that changed."""
    game, event = payload["game"], payload["event"]
    before, after = (
        next(offer["bonuses"][event] for offer in payload[when]["offers"] if offer["game"] == game)
        for when in ("before", "after")
    )
    return f"{event} in {game}: {before} to {after}"


# What else there is to know of each event.


def _opened(payload: Payload, _: Written) -> Iterator[str]:
    setup = payload["setup"]
    yield f"{setup['name']}, {setup['kind']}, {setup['location']}"
    for level in setup["levels"]:
        told = [f"{name} {level[name]}" for name in ("amount", "seed", "ceiling") if name in level]
        told += [f"{name} {rate(Fraction(level[name]))}" for name in ("contribution", "reserve") if name in level]
        yield f"{level['name']}: {', '.join(told)}"


def _prizes(payload: Payload, written: Written) -> Iterator[str]:
    if "claim" in payload:
        yield f"claim {payload['claim']}, number {payload['order']}"
    for prize in payload["prizes"]:
        cards = " ".join(prize["cards"])
        yield f"seat {prize['seat']}: {prize['words']}{f' ({cards})' if cards else ''}, {money(prize['cents'])}"
    for level, fill in payload.get("beyond", {}).items():
        yield f"beyond what {level} showed: {sources_words(fill, written)}"


def _parameters(payload: Payload, _: Written) -> Iterator[str]:
    changed = changed_words(payload)
    if not changed:
        yield f"{payload['level']}: the change that waited is withdrawn"
    yield from (f"{payload['level']} {change}" for change in changed)


def _paid(payload: Payload, written: Written) -> Iterator[str]:
    yield f"claim {payload['claim']}, verified by {payload['verified_by']}"
    if payload["surveillance"]:
        yield f"surveillance: {payload['surveillance']['by']}, {payload['surveillance']['at']}"
    if payload["escrow"]:
        yield f"{written(payload['escrow'])} from the bank account"
    if payload["undeposited"]:
        yield f"{written(payload['undeposited'])} from the cage"
    if payload["house_cents"]:
        yield f"{money(payload['house_cents'])} from {HOUSE}"


_DETAILS: Final[dict[str, Callable[[Payload, Written], Iterable[str]]]] = {
    happenings.JackpotOpened.kind: _opened,
    happenings.WagersCounted.kind: lambda told, _: [wagers_words(told["count"], told["amount"])],
    happenings.PrizesPaid.kind: _prizes,
    happenings.ClaimLocked.kind: _prizes,
    happenings.ChangeRequested.kind: _parameters,
    happenings.ChangeApplied.kind: _parameters,
    happenings.MeterReset.kind: lambda told, written: [f"after claim {told['claim']}: {sources_words(told, written)}"],
    happenings.ClaimPaid.kind: _paid,
    happenings.ClaimRefused.kind: lambda told, _: [
        f"claim {told['claim']}, seats {', '.join(map(str, told['seats']))}"
    ],
    happenings.Adjusted.kind: lambda told, _: [f"{told['level']} {told['of']}"],
    happenings.WagersTakenBack.kind: lambda told, _: [
        f"round {told['round']}, {wagers_words(told['count'], told['amount'])}"
    ],
    happenings.Deposited.kind: lambda told, written: [f"{written(told['amount'])}, slip {told['reference']}"],
    happenings.Reconciled.kind: lambda told, written: [statement_words(told, written)],
    happenings.JackpotClosed.kind: lambda told, written: [shortage_words(told, written)],
    happenings.BonusChanged.kind: lambda told, _: [bonus_words(told)],
    happenings.RoundVoided.kind: lambda told, _: [f"report {told['report']}" if "report" in told else ""],
    happenings.TabulatorBroken.kind: lambda told, _: [f"report {told['report']}" if "report" in told else ""],
    happenings.MalfunctionReported.kind: lambda told, _: [
        f"report {told['number']} on {told['table'] or told['jackpot']}"
    ],
    happenings.ReportSent.kind: lambda told, _: [f"report {told['number']}, {told['reference']}"],
    happenings.ReportClosed.kind: lambda told, _: [f"report {told['number']}"],
    happenings.DayOpened.kind: lambda told, _: [told["day"]],
    happenings.DayClosed.kind: lambda told, _: [told["day"], open_words(len(told["open"]))],
    happenings.HeadsSent.kind: lambda told, _: [f"to {told['where']}, SHA-256 {told['digest']}"],
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
