"""The round that is played, with all its cards.

They follow from the key, the players' words, the wagers and the answers, so a round whose server died goes on with the
same cards; and whoever has the key can deal it again.

Take and pay: what each seat gets back when a round has ended.

Wagers before the deal: whose, how much, until when; and when a round begins.

Answers: the seat that is asked says what it does; the safe answer counts for those who are late or have left.
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
    player_seeds,
    wagers_by_seat,
)
from cardroom.room.table.terms import SECOND_US, NotEnoughChips, WrongPhase


class RoundPosition(NamedTuple):
    """A round as it lies there, and the shoe. It never leaves the server."""

    round: Round
    shoe: Shoe

    @property
    def deciding_seat(self) -> int:
        """The seat that is asked; 0 for none."""
        return self.round.turn.seat if isinstance(self.round.turn, SeatTurn) else 0

    def after_decision(self, seat: int, decision: Decision) -> RoundPosition:
        """When a seat has answered and the cards that follow are dealt."""
        return RoundPosition(*advance(self.round.apply(Decide(seat, decision)), self.shoe))

    def decide(self, decision: Decision) -> tuple[RoundPosition, int]:
        """The same when the seat that is asked says this, and what that puts on the layout, in cents."""
        seat = self.round.seat_turn.seat
        next_round = self.round.apply(Decide(seat, decision))
        return RoundPosition(*advance(next_round, self.shoe)), cents_on_layout(next_round, seat) - cents_on_layout(
            self.round, seat
        )


def round_seal(key: bytes, round_id: str) -> Seal:
    """A round's key under the name of the round."""
    return Seal(key, round_id)


def deal(
    open_table: OpenTable, seal: Seal, wagers: Mapping[int, Mapping[str, int]], player_seeds: Mapping[int, str]
) -> RoundPosition:
    """Take the wagers, shuffle, and deal until somebody is asked."""
    new_round = open_table.game.begin(open_table.table, wagers)
    return RoundPosition(*advance(new_round, Shoe(seal.shuffle(open_table.table.deck, player_seeds))))


def replay_round(
    open_table: OpenTable, seal: Seal, placed: Iterable[SeatStakes], answers: Iterable[SeatDecision] = ()
) -> RoundPosition:
    """The round as it lies there after some answers."""
    wagers = tuple(placed)
    position = deal(open_table, seal, wagers_by_seat(wagers), player_seeds(wagers))
    for decision in answers:
        position = position.after_decision(decision.seat, Decision.parse(decision.answer))
    return position


def restore_position(state: TableState, key: bytes) -> RoundPosition:
    """The round that a felt plays."""
    return replay_round(state.open_table, round_seal(key, state.round), state.seat_wagers, state.decisions)


class RoundPrizes(NamedTuple):
    """What jackpots and promotions paid in a round, and what waits for two people."""

    at_once: tuple[SeatAmount, ...] = ()
    waiting: tuple[UnverifiedPrize, ...] = ()
    meters: Mapping[str, int] = {}
    """What meters showed whose percentage was won, by spot, in cents."""


class RoundPayouts(NamedTuple):
    """What the seats get, and what the house had to bring for it."""

    returned: tuple[SeatAmount, ...]
    filled: int


def cents_returned(game_round: Round, linked: Collection[str], prizes: Iterable[SeatAmount]) -> dict[int, int]:
    """What each seat gets back, in cents. Prizes on wagers that a jackpot pays are the jackpot's to give: at once or
    later."""
    apart = {spot for spot, offered in game_round.table.spots.items() if offered.wager.slug in linked} if linked else ()
    returned = dict.fromkeys(game_round.seats, 0)
    for payment in game_round.game.settle(game_round).payments:
        if payment.spot not in apart:
            returned[payment.seat] += payment.known_return
    for prize in prizes:
        returned[prize.seat] += prize.cents
    return returned


def settle_round(state: TableState, game_round: Round, prizes: RoundPrizes) -> RoundPayouts:
    """What each seat gets back, and what the house has to bring for it."""
    cents_by_seat = cents_returned(game_round, state.linked, prizes.at_once)
    returned = tuple(SeatAmount(seat, cents) for seat, cents in cents_by_seat.items() if cents)
    down = sum(occupant.wagered for occupant in state.seats)
    missing = sum(occupant.cents for occupant in returned) - down - state.rack
    return RoundPayouts(returned, max(missing, 0))


LONGEST_PLAYER_SEED: Final = 100
"""Characters that a player can add to the shuffle."""


