"""For each invariant, a card room in which all is right except what that invariant says.

A breaker plays a scene and then forges. Either the ledger is copied with something changed, every hash and sum right
again, or an event is stored on one chain without what belongs to it on another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import pytest

from cardroom.chart_of_accounts import CENT, Account, AccountKind, Currency, Posting
from cardroom.games.setup import setup_to_json
from cardroom.ledger import Event, UniqueKey
from cardroom.ledger.schema import balances
from cardroom.room.claim.new_claim import ClaimSubmission, claim_typed_hand
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.typed_hand import TypedHand, typed_hand_record
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.custody import correct_malfunction
from cardroom.room.jackpot.wager_counts import count_wagers
from cardroom.room.player.account import PlayerAccountOpened, PrizeCredited
from cardroom.room.site.events import DayClosed, DayOpened, chain_ends_digest
from cardroom.room.tabulator.unit import press_button
from cardroom.room.user.permissions import Role
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN
from cardroom.service.commands import handler
from tests.ledger.tampering import Attacker
from tests.service.card_rooms import DIAMOND_ROYAL, THREE_OF_A_KIND, WATCHED, new_id, open_room, play, prime_table
from tests.service.card_rooms import pay as pay_claim
from tests.service.forged_tables import JACKPOT, PLAY_TABLE, TABULATOR, play_an_hour
from tests.service.forger import Change, Payload, Rewritten, append, together, where
from tests.service.live_scenes import PRIME, TO_THE_END, begin, live_prime, steps, tabulate
from tests.service.staff import OPERATOR, SUPERVISOR, open_staff
from tests.service.table_scenes import HandClock, an_id, guests, open_prime
from tests.service.test_claims_as_typed import count_round_with_cards
from tests.service.test_claims_by_seat import FOUR_OF_SEVEN, open_two_jackpots, set_dealer_limit
from tests.service.test_interleaved_commands import lower_reserve
from tests.service.test_live_retyping import claim_royal
from tests.service.test_live_voids import TRIPS, finish_round, reverse_trips, void
from tests.service.test_promotions import open_summer
from tests.service.test_promotions import pay as pay_promotion
from tests.service.test_table_jackpots import PLAY

FINAL_FOUR: Final = "jackpot:final-four"
Secrets = Mapping[UniqueKey, bytes]
Scene = Callable[[CardRoom, pytest.MonkeyPatch, HandClock], object]


@dataclass(frozen=True)
class Breaker:
    """How one invariant is broken."""

    scene: Scene
    change: Callable[[], Change] | None = None
    """What is changed while the ledger is copied."""
    store: Callable[[CardRoom], object] | None = None
    """What is stored afterward on one chain."""
    secrets: Callable[[Secrets], Secrets] = dict
    attack: Callable[[Attacker], object] | None = None
    """What is changed in the database afterward, without the program."""

    also: frozenset[str] = frozenset()
    """Other invariants that cannot hold then either."""

    @property
    def copies(self) -> bool:
        """Whether the ledger is copied."""
        return self.change is not None or self.secrets is not dict


# Scenes


def two_tables(card_room: CardRoom, *_: object) -> None:
    """Two tables with one jackpot, and a counted round at the first."""
    open_room(card_room)
    play(card_room, seats=3, round_id="r1")


def paid_prize(card_room: CardRoom, *_: object) -> None:
    """The same with a prize that a dealer paid, and another round."""
    two_tables(card_room)
    play(card_room, round_id="r2")
    card_room.claims.claim_hand("trips", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)


def two_jackpots(limit: int) -> Scene:
    """A round with two jackpots; one has paid seat 1 a prize."""

    def scene(card_room: CardRoom, *_: object) -> None:
        open_two_jackpots(card_room)
        set_dealer_limit(card_room, limit)
        card_room.claims.claim_hand("trips", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)

    return scene


def summer(card_room: CardRoom, *_: object) -> None:
    """A promotion has paid a hand."""
    open_summer(card_room, "r1")
    pay_promotion(card_room, "r1")


def checked_claim(card_room: CardRoom, *_: object) -> None:
    """A claim that surveillance checked, and its payment."""
    two_tables(card_room)
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    pay_claim(card_room, "Vera", "final-four", "win", surveillance=WATCHED)


def reversed_prize(card_room: CardRoom, *_: object) -> None:
    """A live round is void after its prize was reversed."""
    round_id = finish_round(card_room)
    card_room.claims.claim_hand("trips", "Kim", "final-four", PRIME, round_id, TRIPS)
    reverse_trips(card_room)
    void(card_room, round_id)


def bank_statement(card_room: CardRoom, *_: object) -> None:
    """A bank statement that agrees with the account."""
    two_tables(card_room)
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 4_000_00, "slip 1")
    cents = card_room.jackpot("final-four").escrow // CENT
    card_room.jackpots.reconcile(new_id(), "Olga", "final-four", cents, day=None)


def closed_day(card_room: CardRoom, _: object, clock: HandClock) -> None:
    """A gaming day with a round, closed; and the next day."""
    open_room(card_room)
    card_room.days.open(new_id(), "Olga")
    play(card_room)
    card_room.days.close(new_id(), "Carl")
    clock.wait(86_400)


def automatic_hour(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch, _: object) -> None:
    """Three players at an automatic table with a jackpot."""
    play_an_hour(card_room, monkeypatch)


def two_guests(card_room: CardRoom, *_: object) -> None:
    """Two guests at an automatic table."""
    open_prime(card_room)
    guests(card_room, 2)


def funded_player(card_room: CardRoom, *_: object) -> None:
    """A player with a balance from the cage at an automatic table."""
    open_prime(card_room)
    card_room.players.admit_player(an_id(), "Olga", "ann-lee", Currency.PLAY)
    card_room.players.pay_in(an_id(), "Carl", "ann-lee", 500_00, "slip 1", second="Vera")
    card_room.take_seat(an_id(), "ann-lee", PRIME)


def paid_winner(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch, _: object) -> None:
    """Prizes of an automatic table are paid into balances."""
    play_an_hour(card_room, monkeypatch)
    card_room.payments.pay(new_id(), "Rosa", "play-four", "play-1.1", paid={}, second="Lee")


def live_rounds(card_room: CardRoom, *_: object) -> None:
    """A live round that was counted, and one that was voided after its count."""
    live_prime(card_room)
    begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    steps(card_room, *TO_THE_END)
    card_room.end_live_round(an_id(), "Kim", PRIME)
    begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 2)
    card_room.void_live_round(an_id(), "Kim", PRIME, "the shuffler jammed", second="Lee")


def void_round(card_room: CardRoom, *_: object) -> None:
    """A live round whose jackpot wagers are void."""
    void(card_room, finish_round(card_room))


def typed_claim(card_room: CardRoom, *_: object) -> None:
    """A claim of a live round whose dealer's cards were entered."""
    round_id = count_round_with_cards(card_room, {"dealer": "Ks 4d 2s"})
    hand = TypedHand("final-four", 100, {"hand": "9d 9h 9c", "fourth": "2d"}, {}, 2)
    card_room.claims.claim_hand("trips", "Kim", "final-four", PRIME, round_id, hand)


