"""Claims: what was won is locked, verified by a second person and paid, or refused and given back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cardroom.accounts import CENT
from cardroom.floor.desks.answers import (
    ClaimDecided,
    ClaimMade,
    claim_decided,
    claim_decided_entry,
    claim_made,
    claim_made_entry,
)
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.kept.recall import ClaimedBefore, RecordedRound, back_to_round, recorded_round, set_up_at
from cardroom.floor.kept.table import TableState
from cardroom.games import game
from cardroom.games.money import money
from cardroom.games.setup import setup_from
from cardroom.jackpots import Happening
from cardroom.jackpots.claim.flow import claim_record, typed_record
from cardroom.jackpots.claim.refusing import refuse_claim
from cardroom.jackpots.claim.typed_hand import TypedHand
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.happenings import PrizesPaid, PrizesWon, RoundRecorded
from cardroom.jackpots.layout import on_layout
from cardroom.jackpots.meter.service import with_displayed_bonuses
from cardroom.jackpots.tabulator.replay import positions_for
from cardroom.ledger import Json


class ClaimDesk(Desk):
    """The win flow. A claim is named by the id of the command that made it."""

    def claim(self, id: str, who: str, jackpot: str, table: str, round_id: str, record: Mapping[str, Any]) -> ClaimMade:
        """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it; the dealer claims."""

        def won(draft: Draft, counted: int) -> tuple[Happening, ...]:
            state = draft.jackpot(jackpot)
            return claim_record(state, record, claim=id, table=table, round_id=round_id, dealer=who, counted=counted)

        return self._claim(id, who, jackpot, table, round_id, {"do": "claim", "record": dict(record)}, won)

    def claim_hand(self, id: str, who: str, jackpot: str, table: str, round_id: str, hand: TypedHand) -> ClaimMade:
        """Claim the prize of a hand that the dealer types in."""
        typed: dict[str, Json] = {
            "wager": hand.wager,
            "wagered": hand.wagered,
            "cards": dict(hand.cards),
            "decisions": dict(hand.decisions),
            "seat": hand.seat,
        }

        def won(draft: Draft, counted: int) -> tuple[Happening, ...]:
            state = draft.jackpot(jackpot)
            held = set_up_at(self.ledger, table, counted) if counted else None
            played_at = setup_from(on_layout(held.setup, held.layout)) if held else draft.table(table).game_setup
            setup = with_displayed_bonuses(played_at, [state])
            at = game(setup.game).open(setup)
            return claim_record(
                state, typed_record(at, hand), claim=id, table=table, round_id=round_id, dealer=who, counted=counted
            )

        return self._claim(id, who, jackpot, table, round_id, {"do": "claim-hand", "hand": typed}, won)

    def _claim(
        self,
        id: str,
        who: str,
        jackpot: str,
        table: str,
        round_id: str,
        asked: Mapping[str, Json],
        won: Callable[[Draft, int], tuple[Happening, ...]],
    ) -> ClaimMade:
        body: dict[str, Json] = {**asked, "who": who, "jackpot": jackpot, "table": table, "round": round_id}
        recorded = recorded_round(self.ledger, table, round_id)
        before = self._claimed(recorded, jackpot, table, round_id)

        def decide(draft: Draft) -> Json:
            prizes = won(draft, recorded.sequence if recorded else 0)
            refuse_twice(prizes, before, table, round_id)
            refuse_uncounted(prizes, recorded, draft.table(table), jackpot, round_id)
            state = draft.at_jackpot(jackpot, prizes)
            paid = tuple(prize for one in prizes if isinstance(one, PrizesPaid) for prize in one.prizes)
            pending = next((one for one in state.claims if one.id == id), None)
            return claim_made_entry(id, paid, pending, state)

        return self._do(id, body, (jackpot_chain(jackpot), table_chain(table)), decide, claim_made)

    def refuse(
        self, id: str, who: str, jackpot: str, claim: str, why: str, *, seats: Collection[int] | None = None
    ) -> ClaimDecided:
        """Give a claim back, or the prizes of some seats of it: all is as if it had never been claimed."""
        body: dict[str, Json] = {
            "do": "refuse",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "why": why,
            "seats": None if seats is None else sorted(set(seats)),
        }

        def decide(draft: Draft) -> Json:
            state = draft.jackpot(jackpot)
            happenings = refuse_claim(state, claim, refused_by=who, why=why, seats=seats)
            prizes = state.claim(claim).prizes
            refused = tuple(prize for prize in prizes if seats is None or prize.seat in seats)
            return claim_decided_entry(claim, refused, draft.at_jackpot(jackpot, happenings))

        return self._do(id, body, (jackpot_chain(jackpot),), decide, claim_decided)

    def _claimed(self, recorded: RecordedRound | None, jackpot: str, table: str, round_id: str) -> ClaimedBefore:
        """What was claimed of a round before; a round without a wager for the jackpot is not worth a look."""
        if recorded is None or not positions_for(recorded.counted, jackpot):
            return ClaimedBefore(locked=False, fixed=False)
        return back_to_round(self.ledger, jackpot, table, round_id).claimed

    def wagered_at(self, jackpot: str, table: str, round_id: str) -> tuple[int, ...]:
        """The positions at which wagers for a jackpot were counted in a round."""
        recorded = recorded_round(self.ledger, table, round_id)
        return tuple(sorted(positions_for(recorded.counted, jackpot))) if recorded else ()

    def wager_for(self, jackpot: str, table: str, round_id: str) -> str | None:
        """The wager that played for a jackpot in a round, also if the table has left the jackpot since."""
        recorded = recorded_round(self.ledger, table, round_id)
        wagers = recorded.counted.wagers if recorded else ()
        return next((one.wager for one in wagers if one.jackpot == jackpot), None)


def refuse_twice(won: Sequence[Happening], before: ClaimedBefore, table: str, round_id: str) -> None:
    """A round is claimed once. The jackpot's state remembers the last rounds only; the log remembers all of them."""
    if before.locked:
        raise BadClaim(f"Round {round_id} of table {table} was claimed already.")
    if before.fixed and any(isinstance(one, PrizesPaid) for one in won):
        raise BadClaim(f"The prizes of round {round_id} of table {table} were paid already.")


