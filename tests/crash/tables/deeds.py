"""Deeds at tables, in plain values, carried out on a floor; and the answer in plain values.

A deed brings the time and the key of whatever it seals with it. So an evening that is killed has the same cards, the
same clock and the same books as one that is not, to the last hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardroom.ledger import schema
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.payments import Payee, PaymentMethod
from cardroom.room.user.command_ids import original_command_id
from cardroom.service import CardRoom
from tests.crash.commands import plain
from tests.crash.tables.room import open_automatic, open_live, open_practice, set_up

Told = Mapping[str, Any]


def carry_out(floor: CardRoom, deed: Told) -> Any:
    """Do it; what is refused raises ``BadInput``."""
    return plain(DEEDS[deed["do"]](floor, deed["id"], deed))


def is_stored(floor: CardRoom, deed: Told, answer: Any) -> bool:
    """Whether a deed that was answered is in the books. Some are more than one command, of which this is the last; what
    a clock has decided is known by how far the table has come."""
    if deed["do"] == "clock":
        return floor.read_table_version(deed["table"]) >= int(answer["version"])
    last = f"{deed['id']}/felt" if deed["do"] in ("open-automatic", "open-live") else deed["id"]
    with floor.ledger.store.read() as now:
        return any(original_command_id(row[0]) == last for row in now.rows(schema.commands))


def _set_up(floor: CardRoom, id: str, _: Told) -> Any:
    set_up(floor, id)


def _automatic(floor: CardRoom, id: str, told: Told) -> Any:
    open_automatic(floor, id, told["table"])


def _live(floor: CardRoom, id: str, told: Told) -> Any:
    open_live(floor, id, told["table"])


def _practice(floor: CardRoom, id: str, told: Told) -> Any:
    open_practice(floor, id, told["player"], told["table"], told["game"])


def _guest(floor: CardRoom, id: str, _: Told) -> Any:
    return floor.admit_guest(id)


# At automatic tables.


def _sit(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.take_seat(id, told["player"], told["table"], told.get("seat"), told["buy_in_cents"])


def _lay(floor: CardRoom, id: str, told: Told) -> Any:
    words, round_id = told.get("words", ""), told.get("round")
    return floor.place_wagers(id, told["player"], told["table"], told["wagers"], words, round=round_id)


def _answer(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.make_decision(id, told["player"], told["table"], told["answer"])


def _leave(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.leave_seat(id, told["player"], told["table"])


def _clock(floor: CardRoom, _: str, told: Told) -> Any:
    """Nobody sends it, so it has no answer that could come again: it is told how far the table has come."""
    floor.apply_timeout(told["table"])
    return {"version": floor.read_table_version(told["table"])}


def _company_sits(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.seat_bot(id, "Olga", told["table"], told["seat"], told["player"], told["buy_in_cents"])


def _company_goes(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.remove_bot(id, "Olga", told["table"], told["seat"])


def _company_lays(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.place_bot_wagers(id, told["table"], told["seat"], told["wagers"], told["round"])


def _company_answers(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.make_bot_decision(id, told["table"], told["seat"], told["answer"], told["round"])


def _pay_automatic(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.pay_claim(id, "Vera", told["jackpot"], told["claim"], paid={}, second="Uma")


# At tables at which a dealer deals.


def _begin(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.begin_live_round(id, told["dealer"], told["table"], told["positions"])


def _step(floor: CardRoom, id: str, told: Told) -> Any:
    covered = {1: told["covered"]} if "covered" in told else None
    return floor.take_step(id, told["dealer"], told["table"], told["step"], covered=covered)


def _undo(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.undo_step(id, told["dealer"], told["table"])


def _type(floor: CardRoom, id: str, told: Told) -> Any:
    wagers = {int(seat): spots for seat, spots in told["wagers"].items()}
    return floor.type_cards(id, told["dealer"], told["table"], told["cards"], wagers=wagers)


def _end(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.end_live_round(id, told["dealer"], told["table"])


def _call_off(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.call_off_live_round(id, told["dealer"], told["table"], "the shuffler jammed", second=told["second"])


def _claim(floor: CardRoom, id: str, told: Told) -> Any:
    hand = TypedHand("final-four", 1_00, told["cards"], seat=told["seat"])
    return floor.claim_hand(id, told["dealer"], told["jackpot"], told["table"], told["round"], hand)


def _pay(floor: CardRoom, id: str, told: Told) -> Any:
    paid = {seat: Payee("Ann Lee", PaymentMethod.CASH, f"{id}-{seat}") for seat in told["seats"]}
    watched = SurveillanceCheck("Uma", "now")
    return floor.pay_claim(id, told["who"], told["jackpot"], told["claim"], paid=paid, surveillance=watched)


def _refuse(floor: CardRoom, id: str, told: Told) -> Any:
    return floor.refuse_claim(id, told["who"], told["jackpot"], told["claim"], "not a wager")


DEEDS: dict[str, Any] = {
    "set-up": _set_up,
    "open-automatic": _automatic,
    "open-live": _live,
    "open-practice": _practice,
    "admit": _guest,
    "sit": _sit,
    "lay": _lay,
    "answer": _answer,
    "leave": _leave,
    "clock": _clock,
    "company-sits": _company_sits,
    "company-goes": _company_goes,
    "place-bot-wagers": _company_lays,
    "make-bot-decision": _company_answers,
    "pay-automatic": _pay_automatic,
    "begin": _begin,
    "step": _step,
    "undo": _undo,
    "type": _type,
    "end": _end,
    "call-off": _call_off,
    "claim": _claim,
    "pay": _pay,
    "refuse": _refuse,
}
