"""Two people are two: however a name is written, and whatever cannot be seen in it."""

from __future__ import annotations

import pytest

from cardroom.errors import BadInput
from cardroom.room.dual_control import NameMissing, SamePerson, is_same_person, require_text, require_two_people

ROSA = "Rosa Diaz"


@pytest.mark.parametrize(
    "second",
    [None, "", "  ", "\u200b", "\u3164", "\u2800", "\x00", ".", "--", "\u200b.", "\uffa0", "\u202e"],
    ids=ascii,
)
def test_an_invisible_second_name_is_missing(second: str | None) -> None:
    with pytest.raises((SamePerson, NameMissing)):
        require_two_people(ROSA, second, "an adjustment")


@pytest.mark.parametrize(
    "second",
    [
        "rosa diaz",
        " ROSA  DIAZ ",
        "Rosa Diaz\u200b",
        "Rosa D\u200biaz",
        "Rosa Diaz.",
        "Rosa-Diaz",
        "Rosa\u00a0Diaz",
        "\uff32osa Diaz",
        "Rosa Di\u00e1z",
        "Rosa Dia\u0301z",
        "Rosa Diaz\u3164",
        "RosaDiaz",
        "R\u043esa Diaz",
        "Rosa Di\u0430z",
        "R0sa Diaz",
        "Rosa D\u0131az",
        "Ros\u0391 Diaz",
    ],
    ids=ascii,
)
def test_one_person_in_another_spelling_is_not_a_second_one(second: str) -> None:
    with pytest.raises(SamePerson):
        require_two_people(ROSA, second, "an adjustment")


@pytest.mark.parametrize(
    "second",
    ["Lee", "Rosa Diaz Jr", "Zo\u00eb \u0141\u0119cka", "\u5c0f\u6797 \u60a0", "Rosa Diaz 2", "\u0410\u043d\u044f"],
)
def test_other_people_are_other_people(second: str) -> None:
    assert require_two_people(ROSA, second, "an adjustment") == (ROSA, second)


def test_a_reason_of_which_nothing_is_seen_is_none_and_other_words_stay_as_they_are() -> None:
    for nothing in ("", " \t", "\u200b\u200d", "\u3164"):
        with pytest.raises(NameMissing):
            require_text(nothing, "reason")
    assert require_text("  the  button stuck: 3\u00d7 ", "reason") == "the button stuck: 3\u00d7"
    assert not is_same_person("Lou", "Lee")
    assert issubclass(SamePerson, BadInput)
