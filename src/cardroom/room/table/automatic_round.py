"""Rounds of an automatic table: wagers, the deal, decisions, and payouts.

The cards follow from the key, the player seeds, the wagers, and the decisions. So a round continues with the same cards
after its server dies, and anyone with the key can deal it again. Players who are late or have left get the default
action.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from cardroom.cards import Seal, Shoe
from cardroom.errors import shorten
from cardroom.games import (
    BadBet,
    Decide,
    Decision,
    IllegalAction,
    Round,
    SeatTurn,
    advance,
    cents_on_layout,
    decision_cost,
)
from cardroom.games.money import format_cents
from cardroom.games.round import find_bet_fault
from cardroom.room.table.events import (
    DecisionMade,
    RoundStarted,
    SeatAmount,
    SeatPlayer,
    SeatStakes,
    UnverifiedPrize,
    WagersPlaced,
)
from cardroom.room.table.state import (
    DECIDED_BY_CLOCK,
    DECIDED_FOR_ABSENT,
    Occupant,
    OpenTable,
    SeatDecision,
    TablePhase,
    TableState,
    closed_error,
    player_seeds,
    wagers_by_seat,
)
from cardroom.room.table.terms import SECOND_US, NotEnoughChips, WrongPhase
from cardroom.translation import gettext


class RoundPosition(NamedTuple):
    """A round with all its cards, and the shoe. It never leaves the server."""

    round: Round
    shoe: Shoe

    @property
    def deciding_seat(self) -> int:
        """The seat whose turn it is; 0 for none."""
        return self.round.turn.seat if isinstance(self.round.turn, SeatTurn) else 0

    def after_decision(self, seat: int, decision: Decision) -> RoundPosition:
        """The position after a seat's decision and the cards dealt after it."""
        return RoundPosition(*advance(self.round.apply(Decide(seat, decision)), self.shoe))

    def decide(self, decision: Decision) -> tuple[RoundPosition, int]:
        """The position after a decision of the seat whose turn it is, and the cents that it puts on the layout."""
        seat = self.round.seat_turn.seat
        next_round = self.round.apply(Decide(seat, decision))
        return RoundPosition(*advance(next_round, self.shoe)), cents_on_layout(next_round, seat) - cents_on_layout(
            self.round, seat
        )


def round_seal(key: bytes, round_id: str) -> Seal:
    """The shuffle seal of a round's key, under the round's id."""
    return Seal(key, round_id)


def deal(
    open_table: OpenTable, seal: Seal, wagers: Mapping[int, Mapping[str, int]], player_seeds: Mapping[int, str]
) -> RoundPosition:
    """Take the wagers, shuffle, and deal until a seat must decide."""
    new_round = open_table.game.begin(open_table.table, wagers)
    return RoundPosition(*advance(new_round, Shoe(seal.shuffle(open_table.table.deck, player_seeds))))


def replay_round(
    open_table: OpenTable, seal: Seal, placed: Iterable[SeatStakes], answers: Iterable[SeatDecision] = ()
) -> RoundPosition:
    """The round after some decisions."""
    wagers = tuple(placed)
    position = deal(open_table, seal, wagers_by_seat(wagers), player_seeds(wagers))
    for decision in answers:
        position = position.after_decision(decision.seat, Decision.parse(decision.answer))
    return position


def restore_position(state: TableState, key: bytes) -> RoundPosition:
    """The current round of a table."""
    return replay_round(state.open_table, round_seal(key, state.round), state.seat_wagers, state.decisions)


class RoundPrizes(NamedTuple):
    """Prizes of jackpots and promotions in a round: paid at once, or waiting for two people."""

    at_once: tuple[SeatAmount, ...] = ()
    waiting: tuple[UnverifiedPrize, ...] = ()
    meters: Mapping[str, int] = {}
    """By spot: the cents on each meter that pays a percentage."""


class RoundPayouts(NamedTuple):
    """The amounts returned to the seats, and the chips that the house must add to the rack."""

    returned: tuple[SeatAmount, ...]
    filled: int


def cents_returned(game_round: Round, linked: Collection[str], prizes: Iterable[SeatAmount]) -> dict[int, int]:
    """The cents returned to each seat. A linked jackpot pays the prizes on its wagers, at once or later."""
    jackpot_spots = (
        {spot for spot, offered in game_round.table.spots.items() if offered.wager.slug in linked} if linked else ()
    )
    returned = dict.fromkeys(game_round.seats, 0)
    for payment in game_round.game.settle(game_round).payments:
        if payment.spot not in jackpot_spots:
            returned[payment.seat] += payment.known_return
    for prize in prizes:
        returned[prize.seat] += prize.cents
    return returned


