"""A command that changes a jackpot lists the signs that do not update themselves, for the user to change."""

from __future__ import annotations

from typing import Any

from tests.cli.card_room import CliRoom

FRAME, LINE = "picture-frame", "led-line"


def read_signs(document: Any) -> dict[tuple[str, str], str]:
    """Return what each sign has to show, by table and kind."""
    return {(sign["table"], sign["display"]): sign["says"] for sign in document.get("signs", [])}


def open_bonus(cli_room: CliRoom) -> None:
    """Add a bonus jackpot of Deuces Wild at a Milky Way, whose signs are changed by hand."""
    cli_room.read_output("jackpot", "print-example", "deuces-wild", "-o", str(cli_room.folder))
    cli_room.execute("jackpot", "add", str(cli_room.folder / "jackpot.toml"))
    opened = cli_room.execute("table", "add", str(cli_room.folder / "table.toml"))
    name = "Deuces Wild Bonus Jackpot"
    assert read_signs(opened) == {
        ("table-1", LINE): f"{name}: its wager",
        ("table-1", FRAME): f"{name}: 5 Wild Cards $1,000",
    }
    assert {sign["changed"] for sign in opened["signs"]} == {"by-hand"}


def test_a_changed_bonus_has_to_be_changed_on_the_picture_frame(cli_room: CliRoom) -> None:
    open_bonus(cli_room)
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
    assert read_signs(cli_room.execute(*change)) == {
        ("table-1", FRAME): "Deuces Wild Bonus Jackpot: 5 Wild Cards $9,000"
    }
    assert cli_room.read_json("jackpot", "list")["signs"] == []


def test_the_signs_of_a_disabled_jackpot_are_named_until_it_is_enabled(cli_room: CliRoom) -> None:
    open_bonus(cli_room)
    unavailable = {("table-1", kind): "Deuces Wild Bonus Jackpot: Not available" for kind in (LINE, FRAME)}
    assert (
        read_signs(cli_room.execute("jackpot", "disable", "deuces-wild-jackpot", "--why", "New layout")) == unavailable
    )
    assert read_signs(cli_room.read_json("jackpot", "list")) == unavailable
    assert "Not available" in cli_room.read_output("jackpot", "list")
    enabled = read_signs(cli_room.execute("jackpot", "enable", "deuces-wild-jackpot"))
    assert enabled[("table-1", FRAME)] == "Deuces Wild Bonus Jackpot: 5 Wild Cards $1,000"
    assert read_signs(cli_room.read_json("jackpot", "list")) == {}


def test_the_signs_of_a_removed_jackpot_are_dark(cli_room: CliRoom) -> None:
    open_bonus(cli_room)
    removed = read_signs(
        cli_room.execute("jackpot", "remove", "deuces-wild-jackpot", "--why", "Over", "--second", "lee")
    )
    assert removed == {("table-1", LINE): "dark", ("table-1", FRAME): "no jackpot"}
    assert read_signs(cli_room.read_json("jackpot", "list"))[("table-1", LINE)] == "dark"
    line, frame = cli_room.read_json("display", "show", "table-1")
    assert (line["status"], line["amount"], line["running"]) == ("dark", "", "")
    assert (frame["panels"], frame["notices"]) == ([], [])
    assert "Deuces Wild Bonus Jackpot" not in cli_room.read_output("display", "show", "table-1")
    drawn = cli_room.folder / "sign.svg"
    cli_room.read_output("display", "show", "table-1", "--kind", LINE, "-o", str(drawn))
    assert "Bonus" not in drawn.read_text()


def test_the_signs_of_a_table_that_left_a_jackpot_are_dark(cli_room: CliRoom) -> None:
    cli_room.open()
    left = read_signs(cli_room.execute("table", "unlink", "table-1", "final-four", "--why", "A quiet week"))
    assert left == {("table-1", LINE): "dark", ("table-1", FRAME): "no jackpot"}
    back = read_signs(cli_room.execute("table", "link", "table-1", "final-four", "--why", "It is over"))
    assert back[("table-1", LINE)] == "Three Card Prime Final Four Jackpot: what the meter shows"


