"""Playing in a real browser, in three ways: with the mouse, with the keyboard alone, and by touch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from playwright.sync_api import Locator, Page, expect

MOST_QUESTIONS: Final = 6


class Hands(ABC):
    """How somebody works a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @abstractmethod
    def use(self, one: Locator) -> None:
        """Press a button."""


class Mouse(Hands):
    def use(self, one: Locator) -> None:
        one.click()


class Touch(Hands):
    def use(self, one: Locator) -> None:
        one.tap()


class Keyboard(Hands):
    """Goes from one thing to the next with Tab, as somebody does who sees no pointer, and presses Enter."""

    def use(self, one: Locator) -> None:
        expect(one).to_be_enabled()
        wanted = one.element_handle()
        for _ in range(120):
            if self.page.evaluate("wanted => document.activeElement === wanted", wanted):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("The keyboard never came to it")


def take_seat(hands: Hands, table: str) -> None:
    """From the lobby to a seat."""
    page = hands.page
    hands.use(page.locator(f"#felt-{table}").get_by_role("button", name="Sit down"))
    page.wait_for_url(f"**/tables/{table}")
    expect(page.locator("#tray")).to_be_visible()


def play_round(hands: Hands) -> list[str]:
    """Deal and answer until the round has ended; what the sentence asked on the way."""
    page = hands.page
    begun = page.locator(".room").get_attribute("data-round")
    hands.use(page.locator('[data-do="deal"]'))
    asked: list[str] = []
    for _ in range(MOST_QUESTIONS):
        page.wait_for_function(
            """([begun, question]) => {
                const room = document.querySelector(".room").dataset;
                return room.round !== begun || (room.question && room.question !== question);
            }""",
            arg=[begun, asked[-1] if asked else ""],
        )
        if page.locator(".room").get_attribute("data-round") != begun:
            break
        asked.append(page.locator(".room").get_attribute("data-question") or "")
        answer(hands)
    expect(page.locator(".result h2")).to_contain_text(f"Round {begun}")
    return asked


def answer(hands: Hands) -> None:
    """Lay the cards out as the house would where that is asked; then the last answer that may be given."""
    page = hands.page
    house = page.locator('[data-do="house"]')
    if house.count():
        hands.use(house)
    hands.use(page.locator(".choice:not(:disabled)").last)
