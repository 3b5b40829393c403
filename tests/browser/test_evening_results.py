"""The screen of an evening: what it says is what the server counted, for seats, the host and watchers, of any game."""

from typing import Any, Literal

import pytest
from playwright.async_api import Page, expect

from pokersvc.core.registry import game_kinds
from tests.server.guests import Made, bearer, short
from tests.server.tables.test_again import again
from tests.server.tables.test_results import played_out

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served
from .test_accessible import fine

pytestmark = pytest.mark.slow

TWO = ({"name": "Ann"}, {"name": "Bo"})


async def shown(page: Page, button: str) -> None:
    await page.get_by_test_id(button).click()
    await expect(page.get_by_test_id("evening-sums")).to_be_visible()


def of_two_games(served: Served, kind: str) -> Made:
    """Return a table at which two games were played to their end."""
    options, rounds = short(kind)
    made = served.guest.made(*TWO, kind=kind, options=options, rounds=rounds, name="Friends").started()
    again(played_out(made))
    return played_out(made)


@pytest.mark.parametrize("kind", game_kinds())
async def test_the_evening_says_what_was_counted(served: Served, devices: Devices, kind: str) -> None:
    made = of_two_games(served, kind)
    told = made.guest.get(f"{made.path}/seats/1/results", headers=bearer(made.tokens[1])).json()
    device = await devices.one(**PHONE)
    host = await device.new_page()
    await host.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await expect(host.get_by_test_id("host")).to_be_visible()
    ann = await Person.at(device, served.url, made, 1)  # on the host's device
    watcher = await Person.at(await devices.one(), served.url, made, None)
    await ann.verdict("good")
    await shown(ann.page, "evening-over")
    rows = ann.page.get_by_test_id("evening-sums").locator("tbody tr")
    for at, person in enumerate(told["sums"][0]["people"]):
        await expect(rows.nth(at)).to_contain_text(person["name"])
        sign = "+" if person["net"] > 0 and kind != "market" else "−" if person["net"] < 0 else ""
        await expect(rows.nth(at).locator("td").first).to_have_text(f"{sign}{abs(person['net']):,}")
    for one in told["best"][0]["rounds"] if told["best"] else []:
        await expect(ann.page.get_by_test_id(f"best-{one['number']}-{one['round']}")).to_contain_text(
            f"{one['size']:,}"
        )
    await ann.see("own-figures").to_contain_text("Won or shared")
    await ann.see("evening-verdict").to_contain_text("✓")
    await ann.see("evening-save").to_be_visible()
    links = ann.page.get_by_test_id("evening-games").get_by_role("link")
    assert [await link.get_attribute("href") for link in await links.all()] == [
        f"/replay/{game['game']}/" for game in told["games"]
    ]
    await watcher.verdict("good")
    await shown(watcher.page, "evening")
    await watcher.see("own-figures").to_have_count(0)
    await watcher.see("evening-again").to_have_count(0)
    await ann.page.get_by_test_id("evening-again").click()
    await ann.see("result").to_have_count(0)
    await ann.see("evening-sums").to_have_count(0)
    assert len(made.guest.get(f"{made.path}/games").json()["tables"]) == 3
    assert [person.complaints for person in (ann, watcher)] == [[], []]


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_axe_finds_nothing_in_the_evening(
    served: Served, devices: Devices, device: dict[str, Any], scheme: Literal["dark", "light"]
) -> None:
    made = of_two_games(served, "draw")
    ann = await Person.at(await devices.one(**device, color_scheme=scheme), served.url, made, 1)
    await ann.verdict("good")
    await shown(ann.page, "evening-over")
    await fine(ann.page, "evening")
    width = await ann.page.evaluate(
        "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth"
    )
    assert width == 0, "only the table of games scrolls sideways"
