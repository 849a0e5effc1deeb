"""Rounds at an automatic table: wagers, decisions, timeouts, take and pay. Everything that one command causes is stored
with it.

A round begins when all players are ready, or the time has run out. Then the tabulator of the table counts the jackpot
wagers, the cards are dealt, and the first seat has its turn, all in one transaction. Likewise the last decision ends
the round: it is settled and paid, its key is revealed, and the next key is sealed.

Calls at a table: for a player who is absent while others wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from cardroom.errors import quote
from cardroom.ledger import Command, Json, Lease
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.table.automatic_round import (
    RoundPosition,
    are_all_wagers_placed,
    decide_after_timeout,
    decide_for_absent,
    make_decision,
    place_wagers,
    restore_position,
    settle_round,
    split_by_disabled_spots,
    start_round,
)
from cardroom.room.table.events import RoundCanceled, RoundPlayed, SealRenewed, SeatLeft, WagersPlaced
from cardroom.room.table.reducer import apply_table_event, revealed_key_key
from cardroom.room.table.seats import clear_absence_warning, remove_absent_player, warn_absent_player
from cardroom.room.table.state import Occupant, TableState
from cardroom.room.table.terms import WrongPhase
from cardroom.service.chains.aggregates import TABLES
from cardroom.service.chains.names import table_chain
from cardroom.service.commands.automatic_prize_claims import (
    TableJackpotCommands,
    find_disabled_spots,
    find_linked_wagers,
    find_winning_spots,
)
from cardroom.service.commands.handler import THE_HOUSE
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import TableResult, decode_table_result
from cardroom.service.commands.tables import (
    RoundKeyLost,
    TableCommands,
    require_bot,
    require_seat,
    require_visible,
    round_unique_keys,
)
from cardroom.service.commands.unit_of_work import UnitOfWork


class AutomaticRoundCommands(TableCommands, TableJackpotCommands):
    """What players do at an automatic table."""

    # The players.

    def place_wagers(
        self,
        id: str,
        player: str,
        table: str,
        wagers: Mapping[str, int],
        player_seed: str = "",
        *,
        round: str | None = None,
    ) -> TableResult:
        """Place all wagers of a seat; the round begins when every player is ready. ``player_seed`` is the player's own
        seed for the shuffle. The wagers are for the next round; a caller who names the ``round`` has them refused when
        it is another one."""
        body: dict[str, Json] = {
            "do": "place-wagers",
            "player": player,
            "table": table,
            "wagers": dict(wagers),
            "words": player_seed,
        }

        def decide(uow: UnitOfWork) -> Json:
            state = require_visible(uow.table(table), player)
            return self._place_wagers(uow, state, require_seat(state, player), wagers, player_seed, round)

        def lock(state: TableState) -> Locks:
            return self._lock_wagers(state, require_seat(state, player), wagers, player_seed)

        return self._execute_at_table(id, table, body | _drop_missing(round=round), decide, lock)

    def make_decision(
        self, id: str, player: str, table: str, decision: str, *, round: str | None = None, question: str | None = None
    ) -> TableResult:
        """Make the decision that the player's seat is asked for; a caller who names the ``round``, or the ``question``,
        has it refused when another one is due."""
        body: dict[str, Json] = {"do": "make-decision", "player": player, "table": table, "answer": decision}

        def decide(uow: UnitOfWork) -> Json:
            state = require_visible(uow.table(table), player)
            return self._make_decision(uow, state, require_seat(state, player), decision, round, question)

        def lock(state: TableState) -> Locks:
            return self._lock_decision(state, require_seat(state, player), decision)

        return self._execute_at_table(id, table, body | _drop_missing(round=round, question=question), decide, lock)

    def place_bot_wagers(
        self,
        id: str,
        table: str,
        seat: int,
        wagers: Mapping[str, int],
        round: str,
        *,
        lease: Lease | None = None,
    ) -> TableResult:
        """Place a bot's wagers on a round. A bot adds no seed of its own: only players influence the shuffle."""
        body: dict[str, Json] = {"do": "place-bot-wagers", "table": table, "seat": seat, "wagers": dict(wagers)}

        def decide(uow: UnitOfWork) -> Json:
            state = uow.table(table)
            return self._place_wagers(uow, state, require_bot(state, seat), wagers, "", round)

        def lock(state: TableState) -> Locks:
            return self._lock_wagers(state, require_bot(state, seat), wagers, "")

        return self._execute_at_table(id, table, body | {"round": round}, decide, lock, lease)

    def make_bot_decision(
        self, id: str, table: str, seat: int, decision: str, round: str, *, lease: Lease | None = None
    ) -> TableResult:
        """Make a bot's decision in a round."""
        body: dict[str, Json] = {"do": "make-bot-decision", "table": table, "seat": seat, "answer": decision}

        def decide(uow: UnitOfWork) -> Json:
            state = uow.table(table)
            return self._make_decision(uow, state, require_bot(state, seat), decision, round)

        def lock(state: TableState) -> Locks:
            return self._lock_decision(state, require_bot(state, seat), decision)

        return self._execute_at_table(id, table, body | {"round": round}, decide, lock, lease)

    def apply_timeout(self, table: str, *, lease: Lease | None = None) -> TableResult | None:
        """Do what is due when a deadline has passed: begin the round, or take the default action. Returns None when
        nothing is due."""
        state = self.table(table)
        if not state.deadline or self.clock() <= state.deadline:
            return None
        # Several servers may see the same deadline pass: together they act once.
        due = f"answer {len(state.decisions) + 1}" if state.playing else f"begin {state.deadline}"
        body: dict[str, Json] = {"do": "apply-timeout", "table": table, "round": state.round, "due": due}

        def decide(uow: UnitOfWork) -> Json:
            now, current = uow.now, uow.table(table)
            if (current.round, current.decisions, current.deadline) != (state.round, state.decisions, state.deadline):
                raise WrongPhase(f"Nothing is due at {table} any more.")
            if not current.playing:
                return self._encode_result(uow, self._begin_round(uow, current, now))
            events, position = decide_after_timeout(current, self._load_position(current), now)
            return self._encode_result(uow, self._continue_round(uow, uow.apply_to_table(table, events), position))

        def lock(current: TableState) -> Locks:
            if not current.playing:
                return self._lock_beginning(current)
            return self._lock_continuation(
                current, decide_after_timeout(current, self._load_position(current), self.clock())[1]
            )

        try:
            return self._execute_at_table(f"clock/{state.round}/{due}", table, body, decide, lock, lease)
        except WrongPhase:
            return None

    def void_automatic_round(self, id: str, who: str, table: str, why: str, *, second: str | None) -> TableResult:
        """Void the round in progress, as after a malfunction: every wager goes back. It takes two people."""
        body: dict[str, Json] = {"do": "void-automatic-round", "who": who, "second": second, "table": table, "why": why}
        by, second_person = require_two_people(who, second, "voiding a round")

        def prepare() -> Command:
            counts = self._search_counts(self.table(table))

            def decide(uow: UnitOfWork) -> Json:
                state = uow.table(table)
                if not state.playing:
                    raise WrongPhase(f"No round is in progress at {table}.")
                reason = require_text(why, "reason")
                counts.void(uow, state, by, second_person, reason)
                key, seal = self._load_key(state), self._seal_next_round(uow, table, state.number + 1)
                uow.reveal_secret(table_chain(table), state.seal)
                off = RoundCanceled(table, state.number, key.hex(), by, second_person, reason, seal)
                return self._encode_result(uow, self._settle_leaving_seats(uow, uow.apply_to_table(table, (off,))))

            locks = Locks(tables=[table]) | counts.locks | self._find_locks(table, self._lock_end)
            return self.build_command(id, body, locks, decide)

        return self.execute_prepared(prepare, decode_table_result)

    def renew_seals(self, tables: Iterable[str], why: str) -> list[str]:
        """Draw new keys for tables where no round is in progress, and return placed wagers; returns the tables that
        have a new key."""
        renewed = []
        for table in tables:
            state = self.table(table)
            if state.seal and not state.playing:
                seal = state.seal

                def decide(uow: UnitOfWork, table: str = table, seal: str = seal) -> Json:
                    now = uow.table(table)
                    if now.seal != seal or now.playing:
                        raise WrongPhase(f"Another server has drawn a new key for {table}.")
                    return self._encode_result(uow, self._renew_seal(uow, now, THE_HOUSE, why))

                with suppress(WrongPhase):
                    self._execute_at_table(f"renew-seal/{seal}", table, {"do": "renew-seal", "table": table}, decide)
                    renewed.append(table)
        return renewed

    def has_foreign_seal(self, state: TableState) -> bool:
        """Whether another program drew the key of the coming round, or this one before it was restarted. The database
        may be an old copy, from before rounds whose keys are public by now."""
        return bool(state.seal) and not state.playing and self._own_seals.get(state.table) != state.seal

    def void_round_and_renew_seal(self, id: str, who: str, table: str, why: str, *, second: str) -> TableResult:
        """Draw a new key for a table; a round in progress is void, and its wagers are returned. Two people do this
        where the key of the table may be public, or is lost."""
        body: dict[str, Json] = {
            "do": "void-round-and-renew-seal",
            "who": who,
            "second": second,
            "table": table,
            "why": why,
        }
        by, second_person = require_two_people(who, second, "new keys for all tables")

        def prepare() -> Command:
            before = self.table(table)
            counts = self._search_counts(before)

            def decide(uow: UnitOfWork) -> Json:
                state = uow.table(table)
                if not state.seal:
                    raise WrongPhase(f"Table {table} has no sealed key.")
                if state.playing:
                    counts.void(uow, state, by, second_person, why)
                    self._cached_positions.pop(table, None)
                return self._encode_result(
                    uow, self._settle_leaving_seats(uow, self._renew_seal(uow, state, by, why, second_person))
                )

            locks = Locks(tables=[table], players=_list_leaving_players(before)) | counts.locks
            return self.build_command(id, body, locks, decide)

        return self.execute_prepared(prepare, decode_table_result)

    def _renew_seal(self, uow: UnitOfWork, state: TableState, who: str, why: str, second: str = "") -> TableState:
        number = state.number + state.playing
        uow.reveal_secret(table_chain(state.table), state.seal)
        seal = self._seal_next_round(uow, state.table, number)
        return uow.apply_to_table(state.table, (SealRenewed(state.table, number, seal, who, why, second),))

    # What follows.

    def _place_wagers(
        self,
        uow: UnitOfWork,
        state: TableState,
        seated_player: Occupant,
        wagers: Mapping[str, int],
        player_seed: str,
        round: str | None = None,
    ) -> Json:
        now = uow.now
        _refuse_other_round(state, round)
        wagers_event = place_wagers(state, seated_player, wagers, player_seed, now)
        self._refuse_disabled_wagers(state, seated_player, wagers)
        state = uow.apply_to_table(state.table, (wagers_event,))
        if are_all_wagers_placed(state):
            state = self._begin_round(uow, state, now)
        return self._encode_result(uow, state, seated_player.seat)

    def _make_decision(
        self,
        uow: UnitOfWork,
        state: TableState,
        seated_player: Occupant,
        decision: str,
        round: str | None = None,
        question: str | None = None,
    ) -> Json:
        _refuse_other_round(state, round)
        if not state.playing:
            raise WrongPhase(f"No round is in progress at {state.table}: place your wagers first.")
        if question is not None and seated_player.seat == state.deciding_seat:
            due_question = self._load_position(state).round.seat_turn.question
            if due_question != question:
                raise WrongPhase(
                    f"Seat {seated_player.seat} must decide {due_question!r} in round {state.round}, not "
                    f"{quote(question)}."
                )
        events, position = make_decision(state, self._load_position(state), seated_player, decision, uow.now)
        after = self._continue_round(uow, uow.apply_to_table(state.table, events), position)
        return self._encode_result(uow, after, seated_player.seat)

    def _begin_round(self, uow: UnitOfWork, state: TableState, now: int) -> TableState:
        """Close the wagers: the jackpot wagers are counted, and the cards are dealt."""
        key = self._load_key(state)
        if uow.find_keyed_event(table_chain(state.table), revealed_key_key(key.hex())) is not None:
            return self._renew_seal(uow, state, THE_HOUSE, "its key was revealed before")
        played, back = split_by_disabled_spots(state, find_disabled_spots(uow, state))
        if not played:
            # No playable wager is left: every wager goes back.
            withdrawals = [
                WagersPlaced(state.table, placed._replace(spots={}, player_seed=""), 0, 0, now)
                for placed in state.seat_wagers
            ]
            return uow.apply_to_table(state.table, withdrawals)
        position = self._load_position(state._replace(seat_wagers=played, decisions=()))
        after = uow.apply_to_table(
            state.table, (start_round(state, played, back, position, find_linked_wagers(uow, state), now),)
        )
        self._tabulate(uow, after)
        return self._continue_round(uow, after, position)

    def _continue_round(self, uow: UnitOfWork, state: TableState, position: RoundPosition) -> TableState:
        """Keep the wagers; after the last decision, take and pay."""
        self._cache_position(state, position)
        return self._end_round(uow, state, position) if not state.deciding_seat else state

    def _end_round(self, uow: UnitOfWork, state: TableState, position: RoundPosition) -> TableState:
        prizes = self._pay_round_prizes(uow, state, position)
        self._cached_positions.pop(state.table, None)
        key = self._load_key(state)
        settlement = settle_round(state, position.round, prizes)
        uow.reveal_secret(table_chain(state.table), state.seal)
        seal = self._seal_next_round(uow, state.table, state.number + 1)
        played = RoundPlayed(
            state.table,
            state.number,
            key.hex(),
            settlement.returned,
            settlement.filled,
            seal,
            prizes.at_once,
            prizes.meters,
            prizes.waiting,
        )
        return self._settle_leaving_seats(uow, uow.apply_to_table(state.table, (played,)))

    def _settle_leaving_seats(self, uow: UnitOfWork, state: TableState) -> TableState:
        """Pay the seats whose players had left while their wagers were in play."""
        for seat in state.seats:
            if seat.leaving:
                left = SeatLeft(state.table, seat.seat, seat.player, seat.chips, is_bot=seat.is_bot)
                state = self._return_chips(uow, uow.apply_to_table(state.table, (left,)), left, seat)
        return state

    def _continue_after_leaving(self, uow: UnitOfWork, state: TableState) -> TableState:
        """The player who left may have been the one to decide, or the one for whom all others waited."""
        now = uow.now
        if state.playing:
            events, position = decide_for_absent(state, self._load_position(state), now)
            return self._continue_round(uow, uow.apply_to_table(state.table, events), position) if events else state
        return self._begin_round(uow, state, now) if are_all_wagers_placed(state) else state

    # What that locks. The cards follow from the committed state, so it is known which command ends the round.

    def _lock_wagers(
        self, state: TableState, seated_player: Occupant, wagers: Mapping[str, int], player_seed: str
    ) -> Locks:
        """What a seat's wagers lock: something only if the round begins with them."""
        after = apply_table_event(state, place_wagers(state, seated_player, wagers, player_seed, self.clock()))
        return self._lock_beginning(after) if are_all_wagers_placed(after) else Locks()

    def _lock_decision(self, state: TableState, seated_player: Occupant, decision: str) -> Locks:
        """What a seat's decision locks: something only if the round ends with it."""
        _, position = make_decision(state, self._load_position(state), seated_player, decision, self.clock())
        return self._lock_continuation(state, position)

    def _lock_after_leaving(self, state: TableState) -> Locks:
        if state.playing:
            return self._lock_continuation(state, decide_for_absent(state, self._load_position(state), self.clock())[1])
        return self._lock_beginning(state) if are_all_wagers_placed(state) else Locks()

    def _lock_beginning(self, state: TableState) -> Locks:
        """What the beginning of a round locks: the tabulator with its jackpots, and more if no seat has anything to
        decide."""
        locks = self._lock_count(state) | Locks(unique_keys=round_unique_keys(state, self._load_key(state)))
        played, _ = split_by_disabled_spots(state, find_disabled_spots(self, state))
        if not played:
            return locks
        position = self._load_position(state._replace(seat_wagers=played, decisions=()))
        if position.deciding_seat:
            return locks
        wins = find_winning_spots(position.round).intersection(find_linked_wagers(self, state))
        return locks | self._lock_continuation(state, position) | Locks(room=bool(wins))

    def _lock_continuation(self, state: TableState, position: RoundPosition) -> Locks:
        """What a round locks that has come this far: something only if it ends."""
        if position.deciding_seat:
            return Locks()
        return self._lock_end(state) | self._lock_prizes(state, position.round)

    def _lock_end(self, state: TableState) -> Locks:
        """What the end of any round locks."""
        unique_keys = round_unique_keys(state, self._load_key(state))
        return Locks(players=_list_leaving_players(state), unique_keys=unique_keys)

    # The round in progress, with its cards.

    def read_position(self, table: str) -> RoundPosition | None:
        """The round in progress at a table, with all its cards: it never leaves the server."""
        _, _, position = self._read_table_in_play(table)
        return position

    def _read_table_in_play(self, table: str) -> tuple[int, TableState, RoundPosition | None]:
        """The number of events of a table, its state, and its round in progress."""
        while True:
            version, state = self._read_table(table)
            try:
                return version, state, self._load_position(state) if state.playing else None
            except RoundKeyLost:
                # A key is deleted when its round ends, and another server may have ended it since the table was read.
                if self.read_table_version(table) == version:
                    raise

    def _read_table(self, table: str) -> tuple[int, TableState]:
        head = self.ledger.head(table_chain(table))
        if head is None:
            raise TABLES.make_unknown(table)
        return head.sequence, self.state_cache.load(TABLES, head)

    def _load_position(self, state: TableState) -> RoundPosition:
        cached = self._cached_positions.get(state.table)
        if cached is not None and cached[0] == (state.seal, state.seat_wagers, state.decisions):
            return cached[1]
        position = restore_position(state, self._load_key(state))
        self._cache_position(state, position)
        return position

    def _cache_position(self, state: TableState, position: RoundPosition) -> None:
        self._cached_positions[state.table] = (state.seal, state.seat_wagers, state.decisions), position


