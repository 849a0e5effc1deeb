"""A table as one visitor sees it: cards, chips, spots, choices, and the result. The page of a seat draws this.

A seat chooses with a button for each verb, and arranges cards in two places. Everything here comes from ``view``, so
hidden cards cannot reach the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardroom.cards import Card
from cardroom.games import Decision, Onlooker, Round, SeatTurn, View, view
from cardroom.games.actions import Verb
from cardroom.games.card_places import DEALER_HAND
from cardroom.games.game import ChipStack, decision_cost
from cardroom.games.settlement import Payment
from cardroom.games.view import (
    DisplayedPile,
    display_seat_piles,
    display_table_piles,
    spot_name,
    stake_name,
)
from cardroom.paytables import describe_pay
from cardroom.room.table.state import Occupant, TablePhase, TableState
from cardroom.service import SharedTableView
from cardroom.service.queries.past_rounds import PastRound
from cardroom.translation import gettext, ngettext
from cardroom.web.pages.pending_prizes import PendingPrize


class CardSorting(NamedTuple):
    """The two places in which a player arranges a hand: the selected cards and the rest."""

    group_name: str
    rest_name: str
    picks: int
    """How many cards the first place takes."""


class DecisionChoice(NamedTuple):
    """A button: one decision, or all decisions with the same verb that name cards."""

    verb: str
    label: str
    cost: int
    meaning: str
    picks: int
    """How many cards the player selects for it."""
    decisions: tuple[str, ...]
    """The decisions as the page sends them."""


def build_choices(round_: Round, decision_point: SeatTurn) -> tuple[DecisionChoice, ...]:
    """The choices in the order of the turn; decisions that name cards are one choice for each verb."""
    by_verb: dict[Verb, list[Decision]] = {}
    for option in (*decision_point.options, *decision_point.unlisted_options):
        by_verb.setdefault(option.verb, []).append(option)
    built = []
    for verb, options in by_verb.items():
        first = options[0]
        built.append(
            DecisionChoice(
                verb=str(verb),
                label=verb_label(verb),
                cost=decision_cost(round_, first),
                meaning=_instruction(round_, first),
                picks=len(first.groups[0]) if first.groups else 0,
                decisions=tuple(map(str, options)),
            )
        )
    return tuple(built)


def verb_label(verb: Verb | str) -> str:
    """A decision's verb on buttons and in lists.

    >>> verb_label(Verb.FIRST_HAND)
    'First hand'
    """
    labels = {
        Verb.FOLD: gettext("Fold"),
        Verb.PLAY: gettext("Play"),
        Verb.RAISE: gettext("Raise"),
        Verb.CHOOSE: gettext("Choose"),
        Verb.KEEP: gettext("Keep"),
        Verb.SPLIT: gettext("Split"),
        Verb.MATCH: gettext("Match"),
        Verb.FIRST_HAND: gettext("First hand"),
        Verb.SECOND_HAND: gettext("Second hand"),
        Verb.SET: gettext("Set"),
        Verb.DOUBLE: gettext("Double"),
        Verb.STAND: gettext("Stand"),
        Verb.WAR: gettext("War"),
        Verb.SURRENDER: gettext("Surrender"),
    }
    return labels[Verb(verb)]


def build_card_sorting(choices: Iterable[DecisionChoice]) -> CardSorting | None:
    """The places in which the cards are arranged; None where no decision names cards. The same two places serve
    several decisions: two cards can be kept, or be the first hand of a split."""
    picks = {Verb(choice.verb): choice.picks for choice in choices if choice.picks}
    if not picks:
        return None
    most = max(picks.values())
    if Verb.SET in picks:
        return CardSorting(gettext("High hand"), gettext("Low hand"), most)
    if picks.keys() == {Verb.SPLIT}:
        return CardSorting(gettext("First hand"), gettext("Second hand"), most)
    keep = ngettext("Tap {count} card to keep", "Tap {count} cards to keep", most).format(count=most)
    return CardSorting(keep, gettext("Other cards"), most)


def _instruction(round_: Round, decision: Decision) -> str:
    """What a decision means; for one that names cards, how to select them."""
    if not decision.groups:
        return round_.game.describe_decision(decision)
    count = len(decision.groups[0])
    if decision.verb is Verb.SET:
        return gettext("tap {count} cards for the high hand").format(count=count)
    if decision.verb is Verb.SPLIT:
        return gettext("tap {count} cards for the first hand").format(count=count)
    return ngettext("tap {count} card", "tap {count} cards", count).format(count=count)


def house_way_text(round_: Round) -> str:
    """How the house would arrange the cards; empty where there is nothing to arrange."""
    decision = round_.game.default_decision(round_)
    return str(decision) if decision.groups else ""


BACK = "??"


class CardView(NamedTuple):
    """A card on the page."""

    code: str
    is_lifted: bool = False
    """Whether it is part of a hand that won in the round that is shown."""


class CardPile(NamedTuple):
    """Cards that are shown together."""

    name: str
    cards: tuple[CardView, ...]
    place: str


class StakeView(NamedTuple):
    """Chips on the layout."""

    name: str
    cents: int


class SpotView(NamedTuple):
    """A spot in front of the visitor."""

    spot: str
    name: str
    minimum: int
    maximum: int
    step: int
    stakes: int
    """How many equal stakes a wager has."""
    required: bool
    stacks: tuple[StakeView, ...]
    meter: int | None
    """The meter of its jackpot, in cents."""
    net: int | None
    """The net result of the last round on this spot; None without a wager."""


class ResultLine(NamedTuple):
    """One stake that was taken or paid."""

    name: str
    text: str
    cards: tuple[str, ...]
    pays: str
    wagered: int
    returned: int
    spot: str
    event: str
    locked: bool
    """Whether its jackpot prize is locked until it is verified, so the table did not pay it."""

    @property
    def net(self) -> int:
        return self.returned - self.wagered


class RoundResult(NamedTuple):
    """The visitor's last round."""

    round: str
    number: int
    lines: tuple[ResultLine, ...]
    net: int
    prizes: int
    """Paid by jackpots and promotions with the round, in cents."""
    void_reason: str
    """Why the round was voided; empty when it was not."""


