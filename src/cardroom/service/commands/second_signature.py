"""The second signature: one person's consent to one command, stored in the same transaction as the command's events.

A command that names other people beside its sender cannot be carried out before each of them has signed it. Without
their signatures it is refused with what there is to sign (`SignatureMissing`): the command's id, the digest of its
canonical body, and a sentence with payee and amount. A signature is made for exactly that. It exists only in memory
until the command is stored, so it cannot be stored without the command, used for another one, or used twice.

Today a person signs with the login's password. A PIN or a badge would be another way to make a `Signature`.

What a second person signs, in one sentence: the act, the payee, and the amount.

The sentence is made from the command itself and from the state that it would change. It is made again when everything
is locked, and a signature for another sentence is refused: a claim that has grown meanwhile is not the one that was
signed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

from cardroom.chart_of_accounts import CENT
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.room.jackpot.pending_claims import cents_by_seat
from cardroom.room.user.permissions import PERMISSIONS, Permission, countersign_error
from cardroom.room.user.sign_in import SignInFailed
from cardroom.room.user.state import UserState
from cardroom.service.commands.table_changes import describe_table_change
from cardroom.service.commands.unit_of_work import StateAccess

A = TypeVar("A")


class SignaturePart(StrEnum):
    """What a person signs beside the sender of a command."""

    SECOND = "second"
    SURVEILLANCE = "surveillance"


class SignatureRequest(NamedTuple):
    """What a person signs: one command, and no other."""

    part: SignaturePart
    login: str
    sender: str
    """The sender of the command."""
    command: str
    digest: str
    """Of the command's canonical body, as the ledger stores it."""
    description: str
    """What the command does, with payee and amount, in one sentence."""


class Signature(NamedTuple):
    """A person's consent to one command."""

    request: SignatureRequest
    permission: Permission
    """What the command requires; the person's role may sign beside it."""
    password: str
    """The digest of the password that was compared; it differs if another one has been chosen since."""
    address: str


Signer = Callable[[SignatureRequest], Signature]
"""How a person signs."""


class SignatureMissing(BadInput):
    """A command that names a person who has not signed it."""

    def __init__(self, request: SignatureRequest) -> None:
        super().__init__(f"{request.login} has not signed this: let {request.login} sign in for it here.")
        self.request = request


class SignatureMismatch(BadInput):
    """A signature for something else than the command would do."""


_SIGNATURES: ContextVar[tuple[Signature, ...]] = ContextVar("signatures", default=())


@contextmanager
def use_signatures(*signatures: Signature) -> Iterator[None]:
    """Use these signatures for the commands that are carried out inside."""
    token = _SIGNATURES.set(signatures)
    try:
        yield
    finally:
        _SIGNATURES.reset(token)


def execute_with_signatures(execute: Callable[[], A], *signatures: Signature) -> A:
    """Carry out a command with its signatures."""
    with use_signatures(*signatures):
        return execute()


def execute_signed(execute: Callable[[], A], signer: Signer) -> A:
    """Carry out a command that other people sign first: each signs for what it would do, and nothing else."""
    signatures: list[Signature] = []
    for _ in SignaturePart:
        try:
            return execute_with_signatures(execute, *signatures)
        except SignatureMissing as unsigned:
            signatures.append(signer(unsigned.request))
    return execute_with_signatures(execute, *signatures)


class _CommandPreview(BadInput):
    """What a command would do; raised in place of carrying it out."""


_PREVIEWING: ContextVar[bool] = ContextVar("foreseeing", default=False)


def preview_command(execute: Callable[[], object]) -> str:
    """What a command would do, in the sentence that is signed; it is not carried out. Empty where it is refused."""
    token = _PREVIEWING.set(True)
    try:
        execute()
    except _CommandPreview as act:
        return str(act)
    except BadInput:
        return ""
    finally:
        _PREVIEWING.reset(token)
    raise RuntimeError("Only a command can be previewed.")


def stop_if_previewing(describe: Callable[[], str]) -> None:
    """Every command stops here while it is only previewed."""
    if _PREVIEWING.get():
        raise _CommandPreview(describe())


def find_cosigners(body: Mapping[str, Any]) -> dict[SignaturePart, str]:
    """The people who sign a command beside its sender."""
    surveillance = body.get(SignaturePart.SURVEILLANCE)
    beside = {
        SignaturePart.SECOND: body.get(SignaturePart.SECOND),
        SignaturePart.SURVEILLANCE: surveillance and surveillance["by"],
    }
    return {part: login.strip() for part, login in beside.items() if login and login.strip()}


def get_signature(request: SignatureRequest) -> Signature:
    """The signature on a command, if it is for exactly that command."""
    for signature in _SIGNATURES.get():
        if (signature.request.part, signature.request.login) == (request.part, request.login):
            if signature.request != request:
                raise signature_mismatch(signature, request.description)
            return signature
    raise SignatureMissing(request)


