"""The replay of a finished game: steps forward and back, links to an event, and the view of one seat."""

import re
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from playwright.async_api import expect

from tests.server.guests import Made, simple_action

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})


def played(made: Made) -> int:
    """Play to the end by programs; return how many events that makes."""
    while (now := made.watch.snapshot())["outcome"] is None:
        if now["pausing"]:
            assert made.ask_host("next").status_code == 204
        for number in now["awaited"]:
            seat = made.seat(number)
            mine = seat.snapshot()
            assert seat.send(head=mine["head"], action=simple_action(mine)).status_code == 200
    return int(now["count"])


async def test_a_replay_goes_both_ways_and_has_a_link_to_each_moment(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, rounds=2).started()
    count = played(made)
    context = await devices.one(**PHONE)
    page = (await Person.at(context, served.url, made, 1)).page
    await expect(page.get_by_test_id("result")).to_be_visible()
    await page.get_by_role("link", name="Replay the game").click()
    event = page.get_by_test_id("event")
    await expect(event).to_contain_text("Event 1")
    await expect(page.locator("main")).not_to_contain_text("wins")
    for _ in range(4):
        await page.get_by_test_id("forward").click()
    await expect(event).to_contain_text("Event 5")
    await page.get_by_test_id("back").click()
    await expect(event).to_contain_text("Event 4")
    await page.get_by_test_id("round-forward").click()
    await expect(event).to_contain_text("round 2")
    moment = await page.get_by_test_id("moment").inner_text()
    assert re.search(r"#\d+$", page.url)
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_test_id("moment")).not_to_have_text(moment)
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_test_id("moment")).to_have_text(moment)
    other = await (await devices.one()).new_page()
    await other.goto(page.url)
    await expect(other.get_by_test_id("moment")).to_have_text(moment)
    await page.get_by_test_id("back").click()
    await page.get_by_test_id("viewer").select_option("1")
    await expect(page.get_by_test_id("hand")).to_be_visible()
    await expect(page.get_by_test_id("verdict")).to_have_attribute("data-state", "good")
    last = await context.new_page()
    await last.goto(f"{served.url}/replay/{made.table}/#{count}")
    await expect(last.get_by_test_id("event")).to_contain_text(f"Event {count}")
    await last.get_by_test_id("forward").click()
    await last.get_by_test_id("back").click()
    await expect(last.get_by_test_id("event")).to_contain_text(f"Event {count - 1}")
    beyond = await context.new_page()
    await beyond.goto(f"{served.url}/replay/{made.table}/#{count + 1}")
    await expect(beyond.get_by_test_id("event")).to_have_text("Event 1")


async def test_the_verdict_of_a_replay_does_not_give_the_end_away(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, rounds=1).started()
    count = played(made)
    page = await (await devices.one(**PHONE)).new_page()
    await page.goto(f"{served.url}/replay/{made.table}/")
    verdict = page.get_by_test_id("verdict")
    await expect(verdict).to_have_attribute("data-state", "good")
    await expect(verdict).not_to_have_attribute("title", re.compile(r"\d"))
    await verdict.click()
    dialog = page.get_by_role("dialog")
    await expect(page.get_by_test_id("verdict-text")).to_have_text(
        "Every event was checked: nothing was changed, left out or moved."
    )
    assert not re.search(r"\d", await dialog.inner_text())
    await page.get_by_test_id("verdict-all").click()
    await expect(dialog).to_contain_text(f"Short form after event {count}")
    await page.keyboard.press("Escape")
    await page.goto(f"{served.url}/replay/{made.table}/#{count}")
    await expect(page.get_by_test_id("event")).to_contain_text(f"Event {count}")
    await expect(verdict).to_have_attribute("title", re.compile(f"^{count} events checked"))


async def test_opened_hands_are_replayed_where_the_table_opens_its_decks(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, rounds=1, settings={"opens_seeds": True}).started()
    first = made.seat(made.watch.snapshot()["awaited"][0])
    assert first.send(typed="fold").status_code == 200
    count = made.watch.snapshot()["count"]
    page = await (await devices.one()).new_page()
    await page.goto(f"{served.url}/replay/{made.table}/")
    for _ in range(count - 1):
        if "first betting" in await page.get_by_test_id("pot").inner_text():
            break
        moment = await page.get_by_test_id("moment").inner_text()
        await page.get_by_test_id("forward").click()
        await expect(page.get_by_test_id("moment")).not_to_have_text(moment)
    shown = page.locator(".held [data-card]")
    await expect(shown).to_have_count(0)
    event = await page.get_by_test_id("event").inner_text()
    await page.get_by_test_id("viewer").select_option("opened")
    await expect(shown).to_have_count(10)
    await expect(page.get_by_test_id("event")).to_have_text(event)
    await page.goto(f"{served.url}/replay/{made.table}/#{count}")
    await expect(page.get_by_test_id("event")).to_contain_text(f"Event {count}")
    await page.get_by_test_id("verdict").click()
    await expect(page.get_by_test_id("verdict-text")).to_contain_text("the decks were dealt again from their seeds")


async def test_the_page_asks_nobody_but_its_server(served: Served, devices: Devices) -> None:
    context = await devices.one()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    made = served.guest.made(*PEOPLE, rounds=1).started()
    person = await Person.at(context, served.url, made, 1)
    await person.turn()
    await person.page.get_by_test_id("invite").click()
    code = person.page.get_by_role("img", name="QR code of the link")
    await expect(code).to_be_visible()
    (read,) = zxingcpp.read_barcodes(Image.open(BytesIO(await code.screenshot())))
    assert read.text == f"{served.url}/t/{made.table}/"
    await person.page.keyboard.press("Escape")
    await person.page.get_by_test_id("verdict").click()
    await person.page.goto(served.url)
    await person.page.get_by_test_id("new-table").click()
    await person.see("make").to_be_visible()
    assert {url.startswith((served.url, "data:")) for url in asked} == {True}
    assert not [url for url in asked if made.tokens[1] in url]
    assert person.complaints == []