def retyped_claim(card_room: CardRoom, _: object, clock: HandClock) -> None:
    """A claim that is pending while a card is entered again as it was, and is refused later."""
    claim_royal(card_room)
    card_room.type_cards(an_id(), "Kim", PRIME, {"seat 1 fourth": "Jd"})
    clock.wait(3_600)
    card_room.claims.refuse(an_id(), "Vera", "final-four", "royal", "the seal was broken")


def staff(card_room: CardRoom, _: object, clock: HandClock) -> None:
    """Users who sign in, since a while."""
    open_staff(card_room)
    clock.wait(3_600)


# What is stored on one chain alone


def store_jackpot_event(kind: str, jackpot: str = "final-four", **payload: Any) -> Callable[[CardRoom], None]:
    return lambda room: append(room, f"jackpot:{jackpot}", decode_event(kind, 1, {"jackpot": jackpot, **payload}))


def store_room_event(kind: str, **payload: Any) -> Callable[[CardRoom], None]:
    return lambda room: append(room, ROOM_CHAIN, decode_event(kind, 1, payload))


def store_copied_opening(chain: str, copy: str, **changes: Any) -> Callable[[CardRoom], None]:
    """Another chain begins as this one did, with the same name in its events."""

    def store(card_room: CardRoom) -> None:
        first = next(card_room.ledger.events(chain))
        append(card_room, copy, decode_event(first.kind, 1, {**first.payload, **changes}))

    return store


