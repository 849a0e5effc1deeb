"""Tables: who may open them, sit down there, and leave; every chip is an entry of the ledger."""

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


def test_a_guest_comes_in_with_play_money_that_the_house_has_issued(card_room: CardRoom) -> None:
    guest = card_room.admit_guest("first")
    assert (guest.money, guest.balance) == (Currency.PLAY, 1_000_00)
    assert card_room.admit_guest("first") == guest
    assert books(card_room) == {"play-issued:house": 1_000_00, f"play-player:{guest.player}": 1_000_00}


def test_chips_at_a_seat_come_off_the_balance_and_go_back_to_it(card_room: CardRoom) -> None:
    open_prime(card_room)
    (ann,) = guests(card_room, 1, buy_in=300_00)
    assert card_room.player_account(ann).balance == 700_00
    assert books(card_room)[f"play-seat:{PRIME}/1"] == 300_00
    card_room.leave_seat(an_id(), ann, PRIME)
    assert card_room.player_account(ann).balance == 1_000_00
    assert f"play-seat:{PRIME}/1" not in books(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_no_user_buys_more_chips_than_the_balance_has(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    ann = in_a_file.admit_guest(an_id()).player
    with pytest.raises(NotEnoughChips, match=r"\$1,000"):
        in_a_file.take_seat(an_id(), ann, PRIME, buy_in=1_000_01)
    for nothing in (0, -5_00):
        with pytest.raises(NotEnoughChips):
            in_a_file.take_seat(an_id(), ann, PRIME, buy_in=nothing)
    assert in_a_file.player_account(ann).balance == 1_000_00
    assert in_a_file.take_seat(an_id(), ann, PRIME).chips == 200_00


def test_any_user_has_less_than_the_customary_buy_in_sits_down_with_all_of_it(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    open_prime(in_a_file, table="prime-2")
    (ann,) = guests(in_a_file, 1, buy_in=900_00)
    assert in_a_file.take_seat(an_id(), ann, "prime-2").chips == 100_00


def test_a_player_who_sits_buys_more_chips_at_the_same_seat(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1, buy_in=100_00)
    assert in_a_file.take_seat(an_id(), ann, PRIME, buy_in=50_00).chips == 150_00
    with pytest.raises(WrongPhase):
        in_a_file.take_seat(an_id(), ann, PRIME, seat=3, buy_in=50_00)
    with pytest.raises(WrongPhase):
        in_a_file.take_seat(an_id(), ann, PRIME)
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize("buy_in", [None, 10_00])
def test_a_balance_with_nothing_on_it_buys_no_chips(in_a_file: CardRoom, buy_in: int | None) -> None:
    open_prime(in_a_file)
    open_prime(in_a_file, table="prime-2")
    ann = in_a_file.admit_guest(an_id()).player
    in_a_file.take_seat(an_id(), ann, PRIME, buy_in=1_000_00)
    with pytest.raises(NotEnoughChips, match=ann):
        in_a_file.take_seat(an_id(), ann, "prime-2", buy_in=buy_in)


def test_a_seat_is_taken_by_one_of_two(card_room: CardRoom) -> None:
    open_prime(card_room)
    ann, bob = (card_room.admit_guest(an_id()).player for _ in range(2))
    card_room.take_seat(an_id(), ann, PRIME, seat=3)
    with pytest.raises(WrongPhase, match="1, 2, 4, 5"):
        card_room.take_seat(an_id(), bob, PRIME, seat=3)
    for seat in (0, 6):
        with pytest.raises(UnknownSeat):
            card_room.take_seat(an_id(), bob, PRIME, seat=seat)
    assert card_room.take_seat(an_id(), bob, PRIME).seat == 1


def test_company_gives_way_to_a_player_who_finds_no_free_seat(in_a_file: CardRoom) -> None:
    open_prime(in_a_file, seats=2)
    in_a_file.seat_bot(an_id(), "Olga", PRIME, 2, "Kit", 300_00)
    (ann,) = guests(in_a_file, 1)
    bob = in_a_file.admit_guest(an_id()).player
    assert in_a_file.take_seat(an_id(), bob, PRIME).seat == 2
    with pytest.raises(WrongPhase, match=r"2.*prime-1"):
        in_a_file.take_seat(an_id(), in_a_file.admit_guest(an_id()).player, PRIME)
    assert [one.player for one in in_a_file.table(PRIME).seats] == [ann, bob]
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_any_user_has_been_silent_for_long_gives_way_when_no_seat_is_free_and_takes_the_chips_along(
    timed: CardRoom, clock: HandClock
) -> None:
    open_prime(timed, PlayTerms(silence=300), seats=2)
    ann, bob = guests(timed, 2)
    clock.wait(200)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    timed.place_wagers(an_id(), ann, PRIME, {})
    cat = timed.admit_guest(an_id()).player
    clock.wait(100)
    with pytest.raises(WrongPhase):
        timed.take_seat(an_id(), cat, PRIME)
    clock.wait(1)
    with pytest.raises(WrongPhase):
        timed.take_seat(an_id(), cat, PRIME, seat=1)
    assert timed.take_seat(an_id(), cat, PRIME).seat == 2
    assert (timed.player_account(bob).balance, dict(timed.player_account(bob).seats)) == (1_000_00, {})
    assert timed.table(PRIME).seat_of(ann) is not None
    left = [result for kind, result in events_of(timed, f"table:{PRIME}") if kind == "seat-left"]
    assert [(one["player"], one["wanted_by"]) for one in left] == [(bob, cat)]
    assert verify_card_room(timed.ledger).is_consistent


def test_no_user_gives_way_whose_wagers_lie_there(timed: CardRoom, clock: HandClock) -> None:
    open_prime(timed, PlayTerms(betting=0, deciding=0, silence=300), seats=2)
    ann, _ = guests(timed, 2)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    cat, dan = (timed.admit_guest(an_id()).player for _ in range(2))
    clock.wait(1_000)
    assert timed.take_seat(an_id(), cat, PRIME).seat == 2
    with pytest.raises(WrongPhase):
        timed.take_seat(an_id(), dan, PRIME)


def test_a_named_player_is_paid_in_and_out_by_two_people(card_room: CardRoom) -> None:
    card_room.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    with pytest.raises(SamePerson):
        card_room.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="carl")
    with pytest.raises(SamePerson):
        card_room.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1")
    card_room.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    with pytest.raises(BadPlayerAccount, match=r"\$50"):
        card_room.pay_out(an_id(), "Carl", "ann-lee", 50_01, "slip 2", second="Vera")
    assert card_room.pay_out(an_id(), "Carl", "ann-lee", 20_00, "slip 3", second="Vera").balance == 30_00
    for pay, slip in ((card_room.pay_in, "SLIP  1"), (card_room.pay_out, "slip 1"), (card_room.pay_in, "slip 3")):
        with pytest.raises(BadReference):
            pay(an_id(), "Carl", "ann-lee", 5_00, slip, second="Vera")
    assert card_room.ledger.balances()[Account(AccountKind.PLAYER, "ann-lee")] == 30_00 * CENT
    assert verify_card_room(card_room.ledger).is_consistent


def test_play_money_and_the_rooms_never_meet_at_a_table(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    in_a_file.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    in_a_file.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    with pytest.raises(NotYourSeat):
        in_a_file.take_seat(an_id(), "ann-lee", PRIME)


def test_an_automatic_table_deals_for_the_rooms_money_only_where_the_law_lets_it(in_a_file: CardRoom) -> None:
    terms = UNTIMED._replace(money=Currency.REAL)
    with pytest.raises(BadPlayTerms):
        open_prime(in_a_file, terms)
    setup = default_setup("three-card-prime", seats=2, jurisdiction="tribal")
    plain = {one: setup.wagers[one] for one in ("ante-play", "prime")}
    in_a_file.add_table(an_id(), "Olga", "tribal-1", type(setup)(setup.game, plain, 2, jurisdiction="tribal"), terms)
    in_a_file.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    in_a_file.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    in_a_file.take_seat(an_id(), "ann-lee", "tribal-1")
    all_wager(in_a_file, ["ann-lee"], "tribal-1")
    play_on(in_a_file, "tribal-1")
    moneys = {account.currency for account in in_a_file.ledger.balances()}
    assert moneys == {Currency.REAL}
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_unknown_players_and_tables_are_shown_so(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    with pytest.raises(UnknownPlayer):
        in_a_file.take_seat(an_id(), "nobody", PRIME)
    ann = in_a_file.admit_guest(an_id()).player
    with pytest.raises(UnknownTable):
        in_a_file.take_seat(an_id(), ann, "nowhere")
    with pytest.raises(UnknownRound):
        in_a_file.get_round_json("prime-1.1")


def test_company_has_chips_of_the_house_and_takes_none_of_them_away(card_room: CardRoom) -> None:
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


def test_a_private_table_is_there_for_its_owner_only(in_a_file: CardRoom) -> None:
    ann, bob = (in_a_file.admit_guest(an_id()).player for _ in range(2))
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


def test_a_table_for_everybody_is_not_called_like_a_private_one(in_a_file: CardRoom) -> None:
    with pytest.raises(CannotAddTable):
        open_prime(in_a_file, UNTIMED, "practice-1")


def test_a_wager_that_pays_from_a_meter_needs_a_jackpot(in_a_file: CardRoom) -> None:
    setup = default_setup("three-card-prime")
    offered = game("three-card-prime").open(setup).offers
    metered = [one for one in offered if offered[one].has_meter]
    assert metered
    with pytest.raises(CannotAddTable):
        in_a_file.add_table(an_id(), "Olga", PRIME, setup, UNTIMED)
    with pytest.raises(CannotAddTable):
        in_a_file.add_table(an_id(), "Olga", "prime/1", without_meters("three-card-prime"), UNTIMED)


@pytest.mark.parametrize(
    "terms",
    [
        UNTIMED._replace(betting=-1),
        UNTIMED._replace(deciding=3_601),
        UNTIMED._replace(buy_in=0),
        UNTIMED._replace(owner="ann", money=Currency.REAL),
    ],
)
def test_terms_that_cannot_be_are_refused(in_a_file: CardRoom, terms: PlayTerms) -> None:
    with pytest.raises(BadInput):
        open_prime(in_a_file, terms)
    assert in_a_file.list_tables() == ()


def test_a_table_is_read_back_as_it_is_by_another_program(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    (ann,) = guests(in_a_file, 1)
    all_wager(in_a_file, [ann])
    play_on(in_a_file)
    assert in_a_file.table(PRIME).rounds == 1
    assert CardRoom(in_a_file.ledger).table(PRIME) == in_a_file.table(PRIME)
