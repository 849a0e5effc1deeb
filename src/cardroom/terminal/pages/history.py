"""The history of a jackpot: every change with its beginning amount, the amount, the reason, and who.

The rounds between two other events stand in one line a level, so that each beginning amount is where the line before
left off; they can also be told one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Final

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.accounts import CENT, Amount
from cardroom.jackpots import Increase, happenings
from cardroom.ledger import Event
from cardroom.terminal.pages.money import books, change
from cardroom.terminal.pages.time import local_time
from cardroom.terminal.palette import LOST, QUIET, WON

ROUND: Final = happenings.WagersCounted.kind
HOUSE: Final = "the house"
Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One change. Amounts are hundredths of a cent; None where no money moved."""

    time: int
    sequence: int
    level: str
    reason: str
    before: Amount | None = None
    amount: Amount | None = None
    who: str = ""
    note: str = ""
    held: str = "display"
    """Which amount of the level changed: the display, or what is not displayed."""


def history(newest_first: Iterable[Event], *, each_round: bool = False) -> Iterator[HistoryLine]:
    """The lines of a jackpot's events, the newest first."""
    for is_round, some in groupby(newest_first, key=lambda event: event.kind == ROUND):
        if is_round and not each_round:
            yield from _rounds(list(some))
        else:
            for event in some:
                yield from reversed(list(_lines(event)))


def _rounds(events: Sequence[Event]) -> Iterator[HistoryLine]:
    """Rounds that follow on one another, in a line for each level."""
    newest, oldest = events[0], events[-1]
    told: list[Payload] = [event.payload for event in events]  # type: ignore[misc]
    count = sum(one["count"] for one in told)
    tables = ", ".join(sorted({one["table"] for one in told}))
    note = f"{count:,} wagers in {len(events):,} rounds" if len(events) > 1 else _round_note(told[0])
    if not told[0]["levels"]:
        yield HistoryLine(newest.time, newest.sequence, "", str(Increase.WAGERS), who=tables, note=note)
    first: Any = oldest.payload
    for level in reversed(list(told[0]["levels"])):
        _, shown, reserved, spilt, *_ = zip(*(one["levels"][level] for one in told), strict=True)
        before, hidden = first["levels"][level][0], _hidden(sum(reserved), sum(spilt))
        yield HistoryLine(
            newest.time, newest.sequence, level, str(Increase.WAGERS), before, sum(shown), tables, note + hidden
        )


def _round_note(told: Payload) -> str:
    return f"{told['count']:,} wager{'s' * (told['count'] != 1)}, round {told['round'] or 'unknown'}"


def _hidden(reserved: Amount, spilt: Amount) -> str:
    parts = {"reserve": reserved, "overflow": spilt}
    return "".join(f", {name} {change(amount)}" for name, amount in parts.items() if amount)


def _lines(event: Event) -> Iterator[HistoryLine]:
    told: Any = event.payload
    held = told["of"] if event.kind == happenings.Adjusted.kind else "display"
    for level, reason, before, amount, who, note in _TOLD.get(event.kind, _unknown)(event.kind, told):
        yield HistoryLine(event.time, event.sequence, level, reason, before, amount, who, note, held)


Line = tuple[str, str, Amount | None, Amount | None, str, str]
"""Level, reason, beginning amount, amount, who, note."""


def _unknown(kind: str, told: Payload) -> Iterator[Line]:
    yield "", kind.replace("-", " "), None, None, str(told.get("who", "")), ""


def _opened(_: str, told: Payload) -> Iterator[Line]:
    yield "", "opened", None, None, told["who"], told["setup"]["name"]
    for level, seed in told["seeds"].items():
        yield level, str(Increase.SEED), 0, seed, told["who"], ""


