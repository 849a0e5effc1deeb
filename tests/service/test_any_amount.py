"""A command with any amount returns a result or is refused with a sentence, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardroom.chart_of_accounts import MOST_CENTS, Currency
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.ledger import open_ledger
from cardroom.room.promotion.setup import Promotion
from cardroom.room.setup.jackpot import JackpotSetup, jackpot_setup_from_mapping, jackpot_setup_to_mapping
from cardroom.service import CardRoom, verify_card_room
from tests.examples import examples
from tests.service.card_rooms import final_four, new_id
from tests.service.live_scenes import PRIME, begin, live_prime
from tests.service.test_promotions import STRAIGHTS

AMOUNTS = st.one_of(
    st.integers(-(10**30), 10**30),
    st.sampled_from([MOST_CENTS, MOST_CENTS + 1, 2**63 - 1, 2**63, 2**64, 92233720368547757_00]),
)
Command = Callable[[CardRoom, int], object]


def _jackpot_with_seed(cents: int) -> JackpotSetup:
    entry = jackpot_setup_to_mapping(final_four())
    level = {**entry["levels"][0], "seed": format_cents(cents)}
    level.pop("ceiling", None)
    return jackpot_setup_from_mapping({**entry, "id": new_id(), "levels": [level]})


def _promotion(cents: int) -> Promotion:
    return STRAIGHTS._replace(id=f"p-{new_id()}", name=new_id(), prize=cents, most_cents=cents)


COMMANDS: dict[str, Command] = {
    "deposit": lambda card_room, cents: card_room.jackpots.deposit_to_bank(
        new_id(), "Olga", "final-four", cents, new_id()
    ),
    "add-seed": lambda card_room, cents: card_room.jackpots.add_seed(
        new_id(), "Olga", "final-four", "main", cents, "more", second="Lee"
    ),
    "recover-seed": lambda card_room, cents: card_room.jackpots.recover_seed(
        new_id(), "Olga", "final-four", "main", cents, "back", second="Lee"
    ),
    "remove-hidden": lambda card_room, cents: card_room.jackpots.remove_undisplayed_money(
        new_id(), "Olga", "final-four", "main", "reserve", cents, "too much", second="Lee"
    ),
    "correct": lambda card_room, cents: card_room.jackpots.correct_malfunction(
        new_id(), "Olga", "final-four", "main", cents, "it jumped", second="Lee", report="M-1"
    ),
    "reconcile": lambda card_room, cents: card_room.jackpots.reconcile(new_id(), "Olga", "final-four", cents, day=None),
    "pay-in": lambda card_room, cents: card_room.players.pay_in(new_id(), "Olga", "ada", cents, "slip", second="Lee"),
    "pay-out": lambda card_room, cents: card_room.players.pay_out(new_id(), "Olga", "ada", cents, "slip", second="Lee"),
    "ceiling": lambda card_room, cents: card_room.jackpots.change_parameters(
        new_id(), "Olga", "final-four", "main", {"ceiling": format_cents(cents)}, "higher", second="Lee"
    ),
    "open": lambda card_room, cents: card_room.jackpots.open(new_id(), "Olga", _jackpot_with_seed(cents)),
    "promotion": lambda card_room, cents: card_room.promotions.announce(new_id(), "Olga", _promotion(cents)),
    "typed wager": lambda card_room, cents: card_room.type_cards(
        new_id(), "Kim", PRIME, wagers={1: {"ante-play": cents}}
    ),
}


@pytest.fixture(scope="module")
def busy_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    folder: Path = tmp_path_factory.mktemp("amounts")
    with open_ledger(f"sqlite:///{folder}/room.db") as ledger:
        card_room = CardRoom(ledger)
        live_prime(card_room)
        begin(card_room)
        card_room.players.admit_player(new_id(), "Olga", "ada", Currency.REAL)
        card_room.malfunctions.report(new_id(), "Olga", "M-1", "final-four", found_at="now", why="it jumped")
        yield card_room


@pytest.mark.parametrize("command", COMMANDS)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cents=AMOUNTS)
def test_a_command_with_any_amount_succeeds_or_is_refused_with_a_sentence(
    busy_room: CardRoom, command: str, cents: int
) -> None:
    with suppress(BadInput):
        COMMANDS[command](busy_room, cents)


def test_the_ledger_is_consistent_after_commands_with_any_amount(busy_room: CardRoom) -> None:
    assert verify_card_room(busy_room.ledger).is_consistent


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"typed wager", "pay-out", "remove-hidden"}))
def test_the_refusal_of_an_amount_that_is_too_large_names_the_maximum(busy_room: CardRoom, command: str) -> None:
    with pytest.raises(BadInput, match=r"\$100,000,000,000"):
        COMMANDS[command](busy_room, 99999999999999999999999_00)