def refuse_uncounted(
    won: Sequence[Happening], recorded: RecordedRound | None, table: TableState, jackpot: str, round_id: str
) -> None:
    """Only a wager that was counted can win: the round was, and the winners' positions were among them (BJ-19)."""
    if recorded is None:
        raise BadClaim(
            f"Round {round_id} was not counted at {table.id}: tabulate it, or count it by hand, before it is claimed."
        )
    if round_id in table.tabulator.voided:
        raise BadClaim(f"Round {round_id} of {table.id} is void: every wager went back, so nothing was won.")
    there = positions_for(recorded.counted, jackpot)
    prizes = [one for one in won if isinstance(one, PrizesWon)]
    winners = {prize.seat for one in prizes for prize in one.prizes}
    if missing := sorted(winners - there):
        where = f"only at {_listed(there)}" if there else "nor anywhere else"
        raise BadClaim(
            f"No wager for {jackpot} was counted at position {_listed(missing)} in round {round_id}, {where}."
        )
    _refuse_another_amount(prizes, recorded.counted, jackpot, winners)


def _refuse_another_amount(
    won: Sequence[PrizesWon], counted: RoundRecorded, jackpot: str, winners: Collection[int]
) -> None:
    """A winner has wagered what was counted: where there are two amounts, the lammer tells which (BJ-20)."""
    (of,) = (one for one in counted.wagers if one.jackpot == jackpot)
    amounts = sorted(stakes.amount // CENT for stakes in of.stakes)
    for prizes in won:
        for seat in sorted(winners) if amounts else ():
            staked = amounts[-1] if seat in of.lammers else amounts[0]
            claimed = prizes.record["wagers"][str(seat)][of.wager]
            if claimed != staked:
                raise BadClaim(
                    f"At position {seat} {money(staked)} was counted for {jackpot}, not {money(claimed)}: a larger "
                    "wager has a lammer."
                )


def _listed(places: Collection[int]) -> str:
    return ", ".join(map(str, sorted(places)))
