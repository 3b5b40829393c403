"""A seat, and the host's rights, move to another device: what the page shows at both."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from pokersvc.server.code_words import WORDS
from tests.server.guests import bearer

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served
from .test_host import host_of, types

pytestmark = pytest.mark.slow

ANN, BO = {"name": "Ann"}, {"name": "Bo"}


async def hand(page: Page) -> list[Any]:
    """Return the viewer's cards."""
    await expect(page.locator(".own-hand [data-card]")).to_have_count(5)
    cards = await page.locator(".own-hand [data-card]").all()
    return [await card.get_attribute("data-card") for card in cards]


async def words_at(page: Page, who: str) -> str:
    """Ask for the words at the device that has a seat or the host's rights, and return them."""
    await page.get_by_test_id(f"move-{who}").click()
    words = page.get_by_test_id("words")
    await expect(words).to_be_visible()
    return await words.inner_text()


async def test_a_seat_moves_by_typed_words_and_plays_on(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO).started()
    old = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await old.turn()
    own, words = await hand(old.page), await words_at(old.page, "seat")
    assert set(WORDS).issuperset(words.split())
    await expect(old.page.locator(".move svg.qr")).to_be_visible()
    await expect(old.page.locator(".move")).to_contain_text("for 4:5")
    new = Person(await (await devices.one(**PHONE)).new_page(), made, 1)
    await new.page.goto(f"{served.url}/t/{made.table}/move/")
    await new.page.get_by_test_id("move-words").fill("acorn able about above again agree")
    await new.page.get_by_test_id("move-here").click()
    await expect(new.page.get_by_role("alert")).to_contain_text("make new ones at the device that sits there")
    await new.page.get_by_test_id("move-words").fill(words.title())
    await new.page.get_by_test_id("move-here").click()
    await new.turn()
    assert new.page.url == f"{served.url}/t/{made.table}/seat/1/"
    assert await hand(new.page) == own
    await expect(new.page.get_by_test_id("account")).to_contain_text("Ann goes on at another device.")
    await new.verdict("good")
    await expect(old.page.get_by_role("alert")).to_have_text("You went on at another device.")
    await new.choose()
    assert types(made).count("DeviceChanged") == 1
    known = await new.page.evaluate("table => localStorage.getItem(`pokersvc:seat-1:${table}`)", made.table)
    assert known == "true"


async def test_the_others_are_told_of_a_move_before_the_game(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO)
    old = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    bo = await Person.at(await devices.one(), served.url, made, 2)
    words = await words_at(old.page, "seat")
    new = await (await devices.one(**PHONE)).new_page()
    await new.goto(f"{served.url}/t/{made.table}/move/#{words.replace(' ', '-')}")
    await new.get_by_test_id("move-here").click()
    await new.wait_for_url("**/seat/1/")
    await bo.see("went-on").to_have_text("Ann went on at another device.")
    await bo.page.get_by_test_id("host-came").wait_for(state="detached")
    words = served.guest.post(f"{made.path}/host/code", headers=bearer(made.host)).json()["code"]
    assert served.guest.post(f"{made.path}/move", json={"code": words, "bearer": True}).status_code == 200
    await bo.see("went-on").to_have_text("The host went on at another device.")
    await bo.see("host-came").to_contain_text("The host's rights moved to another device:")


async def test_the_words_come_by_a_link_and_leave_the_address(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO).started()
    host = await host_of(await devices.one(), served, made)
    words = await words_at(host, "host")
    page = await (await devices.one()).new_page()
    await page.goto(f"{served.url}/t/{made.table}/move/#{words.replace(' ', '-')}")
    await expect(page.get_by_test_id("move-words")).to_have_value(words)
    await expect(page).to_have_url(f"{served.url}/t/{made.table}/move/")
    await page.get_by_test_id("move-here").click()
    await page.wait_for_url(f"{served.url}/t/{made.table}/host/")
    await expect(host.locator(".move [role=status]")).to_have_text("You went on at another device.")
    await page.get_by_test_id("host").click()
    await page.get_by_test_id("pause").click()
    await expect(page.get_by_test_id("pause")).to_have_text("Resume")
    await host.get_by_test_id("pause").click()
    await expect(host.locator("dialog [role=alert]").first).to_contain_text("needs the token")


async def test_the_new_device_binds_the_seat_anew(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, settings={"dealing": "together"}).started()
    old = await Person.at(await devices.one(), served.url, made, 1)
    await expect(old.page.get_by_test_id("shuffle")).to_be_visible()
    while "SeatBound" not in types(made):
        await old.page.wait_for_timeout(100)
    words = await words_at(old.page, "seat")
    new = Person(await (await devices.one()).new_page(), made, 1)
    await new.page.goto(f"{served.url}/t/{made.table}/move/#{words.replace(' ', '-')}")
    await new.page.get_by_test_id("move-here").click()
    bob = await Person.at(await devices.one(), served.url, made, 2)
    await new.turn()
    found = types(made)
    assert [one for one in found if one in ("SeatBound", "DeviceChanged")][:3] == [
        "SeatBound", "DeviceChanged", "SeatBound",
    ]  # fmt: skip
    assert found.count("ShareOpened") == 2
    for person in (new, bob):
        await person.verdict("good")
