"""Live tables: a dealer deals real cards and enters the steps, the jackpot wagers, and the cards that a payment needs.
The TABULATE step presses the table's tabulator in the same transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from cardroom.errors import BadInput
from cardroom.games.procedure import StepKind
from cardroom.games.view import wager_name
from cardroom.ledger import Command, Json
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.table.claim_contradictions import refuse_input_against_claims
from cardroom.room.table.events import CountMethod, LiveRoundCanceled, LiveRoundEvent
from cardroom.room.table.live_payments import (
    TakeOrPaySheet,
    compute_take_or_pay,
    refuse_change_of_paid,
    refuse_unfinal_payment,
)
from cardroom.room.table.live_procedure import (
    AnswersBySeat,
    BadTypedInput,
    TypedInput,
    apply_cards_typed,
    enter_cards,
    refuse_surplus_cards,
    require_next_step,
)
from cardroom.room.table.live_round_steps import (
    end_live_round,
    require_live_round,
    require_round,
    start_live_round,
    take_step,
    undo_step,
)
from cardroom.room.table.state import TableState
from cardroom.room.table.terms import DealingMode
from cardroom.room.tabulator.events import WagersRecorded
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.unit import CoveredPositions, count_by_hand, press_button
from cardroom.service.commands.automatic_prize_claims import explain_disabled_wager
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import TableResult, decode_table_result
from cardroom.service.commands.table_queries import TableQueries
from cardroom.service.commands.tables import round_unique_keys
from cardroom.service.commands.unit_of_work import StateAccess, StateChanged, UnitOfWork
from cardroom.service.commands.void_rounds import list_counted_jackpots
from cardroom.service.queries.chain_history import find_counted_round


class BadStepInput(BadInput):
    """A step that needs more or less information."""


class LiveRoundCommands(TableQueries):
    """What dealers do at live tables."""

    def begin_live_round(
        self, id: str, who: str, table: str, positions: Collection[int], *, round_id: str = ""
    ) -> TableResult:
        """Begin the next round at these positions; the dealer who begins it deals it. ``round_id`` is the round that
        the dealer saw, here and below: a tap meant for another round changes nothing."""
        body: dict[str, Json] = {"do": "begin-live-round", "who": who, "table": table, "positions": sorted(positions)}
        body |= {"round": round_id} if round_id else {}

        def decide(uow: UnitOfWork) -> Json:
            state = require_round(uow.table(table), round_id)
            begin_event = start_live_round(
                state, require_text(who, "dealer's name"), positions, _list_jackpot_paid_wagers(uow, state)
            )
            return self._encode_result(uow, uow.apply_to_table(table, (begin_event,)))

        def lock(state: TableState) -> Locks:
            return Locks(tabulators=[table] if state.tabulated else [], unique_keys=round_unique_keys(state))

        return self._execute_at_table(id, table, body, decide, lock)

    def take_step(
        self,
        id: str,
        who: str,
        table: str,
        step: str,
        *,
        round_id: str = "",
        positions: Collection[int] | None = None,
        covered: CoveredPositions | None = None,
        lammers: CoveredPositions | None = None,
    ) -> TableResult:
        """Take a step of the procedure. With the wagers step the dealer may correct which positions play; with TABULATE
        the dealer enters where the jackpot wagers are (``covered``, by sensor), and beside which of them are lammers
        that no sensor sees.

        TABULATE counts once: a round that the tabulator or its data logger has reported already is only acknowledged,
        and where a data logger counts, its record may still be on its way. While the tabulator is broken the step
        counts by hand.
        """
        body: dict[str, Json] = {"do": "take-step", "who": who, "table": table, "step": step}
        body |= {"round": round_id} if round_id else {}
        body |= {"positions": sorted(positions)} if positions is not None else {}
        body |= {"covered": _encode_positions(covered)} if covered is not None else {}
        body |= {"lammers": _encode_positions(lammers)} if lammers else {}

        def decide(uow: UnitOfWork) -> Json:
            state = require_round(uow.table(table), round_id)
            dealer = require_text(who, "dealer's name")
            counting = CountMethod.NOT_COUNTED
            due = require_next_step(state, require_live_round(state), step)
            refuse_unfinal_payment(state, require_live_round(state), due)
            if due.kind is StepKind.TABULATE:
                counting = self._tabulate_live(uow, state, dealer, covered, lammers)
            elif covered is not None or lammers:
                raise BadStepInput(f"Enter the jackpot wagers with the TABULATE step, not with {step}.")
            step_event = take_step(state, step, dealer, positions, counting)
            return self._encode_result(uow, uow.apply_to_table(table, (step_event,)))

        def lock(state: TableState) -> Locks:
            due = require_next_step(state, require_live_round(state), step)
            return self._lock_count(state) if due.kind is StepKind.TABULATE else Locks()

        return self._execute_at_table(id, table, body, decide, lock)

    def undo_step(self, id: str, who: str, table: str) -> TableResult:
        """Undo the last step; a count stays."""
        body: dict[str, Json] = {"do": "undo-step", "who": who, "table": table}
        return self._execute_in_live_round(
            id, table, body, lambda state: undo_step(state, require_text(who, "dealer's name"))
        )

    def type_cards(
        self,
        id: str,
        who: str,
        table: str,
        cards: Mapping[str, str] | None = None,
        *,
        wagers: Mapping[int, Mapping[str, int]] | None = None,
        answers: AnswersBySeat | None = None,
    ) -> TableResult:
        """Enter what a payment needs: cards by place (``seat 2 hand``, ``dealer``), a seat's wagers in cents, a seat's
        decisions by question. A second entry replaces the first, and the ledger records it as a correction. What a
        pending claim rests on does not change, and neither does an amount under the table's payout limit once it was
        paid."""
        typed_cards = TypedInput(dict(cards or {}), dict(wagers or {}), dict(answers or {}))
        body: dict[str, Json] = {
            "do": "type-cards",
            "who": who,
            "table": table,
            "cards": dict(typed_cards.cards),
            "wagers": {str(seat): dict(spots) for seat, spots in typed_cards.wagers.items()},
            "answers": {str(seat): dict(seat_answers) for seat, seat_answers in typed_cards.answers.items()},
        }
        return self.execute_prepared(
            lambda: self._build_typed_cards_command(id, who, table, typed_cards, body), decode_table_result
        )

    def _build_typed_cards_command(
        self, id: str, who: str, table: str, typed_cards: TypedInput, body: dict[str, Json]
    ) -> Command:
        """The claims of the round are searched before the lock, and must not have changed when all chains are
        locked."""
        before = self.table(table)
        recorded = find_counted_round(self.ledger, table, before.round)
        traces = [
            self.trace_round(jackpot, table, before.round)
            for jackpot in (list_counted_jackpots(recorded.event) if recorded else ())
        ]

        def decide(uow: UnitOfWork) -> Json:
            state = uow.table(table)
            if state.round != before.round:
                raise StateChanged
            typed_event = enter_cards(state, require_live_round(state), typed_cards, require_text(who, "dealer's name"))
            refuse_surplus_cards(state, typed_event)
            refuse_change_of_paid(state, require_live_round(state), typed_event)
            self._refuse_uncounted_wagers(uow, state, typed_cards)
            claimed = [
                (trace.jackpot, claim) for trace in traces for claim in trace.require_current(uow).prior_claims.earlier
            ]
            refuse_input_against_claims(
                typed_event,
                apply_cards_typed(require_live_round(state), typed_event),
                state.open_table.table.deck,
                claimed,
            )
            return self._encode_result(uow, uow.apply_to_table(table, (typed_event,)))

        def lock(state: TableState) -> Locks:
            spots = (spot for spots in typed_cards.wagers.values() for spot in spots)
            return self._lock_count(state) if any(_filter_jackpot_wagers(state, spots)) else Locks()

        locks = Locks(tables=[table], jackpots=[trace.jackpot for trace in traces]) | self._find_locks(table, lock)
        return self.build_command(id, body, locks, decide)

    def take_or_pay(self, table: str) -> TakeOrPaySheet:
        """What the dealer takes and pays by the entered cards, for each seat that has entries."""
        state = self.table(table)
        return compute_take_or_pay(state, require_live_round(state))

    def end_live_round(self, id: str, who: str, table: str, *, round_id: str = "") -> TableResult:
        """End the round and record what was shown to be taken and paid, for the seats that have entries."""
        body: dict[str, Json] = {"do": "end-live-round", "who": who, "table": table}
        body |= {"round": round_id} if round_id else {}
        return self._execute_in_live_round(
            id,
            table,
            body,
            lambda state: end_live_round(require_round(state, round_id), require_text(who, "dealer's name")),
        )

    def void_live_round(self, id: str, who: str, table: str, why: str, *, second: str | None) -> TableResult:
        """Void the round, as after a malfunction of the shuffler: every wager goes back, and its counts come off the
        meters again. It takes two people."""
        body: dict[str, Json] = {"do": "void-live-round", "who": who, "second": second, "table": table, "why": why}
        by, second_person = require_two_people(who, second, "voiding a round")

        def prepare() -> Command:
            before = self.table(table)
            counts = self._search_counts(before)

            def decide(uow: UnitOfWork) -> Json:
                state = uow.table(table)
                require_live_round(state)
                reason = require_text(why, "reason")
                counts.void(uow, state, by, second_person, reason)
                off = LiveRoundCanceled(table, state.number, by, second_person, reason)
                return self._encode_result(uow, uow.apply_to_table(table, (off,)))

            locks = Locks(tables=[table], unique_keys=round_unique_keys(before)) | counts.locks
            return self.build_command(id, body, locks, decide)

        return self.execute_prepared(prepare, decode_table_result)

    def void_round_in_progress(self, id: str, who: str, table: str, why: str, *, second: str | None) -> TableResult:
        """Void the round in progress at a table, automatic or live."""
        void = self.void_live_round if self.table(table).terms.mode is DealingMode.LIVE else self.void_automatic_round
        return void(id, who, table, why, second=second)

    def _execute_in_live_round(
        self, id: str, table: str, body: dict[str, Json], happens: Callable[[TableState], LiveRoundEvent]
    ) -> TableResult:
        def decide(uow: UnitOfWork) -> Json:
            state = uow.table(table)
            return self._encode_result(uow, uow.apply_to_table(table, (happens(state),)))

        return self._execute_at_table(
            id, table, body, decide, lambda state: Locks(unique_keys=round_unique_keys(state))
        )

    def _refuse_uncounted_wagers(self, uow: UnitOfWork, state: TableState, typed_cards: TypedInput) -> None:
        """Only a counted wager can win, so no other is entered for a jackpot (BJ-19). Until the round is counted, it
        may still be counted: by the step, or by the record of a data logger that is on its way."""
        typed_wagers = [
            (seat, wager)
            for seat, spots in typed_cards.wagers.items()
            for wager in _filter_jackpot_wagers(state, spots)
        ]
        if not typed_wagers or not state.tabulated:
            return
        unit, facts = uow.tabulator(state.table), state.game.facts
        is_counted = uow.find_count_event(state.table, state.round) is not None
        recorded = find_counted_round(self.ledger, state.table, state.round) if is_counted else None
        for seat, wager in typed_wagers:
            if recorded is None:
                why = _explain_never_counted(uow, unit, wager)
                refusal = f"{wager_name(facts, wager)} is not available: {why}" if why else ""
            else:
                counted_positions = {
                    at
                    for counted_wager in recorded.event.wagers
                    if counted_wager.wager == wager
                    for at in counted_wager.positions
                }
                name = wager_name(facts, wager)
                refusal = (
                    ""
                    if seat in counted_positions
                    else f"No wager on {name} was counted at seat {seat} in round {state.round}"
                )
            if refusal:
                raise BadTypedInput(f"{refusal}. Only a counted wager can win: leave it out.")

    def _tabulate_live(
        self,
        uow: UnitOfWork,
        state: TableState,
        dealer: str,
        covered: CoveredPositions | None,
        lammers: CoveredPositions | None,
    ) -> CountMethod:
        """Let the table's tabulator count the jackpot wagers, once."""
        unit = uow.tabulator(state.table)
        if uow.find_count_event(state.table, state.round) is not None:
            return CountMethod.RECORDED
        tabulator = unit.tabulator
        if unit.closed or (tabulator.broken is None and tabulator.table.model.data_logger):
            if any((covered or {}).values()):
                raise BadStepInput(_describe_automatic_count(unit))
            return CountMethod.NOT_COUNTED
        if covered is None:
            raise BadStepInput(
                f"Enter where the jackpot wagers of round {state.round} are, by sensor; enter nothing for a sensor "
                "without wagers."
            )
        _refuse_empty_positions(state, covered)
        events: tuple[WagersRecorded, ...]
        if tabulator.broken is not None:
            events = count_by_hand(tabulator, state.round, covered, who=dealer, lammers=lammers)
            how = CountMethod.BY_HAND
        else:
            events = press_button(tabulator, state.round, covered, dealer=dealer, lammers=lammers)
            how = CountMethod.BUTTON
        uow.apply_to_tabulator(state.table, events)
        self._apply_counts(uow, state.table, events, late=False)
        return how


