"""Phrases that the descriptions of several events share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.games.money import format_cents
from cardroom.room.jackpot.event_values import ChipsOutcome
from cardroom.room.payment_references import DECLINED
from cardroom.room.tabulator.events import READING_PREFIX

Payload: TypeAlias = Mapping[str, Any]
AmountFormat: TypeAlias = Callable[[Amount], str]
"""Formats an amount."""
HOUSE_TEXT: Final = "the house"
NOT_ENTERED_TEXT: Final = "not entered"
"""The value of an input that was not entered."""


def wagers_text(count: int, amount: Amount | None = None) -> str:
    """
    >>> wagers_text(1, 10_000), wagers_text(6)
    ('1 wager, $1', '6 wagers')
    """
    words = f"{count:,} wager{'s' if count != 1 else ''}"
    return words if amount is None else f"{words}, {format_cents(amount // CENT)}"


def round_text(payload: Payload) -> str:
    """The number of wagers, and their round."""
    return f"{wagers_text(payload['count'])}, {round_or_reading_text(payload['round'])}"


def is_reading(payload: Payload) -> bool:
    """Whether the wagers come from a counter reading, not from a round."""
    return str(payload["round"]).startswith(READING_PREFIX)


def round_or_reading_text(round_id: str) -> str:
    """The name of a round, or of a counter reading.

    >>> round_or_reading_text("1001"), round_or_reading_text("reading evening-7"), round_or_reading_text("")
    ('round 1001', 'reading evening-7', 'round unknown')
    """
    return round_id if round_id.startswith(READING_PREFIX) else f"round {round_id or 'unknown'}"


def open_items_text(items: int) -> str:
    """The number of open items at the close of a day.

    >>> open_items_text(0), open_items_text(1), open_items_text(11)
    ('no open items', '1 open item', '11 open items')
    """
    return f"{items or 'no'} open item{'s' if items != 1 else ''}"


def hands_text(prizes: Iterable[Payload]) -> str:
    """The hands that won."""
    return "; ".join(prize["words"] for prize in prizes)


def changed_parameter_texts(payload: Payload) -> tuple[str, ...]:
    """The parameters of a level that change; none if a waiting change is withdrawn."""
    before, after = payload["before"], payload["after"]
    return tuple(
        f"{name} {_parameter_text(name, before[name])} to {_parameter_text(name, after[name])}"
        for name in after
        if before[name] != after[name]
    )


def entered_by_text(payload: Payload) -> str:
    """The people who entered a change that a claim put into effect.

    >>> entered_by_text({"claim": "7", "waited": {"who": "Rosa", "second": "Lee"}}), entered_by_text({"claim": None})
    ('put into effect by claim 7, entered by Rosa and Lee', '')
    """
    waited = payload.get("waited")
    return f"put into effect by claim {payload['claim']}, {_requesters_text(waited)}" if waited else ""


def _requesters_text(waited: Payload) -> str:
    return f"entered by {waited['who']} and {waited['second']}"


class ReplacedTerms(NamedTuple):
    """How a joining claim, or a refusal, changed the parameters in force on a level."""

    level: str
    parameters_text: str
    """What happened to the entered change."""
    direction_text: str
    requesters_text: str
    """The people who entered it."""


def list_replaced_terms(payload: Payload) -> Iterator[ReplacedTerms]:
    """The levels whose terms in force changed."""
    for level, level_terms in payload["levels"].items():
        if not isinstance(level_terms, Mapping) or not (replaced := level_terms.get("replaced")):
            continue
        direction = ", ".join(
            changed_parameter_texts({"before": replaced["parameters"], "after": level_terms["parameters"]})
        )
        if (waiting := level_terms["waiting"]) and not replaced["waiting"]:
            yield ReplacedTerms(level, "change waits again for the reset", direction, _requesters_text(waiting))
        elif (waited := replaced["waiting"]) and not waiting:
            yield ReplacedTerms(level, "change put into effect", direction, _requesters_text(waited))


def superseded_parameter_texts(payload: Payload) -> tuple[str, ...]:
    """Waiting parameter values that an immediate change superseded."""
    waited = payload.get("given_up")
    if waited is None:
        return ()
    before, next_parameters = payload["before"], (payload["waiting"] or payload)["after"]
    return tuple(
        f"{name} {_parameter_text(name, before[name])} to {_parameter_text(name, waited[name])} no longer waits"
        for name in waited
        if before[name] != waited[name] != next_parameters[name]
    )


def _parameter_text(name: str, value: Any) -> str:
    if value is None:
        return "none"
    if name == "minimum":
        return format_cents(value)
    return format_cents(value // CENT) if name in ("seed", "ceiling") else format_rate(Fraction(value))


def format_rate(value: Fraction) -> str:
    """A share as a percentage, with up to four decimals.

    >>> format_rate(Fraction(1, 5)), format_rate(Fraction(1, 7)), format_rate(Fraction(9, 40))
    ('20%', '14.2857%', '22.5%')
    """
    percent = value * 100
    digits = next((digits for digits in range(5) if (percent * 10**digits).denominator == 1), 4)
    percent_part, rest = divmod(round(percent * 10**digits), 10**digits)
    return f"{percent_part:,}.{rest:0{digits}}%" if digits else f"{percent_part:,}%"


def funding_text(payload: Payload, format_money: AmountFormat) -> str:
    """The sources of money that a meter receives besides wagers."""
    sources = {"overflow": "the overflow", "reserve": "the reserve", "house": HOUSE_TEXT}
    return ", ".join(f"{format_money(payload[name])} from {words}" for name, words in sources.items() if payload[name])


def statement_text(payload: Payload, format_money: AmountFormat) -> str:
    """The bank's statement compared with the ledger, and the movements between them."""
    balance = payload["escrow"] - sum(amount for _, amount in payload["later"])
    statement_part = f"statement of {payload['day']}: {format_money(payload['statement'])}"
    parts = [statement_part, *in_transit_texts(payload, format_money), f"ledger {format_money(balance)}"]
    if payload["difference"] > 0:
        parts.append(f"unexplained surplus {format_money(payload['difference'])}: investigate")
    return ", ".join(parts)


