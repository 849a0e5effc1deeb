"""A past round as it lay on the felt, moment by moment: the wagers, the deal, each answer, the end.

Until the end only what ``view`` gives the visitor is drawn, as it was then; at the end everything lies face up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

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
from cardroom.room.table.automatic_round import deal, round_seal
from cardroom.room.table.descriptions import decider_text
from cardroom.room.table.events import DecisionMade
from cardroom.room.table.state import open_table, player_seeds, wagers_by_seat
from cardroom.service.queries.past_rounds import PastRound
from cardroom.web.pages.table_view import CardPile, CardView, StakeView


class SeatFrame(NamedTuple):
    """A seat at one moment."""

    seat: int
    player: str
    is_viewer: bool
    piles: tuple[CardPile, ...]
    stacks: tuple[StakeView, ...]
    decisions: tuple[str, ...]
    net: int | None
    """What it won or lost, at the end."""


class RoundFrame(NamedTuple):
    """The felt at one moment."""

    name: str
    sentence: str
    piles: tuple[CardPile, ...]
    """The dealer's and the community's."""
    seats: tuple[SeatFrame, ...]
    seat_to_act: int
    """The seat that is asked now; 0 for none."""


def seat_of(past_round: PastRound, player: str | None) -> int | None:
    """Where a visitor sat in a round; None for somebody who did not."""
    return next((seat for seat, name in past_round.players.items() if name == player), None)


def build_frames(past_round: PastRound, player: str | None) -> tuple[RoundFrame, ...]:
    """A round from the wagers to the end, as one visitor saw it."""
    own_seat = seat_of(past_round, player)
    viewer: Viewer = Onlooker.DISPLAY if own_seat is None else own_seat
    before, *after = _replay_rounds(past_round)
    frames = [
        _build_frame(
            past_round, before, viewer, "Wagers", "The wagers lie there, and the seal has been shown. No card is dealt."
        ),
        _build_frame(past_round, after[0], viewer, "Deal", "The cards are dealt."),
    ]
    for decision, round_ in zip(past_round.answers, after[1:], strict=True):
        frames.append(
            _build_frame(
                past_round,
                round_,
                viewer,
                f"Seat {decision.seat}: {_verb_text(decision)}",
                _decision_text(past_round, decision),
            )
        )
    return (*frames, _end_frame(past_round, after[-1], own_seat))


def _replay_rounds(past_round: PastRound) -> Iterator[Round]:
    """The round with its wagers, after the deal, and after each answer."""
    at, wagers = open_table(past_round.setup), past_round.begun.wagers
    yield at.game.begin(at.table, wagers_by_seat(wagers))
    position = deal(
        at, round_seal(bytes.fromhex(past_round.key), past_round.id), wagers_by_seat(wagers), player_seeds(wagers)
    )
    yield position.round
    for decision in past_round.answers:
        position = position.after_decision(decision.seat, Decision.parse(decision.answer))
        yield position.round


def _decision_text(past_round: PastRound, decision: DecisionMade) -> str:
    user = past_round.players[decision.seat]
    put = f" and puts {format_cents(decision.cents)} down" if decision.cents else ""
    by = "" if decision.by == user else f" ({decider_text(decision.by)})"
    return f"Seat {decision.seat}, {user}, says “{_verb_text(decision)}”{put}{by}."


def _verb_text(decision: DecisionMade) -> str:
    """What everybody heard: the cards of an answer may be hidden."""
    return str(Decision.parse(decision.answer).verb)


def _next_question(round_view: View, questions: Mapping[str, str]) -> str:
    """Who is asked, and what; the ways to answer only for those who could know them."""
    if not isinstance(round_view.turn, SeatTurn):
        return ""
    return (
        f" Seat {round_view.turn.seat} is "
        f"asked{f': {describe_question(round_view.turn, questions)}' if round_view.turn.options else '.'}"
    )


def _build_frame(past_round: PastRound, round_: Round, viewer: Viewer, name: str, sentence: str) -> RoundFrame:
    round_view = view(round_, viewer)
    seats = tuple(_seat_frame(past_round, round_, round_view, seat, viewer) for seat in round_.seats)
    return RoundFrame(
        name,
        sentence + _next_question(round_view, round_.game.question_texts),
        _piles(display_table_piles(round_view)),
        seats,
        _seat_to_act(round_),
    )


def _seat_to_act(round_: Round) -> int:
    return round_.turn.seat if isinstance(round_.turn, SeatTurn) else 0


def _seat_frame(past_round: PastRound, round_: Round, round_view: View, seat: int, viewer: Viewer | None) -> SeatFrame:
    facts = round_.table.facts
    chips = round_.game.chips(round_, seat)
    return SeatFrame(
        seat,
        past_round.players[seat],
        seat == viewer,
        _piles(display_seat_piles(round_view, seat, hand_name="hand")),
        tuple(StakeView(stake_name(facts, stake.spot, stake.stake), stake.cents) for stake in chips),
        tuple(
            str(stake.verb if isinstance(stake, Decision) else stake)
            for (user, _), stake in round_view.decisions.items()
            if user == seat
        ),
        None,
    )


def _end_frame(past_round: PastRound, round_: Round, own_seat: int | None) -> RoundFrame:
    """Everything face up, the cards that won lifted, and what each seat won or lost."""
    round_view = view(round_, Onlooker.AUDITOR)
    seats, of_table = [], Counter[str]()
    for seat in round_.seats:
        left = _winning_cards(past_round, seat)
        piles = _piles(display_seat_piles(round_view, seat, hand_name="hand"), left)
        net = past_round.returned.get(seat, 0) - past_round.wagered.get(seat, 0)
        seats.append(_seat_frame(past_round, round_, round_view, seat, own_seat)._replace(net=net, piles=piles))
        if own_seat in (None, seat):
            of_table |= left
    community = [pile for pile in display_table_piles(round_view) if pile.place != DEALER_HAND]
    lifted = _piles(community, of_table)
    dealers = _piles((pile for pile in display_table_piles(round_view) if pile.place == DEALER_HAND), of_table)
    burnt = round_view.piles.get(BURN)
    aside = _piles([DisplayedPile("burnt", burnt, BURN)]) if burnt else ()
    return RoundFrame("The end", _end_sentence(past_round, seats), (*dealers, *lifted, *aside), tuple(seats), 0)


def _winning_cards(past_round: PastRound, seat: int) -> Counter[str]:
    """The cards that won something for a seat, each as often as one stake names it: a shoe may have several alike."""
    won = Counter[str]()
    if not past_round.is_void:
        for payment in past_round.settlement.seat_payments(seat):
            if payment.known_return > payment.wagered:
                won |= Counter(map(str, payment.cards))
    return won


def _end_sentence(past_round: PastRound, seats: Iterable[SeatFrame]) -> str:
    if past_round.void_details is not None:
        user = f"{past_round.void_details['who']} and {past_round.void_details['second']}"
        return f"The round was called off by {user}: {past_round.void_details['why']}. Every wager went back."
    texts = [
        f"{'you' if seat_frame.is_viewer else f'seat {seat_frame.seat}'} {_net_text(seat_frame.net or 0)}"
        for seat_frame in seats
    ]
    return f"Every card lies face up: {', '.join(texts)}."


def _net_text(net: int) -> str:
    """
    >>> _net_text(5_00), _net_text(-2_50), _net_text(0)
    ('won $5', 'lost $2.50', 'broke even')
    """
    return f"won {format_cents(net)}" if net > 0 else f"lost {format_cents(-net)}" if net < 0 else "broke even"


def _piles(piles: Iterable[DisplayedPile], lifted: Counter[str] | None = None) -> tuple[CardPile, ...]:
    """Cards as they are drawn. Those to be lifted are taken off the count as they are met, so that what is left of it
    lies elsewhere."""
    left = Counter[str]() if lifted is None else lifted
    return tuple(
        CardPile(
            pile.name,
            tuple(_card(CARD_BACK if card is None else str(card), left) for card in pile.cards),
            str(pile.place),
        )
        for pile in piles
    )


def _card(code: str, left: Counter[str]) -> CardView:
    is_lifted = left[code] > 0
    if is_lifted:
        left[code] -= 1
    return CardView(code, is_lifted)
