"""Whether the prizes that a table paid, or recorded as pending, are those that jackpots and promotions gave for its
rounds.

A table adds up what several of them pay a seat, and each of them serves several tables, so neither side can be compared
in the other's order. Each amount is multiplied by a number that follows from the round, the seat, and the cards, and
from a salt that no person could know when the events were stored. The sums of a table agree if every single amount
does; only when they do not are the amounts compared one by one.

The first prize on which a table and the jackpots and promotions disagree.

Whether claims of live rounds agree with the cards that were entered: at the end, and whenever a card was entered while
a claim was pending.

Claims are on the chains of jackpots and entered cards on those of tables, so times show which came first. The clocks of
two servers may differ a little: a claim that was refused at about that time was not pending.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from cardroom.games import Round, round_to_json
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.ledger.store import LedgerReader
from cardroom.room.claim.prior_claims import PriorClaim, PriorClaims
from cardroom.room.jackpot.events import ClaimJoined, ClaimLocked, PrizesPaid, PrizesWon
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.promotion.state import PromotionPrizePaid
from cardroom.room.table.claim_contradictions import find_contradictions, find_disagreements, find_duplicate_cards
from cardroom.room.table.events import CardsTyped, RoundPlayed, RoundStarted
from cardroom.room.table.reducer import round_start_key
from cardroom.room.table.state import TableState
from cardroom.room.table.state import round_id as format_round_id
from cardroom.service.chains.aggregates import JACKPOTS, TABLES
from cardroom.service.chains.names import jackpot_chain, promotion_chain, table_chain
from cardroom.service.queries.chain_history import read_domain_event
from cardroom.service.queries.past_live_rounds import find_typed_round
from cardroom.service.queries.past_rounds import find_past_round
from cardroom.service.verification.agreement import StoredChains, read_chain_events
from cardroom.service.verification.invariant import ReplayedRoom, invariant
from cardroom.service.verification.replay_result import ReplayResult, TypedCardsEvent
from cardroom.service.verification.report import ReplayMismatch, replay_mismatch

_RECORD_KEYS = ("wagers", "cards", "decisions")
"""The keys of a record that describe the round itself. A jackpot judges it by the paytable that it displays."""


class PrizeAmount(NamedTuple):
    """An amount with a description of its prize."""

    description: str
    cents: int


def add_weighted(sums: Counter[str], salt: bytes, table: str, prizes: Iterable[PrizeAmount], digest: bytes) -> None:
    """Add prizes of a round of a table; the digest is that of its record."""
    for prize in prizes:
        weight = blake2b(prize.description.encode(), digest_size=16, key=salt, person=digest).digest()
        sums[table] += prize.cents * int.from_bytes(weight, "big")


def digest_record(record: Mapping[str, Any]) -> bytes:
    """The cards, wagers, and decisions of a round in sixteen bytes."""
    round_data = {name: record[name] for name in _RECORD_KEYS}
    return blake2b(orjson.dumps(round_data, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()


def digest_round(played: Round) -> bytes:
    """The same of a round that was dealt again."""
    return digest_record(round_to_json(played))


def list_table_prizes(state: TableState, played: RoundPlayed) -> Iterator[PrizeAmount]:
    """The prizes that a table records when it ends a round."""
    id = format_round_id(played.table, played.number)
    for seat, cents in played.prizes:
        yield _make_paid_prize(id, seat, cents)
    for seat, jackpot, claim, cents in played.waiting:
        seated_player = state.occupant(seat)
        yield _make_pending_prize(
            id, seat, seated_player.player if seated_player and not seated_player.is_bot else "", jackpot, claim, cents
        )
    for spot, cents in played.meters.items():
        yield _make_shown_meter(id, spot, cents)


def list_jackpot_prizes(won: PrizesWon, before: JackpotState) -> Iterator[PrizeAmount]:
    """The prizes that an automatic table claimed, as a jackpot records them."""
    if isinstance(won, PrizesPaid):
        for prize in won.prizes:
            yield _make_paid_prize(won.round, prize.seat, prize.cents)
    elif isinstance(won, ClaimLocked | ClaimJoined):
        sat = dict(won.sat)
        for prize in won.prizes:
            yield _make_pending_prize(
                won.round, prize.seat, sat.get(prize.seat, ""), won.jackpot, won.claim, prize.cents
            )
        level = next((prize.level for prize in won.prizes if prize.level is not None), None)
        if level is not None:
            spot = before.jackpot.offers[won.game].wager.slug
            yield _make_shown_meter(won.round, spot, before.meter(level).displayed_cents)


def list_promotion_prizes(paid: PromotionPrizePaid) -> Iterator[PrizeAmount]:
    """The prize that an automatic table paid, as a promotion records it."""
    yield _make_paid_prize(paid.round, paid.seat, paid.cents)


def _make_paid_prize(round: str, seat: int, cents: int) -> PrizeAmount:
    return PrizeAmount(f"prizes paid at once to seat {seat} of round {round}", cents)


def _make_pending_prize(round: str, seat: int, player: str, jackpot: str, claim: str, cents: int) -> PrizeAmount:
    to = f" ({player})" if player else ""
    return PrizeAmount(f"claim {claim} of jackpot {jackpot} for seat {seat}{to} of round {round}", cents)


def _make_shown_meter(round: str, spot: str, cents: int) -> PrizeAmount:
    return PrizeAmount(f"what the meter of {spot} showed in round {round}", cents)


class _PrizeStatement(NamedTuple):
    """The statement of an event about a prize."""

    chain: str
    sequence: int
    id: str
    prize: PrizeAmount
    round: str
    digest: bytes = b""
    """Of the record that a jackpot or a promotion judged."""


@invariant(
    "automatic-prizes-agree",
    "automatic tables, jackpots, and promotions",
    "A prize that an automatic table pays or announces is on the chain of its jackpot or promotion, which judged the "
    "cards of that round, and no other is.",
)
def automatic_prizes_agree(room: ReplayedRoom) -> None:
    result = room.result
    for table in sorted({**result.table_prizes, **result.jackpot_prizes}):
        if result.table_prizes[table] != result.jackpot_prizes[table]:
            raise _find_prize_difference(table, result, room.reader)


@invariant(
    "winners-sat-at-their-seats",
    "jackpots and automatic tables",
    "The players whom an automatic claim names sat at their seats when the round began.",
)
def winners_sat_at_their_seats(room: ReplayedRoom) -> None:
    for claimed in room.result.judged_claims:
        if not claimed.is_automatic:
            continue
        event = room.chains.find_event(table_chain(claimed.table), round_start_key(claimed.round))
        begin_event = read_domain_event(event) if event else None
        seated = begin_event.players if isinstance(begin_event, RoundStarted) else ()
        players = {player.seat: player.player for player in seated}
        if not claimed.players.items() <= players.items():
            problem = f"claim {claimed.claim} names players who did not sit at {claimed.table} in round {claimed.round}"
            raise replay_mismatch(problem, claimed.chain, claimed.sequence, claimed.id, players, dict(claimed.players))


def _find_prize_difference(table: str, result: ReplayResult, reader: LedgerReader) -> ReplayMismatch:
    by_table = _sum_statements(_read_table_prizes(table, reader))
    elsewhere = list(_read_other_prizes(table, result, reader))
    other_prizes = _sum_statements(iter(elsewhere))
    for description in dict.fromkeys((*by_table, *other_prizes)):
        paid, gave = by_table.get(description), other_prizes.get(description)
        if (paid.prize.cents if paid else 0) != (gave.prize.cents if gave else 0):
            statement = paid or gave
            assert statement is not None
            problem = f"table {table} and its jackpots and promotions disagree about {description}"
            return replay_mismatch(
                problem, statement.chain, statement.sequence, statement.id, _describe_prize(gave), _describe_prize(paid)
            )
    for other_statement in elsewhere:
        dealt = find_past_round(StoredChains(reader), other_statement.round)
        if dealt is None or digest_round(dealt.game_round) != other_statement.digest:
            problem = f"it is about other cards, wagers, or decisions than those of round {other_statement.round}"
            key = f"what the key of {other_statement.round} deals"
            return replay_mismatch(
                problem,
                other_statement.chain,
                other_statement.sequence,
                other_statement.id,
                key,
                "another record of the round",
            )
    raise AssertionError("The sums differ, but all amounts agree.")


def _sum_statements(statements: Iterator[_PrizeStatement]) -> dict[str, _PrizeStatement]:
    """The statements with the same description, added up, at the place of the first."""
    sums: dict[str, _PrizeStatement] = {}
    for statement in statements:
        before = sums.setdefault(
            statement.prize.description, statement._replace(prize=statement.prize._replace(cents=0))
        )
        total = before.prize._replace(cents=before.prize.cents + statement.prize.cents)
        sums[statement.prize.description] = before._replace(prize=total)
    return sums


def _read_table_prizes(table: str, reader: LedgerReader) -> Iterator[_PrizeStatement]:
    chain, state = table_chain(table), None
    for sequence, id, event in read_chain_events(reader, chain):
        if isinstance(event, RoundPlayed) and state is not None:
            for prize in list_table_prizes(state, event):
                yield _PrizeStatement(chain, sequence, id, prize, "")
        state = TABLES.apply(state, event)


def _read_other_prizes(table: str, result: ReplayResult, reader: LedgerReader) -> Iterator[_PrizeStatement]:
    for jackpot in sorted(result.jackpots):
        chain, state = jackpot_chain(jackpot), None
        for sequence, id, event in read_chain_events(reader, chain):
            if isinstance(event, PrizesWon) and event.automatic and event.table == table:
                assert state is not None
                digest = digest_record(event.record)
                for prize in list_jackpot_prizes(event, state):
                    yield _PrizeStatement(chain, sequence, id, prize, event.round, digest)
            state = JACKPOTS.apply(state, event)
    for promotion in sorted(result.promotions):
        chain = promotion_chain(promotion)
        for sequence, id, event in read_chain_events(reader, chain):
            if isinstance(event, PromotionPrizePaid) and event.automatic and event.table == table:
                digest = digest_record(event.record)
                for prize in list_promotion_prizes(event):
                    yield _PrizeStatement(chain, sequence, id, prize, event.round, digest)


def _describe_prize(statement: _PrizeStatement | None) -> str:
    return f"{statement.prize.cents} cents (event {statement.id})" if statement else "nothing"


@invariant(
    "entries-respect-pending-claims",
    "live tables and jackpots",
    "No card, wager, or decision is entered for a live round in contradiction to a claim that is pending then.",
)
def entries_respect_pending_claims(room: ReplayedRoom) -> None:
    result, chains = room.result, room.chains
    claimed: dict[tuple[str, str], set[str]] = {}
    for judged_claim in result.judged_claims:
        claimed.setdefault((judged_claim.table, judged_claim.round), set()).add(judged_claim.jackpot)
    for typed_event in result.typed_cards:
        for jackpot in sorted(claimed.get((typed_event.table, typed_event.round), ())):
            for claim in _list_pending_claims(chains, jackpot, typed_event):
                _compare_claim(chains, jackpot, claim, typed_event)


@invariant(
    "claims-match-entered-cards",
    "jackpots and live tables",
    "A claim that is neither refused nor reversed matches what was entered for its round; no card is in two places.",
)
def claims_match_entered_cards(room: ReplayedRoom) -> None:
    result = room.result
    typed_rounds = {(item.table, item.round) for item in result.typed_cards}
    rounds: dict[tuple[str, str], list[tuple[str, PriorClaim]]] = {}
    for (table, round_id, jackpot), claims in sorted(result.round_claims.items()):
        if (table, round_id) in typed_rounds:
            rounds.setdefault((table, round_id), []).extend((jackpot, claim) for claim in claims)
    events = {(item.jackpot, item.claim): item for item in result.judged_claims}
    for (table, round_id), claimed in rounds.items():
        typed_round = find_typed_round(room.chains, result.tables[table], round_id)
        assert typed_round is not None  # the round has entries
        for jackpot, claim in claimed:
            event = events[jackpot, claim.claim or claim.command]
            for subject, says, was in find_disagreements(claim, typed_round.live):
                sentence = f"claim {event.claim} contradicts {subject} as entered in round {round_id}"
                raise replay_mismatch(sentence, event.chain, event.sequence, event.id, was, says)
            for same in find_duplicate_cards(
                claim, typed_round.live.cards, [item for _, item in claimed], typed_round.deck
            ):
                sentence = f"claim {event.claim} has {same.card}, entered at {same.typed_at!r} in round {round_id}"
                expected = f"{same.card} {same.number}"
                raise replay_mismatch(sentence, event.chain, event.sequence, event.id, expected, same.claimed_at)


def _list_pending_claims(chains: StoredChains, jackpot: str, typed_event: TypedCardsEvent) -> Iterator[PriorClaim]:
    """The claims of the round that were pending before the entry, and still were afterward."""
    prior_claims, before = PriorClaims(), None
    for event in chains.events(jackpot_chain(jackpot)):
        if before is None and event.time >= typed_event.time:
            before = prior_claims
        if event.time > typed_event.time + MAX_CLOCK_LAG:
            break
        prior_claims = prior_claims.apply_event(read_domain_event(event), typed_event.table, typed_event.round)
    remaining = {claim.command: claim for claim in prior_claims.earlier}
    yield from (remaining[claim.command] for claim in (before or prior_claims).earlier if claim.command in remaining)


def _compare_claim(chains: StoredChains, jackpot: str, claim: PriorClaim, typed_event: TypedCardsEvent) -> None:
    (event,) = chains.events(typed_event.chain, typed_event.sequence - 1, 1)
    cards_typed = read_domain_event(event)
    assert isinstance(cards_typed, CardsTyped)
    for contradiction in find_contradictions(cards_typed, claim):
        of = f"claim {claim.claim}" if claim.claim else "a prize that was paid at once"
        problem = f"it changes {contradiction.item} of round {typed_event.round}, on which {of} of {jackpot} rests"
        raise replay_mismatch(
            problem,
            typed_event.chain,
            typed_event.sequence,
            typed_event.id,
            contradiction.claimed_value,
            contradiction.typed_value or "nothing",
        )
