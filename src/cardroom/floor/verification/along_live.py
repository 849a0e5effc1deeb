"""Along the rounds of a live table: what was shown to be paid is what the rules give, nothing is paid or typed that a
dealer cannot pay or type, and two people call a round off.

That steps came in their order, and that the cards that were typed can have been there, the replay of the states sees.
What a step says of the tabulator is held against the tabulator's own chain when all chains are replayed, and what was
typed against the claims that stood then.
"""

from __future__ import annotations

from cardroom.floor.felt.live_round import Counting
from cardroom.floor.felt.state import FeltState
from cardroom.floor.live.dealing import live_round
from cardroom.floor.live.happenings import CardsTyped, LiveRoundCalledOff, LiveRoundEnded, OfALiveRound, StepTaken
from cardroom.floor.live.limit_shares import refuse_before_it_is_final, refuse_to_change_what_was_paid
from cardroom.floor.live.paying import shown_at_the_end
from cardroom.floor.live.steps import step_to_take
from cardroom.floor.live.typing import refuse_too_many
from cardroom.floor.verification.replayed import OfARound, Replayed, TypedLive
from cardroom.floor.verification.report import wrong
from cardroom.jackpots.people import same_person


def look_at_live(
    chain: str, sequence: int, id: str, time: int, happening: OfALiveRound, before: FeltState, replayed: Replayed
) -> None:
    """Look at what the states do not show."""
    here = OfARound(chain, sequence, id, before.table, before.round)
    match happening:
        case StepTaken(step=step, counted=counted):
            live = live_round(before)
            refuse_before_it_is_final(before, live, step_to_take(before, live, step))
            if counted is not Counting.NOBODY:
                replayed.counted_live.append(here)
        case CardsTyped():
            refuse_too_many(before, happening)
            refuse_to_change_what_was_paid(before, live_round(before), happening)
            replayed.typed_live.append(TypedLive(chain, sequence, id, time, before.table, before.round))
        case LiveRoundEnded(shown=shown):
            again = shown_at_the_end(before, live_round(before))
            if again != shown:
                raise wrong("something else is taken and paid", chain, sequence, id, again, shown)
            replayed.rounds += 1
        case LiveRoundCalledOff(who=who, second=second):
            if same_person(who, second):
                raise wrong("one person answers for it", chain, sequence, id, "two people", second)
            replayed.called_off.append(here)