def _list_jackpot_paid_wagers(uow: UnitOfWork, state: TableState) -> tuple[str, ...]:
    """The wagers whose prizes a jackpot pays in this round."""
    if not state.tabulated:
        return ()
    return tuple(wager.wager for wager in uow.tabulator(state.table).active_table.wagers if wager.jackpot is not None)


def _filter_jackpot_wagers(state: TableState, spots: Iterable[str]) -> Iterator[str]:
    """The wagers on these spots whose prizes are a jackpot's."""
    for spot in spots:
        offered = state.open_table.table.spots.get(spot)
        if offered and (offered.wager.jackpot is not None or offered.wager.slug in require_live_round(state).linked):
            yield offered.wager.slug


def _explain_never_counted(states: StateAccess, unit: TabulatedTableState, wager: str) -> str:
    """Why a wager that is not counted yet never will be. A data logger counts what it saw, also if the jackpot takes no
    wagers by now (BJ-13)."""
    tabulator = unit.tabulator
    for counted_wager in unit.active_table.wagers:
        late = counted_wager.jackpot is not None and tabulator.broken is None and tabulator.table.model.data_logger
        if counted_wager.wager == wager and not late:
            return explain_disabled_wager(states, unit, counted_wager)
    return ""


def _describe_automatic_count(unit: TabulatedTableState) -> str:
    if unit.closed:
        return f"The tabulator of {unit.id} is closed ({unit.closed}): jackpot wagers are disabled there."
    name = unit.tabulator.table.model.name
    return (
        f"The {name} of {unit.id} counts through its data logger: leave the positions out, the logger's record has "
        "them."
    )


def _refuse_empty_positions(state: TableState, covered: CoveredPositions) -> None:
    playing = require_live_round(state).positions
    for positions in covered.values():
        for position in sorted(positions):
            if position not in playing:
                those = ", ".join(map(str, playing))
                raise BadStepInput(f"Position {position} does not play in this round: choose from {those}.")


def _encode_positions(places: CoveredPositions) -> dict[str, Json]:
    return {str(sensor): sorted(set(positions)) for sensor, positions in places.items()}
