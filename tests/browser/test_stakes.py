"""The host changes blinds, ante and clock between two rounds; everybody sees them and plays on by them."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served
from .test_host import host_of, to_the_pause


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose tables wait between two rounds long enough for a browser to open."""
    with Served(tmp_path_factory.mktemp("browser") / "games.sqlite", pause=120) as process:
        yield process


@pytest.mark.slow
async def test_the_host_changes_blinds_ante_and_clock(served: Served, devices: Devices) -> None:
    options = {"rules": "no-limit", "changeable": True}
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, options=options, rounds=2).started()
    to_the_pause(made)
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    host = await host_of(await devices.one(**DESKTOP), served, made)
    stakes, clock = host.get_by_test_id("stakes"), host.get_by_test_id("change-clock")
    await stakes.get_by_label("Blinds").fill("10/5")
    await stakes.get_by_role("button").click()
    await expect(host.get_by_role("dialog").get_by_role("alert")).to_contain_text("small blind cannot be 10")
    await stakes.get_by_label("Blinds").fill("5/10")
    await stakes.get_by_label("Ante").fill("1")
    await stakes.get_by_role("button").click()
    await expect(ann.page.get_by_test_id("stakes-now")).to_contain_text("5/10")
    await clock.get_by_label("Seconds for a choice").fill("90")
    await clock.get_by_label("Reserve").fill("30")
    await clock.get_by_role("button").click()
    await expect(ann.page.get_by_test_id("account")).to_contain_text("90 seconds for a choice and 30 more")
    await host.get_by_test_id("next").click()
    await host.keyboard.press("Escape")
    await expect(ann.page.get_by_test_id("account")).to_contain_text("posts the big blind, 10")
    await ann.verdict("good")
    assert ann.complaints == []