class NeighborView(NamedTuple):
    """Another seat."""

    seat: int
    player: str
    is_bot: bool
    piles: tuple[CardPile, ...]
    stacks: tuple[StakeView, ...]
    decisions: tuple[str, ...]
    net: int | None
    is_turn: bool
    is_ready: bool
    """Whether it has placed its wagers for the next round."""


class TableView(NamedTuple):
    """Everything that one visitor sees of a table."""

    snapshot: SharedTableView
    own_seat: Occupant | None
    view: View | None
    """The round in progress, or the last one."""
    is_over: bool
    """Whether that round has ended."""
    piles: tuple[CardPile, ...]
    """The dealer's cards and the community cards."""
    own_piles: tuple[CardPile, ...]
    spots: tuple[SpotView, ...]
    neighbors: tuple[NeighborView, ...]
    choices: tuple[DecisionChoice, ...]
    sorting: CardSorting | None
    """How the player arranges the hand, where the decision names cards."""
    question: str
    house_way: str
    """The default action where cards have to be arranged."""
    result: RoundResult | None
    repeat: Mapping[str, int]
    """The visitor's last wagers, by spot."""
    prizes: tuple[PendingPrize, ...]
    """The visitor's prizes that were locked at this table, and their outcomes."""

    @property
    def state(self) -> TableState:
        return self.snapshot.state


