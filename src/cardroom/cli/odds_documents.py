"""The documents of the odds commands: charts, PAR sheets and their checks, and strategy cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from cardroom.cli.shared.files import read_text
from cardroom.cli.shared.options import parse_day
from cardroom.cli.shared.output import CommandOutput
from cardroom.cli.shared.table_files import read_table_files
from cardroom.errors import BadInput
from cardroom.games import TableSetup, game, game_slugs
from cardroom.odds import Odds, PriceRequest
from cardroom.odds.pricer import Progress
from cardroom.reports.charts import (
    Chart,
    contribution_chart,
    edge_bars,
    edge_chart,
    meter_chart,
    refuse_chart_file,
    source_line,
    write_chart,
)
from cardroom.reports.documents.files import check_writable
from cardroom.reports.par import ParCheck, check_par, write_par_sheet
from cardroom.reports.par.confirmation_run import DEFAULT_SEED, ConfirmationRequest
from cardroom.reports.par.content import EmbeddedContent
from cardroom.reports.par.jackpot_figures import match_jackpots
from cardroom.reports.strategy_cards import StrategyCard, print_cards, strategy_card, strategy_cards
from cardroom.room.setup.jackpot import JackpotSetup, read_jackpot_setup


class NoChart(BadInput):
    """A request that does not fit in one chart."""


def refuse_chart(file: str, requests: Sequence[PriceRequest]) -> None:
    """Refuse an impossible chart before the odds are computed."""
    refuse_chart_file(file)
    wagers = {(request.game, request.wager) for request in requests}
    if len(wagers) > 1:
        raise NoChart(f"A chart shows one wager, and these are {len(wagers)}: name a game and a --wager.")


def write_odds_chart(file: str, odds_list: Sequence[Odds]) -> str:
    """Write the chart; the file and the chart's title."""
    chart = choose_chart(odds_list)
    write_chart(chart, file)
    return f"{file}: {chart.title}"


def choose_chart(odds_list: Sequence[Odds]) -> Chart:
    """The edges of several paytables of a wager; for one paytable its return by the meter, if it has one, or the
    contribution of each outcome."""
    source = source_line(odds_list)
    if len(odds_list) > 1:
        return edge_chart(_wager_name(odds_list[0]), edge_bars(odds_list), source)
    (odds,) = odds_list
    subject = f"{_wager_name(odds)}, table {odds.paytable}" if odds.paytable else _wager_name(odds)
    break_even = odds.break_even_meter
    if break_even is not None and break_even > 0:
        return meter_chart(subject, odds, source)
    return contribution_chart(subject, odds, source)


def _wager_name(odds: Odds) -> str:
    return game(odds.game).facts.wager(odds.wager).name


class BadParRequest(BadInput):
    """Options of a PAR sheet that do not fit together."""


@dataclass(frozen=True, slots=True)
class ParRequest:
    """A PAR sheet to make. Errors are found before a figure is computed."""

    slug: str
    setup: TableSetup
    file: Path
    prepared: date
    jackpots: tuple[JackpotSetup, ...]
    confirm: ConfirmationRequest


def read_par_request(
    slug: str | None,
    output: str | None,
    table_files: Sequence[str] | None,
    prepared: str | None,
    jackpot_files: Sequence[str] = (),
    rounds: int | None = None,
    seed: int | None = None,
) -> ParRequest:
    """Read the options; the game may come from a table file."""
    files, game_slug = read_table_files(table_files, slug)
    if game_slug is None:
        raise BadParRequest("Name a game, such as three-card-prime, a table with --table, or a file with --check.")
    table = files.open_table(game_slug)  # refuses a wrong setup with all of its faults
    jackpots = tuple(read_jackpot_setup(read_text(file)) for file in jackpot_files)
    match_jackpots(table, jackpots)
    file = Path(output or f"{game_slug}-par.pdf")
    return ParRequest(
        game_slug, table.setup, file, _read_par_date(prepared), jackpots, _read_confirmation(rounds, seed)
    )


def _read_confirmation(rounds: int | None, seed: int | None) -> ConfirmationRequest:
    if rounds == 0 and seed is not None:
        raise BadParRequest("--confirm 0 plays no rounds: leave out --seed.")
    return ConfirmationRequest(rounds, DEFAULT_SEED if seed is None else seed).check()


