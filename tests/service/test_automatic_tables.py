"""Automatic tables: who may open them, sit down, and leave. The ledger has an entry for every chip."""

from __future__ import annotations

import pytest

from cardroom.chart_of_accounts import CENT, Account, AccountKind, Currency
from cardroom.errors import BadInput
from cardroom.games import (
    default_setup,
    game,
)
from cardroom.room.dual_control import SamePerson
from cardroom.room.payment_references import BadReference
from cardroom.service import (
    BadPlayerAccount,
    BadPlayTerms,
    CannotAddTable,
    CardRoom,
    NotEnoughChips,
    NotYourSeat,
    PlayTerms,
    RoomTableSetup,
    UnknownPlayer,
    UnknownRound,
    UnknownSeat,
    UnknownTable,
    WrongPhase,
    verify_card_room,
)
from tests.service.table_scenes import (
    ANTE,
    PRIME,
    UNTIMED,
    HandClock,
    all_wager,
    an_id,
    books,
    events_of,
    guests,
    open_prime,
    play_on,
    without_meters,
)


def test_a_guest_starts_with_play_money_that_the_house_issues(card_room: CardRoom) -> None:
    guest = card_room.players.admit_guest("first")
    assert (guest.money, guest.balance) == (Currency.PLAY, 1_000_00)
    assert card_room.players.admit_guest("first") == guest
    assert books(card_room) == {"play-issued:house": 1_000_00, f"play-player:{guest.player}": 1_000_00}


