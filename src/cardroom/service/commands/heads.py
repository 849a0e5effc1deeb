"""Heads of all chains are logged, signed, and sent to the destinations of this machine's own configuration."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from cardroom.heads.destinations import (
    HeadsNotDelivered,
    WitnessClient,
    WitnessConflict,
    WitnessRefused,
    find_newest_size,
    refuse_newer,
    run_command,
    write_cosignature,
    write_head,
)
from cardroom.heads.keys import BadSigningKey, SigningKey, create_signing_key, read_signing_key, signing_key_file
from cardroom.heads.merkle import Peaks, consistency_proof
from cardroom.heads.signed_heads import Cosignature, Leaf, SignedHead, leaf_hashes
from cardroom.ledger import Json, Lease, Ledger, Note, UniqueKey, schema
from cardroom.machine_config import HeadsDestination
from cardroom.room.codec import decode, encode
from cardroom.room.dual_control import require_text
from cardroom.room.event_types import decode_event
from cardroom.room.setup.calendar import Time
from cardroom.room.site.events import HeadsCosigned, HeadsExported, HeadsSigned
from cardroom.room.site.heads_log import HeadsLog, next_head, size_key
from cardroom.room.site.state import record_heads_key
from cardroom.room.user.command_ids import ScopedCommandId
from cardroom.service.chains.names import HEADS_CHAIN
from cardroom.service.commands.handler import THE_HOUSE, CommandHandler
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.unit_of_work import StateChanged, UnitOfWork
from cardroom.service.queries.heads import (
    ExportedHeads,
    StoredHeadsLog,
    ask_witness,
    check_heads_folder,
    check_witness,
    find_head_problems,
    list_heads_folder,
    prove_growth,
    prove_inclusion,
    read_heads_log,
)

MAX_ATTEMPTS: Final = 20
NO_DESTINATION: Final = (
    "No heads leave this machine: its configuration (machine.toml) names no folder, command, or witness under [heads]."
)
_NOTE_PREFIX: Final = "heads "
_FOLDER: Final = "folder"
_COMMAND: Final = "command"
_WITNESS: Final = "witness"
_SIGNING: Final = "signing"


class SentHeads(NamedTuple):
    """Heads that a person sent."""

    day: date | None
    digest: str
    time: Time
    where: str


class HeadsExportResult(NamedTuple):
    """The result of an export."""

    head: SignedHead | None
    """The newest signed head; None where nothing has happened in the room yet."""
    destinations: tuple[str, ...]
    """The destinations that have it."""
    errors: tuple[str, ...]
    """Why other destinations do not have it, each in a sentence."""


class DestinationState(NamedTuple):
    """What one destination has."""

    kind: str
    """Folder, command, or witness."""
    where: str
    time: Time | None = None
    """When the program last tried to send; None where it never did."""
    done: int = 0
    """The last event of the log that it has."""
    size: int = 0
    """The size of the newest head that it has."""
    error: str = ""
    """Why it does not have the newest; empty where it does."""


class HeadsStatus(NamedTuple):
    """The newest signed head, and who has it."""

    head: SignedHead | None
    destinations: tuple[DestinationState, ...]
    cosigned: Cosignature | None
    error: str
    """Why no heads are signed; empty where they are."""


class HeadsService:
    """Signed heads outside the database show whether the database was rewritten."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler
        self._logged_ends = _LoggedEnds()

    def export(
        self, destination: HeadsDestination, who: str = THE_HOUSE, lease: Lease | None = None
    ) -> HeadsExportResult:
        """Sign the heads of all chains that advanced, and send every destination what it does not have yet. What was
        signed stays in the database, so an export that failed or was killed continues where it stopped."""
        if not destination:
            raise HeadsNotDelivered(NO_DESTINATION)
        self._sign_and_note_errors(destination, who, lease)
        log = self._handler.heads_log()
        if log is None:
            return HeadsExportResult(None, (), ())
        destinations, stayed = list[str](), list[str]()
        for state, send in self._list_destinations(destination):
            try:
                state = send(state, log, destination)
                destinations.append(state.where)
            except _SendingStopped as stopped:
                state = stopped.state
                stayed.append(state.error)
            self._save_destination_state(state)
        return HeadsExportResult(log.head, tuple(destinations), tuple(stayed))

    def send(self, id: str, who: str, destination: HeadsDestination) -> SentHeads:
        """Export heads for a person, and record it. They are sent first: a record of heads that were never sent would
        be worse than heads without a record."""
        sender = require_text(who, "name")
        if (before := self._handler.find_command_result(who, id)) is not None:
            return _decode_sent_heads(before.response)
        exported = self.export(destination, sender)
        if exported.errors:
            raise HeadsNotDelivered(" ".join(exported.errors))
        if exported.head is None:
            raise HeadsNotDelivered("Nothing has happened in this room yet: there are no heads to send.")
        out = SentHeads(
            self._handler.room().days.closed,
            exported.head.digest,
            exported.head.time,
            " and ".join(exported.destinations),
        )

        def decide(uow: UnitOfWork) -> Json:
            uow.apply_to_room((HeadsExported(sender, *out),))
            entry: dict[str, Json] = encode(out)
            return entry

        return self._handler.execute(id, {"do": "send-heads", "who": who}, Locks(room=True), decide, _decode_sent_heads)

    def replace_key(self, id: str, who: str, destination: HeadsDestination, why: str, *, second: str) -> str:
        """Record the key in this machine's file in place of the one that signed heads until now."""
        file = signing_key_file(destination)
        key = read_signing_key(file) or create_signing_key(file)
        body = {"do": "replace-heads-key", "who": who, "second": second, "why": why, "key": key.public}

        def decide(uow: UnitOfWork) -> Json:
            uow.apply_to_room(record_heads_key(uow.room(), key.public, who=who, second=second, why=why))
            return key.public

        return self._handler.execute(id, body, Locks(room=True), decide, str)

    def read_status(self, destination: HeadsDestination) -> HeadsStatus:
        """The newest signed head, and which destinations have it."""
        log = self._handler.heads_log()
        states = tuple(state for state, _ in self._list_destinations(destination))
        return HeadsStatus(log.head if log else None, states, log.cosigned if log else None, self._read_signing_error())

    def check_exported(self, destination: HeadsDestination) -> ExportedHeads:
        """Compare the log with the chains, and all exported heads that can be read with the log."""
        states = {state.kind: state for state, _ in self._list_destinations(destination)}
        listed = list_heads_folder(destination.folder, states[_FOLDER].done) if destination.folder else None
        witnessed = ask_witness(destination.witness) if destination.witness else None
        log = self.read_logged()
        parts = list[ExportedHeads]()
        if listed is not None:
            parts.append(check_heads_folder(listed, log))
        if witnessed is not None:
            parts.append(check_witness(destination.witness, witnessed, log))
        for state in states.values():
            if state.kind == _COMMAND and (head := log.heads.get(state.size)) is not None:
                parts.append(ExportedHeads(where=state.where, time=head.head.time))
        newest = max(
            (part_item for part_item in parts if part_item.time is not None),
            key=lambda part_item: part_item.time or 0,
            default=ExportedHeads(),
        )
        last = log.cosignatures[-1].cosignature if log.cosignatures else None
        return ExportedHeads(
            where=newest.where,
            time=newest.time,
            checked=any(part_item.checked for part_item in parts),
            wrong=(*log.wrong, *(sentence for part_item in parts for sentence in part_item.wrong)),
            missing=next((part_item.missing for part_item in parts if part_item.missing), ""),
            unreadable=tuple(part_item for part in parts for part_item in part.unreadable),
            files=sum(part_item.files for part_item in parts),
            leaves=log.newest.size if log.newest else 0,
            key=self._handler.room().heads_key,
            cosigned=last.time if last else None,
            witness_key=last.key if last else "",
        )

    def read_logged(self) -> StoredHeadsLog:
        """The whole log in the database, compared with the chains."""
        with self._handler.ledger.store.read() as now:
            return read_heads_log(now)

    def check_folder(self, folder: Path) -> ExportedHeads:
        """Compare a folder of exported heads, such as an auditor's copy, with the database."""
        listed = list_heads_folder(folder)
        log = self.read_logged()
        outside = check_heads_folder(listed, log)
        return outside._replace(
            wrong=(*log.wrong, *outside.wrong),
            leaves=log.newest.size if log.newest else 0,
            key=self._handler.room().heads_key,
        )

    def check_signed(self, head: SignedHead, leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
        """Why the database does not agree with one exported head."""
        log = self.read_logged()
        return (*log.wrong, *find_head_problems(head, leaves, log))

    def prove_chain(self, chain: str, sequence: int | None = None) -> dict[str, Any]:
        """Proof that a chain's newest logged head, or one event of the chain, is under the newest signed head."""
        with self._handler.ledger.store.read() as now:
            return prove_inclusion(now, read_heads_log(now, chain), chain, sequence)

    def prove_growth(self, since: int, until: int | None = None) -> dict[str, Any]:
        """Proof that the log of one signed head extends the log of an older one."""
        return prove_growth(self.read_logged(), since, until)

    def _sign_and_note_errors(self, destination: HeadsDestination, who: str, lease: Lease | None) -> None:
        """Sign; if that is impossible, as where a server does not have the key, note why for the office."""
        try:
            key = self._load_signing_key(destination)
            self._handler.attempt(lambda: self._sign_heads(key, who, lease))
        except (HeadsNotDelivered, BadSigningKey, StateChanged) as wrong:
            self._save_destination_state(DestinationState(_SIGNING, "", error=str(wrong)))
            raise HeadsNotDelivered(str(wrong)) from None
        if self._read_signing_error():
            self._save_destination_state(DestinationState(_SIGNING, ""))

    def _read_signing_error(self) -> str:
        note = next((saved for saved in self._handler.ledger.read_notes(_NOTE_PREFIX + _SIGNING)), None)
        return _decode_destination_state(note, _SIGNING, "").error

    def _load_signing_key(self, destination: HeadsDestination) -> SigningKey:
        """The key of this machine, made where the room never had one, and recorded in the room's chain."""
        file, recorded = signing_key_file(destination), self._handler.room().heads_key
        key = read_signing_key(file)
        if key is None and recorded:
            raise HeadsNotDelivered(
                f"The key that signs heads is not in {file}: copy it there from the machine that has it. If it is "
                "lost, two people replace it: cardroom heads replace-key."
            )
        key = key or create_signing_key(file)
        if recorded and key.public != recorded:
            raise HeadsNotDelivered(
                f"The key in {file} is not the one that the room recorded ({recorded}). Restore the recorded key, or "
                "let two people replace it: cardroom heads replace-key."
            )
        if not recorded:
            self._record_key(key.public)
        return key

    def _record_key(self, key: str) -> None:
        def decide(uow: UnitOfWork) -> Json:
            if not uow.room().heads_key:
                uow.apply_to_room(record_heads_key(uow.room(), key, who=THE_HOUSE, second="", why=""))
            elif uow.room().heads_key != key:
                raise HeadsNotDelivered("Another machine recorded its key just now: copy its key file here.")
            return None

        self._handler.execute(
            f"heads/key/{key}", {"do": "record-heads-key", "key": key}, Locks(room=True), decide, lambda _: None
        )

    def _sign_heads(self, key: SigningKey, who: str, lease: Lease | None) -> None:
        """Add a leaf for every chain that advanced, and sign the log."""
        log = self._handler.heads_log()
        leaves = self._logged_ends.find_advanced(self._handler.ledger, log)
        if not leaves:
            return
        head, tree = next_head(log, leaves, self._handler.clock(), key.public)
        head = head._replace(signature=key.sign(head.text))
        signed = HeadsSigned(who, head, leaves, tuple(peak.hex() for peak in tree.hashes))

        def decide(uow: UnitOfWork) -> Json:
            if uow.heads_log() != log:
                raise StateChanged
            uow.apply_to_heads_log((signed,))
            return None

        locks = Locks(heads_log=True, unique_keys=[UniqueKey(HEADS_CHAIN, size_key(head.size))])
        body: dict[str, Json] = {"do": "sign-heads", "who": who, "digest": head.digest}
        id = ScopedCommandId(f"heads/{head.digest}")
        self._handler.ledger.execute(self._handler.build_command(id, body, locks, decide, lease))

    def _list_destinations(self, destination: HeadsDestination) -> Iterator[tuple[DestinationState, Any]]:
        """Each destination with what it has and how to send it more. The witness comes first, so that a folder gets its
        cosignature in the same export."""
        notes = {note.key: note for note in self._handler.ledger.read_notes(_NOTE_PREFIX)}
        for kind, address, send in (
            (_WITNESS, destination.witness, self._send_to_witness),
            (_FOLDER, str(destination.folder) if destination.folder else "", self._send_to_folder),
            (_COMMAND, shlex.join(destination.command), self._send_to_command),
        ):
            if address:
                yield _decode_destination_state(notes.get(_NOTE_PREFIX + kind), kind, address), send

    def _save_destination_state(self, state: DestinationState) -> None:
        now = self._handler.clock()
        text = json.dumps(state._replace(time=now)._asdict(), ensure_ascii=False)
        self._handler.ledger.save_notes([Note(_NOTE_PREFIX + state.kind, now, text)])

    def _send_to_folder(self, state: DestinationState, log: HeadsLog, _: HeadsDestination) -> DestinationState:
        folder = Path(state.where)
        try:
            newest = find_newest_size(folder)  # listed before the log is read again: others may export at the same time
            refuse_newer(folder, newest, (self._handler.heads_log() or log).head.size)
            for sequence, log_event in self._read_log_events(state.done):
                if isinstance(log_event, HeadsSigned):
                    write_head(folder, log_event.head, log_event.leaves)
                    state = state._replace(size=log_event.head.size)
                elif isinstance(log_event, HeadsCosigned):
                    write_cosignature(folder, log_event.cosignature)
                state = state._replace(done=sequence)
        except HeadsNotDelivered as wrong:
            raise _SendingStopped(state._replace(error=str(wrong))) from None
        return state._replace(error="")

    def _send_to_command(
        self, state: DestinationState, log: HeadsLog, destination: HeadsDestination
    ) -> DestinationState:
        """A command that was never run gets the newest head; later ones follow one by one."""
        try:
            for sequence, log_event in self._read_log_events(state.done):
                if isinstance(log_event, HeadsSigned) and (state.size or log_event.head == log.head):
                    run_command(destination.command, log_event.head, log_event.leaves)
                    state = state._replace(size=log_event.head.size)
                state = state._replace(done=sequence)
        except HeadsNotDelivered as wrong:
            raise _SendingStopped(state._replace(error=str(wrong))) from None
        return state._replace(error="")

    def _send_to_witness(
        self, state: DestinationState, log: HeadsLog, destination: HeadsDestination
    ) -> DestinationState:
        for _ in range(MAX_ATTEMPTS):
            try:
                return self._request_cosignature(state, log, destination)
            except WitnessConflict as moved:
                state = state._replace(error=str(moved))
        raise _SendingStopped(state)

    def _request_cosignature(
        self, state: DestinationState, log: HeadsLog, destination: HeadsDestination
    ) -> DestinationState:
        try:
            client = WitnessClient(state.where)
            witness_state = client.fetch_state()
            log = self._handler.heads_log() or log  # read after the request to the witness: it has nothing newer
            head = log.head
            expected = destination.witness_key or (log.cosigned.key if log.cosigned else "")
            if expected and witness_state.key != expected:
                raise WitnessRefused(
                    f"The witness {state.where} has the key {witness_state.key}, and this machine expects "
                    f"{expected}. If the owner of the witness made a new one, write it as witness_key under [heads] "
                    "in the machine's configuration."
                )
            if witness_state.head != head or log.cosigned is None or log.cosigned.head != head.digest:
                since = witness_state.head.size if witness_state.head else 0
                cosignature = client.request_cosignature(head, since, self._prove_log_growth(since, head))
                self._record_cosignature(state.where, cosignature)
        except WitnessConflict:
            raise
        except HeadsNotDelivered as wrong:
            raise _SendingStopped(state._replace(error=str(wrong))) from None
        return state._replace(error="", size=head.size)

    def _prove_log_growth(self, since: int, head: SignedHead) -> tuple[bytes, ...]:
        """Proof that the log only grew since it had some size; nothing where it never had that size: then the witness
        detects and keeps the contradiction."""
        if not 0 < since < head.size:
            return ()
        event = self._handler.ledger.find_event(HEADS_CHAIN, size_key(since))
        if event is None:
            return ()
        old = _decode_signed(event.kind, event.version, event.payload)
        added = [
            leaf
            for _, log_event in self._read_log_events(event.sequence)
            if isinstance(log_event, HeadsSigned)
            for leaf in log_event.leaves
        ]
        peaks = Peaks(since, tuple(map(bytes.fromhex, old.peaks)))
        return consistency_proof(peaks, leaf_hashes(added)[: head.size - since])

    def _record_cosignature(self, witness: str, cosignature: Cosignature) -> None:
        def decide(uow: UnitOfWork) -> Json:
            uow.apply_to_heads_log((HeadsCosigned(THE_HOUSE, witness, cosignature),))
            return None

        body: dict[str, Json] = {"do": "record-cosignature", "witness": witness, "signature": cosignature.signature}
        id = f"heads/cosigned/{cosignature.signature[:64]}"
        self._handler.execute(id, body, Locks(heads_log=True), decide, lambda _: None)

    def _read_log_events(self, after: int) -> Iterator[tuple[int, Any]]:
        for event in self._handler.ledger.events(HEADS_CHAIN, after):
            yield event.sequence, decode_event(event.kind, event.version, event.payload)


class _SendingStopped(Exception):
    """A destination that does not have everything; how far it came, and why it stopped."""

    def __init__(self, state: DestinationState) -> None:
        super().__init__(state.error)
        self.state = state


class _LoggedEnds:
    """Where each chain ended, according to the log. It is read once, and then only what was added. Threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: dict[str, int] = {}
        self._last_read = 0
        self._size = 0

    def find_advanced(self, ledger: Ledger, log: HeadsLog | None) -> tuple[Leaf, ...]:
        """A leaf for every chain that has events after the one in the log, in the order of their names."""
        with self._lock, ledger.store.read() as now:
            self._catch_up(now)
            if self._size != (
                log.head.size if log else 0
            ):  # The database was set back: read the log from the beginning.
                self._ends, self._last_read, self._size = {}, 0, 0
                self._catch_up(now)
            rows = now.rows(schema.heads, after={"sequence": 0})
            return tuple(
                Leaf(row[0], row[1], row[2].hex())
                for row in rows
                if row[0] != HEADS_CHAIN and row[1] > self._ends.get(row[0], 0)
            )

    def _catch_up(self, now: Any) -> None:
        for row in now.rows(schema.events, {"chain": HEADS_CHAIN}, {"sequence": self._last_read}):
            self._last_read = row[1]
            if row[3] == HeadsSigned.kind:
                for chain, sequence, _ in orjson.loads(row[6])["leaves"]:
                    self._ends[chain] = sequence
                    self._size += 1


def _decode_destination_state(note: Note | None, kind: str, address: str) -> DestinationState:
    """What was noted about a destination. A note about another folder, command, or witness is ignored."""
    try:
        entry = json.loads(note.text) if note else None
    except ValueError:
        entry = None
    if not isinstance(entry, dict) or entry.get("where") != address:
        return DestinationState(kind, address)
    time, last_sent, size = (entry[name] if type(entry.get(name)) is int else 0 for name in ("time", "done", "size"))
    return DestinationState(kind, address, time or None, last_sent, size, str(entry.get("error", "")))


def _decode_signed(kind: str, version: int, payload: Any) -> HeadsSigned:
    signed = decode_event(kind, version, payload)
    assert isinstance(signed, HeadsSigned)
    return signed


def _decode_sent_heads(data: Any) -> SentHeads:
    return decode(SentHeads, data)
