"""`cardroom table`: automatic and live tables are added, paused, removed, and shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.games import game_slugs
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import CliRoom
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


def test_an_automatic_table_is_opened_paused_and_closed(cli_room: CliRoom, file: Path) -> None:
    opened = cli_room.read_json("table", "add", str(file), "--id", "first")
    assert (opened["table"], opened["state"], opened["round"]) == ("prime-9", "betting", "prime-9.1")
    assert cli_room.read_json("table", "add", str(file), "--id", "first")["repeated"] is True
    shown = cli_room.read_json("table", "show", "prime-9")
    assert (shown["mode"], shown["money"], shown["betting"], shown["deciding"]) == ("automatic", "play", 30, 0)
    assert (shown["buy_in_cents"], shown["seen"]["seats"]) == (150_00, {})
    assert cli_room.read_json("table", "pause", "prime-9", "--why", "A spilled drink")["state"] == "paused"
    assert "paused (A spilled drink)" in cli_room.read_output("table", "show", "prime-9")
    assert cli_room.read_json("table", "resume", "prime-9")["state"] == "betting"
    cli_room.read_json("table", "remove", "prime-9", "--why", "The evening is over")
    (listed,) = cli_room.read_json("table", "list")["tables"]
    assert (listed["state"], listed["why"]) == ("closed", "The evening is over")
    assert "prime-9" in cli_room.read_output("table", "list")


def test_a_closed_table_that_was_never_played_shows_no_round(cli_room: CliRoom, file: Path) -> None:
    cli_room.read_json("table", "add", str(file))
    assert "round prime-9.1" in cli_room.read_output("table", "show", "prime-9")
    assert "round" not in cli_room.read_output("table", "remove", "prime-9", "--why", "The evening is over")
    for words in (("list",), ("show", "prime-9")):
        shown = cli_room.read_output("table", *words)
        assert "closed" in shown
        assert "prime-9." not in shown


def deal_live(cli_room: CliRoom) -> str:
    """Let a dealer deal at the table whose wagers are counted; its name."""
    file = str(cli_room.folder / "table.toml")
    assert "play mode" in cli_room.read_output("table", "compare", file, "--live")
    table: str = cli_room.read_json("table", "change", file, "--live", "--why", "Dealt here from now on")["table"]
    return table


@pytest.mark.parametrize("slug", game_slugs())
def test_every_games_example_is_a_live_table_also_where_its_jackpot_has_no_meter(cli_room: CliRoom, slug: str) -> None:
    cli_room.open(slug)
    table = deal_live(cli_room)
    (jackpot,) = cli_room.read_json("jackpot", "list")["jackpots"]
    shown = list(cli_room.read_json("table", "show", table)["live"]["meters"].values())
    assert shown == [one["shown_cents"] for one in jackpot["meters"][:1]]
    assert (slug == "deuces-wild") == (not jackpot["meters"]), "a bonus jackpot of fixed prizes"


def test_a_live_table_plays_with_the_tabulator_that_the_same_file_opens(cli_room: CliRoom) -> None:
    cli_room.open()
    table = deal_live(cli_room)
    shown = cli_room.read_json("table", "show", table)
    assert (shown["mode"], shown["money"]) == ("live", "room")
    assert [one["step"] for one in shown["live"]["steps"]][:3] == ["wagers", "tabulate", "deal"]
    with open_ledger(cli_room.database) as ledger:
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
    said = cli_room.read_output("table", "show", table)
    assert "dealt by Kim to 1, 2" in said
    assert "Seat 2 is paid $40: $25 x 1, $5 x 3." in said
    assert cli_room.read_output("verify")
    with open_ledger(cli_room.database) as ledger:
        card_room = CardRoom(ledger)
        for step in ("deal", "decide", "reveal", "take-or-pay", "collect"):
            card_room.take_step(step, "Kim", table, step)
        card_room.end_live_round("end", "Kim", table)
        card_room.begin_live_round("again", "Kim", table, [1])
        Both(card_room).void_live_round("off", "Kim", table, "The shuffler jammed", second="lee")
    said = cli_room.read_output("table", "history", table)
    assert "Kim took step tabulate of round table-1.1. The tabulator counted the jackpot wagers." in " ".join(
        said.split()
    )
    past = cli_room.read_json("rounds", "show", f"{table}.1")
    assert (past["dealer"], past["counted"], len(past["shown"])) == ("Kim", "button", 3)
    assert "dealt by Kim" in cli_room.read_output("rounds", "show", f"{table}.1")
    assert "Voided by Kim and lee: The shuffler jammed." in cli_room.read_output("rounds", "show", f"{table}.2")
    assert [one["mode"] for one in cli_room.read_json("rounds", "list", "--table", table)["rounds"]] == ["live", "live"]
    assert f"{table}.2" in cli_room.read_output("rounds", "list")
    token = cli_room.read_json("device", "add", table, "console-1", "console")
    assert (token["kind"], token["token"].startswith("console-1.1.")) == ("console", True)


def dealt_live(cli_room: CliRoom, cards: dict[str, str]) -> str:
    """A round of a live table in which a jackpot wager was counted at seat 2, up to its last step."""
    cli_room.open()
    table: str = deal_live(cli_room)
    with open_ledger(cli_room.database) as ledger:
        card_room = CardRoom(ledger)
        round_id = card_room.begin_live_round("begin", "kim", table, [2]).round
        card_room.take_step("wagers", "kim", table, "wagers")
        card_room.take_step("press", "kim", table, "tabulate", covered={1: [2]})
        card_room.type_cards("cards", "kim", table, cards, wagers={2: {"ante-play": 20_00, "final-four": 1_00}})
        for step in ("deal", "decide", "reveal", "take-or-pay", "collect"):
            card_room.take_step(step, "kim", table, step)
    return round_id


def test_a_hand_is_not_claimed_by_command_with_other_cards_than_were_typed(cli_room: CliRoom) -> None:
    round_id = dealt_live(cli_room, {"seat 2 hand": "9c Td Jh", "dealer": "Kd 4d 2s"})
    claim = ("claim", "add", "final-four", "table-1", "--round", round_id, "--cards", "fourth=Ad", "--by", "kim")
    refused = cli_room.run(*claim, "--cards", "hand=Jd Qd Kd")
    assert refused.exit_code == 2
    assert "were typed as 9c Td Jh, but this claim has Jd Qd Kd" in " ".join(refused.output.split())
    assert cli_room.run(*claim, "--cards", "hand=9c Td Kd").exit_code == 2
    assert cli_room.run("verify").exit_code == 0


def test_a_live_round_whose_jackpot_wagers_were_voided_says_so(cli_room: CliRoom) -> None:
    cards = {"seat 2 hand": "9d 9h 9c", "seat 2 fourth": "2c", "dealer": "Ac 4d 2s"}
    round_id = dealt_live(cli_room, cards)
    with open_ledger(cli_room.database) as ledger:
        CardRoom(ledger).end_live_round("end", "kim", "table-1")
    before = cli_room.read_json("rounds", "show", round_id)
    assert "jackpot_wagers_void" not in before
    assert cli_room.read_output(
        "rounds", "void", "table-1", round_id, "--why", "a test", "--by", "rosa", "--second", "lee"
    )
    after = cli_room.read_json("rounds", "show", round_id)
    void = after.pop("jackpot_wagers_void")
    assert (void["who"], void["second"], void["why"]) == ("rosa", "lee", "a test")
    assert (after["shown"], after["wagers"]) == (before["shown"], before["wagers"]), "what was paid stays"
    said = " ".join(cli_room.read_output("rounds", "show", round_id).split())
    assert "The jackpot wagers of this round were voided on 20" in said
    assert "by rosa and lee: a test. They were returned to the players and taken off the meters" in said
    (listed,) = cli_room.read_json("rounds", "list", "--table", "table-1")["rounds"]
    assert (listed["void"], listed["jackpot_wagers_void"]) == (False, True)
    assert "jackpot wagers" in " ".join(cli_room.read_output("rounds", "list").split())
    assert cli_room.run("verify").exit_code == 0


def test_a_live_table_may_say_so_in_its_file(cli_room: CliRoom, file: Path) -> None:
    file.write_text(PRIME + '[play]\nmode = "live"\n')
    cli_room.read_json("table", "add", str(file))
    shown = cli_room.read_json("table", "show", "prime-9")
    assert (shown["mode"], shown["money"], shown["live"]["tabulator"]) == ("live", "room", None)
    assert "live: betting, round prime-9.1" in cli_room.read_output("table", "show", "prime-9")


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
            "'clock' in [play] is not known: use away, betting, buy_in",
        ),
        ("play = 5\n" + PRIME, "[play] must be a section with names; 5 is not."),
        ("table = 5", "The table's file needs 'table'"),
    ],
)
def test_what_a_file_breaks_is_shown(cli_room: CliRoom, file: Path, text: str, says: str) -> None:
    file.write_text(text)
    assert says in cli_room.read_refusal("table", "add", str(file))


def test_what_cannot_be_done_now_is_refused(cli_room: CliRoom, file: Path) -> None:
    cli_room.read_json("table", "add", str(file))
    assert "is open already" in cli_room.read_refusal("table", "add", str(file))
    assert "is not paused" in cli_room.read_refusal("table", "resume", "prime-9")
    assert "There is no table 'prime-8' to play at" in cli_room.read_refusal("table", "show", "prime-8")
    assert "dora is a dealer: only operators may add, move, link, and remove" in cli_room.read_refusal(
        "table", "remove", "prime-9", "--why", "late", "--by", "dora"
    )


def test_two_people_void_the_round_of_an_automatic_table(cli_room: CliRoom) -> None:
    with open_ledger(cli_room.database) as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        (player,) = guests(card_room, 1)
        chips = card_room.table(AUTOMATIC).seats[0].chips
        all_wager(card_room, [player])
    void = ("rounds", "void", AUTOMATIC, "--why", "The screen went dark", "--by", "lee")
    assert "--second LOGIN" in cli_room.read_refusal(*void)
    assert "reason is missing" in cli_room.read_refusal("rounds", "void", AUTOMATIC, "--by", "lee", "--second", "vera")
    cli_room.read_output(*void, "--second", "vera", "--id", "off-1")
    assert cli_room.read_json(*void, "--second", "vera", "--id", "off-1")["repeated"]
    assert "No round is" in cli_room.read_refusal(*void, "--second", "vera")
    void = cli_room.read_json("rounds", "show", f"{AUTOMATIC}.1")
    assert void["void"]
    with open_ledger(cli_room.database) as ledger:
        assert CardRoom(ledger).table(AUTOMATIC).seats[0].chips == chips
    assert cli_room.read_json("verify")["whole"]