def build_table_view(
    snapshot: SharedTableView, player: str | None, last: PastRound | None, locked: tuple[PendingPrize, ...]
) -> TableView:
    """A table as a visitor sees it. ``last`` is its last round; ``locked`` are the visitor's locked prizes."""
    state = snapshot.state
    me = state.seat_of(player) if player else None
    has_wagers = me is not None and state.wagers_at(me.seat) is not None
    past_round = last if state.phase is not TablePhase.PLAYING and not has_wagers else None
    round_ = snapshot.position.round if snapshot.position else past_round.game_round if past_round else None
    viewer = me.seat if me else Onlooker.DISPLAY
    round_view = view(round_, viewer) if round_ else None
    paid = past_round.settlement.payments if past_round and not past_round.is_void else ()
    lifted = _winning_cards(paid, me.seat if me else None)
    took_part = past_round is not None and me is not None and past_round.players.get(me.seat) == me.player
    turn = (
        round_view.turn if round_view is not None and not past_round and isinstance(round_view.turn, SeatTurn) else None
    )
    decision_point = turn if turn is not None and me is not None and turn.seat == me.seat else None
    own_piles = (
        _piles(display_seat_piles(round_view, me.seat), lifted)
        if round_view and me and me.seat in round_view.bets
        else ()
    )
    choices = build_choices(round_, decision_point) if round_ and decision_point else ()
    result = _result(past_round, me, paid) if past_round and me and took_part else None
    return TableView(
        snapshot=snapshot,
        own_seat=me,
        view=round_view,
        is_over=past_round is not None,
        piles=table_card_piles(round_view, lifted) if round_view else (),
        own_piles=own_piles,
        spots=_spots(snapshot, me, round_ if not past_round else None, result),
        neighbors=tuple(_build_neighbors(snapshot, me, round_view, round_, past_round)),
        choices=choices,
        sorting=build_card_sorting(choices),
        question=decision_point.question if decision_point else "",
        house_way=house_way_text(round_) if round_ and decision_point else "",
        result=result,
        repeat=_last_wagers(last, me),
        prizes=locked,
    )


def _winning_cards(paid: Iterable[Payment], seat: int | None) -> Counter[str]:
    """The cards of the visitor's winning hands. A shoe has several alike, so each is counted."""
    won = Counter[str]()
    for payment in paid:
        if payment.seat == seat and payment.known_return > payment.wagered:
            won |= Counter(map(str, payment.cards))
    return won


def _piles(piles: Iterable[DisplayedPile], lifted: Counter[str]) -> tuple[CardPile, ...]:
    """Piles of cards. Each card that is lifted is removed from the count."""
    return tuple(
        CardPile(pile.name, tuple(_card_view(_card_code(card), lifted) for card in pile.cards), str(pile.place))
        for pile in piles
    )


def table_card_piles(round_view: View, lifted: Counter[str]) -> tuple[CardPile, ...]:
    """The dealer's cards and the community cards. Where a shoe has two alike, the community card made the hand, and the
    dealer's is lifted only for what is left."""
    displayed = tuple(display_table_piles(round_view))
    community = _piles((pile for pile in displayed if pile.place != DEALER_HAND), lifted)
    dealers = _piles((pile for pile in displayed if pile.place == DEALER_HAND), lifted)
    return (*dealers, *community)


def _card_view(code: str, lifted: Counter[str]) -> CardView:
    is_lifted = lifted[code] > 0
    lifted[code] -= is_lifted
    return CardView(code, is_lifted)


def _card_code(card: Card | None) -> str:
    return BACK if card is None else str(card)


def _spots(
    snapshot: SharedTableView, me: Occupant | None, playing: Round | None, result: RoundResult | None
) -> tuple[SpotView, ...]:
    """The visitor's spots, with the chips on them and the net results of the last round."""
    state = snapshot.state
    table = state.open_table.table
    stacks: dict[str, list[StakeView]] = {}
    if me is not None:
        for chips in _chips(state, me.seat, playing):
            stacks.setdefault(chips.spot, []).append(
                StakeView(stake_name(table.facts, chips.spot, chips.stake), chips.cents)
            )
    return tuple(
        SpotView(
            spot,
            spot_name(table, spot),
            offered.limits.minimum,
            offered.limits.maximum,
            offered.limits.step,
            offered.wager.stakes,
            offered.wager.required,
            tuple(stacks.get(spot, ())),
            snapshot.meters.get(spot),
            _net_at(result, spot),
        )
        for spot, offered in table.spots.items()
    )


