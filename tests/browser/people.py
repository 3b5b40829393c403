"""People who play in browsers."""

import json
from typing import Any, Final

from playwright.async_api import BrowserContext, Locator, Page, Request, expect

from tests.server.guests import Made

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}

CHOICES: Final = ("accept", "all-in", "check", "call", "draw", "pass", "raise", "fold")
"""Buttons to press, the preferred ones first."""
_HOLE: Final = ".hole.open"


def button(name: str) -> str:
    """Return the selector of a button that may be pressed, and has meant the same for long enough."""
    return f'[data-testid="{name}"]:enabled:not([aria-disabled="true"])'


ANY_CHOICE: Final = ", ".join([*map(button, CHOICES), _HOLE])


def commands_of(page: Page) -> list[dict[str, Any]]:
    """Return a list that collects the body of each command that a page sends."""
    sent: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.url.partition("?")[0].endswith("/commands"):
            sent.append(json.loads(request.post_data or ""))

    page.on("request", note)
    return sent


class Person:
    """Who holds a seat's link, or watches."""

    def __init__(self, page: Page, made: Made, seat: int | None) -> None:
        self.page, self.made, self.seat = page, made, seat
        self.complaints: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    @classmethod
    async def at(cls, context: BrowserContext, url: str, made: Made, seat: int | None) -> "Person":
        """Open a seat's link, or the table's."""
        person = cls(await context.new_page(), made, seat)
        token = "" if seat is None else f"seat/{seat}/#{made.tokens[seat]}"
        await person.page.goto(f"{url}/t/{made.table}/{token}")
        return person

    def see(self, testid: str) -> Any:
        """Return Playwright's expectation for an element."""
        return expect(self.page.get_by_test_id(testid))

    async def verdict(self, state: str) -> None:
        """Wait for the page's verdict on the log."""
        await self.see("verdict").to_have_attribute("data-state", state)

    async def lines(self) -> int:
        """Return the number of the last event in the account of the game."""
        return int(await self.page.get_by_test_id("account").get_attribute("data-last") or 0)

    async def after(self, lines: int) -> None:
        """Wait until the account of the game has a later event."""
        await self.page.wait_for_function(
            "last => Number(document.querySelector('[data-testid=\"account\"]')?.dataset.last) > last", arg=lines
        )

    async def turn(self) -> None:
        """Wait until it is this person's turn."""
        await self.page.wait_for_selector(ANY_CHOICE)

    @property
    def first_choice(self) -> Locator:
        """Return the first button of draw poker that may be pressed."""
        return self.page.locator(f"{button('check')}, {button('call')}, {button('raise')}").first

    async def choose(self) -> None:
        """Press the first available button, and wait for the result."""
        lines = await self.lines()
        for choice in [*map(button, CHOICES), _HOLE]:
            if await self.page.locator(choice).count():
                await self.page.locator(choice).first.click()
                await self.after(lines)
                return

    async def play(self) -> None:
        """Play to the end; the first seat starts the rounds."""
        go_on = button("next-round") if self.seat == 1 else None
        result = '[data-testid="result"]'
        while True:
            await self.page.wait_for_selector(", ".join(filter(None, [ANY_CHOICE, go_on, result])))
            if await self.page.locator(result).count():
                return
            if go_on and await self.page.locator(go_on).count():
                lines = await self.lines()
                await self.page.locator(go_on).click()
                await self.after(lines)
            else:
                await self.choose()
