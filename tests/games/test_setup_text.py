"""A setup is the same after a round trip through TOML."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.games import default_setup, game_slugs, read_setup
from cardroom.games.setup import FeatureSetup, setup_to_toml


@pytest.mark.parametrize("slug", game_slugs())
def test_the_default_setup_of_every_game_survives_a_round_trip_through_toml(slug: str) -> None:
    setup = default_setup(slug)
    assert read_setup(setup_to_toml(setup)) == setup


def test_features_options_and_bonuses_survive_a_round_trip_through_toml() -> None:
    setup = default_setup("texas-shootout")
    bonus = replace(
        setup.wagers["shootout-bonus"],
        feature=FeatureSetup("envy", "TS/BF 1", 5_00, {"royal-flush": "$500"}),
        bonuses={'five "aces"': "25%"},
    )
    setup = replace(setup, wagers={**setup.wagers, "shootout-bonus": bonus}, spots_notice=False, tabulator="milky-way")
    assert read_setup(setup_to_toml(setup)) == setup
    duel = replace(default_setup("dueling-for-dollars"), decks=8, options={"duel_spots": "play", "burn": True})
    assert read_setup(setup_to_toml(duel)) == duel