def place_wagers(
    state: TableState, occupant: Occupant, wagers: Mapping[str, int], player_seed: str, now: int
) -> WagersPlaced:
    """The wagers of a seat, complete. Laid again before the round begins they take the place of the first ones; none at
    all takes them back."""
    _refuse_unless_betting(state, now)
    if not player_seed.isprintable() or len(player_seed) > LONGEST_PLAYER_SEED:
        raise BadBet(f"Words for the shuffle are up to {LONGEST_PLAYER_SEED} characters that can be printed.")
    if player_seed and not wagers:
        raise BadBet("Words go into the shuffle with wagers: send both, or leave the words out to take wagers back.")
    open_table = state.open_table
    if wagers and (fault := find_bet_fault(open_table.game, open_table.table, occupant.seat, wagers)):
        raise BadBet(fault)
    if not wagers and not state.wagers_at(occupant.seat):
        raise BadBet(f"Seat {occupant.seat} has no wager: put one on a spot ({', '.join(open_table.table.spots)}).")
    cents = initial_stakes(state, wagers)
    if cents > occupant.chips + occupant.wagered:
        raise NotEnoughChips(
            f"These wagers take {format_cents(cents)}, and {format_cents(occupant.chips + occupant.wagered)} in "
            "chips lie "
            "before seat "
            f"{occupant.seat}: wager less, or buy more chips."
        )
    seat_wagers = SeatStakes(occupant.seat, dict(wagers), player_seed)
    return WagersPlaced(state.table, seat_wagers, cents, _betting_deadline(state, seat_wagers, now), now)


def initial_stakes(state: TableState, wagers: Mapping[str, int]) -> int:
    """What wagers put on the layout before the deal: some lie on two hands at once."""
    spots = state.open_table.table.spots
    return sum(spots[spot].wager.stakes * cents for spot, cents in wagers.items())


def _refuse_unless_betting(state: TableState, now: int) -> None:
    match state.phase:
        case TablePhase.CLOSED:
            raise WrongPhase(f"Table {state.table} is closed: {state.closed}.")
        case TablePhase.PAUSED:
            raise WrongPhase(f"Table {state.table} is paused ({state.paused}): wagers are taken when it goes on.")
        case TablePhase.PLAYING:
            raise WrongPhase(f"Round {state.round} is played: wagers are taken when it has ended.")
    if state.deadline and now > state.deadline:
        raise WrongPhase(f"The time for wagers on round {state.round} has run out: wager on the next one.")


def _betting_deadline(state: TableState, seat_wagers: SeatStakes, now: int) -> int:
    """The clock runs from the first wager that lies there."""
    others_wagered = any(placed.seat != seat_wagers.seat for placed in state.seat_wagers)
    if not state.terms.betting or not (others_wagered or seat_wagers.spots):
        return 0
    return state.deadline or now + state.terms.betting * SECOND_US


def are_all_wagers_placed(state: TableState) -> bool:
    """Whether everybody who sits there has laid wagers."""
    return bool(state.seat_wagers) and len(state.seat_wagers) == len(state.seats) and state.phase is TablePhase.BETTING


def split_by_disabled_spots(
    state: TableState, disabled_spots: Collection[str]
) -> tuple[tuple[SeatStakes, ...], tuple[SeatStakes, ...]]:
    """The wagers that are played, and those that go back because their jackpot takes none. A seat whose other wagers
    may not stand alone gets all of them back."""
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
    """The round begins with these wagers, and is dealt so far."""
    names = {occupant.seat: occupant.player for occupant in state.seats}
    players = tuple(SeatPlayer(occupant.seat, names[occupant.seat]) for occupant in playing)
    seat_number = position.deciding_seat
    until = decision_deadline(state, seat_number, now)
    return RoundStarted(
        state.table, state.number, state.opening, state.seal, playing, players, seat_number, until, linked, returned
    )


def decision_deadline(state: TableState, seat_number: int, now: int) -> int:
    """When the answer of the seat that is asked must be there."""
    return now + state.terms.deciding * SECOND_US if seat_number and state.terms.deciding else 0


def make_decision(
    state: TableState, position: RoundPosition, seat: Occupant, text: str, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """A player answers. Whoever has left and is asked next has answered too."""
    if not state.playing:
        raise WrongPhase(f"No round is played at {state.table} now: lay wagers first.")
    if seat.seat != state.deciding_seat:
        due = f"seat {state.deciding_seat} is asked" if state.deciding_seat else "nobody is asked"
        raise WrongPhase(f"It is not the turn of seat {seat.seat}: in round {state.round} {due}.")
    if state.deadline and now > state.deadline:
        safe = position.round.game.default_decision(position.round)
        raise WrongPhase(f"The time for this answer has run out: {shorten(str(safe))} counts for seat {seat.seat}.")
    decision = Decision.parse(text)
    if (fault := position.round.why_not(Decide(seat.seat, decision))) is not None:
        raise IllegalAction(fault)
    cents = decision_cost(position.round, decision)
    if cents > seat.chips:
        raise NotEnoughChips(
            f"To {decision.verb} takes {format_cents(cents)} more, and {format_cents(seat.chips)} in chips lie "
            "before seat "
            f"{seat.seat}: choose what costs no more, or buy more chips."
        )
    return _record_decision(state, position, decision, seat.player, now)


def make_default_decision(
    state: TableState, position: RoundPosition, decider: str, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """The safe answer counts for the seat that is asked: it puts no more money down."""
    return _record_decision(state, position, position.round.game.default_decision(position.round), decider, now)


def decide_after_timeout(
    state: TableState, position: RoundPosition, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """The time of the seat that is asked has run out."""
    return make_default_decision(state, position, DECIDED_BY_CLOCK, now)


def decide_for_absent(
    state: TableState, position: RoundPosition, now: int
) -> tuple[tuple[DecisionMade, ...], RoundPosition]:
    """The seat that is asked was left: the safe answer counts until somebody is asked who is there."""
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
