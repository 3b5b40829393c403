"""The Poker Market by touch: two touches make a swap, and the page shows its effect beforehand."""

from typing import Any

import pytest
from playwright.async_api import expect

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served
from .test_felt import NOTE_MOTION

pytestmark = pytest.mark.slow


async def test_a_swap_by_two_touches(served: Served, devices: Devices) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, kind="market").started()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    bo = await Person.at(await devices.one(**DESKTOP), served.url, made, 2)
    await ann.turn()
    mine, theirs = (ann.page.get_by_test_id(f"seat-{seat}").locator(".spot") for seat in (1, 2))
    await mine.nth(4).tap()
    await expect(mine.nth(4)).to_have_attribute("aria-pressed", "true")
    await expect(theirs.locator(".makes")).to_have_count(5)
    await expect(mine.locator(".makes")).to_have_count(0)
    await mine.nth(3).tap()  # another one of one's own instead
    await expect(mine.nth(4)).to_have_attribute("aria-pressed", "false")
    given, taken = [str(await spot.get_attribute("data-testid")) for spot in (mine.nth(3), theirs.nth(0))]
    await expect(theirs.nth(0)).to_contain_text(": you would have")
    would = (await theirs.nth(0).locator(".hidden").inner_text()).partition("you would have ")[2].rpartition(",")[0]
    await theirs.nth(0).tap()
    await bo.see("actions").to_contain_text("Ann gives you")
    await ann.see(given).to_have_count(0)  # nothing to touch until Bo has answered
    await expect(bo.page.locator(".spot.offered")).to_have_count(2)
    await bo.page.get_by_test_id("accept").click()
    await bo.page.wait_for_selector('[data-testid="pass"]')
    own, others = (bo.page.get_by_test_id(f"seat-{seat}") for seat in (2, 1))
    await expect(own.get_by_test_id(given)).to_be_visible()
    await expect(others.get_by_test_id(taken)).to_be_visible()
    await expect(ann.page.get_by_test_id("seat-1")).to_contain_text(would)
    for person in (ann, bo):
        await person.verdict("good")
        assert person.complaints == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_swapped_cards_move_to_their_new_hands_only_if_that_is_wanted(
    served: Served, devices: Devices, motion: Any
) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, kind="market").started()
    ann = await Person.at(await devices.one(**DESKTOP, reduced_motion=motion), served.url, made, 1)
    await ann.turn()
    await ann.page.evaluate(NOTE_MOTION)
    offers = [ann.page.get_by_test_id(f"seat-{seat}").locator(".spot").first for seat in (1, 2)]
    given = str(await offers[0].get_attribute("data-testid"))
    for spot in offers:
        await spot.click()
    await ann.see("waiting").to_contain_text("Ann offers")
    bo = made.seat(2)
    assert bo.send(head=bo.snapshot()["head"], typed="accept").status_code == 200
    await expect(
        ann.page.get_by_test_id("seat-2").locator(f'[data-card="{given.removeprefix("spot-")}"]')
    ).to_be_visible()
    motions = await ann.page.evaluate("window.motions")
    assert bool(motions) == (motion == "no-preference")
    assert all(end <= 600 for _, end in motions)
