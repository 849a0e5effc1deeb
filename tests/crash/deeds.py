"""A deed, as the evening has it in plain values, carried out on a floor; and the answer in plain values."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from cardroom.floor import Floor, HeadsOut
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.games import read_setup
from cardroom.games.setup import setup_to_json
from cardroom.jackpots import Chips, Logger, Surveillance, TypedHand, jackpot_setup_from, new_logger, promotion_from
from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.payouts import PlayerPaid
from cardroom.jackpots.references import PaidBy
from cardroom.jackpots.setup.room import settings_from
from cardroom.jackpots.setup.tabulator_file import tabulator_setup_from
from cardroom.jackpots.tabulator.logger import write
from cardroom.machine_config import HeadsDestination
from tests.crash.opening import BEFORE, GAMES
from tests.floor.scenes import hurry


def carry_out(floor: Floor, deed: Mapping[str, Any]) -> Any:
    """Do it; what is refused raises ``BadInput``."""
    hurry(floor)
    told = {name: value for name, value in deed.items() if name not in ("id", "who", "do", "hands")}
    answer = DEEDS[deed["do"]](floor, deed["id"], deed["who"], told)
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


def _open_jackpot(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    return floor.open_jackpot(id, who, jackpot_setup_from(told["setup"]))


def _open_table(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    setup = read_setup(GAMES[told["game"]])
    return floor.open_table(id, who, setup, tabulator_setup_from(told["tabulator"]), told["unit"])


def _change_table(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    setup = read_setup(GAMES[told["game"]].replace('max = "$100"', f'max = "{told["most"]}"'))
    tabulator = tabulator_setup_from(told["tabulator"])
    return floor.change_table(id, who, setup, tabulator, told["unit"], why=told["why"])


def _places(told: Mapping[str, list[int]]) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in told.items()}


def _tabulate(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    covered, lammers = _places(told["covered"]), _places(told["lammers"])
    return floor.tabulate(id, who, told["table"], covered, lammers=lammers, round_id=told["round"])


def _count_by_hand(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    covered, lammers = _places(told["covered"]), _places(told["lammers"])
    return floor.count_by_hand(id, who, told["table"], covered, lammers=lammers, round_id=told["round"])


def _log(told: dict[str, Any]) -> Logger:
    logger = new_logger(told["unit"])
    for press in told["presses"]:
        logger = write(
            logger,
            press["round"],
            press["positions"],
            time=press["time"],
            dealer=press["dealer"],
            counter=press["counter"],
            lammers=press["lammers"],
        )
    return logger


def _take_records(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    return floor.take_records(id, who, told["table"], _log(told).waiting[told["first"] :])


def _pass_over_records(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    last = _log(told).waiting[told["to"] - 1]
    mark = LoggerMark(last.number, last.seal)
    return floor.pass_over_records(id, who, told["table"], mark, last.counter, told["why"], second=told["second"])


def _void(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    return floor.void_round(id, who, told["table"], told["round"], told["reason"], second=told["second"])


def _claim(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    record = {"table": setup_to_json(read_setup(GAMES["dueling-for-dollars"])), **told["record"]}
    return floor.claim(id, who, told["jackpot"], told["table"], told["round"], record)


def _claim_hand(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    hand = TypedHand(told["wager"], told["wagered"], told["cards"], seat=told["seat"])
    return floor.claim_hand(id, who, told["jackpot"], told["table"], told["round"], hand)


def _pay(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    surveillance = Surveillance("Uma", told["checked_at"]) if told["surveillance"] else None
    paid = {int(seat): PlayerPaid(player, PaidBy(how), number) for seat, (player, how, number) in told["paid"].items()}
    return floor.pay(id, who, told["jackpot"], told["claim"], paid=paid, surveillance=surveillance)


def _refuse(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    return floor.refuse(id, who, told["jackpot"], told["claim"], told["why"], seats=told["seats"])


def _take_back_prizes(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    what = told["jackpot"], told["claim"], told["why"]
    return floor.take_back_prizes(id, who, *what, second=told["second"], chips=Chips(told["chips"]))


def _room_limit(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    return floor.set_up_room(
        id, who, floor.room().settings._replace(dealer_pays=told["cents"]), "new limits", second=told["second"]
    )


def _reconcile(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    day = _day(floor, told["jackpot"], told["day"])
    missing = {"in_transit": told["in_transit"], "outstanding": told["outstanding"]}
    answers = {name: told[name] or None for name in ("second", "why")}
    shortage = {"shortage_cents": told["shortage"]}
    return floor.reconcile(id, who, told["jackpot"], told["statement"], day=day, **missing, **answers, **shortage)


def _day(floor: Floor, jackpot: str, said: str | None) -> date | None:
    """The day of a statement."""
    if said != BEFORE:
        return date.fromisoformat(said) if said else None
    opened = next(floor.ledger.events(jackpot_chain(jackpot), 0, 1)).time
    return floor.calendar.local(opened).date() - timedelta(days=1)


def _set_up_room(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    return floor.set_up_room(id, who, settings_from(told["settings"]), told["why"], second=told["second"])


def _announce_promotion(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    return floor.announce_promotion(id, who, promotion_from(told["promotion"]))


def _pay_promotion(floor: Floor, id: str, who: str, told: dict[str, Any]) -> Any:
    record = {"table": setup_to_json(read_setup(GAMES["dueling-for-dollars"])), **told["record"]}
    where = told["promotion"], told["table"], told["round"]
    more = {"second": told["second"], "again": told["again"]}
    return floor.pay_promotion(id, who, *where, record, when=date(2026, 7, 4), **more)


def _send_heads(floor: Floor, id: str, who: str, _: Mapping[str, Any]) -> HeadsOut:
    """To a command that keeps nothing. The key is found again after a kill, by the address of the books."""
    url = floor.ledger.store.url
    file = url.removeprefix("sqlite:///")
    name = f"cardroom-crash-{sha256(url.encode()).hexdigest()[:16]}"
    key = Path(f"{file}.heads-key") if file != url else Path(tempfile.gettempdir(), name)
    return floor.send_heads(id, who, HeadsDestination(command=("true",), signing_key=key))


def _as_told(method: str) -> Any:
    """Deeds whose words are those of the command."""
    return lambda floor, id, who, told: getattr(floor, method)(id, who, **told)


DEEDS: dict[str, Any] = {
    "open-jackpot": _open_jackpot,
    "open-table": _open_table,
    "tabulate": _tabulate,
    "count-by-hand": _count_by_hand,
    "take-records": _take_records,
    "pass-over-records": _pass_over_records,
    "change-table": _change_table,
    "move-table": _as_told("move_table"),
    "close-table": _as_told("close_table"),
    "take-back-reading": _as_told("take_back_reading"),
    "void": _void,
    "claim": _claim,
    "claim-hand": _claim_hand,
    "pay": _pay,
    "refuse": _refuse,
    "take-back-prizes": _take_back_prizes,
    "room-limit": _room_limit,
    "reconcile": _reconcile,
    "read-counter": _as_told("read_counter"),
    "declare-broken": _as_told("declare_broken"),
    "declare-repaired": _as_told("declare_repaired"),
    "link": _as_told("link"),
    "unlink": _as_told("unlink"),
    "disable": _as_told("disable"),
    "enable": _as_told("enable"),
    "change-parameters": _as_told("change_parameters"),
    "correct": _as_told("correct_malfunction"),
    "add-seed": _as_told("add_seed"),
    "recover-seed": _as_told("recover_seed"),
    "lower-to-the-cap": _as_told("lower_to_the_cap"),
    "remove-hidden": _as_told("remove_hidden"),
    "deposit": _as_told("deposit"),
    "reimburse": _as_told("reimburse_cage"),
    "set-up-room": _set_up_room,
    "open-day": _as_told("open_day"),
    "close-day": _as_told("close_day"),
    "send-heads": _send_heads,
    "report-malfunction": _as_told("report_malfunction"),
    "send-report": _as_told("send_report"),
    "close-report": _as_told("close_report"),
    "announce-promotion": _announce_promotion,
    "pay-promotion": _pay_promotion,
    "end-promotion": _as_told("end_promotion"),
}
