"""What a device does for its person: links that say who opens them, signals of a turn, an app."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from .conftest import Devices
from .people import ANY_CHOICE, DESKTOP, PHONE, Person
from .serving import HOUSE, Served
from .test_connection import PEOPLE, begun, choose

pytestmark = pytest.mark.slow

TOGETHER = {"dealing": "together"}
ONLY_HERE = "Only this machine can open"
PLAIN_HTTP = "This page comes over plain http: others in the network could read cards."
SIGNALS = ("sound", "vibration", "notification")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that others in the same network open, over plain http."""
    with Served(tmp_path_factory.mktemp("house") / "games.sqlite", name=HOUSE) as served:
        yield served


async def signals(page: Page) -> dict[str, bool]:
    """Return the signals that this device offers, and whether each is on; the dialog stays open."""
    await page.get_by_test_id("signals").click()
    found = {name: page.get_by_test_id(name) for name in SIGNALS}
    return {name: await box.is_checked() for name, box in found.items() if await box.count()}


async def test_a_link_from_this_machine_says_that_only_it_can_open_it(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE)
    page = await (await devices.one(**PHONE)).new_page()
    await page.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await expect(page.get_by_test_id("reach")).to_contain_text("pokersvc serve --lan")
    await page.get_by_test_id("host").click()
    await page.get_by_test_id("new-link-1").click()
    await expect(page.locator("dialog").get_by_test_id("reach")).to_contain_text(ONLY_HERE)
    await expect(page.get_by_label("Link of seat 1")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Invite").first.click()
    dialog = page.locator("dialog")
    await expect(dialog.get_by_test_id("reach")).to_contain_text("pokersvc serve --lan")
    await dialog.get_by_role("button", name="QR code").first.click()
    await expect(dialog.locator(".qr + .hint")).to_have_text("Only this machine can open this link.")


async def test_over_plain_http_the_page_says_who_could_read_along(house: Served, devices: Devices) -> None:
    made = house.guest.made(*PEOPLE)
    page = await (await devices.one(**PHONE)).new_page()
    await page.goto(house.url)
    assert await page.evaluate("[isSecureContext, crypto.subtle === undefined]") == [False, True]
    await expect(page.get_by_test_id("reach")).to_contain_text(PLAIN_HTTP)
    await page.goto(f"{house.url}/t/{made.table}/seat/1/#{made.tokens[1]}")
    await expect(page.get_by_test_id("reach")).to_contain_text(PLAIN_HTTP)
    await page.get_by_role("button", name="Invite").first.click()
    await expect(page.locator("dialog").get_by_test_id("reach")).to_contain_text(PLAIN_HTTP)
    await expect(page.get_by_text(ONLY_HERE)).to_have_count(0)


async def test_over_plain_http_people_play_and_shuffle_together_and_nothing_is_offered_that_needs_https(
    house: Served, devices: Devices
) -> None:
    made = begun(house, settings=TOGETHER)
    people = [await Person.at(await devices.one(**PHONE), house.url, made, seat) for seat in (1, 2)]
    assert set(await signals(people[0].page)) == {"sound", "vibration"}
    await expect(people[0].page.locator("dialog")).to_contain_text("Notifications need https.")
    assert await people[0].page.evaluate("navigator.serviceWorker === undefined")
    await people[0].page.keyboard.press("Escape")
    for _ in range(20):
        if made.watch.snapshot()["status"] == "over":
            break
        for person in people:
            if await person.page.locator(ANY_CHOICE).count():
                await person.choose()
        await people[0].page.wait_for_timeout(300)
    for person in people:
        await person.see("result").to_be_visible()
        await person.verdict("good")
        assert person.complaints == []


async def test_signals_are_kept_on_the_device(served: Served, devices: Devices) -> None:
    made = begun(served)
    context = await devices.one(**DESKTOP)
    person = await Person.at(context, served.url, made, 1)
    assert await signals(person.page) == {"sound": True, "vibration": False, "notification": False}, "less motion"
    await person.page.get_by_test_id("sound").uncheck()
    await person.page.get_by_test_id("vibration").check()
    await person.page.reload()
    assert await signals(person.page) == {"sound": False, "vibration": True, "notification": False}
    lobby = await context.new_page()
    await lobby.goto(served.url)
    assert await signals(lobby) == {"sound": False, "vibration": True, "notification": False}
    moving = await Person.at(await devices.one(reduced_motion="no-preference"), served.url, made, None)
    assert (await signals(moving.page))["vibration"]


FELT = "window.felt = 0; Navigator.prototype.vibrate = () => { window.felt += 1; };"
AWAY = "Document.prototype.hasFocus = () => window.away ?? false;"
NOTES = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
    .map(({ title, body, data, silent }) => ({ title, body, data, silent }))"""


async def test_a_turn_is_felt_once_the_page_was_touched_if_it_is_wanted(served: Served, devices: Devices) -> None:
    made = begun(served)
    context = await devices.one(**(PHONE | {"reduced_motion": "no-preference"}))
    await context.add_init_script(FELT)
    person = await Person.at(context, served.url, made, 1)
    await person.turn()
    assert await person.page.evaluate("window.felt") == 0
    await person.first_choice.tap()
    await person.see("waiting").to_contain_text("Bo is to act")
    choose(made, 2)
    await person.turn()
    assert await person.page.evaluate("window.felt") == 1
    await person.page.get_by_test_id("signals").tap()
    await person.page.get_by_test_id("vibration").uncheck()
    await person.page.keyboard.press("Escape")
    await person.choose()
    choose(made, 2)
    await person.turn()
    assert await person.page.evaluate("window.felt") == 1


async def test_a_notification_of_a_turn_if_asked_for_names_no_card_and_goes_with_the_turn(
    served: Served, devices: Devices
) -> None:
    made = begun(served)
    context = await devices.one(**DESKTOP)
    await context.grant_permissions(["notifications"], origin=served.url)
    await context.add_init_script(AWAY)
    person = await Person.at(context, served.url, made, 2)
    await person.see("waiting").to_be_visible()
    await signals(person.page)
    await person.page.get_by_test_id("notification").check()
    await person.page.keyboard.press("Escape")
    assert await person.page.evaluate(NOTES) == []
    choose(made, 1)
    await person.turn()
    path = f"/t/{made.table}/seat/2/"
    note = {"title": "Your turn", "body": "Draw poker, rising-ante", "data": {"path": path}, "silent": False}
    assert await person.page.evaluate(NOTES) == [note]
    await person.choose()
    assert await person.page.evaluate(NOTES) == []


async def test_a_notification_that_the_browser_refuses_is_not_on(served: Served, devices: Devices) -> None:
    context = await devices.one(**DESKTOP)
    await context.add_init_script("Notification.requestPermission = async () => 'denied';")
    person = await Person.at(context, served.url, begun(served), 1)
    await signals(person.page)
    await person.page.get_by_test_id("notification").click()
    await expect(person.page.locator("dialog")).to_contain_text("This browser refuses notifications of this page")
    await expect(person.page.get_by_test_id("notification")).not_to_be_checked()


async def test_the_page_can_be_installed(served: Served, devices: Devices) -> None:
    context = await devices.one(**PHONE)
    page = await context.new_page()
    await page.goto(served.url)
    session = await context.new_cdp_session(page)
    manifest = await session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["display"] == "standalone"
    found = await session.send("Page.getInstallabilityErrors")
    errors = [error["errorId"] for error in found["installabilityErrors"]]
    assert [error for error in errors if error != "in-incognito"] == []  # as the tests' contexts are
    for icon in json.loads(manifest["data"])["icons"]:
        size = await page.evaluate(
            """async src => {
                const picture = Object.assign(new Image(), { src });
                await picture.decode();
                return `${picture.naturalWidth}x${picture.naturalHeight}`;
            }""",
            icon["src"],
        )
        assert icon["sizes"] in (size, "any")


async def test_the_page_asks_to_be_installed_where_the_browser_offers_it(served: Served, devices: Devices) -> None:
    page = await (await devices.one(**PHONE)).new_page()
    await page.goto(served.url)
    await page.get_by_test_id("signals").click()
    await expect(page.get_by_test_id("install")).to_have_count(0)
    await page.evaluate(
        """() => { const offer = new Event("beforeinstallprompt"); offer.prompt = () => { window.asked = true; };
            dispatchEvent(offer); }"""
    )
    await page.get_by_test_id("install").click()
    assert await page.evaluate("window.asked")
    await expect(page.get_by_test_id("install")).to_have_count(0)


async def test_without_a_server_a_page_says_so_and_leads_back_to_the_seat(devices: Devices, tmp_path: Path) -> None:
    with Served(tmp_path / "games.sqlite") as served:
        made = begun(served)
        context = await devices.one(**PHONE)
        page = await context.new_page()
        await page.goto(served.url)
        await page.evaluate("navigator.serviceWorker.ready")
        served.kill()
        await page.goto(f"{served.url}/t/{made.table}/seat/1/#{made.tokens[1]}")
        await expect(page.get_by_role("heading")).to_have_text("The server cannot be reached")
        again = page.get_by_role("button", name="Try again")
        assert await again.evaluate("one => getComputedStyle(one).borderRadius") == "10px", "with its style"
        await again.click()
        await expect(page.get_by_role("heading")).to_have_text("The server cannot be reached")
        served.start()
        await page.get_by_role("button", name="Try again").click()
        await expect(page.get_by_test_id("verdict")).to_have_attribute("data-state", "good")
        await expect(page.locator(".plate.mine, .seat.mine, [data-testid='actions']").first).to_be_visible()
        kept = await page.evaluate(
            "async () => (await (await caches.open('offline')).keys()).map(one => new URL(one.url).pathname)"
        )
        assert kept == ["/web/offline.html", "/web/offline.js", "/web/styles/base.css", "/web/icon.svg"]
