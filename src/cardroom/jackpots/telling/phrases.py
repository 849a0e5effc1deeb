"""Phrases that the words of several events share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from cardroom.accounts import CENT, Amount
from cardroom.games.money import format_cents
from cardroom.jackpots import happenings
from cardroom.jackpots.contents import Chips
from cardroom.jackpots.payouts import DECLINED

Payload: TypeAlias = Mapping[str, Any]
Written: TypeAlias = Callable[[Amount], str]
"""How an amount is written."""
HOUSE: Final = "the house"
NOT_ENTERED: Final = "not entered"
"""What nobody told the books."""


def wagers_words(count: int, amount: Amount | None = None) -> str:
    """
    >>> wagers_words(1, 10_000), wagers_words(6)
    ('1 wager, $1', '6 wagers')
    """
    words = f"{count:,} wager{'s' if count != 1 else ''}"
    return words if amount is None else f"{words}, {format_cents(amount // CENT)}"


def round_words(payload: Payload) -> str:
    """A round and how many wagers were in it."""
    return f"{wagers_words(payload['count'])}, {called(payload['round'])}"


def is_reading(payload: Payload) -> bool:
    """Whether wagers were read off a counter, and not counted in a round."""
    return str(payload["round"]).startswith(happenings.READING)


def called(round_id: str) -> str:
    """A round, or a reading of the counter, as people call it.

    >>> called("1001"), called("reading evening-7"), called("")
    ('round 1001', 'reading evening-7', 'round unknown')
    """
    return round_id if round_id.startswith(happenings.READING) else f"round {round_id or 'unknown'}"


def open_words(matters: int) -> str:
    """How much is open when a day is closed.

    >>> open_words(0), open_words(1), open_words(11)
    ('nothing is open', '1 matter is open', '11 matters are open')
    """
    return f"{matters} matter{'s are' if matters > 1 else ' is'} open" if matters else "nothing is open"


def hands_words(prizes: Iterable[Payload]) -> str:
    """The hands that won."""
    return "; ".join(prize["words"] for prize in prizes)


def changed_words(payload: Payload) -> tuple[str, ...]:
    """The parameters of a level that change; none when a change that waited is taken back."""
    before, after = payload["before"], payload["after"]
    return tuple(
        f"{name} {_parameter(name, before[name])} to {_parameter(name, after[name])}"
        for name in after
        if before[name] != after[name]
    )


def entered_words(payload: Payload) -> str:
    """Who had entered a change that a claim put into effect.

    >>> entered_words({"claim": "7", "waited": {"who": "Rosa", "second": "Lee"}}), entered_words({"claim": None})
    ('put into effect by claim 7, entered by Rosa and Lee', '')
    """
    waited = payload.get("waited")
    return f"put into effect by claim {payload['claim']}, {_entered_by(waited)}" if waited else ""


def _entered_by(waited: Payload) -> str:
    return f"entered by {waited['who']} and {waited['second']}"


class ReplacedTerms(NamedTuple):
    """What a claim that joined others, or a refusal, did to what is in force on a level."""

    level: str
    what: str
    """What happened to the change that was entered."""
    moved: str
    entered: str
    """By whom."""


def replaced_terms(payload: Payload) -> Iterator[ReplacedTerms]:
    """The levels on which other terms are in force than before."""
    for level, now in payload["levels"].items():
        if not isinstance(now, Mapping) or not (replaced := now.get("replaced")):
            continue
        moved = ", ".join(changed_words({"before": replaced["parameters"], "after": now["parameters"]}))
        if (waiting := now["waiting"]) and not replaced["waiting"]:
            yield ReplacedTerms(level, "change waits for the reset again", moved, _entered_by(waiting))
        elif (waited := replaced["waiting"]) and not waiting:
            yield ReplacedTerms(level, "change put into effect", moved, _entered_by(waited))


def given_up_words(payload: Payload) -> tuple[str, ...]:
    """The parameters that waited for another value and do not any more, because of a change that holds at once."""
    waited = payload.get("given_up")
    if waited is None:
        return ()
    before, then = payload["before"], (payload["waiting"] or payload)["after"]
    return tuple(
        f"{name} {_parameter(name, before[name])} to {_parameter(name, waited[name])} does not wait any more"
        for name in waited
        if before[name] != waited[name] != then[name]
    )


def _parameter(name: str, value: Any) -> str:
    if value is None:
        return "none"
    if name == "minimum":
        return format_cents(value)
    return format_cents(value // CENT) if name in ("seed", "ceiling") else rate(Fraction(value))


def rate(value: Fraction) -> str:
    """A share in per cent, with as many digits as it needs up to four.

    >>> rate(Fraction(1, 5)), rate(Fraction(1, 7)), rate(Fraction(9, 40))
    ('20%', '14.2857%', '22.5%')
    """
    percent = value * 100
    digits = next((digits for digits in range(5) if (percent * 10**digits).denominator == 1), 4)
    whole, rest = divmod(round(percent * 10**digits), 10**digits)
    return f"{whole:,}.{rest:0{digits}}%" if digits else f"{whole:,}%"


def sources_words(payload: Payload, written: Written) -> str:
    """Where the money comes from that a meter gets besides wagers."""
    sources = {"overflow": "the overflow", "reserve": "the reserve", "house": HOUSE}
    return ", ".join(f"{written(payload[name])} from {words}" for name, words in sources.items() if payload[name])


def statement_words(payload: Payload, written: Written) -> str:
    """The bank's statement beside the books, and what was allowed for."""
    then = payload["escrow"] - sum(amount for _, amount in payload["later"])
    said = f"the statement of {payload['day']} says {written(payload['statement'])}"
    parts = [said, *under_way_words(payload, written), f"the books of then {written(then)}"]
    if payload["difference"] > 0:
        parts.append(f"{written(payload['difference'])} more than the books: find out whose it is")
    return ", ".join(parts)


