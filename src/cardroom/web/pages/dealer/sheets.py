"""The sheets of the console: a seat with its wagers, decisions, and cards; equipment; claim; undo; void."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from cardroom.cards import Card
from cardroom.games.card_places import Pile
from cardroom.games.money import describe_chips, format_cents, parse_dollars
from cardroom.games.partial_settlement import PendingDecision
from cardroom.games.record import parse_place
from cardroom.games.view import humanize_slug, spot_name, wager_name
from cardroom.room.table.events import LiveRound
from cardroom.room.table.live_procedure import TypedInput, table_procedure
from cardroom.room.table.live_round_steps import require_live_round
from cardroom.room.table.state import TableState
from cardroom.service import CardRoom, ClaimResult
from cardroom.service.commands.live_table_queries import DealerTableView
from cardroom.service.queries.claims import ClaimOutcome
from cardroom.web.devices.console import build_claimed_hand, find_jackpot
from cardroom.web.pages.dealer.console_view import build_tabulator, describe_wait
from cardroom.web.pages.requests import BadForm, SubmittedForm

_OF_A_SEAT: Final = (Pile.HAND, Pile.FOURTH, Pile.FIFTH, Pile.WAR)
SUITS: Final = (("s", "♠", "Spades"), ("h", "♥", "Hearts"), ("d", "♦", "Diamonds"), ("c", "♣", "Clubs"))
CHIP_VALUES: Final = (1_00, 5_00, 25_00, 100_00)


class CardField(NamedTuple):
    """The field for the cards at a place."""

    place: str
    label: str
    cards: str


class WagerField(NamedTuple):
    """The field for the wager on a spot."""

    spot: str
    name: str
    amount: str
    limits: str
    disabled_reason: str
    """Why the field is disabled: the wager is not available, or it was not counted. Empty if the field is enabled."""


class DecisionField(NamedTuple):
    """The field for a decision, with its options."""

    question: str
    name: str
    options: tuple[str, ...]
    answer: str
    has_more: bool


class CardButton(NamedTuple):
    """A card of the picker."""

    code: str
    label: str


def places_of(state: TableState, seat: int) -> tuple[str, ...]:
    """The places whose cards can affect a payment of the seat: its own places, then the table's."""
    place_names = dict.fromkeys(name for step in table_procedure(state) for name in step.places if name != Pile.BURN)
    seat_places = [f"seat {seat} {name}" for name in place_names if name in _OF_A_SEAT]
    return (*seat_places, *(name for name in place_names if name not in _OF_A_SEAT))


def seat_sheet(card_room: CardRoom, table: str, seat: int, form: SubmittedForm | None = None) -> dict[str, Any]:
    """The variables of a seat's sheet; ``form`` has the values that were refused."""
    snapshot = card_room.view_live_table(table)
    state, live = snapshot.state, require_live_round(snapshot.state)
    if seat not in live.positions:
        raise BadForm(f"Seat {seat} is not in play in this round.")
    paying = snapshot.paying
    return {
        "table": table,
        "state": state,
        "describe_chips": describe_chips,
        "facts": state.game.facts,
        "seat": seat,
        "shown_values": entered_values(state, live, seat),
        "cards": _card_fields(state, live, seat, form),
        "wagers": _wager_fields(snapshot, live, seat, form),
        "decisions": _decision_fields(live, paying.questions if paying else (), seat, form),
        "paying": next((payment for payment in paying.seats if payment.seat == seat), None) if paying else None,
        "missing": [payment for payment in paying.missing if payment.startswith(f"Seat {seat}'s ")] if paying else [],
        "contradictions": paying.astray if paying else (),
        "not_final": paying.not_final if paying else (),
        "other_cards": _cards_elsewhere(live, seat),
        "suits": [(*suit, _card_buttons(state.open_table.table.deck.distinct_cards(), suit[0])) for suit in SUITS],
        "jokers": [
            CardButton(str(card), "Joker") for card in state.open_table.table.deck.distinct_cards() if card.is_joker
        ],
        "copies": state.open_table.table.deck.decks,
        "chips": CHIP_VALUES,
    }


def _card_buttons(kinds: Iterable[Card], suit: str) -> list[CardButton]:
    """The cards of a suit, from the ace down."""
    codes = [str(card) for card in kinds if not card.is_joker and str(card)[1] == suit]
    return [CardButton(code, "10" if code[0] == "T" else code[0]) for code in reversed(codes)]


