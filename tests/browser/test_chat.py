"""People talk in the page: beside the account or, on a telephone, behind a button; as text and nothing else."""

import pytest
from playwright.async_api import expect

from tests.server.guests import Made

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})


def say(made: Made, seat: int, text: str) -> None:
    held = made.seat(seat)
    answer = made.guest.post(f"{held.path}/say", json={"text": text}, headers=held.headers)
    assert answer.status_code == 200, answer.text


async def test_lines_are_text_with_their_seat_and_may_be_muted(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE).started()
    person = await Person.at(await devices.one(), served.url, made, 1)
    page = person.page
    lines = page.get_by_test_id("chat-lines")
    say(made, 2, "<img src=x onerror=alert(1)> *bold*")
    await expect(lines).to_contain_text("Seat 2, Bo <img src=x onerror=alert(1)> *bold*")
    assert await lines.locator("img, a").count() == 0
    assert await lines.get_attribute("aria-live") == "polite"
    await page.get_by_test_id("say").fill("nice hand")
    await page.get_by_test_id("say-it").click()
    await expect(lines).to_contain_text("Seat 1, Ann nice hand")
    await page.get_by_test_id("sign-thanks").click()
    await expect(lines).to_contain_text("🙏 Thanks")
    await page.get_by_test_id("say").fill("see example.org")
    await page.get_by_test_id("say-it").click()
    await expect(page.get_by_test_id("chat")).to_contain_text("A line takes no links")
    await page.get_by_test_id("mute-2").click()
    await expect(lines).not_to_contain_text("bold")
    await page.reload()
    await expect(lines).to_contain_text("nice hand")
    await expect(lines).not_to_contain_text("bold")
    assert made.ask_host("chat/clear").status_code == 204
    await expect(lines).to_contain_text("Nobody has said anything.")
    await expect(page.get_by_test_id("account")).not_to_contain_text("nice hand")


async def test_on_a_telephone_a_button_counts_what_is_unread(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE).started()
    person = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    page = person.page
    button = page.get_by_test_id("chat-button")
    await expect(page.get_by_test_id("chat-lines")).to_be_hidden()
    say(made, 2, "one")
    say(made, 2, "two")
    await expect(button).to_have_text("Chat, 2 unread")
    await button.tap()
    await expect(page.get_by_test_id("chat-lines")).to_be_visible()
    await button.tap()
    await expect(button).to_have_text("Open the chat")