def signature_mismatch(signature: Signature, description: str) -> SignatureMismatch:
    """The refusal for a command that is not the one that was signed."""
    to_sign = signature.request
    return SignatureMismatch(
        f"{to_sign.login} signed something else ({to_sign.description}). The command is now: {description} Nothing "
        "was done; sign again."
    )


def refuse_signer(state: UserState, permission: Permission) -> None:
    """Refuse the signature of a person whose password is for one use, or whose role does not sign for this."""
    if state.one_time_until:
        raise SignInFailed(f"{state.login} has a password for one use: sign in and choose another one first.")
    if state.role not in PERMISSIONS[permission].countersigners:
        raise countersign_error(state.login, state.role, permission)


Body = Mapping[str, Any]
MAX_DESCRIPTION_LENGTH: Final = 400


def describe_command(body: Body, states: StateAccess) -> str:
    """What a command does, in one sentence."""
    described = _DESCRIPTIONS.get(body["do"], _describe_default)(body, states)
    return " ".join(described.split())[:MAX_DESCRIPTION_LENGTH]


def _describe_default(body: Body, _: StateAccess) -> str:
    """The sentence of a command without one of its own: every field that is short enough to read."""
    shown_fields = {name: value for name, value in body.items() if name not in ("do", "who", "second")}
    details = [f"{name} {value}" for name, value in shown_fields.items() if isinstance(value, str | int)]
    return f"{body['do'].replace('-', ' ').capitalize()}: {', '.join(details)}."


def _describe_payment(body: Body, states: StateAccess) -> str:
    return f"{_describe_claim('Pay', body, states)}{_format_payees(body['paid'])}."


def _format_payees(payouts: Mapping[str, Mapping[str, str]]) -> str:
    payees = [
        f"{payment['player']} at seat {seat} ({payment['payment']} {payment['reference']})"
        for seat, payment in payouts.items()
    ]
    return f" to {', '.join(payees)}" if payees else " to the balances of the players who sat there"


def _describe_refusal(body: Body, states: StateAccess) -> str:
    return f"{_describe_claim('Refuse', body, states)}: {body['why']}."


def _describe_claim(verb: str, body: Body, states: StateAccess) -> str:
    """A claim, and its amount while it is pending."""
    claim = next(
        (
            pending_claim
            for pending_claim in states.jackpot(body["jackpot"]).claims
            if pending_claim.id == body["claim"]
        ),
        None,
    )
    seats = body.get("seats") or (() if claim is None else claim.seats)
    cents = 0 if claim is None else sum(amount for seat, amount in cents_by_seat(claim.prizes).items() if seat in seats)
    at = f" at seat {', '.join(map(str, seats))}" if body.get("seats") else ""
    return f"{verb} {format_cents(cents)} of claim {body['claim']} on jackpot {body['jackpot']}{at}"


def _describe_cage(words: str) -> Callable[[Body, StateAccess], str]:
    return lambda body, _: (
        f"{words.format(amount=format_cents(body['cents']), player=body['player'])}, slip {body['reference']}."
    )


def _describe_meter(words: str) -> Callable[[Body, StateAccess], str]:
    """A change to one level of a jackpot."""

    def describe(body: Body, _: StateAccess) -> str:
        amount = format_cents(abs(body.get("cents", 0)))
        action = words.format(
            amount=amount, held=body.get("holder", ""), way="up" if body.get("cents", 0) > 0 else "down"
        )
        return f"{action}, level {body['level']} of jackpot {body['jackpot']}: {body['why']}."

    return describe


def _describe_change(body: Body, _: StateAccess) -> str:
    changes = ", ".join(f"{name} to {value}" for name, value in sorted(body["changes"].items()))
    return f"Change {changes}, level {body['level']} of jackpot {body['jackpot']}: {body['why']}."


def _describe_bonus(body: Body, _: StateAccess) -> str:
    return f"Change the bonus on {body['event']} of jackpot {body['jackpot']} to {body['amount']}: {body['why']}."


def _describe_cancellation(body: Body, states: StateAccess) -> str:
    return f"Void round {states.table(body['table']).round}, every wager goes back: {body['why']}."


def _describe_void(body: Body, _: StateAccess) -> str:
    return f"Void round {body['round']} of table {body['table']}, every wager goes back: {body['reason']}."


def _describe_fields(words: str) -> Callable[[Body, StateAccess], str]:
    return lambda body, _: words.format(**{"name": "", "role": "", "why": "", **body})


def _describe_promotion(body: Body, _: StateAccess) -> str:
    paid = f"Pay the prize of promotion {body['promotion']} for round {body['round']} of table {body['table']}"
    return f"{paid} again: {body['again']}." if body.get("again") else f"{paid}."


def _describe_counter(body: Body, _: StateAccess) -> str:
    counters = ", ".join(map(str, body["counters"]))
    return f"Enter {counters} as the counter of table {body['table']}: {body.get('why', '')}."


