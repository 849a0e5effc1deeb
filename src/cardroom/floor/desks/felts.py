"""Felts: opened, paused, closed; and the people who sit down and leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardroom.floor.desks.desk import Keys, fresh_key
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.felt_answers import (
    FeltStanding,
    MoreNeeded,
    felt_standing,
    felt_standing_entry,
    need,
)
from cardroom.floor.desks.felt_opening import checked_felt, refuse_if_open
from cardroom.floor.desks.linked import TRIES
from cardroom.floor.desks.rounds import RoundDesk
from cardroom.floor.felt.faults import NotNow
from cardroom.floor.felt.happenings import (
    FeltClosed,
    FeltOpened,
    FeltPaused,
    FeltResumed,
    SeatLeft,
)
from cardroom.floor.felt.naming import begun_name, key_name, opening_name, practice_names
from cardroom.floor.felt.playing import Position, seal_of
from cardroom.floor.felt.seating import give_way, leave, open_to_seats, take, take_company
from cardroom.floor.felt.state import FeltState, Phase, Seated, round_id
from cardroom.floor.felt.terms import FeltTerms, Mode
from cardroom.floor.kept.chains import felt_chain, felt_of, player_chain, table_chain
from cardroom.floor.kept.subjects import FELTS, TABLES, UnknownFelt
from cardroom.floor.players.happenings import ChipsBought, ChipsReturned
from cardroom.games import TableSetup
from cardroom.games.setup import setup_to_json
from cardroom.jackpots import Happening
from cardroom.jackpots.layout import layout_of
from cardroom.jackpots.people import named
from cardroom.jackpots.plain import written
from cardroom.ledger import Clock, Json, Lease, Ledger, UniqueKey, system_clock


class Companion(NamedTuple):
    """Somebody of the house who sits at a felt from the beginning, with this much in chips, in cents."""

    seat: int
    name: str
    cents: int


class FeltDesk(RoundDesk):
    """Where felts are opened and seats are taken."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: Keys = fresh_key) -> None:
        super().__init__(ledger, clock, keys)
        self._sealed: dict[str, bytes] = {}
        """Keys of rounds to come or in progress, by their seals."""
        self._drawn: dict[str, str] = {}
        """By table, the seal that this program drew last."""
        self._positions: dict[str, tuple[tuple[object, ...], Position]] = {}
        """By table, the round that is played, and what it follows from."""

    def felts(self) -> tuple[str, ...]:
        """The felts that have been opened, also those that are closed."""
        return tuple(self.felt_versions())

    def practice_felts(self, player: str) -> tuple[str, ...]:
        """A player's own practice tables, also those that are closed."""
        return tuple(self.felt_versions(practice_names(player)))

    def felt_versions(self, beginning: str = "", besides: str = "") -> dict[str, int]:
        """How many events there have been at each felt whose name begins so: a cheap question, to notice what another
        program does. Those whose names begin like ``besides`` are left out."""
        found = self.ledger.chain_lengths(felt_chain(beginning), felt_chain(besides) if besides else "")
        return {table: events for chain, events in found.items() if (table := felt_of(chain)) is not None}

    def felt_version(self, table: str) -> int:
        """How many events there have been at a felt; 0 for one that was never opened."""
        head = self.ledger.head(felt_chain(table))
        return head.sequence if head else 0

    # The felt itself.

    def open_felt(
        self,
        id: str,
        who: str,
        table: str,
        setup: TableSetup,
        terms: FeltTerms = FeltTerms(),  # noqa: B008
        company: Sequence[Companion] = (),
    ) -> FeltStanding:
        """Open a felt, also again after it was closed. The seal of its first round is shown from now on, and company
        sits there from the beginning."""
        body: dict[str, Json] = {
            "do": "open-felt",
            "who": who,
            "table": table,
            "setup": setup_to_json(setup),
            "terms": written(terms),
        }
        if company:
            body["company"] = [list(one) for one in company]

        def decide(draft: Draft) -> Json:
            before = draft.felt(table) if draft.has(FELTS, table) else None
            refuse_if_open(before)
            counted = draft.table(table) if draft.has(TABLES, table) else None
            checked_felt(table, setup, terms, counted)
            entry = setup_to_json(setup)
            number, opening = (before.number, before.opening + 1) if before else (1, 1)
            # A dealer shuffles real cards: there is no key to seal.
            seal = "" if terms.mode is Mode.LIVE else self._seal_next(draft, table, number)
            opened = FeltOpened(
                table,
                named(who, "name of the person who opens it"),
                opening,
                entry,
                layout_of(entry),
                terms,
                seal,
                counted is not None and not counted.closed,
            )
            state = draft.at_felt(table, (opened,))
            for one in company:
                state = draft.at_felt(table, (take_company(state, *one, draft.now),))
            return self._standing(draft, state, 1)

        return self._at_felt(id, table, body, decide, (table_chain(table),), self._openings(table))

    def _openings(self, table: str) -> tuple[str, ...]:
        head = self.ledger.head(felt_chain(table))
        times = self.felt(table).opening if head else 0
        return (opening_name(times + 1),)

    def pause_felt(self, id: str, who: str, table: str, why: str) -> FeltStanding:
        """Let no new round begin. A round that is played goes on to its end; wagers for the next one go back."""

        def decide(state: FeltState) -> Sequence[Happening]:
            if state.paused:
                raise NotNow(f"Table {table} is paused already: {state.paused}.")
            return (FeltPaused(table, named(who, "name of the person who pauses it"), named(why, "reason")),)

        return self._change_felt(id, "pause-felt", who, table, why, decide)

    def resume_felt(self, id: str, who: str, table: str) -> FeltStanding:
        """Let rounds begin again."""

        def decide(state: FeltState) -> Sequence[Happening]:
            if not state.paused:
                raise NotNow(f"Table {table} is not paused.")
            return (FeltResumed(table, named(who, "name of the person who lets it go on")),)

        return self._change_felt(id, "resume-felt", who, table, "", decide)

    def _change_felt(
        self,
        id: str,
        do: str,
        who: str,
        table: str,
        why: str,
        decide: Callable[[FeltState], Sequence[Happening]],
    ) -> FeltStanding:
        body: dict[str, Json] = {"do": do, "who": who, "table": table, "why": why}

        def decided(draft: Draft) -> Json:
            happened = decide(_open(draft.felt(table)))
            return self._standing(draft, draft.at_felt(table, happened), len(happened))

        return self._at_felt(id, table, body, decided)

    def close_felt(self, id: str, who: str, table: str, why: str) -> FeltStanding:
        """Close a felt between two rounds: everybody gets their chips back, and the key of the round that never came is
        told."""
        body: dict[str, Json] = {"do": "close-felt", "who": who, "table": table, "why": why}

        def decide(draft: Draft) -> Json:
            state = _open(draft.felt(table))
            if state.phase is Phase.PLAYING:
                raise NotNow(
                    f"Round {state.round} is played at {table}: pause the table and close it when the round has ended."
                )
            need(draft, *(player_chain(one.player) for one in state.seats if not one.company))
            for one in state.seats:
                state = self._go(draft, state, one)
            key = self._key(state).hex() if state.seal else ""
            if key:
                need(draft, names=(UniqueKey(felt_chain(table), key_name(key)),))
            told = FeltClosed(table, named(who, "name of the person who closes it"), named(why, "reason"), key)
            if state.seal:
                draft.tell(felt_chain(table), state.seal)
            return self._standing(draft, draft.at_felt(table, (told,)))

        return self._at_felt(id, table, body, decide)

    # People.

    def take_seat(
        self, id: str, player: str, table: str, seat: int | None = None, buy_in: int | None = None
    ) -> FeltStanding:
        """Sit down with chips, or buy more of them. Without a seat it is the first free one, without an amount the
        customary one, or what the balance has when that is less."""
        body: dict[str, Json] = {"do": "take-seat", "player": player, "table": table, "seat": seat, "buy_in": buy_in}

        def decide(draft: Draft) -> Json:
            state, now = visible(draft.felt(table), player), draft.now
            if way := give_way(state, player, seat, now):
                left, other = way
                if not other.company:
                    need(draft, player_chain(other.player))
                state = self._gone(draft, draft.at_felt(table, (left,)), left, other)
            taken = take(state, draft.player(player), seat, buy_in, now)
            draft.at_player(player, (ChipsBought(player, table, taken.seat, taken.cents, state.number),))
            return self._standing(draft, draft.at_felt(table, (taken,)), taken.seat)

        return self._at_felt(id, table, body, decide, (player_chain(player),))

    def leave_seat(self, id: str, player: str, table: str) -> FeltStanding:
        """Leave: chips go back to the balance. Wagers of a round that is played stay, and the safe answer counts."""
        body: dict[str, Json] = {"do": "leave-seat", "player": player, "table": table}

        def decide(draft: Draft) -> Json:
            state = visible(draft.felt(table), player)
            here = seat_of(state, player)
            state = self._go(draft, state, here)
            state = self._after_leaving(draft, state)
            return self._standing(draft, state, here.seat)

        return self._at_felt(id, table, body, decide, (player_chain(player),))

    def seat_company(
        self, id: str, who: str, table: str, seat: int, name: str, cents: int, *, under: Lease | None = None
    ) -> FeltStanding:
        """Let company of the house sit down, or bring it more chips; for play money only."""
        body: dict[str, Json] = {
            "do": "seat-company",
            "who": who,
            "table": table,
            "seat": seat,
            "name": name,
            "cents": cents,
        }

        def decide(draft: Draft) -> Json:
            taken = take_company(draft.felt(table), seat, name, cents, draft.now)
            return self._standing(draft, draft.at_felt(table, (taken,)), seat)

        return self._at_felt(id, table, body, decide, under=under)

    def send_company_away(self, id: str, who: str, table: str, seat: int) -> FeltStanding:
        """Let company leave."""
        body: dict[str, Json] = {"do": "send-company-away", "who": who, "table": table, "seat": seat}

        def decide(draft: Draft) -> Json:
            state = open_to_seats(draft.felt(table))
            here = company_at(state, seat)
            state = self._go(draft, state, here)
            return self._standing(draft, self._after_leaving(draft, state), seat)

        return self._at_felt(id, table, body, decide)

    def _go(self, draft: Draft, state: FeltState, here: Seated) -> FeltState:
        """Somebody leaves a seat, and takes the chips along."""
        return self._gone(draft, draft.at_felt(state.table, (left := leave(state, here),)), left, here)

    def _gone(self, draft: Draft, after: FeltState, left: SeatLeft, here: Seated) -> FeltState:
        if not here.company:
            gone = not left.stays
            back = ChipsReturned(here.player, after.table, here.seat, left.cents, after.number, gone)
            draft.at_player(here.player, (back,))
        return after

    def _after_leaving(self, draft: Draft, state: FeltState) -> FeltState:
        """What follows when somebody has left; see the desk for rounds."""
        raise NotImplementedError

    # What every command at a felt does.

    def _at_felt(
        self,
        id: str,
        table: str,
        body: dict[str, Json],
        decide: Callable[[Draft], Json],
        chains: Sequence[str] = (),
        names: Sequence[str] = (),
        under: Lease | None = None,
    ) -> FeltStanding:
        """Carry out a command at a felt; again, with more chains locked, when it turns out to need them. What the house
        does by itself it does under the lease of the felt."""
        at = felt_chain(table)
        locked = dict.fromkeys((at, *chains))
        asked = dict.fromkeys(UniqueKey(at, one) for one in names)
        for _ in range(TRIES):
            command = self._command(id, body, tuple(locked), decide, tuple(asked), under)
            try:
                return felt_standing(self.ledger.execute(command).response)
            except MoreNeeded as more:
                locked |= dict.fromkeys(more.chains)
                asked |= dict.fromkeys(more.names)
                self._forget_links(table)
        raise MoreNeeded

    def _standing(self, draft: Draft, state: FeltState, seat: int | None = None) -> Json:
        return felt_standing_entry(state, draft.version(felt_chain(state.table)), seat)

    def _seal_next(self, draft: Draft, table: str, number: int) -> str:
        """Seal the key of the round that comes next; it is kept hidden until the round has ended."""
        key, id = self._fresh_key(), round_id(table, number)
        seal = seal_of(key, id).commitment
        draft.hide(felt_chain(table), seal, key)
        self._remember(seal, key)
        self._drawn[table] = seal
        return seal

    def _remember(self, seal: str, key: bytes) -> None:
        self._sealed[seal] = key
        while len(self._sealed) > 10_000:
            self._sealed.pop(next(iter(self._sealed)), None)

    def _key(self, state: FeltState) -> bytes:
        """The key of the round that a felt plays, or plays next."""
        key = self._sealed.get(state.seal)
        if key is None:
            key = self.ledger.read_secret(felt_chain(state.table), state.seal)
            if key is None or not seal_of(key, state.round).matches(state.seal):
                raise KeyLost(
                    f"The key of round {state.round} is not in the database any more: two people renew the keys of the "
                    "coming rounds (cardroom key replace)."
                )
            self._remember(state.seal, key)
        return key


class KeyLost(NotNow):
    """The key of a round was taken away outside the program."""


def _open(state: FeltState) -> FeltState:
    if state.closed:
        raise NotNow(f"Table {state.table} is closed: {state.closed}.")
    return state


def visible(state: FeltState, player: str) -> FeltState:
    """The felt, if the player may see it: a private table is there for its owner only."""
    if state.terms.owner not in ("", player):
        raise UnknownFelt(f"There is no table {state.table!r} to play at: check its name.")
    return state


def seat_of(state: FeltState, player: str) -> Seated:
    """The seat that a player has."""
    here = _open(state).seat_of(player)
    if here is None:
        raise NotNow(f"You have no seat at {state.table}: take one first.")
    return here


def company_at(state: FeltState, seat: int) -> Seated:
    here = state.seated(seat)
    if here is None or not here.company:
        raise NotNow(f"No company sits at seat {seat} of {state.table}.")
    return here


def round_names(state: FeltState, key: bytes = b"") -> tuple[UniqueKey, ...]:
    """What the events of a round are called, and its key when it is revealed."""
    at, id = felt_chain(state.table), state.round
    return UniqueKey(at, begun_name(id)), UniqueKey(at, id), *((UniqueKey(at, key_name(key.hex())),) if key else ())