def entered_values(state: TableState, live: LiveRound, seat: int) -> dict[str, str]:
    """The entries of a seat, by form field."""
    wagers = live.wagers.get(str(seat), {})
    fields = {f"cards-{place}": " ".join(live.cards.get(place, ())) for place in places_of(state, seat)}
    fields |= {
        f"wager-{spot}": format_cents(wagers[spot]) if spot in wagers else "" for spot in state.open_table.table.spots
    }
    return fields | {
        f"answer-{decision.question}": decision.answer for decision in live.answers if decision.seat == seat
    }


def _card_fields(state: TableState, live: LiveRound, seat: int, form: SubmittedForm | None) -> list[CardField]:
    current = entered_values(state, live, seat)
    return [
        CardField(
            place, humanize_slug(place.removeprefix(f"seat {seat} ")), _field_value(form, f"cards-{place}", current)
        )
        for place in places_of(state, seat)
    ]


def _wager_fields(
    snapshot: DealerTableView, live: LiveRound, seat: int, form: SubmittedForm | None
) -> list[WagerField]:
    state, disabled = snapshot.state, _disabled_wagers(snapshot, seat)
    current, table = entered_values(state, live, seat), state.open_table.table
    fields = []
    for spot, offered in table.spots.items():
        span = {format_cents(offered.limits.minimum): None, format_cents(offered.limits.maximum): None}
        amount, reason = _field_value(form, f"wager-{spot}", current), disabled.get(offered.wager.slug, "")
        fields.append(WagerField(spot, spot_name(table, spot), amount, " to ".join(span), reason))
    return fields


def _disabled_wagers(snapshot: DealerTableView, seat: int) -> Mapping[str, str]:
    """The jackpot wagers that the seat cannot have made, and why."""
    tabulator = snapshot.unit.tabulator if snapshot.unit else None
    if tabulator is None or tabulator.round is None or tabulator.round.round != snapshot.state.round:
        return {wager: f"not available: {reason}" for wager, reason in snapshot.dark.items()}
    counted_wagers = zip(tabulator.table.wagers, tabulator.round.positions, strict=True)
    uncounted_wagers = (uncounted for uncounted, positions in counted_wagers if seat not in positions)
    facts = snapshot.state.game.facts
    return {
        uncounted.wager: "not counted here"
        for uncounted in uncounted_wagers
        if uncounted.jackpot or facts.wager(uncounted.wager).jackpot
    }


def _decision_fields(
    live: LiveRound, decision_points: Iterable[PendingDecision], seat: int, form: SubmittedForm | None
) -> list[DecisionField]:
    answers = {decision.question: decision.answer for decision in live.answers if decision.seat == seat}
    current = {f"answer-{question}": answer for question, answer in answers.items()}
    return [
        DecisionField(
            decision.question,
            humanize_slug(decision.question),
            tuple(map(str, decision.options)),
            _field_value(form, f"answer-{decision.question}", current),
            decision.has_more_options,
        )
        for decision in decision_points
        if decision.seat == seat
    ]


def _field_value(form: SubmittedForm | None, field: str, current: Mapping[str, str]) -> str:
    return form.text(field) if form is not None and field in form.fields else current.get(field, "")


def _cards_elsewhere(live: LiveRound, seat: int) -> str:
    """The cards of other seats."""
    other_piles = (pile for place, pile in live.cards.items() if parse_place(place).seat not in (None, seat))
    return " ".join(card for pile in other_piles for card in pile)


def read_entries(form: SubmittedForm, state: TableState, seat: int) -> TypedInput:
    """The entries that differ from what the sheet showed. Entries that another user made meanwhile stay."""
    shown = form.with_prefix("was")

    def changed_fields(kind: str) -> dict[str, str]:
        values = form.with_prefix(kind)
        return {name: text for name, text in values.items() if text != shown.get(f"{kind}-{name}", "")}

    wagers = dict[int, dict[str, int]]()
    if changed_fields("wager"):
        wager_texts = form.with_prefix("wager")
        wagers[seat] = {
            spot: parse_dollars(wager_texts[spot]) for spot in state.open_table.table.spots if wager_texts.get(spot)
        }
    answers = changed_fields("answer")
    return TypedInput(changed_fields("cards"), wagers, {seat: answers} if answers else {})


