"""The other sheets of the console: equipment, claim, void. Each says in words what will happen, and to whom."""

from __future__ import annotations

from typing import Any

from cardroom.floor import ClaimMade, Floor
from cardroom.floor.desks.live_looks import LiveLook
from cardroom.floor.kept.round_claims import Became
from cardroom.floor.live.dealing import live_round
from cardroom.games.money import format_cents
from cardroom.games.view import wager_name
from cardroom.web.devices.claiming import claimed_hand, jackpot_played_for
from cardroom.web.pages.dealer.console import unit_shown, waits_for
from cardroom.web.pages.forms import Form


def equipment_sheet(floor: Floor, table: str, kept: Form | None = None) -> dict[str, Any]:
    """The tabulator and its lights."""
    look = floor.live_look(table)
    return {
        "table": table,
        "unit": unit_shown(look),
        "positions": range(1, look.state.at.table.seats + 1),
        "reason": kept.text("reason") if kept else "",
    }


def void_sheet(floor: Floor, table: str, kept: Form | None = None) -> dict[str, Any]:
    """What calling the round off does."""
    look = floor.live_look(table)
    live = live_round(look.state)
    return {
        "table": table,
        "round": look.state.round,
        "positions": live.positions,
        "counted": _counted(look),
        "why": kept.text("why") if kept else "",
        "second": kept.text("second") if kept else "",
    }


def _counted(look: LiveLook) -> list[tuple[str, int]]:
    """The jackpot wagers of the round that come off the meters again."""
    unit, facts = look.unit, look.state.game.facts
    counted = unit.tabulator.round if unit and look.in_the_books else None
    if unit is None or counted is None or counted.round != look.state.round:
        return []
    wagers = zip(unit.tabulator.table.wagers, counted.positions, strict=True)
    return [(wager_name(facts, wager.wager), len(places)) for wager, places in wagers if places]


def undo_sheet(floor: Floor, table: str) -> dict[str, Any]:
    """The step that would be taken back."""
    look = floor.live_look(table)
    live = live_round(look.state)
    return {"table": table, "round": look.state.round, "last": live.taken[-1] if live.taken else ""}


def claim_sheet(
    floor: Floor, table: str, seat: int = 0, wager: str = "", made: ClaimMade | None = None
) -> dict[str, Any]:
    """Where jackpot wagers were counted, and what was typed there; afterwards what was won."""
    look = floor.live_look(table)
    state, live = look.state, live_round(look.state)
    facts = state.game.facts
    linked = [one for one in (look.unit.playing.wagers if look.unit else ()) if one.jackpot is not None]
    hands = []
    for one in linked:
        assert one.jackpot is not None
        staked = floor.staked_at(one.jackpot, table, state.round) or {}
        hands += [
            (place, one.wager, wager_name(facts, one.wager), format_cents(cents)) for place, cents in staked.items()
        ]
    typed = {
        place: {
            name: " ".join(live.cards[name]) for name in sorted(live.cards, key=_own_first) if _is_seen(name, place)
        }
        for place, *_ in hands
    }
    return {
        "table": table,
        "round": state.round,
        "hands": sorted(hands),
        "typed": typed,
        "seat": seat,
        "wager": wager,
        "made": made,
        "locked": {one.seat: waits_for(one) for one in look.claims if one.became is Became.WAITS},
        "linked": bool(linked),
    }


def _own_first(place: str) -> tuple[bool, bool, str]:
    """The hand before what is dealt to it, and both before the cards of the table."""
    return (not place.startswith("seat "), not place.endswith(" hand"), place)


def _is_seen(place: str, seat: int) -> bool:
    """Whether a hand of the seat may be made of cards there: its own, or the table's."""
    return not place.startswith("seat ") or place.startswith(f"seat {seat} ")


def claim(floor: Floor, id: str, dealer: str, table: str, seat: int, wager: str) -> ClaimMade:
    """Claim what a hand of the present round has won, from what was typed and counted."""
    state = floor.felt(table)
    live_round(state)
    jackpot = jackpot_played_for(floor, table, wager, state.round)
    staked = floor.staked_at(jackpot, table, state.round) or {}
    hand = claimed_hand(floor, table, state.round, seat, wager, wagered=staked.get(seat))
    return floor.claim_hand(id, dealer, jackpot, table, state.round, hand)
