"""People of an evening and their table: they tap and type as people do, and hear what their consoles say."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from playwright.async_api import BrowserContext, Locator, Page, expect

from pokersvc.core.randomness.share_events import SHARE_SECONDS
from tests.server.guests import Guest

from .conftest import PATIENCE, Devices
from .people import ANY_CHOICE, CHOICES, button

A_TAP: Final = 1.0
"""Seconds that a person takes for a tap."""
A_LETTER: Final = 0.25
"""Seconds that a person takes for a letter."""
CARDS: Final = ".own-hand [data-card]"
DEALT: Final = 1000 * SHARE_SECONDS + PATIENCE
"""Milliseconds in which a hand is dealt, even if a device misses its share, for which the table waits."""


class Player:
    """A person with a device, who taps and types as fast as people do, and counts the taps."""

    def __init__(self, name: str, context: BrowserContext, page: Page) -> None:
        self.name, self.context, self.page, self.taps = name, context, page, 0
        self.complaints: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: asyncio.create_task(dialog.accept()))

    def _hear(self, message: Any) -> None:
        # What comes late meets an event that its sender has not seen, or a round that has begun.
        away = "ERR_INTERNET_DISCONNECTED" in message.text or "ERR_NETWORK" in message.text
        refused = "the server responded with a status of 401" in message.text  # what ends a page that is out
        url = message.location.get("url", "").partition("?")[0]
        sent = url.endswith("/commands")
        late = sent and ("status of 409" in message.text or "status of 422" in message.text)
        if message.type in ("error", "warning") and not away and not refused and not late:
            self.complaints.append(f"{message.text} ({url})")

    @classmethod
    async def with_device(cls, name: str, devices: Devices, **device: Any) -> "Player":
        context = await devices.one(**device)
        return cls(name, context, await context.new_page())

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    async def tap(self, what: str | Locator) -> None:
        await asyncio.sleep(A_TAP)
        await (self.at(what) if isinstance(what, str) else what).click()
        self.taps += 1

    async def types(self, testid: str, text: str) -> None:
        await asyncio.sleep(A_LETTER * len(text))
        await self.at(testid).fill(text)

    async def opens(self, link: str) -> None:
        """Open a link that somebody passed on, which is a tap."""
        await asyncio.sleep(A_TAP)
        self.taps += 1
        await self.page.goto(link)

    async def is_dealt_in(self) -> None:
        """Wait until the five cards of one's own hand are there."""
        await expect(self.page.locator(CARDS)).to_have_count(5, timeout=DEALT)

    async def cards(self) -> list[str | None]:
        """Return the five cards of one's own hand."""
        await self.is_dealt_in()
        return [await card.get_attribute("data-card") for card in await self.page.locator(CARDS).all()]

    async def chooses(self) -> bool:
        """Press the first choice there is; return whether there was one."""
        for choice in map(button, CHOICES):
            found = self.page.locator(choice)
            if await found.count():
                await found.first.click()
                return True
        return False


async def until(done: Callable[[], Awaitable[bool]], *players: Player, seconds: float = 60) -> None:
    """Let the players choose until a condition holds."""
    end = time.monotonic() + seconds
    while not await done():
        assert time.monotonic() < end, "the game goes on"
        for player in players:
            if await player.page.locator(ANY_CHOICE).count():
                await player.chooses()
        await asyncio.sleep(0.1)


async def all_dealt_in(*players: Player) -> None:
    """Wait until each has seen five cards, all at the same time, since the clock of the seat to act runs."""
    await asyncio.gather(*(player.is_dealt_in() for player in players))


class Table:
    """The table, as an outside program sees it."""

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest, self.path = guest, f"/api/tables/{table}"

    def info(self) -> dict[str, Any]:
        found: dict[str, Any] = self.guest.get(self.path).json()
        return found

    def snapshot(self) -> dict[str, Any]:
        answer = self.guest.get(f"{self.path}/watch/snapshot")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def started(self) -> bool:
        """Return whether its game has begun; until then, pages may still show the end of the one before."""
        return bool(self.info()["status"] == "playing")

    async def pausing(self) -> bool:
        return bool(self.snapshot()["pausing"])
