"""The first half of an evening: from an empty home to a third game at one table, at the pace of people."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from tests.server.guests import Guest

from .conftest import Devices
from .people import ANY_CHOICE, CHOICES, DESKTOP, PHONE, button
from .serving import Served

pytestmark = pytest.mark.slow

A_TAP: Final = 1.0
"""Seconds that a person takes for a tap."""
A_LETTER: Final = 0.25
"""Seconds that a person takes for a letter."""
FIRST_HAND: Final = 60.0
"""Seconds in which four people have their first cards."""
TAPS_OF_HOST: Final = 12
TAPS_OF_GUEST: Final = 3
CARDS: Final = ".own-hand [data-card]"


class Player:
    """Somebody with a device, who taps and types as fast as a person, and counts the taps."""

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
        sent = message.location.get("url", "").partition("?")[0].endswith("/commands")
        late = sent and ("status of 409" in message.text or "status of 422" in message.text)
        if message.type in ("error", "warning") and not away and not refused and not late:
            self.complaints.append(message.text)

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

    async def cards(self) -> list[str | None]:
        """Return the five cards of one's own hand."""
        await expect(self.page.locator(CARDS)).to_have_count(5)
        return [await card.get_attribute("data-card") for card in await self.page.locator(CARDS).all()]

    async def chooses(self) -> bool:
        """Press the first choice there is; return whether there was one."""
        for choice in map(button, CHOICES):
            found = self.page.locator(choice)
            if await found.count():
                await found.first.click()
                return True
        return False


async def _until(done: Callable[[], Awaitable[bool]], *players: Player, seconds: float = 60) -> None:
    """Let the players choose whatever they are asked, until something is so."""
    end = time.monotonic() + seconds
    while not await done():
        assert time.monotonic() < end, "the game goes on"
        for player in players:
            if await player.page.locator(ANY_CHOICE).count():
                await player.chooses()
        await asyncio.sleep(0.1)


class Table:
    """The table, as a program at its door sees it."""

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


async def moves(old: Player, new: Player, table: Table) -> None:
    """Move a seat from a device to another by the words that the first one shows."""
    own = await old.cards()
    await old.tap("move-seat")
    await expect(old.at("words")).to_be_visible()
    words = await old.at("words").inner_text()
    await new.opens(old.page.url.split("/seat/")[0] + "/move/")
    await new.types("move-words", words)
    await new.tap("move-here")
    await new.page.wait_for_url("**/seat/2/")
    assert await new.cards() == own
    assert table.snapshot()["view"]["round"] == 1  # the hand goes on
    await expect(old.page.get_by_role("alert")).to_have_text("You went on at another device.")


async def test_four_friends_sit_down_play_come_and_go_and_play_again(served: Served, devices: Devices) -> None:
    ann = await Player.with_device("Ann", devices, **DESKTOP)
    bo = await Player.with_device("Bo", devices, **PHONE)
    cid = await Player.with_device("Cid", devices, **PHONE)
    dee = await Player.with_device("Dee", devices, **DESKTOP)
    guests: tuple[Player, ...] = bo, cid, dee

    # From an empty home to the first hand.
    began = time.monotonic()
    await ann.opens(served.url)
    await ann.tap("new-table")
    await ann.tap("preset-1")
    await ann.types("own-name", "Ann")
    await ann.tap("seats")
    await ann.at("seats").select_option("4")
    await ann.at("bots").select_option("0")
    await ann.tap("make")
    await ann.page.wait_for_url("**/seat/1/")
    await ann.tap("invite")
    link = await ann.page.get_by_label("To sit down at a free seat").input_value()
    await ann.tap(ann.page.get_by_role("button", name="Close"))
    table = Table(served.guest, ann.page.url.split("/t/")[1].split("/")[0])

    async def comes(guest: Player, seat: int) -> None:
        await guest.opens(link)
        await guest.types("entry-name", guest.name)
        await guest.tap(f"sit-{seat}")
        await guest.page.wait_for_url(f"**/seat/{seat}/")

    await asyncio.gather(*(comes(guest, seat) for seat, guest in enumerate(guests, 2)))
    await expect(ann.at("start-now")).to_be_enabled()
    await ann.tap("start-now")
    for player in (ann, *guests):
        await expect(player.page.locator(CARDS)).to_have_count(5)
    assert time.monotonic() - began <= FIRST_HAND
    assert ann.taps <= TAPS_OF_HOST
    assert [guest.taps for guest in guests if guest.taps > TAPS_OF_GUEST] == []

    # One closes the page and comes back by the link; one loses the connection.
    await bo.page.close()
    bo.page = await bo.context.new_page()
    await bo.page.goto(link)
    await bo.page.wait_for_url("**/seat/2/")
    await expect(bo.page.locator(CARDS)).to_have_count(5)
    await cid.context.set_offline(True)

    async def waits_for_cid() -> bool:
        return bool(table.snapshot()["awaited"] == [3])

    await _until(waits_for_cid, ann, bo, dee)
    await cid.context.set_offline(False)
    await cid.page.wait_for_selector(ANY_CHOICE)

    # One goes on at another phone in the middle of the hand, by the six words.
    old, bo = bo, await Player.with_device("Bo", devices, **PHONE)
    await moves(old, bo, table)
    for other in (ann, cid, dee):
        await expect(other.at("account")).to_contain_text("Bo goes on at another device.")
    guests = bo, cid, dee
    await _until(table.pausing, ann, *guests)

    # One is removed, asks again under another name, and is let in.
    await ann.at("host").click()
    await ann.at("remove-4").click()
    await expect(dee.page.get_by_role("alert")).to_contain_text("You do not hold this seat any more")
    await dee.context.clear_cookies()
    await dee.page.evaluate("localStorage.clear()")
    await dee.page.goto(link)
    await dee.types("entry-name", "Dora")
    await dee.at("sit-4").click()
    await expect(dee.at("not-admitted")).to_be_visible()
    await ann.at("admit-4").click()
    await ann.page.keyboard.press("Escape")
    await expect(dee.at("bring-chips")).to_be_visible()
    await dee.at("sit-down").click()

    async def two_rounds() -> bool:
        return int(table.snapshot()["view"]["round"]) >= 2 and await table.pausing()  # the second

    await _until(two_rounds, ann, *guests, seconds=90)

    # A second and a third game, at the same address, with the same people.
    games = [table.info()["game"]]
    for number in (2, 3):
        await ann.at("host").click()
        await ann.at("end").click()
        await ann.page.keyboard.press("Escape")
        await ann.at("again").click()
        await _until(table.started)
        for player in (ann, *guests):
            await expect(player.page.locator(CARDS)).to_have_count(5)
        assert table.info()["number"] == number
        games.append(table.info()["game"])
        await _until(table.pausing, ann, *guests)
    await ann.at("host").click()
    await ann.at("close").click()
    await expect(ann.at("result")).to_be_visible()

    for game in games:
        report = served.guest.get(f"/api/tables/{game}/audit").json()
        assert report["passed"], report
    for player in (ann, *guests):
        await expect(player.at("verdict")).to_have_attribute("data-state", "good")
    assert [complaint for player in (ann, *guests, old) for complaint in player.complaints] == []
