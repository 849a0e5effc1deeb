"""Live tables: a dealer deals real cards, and tells the books the steps, the jackpot wagers, and the cards that a
payment needs. The TABULATE step presses the table's tabulator in the same transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from cardroom.errors import BadInput
from cardroom.floor.desks.dark_wagers import why_dark
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.felt_answers import FeltStanding, need
from cardroom.floor.desks.felt_looks import FeltLookDesk
from cardroom.floor.desks.felts import round_names
from cardroom.floor.desks.linked import TRIES, LinksChanged, mark_of, still_changing
from cardroom.floor.desks.standings import Standings
from cardroom.floor.desks.voids import brought
from cardroom.floor.felt.live_round import Counting
from cardroom.floor.felt.state import FeltState
from cardroom.floor.felt.terms import Mode
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import recorded_round
from cardroom.floor.kept.table import TableState
from cardroom.floor.live.claimed import refuse_what_is_claimed
from cardroom.floor.live.dealing import at_round, begin, end, live_round, take, undo
from cardroom.floor.live.happenings import LiveRoundCalledOff, LiveRoundEnded, OfALiveRound
from cardroom.floor.live.limit_shares import refuse_before_it_is_final, refuse_to_change_what_was_paid
from cardroom.floor.live.paying import TakeOrPay, take_or_pay
from cardroom.floor.live.steps import step_to_take
from cardroom.floor.live.typing import Answers, BadTyping, Typed, refuse_too_many, type_in, typed_after
from cardroom.games.procedure import StepKind
from cardroom.games.view import wager_name
from cardroom.jackpots.happenings import Counted
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.tabulator.unit import Covered, count_by_hand, press_button
from cardroom.ledger import Json


class NotSaid(BadInput):
    """A step that needs to be told more, or less."""


class LiveDesk(FeltLookDesk):
    """What dealers do at live tables."""

    def begin_live_round(
        self, id: str, who: str, table: str, positions: Collection[int], *, round_id: str = ""
    ) -> FeltStanding:
        """Begin the next round at these positions; who begins it deals it. ``round_id`` is the round that the dealer
        saw, here and below: a tap that was meant for another one does nothing."""
        body: dict[str, Json] = {"do": "begin-live-round", "who": who, "table": table, "positions": sorted(positions)}
        body |= {"round": round_id} if round_id else {}

        def decide(draft: Draft) -> Json:
            state = at_round(draft.felt(table), round_id)
            need(draft, names=round_names(state))
            begun = begin(state, named(who, "dealer's name"), positions, self._paid_by_jackpots(draft, state))
            return self._standing(draft, draft.at_felt(table, (begun,)))

        return self._at_felt(id, table, body, decide)

    def take_step(
        self,
        id: str,
        who: str,
        table: str,
        step: str,
        *,
        round_id: str = "",
        positions: Collection[int] | None = None,
        covered: Covered | None = None,
        lammers: Covered | None = None,
    ) -> FeltStanding:
        """Take a step of the procedure. With the wagers it may be said anew who plays; with TABULATE where the jackpot
        wagers lie (``covered``, by sensor), and beside which of them lammers lie that no sensor sees.

        TABULATE counts once: a round that the tabulator or its data logger has told already is only acknowledged, and
        where a data logger counts, its record may still be under way. While the tabulator is broken the step counts by
        hand.
        """
        body: dict[str, Json] = {"do": "take-step", "who": who, "table": table, "step": step}
        body |= {"round": round_id} if round_id else {}
        body |= {"positions": sorted(positions)} if positions is not None else {}
        body |= {"covered": _places_entry(covered)} if covered is not None else {}
        body |= {"lammers": _places_entry(lammers)} if lammers else {}

        def decide(draft: Draft) -> Json:
            state = at_round(draft.felt(table), round_id)
            dealer = named(who, "dealer's name")
            counted = Counting.NOBODY
            due = step_to_take(state, live_round(state), step)
            refuse_before_it_is_final(state, live_round(state), due)
            if due.kind is StepKind.TABULATE:
                counted = self._tabulate_live(draft, state, dealer, covered, lammers)
            elif covered is not None or lammers:
                raise NotSaid(f"Where jackpot wagers lie is said when they are tabulated, not with {step}.")
            taken = take(state, step, dealer, positions, counted)
            return self._standing(draft, draft.at_felt(table, (taken,)))

        return self._at_felt(id, table, body, decide)

    def undo_step(self, id: str, who: str, table: str) -> FeltStanding:
        """Take the last step back, which was not meant; what was counted stays counted."""
        body: dict[str, Json] = {"do": "undo-step", "who": who, "table": table}
        return self._in_live_round(id, table, body, lambda state: undo(state, named(who, "dealer's name")))

    def type_cards(
        self,
        id: str,
        who: str,
        table: str,
        cards: Mapping[str, str] | None = None,
        *,
        wagers: Mapping[int, Mapping[str, int]] | None = None,
        answers: Answers | None = None,
    ) -> FeltStanding:
        """Type what a payment needs: cards by place (``seat 2 hand``, ``dealer``), a seat's wagers in cents, a seat's
        answers by question. Typed again, it takes the place of what was typed before, and the books tell of it as a
        correction. What a claim that stands rests on stays as it is, and so does an amount under the table's payout
        limit once it was paid."""
        typed = Typed(dict(cards or {}), dict(wagers or {}), dict(answers or {}))
        body: dict[str, Json] = {
            "do": "type-cards",
            "who": who,
            "table": table,
            "cards": dict(typed.cards),
            "wagers": {str(seat): dict(spots) for seat, spots in typed.wagers.items()},
            "answers": {str(seat): dict(said) for seat, said in typed.answers.items()},
        }
        for _ in range(TRIES):
            try:
                return self._type_in(id, who, table, typed, body)
            except LinksChanged:
                continue
        raise still_changing(table)

    def _type_in(self, id: str, who: str, table: str, typed: Typed, body: dict[str, Json]) -> FeltStanding:
        """The claims of the round are looked up first, and must not have changed when all of it is locked."""
        round_id = self.felt(table).round
        recorded = recorded_round(self.ledger, table, round_id)
        looked_up = (
            {one: self._looked_up(one, table, round_id) for one in brought(recorded.counted)} if recorded else {}
        )

        def decide(draft: Draft) -> Json:
            state = draft.felt(table)
            if state.round != round_id or any(mark_of(draft.jackpot(one)) != looked_up[one][0] for one in looked_up):
                raise still_changing(table)
            told = type_in(state, live_round(state), typed, named(who, "dealer's name"))
            refuse_too_many(state, told)
            refuse_to_change_what_was_paid(state, live_round(state), told)
            self._refuse_uncounted(draft, state, typed)
            claimed = [(one, claim) for one, (_, known) in looked_up.items() for claim in known.earlier]
            refuse_what_is_claimed(told, typed_after(live_round(state), told), state.at.table.deck, claimed)
            return self._standing(draft, draft.at_felt(table, (told,)))

        return self._at_felt(id, table, body, decide, chains=[jackpot_chain(one) for one in looked_up])

    def take_or_pay(self, table: str) -> TakeOrPay:
        """What the dealer takes and pays by what was typed, for each seat that was."""
        state = self.felt(table)
        return take_or_pay(state, live_round(state))

    def end_live_round(self, id: str, who: str, table: str, *, round_id: str = "") -> FeltStanding:
        """End the round: what was shown to be taken and paid is told, for the seats that were typed."""
        body: dict[str, Json] = {"do": "end-live-round", "who": who, "table": table}
        body |= {"round": round_id} if round_id else {}
        return self._in_live_round(
            id, table, body, lambda state: end(at_round(state, round_id), named(who, "dealer's name"))
        )

    def call_off_live(self, id: str, who: str, table: str, why: str, *, second: str | None) -> FeltStanding:
        """Call the round off, as after a malfunction of the shuffler: it is void, every wager goes back, and what was
        counted comes off the meters again. Two people do."""
        body: dict[str, Json] = {"do": "call-off-live", "who": who, "second": second, "table": table, "why": why}
        by, other = two_people(who, second, "a round that is called off")

        def decide(draft: Draft) -> Json:
            state = draft.felt(table)
            live_round(state)
            need(draft, names=round_names(state))
            reason = named(why, "reason")
            self._void_counts(draft, state, by, other, reason)
            off = LiveRoundCalledOff(table, state.number, by, other, reason)
            return self._standing(draft, draft.at_felt(table, (off,)))

        return self._at_felt(id, table, body, decide)

    def call_off_round(self, id: str, who: str, table: str, why: str, *, second: str | None) -> FeltStanding:
        """Call off the round that is played at a table, automatic or live."""
        call_off = self.call_off_live if self.felt(table).terms.mode is Mode.LIVE else self.call_off
        return call_off(id, who, table, why, second=second)

    def _in_live_round(
        self, id: str, table: str, body: dict[str, Json], happens: Callable[[FeltState], OfALiveRound]
    ) -> FeltStanding:
        def decide(draft: Draft) -> Json:
            state = draft.felt(table)
            happened = happens(state)
            if isinstance(happened, LiveRoundEnded):
                need(draft, names=round_names(state))
            return self._standing(draft, draft.at_felt(table, (happened,)))

        return self._at_felt(id, table, body, decide)

    def _paid_by_jackpots(self, draft: Draft, state: FeltState) -> tuple[str, ...]:
        """The wagers whose prizes a jackpot pays in this round."""
        if not state.tabulated:
            return ()
        return tuple(one.wager for one in self._counted(draft, state).playing.wagers if one.jackpot is not None)

    def _refuse_uncounted(self, draft: Draft, state: FeltState, typed: Typed) -> None:
        """Only a counted wager can win, so no other is typed for a jackpot (BJ-19). As long as the round is not counted
        it may still be: by the step, or by the record of a data logger that is under way."""
        laid = [(seat, wager) for seat, spots in typed.wagers.items() for wager in _for_jackpots(state, spots)]
        if not laid or not state.tabulated:
            return
        unit, facts = self._counted(draft, state), state.game.facts
        known = draft.counted(state.table, state.round) is not None
        recorded = recorded_round(self.ledger, state.table, state.round) if known else None
        for seat, wager in laid:
            if recorded is None:
                why = _never_counted(draft, unit, wager)
                said = f"{wager_name(facts, wager)} is not available: {why}" if why else ""
            else:
                there = {at for one in recorded.counted.wagers if one.wager == wager for at in one.positions}
                name = wager_name(facts, wager)
                said = "" if seat in there else f"No wager on {name} was counted at seat {seat} in round {state.round}"
            if said:
                raise BadTyping(f"{said}. Only a counted wager can win, so none is typed: leave it out.")

    def _tabulate_live(
        self, draft: Draft, state: FeltState, dealer: str, covered: Covered | None, lammers: Covered | None
    ) -> Counting:
        """Let the table's tabulator count the jackpot wagers, once."""
        unit = self._counted(draft, state)
        if draft.counted(state.table, state.round) is not None:
            return Counting.RECORDED
        tabulator = unit.tabulator
        if unit.closed or (tabulator.broken is None and tabulator.table.model.data_logger):
            if any((covered or {}).values()):
                raise NotSaid(_told_by_itself(unit))
            return Counting.NOBODY
        if covered is None:
            raise NotSaid(f"Say where the jackpot wagers of round {state.round} lie, by sensor; nothing for none.")
        _refuse_where_nobody_plays(state, covered)
        happenings: tuple[Counted, ...]
        if tabulator.broken is not None:
            happenings = count_by_hand(tabulator, state.round, covered, by=dealer, lammers=lammers)
            how = Counting.BY_HAND
        else:
            happenings = press_button(tabulator, state.round, covered, dealer=dealer, lammers=lammers)
            how = Counting.BUTTON
        draft.at_table(state.table, happenings)
        self._count(draft, state.table, happenings, late=False)
        return how


