"""Signs that do not follow by themselves: the user who changes a jackpot is shown which ones a user has to change."""

from __future__ import annotations

from typing import Any

from tests.cli.card_room import House

FRAME, LINE = "picture-frame", "led-line"


def signs(answer: Any) -> dict[tuple[str, str], str]:
    """By table and kind, what each sign has to say."""
    return {(one["table"], one["display"]): one["says"] for one in answer.get("signs", [])}


def open_bonus(house: House) -> None:
    """A bonus jackpot of Deuces Wild at a Milky Way, whose signs are changed by hand."""
    house.said("jackpot", "print-example", "deuces-wild", "-o", str(house.folder))
    house.execute("jackpot", "add", str(house.folder / "jackpot.toml"))
    opened = house.execute("tabulator", "add", str(house.folder / "table.toml"))
    name = "Deuces Wild Bonus Jackpot"
    assert signs(opened) == {
        ("table-1", LINE): f"{name}: its wager",
        ("table-1", FRAME): f"{name}: 5 Wild Cards $1,000",
    }
    assert {one["changed"] for one in opened["signs"]} == {"by-hand"}


def test_a_changed_bonus_is_to_be_changed_on_the_picture_frame(house: House) -> None:
    open_bonus(house)
    change = (
        "jackpot",
        "change",
        "deuces-wild-jackpot",
        "--bonus",
        "five-wild-cards=$9,000",
        "--why",
        "Summer",
        "--second",
        "lee",
    )
    assert signs(house.execute(*change)) == {("table-1", FRAME): "Deuces Wild Bonus Jackpot: 5 Wild Cards $9,000"}
    assert house.read_json("jackpot", "list")["signs"] == []


def test_the_signs_of_a_disabled_jackpot_are_named_until_it_is_enabled(house: House) -> None:
    open_bonus(house)
    unavailable = {("table-1", kind): "Deuces Wild Bonus Jackpot: Not available" for kind in (LINE, FRAME)}
    assert signs(house.execute("jackpot", "disable", "deuces-wild-jackpot", "--why", "New felt")) == unavailable
    assert signs(house.read_json("jackpot", "list")) == unavailable
    assert "Not available" in house.said("jackpot", "list")
    enabled = signs(house.execute("jackpot", "enable", "deuces-wild-jackpot"))
    assert enabled[("table-1", FRAME)] == "Deuces Wild Bonus Jackpot: 5 Wild Cards $1,000"
    assert signs(house.read_json("jackpot", "list")) == {}


def test_the_signs_of_a_removed_jackpot_are_dark(house: House) -> None:
    open_bonus(house)
    removed = signs(house.execute("jackpot", "remove", "deuces-wild-jackpot", "--why", "Over", "--second", "lee"))
    assert removed == {("table-1", LINE): "dark", ("table-1", FRAME): "no jackpot"}
    assert signs(house.read_json("jackpot", "list"))[("table-1", LINE)] == "dark"
    line, frame = house.read_json("display", "show", "table-1")
    assert (line["status"], line["amount"], line["running"]) == ("dark", "", "")
    assert (frame["panels"], frame["notices"]) == ([], [])
    assert "Deuces Wild Bonus Jackpot" not in house.said("display", "show", "table-1")
    drawn = house.folder / "sign.svg"
    house.said("display", "show", "table-1", "--kind", LINE, "-o", str(drawn))
    assert "Bonus" not in drawn.read_text()


def test_the_signs_of_a_table_that_left_a_jackpot_are_dark(house: House) -> None:
    house.open()
    left = signs(house.execute("tabulator", "unlink", "table-1", "final-four", "--why", "A quiet week"))
    assert left == {("table-1", LINE): "dark", ("table-1", FRAME): "no jackpot"}
    back = signs(house.execute("tabulator", "link", "table-1", "final-four", "--why", "It is over"))
    assert back[("table-1", LINE)] == "Three Card Prime Final Four Jackpot: what the meter shows"


