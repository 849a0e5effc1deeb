"""Files to take along: written whole, into a folder that goes away, before the first byte is sent."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from cardroom.floor import Floor
from cardroom.floor.hidden_events import STILL_PLAYED, hidden_from
from cardroom.floor.telling import event_sentences
from cardroom.jackpots.amounts import books
from cardroom.ledger import Event, event_to_json
from cardroom.ledger.proofs import prove_events
from cardroom.private_files import open_private_file
from cardroom.reports.accounting.export import text_cell
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
KINDS: Final = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".pdf": "application/pdf",
}
_AT_A_TIME: Final = 500
_COLUMNS: Final = ("chain", "sequence", "time", "id", "kind", "told", "entries", "payload", "previous", "hash")


async def download(request: Request, name: str, write: Callable[[Path], object]) -> Response:
    """A file under a name, as something writes it."""
    folder = Path(mkdtemp(prefix="cardroom-"))
    try:
        await house_of(request).clerks.look(write, folder / name)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        folder / name,
        media_type=KINDS[Path(name).suffix],
        filename=name,
        headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"},
        background=BackgroundTask(rmtree, folder, ignore_errors=True),
    )


@router.get("/office/downloads/ledger.{suffix}")
async def chain_file(request: Request, suffix: str, chain: str = "") -> Response:
    """A whole chain, as CSV or as JSON lines."""
    floor = house_of(request).floor
    write = {"csv": _chain_csv, "jsonl": _chain_lines}.get(suffix)
    if write is None:
        raise NothingThere(f"A chain can be had as ledger.csv or ledger.jsonl, not as ledger.{suffix}.")
    if floor.ledger.head(chain) is None:
        raise NothingThere(f"There is no chain {chain!r} with events: the ledger lists those that there are.")
    return await download(request, f"{chain.replace(':', '-')}.{suffix}", lambda path: write(floor, chain, path))


def _chain_csv(floor: Floor, chain: str, path: Path) -> None:
    last, hidden, at = *_end(floor, chain), 0
    with open_private_file(path, "w", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(_COLUMNS)
        while some := prove_events(floor.ledger, chain, at, _AT_A_TIME):
            for one in some:
                event = one.event
                if event.sequence > last:
                    return
                if event.sequence >= hidden:
                    sheet.writerow([chain, *("" for _ in _COLUMNS[1:5]), STILL_PLAYED])
                    return
                entries = "; ".join(f"{line.debit} from {line.credit} {books(line.amount)}" for line in one.entries)
                told = event_sentences(event, floor.calendar.told)
                payload = json.dumps(event.payload, ensure_ascii=False)
                time = floor.calendar.local(event.time).isoformat(timespec="microseconds")
                texts = (event.id, event.kind, told, entries, payload, event.previous.hex(), event.hash.hex())
                sheet.writerow([chain, event.sequence, time, *map(text_cell, texts)])
            at = some[-1].event.sequence


def _chain_lines(floor: Floor, chain: str, path: Path) -> None:
    last, hidden = _end(floor, chain)
    with open_private_file(path, "w") as file:
        for event in floor.ledger.events(chain, 0, last):
            if event.sequence >= hidden:
                file.write(json.dumps({"chain": chain, "told": STILL_PLAYED}) + "\n")
                return
            file.write(_line(event))


def _end(floor: Floor, chain: str) -> tuple[int, int]:
    """The last event of the file, and the first that must not be told. The end is looked up first: a round that begins
    while the file is written is not in it."""
    head = floor.ledger.head(chain)
    return head.sequence if head else 0, hidden_from(floor, chain)


def _line(event: Event) -> str:
    return json.dumps({**event_to_json(event), "previous": event.previous.hex()}, ensure_ascii=False) + "\n"
