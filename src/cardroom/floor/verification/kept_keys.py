"""What is kept hidden: the key of the coming round of each open felt, the room's secret, and what is kept of passwords.
Each opens its seal, and nothing else is kept.

A key that is wrong is never told here: whoever reads a report must not learn what is not due yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from cardroom.cards.shuffle import KEY_BYTES
from cardroom.floor.felt.playing import seal_of
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import ROOM, felt_chain, person_chain
from cardroom.floor.kept.rooms_secret import seal_of_secret
from cardroom.floor.people.passwords import seal_of_kept
from cardroom.floor.people.state import PersonState
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed
from cardroom.jackpots.room.state import RoomState
from cardroom.ledger import schema
from cardroom.ledger.encryption import SecretChanged, Vault, WrongRoomKey, fingerprint_of
from cardroom.ledger.store import LedgerReader


class Kept(NamedTuple):
    """Something that must be kept hidden."""

    chain: str
    seal: str
    """Its name."""
    opens: Callable[[bytes], bool]
    what: str
    another: str
    """What is wrong when something else is kept in its place."""
    gone: str
    """What is wrong when it is not kept."""
    encrypted: bool = True
    """Under the room's key. Password hashes are not."""


def compare_keys(
    felts: Mapping[str, FeltState],
    people: Mapping[str, PersonState],
    room: RoomState,
    now: LedgerReader,
    vault: Vault | None,
) -> int:
    """Find what is missing, does not open its seal, or is waited for by nothing. Gives how many secrets could not be
    decrypted: without the room's key it is checked that each is there, encrypted under the key that the room's chain
    names."""
    waiting, unopened = {(one.chain, one.seal): one for one in _due(felts, people, room.secret)}, 0
    for chain, name, value in now.rows(schema.secrets):
        kept = waiting.pop((chain, name), None)
        if kept is None:
            sentence = f"Something is kept hidden for {chain} under the name {name} for which nothing waits."
            raise NotAsReplayed(Discrepancy(sentence, chain, None, name, "nothing", "a secret"))
        stored = bytes(value)
        if not kept.encrypted:
            opens = kept.opens(stored)
        elif not (under := fingerprint_of(stored)) or (room.key and under != room.key):
            opens = False
        elif vault is None:
            unopened, opens = unopened + 1, True
        else:
            opens = _opens(kept, stored, vault)
        if not opens:
            raise NotAsReplayed(Discrepancy(kept.another, chain, None, name, kept.what, "another one"))
    for kept in waiting.values():
        raise NotAsReplayed(Discrepancy(kept.gone, kept.chain, None, kept.seal, kept.what, "none"))
    return unopened


def _opens(kept: Kept, stored: bytes, vault: Vault) -> bool:
    try:
        return kept.opens(vault.decrypt(kept.chain, kept.seal, stored))
    except (SecretChanged, WrongRoomKey):
        return False


def _due(felts: Mapping[str, FeltState], people: Mapping[str, PersonState], secret: str) -> Iterator[Kept]:
    if secret:
        yield Kept(
            ROOM,
            secret,
            lambda value: seal_of_secret(value) == secret,
            "the secret that was sealed",
            "The secret that the room keeps is not the one whose seal was shown.",
            "The room's secret is not kept any more: nobody's token can be read.",
        )
    for _, felt in sorted(felts.items()):
        if felt.seal:
            yield Kept(
                felt_chain(felt.table),
                felt.seal,
                lambda value, felt=felt: len(value) == KEY_BYTES and seal_of(value, felt.round).matches(felt.seal),  # type: ignore[misc]
                "the key that was sealed",
                f"The key that is kept for round {felt.round} does not open the seal that was shown for it.",
                f"The key of round {felt.round} is not kept any more: nobody can deal it.",
            )
    for _, person in sorted(people.items()):
        for what, seal in (("password", person.password), ("PIN", person.pin)):
            if seal:
                yield Kept(
                    person_chain(person.login),
                    seal,
                    lambda value, seal=seal: seal_of_kept(value.decode(errors="replace")) == seal,  # type: ignore[misc]
                    f"what was kept of the {what}",
                    f"What is kept of the {what} of {person.login} is not what the books say: somebody has put another "
                    "in its place.",
                    f"Nothing is kept of the {what} of {person.login} any more: nobody can sign in with it.",
                    encrypted=False,
                )