def store_wagers(card_room: CardRoom) -> None:
    """The jackpot has wagers of a round that no table counted."""
    append(card_room, FINAL_FOUR, *count_wagers(card_room.jackpot("final-four"), "prime-2", 2, round_id="never-played"))


def press_again(card_room: CardRoom) -> tuple[DomainEvent, ...]:
    """A round without jackpot wagers, as a tabulator counts it."""
    return tuple(press_button(card_room.tabulator("prime-1").tabulator, "r3", {}, dealer="Eve"))


def store_higher_counter(card_room: CardRoom) -> None:
    """A counter shows one wager more than it counted."""
    (pressed,) = press_again(card_room)
    first, *others = pressed.payload["wagers"]
    wagers = [first | {"counter": first["counter"] + 1}, *others]
    append(card_room, "tabulator:prime-1", decode_event(pressed.kind, 1, pressed.payload | {"wagers": wagers}))


def store_higher_prize(card_room: CardRoom) -> None:
    """Another round pays a prize that its hand does not win."""
    (paid,) = (event.payload for event in card_room.ledger.events(FINAL_FOUR) if event.kind == "prizes-paid")
    prize = dict(paid["prizes"][0]) | {"event": "four-of-a-kind", "cents": 1_000_00}
    forged = {**paid, "round": "r2", "claim": "forged", "prizes": [prize], "cents": 1_000_00}
    append(card_room, FINAL_FOUR, decode_event("prizes-paid", 1, forged))


def wrong_entry(card_room: CardRoom) -> None:
    """The count of a round moves money to a player."""
    accounts = Account(AccountKind.PLAYER, "eve", Currency.PLAY), Account(AccountKind.PLAYER, "ada", Currency.PLAY)
    append(card_room, "tabulator:prime-1", *press_again(card_room), postings=[Posting(*accounts, 100)])


def wrong_key(card_room: CardRoom) -> None:
    """The count of a round has no unique key, so that it could be counted again."""
    append(card_room, "tabulator:prime-1", *press_again(card_room), names=())


def wrong_snapshot(card_room: CardRoom) -> None:
    """The head shows another state than its events."""
    append(
        card_room,
        "tabulator:prime-1",
        *press_again(card_room),
        change_snapshot=lambda state: state | {"tabulator": state["tabulator"] | {"unit": "unit-9"}},
    )


def store_claim(
    hand: TypedHand,
    *,
    jackpot: str = "final-four",
    dealer: str = "Kim",
    seat: int = 1,
    limit: int = 500_00,
    **more: Any,
) -> Callable[[CardRoom], None]:
    """A claim that is judged correctly, without asking the table or the other jackpots."""

    def store(card_room: CardRoom) -> None:
        record = typed_hand_record(setup_to_json(prime_table()), replace(hand, seat=seat), {})
        counted = card_room.ledger.head("tabulator:prime-1").sequence
        asked = ClaimSubmission("forged", "prime-1", "r1", "Eve", counted, limit, PriorClaims(), dealer, **more)
        append(card_room, f"jackpot:{jackpot}", *claim_typed_hand(card_room.jackpot(jackpot), record, seat, asked))

    return store


def find_winner(card_room: CardRoom) -> str:
    """The player at the first seat, who won the jackpot."""
    return card_room.table(PLAY).seats[0].player


def store_credit(card_room: CardRoom) -> None:
    """The winner's account has another prize that no jackpot paid."""
    winner = find_winner(card_room)
    append(card_room, f"player:{winner}", PrizeCredited(winner, "play-four", "play-1.1", 1, 100))


