"""A command, as the evening has it in plain values, carried out on a card room; and the answer in plain values."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from fractions import Fraction
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from cardroom.games import read_setup
from cardroom.games.setup import setup_to_json
from cardroom.machine_config import HeadsDestination
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.jackpot.event_values import ChipsOutcome, LoggerMark, SurveillanceCheck
from cardroom.room.payment_references import Payee, PaymentMethod
from cardroom.room.promotion.setup import promotion_from_mapping
from cardroom.room.setup.jackpot import jackpot_setup_from_mapping
from cardroom.room.setup.site import site_settings_from_mapping
from cardroom.room.setup.tabulator import tabulator_setup_from_mapping
from cardroom.room.tabulator.data_logger import DataLogger, new_logger, write_record
from cardroom.service import CardRoom, RoomTableSetup, SentHeads, UnitSetup
from cardroom.service.chains.names import jackpot_chain
from tests.crash.opening import BEFORE, GAMES
from tests.service.card_rooms import hurry


def carry_out(card_room: CardRoom, command: Mapping[str, Any]) -> Any:
    """Do it; what is refused raises ``BadInput``."""
    hurry(card_room)
    body = {name: value for name, value in command.items() if name not in ("id", "who", "do", "hands")}
    answer = COMMANDS[command["do"]](card_room, command["id"], command["who"], body)
    return plain(answer)


def plain(value: Any) -> Any:
    """Answers in plain values, as they are acknowledged."""
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, (Fraction, date)) else value


def _open_jackpot(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.jackpots.open(id, who, jackpot_setup_from_mapping(body["setup"]))


def _install_tabulator(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    setup = read_setup(GAMES[body["game"]])
    tabulator = tabulator_setup_from_mapping(body["tabulator"])
    counted = RoomTableSetup(tabulator.table, setup, tabulator=UnitSetup(tabulator, body["unit"]))
    return card_room.add_table(id, who, counted).tabulator


def _change_tabulator(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    setup = read_setup(GAMES[body["game"]].replace('max = "$100"', f'max = "{body["most"]}"'))
    tabulator = tabulator_setup_from_mapping(body["tabulator"])
    changed = RoomTableSetup(tabulator.table, setup, tabulator=UnitSetup(tabulator, body["unit"]))
    return card_room.change_table(id, who, changed, body["why"], second="Carl").tabulator


def _remove_table(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.remove_table(id, who, body["table"], body["why"]).tabulator


def _places(body: Mapping[str, list[int]]) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in body.items()}


def _tabulate(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    covered, lammers = _places(body["covered"]), _places(body["lammers"])
    return card_room.tabulate(id, who, body["table"], covered, lammers=lammers, round_id=body["round"])


def _count_by_hand(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    covered, lammers = _places(body["covered"]), _places(body["lammers"])
    return card_room.count_by_hand(id, who, body["table"], covered, lammers=lammers, round_id=body["round"])


def _log(body: dict[str, Any]) -> DataLogger:
    logger = new_logger(body["unit"])
    for press in body["presses"]:
        logger = write_record(
            logger,
            press["round"],
            press["positions"],
            time=press["time"],
            dealer=press["dealer"],
            counter=press["counter"],
            lammers=press["lammers"],
        )
    return logger


def _import_logger_records(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.import_logger_records(id, who, body["table"], _log(body).waiting[body["first"] :])


def _skip_records(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    last = _log(body).waiting[body["to"] - 1]
    mark = LoggerMark(last.number, last.seal)
    return card_room.skip_records(id, who, body["table"], mark, last.counter, body["why"], second=body["second"])


def _void(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.void_round(id, who, body["table"], body["round"], body["reason"], second=body["second"])


def _claim(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    record = {"table": setup_to_json(read_setup(GAMES["dueling-for-dollars"])), **body["record"]}
    return card_room.claims.claim_prizes(id, who, body["jackpot"], body["table"], body["round"], record)


def _claim_hand(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    hand = TypedHand(body["wager"], body["wagered"], body["cards"], seat=body["seat"])
    return card_room.claims.claim_hand(id, who, body["jackpot"], body["table"], body["round"], hand)


def _pay(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    surveillance = SurveillanceCheck("Uma", body["checked_at"]) if body["surveillance"] else None
    paid = {
        int(seat): Payee(player, PaymentMethod(how), number) for seat, (player, how, number) in body["paid"].items()
    }
    return card_room.payments.pay(id, who, body["jackpot"], body["claim"], paid=paid, surveillance=surveillance)


def _refuse(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.claims.refuse(id, who, body["jackpot"], body["claim"], body["why"], seats=body["seats"])


def _reverse_prizes(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    what = body["jackpot"], body["claim"], body["why"]
    return card_room.claims.reverse_prizes(id, who, *what, second=body["second"], chips=ChipsOutcome(body["chips"]))


def _room_limit(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.site.configure(
        id, who, card_room.room().settings._replace(dealer_pays=body["cents"]), "new limits", second=body["second"]
    )


def _reconcile(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    day = _day(card_room, body["jackpot"], body["day"])
    missing = {"in_transit": body["in_transit"], "outstanding": body["outstanding"]}
    answers = {name: body[name] or None for name in ("second", "why")}
    shortage = {"shortage_cents": body["shortage"]}
    return card_room.jackpots.reconcile(
        id, who, body["jackpot"], body["statement"], day=day, **missing, **answers, **shortage
    )


def _day(card_room: CardRoom, jackpot: str, said: str | None) -> date | None:
    """The day of a statement."""
    if said != BEFORE:
        return date.fromisoformat(said) if said else None
    opened = next(card_room.ledger.events(jackpot_chain(jackpot), 0, 1)).time
    return card_room.calendar.local(opened).date() - timedelta(days=1)


def _configure_room(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.site.configure(
        id, who, site_settings_from_mapping(body["settings"]), body["why"], second=body["second"]
    )


def _announce_promotion(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    return card_room.promotions.announce(id, who, promotion_from_mapping(body["promotion"]))


def _pay_promotion(card_room: CardRoom, id: str, who: str, body: dict[str, Any]) -> Any:
    record = {"table": setup_to_json(read_setup(GAMES["dueling-for-dollars"])), **body["record"]}
    where = body["promotion"], body["table"], body["round"]
    more = {"second": body["second"], "repeat_reason": body["again"]}
    return card_room.promotions.pay(id, who, *where, record, day=date(2026, 7, 4), **more)


def _send_heads(card_room: CardRoom, id: str, who: str, _: Mapping[str, Any]) -> SentHeads:
    """To a command that keeps nothing. The key is found again after a kill, by the address of the books."""
    url = card_room.ledger.store.url
    file = url.removeprefix("sqlite:///")
    name = f"cardroom-crash-{sha256(url.encode()).hexdigest()[:16]}"
    key = Path(f"{file}.heads-key") if file != url else Path(tempfile.gettempdir(), name)
    return card_room.heads.send(id, who, HeadsDestination(command=("true",), signing_key=key))


def _as_entered(method: str) -> Any:
    """Commands whose words are those of the command."""
    return lambda card_room, id, who, body: attrgetter(method)(card_room)(id, who, **body)


COMMANDS: dict[str, Any] = {
    "open-jackpot": _open_jackpot,
    "install-tabulator": _install_tabulator,
    "tabulate": _tabulate,
    "count-by-hand": _count_by_hand,
    "import-logger-records": _import_logger_records,
    "skip-records": _skip_records,
    "change-tabulator": _change_tabulator,
    "move-table": _as_entered("move_table"),
    "close-table": _remove_table,
    "reverse-reading": _as_entered("reverse_reading"),
    "void": _void,
    "claim": _claim,
    "claim-hand": _claim_hand,
    "pay": _pay,
    "refuse": _refuse,
    "reverse-prizes": _reverse_prizes,
    "room-limit": _room_limit,
    "reconcile": _reconcile,
    "read-counter": _as_entered("read_counter"),
    "report-tabulator-fault": _as_entered("report_tabulator_fault"),
    "clear-tabulator-fault": _as_entered("clear_tabulator_fault"),
    "link": _as_entered("link_table"),
    "unlink": _as_entered("unlink_table"),
    "disable": _as_entered("jackpots.disable"),
    "enable": _as_entered("jackpots.enable"),
    "change-parameters": _as_entered("jackpots.change_parameters"),
    "correct": _as_entered("jackpots.correct_malfunction"),
    "add-seed": _as_entered("jackpots.add_seed"),
    "recover-seed": _as_entered("jackpots.recover_seed"),
    "lower-to-ceiling": _as_entered("jackpots.lower_to_ceiling"),
    "remove-hidden": _as_entered("jackpots.remove_undisplayed_money"),
    "deposit": _as_entered("jackpots.deposit_to_bank"),
    "reimburse": _as_entered("jackpots.reimburse_cage"),
    "configure-room": _configure_room,
    "open-day": _as_entered("days.open"),
    "close-day": _as_entered("days.close"),
    "send-heads": _send_heads,
    "report-malfunction": _as_entered("malfunctions.report"),
    "send-report": _as_entered("malfunctions.send"),
    "close-report": _as_entered("malfunctions.close"),
    "announce-promotion": _announce_promotion,
    "pay-promotion": _pay_promotion,
    "end-promotion": _as_entered("promotions.end"),
}
