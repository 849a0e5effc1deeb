"""A felt as one visitor sees it: cards, chips, spots, the question, the result. All that the page of a seat draws.

Only what ``view`` gives of a round comes in here, so nothing that is hidden from the visitor can go out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardroom.cards import Card
from cardroom.floor import FeltLook
from cardroom.floor.felt.state import FeltState, Phase, Seated
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.games import Decision, Onlooker, Round, SeatTurn, View, view
from cardroom.games.game import ChipStack
from cardroom.games.places import DEALER_HAND
from cardroom.games.settlement import Payment
from cardroom.games.view import DisplayedPile, display_seat_piles, display_table_piles, spot_name, stake_name
from cardroom.paytables import describe_pay as pay_words
from cardroom.web.pages.choices import Choice, Sorting, choices_of, house_way_of, sorting_for
from cardroom.web.pages.prizes import PrizeTold

BACK = "??"


class SeenCard(NamedTuple):
    """A card on the page."""

    code: str
    lifted: bool = False
    """Whether it made something that is told of just now."""


class CardPile(NamedTuple):
    """Cards that lie together."""

    name: str
    cards: tuple[SeenCard, ...]
    place: str


class Stack(NamedTuple):
    """Chips on the layout."""

    name: str
    cents: int


class Spot(NamedTuple):
    """A spot of the visitor's layout."""

    spot: str
    name: str
    minimum: int
    maximum: int
    step: int
    stakes: int
    """How many equal stakes a wager is put on."""
    required: bool
    stacks: tuple[Stack, ...]
    meter: int | None
    """What its jackpot shows, in cents."""
    net: int | None
    """What the last round won or lost there; None where nothing was wagered."""


class ResultLine(NamedTuple):
    """One stake that was taken or paid."""

    name: str
    words: str
    cards: tuple[str, ...]
    pays: str
    wagered: int
    returned: int
    spot: str
    event: str
    locked: bool
    """Whether a jackpot's prize for it had to wait for people: it was not paid at the table."""

    @property
    def net(self) -> int:
        return self.returned - self.wagered


class Result(NamedTuple):
    """What the last round brought the visitor."""

    round: str
    lines: tuple[ResultLine, ...]
    net: int
    prizes: int
    """Paid by jackpots and promotions at once, in cents."""
    void: str
    """Why the round was called off; empty when it was not."""


class Neighbour(NamedTuple):
    """Another seat."""

    seat: int
    player: str
    company: bool
    piles: tuple[CardPile, ...]
    stacks: tuple[Stack, ...]
    said: tuple[str, ...]
    net: int | None
    asked: bool
    ready: bool
    """Whether the wagers for the round that comes lie there."""


class Scene(NamedTuple):
    """All that lies there for one visitor."""

    look: FeltLook
    me: Seated | None
    seen: View | None
    """What is drawn: the round that is played, or the last one."""
    is_over: bool
    """Whether that round has ended."""
    piles: tuple[CardPile, ...]
    """The dealer's and the community's."""
    mine: tuple[CardPile, ...]
    spots: tuple[Spot, ...]
    neighbours: tuple[Neighbour, ...]
    choices: tuple[Choice, ...]
    sorting: Sorting | None
    """How the hand is laid out by the answer, where it is asked for one that speaks of cards."""
    question: str
    house_way: str
    """The safe answer where cards have to be laid out."""
    result: Result | None
    repeat: Mapping[str, int]
    """The visitor's last wagers, by spot."""
    prizes: tuple[PrizeTold, ...]
    """The visitor's, that were locked at this felt, and what became of them."""

    @property
    def state(self) -> FeltState:
        return self.look.state


def scene(look: FeltLook, player: str | None, last: PastRound | None, locked: tuple[PrizeTold, ...]) -> Scene:
    """A felt as a visitor sees it. ``last`` is its last round; ``locked`` are prizes of the visitor's that waited."""
    state = look.state
    me = state.seat_of(player) if player else None
    mine_lie = me is not None and state.laid_at(me.seat) is not None
    past = last if state.phase is not Phase.PLAYING and not mine_lie else None
    round_ = look.position.round if look.position else past.played if past else None
    viewer = me.seat if me else Onlooker.DISPLAY
    seen = view(round_, viewer) if round_ else None
    paid = past.settlement.payments if past and not past.is_void else ()
    lifted = _lifted(paid, me.seat if me else None)
    took_part = past is not None and me is not None and past.players.get(me.seat) == me.player
    turn = seen.turn if seen is not None and not past and isinstance(seen.turn, SeatTurn) else None
    asked = turn if turn is not None and me is not None and turn.seat == me.seat else None
    mine = _piles(display_seat_piles(seen, me.seat), lifted) if seen and me and me.seat in seen.bets else ()
    choices = choices_of(round_, asked) if round_ and asked else ()
    result = _result(past, me, paid) if past and me and took_part else None
    return Scene(
        look=look,
        me=me,
        seen=seen,
        is_over=past is not None,
        piles=cards_of_table(seen, lifted) if seen else (),
        mine=mine,
        spots=_spots(look, me, round_ if not past else None, result),
        neighbours=tuple(_neighbours(look, me, seen, round_, past)),
        choices=choices,
        sorting=sorting_for(choices),
        question=asked.question if asked else "",
        house_way=house_way_of(round_) if round_ and asked else "",
        result=result,
        repeat=_repeat(last, me),
        prizes=locked,
    )