def _describe_reimbursement(body: Body, states: StateAccess) -> str:
    owed = format_cents(states.jackpot(body["jackpot"]).cage_advance // CENT)
    amount = f"the whole cage advance, {owed}," if body["cents"] is None else format_cents(body["cents"])
    return f"Pay the cage {amount} from the bank account of jackpot {body['jackpot']}, transfer {body['reference']}."


def _describe_statement(body: Body, states: StateAccess) -> str:
    """The reason comes last: a long reason hides nothing else."""
    state, day = states.jackpot(body["jackpot"]), f" of {body['day']}" if body["day"] else ""
    balance, last = format_cents(body["statement"]), state.reconciled
    parts = [f"Enter {balance} as the balance of the bank's statement{day} for jackpot {body['jackpot']}"]
    if last is not None and body["day"] is None:
        parts.append(f"in place of the statement of {last.day} if that is today")
    elif last is not None and body["day"] == last.day.isoformat():
        parts.append("in place of the statement of that day")
    if body.get("shortage"):
        parts.append(f"with a confirmed shortage of {format_cents(body['shortage'])}, which closes the jackpot")
    elif state.short:
        parts.append("which opens the jackpot again if the account is no longer short")
    for name, words in (("in_transit", "deposits in transit"), ("outstanding", "payments outstanding")):
        parts += [f"with {words}: {', '.join(body[name])}"] if body.get(name) else []
    return f"{', '.join(parts)}{'; reason: ' + body['why'] if body.get('why') else ''}."


def _describe_rotation(template: str) -> Callable[[Body, StateAccess], str]:
    return lambda body, _: template.format(place=f", in {body['to']}" if "to" in body else "", why=body["why"])


def _describe_with_reason(template: str) -> Callable[[Body, StateAccess], str]:
    return lambda body, _: f"{template.format(**body)}: {body['why']}."


_DESCRIPTIONS: Final[Mapping[str, Callable[[Body, StateAccess], str]]] = {
    "pay": _describe_payment,
    "refuse": _describe_refusal,
    "reverse-prizes": _describe_with_reason("Reverse the prizes that {claim} paid at once from jackpot {jackpot}"),
    "pay-in": _describe_cage("Pay {amount} from {player} into the balance"),
    "pay-out": _describe_cage("Pay {amount} to {player} from the balance"),
    "correct-malfunction": _describe_meter("Correct the meter {way} by {amount} after a malfunction"),
    "add-seed": _describe_meter("Add {amount} of seed money"),
    "recover-seed": _describe_meter("Recover {amount} of seed money"),
    "lower-to-ceiling": _describe_meter("Move the amount above the ceiling to the overflow"),
    "remove-hidden": _describe_meter("Remove {amount} from the {held}"),
    "reimburse-cage": _describe_reimbursement,
    "reconcile": _describe_statement,
    "change-table": describe_table_change,
    "change-parameters": _describe_change,
    "change-bonus": _describe_bonus,
    "remove": _describe_with_reason("Remove jackpot {jackpot} for good"),
    "void-automatic-round": _describe_cancellation,
    "void-live-round": _describe_cancellation,
    "void-round": _describe_void,
    "add-user": _describe_fields("Add {login} ({name}) as {role}."),
    "recover-user": _describe_fields("Give {login} another password for one use."),
    "assign-role": _describe_fields("Give {login} the role {role}."),
    "deactivate-user": _describe_fields("Deactivate the login {login}: {why}."),
    "pay-promotion": _describe_promotion,
    "read-counter": _describe_counter,
    "accept-rounds": _describe_with_reason(
        "Accept {rounds} rounds of device {device} beyond what its table can have played"
    ),
    "accept-logger-records": _describe_with_reason(
        "Accept {rounds} data logger records of table {table} beyond what it can have played"
    ),
    "refuse-rounds": _describe_with_reason("Refuse the rounds of device {device}, and remove the device"),
    "reverse-reading": _describe_with_reason("Reverse the reading {reading} of table {table}"),
    "skip-records": _describe_with_reason("Skip lost records of the data logger at table {table}, counter {counter}"),
    "configure-room": _describe_with_reason("Change the settings of the room"),
    "replace-heads-key": _describe_with_reason("Let the key {key} sign heads from now on"),
    "confirm-restore": _describe_fields(
        "Restore the ledger with {events} events in {chains} chains, heads {heads}; {users} users and {devices} "
        "devices may still have access."
    ),
    "rotate-key": _describe_rotation("Encrypt every secret under a new key{place}: {why}."),
    "rotate-key-and-secret": _describe_rotation(
        "Encrypt every secret under a new key{place}, and replace the room's secret; every session ends, and devices "
        "need new tokens: {why}."
    ),
    "back-up-key": _describe_fields("Write the room's key {key} to {file}."),
    "replace-secret": _describe_fields(
        "Continue with another key; every session ends, and devices need new tokens: {why}."
    ),
    "void-round-and-renew-seal": _describe_with_reason(
        "Void the round in progress at table {table}, every wager goes back, and draw a new key"
    ),
}
