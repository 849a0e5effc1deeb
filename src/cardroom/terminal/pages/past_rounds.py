"""Rounds that were played on the ledger: a list of them, one in full, and one that was settled again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.accounts import Money
from cardroom.floor import PastRound
from cardroom.floor.felt.happenings import Answered
from cardroom.floor.felt.state import words_of
from cardroom.floor.felt.telling import by_words
from cardroom.floor.kept.live_recall import PastLiveRound
from cardroom.floor.kept.round_check import DealtCard, RoundCheck
from cardroom.floor.kept.round_search import AnyRound
from cardroom.games import Decision, Place
from cardroom.games.layout_words import wager_name
from cardroom.games.money import money
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.terminal.cards import tags
from cardroom.terminal.names import answer
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.pages.felts import live_round_page
from cardroom.terminal.pages.payouts import settlement_table
from cardroom.terminal.palette import COST, LOST, QUIET, SLUG, TITLE, WON, net_style


def money_words(of: str) -> str:
    """Which of the two moneys it is.

    >>> money_words("play"), money_words("room")
    ('play money', "the room's money")
    """
    return Money(of).words


def rounds_table(rounds: Sequence[AnyRound], calendar: Calendar) -> RenderableType:
    """A line a round, the newest first."""
    if not rounds:
        return Text("No round has ended there yet.", QUIET)
    headings = (
        Heading("Round", Align.WHOLE),
        Heading("Ended", Align.WHOLE),
        Heading("Game"),
        Heading("Who sat where", Align.SENTENCE),
        *(Heading(one, Align.RIGHT) for one in ("Wagered", "Returned")),
        Heading("Money"),
        Heading("Void"),
    )
    rows: list[list[CellText]] = [
        [
            Text(one.id, SLUG),
            calendar.told(one.time),
            one.game,
            seats_words(one),
            money(sum(one.wagered.values())),
            money(sum(one.returned.values())),
            money_words(one.money),
            Text(_void(one), COST),
        ]
        for one in rounds
    ]
    return Group(Columns(headings, rows), Text(calendar.said, QUIET))


def _void(one: AnyRound) -> str:
    if one.is_void:
        return "yes"
    return "jackpot wagers" if isinstance(one, PastLiveRound) and one.voided is not None else ""


def seats_words(past: AnyRound) -> str:
    """Who sat where, such as "1 guest-eb37ec54b77e, 2 Ada"; at a live table, who dealt and at which positions somebody
    played."""
    if isinstance(past, PastLiveRound):
        return f"dealt by {past.live.dealer} to {', '.join(map(str, past.live.positions))}"
    return ", ".join(f"{seat} {player}" for seat, player in past.players.items())


def round_page(past: AnyRound, check: RoundCheck, calendar: Calendar) -> RenderableType:
    """A round in full: cards, wagers, answers, payments, and how its shuffle is checked. Of a live round there is what
    was typed and shown."""
    if isinstance(past, PastLiveRound):
        steps = (_step(step.sentence, step.holds) for step in check.steps)
        return Group(live_round_page(past, calendar), Text(f"In {money_words(past.money)}. {calendar.said}"), *steps)
    return Group(*_head(past, calendar), *_parts(past, check))


def _head(past: PastRound, calendar: Calendar) -> Iterator[RenderableType]:
    title = Text.assemble((f"Round {past.id}", TITLE), f"  {past.game}, {money_words(past.money)}")
    yield title.append(f"  ended {calendar.told(past.time)}", QUIET)
    yield Text(f"Seats: {seats_words(past)}. {calendar.said}", QUIET)
    if past.void is not None:
        who = f"{past.void['who']} and {past.void['second']}"
        yield Text(f"Called off by {who}: {past.void['why']}. Every wager went back.", COST)
    yield Text("")


def _parts(past: PastRound, check: RoundCheck) -> Iterator[RenderableType]:
    if check.dealt:
        yield _cards(past)
        yield Text("")
    yield _wagers(past)
    if past.answers:
        yield Text("")
        yield _answers(past.answers)
    yield Text("")
    if not past.is_void and check.dealt:
        yield settlement_table(past.settlement, past.played.table.facts)
        yield from _prizes(past)
    yield from _shuffle(past, check)


def _cards(past: PastRound) -> RenderableType:
    """The cards as they lay, the dealer's and the table's first."""
    laid = sorted(past.played.dealt.items(), key=lambda one: (one[0].seat or 0, one[0].pile))
    return Columns(
        [Heading("Place", Align.WHOLE), Heading("Cards")], [[str(place), tags(pile)] for place, pile in laid]
    )


def _wagers(past: PastRound) -> RenderableType:
    facts, words = past.facts, words_of(past.begun.wagers)
    rows: list[list[CellText]] = [
        [
            f"Seat {one.seat}",
            past.players[one.seat],
            ", ".join(f"{wager_name(facts, spot)} {money(cents)}" for spot, cents in one.spots.items()),
            words.get(one.seat, ""),
        ]
        for one in past.begun.wagers
    ]
    headings = [Heading("Seat", Align.WHOLE), Heading("Player"), Heading("Wagers", Align.SENTENCE), Heading("Words")]
    return Columns(headings, rows)


def _answers(answers: Sequence[Answered]) -> RenderableType:
    rows: list[list[CellText]] = [
        [
            str(number),
            f"Seat {one.seat}",
            one.question,
            answer(Decision.parse(one.answer)),
            by_words(one.by),
            money(one.cents) if one.cents else "",
        ]
        for number, one in enumerate(answers, 1)
    ]
    headings = [
        Heading("", Align.RIGHT),
        Heading("Seat", Align.WHOLE),
        Heading("Question"),
        Heading("Answer"),
        Heading("By"),
        Heading("Put down", Align.RIGHT),
    ]
    return Columns(headings, rows)


def _prizes(past: PastRound) -> Iterator[RenderableType]:
    """What jackpots and promotions gave, and what the seats got in all."""
    for one in past.prizes:
        yield Text(f"Prizes of jackpots and promotions paid with the round: seat {one.seat}, {money(one.cents)}.", WON)
    for waiting in past.waiting:
        told = f"{money(waiting.cents)} of jackpot {waiting.jackpot} for seat {waiting.seat}"
        yield Text(f"{told} waits for two people (claim {waiting.claim}).", COST)
    got = (
        "; ".join(f"seat {seat} {money(cents)}" for seat, cents in past.returned.items() if cents) or "nobody anything"
    )
    yield Text(f"Given back at the table, in {money_words(past.money)}: {got}.")


def _shuffle(past: PastRound, check: RoundCheck) -> Iterator[RenderableType]:
    yield Text("")
    yield Text("The shuffle", TITLE)
    for name, value in (("seal", past.seal), ("key", past.key)):
        yield Text.assemble((f"  {name:<5}", QUIET), value, overflow="fold")
    for seat, said in words_of(past.begun.wagers).items():
        yield Text.assemble((f"  words of seat {seat}  ", QUIET), said, overflow="fold")
    for step in check.steps:
        yield _step(step.sentence, step.holds)
    if check.dealt:
        yield Text.assemble(("  as dealt  ", QUIET), _in_turn(check))


def _in_turn(check: RoundCheck) -> Text:
    """The cards in the order in which they came off the shoe, and where they went."""
    parts = [
        Text.assemble((f"{place} ", QUIET), tags(one.card for one in some))
        for place, some in groupby(check.dealt, key=_place)
    ]
    return Text(", ").join(parts)


def _place(one: DealtCard) -> Place:
    return one.place


def _step(sentence: str, holds: bool) -> Text:
    return Text.assemble(("  ✓ ", WON) if holds else ("  ✗ ", LOST), (sentence, "" if holds else LOST))


def settled_page(past: AnyRound, check: RoundCheck) -> RenderableType:
    """What a round comes to when it is dealt and settled again."""
    rows: list[list[CellText]] = [
        [
            f"Seat {one.seat}",
            one.player,
            *map(money, (one.wagered, one.paid, one.again)),
            Text("same", WON) if one.paid == one.again else Text(money(one.again - one.paid), net_style(-1)),
        ]
        for one in check.seats
    ]
    numbers = [Heading(one, Align.RIGHT) for one in ("Wagered", "Got", "Settled again")]
    told = "Round {} is what it was paid as, in {}." if check.holds else "Round {} is not what it was paid as, in {}."
    words = Text(told.format(past.id, money_words(past.money)), WON if check.holds else LOST)
    steps = [_step(step.sentence, step.holds) for step in check.steps]
    table = [Columns([Heading("Seat", Align.WHOLE), Heading("Player"), *numbers, Heading("")], rows)] if rows else []
    return Group(words, *steps, *table)
