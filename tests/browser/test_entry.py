"""The ways in to a table in browsers: the link to sit down, a seat's own link, the host's door, and the way back."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.server.guests import Made

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow
ANN, BO = {"name": "Ann"}, {"name": "Bo"}


async def opened(devices: Devices, url: str, **how: Any) -> Page:
    page: Page = await (await devices.one(**how)).new_page()
    await page.goto(url)
    return page


def sit_link(served: Served, made: Made) -> str:
    return f"{served.url}/t/{made.table}/sit/#{made.invitation}"


async def sits(page: Page, name: str, seat: int) -> None:
    await page.get_by_test_id("entry-name").fill(name)
    await page.get_by_test_id(f"sit-{seat}").click()
    await page.wait_for_url(f"**/seat/{seat}/")


async def host_of(devices: Devices, served: Served, made: Made, **how: Any) -> Page:
    return await opened(devices, f"{served.url}/t/{made.table}/host/#{made.host}", **how)


async def test_the_link_to_sit_down_leads_to_a_seat_and_back_to_it(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, {}, {})
    context = await devices.one(**PHONE)
    page = await context.new_page()
    await page.goto(sit_link(served, made))
    await expect(page.get_by_test_id("sit-3")).to_be_visible()
    assert made.invitation not in page.url, "it does not stay in the address bar"
    assert [seat["kind"] for seat in served.guest.get(made.path).json()["seats"]] == ["human", "empty", "empty"]
    await sits(page, "Cid", 3)
    await expect(page.get_by_test_id("chair-3")).to_have_text("3 Cid (you)")
    again = await context.new_page()
    await again.goto(sit_link(served, made))
    await again.wait_for_url("**/seat/3/")
    await again.goto(f"{served.url}/t/{made.table}/")
    await again.get_by_test_id("own-seat").click()
    await again.wait_for_url("**/seat/3/")
    await again.goto(served.url)
    await expect(again.get_by_test_id("your-tables")).to_contain_text("Seat 3, not started")
    await again.get_by_test_id("your-tables").get_by_role("link").click()
    await again.wait_for_url("**/seat/3/")
    await expect(again.get_by_test_id("chair-3")).to_have_text("3 Cid (you)")


async def test_a_seat_that_was_just_taken_is_said_and_another_is_offered(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, {}, {})
    one, two = [await opened(devices, sit_link(served, made)) for _ in range(2)]
    await sits(one, "Bo", 2)
    await two.get_by_test_id("entry-name").fill("Cid")
    await two.get_by_test_id("sit-2").click()
    await expect(two.get_by_test_id("error")).to_contain_text("That seat is taken")
    await expect(two.get_by_test_id("sit-2")).to_have_count(0)
    await sits(two, "Cid", 3)


async def test_a_seats_own_link_takes_the_seat_by_a_tap_and_only_once(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, all_come=False)
    link = f"{served.url}/t/{made.table}/seat/2/#{made.links[2]}"
    first = await opened(devices, link, **PHONE)
    await expect(first.get_by_test_id("take-seat")).to_be_visible()
    assert not served.guest.get(made.path).json()["seats"][1]["came"], "opening the page takes nothing"
    await first.get_by_test_id("entry-name").fill("Robert")
    await first.get_by_test_id("take-seat").click()
    await expect(first.get_by_test_id("chair-2")).to_have_text("2 Robert (you)")
    second = await opened(devices, link)
    await expect(second.get_by_test_id("error")).to_contain_text("Another device has had this seat since")
    await expect(second.get_by_test_id("error")).to_contain_text("ask the host for a new link")
    await first.goto(link)
    await expect(first.get_by_test_id("chair-2")).to_have_text("2 Robert (you)")


async def test_the_host_lets_people_in_renames_moves_and_removes_them(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, {}, {})
    host = await host_of(devices, served, made, **DESKTOP)
    await host.get_by_test_id("host").click()
    await host.get_by_test_id("new-invitation").click()
    field = host.get_by_label("Link to sit down at a free seat")
    await expect(field).to_be_visible()
    await host.get_by_test_id("admits").uncheck()
    link = await field.input_value()
    guest = await opened(devices, link, **PHONE)
    await expect(guest.get_by_text("lets people in one by one")).to_be_visible()
    await sits(guest, "Bo", 2)
    await expect(guest.get_by_test_id("not-admitted")).to_be_visible()
    await host.get_by_test_id("admit-2").click()
    await expect(guest.get_by_test_id("not-admitted")).to_have_count(0)
    host.on("dialog", lambda dialog: asyncio.create_task(dialog.accept("Robert" if dialog.type == "prompt" else None)))
    await host.get_by_test_id("rename-2").click()
    await expect(guest.get_by_test_id("chair-2")).to_have_text("2 Robert (you)")
    await host.get_by_label("Move Robert to another seat").select_option("3")
    await expect(host.locator(".host-seats li").nth(2)).to_contain_text("3. Robert")
    await guest.wait_for_url("**/seat/3/")
    await expect(guest.get_by_test_id("chair-3")).to_have_text("3 Robert (you)")
    await host.get_by_test_id("remove-3").click()
    await expect(guest.get_by_role("alert")).to_contain_text("You do not hold this seat any more")
    await host.reload()
    await host.get_by_test_id("host").click()
    assert await host.get_by_label("Link to sit down at a free seat").input_value() == link, "it outlives the tab"


async def test_who_sits_down_in_a_game_is_shown_to_the_host(served: Served, devices: Devices) -> None:
    options = {"cash": True, "rules": "no-limit"}
    made = served.guest.made(ANN, BO, {}, options=options).started()
    assert made.ask_host("access", admits="each").status_code == 204
    host = await host_of(devices, served, made)
    guest = await opened(devices, sit_link(served, made))
    await sits(guest, "Cid", 3)
    await expect(guest.get_by_test_id("not-admitted")).to_be_visible()
    await expect(guest.get_by_test_id("bring-chips")).to_have_count(0)
    await expect(host.get_by_test_id("host")).to_have_text("Host (1)")
    await host.get_by_test_id("host").click()
    await host.get_by_test_id("admit-3").click()
    await expect(guest.get_by_test_id("bring-chips")).to_be_visible()
    person = Person(guest, made, 3)
    assert person.complaints == []
