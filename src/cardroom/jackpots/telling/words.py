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
from cardroom.jackpots.payouts import DECLINED
from cardroom.jackpots.reasons import Increase, Reduction

Payload: TypeAlias = Mapping[str, Any]
Written: TypeAlias = Callable[[Amount], str]
"""How an amount is written."""
HOUSE: Final = "the house"
NOT_ENTERED: Final = "not entered"
"""What nobody told the books."""


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
    happenings.ClaimJoined.kind: Words("Prize claimed beside others of its round", "claimed beside others"),
    happenings.ChangeRequested.kind: Words("Change asked for; it waits for the reset", "change waits for the reset"),
    happenings.ChangeApplied.kind: Words("Parameters changed", "changed"),
    happenings.MeterReset.kind: Words("Meter reset"),
    happenings.ClaimPaid.kind: Words("Prize verified and paid", "claim paid"),
    happenings.ClaimRefused.kind: Words("Prize refused"),
    happenings.Adjusted.kind: Words("Meter adjusted"),
    happenings.WagersTakenBack.kind: Words("Wagers taken back"),
    happenings.Deposited.kind: Words("Deposited at the bank", "deposit to the bank"),
    happenings.Reconciled.kind: Words("Held against the bank's statement", "reconciled"),
    happenings.JackpotClosed.kind: Words("Closed: the bank account is short", "closed"),
    happenings.JackpotReopened.kind: Words("Opened again: the shortage is made good", "opened again"),
    happenings.JackpotDisabled.kind: Words("Disabled", "disabled"),
    happenings.JackpotEnabled.kind: Words("Enabled", "enabled"),
    happenings.BonusChanged.kind: Words("Operator's bonus changed", "bonus changed"),
    happenings.JackpotRemoved.kind: Words("Bonus jackpot removed", "removed"),
    happenings.TableSetUp.kind: Words("Table set up", "set up"),
    happenings.TableChanged.kind: Words("Table changed", "changed"),
    happenings.TableClosed.kind: Words("Table closed", "closed"),
    happenings.RoundTabulated.kind: Words("Counted by the tabulator", "tabulated"),
    happenings.CountedByHand.kind: Words("Counted by hand", "counted by hand"),
    happenings.CounterRead.kind: Words("Counter read", "read off the counter"),
    happenings.ReadingTakenBack.kind: Words("Reading taken back", "reading taken back"),
    happenings.RecordsPassedOver.kind: Words("Records passed over", "records passed over"),
    happenings.RoundVoided.kind: Words("Declared void", "void"),
    happenings.TabulatorBroken.kind: Words("Tabulator broken", "tabulator broken"),
    happenings.TabulatorRepaired.kind: Words("Tabulator repaired", "tabulator repaired"),
    happenings.LightsFailed.kind: Words("Lights reported", "lights reported"),
    happenings.UnitMoved.kind: Words("Unit moved", "unit moved"),
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


def answering(payload: Payload) -> str:
    """Who answers for an event: one person, or two.

    >>> answering({"who": "Rosa Diaz", "second": "Lee"}), answering({"dealer": "Kim"}), answering({})
    ('Rosa Diaz and Lee', 'Kim', '')
    """
    names = ("who", "dealer", "by", "verified_by", "refused_by")
    first = next((str(payload[name]) for name in names if name in payload), "")
    second = payload.get("second")
    return f"{first} and {second}" if first and second else first


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
    return f"{wagers_words(payload['count'])}, {called(payload['round'])}"


def called(round_id: str) -> str:
    """A round, or a reading of the counter, as people call it.

    >>> called("1001"), called("reading evening-7"), called("")
    ('round 1001', 'reading evening-7', 'round unknown')
    """
    return round_id if round_id.startswith(happenings.READING) else f"round {round_id or 'unknown'}"


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
    """The bank's statement beside the books, and what was allowed for."""
    if "day" not in payload:
        return f"the statement says {written(payload['statement'])}, the books {written(payload['escrow'])}"
    then = payload["escrow"] - sum(amount for _, amount in payload.get("later", ()))
    said = f"the statement of {payload['day']} says {written(payload['statement'])}"
    parts = [said, *under_way_words(payload, written), f"the books of then {written(then)}"]
    if payload["difference"] > 0:
        parts.append(f"{written(payload['difference'])} more than the books: find out whose it is")
    return ", ".join(parts)