def settle_round(state: TableState, game_round: Round, prizes: RoundPrizes) -> RoundPayouts:
    """The amounts returned to the seats, and the chips that the house must add to the rack."""
    cents_by_seat = cents_returned(game_round, state.linked, prizes.at_once)
    returned = tuple(SeatAmount(seat, cents) for seat, cents in cents_by_seat.items() if cents)
    wagered = sum(occupant.wagered for occupant in state.seats)
    missing = sum(amount.cents for amount in returned) - wagered - state.rack
    return RoundPayouts(returned, max(missing, 0))


LONGEST_PLAYER_SEED: Final = 100
"""The most characters of a player's own seed."""


def place_wagers(
    state: TableState, occupant: Occupant, wagers: Mapping[str, int], player_seed: str, now: int
) -> WagersPlaced:
    """Place all wagers of a seat. Until the round begins, they replace the seat's earlier wagers; none at all takes
    those back."""
    _refuse_unless_betting(state, now)
    if not player_seed.isprintable() or len(player_seed) > LONGEST_PLAYER_SEED:
        raise BadBet(
            gettext("Your own seed can have up to {count} printable characters.").format(count=LONGEST_PLAYER_SEED)
        )
    if player_seed and not wagers:
        raise BadBet(gettext("Your own seed needs a bet. To take your bets back, leave the seed empty."))
    open_table = state.open_table
    if wagers and (fault := find_bet_fault(open_table.game, open_table.table, occupant.seat, wagers)):
        raise BadBet(fault)
    if not wagers and not state.wagers_at(occupant.seat):
        spots = ", ".join(open_table.table.spots)
        raise BadBet(gettext("Seat {seat} has no bet. Bet on a spot: {spots}.").format(seat=occupant.seat, spots=spots))
    cents = initial_stakes(state, wagers)
    if cents > occupant.chips + occupant.wagered:
        raise NotEnoughChips(
            gettext("These bets cost {cost} and you have {chips} at seat {seat}. Bet less, or buy more chips.").format(
                cost=format_cents(cents),
                chips=format_cents(occupant.chips + occupant.wagered),
                seat=occupant.seat,
            )
        )
    seat_wagers = SeatStakes(occupant.seat, dict(wagers), player_seed)
    return WagersPlaced(state.table, seat_wagers, cents, _betting_deadline(state, seat_wagers, now), now)


def initial_stakes(state: TableState, wagers: Mapping[str, int]) -> int:
    """The cents that wagers put on the layout before the deal; some wagers count for two hands."""
    spots = state.open_table.table.spots
    return sum(spots[spot].wager.stakes * cents for spot, cents in wagers.items())


def _refuse_unless_betting(state: TableState, now: int) -> None:
    match state.phase:
        case TablePhase.CLOSED:
            raise closed_error(state)
        case TablePhase.PAUSED:
            text = gettext("Table {table} is paused ({reason}). You can bet when it resumes.")
            raise WrongPhase(text.format(table=state.table, reason=state.paused))
        case TablePhase.PLAYING:
            raise WrongPhase(gettext("Round {round} is in progress. Bet when it ends.").format(round=state.round))
    if state.deadline and now > state.deadline:
        text = gettext("Betting on round {round} is over. Bet on the next round.")
        raise WrongPhase(text.format(round=state.round))


def _betting_deadline(state: TableState, seat_wagers: SeatStakes, now: int) -> int:
    """The end of the betting time, which runs from the first wager."""
    others_wagered = any(placed.seat != seat_wagers.seat for placed in state.seat_wagers)
    if not state.terms.betting or not (others_wagered or seat_wagers.spots):
        return 0
    return state.deadline or now + state.terms.betting * SECOND_US


def are_all_wagers_placed(state: TableState) -> bool:
    """Whether every seated player has placed wagers."""
    return bool(state.seat_wagers) and len(state.seat_wagers) == len(state.seats) and state.phase is TablePhase.BETTING


