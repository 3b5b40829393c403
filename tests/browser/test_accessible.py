"""Accessibility: screen readers, keyboard only, reduced motion, phones and desktops, dark and light mode."""

import re
from typing import Any, Literal

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from pokersvc.core.registry import game_kinds
from tests.server.guests import Made, simple_action

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow

ANN, BO = {"name": "Ann"}, {"name": "Bo"}
SHORT: dict[str, Any] = {"kind": "kalah", "options": {"holes": 2, "beans": 1}}


def choose(made: Made, seat: int) -> None:
    """Choose an action for a seat, by a program outside the browser."""
    held = made.seat(seat)
    now = held.snapshot()
    assert held.send(head=now["head"], action=simple_action(now)).status_code == 200


STILL = """() => Promise.all(
    document.getAnimations().filter(one => one.effect.getComputedTiming().endTime < Infinity)
        .map(one => one.finished.catch(() => null))
)"""
"""A script that waits for colour transitions to end, because colours in between have another contrast."""


async def fine(page: Page, where: str) -> None:
    """Check the page with axe, and expect no violations."""
    await page.evaluate(STILL)
    found = await Axe().run(page)
    problems = [(where, one["id"], one["nodes"][0]["html"]) for one in found.response["violations"]]
    assert problems == []


@pytest.mark.parametrize(
    ("device", "scheme"),
    [
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(DESKTOP, "light", id="desktop-light"),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.exhaustive),
        pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.exhaustive),
    ],
)
async def test_axe_finds_nothing(
    served: Served, devices: Devices, device: dict[str, Any], scheme: Literal["dark", "light"]
) -> None:
    guest = served.guest
    guest.made(ANN, {}, public=True, name="Friday night")
    page = await (await devices.one(**device, color_scheme=scheme)).new_page()
    await page.goto(served.url)
    await page.wait_for_selector(".table-card")
    await fine(page, "lobby")
    await page.get_by_test_id("new-table").click()
    await page.wait_for_selector('[data-testid="make"]')
    await fine(page, "make a table")
    waiting = guest.made(ANN, {}, public=True)
    for kind in game_kinds():
        made = guest.made(ANN, BO, kind=kind).started()
        person = Person(page, made, 1)
        await page.goto(f"{served.url}/t/{made.table}/seat/1/#{made.tokens[1]}")
        await person.turn()
        await fine(page, kind)
    made = guest.made(ANN, BO, options={"rules": "no-limit"}).started()
    for seat, seen in ((2, "advance"), (1, "actions")):
        await page.goto(f"{served.url}/t/{made.table}/seat/{seat}/#{made.tokens[seat]}")
        await page.wait_for_selector(f'[data-testid="{seen}"]')
        await fine(page, seen)
    await page.get_by_test_id("betting-settings").click()
    await page.wait_for_selector("dialog")
    await fine(page, "amounts and keys")
    await page.keyboard.press("Escape")
    await page.get_by_test_id("verdict").click()
    await fine(page, "verdict")
    await page.goto(f"{served.url}/t/{waiting.table}/seat/1/#{waiting.tokens[1]}")
    await page.wait_for_selector(".waiting-room")
    await fine(page, "waiting room")
    over = guest.made(ANN, BO, **SHORT).started()
    while over.watch.snapshot()["outcome"] is None:
        choose(over, over.watch.snapshot()["awaited"][0])
    await page.goto(f"{served.url}/t/{over.table}/")
    await page.wait_for_selector('[data-testid="result"]')
    await fine(page, "game over")
    await page.goto(f"{served.url}/replay/{over.table}/#3")
    await page.wait_for_selector('[data-testid="board"]')
    await fine(page, "replay")


async def tab_to(page: Page, testid: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(60):
        if await page.evaluate("document.activeElement?.dataset.testid ?? ''") == testid:
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {testid}")


async def test_a_hand_is_played_by_keyboard_alone(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, rounds=1).started()
    person = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    page = person.page
    account = page.get_by_role("log", name="What happened")
    await person.turn()
    await tab_to(page, "raise")
    await page.keyboard.press("Enter")
    await expect(account).to_contain_text("Ann bets 50")
    choose(made, 2)
    await person.see("draw").to_be_enabled()
    await page.keyboard.press("1")
    await page.keyboard.press("3")
    await person.see("draw").to_have_text("Discard 2 cards")
    await tab_to(page, "draw")
    await page.keyboard.press("Enter")
    await expect(account).to_contain_text(re.compile("Ann (discards|draws)"))
    choose(made, 2)
    await tab_to(page, "typed")
    await page.keyboard.type("check")
    await page.keyboard.press("Enter")
    await expect(account).to_contain_text("Ann checks")
    choose(made, 2)
    await person.see("result").to_be_visible()
    await expect(account).to_have_attribute("aria-live", "polite")
    assert person.complaints == []


async def test_on_a_phone_at_a_full_table_ones_own_chips_and_time_stay_in_sight(
    served: Served, devices: Devices
) -> None:
    bots = [{"program": "steady"}] * 5
    made = served.guest.made(ANN, *bots, options={"rules": "no-limit"}, settings={"seconds": 600}).started()
    person = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await person.turn()
    now = person.page.get_by_test_id("own-now")
    await expect(now).to_contain_text("200 chips")
    await expect(now.get_by_text(re.compile(r"9:\d\d"))).to_be_in_viewport()
    await person.see("raise").to_be_in_viewport()


async def test_less_motion_where_that_is_asked_for(served: Served, devices: Devices) -> None:
    for motion in ("no-preference", "reduce"):
        made = served.guest.made(ANN, BO, kind="kalah").started()
        person = await Person.at(await devices.one(reduced_motion=motion), served.url, made, 1)
        await person.turn()
        await person.page.evaluate(
            "new MutationObserver(() => { window.flew ||= !!document.querySelector('.flying'); })"
            ".observe(document.body, { childList: true, subtree: true })"
        )
        await person.page.get_by_test_id("hole-1").click()
        await expect(person.page.get_by_test_id("pot-1")).to_have_attribute("aria-label", re.compile("0 beans|1 bean"))
        await expect(person.page.get_by_test_id("hole-1")).to_contain_text("Hole 1, 0 beans")
        flew = await person.page.evaluate("window.flew ?? false")
        assert flew == (motion == "no-preference")
        if motion == "reduce":
            assert await person.page.evaluate("document.getAnimations().length") == 0
