"""Output of the ledger commands: events of a chain, sign-ins, gaming days, chain heads, and exported rounds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, Final

import orjson
from rich.console import Group
from rich.text import Text

from cardroom.cli.shared.files import FileNotWritable, refuse_existing_file
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput
from cardroom.heads.signed_heads import HEADS, read_heads
from cardroom.ledger import Finding, Ledger, LedgerDamaged, Time, system_clock
from cardroom.ledger.types import heads_check_to_json
from cardroom.machine_config import load_machine_config
from cardroom.private_files import open_private_file
from cardroom.reports.accounting import BadReportFile, day_book, refuse_report_file, write_report
from cardroom.room.setup.calendar import Calendar, open_calendar
from cardroom.service import CardRoom
from cardroom.service.chain_descriptions import describe_events
from cardroom.service.chains.names import parse_user_chain
from cardroom.service.json_output import gaming_day_to_json
from cardroom.service.queries.chain_history import list_newest_first
from cardroom.service.queries.heads import ExportedHeads
from cardroom.service.queries.round_search import AnyPastRound
from cardroom.service.queries.site import get_gaming_day, list_sign_in_events
from cardroom.service.verification.report import describe_contradictions, describe_exported_heads
from cardroom.terminal.pages.card_room import day_page, event_log_page
from cardroom.terminal.pages.users import user_log_page
from cardroom.terminal.pages.verification import heads_check_text


def format_events(card_room: CardRoom, chain: str, last: int) -> CommandOutput:
    """The last events of a chain as sentences, newest first."""
    events = islice(list_newest_first(card_room.ledger, chain), last)
    descriptions = [*describe_events(events, card_room.calendar.format_time)]
    data = {"chain": chain, "events": [description.to_json() for description in descriptions]}
    return CommandOutput(data, event_log_page(descriptions, card_room.calendar))


def format_sign_ins(card_room: CardRoom, login: str | None, last: int) -> CommandOutput:
    """The last sign-in events as sentences, newest first, each with its user."""
    if login is not None:
        card_room.user(login)
    logins = (login,) if login is not None else card_room.users.list_users()
    events = [*islice(list_sign_in_events(card_room.ledger, logins), last)]
    owners = (parse_user_chain(item.chain) or "" for item in events)
    descriptions = [*zip(owners, describe_events(events, card_room.calendar.format_time), strict=True)]
    return CommandOutput(
        {"events": [{"login": owner, **item.to_json()} for owner, item in descriptions]},
        user_log_page(descriptions, card_room.calendar),
    )


def format_day(card_room: CardRoom, requested_day: date | None) -> CommandOutput:
    """The requested day, or the open one."""
    days = card_room.room().days
    wanted_day, last_day = requested_day or days.open, None
    day = None if wanted_day is None else get_gaming_day(card_room.ledger, wanted_day)
    if day is None and days.closed is not None:
        last_day = get_gaming_day(card_room.ledger, days.closed)
    open_items = () if day is not None and day.closed else card_room.days.list_open_items()
    return CommandOutput(gaming_day_to_json(day, open_items), day_page(day, open_items, last_day, card_room.calendar))


def check_report_file(output: str | None) -> Path | None:
    """Refuse, before the work, a file that cannot be a day report."""
    if output is None:
        return None
    file = Path(output)
    if file.suffix.lower() != ".pdf":
        raise BadReportFile(f"The day report is a PDF: {file.name!r} must end with .pdf.")
    refuse_report_file(file)
    return file


def write_day_report(
    card_room: CardRoom, day: date | None, file: Path, previous_output: CommandOutput | None = None
) -> CommandOutput:
    """Write the day report and add it to the previous output. Figures that do not reconcile are a failed check."""
    report = day_book(card_room, day, system_clock())
    write_report(report, file)
    summary = f"{file}: {report.kind}, {report.subject}, {report.period}."
    lines = [Text(summary), *(Text(f"Does not reconcile: {fault}") for fault in report.faults)]
    data = {"path": str(file), "day": str(report.period.first), "faults": report.faults}
    if previous_output is None:
        return CommandOutput(data, Group(*lines), is_success=not report.faults)
    return CommandOutput(
        {**previous_output.data, "book": data},
        Group(previous_output.page, *lines),
        previous_output.is_success and not report.faults,
    )


def format_heads_file(document: dict[str, Any]) -> str:
    """The text of a heads file."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def find_calendar(ledger: Ledger) -> Calendar:
    """The room's calendar, or the default one if the database is damaged."""
    try:
        return CardRoom(ledger).calendar
    except (BadInput, LedgerDamaged):
        return open_calendar()


