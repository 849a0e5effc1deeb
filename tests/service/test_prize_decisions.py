"""What became of a prize is found again from the moment at which it was claimed, however much happened since."""

from __future__ import annotations

from cardroom.room.jackpot.events import ClaimPaid, ClaimRefused
from cardroom.service import CardRoom
from cardroom.service.chains.names import jackpot_chain
from tests.service.automatic import DIAMOND, NO_USER_WINS, count, end, open_play_room, prime_round
from tests.service.card_rooms import new_id

JACKPOT = "play-four"
CLUBS = {2: ("Jc Qc Kc", "Ac")}


def wagers(card_room: CardRoom, rounds: range) -> None:
    """Rounds in which no user wins."""
    for number in rounds:
        count(card_room, f"play-1.{number}", {1: (1,)})
        end(card_room, f"play-1.{number}", prime_round(NO_USER_WINS))


def test_each_seat_of_a_claim_has_its_own_end(card_room: CardRoom) -> None:
    open_play_room(card_room)
    wagers(card_room, range(1, 8))
    count(card_room, "play-1.8", {1: (1, 2)})
    end(card_room, "play-1.8", prime_round(DIAMOND | CLUBS))
    head = card_room.ledger.head(jackpot_chain(JACKPOT))
    assert head is not None
    since = head.time

    def became(seat: int) -> object:
        decided = card_room.payments.find_prize_decision(JACKPOT, "play-1.8", seat, since)
        return None if decided is None else (type(decided.by), decided.payout.cents if decided.payout else None)

    assert (became(1), became(2)) == (None, None)
    wagers(card_room, range(9, 12))
    card_room.claims.refuse(new_id(), "Rosa", JACKPOT, "play-1.8", "Misread.", seats=[2], second="Lee")
    assert (became(1), became(2)) == (None, (ClaimRefused, None))
    wagers(card_room, range(12, 15))
    paid = card_room.payments.pay(new_id(), "Rosa", JACKPOT, "play-1.8", paid={}, second="Lee")
    wagers(card_room, range(15, 18))
    assert (became(1), became(2)) == ((ClaimPaid, paid.cents), (ClaimRefused, None))
    decided = card_room.payments.find_prize_decision(JACKPOT, "play-1.8", 1, since)
    assert decided is not None
    assert decided.time > since


def test_a_claim_that_never_was_has_no_end(card_room: CardRoom) -> None:
    open_play_room(card_room)
    wagers(card_room, range(1, 3))
    assert card_room.payments.find_prize_decision(JACKPOT, "play-1.1", 1, 0) is None
