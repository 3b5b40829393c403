"""People show cards after a round, by buttons and by typing, and every page checks them."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose tables wait between two rounds long enough for a browser to open."""
    with Served(tmp_path_factory.mktemp("browser") / "games.sqlite", pause=120) as process:
        yield process


@pytest.mark.slow
async def test_cards_are_shown_by_buttons_and_by_typing_and_every_page_checks_them(
    served: Served, devices: Devices
) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, options={"rules": "no-limit"}, rounds=2).started()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    bo = await Person.at(await devices.one(**DESKTOP), served.url, made, 2)
    await ann.turn()
    await ann.page.get_by_test_id("typed").fill("fold")
    await ann.page.get_by_test_id("send").click()
    cards = bo.page.get_by_test_id("show-cards").get_by_role("button")
    await expect(cards).to_have_count(6)
    await expect(bo.page.get_by_text("or one:")).to_be_visible()
    await cards.nth(1).click()
    await expect(ann.page.get_by_test_id("account")).to_contain_text("Bo shows")
    await ann.page.get_by_test_id("typed").fill("show")
    await ann.page.get_by_test_id("send").click()
    await expect(bo.page.get_by_test_id("account")).to_contain_text("Ann shows")
    await bo.page.get_by_test_id("verdict").click()
    await expect(bo.page.get_by_role("dialog")).to_contain_text("6 cards that people showed")
    await bo.page.keyboard.press("Escape")
    await asyncio.gather(ann.play(), bo.play())
    for person in (ann, bo):
        await person.see("result").to_be_visible()
        await person.verdict("good")
        assert person.complaints == []
    assert made.guest.get(f"{made.path}/audit").json()["findings"] == []
