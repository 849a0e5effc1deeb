"""The second signature: one person's consent to one command, stored in the same transaction as the command's events.

A command that names other people beside its sender cannot be carried out before each of them has signed it. Asked
without their signatures, it is refused with what there is to sign (`Unsigned`): the command's id, the digest of its
canonical body, and a sentence with payee and amount. A signature is made for exactly that. It exists only in memory
until the command is stored, so it cannot be stored without the command, used for another one, or used twice.

Today a person signs with the login's password. A PIN or a badge would be another way to make a `Signature`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from cardroom.errors import BadInput
from cardroom.floor.people.permissions import PERMISSIONS, Right, refuse_beside
from cardroom.floor.people.signing import SignInFailed
from cardroom.floor.people.state import PersonState

A = TypeVar("A")


class Part(StrEnum):
    """For what a person signs beside the sender of a command."""

    SECOND = "second"
    SURVEILLANCE = "surveillance"


class ToSign(NamedTuple):
    """What a person is asked to sign: one command, and no other."""

    part: Part
    login: str
    beside: str
    """Who sends the command."""
    command: str
    digest: str
    """Of the command's canonical body, as the ledger stores it."""
    act: str
    """What will be done, with payee and amount, in a sentence."""


class Signature(NamedTuple):
    """That a person has agreed to one command."""

    to_sign: ToSign
    right: Right
    """What the command takes; the person's role may sign beside it."""
    password: str
    """The digest of the password that was compared: another one has been chosen since if it differs."""
    address: str


Sign = Callable[[ToSign], Signature]
"""How a person is asked to sign."""


class Unsigned(BadInput):
    """A command that names a person who has not signed it."""

    def __init__(self, to_sign: ToSign) -> None:
        super().__init__(f"{to_sign.login} has not signed this: the person named here signs in for it.")
        self.to_sign = to_sign


class SignedAnother(BadInput):
    """A signature for something else than what would be done."""


_SIGNED: ContextVar[tuple[Signature, ...]] = ContextVar("signatures", default=())


@contextmanager
def signed(*signatures: Signature) -> Iterator[None]:
    """The commands that are carried out inside have these signatures."""
    token = _SIGNED.set(signatures)
    try:
        yield
    finally:
        _SIGNED.reset(token)


def with_signatures(do: Callable[[], A], *signatures: Signature) -> A:
    """Carry out what was signed."""
    with signed(*signatures):
        return do()


def carry_out_signed(do: Callable[[], A], sign: Sign) -> A:
    """Carry out a command for which other people sign first: each is asked for what it would do, and nothing else."""
    signatures: list[Signature] = []
    for _ in Part:
        try:
            return with_signatures(do, *signatures)
        except Unsigned as unsigned:
            signatures.append(sign(unsigned.to_sign))
    return with_signatures(do, *signatures)


class _Foreseen(BadInput):
    """What a command would do, in place of doing it."""


_FORESEEING: ContextVar[bool] = ContextVar("foreseeing", default=False)


def foresee_act(do: Callable[[], object]) -> str:
    """What a command would do, in the sentence that is signed; it is not carried out. Empty where it is refused."""
    token = _FORESEEING.set(True)
    try:
        do()
    except _Foreseen as act:
        return str(act)
    except BadInput:
        return ""
    finally:
        _FORESEEING.reset(token)
    raise RuntimeError("Something else than a command was asked what it would do.")


def stop_if_foreseen(describe: Callable[[], str]) -> None:
    """Every command stops here while it is only asked what it would do."""
    if _FORESEEING.get():
        raise _Foreseen(describe())


def people_beside(body: Mapping[str, Any]) -> dict[Part, str]:
    """Who signs a command beside its sender."""
    surveillance = body.get(Part.SURVEILLANCE)
    beside = {Part.SECOND: body.get(Part.SECOND), Part.SURVEILLANCE: surveillance and surveillance["by"]}
    return {part: login.strip() for part, login in beside.items() if login and login.strip()}


def signature_for(to_sign: ToSign) -> Signature:
    """The signature on a command, if that and nothing else was signed."""
    for one in _SIGNED.get():
        if (one.to_sign.part, one.to_sign.login) == (to_sign.part, to_sign.login):
            if one.to_sign != to_sign:
                raise signed_another(one, to_sign.act)
            return one
    raise Unsigned(to_sign)


def signed_another(signature: Signature, act: str) -> SignedAnother:
    """The sentence for a command that is not the one that was signed."""
    to_sign = signature.to_sign
    return SignedAnother(
        f"{to_sign.login} signed something else ({to_sign.act}), and now it is: {act} Nothing was done; sign again."
    )


def refuse_signer(state: PersonState, right: Right) -> None:
    """Refuse the signature of a person whose password is for one time, or whose role does not sign for this."""
    if state.once_until:
        raise SignInFailed(f"{state.login} has a password for one time: sign in and choose another one first.")
    if state.role not in PERMISSIONS[right].beside:
        raise refuse_beside(state.login, state.role, right)
