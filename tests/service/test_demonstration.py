"""The demonstration room: five tables for play money, each with its own progressive."""

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
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from tests.service.card_rooms import new_id


def open_demo_table(card_room: CardRoom, demo: DemoTable) -> None:
    card_room.jackpots.open(new_id(), "Olga", demo.jackpot)
    card_room.add_table(
        new_id(),
        "Olga",
        RoomTableSetup(demo.tabulator.table, demo.setup, tabulator=UnitSetup(demo.tabulator, demo.unit)),
    )


def test_every_built_in_game_has_a_table_and_a_jackpot(in_a_file: CardRoom) -> None:
    tables = demo_tables()
    assert [demo.setup.game for demo in tables] == list(game_slugs()[:5])
    for demo in tables:
        open_demo_table(in_a_file, demo)
        table, jackpot = in_a_file.tabulator(demo.table), in_a_file.jackpot(demo.jackpot.id)
        assert (table.money, jackpot.money, jackpot.kind) == (Currency.PLAY, Currency.PLAY, JackpotKind.PROGRESSIVE)
        assert table.jackpots == (jackpot.id,)
        assert jackpot.meters[0].displayed_cents == 5_000_00
        assert table.game_setup.wagers == demo.setup.wagers
    assert len(in_a_file.list_jackpots()) == len(in_a_file.list_tabulators()) == 5
    assert all(account.currency is Currency.PLAY for account in in_a_file.ledger.balances())
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize("demo", demo_tables(), ids=lambda demo: demo.table)
def test_the_tabulator_of_each_table_is_approved_needs_no_data_logger_and_covers_every_seat(demo: DemoTable) -> None:
    tabulator = TabulatorType(demo.tabulator.tabulator)
    assert tabulator in game(demo.setup.game).facts.tabulators
    assert not bet_tabulator_model(tabulator).data_logger
    assert demo.tabulator.positions >= demo.setup.seats >= 6


@pytest.mark.parametrize("demo", demo_tables(), ids=lambda demo: demo.table)
def test_jackpot_wagers_at_each_table_are_counted_and_raise_the_meter(in_a_file: CardRoom, demo: DemoTable) -> None:
    open_demo_table(in_a_file, demo)
    in_a_file.tabulate(new_id(), "Kim", demo.table, {1: range(1, demo.setup.seats + 1)})
    wagered = demo.setup.seats * demo.jackpot.wagers[0]
    assert in_a_file.jackpot(demo.jackpot.id).meters[0].displayed_cents == 5_000_00 + wagered // 5


@pytest.mark.parametrize("kind", [None, *JackpotKind])
def test_an_example_jackpot_equals_its_file(kind: JackpotKind | None) -> None:
    for slug in list(game_slugs()[:5]):
        example = jackpot_example(slug, kind)
        setup = example.jackpot_setup()
        assert validate_jackpot(setup).kind is example.kind
        assert jackpot_setup_from_mapping(jackpot_setup_to_mapping(setup)) == setup
        parsed = read_jackpot_setup(example_files(slug, kind)[ExamplePart.JACKPOT])
        assert jackpot_setup_to_mapping(parsed) == jackpot_setup_to_mapping(setup)


def test_a_demo_table_uses_the_first_approved_model_without_a_data_logger(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = 0
    for demo in demo_tables():
        models = game(demo.setup.game).facts.tabulators
        assert demo.tabulator.tabulator == next(model for model in models if not has_logger(model))
        if len(models) > 1:
            monkeypatch.setattr(setups, "has_logger", lambda model, first=models[0]: model == first)
            assert setups.build_demo_table(demo.setup.game, "t").tabulator.tabulator == models[1]
            checked += 1
    assert checked