def test_a_claim_is_to_be_shown_as_pending_until_it_is_decided(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    royal = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad", "--seat", "1", "--id", "royal")
    claimed = signs(house.execute("claim", "add", "final-four", "table-1", *royal, by="kim"))
    assert claimed[("table-1", LINE)] == "Three Card Prime Final Four Jackpot: Jackpot pending"
    assert signs(house.read_json("jackpot", "list")) == claimed
    assert (
        signs(house.execute("claim", "refuse", "final-four", "royal", "--why", "A card on the floor")).keys()
        == claimed.keys()
    )


def test_signs_that_say_pending_already_are_not_named_again(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    pending = {("table-1", kind): "Three Card Prime Final Four Jackpot: Jackpot pending" for kind in (LINE, FRAME)}

    def royal(of: str, seat: int) -> Any:
        cards = ("--cards", f"hand=J{of} Q{of} K{of}", "--cards", f"fourth=A{of}")
        return house.execute("claim", "add", "final-four", "table-1", *cards, "--seat", str(seat), "--id", of, by="kim")

    assert signs(royal("c", 1)) == pending
    for of, seat in (("s", 2), ("h", 3)):
        assert "signs" not in royal(of, seat)
    assert signs(house.read_json("jackpot", "list")) == pending
    paid = ("--player", "declined", "--payment", "cash", "--reference", "1")
    assert "signs" not in house.execute("claim", "pay", "final-four", "c", *paid)
    assert "signs" not in house.execute("claim", "refuse", "final-four", "s", "--why", "A card on the floor")
    last = signs(house.execute("claim", "refuse", "final-four", "h", "--why", "A card on the floor"))
    assert last[("table-1", LINE)] == "Three Card Prime Final Four Jackpot: what the meter shows"
    assert last.keys() == pending.keys()


def test_a_fixed_prize_that_waits_is_on_the_signs_as_it_is_on_the_displays(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    sevens = ("--cards", "hand=7c 7d 7h", "--cards", "fourth=7s", "--seat", "1", "--id", "sevens")
    claimed = signs(house.execute("claim", "add", "final-four", "table-1", *sevens, by="kim"))
    line, frame = house.read_json("display", "show", "table-1")
    assert (line["status"], frame["panels"][0]["status"]) == ("pending", "pending")
    assert [says.rpartition(": ")[2] for says in claimed.values()] == ["Jackpot pending"] * 2
    royal = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad", "--seat", "2", "--id", "royal")
    assert "signs" not in house.execute("claim", "add", "final-four", "table-1", *royal, by="kim")
    assert "signs" not in house.execute("claim", "refuse", "final-four", "sevens", "--why", "A card on the floor")
    assert house.read_json("display", "show", "table-1")[0]["status"] == "pending"


def test_a_progressive_that_grows_changes_no_sign_and_a_command_sent_again_names_none(house: House) -> None:
    house.open()
    assert "signs" not in house.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    disable = ("jackpot", "disable", "final-four", "--why", "Dark", "--id", "once")
    assert signs(house.execute(*disable)) != {}
    assert signs(house.execute(*disable)) == {}


def test_an_andromeda_is_changed_from_afar_or_follows_by_itself(house: House) -> None:
    text = house.said("jackpot", "print-example", "deuces-wild", "table")
    house.said("jackpot", "print-example", "deuces-wild", "jackpot", "-o", str(house.folder))
    house.execute("jackpot", "add", str(house.folder / "jackpot.toml"))
    for model in ("andromeda-1", "andromeda-3d"):
        (house.folder / f"{model}.toml").write_text(
            text.replace('"milky-way"', f'"{model}"').replace("table-1", model).replace("T-1001", f"U-{model}")
        )
        house.execute("tabulator", "add", str(house.folder / f"{model}.toml"))
    disabled = house.execute("jackpot", "disable", "deuces-wild-jackpot", "--why", "New felt")
    assert [(one["table"], one["display"], one["changed"]) for one in disabled["signs"]] == [
        ("andromeda-1", LINE, "from-afar"),
        ("andromeda-1", FRAME, "by-hand"),
    ]


# What the tables say.


def test_reported_lights_are_listed_with_the_lammers_that_stand_in_for_them(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "2,3", by="kim")
    result = house.execute("tabulator", "report-lights", "table-1", "--failed", "3,4")
    assert (result["table"], result["unit"], result["broken"]) == ("table-1", "T-1001", None)
    assert [mark["position"] for mark in result["dark"]] == [3, 4]
    assert [mark["position"] for mark in result["lammers"]] == [3]
    page = house.said("tabulator", "report-lights", "table-1", "--failed", "3,4,5")
    assert "failed: 3, 4, 5; a lammer replaces each light" in page
    assert "place lammers at 3 now" in page
    assert "all lights work" in house.said("tabulator", "report-lights", "table-1", "--failed", "none")


def test_a_bonus_table_says_what_was_counted_and_that_its_jackpot_does_not_grow(house: House) -> None:
    open_bonus(house)
    page = house.said("tabulator", "press", "table-1", "--positions", "1-3", "--by", "kim", "--round", "r1")
    assert "table-1  3 bonus-jackpot  round r1" in page
    assert "deuces-wild-jackpot has no meter: a bonus jackpot, which does not grow with play" in page
    result = house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    assert (result["counts"], result["bonus"]) == ({"bonus-jackpot": 1}, ["deuces-wild-jackpot"])


def test_a_bonus_jackpot_with_an_amount_says_so_too(house: House) -> None:
    house.said("jackpot", "print-example", "three-card-prime", "--kind", "bonus", "-o", str(house.folder))
    house.execute("jackpot", "add", str(house.folder / "jackpot.toml"))
    house.execute("tabulator", "add", str(house.folder / "table.toml"))
    page = house.said("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert "final-four shows $10,000.00: a bonus jackpot, which does not grow with play" in page


def test_a_progressive_is_not_called_a_bonus(house: House) -> None:
    house.open()
    assert "does not grow" not in house.said("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")["bonus"] == []


def test_a_table_that_is_closed_while_it_plays_for_a_jackpot_is_dark_and_the_room_goes_on(house: House) -> None:
    open_bonus(house)
    house.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1")
    closed = house.execute("tabulator", "remove", "table-1", "--why", "The season is over")
    assert signs(closed) == {("table-1", LINE): "dark", ("table-1", FRAME): "no jackpot"}
    assert signs(house.read_json("jackpot", "list")) == {("table-1", LINE): "dark"}
    hand = ("--cards", "hand=2s 2h 2d", "--cards", "fourth=2c", "--cards", "fifth=Jk")
    assert house.execute("claim", "add", "deuces-wild-jackpot", "table-1", *hand, "--round", "r1", by="kim")["pending"]
    house.execute("jackpot", "disable", "deuces-wild-jackpot", "--why", "Repairs")
    again = house.execute("tabulator", "add", str(house.folder / "table.toml"))
    assert signs(again)["table-1", LINE] == "Deuces Wild Bonus Jackpot: Not available"
