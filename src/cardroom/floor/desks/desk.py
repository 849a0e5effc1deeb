"""Where commands are carried out: everything that a command changes is locked, decided, and stored together."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, TypeVar

from cardroom.cards.shuffle import KEY_BYTES
from cardroom.errors import BadInput
from cardroom.floor.desks.acts import describe_act
from cardroom.floor.desks.draft import Draft, Memory, refuse_too_much
from cardroom.floor.desks.signatures import (
    Signature,
    ToSign,
    people_beside,
    refuse_signer,
    signature_for,
    signed_another,
    stop_if_foreseen,
)
from cardroom.floor.desks.standings import Standings
from cardroom.floor.kept.chains import (
    ROOM,
    jackpot_chain,
    jackpot_of,
    person_chain,
    promotion_chain,
    promotion_of,
    table_chain,
    table_of,
)
from cardroom.floor.kept.rooms_secret import seal_of_secret
from cardroom.floor.kept.subjects import Subject
from cardroom.floor.people.senders import person_id, stored_id
from cardroom.floor.people.signing import SignInFailed, countersign
from cardroom.jackpots.happenings import SecretSealed
from cardroom.ledger import (
    Clock,
    Command,
    CommandOutcome,
    CommandResult,
    Head,
    Json,
    Lease,
    Ledger,
    UniqueKey,
    system_clock,
)
from cardroom.ledger.canonical_json import body_digest

A = TypeVar("A")
Body = Mapping[str, Json]
Decide = Callable[[Draft], Json]
"""Makes what happens, and the answer."""


Keys = Callable[[], bytes]
"""Where keys come in from outside."""


def fresh_key() -> bytes:
    """A key that nobody can know."""
    return secrets.token_bytes(KEY_BYTES)


THE_HOUSE: Final = "the house"


class SecretLost(BadInput):
    """The room's secret was taken away outside the program."""


class Desk(Standings):
    """A ledger, and the states that were read from it. Threads may share one; processes each have their own."""

    _secret: tuple[str, bytes] | None = None
    """With its seal. Asked for with every call that shows a token, so it is read once."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: Keys = fresh_key) -> None:
        self.ledger = ledger
        self._clock, self._fresh_key = clock, keys
        self._memory = Memory()

    def _state(self, subject: Subject[A], id: str) -> A:
        head = self.ledger.head(subject.chain(id))
        if head is None:
            raise subject.unknown(id)
        return self._memory.state(subject, head)

    def _today(self) -> date:
        """The day in the card room's own time."""
        return self.calendar.local(self._clock()).date()

    def tables(self) -> tuple[str, ...]:
        """The tables that have been opened."""
        return tuple(table for chain in self.ledger.chains() if (table := table_of(chain)) is not None)

    def jackpots(self) -> tuple[str, ...]:
        """The jackpots that have been opened, also those that were removed since."""
        return tuple(jackpot for chain in self.ledger.chains() if (jackpot := jackpot_of(chain)) is not None)

    def house_versions(self) -> dict[str, int]:
        """How many events there have been on each chain of the house's own: jackpots, promotions, tables, the room."""
        kinds = (jackpot_chain(""), promotion_chain(""), table_chain(""), ROOM)
        return {chain: events for kind in kinds for chain, events in self.ledger.chain_lengths(kind).items()}

    def promotions(self) -> tuple[str, ...]:
        """The promotions that have been announced, also those that have ended."""
        return tuple(name for chain in self.ledger.chains() if (name := promotion_of(chain)) is not None)

    def _command(
        self,
        id: str,
        body: Body,
        chains: tuple[str, ...],
        decide: Decide,
        names: tuple[UniqueKey, ...] = (),
        under: Lease | None = None,
    ) -> Command:
        refuse_too_much(body)
        stop_if_foreseen(lambda: describe_act(body, self))
        stored = stored_id(id, body)
        signatures = self._signatures(stored, body)

        def decided(heads: Mapping[str, Head | None]) -> CommandOutcome:
            draft = Draft(self._memory, heads, names, self._clock)
            for one in signatures:
                if (act := describe_act(body, draft)) != one.to_sign.act:
                    raise signed_another(one, act)
            answer = decide(draft)
            for one in signatures:
                self._attach(draft, one)
            return draft.outcome(answer)

        signers = (person_chain(one.to_sign.login) for one in signatures)
        return Command(stored, tuple(dict.fromkeys((*chains, *signers))), body, decided, names, under, displayed_id=id)

    def carried(self, who: str, id: str) -> CommandResult | None:
        """The answer that a person's command got, by the id that the person gave it."""
        return self.ledger.find_result(person_id(who, id))

    def _signatures(self, id: str, body: Body) -> tuple[Signature, ...]:
        """The signatures of everybody whom a command names beside its sender. Nobody could sign in a room that has no
        users, and a command that was carried out before was signed then."""
        beside = people_beside(body)
        if not beside or not self.ledger.chains(person_chain("")) or self.ledger.find_result(id) is not None:
            return ()
        digest, act, who = body_digest(body).hex(), describe_act(body, self), str(body["who"])
        return tuple(signature_for(ToSign(part, login, who, id, digest, act)) for part, login in beside.items())

    def _attach(self, draft: Draft, signature: Signature) -> None:
        """Store a signature with what was signed."""
        to_sign, state = signature.to_sign, draft.person(signature.to_sign.login)
        if state.password != signature.password or not state.is_active:
            raise SignInFailed(f"{state.login} cannot sign any more: sign in again, or name another person.")
        refuse_signer(state, signature.right)
        signed = countersign(state, to_sign.beside, to_sign.act, signature.address, to_sign.command, to_sign.digest)
        draft.at_person(state.login, signed)

    def _do(
        self,
        id: str,
        body: Body,
        chains: tuple[str, ...],
        decide: Decide,
        read: Callable[[Any], A],
        names: tuple[UniqueKey, ...] = (),
    ) -> A:
        return read(self.ledger.execute(self._command(id, body, chains, decide, names)).response)

    # The room's own secret: sessions, tokens of guests, and tokens of devices are recognized with it. It is encrypted
    # in the database under the room's key, which is not there: a person who reads or writes the database can neither
    # make a token nor recognize one.

    def secret(self) -> bytes:
        """The room's own secret of 32 bytes, made when it is first asked for. It is in no event and in no answer."""
        if self._secret is None:
            self._secret = self._kept_secret()
        return self._secret[1]

    def _kept_secret(self) -> tuple[str, bytes]:
        if not self.room().secret:
            self._make_secret()
        seal = self.room().secret
        known = self.ledger.read_secret(ROOM, seal)
        if known is None or seal_of_secret(known) != seal:
            raise SecretLost("The room's secret is not in the database any more: restore the last backup.")
        return seal, known

    def _make_secret(self) -> None:
        made, key = self._fresh_key(), self.ledger.vault.key.fingerprint
        seal = seal_of_secret(made)

        def decide(draft: Draft) -> Json:
            if not draft.room().secret:  # another program may have been quicker
                draft.hide(ROOM, seal, made)
                draft.at_room((SecretSealed(THE_HOUSE, seal, key),))
            return None

        self._do(f"secret/{seal}", {"do": "seal-secret"}, (ROOM,), decide, lambda _: None)
