"""A past round as it lay on the felt, moment by moment: the wagers, the deal, each answer, the end.

Until the end only what ``view`` gives the visitor is drawn, as it was then; at the end everything lies face up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardroom.floor.felt.happenings import Answered
from cardroom.floor.felt.playing import deal, seal_of
from cardroom.floor.felt.state import opened, wagers_of, words_of
from cardroom.floor.felt.telling import by_words
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.games import Decision, Onlooker, Round, SeatTurn, View, view
from cardroom.games.money import format_cents
from cardroom.games.places import BURN, DEALER_HAND
from cardroom.games.view import (
    CARD_BACK,
    DisplayedPile,
    Viewer,
    describe_question,
    display_seat_piles,
    display_table_piles,
    stake_name,
)
from cardroom.web.pages.scene import CardPile, SeenCard, Stack


class SeatThen(NamedTuple):
    """A seat at one moment."""

    seat: int
    player: str
    mine: bool
    piles: tuple[CardPile, ...]
    stacks: tuple[Stack, ...]
    said: tuple[str, ...]
    net: int | None
    """What it won or lost, at the end."""


class Moment(NamedTuple):
    """The felt at one moment."""

    name: str
    sentence: str
    piles: tuple[CardPile, ...]
    """The dealer's and the community's."""
    seats: tuple[SeatThen, ...]
    asked: int
    """The seat that is asked now; 0 for none."""


def seat_of(past: PastRound, player: str | None) -> int | None:
    """Where a visitor sat in a round; None for somebody who did not."""
    return next((seat for seat, name in past.players.items() if name == player), None)


def moments(past: PastRound, player: str | None) -> tuple[Moment, ...]:
    """A round from the wagers to the end, as one visitor saw it."""
    mine = seat_of(past, player)
    viewer: Viewer = Onlooker.DISPLAY if mine is None else mine
    before, *after = _rounds(past)
    told = [
        _moment(past, before, viewer, "Wagers", "The wagers lie there, and the seal has been shown. No card is dealt."),
        _moment(past, after[0], viewer, "Deal", "The cards are dealt."),
    ]
    for said, round_ in zip(past.answers, after[1:], strict=True):
        told.append(_moment(past, round_, viewer, f"Seat {said.seat}: {_verb(said)}", _answer(past, said)))
    return (*told, _end(past, after[-1], mine))


def _rounds(past: PastRound) -> Iterator[Round]:
    """The round with its wagers, after the deal, and after each answer."""
    at, laid = opened(past.setup), past.begun.wagers
    yield at.game.begin(at.table, wagers_of(laid))
    position = deal(at, seal_of(bytes.fromhex(past.key), past.id), wagers_of(laid), words_of(laid))
    yield position.round
    for said in past.answers:
        position = position.after(said.seat, Decision.parse(said.answer))
        yield position.round


def _answer(past: PastRound, said: Answered) -> str:
    who = past.players[said.seat]
    put = f" and puts {format_cents(said.cents)} down" if said.cents else ""
    by = "" if said.by == who else f" ({by_words(said.by)})"
    return f"Seat {said.seat}, {who}, says “{_verb(said)}”{put}{by}."


def _verb(said: Answered) -> str:
    """What everybody heard: the cards of an answer may be hidden."""
    return str(Decision.parse(said.answer).verb)


def _next(seen: View, questions: Mapping[str, str]) -> str:
    """Who is asked, and what; the ways to answer only for those who could know them."""
    if not isinstance(seen.turn, SeatTurn):
        return ""
    return (
        f" Seat {seen.turn.seat} is asked{f': {describe_question(seen.turn, questions)}' if seen.turn.options else '.'}"
    )


def _moment(past: PastRound, round_: Round, viewer: Viewer, name: str, sentence: str) -> Moment:
    seen = view(round_, viewer)
    seats = tuple(_seat(past, round_, seen, seat, viewer) for seat in round_.seats)
    return Moment(
        name,
        sentence + _next(seen, round_.game.question_texts),
        _piles(display_table_piles(seen)),
        seats,
        _asked(round_),
    )


def _asked(round_: Round) -> int:
    return round_.turn.seat if isinstance(round_.turn, SeatTurn) else 0


def _seat(past: PastRound, round_: Round, seen: View, seat: int, viewer: Viewer | None) -> SeatThen:
    facts = round_.table.facts
    chips = round_.game.chips(round_, seat)
    return SeatThen(
        seat,
        past.players[seat],
        seat == viewer,
        _piles(display_seat_piles(seen, seat, hand_name="hand")),
        tuple(Stack(stake_name(facts, one.spot, one.stake), one.cents) for one in chips),
        tuple(
            str(one.verb if isinstance(one, Decision) else one)
            for (who, _), one in seen.decisions.items()
            if who == seat
        ),
        None,
    )


def _end(past: PastRound, round_: Round, mine: int | None) -> Moment:
    """Everything face up, the cards that won lifted, and what each seat won or lost."""
    seen = view(round_, Onlooker.AUDITOR)
    seats, of_table = [], Counter[str]()
    for seat in round_.seats:
        left = _won_with(past, seat)
        piles = _piles(display_seat_piles(seen, seat, hand_name="hand"), left)
        net = past.returned.get(seat, 0) - past.wagered.get(seat, 0)
        seats.append(_seat(past, round_, seen, seat, mine)._replace(net=net, piles=piles))
        if mine in (None, seat):
            of_table |= left
    community = [one for one in display_table_piles(seen) if one.place != DEALER_HAND]
    lifted = _piles(community, of_table)
    dealers = _piles((one for one in display_table_piles(seen) if one.place == DEALER_HAND), of_table)
    burnt = seen.piles.get(BURN)
    aside = _piles([DisplayedPile("burnt", burnt, BURN)]) if burnt else ()
    return Moment("The end", _ended(past, seats), (*dealers, *lifted, *aside), tuple(seats), 0)


def _won_with(past: PastRound, seat: int) -> Counter[str]:
    """The cards that won something for a seat, each as often as one stake names it: a shoe may have several alike."""
    won = Counter[str]()
    if not past.is_void:
        for one in past.settlement.seat_payments(seat):
            if one.known_return > one.wagered:
                won |= Counter(map(str, one.cards))
    return won


def _ended(past: PastRound, seats: Iterable[SeatThen]) -> str:
    if past.void is not None:
        who = f"{past.void['who']} and {past.void['second']}"
        return f"The round was called off by {who}: {past.void['why']}. Every wager went back."
    told = [f"{'you' if one.mine else f'seat {one.seat}'} {_won(one.net or 0)}" for one in seats]
    return f"Every card lies face up: {', '.join(told)}."


def _won(net: int) -> str:
    """
    >>> _won(5_00), _won(-2_50), _won(0)
    ('won $5', 'lost $2.50', 'broke even')
    """
    return f"won {format_cents(net)}" if net > 0 else f"lost {format_cents(-net)}" if net < 0 else "broke even"


def _piles(piles: Iterable[DisplayedPile], lifted: Counter[str] | None = None) -> tuple[CardPile, ...]:
    """Cards as they are drawn. Those to be lifted are taken off the count as they are met, so that what is left of it
    lies elsewhere."""
    left = Counter[str]() if lifted is None else lifted
    return tuple(
        CardPile(
            one.name, tuple(_card(CARD_BACK if card is None else str(card), left) for card in one.cards), str(one.place)
        )
        for one in piles
    )


def _card(code: str, left: Counter[str]) -> SeenCard:
    is_lifted = left[code] > 0
    if is_lifted:
        left[code] -= 1
    return SeenCard(code, is_lifted)