def _net_at(result: RoundResult | None, spot: str) -> int | None:
    if result is None or result.void_reason:
        return None
    lines = [line for line in result.lines if line.spot == spot]
    return sum(line.net for line in lines) if lines else None


def _chips(state: TableState, seat: int, playing: Round | None) -> Iterable[ChipStack]:
    """The chips of a seat: in the round in progress, or placed for the next one."""
    if playing is not None:
        return playing.game.chips(playing, seat) if seat in playing.bets else ()
    wagers = state.wagers_at(seat)
    if wagers is None:
        return ()
    round_start = state.game.begin(state.open_table.table, {seat: wagers.spots})
    return state.game.chips(round_start, seat)


def _build_neighbors(
    snapshot: SharedTableView,
    me: Occupant | None,
    round_view: View | None,
    round_: Round | None,
    past_round: PastRound | None,
) -> Iterator[NeighborView]:
    state = snapshot.state
    facts = state.game.facts
    occupants = {occupant.seat: occupant for occupant in state.seats}
    dealt_in = set(round_view.bets) if round_view else set()
    names = past_round.players if past_round else {}
    for seat in sorted(occupants.keys() | dealt_in):
        if me is not None and seat == me.seat:
            continue
        plays = round_view is not None and seat in round_view.bets
        chips = (
            _chips(state, seat, round_ if plays and not past_round else None)
            if not past_round or state.wagers_at(seat)
            else ()
        )
        yield NeighborView(
            seat=seat,
            player=occupants[seat].player if seat in occupants else names.get(seat, ""),
            is_bot=seat in occupants and occupants[seat].is_bot,
            piles=_piles(display_seat_piles(round_view, seat, hand_name=gettext("hand")), Counter())
            if round_view and plays
            else (),
            stacks=tuple(
                StakeView(stake_name(facts, occupant.spot, occupant.stake), occupant.cents) for occupant in chips
            ),
            decisions=tuple(_decisions(round_view, seat)) if round_view else (),
            net=_net(past_round, seat) if past_round and plays else None,
            is_turn=not past_round and state.deciding_seat == seat,
            is_ready=state.wagers_at(seat) is not None,
        )


def _decisions(round_view: View, seat: int) -> Iterator[str]:
    for (user, _), decision in round_view.decisions.items():
        if user == seat:
            yield verb_label(decision.verb if isinstance(decision, Decision) else decision)


def _net(past_round: PastRound, seat: int) -> int:
    """A seat's net result at the table, with the prizes that were paid with the round."""
    return past_round.returned.get(seat, 0) - past_round.wagered.get(seat, 0)


def _result(past_round: PastRound, me: Occupant, paid: Iterable[Payment]) -> RoundResult:
    lines = tuple(_result_line(past_round, payment) for payment in paid if payment.seat == me.seat)
    return RoundResult(
        past_round.id,
        past_round.number,
        lines,
        _net(past_round, me.seat),
        sum(payment.cents for payment in past_round.prizes if payment.seat == me.seat),
        past_round.void_details["why"] if past_round.void_details else "",
    )


def _result_line(past_round: PastRound, payment: Payment) -> ResultLine:
    by_jackpot = past_round.game_round.table.spots[payment.spot].wager.slug in past_round.begun.linked
    locked = by_jackpot and (payment.seat, payment.known_return) in {
        (prize.seat, prize.cents) for prize in past_round.waiting
    }
    return ResultLine(
        stake_name(past_round.facts, payment.spot, payment.stake),
        payment.text,
        tuple(map(str, payment.cards)),
        describe_pay(payment.pay),
        payment.wagered,
        0 if locked else payment.known_return,
        payment.spot,
        payment.event,
        locked,
    )


def _last_wagers(last: PastRound | None, me: Occupant | None) -> Mapping[str, int]:
    """The visitor's last wagers at this seat."""
    if last is None or me is None or last.players.get(me.seat) != me.player:
        return {}
    return next((dict(seat_wagers.spots) for seat_wagers in last.begun.wagers if seat_wagers.seat == me.seat), {})
