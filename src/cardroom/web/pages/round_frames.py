"""The replay of a past round, step by step: the wagers, the deal, each decision, and the end.

Each step shows what the visitor could see at that moment; the last step shows every card face up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardroom.games import Decision, Onlooker, Round, SeatTurn, View, view
from cardroom.games.card_places import BURN, DEALER_HAND
from cardroom.games.money import format_cents
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
from cardroom.room.table.events import DecisionMade
from cardroom.room.table.state import (
    DECIDED_BY_CLOCK,
    DECIDED_FOR_ABSENT,
    open_table,
    player_seeds,
    wagers_by_seat,
)
from cardroom.service.queries.past_rounds import PastRound
from cardroom.translation import gettext
from cardroom.web.pages.table_view import CardPile, CardView, StakeView, verb_label
from cardroom.web.pages.templating import display_name


class SeatFrame(NamedTuple):
    """A seat at one step of the replay."""

    seat: int
    player: str
    is_viewer: bool
    piles: tuple[CardPile, ...]
    stacks: tuple[StakeView, ...]
    decisions: tuple[str, ...]
    net: int | None
    """Its net result, at the end."""


class RoundFrame(NamedTuple):
    """The table at one step of the replay."""

    name: str
    sentence: str
    piles: tuple[CardPile, ...]
    """The dealer's cards and the community cards."""
    seats: tuple[SeatFrame, ...]
    seat_to_act: int
    """The seat that has to decide; 0 for none."""


def seat_of(past_round: PastRound, player: str | None) -> int | None:
    """The visitor's seat in a round; None for visitors who did not play."""
    return next((seat for seat, name in past_round.players.items() if name == player), None)


def build_frames(past_round: PastRound, player: str | None) -> tuple[RoundFrame, ...]:
    """A round from the wagers to the end, as one visitor saw it."""
    own_seat = seat_of(past_round, player)
    viewer: Viewer = Onlooker.DISPLAY if own_seat is None else own_seat
    before, *after = _replay_rounds(past_round)
    frames = [
        _build_frame(
            past_round,
            before,
            viewer,
            gettext("Wagers"),
            gettext("The wagers are placed. The shuffle seal was shown before them."),
        ),
        _build_frame(past_round, after[0], viewer, gettext("Deal"), gettext("The cards are dealt.")),
    ]
    for decision, round_ in zip(past_round.answers, after[1:], strict=True):
        frames.append(
            _build_frame(
                past_round,
                round_,
                viewer,
                gettext("Seat {seat}: {decision}").format(seat=decision.seat, decision=_verb_text(decision)),
                _decision_text(past_round, decision),
            )
        )
    return (*frames, _end_frame(past_round, after[-1], own_seat))


def _replay_rounds(past_round: PastRound) -> Iterator[Round]:
    """The round with its wagers, after the deal, and after each decision."""
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
    values = {"seat": decision.seat, "player": display_name(user), "decision": _verb_text(decision)}
    if decision.cents:
        text = gettext("Seat {seat}, {player}: {decision} for {amount}.")
    else:
        text = gettext("Seat {seat}, {player}: {decision}.")
    sentence = text.format(**values, amount=format_cents(decision.cents))
    if decision.by == user:
        return sentence
    return sentence + " " + gettext("Decided by {who}.").format(who=decider_label(decision.by))


def decider_label(decider: str) -> str:
    """Who made a decision: a player, or the card room for a player who ran out of time or had left.

    >>> decider_label("clock"), decider_label("ann-lee")
    ('the clock (default action)', 'ann-lee')
    """
    labels = {
        DECIDED_BY_CLOCK: gettext("the clock (default action)"),
        DECIDED_FOR_ABSENT: gettext("the card room, because the player had left (default action)"),
    }
    return labels.get(decider, decider)


def _verb_text(decision: DecisionMade) -> str:
    """The verb alone: the cards of a decision can be hidden."""
    return verb_label(Decision.parse(decision.answer).verb)


