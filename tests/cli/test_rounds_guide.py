"""The guide to past rounds, run from its first command to its last: what it shows is what happens."""

from __future__ import annotations

from itertools import count

import pytest

from cardroom.cards import key_from_seed
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import CliRoom
from tests.cli.test_jackpot_guide import run_guide
from tests.service.table_scenes import ANTE, PRIME, all_wager, an_id, guests, open_prime, play_on


def test_the_guide_to_past_rounds_tells_the_truth(cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(cli_room.folder)
    with open_ledger(cli_room.database) as ledger:
        card_room = CardRoom(ledger, keys=map(key_from_seed, (f"guide {number}" for number in count(21))).__next__)
        open_prime(card_room)
        ann, bob = guests(card_room, 2)
        card_room.place_wagers(an_id(), ann, PRIME, ANTE, "swordfish")
        all_wager(card_room, [bob])
        play_on(card_room, answer="play")
        all_wager(card_room, [ann, bob])
        play_on(card_room, answer="fold")
    assert run_guide(cli_room, "rounds.md", COLUMNS="300") == 7
