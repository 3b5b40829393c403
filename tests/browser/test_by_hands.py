"""The account by hands: each with its result, the last one open, its shuffle apart; each line leads to its moment."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.server.sharers import Sharer, awaited

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose tables wait between two rounds long enough for a browser to open."""
    with Served(tmp_path_factory.mktemp("browser") / "games.sqlite", pause=120) as process:
        yield process


async def test_each_hand_is_a_line_with_its_result_and_opens_by_a_tap(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, options={"rules": "no-limit"}, rounds=4).started()
    made.play_to_the_pause()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    first, before = ann.page.get_by_test_id("hand-1"), ann.page.get_by_test_id("hand-0")
    account = ann.page.get_by_test_id("account")
    await expect(first).to_have_text(re.compile("^Round 1: (Ann|Bo|Ann and Bo).* won"))
    await expect(first).to_have_attribute("aria-expanded", "true")
    await expect(before).to_have_attribute("aria-expanded", "false")
    await expect(account).not_to_contain_text("The table is set")
    await before.tap()
    await expect(account).to_contain_text("The table is set")
    assert made.ask_host("next").status_code == 204
    await expect(ann.page.get_by_test_id("hand-2")).to_have_text("Round 2")
    await expect(first).to_have_attribute("aria-expanded", "false")
    await expect(before).to_have_attribute("aria-expanded", "true")  # as she left it
    await expect(account).not_to_contain_text("Round 1 starts")
    await expect(ann.page.get_by_test_id("verdict-line")).to_have_text(re.compile(r"✓ \d+ events checked"))
    await first.tap()
    line = account.get_by_text("posts the big blind").first
    async with ann.page.context.expect_page() as opened:
        await line.tap()
    replay = await opened.value
    await expect(replay.get_by_test_id("moment")).to_contain_text("posts the big blind")
    await expect(replay.get_by_test_id("viewer")).to_have_value("1")  # with her own cards
    await replay.get_by_test_id("account").get_by_text("Round 1 starts").tap()
    await expect(replay.get_by_test_id("moment")).to_contain_text("Round 1 starts")
    assert ann.complaints == []


async def test_keys_and_shares_of_the_shuffle_are_behind_details(served: Served, devices: Devices) -> None:
    settings = {"dealing": "together", "opens_seeds": True}
    made = served.guest.made(*PEOPLE, options={"rules": "no-limit"}, settings=settings).started()
    bo = Sharer(made, 2)
    assert bo.bind().status_code == 200
    ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    awaited(made, 1)
    bo.open()
    await ann.see("hand").to_be_visible()
    account = ann.page.get_by_test_id("account")
    await expect(ann.page.get_by_test_id("hand-1")).to_have_attribute("aria-expanded", "true")
    await expect(account.get_by_text("is bound to")).to_have_count(2)
    await expect(account.get_by_text("is bound to").first).to_be_hidden()
    await account.get_by_text("Details of the shuffle").last.click()
    await expect(account.get_by_text("is bound to").first).to_be_visible()
    await expect(account.get_by_text("opens a share").first).to_be_visible()
    assert ann.complaints == []