def under_way_words(payload: Payload, written: Written) -> Iterator[str]:
    """What a statement did not have yet."""
    for name, words in (("in_transit", "in transit"), ("outstanding", "outstanding")):
        for movement, amount in payload.get(name, ()):
            yield f"{movement} {words} {written(amount)}"


def shortage_words(payload: Payload, written: Written) -> str:
    """By how much the bank account is short."""
    return f"short by {written(payload['short'])}" if "short" in payload else ""


def payout_words(payload: Payload) -> tuple[str, ...]:
    """To whom a claim was paid, how, and under which number."""
    return tuple(
        f"seat {one['seat']}: {player_words(one['player'])}, {one['payment']} {one['reference']}"
        for one in payload.get("payouts", ())
    ) or (f"player and payment {NOT_ENTERED}",)


def player_words(player: str) -> str:
    """
    >>> player_words("Ann Lee"), player_words("declined")
    ('Ann Lee', 'name declined')
    """
    return f"name {player}" if player == DECLINED else player


def report_words(payload: Payload) -> str:
    """The report of the malfunction that an event rests on."""
    return f"report {payload['report']}" if payload.get("report") else ""


def bonus_words(payload: Payload) -> str:
    """The operator's bonus that changed."""
    game, event = payload["game"], payload["event"]
    before, after = (
        next(offer["bonuses"][event] for offer in payload[when]["offers"] if offer["game"] == game)
        for when in ("before", "after")
    )
    return f"{event} in {game}: {before} to {after}"


def change_words(what: str, before: str, after: str) -> str:
    """One change of a table's set-up.

    >>> change_words("seats", "6", "5")
    'seats: 6 to 5'
    """
    return f"{what}: {before} to {after}"


# What else there is to know of each event.


def _counters(shown: Iterable[int]) -> str:
    return f"counter {', '.join(f'{one:,}' for one in shown)}"


def _dark(lights: Iterable[Iterable[int]]) -> str:
    """Where lights are dark, by sensor."""
    dark = [f"sensor {number}: {', '.join(map(str, places))}" for number, places in enumerate(lights, 1) if places]
    return f"dark at {'; '.join(dark)}" if dark else "all work"


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


def _joined(payload: Payload, written: Written) -> Iterator[str]:
    yield from _prizes(payload, written)
    yield from (f"{level}: late, nothing off the display" for level, now in payload["levels"].items() if now["late"])
    yield from others_words(payload)


def others_words(payload: Payload) -> Iterator[str]:
    """What is pending beside a claim that joined it, as it is valued now."""
    for claim in payload["claims"]:
        if claim["id"] != payload["claim"]:
            yield f"claim {claim['id']} is {money(sum(prize['cents'] for prize in claim['prizes']))} now"


def void_words(payload: Payload) -> Iterator[str]:
    """On which levels nothing of a void round comes off now, and why."""
    for level, remembered in payload.get("remembered", {}).items():
        yield f"comes off {level} if claim {remembered['claim']} is refused"
    for level in payload.get("won", ()):
        yield f"what it brought {level} was won since"


def come_off_words(payload: Payload) -> Iterator[str]:
    """The void rounds that come off with a refusal."""
    for level, change in payload["levels"].items():
        for void in change.get("void", ()):
            yield f"void round {void['round']} of {void['table']} comes off {level}"


def _parameters(payload: Payload, _: Written) -> Iterator[str]:
    changed = changed_words(payload)
    if not changed:
        yield f"{payload['level']}: the change that waited is withdrawn"
    yield from (f"{payload['level']} {change}" for change in changed)


