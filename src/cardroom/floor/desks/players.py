"""Players: admitted, paid in and out at the cage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.payments import refuse_used
from cardroom.floor.kept.chains import ROOM, player_chain, player_of
from cardroom.floor.kept.subjects import PLAYERS
from cardroom.floor.players.admitting import BadPlayer, admit, admit_guest, guest_name, pay_in, pay_out
from cardroom.floor.players.state import PlayerState
from cardroom.jackpots import Happening
from cardroom.jackpots.people import named
from cardroom.jackpots.references import plain_name
from cardroom.ledger import Json, UniqueKey

Pay: TypeAlias = Callable[..., tuple[Happening, ...]]


class PlayerStanding(NamedTuple):
    """A player after a command; the amount is in cents."""

    player: str
    money: Currency
    guest: bool
    balance: int


class PlayerDesk(Desk):
    """The cage, and the door."""

    def admit_guest(self, id: str) -> PlayerStanding:
        """A guest comes in with play money. The name follows from the command's id."""
        player = guest_name(id)

        def decide(draft: Draft) -> Json:
            if draft.has(PLAYERS, player):
                raise BadPlayer(f"{player} was admitted already: give the command another id.")
            return _entry(draft.at_player(player, admit_guest(player)))

        return self._do(id, {"do": "admit-guest"}, (player_chain(player),), decide, _standing)

    def admit_player(self, id: str, who: str, player: str, money: Currency) -> PlayerStanding:
        """A named player gets an account for one of the two moneys."""
        body: dict[str, Json] = {"do": "admit-player", "who": who, "player": player, "money": str(money)}
        admitted = admit(player, money, who)

        def decide(draft: Draft) -> Json:
            if draft.has(PLAYERS, player):
                raise BadPlayer(f"There is a player {player} already: give this one another name.")
            return _entry(draft.at_player(player, admitted))

        return self._do(id, body, (player_chain(player),), decide, _standing)

    def pay_in(
        self, id: str, who: str, player: str, cents: int, reference: str, *, second: str | None = None
    ) -> PlayerStanding:
        """The cage takes money for a player's balance; two people do."""
        return self._at_cage(id, "pay-in", pay_in, who, player, cents, reference, second)

    def pay_out(
        self, id: str, who: str, player: str, cents: int, reference: str, *, second: str | None = None
    ) -> PlayerStanding:
        """The cage pays money from a player's balance; two people do."""
        return self._at_cage(id, "pay-out", pay_out, who, player, cents, reference, second)

    def _at_cage(
        self, id: str, do: str, pay: Pay, who: str, player: str, cents: int, reference: str, second: str | None
    ) -> PlayerStanding:
        body: dict[str, Json] = {"do": do, "who": who, "second": second, "player": player, "cents": cents}

        chain, slip = player_chain(player), f"slip {reference}"

        def decide(draft: Draft) -> Json:
            paid = pay(draft.player(player), cents, who=who, second=second, reference=reference)
            refuse_used(draft, chain, slip)
            return _entry(draft.at_player(player, paid))

        names = (UniqueKey(chain, plain_name(slip)),)
        return self._do(id, {**body, "reference": reference}, (chain, ROOM), decide, _standing, names)

    def players(self) -> tuple[str, ...]:
        """The players who have been admitted."""
        chains = self.ledger.chains(player_chain(""))
        return tuple(player for chain in chains if (player := player_of(chain)) is not None)


class NoSuchMoney(BadInput):
    """A money that there is not."""


def money_named(text: str) -> Currency:
    """The money that a text names.

    >>> money_named("play")
    <Currency.PLAY: 'play'>
    """
    try:
        return Currency(named(text, "kind of money"))
    except ValueError:
        raise NoSuchMoney(f"There is no money {text!r}: choose {' or '.join(Currency)}.") from None


def _entry(state: PlayerState) -> dict[str, Json]:
    names = ("player", "guest", "balance")
    return {name: getattr(state, name) for name in names} | {"money": str(state.money)}


def _standing(answer: Any) -> PlayerStanding:
    return PlayerStanding(answer["player"], Currency(answer["money"]), answer["guest"], answer["balance"])
