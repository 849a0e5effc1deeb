"""The sheet on which a dealer types a seat: its wagers, its answers, and the cards that a payment looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from cardroom.cards import Card
from cardroom.floor import Floor
from cardroom.floor.desks.live_looks import LiveLook
from cardroom.floor.felt.live_round import LiveRound
from cardroom.floor.felt.state import FeltState
from cardroom.floor.live.dealing import live_round
from cardroom.floor.live.steps import steps_of
from cardroom.floor.live.typing import Typed
from cardroom.games.money import describe_chips, format_cents, parse_dollars
from cardroom.games.partial_settlement import PendingDecision
from cardroom.games.places import Pile
from cardroom.games.record import parse_place
from cardroom.games.view import humanize_slug, spot_name
from cardroom.web.pages.forms import BadForm, Form

_OF_A_SEAT: Final = (Pile.HAND, Pile.FOURTH, Pile.FIFTH, Pile.WAR)
SUITS: Final = (("s", "♠", "Spades"), ("h", "♥", "Hearts"), ("d", "♦", "Diamonds"), ("c", "♣", "Clubs"))
CHIPS: Final = (1_00, 5_00, 25_00, 100_00)


class CardField(NamedTuple):
    """A place, and the cards that were typed there."""

    place: str
    shown: str
    cards: str


class WagerField(NamedTuple):
    """A spot, and what was typed for it."""

    spot: str
    name: str
    amount: str
    limits: str
    dark: str
    """Why nothing is typed there: nobody can wager on it, or nothing was counted. Empty where something may be."""


class AnswerField(NamedTuple):
    """A question, what may be said, and what was."""

    question: str
    name: str
    options: tuple[str, ...]
    said: str
    more: bool


class PickedCard(NamedTuple):
    """A card to be tapped."""

    code: str
    shown: str


def places_of(state: FeltState, seat: int) -> tuple[str, ...]:
    """Where cards lie that a payment of the seat may look at: its own places, then the table's."""
    dealt = dict.fromkeys(name for step in steps_of(state) for name in step.places if name != Pile.BURN)
    own = [f"seat {seat} {name}" for name in dealt if name in _OF_A_SEAT]
    return (*own, *(name for name in dealt if name not in _OF_A_SEAT))


def seat_sheet(floor: Floor, table: str, seat: int, kept: Form | None = None) -> dict[str, Any]:
    """What the sheet of a seat shows; ``kept`` is what was typed and refused."""
    look = floor.live_look(table)
    state, live = look.state, live_round(look.state)
    if seat not in live.positions:
        raise BadForm(f"Nobody plays at seat {seat} in this round.")
    paying = look.paying
    return {
        "table": table,
        "state": state,
        "chip_words": describe_chips,
        "facts": state.game.facts,
        "seat": seat,
        "was": typed_at(state, live, seat),
        "cards": _card_fields(state, live, seat, kept),
        "wagers": _wager_fields(look, live, seat, kept),
        "answers": _answer_fields(live, paying.asked if paying else (), seat, kept),
        "paying": next((one for one in paying.seats if one.seat == seat), None) if paying else None,
        "missing": [one for one in paying.missing if one.startswith(f"Seat {seat}'s ")] if paying else [],
        "astray": paying.astray if paying else (),
        "not_final": paying.not_final if paying else (),
        "elsewhere": _typed_elsewhere(live, seat),
        "suits": [(*suit, _picked(state.at.table.deck.distinct_cards(), suit[0])) for suit in SUITS],
        "jokers": [PickedCard(str(one), "Joker") for one in state.at.table.deck.distinct_cards() if one.is_joker],
        "copies": state.at.table.deck.decks,
        "chips": CHIPS,
    }


def _picked(kinds: Iterable[Card], suit: str) -> list[PickedCard]:
    """The cards of a suit, from the ace down."""
    of_it = [str(one) for one in kinds if not one.is_joker and str(one)[1] == suit]
    return [PickedCard(code, "10" if code[0] == "T" else code[0]) for code in reversed(of_it)]