def _round(_: str, told: Payload) -> Iterator[Line]:
    for level, (before, shown, reserved, spilt, *_rest) in told["levels"].items():
        note = _round_note(told) + _hidden(reserved, spilt)
        yield level, str(Increase.WAGERS), before, shown, told["table"], note
    if not told["levels"]:
        yield "", str(Increase.WAGERS), None, None, told["table"], _round_note(told)


def _prizes_paid(_: str, told: Payload) -> Iterator[Line]:
    hands = "; ".join(prize["words"] for prize in told["prizes"])
    yield "", f"fixed prizes, paid by {HOUSE}", None, -told["cents"] * CENT, told["dealer"], f"{told['table']}: {hands}"


def _locked(_: str, told: Payload) -> Iterator[Line]:
    for level, (before, taken) in told["levels"].items():
        if level in told.get("beyond", {}):
            added, note = _from_elsewhere(told["beyond"][level])
            yield level, str(Increase.PRIZES), before, added, "", note
            before += added
        hands = "; ".join(prize["words"] for prize in told["prizes"] if prize["level"] == level)
        yield level, told["reason"], before, -taken, told["dealer"], f"{hands}; claim {told['claim']} pending"
    fixed = [prize for prize in told["prizes"] if prize["level"] is None]
    if fixed:
        hands = "; ".join(prize["words"] for prize in fixed)
        yield "", "fixed prize claimed", None, None, told["dealer"], f"{hands}; claim {told['claim']} pending"


def _reset(_: str, told: Payload) -> Iterator[Line]:
    added, note = _from_elsewhere(told)
    yield told["level"], told["reason"], told["before"], added, "", note


def _from_elsewhere(fill: Payload) -> tuple[Amount, str]:
    """What a meter got besides wagers, and in words from where."""
    sources = {"overflow": fill["overflow"], "reserve": fill["reserve"], HOUSE: fill["house"]}
    return sum(sources.values()), ", ".join(
        f"{books(amount)} from {source}" for source, amount in sources.items() if amount
    )


def _paid(_: str, told: Payload) -> Iterator[Line]:
    seen = f", surveillance {told['surveillance']['by']}" if told["surveillance"] else ""
    amount = sum(told["levels"].values()) + told["house_cents"] * CENT
    yield "", "claim paid", None, None, told["verified_by"] + seen, f"{books(amount)}, claim {told['claim']}"


def _refused(_: str, told: Payload) -> Iterator[Line]:
    note = f"{told['why']}; claim {told['claim']}"
    for level, now in told["levels"].items():
        before, after = now["before"]["display"], now["after"]["display"]
        yield level, told["reason"], before, after - before, told["refused_by"], note
    if not told["levels"]:
        yield "", told["reason"], None, None, told["refused_by"], note


def _adjusted(_: str, told: Payload) -> Iterator[Line]:
    yield told["level"], told["reason"], told["before"], told["change"], told["who"], told["why"]


def _taken_back(_: str, told: Payload) -> Iterator[Line]:
    for level, (before, shown, reserved, spilt) in told["levels"].items():
        note = f"{told['why']}; {_round_note(told)}{_hidden(-reserved, -spilt)}"
        yield level, told["reason"], before, -shown, told["who"], note


def _deposited(_: str, told: Payload) -> Iterator[Line]:
    yield "", "deposit to the bank", told["escrow_before"], told["amount"], told["who"], f"slip {told['reference']}"


def _reconciled(_: str, told: Payload) -> Iterator[Line]:
    difference = f", {change(told['difference'])} against the books" if told["difference"] else ", as the books say"
    yield "", "reconciled", None, None, told["who"], f"statement {books(told['statement'])}{difference}"


def _closed(_: str, told: Payload) -> Iterator[Line]:
    short = f"short by {books(told['short'])}" if "short" in told else ""
    yield "", "closed" if short else "opened again", None, None, "", short


