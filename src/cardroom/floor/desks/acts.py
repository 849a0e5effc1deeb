"""What a second person signs, in one sentence: the act, the payee, and the amount.

The sentence is made from the command itself and from the state that it would change. It is made again when everything
is locked, and a signature for another sentence is refused: a claim that has grown meanwhile is not the one that was
signed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cardroom.accounts import CENT
from cardroom.floor.desks.standings import Standings
from cardroom.games.money import format_cents
from cardroom.jackpots.pending import by_seat

Body = Mapping[str, Any]
LONGEST: Final = 400


def describe_act(body: Body, now: Standings) -> str:
    """What a command does, in one sentence."""
    described = _ACTS.get(body["do"], _any)(body, now)
    return " ".join(described.split())[:LONGEST]


def _any(body: Body, _: Standings) -> str:
    """A command that has no sentence of its own: everything that is short enough to be read."""
    told = {name: value for name, value in body.items() if name not in ("do", "who", "second")}
    details = [f"{name} {value}" for name, value in told.items() if isinstance(value, str | int)]
    return f"{body['do'].replace('-', ' ').capitalize()}: {', '.join(details)}."


def _pay(body: Body, now: Standings) -> str:
    return f"{_decides('Pay', body, now)}{_payees(body['paid'])}."


def _payees(paid: Mapping[str, Mapping[str, str]]) -> str:
    told = [f"{one['player']} at seat {seat} ({one['payment']} {one['reference']})" for seat, one in paid.items()]
    return f" to {', '.join(told)}" if told else " to the balances of the players who sat there"


def _refuse(body: Body, now: Standings) -> str:
    return f"{_decides('Refuse', body, now)}: {body['why']}."


def _decides(what: str, body: Body, now: Standings) -> str:
    """A claim, and what it comes to while it is pending."""
    claim = next((one for one in now.jackpot(body["jackpot"]).claims if one.id == body["claim"]), None)
    seats = body.get("seats") or (() if claim is None else claim.seats)
    cents = 0 if claim is None else sum(amount for seat, amount in by_seat(claim.prizes).items() if seat in seats)
    at = f" at seat {', '.join(map(str, seats))}" if body.get("seats") else ""
    return f"{what} {format_cents(cents)} of claim {body['claim']} on jackpot {body['jackpot']}{at}"


def _cage(words: str) -> Callable[[Body, Standings], str]:
    return lambda body, _: (
        f"{words.format(amount=format_cents(body['cents']), player=body['player'])}, slip {body['reference']}."
    )


def _meter(words: str) -> Callable[[Body, Standings], str]:
    """What is done to one level of a jackpot."""

    def describe(body: Body, _: Standings) -> str:
        amount = format_cents(abs(body.get("cents", 0)))
        what = words.format(amount=amount, held=body.get("held", ""), way="up" if body.get("cents", 0) > 0 else "down")
        return f"{what}, level {body['level']} of jackpot {body['jackpot']}: {body['why']}."

    return describe


def _change(body: Body, _: Standings) -> str:
    changes = ", ".join(f"{name} to {value}" for name, value in sorted(body["changes"].items()))
    return f"Change {changes}, level {body['level']} of jackpot {body['jackpot']}: {body['why']}."


def _bonus(body: Body, _: Standings) -> str:
    return f"Change the bonus on {body['event']} of jackpot {body['jackpot']} to {body['amount']}: {body['why']}."


def _call_off(body: Body, now: Standings) -> str:
    return f"Call off round {now.felt(body['table']).round}, every wager goes back: {body['why']}."


def _void(body: Body, _: Standings) -> str:
    return f"Void round {body['round']} of table {body['table']}, every wager goes back: {body['reason']}."


def _said(words: str) -> Callable[[Body, Standings], str]:
    return lambda body, _: words.format(**{"name": "", "role": "", "why": "", **body})


def _promotion(body: Body, _: Standings) -> str:
    paid = f"Pay the prize of promotion {body['promotion']} for round {body['round']} of table {body['table']}"
    return f"{paid}: {body['again']}." if body.get("again") else f"{paid}."


def _counter(body: Body, _: Standings) -> str:
    counters = ", ".join(map(str, body["counters"]))
    return f"Enter {counters} as the counter of table {body['table']}: {body.get('why', '')}."


def _reimburse(body: Body, now: Standings) -> str:
    owed = format_cents(now.jackpot(body["jackpot"]).cage_advance // CENT)
    amount = f"all that it owes, {owed}," if body["cents"] is None else format_cents(body["cents"])
    return f"Pay the cage {amount} from the bank account of jackpot {body['jackpot']}, transfer {body['reference']}."


def _statement(body: Body, now: Standings) -> str:
    """The reason comes last: however long it is, it hides nothing of the rest."""
    state, day = now.jackpot(body["jackpot"]), f" of {body['day']}" if body["day"] else ""
    balance, last = format_cents(body["statement"]), state.reconciled
    parts = [f"Enter {balance} as the balance of the bank's statement{day} for jackpot {body['jackpot']}"]
    if last is not None and body["day"] is None:
        parts.append(f"in place of the statement of {last.day} if that is today")
    elif last is not None and body["day"] == last.day.isoformat():
        parts.append("in place of the statement of that day")
    if body.get("shortage"):
        parts.append(f"with a confirmed shortage of {format_cents(body['shortage'])} that closes the jackpot")
    elif state.short:
        parts.append("which opens the jackpot again if the account is no longer short")
    for name, words in (("in_transit", "deposits in transit"), ("outstanding", "payments outstanding")):
        parts += [f"with {words}: {', '.join(body[name])}"] if body.get(name) else []
    return f"{', '.join(parts)}{'; reason: ' + body['why'] if body.get('why') else ''}."


def _rotate(what: str) -> Callable[[Body, Standings], str]:
    return lambda body, _: what.format(place=f", in {body['to']}" if "to" in body else "", why=body["why"])


def _take_back(what: str) -> Callable[[Body, Standings], str]:
    return lambda body, _: f"{what.format(**body)}: {body['why']}."


_ACTS: Final[Mapping[str, Callable[[Body, Standings], str]]] = {
    "pay": _pay,
    "refuse": _refuse,
    "take-back-prizes": _take_back("Take back the prizes that {claim} paid at once from jackpot {jackpot}"),
    "pay-in": _cage("Take {amount} from {player} onto the balance"),
    "pay-out": _cage("Pay {amount} to {player} from the balance"),
    "correct-malfunction": _meter("Correct the meter {way} by {amount} after a malfunction"),
    "add-seed": _meter("Add {amount} of seed money"),
    "recover-seed": _meter("Recover {amount} of seed money"),
    "lower-to-the-cap": _meter("Move what is above the ceiling to the overflow"),
    "remove-hidden": _meter("Remove {amount} from the {held}"),
    "reimburse-cage": _reimburse,
    "reconcile": _statement,
    "change-parameters": _change,
    "change-bonus": _bonus,
    "remove": _take_back("Remove jackpot {jackpot} for good"),
    "call-off": _call_off,
    "call-off-live": _call_off,
    "void-round": _void,
    "register-person": _said("Register {login} ({name}) as {role}."),
    "recover-person": _said("Give {login} another password for one time."),
    "give-role": _said("Give {login} the role {role}."),
    "dismiss-person": _said("Deactivate the login {login}: {why}."),
    "pay-promotion": _promotion,
    "read-counter": _counter,
    "accept-rounds": _take_back("Accept {rounds} rounds of device {device} beyond what its table can have played"),
    "accept-records": _take_back("Accept {rounds} data logger records of table {table} beyond what it can have played"),
    "refuse-rounds": _take_back("Refuse the rounds of device {device}, and withdraw it"),
    "take-back-reading": _take_back("Take back the reading {reading} of table {table}"),
    "pass-over-records": _take_back("Pass over lost records of the data logger at table {table}, counter {counter}"),
    "set-up-room": _take_back("Change the settings of the room"),
    "replace-heads-key": _take_back("Let the key {key} sign heads from now on"),
    "confirm-restore": _said(
        "Restore the books with {events} events in {chains} chains, heads {heads}; {users} users and {devices} devices "
        "may still have access."
    ),
    "rotate-key": _rotate("Encrypt every secret under a new key{place}: {why}."),
    "rotate-key-and-secret": _rotate(
        "Encrypt every secret under a new key{place}, and replace the room's secret; every session ends, and devices "
        "need new tokens: {why}."
    ),
    "back-up-key": _said("Write the room's key {key} to {file}."),
    "replace-secret": _said("Go on with another key; every session ends, and devices need new tokens: {why}."),
    "void-and-renew": _take_back(
        "Void the round in progress at table {table}, every wager goes back, and draw a new key"
    ),
}
