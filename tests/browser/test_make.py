"""Making a table on one screen: without scrolling, with refusals beside their fields, and from presets."""

from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from .conftest import Devices
from .people import DESKTOP
from .serving import Served

pytestmark = pytest.mark.slow

HANDHELD: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS: Final = pytest.mark.parametrize("device", [DESKTOP, HANDHELD], ids=["desktop", "phone"])
FITS: Final = """() => {
    const dialog = document.querySelector("dialog");
    return dialog.scrollHeight <= dialog.clientHeight && dialog.scrollWidth <= dialog.clientWidth;
}"""


async def form(served: Served, devices: Devices, device: dict[str, Any]) -> Page:
    """Open the form for a new table, with a name that this device knows."""
    page = await (await devices.one(**device)).new_page()
    await page.goto(served.url)
    await page.evaluate("localStorage.setItem('pokersvc:name', '\"Ann\"')")
    await page.reload()
    await page.get_by_test_id("new-table").click()
    await expect(page.get_by_test_id("own-name")).to_have_value("Ann")
    return page


@SCREENS
async def test_the_common_case_needs_no_scrolling(served: Served, devices: Devices, device: dict[str, Any]) -> None:
    page = await form(served, devices, device)
    shown = ("kind-draw", "house", "seats", "option-stack", "option-blinds", "clock", "bots", "program", "more", "make")
    for testid in shown:
        await expect(page.get_by_test_id(testid)).to_be_in_viewport(ratio=0.9)
    assert await page.evaluate(FITS)
    await page.get_by_test_id("house").select_option("rising-ante")
    await expect(page.get_by_test_id("option-ante")).to_be_in_viewport(ratio=0.9)
    for hidden in ("option-straddle", "option-rake", "option-stack.each", "dealing"):
        await expect(page.get_by_test_id(hidden)).to_be_hidden()
    await page.get_by_test_id("more").click()
    for hidden in ("option-straddle", "option-rake", "option-stack.each", "dealing"):
        await expect(page.get_by_test_id(hidden)).to_be_visible()


@SCREENS
async def test_a_refusal_stands_beside_its_field_and_beside_the_button(
    served: Served, devices: Devices, device: dict[str, Any]
) -> None:
    page = await form(served, devices, device)
    stack, more = page.get_by_test_id("option-stack"), page.get_by_test_id("more")
    await stack.fill("1")
    await more.click()
    await page.get_by_test_id("make").click()
    said = "The stack of no-limit cannot be 1; it must be at least 2"
    await expect(page.get_by_test_id("refused")).to_contain_text(said)
    await expect(page.get_by_test_id("wrong-stack")).to_contain_text(said)
    await expect(stack).to_be_focused()
    await expect(stack).to_be_in_viewport()
    await expect(page.get_by_test_id("wrong-stack")).to_be_in_viewport()
    await expect(stack).to_have_attribute("aria-invalid", "true")
    await expect(stack).to_have_attribute("aria-describedby", "wrong-stack")
    await stack.fill("100")
    await expect(page.get_by_test_id("wrong-stack")).to_have_count(0)
    await more.click()
    await page.get_by_test_id("option-stack.each").evaluate("one => { one.value = 'Zoe=5'; }")
    await page.get_by_test_id("option-stack.each").dispatch_event("input")
    await page.get_by_test_id("make").click()
    await expect(page.get_by_test_id("option-stack.each")).to_be_focused()  # "More" is opened for it
    await expect(page.get_by_test_id("wrong-stack.each")).to_contain_text("Nobody at the table is called 'Zoe'")


async def test_one_number_is_everybodys_stack(served: Served, devices: Devices) -> None:
    page = await form(served, devices, DESKTOP)
    await page.get_by_test_id("option-stack").fill("100")
    await page.get_by_test_id("option-blinds").fill("5/10")
    await page.get_by_test_id("seats").select_option("3")
    await page.get_by_test_id("bots").select_option("0")
    await page.get_by_test_id("make").click()
    room = page.locator(".waiting-room")
    await expect(room.locator(".facts")).to_contain_text("blinds 5/10100 chips each")
    await expect(page.locator("header h1")).to_have_text("Draw poker 5/10")
    await expect(page.get_by_test_id("chair-2")).to_have_text("2 free seat")
    await expect(room.get_by_role("status").first).to_contain_text("2 seats are free")


@SCREENS
async def test_the_presets_and_the_last_table_make_tables(
    served: Served, devices: Devices, device: dict[str, Any]
) -> None:
    page = await form(served, devices, device)
    await expect(page.get_by_test_id("preset-last")).to_have_count(0)
    titles = await page.locator(".ready-made button").all_text_contents()
    assert titles == ["Cash, blinds 1/2", "Six friends, a tournament", "As the founding papers"]
    made = []
    for preset in ("preset-3", "preset-1", "preset-2", "preset-last"):
        await page.get_by_test_id(preset).click()
        if preset == "preset-last":
            await expect(page.get_by_test_id("option-blinds")).to_have_value("5/10")
            assert await page.evaluate(FITS)
        await page.get_by_test_id("make").click()
        await page.wait_for_url("**/t/**/seat/1/")
        table = served.guest.get(f"/api/tables/{page.url.split('/')[4]}").json()
        made.append((table["title"], len(table["seats"]), table["status"]))
        await page.goto(served.url)
        await page.get_by_test_id("new-table").click()
    assert made == [
        ("Draw poker, rising-ante", 2, "playing"),
        ("Cash game 1/2", 6, "playing"),
        ("Draw poker 5/10", 6, "waiting"),
        ("Draw poker 5/10", 6, "waiting"),
    ]


async def test_where_bots_have_all_seats_the_invitation_says_so(served: Served, devices: Devices) -> None:
    page = await form(served, devices, HANDHELD)
    await page.get_by_test_id("seats").select_option("3")
    for bots, full in (("1", 0), ("2", 1)):
        await page.get_by_test_id("bots").select_option(bots)
        await page.get_by_test_id("make").click()
        await page.get_by_test_id("invite").click()
        await expect(page.get_by_role("dialog")).to_contain_text("To sit down at a free seat")
        await expect(page.get_by_test_id("no-free-seat")).to_have_count(full)
        await page.goto(served.url)
        await page.get_by_test_id("new-table").click()
        await page.get_by_test_id("seats").select_option("3")