def split_by_disabled_spots(
    state: TableState, disabled_spots: Collection[str]
) -> tuple[tuple[SeatStakes, ...], tuple[SeatStakes, ...]]:
    """The wagers that play, and those that go back because their jackpot takes none. A seat whose other wagers cannot
    be played alone gets all its wagers back."""
    playing, returned = list[SeatStakes](), list[SeatStakes]()
    open_table = state.open_table
    for seat_wagers in state.seat_wagers:
        remaining_spots = {spot: cents for spot, cents in seat_wagers.spots.items() if spot not in disabled_spots}
        if len(remaining_spots) < len(seat_wagers.spots) and (
            not remaining_spots or find_bet_fault(open_table.game, open_table.table, seat_wagers.seat, remaining_spots)
        ):
            remaining_spots = {}
        if remaining_spots:
            playing.append(seat_wagers._replace(spots=remaining_spots))
        if len(remaining_spots) < len(seat_wagers.spots):
            returned.append(
                SeatStakes(
                    seat_wagers.seat,
                    {
                        spot: returned_cents
                        for spot, returned_cents in seat_wagers.spots.items()
                        if spot not in remaining_spots
                    },
                )
            )
    return tuple(playing), tuple(returned)


def start_round(
    state: TableState,
    playing: tuple[SeatStakes, ...],
    returned: tuple[SeatStakes, ...],
    position: RoundPosition,
    linked: tuple[str, ...],
    now: int,
) -> RoundStarted:
    """Start the round with these wagers."""
    names = {occupant.seat: occupant.player for occupant in state.seats}
    players = tuple(SeatPlayer(occupant.seat, names[occupant.seat]) for occupant in playing)
    seat_number = position.deciding_seat
    until = decision_deadline(state, seat_number, now)
    return RoundStarted(
        state.table, state.number, state.opening, state.seal, playing, players, seat_number, until, linked, returned
    )


def decision_deadline(state: TableState, seat_number: int, now: int) -> int:
    """When the decision of the seat is due; 0 for no clock."""
    return now + state.terms.deciding * SECOND_US if seat_number and state.terms.deciding else 0


def make_decision(
    state: TableState, position: RoundPosition, seat: Occupant, text: str, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """Make a player's decision. Next seats whose players have left get their default action at once."""
    if not state.playing:
        raise WrongPhase(gettext("No round is in progress at {table}. Bet first.").format(table=state.table))
    if seat.seat != state.deciding_seat:
        if state.deciding_seat:
            text = gettext("It is not the turn of seat {seat}: in round {round}, it is the turn of seat {deciding}.")
        else:
            text = gettext("It is not the turn of seat {seat}: in round {round}, no seat has a decision to make.")
        raise WrongPhase(text.format(seat=seat.seat, round=state.round, deciding=state.deciding_seat))
    if state.deadline and now > state.deadline:
        default_action = position.round.game.default_decision(position.round)
        text = gettext("Your time for this decision is over. The default action for seat {seat} is {action}.")
        raise WrongPhase(text.format(seat=seat.seat, action=shorten(str(default_action))))
    decision = Decision.parse(text)
    if (fault := position.round.why_not(Decide(seat.seat, decision))) is not None:
        raise IllegalAction(fault)
    cents = decision_cost(position.round, decision)
    if cents > seat.chips:
        raise NotEnoughChips(
            gettext(
                "{decision} costs {cost} more and you have {chips} at seat {seat}. Buy more chips, or choose another "
                "decision."
            ).format(
                decision=str(decision.verb).capitalize(),
                cost=format_cents(cents),
                chips=format_cents(seat.chips),
                seat=seat.seat,
            )
        )
    return _record_decision(state, position, decision, seat.player, now)


def make_default_decision(
    state: TableState, position: RoundPosition, decider: str, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """Make the default action for the seat whose turn it is: it puts no more money down."""
    return _record_decision(state, position, position.round.game.default_decision(position.round), decider, now)


def decide_after_timeout(
    state: TableState, position: RoundPosition, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """Make the default action after the deciding seat's time is over."""
    return make_default_decision(state, position, DECIDED_BY_CLOCK, now)


def decide_for_absent(
    state: TableState, position: RoundPosition, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """Make the default action for each deciding seat whose player has left."""
    if not _has_left(state, position.deciding_seat):
        return (), position
    return make_default_decision(state, position, DECIDED_FOR_ABSENT, now)


def _record_decision(
    state: TableState, position: RoundPosition, decision: Decision, decider: str, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    events = list[DecisionMade]()
    while True:
        turn = position.round.seat_turn
        position, cents = position.decide(decision)
        seat_number = position.deciding_seat
        until = decision_deadline(state, seat_number, now)
        events.append(
            DecisionMade(state.table, turn.seat, turn.question, str(decision), decider, cents, seat_number, until)
        )
        if not _has_left(state, seat_number):
            return tuple(events), position
        decision, decider = position.round.game.default_decision(position.round), DECIDED_FOR_ABSENT


def _has_left(state: TableState, seat: int) -> bool:
    occupant = state.occupant(seat)
    return occupant is not None and occupant.leaving
