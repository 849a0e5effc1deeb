"""Playing in a real browser in three ways: by mouse, by keyboard alone, and by touch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from playwright.sync_api import Locator, Page, expect

MOST_QUESTIONS: Final = 6


class Hands(ABC):
    """How a player operates a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @abstractmethod
    def use(self, target: Locator) -> None:
        """Press a button."""


class Mouse(Hands):
    def use(self, target: Locator) -> None:
        target.click()


class Touch(Hands):
    def use(self, target: Locator) -> None:
        target.tap()


class Keyboard(Hands):
    """Moves with Tab, like a player without a pointer, and presses Enter."""

    def use(self, target: Locator) -> None:
        expect(target).to_be_enabled()
        wanted = target.element_handle()
        for _ in range(120):
            if self.page.evaluate("wanted => document.activeElement === wanted", wanted):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("The keyboard never came to it")


def take_seat(hands: Hands, table: str) -> None:
    """From the lobby to a seat."""
    page = hands.page
    hands.use(page.locator(f"#table-{table}").get_by_role("button", name="Sit down"))
    page.wait_for_url(f"**/tables/{table}")
    expect(page.locator("#tray")).to_be_visible()


def play_round(hands: Hands) -> list[str]:
    """Deal and decide until the round ends; returns the questions on the way."""
    page = hands.page
    begun = page.locator(".table-page").get_attribute("data-round")
    hands.use(page.locator('[data-do="deal"]'))
    questions: list[str] = []
    for _ in range(MOST_QUESTIONS):
        page.wait_for_function(
            """([begun, question]) => {
                const room = document.querySelector(".table-page").dataset;
                return room.round !== begun || (room.question && room.question !== question);
            }""",
            arg=[begun, questions[-1] if questions else ""],
        )
        if page.locator(".table-page").get_attribute("data-round") != begun:
            break
        questions.append(page.locator(".table-page").get_attribute("data-question") or "")
        decide(hands)
    expect(page.locator("#coach-note")).to_have_attribute("data-round", begun or "")
    return questions


def decide(hands: Hands) -> None:
    """Arrange the cards by the house way where needed, then press the last choice."""
    page = hands.page
    house = page.locator('[data-do="house"]')
    if house.count():
        hands.use(house)
    hands.use(page.locator(".choice:not(:disabled)").last)