def format_heads_check(document: Any, findings: Sequence[Finding], calendar: Calendar) -> CommandOutput:
    """The result of a comparison of heads with their chains."""
    chains, time = len(document["heads"]), document["time"]
    return CommandOutput(
        heads_check_to_json(chains, time, findings),
        heads_check_text(chains, time, findings, calendar),
        is_success=not findings,
    )


def check_heads_document(ledger: Ledger, document: Any, calendar: Calendar) -> CommandOutput:
    """Compare the heads of a file, signed or unsigned, with their chains."""
    if isinstance(document, dict) and document.get("document") == HEADS:
        head, leaves = read_heads(document)
        sentences = CardRoom(ledger).heads.check_signed(head, leaves)
        findings = tuple(Finding("events", "hash", sentence) for sentence in sentences)
        return format_heads_check({"heads": leaves, "time": head.time}, findings, calendar)
    return format_heads_check(document, ledger.check_heads(document), calendar)


def find_exported_heads(ledger: Ledger) -> ExportedHeads:
    """Compare exported heads with the database. A damaged database cannot list the heads that it signed."""
    destination = load_machine_config().heads
    try:
        return CardRoom(ledger).heads.check_exported(destination)
    except (BadInput, LedgerDamaged):
        return ExportedHeads(known=False)


def format_exported_heads(
    exported_heads: ExportedHeads, now: Time, calendar: Calendar, *, with_findings: bool = False
) -> CommandOutput:
    """The age of the newest exported heads, and whether the database agrees with them. ``with_findings`` adds all
    differences to the page."""
    data = {
        "holds": exported_heads.is_consistent,
        "where": exported_heads.where,
        "time": exported_heads.time,
        "age_seconds": None if exported_heads.time is None else (now - exported_heads.time) // 1_000_000,
        "checked": exported_heads.checked,
        "findings": list(exported_heads.wrong),
        "missing": exported_heads.missing,
        "files": exported_heads.files,
        "unreadable": [place for place, _ in exported_heads.unreadable],
        "leaves": exported_heads.leaves,
        "key": exported_heads.key,
        "cosigned": exported_heads.cosigned,
        "witness_key": exported_heads.witness_key,
    }
    lines = [
        *(describe_contradictions(exported_heads) if with_findings else ()),
        *describe_exported_heads(exported_heads, now, calendar),
    ]
    return CommandOutput(data, "\n".join(lines), is_success=exported_heads.is_consistent)


def add_time_zone(output: CommandOutput, calendar: Calendar) -> CommandOutput:
    """The output with a line that names the time zone of its times."""
    return replace(output, page=f"{output.page}\n{calendar.zone_text}")


def combine_outputs(output: CommandOutput, name: str, second_output: CommandOutput) -> CommandOutput:
    """Two outputs as one, the second below the first."""
    page = "\n".join(str(page) for page in (output.page, second_output.page) if page)
    return CommandOutput(
        {**output.data, name: second_output.data}, page, output.is_success and second_output.is_success
    )


STANDARD_OUTPUT: Final = "-"


def write_rounds(rounds: Iterable[AnyPastRound], output: str) -> int:
    """Write rounds one at a time, so that a million of them needs little memory; the number of rounds."""
    if output == STANDARD_OUTPUT:
        return _write_pieces(sys.stdout.buffer.write, _encode_lines(rounds))
    path = Path(output)
    refuse_existing_file(path)
    pieces = _encode_document(rounds) if path.suffix == ".json" else _encode_lines(rounds)
    try:
        with open_private_file(path, "xb") as file:
            return _write_pieces(file.write, pieces)
    except OSError as fault:
        raise FileNotWritable(f"{path} cannot be written: {fault.strerror or fault}.") from None


def _encode_lines(rounds: Iterable[AnyPastRound]) -> Iterator[tuple[bytes, int]]:
    for past_round in rounds:
        yield orjson.dumps(past_round.to_json(), option=orjson.OPT_APPEND_NEWLINE), 1


def _encode_document(rounds: Iterable[AnyPastRound]) -> Iterator[tuple[bytes, int]]:
    prefix = b'{"rounds": [\n'
    for past_round in rounds:
        yield prefix + orjson.dumps(past_round.to_json()), 1
        prefix = b",\n"
    yield (b"\n]}\n" if prefix == b",\n" else prefix + b"]}\n"), 0


def _write_pieces(write: Callable[[bytes], object], pieces: Iterable[tuple[bytes, int]]) -> int:
    count = 0
    for piece, rounds in pieces:
        write(piece)
        count += rounds
    return count
