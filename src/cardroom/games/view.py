"""What each viewer sees of a round, decided here and nowhere else, and the names of spots, piles, and questions.

A hidden card is not in the view at all, only its back. Cards are listed as they are on the table: the table's piles,
and each seat's, hand by hand once the player has set them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from cardroom.cards import Card
from cardroom.enums import TypeableEnum
from cardroom.games.actions import ChanceTurn, DealerTurn, Decision, RoundEnd, SeatTurn, Turn, Verb
from cardroom.games.card_places import Pile, Place
from cardroom.games.frozen_map import FrozenMap, freeze
from cardroom.games.game_facts import GameFacts
from cardroom.games.playable_table import Table
from cardroom.games.round import Bets, Round
from cardroom.translation import gettext


class Onlooker(TypeableEnum, StrEnum):
    """Viewers without a seat."""

    DEALER = "dealer"
    """The dealer: sees the face-up cards."""
    DISPLAY = "display"
    """A public display: sees the face-up cards."""
    AUDITOR = "auditor"
    """Surveillance after the round: sees all cards."""


Viewer: TypeAlias = int | Onlooker
"""A seat's number, or an onlooker."""

CARD_BACK = "??"


@dataclass(frozen=True, slots=True)
class View:
    """A round as one viewer may see it."""

    viewer: Viewer
    bets: Bets
    piles: Mapping[Place, tuple[Card | None, ...]]
    """None is the back of a card."""
    decisions: Mapping[tuple[int, str], Decision | Verb]
    """Only the verb where the named cards are hidden."""
    turn: Turn
    """For viewers other than the deciding seat, without options that name cards."""


def view(round_: Round, viewer: Viewer) -> View:
    """What this viewer may see."""
    visible_places = [place for place in round_.piles if can_see(round_, place, viewer)]
    piles: Mapping[Place, tuple[Card | None, ...]] = freeze(round_.piles)
    if len(visible_places) < len(piles):
        piles = FrozenMap(
            {place: cards if place in visible_places else (None,) * len(cards) for place, cards in piles.items()}
        )
    decisions = {
        key: decision if _can_see_decision(round_, key, decision, viewer, visible_places) else decision.verb
        for key, decision in round_.decisions.items()
    }
    return View(viewer, round_.bets, piles, FrozenMap(decisions), _visible_turn(round_, viewer))


def can_see(round_: Round, place: Place, viewer: Viewer) -> bool:
    """Whether the viewer sees the faces of the cards at a place."""
    if viewer is Onlooker.AUDITOR or round_.game.is_face_up(round_, place):
        return True
    return not isinstance(viewer, Onlooker) and place.seat == viewer and round_.game.is_visible_to_owner(round_, place)


def _can_see_decision(
    round_: Round, key: tuple[int, str], decision: Decision, viewer: Viewer, visible_places: Collection[Place]
) -> bool:
    seat, question = key
    if not decision.groups or viewer in (seat, Onlooker.AUDITOR):
        return True
    if round_.game.is_decision_public(round_, seat, question):
        return True
    open_cards = {card for place in visible_places if place.seat == seat for card in round_.piles[place]}
    return open_cards.issuperset(card for group in decision.groups for card in group)


def _visible_turn(round_: Round, viewer: Viewer) -> Turn:
    turn = round_.turn
    if isinstance(turn, SeatTurn) and viewer not in (turn.seat, Onlooker.AUDITOR):
        return SeatTurn(turn.seat, turn.question, tuple(option for option in turn.options if not option.groups))
    return turn


def view_to_json(round_view: View) -> dict[str, Any]:
    """A view as JSON; card backs are ``??``."""
    return {
        "viewer": round_view.viewer if isinstance(round_view.viewer, int) else str(round_view.viewer),
        "wagers": {str(seat): dict(spots) for seat, spots in round_view.bets.items()},
        "cards": {
            str(place): [str(card) if card else CARD_BACK for card in cards]
            for place, cards in round_view.piles.items()
        },
        "decisions": [
            {"seat": seat, "question": question, "answer": str(decision)}
            for (seat, question), decision in round_view.decisions.items()
        ],
        "turn": turn_to_json(round_view.turn),
    }


def turn_to_json(turn: Turn) -> dict[str, Any]:
    """A turn as JSON."""
    match turn:
        case ChanceTurn(place):
            return {"who": "chance", "place": str(place)}
        case SeatTurn(seat, question, options):
            return {"who": "seat", "seat": seat, "question": question, "options": [str(option) for option in options]}
        case DealerTurn(step):
            return {"who": "dealer", "step": str(step)}
        case RoundEnd():
            return {"who": "nobody"}


# The names of the groups of cards in a decision, in order.
GROUP_NAMES: Final = {
    Verb.KEEP: ("playing",),
    Verb.SPLIT: ("first hand", "second hand"),
    Verb.SET: ("high hand", "low hand"),
}

PILE_NAMES: Final = {
    Pile.HAND: "hand",
    Pile.FOURTH: "fourth card",
    Pile.WAR: "war card",
    Pile.COMMUNITY: "community",
    Pile.WAR_COMMUNITY: "war card",
    Pile.ADDED_COMMUNITY: "2 + 2",
}


