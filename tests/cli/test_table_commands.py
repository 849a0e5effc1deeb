"""`cardroom table`: automatic and live tables are added, paused, removed, and shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.games import game_slugs
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import House
from tests.service.staff import Both
from tests.service.table_scenes import PRIME as AUTOMATIC
from tests.service.table_scenes import all_wager, guests, open_prime

PRIME = """
table = "prime-9"
game = "three-card-prime"
seats = 4
[wagers.ante-play]
paytable = "PW/BB 1"
limits = { min = "$5", max = "$100" }
"""
PLAY_TABLE = """
[play]
betting = 30
deciding = 0
buy_in = "$150"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "prime.toml"
    path.write_text(PRIME + PLAY_TABLE)
    return path


def test_an_automatic_table_is_opened_paused_and_closed(house: House, file: Path) -> None:
    opened = house.read_json("table", "add", str(file), "--id", "first")
    assert (opened["table"], opened["state"], opened["round"]) == ("prime-9", "betting", "prime-9.1")
    assert house.read_json("table", "add", str(file), "--id", "first")["repeated"] is True
    shown = house.read_json("table", "show", "prime-9")
    assert (shown["mode"], shown["money"], shown["betting"], shown["deciding"]) == ("automatic", "play", 30, 0)
    assert (shown["buy_in_cents"], shown["seen"]["seats"]) == (150_00, {})
    assert house.read_json("table", "pause", "prime-9", "--why", "A spilled drink")["state"] == "paused"
    assert "paused (A spilled drink)" in house.said("table", "show", "prime-9")
    assert house.read_json("table", "resume", "prime-9")["state"] == "betting"
    house.read_json("table", "remove", "prime-9", "--why", "The evening is over")
    (listed,) = house.read_json("table", "list")["tables"]
    assert (listed["state"], listed["why"]) == ("closed", "The evening is over")
    assert "prime-9" in house.said("table", "list")


def test_a_closed_table_that_was_never_played_shows_no_round(house: House, file: Path) -> None:
    house.read_json("table", "add", str(file))
    assert "round prime-9.1" in house.said("table", "show", "prime-9")
    assert "round" not in house.said("table", "remove", "prime-9", "--why", "The evening is over")
    for words in (("list",), ("show", "prime-9")):
        shown = house.said("table", *words)
        assert "closed" in shown
        assert "prime-9." not in shown


@pytest.mark.parametrize("slug", game_slugs())
def test_every_games_example_is_a_live_table_also_where_its_jackpot_has_no_meter(house: House, slug: str) -> None:
    house.open(slug)
    table = house.read_json("table", "add", str(house.folder / "table.toml"), "--live")["table"]
    (jackpot,) = house.read_json("jackpot", "list")["jackpots"]
    shown = list(house.read_json("table", "show", table)["live"]["meters"].values())
    assert shown == [one["shown_cents"] for one in jackpot["meters"][:1]]
    assert (slug == "deuces-wild") == (not jackpot["meters"]), "a bonus jackpot of fixed prizes"


