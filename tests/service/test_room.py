"""The card room itself: what holds in all of it is said by two people."""

from __future__ import annotations

import pytest

from cardroom.errors import BadInput
from cardroom.room.dual_control import NameMissing, SamePerson
from cardroom.room.setup.site import SiteSettings, read_site_settings
from cardroom.room.site.state import BadSiteEvent, list_setting_changes
from cardroom.service import CardRoom, verify_card_room
from tests.service.card_rooms import new_id

SMALLER = SiteSettings(name="Main Street", dealer_pays=200_00)


def test_a_room_that_no_user_set_up_has_the_documented_defaults(card_room: CardRoom) -> None:
    settings = card_room.room().settings
    assert (settings.dealer_pays, settings.time_zone) == (500_00, "America/Los_Angeles")


def test_a_room_is_set_up_by_two_people_and_verifies(card_room: CardRoom) -> None:
    standing = card_room.site.configure("first", "Olga", SMALLER, "a small room", second="Carl")
    assert standing.settings == SMALLER == card_room.room().settings
    assert card_room.site.configure("first", "Olga", SMALLER, "a small room", second="Carl") == standing
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize("second", ["", "olga", " OLGA "])
def test_no_user_sets_up_a_room_alone(card_room: CardRoom, second: str) -> None:
    with pytest.raises(SamePerson):
        card_room.site.configure(new_id(), "Olga", SMALLER, "a small room", second=second)
    assert card_room.room().settings == SiteSettings()


def test_a_set_up_has_a_reason_and_changes_something(card_room: CardRoom) -> None:
    with pytest.raises(NameMissing):
        card_room.site.configure(new_id(), "Olga", SMALLER, " ", second="Carl")
    with pytest.raises(BadSiteEvent, match="already"):
        card_room.site.configure(new_id(), "Olga", SiteSettings(), "the same again", second="Carl")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('time_zone = "Mars"', "There is no time zone 'Mars'"),
        ('day_starts = "26:00"', "is not a time"),
        ('dealer_pays = "-$1"', "dealer_pays"),
        ("rounds_an_hour = 0", "1 to 3600"),
        ('name = " "', "'name'"),
        ('heads_folder = "/mnt/stick"', r"write 'folder' under \[heads\] in the machine's configuration"),
        ('heads_command = "scp"', r"write 'command' under \[heads\] in the machine's configuration"),
        ("tables = 3", "'tables' in the card room's setup is not known"),
    ],
)
def test_a_faulty_set_up_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_site_settings(text)


def test_the_history_tells_every_set_up_with_both_names_the_reason_and_each_change(card_room: CardRoom) -> None:
    assert card_room.site.list_room_changes() == ()
    card_room.site.configure(new_id(), "Olga", SMALLER, "a small room", second="Carl")
    card_room.days.open(new_id(), "Olga")
    larger = SMALLER._replace(dealer_pays=900_00, rounds_an_hour=90)
    card_room.site.configure(new_id(), "Rosa", larger, "more", second="Lee")
    first, second = card_room.site.list_room_changes()
    assert (first.who, first.second, first.why) == ("Olga", "Carl", "a small room")
    assert [one.text for one in first.changes] == [
        "name: Card room to Main Street",
        "dealer's payout limit: $500 to $200",
    ]
    assert (second.sequence, second.who, second.second, second.why) == (3, "Rosa", "Lee", "more")
    assert [tuple(one) for one in second.changes] == [
        ("dealer_pays", "$200", "$900"),
        ("rounds_an_hour", 120, 90),
    ]
    assert second.changes[1].text == "most rounds an hour: 120 to 90"
    assert first.time < second.time


def test_every_setting_has_words_for_its_change() -> None:
    other = SiteSettings("B", "UTC", "07:00", 1, 2)
    changes = list_setting_changes(SiteSettings(), other)
    assert tuple(one.setting for one in changes) == SiteSettings._fields
    assert len({one.text.partition(":")[0] for one in changes}) == len(SiteSettings._fields)
