"""How often each event of a wager happens: every file of counts here, compared with what the program counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.games import game, game_slugs
from cardroom_conformance.event_counts import EventCounts, check_counts, read_counts

FILES = sorted(Path(__file__).parent.glob("*.toml"))
SECTIONS = [section for file in FILES for section in read_counts(file, file.stem)]


@pytest.mark.parametrize("counted", SECTIONS, ids=str)
def test_each_event_comes_as_often_as_its_file_says(counted: EventCounts) -> None:
    check_counts(counted)


def test_every_game_of_the_house_has_its_file() -> None:
    assert {file.stem for file in FILES} == set(game_slugs())


def test_every_wager_that_hangs_on_no_decision_is_counted() -> None:
    counted = {(one.game, one.wager) for one in SECTIONS}
    decided = {
        ("deuces-wild", "ante-play-raise"),
        ("deuces-wild", "five-card-fortune"),
        ("three-card-prime", "ante-play"),
        ("texas-shootout", "shootout"),
        ("texas-shootout", "shootout-bonus"),
        ("texas-shootout", "jackpot"),
        ("dueling-for-dollars", "duel"),
        ("three-card-double-play", "high-low"),
    }
    assert counted | decided == {(slug, wager.slug) for slug in game_slugs() for wager in game(slug).facts.wagers}
    assert not counted & decided


def test_a_count_that_is_off_by_one_deal_is_found() -> None:
    tie_plus = next(section for section in SECTIONS if section.name == "tie-plus-6-decks")
    (event, count), *rest = tie_plus.events
    check_counts(tie_plus)
    with pytest.raises(AssertionError):
        check_counts(EventCounts(**{**vars(tie_plus), "events": ((event, count + 1), *rest)}))
