"""Proofs as terminal pages: shuffle tests, the steps from a key to the cards, and the check of a tablebase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards.shuffle_trace import LABEL, LABEL_WITH_SEEDS
from cardroom.games.shuffle_proof import SealCheck
from cardroom.odds.shuffle_report import LEVEL, ShuffleReport
from cardroom.odds.texas_shootout.tablebase.proof import Proof
from cardroom.terminal.cards import card_tags
from cardroom.terminal.console import BAD, GOOD, QUIET, TITLE

_DRAWS_SHOWN: Final = 4


def shuffle_report_page(report: ShuffleReport) -> RenderableType:
    """Every test with its probability, and the overall verdict."""
    grid = Grid(
        title=f"{report.shuffles:,} shuffles of {report.cards} cards",
        title_style=TITLE,
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    grid.add_column("Test", ratio=1)
    grid.add_column("Compared with chance", max_width=26)
    grid.add_column("p", justify="right", no_wrap=True)
    grid.add_column("p of all", justify="right", no_wrap=True)
    for test in report.tests:
        ink = "" if test.passes else BAD
        label = Text(test.name).append(f"\n{test.counted}", QUIET)
        grid.add_row(label, test.statistic, Text(f"{test.p:.4f}", ink), Text(f"{test.adjusted:.4f}", ink))
    share = f"{LEVEL:.0%}"
    verdict = (
        Text(f"✓ The results agree with chance: no p of all is below {share}.", GOOD)
        if report.passes
        else Text(f"✗ Chance gives such results in fewer than {share} of tests: a p of all is below {share}.", BAD)
    )
    return Group(grid, verdict, Text(f"key {report.key}", QUIET))


def seal_page(check: SealCheck) -> RenderableType:
    """The steps from the key to the cards."""
    return Group(*_seal(check), *_stream(check), *_order(check), *_deal(check))


def _seal(check: SealCheck) -> Iterator[Text]:
    inputs = check.sealed_round
    yield Text(f"1. The seal: SHA-256 of {_readable(LABEL)}, the key and the round's id", TITLE)
    yield _value("id", inputs.round_id)
    yield _value("key", inputs.key.hex())
    yield _value("seal", check.manual_shuffle.commitment)
    if inputs.seal is None:
        yield Text("   There is no seal to compare it with (--seal).", QUIET)
        return
    yield _value("shown", inputs.seal)
    yield _verdict(check.is_key_match is True, "The key matches the seal.", "The key does not match the seal.")


def _stream(check: SealCheck) -> Iterator[Text]:
    inputs, by_hand = check.sealed_round, check.manual_shuffle
    has_player_seeds = any(inputs.player_seeds.values())
    yield Text("2. The key of the stream: HMAC-SHA-256 with the key, of", TITLE)
    yield _value("label", _readable(LABEL_WITH_SEEDS if has_player_seeds else LABEL))
    for seat, player_seed in sorted(inputs.player_seeds.items()):
        yield _value(f"seat {seat}", player_seed)
    yield _value("together", by_hand.message.hex())
    yield _value("gives", by_hand.stream_key)


def _order(check: SealCheck) -> Iterator[Text]:
    by_hand = check.manual_shuffle
    yield Text("3. Numbers of 32 bits: ChaCha20 (RFC 8439) with that key and a nonce of zeros", TITLE)
    yield _value("numbers", " ".join(str(draw.number) for draw in by_hand.draws[:_DRAWS_SHOWN]) + " …")
    if by_hand.rejected_count:
        yield _value("rejected", f"{by_hand.rejected_count}, beyond the last whole multiple of their range")
    yield Text("4. The shuffle: from the last place of a new deck to the second", TITLE)
    for draw in by_hand.draws[:_DRAWS_SHOWN]:
        places = f"place {draw.below} with {draw.drawn + 1}"
        yield _value("", f"{draw.number} mod {draw.below} = {draw.drawn}: {places}")
    yield _value("", f"… {len(by_hand.draws)} swaps in total; the order:")
    yield Text("   ").append(card_tags(by_hand.order))
    agreement = f"The program's own shuffle gives the same {len(by_hand.order)} cards."
    yield _verdict(check.is_same_order, agreement, "The program's own shuffle gives another order.")


def _deal(check: SealCheck) -> Iterator[Text]:
    if check.sealed_round.played_round is None:
        return
    yield Text("5. The deal: from the top, to the places in the rules", TITLE)
    for place in dict.fromkeys(dealt_card.place for dealt_card in check.card_checks):
        yield _value(str(place), "").append(
            card_tags(dealt_card.card for dealt_card in check.card_checks if dealt_card.place == place)
        )
    for dealt_card in check.mismatches:
        yield _verdict(
            False,
            "",
            f"At {str(dealt_card.place)!r} the order has {dealt_card.card}, the record {dealt_card.recorded}.",
        )
    if not check.mismatches:
        yield _verdict(True, f"The first {len(check.card_checks)} cards of the order match the record.", "")


def _value(name: str, value: str) -> Text:
    return Text.assemble((f"   {name:<9} ", QUIET), value)


def _verdict(is_valid: bool, yes: str, no: str) -> Text:
    return Text(f" ✓ {yes}", GOOD) if is_valid else Text(f" ✗ {no}", BAD)


def _readable(label: bytes) -> str:
    return "'" + label.decode().replace("\x00", "\\0") + "'"


def proof_page(proof: Proof, seed: int | None) -> RenderableType:
    """The checks, line by line."""
    return Group(*_lines(proof, seed))


def _lines(proof: Proof, seed: int | None) -> Iterator[Text]:
    yield Text(f"Tablebase of Texas Shootout, {proof.hands:,} classes of hands", TITLE)
    yield Text(f"SHA-256 of the counts {proof.digest}", QUIET)
    yield _proof_verdict(
        proof.has_same_rules, "Counted by the current house way and ranking.", "Counted by other rules."
    )
    yield _proof_verdict(
        proof.has_every_deal,
        f"The hands together have all {proof.all_deals:,} deals.",
        f"The hands together do not have all {proof.all_deals:,} deals.",
    )
    yield _proof_verdict(
        proof.is_fair,
        "A player who sets every hand like the dealer wins as many deals as the dealer.",
        "A player who sets every hand like the dealer should win as many deals as the dealer, but does not.",
    )
    for recount in proof.recounts:
        yield _proof_verdict(
            recount.agrees, f"{recount.cards}: counted again, all 27 counts agree.", f"{recount.cards}: counts differ."
        )
    if seed is not None:
        yield Text(f"Hands selected with --seed {seed}.", QUIET)


def _proof_verdict(holds: bool, yes: str, no: str) -> Text:
    return Text(f"✓ {yes}", GOOD) if holds else Text(f"✗ {no}", BAD)