def typed_at(state: FeltState, live: LiveRound, seat: int) -> dict[str, str]:
    """What is typed for a seat, by the names of the form's fields."""
    wagers = live.wagers.get(str(seat), {})
    fields = {f"cards-{place}": " ".join(live.cards.get(place, ())) for place in places_of(state, seat)}
    fields |= {f"wager-{spot}": format_cents(wagers[spot]) if spot in wagers else "" for spot in state.at.table.spots}
    return fields | {f"answer-{one.question}": one.answer for one in live.answers if one.seat == seat}


def _card_fields(state: FeltState, live: LiveRound, seat: int, kept: Form | None) -> list[CardField]:
    was = typed_at(state, live, seat)
    return [
        CardField(place, humanize_slug(place.removeprefix(f"seat {seat} ")), _kept(kept, f"cards-{place}", was))
        for place in places_of(state, seat)
    ]


def _wager_fields(look: LiveLook, live: LiveRound, seat: int, kept: Form | None) -> list[WagerField]:
    state, dark = look.state, _dark_at(look, seat)
    was, table = typed_at(state, live, seat), state.at.table
    fields = []
    for spot, offered in table.spots.items():
        span = {format_cents(offered.limits.minimum): None, format_cents(offered.limits.maximum): None}
        amount, why = _kept(kept, f"wager-{spot}", was), dark.get(offered.wager.slug, "")
        fields.append(WagerField(spot, spot_name(table, spot), amount, " to ".join(span), why))
    return fields


def _dark_at(look: LiveLook, seat: int) -> Mapping[str, str]:
    """The jackpots' wagers that the seat cannot have made, and why."""
    tabulator = look.unit.tabulator if look.unit else None
    if tabulator is None or tabulator.round is None or tabulator.round.round != look.state.round:
        return {wager: f"not available: {why}" for wager, why in look.dark.items()}
    counted = zip(tabulator.table.wagers, tabulator.round.positions, strict=True)
    not_there = (one for one, positions in counted if seat not in positions)
    facts = look.state.game.facts
    return {one.wager: "not counted here" for one in not_there if one.jackpot or facts.wager(one.wager).jackpot}


def _answer_fields(
    live: LiveRound, asked: Iterable[PendingDecision], seat: int, kept: Form | None
) -> list[AnswerField]:
    said = {one.question: one.answer for one in live.answers if one.seat == seat}
    was = {f"answer-{question}": answer for question, answer in said.items()}
    return [
        AnswerField(
            one.question,
            humanize_slug(one.question),
            tuple(map(str, one.options)),
            _kept(kept, f"answer-{one.question}", was),
            one.has_more_options,
        )
        for one in asked
        if one.seat == seat
    ]


def _kept(kept: Form | None, field: str, was: Mapping[str, str]) -> str:
    return kept.text(field) if kept is not None and field in kept.fields else was.get(field, "")


def _typed_elsewhere(live: LiveRound, seat: int) -> str:
    """Cards that lie at other seats."""
    others = (pile for place, pile in live.cards.items() if parse_place(place).seat not in (None, seat))
    return " ".join(card for pile in others for card in pile)


def typed_on(form: Form, state: FeltState, seat: int) -> Typed:
    """What is different from what the sheet showed; what somebody else typed meanwhile is left alone."""
    was = form.beginning("was")

    def changed(kind: str) -> dict[str, str]:
        told = form.beginning(kind)
        return {name: text for name, text in told.items() if text != was.get(f"{kind}-{name}", "")}

    wagers = dict[int, dict[str, int]]()
    if changed("wager"):
        told = form.beginning("wager")
        wagers[seat] = {spot: parse_dollars(told[spot]) for spot in state.at.table.spots if told.get(spot)}
    answers = changed("answer")
    return Typed(changed("cards"), wagers, {seat: answers} if answers else {})