def store_correction(card_room: CardRoom) -> None:
    """A meter is corrected because of a malfunction without a report."""
    state = card_room.jackpot("final-four")
    append(
        card_room,
        FINAL_FOUR,
        *correct_malfunction(state, "main", -100, report="R-31", who="Eve", second="Olga", why="It stuck"),
    )


def store_day_close(change: Callable[[DayClosed], DayClosed]) -> Callable[[CardRoom], None]:
    """The next day opens, and closes with another record than the chains have."""

    def store(card_room: CardRoom) -> None:
        (stored,) = (event for event in card_room.ledger.events(ROOM_CHAIN) if event.kind == DayClosed.kind)
        closed = decode_event(stored.kind, 1, dict(stored.payload))
        assert isinstance(closed, DayClosed)
        day = closed.day + timedelta(days=1)
        forged = change(replace(closed, day=day))
        append(
            card_room, ROOM_CHAIN, DayOpened(closed.who, day), replace(forged, digest=chain_ends_digest(forged.ends))
        )

    return store


def change_first_end(closed: DayClosed) -> DayClosed:
    ends = tuple(end._replace(hash="0" * 64) if end.chain == FINAL_FOUR else end for end in closed.ends)
    return replace(closed, ends=ends)


def store_user(login: str, role: Role, who: str) -> Callable[[CardRoom], None]:
    """A user whom one person added alone."""
    payload = {
        "login": login,
        "name": login.title(),
        "role": role,
        "password": "",
        "who": who,
        "second": "",
        "until": 0,
    }
    return lambda room: append(room, f"user:{login}", decode_event("user-registered", 1, payload))


def store_signature(card_room: CardRoom) -> None:
    """A signature whose digest is that of another command."""
    payload = {
        "login": SUPERVISOR,
        "beside": OPERATOR,
        "act": "Pay in $1",
        "address": "127.0.0.1",
        "command": "forged",
        "digest": "00" * 32,
    }
    append(card_room, f"user:{SUPERVISOR}", decode_event("countersigned", 1, payload))


