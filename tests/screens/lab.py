"""The lab: figures of printed tables, of changed ones, of hands and of simulations."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from playwright.sync_api import expect

from tests.screens.scene import Scene, Stage, Story
from tests.web.rooms import QUICK, serve_room

PRIME: Final = "/lab/three-card-prime"
DUEL: Final = "/lab/dueling-for-dollars"
RUN: Final = f"{DUEL}/simulation/{{run}}"


def counted(stage: Stage) -> None:
    expect(stage.go(DUEL).locator(".in-progress")).to_have_count(0)


def edges(stage: Stage) -> None:
    """Not all of them: the best play of a game is looked for once on a machine, for a minute."""
    stage.go("/lab").locator(".edge-bars rect").first.wait_for(state="attached")


def figures(address: str, part: str = ".outcomes"):  # type: ignore[no-untyped-def]
    """A wager's page with its figures."""
    return lambda stage: stage.go(address).locator(part).first.wait_for()


def pay_changed(stage: Stage) -> None:
    page = stage.go(f"{PRIME}/wagers/prime")
    page.locator(".outcomes").first.wait_for()
    page.get_by_label("Same Color Player and Dealer").fill("5")
    page.wait_for_url("**pay.same-color-player-and-dealer=5")
    page.locator("#figures:not(.old) .outcomes").wait_for()


def pay_refused(stage: Stage) -> None:
    page = stage.go(f"{PRIME}/wagers/prime")
    page.locator(".outcomes").first.wait_for()
    page.get_by_label("Same Color Player and Dealer").fill("much")
    page.locator("#lab-refusal:not(:empty)").wait_for()


def simulate(stage: Stage, rounds: str) -> None:
    page = stage.go(f"{DUEL}/simulation")
    page.get_by_label("Rounds").fill(rounds)
    page.get_by_label("Seed").fill("42")
    page.get_by_role("button", name="Simulate").click()
    page.wait_for_url("**/simulation/*")


def running(stage: Stage) -> None:
    simulate(stage, "100,000,000")
    stage.page.locator(".chart").wait_for()


def stopped(stage: Stage) -> None:
    simulate(stage, "100,000,000")
    stage.page.get_by_role("button", name="Stop").click()
    stage.page.locator(".run-status", has_text="It was stopped").wait_for()


def ended(stage: Stage) -> None:
    simulate(stage, "200,000")
    stage.page.locator(".run-status", has_text="All").wait_for()


def too_many(stage: Stage) -> None:
    page = stage.go(f"{DUEL}/simulation")
    page.get_by_label("Rounds").fill("100,000,001")
    page.get_by_role("button", name="Simulate").click()
    page.locator(".refusal:not(:empty)").wait_for()


STORY: Final = Story(
    lambda folder: serve_room(folder, replace(QUICK, edges=True)),
    (
        Scene("lab-counting", PRIME),
        Scene("lab-game", DUEL, counted),
        Scene("lab-wager", f"{PRIME}/wagers/prime", figures(f"{PRIME}/wagers/prime")),
        Scene("lab-pay-changed", f"{PRIME}/wagers/prime", pay_changed),
        Scene("lab-pay-refused", f"{PRIME}/wagers/prime", pay_refused),
        Scene(
            "lab-two-tables",
            f"{PRIME}/wagers/ante-play",
            figures(f"{PRIME}/wagers/ante-play?table=PW%2FBB+1&with=PW%2FBB+3"),
        ),
        Scene(
            "lab-meter",
            f"{DUEL}/wagers/tie-after-tie",
            figures(f"{DUEL}/wagers/tie-after-tie?meter=25000", ".chart"),
        ),
        Scene("lab-hand-empty", f"{PRIME}/hand"),
        Scene("lab-hand", f"{PRIME}/hand", figures(f"{PRIME}/hand?cards=Qh+6d+4c", ".decisions")),
        Scene("lab-hand-refused", f"{PRIME}/hand?cards=Qh+Qh+4c"),
        Scene("lab-simulation", f"{DUEL}/simulation"),
        Scene("lab-simulation-refused", f"{DUEL}/simulation", too_many),
        Scene("lab-simulation-ended", RUN, ended),
        Scene("lab", "/lab", edges),
        Scene("lab-simulation-running", RUN, running),
        Scene("lab-simulation-stopped", RUN, stopped),
    ),
)
