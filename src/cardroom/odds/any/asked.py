"""The situations that a seat may be in, from what it sees or from the cards that somebody names."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.cards import Card, names
from cardroom.games import ChanceTurn, DealerTurn, Game, NotAllowed, Over, Place, SeatTurn, Table, View
from cardroom.games.view import sees
from cardroom.hands import BadHand
from cardroom.odds.any.layout import SEAT, Layout
from cardroom.odds.any.situation import Situation
from cardroom.odds.any.unturned import Look


def as_seen(rules: Game, table: Table, seen: View, seat: int) -> list[Situation]:
    """All that a seat which is asked may be in. The cards that lie open at other seats are gone; what those seats do
    is their own affair."""
    gone = tuple(
        1 << card.code
        for place, pile in seen.piles.items()
        if place.seat not in (None, seat)
        for card in pile
        if card is not None
    )
    waiting = [Situation(rules.begin(table, {seat: seen.bets[seat]}), seat, gone)]
    found: list[Situation] = []
    while waiting:
        now = waiting.pop()
        try:
            match now.turn:
                case ChanceTurn(place):
                    waiting.append(now.dealt(place, _card(seen, now, place)))
                case DealerTurn(step):
                    waiting.append(now.stepped(step))
                case SeatTurn(_, question, options) if (seat, question) in seen.decisions:
                    said = seen.decisions[seat, question]
                    if said in options:
                        waiting.append(now.decided(next(one for one in options if one == said)))
                case SeatTurn():
                    if now.turn == seen.turn:
                        found.append(now)
                case Over():
                    pass
        except Look as look:
            waiting.extend(now.split(look.position, look.parts()))
    if not found:
        raise NotAllowed(f"Seat {seat} is not asked anything that these cards lead to.")
    _refuse_cards_to_come(seen, seat, found[0])
    return found


def _refuse_cards_to_come(seen: View, seat: int, now: Situation) -> None:
    """An open card that the rules have not dealt when the seat is asked is part of no situation that can be priced."""
    for place, pile in seen.piles.items():
        if place.seat in (None, seat) and any(pile[len(now.round.dealt.get(place, ())) :]):
            raise NotAllowed(
                f"A card at {str(place)!r} is open before it is dealt, so this decision has no price: ask with the "
                "cards that are dealt when the seat is asked."
            )


def _card(seen: View, now: Situation, place: Place) -> Card | None:
    pile, number = seen.piles.get(place, ()), len(now.round.dealt.get(place, ()))
    return pile[number] if number < len(pile) else None


def with_hand(layout: Layout, hand: Sequence[Card]) -> list[Situation]:
    """All that the seat may be in when it sees exactly these cards, in the order in which they are dealt, and is
    asked for the first time."""
    layout.table.deck.check(hand)
    waiting: list[tuple[Situation, int]] = [(Situation(layout.begin(), SEAT), 0)]
    found: list[Situation] = []
    asked_with: set[int] = set()
    while waiting:
        now, used = waiting.pop()
        try:
            match now.turn:
                case ChanceTurn(place):
                    covered = now.dealt(place)
                    if not sees(covered.round, place, SEAT):
                        waiting.append((covered, used))
                    elif used < len(hand):
                        waiting.append((now.dealt(place, hand[used]), used + 1))
                    else:
                        asked_with.add(used + 1)
                case DealerTurn(step):
                    waiting.append((now.stepped(step), used))
                case SeatTurn(_, _, options):
                    asked_with.add(used)
                    if used == len(hand):
                        found.append(now)
                    else:
                        waiting.extend((now.decided(option), used) for option in options)
                case Over():
                    asked_with.add(used)
        except Look as look:
            waiting.extend((one, used) for one in now.split(look.position, look.parts()))
    if not found:
        raise BadHand(_nothing_asked(hand, asked_with))
    first = found[0].seen()
    return [one for one in found if one.seen() == first]


def _nothing_asked(hand: Sequence[Card], asked_with: set[int]) -> str:
    if len(hand) not in asked_with:
        counts = " or ".join(map(str, sorted(asked_with)))
        return (
            f"The player is asked with {counts} open cards, not with {len(hand)}: write them in the order of the deal."
        )
    return f"With {names(hand)} the player is not asked anything: there is nothing to decide."
