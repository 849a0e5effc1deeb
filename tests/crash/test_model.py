"""The model and its evenings: they try everything, and the model's own books are even."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crash.commands import COMMANDS
from tests.crash.evening import Evening


def test_evenings_try_every_command_and_most_are_also_refused() -> None:
    tried = Counter(
        (one.command["do"], one.answer is not None) for seed in range(120) for one in Evening(seed).commands(150)
    )
    never_refused = {"open-jackpot", "install-tabulator", "configure-room", "link", "disable", "enable", "send-heads"}
    never_done = {"lower-to-ceiling"}  # nothing lifts a meter above its cap
    assert {do for do, is_done in tried if is_done} == set(COMMANDS) - never_done
    assert {do for do, is_done in tried if not is_done} >= set(COMMANDS) - never_refused


def test_evenings_bring_winners_together_and_apart() -> None:
    """Several winners of a round, some of them late, some refused once another was paid; rounds void beside claims."""
    met: Counter[str] = Counter()
    for seed in range(120):
        evening = Evening(seed)
        evening.commands(200)
        for jackpot in evening.model.jackpots.values():
            for level in jackpot.levels.values():
                met.update(what for what, _ in level.history)
                met["remembered"] += len(level.remembered)
                claimed = Counter(how[1] for what, how in level.history if what == "won")
                met["together"] += sum(number > 1 for number in claimed.values())
    assert min(met[what] for what in ("together", "late", "given_up", "void", "remembered")) > 0, met


def test_evenings_try_to_count_old_rounds_again() -> None:
    tried: Counter[str] = Counter()
    for seed in range(60):
        counted: dict[str, list[str]] = {}
        for one in Evening(seed).commands(150):
            if one.command["do"] in ("tabulate", "count-by-hand"):
                rounds = counted.setdefault(one.command["table"], [])
                if one.command["round"] in rounds:
                    assert one.answer is None
                    tried["the last" if one.command["round"] == rounds[-1] else "an older one"] += 1
                elif one.answer is not None:
                    rounds.append(one.command["round"])
    assert min(tried["the last"], tried["an older one"]) > 10


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_the_players_are_owed_is_covered_whatever_happens(seed: int) -> None:
    evening = Evening(seed)
    evening.commands(120)
    for jackpot in evening.model.jackpots.values():
        assert jackpot.owed == (
            jackpot.escrow + jackpot.undeposited - jackpot.cage_advance if jackpot.is_progressive else 0
        )
        assert min(jackpot.escrow, jackpot.undeposited, jackpot.cage_advance) >= 0
        for level in jackpot.levels.values():
            held = level.held
            assert min(held.display, held.reserve, held.overflow, held.pending_amount, held.seed_owed) >= 0
    assert sum(evening.model._debits.values()) == 0


def test_the_same_seed_makes_the_same_evening() -> None:
    assert Evening(7).commands(50) == Evening(7).commands(50)
    assert Evening(7).commands(50) != Evening(8).commands(50)