def _paid(payload: Payload, written: Written) -> Iterator[str]:
    yield f"claim {payload['claim']}, verified by {payload['verified_by']}"
    if payload["surveillance"]:
        yield f"surveillance: {payload['surveillance']['by']}, {payload['surveillance']['at']}"
    yield from payout_words(payload)
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
    happenings.ClaimJoined.kind: _joined,
    happenings.ChangeRequested.kind: _parameters,
    happenings.ChangeApplied.kind: _parameters,
    happenings.MeterReset.kind: lambda told, written: [f"after claim {told['claim']}: {sources_words(told, written)}"],
    happenings.ClaimPaid.kind: _paid,
    happenings.ClaimRefused.kind: lambda told, _: [
        f"claim {told['claim']}, seats {', '.join(map(str, told['seats']))}",
        *come_off_words(told),
    ],
    happenings.Adjusted.kind: lambda told, _: [f"{told['level']} {told['of']}", report_words(told)],
    happenings.WagersTakenBack.kind: lambda told, _: [
        f"{called(told['round'])}, {wagers_words(told['count'], told['amount'])}",
        *void_words(told),
    ],
    happenings.Deposited.kind: lambda told, written: [f"{written(told['amount'])}, slip {told['reference']}"],
    happenings.Reconciled.kind: lambda told, written: [statement_words(told, written)],
    happenings.JackpotClosed.kind: lambda told, written: [shortage_words(told, written)],
    happenings.BonusChanged.kind: lambda told, _: [bonus_words(told)],
    happenings.RoundVoided.kind: lambda told, _: [f"report {told['report']}" if "report" in told else ""],
    happenings.MalfunctionReported.kind: lambda told, _: [
        f"report {told['number']} on {told['table'] or told['jackpot']}"
    ],
    happenings.ReportSent.kind: lambda told, _: [f"report {told['number']}, {told['reference']}"],
    happenings.ReportClosed.kind: lambda told, _: [f"report {told['number']}"],
    happenings.TableSetUp.kind: lambda told, _: [f"unit {told['tabulator']['unit']}", told["sensors"]["location"]],
    happenings.TableChanged.kind: lambda told, _: [change_words(*change) for change in told["changes"]],
    happenings.TabulatorBroken.kind: lambda told, _: [
        told["reason"],
        f"report {told['report']}" if "report" in told else "",
    ],
    happenings.TabulatorRepaired.kind: lambda told, _: [f"unit {told['unit']}", _counters(told["counters"])],
    happenings.RecordsPassedOver.kind: lambda told, _: [
        f"unit {told['unit']}: records {told['after'] + 1} to {told['mark']['number']}",
        f"with {told['second']}",
    ],
    happenings.LightsFailed.kind: lambda told, _: [_dark(told["dark"])],
    happenings.UnitMoved.kind: lambda told, _: [
        f"unit {told['unit']} {'to ' + told['table'] if told['table'] else 'put away'}",
        _counters([counter for _, counter in told["counters"]]),
    ],
    happenings.DayOpened.kind: lambda told, _: [told["day"]],
    happenings.DayClosed.kind: lambda told, _: [told["day"], open_words(len(told["open"]))],
    happenings.HeadsSent.kind: lambda told, _: [f"to {told['where']}, SHA-256 {told['digest']}"],
}


def record_words(record: Mapping[str, Any], typed_seat: int | None = None) -> str:
    """A round in full: cards, wagers and decisions. Of a hand that was typed the rest is not known, and said to be so.

    >>> typed = {"cards": {"seat 3 hand": ["Jd", "Qd"]}, "wagers": {"3": {"final-four": 100}}, "decisions": []}
    >>> record_words(typed, 3)
    'Cards: seat 3 hand Jd Qd. Wagers: seat 3 final-four $1. Other cards, wagers and decisions: not entered.'
    """
    cards = [f"{place} {' '.join(pile)}" for place, pile in record["cards"].items()]
    wagers = [
        f"seat {seat} {', '.join(f'{spot} {money(cents)}' for spot, cents in spots.items())}"
        for seat, spots in record["wagers"].items()
    ]
    decisions = [f"seat {one['seat']} {one['question']}: {one['answer']}" for one in record["decisions"]]
    told = {"Cards": cards, "Wagers": wagers, "Decisions": decisions}
    if typed_seat is not None:
        told["Other cards, wagers and decisions"] = [NOT_ENTERED]
    return ". ".join(f"{name}: {'; '.join(parts)}" for name, parts in told.items() if parts) + "."