def _lifted(paid: Iterable[Payment], seat: int | None) -> Counter[str]:
    """The cards that won something for the visitor, as often as one stake names them: a shoe may have several alike."""
    won = Counter[str]()
    for one in paid:
        if one.seat == seat and one.known_return > one.wagered:
            won |= Counter(map(str, one.cards))
    return won


def _piles(piles: Iterable[DisplayedPile], lifted: Counter[str]) -> tuple[CardPile, ...]:
    """Cards as they lie; of those that are lifted, each is taken off the list."""
    return tuple(
        CardPile(one.name, tuple(_seen(_code(card), lifted) for card in one.cards), str(one.place)) for one in piles
    )


def cards_of_table(seen: View, lifted: Counter[str]) -> tuple[CardPile, ...]:
    """The dealer's cards and the community's. Where the shoe has two alike, the community's made the hand, and
    the dealer's are lifted only for what is left."""
    lying = tuple(display_table_piles(seen))
    community = _piles((one for one in lying if one.place != DEALER_HAND), lifted)
    dealers = _piles((one for one in lying if one.place == DEALER_HAND), lifted)
    return (*dealers, *community)


def _seen(code: str, lifted: Counter[str]) -> SeenCard:
    is_lifted = lifted[code] > 0
    lifted[code] -= is_lifted
    return SeenCard(code, is_lifted)


def _code(card: Card | None) -> str:
    return BACK if card is None else str(card)


def _spots(look: FeltLook, me: Seated | None, playing: Round | None, result: Result | None) -> tuple[Spot, ...]:
    """The layout before the visitor, with the chips that lie there now and what the last round brought."""
    state = look.state
    table = state.at.table
    stacks: dict[str, list[Stack]] = {}
    if me is not None:
        for one in _chips(state, me.seat, playing):
            stacks.setdefault(one.spot, []).append(Stack(stake_name(table.facts, one.spot, one.stake), one.cents))
    return tuple(
        Spot(
            spot,
            spot_name(table, spot),
            offered.limits.minimum,
            offered.limits.maximum,
            offered.limits.step,
            offered.wager.stakes,
            offered.wager.required,
            tuple(stacks.get(spot, ())),
            look.meters.get(spot),
            _net_at(result, spot),
        )
        for spot, offered in table.spots.items()
    )


def _net_at(result: Result | None, spot: str) -> int | None:
    if result is None or result.void:
        return None
    lines = [one for one in result.lines if one.spot == spot]
    return sum(one.net for one in lines) if lines else None


def _chips(state: FeltState, seat: int, playing: Round | None) -> Iterable[ChipStack]:
    """What lies before a seat: in a round, or laid for the one that comes."""
    if playing is not None:
        return playing.game.chips(playing, seat) if seat in playing.bets else ()
    laid = state.laid_at(seat)
    if laid is None:
        return ()
    begun = state.game.begin(state.at.table, {seat: laid.spots})
    return state.game.chips(begun, seat)


def _neighbours(
    look: FeltLook, me: Seated | None, seen: View | None, round_: Round | None, past: PastRound | None
) -> Iterator[Neighbour]:
    state = look.state
    facts = state.game.facts
    here = {one.seat: one for one in state.seats}
    dealt_in = set(seen.bets) if seen else set()
    names = past.players if past else {}
    for seat in sorted(here.keys() | dealt_in):
        if me is not None and seat == me.seat:
            continue
        plays = seen is not None and seat in seen.bets
        chips = _chips(state, seat, round_ if plays and not past else None) if not past or state.laid_at(seat) else ()
        yield Neighbour(
            seat=seat,
            player=here[seat].player if seat in here else names.get(seat, ""),
            company=seat in here and here[seat].company,
            piles=_piles(display_seat_piles(seen, seat, hand_name="hand"), Counter()) if seen and plays else (),
            stacks=tuple(Stack(stake_name(facts, one.spot, one.stake), one.cents) for one in chips),
            said=tuple(_said(seen, seat)) if seen else (),
            net=_net(past, seat) if past and plays else None,
            asked=not past and state.asked == seat,
            ready=state.laid_at(seat) is not None,
        )


def _said(seen: View, seat: int) -> Iterator[str]:
    for (who, _), decision in seen.decisions.items():
        if who == seat:
            yield str(decision.verb if isinstance(decision, Decision) else decision)


def _net(past: PastRound, seat: int) -> int:
    """What a seat won or lost at the table, prizes that were paid with the round among it."""
    return past.returned.get(seat, 0) - past.wagered.get(seat, 0)


def _result(past: PastRound, me: Seated, paid: Iterable[Payment]) -> Result:
    lines = tuple(_line(past, one) for one in paid if one.seat == me.seat)
    return Result(
        past.id,
        lines,
        _net(past, me.seat),
        sum(one.cents for one in past.prizes if one.seat == me.seat),
        past.void["why"] if past.void else "",
    )


def _line(past: PastRound, one: Payment) -> ResultLine:
    by_jackpot = past.played.table.spots[one.spot].wager.slug in past.begun.linked
    locked = by_jackpot and (one.seat, one.known_return) in {(prize.seat, prize.cents) for prize in past.waiting}
    return ResultLine(
        stake_name(past.facts, one.spot, one.stake),
        one.text,
        tuple(map(str, one.cards)),
        pay_words(one.pay),
        one.wagered,
        0 if locked else one.known_return,
        one.spot,
        one.event,
        locked,
    )


def _repeat(last: PastRound | None, me: Seated | None) -> Mapping[str, int]:
    """What the visitor wagered last, if that was at this seat."""
    if last is None or me is None or last.players.get(me.seat) != me.player:
        return {}
    return next((dict(one.spots) for one in last.begun.wagers if one.seat == me.seat), {})
