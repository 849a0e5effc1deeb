"""Rounds at a felt: wagers, answers, the clock, take and pay. What one command sets off is stored with it.

A round begins when everybody has laid wagers, or the time for them has run out; then the tabulator of the table counts
the jackpot wagers, the cards are dealt, and the first seat is asked, all in one transaction. Likewise the last answer
ends the round: it is settled, everybody is paid, the key is told and the next one sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from cardroom.errors import quote
from cardroom.floor.desks.desk import THE_HOUSE
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.felt_answers import FeltStanding, need
from cardroom.floor.desks.felt_jackpots import FeltJackpots
from cardroom.floor.desks.felts import FeltDesk, KeyLost, company_at, round_names, seat_of, visible
from cardroom.floor.felt.answering import after_the_clock, answer, for_those_who_left
from cardroom.floor.felt.faults import NotNow
from cardroom.floor.felt.happenings import RoundCalledOff, RoundPlayed, SealRenewed, SeatLeft, WagersLaid
from cardroom.floor.felt.naming import key_name
from cardroom.floor.felt.playing import Position, position_of
from cardroom.floor.felt.settling import settled
from cardroom.floor.felt.state import FeltState, Seated
from cardroom.floor.felt.wagering import begun, is_ready, lay, without_spots
from cardroom.floor.kept.chains import felt_chain, player_chain
from cardroom.floor.kept.subjects import FELTS
from cardroom.jackpots.people import named, two_people
from cardroom.ledger import Json, Lease


class FeltRoundDesk(FeltDesk, FeltJackpots):
    """What players do at a felt."""

    # The players.

    def lay_wagers(
        self,
        id: str,
        player: str,
        table: str,
        wagers: Mapping[str, int],
        words: str = "",
        *,
        round: str | None = None,
    ) -> FeltStanding:
        """Lay the wagers of a seat, complete; the round begins when everybody has. Words are added to the shuffle. They
        are for the round that comes next; whoever names the ``round`` has them refused when it is another one."""
        body: dict[str, Json] = {
            "do": "lay-wagers",
            "player": player,
            "table": table,
            "wagers": dict(wagers),
            "words": words,
        }

        def decide(draft: Draft) -> Json:
            state = visible(draft.felt(table), player)
            return self._lay(draft, state, seat_of(state, player), wagers, words, round)

        return self._at_felt(id, table, body | _named(round=round), decide)

    def answer(
        self, id: str, player: str, table: str, answer: str, *, round: str | None = None, question: str | None = None
    ) -> FeltStanding:
        """Answer the question that the player's seat is asked; whoever names the ``round``, or the ``question``, has
        the answer refused when another one is due."""
        body: dict[str, Json] = {"do": "answer", "player": player, "table": table, "answer": answer}

        def decide(draft: Draft) -> Json:
            state = visible(draft.felt(table), player)
            return self._answer(draft, state, seat_of(state, player), answer, round, question)

        return self._at_felt(id, table, body | _named(round=round, question=question), decide)

    def company_lays(
        self,
        id: str,
        table: str,
        seat: int,
        wagers: Mapping[str, int],
        round: str,
        *,
        under: Lease | None = None,
    ) -> FeltStanding:
        """Company lays its wagers on a round. It adds no words: nobody of the house has a say in the shuffle."""
        body: dict[str, Json] = {"do": "company-lays", "table": table, "seat": seat, "wagers": dict(wagers)}

        def decide(draft: Draft) -> Json:
            state = draft.felt(table)
            return self._lay(draft, state, company_at(state, seat), wagers, "", round)

        return self._at_felt(id, table, body | {"round": round}, decide, under=under)

    def company_answers(
        self, id: str, table: str, seat: int, answer: str, round: str, *, under: Lease | None = None
    ) -> FeltStanding:
        """Company answers in a round."""
        body: dict[str, Json] = {"do": "company-answers", "table": table, "seat": seat, "answer": answer}

        def decide(draft: Draft) -> Json:
            state = draft.felt(table)
            return self._answer(draft, state, company_at(state, seat), answer, round)

        return self._at_felt(id, table, body | {"round": round}, decide, under=under)

    def let_the_clock_decide(self, table: str, *, under: Lease | None = None) -> FeltStanding | None:
        """Do what is due when a deadline has passed: begin the round, or give the safe answer. None when nothing is."""
        state = self.felt(table)
        if not state.deadline or self._clock() <= state.deadline:
            return None
        # Several servers may see the same clock run out: together they do it once.
        due = f"answer {len(state.answers) + 1}" if state.playing else f"begin {state.deadline}"
        body: dict[str, Json] = {"do": "let-the-clock-decide", "table": table, "round": state.round, "due": due}

        def decide(draft: Draft) -> Json:
            now, current = draft.now, draft.felt(table)
            if (current.round, current.answers, current.deadline) != (state.round, state.answers, state.deadline):
                raise NotNow(f"Nothing is due at {table} any more.")
            if not current.playing:
                return self._standing(draft, self._begin(draft, current, now))
            events, position = after_the_clock(current, self._position(current), now)
            return self._standing(draft, self._go_on(draft, draft.at_felt(table, events), position))

        try:
            return self._at_felt(f"clock/{state.round}/{due}", table, body, decide, under=under)
        except NotNow:
            return None

    def call_off(self, id: str, who: str, table: str, why: str, *, second: str | None) -> FeltStanding:
        """Call the round off that is played, as after a malfunction: it is void, and every wager goes back. Two people
        do."""
        body: dict[str, Json] = {"do": "call-off", "who": who, "second": second, "table": table, "why": why}
        by, other = two_people(who, second, "a round that is called off")

        def decide(draft: Draft) -> Json:
            state = draft.felt(table)
            if not state.playing:
                raise NotNow(f"No round is played at {table} now.")
            reason = named(why, "reason")
            need(draft, *_leaving(state), names=round_names(state, self._key(state)))
            self._void_counts(draft, state, by, other, reason)
            key, seal = self._key(state), self._seal_next(draft, table, state.number + 1)
            draft.tell(felt_chain(table), state.seal)
            off = RoundCalledOff(table, state.number, key.hex(), by, other, reason, seal)
            return self._standing(draft, self._see_off(draft, draft.at_felt(table, (off,))))

        return self._at_felt(id, table, body, decide)

    def renew_seals(self, tables: Iterable[str], why: str) -> list[str]:
        """Draw new keys for tables where no round is in progress, and return wagers that are down: gives the tables
        that have one now."""
        renewed = []
        for table in tables:
            state = self.felt(table)
            if state.seal and not state.playing:
                seal = state.seal

                def decide(draft: Draft, table: str = table, seal: str = seal) -> Json:
                    now = draft.felt(table)
                    if now.seal != seal or now.playing:
                        raise NotNow(f"Another server has drawn a new key for {table}.")
                    return self._standing(draft, self._renew_seal(draft, now, THE_HOUSE, why))

                with suppress(NotNow):
                    self._at_felt(f"renew-seal/{seal}", table, {"do": "renew-seal", "table": table}, decide)
                    renewed.append(table)
        return renewed

    def is_foreign(self, state: FeltState) -> bool:
        """Whether the key of the coming round was drawn by another program, or by this one before it was restarted. The
        database may be an old copy, from before rounds whose keys are known by now."""
        return bool(state.seal) and not state.playing and self._drawn.get(state.table) != state.seal

    def void_and_renew(self, id: str, who: str, table: str, why: str, *, second: str) -> FeltStanding:
        """Draw a new key for a table; a round in progress is void, and its wagers are returned. Two people do this
        where the key of the table may be known, or is lost."""
        body: dict[str, Json] = {"do": "void-and-renew", "who": who, "second": second, "table": table, "why": why}
        by, other = two_people(who, second, "new keys for all tables")

        def decide(draft: Draft) -> Json:
            state = draft.felt(table)
            if not state.seal:
                raise NotNow(f"Table {table} has no sealed key.")
            if state.playing:
                need(draft, *_leaving(state))
                self._void_counts(draft, state, by, other, why)
                self._positions.pop(table, None)
            return self._standing(draft, self._see_off(draft, self._renew_seal(draft, state, by, why, other)))

        return self._at_felt(id, table, body, decide)

    def _renew_seal(self, draft: Draft, state: FeltState, who: str, why: str, second: str = "") -> FeltState:
        number = state.number + state.playing
        draft.tell(felt_chain(state.table), state.seal)
        seal = self._seal_next(draft, state.table, number)
        return draft.at_felt(state.table, (SealRenewed(state.table, number, seal, who, why, second),))

    # What follows.

    def _lay(
        self,
        draft: Draft,
        state: FeltState,
        here: Seated,
        wagers: Mapping[str, int],
        words: str,
        round: str | None = None,
    ) -> Json:
        now = draft.now
        _refuse_another_round(state, round)
        laid = lay(state, here, wagers, words, now)
        self._refuse_dark(state, here, wagers)
        state = draft.at_felt(state.table, (laid,))
        if is_ready(state):
            state = self._begin(draft, state, now)
        return self._standing(draft, state, here.seat)

    def _answer(
        self,
        draft: Draft,
        state: FeltState,
        here: Seated,
        text: str,
        round: str | None = None,
        question: str | None = None,
    ) -> Json:
        _refuse_another_round(state, round)
        if not state.playing:
            raise NotNow(f"No round is played at {state.table} now: lay wagers first.")
        if question is not None and here.seat == state.asked:
            asked = self._position(state).round.seat_turn.question
            if asked != question:
                raise NotNow(f"Seat {here.seat} is asked {asked!r} in round {state.round}, not {quote(question)}.")
        events, position = answer(state, self._position(state), here, text, draft.now)
        after = self._go_on(draft, draft.at_felt(state.table, events), position)
        return self._standing(draft, after, here.seat)

    def _begin(self, draft: Draft, state: FeltState, now: int) -> FeltState:
        """No more wagers: the jackpot wagers are counted, and the cards are dealt."""
        key = self._key(state)
        need(draft, names=round_names(state, key))
        if draft.named(felt_chain(state.table), key_name(key.hex())) is not None:
            return self._renew_seal(draft, state, THE_HOUSE, "its key was revealed before")
        played, back = without_spots(state, self._dark(draft, state))
        if not played:
            # Nothing is left to play for: everybody gets everything back.
            gone = [WagersLaid(state.table, one._replace(spots={}, words=""), 0, 0, now) for one in state.laid]
            return draft.at_felt(state.table, gone)
        dealing = state._replace(laid=played, answers=())
        position = position_of(dealing, key)
        after = draft.at_felt(
            state.table, (begun(state, played, back, position, self._linked_wagers(draft, state), now),)
        )
        self._tabulate(draft, after)
        return self._go_on(draft, after, position)

    def _go_on(self, draft: Draft, state: FeltState, position: Position) -> FeltState:
        """Keep what lies there; when nobody is asked any more, take and pay."""
        self._keep_position(state, position)
        return self._end(draft, state, position) if not state.asked else state

    def _end(self, draft: Draft, state: FeltState, position: Position) -> FeltState:
        need(draft, *_leaving(state), names=round_names(state, self._key(state)))
        prizes = self._prizes(draft, state, position)
        self._positions.pop(state.table, None)
        key = self._key(state)
        settlement = settled(state, position.round, prizes)
        draft.tell(felt_chain(state.table), state.seal)
        seal = self._seal_next(draft, state.table, state.number + 1)
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
        return self._see_off(draft, draft.at_felt(state.table, (played,)))

    def _see_off(self, draft: Draft, state: FeltState) -> FeltState:
        """Those who had left while their wagers were played get what they brought."""
        for one in state.seats:
            if one.leaving:
                left = SeatLeft(state.table, one.seat, one.player, one.chips, company=one.company)
                state = self._gone(draft, draft.at_felt(state.table, (left,)), left, one)
        return state

    def _after_leaving(self, draft: Draft, state: FeltState) -> FeltState:
        """Whoever left may have been the one who was asked, or the one for whom all others waited."""
        now = draft.now
        if state.playing:
            events, position = for_those_who_left(state, self._position(state), now)
            return self._go_on(draft, draft.at_felt(state.table, events), position) if events else state
        return self._begin(draft, state, now) if is_ready(state) else state

    # The round that is played, with its cards.

    def position(self, table: str) -> Position | None:
        """The round that is played at a felt, with all its cards: it never leaves the server."""
        _, _, position = self._lying(table)
        return position

    def _lying(self, table: str) -> tuple[int, FeltState, Position | None]:
        """How many events there have been at a felt, how it stands, and the round that is played there."""
        while True:
            version, state = self._felt_now(table)
            try:
                return version, state, self._position(state) if state.playing else None
            except KeyLost:
                # A key goes when its round ends, and another server may have ended it since the felt was read.
                if self.felt_version(table) == version:
                    raise

    def _felt_now(self, table: str) -> tuple[int, FeltState]:
        head = self.ledger.head(felt_chain(table))
        if head is None:
            raise FELTS.unknown(table)
        return head.sequence, self._memory.state(FELTS, head)

    def _position(self, state: FeltState) -> Position:
        known = self._positions.get(state.table)
        if known is not None and known[0] == (state.seal, state.laid, state.answers):
            return known[1]
        position = position_of(state, self._key(state))
        self._keep_position(state, position)
        return position

    def _keep_position(self, state: FeltState, position: Position) -> None:
        self._positions[state.table] = (state.seal, state.laid, state.answers), position


def _named(**told: str | None) -> dict[str, Json]:
    """What somebody has named; what was left out is not there, so that it is the same command as ever."""
    return {name: text for name, text in told.items() if text is not None}


def _refuse_another_round(state: FeltState, round: str | None) -> None:
    """What is meant for a round is not taken for another one."""
    if round not in (None, state.round):
        due = "is played" if state.playing else "comes next"
        raise NotNow(f"This is for round {quote(round)}, and at {state.table} round {state.round} {due}.")


def _leaving(state: FeltState) -> tuple[str, ...]:
    """The chains of those who are paid when the round has ended, because they have left."""
    return tuple(player_chain(one.player) for one in state.seats if one.leaving and not one.company)