def in_transit_texts(payload: Payload, format_money: AmountFormat) -> Iterator[str]:
    """Movements that a statement did not show yet."""
    for name, words in (("in_transit", "in transit"), ("outstanding", "outstanding")):
        for movement, amount in payload[name]:
            yield f"{movement} {words} {format_money(amount)}"


def shortage_text(payload: Payload, format_money: AmountFormat) -> str:
    """The shortage of the bank account."""
    return f"short by {format_money(payload['short'])}"


def payout_texts(payload: Payload) -> tuple[str, ...]:
    """The payees of a claim, with the method and number of each payment."""
    return tuple(
        f"seat {payout['seat']}: {player_text(payout['player'])}, {payout['payment']} {payout['reference']}"
        for payout in payload["payouts"]
    )


def player_text(player: str) -> str:
    """
    >>> player_text("Ann Lee"), player_text("declined")
    ('Ann Lee', 'name declined')
    """
    return f"name {player}" if player == DECLINED else player


def report_reference_text(payload: Payload) -> str:
    """The malfunction report that an event cites."""
    return f"report {payload['report']}" if payload["report"] else ""


def bonus_text(payload: Payload) -> str:
    """The change of an operator's bonus."""
    game, event = payload["game"], payload["event"]
    before, after = (
        next(offer["bonuses"][event] for offer in payload[when]["offers"] if offer["game"] == game)
        for when in ("before", "after")
    )
    return f"{event} in {game}: {before} to {after}"


def record_text(record: Mapping[str, Any], typed_seat: int | None = None) -> str:
    """A round in full: cards, wagers, and decisions. For a typed hand, the text says that the rest was not entered.

    >>> typed = {"cards": {"seat 3 hand": ["Jd", "Qd"]}, "wagers": {"3": {"final-four": 100}}, "decisions": []}
    >>> record_text(typed, 3)
    'Cards: seat 3 hand Jd Qd. Wagers: seat 3 final-four $1. Other cards, wagers, and decisions: not entered.'
    """
    cards = [f"{place} {' '.join(pile)}" for place, pile in record["cards"].items()]
    wagers = [
        f"seat {seat} {', '.join(f'{spot} {format_cents(cents)}' for spot, cents in spots.items())}"
        for seat, spots in record["wagers"].items()
    ]
    decisions = [
        f"seat {decision['seat']} {decision['question']}: {decision['answer']}" for decision in record["decisions"]
    ]
    sections = {"Cards": cards, "Wagers": wagers, "Decisions": decisions}
    if typed_seat is not None:
        sections["Other cards, wagers, and decisions"] = [NOT_ENTERED_TEXT]
    return ". ".join(f"{name}: {'; '.join(parts)}" for name, parts in sections.items() if parts) + "."


def chips_text(payload: Payload) -> str:
    """What happened to the chips of a reversed prize."""
    returned = payload["chips"] == ChipsOutcome.RETURNED
    return "chips returned" if returned else f"chips lost, at the expense of {HOUSE_TEXT}"


def dealt_by_text(payload: Payload) -> str:
    """The dealer, if another person claimed.

    >>> dealt_by_text({"dealer": "Lou", "dealt": "Kim"}), dealt_by_text({"dealer": "Kim", "dealt": "Kim"})
    ('dealt by Kim', '')
    """
    dealer_name = payload.get("dealt")
    return f"dealt by {dealer_name}" if dealer_name and dealer_name != payload["dealer"] else ""
