"""The proof of a tablebase."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.odds.texas_shootout.tablebase.proof import Proof
from cardroom.terminal.palette import LOST, QUIET, TITLE, WON


def proof_page(proof: Proof, seed: int | None) -> RenderableType:
    """What was looked at, line by line."""
    return Group(*_lines(proof, seed))


def _lines(proof: Proof, seed: int | None) -> Iterator[Text]:
    yield Text(f"Tablebase of Texas Shootout, {proof.hands:,} classes of hands", TITLE)
    yield Text(f"SHA-256 of the counts {proof.digest}", QUIET)
    yield _verdict(
        proof.same_rules, "Counted by today's house way and ranking.", "Counted by other rules than today's."
    )
    yield _verdict(
        proof.has_every_deal,
        f"Together the hands have every deal: {proof.all_deals:,}.",
        f"Together the hands should have {proof.all_deals:,} deals, and have not.",
    )
    yield _verdict(
        proof.is_fair,
        "Whoever sets every hand as the dealer does wins as many deals as the dealer.",
        "Whoever sets every hand as the dealer does should win as many deals as the dealer, and does not.",
    )
    for one in proof.recounted:
        yield _verdict(one.agrees, f"{one.cards}: counted again, all 27 counts agree.", f"{one.cards}: counts differ.")
    if seed is not None:
        yield Text(f"Hands drawn with --seed {seed}.", QUIET)


def _verdict(holds: bool, yes: str, no: str) -> Text:
    return Text(f"✓ {yes}", WON) if holds else Text(f"✗ {no}", LOST)