def _read_par_date(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).astimezone().date()  # the day where the sheet is made
    return parse_day(text, BadParRequest)


def create_par_sheet(request: ParRequest, progress: Progress, *, remember: bool) -> CommandOutput:
    """Write the PAR sheet and describe the file."""
    sheet = write_par_sheet(
        request.slug,
        request.setup,
        request.file,
        request.prepared,
        progress,
        confirm=request.confirm,
        jackpots=request.jackpots,
        use_cache=remember,
    )
    digest = EmbeddedContent.from_sheet(sheet).digest
    name = sheet.table.facts.name
    summary = f"{request.file}: PAR sheet of {name}, prepared {request.prepared} by {sheet.program}."
    text = f"{summary}\nSHA-256 of the content: {digest}"
    data = {
        "path": str(request.file),
        "game": request.slug,
        "prepared": request.prepared.isoformat(),
        "digest": digest,
        "program": sheet.program.to_json(),
    }
    return CommandOutput(data, text)


def check_par_sheet(file: str, progress: Progress) -> CommandOutput:
    """Check a PAR sheet: recompute every figure and compare."""
    result = check_par(Path(file), progress=progress)
    return CommandOutput(_check_json(file, result), "\n".join(_describe_check(file, result)), result.holds)


def _describe_check(file: str, result: ParCheck) -> tuple[str, ...]:
    verdict = "holds" if result.holds else "does not hold"
    digest_lines = (f"SHA-256 of the content: {result.digest}",) if result.digest else ()
    return (
        f"{file} {verdict}. {result.sentence}",
        *(f"- {difference}" for difference in result.differences),
        *digest_lines,
    )


def _check_json(file: str, result: ParCheck) -> dict[str, Any]:
    return {
        "path": file,
        "holds": result.holds,
        "verdict": str(result.verdict),
        "sentence": result.sentence,
        "differences": list(result.differences),
        "digest": result.digest,
    }


_ALL_GAMES_FILE: Final = "strategies.pdf"


class BadCardRequest(BadInput):
    """Options of strategy cards that do not fit together."""


@dataclass(frozen=True, slots=True)
class CardRequest:
    """Strategy cards to print. Errors are found before a figure is computed."""

    games: tuple[str, ...]
    price_request: PriceRequest | None
    """One wager with one paytable; None for every wager with a decision."""
    file: Path


def read_card_request(
    slug: str | None, output: str | None, read_price_request: Callable[[], PriceRequest] | None
) -> CardRequest:
    """Read the options; ``read_price_request`` is None if only the game was named."""
    price_request = read_price_request() if read_price_request else None
    if price_request is not None:
        games: tuple[str, ...] = (price_request.game,)
    else:
        games = (game(slug).facts.slug,) if slug else game_slugs()
    file = Path(output or (f"{games[0]}-strategy.pdf" if len(games) == 1 else _ALL_GAMES_FILE))
    if file.suffix.lower() != ".pdf":
        raise BadCardRequest(f"Cards are printed as PDF: {file.name!r} must end with .pdf.")
    check_writable(file)
    return CardRequest(games, price_request, file)


def write_strategy_cards(request: CardRequest, progress: Progress) -> CommandOutput:
    """Write the cards and describe the file."""
    cards = tuple(_make_cards(request, progress))
    print_cards(cards, request.file, datetime.now(UTC).astimezone().date())
    card_lines = "\n".join(f"  {card.name}, {card.wager}. {card.cost}." for card in cards)
    card_count = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    data = {
        "path": str(request.file),
        "cards": [{"game": card.game, "wager": card.wager, "rules": list(card.rules)} for card in cards],
    }
    return CommandOutput(
        data, f"{request.file}: {card_count} of 3 by 5 inches, four to a page, with marks to cut along.\n{card_lines}"
    )


def _make_cards(request: CardRequest, progress: Progress) -> list[StrategyCard]:
    if request.price_request:
        return [strategy_card(request.price_request, progress)]
    share_of_game = 1 / len(request.games)
    cards: list[StrategyCard] = []
    for number, slug in enumerate(request.games):
        name = game(slug).facts.name

        def report_progress(
            step: str, fraction: float, offset: float = number * share_of_game, name: str = name
        ) -> None:
            progress(f"{name}: {step}", offset + fraction * share_of_game)

        cards += strategy_cards(slug, report_progress)
    return cards