def _service(kind: str, told: Payload) -> Iterator[Line]:
    words = {
        happenings.JackpotDisabled.kind: "disabled",
        happenings.JackpotEnabled.kind: "enabled",
        happenings.JackpotRemoved.kind: "removed",
    }
    yield "", words[kind], None, None, told["who"], told.get("why", "")


def _table(kind: str, told: Payload) -> Iterator[Line]:
    yield (
        "",
        "table joined" if kind == happenings.TableJoined.kind else "table left",
        None,
        None,
        told["who"],
        told["table"],
    )


def _changed(kind: str, told: Payload) -> Iterator[Line]:
    names = [name for name, value in told["after"].items() if value != told["before"][name]]
    changes = ", ".join(f"{name} {_value(told, 'before', name)} to {_value(told, 'after', name)}" for name in names)
    waits = "change waits for the reset" if names else "waiting change taken back"
    yield (
        told["level"],
        "changed" if kind == happenings.ChangeApplied.kind else waits,
        None,
        None,
        told["who"],
        (f"{changes}; {told['why']}" if changes else told["why"]),
    )


def _value(told: Payload, when: str, name: str) -> str:
    value = told[when][name]
    if value is None:
        return "none"
    if name in ("seed", "ceiling"):
        return books(value)
    return books(value * CENT) if name == "minimum" else str(value)


def _bonus(_: str, told: Payload) -> Iterator[Line]:
    def amount(when: str) -> str:
        offers = told[when]["offers"]
        return str(next(one["bonuses"][told["event"]] for one in offers if one["game"] == told["game"]))

    note = f"{told['event']} {amount('before')} to {amount('after')}; {told['why']}"
    yield "", "bonus changed", None, None, told["who"], note


_TOLD: Final[dict[str, Callable[[str, Payload], Iterator[Line]]]] = {
    happenings.JackpotOpened.kind: _opened,
    ROUND: _round,
    happenings.PrizesPaid.kind: _prizes_paid,
    happenings.ClaimLocked.kind: _locked,
    happenings.MeterReset.kind: _reset,
    happenings.ClaimPaid.kind: _paid,
    happenings.ClaimRefused.kind: _refused,
    happenings.Adjusted.kind: _adjusted,
    happenings.WagersTakenBack.kind: _taken_back,
    happenings.Deposited.kind: _deposited,
    happenings.Reconciled.kind: _reconciled,
    happenings.JackpotClosed.kind: _closed,
    happenings.JackpotReopened.kind: _closed,
    happenings.JackpotDisabled.kind: _service,
    happenings.JackpotEnabled.kind: _service,
    happenings.JackpotRemoved.kind: _service,
    happenings.TableJoined.kind: _table,
    happenings.TableLeft.kind: _table,
    happenings.ChangeRequested.kind: _changed,
    happenings.ChangeApplied.kind: _changed,
    happenings.BonusChanged.kind: _bonus,
}


def history_table(lines: Sequence[HistoryLine]) -> RenderableType:
    """The lines, the newest first."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET, expand=True)
    grid.add_column("Time", no_wrap=True)
    grid.add_column("Level")
    grid.add_column("Reason", ratio=1, overflow="fold")
    grid.add_column("Beginning", justify="right", no_wrap=True)
    grid.add_column("Amount", justify="right", no_wrap=True)
    grid.add_column("Who", max_width=16)
    for line in lines:
        reason = Text(line.reason).append(f"\n{line.note}" if line.note else "", QUIET)
        before = "" if line.before is None else books(line.before)
        level = line.level if line.held == "display" else f"{line.level}\n{line.held}"
        grid.add_row(local_time(line.time)[:16], level, reason, before, _moved(line.amount), line.who)
    return grid


def _moved(amount: Amount | None) -> Text:
    return Text("") if amount is None else Text(change(amount), WON if amount > 0 else LOST if amount < 0 else QUIET)


def line_entry(line: HistoryLine) -> dict[str, Any]:
    """A line as JSON; amounts in hundredths of a cent."""
    return asdict(line)
