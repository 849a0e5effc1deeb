"""Commands at tables, in plain values, carried out on a card room; and the answer in plain values.

A command brings the time and the key of whatever it seals with it. So an evening that is killed has the same cards, the
same clock and the same books as one that is not, to the last hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardroom.ledger import schema
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.payment_references import Payee, PaymentMethod
from cardroom.room.user.command_ids import original_command_id
from cardroom.service import CardRoom
from tests.crash.commands import plain
from tests.crash.tables.room import open_automatic, open_live, open_practice, set_up

Body = Mapping[str, Any]


def carry_out(card_room: CardRoom, command: Body) -> Any:
    """Do it; what is refused raises ``BadInput``."""
    return plain(COMMANDS[command["do"]](card_room, command["id"], command))


def is_stored(card_room: CardRoom, command: Body, answer: Any) -> bool:
    """Whether a command that was answered is in the books. Some are more than one command, of which this is the last;
    what a clock has decided is known by how far the table has come."""
    if command["do"] == "clock":
        return card_room.read_table_version(command["table"]) >= int(answer["version"])
    last = f"{command['id']}/table" if command["do"] in ("open-automatic", "open-live") else command["id"]
    with card_room.ledger.store.read() as now:
        return any(original_command_id(row[0]) == last for row in now.rows(schema.commands))


def _set_up(card_room: CardRoom, id: str, _: Body) -> Any:
    set_up(card_room, id)


def _automatic(card_room: CardRoom, id: str, body: Body) -> Any:
    open_automatic(card_room, id, body["table"])


def _live(card_room: CardRoom, id: str, body: Body) -> Any:
    open_live(card_room, id, body["table"])


def _practice(card_room: CardRoom, id: str, body: Body) -> Any:
    open_practice(card_room, id, body["player"], body["table"], body["game"])


def _guest(card_room: CardRoom, id: str, _: Body) -> Any:
    return card_room.players.admit_guest(id)


# At automatic tables.


def _sit(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.take_seat(id, body["player"], body["table"], body.get("seat"), body["buy_in_cents"])


def _lay(card_room: CardRoom, id: str, body: Body) -> Any:
    words, round_id = body.get("words", ""), body.get("round")
    return card_room.place_wagers(id, body["player"], body["table"], body["wagers"], words, round=round_id)


def _answer(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.make_decision(id, body["player"], body["table"], body["answer"])


def _leave(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.leave_seat(id, body["player"], body["table"])


def _clock(card_room: CardRoom, _: str, body: Body) -> Any:
    """No user sends it, so it has no answer that could come again: it is shown how far the table has come."""
    card_room.apply_timeout(body["table"])
    return {"version": card_room.read_table_version(body["table"])}


def _seat_bot(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.seat_bot(id, "Olga", body["table"], body["seat"], body["player"], body["buy_in_cents"])


def _remove_bot(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.remove_bot(id, "Olga", body["table"], body["seat"])


def _place_bot_wagers(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.place_bot_wagers(id, body["table"], body["seat"], body["wagers"], body["round"])


def _make_bot_decision(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.make_bot_decision(id, body["table"], body["seat"], body["answer"], body["round"])


def _pay_automatic(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.payments.pay(id, "Vera", body["jackpot"], body["claim"], paid={}, second="Uma")


# At tables at which a dealer deals.


def _begin(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.begin_live_round(id, body["dealer"], body["table"], body["positions"])


def _step(card_room: CardRoom, id: str, body: Body) -> Any:
    covered = {1: body["covered"]} if "covered" in body else None
    return card_room.take_step(id, body["dealer"], body["table"], body["step"], covered=covered)


def _undo(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.undo_step(id, body["dealer"], body["table"])


def _type(card_room: CardRoom, id: str, body: Body) -> Any:
    wagers = {int(seat): spots for seat, spots in body["wagers"].items()}
    return card_room.type_cards(id, body["dealer"], body["table"], body["cards"], wagers=wagers)


def _end(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.end_live_round(id, body["dealer"], body["table"])


def _void_live_round(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.void_live_round(id, body["dealer"], body["table"], "the shuffler jammed", second=body["second"])


def _claim(card_room: CardRoom, id: str, body: Body) -> Any:
    hand = TypedHand("final-four", 1_00, body["cards"], seat=body["seat"])
    return card_room.claims.claim_hand(id, body["dealer"], body["jackpot"], body["table"], body["round"], hand)


def _pay(card_room: CardRoom, id: str, body: Body) -> Any:
    paid = {seat: Payee("Ann Lee", PaymentMethod.CASH, f"{id}-{seat}") for seat in body["seats"]}
    watched = SurveillanceCheck("Uma", "now")
    return card_room.payments.pay(id, body["who"], body["jackpot"], body["claim"], paid=paid, surveillance=watched)


def _refuse(card_room: CardRoom, id: str, body: Body) -> Any:
    return card_room.claims.refuse(id, body["who"], body["jackpot"], body["claim"], "not a wager")


COMMANDS: dict[str, Any] = {
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
    "bot-sits": _seat_bot,
    "bot-leaves": _remove_bot,
    "place-bot-wagers": _place_bot_wagers,
    "make-bot-decision": _make_bot_decision,
    "pay-automatic": _pay_automatic,
    "begin": _begin,
    "step": _step,
    "undo": _undo,
    "type": _type,
    "end": _end,
    "void": _void_live_round,
    "claim": _claim,
    "pay": _pay,
    "refuse": _refuse,
}