def test_chips_at_a_seat_come_from_the_balance_and_return_to_it(card_room: CardRoom) -> None:
    open_prime(card_room)
    (ann,) = guests(card_room, 1, buy_in=300_00)
    assert card_room.player_account(ann).balance == 700_00
    assert books(card_room)[f"play-seat:{PRIME}/1"] == 300_00
    card_room.leave_seat(an_id(), ann, PRIME)
    assert card_room.player_account(ann).balance == 1_000_00
    assert f"play-seat:{PRIME}/1" not in books(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_player_cannot_buy_more_chips_than_the_balance_has(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    ann = in_a_file.players.admit_guest(an_id()).player
    with pytest.raises(NotEnoughChips, match=r"\$1,000"):
        in_a_file.take_seat(an_id(), ann, PRIME, buy_in=1_000_01)
    for no_amount in (0, -5_00):
        with pytest.raises(NotEnoughChips):
            in_a_file.take_seat(an_id(), ann, PRIME, buy_in=no_amount)
    assert in_a_file.player_account(ann).balance == 1_000_00
    assert in_a_file.take_seat(an_id(), ann, PRIME).chips == 200_00


def test_a_player_with_less_than_the_usual_buy_in_sits_down_with_the_complete_balance(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    open_prime(in_a_file, table="prime-2")
    (ann,) = guests(in_a_file, 1, buy_in=900_00)
    assert in_a_file.take_seat(an_id(), ann, "prime-2").chips == 100_00


def test_a_seated_player_can_buy_more_chips_at_the_same_seat_only(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1, buy_in=100_00)
    assert in_a_file.take_seat(an_id(), ann, PRIME, buy_in=50_00).chips == 150_00
    with pytest.raises(WrongPhase):
        in_a_file.take_seat(an_id(), ann, PRIME, seat=3, buy_in=50_00)
    with pytest.raises(WrongPhase):
        in_a_file.take_seat(an_id(), ann, PRIME)
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize("buy_in", [None, 10_00])
def test_an_empty_balance_buys_no_chips(in_a_file: CardRoom, buy_in: int | None) -> None:
    open_prime(in_a_file)
    open_prime(in_a_file, table="prime-2")
    ann = in_a_file.players.admit_guest(an_id()).player
    in_a_file.take_seat(an_id(), ann, PRIME, buy_in=1_000_00)
    with pytest.raises(NotEnoughChips, match=ann):
        in_a_file.take_seat(an_id(), ann, "prime-2", buy_in=buy_in)


def test_a_taken_seat_is_refused_to_a_second_player(card_room: CardRoom) -> None:
    open_prime(card_room)
    ann, bob = (card_room.players.admit_guest(an_id()).player for _ in range(2))
    card_room.take_seat(an_id(), ann, PRIME, seat=3)
    with pytest.raises(WrongPhase, match="1, 2, 4, 5"):
        card_room.take_seat(an_id(), bob, PRIME, seat=3)
    for seat in (0, 6):
        with pytest.raises(UnknownSeat):
            card_room.take_seat(an_id(), bob, PRIME, seat=seat)
    assert card_room.take_seat(an_id(), bob, PRIME).seat == 1


def test_a_bot_gives_its_seat_to_a_player_when_no_seat_is_free(in_a_file: CardRoom) -> None:
    open_prime(in_a_file, seats=2)
    in_a_file.seat_bot(an_id(), "Olga", PRIME, 2, "Kit", 300_00)
    (ann,) = guests(in_a_file, 1)
    bob = in_a_file.players.admit_guest(an_id()).player
    assert in_a_file.take_seat(an_id(), bob, PRIME).seat == 2
    with pytest.raises(WrongPhase, match=r"2.*prime-1"):
        in_a_file.take_seat(an_id(), in_a_file.players.admit_guest(an_id()).player, PRIME)
    assert [seat.player for seat in in_a_file.table(PRIME).seats] == [ann, bob]
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_an_inactive_player_loses_the_seat_when_no_seat_is_free_and_keeps_the_chips(
    timed: CardRoom, clock: HandClock
) -> None:
    open_prime(timed, PlayTerms(silence=300), seats=2)
    ann, bob = guests(timed, 2)
    clock.wait(200)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    timed.place_wagers(an_id(), ann, PRIME, {})
    cat = timed.players.admit_guest(an_id()).player
    clock.wait(100)
    with pytest.raises(WrongPhase):
        timed.take_seat(an_id(), cat, PRIME)
    clock.wait(1)
    with pytest.raises(WrongPhase):
        timed.take_seat(an_id(), cat, PRIME, seat=1)
    assert timed.take_seat(an_id(), cat, PRIME).seat == 2
    assert (timed.player_account(bob).balance, dict(timed.player_account(bob).seats)) == (1_000_00, {})
    assert timed.table(PRIME).seat_of(ann) is not None
    left = [payload for kind, payload in events_of(timed, f"table:{PRIME}") if kind == "seat-left"]
    assert [(payload["player"], payload["wanted_by"]) for payload in left] == [(bob, cat)]
    assert verify_card_room(timed.ledger).is_consistent


def test_an_inactive_player_with_wagers_on_the_table_keeps_the_seat(timed: CardRoom, clock: HandClock) -> None:
    open_prime(timed, PlayTerms(betting=0, deciding=0, silence=300), seats=2)
    ann, _ = guests(timed, 2)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    cat, dan = (timed.players.admit_guest(an_id()).player for _ in range(2))
    clock.wait(1_000)
    assert timed.take_seat(an_id(), cat, PRIME).seat == 2
    with pytest.raises(WrongPhase):
        timed.take_seat(an_id(), dan, PRIME)


def test_two_people_pay_in_and_out_for_a_named_player(card_room: CardRoom) -> None:
    card_room.players.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    with pytest.raises(SamePerson):
        card_room.players.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="carl")
    with pytest.raises(SamePerson):
        card_room.players.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1")
    card_room.players.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    with pytest.raises(BadPlayerAccount, match=r"\$50"):
        card_room.players.pay_out(an_id(), "Carl", "ann-lee", 50_01, "slip 2", second="Vera")
    assert card_room.players.pay_out(an_id(), "Carl", "ann-lee", 20_00, "slip 3", second="Vera").balance == 30_00
    for pay, slip in (
        (card_room.players.pay_in, "SLIP  1"),
        (card_room.players.pay_out, "slip 1"),
        (card_room.players.pay_in, "slip 3"),
    ):
        with pytest.raises(BadReference):
            pay(an_id(), "Carl", "ann-lee", 5_00, slip, second="Vera")
    assert card_room.ledger.balances()[Account(AccountKind.PLAYER, "ann-lee")] == 30_00 * CENT
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_player_with_real_money_cannot_sit_at_a_table_for_play_money(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    in_a_file.players.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    in_a_file.players.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    with pytest.raises(NotYourSeat):
        in_a_file.take_seat(an_id(), "ann-lee", PRIME)


def test_an_automatic_table_deals_for_real_money_only_where_the_jurisdiction_allows_it(in_a_file: CardRoom) -> None:
    terms = UNTIMED._replace(money=Currency.REAL)
    with pytest.raises(BadPlayTerms):
        open_prime(in_a_file, terms)
    setup = default_setup("three-card-prime", seats=2, jurisdiction="tribal")
    wagers = {wager: setup.wagers[wager] for wager in ("ante-play", "prime")}
    in_a_file.add_table(
        an_id(), "Olga", RoomTableSetup("tribal-1", type(setup)(setup.game, wagers, 2, jurisdiction="tribal"), terms)
    )
    in_a_file.players.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    in_a_file.players.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    in_a_file.take_seat(an_id(), "ann-lee", "tribal-1")
    all_wager(in_a_file, ["ann-lee"], "tribal-1")
    play_on(in_a_file, "tribal-1")
    currencies = {account.currency for account in in_a_file.ledger.balances()}
    assert currencies == {Currency.REAL}
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_unknown_players_tables_and_rounds_are_refused(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    with pytest.raises(UnknownPlayer):
        in_a_file.take_seat(an_id(), "unknown", PRIME)
    ann = in_a_file.players.admit_guest(an_id()).player
    with pytest.raises(UnknownTable):
        in_a_file.take_seat(an_id(), ann, "nowhere")
    with pytest.raises(UnknownRound):
        in_a_file.get_round_json("prime-1.1")


def test_a_bot_plays_with_chips_of_the_house_and_returns_them_when_it_leaves(card_room: CardRoom) -> None:
    open_prime(card_room)
    card_room.seat_bot(an_id(), "Olga", PRIME, 2, "Kit", 300_00)
    (ann,) = guests(card_room, 1)
    card_room.place_bot_wagers(an_id(), PRIME, 2, ANTE, "prime-1.1")
    all_wager(card_room, [ann])
    card_room.make_decision(an_id(), ann, PRIME, "fold")
    card_room.make_bot_decision(an_id(), PRIME, 2, "fold", "prime-1.1")
    assert books(card_room)["play-issued:house"] == 1_300_00
    card_room.remove_bot(an_id(), "Olga", PRIME, 2)
    assert books(card_room)["play-issued:house"] == 1_010_00
    with pytest.raises(WrongPhase):
        card_room.place_bot_wagers(an_id(), PRIME, 1, ANTE, "prime-1.2")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_private_table_exists_for_its_owner_only(in_a_file: CardRoom) -> None:
    ann, bob = (in_a_file.players.admit_guest(an_id()).player for _ in range(2))
    open_prime(in_a_file, UNTIMED._replace(owner=ann), "practice-1")
    in_a_file.take_seat(an_id(), ann, "practice-1")
    for command in (
        lambda: in_a_file.take_seat(an_id(), bob, "practice-1"),
        lambda: in_a_file.view_table_json("practice-1", bob),
        lambda: in_a_file.view_table_json("practice-1"),
        lambda: in_a_file.place_wagers(an_id(), bob, "practice-1", ANTE),
    ):
        with pytest.raises(UnknownTable):
            command()
    assert in_a_file.view_table_json("practice-1", ann)["seat"] == 1


def test_a_public_table_cannot_have_a_name_of_private_tables(in_a_file: CardRoom) -> None:
    with pytest.raises(CannotAddTable):
        open_prime(in_a_file, UNTIMED, "practice-1")


def test_a_wager_that_pays_from_a_meter_needs_a_jackpot(in_a_file: CardRoom) -> None:
    setup = default_setup("three-card-prime")
    offered = game("three-card-prime").open(setup).offers
    metered = [wager for wager in offered if offered[wager].has_meter]
    assert metered
    with pytest.raises(CannotAddTable):
        in_a_file.add_table(an_id(), "Olga", RoomTableSetup(PRIME, setup, UNTIMED))
    with pytest.raises(CannotAddTable):
        in_a_file.add_table(an_id(), "Olga", RoomTableSetup("prime/1", without_meters("three-card-prime"), UNTIMED))


@pytest.mark.parametrize(
    "terms",
    [
        UNTIMED._replace(betting=-1),
        UNTIMED._replace(deciding=3_601),
        UNTIMED._replace(buy_in=0),
        UNTIMED._replace(owner="ann", money=Currency.REAL),
    ],
)
def test_impossible_terms_are_refused(in_a_file: CardRoom, terms: PlayTerms) -> None:
    with pytest.raises(BadInput):
        open_prime(in_a_file, terms)
    assert in_a_file.list_tables() == ()


def test_a_second_card_room_on_the_ledger_reads_the_same_table(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    all_wager(in_a_file, [ann])
    play_on(in_a_file)
    assert in_a_file.table(PRIME).rounds == 1
    assert CardRoom(in_a_file.ledger).table(PRIME) == in_a_file.table(PRIME)
