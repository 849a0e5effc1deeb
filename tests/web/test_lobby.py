"""The lobby says what a visitor has."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.room.user.permissions import Role
from cardroom.web.pages.templating import currency_name
from tests.service.staff import CAGE, FIRST, SUPERVISOR, Both, hire, staffed
from tests.web.rooms import serve_room
from tests.web.users import visit


@pytest.mark.parametrize("money", Currency)
def test_the_lobby_names_the_money_that_a_player_has(tmp_path: Path, money: Currency) -> None:
    with serve_room(tmp_path) as room:
        staffed(room.card_room)
        room.card_room.players.admit_player("account", FIRST, "rita", money)
        Both(room.card_room).players.pay_in("money", CAGE, "rita", 500_00, "slip 1", second=SUPERVISOR)
        hire(room.card_room, "rita", Role.PLAYER)
        rita = visit(room, "rita")
        assert f"You have $500 of {currency_name(money)} to bring to a table." in rita.get("/").text
        assert f"Balance, {currency_name(money)}" in rita.get("/me").text