def under_way_words(payload: Payload, written: Written) -> Iterator[str]:
    """What a statement did not have yet."""
    for name, words in (("in_transit", "in transit"), ("outstanding", "outstanding")):
        for movement, amount in payload[name]:
            yield f"{movement} {words} {written(amount)}"


def shortage_words(payload: Payload, written: Written) -> str:
    """By how much the bank account is short."""
    return f"short by {written(payload['short'])}"


def payout_words(payload: Payload) -> tuple[str, ...]:
    """To whom a claim was paid, how, and under which number."""
    return tuple(
        f"seat {one['seat']}: {player_words(one['player'])}, {one['payment']} {one['reference']}"
        for one in payload["payouts"]
    )


def player_words(player: str) -> str:
    """
    >>> player_words("Ann Lee"), player_words("declined")
    ('Ann Lee', 'name declined')
    """
    return f"name {player}" if player == DECLINED else player


def report_words(payload: Payload) -> str:
    """The report of the malfunction that an event rests on."""
    return f"report {payload['report']}" if payload["report"] else ""


def bonus_words(payload: Payload) -> str:
    """The operator's bonus that changed."""
    game, event = payload["game"], payload["event"]
    before, after = (
        next(offer["bonuses"][event] for offer in payload[when]["offers"] if offer["game"] == game)
        for when in ("before", "after")
    )
    return f"{event} in {game}: {before} to {after}"


def change_words(what: str, before: str, after: str) -> str:
    """One change of a table's set-up.

    >>> change_words("seats", "6", "5")
    'seats: 6 to 5'
    """
    return f"{what}: {before} to {after}"


def record_words(record: Mapping[str, Any], typed_seat: int | None = None) -> str:
    """A round in full: cards, wagers and decisions. Of a hand that was typed the rest is not known, and said to be so.

    >>> typed = {"cards": {"seat 3 hand": ["Jd", "Qd"]}, "wagers": {"3": {"final-four": 100}}, "decisions": []}
    >>> record_words(typed, 3)
    'Cards: seat 3 hand Jd Qd. Wagers: seat 3 final-four $1. Other cards, wagers and decisions: not entered.'
    """
    cards = [f"{place} {' '.join(pile)}" for place, pile in record["cards"].items()]
    wagers = [
        f"seat {seat} {', '.join(f'{spot} {format_cents(cents)}' for spot, cents in spots.items())}"
        for seat, spots in record["wagers"].items()
    ]
    decisions = [f"seat {one['seat']} {one['question']}: {one['answer']}" for one in record["decisions"]]
    told = {"Cards": cards, "Wagers": wagers, "Decisions": decisions}
    if typed_seat is not None:
        told["Other cards, wagers and decisions"] = [NOT_ENTERED]
    return ". ".join(f"{name}: {'; '.join(parts)}" for name, parts in told.items() if parts) + "."


def chips_words(payload: Payload) -> str:
    """What became of the chips of a prize that was taken back."""
    returned = payload["chips"] == Chips.RETURNED
    return "the chips came back" if returned else f"the chips are lost, {HOUSE} bears it"


def dealt_words(payload: Payload) -> str:
    """Who dealt, where somebody else has claimed.

    >>> dealt_words({"dealer": "Lou", "dealt": "Kim"}), dealt_words({"dealer": "Kim", "dealt": "Kim"})
    ('dealt by Kim', '')
    """
    dealt = payload.get("dealt")
    return f"dealt by {dealt}" if dealt and dealt != payload["dealer"] else ""
