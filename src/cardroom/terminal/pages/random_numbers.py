"""Random numbers: a report on shuffles, and the way from a key to the cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards.shuffle_by_hand import LABEL, LABEL_WITH_WORDS
from cardroom.games.sealed import SealCheck
from cardroom.odds.shuffle_report import LEVEL, ShuffleReport
from cardroom.terminal.cards import tags
from cardroom.terminal.palette import LOST, QUIET, TITLE, WON

_FIRST: Final = 4


def report_page(report: ShuffleReport) -> RenderableType:
    """Every count with its probability, and the verdict on all of them together."""
    grid = Grid(
        title=f"{report.shuffles:,} shuffles of {report.cards} cards",
        title_style=TITLE,
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    grid.add_column("Counted", ratio=1)
    grid.add_column("Against chance", max_width=26)
    grid.add_column("p", justify="right", no_wrap=True)
    grid.add_column("p of all", justify="right", no_wrap=True)
    for one in report.tests:
        ink = "" if one.holds else LOST
        counted = Text(one.name).append(f"\n{one.counted}", QUIET)
        grid.add_row(counted, one.statistic, Text(f"{one.p:.4f}", ink), Text(f"{one.adjusted:.4f}", ink))
    share = f"{LEVEL:.0%}"
    verdict = (
        Text(f"✓ All together are what chance gives: no p of all is below {share}.", WON)
        if report.holds
        else Text(f"✗ Chance gives this in fewer than {share} of such reports: a p of all is below {share}.", LOST)
    )
    return Group(grid, verdict, Text(f"key {report.key}", QUIET))


def seal_page(check: SealCheck) -> RenderableType:
    """The whole way from the key to the cards, step by step."""
    return Group(*_seal(check), *_stream(check), *_order(check), *_deal(check))


def _seal(check: SealCheck) -> Iterator[Text]:
    told = check.told
    yield Text(f"1. The seal: SHA-256 of {_readable(LABEL)}, the key and the round's id", TITLE)
    yield _value("id", told.round)
    yield _value("key", told.key.hex())
    yield _value("seal", check.by_hand.seal)
    if told.seal is None:
        yield Text("   No seal was given to compare it with (--seal).", QUIET)
        return
    yield _value("shown", told.seal)
    yield _verdict(check.opens is True, "The key opens the seal.", "The key does not open the seal.")


def _stream(check: SealCheck) -> Iterator[Text]:
    told, by_hand = check.told, check.by_hand
    said = any(told.words.values())
    yield Text("2. The key of the stream: HMAC-SHA-256 under the key, of", TITLE)
    yield _value("label", _readable(LABEL_WITH_WORDS if said else LABEL))
    for seat, word in sorted(told.words.items()):
        yield _value(f"seat {seat}", word)
    yield _value("in all", by_hand.message.hex())
    yield _value("gives", by_hand.stream_key)


def _order(check: SealCheck) -> Iterator[Text]:
    by_hand = check.by_hand
    yield Text("3. Numbers of 32 bits: ChaCha20 (RFC 8439) under that key, a nonce of zeros", TITLE)
    yield _value("numbers", " ".join(str(one.number) for one in by_hand.draws[:_FIRST]) + " …")
    if by_hand.left_out:
        yield _value("left out", f"{by_hand.left_out}, past the last whole multiple of what they were drawn below")
    yield Text("4. The shuffle: from the last place of a fresh deck to the second", TITLE)
    for one in by_hand.draws[:_FIRST]:
        places = f"place {one.below} with {one.drawn + 1}"
        yield _value("", f"{one.number} mod {one.below} = {one.drawn}: {places}")
    yield _value("", f"… {len(by_hand.draws)} exchanges in all; the order:")
    yield Text("   ").append(tags(by_hand.order))
    same = f"The shuffle that deals comes to the same {len(by_hand.order)} cards."
    yield _verdict(check.same_order, same, "The shuffle that deals comes to another order.")


def _deal(check: SealCheck) -> Iterator[Text]:
    if check.told.played is None:
        return
    yield Text("5. The deal: off the top, to the places that the rules name", TITLE)
    for place in dict.fromkeys(one.place for one in check.dealt):
        yield _value(str(place), "").append(tags(one.card for one in check.dealt if one.place == place))
    for one in check.astray:
        yield _verdict(False, "", f"At {str(one.place)!r} the order has {one.card}, the record {one.recorded}.")
    if not check.astray:
        yield _verdict(True, f"The first {len(check.dealt)} cards of the order are those of the record.", "")


def _value(name: str, value: str) -> Text:
    return Text.assemble((f"   {name:<9} ", QUIET), value)


def _verdict(holds: bool, yes: str, no: str) -> Text:
    return Text(f" ✓ {yes}", WON) if holds else Text(f" ✗ {no}", LOST)


def _readable(label: bytes) -> str:
    return "'" + label.decode().replace("\x00", "\\0") + "'"