def pile_name(pile: Pile) -> str:
    """The name of a pile on the layout."""
    return PILE_NAMES.get(pile, f"{pile} card")


def humanize_slug(slug: str) -> str:
    """A slug for people: ``Tie after tie``."""
    return slug.replace("-", " ").capitalize()


def spot_name(table: Table, spot: str) -> str:
    """The name of a spot: that of its wager, with the spot where a wager has several."""
    wager = table.spots[spot].wager
    return wager.name if spot == wager.slug else f"{wager.name}: {spot}"


def wager_name(facts: GameFacts, spot: str) -> str:
    """The name of the wager that a spot is for."""
    return next(
        (wager.name for wager in facts.wagers if spot == wager.slug or spot in wager.spots), humanize_slug(spot)
    )


def stake_name(facts: GameFacts, spot: str, stake: str) -> str:
    """The name of chips: that of their wager, or of the stake for the main wager: ``Ante``, ``Play``."""
    if stake in {wager.slug for wager in facts.wagers}:
        return wager_name(facts, stake)
    main = facts.wagers[0]
    return humanize_slug(stake) if spot == main.slug or spot in main.spots else f"{wager_name(facts, spot)}, {stake}"


def describe_question(turn: SeatTurn, questions: Mapping[str, str]) -> str:
    """The question for the player: the game's own text if it has one, else ``Fold or play?``"""
    if turn.question in questions:
        return gettext(questions[turn.question])
    verbs = list(dict.fromkeys(gettext(str(option.verb)) for option in turn.options))
    if len(verbs) == 1:
        return gettext("{verb} which cards?").format(verb=verbs[0].capitalize())
    return gettext("{verbs} or {last}?").format(verbs=", ".join(verbs[:-1]), last=verbs[-1]).capitalize()


FaceOrBack: TypeAlias = Card | None
"""A card, or the back of one."""

TABLE_PILES: Final = (Pile.HAND, Pile.COMMUNITY, Pile.WAR_COMMUNITY, Pile.ADDED_COMMUNITY)


class DisplayedPile(NamedTuple):
    """Cards in one pile, and its name on the layout."""

    name: str
    cards: Sequence[FaceOrBack]
    place: Place


def display_table_piles(
    round_view: View, select_cards: Callable[[Sequence[Card]], Sequence[Card]] = tuple
) -> Iterator[DisplayedPile]:
    """The dealer's hand and the community cards. When the dealer's cards are face up, ``select_cards`` returns those
    that play; the others are a pile of their own."""
    for pile in TABLE_PILES:
        place = Place(pile)
        cards = round_view.piles.get(place)
        if cards and pile is Pile.HAND:
            yield from _display_dealer_piles(cards, place, select_cards)
        elif cards:
            yield DisplayedPile(pile_name(pile), cards, place)


def _display_dealer_piles(
    cards: Sequence[FaceOrBack], place: Place, select_cards: Callable[[Sequence[Card]], Sequence[Card]]
) -> Iterator[DisplayedPile]:
    visible_cards = [card for card in cards if card is not None]
    selected_cards = tuple(select_cards(visible_cards)) if len(visible_cards) == len(cards) else tuple(visible_cards)
    discards = remove_groups(visible_cards, (selected_cards,))
    if not discards:
        yield DisplayedPile("dealer", sort_highest_first(cards), place)
    else:
        yield DisplayedPile("dealer plays", sort_highest_first(selected_cards), place)
        yield DisplayedPile("put aside", sort_highest_first(discards), place)


def display_seat_piles(round_view: View, seat: int, *, hand_name: str = "you") -> Iterator[DisplayedPile]:
    """A seat's cards as dealt, or hand by hand after the player has kept, split, or set them."""
    for place, cards in round_view.piles.items():
        if place.seat != seat:
            continue
        decision = find_arrangement(round_view.decisions, seat) if place.pile is Pile.HAND else None
        visible_cards = [card for card in cards if card is not None]
        if decision is None or len(visible_cards) < len(cards):
            yield DisplayedPile(
                hand_name if place.pile is Pile.HAND else pile_name(place.pile), sort_highest_first(cards), place
            )
            continue
        names = GROUP_NAMES[decision.verb]
        yield from (DisplayedPile(name, group, place) for name, group in zip(names, decision.groups, strict=True))
        discards = remove_groups(visible_cards, decision.groups)
        if discards:
            yield DisplayedPile("put aside", discards, place)


def sort_highest_first(cards: Sequence[FaceOrBack]) -> Sequence[FaceOrBack]:
    """The highest card first, and backs last."""
    return sorted(cards, key=lambda card: -1 if card is None else card.code, reverse=True)


def find_arrangement(decisions: Mapping[tuple[int, str], object], seat: int) -> Decision | None:
    """The last decision that arranged the seat's hand in groups."""
    found_decision: Decision | None = None
    for (decision_seat, _), decision in decisions.items():
        if decision_seat == seat and isinstance(decision, Decision) and decision.verb in GROUP_NAMES:
            found_decision = decision
    return found_decision


def remove_groups(cards: Sequence[Card], groups: Sequence[Sequence[Card]]) -> tuple[Card, ...]:
    """The cards outside all groups."""
    counts = Counter(cards)
    counts.subtract(card for group in groups for card in group)
    return tuple(counts.elements())