def _for_jackpots(state: FeltState, spots: Iterable[str]) -> Iterator[str]:
    """The wagers on these spots whose prizes are a jackpot's."""
    for spot in spots:
        wager = state.at.table.spots[spot].wager
        if wager.jackpot is not None or wager.slug in live_round(state).linked:
            yield wager.slug


def _never_counted(at: Standings, unit: TableState, wager: str) -> str:
    """Why a wager that is not counted yet never will be. A data logger counts what it saw, also if the jackpot takes
    no wagers by now (BJ-13)."""
    tabulator = unit.tabulator
    for one in unit.playing.wagers:
        late = one.jackpot is not None and tabulator.broken is None and tabulator.table.model.data_logger
        if one.wager == wager and not late:
            return why_dark(at, unit, one)
    return ""


def _told_by_itself(unit: TableState) -> str:
    if unit.closed:
        return f"The tabulator of {unit.id} is closed ({unit.closed}): nobody can make a jackpot wager there."
    name = unit.tabulator.table.model.name
    return f"The {name} of {unit.id} counts through its data logger: its record says where the wagers lie."


def _refuse_where_nobody_plays(state: FeltState, covered: Covered) -> None:
    playing = live_round(state).positions
    for positions in covered.values():
        for position in sorted(positions):
            if position not in playing:
                those = ", ".join(map(str, playing))
                raise NotSaid(f"Nobody plays at position {position} in this round: those that play are {those}.")


def _places_entry(places: Covered) -> dict[str, Json]:
    return {str(sensor): sorted(set(positions)) for sensor, positions in places.items()}
