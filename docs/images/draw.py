"""Draws the pictures of the documentation: ``python docs/images/draw.py``."""

import io
import re
from datetime import date
from pathlib import Path

from rich.console import Console

from cardroom.cards import Shoe
from cardroom.cli.odds_documents import choose_chart
from cardroom.games import Decide, SeatTurn, advance, default_setup
from cardroom.games.round import make_full_bets
from cardroom.odds import PriceQuery, compute_odds, find_requests
from cardroom.reports.charts import write_chart
from cardroom.reports.documents.pdf import render_pages
from cardroom.reports.par import par_sheet
from cardroom.reports.par.pages import sheet_document
from cardroom.terminal.client.screen import TableScreen
from cardroom.terminal.client.seating import OWN_SEAT, bot_decision, open_default_seating, seals


def draw(slug: str, seed: str, seats: int) -> None:
    console = Console(record=True, width=136, height=42, file=io.StringIO(), force_terminal=True, highlight=False)
    seating = open_default_seating(slug, seats)
    screen = TableScreen(console, seating)
    mine = make_full_bets(seating.rules, seating.table, OWN_SEAT)
    seal = next(seals(slug, seed))
    round_, shoe = advance(
        seating.rules.begin(seating.table, seating.wagers(mine)), Shoe(seal.shuffle(seating.table.deck))
    )
    while isinstance(round_.turn, SeatTurn):
        turn = round_.turn
        round_, shoe = advance(round_.apply(Decide(turn.seat, bot_decision(turn))), shoe)
    settlement = seating.rules.settle(round_, screen.meters)
    screen.show_result(round_, settlement, 500_00 + settlement.net(OWN_SEAT), seal)
    svg = console.export_svg(title=f"cardroom play {slug}")
    # The picture is shown with the reader's own fixed-width font: nothing is fetched to show it.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", "monospace")
    Path(__file__).with_name("table.svg").write_text(svg, "utf-8")


def draw_par_page(slug: str, page: int) -> None:
    sheet = par_sheet(default_setup(slug), date(2026, 3, 2))
    Path(__file__).with_name("par-page.png").write_bytes(render_pages(sheet_document(sheet), 144)[page - 1])


def draw_edges(slug: str, wager: str) -> None:
    answers = [compute_odds(question) for question in find_requests(PriceQuery(slug, wager))]
    write_chart(choose_chart(answers), Path(__file__).with_name("edges.svg"))


if __name__ == "__main__":
    draw("texas-shootout", "170", 3)
    draw_par_page("three-card-prime", 2)
    draw_edges("three-card-prime", "pair-bonus")