def test_a_live_table_plays_with_the_tabulator_that_the_same_file_opens(house: House) -> None:
    house.open()
    file = house.folder / "table.toml"
    table = house.read_json("table", "add", str(file), "--live")["table"]
    shown = house.read_json("table", "show", table)
    assert (shown["mode"], shown["money"]) == ("live", "room")
    assert [one["step"] for one in shown["live"]["steps"]][:3] == ["wagers", "tabulate", "deal"]
    with open_ledger(house.database) as ledger:
        card_room = CardRoom(ledger)
        card_room.begin_live_round("begin", "Kim", table, [1, 2])
        card_room.take_step("wagers", "Kim", table, "wagers")
        card_room.take_step("press", "Kim", table, "tabulate", covered={1: [1, 2]})
        card_room.type_cards(
            "cards",
            "Kim",
            table,
            {"dealer": "Ac 4d 2s", "seat 2 hand": "9d 9h Kd"},
            wagers={1: {"ante-play": 20_00}, 2: {"ante-play": 20_00}},
            answers={1: {"play": "fold"}, 2: {"play": "play"}},
        )
    said = house.said("table", "show", table)
    assert "dealt by Kim to 1, 2" in said
    assert "Seat 2 is paid $40: $25 x 1, $5 x 3." in said
    assert house.said("verify")
    with open_ledger(house.database) as ledger:
        card_room = CardRoom(ledger)
        for step in ("deal", "decide", "reveal", "take-or-pay", "collect"):
            card_room.take_step(step, "Kim", table, step)
        card_room.end_live_round("end", "Kim", table)
        card_room.begin_live_round("again", "Kim", table, [1])
        Both(card_room).void_live_round("off", "Kim", table, "The shuffler jammed", second="lee")
    said = house.said("table", "history", table)
    assert "Kim took step tabulate of round table-1.1. The tabulator counted the jackpot wagers." in " ".join(
        said.split()
    )
    past = house.read_json("rounds", "show", f"{table}.1")
    assert (past["dealer"], past["counted"], len(past["shown"])) == ("Kim", "button", 3)
    assert "dealt by Kim" in house.said("rounds", "show", f"{table}.1")
    assert "Voided by Kim and lee: The shuffler jammed." in house.said("rounds", "show", f"{table}.2")
    assert [one["mode"] for one in house.read_json("rounds", "list", "--table", table)["rounds"]] == ["live", "live"]
    assert f"{table}.2" in house.said("rounds", "list")
    token = house.read_json("device", "add", table, "console-1", "console")
    assert (token["kind"], token["token"].startswith("console-1.1.")) == ("console", True)


def dealt_live(house: House, cards: dict[str, str]) -> str:
    """A round of a live table in which a jackpot wager was counted at seat 2, up to its last step."""
    house.open()
    table: str = house.read_json("table", "add", str(house.folder / "table.toml"), "--live")["table"]
    with open_ledger(house.database) as ledger:
        card_room = CardRoom(ledger)
        round_id = card_room.begin_live_round("begin", "kim", table, [2]).round
        card_room.take_step("wagers", "kim", table, "wagers")
        card_room.take_step("press", "kim", table, "tabulate", covered={1: [2]})
        card_room.type_cards("cards", "kim", table, cards, wagers={2: {"ante-play": 20_00, "final-four": 1_00}})
        for step in ("deal", "decide", "reveal", "take-or-pay", "collect"):
            card_room.take_step(step, "kim", table, step)
    return round_id


def test_a_hand_is_not_claimed_by_command_with_other_cards_than_were_typed(house: House) -> None:
    round_id = dealt_live(house, {"seat 2 hand": "9c Td Jh", "dealer": "Kd 4d 2s"})
    claim = ("claim", "add", "final-four", "table-1", "--round", round_id, "--cards", "fourth=Ad", "--by", "kim")
    refused = house.run(*claim, "--cards", "hand=Jd Qd Kd")
    assert refused.exit_code == 2
    assert "were typed as 9c Td Jh, but this claim has Jd Qd Kd" in " ".join(refused.output.split())
    assert house.run(*claim, "--cards", "hand=9c Td Kd").exit_code == 2
    assert house.run("verify").exit_code == 0


