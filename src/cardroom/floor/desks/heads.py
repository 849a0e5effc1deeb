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

from cardroom.floor.desks.desk import THE_HOUSE, Desk, Keys, fresh_key
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import HEADS, ROOM
from cardroom.floor.kept.exported_heads import (
    HeadsInDatabase,
    Outside,
    ask_witness,
    check_folder,
    check_witness,
    head_problems,
    list_folder,
    read_log,
)
from cardroom.floor.kept.heads_proofs import prove_growth, prove_inclusion
from cardroom.floor.people.senders import Scoped
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
from cardroom.jackpots import happening_from, read_as, written
from cardroom.jackpots.happenings import HeadsCosigned, HeadsSent, HeadsSigned
from cardroom.jackpots.people import named
from cardroom.jackpots.room.heads_log import HeadsLog, next_head, size_name
from cardroom.jackpots.room.state import record_heads_key
from cardroom.jackpots.setup.calendar import Time
from cardroom.ledger import Clock, Json, Lease, Ledger, Note, UniqueKey, schema, system_clock
from cardroom.machine_config import HeadsDestination

TRIES: Final = 20
NO_DESTINATION: Final = (
    "No heads leave this machine: its configuration (machine.toml) names no folder, command or witness under [heads]."
)
_ABOUT: Final = "heads "
_FOLDER: Final = "folder"
_COMMAND: Final = "command"
_WITNESS: Final = "witness"
_SIGNING: Final = "signing"


class LogMoved(HeadsNotDelivered):
    """Another program signed heads at this very moment."""

    def __init__(self) -> None:
        super().__init__("Other programs sign heads without a gap: try again.")


class HeadsOut(NamedTuple):
    """Heads that a person sent out."""

    day: date | None
    digest: str
    time: Time
    where: str


class Exported(NamedTuple):
    """What came of an export."""

    head: SignedHead | None
    """The newest signed head; None where nothing has happened in the room yet."""
    where: tuple[str, ...]
    """The destinations that have it."""
    stayed: tuple[str, ...]
    """Why other destinations do not have it, each in a sentence."""


class DestinationState(NamedTuple):
    """What one destination has."""

    kind: str
    """Folder, command or witness."""
    where: str
    time: Time | None = None
    """When it was last tried; None where it never was."""
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