def change_first(kind: str, **changes: Any) -> Change:
    """Change what the first event of a kind says, on any chain."""
    met: list[str] = []

    def change(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        if event.kind != kind or met:
            return None
        met.append(event.id)
        return [(kind, payload | changes)]

    return change


def drop(*kinds: str) -> Callable[[], Change]:
    """The copy has no events of these kinds."""

    def change(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        return [] if event.kind in kinds else None

    return lambda: change


def name_another_round(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
    """The void names a round that was not counted."""
    is_void = event.kind in ("round-voided", "wagers-reversed")
    return [(event.kind, payload | {"round": "prime-1.7"})] if is_void else None


def void_at_old_rates(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch, _: object) -> None:
    """Wagers are reversed at the rates of today, by a program that does not know that they have changed."""
    open_room(card_room)
    play(card_room, round_id="r1")
    lower_reserve(card_room)
    trace_round = handler.trace_round

    def forget_rates(*arguments: Any) -> Any:
        aftermath = trace_round(*arguments)
        return aftermath._replace(accruals=aftermath.accruals._replace(parameters={}))

    with monkeypatch.context() as patched:
        patched.setattr(handler, "trace_round", forget_rates)
        card_room.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo")


def seat_claims(sat: Callable[[list[Any]], list[Any]]) -> Change:
    return together(where(JACKPOT, "prizes-paid", sat=sat), where(JACKPOT, "claim-locked", sat=sat))


def take_a_cent(attacker: Attacker) -> None:
    """A balance is no longer the sum of its entries."""
    row = next(row for row in attacker.rows(balances) if row["credits"])
    attacker.write(balances, row, credits=row["credits"] - CENT)


def change_seat(seat: int, by: int) -> Callable[[list[list[int]]], list[list[int]]]:
    """Add an amount to the row of one seat."""
    return lambda rows: [[row_seat, cents + by * (row_seat == seat)] for row_seat, cents in rows]


BREAKERS: Final[Mapping[str, Breaker]] = {
    "stored-as-written": Breaker(two_tables, attack=take_a_cent),
    "entries-follow-from-events": Breaker(two_tables, store=wrong_entry),
    "unique-keys-follow-from-events": Breaker(two_tables, store=wrong_key),
    "snapshot-follows-from-events": Breaker(two_tables, store=wrong_snapshot),
    "rules-allow-each-event": Breaker(
        automatic_hour, lambda: where(PLAY_TABLE, "seat-left", cents=lambda cents: cents + 1)
    ),
    "two-people-take-part": Breaker(live_rounds, lambda: where(f"table:{PRIME}", "live-round-canceled", second="kim")),
    "rounds-come-from-sealed-keys": Breaker(automatic_hour, lambda: where(PLAY_TABLE, "round-played", key="11" * 32)),
    "decisions-are-legal-and-in-turn": Breaker(
        automatic_hour, lambda: where(PLAY_TABLE, "decision-made", answer="raise")
    ),
    "players-have-the-announced-time": Breaker(
        automatic_hour, lambda: where(PLAY_TABLE, "decision-made", deadline=1_900_000_000_000_000)
    ),
    "rounds-pay-what-the-rules-say": Breaker(
        automatic_hour,
        lambda: where(PLAY_TABLE, "round-played", returned=change_seat(2, 1), filled=lambda cents: cents + 1),
    ),
    "counters-advance-by-the-count": Breaker(two_tables, store=store_higher_counter),
    "claims-and-statements-are-judged-alike": Breaker(paid_prize, store=store_higher_prize),
    "surveillance-checks-before-payment": Breaker(
        checked_claim,
        lambda: where(FINAL_FOUR, "claim-paid", surveillance=lambda check: check | {"time": check["time"] - 10**12}),
    ),
    "void-rounds-pay-nothing": Breaker(reversed_prize, drop("prizes-reversed")),
    "statements-list-the-movements": Breaker(
        bank_statement,
        lambda: where(
            FINAL_FOUR,
            "reconciled",
            later=[["check 1078", -500_10 * CENT]],
            statement=lambda amount: amount + 500_10 * CENT,
        ),
    ),
    "counted-wagers-reach-their-jackpot": Breaker(two_tables, store=store_wagers),
    "claimed-wagers-were-counted": Breaker(two_tables, store=store_claim(DIAMOND_ROYAL, seat=4)),
    "claims-name-the-dealer": Breaker(two_tables, store=store_claim(DIAMOND_ROYAL, dealer="Eve")),
    "dealers-limit-is-the-rooms": Breaker(two_tables, store=store_claim(DIAMOND_ROYAL, limit=123_00)),
    "reports-were-open": Breaker(two_tables, store=store_correction),
    "a-seat-wins-at-most-the-dealers-limit": Breaker(
        two_jackpots(50_00), store=store_claim(FOUR_OF_SEVEN, jackpot="all-seven", limit=50_00)
    ),
    "prizes-of-other-jackpots-were-paid": Breaker(
        two_jackpots(150_00),
        store=store_claim(FOUR_OF_SEVEN, jackpot="all-seven", limit=150_00, paid_on_other_jackpots={1: 99_99}),
    ),
    "promotions-pay-their-currency": Breaker(
        summer,
        lambda: where(
            "promotion:summer-straights", "promotion-started", promotion=lambda setup: setup | {"money": "play"}
        ),
    ),
    "closed-days-keep-their-heads": Breaker(closed_day, store=store_day_close(change_first_end)),
    "closed-days-keep-their-money": Breaker(
        closed_day, store=store_day_close(lambda closed: replace(closed, jackpots=()))
    ),
    "links-agree": Breaker(two_tables, store=store_jackpot_event("table-unlinked", table="prime-2", who="Eve")),
    "links-have-one-currency": Breaker(
        two_tables, lambda: where(FINAL_FOUR, "jackpot-opened", setup=lambda setup: setup | {"money": "play"})
    ),
    "a-unit-is-at-one-table": Breaker(
        two_tables,
        store=store_room_event("unit-moved", who="Eve", unit="unit-9", table="prime-9", counters=[], logger=None),
    ),
    "jackpots-are-in-the-books": Breaker(two_tables, store=store_copied_opening(FINAL_FOUR, "jackpot:copy")),
    "chips-agree": Breaker(
        automatic_hour,
        lambda: change_first("chips-bought", round=2),
    ),
    "players-have-the-tables-currency": Breaker(
        funded_player,
        lambda: where("player:ann-lee", "player-account-opened", money="room"),
        also=frozenset({"chips-and-balances-are-in-the-books"}),
    ),
    "seats-agree": Breaker(
        two_guests,
        store=store_copied_opening("table:prime-1", "table:prime-1-copy"),
        also=frozenset({"chips-and-balances-are-in-the-books"}),
    ),
    "credited-prizes-agree": Breaker(
        paid_winner,
        store=store_credit,
    ),
    "credited-prizes-have-one-currency": Breaker(
        paid_winner,
        store=lambda room: append(
            room, "player:zoe", PlayerAccountOpened(find_winner(room), Currency.REAL, False, 0, "Olga")
        ),
        also=frozenset({"players-have-the-tables-currency", "seats-agree", "chips-and-balances-are-in-the-books"}),
    ),
    "chips-and-balances-are-in-the-books": Breaker(
        lambda room, *_: room.players.admit_guest("first"),
        store=lambda room: append(
            room,
            "player:zoe",
            PlayerAccountOpened(room.players.admit_guest("first").player, Currency.PLAY, True, 1_000_00, ""),
        ),
    ),
    "automatic-wagers-are-counted": Breaker(
        automatic_hour,
        lambda: where(
            TABULATOR, "round-tabulated", wagers=lambda wagers: [wager | {"positions": [1, 2, 4]} for wager in wagers]
        ),
    ),
    "live-rounds-are-counted": Breaker(
        live_rounds, drop("round-tabulated", "wagers-counted", "round-voided", "wagers-reversed")
    ),
    "voided-rounds-count-nothing": Breaker(live_rounds, drop("round-voided", "wagers-reversed")),
    "voids-reverse-what-was-counted": Breaker(
        void_round, lambda: name_another_round, also=frozenset({"reversals-restore-the-meters"})
    ),
    "reversals-restore-the-meters": Breaker(void_at_old_rates),
    "automatic-prizes-agree": Breaker(
        automatic_hour,
        lambda: where(
            PLAY_TABLE, "round-played", meters=lambda shown: {spot: cents + 1 for spot, cents in shown.items()}
        ),
    ),
    "winners-sat-at-their-seats": Breaker(automatic_hour, lambda: seat_claims(lambda sat: [*sat[:1], [2, "eve"]])),
    "entries-respect-pending-claims": Breaker(
        retyped_claim,
        lambda: where(f"table:{PRIME}", "cards-typed", 2, cards={"seat 1 fourth": ["2h"]}, corrects=["seat 1 fourth"]),
    ),
    "claims-match-entered-cards": Breaker(
        typed_claim, lambda: where(f"table:{PRIME}", "cards-typed", 1, cards={"dealer": ["9h", "4d", "2s"]})
    ),
    "room-has-one-first-operator": Breaker(staff, store=store_user("eve", Role.OPERATOR, "eve")),
    "two-people-decide-about-users": Breaker(staff, store=store_user("eve", Role.DEALER, OPERATOR)),
    "signatures-are-for-stored-commands": Breaker(staff, store=store_signature),
    "second-people-have-signed": Breaker(
        staff,
        store=store_room_event("site-configured", who=OPERATOR, second=SUPERVISOR, why="because", settings={}),
    ),
    "recoveries-are-marked": Breaker(
        staff,
        store=store_room_event(
            "operator-recovered", who="Rosa", other="Lee", login=OPERATOR, account="root", at=1_800_000_000_000_000
        ),
    ),
    "secrets-match-their-seals": Breaker(automatic_hour, secrets=lambda secrets: {name: bytes(32) for name in secrets}),
}
"""By the name of the invariant."""