def _drop_missing(**fields: str | None) -> dict[str, Json]:
    """The fields that the caller gave; fields left out are absent, so that the command's digest stays the same."""
    return {name: text for name, text in fields.items() if text is not None}


def _refuse_other_round(state: TableState, round: str | None) -> None:
    """Refuse what is meant for another round."""
    if round not in (None, state.round):
        due = "is in progress" if state.playing else "comes next"
        raise WrongPhase(f"This is for round {quote(round)}, and at {state.table} round {state.round} {due}.")


def _list_leaving_players(state: TableState) -> list[str]:
    """The players who are paid when the round has ended, because they have left."""
    return [seat.player for seat in state.seats if seat.leaving and not seat.is_bot]


class AbsentPlayerCommands(AutomaticRoundCommands):
    """Calls players for whom others wait. Each command names the seat's player, so that it is refused when another
    player has the seat meanwhile."""

    def call_absent_player(self, id: str, player: str, table: str, *, lease: Lease | None = None) -> TableResult:
        """Call a player for whom others wait, and who shows no sign of presence."""

        def decide(uow: UnitOfWork, state: TableState, seated_player: Occupant) -> TableState:
            return uow.apply_to_table(table, (warn_absent_player(state, seated_player, uow.now),))

        return self._execute_at_seat(id, "call-absent-player", player, table, decide, lease)

    def answer_call(self, id: str, player: str, table: str) -> TableResult:
        """Record that a called player is present."""

        def decide(uow: UnitOfWork, state: TableState, seated_player: Occupant) -> TableState:
            return uow.apply_to_table(table, (clear_absence_warning(state, seated_player),))

        return self._execute_at_seat(id, "answer-call", player, table, decide)

    def remove_absent_player(self, id: str, player: str, table: str, *, lease: Lease | None = None) -> TableResult:
        """Free the seat of a player who has not answered in time: the chips go back to the balance. The round begins
        when all others are ready."""

        def decide(uow: UnitOfWork, state: TableState, seated_player: Occupant) -> TableState:
            left = remove_absent_player(state, seated_player, uow.now)
            state = self._return_chips(uow, uow.apply_to_table(table, (left,)), left, seated_player)
            return self._continue_after_leaving(uow, state)

        def lock(state: TableState) -> Locks:
            left = remove_absent_player(state, require_seat(state, player), self.clock())
            return self._lock_after_leaving(apply_table_event(state, left))

        return self._execute_at_seat(id, "remove-absent-player", player, table, decide, lease, lock)

    def _execute_at_seat(
        self,
        id: str,
        action: str,
        player: str,
        table: str,
        decide: Callable[[UnitOfWork, TableState, Occupant], TableState],
        lease: Lease | None = None,
        lock: Callable[[TableState], Locks] = lambda _: Locks(),
    ) -> TableResult:
        body: dict[str, Json] = {"do": action, "player": player, "table": table}

        def decide_result(uow: UnitOfWork) -> Json:
            state = uow.table(table)
            seated_player = require_seat(state, player)
            return self._encode_result(uow, decide(uow, state, seated_player), seated_player.seat)

        return self._execute_at_table(
            id, table, body, decide_result, lambda state: Locks(players=[player]) | lock(state), lease
        )
