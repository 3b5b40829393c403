"""The first half of an evening: from an empty home to a third game at one table, at the pace of people."""

import asyncio
import time
from typing import Final

import pytest
from playwright.async_api import expect

from .conftest import Devices
from .evening import Player, Table, all_dealt_in, until
from .people import ANY_CHOICE, DESKTOP, PHONE
from .serving import Served

pytestmark = pytest.mark.slow

FIRST_HAND: Final = 60.0
"""Seconds in which four people have their first cards."""
TAPS_OF_HOST: Final = 12
TAPS_OF_GUEST: Final = 3


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
    await all_dealt_in(ann, *guests)
    assert time.monotonic() - began <= FIRST_HAND
    assert ann.taps <= TAPS_OF_HOST
    assert [guest.taps for guest in guests if guest.taps > TAPS_OF_GUEST] == []

    # One closes the page and comes back by the link; one loses the connection.
    await bo.page.close()
    bo.page = await bo.context.new_page()
    await bo.page.goto(link)
    await bo.page.wait_for_url("**/seat/2/")
    await bo.is_dealt_in()
    await cid.context.set_offline(True)

    async def waits_for_cid() -> bool:
        return bool(table.snapshot()["awaited"] == [3])

    await until(waits_for_cid, ann, bo, dee)
    await cid.context.set_offline(False)
    await cid.page.wait_for_selector(ANY_CHOICE)

    # One goes on at another phone in the middle of the hand, by the six words.
    old, bo = bo, await Player.with_device("Bo", devices, **PHONE)
    await moves(old, bo, table)
    for other in (ann, cid, dee):
        await expect(other.at("account")).to_contain_text("Bo goes on at another device.")
    guests = bo, cid, dee
    await until(table.pausing, ann, *guests)

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

    await until(two_rounds, ann, *guests, seconds=90)

    # A second and a third game, at the same address, with the same people.
    games = [table.info()["game"]]
    for number in (2, 3):
        await ann.at("host").click()
        await ann.at("end").click()
        await ann.page.keyboard.press("Escape")
        await ann.at("again").click()
        await until(table.started)
        await all_dealt_in(ann, *guests)
        assert table.info()["number"] == number
        games.append(table.info()["game"])
        await until(table.pausing, ann, *guests)
    await ann.at("host").click()
    await ann.at("close").click()
    await expect(ann.at("result")).to_be_visible()

    for game in games:
        report = served.guest.get(f"/api/tables/{game}/audit").json()
        assert report["passed"], report
    for player in (ann, *guests):
        await expect(player.at("verdict")).to_have_attribute("data-state", "good")
    assert [complaint for player in (ann, *guests, old) for complaint in player.complaints] == []