def _next_question(round_view: View, questions: Mapping[str, str]) -> str:
    """Who decides next, and the question for visitors who could see the options."""
    if not isinstance(round_view.turn, SeatTurn):
        return ""
    if not round_view.turn.options:
        return " " + gettext("Seat {seat} decides next.").format(seat=round_view.turn.seat)
    question = describe_question(round_view.turn, questions)
    return " " + gettext("Seat {seat} decides next: {question}").format(seat=round_view.turn.seat, question=question)


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
        _piles(display_seat_piles(round_view, seat, hand_name=gettext("hand"))),
        tuple(StakeView(stake_name(facts, stake.spot, stake.stake), stake.cents) for stake in chips),
        tuple(
            verb_label(decision.verb if isinstance(decision, Decision) else decision)
            for (decision_seat, _), decision in round_view.decisions.items()
            if decision_seat == seat
        ),
        None,
    )


def _end_frame(past_round: PastRound, round_: Round, own_seat: int | None) -> RoundFrame:
    """Every card face up, the winning cards lifted, and the net result of each seat."""
    round_view = view(round_, Onlooker.AUDITOR)
    seats, of_table = [], Counter[str]()
    for seat in round_.seats:
        left = _winning_cards(past_round, seat)
        piles = _piles(display_seat_piles(round_view, seat, hand_name=gettext("hand")), left)
        net = past_round.returned.get(seat, 0) - past_round.wagered.get(seat, 0)
        seats.append(_seat_frame(past_round, round_, round_view, seat, own_seat)._replace(net=net, piles=piles))
        if own_seat in (None, seat):
            of_table |= left
    community = [pile for pile in display_table_piles(round_view) if pile.place != DEALER_HAND]
    lifted = _piles(community, of_table)
    dealers = _piles((pile for pile in display_table_piles(round_view) if pile.place == DEALER_HAND), of_table)
    burn_cards = round_view.piles.get(BURN)
    aside = _piles([DisplayedPile(gettext("burn card"), burn_cards, BURN)]) if burn_cards else ()
    return RoundFrame(gettext("End"), _end_sentence(past_round, seats), (*dealers, *lifted, *aside), tuple(seats), 0)


def _winning_cards(past_round: PastRound, seat: int) -> Counter[str]:
    """The cards of a seat's winning hands. A shoe has several alike, so each is counted."""
    won = Counter[str]()
    if not past_round.is_void:
        for payment in past_round.settlement.seat_payments(seat):
            if payment.known_return > payment.wagered:
                won |= Counter(map(str, payment.cards))
    return won


def _end_sentence(past_round: PastRound, seats: Iterable[SeatFrame]) -> str:
    if past_round.void_details is not None:
        return describe_void(past_round.void_details)
    return " ".join(
        _describe_net(None if seat_frame.is_viewer else seat_frame.seat, seat_frame.net or 0) for seat_frame in seats
    )


def describe_void(details: Mapping[str, str]) -> str:
    """Who voided a round, and why."""
    text = gettext("Voided by {who} and {second}: {reason}. Every wager was returned.")
    return text.format(who=details["who"], second=details["second"], reason=details["why"])


def _describe_net(seat: int | None, net: int) -> str:
    """A seat's net result; None is the visitor's own seat.

    >>> _describe_net(2, 5_00), _describe_net(None, -2_50), _describe_net(1, 0)
    ('Seat 2 won $5.', 'You lost $2.50.', 'Seat 1 broke even.')
    """
    if seat is None:
        text = gettext("You won {amount}.") if net > 0 else gettext("You lost {amount}.")
        text = text if net else gettext("You broke even.")
    else:
        text = gettext("Seat {seat} won {amount}.") if net > 0 else gettext("Seat {seat} lost {amount}.")
        text = text if net else gettext("Seat {seat} broke even.")
    return text.format(seat=seat, amount=format_cents(abs(net)))


def _piles(piles: Iterable[DisplayedPile], lifted: Counter[str] | None = None) -> tuple[CardPile, ...]:
    """Piles of cards. Each card that is lifted is removed from the count, so the rest is elsewhere."""
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