class HeadsDesk(Desk):
    """What is outside of the database shows whether the database was rewritten."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: Keys = fresh_key) -> None:
        super().__init__(ledger, clock, keys)
        self._logged_ends = _LoggedEnds()

    def export_heads(self, to: HeadsDestination, who: str = THE_HOUSE, under: Lease | None = None) -> Exported:
        """Sign the heads of all chains that advanced, and send every destination what it does not have yet. What was
        signed stays in the database, so an export that failed or was killed goes on where it stopped."""
        if not to:
            raise HeadsNotDelivered(NO_DESTINATION)
        self._sign_noting(to, who, under)
        log = self.heads_log()
        if log is None:
            return Exported(None, (), ())
        where, stayed = list[str](), list[str]()
        for state, send in self._sending(to):
            try:
                state = send(state, log, to)
                where.append(state.where)
            except _Stopped as stopped:
                state = stopped.state
                stayed.append(state.error)
            self._note(state)
        return Exported(log.head, tuple(where), tuple(stayed))

    def send_heads(self, id: str, who: str, to: HeadsDestination) -> HeadsOut:
        """Export heads for a person, and record it. They go out first: a record of heads that never went out would be
        worse than heads without a record."""
        sender = named(who, "name")
        if (before := self.carried(who, id)) is not None:
            return _read(before.response)
        exported = self.export_heads(to, sender)
        if exported.stayed:
            raise HeadsNotDelivered(" ".join(exported.stayed))
        if exported.head is None:
            raise HeadsNotDelivered("Nothing has happened in this room yet: there are no heads to send.")
        out = HeadsOut(self.room().days.closed, exported.head.digest, exported.head.time, " and ".join(exported.where))

        def decide(draft: Draft) -> Json:
            draft.at_room((HeadsSent(sender, *out),))
            entry: dict[str, Json] = written(out)
            return entry

        return self._do(id, {"do": "send-heads", "who": who}, (ROOM,), decide, _read)

    def replace_heads_key(self, id: str, who: str, to: HeadsDestination, why: str, *, second: str) -> str:
        """Record the key in this machine's file in place of the one that signed heads until now."""
        file = signing_key_file(to)
        key = read_signing_key(file) or create_signing_key(file)
        body = {"do": "replace-heads-key", "who": who, "second": second, "why": why, "key": key.public}

        def decide(draft: Draft) -> Json:
            draft.at_room(record_heads_key(draft.room(), key.public, who=who, second=second, why=why))
            return key.public

        return self._do(id, body, (ROOM,), decide, str)

    def heads_status(self, to: HeadsDestination) -> HeadsStatus:
        """The newest signed head, and which destinations have it."""
        log = self.heads_log()
        states = tuple(state for state, _ in self._sending(to))
        return HeadsStatus(log.head if log else None, states, log.cosigned if log else None, self._signing_error())

    def outside_heads(self, to: HeadsDestination) -> Outside:
        """Compare the log with the chains, and all exported heads that can be read with the log."""
        states = {state.kind: state for state, _ in self._sending(to)}
        listed = list_folder(to.folder, states[_FOLDER].done) if to.folder else None
        witnessed = ask_witness(to.witness) if to.witness else None
        log = self.logged_heads()
        parts = list[Outside]()
        if listed is not None:
            parts.append(check_folder(listed, log))
        if witnessed is not None:
            parts.append(check_witness(to.witness, witnessed, log))
        for state in states.values():
            if state.kind == _COMMAND and (head := log.heads.get(state.size)) is not None:
                parts.append(Outside(where=state.where, time=head.head.time))
        newest = max((one for one in parts if one.time is not None), key=lambda one: one.time or 0, default=Outside())
        last = log.cosignatures[-1].cosignature if log.cosignatures else None
        return Outside(
            where=newest.where,
            time=newest.time,
            checked=any(one.checked for one in parts),
            wrong=(*log.wrong, *(sentence for one in parts for sentence in one.wrong)),
            missing=next((one.missing for one in parts if one.missing), ""),
            unreadable=tuple(one for part in parts for one in part.unreadable),
            files=sum(one.files for one in parts),
            leaves=log.newest.size if log.newest else 0,
            key=self.room().heads_key,
            cosigned=last.time if last else None,
            witness_key=last.key if last else "",
        )

    def logged_heads(self) -> HeadsInDatabase:
        """The whole log as the database has it, compared with the chains."""
        with self.ledger.store.read() as now:
            return read_log(now)

    def check_heads_folder(self, folder: Path) -> Outside:
        """Compare a folder of exported heads, such as an auditor's copy, with the database."""
        listed = list_folder(folder)
        log = self.logged_heads()
        outside = check_folder(listed, log)
        return outside._replace(
            wrong=(*log.wrong, *outside.wrong),
            leaves=log.newest.size if log.newest else 0,
            key=self.room().heads_key,
        )

    def check_signed_heads(self, head: SignedHead, leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
        """Why the database does not agree with one exported head."""
        log = self.logged_heads()
        return (*log.wrong, *head_problems(head, leaves, log))

    def prove_chain(self, chain: str, sequence: int | None = None) -> dict[str, Any]:
        """Proof that a chain's newest logged head, or one event of the chain, is under the newest signed head."""
        with self.ledger.store.read() as now:
            return prove_inclusion(now, read_log(now, chain), chain, sequence)

    def prove_growth(self, since: int, until: int | None = None) -> dict[str, Any]:
        """Proof that the log of one signed head extends the log of an older one."""
        return prove_growth(self.logged_heads(), since, until)

    def _sign_noting(self, to: HeadsDestination, who: str, under: Lease | None) -> None:
        """Sign, and note for the office why it cannot be done, as where a server does not have the key."""
        try:
            self._sign(self._signing_key(to), who, under)
        except (HeadsNotDelivered, BadSigningKey) as wrong:
            self._note(DestinationState(_SIGNING, "", error=str(wrong)))
            raise HeadsNotDelivered(str(wrong)) from None
        if self._signing_error():
            self._note(DestinationState(_SIGNING, ""))

    def _signing_error(self) -> str:
        noted = next((one for one in self.ledger.read_notes(_ABOUT + _SIGNING)), None)
        return _noted_state(noted, _SIGNING, "").error

    def _signing_key(self, to: HeadsDestination) -> SigningKey:
        """The key of this machine, made where the room never had one, and recorded in the room's chain."""
        file, recorded = signing_key_file(to), self.room().heads_key
        key = read_signing_key(file)
        if key is None and recorded:
            raise HeadsNotDelivered(
                f"The key that signs heads is not in {file}: copy it there from the machine that has it. If it is "
                "lost, two people replace it: cardroom heads replace-key."
            )
        key = key or create_signing_key(file)
        if recorded and key.public != recorded:
            raise HeadsNotDelivered(
                f"The key in {file} is not the one that the room recorded ({recorded}): put that one back, or let two "
                "people replace it: cardroom heads replace-key."
            )
        if not recorded:
            self._record_key(key.public)
        return key

    def _record_key(self, key: str) -> None:
        def decide(draft: Draft) -> Json:
            if not draft.room().heads_key:
                draft.at_room(record_heads_key(draft.room(), key, who=THE_HOUSE, second="", why=""))
            elif draft.room().heads_key != key:
                raise HeadsNotDelivered("Another machine recorded its key at this very moment: copy its key file here.")
            return None

        self._do(f"heads/key/{key}", {"do": "record-heads-key", "key": key}, (ROOM,), decide, lambda _: None)

    def _sign(self, key: SigningKey, who: str, under: Lease | None) -> None:
        """Add a leaf for every chain that advanced, and sign the log."""
        for _ in range(TRIES):
            log = self.heads_log()
            leaves = self._logged_ends.advanced(self.ledger, log)
            if not leaves:
                return
            head, tree = next_head(log, leaves, self._clock(), key.public)
            head = head._replace(signature=key.sign(head.text))
            signed = HeadsSigned(who, head, leaves, tuple(peak.hex() for peak in tree.hashes))

            def decide(draft: Draft, log: HeadsLog | None = log, signed: HeadsSigned = signed) -> Json:
                if draft.heads_log() != log:
                    raise LogMoved
                draft.at_heads_log((signed,))
                return None

            names = (UniqueKey(HEADS, size_name(head.size)),)
            body: dict[str, Json] = {"do": "sign-heads", "who": who, "digest": head.digest}
            try:
                self.ledger.execute(self._command(Scoped(f"heads/{head.digest}"), body, (HEADS,), decide, names, under))
            except LogMoved:
                continue
            return
        raise LogMoved

    def _sending(self, to: HeadsDestination) -> Iterator[tuple[DestinationState, Any]]:
        """Each destination with what it has and how it is sent more. The witness comes first, so that a folder gets
        its cosignature in the same export."""
        noted = {one.key: one for one in self.ledger.read_notes(_ABOUT)}
        for kind, where, send in (
            (_WITNESS, to.witness, self._to_witness),
            (_FOLDER, str(to.folder) if to.folder else "", self._to_folder),
            (_COMMAND, shlex.join(to.command), self._to_command),
        ):
            if where:
                yield _noted_state(noted.get(_ABOUT + kind), kind, where), send

    def _note(self, state: DestinationState) -> None:
        now = self._clock()
        text = json.dumps(state._replace(time=now)._asdict(), ensure_ascii=False)
        self.ledger.save_notes([Note(_ABOUT + state.kind, now, text)])

    def _to_folder(self, state: DestinationState, log: HeadsLog, _: HeadsDestination) -> DestinationState:
        folder = Path(state.where)
        try:
            newest = find_newest_size(folder)  # listed before the log is read again: others may export at the same time
            refuse_newer(folder, newest, (self.heads_log() or log).head.size)
            for sequence, one in self._logged(state.done):
                if isinstance(one, HeadsSigned):
                    write_head(folder, one.head, one.leaves)
                    state = state._replace(size=one.head.size)
                elif isinstance(one, HeadsCosigned):
                    write_cosignature(folder, one.cosignature)
                state = state._replace(done=sequence)
        except HeadsNotDelivered as wrong:
            raise _Stopped(state._replace(error=str(wrong))) from None
        return state._replace(error="")

    def _to_command(self, state: DestinationState, log: HeadsLog, to: HeadsDestination) -> DestinationState:
        """A command that was never run gets the newest head; later ones follow one by one."""
        try:
            for sequence, one in self._logged(state.done):
                if isinstance(one, HeadsSigned) and (state.size or one.head == log.head):
                    run_command(to.command, one.head, one.leaves)
                    state = state._replace(size=one.head.size)
                state = state._replace(done=sequence)
        except HeadsNotDelivered as wrong:
            raise _Stopped(state._replace(error=str(wrong))) from None
        return state._replace(error="")

    def _to_witness(self, state: DestinationState, log: HeadsLog, to: HeadsDestination) -> DestinationState:
        for _ in range(TRIES):
            try:
                return self._ask_to_cosign(state, log, to)
            except WitnessConflict as moved:
                state = state._replace(error=str(moved))
        raise _Stopped(state)

    def _ask_to_cosign(self, state: DestinationState, log: HeadsLog, to: HeadsDestination) -> DestinationState:
        try:
            client = WitnessClient(state.where)
            there = client.fetch_state()
            log = self.heads_log() or log  # read after the witness was asked: it has nothing newer
            head = log.head
            expected = to.witness_key or (log.cosigned.key if log.cosigned else "")
            if expected and there.key != expected:
                raise WitnessRefused(
                    f"The witness {state.where} has the key {there.key}, and {expected} is expected. If its owner made "
                    "a new one, write it as witness_key under [heads] in the machine's configuration."
                )
            if there.head != head or log.cosigned is None or log.cosigned.head != head.digest:
                since = there.head.size if there.head else 0
                cosignature = client.request_cosignature(head, since, self._growth(since, head))
                self._record_cosignature(state.where, cosignature)
        except WitnessConflict:
            raise
        except HeadsNotDelivered as wrong:
            raise _Stopped(state._replace(error=str(wrong))) from None
        return state._replace(error="", size=head.size)

    def _growth(self, since: int, head: SignedHead) -> tuple[bytes, ...]:
        """Proof that the log only grew since it had some size; nothing where it never had that size, which the witness
        then finds and keeps."""
        if not 0 < since < head.size:
            return ()
        event = self.ledger.find_event(HEADS, size_name(since))
        if event is None:
            return ()
        old = _signed(event.kind, event.version, event.payload)
        added = [leaf for _, one in self._logged(event.sequence) if isinstance(one, HeadsSigned) for leaf in one.leaves]
        peaks = Peaks(since, tuple(map(bytes.fromhex, old.peaks)))
        return consistency_proof(peaks, leaf_hashes(added)[: head.size - since])

    def _record_cosignature(self, witness: str, cosignature: Cosignature) -> None:
        def decide(draft: Draft) -> Json:
            draft.at_heads_log((HeadsCosigned(THE_HOUSE, witness, cosignature),))
            return None

        body: dict[str, Json] = {"do": "record-cosignature", "witness": witness, "signature": cosignature.signature}
        id = f"heads/cosigned/{cosignature.signature[:64]}"
        self._do(id, body, (HEADS,), decide, lambda _: None)

    def _logged(self, after: int) -> Iterator[tuple[int, Any]]:
        for event in self.ledger.events(HEADS, after):
            yield event.sequence, happening_from(event.kind, event.version, event.payload)


class _Stopped(Exception):
    """A destination that does not have everything; how far it came, and why it stopped."""

    def __init__(self, state: DestinationState) -> None:
        super().__init__(state.error)
        self.state = state


class _LoggedEnds:
    """Where the log says that each chain ended. It is read once, and then only what was added. Threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: dict[str, int] = {}
        self._read = 0
        self._size = 0

    def advanced(self, ledger: Ledger, log: HeadsLog | None) -> tuple[Leaf, ...]:
        """A leaf for every chain that has events after the one in the log, in the order of their names."""
        with self._lock, ledger.store.read() as now:
            self._catch_up(now)
            if self._size != (log.head.size if log else 0):  # the database went back: read it from the beginning
                self._ends, self._read, self._size = {}, 0, 0
                self._catch_up(now)
            rows = now.rows(schema.heads, after={"sequence": 0})
            return tuple(
                Leaf(row[0], row[1], row[2].hex())
                for row in rows
                if row[0] != HEADS and row[1] > self._ends.get(row[0], 0)
            )

    def _catch_up(self, now: Any) -> None:
        for row in now.rows(schema.events, {"chain": HEADS}, {"sequence": self._read}):
            self._read = row[1]
            if row[3] == HeadsSigned.kind:
                for chain, sequence, _ in orjson.loads(row[6])["leaves"]:
                    self._ends[chain] = sequence
                    self._size += 1


def _noted_state(note: Note | None, kind: str, where: str) -> DestinationState:
    """What was noted about a destination. A note about another folder, command or witness says nothing."""
    try:
        entry = json.loads(note.text) if note else None
    except ValueError:
        entry = None
    if not isinstance(entry, dict) or entry.get("where") != where:
        return DestinationState(kind, where)
    time, done, size = (entry[name] if type(entry.get(name)) is int else 0 for name in ("time", "done", "size"))
    return DestinationState(kind, where, time or None, done, size, str(entry.get("error", "")))


def _signed(kind: str, version: int, payload: Any) -> HeadsSigned:
    signed = happening_from(kind, version, payload)
    assert isinstance(signed, HeadsSigned)
    return signed


def _read(entry: Any) -> HeadsOut:
    return read_as(HeadsOut, entry)