def test_a_live_round_whose_jackpot_wagers_were_voided_says_so(house: House) -> None:
    cards = {"seat 2 hand": "9d 9h 9c", "seat 2 fourth": "2c", "dealer": "Ac 4d 2s"}
    round_id = dealt_live(house, cards)
    with open_ledger(house.database) as ledger:
        CardRoom(ledger).end_live_round("end", "kim", "table-1")
    before = house.read_json("rounds", "show", round_id)
    assert "jackpot_wagers_void" not in before
    assert house.said("rounds", "void", "table-1", round_id, "--why", "a test", "--by", "rosa", "--second", "lee")
    after = house.read_json("rounds", "show", round_id)
    void = after.pop("jackpot_wagers_void")
    assert (void["who"], void["second"], void["why"]) == ("rosa", "lee", "a test")
    assert (after["shown"], after["wagers"]) == (before["shown"], before["wagers"]), "what was paid stays"
    said = " ".join(house.said("rounds", "show", round_id).split())
    assert "The jackpot wagers of this round were voided on 20" in said
    assert "by rosa and lee: a test. They were returned to the players and taken off the meters" in said
    (listed,) = house.read_json("rounds", "list", "--table", "table-1")["rounds"]
    assert (listed["void"], listed["jackpot_wagers_void"]) == (False, True)
    assert "jackpot wagers" in " ".join(house.said("rounds", "list").split())
    assert house.run("verify").exit_code == 0


def test_a_live_table_may_say_so_in_its_file(house: House, file: Path) -> None:
    file.write_text(PRIME + '[play]\nmode = "live"\n')
    house.read_json("table", "add", str(file))
    shown = house.read_json("table", "show", "prime-9")
    assert (shown["mode"], shown["money"], shown["live"]["tabulator"]) == ("live", "room", None)
    assert "live: betting, round prime-9.1" in house.said("table", "show", "prime-9")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PRIME.replace('table = "prime-9"', ""), "The table's file needs 'table'"),
        (PRIME + '[play]\nmode = "slow"', "'mode' in [play] is 'automatic' or 'live', not 'slow'."),
        (PRIME + '[play]\nmoney = "gold"', "'money' in [play] is 'room' or 'play', not 'gold'."),
        (PRIME + '[play]\nmoney = "room"', "does not allow automatic tables for real money"),
        (PRIME + '[play]\nmode = "live"\nmoney = "play"', "A live table has real chips"),
        (PRIME + "[play]\nbetting = true", "'betting' in [play] must be a whole number; True is not."),
        (PRIME + "[play]\nbetting = -1", "-1 seconds for bets are not possible"),
        (
            PRIME + "[play]\nbetting = 1\nclock = 5",
            "'clock' in [play] is not known: use betting, buy_in",
        ),
        ("play = 5\n" + PRIME, "[play] must be a section with names; 5 is not."),
        ("table = 5", "The table's file needs 'table'"),
    ],
)
def test_what_a_file_breaks_is_shown(house: House, file: Path, text: str, says: str) -> None:
    file.write_text(text)
    assert says in house.refused("table", "add", str(file))


def test_what_cannot_be_done_now_is_refused(house: House, file: Path) -> None:
    house.read_json("table", "add", str(file))
    assert "is open already" in house.refused("table", "add", str(file))
    assert "is not paused" in house.refused("table", "resume", "prime-9")
    assert "There is no table 'prime-8' to play at" in house.refused("table", "show", "prime-8")
    assert "dora is a dealer: only supervisors and operators may pause" in house.refused(
        "table", "remove", "prime-9", "--why", "late", "--by", "dora"
    )


def test_two_people_void_the_round_of_an_automatic_table(house: House) -> None:
    with open_ledger(house.database) as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        (player,) = guests(card_room, 1)
        chips = card_room.table(AUTOMATIC).seats[0].chips
        all_wager(card_room, [player])
    void = ("rounds", "void", AUTOMATIC, "--why", "The screen went dark", "--by", "lee")
    assert "--second LOGIN" in house.refused(*void)
    assert "reason is missing" in house.refused("rounds", "void", AUTOMATIC, "--by", "lee", "--second", "vera")
    house.said(*void, "--second", "vera", "--id", "off-1")
    assert house.read_json(*void, "--second", "vera", "--id", "off-1")["repeated"]
    assert "No round is" in house.refused(*void, "--second", "vera")
    void = house.read_json("rounds", "show", f"{AUTOMATIC}.1")
    assert void["void"]
    with open_ledger(house.database) as ledger:
        assert CardRoom(ledger).table(AUTOMATIC).seats[0].chips == chips
    assert house.read_json("verify")["whole"]
