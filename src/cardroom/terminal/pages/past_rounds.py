"""Past rounds as terminal pages: a list, one round in full, and a round settled again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.chart_of_accounts import Currency
from cardroom.games import Decision, Place
from cardroom.games.money import format_cents
from cardroom.games.view import wager_name
from cardroom.room.setup.calendar import Calendar
from cardroom.room.table.descriptions import decider_text
from cardroom.room.table.events import DecisionMade
from cardroom.room.table.state import player_seeds
from cardroom.service import PastRound
from cardroom.service.queries.past_live_rounds import PastLiveRound
from cardroom.service.queries.round_check import DealtCard, RoundCheck
from cardroom.service.queries.round_search import AnyPastRound
from cardroom.terminal.cards import card_tags, decision_text
from cardroom.terminal.console import BAD, COST, GOOD, QUIET, SLUG, TITLE, net_style
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns
from cardroom.terminal.pages.gaming_tables import live_round_page
from cardroom.terminal.pages.settlements import settlement_table


def currency_text(currency: str) -> str:
    """The name of a currency.

    >>> currency_text("play"), currency_text("room")
    ('play money', "the room's money")
    """
    return Currency(currency).label


def rounds_table(rounds: Sequence[AnyPastRound], calendar: Calendar) -> RenderableType:
    """One line per round, newest first."""
    if not rounds:
        return Text("No round has ended yet.", QUIET)
    headings = (
        ColumnHeading("Round", ColumnAlign.NO_WRAP),
        ColumnHeading("Ended", ColumnAlign.NO_WRAP),
        ColumnHeading("Game"),
        ColumnHeading("Seats", ColumnAlign.SENTENCE),
        *(ColumnHeading(item, ColumnAlign.RIGHT) for item in ("Wagered", "Returned")),
        ColumnHeading("Money"),
        ColumnHeading("Void"),
    )
    rows: list[list[CellText]] = [
        [
            Text(item.id, SLUG),
            calendar.format_time(item.time),
            item.game,
            seats_text(item),
            format_cents(sum(item.wagered.values())),
            format_cents(sum(item.returned.values())),
            currency_text(item.money),
            Text(_void_text(item), COST),
        ]
        for item in rounds
    ]
    return Group(TextColumns(headings, rows), Text(calendar.zone_text, QUIET))


def _void_text(round_: AnyPastRound) -> str:
    if round_.is_void:
        return "yes"
    return "jackpot wagers" if isinstance(round_, PastLiveRound) and round_.voided is not None else ""


def seats_text(past_round: AnyPastRound) -> str:
    """The players by seat, such as "1 guest-eb37ec54b77e, 2 Ada"; for a live table, the dealer and the positions."""
    if isinstance(past_round, PastLiveRound):
        return f"dealt by {past_round.live.dealer} to {', '.join(map(str, past_round.live.positions))}"
    return ", ".join(f"{seat} {player}" for seat, player in past_round.players.items())


def round_page(past_round: AnyPastRound, check: RoundCheck, calendar: Calendar) -> RenderableType:
    """A round in full: cards, wagers, decisions, payments, and the shuffle check. A live round has only the dealer's
    entries."""
    if isinstance(past_round, PastLiveRound):
        steps = (_step(step.sentence, step.holds) for step in check.steps)
        return Group(
            live_round_page(past_round, calendar),
            Text(f"In {currency_text(past_round.money)}. {calendar.zone_text}"),
            *steps,
        )
    return Group(*_head(past_round, calendar), *_parts(past_round, check))


def _head(past_round: PastRound, calendar: Calendar) -> Iterator[RenderableType]:
    title = Text.assemble((f"Round {past_round.id}", TITLE), f"  {past_round.game}, {currency_text(past_round.money)}")
    yield title.append(f"  ended {calendar.format_time(past_round.time)}", QUIET)
    yield Text(f"Seats: {seats_text(past_round)}. {calendar.zone_text}", QUIET)
    if past_round.void_details is not None:
        approvers = f"{past_round.void_details['who']} and {past_round.void_details['second']}"
        yield Text(f"Voided by {approvers}: {past_round.void_details['why']}. All wagers were returned.", COST)
    yield Text("")


def _parts(past_round: PastRound, check: RoundCheck) -> Iterator[RenderableType]:
    if check.dealt:
        yield _cards(past_round)
        yield Text("")
    yield _wagers(past_round)
    if past_round.answers:
        yield Text("")
        yield _answers(past_round.answers)
    yield Text("")
    if not past_round.is_void and check.dealt:
        yield settlement_table(past_round.settlement, past_round.game_round.table.facts)
        yield from _prizes(past_round)
    yield from _shuffle(past_round, check)


def _cards(past_round: PastRound) -> RenderableType:
    """The cards by place, the dealer's and the table's first."""
    piles = sorted(past_round.game_round.piles.items(), key=lambda item: (item[0].seat or 0, item[0].pile))
    return TextColumns(
        [ColumnHeading("Place", ColumnAlign.NO_WRAP), ColumnHeading("Cards")],
        [[str(place), card_tags(pile)] for place, pile in piles],
    )


def _wagers(past_round: PastRound) -> RenderableType:
    facts, seeds = past_round.facts, player_seeds(past_round.begun.wagers)
    rows: list[list[CellText]] = [
        [
            f"Seat {wager.seat}",
            past_round.players[wager.seat],
            ", ".join(f"{wager_name(facts, spot)} {format_cents(cents)}" for spot, cents in wager.spots.items()),
            seeds.get(wager.seat, ""),
        ]
        for wager in past_round.begun.wagers
    ]
    headings = [
        ColumnHeading("Seat", ColumnAlign.NO_WRAP),
        ColumnHeading("Player"),
        ColumnHeading("Wagers", ColumnAlign.SENTENCE),
        ColumnHeading("Own seed"),
    ]
    return TextColumns(headings, rows)


def _answers(answers: Sequence[DecisionMade]) -> RenderableType:
    rows: list[list[CellText]] = [
        [
            str(number),
            f"Seat {answer.seat}",
            answer.question,
            decision_text(Decision.parse(answer.answer)),
            decider_text(answer.by),
            format_cents(answer.cents) if answer.cents else "",
        ]
        for number, answer in enumerate(answers, 1)
    ]
    headings = [
        ColumnHeading("", ColumnAlign.RIGHT),
        ColumnHeading("Seat", ColumnAlign.NO_WRAP),
        ColumnHeading("Question"),
        ColumnHeading("Decision"),
        ColumnHeading("By"),
        ColumnHeading("Wagered", ColumnAlign.RIGHT),
    ]
    return TextColumns(headings, rows)


def _prizes(past_round: PastRound) -> Iterator[RenderableType]:
    """The prizes of jackpots and promotions, and the totals of the seats."""
    for prize in past_round.prizes:
        yield Text(
            f"Prizes of jackpots and promotions paid with the round: seat {prize.seat}, {format_cents(prize.cents)}.",
            GOOD,
        )
    for waiting in past_round.waiting:
        claim_text = f"{format_cents(waiting.cents)} of jackpot {waiting.jackpot} for seat {waiting.seat}"
        yield Text(f"{claim_text} waits for two people (claim {waiting.claim}).", COST)
    got = (
        "; ".join(f"seat {seat} {format_cents(cents)}" for seat, cents in past_round.returned.items() if cents)
        or "none"
    )
    yield Text(f"Returned at the table, in {currency_text(past_round.money)}: {got}.")


def _shuffle(past_round: PastRound, check: RoundCheck) -> Iterator[RenderableType]:
    yield Text("")
    yield Text("The shuffle", TITLE)
    for name, value in (("seal", past_round.seal), ("key", past_round.key)):
        yield Text.assemble((f"  {name:<5}", QUIET), value, overflow="fold")
    for seat, player_seed in player_seeds(past_round.begun.wagers).items():
        yield Text.assemble((f"  own seed of seat {seat}  ", QUIET), player_seed, overflow="fold")
    for step in check.steps:
        yield _step(step.sentence, step.holds)
    if check.dealt:
        yield Text.assemble(("  as dealt  ", QUIET), _deal_order(check))


def _deal_order(check: RoundCheck) -> Text:
    """The cards in dealing order, with their places."""
    parts = [
        Text.assemble((f"{place} ", QUIET), card_tags(dealt_card.card for dealt_card in dealt_cards))
        for place, dealt_cards in groupby(check.dealt, key=_card_place)
    ]
    return Text(", ").join(parts)


def _card_place(dealt_card: DealtCard) -> Place:
    return dealt_card.place


def _step(sentence: str, holds: bool) -> Text:
    return Text.assemble(("  ✓ ", GOOD) if holds else ("  ✗ ", BAD), (sentence, "" if holds else BAD))


def resettlement_page(past_round: AnyPastRound, check: RoundCheck) -> RenderableType:
    """The result of dealing and settling a round again."""
    rows: list[list[CellText]] = [
        [
            f"Seat {item.seat}",
            item.player,
            *map(format_cents, (item.wagered, item.paid, item.resettled)),
            Text("same", GOOD)
            if item.paid == item.resettled
            else Text(format_cents(item.resettled - item.paid), net_style(-1)),
        ]
        for item in check.seats
    ]
    numbers = [ColumnHeading(item, ColumnAlign.RIGHT) for item in ("Wagered", "Paid", "Settled again")]
    template = (
        "The payouts of round {} are correct, in {}." if check.holds else "The payouts of round {} are wrong, in {}."
    )
    verdict = Text(template.format(past_round.id, currency_text(past_round.money)), GOOD if check.holds else BAD)
    steps = [_step(step.sentence, step.holds) for step in check.steps]
    table = (
        [
            TextColumns(
                [ColumnHeading("Seat", ColumnAlign.NO_WRAP), ColumnHeading("Player"), *numbers, ColumnHeading("")], rows
            )
        ]
        if rows
        else []
    )
    return Group(verdict, *steps, *table)