def test_a_claim_has_to_be_shown_as_pending_until_it_is_decided(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    royal = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad", "--seat", "1", "--id", "royal")
    claimed = read_signs(cli_room.execute("claim", "add", "final-four", "table-1", *royal, by="kim"))
    assert claimed[("table-1", LINE)] == "Three Card Prime Final Four Jackpot: Jackpot pending"
    assert read_signs(cli_room.read_json("jackpot", "list")) == claimed
    assert (
        read_signs(cli_room.execute("claim", "refuse", "final-four", "royal", "--why", "A card on the floor")).keys()
        == claimed.keys()
    )


def test_signs_that_already_show_a_pending_claim_are_not_listed_again(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    pending = {("table-1", kind): "Three Card Prime Final Four Jackpot: Jackpot pending" for kind in (LINE, FRAME)}

    def claim_royal_flush(suit: str, seat: int) -> Any:
        cards = ("--cards", f"hand=J{suit} Q{suit} K{suit}", "--cards", f"fourth=A{suit}")
        return cli_room.execute(
            "claim", "add", "final-four", "table-1", *cards, "--seat", str(seat), "--id", suit, by="kim"
        )

    assert read_signs(claim_royal_flush("c", 1)) == pending
    for suit, seat in (("s", 2), ("h", 3)):
        assert "signs" not in claim_royal_flush(suit, seat)
    assert read_signs(cli_room.read_json("jackpot", "list")) == pending
    paid = ("--player", "declined", "--payment", "cash", "--reference", "1")
    assert "signs" not in cli_room.execute("claim", "pay", "final-four", "c", *paid)
    assert "signs" not in cli_room.execute("claim", "refuse", "final-four", "s", "--why", "A card on the floor")
    last = read_signs(cli_room.execute("claim", "refuse", "final-four", "h", "--why", "A card on the floor"))
    assert last[("table-1", LINE)] == "Three Card Prime Final Four Jackpot: what the meter shows"
    assert last.keys() == pending.keys()


def test_a_pending_fixed_prize_is_on_the_signs_and_on_the_displays(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    sevens = ("--cards", "hand=7c 7d 7h", "--cards", "fourth=7s", "--seat", "1", "--id", "sevens")
    claimed = read_signs(cli_room.execute("claim", "add", "final-four", "table-1", *sevens, by="kim"))
    line, frame = cli_room.read_json("display", "show", "table-1")
    assert (line["status"], frame["panels"][0]["status"]) == ("pending", "pending")
    assert [text.rpartition(": ")[2] for text in claimed.values()] == ["Jackpot pending"] * 2
    royal = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad", "--seat", "2", "--id", "royal")
    assert "signs" not in cli_room.execute("claim", "add", "final-four", "table-1", *royal, by="kim")
    assert "signs" not in cli_room.execute("claim", "refuse", "final-four", "sevens", "--why", "A card on the floor")
    assert cli_room.read_json("display", "show", "table-1")[0]["status"] == "pending"


def test_a_growing_progressive_and_a_repeated_command_list_no_signs(cli_room: CliRoom) -> None:
    cli_room.open()
    assert "signs" not in cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    disable = ("jackpot", "disable", "final-four", "--why", "Dark", "--id", "once")
    assert read_signs(cli_room.execute(*disable)) != {}
    assert read_signs(cli_room.execute(*disable)) == {}


def test_the_signs_of_an_andromeda_are_changed_remotely_or_automatically(cli_room: CliRoom) -> None:
    text = cli_room.read_output("jackpot", "print-example", "deuces-wild", "table")
    cli_room.read_output("jackpot", "print-example", "deuces-wild", "jackpot", "-o", str(cli_room.folder))
    cli_room.execute("jackpot", "add", str(cli_room.folder / "jackpot.toml"))
    for model in ("andromeda-1", "andromeda-3d"):
        (cli_room.folder / f"{model}.toml").write_text(
            text.replace('"milky-way"', f'"{model}"').replace("table-1", model).replace("T-1001", f"U-{model}")
        )
        cli_room.execute("table", "add", str(cli_room.folder / f"{model}.toml"))
    disabled = cli_room.execute("jackpot", "disable", "deuces-wild-jackpot", "--why", "New layout")
    assert [(sign["table"], sign["display"], sign["changed"]) for sign in disabled["signs"]] == [
        ("andromeda-1", LINE, "from-afar"),
        ("andromeda-1", FRAME, "by-hand"),
    ]


# What the tabulator commands print.


def test_failed_lights_are_listed_with_the_lammers_that_replace_them(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "2,3", by="kim")
    result = cli_room.execute("tabulator", "report-lights", "table-1", "--failed", "3,4")
    assert (result["table"], result["unit"], result["broken"]) == ("table-1", "T-1001", None)
    assert [light["position"] for light in result["dark"]] == [3, 4]
    assert [lammer["position"] for lammer in result["lammers"]] == [3]
    page = cli_room.read_output("tabulator", "report-lights", "table-1", "--failed", "3,4,5")
    assert "failed: 3, 4, 5; a lammer replaces each light" in page
    assert "place lammers at 3 now" in page
    assert "all lights work" in cli_room.read_output("tabulator", "report-lights", "table-1", "--failed", "none")


def test_a_press_at_a_bonus_table_shows_the_count_and_that_the_jackpot_does_not_grow(cli_room: CliRoom) -> None:
    open_bonus(cli_room)
    page = cli_room.read_output("tabulator", "press", "table-1", "--positions", "1-3", "--by", "kim", "--round", "r1")
    assert "table-1  3 bonus-jackpot  round r1" in page
    assert "deuces-wild-jackpot has no meter: a bonus jackpot, which does not grow with play" in page
    result = cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    assert (result["counts"], result["bonus"]) == ({"bonus-jackpot": 1}, ["deuces-wild-jackpot"])


def test_a_bonus_jackpot_with_an_amount_shows_that_it_does_not_grow(cli_room: CliRoom) -> None:
    cli_room.read_output("jackpot", "print-example", "three-card-prime", "--kind", "bonus", "-o", str(cli_room.folder))
    cli_room.execute("jackpot", "add", str(cli_room.folder / "jackpot.toml"))
    cli_room.execute("table", "add", str(cli_room.folder / "table.toml"))
    page = cli_room.read_output("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert "final-four shows $10,000.00: a bonus jackpot, which does not grow with play" in page


def test_a_progressive_is_not_called_a_bonus(cli_room: CliRoom) -> None:
    cli_room.open()
    assert "does not grow" not in cli_room.read_output(
        "tabulator", "press", "table-1", "--positions", "1", "--by", "kim"
    )
    assert cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")["bonus"] == []


def test_the_signs_of_a_removed_table_are_dark_and_its_jackpot_still_takes_claims(cli_room: CliRoom) -> None:
    open_bonus(cli_room)
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1")
    closed = cli_room.execute("table", "remove", "table-1", "--why", "The season is over")
    assert read_signs(closed) == {("table-1", LINE): "dark", ("table-1", FRAME): "no jackpot"}
    assert read_signs(cli_room.read_json("jackpot", "list")) == {("table-1", LINE): "dark"}
    hand = ("--cards", "hand=2s 2h 2d", "--cards", "fourth=2c", "--cards", "fifth=Jk")
    assert cli_room.execute("claim", "add", "deuces-wild-jackpot", "table-1", *hand, "--round", "r1", by="kim")[
        "pending"
    ]
    cli_room.execute("jackpot", "disable", "deuces-wild-jackpot", "--why", "Repairs")
    again = cli_room.execute("table", "add", str(cli_room.folder / "table.toml"))
    assert read_signs(again)["table-1", LINE] == "Deuces Wild Bonus Jackpot: Not available"
