"""Claims and their prizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards import cards
from cardroom.floor import ClaimDecided, ClaimMade
from cardroom.jackpots import Chips, Claim, Prize
from cardroom.jackpots.amounts import books, shown
from cardroom.jackpots.payouts import DECLINED, Payout
from cardroom.jackpots.telling.phrases import player_words
from cardroom.terminal.cards import tags
from cardroom.terminal.pages.deposits import indented
from cardroom.terminal.pages.moneys import money_tag
from cardroom.terminal.palette import COST, QUIET, SLUG, WON


def claims_table(claims: Sequence[Claim]) -> RenderableType:
    """Pending claims in their order."""
    return Group(*(_claim(claim) for claim in claims))


def _claim(claim: Claim) -> RenderableType:
    title = Text.assemble(
        (f"Claim {claim.order} pending  ", COST),
        (claim.id, SLUG),
        (f"  {claim.table}, round {claim.round}, dealt by {claim.dealt}", QUIET),
        (f", claimed by {claim.dealer}" if claim.claimed_by_another else "", QUIET),
        (", for two people to verify" if claim.automatic else "", COST),
    )
    return Group(title, prizes_table(claim.prizes))


def prizes_table(prizes: Sequence[Prize]) -> RenderableType:
    """What each hand won, and from where it comes."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET, show_footer=len(prizes) > 1)
    grid.add_column("Seat", justify="right")
    grid.add_column("Hand", footer="In all")
    grid.add_column("Pays")
    grid.add_column("From")
    grid.add_column("Prize", justify="right", no_wrap=True, footer=shown(sum(prize.cents for prize in prizes)))
    for prize in prizes:
        hand = Text(prize.words).append("  ").append(tags(cards(" ".join(prize.cards))))
        source = f"level {prize.level}" if prize.level else "the house"
        grid.add_row(str(prize.seat), hand, prize.pays, source, Text(shown(prize.cents), "bold"))
    return grid


def claim_made(made: ClaimMade) -> RenderableType:
    """What a claim came to, and what is to be done now."""
    parts: list[RenderableType] = []
    if made.paid:
        tag = money_tag(made.standing.money, before=" ", after="")
        parts += [Text.assemble(("Paid at once, out of the chip tray:", WON), *tag), prizes_table(made.paid)]
    if made.pending:
        parts += [
            Text.assemble(
                (f"Claim {made.order} is pending: ", COST), *money_tag(made.standing.money), (made.claim, SLUG)
            ),
            prizes_table(made.pending),
            *(Text(f"Claim {claim} is {shown(cents)} now.", COST) for claim, cents in made.anew.items()),
            Text(
                f"Two people verify it: cardroom jackpot pay {made.standing.jackpot} {quote(made.claim)} --player NAME "
                "--payment cheque --reference NUMBER --by LOGIN --second LOGIN",
                QUIET,
            ),
        ]
    return Group(*parts)


def claim_decided(decided: ClaimDecided, *, paid: bool) -> RenderableType:
    """A claim that was paid or refused."""
    words = (f"Paid: {shown(decided.cents)}", WON) if paid else (f"Refused: {shown(decided.cents)} go back", COST)
    title = Text.assemble(words, "  ", *money_tag(decided.standing.money), (f"claim {decided.claim}", QUIET))
    return Group(
        title, prizes_table(decided.prizes), *(line for payout in decided.payouts for line in payout_lines(payout))
    )


def payout_lines(payout: Payout) -> Iterator[RenderableType]:
    """Who got the money and how; where it came from, if not from one place."""
    to = f", {player_words(payout.player)}" if payout.player == DECLINED else f" to {payout.player}"
    yield indented(f"seat {payout.seat}: {shown(payout.cents)}{to}, {payout.words}")
    if payout.escrow and payout.house:
        part = f"{books(payout.house)} of it is the house's part, which the cage deposits"
        yield indented(f"{books(payout.escrow)} from the bank account; {part}", QUIET)
        return
    sources = {"the bank account": payout.escrow, "the cage": payout.undeposited, "the house": payout.house}
    told = [f"{books(amount)} from {source}" for source, amount in sources.items() if amount]
    if len(told) > 1:
        yield indented(", ".join(told), QUIET)


def prizes_back(taken: ClaimDecided, chips: Chips) -> RenderableType:
    """Prizes that were taken back."""
    tag = money_tag(taken.standing.money)
    title = Text.assemble((f"Taken back: {shown(taken.cents)}", COST), "  ", *tag, (f"claimed by {taken.claim}", QUIET))
    return Group(title, prizes_table(taken.prizes), Text(_CHIPS[chips], QUIET))


_CHIPS = {
    Chips.RETURNED: "The chips go back into the chip tray. What was truly dealt can be claimed now.",
    Chips.LOST: "The chips are lost: the house bears it. What was truly dealt can be claimed now.",
}