def equipment_sheet(card_room: CardRoom, table: str, form: SubmittedForm | None = None) -> dict[str, Any]:
    """The variables of the equipment sheet."""
    snapshot = card_room.view_live_table(table)
    return {
        "table": table,
        "unit": build_tabulator(snapshot),
        "positions": range(1, snapshot.state.open_table.table.seats + 1),
        "reason": form.text("reason") if form else "",
    }


def void_sheet(card_room: CardRoom, table: str, form: SubmittedForm | None = None) -> dict[str, Any]:
    """The variables of the void sheet."""
    snapshot = card_room.view_live_table(table)
    live = require_live_round(snapshot.state)
    return {
        "table": table,
        "round": snapshot.state.round,
        "positions": live.positions,
        "counted": _counted_wagers(snapshot),
        "why": form.text("why") if form else "",
        "second": form.text("second") if form else "",
    }


def _counted_wagers(snapshot: DealerTableView) -> list[tuple[str, int]]:
    """The counted jackpot wagers of the round, which come off the meters."""
    unit, facts = snapshot.unit, snapshot.state.game.facts
    counted_round = unit.tabulator.round if unit and snapshot.in_the_books else None
    if unit is None or counted_round is None or counted_round.round != snapshot.state.round:
        return []
    wagers = zip(unit.tabulator.table.wagers, counted_round.positions, strict=True)
    return [(wager_name(facts, wager.wager), len(places)) for wager, places in wagers if places]


def undo_sheet(card_room: CardRoom, table: str) -> dict[str, Any]:
    """The variables of the undo sheet."""
    snapshot = card_room.view_live_table(table)
    live = require_live_round(snapshot.state)
    return {"table": table, "round": snapshot.state.round, "last": live.taken[-1] if live.taken else ""}


def claim_sheet(
    card_room: CardRoom, table: str, seat: int = 0, wager: str = "", claim: ClaimResult | None = None
) -> dict[str, Any]:
    """The variables of the claim sheet: the counted jackpot wagers with their cards; after the claim, the prizes."""
    snapshot = card_room.view_live_table(table)
    state, live = snapshot.state, require_live_round(snapshot.state)
    facts = state.game.facts
    linked = [
        linked_wager
        for linked_wager in (snapshot.unit.active_table.wagers if snapshot.unit else ())
        if linked_wager.jackpot is not None
    ]
    hands = []
    for linked_wager in linked:
        assert linked_wager.jackpot is not None
        stakes = card_room.claims.find_stakes(linked_wager.jackpot, table, state.round) or {}
        hands += [
            (place, linked_wager.wager, wager_name(facts, linked_wager.wager), format_cents(cents))
            for place, cents in stakes.items()
        ]
    entries = {
        place: {
            name: " ".join(live.cards[name])
            for name in sorted(live.cards, key=_place_order)
            if _is_visible(name, place)
        }
        for place, *_ in hands
    }
    return {
        "table": table,
        "round": state.round,
        "hands": sorted(hands),
        "typed": entries,
        "seat": seat,
        "wager": wager,
        "claim": claim,
        "locked": {
            seat_claim.seat: describe_wait(seat_claim)
            for seat_claim in snapshot.claims
            if seat_claim.outcome is ClaimOutcome.PENDING
        },
        "linked": bool(linked),
    }


def _place_order(place: str) -> tuple[bool, bool, str]:
    """The sort key of a place: the hand, then the seat's other cards, then the table's cards."""
    return (not place.startswith("seat "), not place.endswith(" hand"), place)


def _is_visible(place: str, seat: int) -> bool:
    """Whether a hand of the seat can use cards at the place."""
    return not place.startswith("seat ") or place.startswith(f"seat {seat} ")


def submit_claim(card_room: CardRoom, id: str, dealer: str, table: str, seat: int, wager: str) -> ClaimResult:
    """Claim the prize of a hand of the current round, from its entries and counted wagers."""
    state = card_room.table(table)
    require_live_round(state)
    jackpot = find_jackpot(card_room, table, wager, state.round)
    stakes = card_room.claims.find_stakes(jackpot, table, state.round) or {}
    hand = build_claimed_hand(card_room, table, state.round, seat, wager, wagered=stakes.get(seat))
    return card_room.claims.claim_hand(id, dealer, jackpot, table, state.round, hand)
