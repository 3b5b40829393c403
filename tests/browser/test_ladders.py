"""Bots by their ratings: the page of ladders, and the form that offers the strongest first."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.async_api import expect

from pokersvc.service.opening import open_database
from tests.server.test_ladders import climbed

from .conftest import Devices
from .people import DESKTOP, PHONE
from .serving import Served
from .test_accessible import fine

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with two ladders, of which one has a bot that may not sit at its tables."""
    path = tmp_path_factory.mktemp("ladders") / "games.sqlite"
    with open_database(path) as database:
        climbed(database, "no-limit", "draw", {"rules": "no-limit"}, "random", "minimum", "table", deals=20)
        climbed(database, "kalah", "kalah", {"holes": 3, "beans": 2}, "random", "bad", deals=12)
    with Served(path) as process:
        yield process


@pytest.mark.parametrize(
    ("device", "scheme"),
    [
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(DESKTOP, "light", id="desktop-light"),
    ],
)
async def test_a_person_finds_the_ladders_and_plays_against_the_bot_they_choose(
    rated: Served, devices: Devices, device: dict[str, Any], scheme: Literal["dark", "light"]
) -> None:
    page = await (await devices.one(**device, color_scheme=scheme)).new_page()
    await page.goto(rated.url)
    await page.get_by_test_id("ladders").click()
    ladder = page.get_by_test_id("ladder-no-limit")
    await expect(ladder.get_by_role("heading")).to_have_text("Five-card draw, no-limit")
    told = rated.guest.get("/api/ladders").json()["ladders"][1]
    names = [one["name"] for one in told["members"]]
    assert await ladder.locator("tbody th").all_text_contents() == names
    await expect(page.get_by_test_id("ladder-kalah").get_by_role("link")).to_have_count(0)  # a board of its own
    await fine(page, "ladders")
    wide = await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert wide, "nothing is cut off"
    await ladder.get_by_role("link", name="Play against minimum").click()
    await expect(page.get_by_test_id("house")).to_have_value("no-limit")
    await expect(page.get_by_test_id("seats")).to_have_value("2")
    await expect(page.get_by_test_id("bots")).to_have_value("1")
    await page.get_by_test_id("more").click()
    bots = page.get_by_test_id("program-2")
    await expect(bots).to_have_value("minimum")
    by_rating = sorted(told["members"], key=lambda one: -one["rating"])
    levels, others = await bots.locator("optgroup").all()
    assert await levels.locator("option").all_text_contents() == ["Beginner", "Club", "Regular", "Shark"]
    offered = await others.locator("option").all_text_contents()
    assert offered[:3] == [f"{one['name'].capitalize()} ({round(one['rating']):,})" for one in by_rating]
    assert "Steady" in offered[3:]
    await page.get_by_test_id("own-name").fill("Ann")
    await page.get_by_test_id("make").click()
    await page.wait_for_url("**/t/**/seat/1/")
    table = rated.guest.get(f"/api/tables/{page.url.split('/')[4]}").json()
    assert [seat["kind"] for seat in table["seats"]] == ["human", "minimum"]


async def test_the_host_is_offered_levels_and_then_the_strongest_of_the_others(rated: Served, devices: Devices) -> None:
    made = rated.guest.made({"name": "Ann"}, {}, options={"rules": "no-limit"})
    page = await (await devices.one(**DESKTOP)).new_page()
    await page.goto(f"{rated.url}/t/{made.table}/host/#{made.host}")
    await page.get_by_test_id("host").click()
    offered = page.locator("#program-2 optgroup").last.locator("option")
    told = rated.guest.get("/api/ladders").json()["ladders"][1]
    best = max(told["members"], key=lambda one: one["rating"])
    await expect(offered.first).to_have_text(f"{best['name'].capitalize()} ({round(best['rating']):,})")
