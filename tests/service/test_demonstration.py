"""The room to show opens as it is: five tables of play money, each with a progressive of its own."""

from __future__ import annotations

import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.cli.shared.setup_files import ExamplePart, example_files
from cardroom.games import TabulatorType, game, game_slugs
from cardroom.room.setup import example as setups
from cardroom.room.setup.example import DemoTable, demo_tables, has_logger, jackpot_example
from cardroom.room.setup.jackpot import (
    JackpotKind,
    jackpot_setup_from_mapping,
    jackpot_setup_to_mapping,
    read_jackpot_setup,
)
from cardroom.room.setup.jackpot_validation import validate_jackpot
from cardroom.room.setup.tabulator_models import bet_tabulator_model
from cardroom.service import CardRoom, verify_card_room
from tests.service.card_rooms import new_id


def open_shown(card_room: CardRoom, shown: DemoTable) -> None:
    card_room.open_jackpot(new_id(), "Olga", shown.jackpot)
    card_room.install_tabulator(new_id(), "Olga", shown.setup, shown.tabulator, shown.unit)


def test_every_game_of_the_house_has_its_table_and_its_jackpot(in_a_file: CardRoom) -> None:
    shown = demo_tables()
    assert [one.setup.game for one in shown] == list(game_slugs()[:5])
    for one in shown:
        open_shown(in_a_file, one)
        table, jackpot = in_a_file.tabulator(one.table), in_a_file.jackpot(one.jackpot.id)
        assert (table.money, jackpot.money, jackpot.kind) == (Currency.PLAY, Currency.PLAY, JackpotKind.PROGRESSIVE)
        assert table.jackpots == (jackpot.id,)
        assert jackpot.meters[0].displayed_cents == 5_000_00
        assert table.game_setup.wagers == one.setup.wagers
    assert len(in_a_file.list_jackpots()) == len(in_a_file.list_tabulators()) == 5
    assert all(account.currency is Currency.PLAY for account in in_a_file.ledger.balances())
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize("shown", demo_tables(), ids=lambda one: one.table)
def test_its_tabulators_are_approved_count_by_themselves_and_watch_every_seat(shown: DemoTable) -> None:
    chosen = TabulatorType(shown.tabulator.tabulator)
    assert chosen in game(shown.setup.game).facts.tabulators
    assert not bet_tabulator_model(chosen).data_logger
    assert shown.tabulator.positions >= shown.setup.seats >= 6


@pytest.mark.parametrize("shown", demo_tables(), ids=lambda one: one.table)
def test_its_wagers_are_counted_and_the_meter_grows(in_a_file: CardRoom, shown: DemoTable) -> None:
    open_shown(in_a_file, shown)
    in_a_file.tabulate(new_id(), "Kim", shown.table, {1: range(1, shown.setup.seats + 1)})
    wagered = shown.setup.seats * shown.jackpot.wagers[0]
    assert in_a_file.jackpot(shown.jackpot.id).meters[0].displayed_cents == 5_000_00 + wagered // 5


@pytest.mark.parametrize("kind", [None, *JackpotKind])
def test_a_jackpot_of_an_example_is_what_its_file_says(kind: JackpotKind | None) -> None:
    for slug in list(game_slugs()[:5]):
        chosen = jackpot_example(slug, kind)
        setup = chosen.jackpot_setup()
        assert validate_jackpot(setup).kind is chosen.kind
        assert jackpot_setup_from_mapping(jackpot_setup_to_mapping(setup)) == setup
        written = read_jackpot_setup(example_files(slug, kind)[ExamplePart.JACKPOT])
        assert jackpot_setup_to_mapping(written) == jackpot_setup_to_mapping(setup)


def test_a_model_with_a_data_logger_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever stands first among the approved ones."""
    met = 0
    for shown in demo_tables():
        models = game(shown.setup.game).facts.tabulators
        assert shown.tabulator.tabulator == next(one for one in models if not has_logger(one))
        if len(models) > 1:
            monkeypatch.setattr(setups, "has_logger", lambda one, first=models[0]: one == first)
            assert setups.build_demo_table(shown.setup.game, "t").tabulator.tabulator == models[1]
            met += 1
    assert met
